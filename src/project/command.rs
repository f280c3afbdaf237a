//! Everything that changes a document.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::check::{self, MAX_ELEMENTS, positive_zero};
use super::element::{ORDER_STEP, renumbered, with_levels, with_order};
use super::{
    AgentClass, Area, AreaId, AreaType, CheckId, ClassId, CommandError, Document, Geometry, GeometryId,
    HiddenIssue, Level, Link, LinkId, PathCheck, Picture, PictureId, VoxelExtras, area_type, class, geometry,
    hidden_issue, path_check, picture, replace,
};
use crate::bake::Surface;
use crate::format::NavSettings;

/// A change. Applying it is pure: the old value stays, and is the undo step.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Adds areas at the end of the order.
    AddAreas(Vec<Area>),
    /// Replaces areas of the same ids, each keeping its place in the order (several at once move joined points).
    SetAreas(Vec<Area>),
    /// Removes areas.
    RemoveAreas(Vec<AreaId>),
    /// Moves areas, in the order given, to just before another area, or to the end.
    MoveAreas {
        /// What moves.
        ids: Vec<AreaId>,
        /// The area that then follows; `None` for the end. Not one of `ids`.
        before: Option<AreaId>,
    },
    /// Adds links.
    AddLinks(Vec<Link>),
    /// Replaces links of the same ids.
    SetLinks(Vec<Link>),
    /// Removes links.
    RemoveLinks(Vec<LinkId>),
    /// Adds a level, or replaces the one of the same number.
    SetLevel(Level),
    /// Removes a level that nothing stands on.
    RemoveLevel(i8),
    /// Replaces what all classes share: `links` must be empty, the agent's fields at their defaults
    /// ([`super::shared_settings`]).
    SetSettings(Box<NavSettings>),
    /// Adds an agent class at the end of the order.
    AddClass(AgentClass),
    /// Replaces the agent class of the same id, which keeps its place.
    SetClass(AgentClass),
    /// Removes an agent class, with the checks that are asked of it alone; the last one stays.
    RemoveClass(ClassId),
    /// Moves an agent class.
    MoveClass {
        /// What moves.
        id: ClassId,
        /// The class that then follows; `None` for the end.
        before: Option<ClassId>,
    },
    /// Puts another document in place of this one; what is equal in both keeps its pointers.
    Replace(Box<Document>),
    /// Adds a reference picture, or replaces the one of the same id.
    SetPicture(Picture),
    /// Removes reference pictures.
    RemovePictures(Vec<PictureId>),
    /// Adds an area type, or replaces the one of the same number.
    SetAreaType(AreaType),
    /// Removes an area type's entry; areas keep the number.
    RemoveAreaType(u8),
    /// Adds a check, or replaces the one of the same id.
    SetCheck(PathCheck),
    /// Removes checks.
    RemoveChecks(Vec<CheckId>),
    /// Hides issues.
    HideIssues(Vec<HiddenIssue>),
    /// Shows hidden issues again.
    ShowIssues(Vec<HiddenIssue>),
    /// Adds imported geometry, or replaces the item of the same id.
    SetGeometry(Geometry),
    /// Removes imported geometry.
    RemoveGeometry(Vec<GeometryId>),
    /// Replaces what only a voxel bake asks for.
    SetVoxel(VoxelExtras),
    /// Several changes as one step, in order; all or nothing.
    Several(Vec<Self>),
}

