//! What is laid over the 3D picture in every frame, with the signs and colours of the canvas: what is selected, what the
//! tool shows, markers, labels, and the place under the mouse on the canvas.

use std::collections::BTreeMap;

use egui::Rect;

use super::badges::{self, Stamps};
use super::heights::Heights;
use super::mesh::Jump;
use super::pick::{drawing_height, nearest, plane_height};
use super::projector::Projector;
use super::scene::{floor_height, jump_of, spot_height};
use super::space::{Ray, Vec3, between};
use crate::draw::{self, Anchor, Role, Shape, Sign};
use crate::editor::canvas::ink::Ink;
use crate::editor::canvas::paint::failed_tiles;
use crate::editor::state::State;
use crate::editor::style;
use crate::editor::taken::takes;
use crate::editor::tools::{Feedback, ToolKind};
use crate::editor::why;
use crate::editor::worker::Mode;
use crate::project::Spot;
use crate::query::PathScratch;

/// Nothing nearer under a drawing's plane than this gets a plumb line.
const PLUMB: f64 = 0.2;
/// How much of each edge of a box is drawn from its corners.
const TICK: f64 = 0.08;
/// Most labels that are shown.
const MOST: usize = 300;

/// What is kept from frame to frame.
pub struct Memory<'a> {
    /// For what is looked up anew.
    pub scratch: &'a mut PathScratch,
    /// Heights that were looked up.
    pub heights: &'a mut Heights,
    /// Signs that were made.
    pub stamps: &'a mut Stamps,
}

/// What lies over the picture. `level`: where the tool's own shapes lie.
#[must_use]
pub fn upper(
    context: &egui::Context,
    state: &State,
    projector: &Projector<'_>,
    rect: Rect,
    feedback: (&Feedback, i8),
    lit: (&[Shape], i8),
    Memory { scratch, heights, stamps }: Memory<'_>,
) -> Vec<egui::Shape> {
    let mut shapes = Vec::new();
    labels(state, projector, heights, &mut shapes);
    let on = |level: i8| move |place: [f64; 2]| projector.raise(state, level, place);
    let known = link_places(state, projector, scratch, lit.0);
    let raise =
        |place: [f64; 2]| known.get(&place.map(f64::to_bits)).copied().unwrap_or_else(|| on(lit.1)(place));
    projector.shapes(lit.0, &raise, &mut shapes);
    projector.shapes(&failed_tiles(state), &on(state.level), &mut shapes);
    projector.shapes(&state.plots.lit, &on(state.level), &mut shapes);
    seeds(state, projector, &mut shapes);
    selection(state, projector, scratch, &mut shapes);
    markers(state, projector, scratch, &mut shapes);
    let seen = |place, level| projector.point(projector.stack.shown_at(place, level));
    shapes.extend(why::shapes(state, &seen, 1.0));
    let mut under = Ink::new(context);
    draw::paint(&shapes, &Projector::view(rect), under.theme, &mut under);
    shapes.clear();
    let mut painted = under.finish();
    painted.extend(badges::paint(context, stamps, state, projector, heights, style::theme(context)));
    common_cursor(state, projector, scratch, &mut shapes);
    if state.tools.kind() == ToolKind::Play {
        let walked = walked(state, projector);
        let raise = |place: [f64; 2]| {
            let known = walked.get(&place.map(f64::to_bits)).copied();
            known.unwrap_or_else(|| projector.raise(state, feedback.1, place))
        };
        projector.shapes(&feedback.0.shapes, &raise, &mut shapes);
    } else {
        plumb_lines(state, projector, &mut shapes);
        let drawn = state.tools.draws().then(|| drawing_height(state, projector.stack));
        // On a floor of its own nothing else of the level is joined.
        let own = drawn.filter(|y| *y != plane_height(state, projector.stack, state.level));
        let known = link_places(state, projector, scratch, &feedback.0.shapes);
        let raise = |place: [f64; 2]| match (known.get(&place.map(f64::to_bits)), own) {
            (Some(place), _) => *place,
            (_, Some(y)) => [place[0], y, place[1]],
            (None, None) => projector.raise(state, feedback.1, place),
        };
        match without_rim(state, &feedback.0.shapes) {
            Some((rest, bounds)) => {
                projector.shapes(&rest, &raise, &mut shapes);
                shapes_of_box(projector, Some(bounds), &mut shapes);
            }
            None => projector.shapes(&feedback.0.shapes, &raise, &mut shapes),
        }
    }
    let view = Projector::view(rect);
    let mut ink = Ink::new(context);
    draw::paint(&shapes, &view, ink.theme, &mut ink);
    painted.extend(ink.finish());
    painted
}

