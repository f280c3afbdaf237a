//! One test binary, one link.

mod navwalk;
mod project;
mod query;
