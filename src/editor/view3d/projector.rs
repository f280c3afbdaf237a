//! The 3D view as a canvas on which a square is a pixel: shapes of the ground where they are seen.

use egui::Rect;

use super::camera::Lens;
use super::levels::Stack;
use super::pick::plane_height;
use super::scene::Scene;
use super::space::Vec3;
use crate::draw::{Role, Shape, Sign, View};
use crate::editor::state::State;

/// Corners of a circle.
const AROUND: u8 = 40;

/// Turns places of the world into places of a canvas on which a square is a pixel.
#[derive(Clone, Copy, Debug)]
pub struct Projector<'a> {
    /// The eye.
    pub lens: &'a Lens,
    /// How levels stand.
    pub stack: &'a Stack,
    /// Everything that is drawn.
    pub scene: &'a Scene,
}

impl Projector<'_> {
    /// A view in which `Projector::flat` places are where they are seen.
    #[must_use]
    pub fn view(rect: Rect) -> View {
        let middle = rect.center();
        let center = [f64::from(middle.x), -f64::from(middle.y)];
        View { center, scale: 1.0, min: rect.min.into(), max: rect.max.into() }
    }

    pub(super) fn flat(pixel: [f64; 2]) -> [f64; 2] {
        [pixel[0], -pixel[1]]
    }

    /// A place as it is seen.
    #[must_use]
    pub fn point(&self, shown: Vec3) -> Option<[f64; 2]> {
        self.lens.pixel(shown).map(Self::flat)
    }

    /// A line through places as it is seen.
    pub(super) fn polyline(&self, shown: &[Vec3], closed: bool, role: Role, shapes: &mut Vec<Shape>) {
        let all: Option<Vec<[f64; 2]>> = shown.iter().map(|&place| self.point(place)).collect();
        if let Some(points) = all {
            return shapes.push(Shape::Polyline { points, closed, role });
        }
        let count = if closed { shown.len() } else { shown.len().saturating_sub(1) };
        let ends = (0..count).map(|at| (shown[at], shown[(at + 1) % shown.len()]));
        let seen = ends.filter_map(|(a, b)| self.lens.line(a, b));
        shapes.push(Shape::Lines { segments: seen.map(|ends| ends.map(Self::flat)).collect(), role });
    }

    /// Shapes of the ground as they are seen where `raise` puts their points.
    pub(super) fn shapes(&self, flat: &[Shape], raise: &dyn Fn([f64; 2]) -> Vec3, shapes: &mut Vec<Shape>) {
        let all = |points: &[[f64; 2]]| -> Option<Vec<[f64; 2]>> {
            points.iter().map(|&point| self.point(raise(point))).collect()
        };
        for shape in flat {
            match shape {
                Shape::Convex { points, role } => {
                    shapes.extend(all(points).map(|points| Shape::Convex { points, role: *role }));
                }
                Shape::Area { outline, pieces, role } => {
                    let pieces: Option<Vec<_>> = pieces.iter().map(|piece| all(piece)).collect();
                    if let (Some(outline), Some(pieces)) = (all(outline), pieces) {
                        shapes.push(Shape::Area { outline, pieces, role: *role });
                    }
                }
                Shape::Polyline { points, closed, role } => {
                    let raised: Vec<Vec3> = points.iter().map(|&point| raise(point)).collect();
                    self.polyline(&raised, *closed, *role, shapes);
                }
                Shape::Lines { segments, role } => {
                    let seen = segments.iter().filter_map(|[a, b]| self.lens.line(raise(*a), raise(*b)));
                    let segments = seen.map(|ends| ends.map(Self::flat)).collect();
                    shapes.push(Shape::Lines { segments, role: *role });
                }
                Shape::Ladder { from, to, role } => {
                    if let Some([from, to]) = self.lens.line(raise(*from), raise(*to)) {
                        let (from, to) = (Self::flat(from), Self::flat(to));
                        shapes.push(Shape::Ladder { from, to, role: *role });
                    }
                }
                Shape::Circle { center, radius, role } => {
                    let around = |step: u8| {
                        let (sin, cos) =
                            (f64::from(step) / f64::from(AROUND) * std::f64::consts::TAU).sin_cos();
                        let [x, y, z] = raise(*center);
                        [x + radius * cos, y, z + radius * sin]
                    };
                    let around: Vec<Vec3> = (0..AROUND).map(around).collect();
                    self.polyline(&around, true, *role, shapes);
                }
                Shape::Marker { at, sign, role } => {
                    let Some(seen) = self.point(raise(*at)) else { continue };
                    let sign = match sign {
                        Sign::ArrowHead(direction) => {
                            let size = direction[0].hypot(direction[1]).max(f64::MIN_POSITIVE) * 10.0;
                            let before = [at[0] - direction[0] / size, at[1] - direction[1] / size];
                            let Some(before) = self.point(raise(before)) else { continue };
                            Sign::ArrowHead([seen[0] - before[0], seen[1] - before[1]])
                        }
                        sign => *sign,
                    };
                    shapes.push(Shape::Marker { at: seen, sign, role: *role });
                }
                Shape::Text { at, text, anchor, role } => {
                    let Some(at) = self.point(raise(*at)) else { continue };
                    shapes.push(Shape::Text { at, text: text.clone(), anchor: *anchor, role: *role });
                }
            }
        }
    }

    /// A place of the ground on a level: on a corner of a drawn area at its height, else on the level's plane.
    pub(super) fn raise(&self, state: &State, level: i8, place: [f64; 2]) -> Vec3 {
        let corners = self.scene.outlines().filter(|outline| outline.level == level);
        let same = |corner: &&Vec3| [corner[0], corner[2]] == place;
        let corner = corners.flat_map(|outline| &outline.corners).find(same);
        match corner {
            Some(corner) => self.stack.shown_at(*corner, level),
            None => [place[0], plane_height(state, self.stack, level), place[1]],
        }
    }
}
