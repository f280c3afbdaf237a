//! What each stage made of one tile, kept to be looked at.

use super::compact::CompactField;
use super::contours::{Contour, Corner};
use super::detail::PolygonDetail;
use super::filter::{OPEN_SKY, OpenField};
use super::grid::{VoxelGrid, Window};
use super::heightfield::Heightfield;
use super::polymesh::PolygonMesh;
use super::region::{BORDER, NO_REGION, Regions};
use super::soup::{Labels, NO_LABEL, Soup};
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
    /// Too steep by itself, but so low over the walkable stretch below it that it is stepped upon.
    pub is_low_obstacle: bool,
    /// Its area type, if it is walkable.
    pub area_type: u8,
    /// Its region, from 1; 0 for none.
    pub region: u32,
    /// Distance to the nearest edge of its area in half cells, smoothed, where the partition is watershed.
    pub distance: u16,
    /// Distance to the nearest wall or ledge before erosion, in half cells.
    pub to_edge: u16,
    /// Floors of its island, as far as the tile and its border show it, before small islands went.
    pub island: u32,
}

/// A closed outline: corners x, y, z in cells and cell heights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageOutline {
    /// The region on its left.
    pub region: u32,
    /// Corners.
    pub corners: Vec<[i32; 3]>,
}

/// What a stage cost and made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StageNote {
    /// Its name: geometry, solid, filters, ledges, compact, erosion, marks, islands, regions, contours, polygons,
    /// detail, tiles.
    pub stage: &'static str,
    /// How many things it made: triangles, spans, floors, regions, outlines, polygons, points, tiles.
    pub count: usize,
    /// The memory that holds them.
    pub bytes: usize,
    /// How long it took by the caller's clock.
    pub time_secs: f64,
}

/// What the stages made of one tile.
#[derive(Clone, Debug, Default)]
pub struct TileStages {
    /// A note of each stage, in order.
    pub notes: Vec<StageNote>,
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
    /// The triangles that meet the tile with its border: corners x, y, z in cells from the tile's corner and cell
    /// heights, and whether they are walkable.
    pub geometry: Vec<([[f64; 3]; 3], bool)>,
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
    Detail(&'a [PolygonDetail]),
}

/// Collects the stages of one tile.
pub(crate) struct Keeper<'a> {
    pub(crate) stages: TileStages,
    labels: &'a Labels,
    window: Window,
    height: i32,
    climb: i32,
    /// Per entry of `floors` whether it is too steep by itself.
    steep: Vec<bool>,
    /// Per entry of `floors` its number among the walkable ones, if it is.
    compact: Vec<Option<usize>>,
    clock: &'a dyn Fn() -> f64,
    /// When the stage in hand began.
    began: f64,
}

impl<'a> Keeper<'a> {
    pub(crate) fn new(
        grid: &VoxelGrid,
        labels: &'a Labels,
        soup: &Soup,
        window: Window,
        clock: &'a dyn Fn() -> f64,
    ) -> Self {
        let corner = window.low.map(|cell| f64::from(cell + grid.border));
        let mut stages = TileStages {
            origin: grid.world_from_grid([corner[0], 0.0, corner[1]]),
            cell_size: grid.cell_size,
            cell_height: grid.cell_height,
            side: grid.tile_cells,
            border: grid.border,
            ..TileStages::default()
        };
        let began = clock();
        soup.visit(&window.cells(), |corners, _, label| {
            let local = corners.map(|[x, y, z]| [x - corner[0], y, z - corner[1]]);
            stages.geometry.push((local, label != NO_LABEL));
            true
        });
        let bytes = size_of_val(stages.geometry.as_slice());
        let time_secs = clock() - began;
        stages.notes.push(StageNote { stage: "geometry", count: stages.geometry.len(), bytes, time_secs });
        Self {
            stages,
            labels,
            window,
            height: grid.height,
            climb: grid.climb,
            steep: Vec::new(),
            compact: Vec::new(),
            clock,
            began: clock(),
        }
    }

