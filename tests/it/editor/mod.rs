//! The editor without a display and without a driver: gestures on documents, and the window through AccessKit.

mod export;
mod gestures;
mod window;
