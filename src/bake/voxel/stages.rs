//! What each stage made of one tile, kept to be looked at.

use super::compact::CompactField;
use super::contours::{Contour, Corner};
use super::filter::{OPEN_SKY, OpenField};
use super::grid::{VoxelGrid, Window};
use super::polymesh::PolygonMesh;
use super::rasterize::Heightfield;
use super::regions::{BORDER, NO_REGION, Regions};
use super::soup::{Labels, NO_LABEL};
use crate::format::Tile;

/// Why an agent's middle may be at a place, or why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloorState {
    /// The surface is too steep, or faces down.
    Steep,
    /// The head room above is less than the agent's height.
    LowCeiling,
    /// Beside a drop higher than the climb.
    Ledge,
    /// Closer to a wall or a drop than the agent's radius.
    NearEdge,
    /// In a drawn hole.
    InHole,
    /// On an island smaller than the least region area.
    SmallIsland,
    /// Of another tile, seen over the border.
    OtherTile,
    /// Walkable.
    Walkable,
}

/// A solid stretch of a column. Cells count from the tile's corner, heights in cell heights from the mesh's origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it all")]
pub struct StageSpan {
    pub x: i32,
    pub z: i32,
    pub low: i32,
    pub high: i32,
}

/// The top of a solid stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StageFloor {
    /// Cell from the tile's corner; below 0 and beyond the tile's side over the border.
    pub x: i32,
    /// As `x`.
    pub z: i32,
    /// Height, in cell heights from the mesh's origin.
    pub y: i32,
    /// Free cell heights above it; `None` under the open sky.
    pub head_room: Option<i32>,
    /// Whether it is walkable.
    pub state: FloorState,
    /// Its area type, if it is walkable.
    pub area_type: u8,
    /// Its region, from 1; 0 for none.
    pub region: u32,
    /// Distance to the nearest edge of its area in half cells, smoothed, where the partition is watershed.
    pub distance: u16,
}

/// A closed outline: corners x, y, z in cells and cell heights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageOutline {
    /// The region on its left.
    pub region: u32,
    /// Corners.
    pub corners: Vec<[i32; 3]>,
}

/// What the stages made of one tile.
#[derive(Clone, Debug, Default)]
pub struct TileStages {
    /// World place of the tile's corner, and of height 0.
    pub origin: [f64; 3],
    /// Side of a cell.
    pub cell_size: f64,
    /// Height of a cell.
    pub cell_height: f64,
    /// Cells of the tile's side.
    pub side: i32,
    /// Cells that it looks over each border.
    pub border: i32,
    /// The solid heightfield, by cell (rows of z), from below.
    pub solid: Vec<StageSpan>,
    /// The top of each entry of `solid`.
    pub floors: Vec<StageFloor>,
    /// Outlines of the regions along the sides of cells.
    pub contours: Vec<StageOutline>,
    /// The outlines simplified.
    pub simplified: Vec<StageOutline>,
    /// The tiles, lowest layer first, without authored links.
    pub tiles: Vec<Tile>,
}

