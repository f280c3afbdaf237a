//! Bakes of a map that is being edited: what is kept never shows in the bytes, also after a stop half way; and what
//! each stage made of a column adds up.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use navwright::bake::flat::{FlatBaker, StageEdge};
use navwright::bake::{BakeError, BakeOptions, FlatInput, Progress, bake_mesh};
use navwright::format::NavSettings;
use navwright::project::open_text;

use crate::bake_soup::{SOUPS, input_of, soup};
use crate::support::{Random, root};

fn map(name: &str) -> FlatInput {
    let text = std::fs::read_to_string(root().join("tests/fixtures/flat/maps").join(name)).unwrap();
    open_text(&text, name).unwrap().document.flat_input()
}

/// One random edit, as a designer makes them.
fn edit(random: &mut Random, input: &mut FlatInput) {
    let index = random.below(input.areas.len() as u64) as usize;
    let shift = |random: &mut Random| (random.below(4001) as f64 - 2000.0) / 1000.0;
    match random.below(8) {
        0 => {
            let mut copy = input.areas[index].clone();
            copy.id = input.areas.iter().map(|area| area.id).max().unwrap_or(0) + 1;
            let by = [shift(random), shift(random)];
            copy.outline.iter_mut().for_each(|p| *p = [p[0] + by[0], p[1] + by[1]]);
            let at = random.below(input.areas.len() as u64 + 1) as usize;
            input.areas.insert(at, copy);
        }
        1 => drop(input.areas.remove(index)),
        2 => {
            let area = input.areas.remove(index);
            let at = random.below(input.areas.len() as u64 + 1) as usize;
            input.areas.insert(at, area);
        }
        3 => input.areas[index].area_type = Some(random.below(3) as u8),
        4 => input.areas[index].name = format!("renamed {}", random.below(1000)),
        5 => {
            let at = random.below(input.areas[index].outline.len() as u64) as usize;
            let p = input.areas[index].outline[at];
            input.areas[index].outline.insert(at, [p[0] + shift(random), p[1] + shift(random)]);
        }
        _ => {
            let at = random.below(input.areas[index].outline.len() as u64) as usize;
            let p = &mut input.areas[index].outline[at];
            *p = [p[0] + shift(random), p[1] + shift(random)];
        }
    }
}

#[test]
fn edits_of_a_real_map_give_the_bytes_and_the_report_of_a_fresh_bake() {
    for (seed, agent_radius) in [(1, 0.0), (2, 0.0), (3, 0.3)] {
        let settings = NavSettings { agent_radius, ..NavSettings::default() };
        let (mut input, mut random) = (map("town.nav"), Random(seed));
        let mut baker = FlatBaker::default();
        for step in 0..10 {
            let again = baker.bake(&input, &settings, &BakeOptions::default()).unwrap();
            let fresh = bake_mesh(&input, &settings, &BakeOptions::default()).unwrap();
            assert!(again.0.to_bytes() == fresh.0.to_bytes(), "SEED={seed}, step {step}");
            // NaN is no number, so that diagnostics are compared as text.
            assert_eq!(format!("{:?}", again.1), format!("{:?}", fresh.1), "SEED={seed}, step {step}");
            (0..=random.below(2)).for_each(|_| edit(&mut random, &mut input));
        }
    }
}

#[test]
fn a_small_edit_bakes_few_columns_again() {
    let settings = NavSettings::default();
    let mut input = map("town.nav");
    let mut baker = FlatBaker::default();
    let all = AtomicUsize::new(0);
    let count = |progress: Progress| all.store(progress.total, Ordering::Relaxed);
    baker.bake(&input, &settings, &BakeOptions { progress: Some(&count), ..BakeOptions::default() }).unwrap();
    let columns = all.load(Ordering::Relaxed);
    assert!(columns > 20, "{columns} columns");
    // A corner of a house, moved by a hundredth.
    let hole = input.areas.iter().position(|area| area.kind == navwright::bake::AreaKind::Hole).unwrap();
    input.areas[hole].outline[0][0] += 0.01;
    let done = AtomicUsize::new(0);
    let count = |_: Progress| _ = done.fetch_add(1, Ordering::Relaxed);
    baker.bake(&input, &settings, &BakeOptions { progress: Some(&count), ..BakeOptions::default() }).unwrap();
    assert!((1..=9).contains(&done.load(Ordering::Relaxed)), "{done:?} of {columns}");
}

