//! Two people's changes of one document put together, thing by thing.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::changes::extras::voxel_values;
use super::changes::item::{Item, Part};
use super::changes::setting_values;
use super::check::{MAX_ELEMENTS, out_of_range};
use super::element::renumbered;
use super::geometry::{self, MAX_GEOMETRY};
use super::replace::shared;
use super::{
    AgentClass, Area, AreaType, CommandError, Document, Geometry, HiddenIssue, Level, Link, MAX_PICTURES,
    PathCheck, Picture, VoxelExtras, class, hidden_issue,
};
use crate::format::NavSettings;

/// Whose change counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum Side {
    #[default]
    Mine,
    Theirs,
}

/// A thing that both sides changed, each in its own way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// What.
    pub part: Part,
    /// What it is called: `area "meadow"`.
    pub name: String,
    /// What one side did: "removed", "2 points moved".
    pub mine: String,
    /// What the other did.
    pub theirs: String,
    /// Whose change counts as it is.
    pub picked: Side,
}

/// What [`merge`] gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Merged {
    /// Both sides' changes; where they are contested, those of the side that was picked.
    pub document: Document,
    /// What is contested, in the order of the file.
    pub conflicts: Vec<Conflict>,
    /// What had to be changed so that both fit together, a sentence each.
    pub notes: Vec<String>,
}

/// Puts together what `mine` and `theirs` changed since `base`. Settings are merged field by field, classes, levels, areas,
/// links and the rest one by one, told apart by their ids; the places in an order are merged apart from the things. What both
/// changed in different ways is a conflict, which `picks` decides; without a pick mine counts.
///
/// What neither side changed, and what only mine did, keeps its pointer in `mine`.
///
/// Without a base nobody knows who changed what: all that differs is a conflict, and what only one side has is kept unless
/// the other is picked.
///
/// # Errors
/// [`CommandError::OutOfRange`] where both together have more things than a document holds.
pub fn merge(
    base: Option<&Document>,
    mine: &Document,
    theirs: &Document,
    picks: &BTreeMap<Part, Side>,
) -> Result<Merged, CommandError> {
    let mut merger = Merger { base, mine, theirs, picks, conflicts: Vec::new(), notes: Vec::new() };
    let settings = merger.settings();
    let classes = merger.classes()?;
    let levels = merger.list::<Level>(None);
    let areas = merger.list::<Area>(Some((Part::AreaOrder, "the order of areas")));
    let links = merger.list::<Link>(None);
    let pictures = merger.list::<Picture>(None);
    let area_types = merger.list::<AreaType>(None);
    let checks = merger.checks(&classes);
    let geometry = merger.list::<Geometry>(None);
    check_count("areas", areas.len(), MAX_ELEMENTS)?;
    check_count("links", links.len(), MAX_ELEMENTS)?;
    check_count("checks", checks.len(), MAX_ELEMENTS)?;
    check_count("pictures", pictures.len(), MAX_PICTURES)?;
    check_count("geometry files", geometry.len(), MAX_GEOMETRY)?;
    let hidden_issues = merger.hidden_issues();
    check_count("hidden issues", hidden_issues.len(), MAX_ELEMENTS)?;
    let voxel = merger.voxel()?;
    let stands = areas.iter().map(|area| area.level);
    let stands = stands.chain(links.iter().flat_map(|link| [link.start_level, link.end_level]));
    let stands = stands.chain(pictures.iter().map(|picture| picture.level));
    let stands = stands.chain(geometry.iter().map(|item| item.level)).collect();
    let levels = merger.levels(levels, stands);
    let document = Document {
        settings,
        classes: shared(&mine.classes, classes),
        levels: shared(&mine.levels, levels),
        areas: shared(&mine.areas, renumbered(areas)),
        links: shared(&mine.links, links),
        pictures: shared(&mine.pictures, pictures),
        area_types: shared(&mine.area_types, area_types),
        checks: shared(&mine.checks, checks),
        hidden_issues: if hidden_issues == *mine.hidden_issues {
            Arc::clone(&mine.hidden_issues)
        } else {
            Arc::new(hidden_issues)
        },
        geometry: shared(&mine.geometry, geometry),
        voxel,
    };
    Ok(Merged { document, conflicts: merger.conflicts, notes: merger.notes })
}