/// Where the walker and the places of its trail are shown.
fn walked(state: &State, projector: &Projector<'_>) -> BTreeMap<[u64; 2], Vec3> {
    let play = &state.tools.play;
    let walker = play.walker().map(|walker| (walker.place, walker.level, walker.y));
    let steps = play.trail().iter().rev().map(|step| (step.place, step.level, step.y));
    let shown = walker
        .into_iter()
        .chain(steps)
        .map(|([x, z], level, y)| ([x, z].map(f64::to_bits), projector.stack.shown_at([x, y, z], level)));
    shown.collect()
}

/// Where the places of links' lines and ends on the plan are in space, if shapes show any: an end may have a height of its
/// own, and the line goes through the air.
fn link_places(
    state: &State,
    projector: &Projector<'_>,
    scratch: &mut PathScratch,
    shapes: &[Shape],
) -> BTreeMap<[u64; 2], Vec3> {
    let mut places = BTreeMap::new();
    let document = state.document();
    // The link that is being drawn goes from its start to the mouse.
    let begun = state.tools.link_start().zip(state.aim);
    for shape in shapes {
        match shape {
            Shape::Polyline { points, closed: false, .. } if points.len() > 2 => {
                let (first, last) = (points[0], points[points.len() - 1]);
                let link = document.links.iter().find(|link| link.start == first && link.end == last);
                let jump = match (link, begun) {
                    (Some(link), _) => jump_of(state, link, scratch),
                    (None, Some((start, aim))) if start.at == first => Jump {
                        from: [first[0], spot_height(state, start, scratch), first[1]],
                        to: [last[0], aim.y.unwrap_or(aim.shown[1]), last[1]],
                        levels: [start.level, aim.level],
                        radius: 0.0,
                        two_way: true,
                    },
                    _ => continue,
                };
                let arc = jump.arc();
                for (index, point) in points.iter().enumerate() {
                    let part = index as f64 / (points.len() - 1) as f64 * (arc.len() - 1) as f64;
                    let step = (part as usize).min(arc.len() - 2);
                    let place = between(arc[step], arc[step + 1], part - step as f64);
                    let shown = projector.stack.shown_at(place, jump.level(step));
                    places.insert(point.map(f64::to_bits), shown);
                }
            }
            Shape::Marker { at, .. } | Shape::Circle { center: at, .. } => {
                let ends = document.links.iter().flat_map(|link| [link.start_spot(), link.end_spot()]);
                let begun = begun.map(|(start, _)| start);
                let Some(spot) = begun.into_iter().chain(ends).find(|spot| spot.at == *at) else { continue };
                let place = [at[0], spot_height(state, spot, scratch), at[1]];
                places.insert(at.map(f64::to_bits), projector.stack.shown_at(place, spot.level));
            }
            _ => {}
        }
    }
    places
}

/// From the points of a drawing in the air straight down to what lies under them, so that one sees where they are.
fn plumb_lines(state: &State, projector: &Projector<'_>, shapes: &mut Vec<Shape>) {
    let drawing = matches!(state.tools.kind(), ToolKind::Walk | ToolKind::Hole);
    let cursor = state.aim.map(|aim| aim.place).or(state.cursor).filter(|_| drawing);
    let height = drawing_height(state, projector.stack);
    for [x, z] in state.tools.draft().iter().copied().chain(cursor).take(MOST) {
        let from = [x, height - PLUMB, z];
        let down = Ray { from, along: [0.0, -1.0, 0.0] };
        let below = nearest(projector.scene, projector.stack, &down, state.level, &|_| true);
        if let Some(hit) = below {
            projector.polyline(&[from, hit.shown], false, Role::DraftClosing, shapes);
        }
    }
}

