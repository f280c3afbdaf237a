//! Two people's changes of one document put together, from values and from files with conflict marks.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

use navwright::format::NavSettings;
use navwright::project::file::{decode, encode};
use navwright::project::marks::{self, marked_lines};
use navwright::project::{
    Area, AreaId, Command, Document, Level, LinkId, OpenError, Part, Side, VoxelExtras, apply, changes,
    merge, open,
};

use crate::project::{after, area, check_invariants, class, link, three_areas};
use crate::random_commands::{Half, random_command};
use crate::support::Random;

fn no_picks() -> BTreeMap<Part, Side> {
    BTreeMap::new()
}

/// A map of a few dozen things of both halves.
fn start(random: &mut Random) -> Document {
    let mut document = Document::default();
    for _ in 0..40 {
        let command = random_command(&document, Half::Both, random);
        document = apply(&document, &command).unwrap_or(document);
    }
    document
}

/// Some commands that fit, of one half.
fn edits(base: &Document, half: Half, random: &mut Random) -> Vec<Command> {
    let mut now = base.clone();
    let mut done = Vec::new();
    for _ in 0..1 + random.below(8) {
        let command = random_command(&now, half, random);
        // Only one side moves things in the order: two would be no independent edits.
        if half == Half::Odd && moves(&command) {
            continue;
        }
        if let Ok(next) = apply(&now, &command) {
            now = next;
            done.push(command);
        }
    }
    done
}

fn moves(command: &Command) -> bool {
    match command {
        Command::MoveClass { .. } | Command::MoveAreas { .. } => true,
        Command::Several(commands) => commands.iter().any(moves),
        _ => false,
    }
}

/// The document with all order keys the same, so that contents can be compared.
fn without_order(document: &Document) -> Document {
    let mut areas: Vec<_> =
        document.areas.iter().map(|area| Arc::new(Area { order: 0, ..(**area).clone() })).collect();
    areas.sort_by_key(|area| area.id);
    let mut classes: Vec<_> = document.classes.iter().map(|class| (**class).clone()).collect();
    classes.iter_mut().for_each(|class| class.order = 0);
    classes.sort_by_key(|class| class.id);
    let classes = classes.into_iter().map(Arc::new).collect();
    Document { areas: Arc::new(areas), classes: Arc::new(classes), ..document.clone() }
}

#[test]
fn independent_edits_are_both_there() {
    let mut both_changed = 0;
    for seed in 0..400 {
        let mut random = Random(seed);
        let base = start(&mut random);
        let (of_mine, of_theirs) =
            (edits(&base, Half::Even, &mut random), edits(&base, Half::Odd, &mut random));
        let mine = after(&base, of_mine.clone());
        let theirs = after(&base, of_theirs.clone());
        // One after the other is what both together must be.
        let Ok(expected) = apply(&mine, &Command::Several(of_theirs)) else { continue };
        // A command sets all settings; what each half may touch of them stands in `random_commands`.
        let (a, b) = (&mine.settings, &theirs.settings);
        let (height, min_region_area, flags) = (b.height, b.min_region_area, b.flags);
        let settings = NavSettings { height, min_region_area, flags, ..(**a).clone() };
        // So it is with what only a voxel bake asks for.
        let ledge_radius = theirs.voxel.ledge_radius;
        let voxel = Arc::new(VoxelExtras { ledge_radius, ..(*mine.voxel).clone() });
        let expected = Document { settings: Arc::new(settings), voxel, ..expected };
        let merged = merge(Some(&base), &mine, &theirs, &no_picks()).unwrap();
        assert_eq!(merged.conflicts, [], "seed {seed}");
        assert_eq!(without_order(&merged.document), without_order(&expected), "seed {seed}");
        check_invariants(&merged.document);
        let mirrored = merge(Some(&base), &theirs, &mine, &no_picks()).unwrap();
        assert_eq!(mirrored.document, merged.document, "seed {seed}: either way round");
        // Both sides' things stand in the order that the side who moved them gave them.
        let ids = |document: &Document, of: &Document| -> Vec<AreaId> {
            document.areas.iter().map(|area| area.id).filter(|id| of.area(*id).is_some()).collect()
        };
        assert_eq!(ids(&merged.document, &mine), ids(&mine, &merged.document), "seed {seed}");
        both_changed += usize::from(mine != base && theirs != base);
        // As a command it is one step, and what did not change keeps its pointer.
        let replaced = apply(&mine, &Command::Replace(Box::new(merged.document.clone()))).unwrap();
        assert_eq!(replaced, merged.document);
        let same =
            replaced.areas.iter().filter(|area| mine.area(area.id).is_some_and(|old| Arc::ptr_eq(old, area)));
        assert_eq!(same.count(), replaced.areas.iter().filter(|area| mine.areas.contains(area)).count());
    }
    assert!(both_changed > 200, "{both_changed}");
}

