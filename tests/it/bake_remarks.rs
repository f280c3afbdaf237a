//! Each remark of a bake, made to happen by a small map: its kind, place and numbers; and maps without any.

use navwright::bake::{
    BakeOptions, BakeReport, Diagnostic, Element, FlatLevel, Severity, Surface, bake_mesh,
};
use navwright::format::{AuthoredLink, NavMesh, NavSettings};
use navwright::project::{Document, open_text};

fn document(map: &str) -> Document {
    open_text(map, "test.nav").unwrap().document
}

fn bake_with(map: &str, settings: &NavSettings) -> (NavMesh, BakeReport) {
    bake_mesh(&document(map).flat_input(), settings, &BakeOptions::default()).unwrap()
}

fn bake(map: &str) -> Vec<Diagnostic> {
    bake_with(map, &NavSettings::default()).1.diagnostics
}

fn kinds(diagnostics: &[Diagnostic]) -> Vec<&'static str> {
    let mut kinds: Vec<_> = diagnostics.iter().map(|diagnostic| diagnostic.kind.name()).collect();
    kinds.dedup();
    kinds
}

/// The one diagnostic of this kind.
#[track_caller]
fn only(diagnostics: &[Diagnostic], kind: &str) -> Diagnostic {
    let found: Vec<_> = diagnostics.iter().filter(|diagnostic| diagnostic.kind.name() == kind).collect();
    assert_eq!(found.len(), 1, "{kind} in {diagnostics:#?}");
    found[0].clone()
}

const FLOOR: &str = "nav walk 0 0 0 20 0 20 20 0 20\n";

#[test]
fn a_plain_floor_has_nothing_to_say() {
    assert_eq!(bake(FLOOR), []);
    assert_eq!(bake(&format!("{FLOOR}nav hole 0 5 5 9 5 9 9 5 9\n")), []);
}

#[test]
fn outlines() {
    let crossed = only(&bake("nav walk 0 0 0 10 10 10 0 0 10"), "outline_crosses_itself");
    assert_eq!((crossed.place, crossed.kind.severity()), ([5.0, 5.0], Severity::Warning));
    let line = bake(&format!("{FLOOR}nav walk 0 1 1 2 2 3 3"));
    assert_eq!(only(&line, "outline_degenerate").kind.severity(), Severity::Error);
    let twice = only(&bake(&format!("{FLOOR}nav walk 0 1 1 2 2 1 1 2 2")), "outline_degenerate");
    assert_eq!((twice.measured, twice.limit), (2.0, 3.0));
    let close = only(&bake("nav walk 0 0 0 10 0 10 0.0005 10 10"), "points_too_close");
    assert!((close.measured - 0.0005).abs() < 1e-9 && close.limit == 0.001 && close.place == [10.0, 0.0]);
    assert_eq!(bake("nav walk 0 0 0 10 0 10 0.001 10 10"), []);
}

#[test]
fn crowds() {
    // Squares in rows of 70, far enough apart to be islands; a polygon each.
    let squares = |count: usize| -> String {
        let at = |i: usize| ((i % 70) as f64 * 0.4, (i / 70) as f64 * 0.4);
        let square = |(x, z): (f64, f64)| {
            let (u, v) = (x + 0.2, z + 0.2);
            format!("nav walk 0 {x:.1} {z:.1} {u:.1} {z:.1} {u:.1} {v:.1} {x:.1} {v:.1}\n")
        };
        (0..count).map(|i| square(at(i))).collect()
    };
    assert!(bake(&squares(4096)).iter().all(|diagnostic| diagnostic.kind.name() == "island"));
    let crowded = only(&bake(&squares(4097)), "crowded_tile");
    assert_eq!((crowded.measured, crowded.limit, crowded.place), (4097.0, 4096.0, [16.0, 16.0]));
}

#[test]
fn a_tip_that_rounding_takes_away_leaves_a_border_open() {
    // The tip passes the border x = 32 by less than half a step of 1/8, so nothing of it is left beyond.
    let settings = NavSettings { snap_bits: 3, ..NavSettings::default() };
    let diagnostics = bake_with("nav walk 0 30 0 32.05 10 30 20", &settings).1.diagnostics;
    let open: Vec<_> = diagnostics.iter().filter(|d| d.kind.name() == "border_mismatch").collect();
    assert!(!open.is_empty(), "{diagnostics:#?}");
    for diagnostic in open {
        let [x, z] = diagnostic.place;
        assert!(x == 32.0 && (9.75..=10.25).contains(&z), "{diagnostic:?}");
        assert_eq!((diagnostic.measured, diagnostic.limit), (0.0, 1.0));
    }
    // On the finest grid the tip is there, and joined.
    assert_eq!(bake("nav walk 0 30 0 32.05 10 30 20"), []);
}

