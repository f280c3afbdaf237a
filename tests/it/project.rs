//! Commands and history; `project_file` has the file.

use std::collections::BTreeSet;
use std::sync::Arc;

use navwright::bake::{AreaKind, Surface};
use navwright::format::{NavSettings, Partition};
use navwright::project::file::{decode, encode};
use navwright::project::{
    AgentClass, Area, AreaId, ClassId, Command, CommandError, Document, History, Level, Link, LinkId,
    MAX_CLASSES, apply, new_id,
};
use proptest::prelude::*;
use proptest::sample::Index;

pub(crate) fn area(id: u64) -> Area {
    Area {
        id: AreaId(id),
        order: 0,
        name: format!("area {id}"),
        kind: AreaKind::Walk,
        level: 0,
        points: vec![[0.0, 0.0], [4.0, 0.0], [4.0, 3.0]],
        area_type: None,
        flags: None,
        surface: Surface::Level,
    }
}

pub(crate) fn link(id: u64) -> Link {
    Link {
        id: LinkId(id),
        name: format!("link {id}"),
        start: [0.0, 0.0],
        start_level: 0,
        start_y: None,
        end: [4.0, 0.0],
        end_level: 0,
        end_y: None,
        radius: 0.5,
        bidirectional: false,
        area: 0,
        flags: 1,
        user_id: 0,
    }
}

pub(crate) fn class(id: u64, name: &str) -> AgentClass {
    AgentClass { id: ClassId(id), name: name.to_owned(), ..AgentClass::default() }
}

pub(crate) fn after(document: &Document, commands: impl IntoIterator<Item = Command>) -> Document {
    apply(document, &Command::Several(commands.into_iter().collect())).unwrap()
}

pub(crate) fn three_areas() -> Document {
    after(&Document::default(), [Command::AddAreas(vec![area(1), area(2), area(3)])])
}

fn ids(document: &Document) -> Vec<u64> {
    document.areas.iter().map(|area| area.id.0).collect()
}

/// What every document that commands or files make must hold.
pub(crate) fn check_invariants(document: &Document) {
    assert!(document.areas.is_sorted_by(|a, b| (a.order, a.id) < (b.order, b.id)), "areas sorted");
    assert!(document.links.is_sorted_by(|a, b| a.id < b.id), "links sorted");
    let class_key = |class: &AgentClass| (class.order, class.id);
    assert!(document.classes.is_sorted_by(|a, b| class_key(a) < class_key(b)), "classes sorted");
    let names: BTreeSet<_> = document.classes.iter().map(|class| class.name.as_str()).collect();
    assert!(!names.is_empty() && names.len() == document.classes.len(), "{names:?}");
    assert!(document.levels.is_sorted_by(|a, b| a.number < b.number), "levels sorted");
    let levels: BTreeSet<_> = document.levels.iter().map(|level| level.number).collect();
    assert!(levels.contains(&0));
    assert!(document.areas.iter().all(|area| levels.contains(&area.level)));
    assert!(document.links.iter().all(|l| levels.contains(&l.start_level) && levels.contains(&l.end_level)));
}

#[test]
fn commands_share_what_they_leave() {
    let before = after(&three_areas(), [Command::AddLinks(vec![link(1), link(2)])]);
    let moved = Area { points: vec![[0.0, 0.0], [5.0, 0.0], [4.0, 3.0]], ..area(2) };
    let next = apply(&before, &Command::SetAreas(vec![moved.clone()])).unwrap();
    assert!(Arc::ptr_eq(&before.areas[0], &next.areas[0]) && Arc::ptr_eq(&before.areas[2], &next.areas[2]));
    assert!(!Arc::ptr_eq(&before.areas[1], &next.areas[1]));
    assert_eq!(next.areas[1].points, moved.points);
    assert_eq!(next.areas[1].order, before.areas[1].order);
    assert!(Arc::ptr_eq(&before.links, &next.links) && Arc::ptr_eq(&before.levels, &next.levels));

    let next = apply(&before, &Command::AddAreas(vec![area(9)])).unwrap();
    assert!((0..3).all(|place| Arc::ptr_eq(&before.areas[place], &next.areas[place])));
    let next = apply(&before, &Command::RemoveAreas(vec![AreaId(2)])).unwrap();
    assert_eq!(ids(&next), [1, 3]);
    assert!(Arc::ptr_eq(&before.areas[2], &next.areas[1]));
    let next = apply(&before, &Command::SetLevel(Level::new(4))).unwrap();
    assert!(Arc::ptr_eq(&before.areas, &next.areas) && Arc::ptr_eq(&before.levels[0], &next.levels[0]));
}

