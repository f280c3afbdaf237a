//! What stands between two places that no path joins, and what would join them.

use std::f64::consts::SQRT_2;
use std::sync::Arc;

use super::act::{Fix, FixAct, FixContext, change, link_name, number, thousandth};
use crate::geom::plane;
use crate::project::{AgentClass, Command, Link, Spot, apply, new_link};
use crate::query::{Barrier, BarrierKind, NavPlace, closest_on_polygon};

/// Nothing wider than this is leapt over, in squares.
const LONGEST_JUMP: f64 = 12.0;
/// No wall higher than this is climbed by a ladder, in squares.
const HIGHEST_LADDER: f64 = 6.0;
/// How far an end of a new link stands inside its polygon, in squares.
const INSIDE: f64 = 0.3;

/// Whether a barrier is a step and nothing else: too high to climb, and no wider than an agent keeps from its edge on both
/// sides.
#[must_use]
pub fn is_step(barrier: &Barrier, class: &AgentClass, cell_size: f64) -> bool {
    let beside = SQRT_2 * f64::from(class.radius) + 2.0 * cell_size;
    let of_floors = matches!(barrier.kind, BarrierKind::Gap { .. } | BarrierKind::Step { .. });
    of_floors && barrier.rise.abs() > f64::from(class.climb) && barrier.distance <= 2.0 * beside
}

/// What would join the two sides of a barrier, the least first.
#[must_use]
pub fn fixes_of_barrier(context: &FixContext<'_>, barrier: &Barrier) -> Vec<Fix> {
    let document = context.document;
    let of_user = |user_id: u32| document.links.iter().find(|link| link.user_id == user_id);
    let mut found = Vec::new();
    match &barrier.kind {
        BarrierKind::OneWay { user_id } => found.extend(of_user(*user_id).map(both_ways)),
        BarrierKind::Unattached { user_id, .. } | BarrierKind::ClosedLink { user_id } => {
            found.extend(of_user(*user_id).map(|link| Fix {
                name: format!("Select {}", link_name(link)),
                help: "Selects it and shows the place".to_owned(),
                act: FixAct::Show { areas: Vec::new(), links: vec![link.id] },
            }));
        }
        BarrierKind::ClosedPolygon { .. } => {}
        BarrierKind::Wall
        | BarrierKind::Gap { .. }
        | BarrierKind::Step { .. }
        | BarrierKind::Portal { .. } => {
            found.extend(add_jump(context, barrier));
            found.extend(raise_climb(context, barrier));
        }
    }
    found.retain(|fix| match &fix.act {
        FixAct::Change(command) => apply(document, command).is_ok_and(|next| !next.ptr_eq(document)),
        _ => true,
    });
    found
}

/// What would get over all barriers of a chain at once, where it has several: a link over each, a climb that is enough for
/// each.
#[must_use]
pub fn fixes_of_chain(context: &FixContext<'_>, chain: &[Barrier]) -> Vec<Fix> {
    if chain.len() < 2 || !chain.iter().all(Barrier::is_of_floors) {
        return Vec::new();
    }
    let mut found: Vec<Fix> = add_links(context, chain).into_iter().collect();
    let step = |barrier: &&Barrier| is_step(barrier, context.class, context.document.settings.cell_size);
    if chain.iter().all(|barrier| step(&barrier)) {
        let highest = chain.iter().max_by(|a, b| a.rise.abs().total_cmp(&b.rise.abs()));
        found.extend(highest.and_then(|highest| raise_climb(context, highest)));
    }
    found
}

fn add_links(context: &FixContext<'_>, chain: &[Barrier]) -> Option<Fix> {
    let mut document = context.document.clone();
    let (mut links, mut both) = (Vec::new(), true);
    for barrier in chain {
        // Names and numbers go on from those of the links before.
        let (link, _, _) = jump_link(&FixContext { document: &document, ..*context }, barrier)?;
        both &= link.bidirectional;
        document = apply(&document, &Command::AddLinks(vec![link.clone()])).ok()?;
        links.push(link);
    }
    let ways = if both { "both ways" } else { "some of them down only" };
    let name = format!("Add {} links", links.len());
    Some(change(name, format!("One over each barrier, {ways}"), Command::AddLinks(links)))
}

