//! Why the path test finds no path: what stands between, with its place, and the floors that lie where a marker missed them.

use std::sync::Arc;
use std::time::Instant;

use super::explainer::{Explainer, WhyAnswer, WhyQuestion};
use super::state::{Frame, State};
use super::tools::Marker;
use super::why_not::{Elsewhere, Why};
use super::words;
use crate::draw::{Anchor, Role, Shape, Sign};
use crate::geom::plane::thousandth;
use crate::project::fix::{Fix, FixContext, fixes_of_barrier, fixes_of_chain, is_step};
use crate::project::{Spot, floors_over};
use crate::query::{Barrier, BarrierKind, PathStatus, QueryFilter, closest_nav_point};
use crate::stitch::PortalMiss;

/// A marker stands on a floor that is no farther than this beside it, in squares.
const HERE: f64 = 1e-3;
/// Said while the answer is looked for.
pub const LOOKING: &str = "Looking for what stands between.";

impl State {
    /// Keeps it up to date with the tested path.
    pub(super) fn refresh_why(&mut self) {
        let test = &self.tools.test;
        let (Some(start), Some(end), false) = (test.start, test.end, self.path_exists()) else {
            self.why = Why::default();
            return;
        };
        let key = (start, end, self.bake.shown_generation);
        if self.why.key == Some(key) {
            return;
        }
        if self.tools.dragging() {
            self.why = Why::default();
            return;
        }
        // After a bake the same question has an old answer.
        let is_again = self.why.key.is_some_and(|(from, to, _)| (from, to) == (start, end));
        let status = self.path.as_ref().map(|path| path.status);
        if !is_again || status != Some(PathStatus::Partial) {
            self.why = Why::default();
        }
        self.why.key = Some(key);
        match status {
            Some(PathStatus::Partial) => self.look_for_barriers([start.spot(), end.spot()]),
            Some(_) => {
                let ends = [(true, start), (false, end)];
                self.why.elsewhere = ends
                    .into_iter()
                    .flat_map(|(is_start, marker)| self.find_elsewhere(is_start, marker))
                    .collect();
            }
            None => {}
        }
    }

    /// Asks for them, on the thread that has the time.
    fn look_for_barriers(&mut self, ends: [Spot; 2]) {
        let Some(baked) = &self.bake.shown else { return };
        self.last_look += 1;
        let (number, document, mesh) =
            (self.last_look, self.history.document().clone(), Arc::clone(&baked.mesh));
        self.why.asked = Some((number, Instant::now()));
        self.why.unsent = Some(WhyQuestion { number, document, mesh, ends });
    }

    /// Takes in what was found.
    pub fn explained(&mut self, answer: WhyAnswer) {
        self.why.take(answer);
    }

    /// What is to be asked, if anything new is.
    pub fn why_question(&mut self) -> Option<WhyQuestion> {
        self.why.unsent.take()
    }

    /// Hands over what is to be asked, and takes in what was answered.
    pub(super) fn explain(&mut self, explainer: &Explainer) {
        while let Some(answer) = explainer.poll_issue() {
            self.advised(answer);
        }
        self.issue_questions().into_iter().for_each(|question| explainer.ask_of_issue(question));
        while let Some(answer) = explainer.poll() {
            self.explained(answer);
        }
        let waits = self.why.is_looked_for();
        if let Some(question) = self.why_question() {
            explainer.ask(question);
        } else if self.why_asked && !waits {
            explainer.cancel();
        }
        self.why_asked = waits;
    }

    /// Floors at a marker's place, where it stands on none.
    fn find_elsewhere(&mut self, start: bool, marker: Marker) -> Vec<Elsewhere> {
        let Some(baked) = &self.bake.shown else { return Vec::new() };
        let (document, mesh) = (self.history.document(), &baked.mesh.mesh);
        let (filter, scratch, at) = (QueryFilter::default(), &mut self.scratch, marker.place);
        let stacks = document.stacks_floors();
        if !stacks {
            let own = closest_nav_point(mesh, at, Some(marker.level), HERE, &filter, scratch).ok().flatten();
            if own.is_some_and(|own| own.distance <= HERE) {
                return Vec::new();
            }
        }
        let over = floors_over(mesh, at, None, &filter, scratch).unwrap_or_default();
        let climb = f64::from(mesh.params().walkable_climb);
        // A marker that stands on a floor has missed none.
        let stands = match marker.y {
            Some(y) => over.iter().any(|floor| (floor.position[1] - y).abs() <= climb),
            None => stacks,
        };
        if stands {
            return Vec::new();
        }
        let others = over.iter().filter(|floor| match marker.y {
            Some(y) => (floor.position[1] - y).abs() > climb,
            None => floor.level != marker.level,
        });
        let word = if start { "start" } else { "end" };
        let put = others.map(|floor| {
            let y = thousandth(floor.position[1]);
            let name = if stacks {
                format!("Put the {word} on the floor at {}", words::number(y))
            } else {
                format!("Put the {word} on level {}", floor.level)
            };
            let marker = Marker { place: at, level: floor.level, y: stacks.then_some(y) };
            Elsewhere { start, marker, name }
        });
        put.collect()
    }

