//! The project file: layout, round trips, faults with their place, saving; and telling files apart.

use std::fs;
use std::path::Path;

use navwright::format::NavSettings;
use navwright::project::file::{FileError, decode, encode, load, save};
use navwright::project::{self, AgentClass, AreaId, Command, Document, Link};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::project::{after, area, check_invariants, class, full, link, three_areas};

#[test]
fn the_file_is_laid_out_for_people() {
    let document = after(
        &Document::default(),
        [Command::AddAreas(vec![area(0xA1)]), Command::AddLinks(vec![Link { radius: 0.25, ..link(7) }])],
    );
    let text = encode(&document);
    let (_, after_settings) = text.split_once("    ),\n").unwrap();
    let expected = r#"    classes: [
        (
            id: 0x0000000000000001,
            order: 10,
            name: "agent",
            agent_radius: 0,
            agent_height: 2,
            walkable_climb: 0.5,
            agent_max_slope: 45,
        ),
    ],
    levels: [
        (number: 0, name: "ground", elevation: 0),
    ],
    areas: [
        (
            id: 0x00000000000000a1,
            order: 10,
            name: "area 161",
            kind: walk,
            level: 0,
            points: [(0, 0), (4, 0), (4, 3)],
        ),
    ],
    links: [
        (
            id: 0x0000000000000007,
            name: "link 7",
            start: (0, 0),
            start_level: 0,
            end: (4, 0),
            end_level: 0,
            radius: 0.25,
            bidirectional: false,
            area: 0,
            flags: 1,
            user_id: 0,
        ),
    ],
)
"#;
    assert_eq!(after_settings, expected);
    assert!(
        text.starts_with("Project(\n    version: 2,\n    settings: (\n        origin: (0, 0, 0),\n"),
        "{text}"
    );
}

#[test]
fn decoding_gives_the_document_back() {
    let document = full();
    let text = encode(&document);
    let back = decode(&text, "p").unwrap();
    assert_eq!(back, document);
    assert_eq!(encode(&back), text);
    assert!(!text.contains("-0,") && !text.contains("-0)") && !text.contains("-0.0,"), "{text}");
    check_invariants(&back);
}

#[test]
fn what_may_be_left_out_is_at_its_default() {
    assert_eq!(decode("(version: 1)", "p").unwrap(), Document::default());
    assert_eq!(decode("(version: 2)", "p").unwrap(), Document::default());
    let text = "// by hand\nProject(version: 1, settings: (cell_size: 0.5), levels: [(number: 2)], areas: [(id: 3, kind: \
                hole, level: -1, points: [(1, 2), (3, 4.5), (1_000, -0.0)], area_type: Some(2), flags: 7)],)";
    let document = decode(text, "p").unwrap();
    assert_eq!(*document.settings, NavSettings { cell_size: 0.5, ..NavSettings::default() });
    let levels: Vec<_> = document.levels.iter().map(|level| (level.number, level.elevation)).collect();
    assert_eq!(levels, [(-1, -3.0), (0, 0.0), (2, 6.0)]);
    let area = &document.areas[0];
    assert_eq!((area.id, area.area_type, area.flags), (AreaId(3), Some(2), Some(7)));
    assert_eq!(area.points, [[1.0, 2.0], [3.0, 4.5], [1000.0, 0.0]]);
    assert!(area.points[2][1].is_sign_positive());
}

