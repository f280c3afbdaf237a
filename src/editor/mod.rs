//! The window: draw areas, see the mesh, test a path, export a file. The only room that names egui.
//!
//! Reading order: [`run`] (opens the window), [`App`] (the frame), [`state`] (what is open, selected and shown),
//! `edits`, `clipboard`, [`transform`], `outlines`, `picture_edits`, `geometry_edits` and `steps` (its changes), `answers` (what the bake
//! gives back), [`inspect`] and `play` (what is at a place, and walking there), `keyboard` (the canvas by keys),
//! [`action`] (the one list of what can be done) and [`keymap`] (its keys), [`overlays`] (what is drawn
//! over the ground), [`tools`] (mouse gestures as state machines),
//! [`canvas`] (pan, zoom, pick, snap, paint) and [`gpu`] (triangles that stay on the device), [`view3d`] with [`aim`] (the
//! same in space), [`panels`], [`dock`] (where they are) and [`workspace`] (layouts by name), [`finder`], [`preferences`],
//! [`files`] with [`purpose`] (what a path is for), [`disk`], `watch` and `reconcile` (changes of others), [`geometry`] (imported triangles) with [`footprint`] (which of
//! them lie where), `dropped` (files
//! dropped on the window), [`safety`] (autosave) and [`export`] with [`sight`] (pictures and outlines), `start` (the start
//! page with [`samples`]), [`hints`] and [`tour`], [`worker`] (the bake thread with its [`progress`] and [`timings`]), [`plots`], [`study`] and
//! [`stage`] (a close look at a tile or a column); [`words`] (numbers and things in words) and [`told`] (what is said of the
//! map in one line) serve all.

pub mod action;
pub mod aim;
mod answers;
mod app;
pub mod canvas;
mod clipboard;
pub mod compare;
mod dialogs;
pub mod disk;
pub mod dock;
mod dropped;
mod edits;
pub mod export;
pub mod files;
pub mod finder;
pub mod fingerprint;
mod fix_button;
pub mod floors;
pub mod footprint;
pub mod geometry;
mod geometry_edits;
pub mod gpu;
pub mod hints;
pub mod hover;
mod ids;
pub mod inspect;
pub mod issues;
mod keyboard;
pub mod keymap;
mod launch;
pub mod marks;
mod naming;
mod outlines;
pub mod overlays;
pub mod panels;
mod picture_edits;
mod play;
pub mod plots;
pub mod preferences;
pub mod progress;
pub mod purpose;
mod reconcile;
pub mod safety;
pub mod samples;
mod selection;
pub mod shown;
pub mod sight;
pub mod stage;
mod start;
pub mod state;
mod steps;
pub mod study;
pub mod style;
pub mod timings;
pub mod told;
pub mod tools;
pub mod tour;
pub mod transform;
pub mod view3d;
mod watch;
pub mod why;
pub mod words;
pub mod worker;
pub mod workspace;

pub use app::App;
pub use launch::{EditorError, run};
