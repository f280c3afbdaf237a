#![doc = include_str!("../README.md")]

pub mod geom;

pub mod format;

pub mod stitch;

pub mod compare;

pub mod bake;

pub mod query;

pub mod crowd;

pub mod stream;

pub mod interop;

pub mod draw;

pub mod project;

#[cfg(feature = "cli")]
pub mod cli;

#[cfg(feature = "editor")]
pub mod editor;
