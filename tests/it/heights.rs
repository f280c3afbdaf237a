//! Places with heights of their own: floors of one level over each other, in the file, as commands, after a bake.

use std::collections::BTreeMap;
use std::sync::Arc;

use navwright::bake::{BakeOptions, BakeReport, DiagnosticKind, bake_mesh, bake_voxel_mesh};
use navwright::format::NavMesh;
use navwright::project::file::{decode, encode};
use navwright::project::fix::{FixAct, FixContext, fixes};
use navwright::project::{
    CheckId, Command, Document, History, Level, Link, PathCheck, Spot, Wanted, apply, changes,
    farthest_above, find_path, floor_of, floors_over, load_geometry, merge, open_text, run_checks,
    voxel_input,
};
use navwright::query::{PathScratch, PathStatus, QueryFilter, farthest_beside};

use crate::project::{after, link};
use crate::support::root;

/// A hall of 30 by 20 with a gallery at 3.2 over z 15 to 20, all of it one file on level 0; level 1 is at 3.2.
fn hall() -> Document {
    decode(&std::fs::read_to_string(root().join("assets/hall.nav.ron")).unwrap(), "hall").unwrap()
}

fn baked(document: &Document) -> NavMesh {
    let settings = document.bake_settings(&document.classes[0]);
    let meshes = load_geometry(document, &root().join("assets")).unwrap().meshes;
    let (input, _) = voxel_input(document, &settings, meshes).unwrap();
    bake_voxel_mesh(&input, &settings, &BakeOptions::default()).unwrap().0
}

fn spot(at: [f64; 2], level: i8, y: Option<f64>) -> Spot {
    Spot { at, level, y }
}

fn check(wanted: Wanted, start: Spot, end: Spot) -> PathCheck {
    let (at, level) = ([0.0; 2], 0);
    let check = PathCheck {
        id: CheckId(7),
        name: "way".to_owned(),
        class: None,
        start: at,
        start_level: level,
        start_y: None,
        end: at,
        end_level: level,
        end_y: None,
        wanted,
        longest: None,
    };
    check.between(start, end)
}

fn answer(document: &Document, mesh: &NavMesh, check: PathCheck) -> (bool, String) {
    let document = after(document, [Command::SetCheck(check)]);
    let answer = run_checks(&document, &document.classes[0], &mesh.mesh).remove(0);
    (answer.passed, answer.message)
}

#[test]
fn a_height_takes_the_storey_that_is_meant_and_without_one_the_level_s_elevation_does() {
    let (document, mut scratch, filter) = (hall(), PathScratch::default(), QueryFilter::default());
    let mesh = baked(&document).mesh;
    let near = |found: f64, wanted: f64| (found - wanted).abs() <= farthest_above(mesh.params());
    let under = [21.0, 18.0];
    let over = floors_over(&mesh, under, None, &filter, &mut scratch).unwrap();
    assert_eq!(over.len(), 2, "{over:?}");
    assert!(near(over[0].position[1], 0.0) && near(over[1].position[1], 3.2), "{over:?}");
    // A row of places, some of them in the margin at the wall that both storeys share.
    for z in [16.5, 18.0, 19.4, 19.8, 19.99] {
        for (level, y, wanted) in
            [(0, None, 0.0), (1, None, 3.2), (0, Some(3.2), 3.2), (1, Some(0.0), 0.0), (0, Some(2.9), 3.2)]
        {
            let asked = spot([21.0, z], level, y);
            let found = floor_of(&document, &mesh, &asked, 32.0, &filter, &mut scratch).unwrap().unwrap();
            assert!(near(found.position[1], wanted), "{asked:?}: {found:?}");
            assert!(found.distance <= farthest_beside(mesh.params()), "{asked:?}: {found:?}");
        }
    }
    // On the floor below it is about the straight way; up to the gallery it leads over the stair.
    let from = spot([15.6, 8.7], 0, None);
    let straight = (under[0] - 15.6).hypot(under[1] - 8.7);
    let mut length = |to: Spot| {
        let found = find_path(&document, &mesh, [&from, &to], &filter, &mut scratch).unwrap();
        assert!(found.exists(), "{found:?}");
        found.path.length
    };
    for below in [spot(under, 0, None), spot(under, 0, Some(0.0)), spot(under, 1, Some(0.1))] {
        let length = length(below);
        assert!(straight <= length + 1e-9 && length <= 1.1 * straight, "{length} {straight}");
    }
    for above in [spot(under, 1, None), spot(under, 0, Some(3.2))] {
        assert!(length(above) > 1.5 * straight);
    }
}

