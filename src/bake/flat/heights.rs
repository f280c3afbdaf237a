//! How high a place of the mesh lies: a matter of place and level, never of the tile.

use std::collections::{BTreeMap, HashMap};

use super::cut::TileCut;
use super::outline::{Drawing, NOT_WALKABLE};
use super::snap::Pixel;
use super::surfaces::Surfaces;
use crate::geom::grid::IntPoint;
use crate::geom::predicates::compare_angles;
use crate::geom::union_find::UnionFind;

/// A sector between two pieces around a place, on one level, with the height it shares with all it is joined to.
struct Sector {
    level: usize,
    label: u32,
    /// Direction of its clockwise and counter-clockwise bounds.
    from: IntPoint,
    to: IntPoint,
    height: f64,
}

/// Heights at the hot points of one tile.
pub(crate) struct PlaceHeights<'a> {
    drawing: &'a Drawing,
    cut: &'a TileCut,
    surfaces: &'a Surfaces,
    /// Whether every place lies at its level's elevation: no seam and no area's own surface is near.
    is_plain: bool,
    nodes: HashMap<Pixel, Vec<u32>>,
    known: HashMap<Pixel, Vec<Sector>>,
}

impl<'a> PlaceHeights<'a> {
    pub(crate) fn new(drawing: &'a Drawing, cut: &'a TileCut, surfaces: &'a Surfaces) -> Self {
        let mut nodes: HashMap<Pixel, Vec<u32>> = HashMap::new();
        let pieces = 0..cut.overlay.arrangement.pieces.len() as u32;
        let has_seam = drawing.levels.len() > 1
            && pieces.into_iter().any(|piece| {
                let (left, right) = cut.overlay.seam_levels(piece);
                !left.is_empty() && !right.is_empty()
            });
        if surfaces.are_all_levels() && !has_seam {
            return Self { drawing, cut, surfaces, is_plain: true, nodes, known: HashMap::new() };
        }
        for (node, &pixel) in cut.pixels.iter().enumerate() {
            if cut.grid.in_tile(pixel) && !cut.overlay.arrangement.outgoing(node as u32).is_empty() {
                nodes.entry(pixel).or_default().push(node as u32);
            }
        }
        Self { drawing, cut, surfaces, is_plain: false, nodes, known: HashMap::new() }
    }

    /// The rounded world height at a polygon's corner; `inward` points into the polygon.
    pub(crate) fn at(&mut self, pixel: Pixel, level: usize, label: u32, inward: IntPoint) -> f64 {
        if self.is_plain {
            return self.surfaces.round(self.drawing.elevations[level]);
        }
        if !self.known.contains_key(&pixel) {
            let sectors = self.sectors(pixel);
            self.known.insert(pixel, sectors);
        }
        let fits = |sector: &&Sector| sector.level == level && sector.label == label;
        let sectors = &self.known[&pixel];
        let towards = |sector: &&Sector| is_between(sector.from, sector.to, inward);
        let found = sectors.iter().filter(fits).find(towards).or_else(|| sectors.iter().find(fits));
        found.map_or_else(
            || {
                self.surfaces.round(self.surfaces.at(
                    self.drawing,
                    level,
                    label,
                    self.cut.grid.unit_of(pixel),
                ))
            },
            |sector| sector.height,
        )
    }

    /// All sectors of a place, joined over pieces that can be crossed, each set at its mean height.
    fn sectors(&self, pixel: Pixel) -> Vec<Sector> {
        let (overlay, arrangement) = (&self.cut.overlay, &self.cut.overlay.arrangement);
        let levels = overlay.level_count();
        let nodes = self.nodes.get(&pixel).map_or(&[][..], Vec::as_slice);
        // Sector i lies left of halves[i], up to the next half around the same node.
        let mut halves: Vec<(u32, u32)> = Vec::new();
        for &node in nodes {
            let around = arrangement.outgoing(node);
            halves.extend((0..around.len()).map(|i| (around[i], around[(i + 1) % around.len()])));
        }
        let left_of: HashMap<u32, usize> =
            halves.iter().enumerate().map(|(i, &(half, _))| (half, i)).collect();
        let right_of: HashMap<u32, usize> =
            halves.iter().enumerate().map(|(i, &(_, next))| (next, i)).collect();
        let mut sets = UnionFind::new(halves.len() * levels);
        let mut join = |a: usize, a_level: usize, b: usize, b_level: usize| {
            sets.union((a * levels + a_level) as u32, (b * levels + b_level) as u32);
        };
        for &(half, _) in &halves {
            let (left, right) = (left_of[&half], right_of[&half]);
            let (mut left_only, mut right_only) = overlay.seam_levels(half / 2);
            if half & 1 == 1 {
                std::mem::swap(&mut left_only, &mut right_only);
            }
            for level in 0..levels {
                let (l, r) = overlay.sides(half, level);
                if l != NOT_WALKABLE && r != NOT_WALKABLE {
                    join(left, level, right, level);
                }
            }
            left_only.iter().for_each(|&l| right_only.iter().for_each(|&r| join(left, l, right, r)));
            // A piece within the place: its left side at one end is its left side at the other.
            if let Some(&far) = right_of.get(&(half ^ 1)) {
                (0..levels).for_each(|level| join(left, level, far, level));
            }
        }
        let place = self.cut.grid.unit_of(pixel);
        let mut surfaces: BTreeMap<u32, Vec<(usize, u32)>> = BTreeMap::new();
        let mut members: Vec<(u32, usize, u32, usize)> = Vec::new();
        for (sector, &(half, _)) in halves.iter().enumerate() {
            for level in 0..levels {
                let label = overlay.sides(half, level).0;
                if label != NOT_WALKABLE {
                    let root = sets.find((sector * levels + level) as u32);
                    let surface = (level, label);
                    let known = surfaces.entry(root).or_default();
                    if !known.iter().any(|&(l, other)| {
                        l == level
                            && self.drawing.labels[other as usize].surface
                                == self.drawing.labels[label as usize].surface
                    }) {
                        known.push(surface);
                    }
                    members.push((root, level, label, sector));
                }
            }
        }
        let heights: BTreeMap<u32, f64> = surfaces
            .into_iter()
            .map(|(root, mut list)| {
                list.sort_unstable_by_key(|&(level, label)| {
                    (level, self.drawing.labels[label as usize].surface)
                });
                let sum: f64 = list
                    .iter()
                    .map(|&(level, label)| self.surfaces.at(self.drawing, level, label, place))
                    .sum();
                (root, self.surfaces.round(sum / list.len() as f64))
            })
            .collect();
        members
            .into_iter()
            .map(|(root, level, label, sector)| {
                let (from, to) = halves[sector];
                let (from, to) = (arrangement.direction(from), arrangement.direction(to));
                Sector { level, label, from, to, height: heights[&root] }
            })
            .collect()
    }
}

/// Whether direction `d` lies counter-clockwise of `from` and before `to` (all around, where they are one).
fn is_between(from: IntPoint, to: IntPoint, d: IntPoint) -> bool {
    let (after, before) = (compare_angles(from, d).is_le(), compare_angles(d, to).is_lt());
    if compare_angles(from, to).is_lt() { after && before } else { after || before }
}