#[test]
fn a_side_that_did_nothing_leaves_the_other_as_it_is() {
    for seed in 0..200 {
        let mut random = Random(1_000 + seed);
        let base = start(&mut random);
        let other = after(&base, edits(&base, Half::Both, &mut random));
        for (mine, theirs, expected) in
            [(&other, &base, &other), (&base, &other, &other), (&other, &other, &other)]
        {
            let merged = merge(Some(&base), mine, theirs, &no_picks()).unwrap();
            assert_eq!((&merged.document, merged.conflicts.len()), (expected, 0), "seed {seed}");
        }
        let merged = merge(Some(&base), &other, &base, &no_picks()).unwrap();
        assert!(merged.document.ptr_eq(&other), "the very same value");
        // From file to file too: pointers are only a shortcut.
        let reread = |document: &Document| decode(&encode(document), "x").unwrap();
        let merged = merge(Some(&reread(&base)), &reread(&base), &reread(&other), &no_picks()).unwrap();
        assert_eq!(merged.document, other);
    }
}

#[test]
fn what_both_changed_is_listed_and_picked() {
    let base = after(&three_areas(), [Command::AddLinks(vec![link(4)])]);
    let renamed = |id: u64, name: &str| Area { name: name.to_owned(), ..area(id) };
    let mine = after(
        &base,
        [
            Command::SetAreas(vec![renamed(1, "yard")]),
            Command::RemoveAreas(vec![AreaId(2)]),
            Command::SetSettings(Box::new(NavSettings { cell_size: 0.5, ..NavSettings::default() })),
            Command::SetLevel(Level { number: 0, name: "street".to_owned(), elevation: 0.0 }),
        ],
    );
    let theirs = after(
        &base,
        [
            Command::SetAreas(vec![renamed(1, "court"), Area { level: 1, ..area(2) }]),
            Command::SetSettings(Box::new(NavSettings {
                cell_size: 0.125,
                tile_size: 16.0,
                ..NavSettings::default()
            })),
            Command::RemoveLinks(vec![LinkId(4)]),
        ],
    );
    let merged = merge(Some(&base), &mine, &theirs, &no_picks()).unwrap();
    let listed: Vec<_> =
        merged.conflicts.iter().map(|c| (c.name.as_str(), c.mine.as_str(), c.theirs.as_str())).collect();
    assert_eq!(
        listed,
        [
            ("setting cell_size", "0.5", "0.125"),
            ("area \"area 1\"", "name \"area 1\" › \"yard\"", "name \"area 1\" › \"court\""),
            ("area \"area 2\"", "removed", "level 0 › 1"),
        ]
        .map(|(name, mine, theirs)| (
            if name.contains("area 1") { "area \"yard\"" } else { name },
            mine,
            theirs
        ))
    );
    // Mine by default; what is not contested is there.
    let document = &merged.document;
    assert_eq!(document.area(AreaId(1)).unwrap().name, "yard");
    assert!(document.area(AreaId(2)).is_none() && document.link(LinkId(4)).is_none());
    assert!(
        (document.settings.cell_size - 0.5).abs() < 1e-12
            && (document.settings.tile_size - 16.0).abs() < 1e-12
    );
    assert_eq!(document.level(0).unwrap().name, "street");
    // Theirs where picked, one by one.
    let picks = [(Part::Area(AreaId(2)), Side::Theirs), (Part::Setting("cell_size"), Side::Theirs)].into();
    let merged = merge(Some(&base), &mine, &theirs, &picks).unwrap();
    assert_eq!(merged.document.area(AreaId(2)).unwrap().level, 1);
    assert_eq!(merged.document.area(AreaId(1)).unwrap().name, "yard");
    assert!((merged.document.settings.cell_size - 0.125).abs() < 1e-12);
    check_invariants(&merged.document);
}

