//! Why there is no path, as numbers worked out on paper.

use navwright::format::{PolygonState, TiledNavMesh};
use navwright::query::{
    Barrier, BarrierKind, PathExplanation, PathScratch, PathStatus, QueryFilter, explain_path,
};
use navwright::stitch::{EndExplanation, PortalMiss};

use super::builder::{Jump, Plate, mesh, params};
use super::{bridge, gap};

fn explain(
    mesh: &TiledNavMesh,
    start: ([f64; 2], i8),
    end: ([f64; 2], i8),
    filter: &QueryFilter,
) -> PathExplanation {
    let mut scratch = PathScratch::default();
    explain_path(mesh, (start.0, Some(start.1)), (end.0, Some(end.1)), filter, &mut scratch).unwrap()
}

fn plain(mesh: &TiledNavMesh, start: [f64; 2], end: [f64; 2]) -> PathExplanation {
    explain(mesh, (start, 0), (end, 0), &QueryFilter::default())
}

fn first(told: &PathExplanation) -> &Barrier {
    assert_eq!(told.path.status, PathStatus::Partial);
    told.barriers.first().unwrap()
}

#[test]
fn a_gap_has_its_width_and_its_nearest_places() {
    let plates = [
        Plate::rect(0, 0.0, [0.0, 4.0], [0.0, 4.0]),
        Plate::rect(0, 0.0, [7.0, 9.0], [1.0, 3.0]),
        Plate::rect(0, 0.0, [9.0, 10.0], [1.0, 3.0]),
    ];
    let mesh = mesh(params([0.0; 3], 16.0), &plates, &[]);
    let told = plain(&mesh, [1.0, 2.0], [9.5, 2.0]);
    let barrier = first(&told);
    assert_eq!(barrier.kind, BarrierKind::Gap { width: 3.0 });
    assert_eq!((barrier.distance, barrier.rise), (3.0, 0.0));
    assert_eq!((barrier.from.position[0], barrier.to.position[0]), (4.0, 7.0));
    let (start, end) = (told.start.unwrap(), told.end.unwrap());
    assert_eq!((start.island, start.polygon_count, end.island, end.polygon_count), (0, 1, 1, 2));
    assert_eq!(told.straight_stop.unwrap().position, [4.0, 0.0, 2.0]);
}

#[test]
fn a_complete_path_has_no_barriers_and_tells_what_is_in_the_straight_way() {
    let told = plain(&super::ring(0, 1), [2.0, 6.0], [10.0, 6.0]);
    assert_eq!(told.path.status, PathStatus::Complete);
    assert!(told.barriers.is_empty());
    assert_eq!(told.straight_stop.unwrap().position, [4.0, 0.0, 6.0]);
}

#[test]
fn a_floor_above_is_a_step_with_its_height_and_the_climb() {
    let told = explain(&bridge(), ([1.0, 6.0], 0), ([6.0, 11.0], 1), &QueryFilter::default());
    let barrier = first(&told);
    assert_eq!(barrier.kind, BarrierKind::Step { height: 3.0, climb: 0.5 });
    assert_eq!((barrier.distance, barrier.rise), (0.0, 3.0));
}

#[test]
fn a_wall_without_width_and_a_corner_that_touches() {
    // One square split by a wall: the plates touch, but the second one is 0.2 higher, so their edges are not one.
    let plates = [Plate::rect(0, 0.0, [0.0, 4.0], [0.0, 4.0]), Plate::rect(0, 0.2, [4.0, 8.0], [0.0, 4.0])];
    let mesh_of = |plates: &[Plate]| mesh(params([0.0; 3], 16.0), plates, &[]);
    assert_eq!(first(&plain(&mesh_of(&plates), [1.0, 2.0], [7.0, 2.0])).kind, BarrierKind::Wall);
    let plates = [Plate::rect(0, 0.0, [0.0, 4.0], [0.0, 4.0]), Plate::rect(0, 0.0, [4.0, 8.0], [4.0, 8.0])];
    let told = plain(&mesh_of(&plates), [1.0, 2.0], [7.0, 7.0]);
    assert_eq!(first(&told).kind, BarrierKind::Gap { width: 0.0 });
    assert_eq!(first(&told).from.position, [4.0, 0.0, 4.0]);
}

