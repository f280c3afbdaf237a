//! What can be done about an issue: a diagnostic and the document in, commands out, nothing changed.
//!
//! Reading order: `act` ([`Fix`]) and [`fixes`] (which kind gets which), `outlines` (split, merge), `joins` (gaps, points that
//! touch), `seams` (edges that levels share), `links`, `islands` (and `island_link`), `storeys` (areas off their floors),
//! `barriers` (of a path that is not there), `settings` (limits, and bakes that failed whole).

mod act;
mod barriers;
mod island_link;
mod islands;
mod joins;
mod links;
mod outlines;
mod seams;
mod settings;
mod storeys;

use std::sync::Arc;

use super::{Area, AreaId, Command, Document, Geometry, GeometryId, apply, issue_area, link_of};
use crate::bake::{AreaKind, Diagnostic, DiagnosticKind, Element};
use crate::geom::plane::{contains, distance, edges, nearest_on_segment};

use act::{change, link_name, name_of, on_level, show};

pub use act::{Fix, FixAct, FixContext};
pub use barriers::{fixes_of_barrier, fixes_of_chain, is_step};
pub use islands::IslandMemory;
pub use settings::fixes_of_failure;

/// What can be done about a diagnostic of the document's own bake, the best first. What cannot be computed for this
/// very issue, or would change nothing, is not in the list.
#[must_use]
pub fn fixes(context: &FixContext<'_>, diagnostic: &Diagnostic) -> Vec<Fix> {
    advice(context, diagnostic, &mut IslandMemory::default()).fixes
}

/// What can be said of an issue.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Advice {
    /// What can be done about it, as [`fixes`] has it.
    pub fixes: Vec<Fix>,
    /// Why something that one would look for is not among them, in a few words.
    pub remark: Option<String>,
}

/// Whether it takes time in proportion to the mesh to find out what can be done about an issue of a kind.
#[must_use]
pub fn takes_long(kind: DiagnosticKind) -> bool {
    kind == DiagnosticKind::Island
}

/// As [`fixes`], with why there is not more. `memory` is kept from issue to issue.
#[must_use]
pub fn advice(context: &FixContext<'_>, diagnostic: &Diagnostic, memory: &mut IslandMemory) -> Advice {
    use DiagnosticKind as Kind;
    let document = context.document;
    let (mut found, mut remark) = (Vec::new(), None);
    match diagnostic.kind {
        Kind::OutlineCrossesItself => found.extend(outlines::split(document, diagnostic)),
        Kind::OutlineDegenerate => found.extend(delete_area(document, diagnostic)),
        Kind::PointsTooClose => {
            found.extend(outlines::merge(document, diagnostic).or_else(|| delete_area(document, diagnostic)));
        }
        Kind::WalkHidden => {
            found.extend(show_holes(document, diagnostic));
            found.extend(delete_area(document, diagnostic));
        }
        Kind::HoleCutsNothing => {
            found.extend(show_area(document, diagnostic));
            found.extend(delete_area(document, diagnostic));
        }
        Kind::HoleMissesFloor => {
            found.extend(storeys::to_floors(context, diagnostic));
            found.extend(show_area(document, diagnostic));
            found.extend(delete_area(document, diagnostic));
        }
        Kind::LevelEmpty => found.extend(show_holes(document, diagnostic)),
        Kind::VanishedUnderRadius => found.extend(show_narrow(document, diagnostic)),
        Kind::MissedJoin => found.extend(joins::join(document, diagnostic)),
        Kind::TouchAtPoint => found.extend(joins::widen(document, diagnostic)),
        Kind::SameSideEdges => {
            found.extend(seams::flip(document, diagnostic));
            found.extend(seams::take_off(document, diagnostic));
        }
        Kind::SeamContested => found.extend(seams::take_off(document, diagnostic)),
        Kind::SeamStep => {
            found.extend(seams::make_ramp(document, diagnostic));
            found.extend(seams::set_elevation(document, diagnostic));
        }
        Kind::LevelsTooClose => found.extend(seams::set_apart(context, diagnostic)),
        Kind::BorderMismatch | Kind::TooThin => {
            found.extend(settings::finest_grid(document));
            found.extend(show_area(document, diagnostic).or_else(|| show_around(document, diagnostic)));
        }
        Kind::LinkStartUnattached | Kind::LinkEndUnattached | Kind::LinkDropped => {
            found.extend(storeys::end_on_floor(context, diagnostic));
            found.extend(links::move_end(context, diagnostic));
            found.extend(links::raise_radius(context, diagnostic));
            found.extend(delete_link(document, diagnostic));
        }
        Kind::LinkInvalid => {
            found.extend(links::set_to_limit(context, diagnostic));
            found.extend(delete_link(document, diagnostic));
        }
        Kind::OutOfRange => {
            found.extend(settings::set_to_limit(context, diagnostic));
            found.extend(delete_area(document, diagnostic));
        }
        Kind::Island => {
            if let Some(divided) = islands::divided(context, diagnostic, memory) {
                found.extend(islands::show(context, &divided));
                found.extend(islands::delete(context, &divided));
                let link = island_link::add_link(context, &divided, memory);
                if link.is_none() {
                    remark = island_link::no_link(context, &divided, memory);
                }
                found.extend(link);
            } else {
                remark = islands::not_looked_for(context);
            }
        }
        Kind::TileFailed => {
            found.push(retry());
            found.extend(stages(diagnostic));
        }
        Kind::ThinPolygon | Kind::CrowdedTile => found.extend(show_around(document, diagnostic)),
        Kind::GeometryUnreadable => {
            found.extend(find_geometry(document, diagnostic));
            found.extend(remove_geometry(document, diagnostic));
        }
        Kind::FacesDown => found.extend(turn_over(document)),
        Kind::TrianglesSkipped
        | Kind::RegionIncomplete
        | Kind::SeedOffFloor
        | Kind::GeometryLeftOut
        | Kind::NoFloor
        | Kind::NoSeedReaches => {}
    }
    found.retain(|fix| match &fix.act {
        FixAct::Change(command) => apply(document, command).is_ok_and(|next| !next.ptr_eq(document)),
        FixAct::Show { areas, links } => !areas.is_empty() || !links.is_empty(),
        FixAct::Retry | FixAct::Find(_) | FixAct::Stages(_) => true,
    });
    Advice { fixes: found, remark }
}

