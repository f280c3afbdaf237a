//! The window: draw areas, see the mesh, test a path, export a file. The only room that names egui.
//!
//! Below [`state`] (what is open, selected and shown) stand the parts that it is made of, none of which knows it:
//! [`action`] (the one list of what can be done) and [`keymap`] (its keys), `selection`, [`marks`], [`shown`] and
//! [`overlays`] (what is drawn over the ground), [`tools`] (mouse gestures as state machines), [`geometry`] (imported
//! triangles) with [`footprint`] (which of them lie where), [`worker`] (the bake thread with its [`progress`] and
//! [`timings`]), [`records`] (the last bakes), [`study`] (a close look at a tile or a column) with [`stage_view`],
//! [`why_not`] (what is known of a path that is not there) with [`explainer`] (the thread that finds it out),
//! [`issue_view`], [`asked`], [`plots`], [`export`], [`compare`], [`fingerprint`] and [`samples`].
//!
//! Over it, in reading order: [`run`] (opens the window), [`App`] (the frame), `tool_use` (what tools want), `edits`,
//! `clipboard`, [`transform`], `outlines`, `picture_edits`, `geometry_edits` and `steps` (changes), `possible` (which
//! of them there are), `answers` (what the bake gives back), [`inspect`], `next_floor` and `play` (what is at a place,
//! its storeys, and walking there), `keyboard` (the canvas by keys), [`issues`] and [`stage`] (what is done about what
//! was found), [`canvas`] (pan, zoom, pick, snap, paint) and [`gpu`] (triangles that stay on the device), [`view3d`]
//! with [`aim`] (the same in space), [`panels`], [`dock`] and [`layout`] (where they are), [`workspace`] (layouts by
//! name), [`finder`], [`preferences`], [`files`] with [`purpose`] (what a path is for), [`disk`], `watch` and
//! `reconcile` (changes of others), [`geometry_loader`], `dropped` (files dropped on the window), [`safety`]
//! (autosave), [`sight`] (what an exported picture shows), `start` (the start page), [`hints`], [`placing`] (how a
//! file lies that came just now) and [`tour`]; [`taken`] (links that a path takes), [`words`] (numbers and things in
//! words) and [`told`] (what is said of the map in one line) serve all.

pub mod action;
pub mod aim;
mod answers;
mod app;
pub mod asked;
pub mod canvas;
mod clipboard;
pub mod compare;
mod dialogs;
pub mod disk;
pub mod dock;
mod dropped;
mod edits;
pub mod explainer;
pub mod export;
pub mod files;
pub mod finder;
pub mod fingerprint;
mod fix_button;
pub mod floors;
pub mod footprint;
pub mod geometry;
mod geometry_edits;
pub mod geometry_loader;
pub mod gpu;
pub mod hints;
pub mod hover;
mod ids;
pub mod inspect;
pub mod issue_view;
pub mod issues;
mod keyboard;
pub mod keymap;
mod launch;
pub mod layout;
pub mod marks;
mod naming;
mod next_floor;
mod outlines;
pub mod overlays;
pub mod panels;
mod picture_edits;
pub mod placing;
mod play;
pub mod plots;
mod possible;
pub mod preferences;
pub mod progress;
pub mod purpose;
mod reconcile;
pub mod records;
pub mod safety;
pub mod samples;
mod selection;
pub mod shown;
pub mod sight;
pub mod stage;
pub mod stage_view;
mod start;
pub mod state;
mod steps;
pub mod study;
pub mod style;
pub mod taken;
pub mod timings;
pub mod told;
mod tool_use;
pub mod tools;
pub mod tour;
pub mod transform;
pub mod view3d;
mod watch;
pub mod why;
pub mod why_not;
pub mod words;
pub mod worker;
pub mod workspace;

pub use app::App;
pub use launch::{EditorError, run};
