//! Triangles that stay on the graphics device: a map's picture is handed over once, and afterwards only moved.
//!
//! Reading order: [`Batch`] (triangles that do not change), [`layer`] (what of them a frame shows, and where), and the
//! pipeline for wgpu. With other renderers, and without any, [`Gpu::Shapes`] gives the same picture as shapes of egui.

mod batch;
mod device;

pub use batch::{Batch, Gpu, Placed, layer};
pub use device::install;
