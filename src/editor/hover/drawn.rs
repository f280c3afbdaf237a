//! Cards of what is drawn: points, edges, areas, links.

use super::card::Card;
use crate::bake::{AreaKind, Surface};
use crate::draw::{Role, Shape};
use crate::editor::canvas::pick::{distance, edges, nearest_on_segment};
use crate::editor::state::State;
use crate::editor::words;
use crate::geom::plane::signed_area;
use crate::project::{AreaId, GeometryId, LinkId, Spot, UpAxis, issue_area, link_of};

pub(super) fn point(state: &State, id: AreaId, index: usize) -> Option<Card> {
    let document = state.document();
    let area = document.area(id)?;
    let place = *area.points.get(index)?;
    let others = document.areas.iter().filter(|other| other.id != id && other.points.contains(&place));
    let others: Vec<String> = others.map(|other| format!("{}, level {}", other.name, other.level)).collect();
    let height = match &area.surface {
        Surface::Heights(heights) => heights.get(index).map(|&height| words::number(height)),
        _ => None,
    };
    let joined = if others.is_empty() { "nothing".to_owned() } else { others.join(" · ") };
    let card = Card::new(format!("Point {} of {}", index + 1, area.name)).row("x, z", words::place(place));
    Some(card.some_row("height", height).row("joined with", joined))
}

pub(super) fn edge(state: &State, id: AreaId, index: usize, on: [f64; 2]) -> Option<Card> {
    let document = state.document();
    let area = document.area(id)?;
    let (from, to) = (*area.points.get(index)?, area.points[(index + 1) % area.points.len()]);
    let angle = (to[1] - from[1]).atan2(to[0] - from[0]).to_degrees();
    let shares = |points: &[[f64; 2]]| {
        edges(points).any(|(_, a, b)| {
            let near =
                |p: [f64; 2], q: [f64; 2], place| distance(nearest_on_segment(p, q, place), place) < 1e-4;
            let parallel = ((to[0] - from[0]) * (b[1] - a[1]) - (to[1] - from[1]) * (b[0] - a[0])).abs()
                < 1e-6 * distance(from, to) * distance(a, b);
            near(a, b, on) && parallel
        })
    };
    let others = document.areas.iter().filter(|other| other.id != id && shares(&other.points));
    let others: Vec<String> = others.map(|other| format!("{}, level {}", other.name, other.level)).collect();
    let shared = if others.is_empty() { "nothing".to_owned() } else { others.join(" · ") };
    let card = Card::new(format!("Edge {} of {}", index + 1, area.name))
        .row("length", format!("{} squares", words::number(distance(from, to))))
        .row("angle", format!("{angle:.1}°"))
        .row("shared with", shared);
    Some(card)
}

pub(super) fn area(state: &State, id: AreaId) -> Option<Card> {
    let document = state.document();
    let area = document.area(id)?;
    let kind = if area.kind == AreaKind::Walk { "walk area" } else { "hole" };
    let surface = match area.surface {
        Surface::Level => String::new(),
        Surface::Ramp => ", ramp".to_owned(),
        Surface::Heights(_) => ", heights".to_owned(),
    };
    let number = area.area_type.unwrap_or(document.settings.area);
    let named = document.area_type(number).filter(|_| area.kind == AreaKind::Walk);
    let issues = state.shown_issues().iter().map(|&index| &state.issues()[index]);
    let about = issues.filter(|issue| issue_area(document, issue).is_some_and(|of| of.id == id)).count();
    let card = Card::new(area.name.clone())
        .row("kind", format!("{kind}{surface}, level {}", area.level))
        .some_row(
            "type",
            named.map(|named| format!("{number}, {} (cost {})", named.name, words::number(named.cost))),
        )
        .row("points", area.points.len().to_string())
        .row("size", format!("{} squares", words::number(signed_area(&area.points).abs())))
        .row("issues", if about == 0 { "none".to_owned() } else { about.to_string() });
    Some(card)
}

pub(super) fn link(state: &State, id: LinkId) -> Option<Card> {
    let document = state.document();
    let link = document.link(id)?;
    let end = |spot: Spot| format!("{}, {}", words::place(spot.at), words::floor(spot));
    let troubles: Vec<String> = state
        .shown_issues()
        .iter()
        .map(|&index| &state.issues()[index])
        .filter(|issue| link_of(document, issue).is_some_and(|of| of.id == id))
        .map(|issue| issue.message.clone())
        .collect();
    let attached = match (state.fresh(), troubles.is_empty()) {
        (false, _) => "not baked yet".to_owned(),
        (true, true) => "at both ends".to_owned(),
        (true, false) => troubles.join(" · "),
    };
    let direction = if link.bidirectional { "both ways" } else { "one way, from the start" };
    let mut card = Card::new(link.name.clone())
        .row("start", end(link.start_spot()))
        .row("end", end(link.end_spot()))
        .row("radius", words::number(link.radius))
        .row("direction", direction)
        .row("attached", attached);
    card.lit = vec![Shape::Polyline {
        points: crate::draw::link_arc(link.start, link.end),
        closed: false,
        role: Role::Hover,
    }];
    Some(card)
}

pub(super) fn geometry(state: &State, id: GeometryId, place: [f64; 2]) -> Option<Card> {
    let item = state.document().geometry(id)?;
    let loaded = state.geometry.get(id)?;
    let height = loaded.footprint.top(&loaded.meshes, place, state.ground_cut());
    let up = if item.up == UpAxis::Z { " · z up" } else { "" };
    let [x, y, z] = item.offset.map(words::number);
    let (scale, turn) = (words::number(item.scale), words::number(item.turn));
    let card = Card::new(item.name())
        .row("geometry", words::many(loaded.triangles, "triangle"))
        .row("level", item.level.to_string())
        .some_row("height here", height.map(words::number))
        .row("placed", format!("{x}, {y}, {z} · scale {scale} · turn {turn}°{up}"));
    Some(card)
}