#[test]
fn checks_ask_of_the_storey_that_they_name() {
    let document = hall();
    let mesh = baked(&document);
    let (from, under) = (spot([15.6, 8.7], 0, None), [21.0, 18.0]);
    let limited = |end: Spot| PathCheck { longest: Some(13.0), ..check(Wanted::Path, from, end) };
    let (passed, message) = answer(&document, &mesh, limited(spot(under, 0, Some(0.0))));
    assert!(passed, "{message}");
    let (passed, message) = answer(&document, &mesh, limited(spot(under, 0, Some(3.2))));
    assert!(!passed && message.contains("squares long"), "{message}");
    // Between the storeys there is no floor: neither is meant.
    let (passed, message) = answer(&document, &mesh, check(Wanted::Path, from, spot(under, 0, Some(1.7))));
    assert!(
        !passed && message.contains("the end lies") && message.contains("the nearest floor"),
        "{message}"
    );
    let (passed, message) = answer(&document, &mesh, check(Wanted::NoPath, from, spot(under, 0, Some(1.7))));
    assert!(passed && message.contains("as it must be"), "{message}");
    // Far below everything not even the nearest is looked at.
    let (passed, message) = answer(&document, &mesh, check(Wanted::Path, spot(under, 0, Some(-900.0)), from));
    assert!(!passed && message.contains("the start") && message.contains("at height -900"), "{message}");
}

#[test]
fn an_end_off_the_mesh_fails_a_check_from_the_bound_on() {
    let document = open_text("nav walk 0 0 0 10 0 10 10 0 10", "map").unwrap().document;
    let class = &document.classes[0];
    let settings = document.bake_settings(class);
    let (mesh, _) = bake_mesh(&document.flat_input(), &settings, &BakeOptions::default()).unwrap();
    let limit = std::f64::consts::SQRT_2 * f64::from(class.radius) + 2.0 * settings.cell_size;
    assert_eq!(farthest_beside(mesh.mesh.params()), limit);
    // The mesh ends where the agent's middle can be.
    let rim = 10.0 - f64::from(class.radius);
    let from = spot([1.0, 5.0], 0, None);
    let to = |away: f64| spot([rim + away, 5.0], 0, None);
    for (away, passes) in [(0.0, true), (limit - 0.02, true), (limit + 0.02, false), (21.0, false)] {
        let (passed, message) = answer(&document, &mesh, check(Wanted::Path, from, to(away)));
        assert_eq!(passed, passes, "{away}: {message}");
        assert_eq!(message.contains("off the mesh"), away > 0.0, "{away}: {message}");
        let (passed, message) = answer(&document, &mesh, check(Wanted::NoPath, from, to(away)));
        assert_eq!(passed, !passes, "{away}: {message}");
    }
    // The start as well; and the path between the nearest floors is told.
    let (passed, message) = answer(&document, &mesh, check(Wanted::Path, to(21.0), from));
    assert!(!passed && message.contains("the start lies 21.0"), "{message}");
    assert!(message.contains("there is one of"), "{message}");
}

