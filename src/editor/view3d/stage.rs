//! The stages of a bake as solids: voxels as boxes coloured by what the stage made of their floors, contours at their
//! heights, and what a flat bake makes as sheets and lines on its level.

use std::sync::Arc;

use super::levels::NO_LEVEL;
use super::look::{line_of, mixed, over};
use super::solid::{Builder, Solid};
use super::space::Vec3;
use crate::bake::voxel::{FloorState, StageFloor, TileStages};
use crate::draw::{Rgba, Role, Shape, Style, Theme};

/// Most voxels of a tile.
const MOST: usize = 400_000;

/// How white the highest floor of a tile is.
const HIGHEST: f32 = 0.45;

/// What a stage does to floors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// It takes those away that are in this state.
    Takes(FloorState),
    /// It takes away what is too steep by itself.
    Slope,
    /// It gives low ones of these back.
    LowObstacles,
    /// They are shown by a number.
    Height,
    ToEdge,
    Distance,
    /// By the region that they are in; whether contours are drawn over them, and which.
    Regions(Outlines),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outlines {
    None,
    Raw,
    Simplified,
}

/// Whether a stage, by its name, is shown by voxels.
#[must_use]
pub fn has_voxels(name: &str) -> bool {
    step(name).is_some()
}

fn step(name: &str) -> Option<Step> {
    Some(match name {
        "solid spans" => Step::Height,
        "slope" => Step::Slope,
        "low obstacles" => Step::LowObstacles,
        "head room" => Step::Takes(FloorState::LowCeiling),
        "ledges" => Step::Takes(FloorState::Ledge),
        "compact" => Step::ToEdge,
        "eroded" => Step::Takes(FloorState::NearEdge),
        "area marks" => Step::Takes(FloorState::InHole),
        "islands" => Step::Takes(FloorState::SmallIsland),
        "distance" => Step::Distance,
        "regions" => Step::Regions(Outlines::None),
        "raw contours" => Step::Regions(Outlines::Raw),
        "simplified contours" => Step::Regions(Outlines::Simplified),
        _ => return None,
    })
}

fn is_steep(floor: &StageFloor) -> bool {
    floor.state == FloorState::Steep || floor.is_low_obstacle
}

/// A tile's voxels at a stage; `difference`: only what the stage took away. `None` for a stage without voxels, or where
/// there is nothing.
#[must_use]
pub fn voxels(stages: &TileStages, name: &str, difference: bool, theme: Theme) -> Option<Arc<Solid>> {
    let step = step(name)?;
    let TileStages { origin, cell_size, cell_height, side, .. } = stages;
    let at = |x: i32, y: i32, z: i32| -> Vec3 {
        [
            origin[0] + f64::from(x) * cell_size,
            origin[1] + f64::from(y) * cell_height,
            origin[2] + f64::from(z) * cell_size,
        ]
    };
    let mut build = Builder::new(*origin);
    let paint = Paint::new(stages, step, theme);
    for (span, floor) in stages.solid.iter().zip(&stages.floors) {
        let inside = (0..*side).contains(&span.x) && (0..*side).contains(&span.z);
        let shown = match step {
            Step::Takes(state) => floor.state == state,
            Step::Slope => is_steep(floor),
            Step::LowObstacles => floor.is_low_obstacle,
            _ => false,
        };
        if !inside || difference && !shown || build.voxels() >= MOST {
            continue;
        }
        let height = f64::from(span.high.saturating_sub(span.low).max(1)) * cell_height;
        let [x, top, z] = at(span.x, span.high, span.z);
        let color;
        (color, build.lean) = paint.look(floor);
        build.voxel([x, top - height, z], *cell_size, height, color);
    }
    let outlines = match step {
        Step::Regions(Outlines::Raw) => &stages.contours[..],
        Step::Regions(Outlines::Simplified) => &stages.simplified[..],
        _ => &[],
    };
    let (casing, stroke) = line_of(theme, Role::Wall);
    for outline in outlines {
        let corners: Vec<Vec3> = outline.corners.iter().map(|&[x, y, z]| at(x, y + 1, z)).collect();
        for index in 0..corners.len() {
            let ends = [corners[index], corners[(index + 1) % corners.len()]];
            build.line(ends, [NO_LEVEL; 2], casing, stroke);
        }
    }
    build.finish()
}

/// The colours of floors at a stage.
struct Paint {
    step: Step,
    theme: Theme,
    /// Least and greatest value, where floors are shown by a number.
    range: [i32; 2],
    /// The lowest and the highest floor.
    heights: [i32; 2],
}