#[test]
fn a_command_that_changes_nothing_gives_the_same_pointers() {
    let before = after(&three_areas(), [Command::AddLinks(vec![link(1)])]);
    let same = [
        Command::SetAreas(vec![area(2), area(3)]),
        Command::SetLinks(vec![link(1)]),
        Command::SetLevel(Level::new(0)),
        Command::SetSettings(Box::default()),
        Command::SetClass(AgentClass { order: 77, ..AgentClass::default() }),
        Command::MoveClass { id: ClassId(1), before: None },
        Command::MoveClass { id: ClassId(1), before: Some(ClassId(1)) },
        Command::AddAreas(Vec::new()),
        Command::RemoveAreas(Vec::new()),
        Command::MoveAreas { ids: vec![AreaId(3)], before: None },
        Command::MoveAreas { ids: vec![AreaId(1)], before: Some(AreaId(2)) },
        Command::Several(Vec::new()),
    ];
    for command in same {
        assert!(apply(&before, &command).unwrap().ptr_eq(&before), "{command:?}");
    }
}

#[test]
fn agent_classes_are_added_changed_moved_and_removed() {
    let names =
        |document: &Document| document.classes.iter().map(|class| class.name.clone()).collect::<Vec<_>>();
    let document = after(&Document::default(), [class(10, "b"), class(30, "c")].map(Command::AddClass));
    assert_eq!(names(&document), ["agent", "b", "c"]);
    let orders: Vec<_> = document.classes.iter().map(|class| class.order).collect();
    assert_eq!(orders, [10, 20, 30]);
    let moved = after(&document, [Command::MoveClass { id: ClassId(30), before: Some(ClassId(1)) }]);
    assert_eq!(names(&moved), ["c", "agent", "b"]);
    let moved = after(&moved, [Command::MoveClass { id: ClassId(30), before: None }]);
    assert_eq!(names(&moved), ["agent", "b", "c"]);
    let changed = AgentClass { climb: 0.25, ..class(10, "bee") };
    let next = after(&document, [Command::SetClass(changed.clone())]);
    assert_eq!(*next.classes[1], AgentClass { order: 20, ..changed });
    assert!(Arc::ptr_eq(&next.classes[0], &document.classes[0]) && Arc::ptr_eq(&next.areas, &document.areas));
    let fewer = after(&document, [ClassId(1), ClassId(10)].map(Command::RemoveClass));
    assert_eq!(names(&fewer), ["c"]);
    let shown = |command: Command| apply(&document, &command).unwrap_err().to_string();
    assert_eq!(
        apply(&fewer, &Command::RemoveClass(ClassId(30))).unwrap_err().to_string(),
        "a map has at least one agent class"
    );
    assert_eq!(shown(Command::AddClass(class(31, "b"))), "there is an agent class called \"b\" already");
    assert_eq!(shown(Command::SetClass(class(30, "b"))), "there is an agent class called \"b\" already");
    assert_eq!(shown(Command::AddClass(class(30, "d"))), "there is an agent class 000000000000001e already");
    assert_eq!(shown(Command::RemoveClass(ClassId(2))), "there is no agent class 0000000000000002");
    for (name, bound) in [("", "empty"), (" a", "space"), ("7", "number"), (&"x".repeat(1001), "1000 bytes")]
    {
        assert!(shown(Command::AddClass(class(40, name))).contains(bound), "{name}");
    }
    for (wrong, field) in [
        (AgentClass { height: -1.0, ..class(40, "d") }, "agent_height"),
        (AgentClass { radius: f32::NAN, ..class(40, "d") }, "agent_radius"),
        (AgentClass { climb: f32::INFINITY, ..class(40, "d") }, "walkable_climb"),
        (AgentClass { max_slope: 90.5, ..class(40, "d") }, "agent_max_slope"),
    ] {
        let text = shown(Command::AddClass(wrong));
        assert!(text.contains("agent class \"d\"") && text.contains(field), "{text}");
    }
    let settings = NavSettings { agent_radius: 0.5, ..NavSettings::default() };
    let text = shown(Command::SetSettings(Box::new(settings)));
    assert!(text.contains("agent_radius in the settings is 0.5") && text.contains("agent classes"), "{text}");
}

