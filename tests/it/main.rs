//! All integration tests: one binary, one link.
#![allow(clippy::unwrap_used, reason = "a helper that fails should fail its test")]

mod codec;
mod edit;
mod stitch;
mod validate;
mod vectors;