/// A stage's result, as the bake comes by.
pub(crate) enum Stage<'a> {
    Solid(&'a Heightfield),
    Open(&'a OpenField),
    Ledges(&'a OpenField),
    Linked(&'a CompactField),
    Eroded(&'a CompactField),
    Marked(&'a CompactField),
    Kept(&'a CompactField),
    Regions(&'a Regions),
    Contours(&'a [Contour]),
    Polygons(&'a PolygonMesh),
}

/// Collects the stages of one tile.
pub(crate) struct Keeper<'a> {
    pub(crate) stages: TileStages,
    labels: &'a Labels,
    window: Window,
    height: i32,
    /// Per entry of `floors` its number among the walkable ones, if it is.
    compact: Vec<Option<usize>>,
}

impl<'a> Keeper<'a> {
    pub(crate) fn new(grid: &VoxelGrid, labels: &'a Labels, window: Window) -> Self {
        let corner = window.low.map(|cell| f64::from(cell + grid.border));
        let stages = TileStages {
            origin: grid.world_from_grid([corner[0], 0.0, corner[1]]),
            cell_size: grid.cell_size,
            cell_height: grid.cell_height,
            side: grid.tile_cells,
            border: grid.border,
            ..TileStages::default()
        };
        Self { stages, labels, window, height: grid.height, compact: Vec::new() }
    }

    pub(crate) fn keep(&mut self, stage: &Stage<'_>) {
        match stage {
            Stage::Solid(field) => self.keep_solid(field),
            Stage::Open(open) => self.keep_open(open, FloorState::Steep),
            Stage::Ledges(open) => self.keep_open(open, FloorState::Ledge),
            Stage::Linked(field) => self.keep_linked(field),
            Stage::Eroded(field) => self.keep_labels(field, FloorState::NearEdge),
            Stage::Marked(field) => self.keep_labels(field, FloorState::InHole),
            Stage::Kept(field) => self.keep_labels(field, FloorState::SmallIsland),
            Stage::Regions(regions) => self.keep_regions(regions),
            Stage::Contours(contours) => {
                let outline = |contour: &Contour| outline_of(contour.region, &contour.corners);
                self.stages.contours = contours.iter().map(outline).collect();
            }
            Stage::Polygons(mesh) => {
                self.stages.simplified =
                    mesh.outlines.iter().map(|(region, ring)| outline_of(*region, ring)).collect();
            }
        }
    }

    fn keep_solid(&mut self, field: &Heightfield) {
        for cell in 0..self.window.cell_count() {
            let spans = &field.spans[field.first[cell] as usize..field.first[cell + 1] as usize];
            let x = (cell % self.window.size[0] as usize) as i32 - self.stages.border;
            let z = (cell / self.window.size[0] as usize) as i32 - self.stages.border;
            for (index, span) in spans.iter().enumerate() {
                self.stages.solid.push(StageSpan { x, z, low: span.low, high: span.high });
                let head_room = spans.get(index + 1).map(|above| above.low - span.high);
                let low = head_room.is_some_and(|room| room < self.height);
                let state = if low { FloorState::LowCeiling } else { FloorState::Walkable };
                let y = span.high;
                let floor = StageFloor { x, z, y, head_room, state, area_type: 0, region: 0, distance: 0 };
                self.stages.floors.push(floor);
            }
        }
    }

    /// Says why walkable floors lost their label. Open floors are the floors with head room, in order.
    fn keep_open(&mut self, open: &OpenField, why: FloorState) {
        let mut floors = open.floors.iter();
        for floor in self.stages.floors.iter_mut().filter(|floor| floor.state != FloorState::LowCeiling) {
            let Some(open) = floors.next() else { return };
            debug_assert!(open.y == floor.y && (open.ceiling == OPEN_SKY) == floor.head_room.is_none());
            if floor.state == FloorState::Walkable && open.label == NO_LABEL {
                floor.state = why;
            }
        }
    }

    fn keep_linked(&mut self, field: &CompactField) {
        let mut next = 0..field.len();
        let walkable = |floor: &StageFloor| floor.state == FloorState::Walkable;
        self.compact =
            self.stages.floors.iter().map(|floor| walkable(floor).then(|| next.next()).flatten()).collect();
    }

    fn keep_labels(&mut self, field: &CompactField, why: FloorState) {
        for (floor, compact) in self.stages.floors.iter_mut().zip(&self.compact) {
            if let Some(compact) = *compact
                && floor.state == FloorState::Walkable
            {
                match self.labels.label(field.label[compact]) {
                    Some(label) => floor.area_type = label.area_type,
                    None => floor.state = why,
                }
            }
        }
    }

    fn keep_regions(&mut self, regions: &Regions) {
        for (floor, compact) in self.stages.floors.iter_mut().zip(&self.compact) {
            if let Some(compact) = *compact
                && floor.state == FloorState::Walkable
            {
                floor.distance = regions.distance.get(compact).copied().unwrap_or(0);
                match regions.of[compact] {
                    NO_REGION => {}
                    BORDER => floor.state = FloorState::OtherTile,
                    region => floor.region = region,
                }
            }
        }
    }
}

fn outline_of(region: u32, corners: &[Corner]) -> StageOutline {
    StageOutline { region, corners: corners.iter().map(|corner| [corner.x, corner.y, corner.z]).collect() }
}
