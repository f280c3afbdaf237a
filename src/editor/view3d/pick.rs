//! What lies under the mouse in the 3D picture: the nearest surface, and points, edges and links near it on screen.

use super::camera::Lens;
use super::levels::Stack;
use super::scene::{Outline, Scene, jump_of};
use super::solid::{Thing, is_drawn};
use super::space::{Ray, Vec3, add, between, cross, dot, length, scale, sub};
use crate::draw::link_arc;
use crate::editor::aim::Aim;
use crate::editor::canvas::pick::{EDGE_PIXELS, Item, POINT_PIXELS, nearest_on_segment};
use crate::editor::state::State;
use crate::editor::tools::ToolKind;
use crate::geom::plane::{distance, part_along};
use crate::project::{GeometryId, least_climb};
use crate::query::PathScratch;

/// Nothing farther away than this many times the eye's distance from its target is aimed at by the level's plane.
const FARTHEST: f64 = 40.0;
/// A baked floor no farther under geometry than this is the floor there, in squares.
const NEAR: f64 = 0.8;
/// A thing is hidden if a surface lies before it by more than this part of its distance.
const BEFORE: f64 = 0.015;

/// Where a ray meets a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// How far away.
    pub distance: f64,
    /// Where it is shown.
    pub shown: Vec3,
    /// The level of the surface.
    pub level: i8,
    /// How far the surface is lifted.
    pub lifted: f64,
    /// What the surface is a part of.
    pub thing: Thing,
}

/// What aiming reads.
#[derive(Clone, Copy, Debug)]
pub struct Sight<'a> {
    /// Everything that is drawn.
    pub scene: &'a Scene,
    /// How levels stand.
    pub stack: &'a Stack,
    /// The eye.
    pub lens: &'a Lens,
    /// How far the eye is from its target.
    pub distance: f64,
}

/// The nearest `wanted` surface of a scene that a ray meets. Of equally near ones that of the level `liked`.
#[must_use]
pub fn nearest(
    scene: &Scene,
    stack: &Stack,
    ray: &Ray,
    liked: i8,
    wanted: &dyn Fn(Thing) -> bool,
) -> Option<Hit> {
    let mut best: Option<Hit> = None;
    for (_, solid) in scene.solids() {
        let before = best.map_or(f64::INFINITY, |hit| hit.distance * (1.0 + 1e-6) + 1e-6);
        let Some([low, high]) = solid.shown_bounds(stack) else { continue };
        if !ray.meets_box(low, high, before) {
            continue;
        }
        let hides_backs = solid.hides_backs(stack);
        for (corners, level, thing) in solid.triangles() {
            let shown = corners.map(|corner| stack.shown_at(corner, level));
            let Some(distance) = ray.triangle(shown) else { continue };
            let behind = hides_backs && dot(normal(shown), ray.along) > 0.0;
            if behind || !wanted(thing) || !is_drawn(stack, level, ray.at(distance)[1]) {
                continue;
            }
            let better = best.is_none_or(|hit| {
                let same = (distance - hit.distance).abs() <= 1e-6 * distance + 1e-6;
                if same { level == liked && hit.level != liked } else { distance < hit.distance }
            });
            if better {
                let lifted = stack.lift(level) + solid.lifted;
                best = Some(Hit { distance, shown: ray.at(distance), level, lifted, thing });
            }
        }
    }
    best
}

/// Where a triangle's front looks.
fn normal([a, b, c]: [Vec3; 3]) -> Vec3 {
    cross(sub(b, a), sub(c, a))
}