#[test]
fn what_fits_alone_but_not_together_is_made_to_fit() {
    // A tile has at most 8192 cells: one side's larger tiles and the other's smaller cells are too many.
    let base = Document::default();
    let with = |tile_size, cell_size| {
        after(
            &base,
            [Command::SetSettings(Box::new(NavSettings { tile_size, cell_size, ..NavSettings::default() }))],
        )
    };
    let (mine, theirs) = (with(2000.0, 0.25), with(32.0, 0.01));
    let merged = merge(Some(&base), &mine, &theirs, &no_picks()).unwrap();
    assert_eq!(merged.conflicts.iter().map(|c| c.part).collect::<Vec<_>>(), [Part::Settings]);
    assert_eq!(merged.document.settings, mine.settings);
    // Two classes of one name: mine keeps it.
    let mine = after(&base, [Command::AddClass(class(5, "ogre"))]);
    let theirs = after(&base, [Command::AddClass(class(3, "ogre"))]);
    let merged = merge(Some(&base), &mine, &theirs, &no_picks()).unwrap();
    let names: Vec<_> = merged.document.classes.iter().map(|c| (c.id.0, c.name.as_str())).collect();
    assert_eq!(names, [(1, "agent"), (3, "ogre 2"), (5, "ogre")]);
    assert_eq!(merged.notes.len(), 1);
    check_invariants(&merged.document);
    // Each removed the class that the other kept.
    let two = after(&base, [Command::AddClass(class(5, "ogre"))]);
    let without = |id| after(&two, [Command::RemoveClass(navwright::project::ClassId(id))]);
    let merged = merge(Some(&two), &without(1), &without(5), &no_picks()).unwrap();
    assert_eq!(merged.document.classes, without(1).classes);
    // A level that one side removed and the other stands on.
    let floor = Level { number: 2, name: "attic".to_owned(), elevation: 7.0 };
    let base = after(&base, [Command::SetLevel(floor.clone())]);
    let mine = after(&base, [Command::RemoveLevel(2)]);
    let theirs = after(&base, [Command::AddAreas(vec![Area { level: 2, ..area(9) }])]);
    let merged = merge(Some(&base), &mine, &theirs, &no_picks()).unwrap();
    assert_eq!(merged.document.level(2).map(|level| (**level).clone()), Some(floor));
}

#[test]
fn both_moved_areas_in_the_order() {
    let base = three_areas();
    let moved = |id, before: Option<u64>| {
        after(&base, [Command::MoveAreas { ids: vec![AreaId(id)], before: before.map(AreaId) }])
    };
    let (mine, theirs) = (moved(1, None), moved(1, Some(3)));
    let ids = |document: &Document| document.areas.iter().map(|area| area.id.0).collect::<Vec<_>>();
    let merged = merge(Some(&base), &mine, &theirs, &no_picks()).unwrap();
    assert_eq!(merged.conflicts.iter().map(|c| c.part).collect::<Vec<_>>(), [Part::AreaOrder]);
    assert_eq!(ids(&merged.document), [2, 3, 1]);
    let picks = [(Part::AreaOrder, Side::Theirs)].into();
    assert_eq!(ids(&merge(Some(&base), &mine, &theirs, &picks).unwrap().document), [2, 1, 3]);
    // A move and a change of the same area are not contested.
    let theirs = after(&base, [Command::SetAreas(vec![Area { name: "yard".to_owned(), ..area(1) }])]);
    let merged = merge(Some(&base), &mine, &theirs, &no_picks()).unwrap();
    assert_eq!((merged.conflicts.len(), ids(&merged.document)), (0, vec![2, 3, 1]));
    assert_eq!(merged.document.areas[2].name, "yard");
}