fn check_count(what: &str, count: usize, most: usize) -> Result<(), CommandError> {
    if count <= most {
        return Ok(());
    }
    Err(out_of_range(format!("the number of {what} of both sides"), count, format!("must be at most {most}")))
}

struct Merger<'a> {
    base: Option<&'a Document>,
    mine: &'a Document,
    theirs: &'a Document,
    picks: &'a BTreeMap<Part, Side>,
    conflicts: Vec<Conflict>,
    notes: Vec<String>,
}

impl Merger<'_> {
    /// Notes a conflict; whose change counts.
    fn conflict(&mut self, part: Part, default: Side, name: String, [mine, theirs]: [String; 2]) -> Side {
        let picked = self.picks.get(&part).copied().unwrap_or(default);
        self.conflicts.push(Conflict { part, name, mine, theirs, picked });
        picked
    }

    /// A setting, of which each side has one.
    fn setting<T: PartialEq + Clone>(&mut self, name: &'static str, value: impl Fn(&NavSettings) -> T) -> T {
        let (mine, theirs) = (&*self.mine.settings, &*self.theirs.settings);
        let base = self.base.map(|base| value(&base.settings));
        let (of_mine, of_theirs) = (value(mine), value(theirs));
        if of_mine == of_theirs || Some(&of_theirs) == base.as_ref() {
            return of_mine;
        }
        if Some(&of_mine) == base.as_ref() {
            return of_theirs;
        }
        let words = |side| {
            let found = setting_values(side).into_iter().find(|(field, _)| *field == name);
            found.map(|(_, value)| value).unwrap_or_default()
        };
        let (name_of, words) = (format!("setting {name}"), [words(mine), words(theirs)]);
        match self.conflict(Part::Setting(name), Side::Mine, name_of, words) {
            Side::Mine => of_mine,
            Side::Theirs => of_theirs,
        }
    }

    fn settings(&mut self) -> Arc<NavSettings> {
        let [mine, theirs] = [&self.mine.settings, &self.theirs.settings];
        let before = self.conflicts.len();
        let merged = self.settings_by_field();
        if class::check_shared(&merged).is_ok() {
            return if merged == **mine { Arc::clone(mine) } else { Arc::new(merged) };
        }
        // Each side's are fine, both together are not: one side's it must be.
        self.conflicts.truncate(before);
        let words = |side: &NavSettings, other: &NavSettings| {
            let old = setting_values(self.base.map_or(other, |base| &base.settings));
            let changed = old.into_iter().zip(setting_values(side)).filter(|(old, new)| old != new);
            let words = changed.map(|((name, _), (_, new))| format!("{name} {new}"));
            words.collect::<Vec<_>>().join(", ")
        };
        let words = [words(mine, theirs), words(theirs, mine)];
        match self.conflict(Part::Settings, Side::Mine, "the settings together".to_owned(), words) {
            Side::Mine => Arc::clone(mine),
            Side::Theirs => Arc::clone(theirs),
        }
    }

    fn settings_by_field(&mut self) -> NavSettings {
        macro_rules! merged {
            ($($field:ident)*) => {
                // The agent is the classes', and links are a list of their own: both say nothing here.
                NavSettings {
                    $($field: self.setting(stringify!($field), |settings| settings.$field),)*
                    walkable_climb: self.mine.settings.walkable_climb,
                    agent_radius: self.mine.settings.agent_radius,
                    agent_height: self.mine.settings.agent_height,
                    agent_max_slope: self.mine.settings.agent_max_slope,
                    links: Vec::new(),
                }
            };
        }
        merged!(
            origin tile_size cell_size cell_height snap_bits partition min_region_area merge_region_area
            contour_max_error max_verts_per_poly area max_edge_length detail_sample_distance detail_max_error
            height flags
        )
    }

    /// A list, sorted by (order, key). `order`: what a conflict about places is called; `None` for lists without an order.
    fn list<T: Item>(&mut self, order: Option<(Part, &str)>) -> Vec<Arc<T>> {
        let base = self.base.map(by_key::<T>);
        let [mine, theirs] = [self.mine, self.theirs].map(by_key::<T>);
        let known = base.iter().flat_map(BTreeMap::keys);
        let keys: BTreeSet<T::Key> = known.chain(mine.keys()).chain(theirs.keys()).copied().collect();
        let theirs_first = order.is_some_and(|(part, _)| self.picks.get(&part) == Some(&Side::Theirs));
        let mut found: Vec<Arc<T>> = Vec::new();
        let mut contested = 0;
        for key in keys {
            // The outer option: whether a base is known at all.
            let b = base.as_ref().map(|base| base.get(&key).copied());
            let [m, t] = [&mine, &theirs].map(|side| side.get(&key).copied());
            let content = if same(m, t) || b.is_some_and(|b| same(t, b)) {
                m
            } else if b.is_some_and(|b| same(m, b)) {
                t
            } else {
                let name = m.or(t).map(|item| item.name()).unwrap_or_default();
                let default = if b.is_none() && m.is_none() { Side::Theirs } else { Side::Mine };
                let words = [fate(b, m, t), fate(b, t, m)];
                match self.conflict(T::part(key), default, name, words) {
                    Side::Mine => m,
                    Side::Theirs => t,
                }
            };
            let Some(content) = content else { continue };
            // A side that has no such thing has no opinion about its place.
            let [of_mine, of_theirs] = [m, t].map(|side| side.unwrap_or(content).order());
            let before = b.flatten().map(|item| item.order());
            let place = if of_mine == of_theirs || Some(of_theirs) == before {
                of_mine
            } else if Some(of_mine) == before {
                of_theirs
            } else {
                contested += 1;
                if theirs_first { of_theirs } else { of_mine }
            };
            let same_place = content.order() == place;
            found.push(if same_place {
                Arc::clone(content)
            } else {
                Arc::new((**content).clone().with_order(place))
            });
        }
        if let Some((part, name)) = order.filter(|_| contested > 0) {
            let words = [(); 2].map(|()| format!("{contested} moved"));
            self.conflict(part, Side::Mine, name.to_owned(), words);
        }
        found.sort_by_key(|item| (item.order(), item.key()));
        found
    }

    fn classes(&mut self) -> Result<Vec<Arc<AgentClass>>, CommandError> {
        let mut classes = self.list::<AgentClass>(Some((Part::ClassOrder, "the order of agent classes")));
        if classes.is_empty() {
            self.notes.push("each side removed the other's last agent class; mine are kept".to_owned());
            classes.clone_from(&self.mine.classes);
        }
        if classes.len() > class::MAX_CLASSES {
            let bound = format!("must be at most {}", class::MAX_CLASSES);
            return Err(out_of_range("the number of agent classes of both sides", classes.len(), bound));
        }
        // Mine keep their names: theirs give way.
        let mut places: Vec<usize> = (0..classes.len()).collect();
        places.sort_by_key(|&place| self.mine.class(classes[place].id).is_none());
        let all: BTreeSet<String> = classes.iter().map(|class| class.name.clone()).collect();
        let mut names: BTreeSet<String> = BTreeSet::new();
        for place in places {
            let name = classes[place].name.clone();
            if names.insert(name.clone()) {
                continue;
            }
            let mut free = (2_u64..).map(|number| format!("{name} {number}"));
            let new = free.find(|new| !all.contains(new) && !names.contains(new)).unwrap_or_default();
            self.notes.push(format!("there are two agent classes \"{name}\"; one is called \"{new}\" now"));
            names.insert(new.clone());
            classes[place] = Arc::new(AgentClass { name: new, ..(*classes[place]).clone() });
        }
        Ok(class::renumbered(classes))
    }

    /// The checks, without those of an agent class that is there no more.
    fn checks(&mut self, classes: &[Arc<AgentClass>]) -> Vec<Arc<PathCheck>> {
        let mut checks = self.list::<PathCheck>(None);
        let before = checks.len();
        checks.retain(|check| check.class.is_none_or(|id| classes.iter().any(|class| class.id == id)));
        if checks.len() < before {
            let gone = before - checks.len();
            self.notes.push(format!("checks of a removed agent class are left out: {gone}"));
        }
        checks
    }

    /// Issues that either side hid, without those that either showed again.
    fn hidden_issues(&self) -> Vec<HiddenIssue> {
        let [mine, theirs] = [self.mine, self.theirs].map(|side| &*side.hidden_issues);
        let has =
            |side: &[HiddenIssue], issue: &HiddenIssue| side.iter().any(|other| other.key() == issue.key());
        let known = |issue: &HiddenIssue| self.base.is_some_and(|base| has(&base.hidden_issues, issue));
        let both = mine.iter().chain(theirs).copied();
        let kept = both.filter(|issue| !known(issue) || has(mine, issue) && has(theirs, issue));
        hidden_issue::sorted(kept.collect())
    }

    /// What only a voxel bake asks for, field by field.
    fn voxel(&mut self) -> Result<Arc<VoxelExtras>, CommandError> {
        let (mine, theirs) = (Arc::clone(&self.mine.voxel), &*self.theirs.voxel);
        let base = self.base.map(|base| &*base.voxel);
        let words = [&*mine, theirs].map(voxel_values);
        let mut side_of = |field: usize, equal: bool, as_base: [bool; 2]| {
            if equal || as_base[1] {
                return Side::Mine;
            }
            if as_base[0] {
                return Side::Theirs;
            }
            let name = words[0][field].0;
            let words = [0, 1].map(|side| words[side][field].1.clone());
            self.conflict(Part::Voxel(name), Side::Mine, format!("voxel {name}"), words)
        };
        macro_rules! picked {
            ($number:literal, $field:ident) => {{
                let as_base =
                    [&*mine, theirs].map(|side| base.is_some_and(|base| base.$field == side.$field));
                match side_of($number, mine.$field == theirs.$field, as_base) {
                    Side::Mine => mine.$field.clone(),
                    Side::Theirs => theirs.$field.clone(),
                }
            }};
        }
        let merged = VoxelExtras {
            seeds: picked!(0, seeds),
            ledge_radius: picked!(1, ledge_radius),
            area_priority: picked!(2, area_priority),
        };
        geometry::set_extras(&self.mine.voxel, &merged)
    }

    /// The levels, with those that things of one side stand on though the other removed them.
    fn levels(&self, mut levels: Vec<Arc<Level>>, mut stands: BTreeSet<i8>) -> Vec<Arc<Level>> {
        stands.insert(0);
        for number in stands {
            if levels.iter().all(|level| level.number != number) {
                let mut known = [Some(self.mine), Some(self.theirs), self.base].into_iter().flatten();
                let known = known.find_map(|side| side.level(number).cloned());
                levels.push(known.unwrap_or_else(|| Arc::new(Level::new(number))));
            }
        }
        levels.sort_by_key(|level| level.number);
        levels
    }
}

fn by_key<T: Item>(document: &Document) -> BTreeMap<T::Key, &Arc<T>> {
    T::list(document).iter().map(|item| (item.key(), item)).collect()
}

/// Whether both are there and equal but for their places, or neither is there.
fn same<T: Item>(a: Option<&Arc<T>>, b: Option<&Arc<T>>) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => Arc::ptr_eq(a, b) || a.words(b).is_empty(),
        _ => false,
    }
}

/// What a side did to a thing, or how it stands there if nobody knows what was before.
fn fate<T: Item>(base: Option<Option<&Arc<T>>>, now: Option<&Arc<T>>, other: Option<&Arc<T>>) -> String {
    match (base, now) {
        (None, None) => "not there".to_owned(),
        (_, None) => "removed".to_owned(),
        (Some(Some(base)), Some(now)) => base.words(now).join(", "),
        (_, Some(now)) => match other {
            None => "there".to_owned(),
            Some(other) => other.words(now).join(", "),
        },
    }
}
