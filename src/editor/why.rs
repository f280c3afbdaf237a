//! Why the path test finds no path: what stands between, with its place, and the floors that lie where a marker missed them.

use super::state::{Frame, State};
use super::tools::Marker;
use super::why_not::{Elsewhere, Why};
use super::words;
use crate::draw::{Anchor, Role, Shape, Sign};
use crate::geom::plane::thousandth;
use crate::project::fix::{Fix, FixContext, fixes_of_barrier, is_step};
use crate::project::{Spot, floor_of, floors_over};
use crate::query::{
    Barrier, BarrierKind, PathStatus, QueryFilter, SNAP_TILES, closest_nav_point, explain_path_between,
};
use crate::stitch::PortalMiss;

/// A marker stands on a floor that is no farther than this beside it, in squares.
const HERE: f64 = 1e-3;

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
        self.why = Why::default();
        // It takes time in proportion to the mesh: not while a marker is dragged.
        if self.tools.dragging() {
            return;
        }
        self.why.key = Some(key);
        match self.path.as_ref().map(|path| path.status) {
            Some(PathStatus::Partial) => self.why.barriers = self.find_barriers([start.spot(), end.spot()]),
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

    fn find_barriers(&mut self, [from, to]: [Spot; 2]) -> Vec<Barrier> {
        let Some(baked) = &self.bake.shown else { return Vec::new() };
        let (document, mesh) = (self.history.document(), &baked.mesh.mesh);
        let (filter, reach) = (document.filter(), SNAP_TILES * mesh.params().tile_size);
        let mut floor =
            |spot| floor_of(document, mesh, spot, reach, &filter, &mut self.scratch).ok().flatten();
        let (Some(start), Some(end)) = (floor(&from), floor(&to)) else { return Vec::new() };
        let told = explain_path_between(mesh, &start, &end, &filter, &mut self.scratch).ok().flatten();
        told.map(|told| told.barriers).unwrap_or_default()
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

    /// What would join the two sides of the barrier that is shown; nothing while the mesh is older than the drawing.
    pub fn barrier_fixes(&mut self) -> Vec<Fix> {
        if !self.fresh() {
            return Vec::new();
        }
        let shown = self.why.shown;
        if let Some((_, known)) = self.why.fixes.as_ref().filter(|(of, _)| *of == shown) {
            return known.clone();
        }
        let (Some(barrier), Some(baked)) = (self.why.barrier(), &self.bake.shown) else { return Vec::new() };
        let context =
            FixContext { document: self.document(), class: self.class(), mesh: Some(&baked.mesh.mesh) };
        let found = fixes_of_barrier(&context, barrier);
        self.why.fixes = Some((shown, found.clone()));
        found
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
    let barrier = state.why.barrier()?;
    let [x, _, z] = barrier.from.position;
    Some(format!(
        "Between them, at {}: {}.",
        words::place([x, z].map(|value| (value * 100.0).round() / 100.0)),
        barrier_words(state, barrier)
    ))
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

/// A double arrow over the gap that is shown, with what it is. `seen`: where a place of the mesh is drawn.
#[must_use]
pub fn shapes(state: &State, seen: &dyn Fn([f64; 3], i8) -> Option<[f64; 2]>, pixel: f64) -> Vec<Shape> {
    let Some(barrier) = state.why.barrier().filter(|_| state.tools.kind().shows_bake()) else {
        return Vec::new();
    };
    let role = Role::Barrier;
    let ends = [&barrier.from, &barrier.to].map(|place| seen(place.position, place.level));
    let [Some(from), Some(to)] = ends else { return Vec::new() };
    let along = [to[0] - from[0], to[1] - from[1]];
    let length = along[0].hypot(along[1]);
    let mut shapes = Vec::new();
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
    // Over both ends, where their markers do not hide it.
    let at = [f64::midpoint(from[0], to[0]), f64::max(from[1], to[1]) + 24.0 * pixel];
    let (text, anchor) = (barrier_words(state, barrier), Anchor::Center);
    shapes.push(Shape::Text { at, text, anchor, role: Role::MeasureText });
    shapes
}