#[test]
fn a_link_with_heights_joins_storeys_and_stays_when_levels_are_raised() {
    let mut document = hall();
    let ids = document.links.iter().map(|link| link.id).collect();
    document = after(&document, [Command::RemoveLinks(ids)]);
    let leap = Link { radius: 0.5, bidirectional: true, ..link(9) };
    let leap = leap.starting_at(spot([10.0, 16.0], 0, Some(3.2))).ending_at(spot([10.0, 13.0], 0, None));
    let with = |link: &Link| after(&document, [Command::AddLinks(vec![link.clone()])]);
    let troubles = |document: &Document| {
        let settings = document.bake_settings(&document.classes[0]);
        let meshes = load_geometry(document, &root().join("assets")).unwrap().meshes;
        let (input, _) = voxel_input(document, &settings, meshes).unwrap();
        let (mesh, report) = bake_voxel_mesh(&input, &settings, &BakeOptions::default()).unwrap();
        let of_links = [DiagnosticKind::LinkStartUnattached, DiagnosticKind::LinkEndUnattached];
        let count = report.diagnostics.iter().filter(|found| of_links.contains(&found.kind)).count();
        (mesh, count)
    };
    let joined = with(&leap);
    let (mesh, count) = troubles(&joined);
    assert_eq!(count, 0);
    let (filter, mut scratch) = (QueryFilter::default(), PathScratch::default());
    let (up, down) = (spot([10.0, 17.0], 0, Some(3.2)), spot([10.0, 12.0], 0, Some(0.0)));
    let found = find_path(&joined, &mesh.mesh, [&up, &down], &filter, &mut scratch).unwrap();
    // 5 straight ahead; by the stair it is far.
    assert!(found.exists() && (found.path.length - 5.0).abs() < 0.2, "{found:?}");
    assert!(found.path.points.iter().any(|point| point.link.is_some()));
    // Level 0 raised: the own height stays, the end moves along.
    let raised = Level { elevation: 0.25, ..Level::new(0) };
    let raised = after(&joined, [Command::SetLevel(raised)]);
    let authored = &raised.bake_settings(&raised.classes[0]).links[0];
    assert_eq!((authored.start, authored.end), ([10.0, 3.2, 16.0], [10.0, 0.25, 13.0]));
    // Another height is another fingerprint, the level's own as a height is not.
    let print =
        |link: &Link| with(link).bake_settings(&document.classes[0]).to_params().unwrap().fingerprint();
    let written = leap.clone().ending_at(spot([10.0, 13.0], 0, Some(0.0)));
    assert_eq!(print(&leap), print(&written));
    assert_ne!(print(&leap), print(&leap.clone().ending_at(spot([10.0, 13.0], 0, Some(0.5)))));
}

#[test]
fn files_without_heights_are_as_before_and_those_with_come_back() {
    let text = std::fs::read_to_string(root().join("assets/hall.nav.ron")).unwrap();
    assert_eq!(encode(&hall()), text, "no byte changes");
    assert!(!text.contains("_y:"));
    let tall = Link { start_y: Some(3.2), end_y: Some(-0.0), ..link(3) };
    let asked = PathCheck {
        start_y: Some(-1.5),
        ..check(Wanted::Path, spot([1.0, 2.0], 0, None), spot([3.0, 4.0], 1, None))
    };
    let document = after(&hall(), [Command::AddLinks(vec![tall]), Command::SetCheck(asked)]);
    let text = encode(&document);
    for part in [
        "start: (0, 0),\n            start_level: 0,\n            start_y: 3.2,\n            end: (4, 0),\n            end_level: 0,\n            end_y: 0,\n            radius: 0.5,",
        "start: (1, 2),\n            start_level: 0,\n            start_y: -1.5,\n            end: (3, 4),\n            end_level: 1,\n            wanted: path,",
    ] {
        assert!(text.contains(part), "{text}");
    }
    let read = decode(&text, "p").unwrap();
    assert_eq!(read, document);
    assert_eq!(encode(&read), text);
    let words = changes(&hall(), &document);
    assert_eq!(words.len(), 2, "{words:?}");
}

#[test]
fn heights_beyond_the_world_are_refused_by_name() {
    for (value, shown) in [("NaN", "NaN"), ("1e300", "1000000"), ("inf", "inf"), ("-2097152", "-2097152")] {
        for (field, end) in [("start_y", "start"), ("end_y", "end")] {
            let heights = |own: &str| if field == own { format!(" {own}: {value},") } else { String::new() };
            let (start, last) = (heights("start_y"), heights("end_y"));
            let ends = format!("start: (0, 0), start_level: 0,{start} end: (1, 1), end_level: 0,{last}");
            let rest = "radius: 0.5, bidirectional: true, area: 0, flags: 1, user_id: 0";
            for (section, thing) in [
                (format!("links: [(id: 1, name: \"leap\", {ends} {rest})],"), "link \"leap\""),
                (format!("checks: [(id: 1, name: \"way\", {ends} wanted: path)],"), "check \"way\""),
            ] {
                let text = format!("Project(\n    version: 2,\n    {section}\n)");
                let error = decode(&text, "p").unwrap_err().to_string();
                let what = format!("height of the {end} of {thing} is {shown}");
                assert!(error.starts_with("p:3:") && error.contains(&what), "{value}: {error}");
                assert!(error.contains("must lie strictly between"), "{error}");
            }
        }
    }
    for y in [f64::NAN, f64::INFINITY, 1e300, -2_097_152.0] {
        let tall = Link { end_y: Some(y), ..link(1) };
        let error = apply(&hall(), &Command::AddLinks(vec![tall])).unwrap_err().to_string();
        assert!(error.contains("height of the end of link \"link 1\""), "{error}");
        let asked = check(Wanted::Path, spot([0.0; 2], 0, Some(y)), spot([1.0; 2], 0, None));
        let error = apply(&hall(), &Command::SetCheck(asked)).unwrap_err().to_string();
        assert!(error.contains("height of the start of check \"way\""), "{error}");
    }
    // At the bound itself nothing overflows.
    let (filter, mut scratch, far) = (QueryFilter::default(), PathScratch::default(), 2_097_151.9);
    let mesh = baked(&hall()).mesh;
    let ends = [spot([far, -far], 0, Some(far)), spot([0.0; 2], 0, Some(-far))];
    let found = find_path(&hall(), &mesh, [&ends[0], &ends[1]], &filter, &mut scratch).unwrap();
    assert_eq!(found.path.status, PathStatus::None);
}

