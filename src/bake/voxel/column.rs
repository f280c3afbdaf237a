//! One column of tiles: what it is baked from, and the stages in order.

use std::collections::BTreeMap;

use super::assemble::{Parts as TileParts, assemble, is_sound};
use super::block::Block;
use super::border::pin_borders;
use super::compact::CompactField;
use super::contours::trace_contours;
use super::detail::{PolygonDetail, build_detail};
use super::filter::{OpenColumns, filter_ledges, steps_to_ledges};
use super::grid::{VoxelGrid, Window};
use super::heightfield::{Columns, Heightfield};
use super::islands::{Islands, KnownIslands};
use super::marks::{GridMark, apply_marks, digest_of_marks, prepare_marks};
use super::poll::{Poll, Watch};
use super::polymesh::{PolygonMesh, build_polygons};
use super::rasterize::rasterize;
use super::regions::build_regions;
use super::soup::{Labels, Parts, Soup};
use super::stages::{Keeper, Stage};
use crate::bake::limits::MAX_TILES;
use crate::bake::{BakeError, BakeOptions, Diagnostic, DiagnosticKind, Element, VoxelInput};
use crate::format::{NavMeshParams, NavSettings, Tile};
use crate::geom::box_tree::CellBox;

/// Most cells along a tile, by the format.
const MOST_CELLS: f64 = 8192.0;

/// Fewest and most cells of tiles that share their voxels, borders included. Between them a share of all cells, so that
/// what a block holds stays small beside the mesh.
const BLOCK_CELLS: [i64; 2] = [5_200, 20_000];
/// That share.
const BLOCKS_A_MAP: i64 = 24;
/// Most tiles on a side of one.
const MOST_TILES: i32 = 8;
/// Fewest blocks for each of several threads.
const BLOCKS_A_THREAD: usize = 4;

/// What every column is baked from.
pub(crate) struct Context<'a> {
    pub(crate) settings: &'a NavSettings,
    pub(crate) params: NavMeshParams,
    pub(crate) grid: VoxelGrid,
    pub(crate) labels: Labels,
    pub(crate) soup: Soup,
    marks: Vec<GridMark>,
    known_islands: KnownIslands,
}

/// A column's tiles without authored links.
#[derive(Clone, Debug)]
pub(crate) struct Baked {
    pub(crate) tiles: Vec<Tile>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The cells that were looked at: what does not meet them made no difference.
    pub(crate) seen: CellBox,
}