fn selection(state: &State, projector: &Projector<'_>, scratch: &mut PathScratch, shapes: &mut Vec<Shape>) {
    let points = state.selection.points();
    let selected = |area| state.selection.has(crate::editor::canvas::pick::Item::Area(area));
    for outline in projector.scene.outlines().filter(|outline| selected(outline.area)) {
        if !projector.stack.standing(outline.level).shown {
            continue;
        }
        let shown: Vec<Vec3> =
            outline.corners.iter().map(|&corner| projector.stack.shown_at(corner, outline.level)).collect();
        projector.polyline(&shown, true, Role::Selection, shapes);
        for (index, &corner) in shown.iter().enumerate() {
            let picked = points.contains(&(outline.area, index));
            let role = if picked { Role::Selection } else { Role::Handle };
            let sign = if picked { Sign::Disc } else { Sign::Square };
            shapes.extend(projector.point(corner).map(|at| Shape::Marker { at, sign, role }));
        }
    }
    for item in state.selection.geometry(state.document()) {
        let bounds = state.geometry.get(item.id).and_then(|loaded| loaded.bounds_at(item));
        shapes_of_box(projector, bounds, shapes);
    }
    // Where a path is asked for, its line counts.
    for link in state.selection.links(state.document()).filter(|_| !state.tools.kind().shows_bake()) {
        let taken = takes(state, link);
        let jump = jump_of(state, link, scratch);
        let arc: Vec<Vec3> = jump
            .arc()
            .into_iter()
            .enumerate()
            .map(|(step, place)| projector.stack.shown_at(place, jump.level(step)))
            .collect();
        if !taken {
            projector.polyline(&arc, false, Role::Selection, shapes);
        }
        for end in arc.first().into_iter().chain(arc.last()) {
            let at = projector.point(*end);
            shapes.extend(at.map(|at| Shape::Marker { at, sign: Sign::Square, role: Role::Handle }));
        }
    }
}

/// The corners of a box, so that what it holds stays in sight.
fn shapes_of_box(projector: &Projector<'_>, bounds: Option<[Vec3; 2]>, shapes: &mut Vec<Shape>) {
    let Some([low, high]) = bounds else { return };
    let ring =
        |y: f64| [[low[0], y, low[2]], [high[0], y, low[2]], [high[0], y, high[2]], [low[0], y, high[2]]];
    let (below, above) = (ring(low[1]), ring(high[1]));
    let tick = |from: Vec3, to: Vec3| [from, between(from, to, TICK)];
    for at in 0..4 {
        for (own, other) in [(&below, &above), (&above, &below)] {
            let ticks = [own[(at + 1) % 4], own[(at + 3) % 4], other[at]];
            for to in ticks {
                projector.polyline(&tick(own[at], to), false, Role::Hover, shapes);
            }
        }
    }
}

/// What the tool shows without the rim of the geometry under the mouse, which means nothing on a level's plane; and that
/// geometry's box instead.
fn without_rim(state: &State, shapes: &[Shape]) -> Option<(Vec<Shape>, [Vec3; 2])> {
    let rim = |shape: &Shape| match shape {
        Shape::Polyline { points, closed: true, role: Role::Hover } => {
            let mut items = state.document().geometry.iter();
            items.find_map(|item| {
                let loaded = state.geometry.get(item.id)?;
                (loaded.hull_at(item) == *points).then(|| loaded.bounds_at(item)).flatten()
            })
        }
        _ => None,
    };
    let bounds = shapes.iter().find_map(rim)?;
    Some((shapes.iter().filter(|shape| rim(shape).is_none()).cloned().collect(), bounds))
}

