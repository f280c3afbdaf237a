//! What one column says of the whole drawing: how its floors go on into the columns around it, which edges levels
//! share, what a designer should know. Putting the surveys of all columns together replaces any look at the whole map.

use std::sync::Arc;

use super::clearance::{SurfaceEdges, find_edges};
use super::components::{Components, Cover};
use super::cut::ColumnInput;
use super::outline::{Drawing, NOT_WALKABLE};
use super::overlay::{Overlay, Seen};
use super::remarks::{Gap, Wall, crossings_and_touches, gap_reach, gaps_within, report_thin, walls_of};
use super::seam_line::{SeamPiece, seam_pieces};
use crate::bake::{Diagnostic, FlatInput};
use crate::geom::grid::IntPoint;

/// A stretch of a column's border where a level's floor goes on: parts `first..=last` of that side, counted along
/// +x or +z. Both columns at a border count alike, since the same edges meet it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BorderRun {
    pub(crate) first: u32,
    pub(crate) last: u32,
    pub(crate) level: usize,
    /// The component on this column's side.
    pub(crate) component: u32,
}

/// A ramp's point on a seam, and the level whose elevation it takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RampEnd {
    pub(crate) ring: u32,
    pub(crate) point: IntPoint,
    pub(crate) level: usize,
}

/// What one column says. Rings are owner numbers of the column's input, so that rings elsewhere may come and go.
#[derive(Debug)]
pub(crate) struct Survey {
    /// Number of components before seams join any.
    pub(crate) component_count: usize,
    /// Sides −Z, +X, +Z, −X.
    pub(crate) borders: [Vec<BorderRun>; 4],
    /// Pieces in the closed tile that two or more levels bound, sorted.
    pub(crate) seams: Vec<SeamPiece>,
    pub(crate) ramp_ends: Vec<RampEnd>,
    /// What became of each ring, as far as this column knows.
    pub(crate) seen: Vec<Seen>,
    /// Levels with some floor.
    pub(crate) levels: Vec<usize>,
    pub(crate) remarks: Vec<Diagnostic>,
    /// Facing edges of different components in the tile, and the edges near its border.
    pub(crate) gaps: Vec<Gap>,
    pub(crate) rim: Vec<Wall>,
    /// What clearance needs to know of the column's walls, if asked for.
    pub(crate) edges: Option<Arc<SurfaceEdges>>,
    /// Whether a contested seam, or an area's own surface, makes the tile depend on more than this column.
    pub(crate) is_settled: bool,
}

/// Surveys a column. `overlay`: of its window, without creases. `has_clearance`: whether walls are asked for.
pub(crate) fn survey(
    input: &FlatInput,
    drawing: &Drawing,
    column: &ColumnInput,
    overlay: &Overlay,
    has_clearance: bool,
) -> Survey {
    let components = Components::new(overlay, Cover::Tile);
    let mut seams = seam_pieces(drawing, overlay, &components);
    let own_surface = |&ring: &u32| {
        let label = drawing.rings[ring as usize].label;
        label != NOT_WALKABLE && drawing.labels[label as usize].surface.is_some()
    };
    let is_settled = !column.rings.iter().any(own_surface) && !is_contested(overlay);
    let walls = walls_of(overlay, &components);
    let mut remarks = crossings_and_touches(input, drawing, column, overlay);
    report_thin(input, drawing, column, overlay, &walls, &mut remarks);
    let gaps = gaps_within(drawing, &walls, components.count(), &seams);
    let reach = gap_reach(&drawing.frame);
    let rim = walls.into_iter().filter(|wall| wall.is_near_border(&column.square, reach)).collect();
    let mut levels = Vec::new();
    for level in 0..drawing.levels.len() {
        let mut faces = (0..overlay.faces.count as u32).filter(|&face| overlay.in_tile[face as usize]);
        if faces.any(|face| overlay.label(face, level) != NOT_WALKABLE) {
            levels.push(level);
        }
    }
    for side in seams.iter_mut().flat_map(|piece| piece.left.iter_mut().chain(&mut piece.right)) {
        side.surface = side.surface.and_then(|ring| owner_of(column, ring));
    }
    Survey {
        component_count: components.count(),
        borders: std::array::from_fn(|side| border_runs(overlay, &components, side)),
        seams,
        ramp_ends: ramp_ends(drawing, column, overlay),
        seen: overlay.seen.clone(),
        levels,
        remarks,
        gaps,
        rim,
        edges: has_clearance.then(|| Arc::new(find_edges(overlay))),
        is_settled,
    }
}

fn owner_of(column: &ColumnInput, ring: u32) -> Option<u32> {
    column.rings.binary_search(&ring).ok().map(|owner| owner as u32)
}

/// Whether several pairs of levels want one piece anywhere in the window.
fn is_contested(overlay: &Overlay) -> bool {
    overlay.level_count() > 2
        && (0..overlay.arrangement.pieces.len() as u32).any(|piece| {
            let (left, right) = overlay.seam_levels(piece);
            !left.is_empty() && !right.is_empty() && left.len() + right.len() > 2
        })
}

/// The runs of a side, as drawn.
pub(crate) fn border_runs(overlay: &Overlay, components: &Components, side: usize) -> Vec<BorderRun> {
    // The tile's own edges come first and run around it: along −Z, +X, +Z (backwards), −X (backwards).
    let parts = overlay.arrangement.parts_of(side as u32);
    let mut runs: Vec<BorderRun> = Vec::new();
    for level in 0..overlay.level_count() {
        let mut open: Option<BorderRun> = None;
        for number in 0..parts.len() {
            let half = parts[if side < 2 { number } else { parts.len() - 1 - number }].half;
            let face = |half: u32| overlay.faces.of_half[half as usize];
            let (inside, outside) =
                (overlay.drawn_label(face(half), level), overlay.drawn_label(face(half ^ 1), level));
            let number = number as u32;
            if inside == NOT_WALKABLE || outside == NOT_WALKABLE {
                runs.extend(open.take());
                continue;
            }
            let component = components.on_level(overlay.faces.of_half[half as usize], level);
            match &mut open {
                Some(run) if run.component == component => run.last = number,
                _ => {
                    let run = BorderRun { first: number, last: number, level, component };
                    runs.extend(open.replace(run));
                }
            }
        }
        runs.extend(open);
    }
    runs
}

/// The points of ramps that lie on seams: nearest level number first, then the higher.
fn ramp_ends(drawing: &Drawing, column: &ColumnInput, overlay: &Overlay) -> Vec<RampEnd> {
    let mut ends = Vec::new();
    for (owner, &ring) in (0..).zip(&column.rings) {
        let data = &drawing.rings[ring as usize];
        if !data.is_ramp {
            continue;
        }
        let own = data.level;
        let on_ramp = |half: u32| overlay.label(overlay.faces.of_half[half as usize], own) == data.label;
        for &point in data.points().iter().filter(|&&point| column.square.contains(point)) {
            let node = overlay.arrangement.node_at(point);
            let around = node.map_or(&[][..], |node| overlay.arrangement.outgoing(node));
            let others = around.iter().flat_map(|&half| {
                let (left, right) = overlay.seam_levels(half / 2);
                let along = half & !1;
                if left.contains(&own) && on_ramp(along) {
                    right
                } else if right.contains(&own) && on_ramp(along + 1) {
                    left
                } else {
                    Vec::new()
                }
            });
            let number = |level: usize| i32::from(drawing.levels[level]);
            let nearest = others.min_by_key(|&level| ((number(level) - number(own)).abs(), -number(level)));
            ends.extend(nearest.map(|level| RampEnd { ring: owner, point, level }));
        }
    }
    ends
}
