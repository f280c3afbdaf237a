//! What is drawn, as solids: areas on their levels as sheets with outlines at their heights, links as arcs, the path.

use std::sync::Arc;

use super::look::{faded, line_of, mixed};
use super::mesh::Jump;
use super::solid::{Builder, Solid, Thing};
use super::space::{Vec3, add, scale, sub};
use crate::bake::{AreaKind, Seam, Surface};
use crate::draw::{Rgba, Role, Stroke, Style, Theme, convex_pieces};
use crate::editor::canvas::notes::{heights, slope};
use crate::editor::canvas::pick::nearest_on_segment;
use crate::geom::plane::{distance, edges, part_along};
use crate::project::{Area, Document};
use crate::query::NavPath;

/// A path lies this far over its floor, so that it is not lost in it.
const OVER: f64 = 0.06;
/// An area whose outline is this far below or above its level's floor has stems down or up to it.
const STEM: f64 = 0.2;

/// An area's outline in the world, at its heights.
#[must_use]
pub fn outline(document: &Document, seams: &[Seam], area: &Area) -> Vec<Vec3> {
    let base = document.settings.height;
    let heights = heights(document, seams, area);
    area.points.iter().zip(heights).map(|(&[x, z], y)| [x, base + y, z]).collect()
}

/// Areas as one solid, around the first one's first point.
#[must_use]
pub fn areas_solid(
    document: &Document,
    seams: &[Seam],
    areas: &[Arc<Area>],
    color_of: &dyn Fn(&Area) -> Option<[u8; 3]>,
    theme: Theme,
) -> Option<Arc<Solid>> {
    let [x, z] = *areas.first()?.points.first()?;
    let mut build = Builder::new([x, document.settings.height, z]);
    for area in areas {
        let role = match (area.kind, color_of(area)) {
            (AreaKind::Hole, _) => Role::Hole,
            (AreaKind::Walk, Some(color)) => Role::Typed(color),
            (AreaKind::Walk, None) => Role::Walk,
        };
        one_area(document, seams, area, theme, role, &mut build);
    }
    build.finish()
}

fn one_area(document: &Document, seams: &[Seam], area: &Area, theme: Theme, role: Role, build: &mut Builder) {
    let around = outline(document, seams, area);
    let Style { fill, hatch, lean, .. } = theme.style(role);
    let fill = fill.unwrap_or(theme.background());
    let lean = hatch.map_or((0, 0), |hatch| (lean as i8 + 1, (hatch.0[3] / 2).cast_signed()));
    for piece in convex_pieces(&area.points) {
        let corners: Vec<Vec3> =
            piece.iter().map(|&[x, z]| [x, height_on_outline(&area.points, &around, [x, z]), z]).collect();
        for at in 2..corners.len() {
            let triangle = [corners[0], corners[at - 1], corners[at]];
            build.sheet(triangle, lean, area.level, fill, Thing::Area(area.id));
        }
    }
    let (casing, stroke) = line_of(theme, role);
    for at in 0..around.len() {
        let ends = [around[at], around[(at + 1) % around.len()]];
        build.line(ends, [area.level; 2], casing, stroke);
    }
    if area.surface != Surface::Level {
        stems(document, area, &around, theme, build);
        arrow(document, seams, area, &around, theme, build);
    }
}

/// The height of a place on or near an outline, from the edge nearest to it.
fn height_on_outline(points: &[[f64; 2]], around: &[Vec3], place: [f64; 2]) -> f64 {
    let mut best = (f64::INFINITY, 0.0);
    for (index, from, to) in edges(points) {
        let away = distance(nearest_on_segment(from, to, place), place);
        if away < best.0 {
            let part = part_along(from, to, place).clamp(0.0, 1.0);
            let (a, b) = (around[index][1], around[(index + 1) % around.len()][1]);
            best = (away, a + (b - a) * part);
        }
    }
    best.1
}

