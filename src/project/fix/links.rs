//! Off-mesh links whose ends reach nothing, or too far.

use super::act::{Fix, FixContext, change, link_name, number, thousandth};
use crate::bake::{Diagnostic, DiagnosticKind};
use crate::format::WORLD_BOUND;
use crate::geom::plane;
use crate::project::{Command, LINK_RADIUS, Link, Spot, floor_of, link_of};
use crate::query::{NavPlace, PathScratch, QueryFilter, closest_nav_point};

/// The farthest that a radius is raised to, in squares.
const LARGEST_RADIUS: f64 = 8.0;

/// Where an end could stand.
struct Landing {
    spot: Spot,
    distance: f64,
}

fn is_end(diagnostic: &Diagnostic) -> bool {
    diagnostic.kind == DiagnosticKind::LinkEndUnattached
}

/// The nearest place of the mesh with a level whose elevation is within the climb of it: on the end's own level if there is
/// one, else on any; where none is as near as the floor that the end means, that one at its own height.
fn landing(context: &FixContext<'_>, spot: Spot) -> Option<Landing> {
    let mesh = context.mesh?;
    let document = context.document;
    let (filter, mut scratch) = (QueryFilter::default(), PathScratch::default());
    let reach = 4.0 * WORLD_BOUND;
    let meant = floor_of(document, mesh, &spot, reach, &filter, &mut scratch).ok()?;
    let at_own_height = |found: &NavPlace| {
        let [x, y, z] = found.position;
        let y = plane::thousandth(y);
        Landing {
            spot: Spot { y: Some(y), at: thousandth([x, z]), level: spot.level },
            distance: found.distance,
        }
    };
    let meant = meant.map(|found| (standing(context, &found), at_own_height(&found)));
    if spot.y.is_some() {
        let (_, at_own_height) = meant?;
        return Some(at_own_height);
    }
    let mut on = |level: i8| {
        let found = closest_nav_point(mesh, spot.at, Some(level), reach, &filter, &mut scratch).ok()??;
        standing(context, &found)
    };
    let (level, meant) = meant.map_or((None, None), |(level, own)| (level, Some(own)));
    if let Some(own) = level.or_else(|| on(spot.level)) {
        return Some(own);
    }
    let others = document.levels.iter().map(|other| other.number).filter(|&other| other != spot.level);
    others.filter_map(on).chain(meant).min_by(|a, b| a.distance.total_cmp(&b.distance))
}

/// A place of the mesh as an end of a link, which stands at a level's elevation.
fn standing(context: &FixContext<'_>, found: &NavPlace) -> Option<Landing> {
    let [x, y, z] = found.position;
    let document = context.document;
    let near = |level: i8| (document.height_of(level) - y).abs() <= f64::from(context.class.climb);
    let mut levels = document.levels.iter().map(|level| level.number);
    let level = if near(found.level) { Some(found.level) } else { levels.find(|&level| near(level)) }?;
    Some(Landing { spot: Spot { at: thousandth([x, z]), level, y: None }, distance: found.distance })
}

fn with_end(link: &Link, end: bool, spot: Spot) -> Link {
    if end { link.clone().ending_at(spot) } else { link.clone().starting_at(spot) }
}

fn spot_of(link: &Link, end: bool) -> Spot {
    if end { link.end_spot() } else { link.start_spot() }
}

/// Moves the end onto the nearest floor.
pub(super) fn move_end(context: &FixContext<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let link = link_of(context.document, diagnostic)?;
    let end = is_end(diagnostic);
    let spot = spot_of(link, end);
    let landing = landing(context, spot)?;
    let word = if end { "end" } else { "start" };
    let [x, z] = landing.spot.at.map(number);
    let name = match landing.spot.y {
        Some(y) => format!("Move the {word} to {x}, {z} at height {}", number(y)),
        None if landing.spot.level == spot.level => format!("Move the {word} to {x}, {z}"),
        None => format!("Move the {word} to {x}, {z} on level {}", landing.spot.level),
    };
    let moved = with_end(link, end, landing.spot);
    Some(change(name, "The nearest floor that it can stand on", Command::SetLinks(vec![moved])))
}

/// Lets both ends reach as far as the nearest floor of the end's level.
pub(super) fn raise_radius(context: &FixContext<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let link = link_of(context.document, diagnostic)?;
    if diagnostic.kind == DiagnosticKind::LinkDropped {
        return None;
    }
    let end = is_end(diagnostic);
    let spot = spot_of(link, end);
    let landing = landing(context, spot).filter(|landing| stays(context, spot, landing.spot))?;
    if landing.distance <= link.radius || landing.distance > LARGEST_RADIUS {
        return None;
    }
    let radius = ((landing.distance + 0.001) * 10.0).ceil() / 10.0;
    let raised = Link { radius, ..(**link).clone() };
    let name = format!("Raise the radius to {}", number(radius));
    Some(change(name, "Both ends then reach that far for a floor", Command::SetLinks(vec![raised])))
}

/// Whether an end reaches a landing without another height: on its level, or within the climb of its own.
fn stays(context: &FixContext<'_>, spot: Spot, landed: Spot) -> bool {
    match (spot.y, landed.y) {
        (Some(own), Some(found)) => (own - found).abs() <= f64::from(context.class.climb),
        (own, found) => own == found && spot.level == landed.level,
    }
}

/// A radius that is one, and an end within the reach of the start's tile.
pub(super) fn set_to_limit(context: &FixContext<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let link = link_of(context.document, diagnostic)?;
    #[allow(clippy::cast_possible_truncation, reason = "tiles hold singles")]
    let stored = link.radius as f32;
    if stored <= 0.0 || !stored.is_finite() {
        let repaired = Link { radius: LINK_RADIUS, ..(**link).clone() };
        let name = format!("Set the radius of {} to {LINK_RADIUS}", link_name(link));
        return Some(change(name, "A radius that tiles can hold", Command::SetLinks(vec![repaired])));
    }
    let params = context.document.bake_settings(context.class).to_params().ok()?;
    let extent = params.max_local_extent();
    let (tile_x, tile_z) = params.world_to_tile(link.start[0], link.start[1])?;
    let corner = [params.tile_origin_x(tile_x), params.tile_origin_z(tile_z)];
    // As far along the link as both coordinates allow, a thousandth less for rounding.
    let part = [0, 1].map(|axis| {
        let (from, to) = (link.start[axis] - corner[axis], link.end[axis] - corner[axis]);
        let bound = (extent - 0.001).copysign(to);
        if to.abs() <= extent { 1.0 } else { ((bound - from) / (to - from)).clamp(0.0, 1.0) }
    });
    let part = part[0].min(part[1]);
    let on_way = [0, 1].map(|axis| link.start[axis] + part * (link.end[axis] - link.start[axis]));
    let on_way = on_way.map(|value| (value * 1000.0).trunc() / 1000.0 + 0.0);
    let within = |place: [f64; 2]| (0..2).all(|axis| (place[axis] - corner[axis]).abs() <= extent);
    let on_way = Spot { at: on_way, ..link.end_spot() };
    let landed = landing(context, on_way).filter(|landing| within(landing.spot.at));
    let spot = landed.map_or(on_way, |landing| landing.spot);
    let [x, z] = spot.at.map(number);
    let moved = with_end(link, true, spot);
    let help = format!("The end then lies within {} of its start's tile", number(extent));
    Some(change(format!("Move the end to {x}, {z}"), help, Command::SetLinks(vec![moved])))
}
