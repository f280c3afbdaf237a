//! Outside formats, one file each: bytes or text in, plain data or a mesh out, and what could not be carried over.

#[cfg(feature = "gltf")]
pub mod gltf;
pub mod mset;
pub mod navwalk;
pub mod obj;
