//! One tile's share of the drawing, snapped: directed segments on the binary grid with the label on either side.

use std::collections::BTreeMap;

use super::arrange::{Edge, arrange};
use super::clearance::Cleared;
use super::faces::find_faces;
use super::frame::Frame;
use super::outline::{Drawing, NOT_WALKABLE};
use super::overlay::{CREASE_EDGE, FENCE_EDGE, Overlay, Owner, Start, TILE_EDGE, label_faces};
use super::seams::Contested;
use super::snap::{HotPixels, Pixel, PixelGrid};
use super::surfaces::Surfaces;
use crate::format::NO_SIDE;
use crate::geom::grid::{IntBox, IntPoint};

/// A segment between hot points, `a` < `b`, with what lies left and right of a → b on one level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment {
    pub(crate) a: Pixel,
    pub(crate) b: Pixel,
    pub(crate) left: u32,
    pub(crate) right: u32,
    /// Border side where the drawing continues in the next tile, else [`NO_SIDE`].
    pub(crate) portal: u8,
}

/// An edge that polygons of two levels share: `left` lies left of a → b.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SeamSegment {
    pub(crate) a: Pixel,
    pub(crate) b: Pixel,
    pub(crate) left: usize,
    pub(crate) right: usize,
}

/// A tile's share of the drawing.
#[derive(Debug)]
pub(crate) struct TileCut {
    pub(crate) grid: PixelGrid,
    pub(crate) overlay: Overlay,
    /// The pixel of each node.
    pub(crate) pixels: Vec<Pixel>,
    /// Per level, sorted by ends.
    pub(crate) segments: Vec<Vec<Segment>>,
    /// Sorted.
    pub(crate) seams: Vec<SeamSegment>,
}

/// A run between hot points before cancelling.
struct Contribution {
    a: Pixel,
    b: Pixel,
    left: u32,
    right: u32,
    portal: u8,
}

/// All of the drawing that a tile can depend on, but for creases.
#[derive(Debug)]
pub(crate) struct ColumnInput {
    /// The closed tile, and the tile grown by a step, in units.
    pub(crate) square: IntBox,
    pub(crate) fence: IntBox,
    /// The tile's and the fence's own edges, then the edges that meet the fence. A ring's owner number is its index
    /// in `rings`.
    pub(crate) edges: Vec<Edge>,
    /// The rings around the fence's least corner, by owner number, with their winding numbers there.
    pub(crate) windings: Vec<(u32, i32)>,
    /// The rings with an edge that meets the fence, or around it; ascending.
    pub(crate) rings: Vec<u32>,
}

/// The closed square of a column (x, z), in units.
pub(crate) fn column_square(frame: &Frame, column: [i32; 2]) -> IntBox {
    let side = frame.tile_units();
    let corner = IntPoint::new(i64::from(column[0]) * side, i64::from(column[1]) * side);
    IntBox { low: corner, high: IntPoint::new(corner.x + side, corner.z + side) }
}

/// Gathers what meets the tile at column (x, z). `listed` holds at least the rings that meet the tile grown by a step.
pub(crate) fn column_input(drawing: &Drawing, column: [i32; 2], listed: &[u32]) -> ColumnInput {
    let square = column_square(&drawing.frame, column);
    let fence = square.grown(drawing.frame.step);
    let mut edges: Vec<Edge> =
        box_edges(&square, TILE_EDGE).into_iter().chain(box_edges(&fence, FENCE_EDGE)).collect();
    let (mut windings, mut rings) = (Vec::new(), Vec::new());
    for &ring in listed {
        let data = &drawing.rings[ring as usize];
        let (owner, before) = (rings.len() as u32, edges.len());
        data.edges_in(&drawing.frame, &fence, |from, to| edges.push(Edge { from, to, owner }));
        let around = data.bounds().contains(fence.low);
        let winding = if around { data.winding_beside(&drawing.frame, fence.low) } else { 0 };
        if winding != 0 {
            windings.push((owner, winding));
        }
        if winding != 0 || edges.len() > before {
            rings.push(ring);
        }
    }
    ColumnInput { square, fence, edges, windings, rings }
}

fn edge_meets(edge: &Edge, bounds: &IntBox) -> bool {
    IntBox::around([edge.from, edge.to]).meets(bounds)
}

