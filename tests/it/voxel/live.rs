//! Baking again and again: only what changed, with the bytes of a fresh bake.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use navwright::bake::voxel::VoxelBaker;
use navwright::bake::{
    AreaMark, BakeError, BakeOptions, DiagnosticKind, MarkKind, Step, TriangleMesh, VoxelInput,
};
use navwright::format::{AuthoredLink, NavMesh, NavSettings};

use super::{bake, block, components, doubled_area, input_of, plate, settings_of};
use crate::support::Random;

/// A plate of 8 × 8 tiles of 32 cells with blocks on it, each a mesh of its own.
fn scene(random: &mut Random) -> VoxelInput {
    let mut meshes = vec![plate([0.0, 0.0, 76.8, 76.8], 0.0)];
    for _ in 0..20 {
        meshes.push(random_block(random));
    }
    input_of(meshes)
}

fn random_block(random: &mut Random) -> TriangleMesh {
    let mut mesh = TriangleMesh { name: "block".to_owned(), ..TriangleMesh::default() };
    let (x, z) = (random.unit() * 70.0, random.unit() * 70.0);
    let (width, depth) = (0.5 + random.unit() * 4.0, 0.5 + random.unit() * 4.0);
    block(&mut mesh, [x, z, x + width, z + depth], -0.5, 0.3 + random.unit() * 4.0);
    mesh
}

fn hole(random: &mut Random) -> AreaMark {
    let (x, z) = (random.unit() * 70.0, random.unit() * 70.0);
    AreaMark {
        id: 1,
        name: "hole".to_owned(),
        kind: MarkKind::Hole,
        level: 0,
        outline: vec![[x, z], [x + 5.0, z], [x + 2.0, z + 6.0]],
        low: -1.0,
        high: 1.0,
    }
}

#[test]
fn random_changes_give_the_bytes_of_a_fresh_bake() {
    let mut random = Random(3);
    let mut input = scene(&mut random);
    let mut settings = settings_of(32);
    let mut baker = VoxelBaker::default();
    for change in 0..24 {
        match change % 6 {
            0 | 1 => {
                let index = 1 + random.below(input.meshes.len() as u64 - 1) as usize;
                input.meshes[index] = random_block(&mut random);
            }
            2 => input.meshes.push(random_block(&mut random)),
            3 => _ = input.meshes.remove(1 + random.below(input.meshes.len() as u64 - 1) as usize),
            4 if input.marks.is_empty() => input.marks.push(hole(&mut random)),
            4 => input.marks.clear(),
            _ => {
                let at = [random.unit() * 70.0, 0.0, random.unit() * 70.0];
                settings.links = vec![AuthoredLink {
                    start: at,
                    end: [at[0] + 3.0, 0.0, at[2]],
                    radius: 0.5,
                    bidirectional: true,
                    area: 0,
                    flags: 1,
                    user_id: 3,
                }];
            }
        }
        if change == 13 {
            settings.agent_radius = 0.3;
        }
        let (kept, report) = baker.bake(&input, &settings, &BakeOptions::default()).unwrap();
        let (fresh, fresh_report) = bake(&input, &settings);
        assert_eq!(kept.to_bytes().unwrap(), fresh.to_bytes().unwrap(), "change {change}");
        assert_eq!(report, fresh_report, "change {change}");
        // A block or hole of at most 6 m reaches few tiles of 9.6 m with their borders, where it was and is, and those whose islands led there.
        let all = change == 0 || change == 13;
        assert!(all || baker.fresh_columns() <= 30, "change {change}: {}", baker.fresh_columns());
        assert!(!all || baker.fresh_columns() == 64);
    }
    baker.bake(&input, &settings, &BakeOptions::default()).unwrap();
    assert_eq!(baker.fresh_columns(), 0);
}