#[test]
fn faults_in_a_project_are_named_with_their_line() {
    let area = "id: 3, kind: walk, level: 0, points: [(0, 0), (1, 0), (0, 1)]";
    let cases = [
        (String::new(), 1, "the text ends too early"),
        ("(version: 1, areas: [".to_owned(), 1, "the text ends too early: expected opening `(` for struct `Area`"),
        ("Project(version: 1,\n colour: 3)".to_owned(), 2, "unexpected field named `colour`"),
        ("Project(\nareas: [])".to_owned(), 2, "missing field named `version`"),
        ("(version: 0)".to_owned(), 1, "version is 0"),
        ("(version: 1)\n\n more".to_owned(), 3, "non-whitespace trailing characters"),
        (format!("(version: 1, areas: [\n({area}),\n({area}),\n])"), 3, "area 0000000000000003 is in the list twice"),
        (format!("(version: 1, areas: [\n({area},\nheight: 3)])"), 3, "unexpected field named `height`"),
        (
            "(version: 1, areas: [(id: 3, kind: walk, level: 0,\npoints: [(0, 0),\n(1, 2097152), (0, 1)])])".to_owned(),
            3,
            "this number is 2097152, but must lie strictly",
        ),
        (
            "(version: 1, areas: [(id: 3, kind: walk, level: 0,\npoints: [(0, 0), (1, NaN), (0, 1)])])".to_owned(),
            2,
            "this number is NaN, but must lie",
        ),
        ("(version: 1, areas: [(id: 3, kind: wall)])".to_owned(), 1, "unexpected variant named `wall`"),
        ("(version: 1, areas: [(id: 3, kind: walk, level: 300)])".to_owned(), 1, "level is 300, which is beyond the whole numbers"),
        (
            "(version: 1, areas: [(id: 3, kind: walk, level: 0,\npoints: [(0, 0), (1, 0)])])".to_owned(),
            2,
            "area 0000000000000003 has 2 points, an area needs 3",
        ),
        (format!("(version: 1, areas: [({area},\narea_type: 64)])"), 2, "this area type is 64, but must be 0 to 63"),
        (format!("(version: 1, areas: [({area}, surface: heights([1]))])"), 1, "the number of heights of"),
        (format!("(version: 1, areas: [({area}, order: 1000000000001)])"), 1, "this order is 1000000000001, but"),
        ("(version: 1, levels: [(number: 1),\n(number: 1)])".to_owned(), 2, "level 1 is in the list twice"),
        ("(version: 1, levels: [(number: 1, elevation: inf)])".to_owned(), 1, "this number is inf, but"),
        (
            "(version: 1, links: [(id: 1, start: (0, 0), start_level: 0, end: (0, 0), end_level: 0,\nradius: 0,"
                .to_owned(),
            2,
            "this radius is 0, but must be above 0",
        ),
        ("(version: 1, settings: (cell_siz: 3))".to_owned(), 1, "unexpected field named `cell_siz`"),
        ("(version: 1, settings: (agent_height: -1))".to_owned(), 1, "agent_height is -1"),
        ("(version: 1, classes: [])".to_owned(), 1, "unexpected field named `classes`"),
        ("(version: 2,\nsettings: (agent_radius: 0.5))".to_owned(), 2, "agent_radius stands in the settings; since version 2"),
        ("(version: 2,\nclasses: [])".to_owned(), 2, "a map has at least one agent class"),
        ("(version: 2, classes: [(id: 1, name: \"a\"),\n(id: 1, name: \"b\")])".to_owned(), 2, "agent class 0000000000000001 is in the list twice"),
        ("(version: 2, classes: [(id: 1, name: \"a\"),\n(id: 2, name: \"a\")])".to_owned(), 2, "two agent classes are called \"a\""),
        ("(version: 2, classes: [(id: 1, name: \"\")])".to_owned(), 1, "must not be empty"),
        ("(version: 2, classes: [(id: 1, name: \"12\")])".to_owned(), 1, "must not be a number"),
        ("(version: 2, classes: [(id: 1, name: \"a\", agent_max_slope: 91)])".to_owned(), 1, "agent_max_slope is 91"),
        ("(version: 2, classes: [(id: 1, name: \"a\", radius: 1)])".to_owned(), 1, "unexpected field named `radius`"),
    ];
    for (text, line, message) in cases {
        match decode(&text, "map.nav.ron") {
            Err(error @ FileError::Text { .. }) => {
                let shown = error.to_string();
                assert!(shown.starts_with(&format!("map.nav.ron:{line}:")), "{shown}\n{text}");
                assert!(shown.contains(message), "{shown}\nexpected {message}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn a_newer_version_is_refused_by_name() {
    for text in [
        "(version: 3)",
        "(areas: [(kind: stairs)], version: 3)",
        "Project(version: 3, agents: [(radius: 0.5)], areas: [(kind: stairs)])",
    ] {
        let error = decode(text, "map.nav.ron").unwrap_err();
        assert_eq!(error.to_string(), "map.nav.ron: project version 3, this program reads up to 2");
    }
}

/// Version 1 had one agent, in the settings: it becomes a class, and nothing else changes.
#[test]
fn a_project_of_version_1_opens_with_its_agent_as_the_only_class() {
    let text = "Project(
    version: 1,
    settings: (
        cell_size: 0.5,
        walkable_climb: 0.6,
        agent_radius: 0.35,
        agent_height: 1.8,
        agent_max_slope: 50,
    ),
    levels: [(number: 1, name: \"roof\", elevation: 4)],
    areas: [(id: 3, kind: walk, level: 1, points: [(0, 0), (1, 0), (0, 1)])],
    links: [(id: 4, start: (0, 0), start_level: 1, end: (2, 0), end_level: 0, radius: 1, bidirectional: true, area: 0, flags: 1)],
)";
    let document = decode(text, "p").unwrap();
    assert_eq!(*document.settings, NavSettings { cell_size: 0.5, ..NavSettings::default() });
    let class =
        AgentClass { radius: 0.35, height: 1.8, climb: 0.6, max_slope: 50.0, ..AgentClass::default() };
    assert_eq!((document.classes.len(), &*document.classes[0]), (1, &class));
    assert_eq!((document.areas.len(), document.links.len(), document.levels.len()), (1, 1, 2));
    // What is baked is what version 1 baked: settings with that agent.
    let settings = document.bake_settings(&class);
    let agent =
        [settings.agent_radius, settings.agent_height, settings.walkable_climb, settings.agent_max_slope];
    assert_eq!((agent, settings.cell_size), ([0.35, 1.8, 0.6, 50.0], 0.5));
    // It is written in version 2, with the same content each time.
    let written = encode(&document);
    assert!(written.contains("version: 2,") && written.contains("agent_radius: 0.35,"), "{written}");
    assert_eq!(decode(&written, "p").unwrap(), document);
    assert_eq!(encode(&decode(text, "p").unwrap()), written);
}

#[test]
fn classes_are_sorted_by_id_in_the_file_and_by_their_order_in_the_document() {
    let classes = [class(9, "brute"), class(4, "walker")].map(Command::AddClass);
    let document = after(&Document::default(), classes);
    let text = encode(&document);
    let places = ["agent", "walker", "brute"].map(|name| text.find(&format!("name: \"{name}\"")).unwrap());
    assert!(places.is_sorted(), "{text}");
    let names =
        |document: &Document| document.classes.iter().map(|class| class.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&decode(&text, "p").unwrap()), ["agent", "brute", "walker"]);
}

#[test]
fn a_text_cut_at_any_byte_is_an_error() {
    let text = encode(&full());
    let whole = text.trim_end().len();
    for cut in (0..whole).filter(|&cut| text.is_char_boundary(cut)) {
        match decode(&text[..cut], "p") {
            Err(FileError::Text { line, .. }) => assert!(line >= 1),
            other => panic!("cut at {cut}: {other:?}"),
        }
    }
}

#[test]
fn deep_nesting_is_refused() {
    for open in ["(", "[", "{", "Some(", "(a:", "[(", "/*"] {
        assert!(decode(&open.repeat(100_000), "p").is_err());
        assert!(decode(&format!("(version: 2, x: {}", open.repeat(100_000)), "p").is_err());
    }
}

#[test]
fn what_a_file_is_is_told_by_its_content() {
    use project::FileKind::{MapText, Project};
    let kind = |text: &str| project::open_text(text, "p").map(|opened| opened.kind);
    assert_eq!(kind("(version: 1)").unwrap(), Project);
    assert_eq!(kind("\n// mine\nProject (version: 1)").unwrap(), Project);
    assert_eq!(kind("/* mine */ (version: 1)").unwrap(), Project);
    assert_eq!(kind("#![enable(implicit_some)]\n(version: 1)").unwrap(), Project);
    assert_eq!(kind("# mine\n\nnav walk 0 0 0 1 0 1 1").unwrap(), MapText);
    assert_eq!(kind("# no area yet\n").unwrap(), MapText);
    let error = |text: &str| project::open_text(text, "p").unwrap_err().to_string();
    assert!(error("").starts_with("p: it is empty"));
    assert!(error("{\"a\": 1}").starts_with("p: it starts with \"{\\\"a\\\":\""), "{}", error("{\"a\": 1}"));
    assert!(error("nav walk 0 x").starts_with("p:1:12: found \"x\", expected a number"));
    assert!(error("(version: 7)").contains("project version 7"));
}

#[test]
fn saving_keeps_the_old_file_and_its_permissions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("map.nav.ron");
    let (first, second) = (three_areas(), full());
    save(&first, &path).unwrap();
    assert_eq!(load(&path).unwrap(), first);
    assert!(!folder.path().join("map.nav.ron.bak").exists());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    }
    save(&second, &path).unwrap();
    assert_eq!(load(&path).unwrap(), second);
    assert_eq!(load(&folder.path().join("map.nav.ron.bak")).unwrap(), first);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    }
    save(&first, &path).unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "no temporary file is left");
}

