//! Barriers one after another: the chain on which the least would have to change, worked out on paper and against a search
//! over all pairs of floors.

use std::sync::atomic::AtomicBool;

use navwright::format::TiledNavMesh;
use navwright::query::{
    Barrier, BarrierKind, PathExplanation, PathScratch, PathStatus, QueryFilter, closest_nav_point,
    explain_path, explain_path_between, explain_path_until,
};

use super::builder::{Jump, Plate, mesh, params};
use crate::support::Random;

fn explain(mesh: &TiledNavMesh, start: [f64; 2], end: [f64; 2]) -> PathExplanation {
    let (filter, mut scratch) = (QueryFilter::default(), PathScratch::default());
    let told = explain_path(mesh, (start, Some(0)), (end, Some(0)), &filter, &mut scratch).unwrap();
    assert_eq!(told.path.status, PathStatus::Partial);
    told
}

/// The heights that a chain leads from and to.
fn heights(barriers: &[Barrier]) -> Vec<[f64; 2]> {
    barriers.iter().map(|barrier| [barrier.from.position[1], barrier.to.position[1]]).collect()
}

/// Four steps of 0.75 up to a floor of 3, which lies beside the ground as well. The climb is 0.5: each step is 0.25 too
/// high, and 0.125 for being one; the wall beside is 2.5 too high. 4 × 0.375 is less than 2.625.
fn stair() -> TiledNavMesh {
    let plates = [
        Plate::rect(0, 0.0, [0.0, 4.0], [0.0, 8.0]),
        Plate::rect(0, 0.75, [4.0, 5.0], [0.0, 4.0]),
        Plate::rect(0, 1.5, [5.0, 6.0], [0.0, 4.0]),
        Plate::rect(0, 2.25, [6.0, 7.0], [0.0, 4.0]),
        Plate::rect(0, 3.0, [7.0, 12.0], [0.0, 4.0]),
        Plate::rect(0, 3.0, [7.0, 12.0], [4.0, 8.0]),
        Plate::rect(0, 3.0, [4.0, 7.0], [6.0, 8.0]),
    ];
    mesh(params([0.0; 3], 16.0), &plates, &[])
}

#[test]
fn each_step_of_a_stair_is_named_and_not_the_wall_beside_it() {
    let step = BarrierKind::Step { height: 0.75, climb: 0.5 };
    let up = explain(&stair(), [1.0, 2.0], [11.0, 2.0]);
    assert_eq!(heights(&up.barriers), [[0.0, 0.75], [0.75, 1.5], [1.5, 2.25], [2.25, 3.0]]);
    assert!(up.barriers.iter().all(|barrier| barrier.kind == step), "{:#?}", up.barriers);
    // The wall is told of, after that.
    assert!(up.instead.iter().any(|barrier| barrier.rise == 3.0), "{:#?}", up.instead);
    let down = explain(&stair(), [11.0, 2.0], [1.0, 2.0]);
    assert_eq!(heights(&down.barriers), [[3.0, 2.25], [2.25, 1.5], [1.5, 0.75], [0.75, 0.0]]);
}

#[test]
fn a_step_in_the_middle_of_a_stair_is_named_at_its_place() {
    // A ramp to 2, a step of 0.75, a ramp to 4.75. The ground goes on below and beside all of it.
    let ramp = |x: [f64; 2], y: [f64; 2]| {
        let corners = [[x[0], y[0], 0.0], [x[1], y[1], 0.0], [x[1], y[1], 3.0], [x[0], y[0], 3.0]];
        Plate::polygon(0, &corners)
    };
    let plates = [
        Plate::rect(0, 0.0, [0.0, 4.0], [0.0, 8.0]),
        Plate::rect(0, 0.0, [4.0, 16.0], [4.0, 8.0]),
        ramp([4.0, 8.0], [0.0, 2.0]),
        ramp([8.0, 12.0], [2.75, 4.75]),
        Plate::rect(0, 4.75, [12.0, 16.0], [0.0, 3.0]),
    ];
    let told = explain(&mesh(params([0.0; 3], 16.0), &plates, &[]), [1.0, 6.0], [15.0, 1.0]);
    let [step] = &told.barriers[..] else { panic!("{:#?}", told.barriers) };
    assert!(matches!(step.kind, BarrierKind::Step { .. }) && (step.rise - 0.75).abs() < 1e-6, "{step:#?}");
    // All along the edge at x = 8 it is the same; the middle is named.
    for (place, y) in [(&step.from, 2.0), (&step.to, 2.75)] {
        let [dx, dy, dz] = [place.position[0] - 8.0, place.position[1] - y, place.position[2] - 1.5];
        assert!(dx.abs() + dy.abs() + dz.abs() < 1e-6, "{step:#?}");
    }
}

