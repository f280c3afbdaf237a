//! Tests of the whole package in one binary: a module per room, `support` for what they share.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[cfg(feature = "cli")]
mod answers;
mod autosave;
mod bake_cases;
mod bake_clearance;
mod bake_edits;
mod bake_remarks;
mod bake_soup;
mod checks;
#[cfg(feature = "cli")]
mod cli;
#[cfg(feature = "cli")]
mod cli_classes;
#[cfg(feature = "cli")]
mod cli_convert;
#[cfg(feature = "cli")]
mod cli_library;
mod cli_path;
#[cfg(feature = "cli")]
mod cli_reasons;
#[cfg(feature = "cli")]
mod cli_voxel;
mod codec;
mod counting;
mod crowd;
mod draw;
mod edit;
#[cfg(feature = "editor")]
mod editor;
mod explain;
mod geometry;
#[cfg(feature = "gltf")]
mod gltf;
mod heights;
mod island_links;
mod issue_samples;
mod kills;
mod layering;
mod merge;
mod mset;
mod navwalk;
mod obj;
mod polygons;
mod project;
mod project_file;
mod query;
mod random_commands;
mod reference;
mod samples;
mod stitch;
mod stream;
mod support;
mod tidy;
mod validate;
mod vectors;
mod voxel;
