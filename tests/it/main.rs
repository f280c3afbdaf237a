//! One test binary, one link.

mod bake_cases;
mod navwalk;
mod project;
