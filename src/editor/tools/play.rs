//! Play: a walker on the baked mesh. Holding the left button steps straight at the cursor and slides along walls; the
//! right button sends it by a path. The tool says what is wanted; [`PlayTool::advance`] walks.

use super::context::{Context, Feedback};
use super::event::{Button, Effect, Event};
use crate::draw::{Anchor, Role, Shape, Sign};
use crate::editor::canvas::pick::distance;
use crate::format::{PolyRef, TiledNavMesh};
use crate::project::{Document, Spot, find_path, floor_of};
use crate::query::{NavPoint, PathScratch, QueryFilter, closest_on_polygon, move_along_surface};

/// Squares a second.
const SPEED: f64 = 4.0;
/// How far from a floor a walker may be put down, in squares.
const PUT_REACH: f64 = 1.0;
/// Most places of the trail; the oldest are forgotten.
const MOST_TRAIL: usize = 4000;
/// A walker farther than this from the polygon that it was on is looked for anew: the mesh is another one.
const ASTRAY: f64 = 1e-3;
/// A step that gets less far than this part of its length is blocked.
const BLOCKED: f64 = 0.02;

/// The walker's place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walker {
    /// World (x, z).
    pub place: [f64; 2],
    /// The level it is on.
    pub level: i8,
    /// World y of its floor.
    pub y: f64,
    /// The polygon that it stands on, of the mesh that it last walked on.
    polygon: Option<PolyRef>,
}

impl Walker {
    /// Its place, as it can be asked about.
    fn spot(self, document: &Document) -> Spot {
        Spot { at: self.place, level: self.level, y: Some(self.y).filter(|_| document.stacks_floors()) }
    }
}

/// A step that was made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Where it ended.
    pub place: [f64; 2],
    /// On which level.
    pub level: i8,
    /// World y of the floor there.
    pub y: f64,
    /// How it went.
    pub kind: StepKind,
}

/// How a step went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum StepKind {
    Start,
    Free,
    Slid,
    Blocked,
    Jumped,
}

/// The play tool's state.
#[derive(Clone, Debug, Default)]
pub struct PlayTool {
    walker: Option<Walker>,
    trail: Vec<Step>,
    goal: Goal,
    /// The agent's radius, for the disc.
    radius: f64,
}

#[derive(Clone, Debug, Default)]
enum Goal {
    #[default]
    None,
    /// Straight at the cursor.
    Steer(Spot),
    /// To a place that was clicked.
    Find(Spot),
    /// Along the corners of a path, next one first.
    Follow(Vec<NavPoint>),
}

impl PlayTool {
    pub(super) fn busy(&self) -> bool {
        matches!(self.goal, Goal::Steer(_))
    }

    /// Stops.
    pub(super) fn release(&mut self) {
        self.goal = Goal::None;
    }

    /// Takes the walker away. Whether there was one.
    pub fn clear(&mut self) -> bool {
        self.goal = Goal::None;
        self.trail.clear();
        self.walker.take().is_some()
    }

    /// Where the walker is.
    #[must_use]
    pub fn walker(&self) -> Option<Walker> {
        self.walker
    }

    /// The steps that were made, oldest first.
    #[must_use]
    pub fn trail(&self) -> &[Step] {
        &self.trail
    }

    /// Whether it is on its way.
    #[must_use]
    pub fn walks(&self) -> bool {
        !matches!(self.goal, Goal::None)
    }

    pub(super) fn event(&mut self, event: Event, context: &Context<'_>) -> Vec<Effect> {
        match event {
            Event::Press(Button::Left, to) => self.goal = Goal::Steer(context.test_spot(to)),
            Event::Drag(to) => {
                if let Goal::Steer(now) = &mut self.goal {
                    now.at = to;
                }
            }
            Event::Press(Button::Right, _) if self.busy() => self.goal = Goal::None,
            Event::Release { button: Button::Left, .. } => {
                // A click without a frame between still puts the walker down or makes a step.
                if let Goal::Steer(to) = self.goal
                    && self.walker.is_none()
                {
                    self.goal = Goal::Find(to);
                } else {
                    self.goal = Goal::None;
                }
            }
            Event::Release { button: Button::Right, place, moved: false } => {
                self.goal = Goal::Find(context.test_spot(place));
            }
            Event::Typed(at) => self.goal = Goal::Find(Spot { at, level: context.level, y: None }),
            _ => {}
        }
        Vec::new()
    }