/// The creases of the column's own surfaces that meet its fence.
pub(crate) fn column_creases(drawing: &Drawing, surfaces: &Surfaces, column: &ColumnInput) -> Vec<Edge> {
    let mut creases = Vec::new();
    for &ring in &column.rings {
        let owner = CREASE_EDGE | drawing.rings[ring as usize].label;
        let edges = surfaces.creases(ring).iter().map(|&[from, to]| Edge { from, to, owner });
        creases.extend(edges.filter(|edge| edge_meets(edge, &column.fence)));
    }
    creases
}

/// What is walkable where in a column's window, clearance removed.
pub(crate) fn overlay_column(
    drawing: &Drawing,
    column: &ColumnInput,
    creases: &[Edge],
    cleared: &Cleared,
) -> Overlay {
    let mut edges = column.edges.clone();
    edges.extend_from_slice(creases);
    edges.extend_from_slice(&cleared.edges);
    let arrangement = arrange(edges);
    let faces = find_faces(&arrangement);
    // The fence's first edge (the fifth of all) runs to +x, with the inside on its left.
    let windings = column.windings.iter().chain(&cleared.windings).copied().collect();
    let start = Start { half: arrangement.parts_of(4)[0].half, windings };
    let owners: Vec<Owner> =
        column.rings.iter().map(|&ring| Owner::of(&drawing.rings[ring as usize])).collect();
    label_faces(&owners, drawing.levels.len(), arrangement, faces, Some(&start))
}

/// Cuts a tile's share. `contested`: those that may meet the column's fence.
pub(crate) fn cut_tile(
    frame: &Frame,
    overlay: Overlay,
    square: &IntBox,
    contested: &[&Contested],
) -> TileCut {
    let fence = square.grown(frame.step);
    let grid = PixelGrid::new(frame, square.low);
    let nodes = 0..overlay.arrangement.places.len() as u32;
    let pixels: Vec<Pixel> = nodes.clone().map(|node| grid.pixel_of(&overlay.arrangement, node)).collect();
    let mut hot_node = vec![false; pixels.len()];
    let mut hot: Vec<Pixel> = vec![
        Pixel { z: 0, x: 0 },
        Pixel { z: 0, x: grid.side },
        Pixel { z: grid.side, x: 0 },
        Pixel { z: grid.side, x: grid.side },
    ];
    for node in nodes {
        let pixel = pixels[node as usize];
        if grid.in_tile(pixel) && (is_corner(&overlay, node, square) || is_hot(&overlay, node)) {
            hot_node[node as usize] = true;
            hot.push(pixel);
        }
    }
    let cuts = contested.iter().flat_map(|seam| seam.cuts()).filter(|&place| fence.contains(place));
    hot.extend(cuts.map(|place| grid.pixel_at(place)).filter(|&pixel| grid.in_tile(pixel)));
    let hot = HotPixels::new(&grid, hot);
    let runs = Runs { overlay: &overlay, grid: &grid, hot: &hot, hot_node: &hot_node };
    let (segments, seams) = runs.segments(contested);
    TileCut { grid, overlay, pixels, segments, seams }
}

fn box_edges(bounds: &IntBox, owner: u32) -> [Edge; 4] {
    let (low, high) = (bounds.low, bounds.high);
    let corners = [low, IntPoint::new(high.x, low.z), high, IntPoint::new(low.x, high.z)];
    std::array::from_fn(|i| Edge { from: corners[i], to: corners[(i + 1) % 4], owner })
}

fn is_corner(overlay: &Overlay, node: u32, square: &IntBox) -> bool {
    match overlay.arrangement.places[node as usize] {
        super::arrange::Place::Point(p) => {
            (p.x == square.low.x || p.x == square.high.x) && (p.z == square.low.z || p.z == square.high.z)
        }
        super::arrange::Place::Crossing(..) => false,
    }
}

/// Whether an outline has a vertex at the node, or meets the tile's border there.
fn is_hot(overlay: &Overlay, node: u32) -> bool {
    let around = overlay.arrangement.outgoing(node);
    let on_border = around.iter().any(|&half| tile_side(overlay, half / 2).is_some());
    let active = |half: &&u32| overlay.is_active_anywhere(*half / 2);
    overlay.is_vertex(node) || (on_border && around.iter().find(active).is_some())
}

/// The border side a piece lies on, if any.
fn tile_side(overlay: &Overlay, piece: u32) -> Option<u8> {
    // The first four edges are the tile's: along −Z, +X, +Z, −X.
    overlay
        .arrangement
        .members(piece)
        .iter()
        .find_map(|member| [3, 0, 1, 2].get(member.edge as usize).copied())
}

