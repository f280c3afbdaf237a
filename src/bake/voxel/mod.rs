//! The voxel bake: triangles to tiles, by way of a heightfield. The settings mean what Recast's mean.
//!
//! The stages in reading order: `grid` (settings in cells), `soup` (triangles in cells, found by window), `rasterize`
//! (solid spans), `filter` (which tops can be stood on), `compact` (floors, links, erosion), `marks` (drawn areas and
//! holes), `islands` (small ones go), `regions` with `watershed`, `sweep` and `merge`, `border` (corners that tiles share), `contours`, `simplify`,
//! `triangulate`, `polymesh` (convex polygons), `detail` with `tin` (heights inside them), `layers`, `assemble` (the
//! format's tiles). `stages` keeps what each stage made of one tile; `drawing` makes floors and marks of drawn areas.

mod assemble;
mod border;
mod compact;
mod contours;
mod detail;
mod drawing;
mod filter;
mod grid;
mod islands;
mod layers;
mod marks;
mod merge;
mod polymesh;
mod rasterize;
mod regions;
mod simplify;
mod soup;
mod stages;
mod sweep;
mod tin;
mod triangulate;
mod watershed;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::flat::{link_columns, report_unattached, sort_diagnostics};
use super::limits::MAX_TILES;
use super::{BakeError, BakeOptions, BakeReport, Diagnostic, DiagnosticKind, Element, Progress, VoxelInput};
use crate::format::{FormatError, NavMesh, NavMeshParams, NavSettings, Slot, Tile, UnlinkedMesh};
use crate::geom::box_tree::CellBox;
use assemble::{Parts, assemble, is_sound};
use border::pin_borders;
use compact::CompactField;
use contours::trace_contours;
use detail::{PolygonDetail, build_detail};
use filter::{filter_ledges, open_floors};
use grid::{VoxelGrid, Window};
use islands::drop_islands;
use marks::{GridMark, apply_marks, prepare_marks};
use polymesh::{PolygonMesh, build_polygons};
use rasterize::rasterize;
use regions::build_regions;
use soup::{Labels, Soup};
use stages::{Keeper, Stage};

pub use stages::{FloorState, StageFloor, StageOutline, StageSpan, TileStages};

pub(super) fn bake_mesh(
    input: &VoxelInput,
    settings: &NavSettings,
    options: &BakeOptions<'_>,
) -> Result<(NavMesh, BakeReport), BakeError> {
    if options.jobs == 0 {
        return bake_here(input, settings, options);
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.jobs).build();
    let pool = pool.map_err(|error| BakeError::Unsupported(format!("{} threads: {error}", options.jobs)))?;
    pool.install(|| bake_here(input, settings, options))
}

/// What each stage makes of one tile, and what the bake says about it.
pub(super) fn tile_stages(
    input: &VoxelInput,
    settings: &NavSettings,
    column: [i32; 2],
) -> Result<(TileStages, BakeReport), BakeError> {
    let mut diagnostics = Vec::new();
    let context = Context::new(input, settings, &mut diagnostics)?;
    let Some(window) = context.grid.window(column) else {
        return Ok((TileStages::default(), BakeReport { diagnostics, seams: Vec::new() }));
    };
    let mut keeper = Keeper::new(&context.grid, &context.labels, window);
    let baked = context.bake_column(column, &|| false, &mut |stage| keeper.keep(&stage))?;
    diagnostics.extend(baked.diagnostics);
    sort_diagnostics(&mut diagnostics);
    Ok((TileStages { tiles: baked.tiles, ..keeper.stages }, BakeReport { diagnostics, seams: Vec::new() }))
}

fn bake_here(
    input: &VoxelInput,
    settings: &NavSettings,
    options: &BakeOptions<'_>,
) -> Result<(NavMesh, BakeReport), BakeError> {
    let mut diagnostics = Vec::new();
    let context = Context::new(input, settings, &mut diagnostics)?;
    let columns = context.columns(options)?;
    let mut tiles: BTreeMap<(i32, i32), Vec<Tile>> = BTreeMap::new();
    for ([x, z], baked) in bake_columns(&context, &columns, options)? {
        diagnostics.extend(baked.diagnostics);
        if !baked.tiles.is_empty() {
            tiles.insert((z, x), baked.tiles);
        }
    }
    let layers: BTreeMap<(i32, i32), &[Tile]> =
        tiles.iter().map(|(&column, layers)| (column, layers.as_slice())).collect();
    let linked = link_columns(settings, &context.params, &layers, BTreeMap::new(), &mut diagnostics);
    let layers = layers.iter().flat_map(|(column, &layers)| {
        let linked = linked.get(column);
        linked.map_or(layers, |linked| linked.layers.as_slice())
    });
    let slots = layers.map(|tile| Slot { salt: 1, tile: Some(tile.clone()) }).collect();
    let mesh = UnlinkedMesh { params: context.params, slots }.link()?;
    report_unattached(settings, &mesh, &mut diagnostics);
    sort_diagnostics(&mut diagnostics);
    Ok((NavMesh { settings: settings.clone(), mesh }, BakeReport { diagnostics, seams: Vec::new() }))
}

/// What every column is baked from.
struct Context<'a> {
    settings: &'a NavSettings,
    params: NavMeshParams,
    grid: VoxelGrid,
    labels: Labels,
    soup: Soup,
    marks: Vec<GridMark>,
}