#[test]
fn changes_are_told_thing_by_thing() {
    let base = after(&three_areas(), [Command::AddLinks(vec![link(4)])]);
    let next = after(
        &base,
        [
            Command::SetAreas(vec![Area {
                level: 1,
                points: vec![[0.0, 0.0], [5.0, 0.0], [4.0, 4.0]],
                ..area(2)
            }]),
            Command::RemoveAreas(vec![AreaId(1)]),
            Command::SetSettings(Box::new(NavSettings { tile_size: 16.0, ..NavSettings::default() })),
            Command::RemoveLinks(vec![LinkId(4)]),
            Command::AddLinks(vec![link(5)]),
        ],
    );
    let told: Vec<String> = changes(&base, &next).iter().map(|c| format!("{}: {}", c.name, c.what)).collect();
    let expected = [
        "setting tile_size: 32 › 16",
        "level 1: added",
        "area \"area 1\": removed",
        "area \"area 2\": level 0 › 1, 2 points moved",
        "link \"link 4\": removed",
        "link \"link 5\": added",
    ];
    assert_eq!(told, expected);
    assert_eq!(changes(&base, &base.clone()), []);
}

/// What git leaves when both sides rename an area, and both add one at the end. Empty, said loudly, without git.
fn marked(style: Option<&str>) -> String {
    let base = after(&Document::default(), [Command::AddAreas(vec![area(0x10), area(0x20)])]);
    let mine = after(
        &base,
        [
            Command::SetAreas(vec![Area { name: "yard".to_owned(), ..area(0x20) }]),
            Command::AddAreas(vec![area(0x30)]),
        ],
    );
    let theirs = after(
        &base,
        [
            Command::SetAreas(vec![Area { name: "court".to_owned(), level: 1, ..area(0x20) }]),
            Command::AddAreas(vec![area(0x40)]),
        ],
    );
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, document: &Document| {
        fs::write(folder.path().join(name), encode(document)).unwrap();
    };
    file("base", &base);
    file("mine", &mine);
    file("theirs", &theirs);
    let merge = std::process::Command::new("git")
        .args(["merge-file", "-p"])
        .args(style)
        .args(["mine", "base", "theirs"])
        .current_dir(folder.path())
        .output();
    match merge {
        Ok(output) => String::from_utf8(output.stdout).unwrap(),
        Err(error) => {
            eprintln!("SKIPPED: git does not run: {error}");
            String::new()
        }
    }
}

#[test]
fn files_that_git_left_with_marks_are_read_and_merged() {
    for style in [Some("--diff3"), None] {
        let text = marked(style);
        if text.is_empty() {
            continue;
        }
        let lines = marked_lines(&text);
        assert!(!lines.is_empty(), "{text}");
        let contested = marks::decode(&text, "map").unwrap();
        assert_eq!(contested.places.iter().map(|(first, _)| *first).collect::<Vec<_>>(), lines);
        assert_eq!(contested.base.is_some(), style.is_some());
        let merged = contested.merged(&no_picks()).unwrap();
        // Both new areas are there, and the one that both changed is mine.
        let ids: Vec<u64> = merged.document.areas.iter().map(|area| area.id.0).collect();
        assert_eq!(ids, [0x10, 0x20, 0x30, 0x40], "{style:?}");
        assert_eq!(merged.document.area(AreaId(0x20)).unwrap().name, "yard");
        let contested_area =
            merged.conflicts.iter().find(|c| c.part == Part::Area(AreaId(0x20))).expect("both changed it");
        let line = contested.line(contested_area).unwrap();
        assert!(lines.contains(&line), "{line} {lines:?}\n{text}");
        let picks = [(Part::Area(AreaId(0x20)), Side::Theirs)].into();
        assert_eq!(contested.merged(&picks).unwrap().document.area(AreaId(0x20)).unwrap().level, 1);
        if style.is_some() {
            assert_eq!(merged.conflicts.len(), 1, "additions are not contested");
        } else {
            // Nobody knows whether an area was added here or removed there: it is kept, and listed.
            let picks = [(Part::Area(AreaId(0x40)), Side::Mine)].into();
            assert!(contested.merged(&picks).unwrap().document.area(AreaId(0x40)).is_none());
        }
    }
}