fn both_ways(link: &Arc<Link>) -> Fix {
    let turned = Link { bidirectional: true, ..(**link).clone() };
    let name = format!("Make {} two-way", link_name(link));
    change(name, "It then leads from its end to its start as well", Command::SetLinks(vec![turned]))
}

fn add_jump(context: &FixContext<'_>, barrier: &Barrier) -> Option<Fix> {
    let (link, name, help) = jump_link(context, barrier)?;
    Some(change(name, help, Command::AddLinks(vec![link])))
}

/// A link over the gap: both ways over a step that is no higher than the agent, or along a ladder up a wall; else
/// down only. With what to call it and what to say of it.
fn jump_link(context: &FixContext<'_>, barrier: &Barrier) -> Option<(Link, &'static str, String)> {
    let class = context.class;
    let low = barrier.rise.abs() <= f64::from(class.height);
    let wall = is_step(barrier, class, context.document.settings.cell_size);
    let ladder = !low && wall && barrier.rise.abs() <= HIGHEST_LADDER;
    let both = low || ladder;
    if barrier.distance > LONGEST_JUMP || !both && barrier.rise > 0.0 {
        return None;
    }
    let [from, to] = [&barrier.from, &barrier.to].map(|place| place.position);
    let along = [to[0] - from[0], to[2] - from[2]];
    let length = along[0].hypot(along[1]);
    let inward = if length > 0.0 { along.map(|value| value / length * INSIDE) } else { [0.0; 2] };
    let start = spot_on(context, &barrier.from, [from[0] - inward[0], from[2] - inward[1]])?;
    let end = spot_on(context, &barrier.to, [to[0] + inward[0], to[2] + inward[1]])?;
    let rise = number(barrier.rise.abs());
    let (name, help) = match (both, barrier.rise < 0.0) {
        (false, _) => ("Add a drop here", format!("A link one way, {rise} down")),
        _ if ladder => ("Add a ladder here", format!("A link both ways along a wall of {rise}")),
        (true, false) => ("Add a jump here", format!("A link both ways, {rise} up")),
        (true, true) => ("Add a jump here", format!("A link both ways, {rise} down")),
    };
    Some((new_link(context.document, start, end, both), name, help))
}

/// An end of a link on a floor, at its level's elevation where that is within the climb.
fn spot_on(context: &FixContext<'_>, place: &NavPlace, at: [f64; 2]) -> Option<Spot> {
    let [x, y, z] = closest_on_polygon(context.mesh?, place.polygon, at)?.position;
    let off = (context.document.height_of(place.level) - y).abs();
    let y = (off > f64::from(context.class.climb)).then(|| plane::thousandth(y));
    Some(Spot { at: thousandth([x, z]), level: place.level, y })
}

/// Lets the class climb a step that is lower than itself.
fn raise_climb(context: &FixContext<'_>, barrier: &Barrier) -> Option<Fix> {
    let (document, class) = (context.document, context.class);
    let rise = barrier.rise.abs();
    if !is_step(barrier, class, document.settings.cell_size) || rise >= f64::from(class.height) {
        return None;
    }
    // Heights of floors are known to a cell, and a climb is taken in whole cells.
    let cell = document.settings.cell_height.max(0.01);
    let climb = ((rise / cell - 1e-3).ceil() + 1.0) * cell;
    let climb = (climb * 100.0).round() / 100.0;
    #[allow(clippy::cast_possible_truncation, reason = "settings are singles")]
    let raised = AgentClass { climb: climb as f32, ..class.clone() };
    let name = format!("Raise Climb to {}", number(climb));
    let help = format!("The agents then climb this step of {}, and every other one up to that", number(rise));
    Some(change(name, help, Command::SetClass(raised)))
}