#[test]
fn a_floor_beyond_the_worlds_height_fails_alone() {
    let mut input = document(&format!("{FLOOR}nav walk 1 40 0 50 0 50 10 40 10\n")).flat_input();
    input.levels = vec![FlatLevel { number: 1, elevation: 3e6 }];
    let (mesh, report) = bake_mesh(&input, &NavSettings::default(), &BakeOptions::default()).unwrap();
    let failed = only(&report.diagnostics, "tile_failed");
    assert_eq!((failed.place, failed.kind.severity()), ([48.0, 16.0], Severity::Error));
    assert!(failed.message.contains("3000000") && failed.message.contains("2097152"), "{}", failed.message);
    assert_eq!(mesh.mesh.tiles().count(), 1);
}

#[test]
fn holes() {
    let hidden = only(
        &bake(&format!("{FLOOR}nav walk 0 30 30 34 30 34 34\nnav hole 0 29 29 40 29 40 40 29 40")),
        "walk_hidden",
    );
    assert!(hidden.message.contains("area 2 is cut away by area 3"), "{}", hidden.message);
    let idle = only(&bake(&format!("{FLOOR}nav hole 0 30 30 34 30 34 34\n")), "hole_cuts_nothing");
    assert_eq!(idle.kind.severity(), Severity::Note);
    let other_level = bake(&format!("{FLOOR}nav hole 1 5 5 9 5 9 9\n"));
    only(&other_level, "hole_cuts_nothing");
    let empty = bake("nav walk 2 1 1 5 1 5 5\nnav hole 2 0 0 9 0 9 9 0 9\n");
    assert_eq!(only(&empty, "level_empty").level, 2);
}

#[test]
fn joins() {
    let gap = only(&bake(&format!("{FLOOR}nav walk 0 20.05 5 30 5 30 9 20.05 9\n")), "missed_join");
    assert!((gap.measured - 0.05).abs() < 1e-9 && gap.limit == 0.1 && gap.place == [20.025, 7.0], "{gap:?}");
    assert_eq!(kinds(&bake(&format!("{FLOOR}nav walk 0 20.15 5 30 5 30 9 20.15 9\n"))), ["island"]);
    let levels = only(&bake(&format!("{FLOOR}nav walk 1 20.01 5 30 5 30 9 20.01 9\n")), "missed_join");
    assert!(levels.message.contains("levels 0 and 1"), "{}", levels.message);
    // A slot between two holes of one floor is no missed join, however thin.
    let slot = format!("{FLOOR}nav hole 0 5 5 9 5 9 9 5 9\nnav hole 0 9.05 5 12 5 12 9 9.05 9\n");
    assert_eq!(bake(&slot), []);
    let touch = only(&bake("nav walk 0 0 0 5 0 5 5 0 5\nnav walk 0 5 5 9 5 9 9 5 9\n"), "touch_at_point");
    assert_eq!(touch.place, [5.0, 5.0]);
    let island = only(&bake(&format!("{FLOOR}nav walk 0 22 5 26 5 26 9 22 9\n")), "island");
    assert_eq!((island.measured, island.place), (16.0, [24.0, 7.0]));
}

#[test]
fn seams() {
    let stair = "nav walk 1 20 5 30 5 30 9 20 9\n";
    let step = only(&bake(&format!("{FLOOR}{stair}")), "seam_step");
    assert_eq!((step.measured, step.limit, step.place), (3.0, 0.5, [20.0, 7.0]));
    let same = only(&bake(&format!("{FLOOR}nav walk 1 10 5 20 5 20 9 10 9\n")), "same_side_edges");
    assert!(same.message.contains("levels 0 and 1"));
    let contested = bake(&format!("{FLOOR}{stair}nav walk 2 20 5 30 5 30 9 20 9\n"));
    assert!(only(&contested, "seam_contested").message.contains("levels 0, 1, 2"));
    // A bridge that only overlaps says nothing of joins.
    assert_eq!(kinds(&bake(&format!("{FLOOR}nav walk 1 -5 5 30 5 30 9 -5 9\n"))), ["island"]);
}

#[test]
fn levels_that_join_at_a_border_by_height_alone() {
    // A bridge 0.3 above the floor crosses the border x = 32 where both go on.
    let mut map = document("nav walk 0 20 0 40 0 40 20 20 20\nnav walk 1 22 5 38 5 38 9 22 9\n").flat_input();
    map.levels.iter_mut().for_each(|level| level.elevation = 0.3 * f64::from(level.number));
    let report = bake_mesh(&map, &NavSettings::default(), &BakeOptions::default()).unwrap().1;
    let close = report.diagnostics.iter().find(|diagnostic| diagnostic.kind.name() == "levels_too_close");
    assert!(
        close.is_some_and(|close| close.place[0] == 32.0 && close.limit == 0.5),
        "{:#?}",
        report.diagnostics
    );
}

