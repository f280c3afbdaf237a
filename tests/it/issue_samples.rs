//! Each kind of issue from a small map in `assets/issues`: it says its text at its place, and each fix that is offered
//! takes it away, as one step, without a new error.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use navwright::bake::{
    BakeOptions, Diagnostic, DiagnosticKind, Severity, VoxelInput, bake_mesh, bake_voxel_mesh,
};
use navwright::format::{NavMesh, NavSettings};
use navwright::project::file::encode;
use navwright::project::fix::{FixAct, FixContext, fixes, fixes_of_failure};
use navwright::project::{self, Command, Document, History, name_links, open_text};

use crate::support::root;

/// The file, where its issue is (worked out by hand from the drawing), what its text says besides, and the fixes that
/// are offered.
const SAMPLES: [(&str, [f64; 2], &str, &[&str]); 30] = [
    ("outline_crosses_itself", [5.0, 5.0], "bow crosses itself", &["Split here"]),
    ("outline_crosses_itself-ring", [0.0, 0.0], "court crosses itself", &["Split here"]),
    ("outline_degenerate", [2.0, 2.0], "all its points lie on one line", &["Delete line"]),
    ("points_too_close", [10.0, 0.0], "points 2 and 3 lie 0.000500 apart", &["Merge points 2 and 3"]),
    (
        "points_too_close-spike",
        [14.0, 5.0],
        "point 4 is the tip of a spike 0.000500 wide",
        &["Remove point 4"],
    ),
    ("walk_hidden", [30.0, 30.0], "shed is cut away by yard", &["Select yard", "Delete shed"]),
    ("hole_cuts_nothing", [30.0, 5.0], "pit cuts no walk area", &["Select pit", "Delete pit"]),
    ("level_empty", [1.0, 1.0], "level 2 has walk areas", &["Show what removed it"]),
    // Half its area by its outline beside the longer piece of its edge, which the border x = 32 cuts.
    ("vanished_under_radius", [46.0, 3.0 + 28.0 / 71.6], "(alley) vanishes", &["Show what removed it"]),
    ("missed_join", [20.025, 7.0], "lie 0.050 apart", &["Join"]),
    ("missed_join-levels", [20.025, 5.5], "levels 0 and 1 lie 0.050 apart", &["Join"]),
    (
        "touch_at_point",
        [5.0, 5.0],
        "touch in one point only",
        &["Widen by 0.1 at west", "Widen by 0.1 at east"],
    ),
    (
        "touch_at_point-holes",
        [10.0, 10.0],
        "touch in one point only",
        &["Widen by 0.1 at pond", "Widen by 0.1 at well"],
    ),
    (
        "same_side_edges",
        [20.0, 7.0],
        "levels 0 and 1 share an edge, but lie on the same side",
        &["Flip stairs", "Flip floor", "Take stairs off the edge", "Take floor off the edge"],
    ),
    (
        "seam_contested",
        [20.0, 7.0],
        "levels 0, 1, 2 compete",
        &["Take stairs off the edge", "Take ladder off the edge", "Take floor off the edge"],
    ),
    (
        "seam_step",
        [20.0, 7.0],
        "meet with a step of 3.000, the agent climbs 0.5",
        &["Make landing a ramp", "Make floor a ramp", "Set level 1 to elevation 0.5"],
    ),
    ("levels_too_close", [32.0, 7.0], "within the climb at a tile border", &["Set level 1 to elevation 2"]),
    (
        "border_mismatch",
        [32.0, 9.875],
        "nothing joins it there",
        &["Set snap bits to automatic", "Select what is there"],
    ),
    (
        "link_start_unattached",
        [22.0, 4.0],
        "jump: the nearest floor lies 2.000 beside its start",
        &["Move the start to 20, 4", "Raise the radius to 2.1", "Delete jump"],
    ),
    (
        "link_end_unattached",
        [24.0, 6.0],
        "ladder: the nearest floor lies",
        &["Move the end to 26, 6", "Raise the radius to 2.1", "Delete ladder"],
    ),
    (
        "link_dropped",
        [70.0, 4.0],
        "bridge: there is no tile under its start",
        &["Move the start to 20, 4", "Delete bridge"],
    ),
    ("link_invalid", [4.0, 4.0], "a tile's links reach 4096", &["Move the end to 20, 4", "Delete throw"]),
    ("out_of_range", [1_000_000.0, 0.0], "far, point 1: (1000000, 0) is too far out", &["Delete far"]),
    ("too_thin", [15.5, 1.1], "thinner than two steps", &["Set snap bits to automatic", "Select plank"]),
    (
        "island",
        [24.0, 7.0],
        "an island of 16.000 square units",
        &["Show the island", "Delete islet", "Add a link"],
    ),
    ("tile_failed", [48.0, 16.0], "tile (1, 0) is left out", &["Bake again", "Open the stage view"]),
    ("thin_polygon", [6.0, 2.0625], "thinner than two steps", &["Select what is there"]),
    ("crowded_tile", [16.0, 16.0], "polygons; smaller tiles", &["Select what is there"]),
    ("seam_step-partial", [20.0, 7.0], "meet with a step of 3.000", &["Make landing a ramp"]),
    ("island-ramp", [28.0, 4.0], "an island of", &["Add a link"]),
];