    /// Walks on for some seconds. What to tell the user, if anything is in the way at once.
    pub fn advance(
        &mut self,
        document: &Document,
        mesh: &TiledNavMesh,
        radius: f64,
        seconds: f64,
        scratch: &mut PathScratch,
    ) -> Option<String> {
        self.radius = radius;
        let length = SPEED * seconds;
        let goal = std::mem::take(&mut self.goal);
        let Some(walker) = self.walker else {
            return match goal {
                Goal::Steer(to) | Goal::Find(to) => {
                    if let Goal::Steer(_) = goal {
                        self.goal = goal;
                    }
                    self.put(document, mesh, to, scratch)
                }
                Goal::None | Goal::Follow(_) => None,
            };
        };
        match goal {
            Goal::None => None,
            Goal::Steer(to) => {
                self.goal = Goal::Steer(to);
                self.step(document, mesh, walker, to.at, length, scratch);
                None
            }
            Goal::Find(to) => self.find(document, mesh, walker, to, scratch),
            Goal::Follow(corners) => {
                self.follow(document, mesh, corners, length, scratch);
                None
            }
        }
    }

    /// Puts the walker down on the floor at a place.
    fn put(
        &mut self,
        document: &Document,
        mesh: &TiledNavMesh,
        spot: Spot,
        scratch: &mut PathScratch,
    ) -> Option<String> {
        let filter = QueryFilter::default();
        let found = floor_of(document, mesh, &spot, PUT_REACH, &filter, scratch).ok().flatten();
        let Some(found) = found else {
            self.goal = Goal::None;
            let of_level = if spot.y.is_some() { String::new() } else { format!(" of level {}", spot.level) };
            return Some(format!("No floor{of_level} within {PUT_REACH} square of there to stand on"));
        };
        let ([x, y, z], level) = (found.position, found.level);
        let place = [x, z];
        self.walker = Some(Walker { place, level, y, polygon: Some(found.polygon) });
        self.trail = vec![Step { place, level, y, kind: StepKind::Start }];
        None
    }

    fn find(
        &mut self,
        document: &Document,
        mesh: &TiledNavMesh,
        walker: Walker,
        to: Spot,
        scratch: &mut PathScratch,
    ) -> Option<String> {
        let (filter, from) = (QueryFilter::default(), walker.spot(document));
        match find_path(document, mesh, [&from, &to], &filter, scratch).map(|found| found.path) {
            Ok(path) => {
                if !path.points.is_empty() {
                    self.goal = Goal::Follow(path.points);
                }
                (!path.reason.is_empty()).then_some(path.reason)
            }
            Err(error) => Some(error.to_string()),
        }
    }

    /// One straight step of at most some length towards a place.
    fn step(
        &mut self,
        document: &Document,
        mesh: &TiledNavMesh,
        walker: Walker,
        to: [f64; 2],
        length: f64,
        scratch: &mut PathScratch,
    ) {
        let away = distance(walker.place, to);
        if away <= 1e-6 || length <= 0.0 {
            return;
        }
        let part = (length / away).min(1.0);
        let target = [0, 1].map(|axis| walker.place[axis] + part * (to[axis] - walker.place[axis]));
        let filter = QueryFilter::default();
        let is_on = |polygon: &PolyRef| {
            let on = closest_on_polygon(mesh, *polygon, walker.place);
            on.is_some_and(|on| {
                let climb = f64::from(mesh.params().walkable_climb);
                on.distance <= ASTRAY && (on.position[1] - walker.y).abs() <= climb
            })
        };
        let polygon = walker.polygon.filter(is_on).or_else(|| {
            let spot = walker.spot(document);
            let found = floor_of(document, mesh, &spot, f64::INFINITY, &filter, scratch).ok().flatten();
            found.map(|found| found.polygon)
        });
        let Some(polygon) = polygon else { return };
        let moved = move_along_surface(mesh, polygon, walker.place, target, &filter, scratch);
        let Ok(Some(moved)) = moved else { return };
        let [x, y, z] = moved.position;
        let place = [x, z];
        let blocked = distance(place, walker.place) < BLOCKED * part * away;
        let kind = match (moved.wall.is_some(), blocked) {
            (true, true) => StepKind::Blocked,
            (true, false) => StepKind::Slid,
            (false, _) => StepKind::Free,
        };
        self.note(Step { place, level: moved.level, y, kind }, Some(moved.polygon));
    }

