//! A mesh whose floors of one level lie over each other, as those of a voxel bake do: from the lowest up, the higher the
//! lighter.

use super::navmesh::polygon_in_world;
use super::{Role, Shape};
use crate::format::{NO_SIDE, TiledNavMesh};

/// How many shades there are; the floors of each are drawn together.
const SHADES: u8 = 16;

/// Floors by height.
#[derive(Clone, Debug)]
pub(super) struct Storeys {
    /// From the lowest up.
    pub(super) shapes: Vec<Shape>,
    /// The lowest and the highest middle of a polygon, by world y.
    pub(super) range: [f64; 2],
}

struct Floor {
    y: f64,
    points: Vec<[f64; 2]>,
    inner: Vec<[[f64; 2]; 2]>,
    walls: Vec<[[f64; 2]; 2]>,
}

impl Storeys {
    /// `None` where each level is flat enough to be told by its number: within an agent's height.
    pub(super) fn of(mesh: &TiledNavMesh) -> Option<Self> {
        let mut levels = std::collections::BTreeMap::new();
        let mut floors = Vec::new();
        for (_, tile) in mesh.tiles() {
            for (index, polygon) in tile.polygons.iter().enumerate() {
                let corners = &tile.edge_vertices[polygon.edges()];
                let sum: f64 = corners.iter().map(|&at| f64::from(tile.vertices[at as usize][1])).sum();
                let y = tile.origin_y + sum / corners.len() as f64;
                let range = levels.entry(polygon.level()).or_insert([y, y]);
                *range = [range[0].min(y), range[1].max(y)];
                let points = polygon_in_world(mesh.params(), tile, index);
                let (mut inner, mut walls) = (Vec::new(), Vec::new());
                for (number, edge) in polygon.edges().enumerate() {
                    let ends = [points[number], points[(number + 1) % points.len()]];
                    let neighbour = tile.edge_neighbours[edge] as usize;
                    match neighbour {
                        _ if tile.edge_sides[edge] != NO_SIDE => {}
                        0 => walls.push(ends),
                        _ if neighbour > index + 1 => inner.push(ends),
                        _ => {}
                    }
                }
                floors.push(Floor { y, points, inner, walls });
            }
        }
        let height = f64::from(mesh.params().agent_height).max(f64::from(mesh.params().walkable_climb));
        if levels.values().all(|[low, high]| high - low <= height) {
            return None;
        }
        let range = levels.values().copied().reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])])?;
        Some(Self { shapes: shapes(floors, range), range })
    }

    /// The height of a shade.
    pub(super) fn height_of(&self, shade: u8) -> f64 {
        let [low, high] = self.range;
        low + (high - low) * f64::from(shade) / 255.0
    }
}

fn shapes(mut floors: Vec<Floor>, [low, high]: [f64; 2]) -> Vec<Shape> {
    floors.sort_by(|a, b| a.y.total_cmp(&b.y));
    let shade_of = |floor: &Floor| {
        let part = (floor.y - low) / (high - low);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to the last shade")]
        let step = (part * f64::from(SHADES - 1)).round() as u8;
        step * (255 / (SHADES - 1))
    };
    let mut shapes = Vec::new();
    for floors in floors.chunk_by(|a, b| shade_of(a) == shade_of(b)) {
        let role = Role::Height(shade_of(&floors[0]));
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
