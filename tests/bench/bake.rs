//! The flat bake against the bare boolean union of the same outlines in `i_overlay`, in one run: `cargo bench
//! --no-default-features --bench bake`; `-- 10000` takes the map of so many areas only. Prints ratios: a single number
//! of milliseconds means nothing on another machine. Where the shared maps are at hand, the number of polygons is
//! compared with the peer's own meshes too.

#![allow(clippy::print_stdout, reason = "a bench prints what it measures")]
#![allow(clippy::unwrap_used, reason = "a bench that cannot go on fails")]

mod counting;

use std::path::Path;
use std::time::{Duration, Instant};

use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::overlay_rule::OverlayRule;
use i_overlay::core::single::SingleIntOverlay;
use i_overlay::i_float::int::point::IntPoint;
use navwright::bake::flat::FlatBaker;
use navwright::bake::{AreaKind, BakeOptions, FlatArea, FlatInput, FlatLevel, Surface, bake_mesh};
use navwright::format::NavSettings;
use navwright::project::open;

#[global_allocator]
static ALLOCATOR: counting::Counting = counting::Counting;

fn main() {
    println!(
        "{:>12} {:>8} {:>10} {:>10} {:>10} {:>8} {:>8} {:>7} {:>9} {:>9}",
        "areas",
        "points",
        "union ms",
        "bake 1 ms",
        "bake 2 ms",
        "1/union",
        "2/union",
        "edit %",
        "us/point",
        "B/point"
    );
    let wanted: Option<usize> = std::env::args().nth(1).and_then(|argument| argument.parse().ok());
    // 1 000, 10 000, 40 000 and 100 000 points.
    let sizes = [250, 2_500, 10_000, 25_000];
    for count in sizes.into_iter().filter(|&count| wanted.is_none_or(|wanted| wanted == count)) {
        measure(&count.to_string(), map_of(count), &NavSettings::default());
    }
    if wanted.is_some() {
        return;
    }
    measure("storeys", storeys(60), &NavSettings::default());
    for name in ["town", "walls200", "walls2000"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/flat/maps/{name}.nav"));
        let document = open(&path).unwrap().document;
        measure(name, document.flat_input(), &NavSettings::default());
    }
    clearance();
    compare_partitions();
}

fn measure(name: &str, mut input: FlatInput, settings: &NavSettings) {
    let points: usize = input.areas.iter().map(|area| area.outline.len()).sum();
    let with = |jobs: usize| BakeOptions { jobs, ..BakeOptions::default() };
    let union = best_of(5, || union_of(&input));
    let one = best_of(5, || bake_mesh(&input, settings, &with(1)).map(|(mesh, _)| mesh.mesh.slots().len()));
    let two = best_of(5, || bake_mesh(&input, settings, &with(2)).map(|(mesh, _)| mesh.mesh.slots().len()));
    let peak = counting::peak_of(|| bake_mesh(&input, settings, &with(2)));
    let mut baker = FlatBaker::default();
    assert!(baker.bake(&input, settings, &with(1)).is_ok(), "the map bakes");
    // One corner of one area, dragged in small steps.
    let middle = input.areas.len() / 2;
    let edit = best_of(20, || {
        input.areas[middle].outline[0][0] += 0.05;
        baker.bake(&input, settings, &with(1)).map(|(mesh, _)| mesh.mesh.slots().len())
    });
    let ms = |duration: Duration| duration.as_secs_f64() * 1e3;
    println!(
        "{name:>12} {points:>8} {:>10.2} {:>10.2} {:>10.2} {:>8.2} {:>8.2} {:>7.2} {:>9.2} {:>9}",
        ms(union),
        ms(one),
        ms(two),
        ms(one) / ms(union),
        ms(two) / ms(union),
        100.0 * ms(edit) / ms(one),
        1e3 * ms(one) / points as f64,
        peak / points
    );
}

/// Polygons of one tile over a whole map against the peer's own mesh of it, split to 16 corners like ours.
fn compare_partitions() {
    for name in ["arena", "arena-merged", "aurora", "aurora-merged"] {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../shared/data/flat/maps/{name}.mesh"));
        let Ok(text) = std::fs::read_to_string(&path) else {
            println!("SKIPPED: {} is not there", path.display());
            continue;
        };
        let faces = faces_of(&text);
        // A convex face of n corners falls into pieces of at most 16, each new one sharing two corners.
        let peer: usize = faces.iter().map(|face| (face.len() - 2).div_ceil(14)).sum();
        let areas = (0..).zip(faces).map(|(id, outline)| walk_area(id, outline)).collect();
        let input = FlatInput { levels: Vec::new(), areas };
        let settings = NavSettings { tile_size: 2048.0, max_verts_per_poly: 16, ..NavSettings::default() };
        let (mesh, _) = bake_mesh(&input, &settings, &BakeOptions::default()).unwrap();
        let ours: usize = mesh.mesh.tiles().map(|(_, tile)| tile.polygons.len()).sum();
        println!("{name}: {ours} polygons, the peer has {peer}: {:.3}", ours as f64 / peer as f64);
    }
}