/// A column's tiles without authored links.
struct Baked {
    tiles: Vec<Tile>,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Context<'a> {
    fn new(
        input: &VoxelInput,
        settings: &'a NavSettings,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<Self, BakeError> {
        let grid = VoxelGrid::new(settings)?;
        let params = settings.to_params()?;
        let labels = Labels::new(input, settings)?;
        let soup = Soup::new(input, settings, &grid, &labels, diagnostics)?;
        let marks = prepare_marks(input, &grid, &labels, diagnostics);
        Ok(Self { settings, params, grid, labels, soup, marks })
    }

    /// The columns in whose cells some triangle lies, by row.
    fn columns(&self, options: &BakeOptions<'_>) -> Result<Vec<[i32; 2]>, BakeError> {
        let side = self.grid.tile_cells;
        let bounds = self.soup.bounds();
        if bounds == CellBox::EMPTY {
            return Ok(Vec::new());
        }
        let mut area = CellBox {
            low: bounds.low.map(|cell| cell.div_euclid(side)),
            high: bounds.high.map(|cell| cell.div_euclid(side)),
        };
        if let Some([x0, z0, x1, z1]) = options.tiles {
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
                        limit: MAX_TILES.to_string(),
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

    /// Bakes one column: the stages in order. `stopped` is asked between them, `keep` is shown what each made.
    fn bake_column(
        &self,
        column: [i32; 2],
        stopped: &dyn Fn() -> bool,
        keep: &mut dyn FnMut(Stage<'_>),
    ) -> Result<Baked, BakeError> {
        let grid = &self.grid;
        let check = || if stopped() { Err(BakeError::Stopped) } else { Ok(()) };
        let mut baked = Baked { tiles: Vec::new(), diagnostics: Vec::new() };
        let Some(window) = grid.window(column) else {
            baked.diagnostics.push(self.tile_failed(column, "its cells are too far from the mesh's origin"));
            return Ok(baked);
        };
        let mut field = self.walkable(&window, keep)?;
        check()?;
        drop_islands(&mut field, &window, grid, &|wide| {
            check()?;
            self.walkable(wide, &mut |_| {})
        })?;
        keep(Stage::Kept(&field));
        check()?;
        let regions = build_regions(&field, grid, self.settings.partition);
        keep(Stage::Regions(&regions));
        check()?;
        let pins = pin_borders(&field, grid);
        let contours = trace_contours(&field, &regions, &pins);
        keep(Stage::Contours(&contours));
        let mut mesh = build_polygons(&contours, grid);
        keep(Stage::Polygons(&mesh));
        drop(contours);
        check()?;
        for &(region, [x, z]) in &mesh.damaged {
            baked.diagnostics.push(self.region_damaged(column, region, [x, z]));
        }
        let mut details = build_detail(&field, &regions, &mesh, grid);
        check()?;
        if let Ok(tiles) = self.assemble(column, &mesh, &details) {
            baked.tiles = tiles;
            return Ok(baked);
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
        match self.assemble(column, &mesh, &details) {
            Ok(tiles) => baked.tiles = tiles,
            Err(error) => baked.diagnostics.push(self.tile_failed(column, &error.to_string())),
        }
        Ok(baked)
    }

    /// The walkable floors of a window, islands of any size among them.
    fn walkable(&self, window: &Window, keep: &mut dyn FnMut(Stage<'_>)) -> Result<CompactField, BakeError> {
        let grid = &self.grid;
        let solid = rasterize(&self.soup, window, grid.climb)?;
        keep(Stage::Solid(&solid));
        let mut open = open_floors(&solid, grid.height, grid.climb);
        drop(solid);
        keep(Stage::Open(&open));
        let links = filter_ledges(&mut open, window, grid.height, grid.climb);
        keep(Stage::Ledges(&open));
        let mut field = CompactField::new(&open, links, window, grid.border, grid.height, grid.climb);
        drop(open);
        keep(Stage::Linked(&field));
        field.erode(grid.radius);
        keep(Stage::Eroded(&field));
        apply_marks(&mut field, window, &self.marks);
        keep(Stage::Marked(&field));
        Ok(field)
    }

    fn assemble(
        &self,
        column: [i32; 2],
        mesh: &PolygonMesh,
        details: &[PolygonDetail],
    ) -> Result<Vec<Tile>, FormatError> {
        let (grid, params, labels) = (&self.grid, &self.params, &self.labels);
        assemble(&Parts { grid, params, labels, column, mesh, details })
    }

    fn tile_failed(&self, [tile_x, tile_z]: [i32; 2], why: &str) -> Diagnostic {
        let half = self.params.tile_size / 2.0;
        Diagnostic {
            kind: DiagnosticKind::TileFailed,
            place: [self.params.tile_origin_x(tile_x) + half, self.params.tile_origin_z(tile_z) + half],
            level: 0,
            element: Element::Tile { tile_x, tile_z },
            measured: f64::NAN,
            limit: f64::NAN,
            message: format!("tile ({tile_x}, {tile_z}) is left out: {why}"),
        }
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

fn bake_columns(
    context: &Context<'_>,
    columns: &[[i32; 2]],
    options: &BakeOptions<'_>,
) -> Result<Vec<([i32; 2], Baked)>, BakeError> {
    let done = AtomicUsize::new(0);
    let total = columns.len();
    columns
        .par_iter()
        .map(|&column| {
            if options.stopped() {
                return Err(BakeError::Stopped);
            }
            let baked = context.bake_column(column, &|| options.stopped(), &mut |_| {})?;
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            if let Some(progress) = options.progress {
                progress(Progress { done, total });
            }
            Ok((column, baked))
        })
        .collect()
}
