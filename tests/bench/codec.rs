//! What reading, writing and editing a mesh costs: `cargo bench --no-default-features --bench codec`.
//!
//! Meshes are fields of tiles of 8 × 8 squares, all joined, with a jump to a far tile from every tenth tile. Each
//! number is the median of several runs.
#![allow(clippy::unwrap_used, reason = "a bench that cannot go on fails")]
#![allow(clippy::print_stdout, reason = "this is what a bench is for")]

mod counting;

use std::hint::black_box;
use std::time::{Duration, Instant};

use navwright::format::codec::decode_onpm;
use navwright::format::{
    NavMeshParams, OffMeshLink, Slot, Tile, TilePolygons, TilePosition, TiledNavMesh, UnlinkedMesh,
    from_polygons,
};

/// Squares along a tile's side.
const SQUARES: u32 = 8;
const PARAMS: NavMeshParams = NavMeshParams {
    origin: [0.0; 3],
    tile_size: 16.0,
    cell_size: 0.25,
    max_verts_per_poly: 6,
    walkable_climb: 0.5,
    agent_radius: 0.0,
    agent_height: 2.0,
    agent_max_slope: 45.0,
    settings_digest: 0,
};

#[global_allocator]
static ALLOCATOR: counting::Counting = counting::Counting;

fn main() {
    for side in [10, 32, 100] {
        let mesh = field(side);
        let bytes = mesh.to_bytes();
        let polygons = mesh.tiles().map(|(_, tile)| tile.polygons.len()).sum::<usize>();
        let tiles = mesh.tiles().count();
        println!("{tiles} tiles, {polygons} polygons, {} bytes", bytes.len());
        let runs = if side > 50 { 5 } else { 15 };
        let per_polygon = |time: Duration| time.as_secs_f64() * 1e9 / polygons as f64;
        let decode = median(runs, || decode_onpm(&bytes).unwrap());
        let load = median(runs, || TiledNavMesh::from_bytes(&bytes).unwrap());
        println!("  decode and validate            {:8.1} ns a polygon", per_polygon(decode));
        println!("  decode, validate and stitch    {:8.1} ns a polygon", per_polygon(load));
        let encode = median(runs, || mesh.to_bytes());
        println!(
            "  encode                         {:8.1} MB/s",
            bytes.len() as f64 / encode.as_secs_f64() / 1e6
        );
        drop(mesh);
        let before = counting::held();
        let unlinked = decode_onpm(&bytes).unwrap();
        let without_links = (counting::held() - before) as f64 / bytes.len() as f64;
        drop(unlinked);
        let loaded = TiledNavMesh::from_bytes(&bytes).unwrap();
        let with_links = (counting::held() - before) as f64 / bytes.len() as f64;
        println!(
            "  held in memory                 {without_links:8.2} × the file; {with_links:.2} × with links"
        );
        assert!(with_links <= 2.5, "a loaded mesh holds at most 2.5 times its file");
        drop(loaded);
    }
    edits();
}

/// One tile replaced, in meshes of 100, 1 000 and 10 000 tiles.
fn edits() {
    let mut costs = Vec::new();
    println!("one tile replaced");
    for (columns, rows) in [(10, 10), (25, 40), (100, 100)] {
        let mut mesh = field_of(columns, rows);
        // The same tiles in each mesh, so that each has the same neighbours and jumps.
        let replaced: Vec<Tile> = (0..64).map(|k| tile(1 + k % 8, 1 + k / 8)).collect();
        let mut next = replaced.iter().cycle();
        let run = || {
            for tile in next.by_ref().take(replaced.len()) {
                mesh.replace_tile(tile.clone()).unwrap();
            }
        };
        let cost = median(41, run) / 64;
        println!("  in {:6} tiles                {:8.2} µs", columns * rows, cost.as_secs_f64() * 1e6);
        costs.push(cost.as_secs_f64());
    }
    println!("  1 000 : 100 tiles {:.2}, 10 000 : 100 tiles {:.2}", costs[1] / costs[0], costs[2] / costs[0]);
}

fn median<T>(runs: usize, mut work: impl FnMut() -> T) -> Duration {
    black_box(work());
    let mut times: Vec<Duration> = (0..runs)
        .map(|_| {
            let start = Instant::now();
            black_box(work());
            start.elapsed()
        })
        .collect();
    times.sort();
    times[runs / 2]
}

fn field(side: i32) -> TiledNavMesh {
    field_of(side, side)
}

fn field_of(columns: i32, rows: i32) -> TiledNavMesh {
    let tiles = (0..rows).flat_map(|z| (0..columns).map(move |x| tile(x, z)));
    let slots = tiles.map(|tile| Slot { salt: 1, tile: Some(tile) }).collect();
    UnlinkedMesh { params: PARAMS, slots }.link().unwrap()
}

fn tile(tile_x: i32, tile_z: i32) -> Tile {
    let step = PARAMS.tile_size / f64::from(SQUARES);
    let corner = [PARAMS.tile_origin_x(tile_x), PARAMS.tile_origin_z(tile_z)];
    let count = SQUARES + 1;
    let place = |index: u32| {
        let [x, z] = [index % count, index / count].map(|k| f64::from(k) * step);
        [corner[0] + x, 0.0, corner[1] + z]
    };
    let vertices: Vec<[f64; 3]> = (0..count * count).map(place).collect();
    let square = |index: u32| {
        let first = index % SQUARES + index / SQUARES * count;
        [first, first + 1, first + count + 1, first + count]
    };
    let indices: Vec<u32> = (0..SQUARES * SQUARES).flat_map(square).collect();
    let counts = vec![4; (SQUARES * SQUARES) as usize];
    let polygons = TilePolygons {
        position: TilePosition { tile_x, tile_z, layer: 0 },
        origin_y: 0.0,
        vertices: &vertices,
        vertex_counts: &counts,
        indices: &indices,
        areas: None,
        flags: None,
    };
    let mut raw = from_polygons(&polygons, &PARAMS).unwrap();
    if (tile_x + tile_z) % 10 == 3 {
        let (start, end) = ([8.0, 0.0, 8.0], [8.0 + 16.0 * 3.0, 0.0, 8.0 + 16.0]);
        let jump =
            OffMeshLink { start, end, radius: 1.0, area: 0, bidirectional: true, flags: 1, user_id: 0 };
        raw.links.push(jump);
    }
    raw.validate(&PARAMS).unwrap()
}
