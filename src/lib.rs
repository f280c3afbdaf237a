//! navwright

pub mod bake;
pub mod draw;
pub mod format;
pub mod geom;
pub mod interop;
pub mod project;
pub mod query;
pub mod stitch;
pub mod stream;

#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "editor")]
pub mod editor;
