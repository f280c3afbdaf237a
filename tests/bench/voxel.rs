//! The voxel bake against `rerecast`, a port of Recast, on Recast's own meshes in one run: `cargo bench
//! --no-default-features --bench voxel`. Needs the shared data beside the package. Ours makes and stitches the format's
//! tiles, rerecast stops at its detail meshes. Prints ratios; milliseconds alone mean nothing on another machine. One
//! thread is measured in processor time, which other work on the machine disturbs less; two in time on the wall, which
//! an idle machine alone shows, and in processor time too ("cpu 2/1"): where that does not grow, the work itself scales.

#![allow(clippy::print_stdout, reason = "a bench prints what it measures")]
#![allow(clippy::unwrap_used, reason = "a bench that cannot go on fails")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering};
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use glam::{UVec3, Vec3, Vec3A};
use navwright::bake::{BakeOptions, TriangleMesh, VoxelInput, bake_voxel_mesh};
use navwright::format::{NO_SIDE, NavSettings};
use navwright::geom::box_tree::{BoxTree, CellBox};
use navwright::interop::obj::import_obj;
use rayon::prelude::*;
use rerecast::{Aabb3d, BuildContoursFlags, DetailNavmesh, HeightfieldBuilder, PolygonNavmesh, TriMesh};

const CELL: f64 = 0.3;
/// Fewest rounds, and how long they go on at least: what is least of many is hardly disturbed.
const RUNS: usize = 5;
const ENOUGH: Duration = Duration::from_secs(4);

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let data = ["../shared/data/recast", "../../shared/data/recast"].map(|path| root.join(path));
    let Some(data) = data.into_iter().find(|path| path.exists()) else {
        println!("SKIPPED: ../shared/data/recast is not there");
        return;
    };
    println!(
        "{:<11} {:>5} {:>8} {:>8} {:>8} {:>8} {:>7} {:>7} {:>7} {:>7} {:>11} {:>15} {:>9}",
        "mesh",
        "tile",
        "ours 1",
        "ours 2",
        "peer 1",
        "peer 2",
        "1 ×",
        "2 ×",
        "scaling",
        "cpu 2/1",
        "polygons",
        "peak MB",
        "portals"
    );
    for name in ["nav_test", "dungeon", "undulating", "boxes512"] {
        let bytes = std::fs::read(data.join(format!("{name}.obj"))).unwrap();
        let mesh = import_obj(&bytes, name).unwrap().mesh;
        let tiles = if name == "boxes512" { &[128_u16][..] } else { &[32, 64, 0] };
        for &tile in tiles {
            compare(name, &mesh, tile);
        }
    }
}

/// Bakes a mesh both ways in turns; `tile` cells a tile, 0 for one tile.
fn compare(name: &str, mesh: &TriangleMesh, tile: u16) {
    let peer = Peer::new(mesh, tile);
    let side = if tile == 0 { peer.columns.max(peer.rows) } else { tile.into() };
    let settings = NavSettings {
        origin: peer.low,
        tile_size: f64::from((f64::from(side) * CELL) as f32),
        cell_size: CELL,
        walkable_climb: 0.9,
        agent_radius: 0.6,
        detail_sample_distance: 1.8,
        detail_max_error: 0.2,
        ..NavSettings::default()
    };
    let input = VoxelInput { meshes: vec![mesh.clone()], ..VoxelInput::default() };
    let ours = |jobs: usize| {
        let (baked, _) =
            bake_voxel_mesh(&input, &settings, &BakeOptions { jobs, ..BakeOptions::default() }).unwrap();
        let tiles = baked.mesh.tiles();
        tiles
            .map(|(_, tile)| (tile.polygons.len(), portals(&tile.edge_sides)))
            .fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1))
    };
    // Both from the triangles to all results: ours takes them to cells and finds them by tile, so the peer's share of
    // that (its own copy, what is walkable, which tile has what) counts too.
    let (mut times, mut counts) = ([Duration::MAX; 4], [(0, 0); 4]);
    let mut cpu_of_two = Duration::MAX;
    let (begun, mut rounds) = (Instant::now(), 0);
    while rounds < RUNS || begun.elapsed() < ENOUGH {
        rounds += 1;
        times[0] = times[0].min(cpu_timed(|| counts[0] = ours(1)));
        times[2] = times[2].min(cpu_timed(|| counts[2] = (Peer::new(mesh, tile).bake(1), 0)));
        cpu_of_two = cpu_of_two.min(cpu_timed(|| times[1] = times[1].min(timed(|| counts[1] = ours(2)))));
        times[3] = times[3].min(timed(|| counts[3] = (Peer::new(mesh, tile).bake(2), 0)));
    }
    let peaks = [peak(|| ours(1).0), peak(|| Peer::new(mesh, tile).bake_and_keep())];
    let ms = times.map(|time| time.as_secs_f64() * 1e3);
    println!(
        "{name:<11} {tile:>5} {:>8.2} {:>8.2} {:>8.2} {:>8.2} {:>7.2} {:>7.2} {:>7.2} {:>7.2} {:>11} {:>15} {:>9}",
        ms[0],
        ms[1],
        ms[2],
        ms[3],
        ms[2] / ms[0],
        ms[3] / ms[1],
        ms[0] / ms[1],
        cpu_of_two.as_secs_f64() * 1e3 / ms[0],
        format!("{}/{}", counts[0].0, counts[2].0),
        format!("{:.2}/{:.2}", peaks[0], peaks[1]),
        counts[0].1,
    );
}