/// Thin lines from the level's floor to corners that are not on it.
fn stems(document: &Document, area: &Area, around: &[Vec3], theme: Theme, build: &mut Builder) {
    let floor = document.settings.height + document.elevation(area.level);
    let (_, stroke) = line_of(theme, Role::LevelBelow);
    let stroke = Stroke { width: 1.0, dash: Some([3.0, 3.0]), ..stroke };
    for &[x, y, z] in around.iter().filter(|corner| (corner[1] - floor).abs() > STEM) {
        build.line([[x, floor, z], [x, y, z]], [area.level; 2], None, stroke);
    }
}

/// The way up a ramp.
fn arrow(
    document: &Document,
    seams: &[Seam],
    area: &Area,
    around: &[Vec3],
    theme: Theme,
    build: &mut Builder,
) {
    let Some(slope) = slope(document, seams, area) else { return };
    let raised = |place: [f64; 2]| {
        // The plane through the outline's heights, near enough for an arrow.
        let (low, high) = around
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), corner| (a.min(corner[1]), b.max(corner[1])));
        let part = part_along(slope.from, slope.to, place).clamp(0.0, 1.0);
        [place[0], low + (high - low) * (0.15 + 0.7 * part), place[1]]
    };
    let (from, to) = (raised(slope.from), raised(slope.to));
    let (_, stroke) = line_of(theme, Role::Draft);
    build.line([from, to], [area.level; 2], None, stroke);
    let back = super::space::unit(sub(from, to));
    let side = super::space::unit(super::space::cross(back, [0.0, 1.0, 0.0]));
    let size = (0.2 * distance(slope.from, slope.to)).min(0.6);
    for by in [0.5, -0.5] {
        let barb = add(scale(back, size), scale(side, by * size));
        build.line([to, add(to, barb)], [area.level; 2], None, stroke);
    }
}

/// Authored links as arcs; `loose`: whether an end reaches nothing.
#[must_use]
pub fn links_solid(jumps: &[(Jump, bool)], theme: Theme) -> Option<Arc<Solid>> {
    let mut build = Builder::new(jumps.first()?.0.from);
    for (jump, loose) in jumps {
        jump.build(&mut build, theme, if *loose { Role::LooseLink } else { Role::Link });
    }
    build.finish()
}

/// A path as a line over its floors, seen through what lies before it; jumps as arcs.
#[must_use]
pub fn path_solid(path: &NavPath, theme: Theme) -> Option<Arc<Solid>> {
    let raised = |place: Vec3| [place[0], place[1] + OVER, place[2]];
    let mut build = Builder::new(path.points.first()?.position).shining_through();
    for pair in path.points.windows(2) {
        let levels = [pair[0].level, pair[1].level];
        if pair[0].link.is_some() {
            let (from, to) = (pair[0].position, pair[1].position);
            let jump = Jump { from, to, levels, radius: 0.0, two_way: false };
            let (casing, stroke) = line_of(theme, Role::PathJump);
            for (step, ends) in jump.arc().windows(2).enumerate() {
                build.line([ends[0], ends[1]], [jump.level(step), jump.level(step + 1)], casing, stroke);
            }
        } else {
            let (casing, stroke) = line_of(theme, Role::Path);
            build.line([pair[0].position, pair[1].position].map(raised), levels, casing, stroke);
        }
    }
    build.finish()
}

/// A grid's three kinds of lines, opaque enough for the 3D picture.
#[must_use]
pub fn grid_colors(theme: Theme) -> [Rgba; 3] {
    [Role::Grid, Role::GridMajor, Role::Axis].map(|role| line_of(theme, role).1.color)
}

/// The colour far away: the ground's, a little toward the sky.
#[must_use]
pub fn sky(theme: Theme) -> Rgba {
    let ground = theme.background();
    let toward = if theme.dark { Rgba([46, 52, 62, 255]) } else { Rgba([226, 232, 240, 255]) };
    faded(mixed(ground, toward, 0.6), 1.0)
}