impl Paint {
    fn new(stages: &TileStages, step: Step, theme: Theme) -> Self {
        let heights = stages.floors.iter().map(|floor| floor.y);
        let heights = heights.fold([i32::MAX, i32::MIN], |[a, b], y| [a.min(y), b.max(y)]);
        let mut paint = Self { step, theme, range: [0, 1], heights };
        let values = stages.floors.iter().filter_map(|floor| paint.value(floor));
        let (least, most) = values.fold((i32::MAX, i32::MIN), |(a, b), value| (a.min(value), b.max(value)));
        if least < most {
            paint.range = [least, most];
        }
        paint
    }

    fn value(&self, floor: &StageFloor) -> Option<i32> {
        match self.step {
            Step::Height => Some(floor.y),
            Step::ToEdge => Some(floor.to_edge.into()),
            Step::Distance => Some(floor.distance.into()),
            Step::Takes(_) | Step::Slope | Step::LowObstacles | Step::Regions(_) => None,
        }
    }

    /// The higher the lighter, so that storeys are told apart.
    fn lighter(&self, color: Rgba, floor: &StageFloor) -> Rgba {
        let [low, high] = self.heights.map(f64::from);
        #[allow(clippy::cast_possible_truncation, reason = "0 to 1")]
        let part = ((f64::from(floor.y) - low) / (high - low).max(1.0)) as f32;
        mixed(color, Rgba([255; 4]), HIGHEST * part)
    }

    /// A floor's colour, and which way it is hatched.
    fn look(&self, floor: &StageFloor) -> (Rgba, u8) {
        let ground = self.theme.background();
        let of = |role: Role| {
            let Style { fill, hatch, lean, .. } = self.theme.style(role);
            let lean = if hatch.is_some() { lean as u8 + 1 } else { 0 };
            (fill.map_or(ground, |fill| over(fill, ground)), lean)
        };
        let grey = (mixed(ground, Rgba([142, 146, 152, 255]), 0.8), 0);
        if let Some(value) = self.value(floor) {
            let [least, most] = self.range.map(f64::from);
            let part = ((f64::from(value) - least) / (most - least)).clamp(0.0, 1.0);
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a part of 255")]
            return of(Role::StageShade((part * 255.0) as u8));
        }
        match self.step {
            Step::Takes(state) if floor.state == state => of(Role::StageGone),
            Step::Takes(state) if floor.state < state => grey,
            Step::Takes(FloorState::InHole) if floor.area_type != 0 => {
                of(Role::Island(floor.area_type.into()))
            }
            Step::Slope if is_steep(floor) => of(Role::StageGone),
            Step::LowObstacles if floor.state == FloorState::Steep => grey,
            Step::Takes(_) | Step::Slope | Step::LowObstacles => {
                let (color, lean) = of(Role::StageFloor);
                (self.lighter(color, floor), lean)
            }
            _ if floor.region == 0 => grey,
            _ => of(Role::Island(floor.region)),
        }
    }
}

/// Shapes of the ground as sheets and lines at a height; signs and words are left out.
#[must_use]
pub fn on_level(shapes: &[Shape], height: f64, level: i8, theme: Theme) -> Option<Arc<Solid>> {
    let mut first = None;
    shapes.iter().for_each(|shape| {
        shape.for_each_point(&mut |point| {
            first.get_or_insert(point);
        })
    });
    let [x, z] = first?;
    let mut build = Builder::new([x, height, z]);
    let raised = |&[x, z]: &[f64; 2]| [x, height, z];
    for shape in shapes {
        let role = shape.role();
        let style = theme.style(role);
        let (casing, stroke) = line_of(theme, role);
        let fill = |piece: &[[f64; 2]], build: &mut Builder| {
            let Some(color) = style.fill else { return };
            let lean =
                style.hatch.map_or((0, 0), |hatch| (style.lean as i8 + 1, (hatch.0[3] / 2).cast_signed()));
            for at in 2..piece.len() {
                let corners = [raised(&piece[0]), raised(&piece[at - 1]), raised(&piece[at])];
                build.decor(corners, lean, level, color);
            }
        };
        let line = |points: &[[f64; 2]], closed: bool, build: &mut Builder| {
            let count = if closed { points.len() } else { points.len().saturating_sub(1) };
            for at in 0..count {
                let ends = [raised(&points[at]), raised(&points[(at + 1) % points.len()])];
                build.line(ends, [level; 2], casing, stroke);
            }
        };
        match shape {
            Shape::Convex { points, .. } => fill(points, &mut build),
            Shape::Area { outline, pieces, .. } => {
                pieces.iter().for_each(|piece| fill(piece, &mut build));
                line(outline, true, &mut build);
            }
            Shape::Polyline { points, closed, .. } => line(points, *closed, &mut build),
            Shape::Lines { segments, .. } => {
                segments.iter().for_each(|ends| line(ends, false, &mut build));
            }
            Shape::Ladder { from, to, .. } => line(&[*from, *to], false, &mut build),
            Shape::Circle { .. } | Shape::Marker { .. } | Shape::Text { .. } => {}
        }
    }
    build.finish()
}
