//! The editor without a display and without a driver: gestures on documents, and the window through AccessKit.

mod authoring;
mod classes;
mod dock;
mod drive;
mod export;
mod finder;
mod gestures;
mod issues;
mod levels;
mod safety;
mod window;
