//! What the stages say of a place.

use std::sync::Arc;

use navwright::bake::voxel::{FloorState, ProbeSpan, StageFloor, TileStages, voxel_probe};
use navwright::bake::{AreaMark, MarkKind, VoxelInput, timed_stages_of_tiles, voxel_tile_stages};

use super::{bake, block, complaints, input_of, plate, quad, settings_of};

fn floor_at(stages: &TileStages, x: f64, y: f64, z: f64) -> StageFloor {
    let cell = |value: f64, axis: usize| ((value - stages.origin[axis]) / stages.cell_size).floor() as i32;
    let height = (y - stages.origin[1]) / stages.cell_height;
    let here = |floor: &&StageFloor| (floor.x, floor.z) == (cell(x, 0), cell(z, 2));
    let off = |floor: &&StageFloor| ((f64::from(floor.y) - height).abs() * 1000.0) as i64;
    *stages.floors.iter().filter(here).min_by_key(off).unwrap()
}

#[test]
fn every_reason_is_told() {
    let mut mesh = plate([0.0, 0.0, 15.0, 15.0], 0.0);
    block(&mut mesh, [6.0, 6.0, 7.5, 7.5], 0.0, 4.0);
    // A shelf too low to walk under.
    block(&mut mesh, [10.0, 2.0, 13.0, 5.0], 1.2, 1.4);
    // A slope of more than 45 degrees.
    quad(&mut mesh, [2.0, 10.0, 4.0, 13.0], [0.0, 6.0, 6.0, 0.0]);
    // A shelf of 4 × 4 cells, 3 m up: with its edges off, an island of fewer than 64 cells.
    block(&mut mesh, [10.0, 10.0, 14.0, 14.0], 3.0, 3.2);
    let hole = AreaMark {
        id: 1,
        name: "hole".to_owned(),
        kind: MarkKind::Hole,
        level: 0,
        outline: vec![[1.0, 3.0], [3.0, 3.0], [3.0, 6.0], [1.0, 6.0]],
        low: -0.5,
        high: 0.5,
    };
    let input = VoxelInput { marks: vec![hole], ..input_of(vec![mesh]) };
    let mut settings = settings_of(64);
    settings.min_region_area = 100;
    let (stages, report) = voxel_tile_stages(&input, &settings, [0, 0]).unwrap();
    assert_eq!(complaints(&report), []);
    let state = |x: f64, y: f64, z: f64| floor_at(&stages, x, y, z).state;
    assert_eq!(state(9.0, 0.0, 9.0), FloorState::Walkable);
    assert_eq!(state(7.9, 0.0, 7.0), FloorState::NearEdge);
    assert_eq!(state(0.1, 0.0, 9.0), FloorState::Ledge);
    assert_eq!(state(11.5, 0.0, 3.5), FloorState::LowCeiling);
    assert_eq!(state(3.0, 3.0, 11.5), FloorState::Steep);
    assert_eq!(state(2.0, 0.0, 4.5), FloorState::InHole);
    assert_eq!(state(12.0, 3.2, 12.0), FloorState::SmallIsland);
    // A wall of the pillar: 4 m in heights of 0.2 m, and its top, on a border of heights, in the one above.
    let wall = stages.solid.iter().find(|span| (span.x, span.z) == (20, 22)).unwrap();
    assert_eq!((wall.low, wall.high), (0, 21));
    // A floor of the tile next door, seen over the border.
    let (next, _) = voxel_tile_stages(&input, &settings_of(32), [0, 0]).unwrap();
    assert_eq!(floor_at(&next, 9.7, 0.0, 9.0).state, FloorState::OtherTile);
    // And the tiles are those of the bake.
    let (mesh, _) = bake(&input, &settings);
    let (_, tile) = mesh.mesh.tiles().next().unwrap();
    assert_eq!(stages.tiles[0].to_bytes(), tile.to_bytes());
}

/// A steep thing that hovers over a floor is stepped upon where its top is no higher than the climb.
#[test]
fn low_obstacles_are_those_that_are_steep_by_themselves_and_stepped_upon() {
    let settings = settings_of(64);
    // 59 degrees, two cells wide; the climb of 0.9 is four heights of 0.2.
    let with = |y: f64| {
        let mut mesh = plate([0.0, 0.0, 15.0, 15.0], 0.0);
        quad(&mut mesh, [6.0, 6.0, 6.6, 9.0], [y, y + 1.0, y + 1.0, y]);
        let (stages, _) = voxel_tile_stages(&input_of(vec![mesh]), &settings, [0, 0]).unwrap();
        stages
    };
    let over = |stages: &TileStages| {
        let floors = stages.floors.iter().zip(&stages.solid).filter(|(_, span)| span.low > 1);
        floors.map(|(floor, _)| *floor).collect::<Vec<_>>()
    };
    let low = with(0.45);
    let stepped = over(&low);
    assert!(stepped.len() >= 10, "{}", stepped.len());
    for floor in &stepped {
        // Over the floor, whose top is at 1.
        assert_eq!(floor.is_low_obstacle, floor.y - 1 <= 4, "{floor:?}");
        assert_eq!(floor.state == FloorState::Steep, floor.y - 1 > 4, "{floor:?}");
    }
    assert!(stepped.iter().any(|floor| floor.is_low_obstacle));
    assert_eq!(
        low.floors.iter().filter(|floor| floor.is_low_obstacle).count(),
        stepped.iter().filter(|floor| floor.is_low_obstacle).count()
    );
    let high = with(2.5);
    assert!(over(&high).iter().all(|floor| !floor.is_low_obstacle && floor.state == FloorState::Steep));
}

