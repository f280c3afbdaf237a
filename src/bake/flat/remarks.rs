//! What a designer should know about a drawing and its mesh, each at its place with numbers.

mod drawing;
mod gaps;
mod mesh;
mod scene;
mod thin;
mod vanished;

pub(crate) use drawing::{on_clearance, on_drawing};
pub(crate) use mesh::on_mesh;
