//! Outside formats, one file each: bytes or text in, plain data or a mesh out, and back, and what could not be carried
//! over. `surface` makes triangles of a mesh, for formats that hold nothing else.

pub mod glb;
#[cfg(feature = "gltf")]
pub mod gltf;
pub mod mset;
pub mod navwalk;
pub mod obj;
pub mod surface;