fn remove_geometry(document: &Document, diagnostic: &Diagnostic) -> Option<Fix> {
    let Element::Geometry(id) = diagnostic.element else { return None };
    let item = document.geometry.iter().find(|item| item.id.0 == id)?;
    let name = format!("Remove {}", item.name());
    Some(change(name, "The map no longer names the file", Command::RemoveGeometry(vec![item.id])))
}

fn find_geometry(document: &Document, diagnostic: &Diagnostic) -> Option<Fix> {
    let Element::Geometry(id) = diagnostic.element else { return None };
    let item = document.geometry(GeometryId(id))?;
    Some(Fix {
        name: format!("Find {}…", item.name()),
        help: "Asks where the file is now; it lies as before".to_owned(),
        act: FixAct::Find(item.id),
    })
}

/// Turns all geometry over: a bake says that faces look down where none of them looks up.
fn turn_over(document: &Document) -> Option<Fix> {
    let name = match &document.geometry[..] {
        [] => return None,
        [only] => format!("Turn {} over", only.name()),
        many => format!("Turn {} files over", many.len()),
    };
    let turned =
        |item: &Arc<Geometry>| Command::SetGeometry(Geometry { flip: !item.flip, ..(**item).clone() });
    let command = Command::Several(document.geometry.iter().map(turned).collect());
    Some(change(name, "Its triangles face the other way, so that floors can be walked on", command))
}

fn stages(diagnostic: &Diagnostic) -> Option<Fix> {
    let Element::Tile { tile_x, tile_z } = diagnostic.element else { return None };
    Some(Fix {
        name: "Open the stage view".to_owned(),
        help: "Shows what each stage of the bake made of this tile".to_owned(),
        act: FixAct::Stages([tile_x, tile_z]),
    })
}

fn retry() -> Fix {
    Fix {
        name: "Bake again".to_owned(),
        help: "Bakes the whole map once more".to_owned(),
        act: FixAct::Retry,
    }
}