impl Sight<'_> {
    /// The surface under a pixel.
    #[must_use]
    pub fn surface(&self, pixel: [f64; 2], state: &State) -> Option<Hit> {
        nearest(self.scene, self.stack, &self.lens.ray(pixel), state.level, &|_| true)
    }

    /// The place under a pixel, for a tool.
    #[must_use]
    pub fn aim(&self, pixel: [f64; 2], state: &State, scratch: &mut PathScratch) -> Option<Aim> {
        let kind = state.tools.kind();
        let hit = self.surface(pixel, state);
        match kind {
            // Joining is the tool's own business: it looks for corners on the plane.
            ToolKind::Walk | ToolKind::Hole => self.drawing(pixel, state, hit),
            ToolKind::Measure => self.on_plane(pixel, state),
            ToolKind::Select | ToolKind::Link => {
                let (end, arc) = self.link(pixel, state, hit, scratch);
                let rest = || {
                    let corner = self.corner(pixel, state, hit);
                    corner.or(arc).or_else(|| self.edge(pixel, state, hit))
                };
                let thing = end.or_else(|| (kind == ToolKind::Select).then(rest).flatten());
                thing
                    .or_else(|| hit.map(|hit| self.at_hit(hit, pixel, state)))
                    .or_else(|| self.on_plane(pixel, state))
            }
            ToolKind::Test | ToolKind::Play | ToolKind::Inspect => {
                hit.map(|hit| self.at_hit(hit, pixel, state)).or_else(|| self.on_plane(pixel, state))
            }
        }
    }

    /// Where a drawing begins or goes on: on the floor of imported geometry that is under the mouse, then at its height; else
    /// on the level's plane.
    fn drawing(&self, pixel: [f64; 2], state: &State, hit: Option<Hit>) -> Option<Aim> {
        if !state.tools.draft().is_empty() {
            let shown = self.at_height(pixel, drawing_height(state, self.stack))?;
            let y = state.tools.draft_floor();
            return Some(Aim { y, ..self.at(shown, state.level, [shown[0], shown[2]], false) });
        }
        let document = state.document();
        let is_floor = |hit: &Hit| match hit.thing {
            Thing::Polygon(..) => document.stacks_floors(),
            Thing::Geometry(_) => self.is_level_at(pixel, hit, state),
            Thing::Area(_) => false,
        };
        let floor = hit.filter(is_floor).map(|hit| (hit.shown, hit.shown[1] - self.stack.lift(hit.level)));
        match floor {
            Some((shown, y)) if (y - document.height_of(state.level)).abs() > least_climb(document) => {
                let [x, _, z] = shown;
                Some(Aim { y: Some(y), ..self.at(shown, state.level, [x, z], true) })
            }
            _ => self.on_plane(pixel, state),
        }
    }

    /// Whether what is hit is no steeper than a ramp, by what lies beside it on the screen.
    fn is_level_at(&self, pixel: [f64; 2], hit: &Hit, state: &State) -> bool {
        [[1.0, 0.0], [0.0, 1.0]].into_iter().all(|step| {
            let beside = self.surface([pixel[0] + step[0], pixel[1] + step[1]], state);
            beside.is_some_and(|beside| {
                let [x, y, z] = sub(beside.shown, hit.shown);
                y.abs() <= x.hypot(z)
            })
        })
    }

    /// The place on the surface under a pixel.
    #[must_use]
    pub fn on_surface(&self, pixel: [f64; 2], state: &State) -> Option<Aim> {
        self.surface(pixel, state).map(|hit| self.at_hit(hit, pixel, state))
    }

    fn at_hit(&self, hit: Hit, pixel: [f64; 2], state: &State) -> Aim {
        let level = match hit.thing {
            Thing::Geometry(id) => self.level_on(id, hit, pixel, state),
            _ => hit.level,
        };
        let [x, y, z] = hit.shown;
        let geometry = match hit.thing {
            Thing::Geometry(id) => Some(id),
            _ => self.geometry_under(hit, pixel, state),
        };
        let geometry = geometry.filter(|&id| !state.marks.is_locked(Item::Geometry(id)));
        let y = Some(y - hit.lifted);
        Aim { geometry, y, ..self.at(hit.shown, level, [x, z], true) }
    }

    /// The imported geometry that a floor under a pixel was baked from, or an area there lies on.
    fn geometry_under(&self, hit: Hit, pixel: [f64; 2], state: &State) -> Option<GeometryId> {
        if state.tools.kind() != ToolKind::Select || state.geometry.items.is_empty() {
            return None;
        }
        let ray = self.lens.ray(pixel);
        let near = NEAR / ray.along[1].abs().max(0.2);
        let is_geometry = |thing| matches!(thing, Thing::Geometry(_));
        let found = nearest(self.scene, self.stack, &ray, state.level, &is_geometry)?;
        match found.thing {
            Thing::Geometry(id) if found.distance <= hit.distance + near => Some(id),
            _ => None,
        }
    }

    /// The level of a place on imported geometry: that of the floor which was baked there, else the geometry's own.
    fn level_on(&self, id: GeometryId, hit: Hit, pixel: [f64; 2], state: &State) -> i8 {
        let ray = self.lens.ray(pixel);
        let near = NEAR / ray.along[1].abs().max(0.2);
        let floor =
            nearest(self.scene, self.stack, &ray, state.level, &|thing| !matches!(thing, Thing::Geometry(_)));
        let floor = floor.filter(|floor| floor.distance <= hit.distance + near);
        let own = || state.document().geometry(id).map(|item| item.level);
        floor.map(|floor| floor.level).or_else(own).unwrap_or(state.level)
    }

    fn at(&self, shown: Vec3, level: i8, place: [f64; 2], solid: bool) -> Aim {
        Aim { place, level, y: None, shown, pixel: self.lens.pixel_size(shown), solid, geometry: None }
    }

    /// The place under a pixel on the current level's plane.
    #[must_use]
    pub fn on_plane(&self, pixel: [f64; 2], state: &State) -> Option<Aim> {
        let height = plane_height(state, self.stack, state.level);
        let shown = self.at_height(pixel, height)?;
        Some(self.at(shown, state.level, [shown[0], shown[2]], false))
    }

    /// The place under a pixel at a height.
    #[must_use]
    pub fn at_height(&self, pixel: [f64; 2], height: f64) -> Option<Vec3> {
        let ray = self.lens.ray(pixel);
        let distance = ray.at_height(height)?;
        let above = (self.lens.eye[1] - height).abs();
        (distance <= FARTHEST * (self.distance + above)).then(|| ray.at(distance))
    }

    /// Whether a place is not hidden by the surface under the mouse.
    fn is_seen(&self, shown: Vec3, hit: Option<Hit>) -> bool {
        let away = length(sub(shown, self.lens.eye));
        hit.is_none_or(|hit| away <= hit.distance * (1.0 + BEFORE) + 4.0 * self.lens.pixel_size(shown))
    }

    /// The outlines near a pixel that the mouse may have.
    fn outlines<'a>(&'a self, pixel: [f64; 2], state: &'a State) -> impl Iterator<Item = &'a Outline> {
        let ray = self.lens.ray(pixel);
        let near = move |outline: &Outline| {
            // Whether the ray passes by the ball around it, widened by what a pick reaches at its far side.
            let (middle, reach) = outline.ball;
            let to = sub(self.stack.shown_at(middle, outline.level), ray.from);
            let along = dot(to, ray.along);
            let far = scale(ray.along, along + reach);
            let picks = 2.0 * POINT_PIXELS * self.lens.pixel_size(add(ray.from, far));
            let aside = (dot(to, to) - along * along).max(0.0).sqrt();
            along > -reach && aside <= reach + picks
        };
        let free = move |outline: &&Outline| {
            let item = Item::Area(outline.area);
            near(outline) && self.stack.standing(outline.level).shown && !state.marks.is_locked(item)
        };
        self.scene.outlines().filter(free)
    }

    /// The corner nearest to a pixel. What is selected is seen through others.
    fn corner(&self, pixel: [f64; 2], state: &State, hit: Option<Hit>) -> Option<Aim> {
        let mut best = (POINT_PIXELS, None);
        for outline in self.outlines(pixel, state) {
            let through = state.selection.has(Item::Area(outline.area));
            for &corner in &outline.corners {
                let shown = self.stack.shown_at(corner, outline.level);
                let Some(at) = self.lens.pixel(shown) else { continue };
                let away = distance(at, pixel);
                if away <= best.0 && (through || self.is_seen(shown, hit)) {
                    best = (away, Some(self.at(shown, outline.level, [corner[0], corner[2]], true)));
                }
            }
        }
        best.1
    }

    /// The place on the edge nearest to a pixel.
    fn edge(&self, pixel: [f64; 2], state: &State, hit: Option<Hit>) -> Option<Aim> {
        let mut best = (EDGE_PIXELS, None);
        for outline in self.outlines(pixel, state) {
            let count = outline.corners.len();
            for index in 0..count {
                let ends = [outline.corners[index], outline.corners[(index + 1) % count]];
                let [a, b] = ends.map(|corner| self.stack.shown_at(corner, outline.level));
                let Some([shown, corner]) = self.near_line(pixel, [a, b], ends, &mut best.0) else {
                    continue;
                };
                if self.is_seen(shown, hit) {
                    best.1 = Some(self.at(shown, outline.level, [corner[0], corner[2]], true));
                }
            }
        }
        best.1
    }

    /// The place of a line nearest to a pixel, if it is no farther than `least`, which then is its distance: as shown, and
    /// by the same part along `ends`.
    fn near_line(
        &self,
        pixel: [f64; 2],
        shown: [Vec3; 2],
        ends: [Vec3; 2],
        least: &mut f64,
    ) -> Option<[Vec3; 2]> {
        let [Some(from), Some(to)] = shown.map(|end| self.lens.pixel(end)) else { return None };
        let on = nearest_on_segment(from, to, pixel);
        let away = distance(on, pixel);
        if away > *least {
            return None;
        }
        *least = away;
        // The part along the line in the world: depth runs as its inverse along the screen.
        let part = part_along(from, to, pixel).clamp(0.0, 1.0);
        let [near, far] = shown.map(|end| self.lens.depth(end));
        let part = part * near / (far + part * (near - far));
        Some([between(shown[0], shown[1], part), between(ends[0], ends[1], part)])
    }

    /// The link's end, and the link, nearest to a pixel. A link is aimed at where its line on the canvas is as far along.
    fn link(
        &self,
        pixel: [f64; 2],
        state: &State,
        hit: Option<Hit>,
        scratch: &mut PathScratch,
    ) -> (Option<Aim>, Option<Aim>) {
        let (mut end, mut arc) = ((POINT_PIXELS, None), (EDGE_PIXELS, None));
        if state.tools.kind().shows_bake() || !state.shown.overlays.links {
            return (None, None);
        }
        for link in state.pickable().links.iter() {
            let jump = jump_of(state, link, scratch);
            if !jump.levels.iter().all(|level| self.stack.standing(*level).shown) {
                continue;
            }
            let ends = [(jump.from, link.start_level, link.start), (jump.to, link.end_level, link.end)];
            for (at, level, place) in ends {
                let shown = self.stack.shown_at(at, level);
                let Some(on) = self.lens.pixel(shown) else { continue };
                let away = distance(on, pixel);
                if away <= end.0 && self.is_seen(shown, hit) {
                    end = (away, Some(Aim { y: Some(at[1]), ..self.at(shown, level, place, true) }));
                }
            }
            let air: Vec<Vec3> = jump.arc();
            let ground = link_arc(link.start, link.end);
            for (step, part) in air.windows(2).enumerate() {
                let levels = [jump.level(step), jump.level(step + 1)];
                let shown =
                    [self.stack.shown_at(part[0], levels[0]), self.stack.shown_at(part[1], levels[1])];
                let Some([shown, _]) = self.near_line(pixel, shown, [part[0], part[1]], &mut arc.0) else {
                    continue;
                };
                if self.is_seen(shown, hit) {
                    let at = step * (ground.len() - 1) / (air.len() - 1);
                    // Picked on the level that has one of its ends.
                    arc.1 = Some(self.at(shown, levels[0], ground[at], true));
                }
            }
        }
        (end.1, arc.1)
    }
}

/// The height at which the tools' own shapes are shown: that of the floor that is drawn on, else of the level's plane.
#[must_use]
pub fn drawing_height(state: &State, stack: &Stack) -> f64 {
    let under = || state.aim.and_then(|aim| aim.y).filter(|_| state.tools.draft().is_empty());
    let floor = state.tools.draws().then(|| state.tools.draft_floor().or_else(under)).flatten();
    floor.unwrap_or_else(|| plane_height(state, stack, state.level))
}

/// The height at which a level's plane is shown.
#[must_use]
pub fn plane_height(state: &State, stack: &Stack, level: i8) -> f64 {
    let document = state.document();
    document.settings.height + document.elevation(level) + stack.lift(level)
}
