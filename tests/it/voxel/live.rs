//! Baking again and again: only what changed, with the bytes of a fresh bake.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use navwright::bake::voxel::VoxelBaker;
use navwright::bake::{AreaMark, BakeError, BakeOptions, MarkKind, Step, TriangleMesh, VoxelInput};
use navwright::format::{AuthoredLink, NavSettings};

use super::{bake, block, input_of, plate, settings_of};
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