/// A file with one place, by hand, so that the lines are known.
fn by_hand() -> String {
    let document = after(&Document::default(), [Command::AddAreas(vec![area(0x10)])]);
    let text = encode(&document);
    let line = "            name: \"area 16\",\n";
    assert!(text.contains(line.trim_start()));
    let line = text.lines().find(|line| line.contains("\"area 16\"")).unwrap().to_owned() + "\n";
    let other = line.replace("area 16", "yard");
    text.replace(&line, &format!("<<<<<<< HEAD\n{line}=======\n{other}>>>>>>> feature\n"))
}

#[test]
fn marks_have_places_and_faults_have_lines() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("map.nav.ron");
    let text = by_hand();
    fs::write(&path, &text).unwrap();
    let at = text.lines().position(|line| line.starts_with("<<<<<<<")).unwrap() + 1;
    let Err(OpenError::Marks { lines, .. }) = open(&path) else { panic!("opened") };
    assert_eq!(lines, [at]);
    let error = open(&path).unwrap_err().to_string();
    assert!(
        error.contains(&format!(
            "map.nav.ron: two versions stand in it, between conflict marks in line {at};"
        )),
        "{error}"
    );
    let contested = marks::decode(&text, "map").unwrap();
    assert_eq!(contested.places, [(at, at + 4)]);
    let merged = contested.merged(&no_picks()).unwrap();
    assert_eq!(merged.conflicts.len(), 1);
    assert_eq!(contested.line(&merged.conflicts[0]), Some(at));
    // Windows' line ends.
    assert_eq!(marks::decode(&text.replace('\n', "\r\n"), "map").unwrap().places, contested.places);
    // A fault in one side is told at its line in the file.
    let broken = text.replace("\"yard\"", "yard");
    let error = marks::decode(&broken, "map").unwrap_err().to_string();
    assert!(error.starts_with(&format!("map:{}:", at + 3)), "{error}");
    for (from, to, line) in [
        (">>>>>>> feature\n", "", at),
        ("=======\n", "", at + 3),
        ("<<<<<<< HEAD\n", "", at + 1),
        ("=======\n", "<<<<<<< again\n=======\n", at + 2),
    ] {
        let broken = text.replace(from, to);
        let error = marks::decode(&broken, "map").unwrap_err().to_string();
        assert!(error.starts_with(&format!("map:{line}:1: ")), "{error}");
    }
    // No marks: nothing is seen in a text that only has the signs somewhere.
    let quoted = encode(&after(
        &Document::default(),
        [Command::AddAreas(vec![Area { name: "<<<<<<< x".to_owned(), ..area(1) }])],
    ));
    assert_eq!(marked_lines(&quoted), [] as [usize; 0]);
}

#[cfg(feature = "cli")]
#[test]
fn the_command_line_names_the_lines_of_marks() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("map.nav.ron");
    let text = by_hand();
    fs::write(&path, &text).unwrap();
    let at = text.lines().position(|line| line.starts_with("<<<<<<<")).unwrap() + 1;
    let run = |arguments: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_navwright"));
        command.args(arguments).current_dir(folder.path()).output().unwrap()
    };
    for arguments in [&["bake", "map.nav.ron", "-o", "map.onnm"][..], &["inspect", "map.nav.ron"]] {
        let output = run(arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(&format!("between conflict marks in line {at}")), "{arguments:?}: {said}");
    }
    assert!(!folder.path().join("map.onnm").exists());
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}