#[test]
fn a_map_has_a_bounded_number_of_agent_classes() {
    let mut document = Document::default();
    for id in 2..=MAX_CLASSES as u64 {
        document = after(&document, [Command::AddClass(class(id, &format!("class {id}")))]);
    }
    let error = apply(&document, &Command::AddClass(class(1000, "one more"))).unwrap_err().to_string();
    assert_eq!(error, "the number of agent classes is 65, but must be at most 64");
}

#[test]
fn areas_move_in_the_order() {
    let cases: [(&[u64], Option<u64>, [u64; 3]); 5] = [
        (&[1], None, [2, 3, 1]),
        (&[3], Some(1), [3, 1, 2]),
        (&[3], Some(2), [1, 3, 2]),
        (&[3, 2], Some(1), [3, 2, 1]),
        (&[2, 3, 1], None, [2, 3, 1]),
    ];
    for (moving, before, expected) in cases {
        let moving = moving.iter().map(|&id| AreaId(id)).collect();
        let command = Command::MoveAreas { ids: moving, before: before.map(AreaId) };
        let next = apply(&three_areas(), &command).unwrap();
        assert_eq!(ids(&next), expected, "{command:?}");
        check_invariants(&next);
        let back = decode(&encode(&next), "p").unwrap();
        assert_eq!(back, next, "{command:?}");
    }
    // One area that moves changes its own key alone, so that a merge sees one line.
    let before = three_areas();
    let next = apply(&before, &Command::MoveAreas { ids: vec![AreaId(3)], before: Some(AreaId(2)) }).unwrap();
    assert!(Arc::ptr_eq(&before.areas[0], &next.areas[0]) && Arc::ptr_eq(&before.areas[1], &next.areas[2]));
}

#[test]
fn keys_are_renumbered_when_there_is_no_room() {
    let mut document = three_areas();
    for round in 0..40 {
        let (first, second) = (document.areas[0].id, document.areas[1].id);
        let last = document.areas[2].id;
        let command = Command::MoveAreas { ids: vec![last], before: Some(second) };
        document = apply(&document, &command).unwrap();
        assert_eq!(ids(&document), [first.0, last.0, second.0], "round {round}");
        check_invariants(&document);
    }
}

#[test]
fn levels_come_with_what_stands_on_them_and_stay_until_empty() {
    let document = after(
        &Document::default(),
        [
            Command::AddAreas(vec![Area { level: -1, ..area(1) }]),
            Command::AddLinks(vec![Link { end_level: 3, ..link(1) }]),
        ],
    );
    let numbers: Vec<_> = document.levels.iter().map(|level| level.number).collect();
    assert_eq!(numbers, [-1, 0, 3]);
    let remove = |number| apply(&document, &Command::RemoveLevel(number)).map(|_| ()).unwrap_err();
    assert_eq!(remove(-1), CommandError::LevelInUse(-1));
    assert_eq!(remove(3), CommandError::LevelInUse(3));
    assert_eq!(remove(0), CommandError::GroundStays);
    assert_eq!(remove(2), CommandError::NoSuchLevel(2));
    let empty = after(&document, [Command::RemoveAreas(vec![AreaId(1)]), Command::RemoveLevel(-1)]);
    assert_eq!(empty.levels.len(), 2);
}

