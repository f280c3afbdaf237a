//! A mesh's floors as triangles, for formats that hold nothing else.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::bake::TriangleMesh;
use crate::format::{NavMeshParams, RawTile, TiledNavMesh};

/// The surface of a mesh, one [`TriangleMesh`] for each level and area type there, in their order, called "level 1" where
/// the type is 0, else "level 1, area 3": the height detail of a polygon where it has some, else a fan from its first
/// vertex. World coordinates; floors face up (+y) to a right-handed eye, as in OBJ and glTF. Within a tile equal
/// places are one vertex.
#[must_use]
pub fn surface(mesh: &TiledNavMesh) -> Vec<TriangleMesh> {
    let mut parts: BTreeMap<(i8, u8), Growing> = BTreeMap::new();
    for (_, tile) in mesh.tiles() {
        parts.values_mut().for_each(|part| part.known.clear());
        for (number, polygon) in tile.polygons.iter().enumerate() {
            let part = parts.entry((polygon.level(), polygon.area)).or_default();
            part.add(mesh.params(), tile, number);
        }
    }
    let part =
        |((level, area), Growing { vertices, triangles, known: _ }): ((i8, u8), Growing)| TriangleMesh {
            name: if area == 0 { format!("level {level}") } else { format!("level {level}, area {area}") },
            vertices: Arc::new(vertices),
            triangles: Arc::new(triangles),
            area_type: Some(area),
            flags: None,
            level,
        };
    parts.into_iter().map(part).collect()
}

/// The triangles of a mesh whose corners are all finite, with no vertex that none of them uses; and how many were left
/// out.
#[must_use]
pub fn finite_part(mesh: &TriangleMesh) -> (TriangleMesh, usize) {
    let is_finite = |index: &u32| {
        let vertex = mesh.vertices.get(*index as usize);
        vertex.is_some_and(|vertex| vertex.iter().all(|value| value.is_finite()))
    };
    let mut numbers = vec![u32::MAX; mesh.vertices.len()];
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for triangle in mesh.triangles.iter().filter(|triangle| triangle.iter().all(is_finite)) {
        triangles.push(triangle.map(|index| {
            let number = &mut numbers[index as usize];
            if *number == u32::MAX {
                *number = vertices.len() as u32;
                vertices.push(mesh.vertices[index as usize]);
            }
            *number
        }));
    }
    let left_out = mesh.triangles.len() - triangles.len();
    let mesh = TriangleMesh { vertices: Arc::new(vertices), triangles: Arc::new(triangles), ..mesh.clone() };
    (mesh, left_out)
}

#[derive(Default)]
struct Growing {
    vertices: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
    /// The vertices of the tile in hand, by the bits of their place in it.
    known: HashMap<[u32; 3], u32>,
}

impl Growing {
    fn add(&mut self, params: &NavMeshParams, tile: &RawTile, polygon: usize) {
        let corners = &tile.edge_vertices[tile.polygons[polygon].edges()];
        let count = corners.len();
        let detail = tile.detail_meshes.get(polygon).filter(|detail| detail.triangle_count > 0);
        let place = |index: usize| match (corners.get(index), detail) {
            (Some(corner), _) => tile.vertices[*corner as usize],
            (None, Some(detail)) => tile.detail_vertices[detail.vertex_base as usize + index - count],
            (None, None) => [0.0; 3],
        };
        let mut push = |[a, b, c]: [usize; 3]| {
            // Ours run from x to z, so seen from above they are clockwise to a right-handed eye.
            let triangle = [a, c, b].map(|index| self.vertex(params, tile, place(index)));
            self.triangles.push(triangle);
        };
        match detail {
            None => (2..count).for_each(|corner| push([0, corner - 1, corner])),
            Some(detail) => {
                let base = detail.triangle_base as usize;
                let triangles = &tile.detail_triangles[base..base + detail.triangle_count as usize];
                triangles.iter().for_each(|triangle| push(triangle.indices.map(usize::from)));
            }
        }
    }

    fn vertex(&mut self, params: &NavMeshParams, tile: &RawTile, local: [f32; 3]) -> u32 {
        let vertices = &mut self.vertices;
        *self.known.entry(local.map(f32::to_bits)).or_insert_with(|| {
            vertices.push(tile.point_in_world(params, local));
            (vertices.len() - 1) as u32
        })
    }
}