fn delete_area(document: &Document, diagnostic: &Diagnostic) -> Option<Fix> {
    let area = issue_area(document, diagnostic)?;
    let name = format!("Delete {}", name_of(area));
    Some(change(name, "Removes the area from the map", Command::RemoveAreas(vec![area.id])))
}

fn delete_link(document: &Document, diagnostic: &Diagnostic) -> Option<Fix> {
    let link = link_of(document, diagnostic)?;
    let name = format!("Delete {}", link_name(link));
    Some(change(name, "Removes the link from the map", Command::RemoveLinks(vec![link.id])))
}

fn show_area(document: &Document, diagnostic: &Diagnostic) -> Option<Fix> {
    let area = issue_area(document, diagnostic)?;
    Some(show(format!("Select {}", name_of(area)), "Selects it and shows the place", vec![area.id]))
}

fn show_narrow(document: &Document, diagnostic: &Diagnostic) -> Option<Fix> {
    let help = "Selects the area whose walls are too near to each other for this agent's radius";
    let areas = match issue_area(document, diagnostic) {
        Some(area) => vec![area.id],
        None => on_level(document, diagnostic.level).map(|area| area.id).collect(),
    };
    Some(show("Show what removed it", help, areas))
}

/// The holes that cut an area away, or all of a level that has none of its walk areas left.
fn show_holes(document: &Document, diagnostic: &Diagnostic) -> Option<Fix> {
    let hidden = issue_area(document, diagnostic);
    let holes = on_level(document, diagnostic.level).filter(|area| area.kind == AreaKind::Hole);
    let cuts = |hole: &&Arc<Area>| hidden.is_none_or(|area| overlap(&hole.points, &area.points));
    let holes: Vec<&Arc<Area>> = holes.filter(cuts).collect();
    let name = match (&holes[..], diagnostic.kind) {
        ([], _) => return None,
        (_, DiagnosticKind::LevelEmpty) => "Show what removed it".to_owned(),
        ([only], _) => format!("Select {}", name_of(only)),
        (many, _) => format!("Select the {} holes", many.len()),
    };
    let ids = holes.iter().map(|hole| hole.id).collect();
    Some(show(name, "Selects what cuts it away and shows the place", ids))
}

/// The areas at an issue's place: on its level, or around its tile.
fn show_around(document: &Document, diagnostic: &Diagnostic) -> Option<Fix> {
    let place = diagnostic.place;
    let near = |area: &&Arc<Area>| {
        contains(&area.points, place)
            || edges(&area.points).any(|(_, a, b)| distance(nearest_on_segment(a, b, place), place) < 0.5)
    };
    let areas: Vec<AreaId> = match diagnostic.element {
        Element::Tile { .. } if diagnostic.kind == DiagnosticKind::CrowdedTile => {
            let side = document.settings.tile_size / 2.0;
            let inside = |p: &[f64; 2]| (p[0] - place[0]).abs() <= side && (p[1] - place[1]).abs() <= side;
            document.areas.iter().filter(|a| a.points.iter().any(inside)).map(|area| area.id).collect()
        }
        _ => on_level(document, diagnostic.level).filter(near).map(|area| area.id).collect(),
    };
    Some(show("Select what is there", "Selects the areas at this place and shows it", areas))
}

/// Whether two outlines have a place in common, other than by bad luck of a shared edge.
fn overlap(a: &[[f64; 2]], b: &[[f64; 2]]) -> bool {
    let inside = |outer: &[[f64; 2]], inner: &[[f64; 2]]| {
        inner.iter().any(|&p| contains(outer, p))
            || edges(inner)
                .any(|(_, p, q)| contains(outer, [f64::midpoint(p[0], q[0]), f64::midpoint(p[1], q[1])]))
    };
    let cross =
        |p: [f64; 2], q: [f64; 2], r: [f64; 2]| (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
    let crossing = |(p, q): ([f64; 2], [f64; 2]), (r, s): ([f64; 2], [f64; 2])| {
        cross(p, q, r) * cross(p, q, s) < 0.0 && cross(r, s, p) * cross(r, s, q) < 0.0
    };
    inside(a, b)
        || inside(b, a)
        || edges(a).any(|(_, p, q)| edges(b).any(|(_, r, s)| crossing((p, q), (r, s))))
}