/// Walks exact pieces from hot node to hot node.
struct Runs<'a> {
    overlay: &'a Overlay,
    grid: &'a PixelGrid,
    hot: &'a HotPixels,
    hot_node: &'a [bool],
}

/// A run's hot points and pieces, and one piece's part of the points.
#[derive(Default)]
struct Run {
    chain: Vec<Pixel>,
    pieces: Vec<u32>,
    part: Vec<Pixel>,
}

impl Runs<'_> {
    fn segments(&self, contested: &[&Contested]) -> (Vec<Vec<Segment>>, Vec<SeamSegment>) {
        let piece_count = self.overlay.arrangement.pieces.len() as u32;
        let mut seam_claims: Vec<SeamSegment> = Vec::new();
        let mut levels = Vec::with_capacity(self.overlay.level_count());
        let mut run = Run::default();
        for level in 0..self.overlay.level_count() {
            let mut contributions = Vec::new();
            let mut walked = vec![false; piece_count as usize];
            for piece in 0..piece_count {
                let inside = self.inside(piece);
                if walked[piece as usize] || inside == Inside::No {
                    continue;
                }
                // A border piece counts where its inner side is walkable; an inner one where labels change.
                let half = if inside == Inside::RightOnly { piece * 2 + 1 } else { piece * 2 };
                let (left, right) = self.overlay.sides(half, level);
                let on_border = inside != Inside::Both;
                if if on_border { left == NOT_WALKABLE } else { !self.overlay.is_active(piece, level) } {
                    continue;
                }
                if !self.walk(half, level, on_border, &mut run) {
                    continue;
                }
                run.pieces.iter().for_each(|&piece| walked[piece as usize] = true);
                let (right_here, portal) =
                    if on_border { (NOT_WALKABLE, self.portal_side(half, level)) } else { (right, NO_SIDE) };
                let seams = self.seam_pairs(half, level, on_border);
                for pair in run.chain.windows(2) {
                    contributions.push(Contribution {
                        a: pair[0],
                        b: pair[1],
                        left,
                        right: right_here,
                        portal,
                    });
                    seam_claims.extend(seams.iter().map(|&other| oriented(pair[0], pair[1], level, other)));
                }
            }
            levels.push(cancel(contributions));
        }
        let seams = choose_seams(contested, self.grid, &levels, seam_claims);
        (levels, seams)
    }

    fn inside(&self, piece: u32) -> Inside {
        let face = |half: u32| self.overlay.faces.of_half[half as usize] as usize;
        match (self.overlay.in_tile[face(piece * 2)], self.overlay.in_tile[face(piece * 2 + 1)]) {
            (true, true) => Inside::Both,
            (true, false) => Inside::LeftOnly,
            (false, true) => Inside::RightOnly,
            (false, false) => Inside::No,
        }
    }

    /// The whole straight run through `half`, from hot node to hot node in its direction; false for a ring without one.
    fn walk(&self, half: u32, level: usize, on_border: bool, run: &mut Run) -> bool {
        let mut first = half;
        while let Some(before) = self.straight_on(first ^ 1, level, on_border) {
            first = before ^ 1;
            if first == half {
                return false;
            }
        }
        run.chain.clear();
        run.pieces.clear();
        let mut next = Some(first);
        while let Some(half) = next {
            self.hot.chain(self.grid, &self.overlay.arrangement, half / 2, &mut run.part);
            if half & 1 == 0 {
                run.chain.extend(run.part.iter());
            } else {
                run.chain.extend(run.part.iter().rev());
            }
            run.pieces.push(half / 2);
            next = self.straight_on(half, level, on_border);
        }
        run.chain.dedup();
        true
    }

    /// The half that goes straight on after `half`, unless a hot node ends the run there.
    fn straight_on(&self, half: u32, level: usize, on_border: bool) -> Option<u32> {
        let arrangement = &self.overlay.arrangement;
        let node = arrangement.origin(half ^ 1);
        if self.hot_node[node as usize] {
            return None;
        }
        arrangement.outgoing(node).iter().copied().find(|&next| {
            let belongs = if on_border {
                tile_side(self.overlay, next / 2).is_some()
            } else {
                self.overlay.is_active(next / 2, level)
            };
            belongs && next != half ^ 1
        })
    }

    /// The side of a border run if the drawing continues across it on this level, or by a seam.
    fn portal_side(&self, half: u32, level: usize) -> u8 {
        let (_, beyond) = self.overlay.sides(half, level);
        let continues = beyond != NOT_WALKABLE || !self.seam_pairs(half, level, false).is_empty();
        tile_side(self.overlay, half / 2).filter(|_| continues).unwrap_or(NO_SIDE)
    }

    /// The levels that join `level`, which lies left of the half only, over it.
    fn seam_pairs(&self, half: u32, level: usize, on_border: bool) -> Vec<usize> {
        if on_border || self.overlay.level_count() < 2 {
            return Vec::new();
        }
        let (mut left, mut right) = self.overlay.seam_levels(half / 2);
        if half & 1 == 1 {
            std::mem::swap(&mut left, &mut right);
        }
        if left.contains(&level) { right } else { Vec::new() }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    No,
    Both,
    LeftOnly,
    RightOnly,
}