#[cfg(unix)]
#[test]
fn what_a_killed_save_left_is_swept_up_by_a_later_one() {
    let folder = tempfile::tempdir().unwrap();
    let long_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
    let put = |name: &str, old: bool| {
        let path = folder.path().join(name);
        let file = fs::File::create(&path).unwrap();
        if old {
            file.set_modified(long_ago).unwrap();
        }
        (path, file)
    };
    let (left, _) = put(".navwright-left.tmp", true);
    let (held, holder) = put(".navwright-held.tmp", true);
    holder.lock().unwrap();
    let (young, _) = put(".navwright-young.tmp", false);
    let (others, _) = put("mine.tmp", true);
    save(&Document::default(), &folder.path().join("map.nav.ron")).unwrap();
    assert!(!left.exists(), "nobody holds it");
    assert!(held.exists(), "another program is writing it");
    assert!(young.exists(), "its program may not have locked it yet");
    assert!(others.exists(), "it is not ours");
}

#[test]
fn saving_through_a_symbolic_link_keeps_it() {
    let folder = tempfile::tempdir().unwrap();
    let (real, link) = (folder.path().join("real.nav.ron"), folder.path().join("link.nav.ron"));
    save(&three_areas(), &real).unwrap();
    std::os::unix::fs::symlink("real.nav.ron", &link).unwrap();
    save(&full(), &link).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(load(&real).unwrap(), full());
}