#[test]
fn links() {
    let with = |link: AuthoredLink| {
        let settings = NavSettings { links: vec![link], ..NavSettings::default() };
        bake_with(FLOOR, &settings).1.diagnostics
    };
    let good = AuthoredLink {
        start: [2.0, 0.0, 2.0],
        end: [10.0, 0.0, 10.0],
        radius: 0.5,
        bidirectional: true,
        area: 0,
        flags: 1,
        user_id: 7,
    };
    assert_eq!(with(good), []);
    let high = only(&with(AuthoredLink { start: [2.0, 1.0, 2.0], ..good }), "link_start_unattached");
    assert_eq!((high.measured, high.limit), (1.0, 0.5), "above the floor, and the climb");
    assert_eq!(kinds(&with(AuthoredLink { end: [21.0, 0.0, 2.0], ..good })), ["link_end_unattached"]);
    assert_eq!(kinds(&with(AuthoredLink { start: [50.0, 0.0, 2.0], ..good })), ["link_dropped"]);
    let far = only(&with(AuthoredLink { end: [5000.0, 0.0, 2.0], ..good }), "link_invalid");
    assert_eq!((far.measured, far.limit, far.kind.severity()), (5000.0, 4096.0, Severity::Error));
    assert_eq!(kinds(&with(AuthoredLink { end: [2.0, 5000.0, 2.0], ..good })), ["link_dropped"]);
}

#[test]
fn coordinates_out_of_range_leave_one_area_out() {
    let mut input = document(FLOOR).flat_input();
    let mut far = input.areas[0].clone();
    far.id += 1;
    far.outline[2] = [2_097_152.0, 3.0];
    input.areas.push(far);
    let (mesh, report) = bake_mesh(&input, &NavSettings::default(), &BakeOptions::default()).unwrap();
    let out = only(&report.diagnostics, "out_of_range");
    assert_eq!((out.measured, out.limit), (2_097_152.0, 2_097_152.0));
    assert_eq!(mesh.mesh.tiles().count(), 1);
}

#[test]
fn ramps_rise_evenly_over_tile_borders_and_join_both_floors() {
    // A ramp of level 1 climbs 3 over 12 squares from the ground at z = 20, over borders every 4 squares.
    let map =
        "nav walk 0 0 0 20 0 20 20 0 20\nnav walk 1 5 20 9 20 9 32 5 32\nnav walk 1 0 32 20 32 20 40 0 40\n";
    let mut input = document(map).flat_input();
    input.areas[1].surface = Surface::Ramp;
    let settings = NavSettings { tile_size: 4.0, ..NavSettings::default() };
    let (mesh, report) = bake_mesh(&input, &settings, &BakeOptions::default()).unwrap();
    assert_eq!(report.diagnostics, []);
    let mut on_ramp = 0;
    for (_, tile) in mesh.mesh.tiles() {
        for &vertex in &tile.vertices {
            let [_, y, z] = tile.point_in_world(mesh.mesh.params(), vertex);
            let right = ((z - 20.0) / 12.0 * 3.0).clamp(0.0, 3.0);
            assert!((y - right).abs() <= 0.25 / 1024.0, "height {y} for {right} at z = {z}");
            on_ramp += usize::from(20.0 < z && z < 32.0);
        }
    }
    assert!(on_ramp > 10);
}

#[test]
fn a_ramp_with_a_bend_keeps_its_crease() {
    // Four corners that do not lie in one plane: only (0, 10) is on the seam with level 1's floor at height 3.
    let map = "nav walk 0 0 0 10 0 10 10 0 10\nnav walk 1 -5 10 0 10 0 15 -5 15\n";
    let mut input = document(map).flat_input();
    input.areas[0].surface = Surface::Heights(vec![0.0, 0.0, 0.0, 3.0]);
    let settings = NavSettings { max_verts_per_poly: 16, ..NavSettings::default() };
    let (mesh, _) = bake_mesh(&input, &settings, &BakeOptions::default()).unwrap();
    let (_, tile) = mesh.mesh.tiles().find(|(_, tile)| tile.tile_x == 0).unwrap();
    let ground: Vec<_> = tile.polygons.iter().filter(|polygon| polygon.level() == 0).collect();
    // One crease from (0, 0) to (10, 10) or from (10, 0) to (0, 10): two flat triangles, not one bent square.
    assert_eq!(ground.len(), 2, "{ground:?}");
}