    /// Puts a marker on another floor at its place.
    pub fn put_marker(&mut self, elsewhere: &Elsewhere) {
        let test = &mut self.tools.test;
        *(if elsewhere.start { &mut test.start } else { &mut test.end }) = Some(elsewhere.marker);
    }

    /// Shows a barrier, and goes to it.
    pub fn show_barrier(&mut self, index: usize) {
        self.why.shown = index;
        if let Some([x, _, z]) = self.why.barrier().map(|barrier| barrier.from.position) {
            self.frame_next = Some(Frame::Place([x, z]));
        }
    }

    /// What would join the two sides of the barrier that is shown; nothing while the mesh is older than the drawing, or the
    /// barrier than the mesh.
    pub fn barrier_fixes(&mut self) -> Vec<Fix> {
        if !self.fresh() || self.why.is_looked_for() {
            return Vec::new();
        }
        let shown = self.why.shown;
        if let Some((_, known)) = self.why.fixes.as_ref().filter(|(of, _)| *of == shown) {
            return known.clone();
        }
        let (Some(barrier), Some(context)) = (self.why.barrier(), self.fix_context()) else {
            return Vec::new();
        };
        let found = fixes_of_barrier(&context, barrier);
        self.why.fixes = Some((shown, found.clone()));
        found
    }

    /// What would get over all barriers at once, where several stand one after another.
    pub fn chain_fixes(&mut self) -> Vec<Fix> {
        if !self.fresh() || self.why.is_looked_for() {
            return Vec::new();
        }
        if let Some(known) = &self.why.all_fixes {
            return known.clone();
        }
        let Some(context) = self.fix_context() else { return Vec::new() };
        let found = fixes_of_chain(&context, &self.why.barriers);
        self.why.all_fixes = Some(found.clone());
        found
    }

    fn fix_context(&self) -> Option<FixContext<'_>> {
        let mesh = &self.bake.shown.as_ref()?.mesh.mesh;
        Some(FixContext { document: self.document(), class: self.class(), mesh: Some(mesh) })
    }
}

/// "a step of 0.9 up, and Climb is 0.5": a barrier in words, with the names that the panels have.
#[must_use]
pub fn barrier_words(state: &State, barrier: &Barrier) -> String {
    let (class, number) = (state.class(), words::number);
    let climb = number(class.climb.into());
    let way = if barrier.rise < 0.0 { "down" } else { "up" };
    let rise = number(barrier.rise.abs());
    let named = |user_id: u32| {
        let link = state.document().links.iter().find(|link| link.user_id == user_id);
        link.filter(|link| !link.name.is_empty())
            .map_or_else(|| format!("link {user_id}"), |link| link.name.clone())
    };
    if is_step(barrier, class, state.document().settings.cell_size) {
        return format!("a step of {rise} {way}, and Climb is {climb}");
    }
    match &barrier.kind {
        BarrierKind::Wall => "a wall".to_owned(),
        BarrierKind::Gap { width } if *width == 0.0 => "they touch at a corner only".to_owned(),
        BarrierKind::Gap { width } if barrier.rise.abs() > f64::from(class.climb) => {
            format!("{} without floor, and {rise} {way}", number(*width))
        }
        BarrierKind::Gap { width } => format!("{} without floor", number(*width)),
        BarrierKind::Step { height, .. } => format!("a step of {}, and Climb is {climb}", number(*height)),
        BarrierKind::Portal { miss } => match miss {
            PortalMiss::Height { difference, .. } => {
                format!("a border of tiles {} apart in height, and Climb is {climb}", number(*difference))
            }
            PortalMiss::NoOverlap { gap, .. } => {
                format!("a border of tiles whose edges miss each other by {}", number(*gap))
            }
            _ => "a border of tiles without a way over it".to_owned(),
        },
        BarrierKind::Unattached { user_id, .. } => {
            format!("{}, an end of which reaches no floor", named(*user_id))
        }
        BarrierKind::OneWay { user_id } => format!("{}, which leads the other way only", named(*user_id)),
        BarrierKind::ClosedLink { user_id } => format!("{}, which is closed", named(*user_id)),
        BarrierKind::ClosedPolygon { area, .. } => {
            let known = state.document().area_type(*area);
            let name = known.map_or_else(|| format!("area type {area}"), |known| known.name.clone());
            format!("a floor of {name}, which is closed")
        }
    }
}

