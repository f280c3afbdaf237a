//! Why nothing can walk at a place: the spans of one column, each with the stage and the rule that rejected it.

use std::fmt;

use super::column::Context;
use super::poll::Watch;
use super::rasterize::heights_in_cell;
use super::seeds::nearest_of_tile;
use super::stages::{FloorState, Keeper, StageFloor, TileStages};
use crate::bake::{BakeError, BakeOptions, MarkKind, VoxelInput};
use crate::format::{NavMeshParams, NavSettings, Tile, TileRef, TiledNavMesh};
use crate::geom::box_tree::CellBox;

/// What the bake makes of one column of cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VoxelProbe {
    /// The tile's column and row.
    pub tile: [i32; 2],
    /// World x and z of the cell's middle.
    pub middle: [f64; 2],
    /// Side of the cell.
    pub cell_size: f64,
    /// Lowest first; empty where no triangle is.
    pub spans: Vec<ProbeSpan>,
}

/// A solid stretch of the column, and what is to be said of its top. Lengths in world units.
#[derive(Clone, Debug, PartialEq)]
pub struct ProbeSpan {
    /// World y of its lower end.
    pub low: f64,
    /// World y of its top.
    pub high: f64,
    /// Free height above it; `None` under the open sky.
    pub head_room: Option<f64>,
    /// Degrees between its top and the plane; above 90 where it faces down.
    pub slope: f64,
    /// What became of its top.
    pub verdict: Verdict,
    /// Corners of the polygon that was made of it before what no seed reaches went; only where there are seeds.
    polygon: Option<Vec<[f64; 3]>>,
}

/// Whether an agent's middle may be on a span, and if not, which rule says so.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "`Display` says it")]
pub enum Verdict {
    Walkable { region: u32, area_type: u8 },
    Steep { slope: f64, limit: f64 },
    LowCeiling { room: f64, needs: f64 },
    Ledge { drop: f64, climb: f64 },
    Uneven { rise: f64, climb: f64 },
    NearEdge { distance: f64, radius: f64 },
    InHole { name: String },
    SmallIsland { cells: u32, least: i32 },
    NoSeedReaches,
}