    pub(crate) fn keep(&mut self, stage: &Stage<'_>) {
        let time_secs = (self.clock)() - self.began;
        let (name, count, bytes) = stage.cost();
        self.stages.notes.push(StageNote { stage: name, count, bytes, time_secs });
        match stage {
            Stage::Solid(field) => self.keep_solid(field),
            Stage::Open(open) => self.keep_open(open, FloorState::Steep),
            Stage::Ledges(open) => self.keep_open(open, FloorState::Ledge),
            Stage::Linked(field) => self.keep_linked(field),
            Stage::Eroded(field) => self.keep_labels(field, FloorState::NearEdge),
            Stage::Marked(field) => {
                self.keep_labels(field, FloorState::InHole);
                self.keep_islands(field);
            }
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
            Stage::Detail(_) => {}
        }
        self.began = (self.clock)();
    }

    /// Keeps the tiles that came out in the end.
    pub(crate) fn keep_tiles(&mut self, tiles: Vec<Tile>) {
        let time_secs = (self.clock)() - self.began;
        let bytes = tiles.iter().map(|tile| tile.to_bytes().len()).sum();
        self.stages.notes.push(StageNote { stage: "tiles", count: tiles.len(), bytes, time_secs });
        self.stages.tiles = tiles;
    }

    fn keep_solid(&mut self, field: &Heightfield) {
        for cell in 0..self.window.cell_count() {
            let spans = field.column(cell);
            let x = (cell % self.window.size[0] as usize) as i32 - self.stages.border;
            let z = (cell / self.window.size[0] as usize) as i32 - self.stages.border;
            // The span below, as the filter of low obstacles sees it: whether it is walkable by itself, and its top.
            let mut below = (false, 0);
            for (index, span) in spans.iter().enumerate() {
                let walkable = span.label != NO_LABEL;
                let step_up = below.0 && span.high - below.1 <= self.climb;
                below = (walkable, span.high);
                self.stages.solid.push(StageSpan { x, z, low: span.low, high: span.high });
                let head_room = spans.get(index + 1).map(|above| above.low - span.high);
                // The first rule that takes it: what is too steep, or faces down, is no floor whatever room it has. With
                // room the filter itself says so.
                let state = if has_room(head_room, self.height) {
                    FloorState::Walkable
                } else if walkable || step_up {
                    FloorState::LowCeiling
                } else {
                    FloorState::Steep
                };
                let y = span.high;
                self.steep.push(span.label == NO_LABEL);
                let floor = StageFloor {
                    x,
                    z,
                    y,
                    head_room,
                    state,
                    is_low_obstacle: false,
                    area_type: 0,
                    region: 0,
                    distance: 0,
                    to_edge: 0,
                    island: 0,
                };
                self.stages.floors.push(floor);
            }
        }
    }

    /// Says why walkable floors lost their label. Open floors are the floors with head room, in order.
    fn keep_open(&mut self, open: &OpenField, why: FloorState) {
        let mut floors = open.floors.iter();
        let height = self.height;
        let all = self.stages.floors.iter_mut().zip(&self.steep);
        for (floor, steep) in all.filter(|(floor, _)| has_room(floor.head_room, height)) {
            let Some(open) = floors.next() else { return };
            debug_assert!(open.y == floor.y && (open.ceiling == OPEN_SKY) == floor.head_room.is_none());
            if floor.state == FloorState::Walkable && open.label == NO_LABEL {
                floor.state = why;
            }
            floor.is_low_obstacle |= *steep && open.label != NO_LABEL;
        }
    }

    fn keep_linked(&mut self, field: &CompactField) {
        let mut next = 0..field.len();
        let walkable = |floor: &StageFloor| floor.state == FloorState::Walkable;
        self.compact =
            self.stages.floors.iter().map(|floor| walkable(floor).then(|| next.next()).flatten()).collect();
        let at_edge = |floor: usize| field.links[floor].contains(&field.none());
        // Nothing ends a stage view.
        let distances = field.distances(at_edge, &|| Ok(())).unwrap_or_default();
        for (floor, compact) in self.stages.floors.iter_mut().zip(&self.compact) {
            floor.to_edge = compact.map_or(0, |compact| distances[compact]);
        }
    }

