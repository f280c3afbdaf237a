//! The window: draw areas, see the mesh, test a path, export a file. The only room that names egui.
//!
//! Reading order: [`run`] (opens the window), [`App`] (the frame), [`state`] (what is open, selected and shown),
//! `edits`, `clipboard`, [`transform`], `outlines`, `picture_edits` and `steps` (its changes), `answers` (what the bake gives back), [`inspect`] and `play` (what is at a place, and walking there), `keyboard` (the canvas by keys), [`action`] (the one list of what can be done), [`tools`] (mouse gestures as state machines), [`canvas`] (pan, zoom,
//! pick, snap, paint) and [`gpu`] (triangles that stay on the device), [`panels`] and [`dock`] (where they are), [`finder`], [`preferences`], [`files`], [`safety`] (autosave) and [`export`], and [`worker`] (the bake thread).

pub mod action;
mod answers;
mod app;
pub mod canvas;
mod clipboard;
mod dialogs;
pub mod dock;
mod edits;
pub mod export;
pub mod files;
pub mod finder;
pub mod gpu;
mod ids;
pub mod inspect;
mod keyboard;
mod launch;
mod outlines;
pub mod panels;
mod picture_edits;
mod play;
pub mod preferences;
pub mod safety;
mod selection;
pub mod state;
mod steps;
pub mod style;
pub mod tools;
pub mod transform;
pub mod worker;

pub use app::App;
pub use launch::{EditorError, run};