/// The document after a command. What the command leaves as it is stays behind the same pointer, down to the single
/// area, link or level, so pointers tell what changed.
///
/// Levels that a new area or link stands on come into being with it.
///
/// # Errors
/// [`CommandError`] naming the thing and the bound; the old value is untouched either way.
pub fn apply(document: &Document, command: &Command) -> Result<Document, CommandError> {
    let mut next = document.clone();
    match command {
        Command::AddAreas(areas) => next.areas = add_areas(document, areas)?,
        Command::SetAreas(areas) => next.areas = set_areas(document, areas)?,
        Command::RemoveAreas(ids) => next.areas = remove_areas(document, ids)?,
        Command::MoveAreas { ids, before } => next.areas = move_areas(document, ids, *before)?,
        Command::AddLinks(links) => next.links = add_links(document, links)?,
        Command::SetLinks(links) => next.links = set_links(document, links)?,
        Command::RemoveLinks(ids) => next.links = remove_links(document, ids)?,
        Command::SetLevel(level) => next.levels = set_level(document, level)?,
        Command::RemoveLevel(number) => next.levels = remove_level(document, *number)?,
        Command::SetSettings(settings) => next.settings = set_settings(document, settings)?,
        Command::AddClass(class) => next.classes = class::add(&document.classes, class)?,
        Command::SetClass(class) => next.classes = class::set(&document.classes, class)?,
        Command::RemoveClass(id) => {
            next.classes = class::remove(&document.classes, *id)?;
            next.checks = path_check::without_class(&document.checks, *id);
        }
        Command::MoveClass { id, before } => {
            next.classes = class::move_before(&document.classes, *id, *before)?
        }
        Command::Replace(other) => return replace::replaced(document, other),
        Command::SetPicture(picture) => next.pictures = picture::set(&document.pictures, picture)?,
        Command::RemovePictures(ids) => next.pictures = picture::remove(&document.pictures, ids)?,
        Command::SetAreaType(kind) => next.area_types = area_type::set(&document.area_types, kind)?,
        Command::RemoveAreaType(number) => {
            next.area_types = area_type::remove(&document.area_types, *number)?
        }
        Command::SetCheck(check) => {
            next.checks = path_check::set(&document.checks, &document.classes, check)?
        }
        Command::RemoveChecks(ids) => next.checks = path_check::remove(&document.checks, ids)?,
        Command::HideIssues(issues) => {
            next.hidden_issues = hidden_issue::hide(&document.hidden_issues, issues)?
        }
        Command::ShowIssues(issues) => {
            next.hidden_issues = hidden_issue::unhide(&document.hidden_issues, issues)
        }
        Command::SetGeometry(item) => next.geometry = geometry::set(&document.geometry, item)?,
        Command::RemoveGeometry(ids) => next.geometry = geometry::remove(&document.geometry, ids)?,
        Command::SetVoxel(extras) => next.voxel = geometry::set_extras(&document.voxel, extras)?,
        Command::Several(commands) => {
            for command in commands {
                next = apply(&next, command)?;
            }
            return Ok(next);
        }
    }
    let stands = match command {
        Command::AddAreas(areas) | Command::SetAreas(areas) => areas.iter().map(|area| area.level).collect(),
        Command::SetGeometry(item) => BTreeSet::from([item.level]),
        Command::AddLinks(links) | Command::SetLinks(links) => {
            links.iter().flat_map(|link| [link.start_level, link.end_level]).collect()
        }
        Command::SetPicture(picture) => BTreeSet::from([picture.level]),
        _ => BTreeSet::new(),
    };
    next.levels = with_levels(&next.levels, &stands);
    Ok(next)
}

type Areas = Arc<Vec<Arc<Area>>>;
type Links = Arc<Vec<Arc<Link>>>;
type Levels = Arc<Vec<Arc<Level>>>;

fn clean_area(mut area: Area) -> Area {
    area.points.iter_mut().flatten().for_each(|value| *value = positive_zero(*value));
    if let Surface::Heights(heights) = &mut area.surface {
        heights.iter_mut().for_each(|value| *value = positive_zero(*value));
    }
    area
}

fn clean_link(link: Link) -> Link {
    let (start, end) = (check::clean_spot(link.start_spot()), check::clean_spot(link.end_spot()));
    link.between(start, end)
}

fn check_count(what: &str, count: usize) -> Result<(), CommandError> {
    if count <= MAX_ELEMENTS {
        return Ok(());
    }
    Err(check::out_of_range(
        format!("the number of {what}"),
        count,
        format!("must be at most {MAX_ELEMENTS}"),
    ))
}

