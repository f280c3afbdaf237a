//! What a frame shows of the batches, for a renderer with buffers of its own or for any other.

use std::sync::Arc;

use egui::{Mesh, Rect, Shape};

use super::batch::Placed;
use super::device::Layer;

/// How triangles reach the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Gpu {
    /// As shapes, copied in every frame: works with any renderer.
    #[default]
    Shapes,
    /// As buffers that stay on the device; needs [`super::install`].
    Buffers,
}

/// A shape that shows batches in order, `number` being that of the layer among those of the frame.
pub fn layer(gpu: Gpu, number: usize, rect: Rect, placed: Vec<Placed>) -> Shape {
    match gpu {
        Gpu::Buffers => Layer::shape(number, rect, placed),
        Gpu::Shapes => {
            let mut mesh = Mesh::default();
            for Placed { batch, offset, scale } in &placed {
                let Ok(base) = u32::try_from(mesh.vertices.len()) else { break };
                for ([x, y], color) in &batch.vertices {
                    let at = egui::pos2(offset[0] + scale * x, offset[1] + scale * y);
                    mesh.colored_vertex(at, *color);
                }
                mesh.indices.extend(batch.indices.iter().map(|index| base + index));
            }
            Shape::mesh(Arc::new(mesh))
        }
    }
}
