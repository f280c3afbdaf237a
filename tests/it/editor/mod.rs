//! The editor without a display and without a driver: gestures on documents, and the window through AccessKit.

mod authoring;
mod canvas_gestures;
mod classes;
mod colors;
mod disk;
mod dock;
mod drive;
mod export;
mod files;
mod finder;
mod geometry;
mod gestures;
mod guide;
mod issues;
mod keys;
mod levels;
mod overlays;
mod pictures;
mod plots;
mod safety;
mod stages;
mod storeys;
mod table;
mod view3d;
mod voxel;
mod window;