/// What the islands and empty levels of a mesh are, by a search over all of it: how many islands, the area of all but the
/// largest, and the levels of `marks` that no polygon is on.
fn found_by_search(mesh: &NavMesh, marks: &[AreaMark]) -> (usize, f64, BTreeSet<i8>) {
    let islands = components(mesh);
    let mut areas = vec![0.0; islands.count()];
    let mut empty: BTreeSet<i8> = marks.iter().map(|mark| mark.level).collect();
    for (slot, tile) in mesh.mesh.tiles() {
        for (index, polygon) in tile.polygons.iter().enumerate() {
            let island = islands.of(slot.polygon(index as u32)).unwrap();
            areas[island as usize] += doubled_area(tile, index).abs() / 2.0;
            empty.remove(&polygon.level());
        }
    }
    let largest = areas.iter().copied().fold(0.0, f64::max);
    (islands.count(), areas.iter().sum::<f64>() - largest, empty)
}

#[test]
fn after_random_changes_islands_and_empty_levels_are_those_of_a_search_over_the_whole_mesh() {
    let mut random = Random(17);
    let small = |random: &mut Random| {
        let (x, z) = (random.unit() * 70.0, random.unit() * 70.0);
        let (width, depth) = (1.5 + random.unit() * 9.0, 1.5 + random.unit() * 9.0);
        TriangleMesh { level: random.below(5) as i8, ..plate([x, z, x + width, z + depth], 0.0) }
    };
    let mut input = input_of((0..25).map(|_| small(&mut random)).collect());
    // Nothing lies at their height: they only say which levels are meant to be there.
    let mark = |level: i8| AreaMark {
        kind: MarkKind::Area { area_type: 0, flags: 1 },
        level,
        outline: vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]],
        low: 900.0,
        high: 901.0,
        ..hole(&mut Random(1))
    };
    input.marks = (0..6).map(mark).collect();
    let mut settings = NavSettings { agent_radius: 0.0, min_region_area: 0, ..settings_of(16) };
    let mut baker = VoxelBaker::default();
    let mut counts = BTreeSet::new();
    for change in 0..30 {
        let index = random.below(input.meshes.len() as u64) as usize;
        match change % 5 {
            0 => input.meshes.push(small(&mut random)),
            1 => _ = input.meshes.remove(index),
            4 => {
                let mut at = || [random.unit() * 70.0, 0.0, random.unit() * 70.0];
                let (start, end) = (at(), at());
                let link = AuthoredLink {
                    start,
                    end,
                    radius: 2.0,
                    bidirectional: change % 2 == 0,
                    area: 0,
                    flags: 1,
                    user_id: change,
                };
                settings.links.push(link);
            }
            _ => input.meshes[index] = small(&mut random),
        }
        let (kept, report) = baker.bake(&input, &settings, &BakeOptions::default()).unwrap();
        // In words: what was not measured equals nothing.
        let fresh = bake(&input, &settings).1;
        assert_eq!(format!("{report:?}"), format!("{fresh:?}"), "change {change}");
        let (count, area, empty) = found_by_search(&kept, &input.marks);
        let of_kind = |kind| report.diagnostics.iter().filter(move |said| said.kind == kind);
        let notes: Vec<_> = of_kind(DiagnosticKind::Island).collect();
        assert_eq!(notes.len(), usize::from(count > 1), "change {change}");
        for note in notes {
            assert!((note.measured - area).abs() < 1e-3, "change {change}: {} for {area}", note.measured);
            let words =
                if count == 2 { "an island of ".to_owned() } else { format!("{} islands of ", count - 1) };
            assert!(note.message.starts_with(&words), "change {change}: {} for {count}", note.message);
        }
        let said: BTreeSet<i8> = of_kind(DiagnosticKind::LevelEmpty).map(|said| said.level).collect();
        assert_eq!(said, empty, "change {change}");
        counts.insert(count);
    }
    assert!(counts.len() > 5, "{counts:?}");
}