#[test]
fn stepping_stones_are_named_and_not_the_gap_over_all_of_them() {
    let at = |x: [f64; 2]| Plate::rect(0, 0.0, x, [0.0, 4.0]);
    let plates = [at([0.0, 4.0]), at([6.0, 7.0]), at([9.0, 10.0]), at([12.0, 16.0])];
    let told = explain(&mesh(params([0.0; 3], 16.0), &plates, &[]), [1.0, 2.0], [15.0, 2.0]);
    let gap = |from: f64, to: f64| ([from, 0.0, 2.0], [to, 0.0, 2.0], BarrierKind::Gap { width: 2.0 });
    let found: Vec<_> = told.barriers.into_iter().map(|b| (b.from.position, b.to.position, b.kind)).collect();
    assert_eq!(found, [gap(4.0, 6.0), gap(7.0, 9.0), gap(10.0, 12.0)]);
}

#[test]
fn of_equal_steps_the_one_on_the_way_is_named() {
    // Two strips of ten plates each, one 0.75 higher.
    let strip = |y: f64, z: f64| {
        (0..10).map(move |k| {
            let x = 4.0 * f64::from(k);
            Plate::rect(0, y, [x, x + 4.0], [z, z + 4.0])
        })
    };
    let plates: Vec<Plate> = strip(0.0, 0.0).chain(strip(0.75, 4.0)).collect();
    let told = explain(&mesh(params([0.0; 3], 64.0), &plates, &[]), [30.0, 2.0], [30.5, 6.0]);
    let [step] = &told.barriers[..] else { panic!("{:#?}", told.barriers) };
    assert_eq!((step.from.position, step.to.position), ([30.0, 0.0, 4.0], [30.0, 0.75, 4.0]));
}

#[test]
fn a_step_is_named_where_the_way_goes_over_it() {
    // The start's plate touches the step at its corner; the plate beside it has the whole edge, and the way goes there.
    let plates = [
        Plate::polygon(0, &[[0.0, 0.0, 0.0], [10.0, 0.0, 6.0], [0.0, 0.0, 12.0]]),
        Plate::polygon(0, &[[0.0, 0.0, 0.0], [10.0, 0.0, 0.0], [10.0, 0.0, 6.0]]),
        Plate::rect(0, 0.75, [10.0, 16.0], [0.0, 6.0]),
    ];
    let told = explain(&mesh(params([0.0; 3], 16.0), &plates, &[]), [1.0, 3.0], [15.0, 3.0]);
    let [step] = &told.barriers[..] else { panic!("{:#?}", told.barriers) };
    assert_eq!((step.from.position, step.to.position), ([10.0, 0.0, 3.0], [10.0, 0.75, 3.0]));
}

#[test]
fn links_lead_on_the_way_they_lead() {
    // A gap of 3, then a link to the right only over another one: from the left the gap alone is in the way, from the right
    // the link's direction comes first. A gap of 3 is 2 too wide, so that each costs more than turning the link.
    let at = |x: [f64; 2]| Plate::rect(0, 0.0, x, [0.0, 4.0]);
    let plates = [at([0.0, 4.0]), at([7.0, 9.0]), at([12.0, 16.0])];
    let jump = Jump { start: [8.5, 0.0, 2.0], end: [12.5, 0.0, 2.0], both_ways: false, user_id: 5 };
    let mesh = mesh(params([0.0; 3], 16.0), &plates, &[jump]);
    let kinds = |from: [f64; 2], to: [f64; 2]| -> Vec<BarrierKind> {
        explain(&mesh, from, to).barriers.into_iter().map(|barrier| barrier.kind).collect()
    };
    let gap = BarrierKind::Gap { width: 3.0 };
    assert_eq!(kinds([1.0, 2.0], [15.0, 2.0]), std::slice::from_ref(&gap));
    assert_eq!(kinds([15.0, 2.0], [1.0, 2.0]), [BarrierKind::OneWay { user_id: 5 }, gap]);
}

