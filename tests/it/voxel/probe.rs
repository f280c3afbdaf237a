//! Why nothing can walk at a place, with numbers.

use std::cell::Cell;

use navwright::bake::voxel::{Verdict, VoxelProbe, voxel_probe};
use navwright::bake::{AreaMark, MarkKind, VoxelInput, timed_voxel_stages};

use super::{block, input_of, plate, quad, settings_of};

fn scene() -> VoxelInput {
    let mut mesh = plate([0.0, 0.0, 18.0, 18.0], 0.0);
    block(&mut mesh, [6.0, 6.0, 7.5, 7.5], 0.0, 4.0);
    block(&mut mesh, [10.0, 2.0, 13.0, 5.0], 1.2, 1.4);
    quad(&mut mesh, [2.0, 10.0, 4.0, 13.0], [0.0, 6.0, 6.0, 0.0]);
    block(&mut mesh, [10.0, 10.0, 14.0, 14.0], 3.0, 3.2);
    let hole = AreaMark {
        id: 1,
        name: "pond".to_owned(),
        kind: MarkKind::Hole,
        level: 0,
        outline: vec![[1.0, 3.0], [3.0, 3.0], [3.0, 6.0], [1.0, 6.0]],
        low: -0.5,
        high: 0.5,
    };
    VoxelInput { marks: vec![hole], ..input_of(vec![mesh]) }
}

fn probe(place: [f64; 2]) -> VoxelProbe {
    let mut settings = settings_of(32);
    settings.min_region_area = 100;
    voxel_probe(&scene(), &settings, place).unwrap()
}

/// The verdict on the span whose top is nearest to a height.
fn verdict(place: [f64; 2], y: f64) -> Verdict {
    let spans = probe(place).spans;
    let off = |span: &&navwright::bake::voxel::ProbeSpan| ((span.high - y).abs() * 1e3) as i64;
    spans.iter().min_by_key(off).unwrap().verdict.clone()
}

#[test]
fn every_rule_says_its_numbers() {
    assert!(matches!(verdict([9.0, 9.0], 0.0), Verdict::Walkable { area_type: 0, region: 1.. }));
    // The plate lies in the heights 0 to 0.2, the shelf's lower face is at 1.2.
    let low = verdict([11.5, 3.5], 0.0);
    assert_eq!(low.to_string(), "head room 1, needs 2");
    assert_eq!(low.stage(), "filters");
    // Up 6 m over 2 m.
    let Verdict::Steep { slope, limit } = verdict([3.0, 11.5], 3.0) else { panic!() };
    assert!((slope - 3.0_f64.atan().to_degrees()).abs() < 0.05 && limit == 45.0, "{slope}");
    // The outermost cells of the plate have nothing beside them; the shelf's have the plate, 3 m down.
    assert_eq!(verdict([0.1, 9.0], 0.0).to_string(), "ledge with nothing below, climb 0.9");
    let Verdict::Ledge { drop, climb } = verdict([10.1, 12.0], 3.2) else { panic!() };
    assert!((drop - 3.2).abs() <= 0.21 && (climb - 0.9).abs() < 1e-6, "{drop}");
    // Beside the pillar, whose cells begin at 6.0: the first cell off it ends there, the second 0.3 before.
    let Verdict::NearEdge { distance, radius } = verdict([5.85, 6.9], 0.0) else { panic!() };
    assert!((distance - 0.15).abs() < 1e-6 && (radius - 0.6).abs() < 1e-6, "{distance}");
    let Verdict::NearEdge { distance, .. } = verdict([5.55, 6.9], 0.0) else { panic!() };
    assert!((distance - 0.45).abs() < 1e-6, "{distance}");
    assert_eq!(verdict([2.0, 4.5], 0.0).to_string(), "in the hole \"pond\"");
    // 4 m are 13 to 14 cells and their rim; less the rim and two cells more on each side.
    let Verdict::SmallIsland { cells, least } = verdict([12.0, 12.0], 3.2) else { panic!() };
    assert!((49..=100).contains(&cells) && least == 100, "{cells}");
}

#[test]
fn a_column_is_told_from_below_with_its_heights() {
    let column = probe([12.0, 12.0]);
    assert_eq!(column.tile, [1, 1]);
    assert!((column.middle[0] - 12.0).abs() <= 0.15 && (column.middle[1] - 12.0).abs() <= 0.15);
    let heights: Vec<f64> = column.spans.iter().map(|span| span.high).collect();
    assert_eq!(heights.len(), 2);
    assert!((heights[0] - 0.2).abs() < 1e-6 && (heights[1] - 3.2).abs() <= 0.21, "{heights:?}");
    let room = column.spans[0].head_room.unwrap();
    assert!((room - (column.spans[1].low - heights[0])).abs() < 1e-6);
    assert_eq!(column.spans[1].head_room, None);
    assert_eq!(column.spans[1].slope, 0.0);
    assert_eq!(probe([-500.0, 3.0]).spans, []);
}

#[test]
fn stages_have_counts_times_and_sizes() {
    let ticks = Cell::new(0_u32);
    let clock = || {
        ticks.set(ticks.get() + 1);
        f64::from(ticks.get())
    };
    let (stages, _) = timed_voxel_stages(&scene(), &settings_of(64), [0, 0], &clock).unwrap();
    let names: Vec<&str> = stages.notes.iter().map(|note| note.stage).collect();
    let expected = [
        "geometry", "solid", "filters", "ledges", "compact", "erosion", "marks", "islands", "regions",
        "contours", "polygons", "detail", "tiles",
    ];
    assert_eq!(names, expected);
    let count = |name: &str| stages.notes.iter().find(|note| note.stage == name).unwrap().count;
    // Two triangles of the plate, twelve of each of three blocks, two of the slope.
    assert_eq!(count("geometry"), 2 + 36 + 2);
    assert_eq!(stages.geometry.len(), count("geometry"));
    assert_eq!(count("solid"), stages.solid.len());
    assert_eq!(count("contours"), stages.contours.len());
    assert_eq!(count("polygons"), stages.tiles.iter().map(|tile| tile.polygons.len()).sum::<usize>());
    assert!(count("ledges") < count("filters") && count("marks") < count("erosion"));
    assert!(count("erosion") < count("compact"));
    assert!(stages.notes.iter().all(|note| note.time_secs > 0.0));
    assert!(stages.notes.iter().filter(|note| note.stage != "detail").all(|note| note.bytes > 0));
}
