//! The editor without a display and without a driver: gestures on documents, and the window through AccessKit.

mod classes;
mod drive;
mod export;
mod gestures;
mod window;