fn folder() -> PathBuf {
    root().join("assets/issues")
}

fn path(name: &str) -> PathBuf {
    let text = folder().join(format!("{name}.nav.ron"));
    if text.exists() { text } else { folder().join(format!("{name}.nav")) }
}

fn open(name: &str) -> Document {
    project::open(&path(name)).unwrap_or_else(|error| panic!("{error}")).document
}

fn bake(document: &Document) -> (NavMesh, Vec<Diagnostic>) {
    let settings = document.bake_settings(&document.classes[0]);
    let (mesh, mut report) = bake_mesh(&document.flat_input(), &settings, &BakeOptions::default()).unwrap();
    name_links(document, &mut report.diagnostics);
    (mesh, report.diagnostics)
}

fn kind_of(name: &str) -> DiagnosticKind {
    DiagnosticKind::of_name(name.split('-').next().unwrap()).unwrap()
}

#[test]
fn every_kind_of_a_flat_bake_has_a_map_and_every_map_is_canonical() {
    use DiagnosticKind as Kind;
    let of_voxels = [
        Kind::TrianglesSkipped,
        Kind::RegionIncomplete,
        Kind::SeedOffFloor,
        Kind::GeometryUnreadable,
        Kind::GeometryLeftOut,
        Kind::HoleMissesFloor,
        Kind::NoFloor,
        Kind::FacesDown,
        Kind::NoSeedReaches,
    ];
    let kinds: BTreeSet<_> = SAMPLES.iter().map(|(name, ..)| kind_of(name)).collect();
    let missing: Vec<_> = DiagnosticKind::ALL
        .into_iter()
        .filter(|kind| !kinds.contains(kind) && !of_voxels.contains(kind))
        .collect();
    assert_eq!(missing, []);
    let mut files: Vec<String> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().split('.').next().unwrap().to_owned())
        .filter(|name| name != "README")
        .collect();
    files.sort();
    let mut named: Vec<String> = SAMPLES.iter().map(|(name, ..)| (*name).to_owned()).collect();
    named.sort();
    assert_eq!(files, named);
    for name in files.iter().filter(|name| path(name).extension().is_some_and(|end| end == "ron")) {
        let text = encode(&open(name));
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(path(name), &text).unwrap();
        }
        assert!(text == fs::read_to_string(path(name)).unwrap(), "{name}: opening and saving changes bytes");
    }
}

