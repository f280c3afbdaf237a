//! Random commands of every kind, and what they prove of history: ten thousand of them, undone to the first byte and
//! redone to the last.

use std::collections::BTreeSet;

use navwright::bake::{AreaKind, DiagnosticKind, Surface};
use navwright::format::{NavSettings, Partition};
use navwright::project::file::encode;
use navwright::project::{
    AgentClass, Area, AreaId, AreaType, CheckId, ClassId, Command, Document, Geometry, GeometryId,
    HiddenIssue, History, Level, Link, LinkId, PathCheck, Picture, PictureId, UpAxis, Wanted, apply,
};

use crate::project::check_invariants;
use crate::support::Random;

/// Which ids, levels and settings a maker of commands may touch.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Half {
    Even,
    Odd,
    Both,
}

impl Half {
    fn has(self, number: u64) -> bool {
        match self {
            Self::Even => number.is_multiple_of(2),
            Self::Odd => !number.is_multiple_of(2),
            Self::Both => true,
        }
    }

    fn fresh(self, random: &mut Random) -> u64 {
        loop {
            let id = random.bits();
            if self.has(id) {
                return id;
            }
        }
    }

    fn level(self, random: &mut Random) -> i8 {
        loop {
            let level = i8::try_from(random.below(7)).unwrap() - 3;
            if self.has(level.unsigned_abs().into()) {
                return level;
            }
        }
    }
}

/// A command that may or may not fit the document. What it touches belongs to `half`.
pub(crate) fn random_command(document: &Document, half: Half, random: &mut Random) -> Command {
    let kind = random.below(KINDS);
    // What replaces the whole document would not keep to its half.
    let kind = if kind == REPLACE && half != Half::Both { 0 } else { kind };
    random_of_kind(document, half, kind, random)
}

/// How many kinds of commands there are.
const KINDS: u64 = 27;
const REPLACE: u64 = 15;

/// The number of a command's kind: a new kind does not compile until it has one, and a maker below.
fn kind_of(command: &Command) -> u64 {
    match command {
        Command::AddAreas(_) => 0,
        Command::SetAreas(_) => 1,
        Command::RemoveAreas(_) => 2,
        Command::MoveAreas { .. } => 3,
        Command::AddLinks(_) => 4,
        Command::SetLinks(_) => 5,
        Command::RemoveLinks(_) => 6,
        Command::SetLevel(_) => 7,
        Command::RemoveLevel(_) => 8,
        Command::SetSettings(_) => 9,
        Command::AddClass(_) => 10,
        Command::SetClass(_) => 11,
        Command::RemoveClass(_) => 12,
        Command::MoveClass { .. } => 13,
        Command::Several(_) => 14,
        Command::Replace(_) => REPLACE,
        Command::SetAreaType(_) => 16,
        Command::RemoveAreaType(_) => 17,
        Command::SetCheck(_) => 18,
        Command::RemoveChecks(_) => 19,
        Command::HideIssues(_) => 20,
        Command::ShowIssues(_) => 21,
        Command::SetPicture(_) => 22,
        Command::RemovePictures(_) => 23,
        Command::SetGeometry(_) => 24,
        Command::RemoveGeometry(_) => 25,
        Command::SetVoxel(_) => 26,
    }
}

