//! How landmarks are chosen and measured: on each island one far out, then again and again the corner that is
//! farthest from all so far.

use super::any_angle::Spread;
use super::index::QueryIndex;
use super::landmarks::{LANES, Landmarks};
use super::plan::{Jump, Plan};
use super::sight::distance;
use crate::format::TiledNavMesh;

/// Landmarks that pay on most maps.
pub const USUAL_LANDMARKS: usize = 32;
const MOST_LANDMARKS: usize = 64;

/// A corner of an island, with one of the cells round it.
#[derive(Clone, Copy)]
struct CellCorner {
    island: u32,
    corner: u32,
    cell: u32,
    at: [f64; 2],
}

impl Landmarks {
    /// Finds landmarks on each island of a mesh, and measures the shortest way from each of them to every corner there.
    ///
    /// `count`: landmarks an island; rounded up to a multiple of 8, at most 64, [`USUAL_LANDMARKS`] if in doubt. A mesh
    /// takes about 2 bytes for each landmark and corner, and the time of some searches over the whole mesh for each
    /// landmark. Equal meshes get equal landmarks.
    #[must_use]
    pub fn find(mesh: &TiledNavMesh, count: usize) -> Self {
        let row_lanes = count.clamp(1, MOST_LANDMARKS).div_ceil(LANES);
        let mut index = QueryIndex::default();
        index.update(mesh);
        let (rows, row_count) = index.corner_rows();
        let mut lengths = vec![[f32::NAN; LANES]; row_lanes * row_count];
        let plan = &mut index.plan;
        open_links_both_ways(plan);
        plan.find_islands();
        let plan = &index.plan;
        let mut spread = Spread::new(plan);
        for island in cell_corners(plan).chunk_by(|a, b| a.island == b.island) {
            survey(island, &mut spread, row_lanes * LANES, |corner, landmark, length| {
                let row = rows[corner as usize] as usize * row_lanes;
                lengths[row + landmark / LANES][landmark % LANES] = length as f32;
            });
        }
        Self::new(mesh, row_lanes, &lengths)
    }
}

/// Tells the lengths from up to `count` landmarks of an island to its corners.
fn survey(
    island: &[CellCorner],
    spread: &mut Spread<'_>,
    count: usize,
    mut tell: impl FnMut(u32, usize, f64),
) {
    if island.iter().all(|other| other.cell == island[0].cell) {
        return; // Straight lines say it all.
    }
    let corners: Vec<&[CellCorner]> = island.chunk_by(|a, b| a.corner == b.corner).collect();
    let mut least: Vec<f64> = corners.iter().map(|corner| distance(corner[0].at, island[0].at)).collect();
    let mut cells = Vec::new();
    for landmark in 0..count {
        let known = least.iter().enumerate().filter(|(_, length)| length.is_finite());
        let Some((next, far)) = known.max_by(|a, b| a.1.total_cmp(b.1)) else { return };
        if *far <= 0.0 {
            return;
        }
        cells.clear();
        cells.extend(corners[next].iter().map(|corner| corner.cell));
        spread.spread(corners[next][0].at, &cells);
        for (corner, least) in corners.iter().zip(&mut least) {
            let length = spread.length(corner[0].corner);
            *least = if landmark == 0 { length } else { least.min(length) };
            if length.is_finite() {
                tell(corner[0].corner, landmark, length);
            }
        }
    }
}

/// All corners by island, with the cells round them.
fn cell_corners(plan: &Plan) -> Vec<CellCorner> {
    let mut all = Vec::with_capacity(plan.sides.len());
    for (cell, own) in (0..).zip(&plan.cells) {
        let ring = plan.ring(own).iter();
        let island = plan.island(cell);
        all.extend(ring.map(|side| CellCorner { island, corner: side.corner, cell, at: side.at }));
    }
    all.sort_unstable_by_key(|corner| (corner.island, corner.corner, corner.cell));
    all
}

/// Gives each link its way back.
fn open_links_both_ways(plan: &mut Plan) {
    let mut jumps: Vec<(u32, Jump)> = Vec::new();
    for cell in 0..plan.cell_count() as u32 {
        for jump in &plan.jumps[plan.jumps_of(cell)] {
            let back = Jump { to: cell, departure: jump.arrival, arrival: jump.departure, ..*jump };
            jumps.extend([(cell, *jump), (jump.to, back)]);
        }
    }
    jumps.sort_by_key(|(cell, _)| *cell);
    for cell in &mut plan.cells {
        (cell.first_jump, cell.jump_count) = (0, 0);
    }
    for (place, (cell, _)) in (0..).zip(&jumps) {
        let own = &mut plan.cells[*cell as usize];
        own.first_jump = if own.jump_count == 0 { place } else { own.first_jump };
        own.jump_count += 1;
    }
    plan.jumps = jumps.into_iter().map(|(_, jump)| jump).collect();
}
