//! The solid heightfield of one triangle against cutting it to each cell.

use std::sync::Arc;

use navwright::bake::{TriangleMesh, voxel_tile_stages};
use navwright::format::NavSettings;

use super::input_of;
use crate::support::Random;

/// A height this near to a whole one is that one.
pub(super) const SNAP: f64 = 1.0 / 4096.0;
/// What the reference may be off by.
const SLACK: f64 = 1e-7;
const TILE: i32 = 16;

/// The part of a polygon on one side of a plane along an axis.
pub(super) fn cut(polygon: &[[f64; 3]], axis: usize, at: f64, keep_above: bool) -> Vec<[f64; 3]> {
    let off = |point: &[f64; 3]| if keep_above { point[axis] - at } else { at - point[axis] };
    let mut kept = Vec::new();
    for (index, &here) in polygon.iter().enumerate() {
        let next = polygon[(index + 1) % polygon.len()];
        let (a, b) = (off(&here), off(&next));
        if a >= 0.0 {
            kept.push(here);
        }
        if (a > 0.0 && b < 0.0) || (a < 0.0 && b > 0.0) {
            let along = a / (a - b);
            let mut point: [f64; 3] = std::array::from_fn(|i| here[i] + (next[i] - here[i]) * along);
            point[axis] = at;
            kept.push(point);
        }
    }
    kept
}

/// Lowest and highest y of a triangle over a cell that is smaller by a margin on each side.
fn range_over(corners: [[f64; 3]; 3], [x, z]: [i32; 2], margin: f64) -> Option<(f64, f64)> {
    let mut polygon = corners.to_vec();
    for (axis, low) in [(0, f64::from(x)), (2, f64::from(z))] {
        polygon = cut(&polygon, axis, low + margin, true);
        polygon = cut(&polygon, axis, low + 1.0 - margin, false);
    }
    let heights = polygon.iter().map(|point| point[1]);
    let low = heights.clone().fold(f64::INFINITY, f64::min);
    (!polygon.is_empty()).then(|| (low, heights.fold(f64::NEG_INFINITY, f64::max)))
}

/// Triangles of every kind: any, level, upright, upright along an axis, thin, tall or wide ones, with corners on borders
/// of cells, and steep ones.
fn triangle(kind: u64, random: &mut Random) -> [[f64; 3]; 3] {
    let mut at = |low: f64, high: f64| ((low + (high - low) * random.unit()) * 1024.0).round() / 1024.0;
    let mut corners: [[f64; 3]; 3] =
        std::array::from_fn(|_| [at(-4.0, 20.0), at(-9.0, 30.0), at(-4.0, 20.0)]);
    let [a, b, c] = corners;
    match kind {
        1 => corners.iter_mut().for_each(|corner| corner[1] = a[1]),
        2 => {
            // On one line of the plane.
            let step = [0, 2].map(|axis| ((b[axis] - a[axis]) * 64.0).round() / 1024.0);
            let on_line = |y: f64, steps: f64| [a[0] + steps * step[0], y, a[2] + steps * step[1]];
            (corners[1], corners[2]) = (on_line(b[1], 16.0), on_line(c[1], 5.0));
        }
        3 => corners.iter_mut().for_each(|corner| corner[0] = a[0]),
        4 => corners.iter_mut().for_each(|corner| corner[2] = a[2].round()),
        5 => corners[2] = [b[0] + 1.0 / 1024.0, c[1], b[2]],
        6 => corners.iter_mut().for_each(|corner| corner[0] = a[0] + (corner[0] / 8.0 * 64.0).round() / 64.0),
        7 => corners.iter_mut().for_each(|corner| corner[2] = a[2] + (corner[2] / 8.0 * 64.0).round() / 64.0),
        8 => corners.iter_mut().for_each(|corner| *corner = corner.map(f64::round)),
        9 => corners.iter_mut().for_each(|corner| corner[1] *= 64.0),
        10 => corners.iter_mut().for_each(|corner| *corner = corner.map(|v| (v * 2.0).round() / 2.0)),
        _ => {}
    }
    corners
}

/// Over every cell that a triangle meets, its exact range of heights, rounded outward; over no other cell anything.
#[test]
fn a_triangle_takes_up_its_exact_heights_over_each_cell() {
    let settings = NavSettings {
        tile_size: f64::from(TILE),
        cell_size: 1.0,
        cell_height: 1.0,
        agent_radius: 0.6,
        agent_height: 2.0,
        walkable_climb: 1.0,
        ..NavSettings::default()
    };
    let mut random = Random(11);
    let (mut triangles, mut cells) = (0, 0);
    for round in 0..1100 {
        let corners = triangle(round % 11, &mut random);
        let (vertices, indices) = (Arc::new(corners.to_vec()), Arc::new(vec![[0, 1, 2]]));
        let mesh = TriangleMesh { vertices, triangles: indices, ..TriangleMesh::default() };
        // One without area is left out.
        let Ok((stages, _)) = voxel_tile_stages(&input_of(vec![mesh]), &settings, [0, 0]) else { continue };
        if stages.geometry.is_empty() {
            continue;
        }
        triangles += 1;
        for z in -stages.border..TILE + stages.border {
            for x in -stages.border..TILE + stages.border {
                let found: Vec<_> = stages.solid.iter().filter(|span| (span.x, span.z) == (x, z)).collect();
                let told = format!("round {round}: {corners:?} over {x}, {z}: {found:?}");
                assert!(found.len() < 2, "{told}");
                if range_over(corners, [x, z], 1e-6).is_some() {
                    assert_eq!(found.len(), 1, "{told}");
                }
                let Some(span) = found.first() else { continue };
                let Some((low, high)) = range_over(corners, [x, z], 0.0) else {
                    // It touches the cell as far as the reference's rounding tells.
                    assert!(range_over(corners, [x, z], -1e-9).is_some(), "{told}");
                    continue;
                };
                cells += 1;
                let floor = |slack: f64| (low + SNAP + slack).floor() as i32;
                assert!((floor(-SLACK)..=floor(SLACK)).contains(&span.low), "{told}, from {low}");
                let ceil = |slack: f64| ((high - SNAP + slack).ceil() as i32).max(span.low + 1);
                assert!((ceil(-SLACK)..=ceil(SLACK)).contains(&span.high), "{told}, to {high}");
            }
        }
    }
    assert!(triangles > 1000 && cells > 20_000, "{triangles} triangles, {cells} cells");
}
