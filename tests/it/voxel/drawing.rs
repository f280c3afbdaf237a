//! Drawn areas in a voxel bake: floors of their own, and marks on what lies there.

use navwright::bake::{AreaKind, FlatArea, FlatInput, FlatLevel, Surface, VoxelInput};
use navwright::format::NavSettings;

use super::{area_of, bake, complaints, components, input_of, plate, settings_of};

fn area(id: u64, kind: AreaKind, level: i8, [x0, z0, x1, z1]: [f64; 4]) -> FlatArea {
    FlatArea {
        id,
        name: format!("area {id}"),
        kind,
        level,
        outline: vec![[x0, z0], [x1, z0], [x1, z1], [x0, z1]],
        area_type: (kind == AreaKind::Walk).then_some(7),
        flags: Some(5),
        surface: Surface::Level,
    }
}

/// No radius and no simplification, so that cells can be counted.
fn exact() -> NavSettings {
    NavSettings { agent_radius: 0.0, contour_max_error: 0.0, ..settings_of(64) }
}

#[test]
fn a_drawing_alone_is_baked_from_its_floors() {
    let walk = area(1, AreaKind::Walk, 0, [0.0, 0.0, 12.0, 12.0]);
    let hole = area(2, AreaKind::Hole, 0, [4.2, 4.2, 8.1, 8.1]);
    let mut input = VoxelInput::default();
    let drawing = FlatInput { levels: Vec::new(), areas: vec![walk, hole] };
    assert_eq!(input.add_drawing(&drawing, &exact()).unwrap(), []);
    let (mesh, report) = bake(&input, &exact());
    assert_eq!(complaints(&report), []);
    // 38 × 38 cells without the outermost, less the hole's 13 × 13 and the ledges along its four sides.
    let cells = 38 * 38 - 13 * 13 - 4 * 13;
    assert!((area_of(&mesh) - f64::from(cells) * 0.09).abs() < 1e-3, "{}", area_of(&mesh) / 0.09);
    let mut polygons = mesh.mesh.tiles().flat_map(|(_, tile)| &tile.polygons);
    assert!(polygons.all(|polygon| (polygon.area, polygon.flags) == (7, 5)));
}

#[test]
fn geometry_in_a_drawn_area_takes_its_type_and_a_hole_cuts_it() {
    let walk = area(1, AreaKind::Walk, 1, [3.0, 3.0, 9.0, 9.0]);
    let hole = area(2, AreaKind::Hole, 1, [4.2, 4.2, 8.1, 8.1]);
    let levels = vec![FlatLevel { number: 1, elevation: 0.5 }];
    let drawing = FlatInput { levels, areas: vec![walk, hole] };
    let mut input = input_of(vec![plate([0.0, 0.0, 12.0, 12.0], 0.5), plate([0.0, 0.0, 12.0, 12.0], 6.0)]);
    input.add_drawing(&drawing, &exact()).unwrap();
    let (mesh, _) = bake(&input, &exact());
    let (mut marked, mut plain) = (0.0, 0.0);
    for (_, tile) in mesh.mesh.tiles() {
        for (index, polygon) in tile.polygons.iter().enumerate() {
            let own = super::doubled_area(tile, index) / 2.0;
            if polygon.area == 7 {
                assert_eq!((polygon.flags & 0xFF, polygon.level()), (5, 1));
                marked += own;
            } else {
                plain += own;
            }
        }
    }
    // The plate goes on under the hole, so no ledges: the mark's 20 × 20 cells less 13 × 13, and the rest of both.
    assert!((marked - f64::from(20 * 20 - 13 * 13) * 0.09).abs() < 1e-3, "{}", marked / 0.09);
    assert!((plain - f64::from(2 * 38 * 38 - 20 * 20) * 0.09).abs() < 1e-3, "{}", plain / 0.09);
}

#[test]
fn levels_with_a_ramp_between_are_one_island() {
    let ground = area(1, AreaKind::Walk, 0, [0.0, 0.0, 8.0, 8.0]);
    let ramp = FlatArea { surface: Surface::Ramp, ..area(2, AreaKind::Walk, 0, [8.0, 2.0, 14.0, 6.0]) };
    let upper = area(3, AreaKind::Walk, 1, [14.0, 0.0, 22.0, 8.0]);
    let drawing = FlatInput { levels: Vec::new(), areas: vec![ground, ramp, upper] };
    let settings = NavSettings { agent_radius: 0.3, ..settings_of(32) };
    let mut input = VoxelInput::default();
    input.add_drawing(&drawing, &settings).unwrap();
    let (mesh, _) = bake(&input, &settings);
    assert_eq!(components(&mesh).count(), 1);
    let highest =
        mesh.mesh.tiles().flat_map(|(_, tile)| tile.vertices.iter().map(|v| tile.origin_y + f64::from(v[1])));
    assert!((highest.fold(0.0, f64::max) - 3.0).abs() <= 0.21);
}