#[test]
fn values_out_of_bounds_are_refused_with_their_name() {
    let with = |change: &dyn Fn(&mut Area)| {
        let mut changed = area(2);
        changed.name = "floor".to_owned();
        change(&mut changed);
        Command::SetAreas(vec![changed])
    };
    let link_with = |change: &dyn Fn(&mut Link)| {
        let mut changed = link(7);
        change(&mut changed);
        Command::AddLinks(vec![changed])
    };
    let cases = [
        (with(&|a| a.points.truncate(2)), "area 0000000000000002 has 2 points, an area needs 3"),
        (
            with(&|a| a.points[1][0] = f64::NAN),
            "x of point 2 of area \"floor\" is NaN, but must lie strictly",
        ),
        (with(&|a| a.points[2][1] = 2_097_152.0), "z of point 3 of area \"floor\" is 2097152, but must lie"),
        (with(&|a| a.points[0][1] = f64::NEG_INFINITY), "z of point 1 of area \"floor\" is -inf, but must"),
        (with(&|a| a.area_type = Some(64)), "the type of area \"floor\" is 64, but must be 0 to 63"),
        (
            with(&|a| a.surface = Surface::Heights(vec![1.0])),
            "the number of heights of area \"floor\" is 1, but must be one per point, 3",
        ),
        (
            with(&|a| a.surface = Surface::Heights(vec![0.0, f64::INFINITY, 0.0])),
            "height 2 of area \"floor\" is inf, but must lie strictly",
        ),
        (with(&|a| a.name = "x".repeat(1001)), "the name of area 0000000000000002 is 1001 bytes long, but"),
        (with(&|a| a.id = AreaId(77)), "there is no area 000000000000004d"),
        (Command::AddAreas(vec![area(8), area(8)]), "there is an area 0000000000000008 already"),
        (Command::AddAreas(vec![area(1)]), "there is an area 0000000000000001 already"),
        (Command::RemoveAreas(vec![AreaId(1), AreaId(5)]), "there is no area 0000000000000005"),
        (
            Command::MoveAreas { ids: vec![AreaId(1)], before: Some(AreaId(1)) },
            "there is no area 0000000000000001",
        ),
        (
            Command::MoveAreas { ids: vec![AreaId(1), AreaId(1)], before: None },
            "the number of areas to move is 2, but each must be named once",
        ),
        (link_with(&|l| l.radius = 0.0), "the radius of link \"link 7\" is 0, but must be above 0"),
        (link_with(&|l| l.radius = f64::NAN), "the radius of link \"link 7\" is NaN, but must be above 0"),
        (link_with(&|l| l.end[1] = -2_097_152.0), "z of the end of link \"link 7\" is -2097152, but must"),
        (link_with(&|l| l.area = 64), "the area of link \"link 7\" is 64, but must be 0 to 63"),
        (Command::SetLinks(vec![link(1)]), "there is no link 0000000000000001"),
        (Command::RemoveLinks(vec![LinkId(1)]), "there is no link 0000000000000001"),
        (
            Command::SetLevel(Level { elevation: f64::NAN, ..Level::new(1) }),
            "the elevation of level 1 is NaN, but must lie strictly",
        ),
    ];
    let document = three_areas();
    let bytes = encode(&document);
    for (command, message) in cases {
        let error = apply(&document, &command).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}\nexpected {message}");
        // Nothing of a composite stays when a later part fails.
        let mut history = History::new(document.clone());
        let both = Command::Several(vec![Command::AddAreas(vec![area(100)]), command]);
        assert!(history.commit("both", &both).is_err());
        assert!(history.document().ptr_eq(&document));
        assert_eq!(history.past().len(), 0);
    }
    assert_eq!(encode(&document), bytes);
}

