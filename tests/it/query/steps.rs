//! Random steps, each checked: shared with the bench, which takes a million of them optimised.

use std::f64::consts::FRAC_PI_2;
use std::path::Path;

use navwright::format::TiledNavMesh;
use navwright::query::{
    NavPath, PathScratch, PathStatus, QueryFilter, closest_nav_point, find_nav_path_into, move_on_nav,
    random_point,
};

use super::flat_maps::{MAPS, MeshFile, areas, bake};
use crate::support::Random;

/// Each step ends on the mesh, no farther from its start, as one walks, than it is long: so it has passed no wall
/// and no corner, and has changed its level over seams only.
pub(crate) fn walk_at_random(mesh: &TiledNavMesh, name: &str, count: u32) {
    let filter = QueryFilter { off_mesh: false, ..QueryFilter::default() };
    let (mut scratch, mut path) = (PathScratch::default(), NavPath::default());
    let mut random = Random(count.into());
    let mut at = random_point(mesh, 1, &filter, &mut scratch).unwrap();
    let mut heading = 0.0_f64;
    for number in 0..count {
        if number % 200 == 0 {
            at = random_point(mesh, random.bits(), &filter, &mut scratch).unwrap();
        }
        heading = if random.unit() < 0.2 { random.unit() * std::f64::consts::TAU } else { heading };
        // Along the axes too, and of all sizes.
        let length = 10.0_f64.powf(random.unit() * 4.0 - 3.0);
        let turn = if random.unit() < 0.3 { (heading / FRAC_PI_2).round() * FRAC_PI_2 } else { heading };
        let from = [at.position[0], at.position[2]];
        let to = [from[0] + turn.cos() * length, from[1] + turn.sin() * length];
        let moved = move_on_nav(mesh, from, Some(at.level), to, &filter, &mut scratch).unwrap().unwrap();
        let end = [moved.position[0], moved.position[2]];
        let what = format!("{name}, step {number}: {from:?} to {to:?} ended at {moved:?}");
        let there = closest_nav_point(mesh, end, Some(moved.level), f64::INFINITY, &filter, &mut scratch)
            .unwrap()
            .unwrap();
        assert_eq!(there.distance, 0.0, "{what}");
        let (start, stop) = ((from, Some(at.level)), (end, Some(moved.level)));
        find_nav_path_into(mesh, start, stop, &filter, &mut scratch, &mut path).unwrap();
        assert_eq!(path.status, PathStatus::Complete, "{what}");
        assert!(path.length <= length + 1e-5, "{what}: {} instead of {length}", path.length);
        if moved.reached {
            assert!((end[0] - to[0]).hypot(end[1] - to[1]) < 1e-5, "{what}");
        }
        at = there;
    }
}

/// So many steps on each map of `data/flat`.
pub(crate) fn walk_on_flat_maps(data: &Path, count: u32) {
    for (name, file) in MAPS {
        let file = data.join("maps").join(file);
        if file.extension().is_some_and(|ext| ext == "mesh") {
            walk_at_random(&MeshFile::read(&file).to_mesh(), name, count);
        } else {
            walk_at_random(&bake(&areas(&file), 32.0), name, count);
        }
    }
}