#[test]
fn one_who_is_told_to_stop_names_nothing() {
    let (mesh, filter, mut scratch) = (stair(), QueryFilter::default(), PathScratch::default());
    let mut place = |at| closest_nav_point(&mesh, at, Some(0), 0.0, &filter, &mut scratch).unwrap().unwrap();
    let (from, to) = (place([1.0, 2.0]), place([11.0, 2.0]));
    let mut until = |stop: bool| {
        let stop = AtomicBool::new(stop);
        explain_path_until(&mesh, &from, &to, &filter, &mut scratch, &stop).unwrap().unwrap()
    };
    let (stopped, told) = (until(true), until(false));
    assert!(stopped.barriers.is_empty() && stopped.instead.is_empty());
    assert_eq!(stopped.path.status, PathStatus::Partial);
    // Nothing is left behind.
    let fresh = explain_path_between(&mesh, &from, &to, &filter, &mut PathScratch::default());
    assert_eq!(Some(told), fresh.unwrap());
}

/// What would have to change between two floors, as the documentation has it: a radius of 0, cells of 0.25, a climb of 0.5.
fn change(distance: f64, rise: f64) -> f64 {
    let high = if rise.abs() + 0.25 > 0.5 { (rise.abs() - 0.5).max(0.0) } else { 0.5 };
    0.125 + (distance - 1.0).max(0.0) + high
}

#[test]
fn no_chain_has_less_to_change_than_the_one_found() {
    // Walking weighs a hundredth, and for each barrier no more than the diagonal of a plate, 5.9 wide at most, is walked.
    const WALKED: f64 = 0.0835;
    for seed in 0..60 {
        let mut random = Random(seed);
        // One plate in each of 36 squares of ten, somewhere in it.
        let mut plates = Vec::new();
        for square in 0..36 {
            let [x, z] = [f64::from(square % 6), f64::from(square / 6)].map(|k| 10.0 * k);
            let mut part = || {
                let low = 4.0 * random.unit();
                [low, low + 2.0 + 3.9 * random.unit()]
            };
            let ([x0, x1], [z0, z1]) = (part(), part());
            plates.push(([x + x0, x + x1], [z + z0, z + z1], (8.0 * random.unit()).floor() * 0.5));
        }
        let built: Vec<Plate> = plates.iter().map(|&(x, z, y)| Plate::rect(0, y, x, z)).collect();
        let mesh = mesh(params([0.0; 3], 64.0), &built, &[]);
        let between = |a: usize, b: usize| {
            let apart = |[a0, a1]: [f64; 2], [b0, b1]: [f64; 2]| (b0 - a1).max(a0 - b1).max(0.0);
            let (a, b) = (plates[a], plates[b]);
            change(apart(a.0, b.0).hypot(apart(a.1, b.1)), b.2 - a.2)
        };
        // Floyd 1962.
        let least_of = |more: f64| {
            let row = |a: usize| (0..36).map(|b| between(a, b) + more).collect();
            let mut least: Vec<Vec<f64>> = (0..36).map(row).collect();
            for via in 0..36 {
                for a in 0..36 {
                    for b in 0..36 {
                        least[a][b] = least[a][b].min(least[a][via] + least[via][b]);
                    }
                }
            }
            least
        };
        let (least, least_with_walks) = (least_of(0.0), least_of(WALKED));
        let middle = |k: usize| {
            let (x, z, _) = plates[k];
            [0.5 * (x[0] + x[1]), 0.5 * (z[0] + z[1])]
        };
        for (from, to) in [(0, 35), (5, 30), (14, 15)] {
            let told = explain(&mesh, middle(from), middle(to));
            let total: f64 = told.barriers.iter().map(|b| change(b.distance, b.rise)).sum();
            let (low, high) = (least[from][to] - 1e-4, least_with_walks[from][to] + 1e-4);
            assert!((low..=high).contains(&total), "seed {seed}: {total}, not in {low}..={high}");
            // Each begins on the floor on which the one before ended.
            let plate = |at: [f64; 3]| {
                let on = |&(x, z, _): &([f64; 2], [f64; 2], f64)| {
                    let within = |[low, high]: [f64; 2], at: f64| low - 1e-4 <= at && at <= high + 1e-4;
                    within(x, at[0]) && within(z, at[2])
                };
                plates.iter().position(on).unwrap()
            };
            let mut stands = from;
            for barrier in &told.barriers {
                assert_eq!(plate(barrier.from.position), stands, "seed {seed}: {:#?}", told.barriers);
                stands = plate(barrier.to.position);
            }
            assert_eq!(stands, to, "seed {seed}");
        }
    }
}