#[test]
fn a_drag_is_one_step_measured_from_its_beginning() {
    let mut history = History::new(three_areas());
    let start = history.document().clone();
    let moved = |by: f64| {
        let mut changed = area(1);
        changed.points[0][0] += by;
        Command::SetAreas(vec![changed])
    };
    history.begin("Move point");
    for by in [0.1, 0.7, 1.5] {
        history.update(&moved(by)).unwrap();
        assert_eq!(history.document().areas[0].points[0], [by, 0.0]);
    }
    assert!(history.update(&moved(f64::NAN)).is_err());
    assert_eq!(history.document().areas[0].points[0], [1.5, 0.0], "the last good update stays");
    assert!(history.gesture_start().unwrap().ptr_eq(&start));
    assert!(history.commit_gesture());
    assert_eq!(history.past().collect::<Vec<_>>(), ["Move point"]);
    assert_eq!(history.undo(), Some("Move point"));
    assert!(history.document().ptr_eq(&start));
    assert_eq!(history.redo(), Some("Move point"));

    let settled = history.document().clone();
    history.begin("Move point");
    history.update(&moved(9.0)).unwrap();
    assert!(history.cancel_gesture());
    assert!(history.document().ptr_eq(&settled));
    history.begin("Move point");
    assert!(!history.commit_gesture(), "a gesture that changed nothing is no step");
    history.begin("Move point");
    history.update(&moved(2.0)).unwrap();
    assert_eq!(history.undo(), Some("Move point"), "undo drops the drag in hand, then takes a step back");
    assert!(history.document().ptr_eq(&start));
}

#[test]
fn nudges_grow_one_step_and_jumps_reach_any() {
    let mut history = History::new(three_areas());
    let moved = |by: f64| {
        let mut changed = area(1);
        changed.points[0][0] += by;
        Command::SetAreas(vec![changed])
    };
    history.commit("Move area", &moved(1.0)).unwrap();
    history.commit_more("Nudge", &moved(1.1)).unwrap();
    history.commit_more("Nudge", &moved(1.2)).unwrap();
    history.commit("Delete", &Command::RemoveAreas(vec![AreaId(2)])).unwrap();
    assert_eq!(history.past().collect::<Vec<_>>(), ["Move area", "Nudge", "Delete"]);
    history.jump(1);
    assert_eq!(history.document().areas[0].points[0][0], 1.0);
    assert_eq!(history.future().collect::<Vec<_>>(), ["Nudge", "Delete"]);
    history.jump(usize::MAX);
    assert_eq!(ids(history.document()), [1, 3]);
    history.jump(0);
    assert_eq!(ids(history.document()), [1, 2, 3]);
    history.jump(2);
    history.commit_more("Nudge", &moved(5.0)).unwrap();
    assert_eq!(history.past().len(), 3, "after undo a nudge is a step of its own");
    assert_eq!(history.future().len(), 0);
}

#[test]
fn new_ids_differ() {
    let ids: BTreeSet<_> = (0..10_000).map(|_| new_id()).collect();
    assert_eq!(ids.len(), 10_000);
}