impl<'a> Context<'a> {
    /// Prepares all input. `parts`: as [`Soup::new`] has them.
    pub(crate) fn new(
        input: &VoxelInput,
        settings: &'a NavSettings,
        options: &BakeOptions<'_>,
        parts: Option<&mut Parts>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<Self, BakeError> {
        let grid = VoxelGrid::new(settings, input.ledge_radius)?;
        let params = settings.to_params()?;
        let labels = Labels::new(input, settings)?;
        let soup = Soup::new(input, settings, &grid, &labels, options, parts, diagnostics)?;
        let marks = prepare_marks(input, &grid, &labels, diagnostics);
        Ok(Self { settings, params, grid, labels, soup, marks, known_islands: KnownIslands::default() })
    }

    /// World x and z, from the first to the last triangle.
    pub(super) fn size(&self) -> [f64; 2] {
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        self.soup.visit(&self.soup.bounds(), |corners, _, _| {
            for [x, _, z] in corners {
                low = [low[0].min(x), low[1].min(z)];
                high = [high[0].max(x), high[1].max(z)];
            }
            true
        });
        [0, 1].map(|axis| ((high[axis] - low[axis]) * self.grid.cell_size).max(0.0))
    }

    /// What helps where the meshes lie on too many tiles: larger ones, if the largest there are do; else another scale.
    fn way_out(&self) -> String {
        let [width, depth] = self.size();
        let largest = MOST_CELLS * self.grid.cell_size;
        let least = (width / largest) * (depth / largest);
        let first = if least < MAX_TILES as f64 {
            format!("raise tile_size, which may be {largest}")
        } else {
            format!(
                "no tile_size helps, which may be {largest} at most: look at the geometry's scale, or raise cell_size"
            )
        };
        format!("{MAX_TILES}; {first} (the geometry is {width:.0} by {depth:.0} squares)")
    }

    /// The columns in whose cells some triangle lies, by row.
    pub(crate) fn columns(&self, tiles: Option<[i32; 4]>) -> Result<Vec<[i32; 2]>, BakeError> {
        let side = self.grid.tile_cells;
        let bounds = self.soup.bounds();
        if bounds == CellBox::EMPTY {
            return Ok(Vec::new());
        }
        let mut area = CellBox {
            low: bounds.low.map(|cell| cell.div_euclid(side)),
            high: bounds.high.map(|cell| cell.div_euclid(side)),
        };
        if let Some([x0, z0, x1, z1]) = tiles {
            area.low = [area.low[0].max(x0), area.low[1].max(z0)];
            area.high = [area.high[0].min(x1), area.high[1].min(z1)];
        }
        let length = |axis: usize| (i64::from(area.high[axis]) - i64::from(area.low[axis]) + 1).max(0);
        let most = length(0) * length(1);
        let mut columns = Vec::new();
        let mut areas = vec![area];
        while let Some(area) = areas.pop() {
            if (0..2).any(|axis| area.low[axis] > area.high[axis]) {
                continue;
            }
            let cells = CellBox {
                low: area.low.map(|tile| tile * side),
                high: area.high.map(|tile| tile * side + side - 1),
            };
            if !self.soup.meets(&cells) {
                continue;
            }
            if area.low == area.high {
                columns.push(area.low);
                if columns.len() > MAX_TILES {
                    return Err(BakeError::Limit {
                        name: "number of tiles",
                        value: format!("more than {MAX_TILES} ({most} in the meshes' bounds)"),
                        limit: self.way_out(),
                    });
                }
                continue;
            }
            let axis = usize::from(area.high[1] - area.low[1] > area.high[0] - area.low[0]);
            let middle = area.low[axis] + (area.high[axis] - area.low[axis]) / 2;
            let (mut before, mut behind) = (area, area);
            before.high[axis] = middle;
            behind.low[axis] = middle + 1;
            areas.extend([before, behind]);
        }
        columns.sort_unstable_by_key(|&[x, z]| (z, x));
        Ok(columns)
    }

    /// A number that tells the marks in some cells from others.
    pub(crate) fn digest_of_marks(&self, cells: &CellBox) -> u128 {
        digest_of_marks(&self.marks, cells, &self.labels)
    }

    /// A column that could not be baked.
    pub(crate) fn failed(&self, column: [i32; 2], why: &BakeError) -> Baked {
        let diagnostics = vec![Diagnostic::tile_failed(&self.params, column.into(), &why.to_string())];
        let seen = self.grid.window(column).map_or(CellBox::EMPTY, |window| window.cells());
        Baked { tiles: Vec::new(), diagnostics, seen }
    }

    /// Columns put together that are to share their voxels: as many as fit into a block, fewer where threads would
    /// have too few blocks each.
    pub(crate) fn blocks(&self, columns: Vec<[i32; 2]>, jobs: usize) -> Vec<Vec<[i32; 2]>> {
        let threads = if jobs == 0 { rayon::current_num_threads() } else { jobs };
        let side = i64::from(self.grid.tile_cells);
        let cells = |tiles: i32| i64::from(tiles) * side + 2 * i64::from(self.grid.border);
        // Two tiles may always share theirs: one alone takes half as much anyway.
        let least = BLOCK_CELLS[0].max(cells(2) * cells(1)).min(BLOCK_CELLS[1]);
        let most = (columns.len() as i64 * side * side / BLOCKS_A_MAP).clamp(least, BLOCK_CELLS[1]);
        let fits = |&[wide, deep]: &[i32; 2]| {
            let blocks = columns.len() / (wide * deep) as usize;
            cells(wide) * cells(deep) <= most && (threads == 1 || blocks >= threads * BLOCKS_A_THREAD)
        };
        let mut sizes = (2..=MOST_TILES).rev().map(|side| [side; 2]).chain([[1, 2]]);
        let size = sizes.find(fits).unwrap_or([1, 1]);
        let mut blocks: BTreeMap<[i32; 2], Vec<[i32; 2]>> = BTreeMap::new();
        for column in columns {
            let [x, z] = [0, 1].map(|axis| column[axis].div_euclid(size[axis]));
            blocks.entry([z, x]).or_default().push(column);
        }
        blocks.into_values().collect()
    }

    /// The voxels of all columns of a rectangle together, to bake each of them with; `None` where that saves nothing, or
    /// where cells are too far from the origin.
    pub(crate) fn block(&self, columns: &[[i32; 2]], watch: Watch<'_>) -> Result<Option<Block>, BakeError> {
        let ends = |axis: usize, pick: fn(i32, i32) -> i32| columns.iter().map(|at| at[axis]).reduce(pick);
        let [Some(x0), Some(z0), Some(x1), Some(z1)] =
            [ends(0, i32::min), ends(1, i32::min), ends(0, i32::max), ends(1, i32::max)]
        else {
            return Ok(None);
        };
        let tiles = (x1 - x0 + 1) as usize * (z1 - z0 + 1) as usize;
        // With a radius of its own off ledges a window's rim is no wall.
        if columns.len() < 2 || columns.len() < tiles || self.grid.ledge_radius != self.grid.radius {
            return Ok(None);
        }
        let Some(window) = self.grid.window_of([x0, z0], [x1, z1]) else { return Ok(None) };
        Ok(Block::new(window, self.walkable(&window, watch, &mut None)?))
    }

    /// Bakes one column: the stages in order, with the voxels of a block that holds it, if there is one. A keeper is shown
    /// what each made.
    pub(crate) fn bake_column(
        &self,
        column: [i32; 2],
        block: Option<&Block>,
        watch: Watch<'_>,
        mut keeper: Option<&mut Keeper<'_>>,
    ) -> Result<Baked, BakeError> {
        let grid = &self.grid;
        let mut baked = Baked { tiles: Vec::new(), diagnostics: Vec::new(), seen: CellBox::EMPTY };
        let Some(window) = grid.window(column) else {
            baked.diagnostics.push(Diagnostic::tile_failed(
                &self.params,
                column.into(),
                "its cells are too far from the mesh's origin",
            ));
            return Ok(baked);
        };
        let mut field = match block {
            Some(block) => block.part(&window, grid.radius as usize),
            None => self.walkable(&window, watch, &mut keeper)?,
        };
        let mut keep = |stage: Stage<'_>| show(&mut keeper, &stage);
        watch.begin("islands")?;
        let islands = Islands { grid, known: &self.known_islands, window: &window, block, poll: watch.poll };
        let looks = Watch { begin: &|_| watch.begin("islands"), ..watch };
        let looked_at = islands.drop_small(&mut field, &|wide| self.walkable(wide, looks, &mut None))?;
        baked.seen = window.cells().join(&looked_at);
        keep(Stage::Kept(&field));
        watch.begin("regions")?;
        let regions = build_regions(&field, grid, self.settings.partition, watch.poll)?;
        keep(Stage::Regions(&regions));
        watch.begin("contours")?;
        let pins = pin_borders(&field, grid);
        let contours = trace_contours(&field, &regions, &pins, watch.poll)?;
        keep(Stage::Contours(&contours));
        watch.begin("polygons")?;
        let mut mesh = build_polygons(&contours, grid, watch.poll)?;
        keep(Stage::Polygons(&mesh));
        drop(contours);
        watch.begin("detail")?;
        let mut details = build_detail(&field, &regions, &mesh, grid, watch.poll)?;
        keep(Stage::Detail(&details));
        drop(field);
        watch.begin("tiles")?;
        for &(region, [x, z]) in &mesh.damaged {
            baked.diagnostics.push(self.region_damaged(column, region, [x, z]));
        }
        match self.assemble(column, &mesh, &details, watch.poll) {
            Ok(tiles) => {
                baked.tiles = tiles;
                return Ok(baked);
            }
            Err(BakeError::Stopped) => return Err(BakeError::Stopped),
            Err(_) => {}
        }
        // Slim polygons that rounding bent go, with a word; the rest stays.
        let sound: Vec<bool> = mesh
            .polygons
            .iter()
            .map(|polygon| is_sound(grid, &self.params, &mesh, &polygon.corners))
            .collect();
        for (index, polygon) in mesh.polygons.iter().enumerate().filter(|&(index, _)| !sound[index]) {
            let [x, _, z] = mesh.vertices[polygon.corners[0] as usize];
            baked.diagnostics.push(self.region_damaged(column, index as u32, [x, z]));
        }
        let mut keep = sound.iter();
        mesh.polygons.retain(|_| keep.next() == Some(&true));
        let mut keep = sound.iter();
        details.retain(|_| keep.next() == Some(&true));
        match self.assemble(column, &mesh, &details, watch.poll) {
            Ok(tiles) => baked.tiles = tiles,
            Err(BakeError::Stopped) => return Err(BakeError::Stopped),
            Err(error) => baked.diagnostics.push(Diagnostic::tile_failed(
                &self.params,
                column.into(),
                &error.to_string(),
            )),
        }
        Ok(baked)
    }

    /// The walkable floors of a window, islands of any size among them.
    fn walkable(
        &self,
        window: &Window,
        watch: Watch<'_>,
        keeper: &mut Option<&mut Keeper<'_>>,
    ) -> Result<CompactField, BakeError> {
        let grid = &self.grid;
        watch.begin("voxels")?;
        let mut open = OpenColumns::new(window.cell_count(), grid.height, grid.climb);
        if keeper.is_some() {
            let mut solid = Heightfield::new();
            rasterize(&self.soup, window, grid.climb, watch.poll, &mut solid)?;
            show(keeper, &Stage::Solid(&solid));
            (0..window.cell_count()).for_each(|cell| open.add(solid.column(cell)));
        } else {
            // Nobody asks for the spans: floors are made of each column as it comes.
            rasterize(&self.soup, window, grid.climb, watch.poll, &mut open)?;
        }
        watch.begin("filters")?;
        let mut open = open.open;
        show(keeper, &Stage::Open(&open));
        let (links, ledges) = filter_ledges(&mut open, window, grid.height, grid.climb, watch.poll)?;
        show(keeper, &Stage::Ledges(&open));
        let apart = (grid.ledge_radius != grid.radius).then(|| steps_to_ledges(&open, &links, &ledges));
        watch.begin("compact")?;
        // Nobody asks for it any more.
        open.bottom = Vec::new();
        let heights = [grid.height, grid.climb];
        let mut field = CompactField::new(open, links, window, grid.border, heights, watch.poll)?;
        show(keeper, &Stage::Linked(&field));
        watch.begin("erosion")?;
        match apart {
            Some(ledges) => field.erode_apart(grid.radius, grid.ledge_radius, &ledges, watch.poll)?,
            None => field.erode(grid.radius, watch.poll)?,
        }
        show(keeper, &Stage::Eroded(&field));
        watch.begin("marks")?;
        apply_marks(&mut field, window, &self.marks, watch.poll)?;
        show(keeper, &Stage::Marked(&field));
        Ok(field)
    }

    fn assemble(
        &self,
        column: [i32; 2],
        mesh: &PolygonMesh,
        details: &[PolygonDetail],
        poll: Poll<'_>,
    ) -> Result<Vec<Tile>, BakeError> {
        let (grid, params, labels) = (&self.grid, &self.params, &self.labels);
        assemble(&TileParts { grid, params, labels, column, mesh, details }, poll)
    }

    fn region_damaged(&self, [tile_x, tile_z]: [i32; 2], region: u32, [x, z]: [i32; 2]) -> Diagnostic {
        let cell = |tile: i32, cell: i32| f64::from(tile) * f64::from(self.grid.tile_cells) + f64::from(cell);
        let [x, _, z] = self.grid.world_from_grid([cell(tile_x, x), 0.0, cell(tile_z, z)]);
        Diagnostic {
            kind: DiagnosticKind::RegionIncomplete,
            place: [x, z],
            level: 0,
            element: Element::Tile { tile_x, tile_z },
            measured: f64::NAN,
            limit: f64::NAN,
            message: format!(
                "tile ({tile_x}, {tile_z}), region {region}: its outline crosses itself, so a part of it is missing"
            ),
        }
    }
}

fn show(keeper: &mut Option<&mut Keeper<'_>>, stage: &Stage<'_>) {
    if let Some(keeper) = keeper {
        keeper.keep(stage);
    }
}
