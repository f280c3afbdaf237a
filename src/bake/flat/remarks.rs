//! What a designer should know about a drawing and its mesh, each at its place with numbers.

mod drawing;
mod gaps;
mod mesh;
mod scene;

pub(crate) use drawing::on_drawing;
pub(crate) use mesh::on_mesh;