fn add_areas(document: &Document, new: &[Area]) -> Result<Areas, CommandError> {
    if new.is_empty() {
        return Ok(Arc::clone(&document.areas));
    }
    check_count("areas", document.areas.len().saturating_add(new.len()))?;
    let mut ids: BTreeSet<_> = document.areas.iter().map(|area| area.id).collect();
    let mut areas = (*document.areas).clone();
    for area in new {
        check::area(area)?;
        if !ids.insert(area.id) {
            return Err(CommandError::AreaExists(area.id.0));
        }
        let order = areas.last().map_or(0, |last| last.order).saturating_add(ORDER_STEP);
        areas.push(Arc::new(Area { order, ..clean_area(area.clone()) }));
    }
    Ok(Arc::new(renumbered(areas)))
}

fn set_areas(document: &Document, changed: &[Area]) -> Result<Areas, CommandError> {
    let places: HashMap<_, _> =
        document.areas.iter().enumerate().map(|(place, area)| (area.id, place)).collect();
    let mut areas = None;
    for area in changed {
        check::area(area)?;
        let &place = places.get(&area.id).ok_or(CommandError::NoSuchArea(area.id.0))?;
        let old = &areas.as_ref().unwrap_or(&*document.areas)[place];
        let area = Area { order: old.order, ..clean_area(area.clone()) };
        if **old != area {
            areas.get_or_insert_with(|| (*document.areas).clone())[place] = Arc::new(area);
        }
    }
    Ok(areas.map_or_else(|| Arc::clone(&document.areas), Arc::new))
}

fn remove_areas(document: &Document, ids: &[AreaId]) -> Result<Areas, CommandError> {
    if ids.is_empty() {
        return Ok(Arc::clone(&document.areas));
    }
    let gone = known_areas(document, ids)?;
    Ok(Arc::new(document.areas.iter().filter(|area| !gone.contains(&area.id)).cloned().collect()))
}

/// The ids as a set, each that of an area.
fn known_areas(document: &Document, ids: &[AreaId]) -> Result<BTreeSet<AreaId>, CommandError> {
    let all: BTreeSet<_> = document.areas.iter().map(|area| area.id).collect();
    match ids.iter().find(|id| !all.contains(id)) {
        Some(id) => Err(CommandError::NoSuchArea(id.0)),
        None => Ok(ids.iter().copied().collect()),
    }
}

fn move_areas(document: &Document, ids: &[AreaId], before: Option<AreaId>) -> Result<Areas, CommandError> {
    let moving = known_areas(document, ids)?;
    if moving.len() != ids.len() {
        let bound = "each must be named once";
        return Err(check::out_of_range("the number of areas to move", ids.len(), bound));
    }
    let (mut taken, mut areas): (Vec<_>, Vec<_>) =
        document.areas.iter().cloned().partition(|area| moving.contains(&area.id));
    let place = match before {
        None => areas.len(),
        Some(id) => areas.iter().position(|area| area.id == id).ok_or(CommandError::NoSuchArea(id.0))?,
    };
    let wanted: HashMap<_, _> = ids.iter().enumerate().map(|(index, &id)| (id, index)).collect();
    taken.sort_by_key(|area| wanted.get(&area.id).copied());

    let count = i64::try_from(taken.len()).unwrap_or(i64::MAX);
    let low = place.checked_sub(1).map(|index| areas[index].order);
    let high = areas.get(place).map(|area| area.order);
    // Keys evenly between the neighbours; without room there every area gets a new one below.
    let (first, step) = match (low, high) {
        (Some(low), Some(high)) => {
            let step = (high - low) / (count + 1);
            (low + step, step)
        }
        (Some(low), None) => (low.saturating_add(ORDER_STEP), ORDER_STEP),
        (None, Some(high)) => (high.saturating_sub(count * ORDER_STEP), ORDER_STEP),
        (None, None) => (ORDER_STEP, ORDER_STEP),
    };
    let orders = std::iter::successors(Some(first), |order| Some(order.saturating_add(step)));
    let taken: Vec<_> = taken.into_iter().zip(orders).map(|(area, order)| with_order(area, order)).collect();
    areas.splice(place..place, taken);
    let same_order = areas.iter().map(|area| area.id).eq(document.areas.iter().map(|area| area.id));
    Ok(if same_order { Arc::clone(&document.areas) } else { Arc::new(renumbered(areas)) })
}