fn portals(sides: &[u8]) -> usize {
    sides.iter().filter(|&&side| side != NO_SIDE).count()
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn cpu_timed(work: impl FnOnce()) -> Duration {
    let start = ProcessTime::now();
    work();
    start.elapsed()
}

/// A mesh in rerecast's terms, with its triangles found by tile.
struct Peer {
    mesh: TriMesh,
    low: [f64; 3],
    high: [f64; 3],
    tree: BoxTree,
    order: Vec<u32>,
    boxes: Vec<CellBox>,
    /// Cells in all.
    columns: u32,
    rows: u32,
    tile: u16,
}

impl Peer {
    fn new(mesh: &TriangleMesh, tile: u16) -> Self {
        let fold = |start: f64, pick: fn(f64, f64) -> f64| -> [f64; 3] {
            std::array::from_fn(|axis| mesh.vertices.iter().map(|vertex| vertex[axis]).fold(start, pick))
        };
        let (low, high) = (fold(f64::INFINITY, f64::min), fold(f64::NEG_INFINITY, f64::max));
        let cells = |axis: usize| ((high[axis] - low[axis]) / CELL).ceil() as u32;
        let boxes: Vec<CellBox> = mesh
            .triangles
            .iter()
            .map(|triangle| {
                triangle.iter().fold(CellBox::EMPTY, |sum, &vertex| {
                    let cell =
                        [0, 2].map(|axis| ((mesh.vertices[vertex as usize][axis] - low[axis]) / CELL) as i32);
                    sum.join(&CellBox { low: cell, high: cell })
                })
            })
            .collect();
        let (tree, order) = BoxTree::new(&boxes);
        let mut trimesh = TriMesh {
            vertices: mesh
                .vertices
                .iter()
                .map(|v| Vec3A::new(v[0] as f32, v[1] as f32, v[2] as f32))
                .collect(),
            indices: mesh.triangles.iter().map(|&triangle| UVec3::from(triangle)).collect(),
            area_types: vec![Default::default(); mesh.triangles.len()],
        };
        trimesh.mark_walkable_triangles(45.0_f32.to_radians());
        Self { mesh: trimesh, low, high, tree, order, boxes, columns: cells(0), rows: cells(2), tile }
    }

    /// Bakes all tiles one after another and keeps what comes out; answers how many polygons there are.
    fn bake_and_keep(&self) -> usize {
        let count = |cells: u32| cells.div_ceil(self.tile.into());
        let tiles: Vec<Option<[u32; 2]>> = match self.tile {
            0 => vec![None],
            _ => (0..count(self.rows))
                .flat_map(|z| (0..count(self.columns)).map(move |x| Some([x, z])))
                .collect(),
        };
        let kept: Vec<_> = tiles.into_iter().filter_map(|tile| self.meshes_of_tile(tile)).collect();
        kept.iter().map(|(polygons, _)| polygons.polygon_count()).sum()
    }

    /// Bakes all tiles; answers how many polygons came out.
    fn bake(&self, jobs: usize) -> usize {
        if self.tile == 0 {
            return self.bake_tile(None);
        }
        let count = |cells: u32| cells.div_ceil(self.tile.into());
        let tiles: Vec<[u32; 2]> =
            (0..count(self.rows)).flat_map(|z| (0..count(self.columns)).map(move |x| [x, z])).collect();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build().unwrap();
        pool.install(|| tiles.par_iter().map(|&tile| self.bake_tile(Some(tile))).sum())
    }

    fn bake_tile(&self, tile: Option<[u32; 2]>) -> usize {
        let meshes = std::hint::black_box(self.meshes_of_tile(tile));
        meshes.map_or(0, |(polygons, _)| polygons.polygon_count())
    }

    /// `None` for a tile without triangles, and where the peer gives up.
    fn meshes_of_tile(&self, tile: Option<[u32; 2]>) -> Option<(PolygonNavmesh, DetailNavmesh)> {
        // Radius 2 and a margin of 3.
        let border = if tile.is_some() { 5 } else { 0 };
        let (mut low, mut high) = (self.low, self.high);
        let mut part = TriMesh { vertices: self.mesh.vertices.clone(), ..TriMesh::default() };
        if let Some(tile) = tile {
            let first = tile.map(|tile| tile as i32 * i32::from(self.tile) - border);
            let last = first.map(|first| first + i32::from(self.tile) + 2 * border);
            for (axis, side) in [(0, 0), (2, 1)] {
                low[axis] = self.low[axis] + f64::from(first[side]) * CELL;
                high[axis] = self.low[axis] + f64::from(last[side]) * CELL;
            }
            let window = CellBox { low: first, high: last };
            self.tree.visit(&window, |range| {
                for &index in &self.order[range] {
                    if self.boxes[index as usize].meets(&window) {
                        part.indices.push(self.mesh.indices[index as usize]);
                        part.area_types.push(self.mesh.area_types[index as usize]);
                    }
                }
                true
            });
            if part.indices.is_empty() {
                return None;
            }
        } else {
            part = self.mesh.clone();
        }
        let corner = |corner: [f64; 3]| Vec3::new(corner[0] as f32, corner[1] as f32, corner[2] as f32);
        let aabb = Aabb3d { min: corner(low), max: corner(high) };
        let mut solid =
            HeightfieldBuilder { aabb, cell_size: CELL as f32, cell_height: 0.2 }.build().unwrap();
        solid.rasterize_triangles(&part, 4).unwrap();
        solid.filter_low_hanging_walkable_obstacles(4);
        solid.filter_ledge_spans(10, 4);
        solid.filter_walkable_low_height_spans(10);
        let mut field = solid.into_compact(10, 4).unwrap();
        field.erode_walkable_area(2);
        field.build_distance_field();
        field.build_regions(border as u16, 64, 400).unwrap();
        let contours = field.build_contours(1.3, 40, BuildContoursFlags::TESSELLATE_SOLID_WALL_EDGES);
        // It gives up on outlines with holes that it cannot cut.
        let polygons = contours.into_polygon_mesh(6).ok()?;
        let detail = DetailNavmesh::new(&polygons, &field, 1.8, 0.2).ok()?;
        Some((polygons, detail))
    }
}

/// The most megabytes that were allocated at once during some work.
fn peak(work: impl FnOnce() -> usize) -> f64 {
    LIVE.store(0, Ordering::Relaxed);
    PEAK.store(0, Ordering::Relaxed);
    COUNTS.store(true, Ordering::Relaxed);
    std::hint::black_box(work());
    COUNTS.store(false, Ordering::Relaxed);
    PEAK.load(Ordering::Relaxed) as f64 / 1e6
}

static COUNTS: AtomicBool = AtomicBool::new(false);
static LIVE: AtomicIsize = AtomicIsize::new(0);
static PEAK: AtomicIsize = AtomicIsize::new(0);

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn count(bytes: isize) {
    if COUNTS.load(Ordering::Relaxed) {
        let live = LIVE.fetch_add(bytes, Ordering::Relaxed) + bytes;
        PEAK.fetch_max(live, Ordering::Relaxed);
    }
}

#[allow(unsafe_code, reason = "an allocator that counts hands every call on to the system's")]
// SAFETY: every call goes to `System` with its arguments unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: as the caller promises.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as isize - layout.size() as isize);
        // SAFETY: as the caller promises.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }
}