#[test]
fn tile_borders_that_missed_say_by_how_much() {
    let two = |second: Plate| {
        let plates = [Plate::rect(0, 0.0, [0.0, 8.0], [0.0, 4.0]), second];
        mesh(params([0.0; 3], 8.0), &plates, &[])
    };
    let high = two(Plate::rect(0, 0.75, [8.0, 16.0], [0.0, 4.0]));
    let BarrierKind::Portal { miss: PortalMiss::Height { difference, climb, .. } } =
        first(&plain(&high, [1.0, 2.0], [15.0, 2.0])).kind
    else {
        panic!("no portal that missed in height")
    };
    assert_eq!((difference, climb), (0.75, 0.5));
    let beside = two(Plate::rect(0, 0.0, [8.0, 16.0], [5.0, 8.0]));
    let BarrierKind::Portal { miss: PortalMiss::NoOverlap { gap, .. } } =
        first(&plain(&beside, [1.0, 2.0], [15.0, 6.0])).kind
    else {
        panic!("no portal that missed along the border")
    };
    assert_eq!(gap, 1.0);
}

#[test]
fn links_that_lead_the_other_way_are_off_or_hang_in_the_air() {
    let back = plain(&gap(false), [9.0, 3.0], [1.0, 2.0]);
    let one_way = back.barriers.iter().find(|b| b.kind == BarrierKind::OneWay { user_id: 7 }).unwrap();
    assert_eq!((one_way.from.position[0], one_way.to.position[0]), (6.5, 3.5));

    let off = QueryFilter { closed_links: vec![7], ..QueryFilter::default() };
    let told = explain(&gap(true), ([1.0, 2.0], 0), ([9.0, 2.0], 0), &off);
    assert!(told.barriers.iter().any(|b| b.kind == BarrierKind::ClosedLink { user_id: 7 }), "{told:?}");

    let plates = [Plate::rect(0, 0.0, [0.0, 4.0], [0.0, 4.0]), Plate::rect(0, 0.0, [6.0, 10.0], [0.0, 4.0])];
    let jump = Jump { start: [3.5, 0.0, 2.0], end: [5.25, 0.0, 2.0], both_ways: false, user_id: 9 };
    let short = mesh(params([0.0; 3], 16.0), &plates, &[jump]);
    let told = plain(&short, [1.0, 2.0], [9.0, 2.0]);
    let link = told.barriers.iter().find_map(|b| match &b.kind {
        BarrierKind::Unattached { user_id: 9, link } => Some(*link),
        _ => None,
    });
    let link = link.unwrap_or_else(|| panic!("{told:?}"));
    assert!(matches!(link.start, EndExplanation::Attached(_)));
    let EndExplanation::OutOfReach { nearest, radius, .. } = link.end else { panic!("{link:?}") };
    assert_eq!((nearest.distance, radius), (0.75, 0.5));
}

#[test]
fn a_closed_polygon_is_named() {
    let plates = [
        Plate::rect(0, 0.0, [0.0, 4.0], [0.0, 4.0]),
        Plate::rect(0, 0.0, [4.0, 6.0], [0.0, 4.0]).area(3).flags(2),
        Plate::rect(0, 0.0, [6.0, 8.0], [0.0, 4.0]).area(3).flags(2),
        Plate::rect(0, 0.0, [8.0, 12.0], [0.0, 4.0]),
    ];
    let mut mesh = mesh(params([0.0; 3], 16.0), &plates, &[]);
    let filter = QueryFilter { exclude: 2, ..QueryFilter::default() };
    let named = |mesh: &TiledNavMesh| {
        let told = explain(mesh, ([1.0, 2.0], 0), ([11.0, 2.0], 0), &filter);
        told.barriers.iter().find_map(|b| match b.kind {
            BarrierKind::ClosedPolygon { polygon, area, flags } => Some((polygon.polygon(), area, flags)),
            _ => None,
        })
    };
    assert_eq!(named(&mesh), Some((1, 3, 2)));
    // Frozen at run time, the next one is what closes the way.
    let first = mesh.tiles().next().unwrap().0.polygon(1);
    mesh.set_polygon_state(first, PolygonState { area: 5, flags: 1 }).unwrap();
    assert_eq!(named(&mesh), Some((2, 3, 2)));
}

#[test]
fn an_end_off_the_mesh_has_no_note() {
    let told = plain(&gap(true), [1.0, 2.0], [1000.0, 2.0]);
    assert_eq!((told.path.status, told.end), (PathStatus::None, None));
    assert!(told.start.is_some() && told.barriers.is_empty());
}