    /// Walks along the corners of a path, and over its links as the crow flies.
    fn follow(
        &mut self,
        document: &Document,
        mesh: &TiledNavMesh,
        mut corners: Vec<NavPoint>,
        mut left: f64,
        scratch: &mut PathScratch,
    ) {
        let mut jumps = false;
        while let (Some(corner), Some(walker)) = (corners.first().copied(), self.walker) {
            let [x, y, z] = corner.position;
            let to = [x, z];
            let away = distance(walker.place, to);
            if away > left && !jumps {
                self.step(document, mesh, walker, to, left, scratch);
                break;
            }
            // A link is taken in one stride; it may be longer than what is left.
            left = (left - away).max(0.0);
            let kind = if jumps { StepKind::Jumped } else { StepKind::Free };
            self.note(Step { place: to, level: corner.level, y, kind }, None);
            jumps = corner.link.is_some();
            corners.remove(0);
        }
        if !corners.is_empty() {
            self.goal = Goal::Follow(corners);
        }
    }

    fn note(&mut self, step: Step, polygon: Option<PolyRef>) {
        self.walker = Some(Walker { place: step.place, level: step.level, y: step.y, polygon });
        // Standing at a wall makes one mark, not one a frame.
        let last = self.trail.last();
        let again = last.is_some_and(|last| {
            step.kind == StepKind::Blocked
                && last.kind == step.kind
                && distance(last.place, step.place) < 0.01
        });
        if !again && last != Some(&step) {
            if self.trail.len() >= MOST_TRAIL {
                self.trail.drain(..MOST_TRAIL / 4);
            }
            self.trail.push(step);
        }
    }

    pub(super) fn feedback(&self, context: &Context<'_>) -> Feedback {
        let mut shapes = Vec::new();
        for part in self.trail.windows(2) {
            let (from, to) = (part[0], part[1]);
            let role = match to.kind {
                StepKind::Slid => Role::TrailSlid,
                StepKind::Jumped => Role::PathJump,
                _ => Role::Trail,
            };
            let segment = vec![from.place, to.place];
            // Parts that go on in the same way are one line.
            match shapes.last_mut() {
                Some(Shape::Polyline { points, role: last, .. })
                    if *last == role && points.last() == Some(&from.place) =>
                {
                    points.push(to.place);
                }
                _ => shapes.push(Shape::Polyline { points: segment, closed: false, role }),
            }
        }
        for part in self.trail.windows(2) {
            let (from, to) = (part[0], part[1]);
            if to.kind == StepKind::Blocked {
                let segments = vec![bar(from.place, to.place, context.pixel)];
                shapes.push(Shape::Lines { segments, role: Role::TrailSlid });
            }
            if from.level != to.level {
                let sign = Sign::DiscNumber(to.level);
                shapes.push(Shape::Marker { at: to.place, sign, role: Role::LevelChange });
            }
        }
        let Some(walker) = self.walker else { return Feedback { shapes, ..Feedback::default() } };
        let radius = self.radius.max(5.0 * context.pixel);
        shapes.push(Shape::Circle { center: walker.place, radius, role: Role::Walker });
        let text = walker.level.to_string();
        let anchor = Anchor::Center;
        shapes.push(Shape::Marker { at: walker.place, sign: Sign::Disc, role: Role::Badge });
        shapes.push(Shape::Text { at: walker.place, text, anchor, role: Role::BadgeText });
        let word = match (self.walks(), self.trail.last().map(|step| step.kind)) {
            (true, Some(StepKind::Slid)) => "slides along the wall",
            (true, Some(StepKind::Blocked)) => "blocked",
            _ => "",
        };
        let word = (!word.is_empty()).then(|| (walker.place, word.to_owned()));
        Feedback { shapes, word, ..Feedback::default() }
    }

    pub(super) fn help(&self) -> String {
        match self.walker {
            None => "Left: put a walker down".to_owned(),
            Some(_) => "Hold left: step straight at the cursor, slide on walls · Right: walk there by path · Esc: take it away".to_owned(),
        }
    }
}

/// A short bar across the end of a step that was stopped; steps without a direction get a level one.
fn bar(from: [f64; 2], to: [f64; 2], pixel: f64) -> [[f64; 2]; 2] {
    let length = distance(from, to);
    let along =
        if length > 0.0 { [(to[0] - from[0]) / length, (to[1] - from[1]) / length] } else { [0.0, 1.0] };
    let half = 7.0 * pixel;
    [[to[0] - along[1] * half, to[1] + along[0] * half], [to[0] + along[1] * half, to[1] - along[0] * half]]
}