#[test]
fn an_edit_looks_at_the_polygons_of_its_tile_and_of_those_around_it() {
    // A street grid, so that every tile of 9.6 m has polygons; 12 × 12 tiles.
    let mut random = Random(5);
    let mut input = input_of(vec![plate([0.0, 0.0, 115.2, 115.2], 0.0)]);
    input.meshes.extend((0..60).map(|_| random_block(&mut random)));
    let middle = |height: f64| {
        let mut mesh = TriangleMesh { name: "block".to_owned(), ..TriangleMesh::default() };
        // In the middle of tile (6, 6): its border does not reach the next one's cells.
        block(&mut mesh, [61.8, 61.8, 62.8, 62.8], -0.5, height);
        mesh
    };
    input.meshes.push(middle(3.0));
    let settings = settings_of(32);
    let mut baker = VoxelBaker::default();
    let (first, _) = baker.bake(&input, &settings, &BakeOptions::default()).unwrap();
    let all: usize = first.mesh.tiles().map(|(_, tile)| tile.polygons.len()).sum();
    assert_eq!(baker.counted_polygons(), all);
    baker.bake(&input, &settings, &BakeOptions::default()).unwrap();
    assert_eq!((baker.fresh_columns(), baker.counted_polygons()), (0, 0));

    *input.meshes.last_mut().unwrap() = middle(0.4);
    let (second, report) = baker.bake(&input, &settings, &BakeOptions::default()).unwrap();
    assert_eq!(baker.fresh_columns(), 1);
    let near = second
        .mesh
        .tiles()
        .map(|(_, tile)| tile)
        .filter(|tile| tile.tile_x.abs_diff(6) <= 1 && tile.tile_z.abs_diff(6) <= 1);
    let most: usize = near.map(|tile| tile.polygons.len()).sum();
    assert!(0 < baker.counted_polygons() && baker.counted_polygons() <= most, "{}", baker.counted_polygons());
    assert!(most * 5 < all, "{most} of {all}");
    assert_eq!(report, bake(&input, &settings).1);
}

#[test]
fn an_island_that_ends_far_away_is_looked_at_again() {
    // A strip over three tiles that is too small an island by a little, until its far end grows.
    let strip = |end: f64| plate([3.0, 3.0, end, 5.4], 0.0);
    let settings = NavSettings { min_region_area: 260, agent_radius: 0.3, ..settings_of(32) };
    let mut baker = VoxelBaker::default();
    let mut sizes = BTreeSet::new();
    for end in [24.0, 18.0, 27.0, 16.0, 24.0] {
        let input = input_of(vec![strip(end), plate([60.0, 60.0, 76.0, 76.0], 0.0)]);
        let (kept, _) = baker.bake(&input, &settings, &BakeOptions::default()).unwrap();
        assert_eq!(kept.to_bytes().unwrap(), bake(&input, &settings).0.to_bytes().unwrap(), "{end}");
        sizes.insert(kept.mesh.tiles().count());
    }
    // Both with the strip and without it.
    assert!(sizes.len() >= 2, "{sizes:?}");
}

#[test]
fn a_stopped_bake_keeps_what_was_finished() {
    let mut random = Random(8);
    let (input, settings) = (scene(&mut random), settings_of(32));
    let mut baker = VoxelBaker::default();
    let (stop, steps) = (AtomicBool::new(false), AtomicUsize::new(0));
    let stages = Mutex::new(BTreeSet::new());
    let step = |step: Step| {
        stages.lock().unwrap().insert(step.stage);
        assert!((0..8).contains(&step.tile[0]) && (0..8).contains(&step.tile[1]));
        if steps.fetch_add(1, Ordering::Relaxed) == 300 {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let options = BakeOptions { jobs: 1, stop: Some(&stop), step: Some(&step), ..BakeOptions::default() };
    assert_eq!(baker.bake(&input, &settings, &options).unwrap_err(), BakeError::Stopped);
    // After the stop not one stage more begins.
    assert_eq!(steps.load(Ordering::Relaxed), 301);
    for stage in
        ["voxels", "filters", "compact", "erosion", "marks", "islands", "regions", "contours", "tiles"]
    {
        assert!(stages.lock().unwrap().contains(stage), "{stage}");
    }
    let (kept, _) = baker.bake(&input, &settings, &BakeOptions::default()).unwrap();
    assert!(0 < baker.fresh_columns() && baker.fresh_columns() < 64, "{}", baker.fresh_columns());
    assert_eq!(kept.to_bytes().unwrap(), bake(&input, &settings).0.to_bytes().unwrap());
}