#[test]
fn heights_merge_by_link_and_are_taken_back() {
    let base = after(&hall(), [Command::AddLinks(vec![link(3), link(4)])]);
    let tall = Link { start_y: Some(3.2), ..link(3) };
    let mine = after(&base, [Command::SetLinks(vec![tall.clone()])]);
    let theirs = after(&base, [Command::SetLinks(vec![Link { end_y: Some(1.0), ..link(4) }])]);
    let merged = merge(Some(&base), &mine, &theirs, &BTreeMap::new()).unwrap();
    assert!(merged.conflicts.is_empty(), "{:?}", merged.conflicts);
    let heights = |document: &Document, id: u64| {
        let link = document.links.iter().find(|link| link.id.0 == id).unwrap();
        (link.start_y, link.end_y)
    };
    assert_eq!(heights(&merged.document, 3), (Some(3.2), None));
    assert_eq!(heights(&merged.document, 4), (None, Some(1.0)));
    let other = after(&base, [Command::SetLinks(vec![Link { start_y: Some(2.0), ..link(3) }])]);
    let merged = merge(Some(&base), &mine, &other, &BTreeMap::new()).unwrap();
    assert_eq!(merged.conflicts.len(), 1);

    let mut history = History::new(base);
    let before = Arc::clone(&history.document().links);
    history.commit("Lift", &Command::SetLinks(vec![tall])).unwrap();
    assert_eq!(heights(history.document(), 3), (Some(3.2), None));
    assert!(history.undo().is_some());
    assert!(Arc::ptr_eq(&history.document().links, &before));
}

#[test]
fn an_end_between_storeys_is_moved_to_the_nearer_one_by_its_fix() {
    let ids = hall().links.iter().map(|link| link.id).collect();
    let lost = link(9).starting_at(spot([10.0, 16.5], 0, Some(2.0))).ending_at(spot([10.0, 12.0], 0, None));
    let document = after(&hall(), [Command::RemoveLinks(ids), Command::AddLinks(vec![lost])]);
    let bake = |document: &Document| {
        let settings = document.bake_settings(&document.classes[0]);
        let meshes = load_geometry(document, &root().join("assets")).unwrap().meshes;
        let (input, _) = voxel_input(document, &settings, meshes).unwrap();
        bake_voxel_mesh(&input, &settings, &BakeOptions::default()).unwrap()
    };
    let (mesh, report) = bake(&document);
    let of_start = |report: &BakeReport| {
        report.diagnostics.iter().find(|found| found.kind == DiagnosticKind::LinkStartUnattached).cloned()
    };
    let issue = of_start(&report).expect("it hangs between the storeys");
    let context = FixContext { document: &document, class: &document.classes[0], mesh: Some(&mesh.mesh) };
    let offered = fixes(&context, &issue);
    let fix = offered.iter().find(|fix| fix.name.starts_with("Move the start to 10, 16.5 at height 3."));
    let Some(FixAct::Change(command)) = fix.map(|fix| &fix.act) else { panic!("{offered:?}") };
    let mended = apply(&document, command).unwrap();
    let found = &mended.links[0];
    assert!((found.start_y.unwrap() - 3.2).abs() < 0.4 && found.start_level == 0, "{found:?}");
    assert_eq!(of_start(&bake(&mended).1), None);
}
