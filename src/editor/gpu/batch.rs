//! Triangles that do not change.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use egui::{Color32, Mesh};

/// Triangles in points around some place of the world. They never change; a change is another batch.
#[derive(Debug)]
pub struct Batch {
    pub(super) id: u64,
    pub(super) vertices: Vec<([f32; 2], Color32)>,
    pub(super) indices: Vec<u32>,
}

/// A batch somewhere on the screen: a vertex `v` lies at `offset + scale · v`, in points.
#[derive(Clone, Debug)]
pub struct Placed {
    /// The triangles.
    pub batch: Arc<Batch>,
    /// Where their origin lies.
    pub offset: [f32; 2],
    /// How much larger than made they are shown.
    pub scale: f32,
}

/// Bytes of a vertex on the device: x and y as 32-bit floats, then red, green, blue, alpha.
pub(super) const VERTEX_BYTES: usize = 12;

impl Batch {
    /// Takes over a mesh without texture; `None` without triangles.
    #[must_use]
    pub fn of(mesh: Mesh) -> Option<Arc<Self>> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        if mesh.indices.is_empty() {
            return None;
        }
        let vertices = mesh.vertices.iter().map(|vertex| (vertex.pos.into(), vertex.color)).collect();
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        Some(Arc::new(Self { id, vertices, indices: mesh.indices }))
    }

    /// What it takes, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        VERTEX_BYTES * self.vertices.len() + size_of::<u32>() * self.indices.len()
    }

    /// Vertices as the device reads them.
    pub(super) fn vertex_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(VERTEX_BYTES * self.vertices.len());
        for ([x, y], color) in &self.vertices {
            bytes.extend_from_slice(&x.to_ne_bytes());
            bytes.extend_from_slice(&y.to_ne_bytes());
            bytes.extend_from_slice(&color.to_array());
        }
        bytes
    }

    /// Indices as the device reads them.
    pub(super) fn index_bytes(&self) -> Vec<u8> {
        self.indices.iter().flat_map(|index| index.to_ne_bytes()).collect()
    }

    /// How many indices there are.
    pub(super) fn index_count(&self) -> u32 {
        u32::try_from(self.indices.len()).unwrap_or(u32::MAX)
    }
}
