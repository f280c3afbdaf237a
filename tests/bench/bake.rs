//! The flat bake against the bare boolean union of the same outlines in `i_overlay`, in one run: `cargo bench --bench
//! bake`. Prints ratios; a single number of milliseconds means nothing on another machine.

#![allow(clippy::print_stdout, reason = "a bench prints what it measures")]

use std::time::{Duration, Instant};

use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::overlay_rule::OverlayRule;
use i_overlay::core::single::SingleIntOverlay;
use i_overlay::i_float::int::point::IntPoint;
use navwright::bake::flat::FlatBaker;
use navwright::bake::{AreaKind, BakeOptions, FlatArea, FlatInput, Surface, bake_mesh};
use navwright::format::NavSettings;

fn main() {
    println!(
        "{:>8} {:>8} {:>12} {:>12} {:>12} {:>8} {:>8} {:>8}",
        "areas", "points", "union ms", "bake 1 ms", "bake 2 ms", "1/union", "2/union", "edit %"
    );
    areas();
    clearance();
}

/// Made maps of growing size.
fn areas() {
    for count in [100, 1_000, 10_000] {
        let mut input = map_of(count);
        let points: usize = input.areas.iter().map(|area| area.outline.len()).sum();
        let union = best_of(3, || union_of(&input));
        let settings = NavSettings::default();
        let with = |jobs: usize| BakeOptions { jobs, ..BakeOptions::default() };
        let one =
            best_of(3, || bake_mesh(&input, &settings, &with(1)).map(|(mesh, _)| mesh.mesh.slots().len()));
        let two =
            best_of(3, || bake_mesh(&input, &settings, &with(2)).map(|(mesh, _)| mesh.mesh.slots().len()));
        let mut baker = FlatBaker::default();
        let first = baker.bake(&input, &settings, &with(1));
        assert!(first.is_ok(), "the map bakes");
        let mut step = 0.0;
        let edit = best_of(5, || {
            step += 0.1;
            input.areas[count / 2].outline[0][0] += step;
            baker.bake(&input, &settings, &with(1)).map(|(mesh, _)| mesh.mesh.slots().len())
        });
        let ms = |duration: Duration| duration.as_secs_f64() * 1e3;
        println!(
            "{count:>8} {points:>8} {:>12.2} {:>12.2} {:>12.2} {:>8.2} {:>8.2} {:>8.1}",
            ms(union),
            ms(one),
            ms(two),
            ms(one) / ms(union),
            ms(two) / ms(union),
            100.0 * ms(edit) / ms(one)
        );
    }
}

/// What a radius costs on a map of 2 000 walls, against the same map without one; an edit of one of its holes.
fn clearance() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let places =
        ["../shared", "../../shared"].map(|folder| root.join(folder).join("data/flat/maps/walls2000.nav"));
    let Some(text) = places.iter().find_map(|file| std::fs::read_to_string(file).ok()) else {
        println!("walls2000.nav is not there");
        return;
    };
    let Ok(opened) = navwright::project::open_text(&text, "walls2000.nav") else { return };
    let input = opened.document.flat_input();
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
        FlatArea {
            id: index as u64 + 1,
            name: format!("area {}", index + 1),
            kind: if walk { AreaKind::Walk } else { AreaKind::Hole },
            level: 0,
            outline: vec![corner(0.0, 0.0), corner(1.0, 0.0), corner(1.0, 1.0), corner(0.0, 1.0)],
            area_type: None,
            flags: None,
            surface: Surface::Level,
        }
    });
    FlatInput { levels: Vec::new(), areas: areas.collect() }
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