fn random_of_kind(document: &Document, half: Half, kind: u64, random: &mut Random) -> Command {
    let few = |random: &mut Random| 1 + random.below(3);
    match kind {
        0 => Command::AddAreas((0..few(random)).map(|_| area(half.fresh(random), half, random)).collect()),
        1 => {
            let ids = some(document.areas.iter().map(|area| area.id.0), half, random);
            Command::SetAreas(ids.into_iter().map(|id| area(id, half, random)).collect())
        }
        2 => Command::RemoveAreas(
            some(document.areas.iter().map(|area| area.id.0), half, random).into_iter().map(AreaId).collect(),
        ),
        3 => {
            let ids = some(document.areas.iter().map(|area| area.id.0), half, random);
            let others = document.areas.iter().map(|area| area.id).filter(|id| !ids.contains(&id.0));
            let others: Vec<AreaId> = others.collect();
            let place = random.below(others.len() as u64 + 1);
            let before = others.get(usize::try_from(place).unwrap()).copied();
            Command::MoveAreas { ids: ids.into_iter().map(AreaId).collect(), before }
        }
        4 => Command::AddLinks((0..few(random)).map(|_| link(half.fresh(random), half, random)).collect()),
        5 => {
            let ids = some(document.links.iter().map(|link| link.id.0), half, random);
            Command::SetLinks(ids.into_iter().map(|id| link(id, half, random)).collect())
        }
        6 => Command::RemoveLinks(
            some(document.links.iter().map(|link| link.id.0), half, random).into_iter().map(LinkId).collect(),
        ),
        7 => {
            let (number, name) = (half.level(random), word(random));
            Command::SetLevel(Level { number, name, elevation: coordinate(random) })
        }
        8 => Command::RemoveLevel(half.level(random)),
        9 => Command::SetSettings(Box::new(settings(&document.settings, half, random))),
        10 => Command::AddClass(class(half.fresh(random), random)),
        11 => {
            let ids = some(document.classes.iter().map(|class| class.id.0), half, random);
            Command::SetClass(class(ids.first().copied().unwrap_or(77), random))
        }
        12 => {
            let ids = some(document.classes.iter().map(|class| class.id.0), half, random);
            Command::RemoveClass(ClassId(ids.first().copied().unwrap_or(77)))
        }
        13 => {
            let ids = some(document.classes.iter().map(|class| class.id.0), half, random);
            let before =
                document.classes.get(usize::try_from(random.below(4)).unwrap()).map(|class| class.id);
            Command::MoveClass { id: ClassId(ids.first().copied().unwrap_or(77)), before }
        }
        14 => {
            let mut now = document.clone();
            let mut commands = Vec::new();
            for _ in 0..few(random) {
                let kind = random.below(14);
                let command = random_of_kind(&now, half, kind, random);
                if let Ok(next) = apply(&now, &command) {
                    now = next;
                    commands.push(command);
                }
            }
            Command::Several(commands)
        }
        16 => {
            let (number, name, color) = (area_type(half, random), word(random), [0, 99, 255]);
            Command::SetAreaType(AreaType {
                number,
                name,
                color,
                cost: (random.unit() * 50.0).round() / 10.0,
            })
        }
        17 => Command::RemoveAreaType(area_type(half, random)),
        18 => {
            let known = some(document.checks.iter().map(|check| check.id.0), half, random);
            let id = known.first().copied().filter(|_| random.below(2) == 0);
            let id = id.unwrap_or_else(|| half.fresh(random));
            let class = document.classes.first().map(|class| class.id);
            Command::SetCheck(PathCheck {
                id: CheckId(id),
                name: word(random),
                class: class.filter(|_| half == Half::Both && random.below(3) == 0),
                start: [coordinate(random), coordinate(random)],
                start_level: half.level(random),
                start_y: height(random),
                end: [coordinate(random), coordinate(random)],
                end_level: half.level(random),
                end_y: height(random),
                wanted: if random.below(2) == 0 { Wanted::Path } else { Wanted::NoPath },
                longest: (random.below(2) == 0).then(|| 1.0 + random.unit()),
            })
        }
        19 => Command::RemoveChecks(
            some(document.checks.iter().map(|check| check.id.0), half, random)
                .into_iter()
                .map(CheckId)
                .collect(),
        ),
        20 => {
            let numbers: Vec<u64> =
                (0..few(random)).map(|_| random.below(40)).filter(|&x| half.has(x)).collect();
            Command::HideIssues(numbers.into_iter().map(hidden).collect())
        }
        21 => {
            let of_half =
                |number: &u64| half.has(*number) && document.hidden_issues.contains(&hidden(*number));
            Command::ShowIssues((0..40).filter(of_half).take(2).map(hidden).collect())
        }
        22 => {
            let known = some(document.pictures.iter().map(|picture| picture.id.0), half, random);
            let id = known.first().copied().filter(|_| random.below(2) == 0);
            Command::SetPicture(Picture {
                id: PictureId(id.unwrap_or_else(|| half.fresh(random))),
                path: path(random),
                level: half.level(random),
                offset: [coordinate(random), coordinate(random)],
                squares_per_pixel: 0.001 + random.unit(),
                opacity: random.unit(),
            })
        }
        23 => Command::RemovePictures(
            some(document.pictures.iter().map(|picture| picture.id.0), half, random)
                .into_iter()
                .map(PictureId)
                .collect(),
        ),
        24 => {
            let known = some(document.geometry.iter().map(|item| item.id.0), half, random);
            let id = known.first().copied().filter(|_| random.below(2) == 0);
            let id = GeometryId(id.unwrap_or_else(|| half.fresh(random)));
            Command::SetGeometry(Geometry {
                up: if random.below(2) == 0 { UpAxis::Y } else { UpAxis::Z },
                flip: random.below(2) == 0,
                scale: 0.01 + random.unit(),
                turn: (random.unit() * 360.0).round(),
                offset: [coordinate(random), coordinate(random), coordinate(random)],
                level: half.level(random),
                area_type: (random.below(2) == 0).then_some(5),
                ..Geometry::new(id, &path(random))
            })
        }
        25 => Command::RemoveGeometry(
            some(document.geometry.iter().map(|item| item.id.0), half, random)
                .into_iter()
                .map(GeometryId)
                .collect(),
        ),
        26 => {
            let mut extras = (*document.voxel).clone();
            if half.has(0) {
                extras.seeds = (0..random.below(3)).map(|_| [coordinate(random), 0.0, 1.0]).collect();
            }
            if half.has(1) {
                extras.ledge_radius = (random.below(2) == 0).then_some(0.25);
            }
            Command::SetVoxel(extras)
        }
        _ => {
            let other = apply(document, &random_of_kind(document, half, 14, random));
            Command::Replace(Box::new(other.unwrap_or_default()))
        }
    }
}