#[test]
fn a_stopped_bake_goes_on_where_it_was() {
    for agent_radius in [0.0, 0.5] {
        let settings = NavSettings { agent_radius, tile_size: 4.0, ..NavSettings::default() };
        for (number, kind) in SOUPS.into_iter().enumerate() {
            let mut random = Random(90 + number as u64);
            let mut areas = soup(&mut random, kind, 14, 3, [0, 0]);
            let mut baker = FlatBaker::default();
            for after in [1, 3, 6] {
                let (stop, done) = (AtomicBool::new(false), AtomicUsize::new(0));
                let halt = |_: Progress| {
                    if done.fetch_add(1, Ordering::Relaxed) + 1 == after {
                        stop.store(true, Ordering::Relaxed);
                    }
                };
                let input = input_of(&areas);
                let options =
                    BakeOptions { stop: Some(&stop), progress: Some(&halt), ..BakeOptions::default() };
                let stopped = baker.bake(&input, &settings, &options);
                assert!(matches!(stopped, Err(BakeError::Stopped)) || done.load(Ordering::Relaxed) < after);
                // Another edit comes before the bake is over.
                let area = random.below(areas.len() as u64) as usize;
                areas[area].2[0] = [random.below(12_000) as i64, random.below(12_000) as i64];
                let input = input_of(&areas);
                let again = baker.bake(&input, &settings, &BakeOptions::default()).unwrap();
                let fresh = bake_mesh(&input, &settings, &BakeOptions::default()).unwrap();
                assert!(again.0.to_bytes() == fresh.0.to_bytes(), "{kind:?}, stopped after {after}");
                assert_eq!(format!("{:?}", again.1), format!("{:?}", fresh.1), "{kind:?}, {after}");
            }
        }
    }
}

/// The area that lies left or right of edges with floor on one side only, per level.
fn enclosed(edges: &[StageEdge], level: i8) -> f64 {
    let mut doubled = 0.0;
    for edge in edges.iter().filter(|edge| edge.level == level) {
        let sign = f64::from(u8::from(edge.left.is_some())) - f64::from(u8::from(edge.right.is_some()));
        doubled += sign * (edge.from[0] * edge.to[1] - edge.from[1] * edge.to[0]);
    }
    doubled / 2.0
}

#[test]
fn stages_of_a_column_add_up() {
    let settings = NavSettings { tile_size: 16.0, ..NavSettings::default() };
    // A floor with a hole, a raised one that shares a part of its edge, all inside one tile.
    let map = "nav walk 0 1 1 11 1 11 11 1 11\nnav hole 0 4 4 6 4 6 6 4 6\nnav walk 1 11 3 14 3 14 7 11 7\n";
    let input = open_text(map, "test.nav").unwrap().document.flat_input();
    let mut baker = FlatBaker::default();
    assert!(baker.stages(0, 0).is_none(), "nothing was baked yet");
    baker.bake(&input, &settings, &BakeOptions::default()).unwrap();
    let stages = baker.stages(0, 0).unwrap();
    assert_eq!(stages.outlines.len(), 3);
    assert_eq!(stages.outlines[0].points, [[1.0, 1.0], [11.0, 1.0], [11.0, 11.0], [1.0, 11.0]]);
    assert_eq!((enclosed(&stages.joined, 0), enclosed(&stages.joined, 1)), (96.0, 12.0));
    assert_eq!((enclosed(&stages.cut, 0), enclosed(&stages.cut, 1)), (96.0, 12.0));
    assert!(stages.clearance.is_empty() && stages.cut.iter().all(|edge| !edge.is_portal));
    let seams: Vec<_> = stages.seams.iter().map(|seam| (seam.levels, seam.from, seam.to)).collect();
    assert_eq!(seams, [([0, 1], [11.0, 3.0], [11.0, 7.0])]);
    let area = |level: i8| -> f64 {
        let polygons = stages.polygons.iter().filter(|polygon| polygon.level == level);
        polygons.map(|polygon| plan_area(&polygon.corners)).sum()
    };
    assert_eq!((area(0), area(1)), (96.0, 12.0));
    // Halfway between both floors along the seam, at their own heights elsewhere.
    let heights = stages.polygons.iter().flat_map(|polygon| &polygon.corners);
    for corner in heights {
        let right = match (corner[0] == 11.0, corner[2]) {
            (true, 3.0 | 7.0) => 1.5,
            (false, _) if corner[0] > 11.0 => 3.0,
            _ => 0.0,
        };
        assert_eq!(corner[1], right, "{corner:?}");
    }
    assert!(baker.stages(5, 5).is_none());

    // With a radius, as much less as the walls take: the floor's own and the hole's, all of the small one's.
    let with_radius = NavSettings { agent_radius: 0.5, ..settings };
    baker.bake(&input, &with_radius, &BakeOptions::default()).unwrap();
    let stages = baker.stages(0, 0).unwrap();
    assert!(!stages.clearance.is_empty());
    let (before, after) = (enclosed(&stages.joined, 0), enclosed(&stages.clearance, 0));
    // 9 × 9 less 3 × 3 with round corners at the hole, and more near the seam.
    let least = 81.0 - 9.0;
    assert!(before == 96.0 && least < after && after < least + 4.0, "{after}");
}

fn plan_area(corners: &[[f64; 3]]) -> f64 {
    let mut doubled = 0.0;
    for (i, a) in corners.iter().enumerate() {
        let b = corners[(i + 1) % corners.len()];
        doubled += a[0] * b[2] - a[2] * b[0];
    }
    doubled / 2.0
}