#[test]
fn a_save_that_fails_leaves_the_old_file_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("map.nav.ron");
    save(&three_areas(), &path).unwrap();
    let before = fs::read(&path).unwrap();
    // Where the backup should go stands a folder with something in it.
    fs::create_dir_all(folder.path().join("map.nav.ron.bak/kept")).unwrap();
    let error = save(&full(), &path).unwrap_err().to_string();
    assert!(error.contains("map.nav.ron") && error.contains("map.nav.ron.bak"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), before);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "no temporary file is left");

    let missing = folder.path().join("no such folder").join("map.nav.ron");
    let in_file = path.join("map.nav.ron");
    for place in [missing.as_path(), in_file.as_path(), folder.path(), Path::new("/proc/map.nav.ron")] {
        let error = save(&full(), place).unwrap_err().to_string();
        assert!(error.starts_with(&format!("cannot save {}: ", place.display())), "{error}");
    }
    assert_eq!(fs::read(&path).unwrap(), before);
}

/// Root writes everywhere, so there the folder is no obstacle and nothing can be shown.
#[cfg(unix)]
#[test]
fn a_read_only_folder_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("map.nav.ron");
    save(&three_areas(), &path).unwrap();
    let before = fs::read(&path).unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(folder.path().join("probe"), "").is_ok() {
        eprintln!("SKIPPED: this user may write into a read-only folder");
        return;
    }
    let error = save(&full(), &path).unwrap_err().to_string();
    assert!(error.contains("map.nav.ron") && error.contains("ermission denied"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), before);
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn what_cannot_be_read_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let error = |path: &Path| project::open(path).unwrap_err().to_string();
    let missing = folder.path().join("none.nav.ron");
    assert!(error(&missing).starts_with(&format!("{}: ", missing.display())));
    assert!(error(folder.path()).starts_with(&format!("{}: ", folder.path().display())));
    let path = folder.path().join("x.nav.ron");
    fs::write(&path, b"(version: 1,\n\xff)").unwrap();
    assert!(error(&path).ends_with("x.nav.ron:2:1: byte 13 is 0xff, not UTF-8 text"), "{}", error(&path));
    fs::write(&path, b"ONNM\x01\0").unwrap();
    assert!(error(&path).contains("it is a baked mesh"), "{}", error(&path));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Bytes changed, dropped or doubled anywhere: an answer, never a panic, and what is read is sound.
    #[test]
    fn a_mangled_file_is_read_or_refused(
        edits in prop::collection::vec((any::<Index>(), 0..3, prop::sample::select("()[]{},:\"'0-9eE.xNif_/*# \n\\".chars().collect::<Vec<_>>())), 1..6)
    ) {
        let mut chars: Vec<char> = encode(&full()).chars().collect();
        for (at, what, with) in edits {
            let at = at.index(chars.len());
            match what {
                0 => chars[at] = with,
                1 => { chars.remove(at); }
                _ => chars.insert(at, with),
            }
        }
        let text: String = chars.into_iter().collect();
        if let Ok(document) = decode(&text, "p") {
            check_invariants(&document);
            prop_assert_eq!(&decode(&encode(&document), "p").unwrap(), &document);
        }
        if let Ok(opened) = project::open_text(&text, "p") {
            check_invariants(&opened.document);
        }
    }
}