#[test]
fn each_map_says_its_issue_at_its_place() {
    let mut faults = Vec::new();
    for (name, place, text, _) in SAMPLES {
        let document = open(name);
        let (_, found) = bake(&document);
        let near = |diagnostic: &&Diagnostic| {
            diagnostic.kind == kind_of(name)
                && (0..2).all(|axis| (diagnostic.place[axis] - place[axis]).abs() < 1e-6)
                && diagnostic.message.contains(text)
        };
        if !found.iter().any(|diagnostic| near(&diagnostic)) {
            faults.push(format!("{name}: {found:#?}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn each_fix_takes_its_issue_away_and_is_one_step() {
    let mut faults = Vec::new();
    for (name, place, _, wanted) in SAMPLES {
        let document = open(name);
        let before = encode(&document);
        let (mesh, found) = bake(&document);
        let class = &document.classes[0];
        let context = FixContext { document: &document, class, mesh: Some(&mesh.mesh) };
        let of_kind = |d: &&Diagnostic| {
            d.kind == kind_of(name) && (d.place[0] - place[0]).hypot(d.place[1] - place[1]) < 1e-6
        };
        let Some(issue) = found.iter().find(of_kind) else {
            faults.push(format!("{name}: no issue"));
            continue;
        };
        let offered = fixes(&context, issue);
        let names: Vec<&str> = offered.iter().map(|fix| fix.name.as_str()).collect();
        if !wanted.iter().all(|name| names.contains(name)) {
            faults.push(format!("{name}: offers {names:?}"));
        }
        for fix in &offered {
            assert!(!fix.help.is_empty(), "{name}: {}", fix.name);
            let FixAct::Change(command) = &fix.act else { continue };
            let mut history = History::new(document.clone());
            history.commit(&fix.name, command).unwrap();
            assert_eq!(history.past().count(), 1);
            let (_, after) = bake(history.document());
            let left = after.iter().filter(|d| d.kind == issue.kind && d.element == issue.element);
            let still = left.filter(|d| (d.place[0] - place[0]).hypot(d.place[1] - place[1]) < 1.0).count();
            let errors =
                |list: &[Diagnostic]| list.iter().filter(|d| d.kind.severity() == Severity::Error).count();
            if still > 0 || errors(&after) > errors(&found) {
                faults.push(format!("{name}: after {}: {after:#?}", fix.name));
            }
            let changed = encode(history.document());
            history.undo();
            assert!(encode(history.document()) == before, "{name}: {} undone", fix.name);
            history.redo();
            assert!(encode(history.document()) == changed, "{name}: {} done again", fix.name);
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// What is walkable, by rays: independent of how outlines are cut.
fn filled(document: &Document) -> Vec<[i64; 2]> {
    let winds = |points: &[[f64; 2]], x: f64, z: f64| {
        let turn: f64 = (0..points.len())
            .map(|i| {
                let (a, b) = (points[i], points[(i + 1) % points.len()]);
                let (p, q) = ((a[1] - z).atan2(a[0] - x), (b[1] - z).atan2(b[0] - x));
                let turn = q - p;
                turn - (turn / std::f64::consts::TAU).round() * std::f64::consts::TAU
            })
            .sum();
        turn.abs() > 1.0
    };
    let mut inside = Vec::new();
    for i in -40..520_i64 {
        for j in -40..520_i64 {
            let (x, z) = (i as f64 * 0.037 + 0.0011, j as f64 * 0.037 + 0.0017);
            if document.areas.iter().any(|area| winds(&area.points, x, z)) {
                inside.push([i, j]);
            }
        }
    }
    inside
}

#[test]
fn a_split_fills_the_same_floor_with_outlines_that_pass_no_point_twice() {
    let maps = [
        ("nav walk 0 0 0 10 10 10 0 0 10", 2),
        // A pentagram, filled through its middle.
        ("nav walk 0 5 0 8 9 0.5 3.5 9.5 3.5 2 9", 1),
        // A loop within the outline: filled twice, kept once.
        ("nav walk 0 0 0 10 0 10 10 0 10 0 5 6 5 6 7 0 7", 1),
        // A ring with a court, drawn with a slit.
        ("nav walk 0 0 0 12 0 12 12 0 12 0 0 4 4 4 8 8 8 8 4 4 4", 2),
        // Three lobes in a row, with crossings off the thousandths.
        ("nav walk 0 0 0 4 3 7 0 11 3 11 0 7 3 4 0 0 3", 4),
        // Two parts that touch in a point that both draw.
        ("nav walk 0 0 0 4 0 4 4 8 4 8 8 4 8 4 4 0 4", 2),
    ];
    for (map, pieces) in maps {
        let document = open_text(map, "map.nav").unwrap().document;
        let (mesh, found) = bake(&document);
        let issue = found.iter().find(|d| d.kind == DiagnosticKind::OutlineCrossesItself).unwrap();
        let context = FixContext { document: &document, class: &document.classes[0], mesh: Some(&mesh.mesh) };
        let offered = fixes(&context, issue);
        let FixAct::Change(command) = &offered[0].act else { panic!("{offered:?}") };
        let next = project::apply(&document, command).unwrap();
        assert_eq!(next.areas.len(), pieces, "{map}: {:#?}", next.areas);
        for area in next.areas.iter() {
            let twice = area.points.iter().enumerate().any(|(i, p)| area.points[..i].contains(p));
            assert!(!twice, "{map}: {:?}", area.points);
        }
        assert!(filled(&document) == filled(&next), "{map}");
        let crossed = bake(&next).1.into_iter().find(|d| d.kind == DiagnosticKind::OutlineCrossesItself);
        assert_eq!(crossed, None, "{map}");
    }
}

#[test]
fn a_join_leaves_both_edges_with_the_same_two_points() {
    // The pier's corners lie inside the floor's edge, beyond it, and near its ends; straight and slanted.
    let maps = [
        "nav walk 0 0 0 20 0 20 20 0 20\nnav walk 0 20.05 5 30 5 30 9 20.05 9",
        "nav walk 0 0 0 20 0 20 20 0 20\nnav walk 0 20.05 -5 30 -5 30 29 20.05 29",
        "nav walk 0 0 0 20 0 20 20 0 20\nnav walk 0 20.05 0.02 30 0 30 20 20.05 19.98",
        "nav walk 0 0 0 20 10 10 20\nnav walk 0 6 2.95 16 7.95 22 1",
        "nav walk 0 0 0 20 0 20 20 0 20\nnav walk 3 20.05 5 30 5 30 9 20.03 9",
    ];
    for map in maps {
        let document = open_text(map, "map.nav").unwrap().document;
        let (mesh, found) = bake(&document);
        let issue = found
            .iter()
            .find(|d| d.kind == DiagnosticKind::MissedJoin)
            .unwrap_or_else(|| panic!("{map}: {found:?}"));
        let context = FixContext { document: &document, class: &document.classes[0], mesh: Some(&mesh.mesh) };
        let offered = fixes(&context, issue);
        let FixAct::Change(command) = &offered[0].act else { panic!("{offered:?}") };
        let next = project::apply(&document, command).unwrap();
        let [a, b] = [0, 1].map(|index| &next.areas[index].points);
        let edges = |points: &[[f64; 2]]| -> Vec<[[f64; 2]; 2]> {
            (0..points.len()).map(|i| [points[i], points[(i + 1) % points.len()]]).collect()
        };
        let shared =
            edges(a).into_iter().filter(|&[p, q]| edges(b).contains(&[q, p]) || edges(b).contains(&[p, q]));
        // On a straight edge the longer one need not have the points: then they lie on it.
        let on = |p: &[f64; 2]| p[0] == 20.0;
        assert!(shared.count() > 0 || b.iter().filter(|p| on(p)).count() == 2, "{map}: {a:?} {b:?}");
        let left = bake(&next).1.into_iter().find(|d| d.kind == DiagnosticKind::MissedJoin);
        assert_eq!(left, None, "{map}");
    }
}

#[test]
fn a_bake_that_fails_whole_is_repaired_by_the_setting_that_it_names() {
    let with = |change: fn(&mut NavSettings)| {
        let mut settings = NavSettings::default();
        change(&mut settings);
        let document = open_text("nav walk 0 0 0 20 0 20 20 0 20", "map.nav").unwrap().document;
        project::apply(&document, &Command::SetSettings(Box::new(settings))).unwrap()
    };
    let mut wide = with(|_| ());
    let class = project::AgentClass { radius: f32::MAX, ..(*wide.classes[0]).clone() };
    wide = project::apply(&wide, &Command::SetClass(class)).unwrap();
    for document in [with(|s| s.snap_bits = 20), with(|s| s.flags = 256), wide] {
        let class = &document.classes[0];
        let bake = |document: &Document| {
            let settings = document.bake_settings(&document.classes[0]);
            bake_mesh(&document.flat_input(), &settings, &BakeOptions::default())
        };
        let failure = bake(&document).unwrap_err();
        let offered = fixes_of_failure(&document, class, &failure);
        assert!(!offered.is_empty(), "{failure}");
        for fix in offered {
            let FixAct::Change(command) = &fix.act else { panic!("{fix:?}") };
            bake(&project::apply(&document, command).unwrap()).unwrap();
        }
    }
}

/// What a flat bake can do is no answer to a voxel bake that failed.
#[test]
fn a_voxel_bake_that_failed_is_offered_settings_that_it_can_bake() {
    let with = |change: fn(&mut NavSettings), radius: f32, has_geometry: bool| {
        let mut document = Document::default();
        let mut settings = (*document.settings).clone();
        change(&mut settings);
        document = project::apply(&document, &Command::SetSettings(Box::new(settings))).unwrap();
        let class = project::AgentClass { radius, ..(*document.classes[0]).clone() };
        document = project::apply(&document, &Command::SetClass(class)).unwrap();
        if has_geometry {
            let item = project::Geometry::new(project::GeometryId(1), "hall.obj");
            document = project::apply(&document, &Command::SetGeometry(item)).unwrap();
        }
        document
    };
    let coarse: fn(&mut NavSettings) = |settings| (settings.tile_size, settings.cell_size) = (0.25, 100.0);
    for has_geometry in [false, true] {
        for document in [with(coarse, 0.0, has_geometry), with(|_| (), 1e9, has_geometry)] {
            let bake = |document: &Document| {
                let settings = document.bake_settings(&document.classes[0]);
                bake_voxel_mesh(&VoxelInput::default(), &settings, &BakeOptions::default())
            };
            let failure = bake(&document).unwrap_err();
            let offered = fixes_of_failure(&document, &document.classes[0], &failure);
            assert!(!offered.is_empty(), "{failure}");
            for fix in offered {
                let FixAct::Change(command) = &fix.act else { panic!("{fix:?}") };
                let repaired = project::apply(&document, command).unwrap();
                bake(&repaired).unwrap_or_else(|error| panic!("{}: {error}", fix.name));
            }
        }
    }
}
