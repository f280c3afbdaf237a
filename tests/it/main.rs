//! One test binary, one link.

mod navwalk;
mod project;
mod project_file;
mod samples;