fn path(random: &mut Random) -> String {
    let paths = ["plan.png", "a/b c.obj", "../ä.glb", "x\"y.jpg"];
    paths[usize::try_from(random.below(paths.len() as u64)).unwrap()].to_owned()
}

fn area_type(half: Half, random: &mut Random) -> u8 {
    let number = u8::try_from(random.below(32)).unwrap() * 2;
    if half == Half::Odd { number + 1 } else { number }
}

fn hidden(number: u64) -> HiddenIssue {
    let place = [number as f64, 0.5];
    HiddenIssue { kind: DiagnosticKind::LinkDropped, level: 0, place, area: None, link: None }
}

/// Up to three of the ids, each once.
fn some(ids: impl Iterator<Item = u64>, half: Half, random: &mut Random) -> Vec<u64> {
    let mut ids: Vec<u64> = ids.filter(|&id| half.has(id)).collect();
    let mut found = Vec::new();
    for _ in 0..1 + random.below(3) {
        if !ids.is_empty() {
            let place = usize::try_from(random.below(ids.len() as u64)).unwrap();
            found.push(ids.swap_remove(place));
        }
    }
    found
}

fn coordinate(random: &mut Random) -> f64 {
    match random.below(8) {
        0 => -0.0,
        1 => random.unit() * 1e-7,
        2 => (random.unit() - 0.5) * 4e6,
        _ => (random.unit() * 800.0).round() / 10.0 - 40.0,
    }
}

fn word(random: &mut Random) -> String {
    let words = ["", "floor", "stairs \"north\"", "ä\\ö\n", "bridge", "\u{202e}x"];
    words[usize::try_from(random.below(words.len() as u64)).unwrap()].to_owned()
}

fn area(id: u64, half: Half, random: &mut Random) -> Area {
    let points: Vec<[f64; 2]> =
        (0..3 + random.below(6)).map(|_| [coordinate(random), coordinate(random)]).collect();
    let surface = match random.below(4) {
        0 => Surface::Ramp,
        1 => Surface::Heights(points.iter().map(|_| coordinate(random)).collect()),
        _ => Surface::Level,
    };
    let byte = |random: &mut Random| u8::try_from(random.below(64)).unwrap();
    Area {
        id: AreaId(id),
        order: 0,
        name: word(random),
        kind: if random.below(3) == 0 { AreaKind::Hole } else { AreaKind::Walk },
        level: half.level(random),
        points,
        area_type: (random.below(2) == 0).then(|| byte(random)),
        flags: (random.below(2) == 0).then(|| byte(random)),
        surface,
    }
}

fn height(random: &mut Random) -> Option<f64> {
    (random.below(3) == 0).then(|| coordinate(random))
}

fn link(id: u64, half: Half, random: &mut Random) -> Link {
    Link {
        id: LinkId(id),
        name: word(random),
        start: [coordinate(random), coordinate(random)],
        start_level: half.level(random),
        start_y: height(random),
        end: [coordinate(random), coordinate(random)],
        end_level: half.level(random),
        end_y: height(random),
        radius: 0.1 + random.unit(),
        bidirectional: random.below(2) == 0,
        area: u8::try_from(random.below(64)).unwrap(),
        flags: u16::try_from(random.below(65536)).unwrap(),
        user_id: u32::try_from(random.below(1 << 32)).unwrap(),
    }
}