/// The seeds of a voxel bake, at their heights.
fn seeds(state: &State, projector: &Projector<'_>, shapes: &mut Vec<Shape>) {
    if state.bake_mode() != Mode::Voxel {
        return;
    }
    for (seed, number) in state.document().voxel.seeds.iter().zip(1..).take(MOST) {
        let Some(at) = projector.point(*seed) else { continue };
        let text = format!("   seed {number}");
        shapes.push(Shape::Marker { at, sign: Sign::Ring, role: Role::Handle });
        shapes.push(Shape::Text { at, text, anchor: Anchor::Left, role: Role::Label });
    }
}

/// The markers of the path test, and where the path changes its level.
fn markers(state: &State, projector: &Projector<'_>, scratch: &mut PathScratch, shapes: &mut Vec<Shape>) {
    let points = state.path.as_ref().map_or(&[][..], |path| &path.points);
    for pair in points.windows(2).filter(|pair| pair[0].level != pair[1].level) {
        let shown = projector.stack.shown_at(pair[1].position, pair[1].level);
        let sign = Sign::DiscNumber(pair[1].level);
        shapes.extend(projector.point(shown).map(|at| Shape::Marker { at, sign, role: Role::LevelChange }));
    }
    let test = &state.tools.test;
    let ends = [
        (test.start, Sign::DiscLetter('S'), Role::PathStart),
        (test.end, Sign::SquareLetter('E'), Role::PathEnd),
    ];
    for (marker, sign, role) in ends {
        let Some(marker) = marker else { continue };
        let [x, z] = marker.place;
        let height = spot_height(state, marker.spot(), scratch);
        let at = projector.point(projector.stack.shown_at([x, height, z], marker.level));
        shapes.extend(at.map(|at| Shape::Marker { at, sign, role }));
    }
}

/// The numbers of levels on their floors, and those of islands.
fn labels(state: &State, projector: &Projector<'_>, heights: &mut Heights, shapes: &mut Vec<Shape>) {
    let Some(baked) = state.bake.shown.as_ref().filter(|_| state.shown.overlays.labels) else { return };
    let numbers = baked.shapes.labels.iter().filter_map(|shape| match shape {
        Shape::Text { at, text, role, .. } => Some((text.parse::<i8>().ok()?, *at, text.clone(), *role)),
        _ => None,
    });
    let islands = baked.islands.labels.iter().filter(|_| state.shown.overlays.islands);
    let islands = islands.filter_map(|(level, shape)| match shape {
        Shape::Text { at, text, role, .. } => Some((*level, *at, text.clone(), *role)),
        _ => None,
    });
    // Where there is one level, its number says nothing.
    let one = state.document().levels.len() < 2;
    let numbers = numbers.filter(|_| !one);
    for (level, [x, z], text, role) in numbers.chain(islands).take(MOST) {
        if !projector.stack.standing(level).shown {
            continue;
        }
        let height = heights.at(state, Spot { at: [x, z], level, y: None });
        let Some(at) = projector.point(projector.stack.shown_at([x, height, z], level)) else { continue };
        // Numbers of islands below those of levels.
        let at = if role == Role::IslandLabel { [at[0], at[1] - 18.0] } else { at };
        shapes.push(Shape::Text { at, text, anchor: Anchor::Center, role });
    }
}

/// The place under the mouse where that is on the canvas.
fn common_cursor(
    state: &State,
    projector: &Projector<'_>,
    scratch: &mut PathScratch,
    shapes: &mut Vec<Shape>,
) {
    let Some(place) = state.cursor.filter(|_| state.aim.is_none()) else { return };
    let height = floor_height(state, place, state.level, scratch);
    let shown = projector.stack.shown_at([place[0], height, place[1]], state.level);
    let at = projector.point(shown);
    shapes.extend(at.map(|at| Shape::Marker { at, sign: Sign::Ring, role: Role::Hover }));
    shapes.extend(at.map(|at| Shape::Marker { at, sign: Sign::Plus, role: Role::Ghost }));
}
