//! A mesh whose floors of one level lie over each other, as those of a voxel bake do: from the lowest up, the higher the
//! lighter.

use std::collections::BTreeMap;

use super::navmesh::polygon_in_world;
use super::{Role, Shape};
use crate::format::{NO_SIDE, Tile, TileRef, TiledNavMesh};

/// How many shades there are; the floors of each are drawn together.
const SHADES: u8 = 16;

/// From the height of the darkest floor to that of the lightest one: the lowest and the highest middle of a polygon, by
/// world y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Storeys {
    low: f64,
    high: f64,
}

struct Floor {
    y: f64,
    points: Vec<[f64; 2]>,
    inner: Vec<[[f64; 2]; 2]>,
    walls: Vec<[[f64; 2]; 2]>,
}

impl Storeys {
    /// `None` where each level is flat enough to be told by its number: within an agent's height.
    #[must_use]
    pub fn of(mesh: &TiledNavMesh) -> Option<Self> {
        let mut levels = BTreeMap::new();
        for (_, tile) in mesh.tiles() {
            for (index, polygon) in tile.polygons.iter().enumerate() {
                let y = middle(tile, index);
                let [low, high] = levels.entry(polygon.level()).or_insert([y, y]);
                (*low, *high) = (low.min(y), high.max(y));
            }
        }
        let height = f64::from(mesh.params().agent_height).max(f64::from(mesh.params().walkable_climb));
        if levels.values().all(|[low, high]| high - low <= height) {
            return None;
        }
        let [low, high] = levels.into_values().reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])])?;
        Some(Self { low, high })
    }

    /// The shade of a height: 0 for the darkest, 255 for the lightest.
    #[must_use]
    pub fn shade(self, y: f64) -> u8 {
        let part = (y - self.low) / (self.high - self.low);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255")]
        let shade = (part.clamp(0.0, 1.0) * 255.0).round() as u8;
        shade
    }

    /// The height of a shade.
    #[must_use]
    pub fn height_of(self, shade: u8) -> f64 {
        self.low + (self.high - self.low) * f64::from(shade) / 255.0
    }

    /// A tile's floors from the lowest up, with their edges; empty for a stale reference.
    #[must_use]
    pub fn tile_shapes(self, mesh: &TiledNavMesh, tile_ref: TileRef) -> Vec<Shape> {
        self.shapes(mesh.tile(tile_ref).map(|tile| floors(mesh, tile)).unwrap_or_default())
    }

    /// The floors of a whole mesh from the lowest up, with their edges.
    pub(super) fn mesh_shapes(self, mesh: &TiledNavMesh) -> Vec<Shape> {
        self.shapes(mesh.tiles().flat_map(|(_, tile)| floors(mesh, tile)).collect())
    }

    fn shapes(self, mut floors: Vec<Floor>) -> Vec<Shape> {
        floors.sort_by(|a, b| a.y.total_cmp(&b.y));
        let step_of = |floor: &Floor| {
            let part = (floor.y - self.low) / (self.high - self.low);
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to the last shade")]
            let step = (part * f64::from(SHADES - 1)).round() as u8;
            step * (255 / (SHADES - 1))
        };
        let mut shapes = Vec::new();
        for floors in floors.chunk_by(|a, b| step_of(a) == step_of(b)) {
            let role = Role::Height(step_of(&floors[0]));
            shapes.extend(floors.iter().map(|floor| Shape::Convex { points: floor.points.clone(), role }));
            for (role, list) in [(Role::InnerEdge, 0), (Role::Wall, 1)] {
                let of = |floor: &Floor| [&floor.inner, &floor.walls][list].clone();
                let segments: Vec<[[f64; 2]; 2]> = floors.iter().flat_map(of).collect();
                if !segments.is_empty() {
                    shapes.push(Shape::Lines { segments, role });
                }
            }
        }
        shapes
    }
}

/// World y of the middle of a polygon's corners.
fn middle(tile: &Tile, polygon: usize) -> f64 {
    let corners = &tile.edge_vertices[tile.polygons[polygon].edges()];
    let sum: f64 = corners.iter().map(|&at| f64::from(tile.vertices[at as usize][1])).sum();
    tile.origin_y + sum / corners.len() as f64
}

fn floors(mesh: &TiledNavMesh, tile: &Tile) -> Vec<Floor> {
    let floor = |(index, polygon): (usize, &crate::format::Polygon)| {
        let points = polygon_in_world(mesh.params(), tile, index);
        let (mut inner, mut walls) = (Vec::new(), Vec::new());
        for (number, edge) in polygon.edges().enumerate() {
            let ends = [points[number], points[(number + 1) % points.len()]];
            match tile.edge_neighbours[edge] as usize {
                _ if tile.edge_sides[edge] != NO_SIDE => {}
                0 => walls.push(ends),
                neighbour if neighbour > index + 1 => inner.push(ends),
                _ => {}
            }
        }
        Floor { y: middle(tile, index), points, inner, walls }
    };
    tile.polygons.iter().enumerate().map(floor).collect()
}