fn oriented(from: Pixel, to: Pixel, left: usize, right: usize) -> SeamSegment {
    if from < to {
        SeamSegment { a: from, b: to, left, right }
    } else {
        SeamSegment { a: to, b: from, left: right, right: left }
    }
}

/// Sums what lies on one segment: runs that fell together leave the outermost labels, or nothing.
fn cancel(contributions: Vec<Contribution>) -> Vec<Segment> {
    let mut sorted: Vec<Contribution> = contributions
        .into_iter()
        .map(|c| {
            if c.a < c.b {
                c
            } else {
                Contribution { a: c.b, b: c.a, left: c.right, right: c.left, portal: c.portal }
            }
        })
        .collect();
    sorted.sort_unstable_by_key(|c| (c.a, c.b, c.left, c.right));
    let mut segments = Vec::with_capacity(sorted.len());
    for group in sorted.chunk_by(|x, y| (x.a, x.b) == (y.a, y.b)) {
        if let [c] = group {
            if c.left != NOT_WALKABLE || c.right != NOT_WALKABLE {
                segments.push(Segment { a: c.a, b: c.b, left: c.left, right: c.right, portal: c.portal });
            }
            continue;
        }
        let mut balance: BTreeMap<u32, i32> = BTreeMap::new();
        for c in group {
            *balance.entry(c.left).or_default() += 1;
            *balance.entry(c.right).or_default() -= 1;
        }
        let with = |sign: i32| balance.iter().find(|&(_, &count)| count * sign > 0).map(|(&label, _)| label);
        // Creases that nothing fell on stay as segments with one label on both sides.
        let crease =
            group.iter().all(|c| c.left == c.right && c.left == group[0].left).then_some(group[0].left);
        let Some((left, right)) = with(1).zip(with(-1)).or(crease.zip(crease)) else { continue };
        let portal = group.iter().map(|c| c.portal).min().unwrap_or(NO_SIDE);
        // A border edge keeps its portal only where its own label is what is left.
        let inner = if left == NOT_WALKABLE { right } else { left };
        let kept = group.iter().any(|c| c.portal != NO_SIDE && (c.left == inner || c.right == inner));
        let on_border = left == NOT_WALKABLE || right == NOT_WALKABLE;
        let portal = if kept && on_border { portal } else { NO_SIDE };
        segments.push(Segment { a: group[0].a, b: group[0].b, left, right, portal });
    }
    segments
}

/// Keeps the claimed pairs that are still outer edges with opposite insides, and that a contested seam grants.
fn choose_seams(
    contested: &[&Contested],
    grid: &PixelGrid,
    levels: &[Vec<Segment>],
    mut claims: Vec<SeamSegment>,
) -> Vec<SeamSegment> {
    claims.sort_unstable();
    claims.dedup();
    let outer = |level: usize, claim: &SeamSegment| {
        let found = levels[level].binary_search_by_key(&(claim.a, claim.b), |segment| (segment.a, segment.b));
        found.ok().map(|index| {
            let segment = &levels[level][index];
            (segment.left != NOT_WALKABLE, segment.right != NOT_WALKABLE)
        })
    };
    let granted = |claim: &SeamSegment| {
        let middle = grid.middle_of(claim.a, claim.b);
        let mut answers =
            contested.iter().filter_map(|seam| seam.joins(middle, grid.step(), claim.left, claim.right));
        answers.next().unwrap_or(true)
    };
    claims.retain(|claim| {
        outer(claim.left, claim) == Some((true, false))
            && outer(claim.right, claim) == Some((false, true))
            && granted(claim)
    });
    claims
}