impl Verdict {
    /// The stage of the bake that decided, as in the stages' notes.
    #[must_use]
    pub fn stage(&self) -> &'static str {
        match self {
            Self::Walkable { .. } => "regions",
            Self::Steep { .. } => "solid",
            Self::LowCeiling { .. } => "filters",
            Self::Ledge { .. } | Self::Uneven { .. } => "ledges",
            Self::NearEdge { .. } => "erosion",
            Self::InHole { .. } => "marks",
            Self::SmallIsland { .. } => "islands",
            Self::NoSeedReaches => "seeds",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short = |value: &f64| {
            let text = format!("{value:.2}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        };
        match self {
            Self::Walkable { region, area_type } => {
                write!(f, "walkable, region {region}, area type {area_type}")
            }
            Self::Steep { slope, .. } if *slope > 90.0 => f.write_str("faces down"),
            Self::Steep { slope, limit } => write!(f, "slope {}°, limit {}°", short(slope), short(limit)),
            Self::LowCeiling { room, needs } => {
                write!(f, "head room {}, needs {}", short(room), short(needs))
            }
            Self::Ledge { drop, climb } if drop.is_infinite() => {
                write!(f, "ledge with nothing below, climb {}", short(climb))
            }
            Self::Ledge { drop, climb } => write!(f, "ledge drop {}, climb {}", short(drop), short(climb)),
            Self::Uneven { rise, climb } => {
                write!(f, "the floors around differ by {}, climb {}", short(rise), short(climb))
            }
            Self::NearEdge { distance, radius } => {
                write!(f, "{} from a wall or ledge, radius {}", short(distance), short(radius))
            }
            Self::InHole { name } => write!(f, "in the hole \"{}\"", name.escape_debug()),
            Self::SmallIsland { cells, least } => write!(f, "island of {cells} cells, least {least}"),
            Self::NoSeedReaches => f.write_str("no seed reaches it"),
        }
    }
}

/// What a voxel bake makes of the column at a world place (x, z); only the tile that holds it is looked at.
///
/// # Errors
/// As [`crate::bake::bake_voxel_mesh`].
pub fn voxel_probe(
    input: &VoxelInput,
    settings: &NavSettings,
    [x, z]: [f64; 2],
) -> Result<VoxelProbe, BakeError> {
    let context = Context::new(input, settings, &BakeOptions::ONE_JOB, None, &mut Vec::new())?;
    let params = &context.params;
    let tile = params.world_to_tile(x, z).map(|(x, z)| [x, z]);
    let window = tile.and_then(|tile| context.grid.window(tile));
    let (Some(tile), Some(window)) = (tile, window) else { return Ok(VoxelProbe::default()) };
    let clock = || 0.0;
    let mut keeper = Keeper::new(&context.grid, &context.labels, &context.soup, window, &clock);
    let baked = context.bake_column(tile, None, Watch::NONE, Some(&mut keeper))?;
    let stages = keeper.stages;
    let cell = [(x, 0), (z, 2)].map(|(at, axis)| {
        let cell = ((at - stages.origin[axis]) / stages.cell_size).floor() as i32;
        cell.clamp(0, stages.side - 1)
    });
    let first = window.low.map(|low| low + context.grid.border);
    let column =
        Column { context: &context, input, settings, stages: &stages, tiles: &baked.tiles, first, cell };
    let middle = [(0, 0), (1, 2)]
        .map(|(axis, of)| stages.origin[of] + (f64::from(cell[axis]) + 0.5) * stages.cell_size);
    let spans = (0..stages.floors.len())
        .filter(|&index| [stages.floors[index].x, stages.floors[index].z] == cell)
        .map(|index| column.span(index))
        .collect();
    Ok(VoxelProbe { tile, middle, cell_size: stages.cell_size, spans })
}

impl VoxelProbe {
    /// The same with what no seed reaches, which takes the whole map to tell: `mesh` is what the bake made of it.
    #[must_use]
    pub fn seen_in(&self, mesh: &TiledNavMesh) -> Self {
        let mut seen = self.clone();
        for span in &mut seen.spans {
            let Some(polygon) = &span.polygon else { continue };
            let mut tiles = mesh.column(self.tile[0], self.tile[1]);
            let is_there = tiles.any(|(_, tile)| {
                (0..tile.polygons.len()).any(|index| corners_of(mesh.params(), tile, index) == *polygon)
            });
            if !is_there {
                span.verdict = Verdict::NoSeedReaches;
            }
        }
        seen
    }
}

fn corners_of(params: &NavMeshParams, tile: &Tile, polygon: usize) -> Vec<[f64; 3]> {
    let corners = &tile.edge_vertices[tile.polygons[polygon].edges()];
    corners.iter().map(|&corner| tile.point_in_world(params, tile.vertices[corner as usize])).collect()
}

struct Column<'a> {
    context: &'a Context<'a>,
    input: &'a VoxelInput,
    settings: &'a NavSettings,
    stages: &'a TileStages,
    /// Before what no seed reaches went.
    tiles: &'a [Tile],
    /// The tile's first cell, from the mesh's origin.
    first: [i32; 2],
    /// The column's cell, from there.
    cell: [i32; 2],
}

impl Column<'_> {
    fn span(&self, index: usize) -> ProbeSpan {
        let (span, floor) = (&self.stages.solid[index], &self.stages.floors[index]);
        let up = |cells: i32| f64::from(cells) * self.stages.cell_height;
        let world_y = |cells: i32| self.stages.origin[1] + up(cells);
        let slope = self.slope_of(span.low, span.high, floor.state == FloorState::Steep);
        let verdict = self.verdict(floor, slope);
        let asks = !self.input.seeds.is_empty() && matches!(verdict, Verdict::Walkable { .. });
        ProbeSpan {
            low: world_y(span.low),
            high: world_y(span.high),
            head_room: floor.head_room.map(up),
            slope,
            polygon: if asks { self.polygon_at(world_y(span.high)) } else { None },
            verdict,
        }
    }

    /// The corners of the polygon that was made of the cell's floor at a height.
    fn polygon_at(&self, y: f64) -> Option<Vec<[f64; 3]>> {
        let (context, stages) = (self.context, self.stages);
        let [x, z] = [(0, 0), (1, 2)]
            .map(|(axis, of)| stages.origin[of] + (f64::from(self.cell[axis]) + 0.5) * stages.cell_size);
        // An outline leaves the cells by so much.
        let across = (context.grid.contour_max_error + 1.0) * stages.cell_size;
        let reach = [across, f64::from(self.settings.walkable_climb) + 2.0 * stages.cell_height];
        let mut best = None;
        for (number, tile) in (0..).zip(self.tiles) {
            nearest_of_tile(&context.params, TileRef::new(1, number), tile, [x, y, z], reach, &mut best);
        }
        let (_, polygon) = best?;
        let tile = &self.tiles[polygon.slot() as usize];
        Some(corners_of(&context.params, tile, polygon.polygon() as usize))
    }

    fn verdict(&self, floor: &StageFloor, slope: f64) -> Verdict {
        let settings = self.settings;
        let up = |cells: i32| f64::from(cells) * self.stages.cell_height;
        match floor.state {
            FloorState::Steep => Verdict::Steep { slope, limit: settings.agent_max_slope.into() },
            FloorState::LowCeiling => {
                let room = up(floor.head_room.unwrap_or(0));
                Verdict::LowCeiling { room, needs: settings.agent_height.into() }
            }
            FloorState::Ledge => self.ledge(floor),
            FloorState::NearEdge => {
                // The nearest edge runs half a cell beyond the middle of the outermost cell.
                let distance = (f64::from(floor.to_edge) / 2.0 + 0.5) * self.stages.cell_size;
                Verdict::NearEdge { distance, radius: settings.agent_radius.into() }
            }
            FloorState::InHole => Verdict::InHole { name: self.hole_at(floor) },
            FloorState::SmallIsland => {
                Verdict::SmallIsland { cells: floor.island, least: settings.min_region_area }
            }
            FloorState::Walkable | FloorState::OtherTile => {
                Verdict::Walkable { region: floor.region, area_type: floor.area_type }
            }
        }
    }