#[test]
fn what_clearance_leaves_nothing_of() {
    let wide = NavSettings { agent_radius: 0.6, ..NavSettings::default() };
    // Over two tile borders, and 0.8 wide: half of that is less than 0.6.
    let corridor = format!("{FLOOR}nav walk 0 25 3 90 3 90 3.8 25 3.8\n");
    let gone = only(&bake_with(&corridor, &wide).1.diagnostics, "vanished_under_radius");
    assert_eq!((gone.element, gone.level), (Element::Area(2), 0));
    assert!(gone.measured < 0.4 && gone.measured > 0.39 && gone.limit == f64::from(0.6_f32), "{gone:?}");
    assert!((25.0..=90.0).contains(&gone.place[0]) && (3.0..=3.8).contains(&gone.place[1]), "{gone:?}");
    // A wide end saves it, however far away; a radius of 0 leaves it alone.
    let saved = format!("{corridor}nav walk 0 88 0 92 0 92 8 88 8\n");
    assert!(!kinds(&bake_with(&saved, &wide).1.diagnostics).contains(&"vanished_under_radius"));
    assert!(!kinds(&bake(&corridor)).contains(&"vanished_under_radius"));
    // What only the inside of a tile's neighbour keeps does not vanish: the floor's part in the next tile is thin.
    let poking = "nav walk 0 0 0 32.4 0 32.4 20 0 20\n";
    assert_eq!(bake_with(poking, &wide).1.diagnostics, []);
}

/// Settings whose binary step is 1/8 of a square.
fn coarse() -> NavSettings {
    NavSettings { snap_bits: 3, ..NavSettings::default() }
}

#[test]
fn parts_and_gaps_thinner_than_two_steps() {
    let thin = |map: &str| bake_with(map, &coarse()).1.diagnostics;
    let part = only(&thin("nav walk 0 1 1 30 1 30 1.2 1 1.2\n"), "too_thin");
    assert!((part.measured - 0.2).abs() < 1e-6 && part.limit == 0.25, "{part:?}");
    assert_eq!((part.element, part.kind.severity()), (Element::Area(1), Severity::Warning));
    assert!((1.0..=30.0).contains(&part.place[0]) && (1.0..=1.2).contains(&part.place[1]), "{part:?}");
    let slit = only(&thin(&format!("{FLOOR}nav hole 0 5 5 15 5 15 5.2 5 5.2\n")), "too_thin");
    assert!((slit.measured - 0.2).abs() < 1e-6 && slit.message.contains("a gap"), "{slit:?}");
    let neck = only(
        &thin(&format!("{FLOOR}nav hole 0 5 5 9 5 9 9 5 9\nnav hole 0 9.1 5 12 5 12 9 9.1 9\n")),
        "too_thin",
    );
    assert!((neck.measured - 0.1).abs() < 1e-6 && neck.message.contains("a part"), "{neck:?}");
    // A floor that ends 0.1 behind the border x = 32.
    let border = only(&thin("nav walk 0 20 2 32.1 2 32.1 9 20 9\n"), "too_thin");
    assert!((border.measured - 0.1).abs() < 1e-6 && border.place[0] == 32.1, "{border:?}");
    // Two steps are enough, and so is the finest grid for all of these.
    assert_eq!(thin("nav walk 0 1 1 30 1 30 1.25 1 1.25\n"), []);
    assert_eq!(bake("nav walk 0 1 1 30 1 30 1.2 1 1.2\n"), []);
}

#[test]
fn polygons_thinner_than_two_steps() {
    let settings = NavSettings { snap_bits: 3, ..NavSettings::default() };
    // 1/8 of a square wide: one step.
    let (mesh, report) = bake_with("nav walk 0 2 2 10 2 10 2.125 2 2.125\n", &settings);
    assert_eq!(mesh.mesh.tiles().map(|(_, tile)| tile.polygons.len()).sum::<usize>(), 1);
    let thin = only(&report.diagnostics, "thin_polygon");
    assert_eq!((thin.measured, thin.limit, thin.place), (0.125, 0.25, [6.0, 2.0625]));
    assert_eq!(
        (thin.element, thin.kind.severity()),
        (Element::Tile { tile_x: 0, tile_z: 0 }, Severity::Note)
    );
}

#[test]
fn what_a_flat_bake_cannot_do_is_refused_by_name() {
    let refused = |change: fn(&mut NavSettings)| {
        let mut settings = NavSettings::default();
        change(&mut settings);
        let input = document(FLOOR).flat_input();
        bake_mesh(&input, &settings, &BakeOptions::default()).unwrap_err().to_string()
    };
    // No grid of 64 bits holds what such a radius reaches.
    let wide = refused(|settings| settings.agent_radius = f32::MAX);
    assert!(wide.contains("agent_radius is") && wide.contains("takes less than"), "{wide}");
    // Bits 8 to 15 hold the level.
    assert!(refused(|settings| settings.flags = 256).contains("flags is 256"));
    let bits = refused(|settings| settings.snap_bits = 20);
    assert!(bits.contains("snap_bits is 20") && bits.contains("at most 19"), "{bits}");
    assert!(refused(|settings| settings.tile_size = 0.3).contains("tile_size is 0.3"));
}