/// The faces of a `.mesh` 2 file.
fn faces_of(text: &str) -> Vec<Vec<[f64; 2]>> {
    let mut numbers = text.split_whitespace().skip(2).map(|number| number.parse::<f64>().unwrap());
    let mut next = || numbers.next().unwrap();
    let (vertex_count, face_count) = (next() as usize, next() as usize);
    let mut vertices = Vec::with_capacity(vertex_count);
    for _ in 0..vertex_count {
        vertices.push([next(), next()]);
        let around = next() as usize;
        (0..around).for_each(|_| _ = next());
    }
    let mut faces = Vec::with_capacity(face_count);
    for _ in 0..face_count {
        let count = next() as usize;
        faces.push((0..count).map(|_| vertices[next() as usize]).collect());
        (0..count).for_each(|_| _ = next());
    }
    faces
}

fn walk_area(id: u64, outline: Vec<[f64; 2]>) -> FlatArea {
    FlatArea {
        id,
        name: format!("area {id}"),
        kind: AreaKind::Walk,
        level: 0,
        outline,
        area_type: None,
        flags: None,
        surface: Surface::Level,
    }
}

/// What a radius costs on a map of 2 000 walls, against the same map without one; an edit of one of its holes.
fn clearance() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/flat/maps/walls2000.nav");
    let input = open(&path).unwrap().document.flat_input();
    let options = BakeOptions { jobs: 1, ..BakeOptions::default() };
    let mut without = 0.0;
    println!("{:>8} {:>12} {:>8} {:>8} {:>8}", "radius", "bake 1 ms", "/ 0", "polygons", "edit %");
    for agent_radius in [0.0, 0.1, 0.3, 1.0] {
        let settings = NavSettings { agent_radius, ..NavSettings::default() };
        let bake =
            best_of(3, || bake_mesh(&input, &settings, &options).map(|(mesh, _)| mesh.mesh.slots().len()));
        let mut baker = FlatBaker::default();
        let Ok((mesh, _)) = baker.bake(&input, &settings, &options) else { return };
        let polygons: usize = mesh.mesh.tiles().map(|(_, tile)| tile.polygons.len()).sum();
        let (mut moved, middle) = (input.clone(), input.areas.len() / 2);
        let edit = best_of(5, || {
            moved.areas[middle].outline[0][0] += 0.01;
            baker.bake(&moved, &settings, &options).map(|(mesh, _)| mesh.mesh.slots().len())
        });
        let ms = bake.as_secs_f64() * 1e3;
        if agent_radius == 0.0 {
            without = ms;
        }
        let share = edit.as_secs_f64() * 1e5 / ms;
        println!("{agent_radius:>8} {ms:>12.2} {:>8.2} {polygons:>8} {share:>8.1}", ms / without);
    }
}

/// The shortest of several runs.
fn best_of<T>(runs: usize, mut work: impl FnMut() -> T) -> Duration {
    let once = |work: &mut dyn FnMut() -> T| {
        let start = Instant::now();
        std::hint::black_box(work());
        start.elapsed()
    };
    (0..runs).map(|_| once(&mut work)).min().unwrap_or_default()
}

/// Overlapping rooms and pillars, turned at random, on thousandths; a fixed seed.
fn map_of(count: usize) -> FlatInput {
    let mut state = 0x5EED_u64;
    let mut next = move |below: f64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / f64::from(1_u32 << 31) * below
    };
    let side = (count as f64).sqrt() * 7.0;
    let areas = (0..count).map(|index| {
        let walk = index % 3 != 2;
        let (x, z, turn) = (next(side), next(side), next(std::f64::consts::TAU));
        let (width, depth) =
            if walk { (4.0 + next(6.0), 4.0 + next(6.0)) } else { (0.5 + next(1.5), 0.5 + next(1.5)) };
        let corner = |u: f64, v: f64| {
            let (u, v) = (u * width, v * depth);
            let world = [x + u * turn.cos() - v * turn.sin(), z + u * turn.sin() + v * turn.cos()];
            world.map(|value| (value * 1000.0).round() / 1000.0)
        };
        let outline = vec![corner(0.0, 0.0), corner(1.0, 0.0), corner(1.0, 1.0), corner(0.0, 1.0)];
        let kind = if walk { AreaKind::Walk } else { AreaKind::Hole };
        FlatArea { kind, ..walk_area(index as u64 + 1, outline) }
    });
    FlatInput { levels: Vec::new(), areas: areas.collect() }
}

/// `side` × `side` rooms on three levels in turn, so that every wall between two rooms is a seam.
fn storeys(side: usize) -> FlatInput {
    let areas = (0..side * side).map(|index| {
        let (x, z) = (index % side, index / side);
        let level = ((x + z) % 3) as i8;
        let at = |u: usize, v: usize| [u as f64 * 5.3, v as f64 * 5.3];
        let outline = vec![at(x, z), at(x + 1, z), at(x + 1, z + 1), at(x, z + 1)];
        FlatArea { level, ..walk_area(index as u64 + 1, outline) }
    });
    let level = |number: i8| FlatLevel { number, elevation: f64::from(number) * 0.3 };
    FlatInput { levels: (0..3).map(level).collect(), areas: areas.collect() }
}

fn union_of(input: &FlatInput) -> usize {
    let rings: Vec<Vec<IntPoint<i64>>> = input
        .areas
        .iter()
        .map(|area| {
            area.outline.iter().map(|p| IntPoint::new((p[0] * 16e3) as i64, (p[1] * 16e3) as i64)).collect()
        })
        .collect();
    let nothing: Vec<Vec<IntPoint<i64>>> = Vec::new();
    rings.overlay(&nothing, OverlayRule::Subject, FillRule::NonZero).len()
}
