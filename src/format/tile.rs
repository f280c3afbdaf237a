//! A tile's content: as read or made ([`RawTile`]), and after every rule was checked ([`Tile`]).

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::{Fingerprint, NavMeshParams};

/// An edge that lies on no tile border.
pub const NO_SIDE: u8 = 255;

/// Most polygons of a tile: what a reference's 20 bits can tell apart.
pub(super) const MAX_POLYGONS: usize = 1 << 20;
/// Highest area type.
pub(super) const MAX_AREA: u8 = 63;

/// Column, row and layer of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TilePosition {
    /// Column along x.
    pub tile_x: i32,
    /// Row along z.
    pub tile_z: i32,
    /// Layer of overlapping floors, 0..=1023.
    pub layer: i32,
}

impl fmt::Display for TilePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {}, layer {})", self.tile_x, self.tile_z, self.layer)
    }
}

/// A convex polygon: its edges are `first_edge .. first_edge + vertex_count` of the tile's edge arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Polygon {
    /// Index of its first edge in the tile's edge arrays.
    pub first_edge: u32,
    /// Number of vertices, and of edges: 3..=max_verts_per_poly.
    pub vertex_count: u8,
    /// Area type, 0..=63.
    pub area: u8,
    /// Author's flags in the low byte; the level as an i8 in the high byte.
    pub flags: u16,
}

impl Polygon {
    /// Its edges' indices in the tile's edge arrays.
    #[must_use]
    pub fn edges(&self) -> std::ops::Range<usize> {
        let first = self.first_edge as usize;
        first..first + usize::from(self.vertex_count)
    }

    /// The authored level: bits 8..=15 of the flags as an i8.
    #[must_use]
    pub fn level(&self) -> i8 {
        (self.flags >> 8) as u8 as i8
    }
}

/// Height detail of one polygon: ranges of the tile's detail arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it all")]
pub struct DetailMesh {
    pub vertex_base: u32,
    pub vertex_count: u32,
    pub triangle_base: u32,
    pub triangle_count: u32,
}

/// A triangle of a detail mesh: indices below the polygon's vertex count are the polygon's vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DetailTriangle {
    /// Corner indices.
    pub indices: [u16; 3],
    /// Bit k marks edge k as lying on the polygon's boundary.
    pub edge_flags: u8,
}

/// An off-mesh link slot, in its owner tile's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "as in `AuthoredLink`, in tile-local f32")]
pub struct OffMeshLink {
    pub start: [f32; 3],
    pub end: [f32; 3],
    pub radius: f32,
    pub area: u8,
    pub bidirectional: bool,
    pub flags: u16,
    pub user_id: u32,
}

/// A tile's content before its rules are checked.
#[derive(Clone, Debug, PartialEq, Default)]
#[allow(missing_docs, reason = "the arrays are those of the byte layout")]
pub struct RawTile {
    pub tile_x: i32,
    pub tile_z: i32,
    pub layer: i32,
    /// World y of the tile's local 0.
    pub origin_y: f64,
    /// Tile-local x, y, z.
    pub vertices: Vec<[f32; 3]>,
    pub polygons: Vec<Polygon>,
    /// Edge k of a polygon runs from its vertex k to its vertex k + 1.
    pub edge_vertices: Vec<u32>,
    /// 0 none, else in-tile polygon index + 1.
    pub edge_neighbours: Vec<u32>,
    /// 0 +X, 1 +Z, 2 −X, 3 −Z, 255 none.
    pub edge_sides: Vec<u8>,
    pub detail_meshes: Vec<DetailMesh>,
    pub detail_vertices: Vec<[f32; 3]>,
    pub detail_triangles: Vec<DetailTriangle>,
    pub links: Vec<OffMeshLink>,
}

/// A tile that keeps every rule of the format. Cheap to clone; derefs to its content.
#[derive(Clone, Debug)]
pub struct Tile {
    inner: Arc<Checked>,
    fingerprint: Fingerprint,
}

/// Content that was checked, and its id once somebody asked for it.
#[derive(Debug)]
struct Checked {
    raw: RawTile,
    content_id: OnceLock<Fingerprint>,
}

impl Tile {
    /// A tile whose content keeps every rule, under the fingerprint of the parameters that it was checked against.
    pub(super) fn checked(raw: RawTile, fingerprint: Fingerprint) -> Self {
        Self { inner: Arc::new(Checked { raw, content_id: OnceLock::new() }), fingerprint }
    }
}

impl RawTile {
    /// The world position of a tile-local point: `(origin + tile * tile_size) + local`, and `origin_y + local y`.
    #[must_use]
    pub fn point_in_world(&self, params: &NavMeshParams, local: [f32; 3]) -> [f64; 3] {
        [
            params.tile_origin_x(self.tile_x) + f64::from(local[0]),
            self.origin_y + f64::from(local[1]),
            params.tile_origin_z(self.tile_z) + f64::from(local[2]),
        ]
    }
}

impl Tile {
    /// The fingerprint of the parameters it was validated against.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// Where it lies in the grid.
    #[must_use]
    pub fn position(&self) -> TilePosition {
        TilePosition { tile_x: self.tile_x, tile_z: self.tile_z, layer: self.layer }
    }

    /// Whether both are clones of one tile, so that nothing need be compared. Equal tiles made apart are not.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner) && self.fingerprint == other.fingerprint
    }

    /// The first 16 bytes of the SHA-256 of the tile's bytes: equal ids mean equal tiles. Computed when first asked
    /// for, then kept.
    #[must_use]
    pub fn content_id(&self) -> Fingerprint {
        *self.inner.content_id.get_or_init(|| Fingerprint::of(&self.to_bytes()))
    }
}

impl std::ops::Deref for Tile {
    type Target = RawTile;

    fn deref(&self) -> &RawTile {
        &self.inner.raw
    }
}
