//! `--class`: one of a map's agent classes, by name or number, or one of a world's, by number.

use std::path::Path;
use std::sync::Arc;

use anyhow::bail;

use super::output::count;
use crate::format::{NavMesh, NavSettings, NavWorld};
use crate::project::{AgentClass, Document};

/// The class that is asked for; `None` if none is.
pub(super) fn of_map<'a>(
    document: &'a Document,
    wanted: Option<&str>,
    path: &Path,
) -> anyhow::Result<Option<&'a Arc<AgentClass>>> {
    let Some(wanted) = wanted else { return Ok(None) };
    let named = document.classes.iter().find(|class| class.name == wanted);
    let numbered = || document.classes.get(wanted.parse::<usize>().ok()?);
    match named.or_else(numbered) {
        Some(class) => Ok(Some(class)),
        None => bail!("--class {}: {}", wanted.escape_debug(), has_classes(document, path)),
    }
}

/// "map.nav.ron has 2 agent classes: 0 "walker", 1 "brute"".
pub(super) fn has_classes(document: &Document, path: &Path) -> String {
    let names = document.classes.iter().enumerate();
    let names: Vec<String> =
        names.map(|(index, class)| format!("{index} \"{}\"", class.name.escape_debug())).collect();
    listed(path, &names)
}

/// The class of a world that is asked for; one must be if there are several.
pub(super) fn of_world(world: NavWorld, wanted: Option<&str>, path: &Path) -> anyhow::Result<NavMesh> {
    let mut classes = world.into_classes();
    let place = match wanted {
        None if classes.len() == 1 => Some(0),
        None => None,
        Some(text) => text.parse().ok().filter(|&place: &usize| place < classes.len()),
    };
    let has = || listed(path, &classes.iter().enumerate().map(world_line).collect::<Vec<_>>());
    match (place, wanted) {
        (Some(place), _) => Ok(classes.swap_remove(place)),
        (None, Some(text)) => bail!("--class {}: {}", text.escape_debug(), has()),
        (None, None) => bail!("{}; take one with --class N", has()),
    }
}

fn world_line((index, class): (usize, &NavMesh)) -> String {
    format!("{index} ({})", agent_words(&class.settings))
}

/// "radius 0.3, height 2, climb 0.5, slope 45".
pub(super) fn agent_words(settings: &NavSettings) -> String {
    let NavSettings { agent_radius, agent_height, walkable_climb, agent_max_slope, .. } = settings;
    format!("radius {agent_radius}, height {agent_height}, climb {walkable_climb}, slope {agent_max_slope}")
}

fn listed(path: &Path, names: &[String]) -> String {
    let number = count(names.len(), "agent class");
    format!("{} has {number}: {}", path.display(), names.join(", "))
}