/// One of everything.
pub(crate) fn full() -> Document {
    let settings = NavSettings {
        origin: [-0.0, 1.0 / 3.0, -16.8],
        tile_size: f64::from(9.6_f32),
        partition: Partition::Layers,
        contour_max_error: 0.1,
        detail_sample_distance: 1e-7,
        ..NavSettings::default()
    };
    let ramp = Area {
        name: "a \"ramp\"\\\n\u{202e}ü".to_owned(),
        level: 1,
        area_type: Some(63),
        flags: Some(255),
        surface: Surface::Ramp,
        points: vec![[-0.0, 16.8], [1.0 / 3.0, 1e-7], [2_097_151.999, -2_097_151.999], [1e-300, 0.1 + 0.2]],
        ..area(u64::MAX)
    };
    let slope = Area {
        kind: AreaKind::Hole,
        level: -128,
        surface: Surface::Heights(vec![0.5, -1.25, 3.0]),
        ..area(0)
    };
    let commands = [
        Command::SetSettings(Box::new(settings)),
        Command::AddAreas(vec![ramp, slope, area(5)]),
        Command::AddLinks(vec![
            Link { bidirectional: true, user_id: u32::MAX, flags: 9, ..link(4) },
            link(2),
        ]),
        Command::SetLevel(Level { name: "water".to_owned(), elevation: -1.5, number: -1 }),
        Command::AddClass(AgentClass { radius: 0.1, climb: 1e-7, ..class(u64::MAX, "\"big\" one") }),
        Command::AddClass(class(3, "small")),
        Command::MoveClass { id: ClassId(3), before: Some(ClassId(1)) },
    ];
    after(&Document::default(), commands)
}

/// A change drawn at random; `Index` picks among what is there.
#[derive(Clone, Debug)]
enum Step {
    Add(Area),
    Set(Index, Area),
    Remove(Index),
    Move(Index, Index),
    AddLink(Link),
    RemoveLink(Index),
    Level(i8, f64),
    RemoveLevel(i8),
    Settings(f64),
    AddClass(u64, f32),
    SetClass(Index, f32),
    RemoveClass(Index),
    MoveClass(Index, Index),
}

fn coordinates() -> impl Strategy<Value = f64> {
    prop_oneof![
        -2_097_151.9..2_097_151.9,
        (-400_i32..400).prop_map(|tenths| f64::from(tenths) / 10.0),
        Just(-0.0),
        Just(1e-7)
    ]
}

fn areas() -> impl Strategy<Value = Area> {
    let points = prop::collection::vec([coordinates(), coordinates()], 3..9);
    let surface = prop_oneof![Just(0), Just(1), Just(2)];
    (
        any::<u64>(),
        ".{0,8}",
        any::<bool>(),
        -2_i8..4,
        points,
        prop::option::of(0_u8..64),
        any::<Option<u8>>(),
        surface,
    )
        .prop_map(|(id, name, walk, level, points, area_type, flags, surface)| Area {
            id: AreaId(id),
            order: 0,
            name,
            kind: if walk { AreaKind::Walk } else { AreaKind::Hole },
            level,
            surface: match surface {
                0 => Surface::Level,
                1 => Surface::Ramp,
                _ => Surface::Heights(points.iter().map(|point| point[0] / 3.0).collect()),
            },
            points,
            area_type,
            flags,
        })
}

fn links() -> impl Strategy<Value = Link> {
    let ends = ([coordinates(), coordinates()], [coordinates(), coordinates()]);
    let heights = (prop::option::of(coordinates()), prop::option::of(coordinates()));
    let ends = (ends, heights);
    (any::<u64>(), ".{0,8}", ends, 0.01_f64..50.0, any::<bool>(), -2_i8..4, any::<u16>(), any::<u32>())
        .prop_map(
            |(
                id,
                name,
                ((start, end), (start_y, end_y)),
                radius,
                bidirectional,
                end_level,
                flags,
                user_id,
            )| Link {
                name,
                start,
                start_y,
                end,
                end_y,
                radius,
                bidirectional,
                end_level,
                flags,
                user_id,
                ..link(id)
            },
        )
}

