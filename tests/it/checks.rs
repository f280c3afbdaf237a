//! Area types, pinned checks and hidden issues: in the file, as commands, after a bake.

use navwright::bake::{BakeOptions, DiagnosticKind, bake_mesh};
use navwright::project::file::{decode, encode};
use navwright::project::{
    self, AgentClass, AreaId, AreaType, CheckId, ClassId, Command, Document, HiddenIssue, PathCheck, Wanted,
    apply, differences, open_text, run_checks,
};

fn check(id: u64, wanted: Wanted, longest: Option<f64>) -> PathCheck {
    PathCheck {
        id: CheckId(id),
        name: format!("way {id}"),
        class: None,
        start: [1.0, 1.0],
        start_level: 0,
        start_y: None,
        end: [9.0, 1.0],
        end_level: 0,
        end_y: None,
        wanted,
        longest,
    }
}

fn with(document: &Document, commands: Vec<Command>) -> Document {
    apply(document, &Command::Several(commands)).unwrap()
}

fn floor() -> Document {
    open_text("nav walk 0 0 0 10 0 10 10 0 10", "map").unwrap().document
}

#[test]
fn the_sections_are_laid_out_for_people_and_come_back() {
    let hidden =
        HiddenIssue { kind: DiagnosticKind::Island, level: -2, place: [1.5, -0.25], area: None, link: None };
    let document = with(
        &floor(),
        vec![
            Command::SetAreaType(AreaType {
                number: 7,
                name: "mud \"deep\"".to_owned(),
                color: [1, 2, 255],
                cost: 2.5,
            }),
            Command::SetAreaType(AreaType::new(2)),
            Command::SetCheck(check(9, Wanted::NoPath, None)),
            Command::SetCheck(PathCheck { class: Some(ClassId(1)), ..check(3, Wanted::Path, Some(40.25)) }),
            Command::HideIssues(vec![hidden, HiddenIssue { area: Some(AreaId(5)), ..hidden }, hidden]),
        ],
    );
    let text = encode(&document);
    let expected = "    area_types: [
        (number: 2, name: \"type 2\", color: \"#e69f00\", cost: 1),
        (number: 7, name: \"mud \\\"deep\\\"\", color: \"#0102ff\", cost: 2.5),
    ],
    checks: [
        (
            id: 0x0000000000000003,
            name: \"way 3\",
            class: 0x0000000000000001,
            start: (1, 1),
            start_level: 0,
            end: (9, 1),
            end_level: 0,
            wanted: path,
            longest: 40.25,
        ),
        (
            id: 0x0000000000000009,
            name: \"way 9\",
            start: (1, 1),
            start_level: 0,
            end: (9, 1),
            end_level: 0,
            wanted: no_path,
        ),
    ],
    hidden_issues: [
        (kind: \"island\", level: -2, at: (1.5, -0.25)),
        (kind: \"island\", level: -2, at: (1.5, -0.25), area: 0x0000000000000005),
    ],
)
";
    assert!(text.ends_with(expected), "{text}");
    let read = decode(&text, "p").unwrap();
    assert_eq!(read, document);
    assert!(encode(&read) == text);
    assert_eq!(
        differences(&floor(), &document),
        ["2 area types added", "2 checks added", "hidden issues changed"]
    );
    // A map without them has none of the sections.
    assert!(!encode(&floor()).contains("checks"));
}

#[test]
fn faults_are_named_at_their_line() {
    let text = |section: &str| format!("Project(\n    version: 2,\n    {section}\n)");
    for (section, line, what) in [
        ("area_types: [(number: 64)],", 3, "64, but must be 0 to 63"),
        (
            "area_types: [(number: 1, cost: -1)],",
            3,
            "the cost of area type 1 is -1, but must be 0 to 1000000",
        ),
        ("area_types: [(number: 1, color: \"red\")],", 3, "must be like \"#0072b2\""),
        ("area_types: [(number: 1), (number: 1)],", 3, "area type 1 is in the list twice"),
        ("area_types: [(number: 1, price: 2)],", 3, "price"),
        (
            "checks: [(id: 1, start: (0, 0), start_level: 0, end: (1, 1), end_level: 0, wanted: maybe)],",
            3,
            "maybe",
        ),
        (
            "checks: [(id: 1, start: (0, 0), start_level: 0, end: (1, 1), end_level: 0, wanted: path, longest: 0)],",
            3,
            "the longest length of check \"\" is 0, but must be above 0",
        ),
        (
            "checks: [(id: 1, start: (0, 3e6), start_level: 0, end: (1, 1), end_level: 0, wanted: path)],",
            3,
            "must lie strictly between",
        ),
        (
            "checks: [(id: 1, class: 0x0000000000000009, start: (0, 0), start_level: 0, end: (1, 1), end_level: 0, wanted: path)],",
            3,
            "agent class 0000000000000009, which is not there",
        ),
        ("hidden_issues: [(kind: \"bad hair\", level: 0, at: (0, 0))],", 3, "no issue of kind \"bad hair\""),
        ("hidden_issues: [(kind: \"island\", level: 0, at: (0, 1e9))],", 3, "must lie strictly between"),
    ] {
        let error = decode(&text(section), "p").unwrap_err().to_string();
        assert!(error.starts_with(&format!("p:{line}:")) && error.contains(what), "{section}: {error}");
    }
}

#[test]
fn commands_refuse_what_is_not_there() {
    let document = floor();
    for (command, what) in [
        (Command::RemoveAreaType(3), "area type 3 has no entry"),
        (Command::RemoveChecks(vec![CheckId(3)]), "there is no check 0000000000000003"),
        (
            Command::SetCheck(PathCheck { class: Some(ClassId(8)), ..check(1, Wanted::Path, None) }),
            "there is no agent class 0000000000000008",
        ),
        (Command::SetAreaType(AreaType { cost: f64::NAN, ..AreaType::new(1) }), "is NaN, but must be 0 to"),
    ] {
        assert!(apply(&document, &command).unwrap_err().to_string().contains(what), "{command:?}");
    }
    // What changes nothing keeps the pointer.
    let typed = with(&document, vec![Command::SetAreaType(AreaType::new(1))]);
    assert!(with(&typed, vec![Command::SetAreaType(AreaType::new(1))]).ptr_eq(&typed));
    // A class takes the checks that are asked of it alone.
    let second = AgentClass { id: ClassId(2), name: "giant".to_owned(), ..AgentClass::default() };
    let two = with(
        &document,
        vec![
            Command::AddClass(second),
            Command::SetCheck(check(1, Wanted::Path, None)),
            Command::SetCheck(PathCheck { class: Some(ClassId(2)), ..check(2, Wanted::Path, None) }),
        ],
    );
    let one = with(&two, vec![Command::RemoveClass(ClassId(2))]);
    assert_eq!(one.checks.iter().map(|check| check.id.0).collect::<Vec<_>>(), [1]);
}

#[test]
fn checks_are_answered_with_numbers() {
    // The straight way is 8 long.
    let document = with(
        &floor(),
        vec![
            Command::SetCheck(check(1, Wanted::Path, None)),
            Command::SetCheck(check(2, Wanted::Path, Some(8.0))),
            Command::SetCheck(check(3, Wanted::Path, Some(7.9))),
            Command::SetCheck(check(4, Wanted::NoPath, None)),
            Command::SetCheck(PathCheck { end_level: 3, ..check(5, Wanted::Path, None) }),
            Command::SetCheck(PathCheck { end_level: 3, ..check(6, Wanted::NoPath, None) }),
        ],
    );
    let class = &document.classes[0];
    let (mesh, _) =
        bake_mesh(&document.flat_input(), &document.bake_settings(class), &BakeOptions::default()).unwrap();
    let answers = run_checks(&document, class, &mesh.mesh);
    let passed: Vec<bool> = answers.iter().map(|answer| answer.passed).collect();
    assert_eq!(passed, [true, true, false, false, false, true]);
    assert!(answers[2].message.contains("8.000 squares long") && answers[2].message.contains("at most 7.9"));
    assert!(answers[3].message.contains("there must be none"));
    assert!(answers[4].message.contains("lies off the mesh"), "{}", answers[4].message);
    assert_eq!(answers[0].length.map(|length| (length * 1e6).round() / 1e6), Some(8.0));
}

#[cfg(feature = "cli")]
#[test]
fn bake_and_check_run_them_and_end_with_1_when_one_fails() {
    use crate::cli::Bench;
    let good = with(&floor(), vec![Command::SetCheck(check(1, Wanted::Path, Some(9.0)))]);
    let bad = with(&good, vec![Command::SetCheck(check(2, Wanted::NoPath, None))]);
    let bench = Bench::new();
    bench.with("good.nav.ron", encode(&good)).with("bad.nav.ron", encode(&bad));
    let run = |args: &[&str]| {
        let ran = bench.command(args).output().unwrap();
        (ran.status.code(), String::from_utf8(ran.stdout).unwrap())
    };
    let (code, text) = run(&["check", "good.nav.ron"]);
    assert_eq!(code, Some(0));
    assert!(text.contains("check passed: \"way 1\" from 1,1,0 to 9,1,0: 8.000 squares, at most 9"), "{text}");
    assert!(text.ends_with("1 check, 0 failed\n"), "{text}");
    let (code, text) = run(&["check", "bad.nav.ron", "--json"]);
    assert_eq!(code, Some(1));
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((json["checks"].as_u64(), json["failed"].as_u64()), (Some(2), Some(1)));
    assert_eq!(json["classes"][0]["checks"][1]["passed"], false);
    assert_eq!(json["classes"][0]["checks"][1]["wanted"], "no_path");
    let (code, text) = run(&["bake", "bad.nav.ron", "-o", "bad.onnm"]);
    assert_eq!(code, Some(1));
    assert!(text.contains("check failed: \"way 2\"") && text.contains("there must be none"), "{text}");
    assert!(bench.file("bad.onnm").exists(), "the file is written all the same");
    let (code, text) = run(&["bake", "good.nav.ron", "-o", "good.onnm", "--json"]);
    assert_eq!(code, Some(0));
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["checks"][0]["passed"], true);
    // A height of its own is told where there is one, and only there.
    let tall = PathCheck { start_y: Some(0.25), ..check(1, Wanted::Path, None) };
    bench.with("tall.nav.ron", encode(&with(&floor(), vec![Command::SetCheck(tall)])));
    let (code, text) = run(&["check", "tall.nav.ron"]);
    assert_eq!(code, Some(0));
    assert!(text.contains("from 1,1,0 at height 0.25 to 9,1,0: 8.000 squares"), "{text}");
    let (_, text) = run(&["check", "tall.nav.ron", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let told = &json["classes"][0]["checks"][0];
    assert_eq!(told["start"], serde_json::json!({ "x": 1.0, "z": 1.0, "level": 0, "y": 0.25 }));
    assert_eq!(told["end"], serde_json::json!({ "x": 9.0, "z": 1.0, "level": 0 }));
    // A map without checks passes.
    bench.with("plain.nav.ron", encode(&floor()));
    assert_eq!(run(&["check", "plain.nav.ron"]), (Some(0), "0 checks, 0 failed\n".to_owned()));
    assert_eq!(run(&["check", "missing.nav.ron"]).0, Some(2));
}

#[test]
fn a_hidden_issue_is_found_again_where_it_was() {
    let document =
        open_text("nav walk 0 0 0 10 0 10 10 0 10\nnav hole 0 30 5 34 5 34 9", "map").unwrap().document;
    let bake = |document: &Document| {
        let settings = document.bake_settings(&document.classes[0]);
        bake_mesh(&document.flat_input(), &settings, &BakeOptions::default()).unwrap().1.diagnostics
    };
    let issue = bake(&document).remove(0);
    assert!(!document.hides(&issue));
    let hidden = HiddenIssue::of(&document, &issue);
    let next = with(&document, vec![Command::HideIssues(vec![hidden])]);
    assert!(next.hides(&bake(&next)[0]));
    // It stays hidden when the hole moves a little, not when it goes elsewhere.
    let moved = |by: f64| {
        let mut hole = (*next.areas[1]).clone();
        hole.points.iter_mut().for_each(|point| point[0] += by);
        with(&next, vec![Command::SetAreas(vec![hole])])
    };
    assert!(moved(0.3).hides(&bake(&moved(0.3))[0]) && !moved(3.0).hides(&bake(&moved(3.0))[0]));
    let shown = with(&next, vec![Command::ShowIssues(vec![hidden])]);
    assert_eq!(shown, document);
    assert_eq!(project::file::decode(&encode(&next), "p").unwrap(), next);
}