fn class(id: u64, random: &mut Random) -> AgentClass {
    #[allow(clippy::cast_possible_truncation, reason = "any value will do")]
    let some = |random: &mut Random| random.unit() as f32;
    let name = format!("class {id:x} {}", random.below(3));
    let radius = some(random);
    AgentClass {
        id: ClassId(id),
        name,
        radius,
        height: 1.0 + some(random),
        climb: some(random),
        ..AgentClass::default()
    }
}

fn settings(now: &NavSettings, half: Half, random: &mut Random) -> NavSettings {
    let mut next = now.clone();
    if half.has(0) {
        match random.below(3) {
            0 => next.tile_size = 8.0 + f64::from(u32::try_from(random.below(40)).unwrap()),
            1 => next.partition = Partition::from_index(i32::try_from(random.below(3)).unwrap()).unwrap(),
            _ => next.origin = [coordinate(random), 0.0, coordinate(random)],
        }
    }
    if half.has(1) {
        match random.below(3) {
            0 => next.height = coordinate(random),
            1 => next.min_region_area = i32::try_from(random.below(500)).unwrap(),
            _ => next.flags = u16::try_from(random.below(65536)).unwrap(),
        }
    }
    next
}

#[test]
fn ten_thousand_commands_undo_to_the_first_byte_and_redo_to_the_last() {
    let mut random = Random(0xD0_C0_5E_ED);
    let mut history = History::new(Document::default());
    // The bytes after each number of steps; hashes would do, but a difference is then hard to see.
    let mut states = vec![encode(history.document())];
    let mut kinds = BTreeSet::new();
    let mut done = 0;
    while done < 10_000 {
        // Room for what a document of a page or two does.
        let full = history.document().areas.len() + history.document().links.len() > 30;
        let kind = if full { [2, 6][usize::try_from(random.below(2)).unwrap()] } else { random.below(KINDS) };
        let command = random_of_kind(history.document(), Half::Both, kind, &mut random);
        assert_eq!(kind_of(&command), kind);
        let before = history.past().len();
        let result = match random.below(8) {
            // A drag whose end is this command, or one that is called off.
            0 => {
                history.begin("drag");
                let passed = random_command(history.document(), Half::Both, &mut random);
                history.update(&passed).ok();
                let result = history.update(&command);
                if result.is_ok() && random.below(3) > 0 {
                    history.commit_gesture();
                } else {
                    history.cancel_gesture();
                }
                result
            }
            1 => history.commit_more("nudge", &command),
            _ => history.commit("step", &command),
        };
        if result.is_err() {
            assert_eq!(
                encode(history.document()),
                *states.last().unwrap(),
                "a refused command changes nothing"
            );
            continue;
        }
        done += 1;
        kinds.insert(kind);
        if history.past().len() > before {
            states.push(encode(history.document()));
        } else {
            *states.last_mut().unwrap() = encode(history.document());
        }
        if done % 500 == 0 {
            check_invariants(history.document());
        }
        // Now and then a few steps back and forth, or back and then on another way.
        if random.below(40) == 0 {
            let back = random.below(6);
            (0..back).for_each(|_| drop(history.undo().map(str::to_owned)));
            let forth = random.below(back + 1);
            (0..forth).for_each(|_| drop(history.redo().map(str::to_owned)));
            states.truncate(history.past().len() + 1);
            assert_eq!(encode(history.document()), *states.last().unwrap());
            if history.future().len() > 0 {
                let command = random_of_kind(history.document(), Half::Both, 0, &mut random);
                history.commit("step", &command).unwrap();
                states.push(encode(history.document()));
            }
        }
    }
    assert_eq!(kinds.len() as u64, KINDS, "every kind of command took part: {kinds:?}");
    assert_eq!(states.len(), history.past().len() + 1);
    assert!(states.len() > 5_000, "{} steps", states.len());
    for at in (0..states.len() - 1).rev() {
        assert!(history.undo().is_some());
        assert!(encode(history.document()) == states[at], "undone to step {at}");
    }
    assert!(history.undo().is_none());
    for (at, state) in states.iter().enumerate().skip(1) {
        assert!(history.redo().is_some());
        assert!(encode(history.document()) == *state, "redone to step {at}");
    }
    assert!(history.redo().is_none());
}
