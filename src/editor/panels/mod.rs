//! Everything around the canvas.
//!
//! Reading order: [`menu`] and [`toolbar`] on top, [`outline`] left, [`properties`] (with [`settings`] and its `voxels`, [`classes`] and
//! [`area_types`] when nothing is selected, [`checks`] with the Test tool) right, with [`shape`], [`issues`], [`history`]
//! [`bake`] and [`plots`] below, [`status`] last, [`at_place`] on the canvas, [`keys`], `gestures` and [`legend`] on `F1`, [`colors`] among the preferences; [`fields`] serves
//! all, [`heights`] those who stand on one of several floors.

pub mod area_types;
pub mod at_place;
pub mod bake;
pub mod checks;
pub mod classes;
pub mod colors;
pub mod fields;
mod geometry;
mod gestures;
pub mod heights;
pub mod history;
pub mod issues;
pub mod keys;
pub mod legend;
pub mod menu;
pub mod outline;
mod picture;
pub mod plots;
mod probe;
pub mod properties;
pub mod settings;
pub mod shape;
mod stages;
pub mod status;
pub mod toolbar;
mod voxels;
mod why;
