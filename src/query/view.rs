//! One polygon seen in world coordinates: its corners, its inside, its nearest point.

use crate::format::{NavMeshParams, PolyRef, Polygon, Tile, TiledNavMesh};

/// A polygon with what is needed to place it in the world. Cheap to make and to copy.
#[derive(Clone, Copy)]
pub(super) struct PolygonView<'a> {
    pub(super) params: &'a NavMeshParams,
    pub(super) tile: &'a Tile,
    pub(super) polygon: &'a Polygon,
    pub(super) reference: PolyRef,
}

impl<'a> PolygonView<'a> {
    pub(super) fn new(mesh: &'a TiledNavMesh, reference: PolyRef) -> Option<Self> {
        let (tile, index) = mesh.polygon(reference)?;
        Some(Self { params: mesh.params(), tile, polygon: &tile.polygons[index], reference })
    }

    pub(super) fn corner_count(&self) -> usize {
        usize::from(self.polygon.vertex_count)
    }

    /// Corner k in the tile's own frame; k may be the corner count, which is corner 0 again.
    pub(super) fn local_corner(&self, k: usize) -> [f32; 3] {
        let count = self.corner_count();
        let k = if k >= count { k - count } else { k };
        let edge = self.polygon.first_edge as usize + k;
        self.tile.vertices[self.tile.edge_vertices[edge] as usize]
    }

    /// Corner k in world x, z.
    pub(super) fn corner(&self, k: usize) -> [f64; 2] {
        let local = self.local_corner(k);
        world_xz(self.params, self.tile, [local[0], local[2]])
    }

    /// Whether a point lies in the polygon; its edges and corners are inside. Exact.
    pub(super) fn contains(&self, point: [f64; 2]) -> bool {
        let mut from = self.corner(self.corner_count() - 1);
        for k in 0..self.corner_count() {
            let to = self.corner(k);
            if orientation(from, to, point) < 0.0 {
                return false;
            }
            from = to;
        }
        true
    }

    /// The polygon's point nearest to a place, with the squared distance: the place itself and 0 if inside.
    pub(super) fn closest(&self, point: [f64; 2]) -> ([f64; 2], f64) {
        if self.contains(point) {
            return (point, 0.0);
        }
        let mut best = (point, f64::INFINITY);
        let mut from = self.corner(self.corner_count() - 1);
        for k in 0..self.corner_count() {
            let to = self.corner(k);
            let near = closest_on_segment(from, to, point);
            let distance = distance_squared(near, point);
            if distance < best.1 {
                best = (near, distance);
            }
            from = to;
        }
        best
    }
}

/// World x, z of a tile-local place. A coordinate on the tile's far border is computed from the next tile's
/// corner, so that the tiles that share a border point agree on it to the bit, whatever the origin.
pub(super) fn world_xz(params: &NavMeshParams, tile: &Tile, local: [f32; 2]) -> [f64; 2] {
    let axis = |origin: f64, index: i32, value: f32| {
        if value == params.tile_size as f32 {
            origin + (f64::from(index) + 1.0) * params.tile_size
        } else {
            origin + f64::from(index) * params.tile_size + f64::from(value)
        }
    };
    [axis(params.origin[0], tile.tile_x, local[0]), axis(params.origin[2], tile.tile_z, local[1])]
}

/// Above 0 if c lies left of a → b (x to the right, z up), 0 if on their line; the sign is exact.
#[inline]
pub(super) fn orientation(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    let (first, second) = ((a[0] - c[0]) * (b[1] - c[1]), (a[1] - c[1]) * (b[0] - c[0]));
    let side = first - second;
    // Shewchuk 1997: beyond this bound the sign is right.
    if side.abs() > 3.4e-16 * (first.abs() + second.abs()) {
        return side;
    }
    exact_orientation(a, b, c)
}

#[cold]
fn exact_orientation(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    if a == b || a == c || b == c {
        return 0.0;
    }
    let coord = |p: [f64; 2]| robust::Coord { x: p[0], y: p[1] };
    robust::orient2d(coord(a), coord(b), coord(c))
}

#[inline]
pub(super) fn closest_on_segment(a: [f64; 2], b: [f64; 2], point: [f64; 2]) -> [f64; 2] {
    let along = [b[0] - a[0], b[1] - a[1]];
    let length_squared = along[0] * along[0] + along[1] * along[1];
    let dot = (point[0] - a[0]) * along[0] + (point[1] - a[1]) * along[1];
    if dot <= 0.0 {
        a
    } else if dot >= length_squared {
        b
    } else {
        let t = dot / length_squared;
        [a[0] + along[0] * t, a[1] + along[1] * t]
    }
}

pub(super) fn distance_squared(a: [f64; 2], b: [f64; 2]) -> f64 {
    let (dx, dz) = (a[0] - b[0], a[1] - b[1]);
    dx * dx + dz * dz
}

pub(super) fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    distance_squared(a, b).sqrt()
}