    /// How far it goes down beside a floor, or how uneven it is there.
    fn ledge(&self, floor: &StageFloor) -> Verdict {
        let grid = &self.context.grid;
        let up = |cells: i32| f64::from(cells) * self.stages.cell_height;
        let climb = f64::from(self.settings.walkable_climb);
        let ceiling =
            |y: i32, room: Option<i32>| room.map_or(i64::MAX / 2, |room| i64::from(y) + i64::from(room));
        let own = ceiling(floor.y, floor.head_room);
        let (mut lowest, mut highest, mut bottomless) = (floor.y, floor.y, false);
        for [dx, dz] in super::compact::STEPS {
            let there = [floor.x + dx, floor.z + dz];
            let spans = self.stages.solid.iter().zip(&self.stages.floors);
            let mut bottom = i64::MAX / 2;
            for (span, other) in spans.filter(|(span, _)| [span.x, span.z] == there) {
                bottom = bottom.min(span.low.into());
                let gap = own.min(ceiling(other.y, other.head_room)) - i64::from(floor.y.max(other.y));
                if gap >= i64::from(grid.height) {
                    lowest = lowest.min(other.y);
                    if other.y - floor.y <= grid.climb {
                        highest = highest.max(other.y);
                    }
                }
            }
            bottomless |= own.min(bottom) - i64::from(floor.y) >= i64::from(grid.height);
        }
        if bottomless {
            Verdict::Ledge { drop: f64::INFINITY, climb }
        } else if floor.y - lowest > grid.climb {
            Verdict::Ledge { drop: up(floor.y - lowest), climb }
        } else {
            Verdict::Uneven { rise: up(highest - lowest), climb }
        }
    }

    fn hole_at(&self, floor: &StageFloor) -> String {
        let y = self.stages.origin[1] + f64::from(floor.y) * self.stages.cell_height;
        let [x, z] = [(0, 0), (1, 2)].map(|(axis, of)| {
            self.stages.origin[of] + (f64::from(self.cell[axis]) + 0.5) * self.stages.cell_size
        });
        let slack = self.stages.cell_height / 2.0;
        let holds = |outline: &[[f64; 2]]| {
            let mut winding = 0;
            for (index, to) in outline.iter().enumerate() {
                let from = outline[(index + outline.len() - 1) % outline.len()];
                if (from[1] <= z) != (to[1] <= z) {
                    let at = from[0] + (to[0] - from[0]) * ((z - from[1]) / (to[1] - from[1]));
                    winding += i32::from(at <= x) * if to[1] > from[1] { 1 } else { -1 };
                }
            }
            winding != 0
        };
        let holes = self.input.marks.iter().filter(|mark| mark.kind == MarkKind::Hole);
        let found = holes
            .filter(|mark| mark.low - slack <= y && y <= mark.high + slack)
            .find(|mark| holds(&mark.outline));
        found.map_or_else(String::new, |mark| mark.name.clone())
    }

    /// The slope of a span's top: of its highest triangle, or, where none of those near the top can be walked on, of
    /// the one nearest to it.
    fn slope_of(&self, low: i32, high: i32, is_steep: bool) -> f64 {
        let grid = &self.context.grid;
        let corner = [0, 1].map(|axis| self.first[axis] + self.cell[axis]);
        let box_of_cell = CellBox { low: corner, high: corner };
        let mut best: Option<((i32, f64), f64)> = None;
        self.context.soup.visit(&box_of_cell, |corners, cells, _| {
            let Some([from, to]) = heights_in_cell(corners, cells, corner) else { return true };
            if to > high || to < low || to + grid.climb < high || from > high {
                return true;
            }
            let slope = slope_in_degrees(corners, grid.cell_size, grid.cell_height);
            // The least steep where that decides, else the highest.
            let key = if is_steep { (0, slope) } else { (high - to, slope) };
            if best.is_none_or(|(least, _)| key.0 < least.0 || key.0 == least.0 && key.1 < least.1) {
                best = Some((key, slope));
            }
            true
        });
        best.map_or(0.0, |(_, slope)| slope)
    }
}

fn slope_in_degrees(corners: [[f64; 3]; 3], cell_size: f64, cell_height: f64) -> f64 {
    let [a, b, c] = corners.map(|[x, y, z]| [x * cell_size, y * cell_height, z * cell_size]);
    let (u, v): ([f64; 3], [f64; 3]) =
        (std::array::from_fn(|i| b[i] - a[i]), std::array::from_fn(|i| c[i] - a[i]));
    let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let across = (normal[0] * normal[0] + normal[2] * normal[2]).sqrt();
    across.atan2(normal[1]).to_degrees()
}