fn steps() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => areas().prop_map(Step::Add),
        4 => (any::<Index>(), areas()).prop_map(|(at, area)| Step::Set(at, area)),
        1 => any::<Index>().prop_map(Step::Remove),
        3 => (any::<Index>(), any::<Index>()).prop_map(|(from, to)| Step::Move(from, to)),
        2 => links().prop_map(Step::AddLink),
        1 => any::<Index>().prop_map(Step::RemoveLink),
        1 => (-2_i8..6, coordinates()).prop_map(|(number, elevation)| Step::Level(number, elevation)),
        1 => (-2_i8..6).prop_map(Step::RemoveLevel),
        1 => (0.01_f64..0.5).prop_map(Step::Settings),
        1 => (0..6_u64, 0.0_f32..3.0).prop_map(|(id, climb)| Step::AddClass(id, climb)),
        1 => (any::<Index>(), 0.0_f32..3.0).prop_map(|(at, climb)| Step::SetClass(at, climb)),
        1 => any::<Index>().prop_map(Step::RemoveClass),
        1 => (any::<Index>(), any::<Index>()).prop_map(|(from, to)| Step::MoveClass(from, to)),
    ]
}

impl Step {
    fn command(&self, document: &Document) -> Command {
        let area_at = |at: &Index| (!document.areas.is_empty()).then(|| at.get(&document.areas).id);
        match self {
            Self::Add(area) => Command::AddAreas(vec![area.clone()]),
            Self::Set(at, area) => {
                Command::SetAreas(area_at(at).map(|id| Area { id, ..area.clone() }).into_iter().collect())
            }
            Self::Remove(at) => Command::RemoveAreas(area_at(at).into_iter().collect()),
            Self::Move(from, to) => {
                let ids: Vec<_> = area_at(from).into_iter().collect();
                let before = area_at(to).filter(|id| !ids.contains(id));
                Command::MoveAreas { ids, before }
            }
            Self::AddLink(link) => Command::AddLinks(vec![link.clone()]),
            Self::RemoveLink(at) => {
                let id = (!document.links.is_empty()).then(|| at.get(&document.links).id);
                Command::RemoveLinks(id.into_iter().collect())
            }
            Self::Level(number, elevation) => {
                Command::SetLevel(Level { elevation: *elevation, ..Level::new(*number) })
            }
            Self::RemoveLevel(number) => Command::RemoveLevel(*number),
            Self::Settings(cell_size) => Command::SetSettings(Box::new(NavSettings {
                cell_size: *cell_size,
                ..NavSettings::default()
            })),
            Self::AddClass(id, climb) => {
                Command::AddClass(AgentClass { climb: *climb, ..class(*id, &format!("class {}", id % 4)) })
            }
            Self::SetClass(at, climb) => {
                Command::SetClass(AgentClass { climb: *climb, ..(**at.get(&document.classes)).clone() })
            }
            Self::RemoveClass(at) => Command::RemoveClass(at.get(&document.classes).id),
            Self::MoveClass(from, to) => {
                let (id, before) = (from.get(&document.classes).id, to.get(&document.classes).id);
                Command::MoveClass { id, before: (id != before).then_some(before) }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    /// 1 000 random commands are undone to the first byte and redone to the last; each state in between saves and loads.
    #[test]
    fn a_thousand_steps_undo_and_redo_to_the_byte(steps in prop::collection::vec(steps(), 1000)) {
        let mut history = History::new(Document::default());
        let first = encode(history.document());
        for (index, step) in steps.iter().enumerate() {
            let before = history.document().clone();
            let command = step.command(&before);
            if history.commit("step", &command).is_err() {
                prop_assert!(history.document().ptr_eq(&before));
            }
            check_invariants(history.document());
            if index % 97 == 0 {
                let text = encode(history.document());
                let back = decode(&text, "p").unwrap();
                prop_assert_eq!(&back, history.document());
                prop_assert_eq!(encode(&back), text);
            }
        }
        let last = encode(history.document());
        let count = history.past().len();
        prop_assert!(count > 500);
        let mut undone = 0;
        while history.undo().is_some() { undone += 1; }
        prop_assert_eq!(undone, count);
        prop_assert_eq!(encode(history.document()), first);
        while history.redo().is_some() {}
        prop_assert_eq!(encode(history.document()), last);
    }
}