    fn keep_islands(&mut self, field: &CompactField) {
        let sizes = island_sizes(field);
        for (floor, compact) in self.stages.floors.iter_mut().zip(&self.compact) {
            floor.island = compact.map_or(0, |compact| sizes[compact]);
        }
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

/// Whether an agent of a height fits under a ceiling.
fn has_room(head_room: Option<i32>, height: i32) -> bool {
    head_room.is_none_or(|room| room >= height)
}

impl Stage<'_> {
    /// Its name, how many things it made, and the memory that they take.
    fn cost(&self) -> (&'static str, usize, usize) {
        let of_open =
            |open: &OpenField| size_of_val(&open.floors[..]) + 4 * (open.first.len() + open.bottom.len());
        let labelled = |field: &CompactField| field.label.iter().filter(|&&label| label != NO_LABEL).count();
        let of_field = |field: &CompactField| {
            size_of_val(&field.links[..])
                + size_of_val(&field.cells[..])
                + 4 * (field.first.len() + field.y.len())
                + 2 * field.label.len()
        };
        let corners = |count: usize| count * size_of::<Corner>();
        match self {
            Stage::Solid(field) => {
                ("solid", field.spans.len(), size_of_val(&field.spans[..]) + 4 * field.first.len())
            }
            Stage::Open(open) => ("filters", open.floors.len(), of_open(open)),
            Stage::Ledges(open) => {
                let walkable = open.floors.iter().filter(|floor| floor.label != NO_LABEL).count();
                ("ledges", walkable, of_open(open))
            }
            Stage::Linked(field) => ("compact", field.len(), of_field(field)),
            Stage::Eroded(field) => ("erosion", labelled(field), of_field(field)),
            Stage::Marked(field) => ("marks", labelled(field), of_field(field)),
            Stage::Kept(field) => ("islands", labelled(field), of_field(field)),
            Stage::Regions(regions) => {
                ("regions", regions.count as usize, 4 * regions.of.len() + 2 * regions.distance.len())
            }
            Stage::Contours(contours) => {
                let count = contours.iter().map(|contour| contour.corners.len()).sum();
                ("contours", contours.len(), corners(count))
            }
            Stage::Polygons(mesh) => {
                let own = mesh.polygons.iter().map(|polygon| 4 * polygon.corners.len()).sum::<usize>();
                ("polygons", mesh.polygons.len(), own + size_of_val(&mesh.vertices[..]))
            }
            Stage::Detail(details) => {
                let points: usize = details.iter().map(|detail| detail.points.len()).sum();
                let triangles: usize = details.iter().map(|detail| detail.triangles.len()).sum();
                ("detail", points, 24 * points + 8 * triangles)
            }
        }
    }
}

/// Per floor how many floors its island has.
fn island_sizes(field: &CompactField) -> Vec<u32> {
    let mut sizes = vec![0; field.len()];
    let mut island: Vec<u32> = Vec::new();
    for start in 0..field.len() {
        if sizes[start] != 0 || field.label[start] == NO_LABEL {
            continue;
        }
        island.clear();
        island.push(start as u32);
        sizes[start] = 1;
        let mut next = 0;
        while let Some(&floor) = island.get(next) {
            next += 1;
            for link in field.links[floor as usize] {
                let other = link as usize;
                if field.label[other] != NO_LABEL && sizes[other] == 0 {
                    sizes[other] = 1;
                    island.push(link);
                }
            }
        }
        island.iter().for_each(|&floor| sizes[floor as usize] = island.len() as u32);
    }
    sizes
}

fn outline_of(region: u32, corners: &[Corner]) -> StageOutline {
    StageOutline { region, corners: corners.iter().map(|corner| [corner.x, corner.y, corner.z]).collect() }
}