fn add_links(document: &Document, new: &[Link]) -> Result<Links, CommandError> {
    if new.is_empty() {
        return Ok(Arc::clone(&document.links));
    }
    check_count("links", document.links.len().saturating_add(new.len()))?;
    let mut ids: BTreeSet<_> = document.links.iter().map(|link| link.id).collect();
    let mut links = (*document.links).clone();
    for link in new {
        check::link(link)?;
        if !ids.insert(link.id) {
            return Err(CommandError::LinkExists(link.id.0));
        }
        links.push(Arc::new(clean_link(link.clone())));
    }
    links.sort_by_key(|link| link.id);
    Ok(Arc::new(links))
}

fn set_links(document: &Document, changed: &[Link]) -> Result<Links, CommandError> {
    let places: HashMap<_, _> =
        document.links.iter().enumerate().map(|(place, link)| (link.id, place)).collect();
    let mut links = None;
    for link in changed {
        check::link(link)?;
        let &place = places.get(&link.id).ok_or(CommandError::NoSuchLink(link.id.0))?;
        let link = clean_link(link.clone());
        if *links.as_ref().unwrap_or(&*document.links)[place] != link {
            links.get_or_insert_with(|| (*document.links).clone())[place] = Arc::new(link);
        }
    }
    Ok(links.map_or_else(|| Arc::clone(&document.links), Arc::new))
}

fn remove_links(document: &Document, ids: &[LinkId]) -> Result<Links, CommandError> {
    if ids.is_empty() {
        return Ok(Arc::clone(&document.links));
    }
    let all: BTreeSet<_> = document.links.iter().map(|link| link.id).collect();
    if let Some(id) = ids.iter().find(|id| !all.contains(id)) {
        return Err(CommandError::NoSuchLink(id.0));
    }
    let gone: BTreeSet<_> = ids.iter().copied().collect();
    Ok(Arc::new(document.links.iter().filter(|link| !gone.contains(&link.id)).cloned().collect()))
}

fn set_level(document: &Document, level: &Level) -> Result<Levels, CommandError> {
    check::level(level)?;
    let level = Level { elevation: positive_zero(level.elevation), ..level.clone() };
    let mut levels = (*document.levels).clone();
    match levels.binary_search_by_key(&level.number, |entry| entry.number) {
        Ok(place) if *levels[place] == level => return Ok(Arc::clone(&document.levels)),
        Ok(place) => levels[place] = Arc::new(level),
        Err(place) => levels.insert(place, Arc::new(level)),
    }
    Ok(Arc::new(levels))
}

fn remove_level(document: &Document, number: i8) -> Result<Levels, CommandError> {
    let place = document.levels.iter().position(|level| level.number == number);
    let place = place.ok_or(CommandError::NoSuchLevel(number))?;
    if number == 0 {
        return Err(CommandError::GroundStays);
    }
    let has_area = document.areas.iter().any(|area| area.level == number)
        || document.pictures.iter().any(|picture| picture.level == number)
        || document.geometry.iter().any(|item| item.level == number);
    if has_area || document.links.iter().any(|link| [link.start_level, link.end_level].contains(&number)) {
        return Err(CommandError::LevelInUse(number));
    }
    let mut levels = (*document.levels).clone();
    levels.remove(place);
    Ok(Arc::new(levels))
}

fn set_settings(document: &Document, settings: &NavSettings) -> Result<Arc<NavSettings>, CommandError> {
    class::check_shared(settings)?;
    let settings = class::clean_shared(settings);
    Ok(if *document.settings == settings { Arc::clone(&document.settings) } else { Arc::new(settings) })
}