/// The first rule that takes a surface is told: what faces down or is too steep is no floor, however low it lies under
/// another surface. A shelf that is stepped onto from the floor below is one, if there were room.
#[test]
fn what_faces_down_is_told_before_its_head_room() {
    let mut mesh = plate([0.0, 0.0, 15.0, 15.0], 0.0);
    // Facing down, too steep, and level, each under a roof 1 higher.
    let first = mesh.triangles.len();
    quad(&mut mesh, [2.0, 2.0, 5.0, 5.0], [4.0; 4]);
    Arc::make_mut(&mut mesh.triangles)[first..].iter_mut().for_each(|corners| corners.swap(0, 1));
    quad(&mut mesh, [2.0, 2.0, 5.0, 5.0], [5.0; 4]);
    quad(&mut mesh, [8.0, 2.0, 9.2, 5.0], [4.0, 6.4, 6.4, 4.0]);
    quad(&mut mesh, [8.0, 2.0, 9.2, 5.0], [5.0, 7.4, 7.4, 5.0]);
    quad(&mut mesh, [2.0, 8.0, 5.0, 11.0], [4.0; 4]);
    quad(&mut mesh, [2.0, 8.0, 5.0, 11.0], [5.0; 4]);
    let input = input_of(vec![mesh]);
    let settings = settings_of(64);
    let (stages, _) = voxel_tile_stages(&input, &settings, [0, 0]).unwrap();
    let cases = [
        ([3.5, 4.0, 3.5], FloorState::Steep, "faces down"),
        ([8.6, 5.2, 3.5], FloorState::Steep, "slope 63.43°, limit 45°"),
        ([3.5, 4.0, 9.5], FloorState::LowCeiling, "head room 0.8, needs 2"),
    ];
    for ([x, y, z], state, words) in cases {
        let floor = floor_at(&stages, x, y, z);
        assert_eq!(floor.state, state, "{words}");
        let probe = voxel_probe(&input, &settings, [x, z]).unwrap();
        let off = |span: &&ProbeSpan| ((span.high - y).abs() * 1000.0) as i64;
        let span = probe.spans.iter().min_by_key(off).unwrap();
        assert_eq!(span.verdict.to_string(), words, "{span:?}");
    }
}

#[test]
fn outlines_wind_round_their_regions_and_simple_ones_lie_within_the_error() {
    let mut mesh = plate([0.0, 0.0, 15.0, 15.0], 0.0);
    block(&mut mesh, [6.0, 6.0, 8.5, 7.5], 0.0, 4.0);
    let (stages, _) = voxel_tile_stages(&input_of(vec![mesh]), &settings_of(64), [0, 0]).unwrap();
    let cells = |region: u32| stages.floors.iter().filter(|floor| floor.region == region).count() as i64;
    let area = |corners: &[[i32; 3]]| -> i64 {
        (0..corners.len())
            .map(|index| (corners[index], corners[(index + 1) % corners.len()]))
            .map(|(a, b)| i64::from(a[0]) * i64::from(b[2]) - i64::from(a[2]) * i64::from(b[0]))
            .sum()
    };
    for region in 1..=stages.floors.iter().map(|floor| floor.region).max().unwrap() {
        let sum: i64 = stages.contours.iter().filter(|c| c.region == region).map(|c| area(&c.corners)).sum();
        assert_eq!(sum, 2 * cells(region), "region {region}: its outlines, holes against, enclose its cells");
    }
    assert!(!stages.simplified.is_empty());
    for outline in &stages.simplified {
        assert!(outline.corners.len() < 40, "{outline:?}");
    }
}

/// Those of several tiles, whose triangles are prepared together, are those of each by itself.
#[test]
fn stages_of_several_tiles_are_those_of_each() {
    let mut mesh = plate([0.0, 0.0, 15.0, 15.0], 0.0);
    block(&mut mesh, [6.0, 6.0, 12.5, 7.5], 0.0, 4.0);
    let (input, settings) = (input_of(vec![mesh]), settings_of(16));
    // One without floor, and one that is too far away to exist.
    let tiles = [[0, 0], [1, 1], [2, 1], [-3, 0], [i32::MAX, 0]];
    let all = timed_stages_of_tiles(&input, &settings, &tiles, &|| 0.0).unwrap();
    assert_eq!(all.len(), tiles.len());
    for (stages, tile) in all.iter().zip(tiles) {
        let (alone, _) = voxel_tile_stages(&input, &settings, tile).unwrap();
        assert_eq!(stages.notes, alone.notes, "{tile:?}");
        assert_eq!((&stages.solid, &stages.floors), (&alone.solid, &alone.floors), "{tile:?}");
        let bytes = |stages: &TileStages| stages.tiles.iter().map(|tile| tile.to_bytes()).collect::<Vec<_>>();
        assert_eq!(bytes(stages), bytes(&alone), "{tile:?}");
        assert_eq!(stages.tiles.is_empty(), tile[0] < 0 || tile[0] > 2, "{tile:?}");
    }
}
