//! Triangles that stay on the graphics device: a map's picture is handed over once, and afterwards only moved.
//!
//! Reading order: [`Batch`] (triangles that do not change), the pipeline for wgpu, and [`layer()`] (what of them a frame
//! shows, and where). With other renderers, and without any, [`Gpu::Shapes`] gives the same picture as shapes of egui.

mod batch;
mod device;
mod layer;

pub use batch::{Batch, Placed};
pub use device::install;
pub use layer::{Gpu, layer};