/// What stands between, as a sentence with its place.
#[must_use]
pub fn sentence(state: &State) -> Option<String> {
    let why = &state.why;
    let Some(barrier) = why.barrier() else {
        return why.is_visibly_looked_for().then(|| LOOKING.to_owned());
    };
    let [x, _, z] = barrier.from.position;
    let place = words::place([x, z].map(|value| (value * 100.0).round() / 100.0));
    let (what, count) = (barrier_words(state, barrier), why.barriers.len());
    let text = if count < 2 || why.shown >= count {
        format!("Between them, at {place}: {what}.")
    } else {
        format!("Between them, {count} barriers. Number {}, at {place}: {what}.", why.shown + 1)
    };
    let again = if why.is_visibly_looked_for() { " That was before the last bake." } else { "" };
    Some(text + again)
}

/// The floors that markers missed, as a sentence.
#[must_use]
pub fn missed(state: &State) -> Option<String> {
    let elsewhere = state.why.elsewhere.first()?;
    let Marker { level, y, .. } = elsewhere.marker;
    let floor = y.map_or_else(
        || format!("level {level} has a floor"),
        |y| format!("a floor lies at {}", words::number(y)),
    );
    let word = if elsewhere.start { "start" } else { "end" };
    let mut letters = floor.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    Some(format!("{first}{} right where the {word} is.", letters.as_str()))
}

/// A double arrow over each gap, with its number, and with what it is at the one that is shown. `seen`: where a place
/// of the mesh is drawn.
#[must_use]
pub fn shapes(state: &State, seen: &dyn Fn([f64; 3], i8) -> Option<[f64; 2]>, pixel: f64) -> Vec<Shape> {
    let (why, mut shapes) = (&state.why, Vec::new());
    if !state.tools.kind().shows_bake() {
        return shapes;
    }
    let count = why.barriers.len();
    let all = why.barriers.iter().chain(&why.instead).enumerate();
    for (index, barrier) in all.filter(|(index, _)| *index < count || *index == why.shown) {
        let ends = [&barrier.from, &barrier.to].map(|place| seen(place.position, place.level));
        let [Some(from), Some(to)] = ends else { continue };
        // What is looked for anew may be there no more.
        let role = if why.is_visibly_looked_for() { Role::Ghost } else { Role::Barrier };
        arrow([from, to], role, pixel, &mut shapes);
        // As the list has it: of several one after another each has its number.
        let number = (count > 1 && index < count).then(|| (index + 1).to_string());
        let middle = f64::midpoint(from[0], to[0]);
        let (above, below) = (f64::max(from[1], to[1]), f64::min(from[1], to[1]));
        let (at, text) = if index == why.shown {
            // Over both ends, where their markers do not hide it.
            let words = number.into_iter().chain([barrier_words(state, barrier)]).collect::<Vec<_>>();
            ([middle, above + 24.0 * pixel], words.join("  "))
        } else if let Some(number) = number {
            // On the other side, where the words do not hide it.
            ([middle, below - 22.0 * pixel], number)
        } else {
            continue;
        };
        shapes.push(Shape::Text { at, text, anchor: Anchor::Center, role: Role::MeasureText });
    }
    shapes
}

fn arrow([from, to]: [[f64; 2]; 2], role: Role, pixel: f64, shapes: &mut Vec<Shape>) {
    let along = [to[0] - from[0], to[1] - from[1]];
    let length = along[0].hypot(along[1]);
    if length > 12.0 * pixel {
        shapes.push(Shape::Polyline { points: vec![from, to], closed: false, role });
    } else {
        shapes.push(Shape::Marker { at: from, sign: Sign::Cross, role });
    }
    // Two heads in less room would make a star.
    if length > 44.0 * pixel {
        shapes.push(Shape::Marker { at: to, sign: Sign::ArrowHead(along), role });
        let back = along.map(|value| -value);
        shapes.push(Shape::Marker { at: from, sign: Sign::ArrowHead(back), role });
    }
}
