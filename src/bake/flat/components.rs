//! Which walkable faces of a level belong together.

use super::outline::NOT_WALKABLE;
use super::overlay::Overlay;
use crate::geom::union_find::UnionFind;

/// No component: not walkable, or in another column.
pub(crate) const UNKNOWN: u32 = u32::MAX;

/// The faces that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cover {
    /// All of the drawing.
    All,
    /// Those inside the tile; nothing joins them around outside.
    Tile,
}

/// Faces of one level joined through the open inside, before seams join levels; numbered from 0 over all levels.
#[derive(Debug)]
pub(crate) struct Components {
    /// Per face and level.
    numbers: Vec<u32>,
    level_count: usize,
    /// The level of each.
    levels: Vec<usize>,
    covered: Vec<bool>,
}

impl Components {
    /// The components of an overlay's faces.
    pub(crate) fn new(overlay: &Overlay, cover: Cover) -> Self {
        Self::by_label(overlay, cover, |face, level| overlay.label(face, level))
    }

    /// The same before clearance.
    pub(crate) fn as_drawn(overlay: &Overlay, cover: Cover) -> Self {
        Self::by_label(overlay, cover, |face, level| overlay.drawn_label(face, level))
    }

    fn by_label(overlay: &Overlay, cover: Cover, label: impl Fn(u32, usize) -> u32) -> Self {
        let level_count = overlay.level_count();
        let covered = match cover {
            Cover::All => vec![true; overlay.faces.count],
            Cover::Tile => overlay.in_tile.clone(),
        };
        let cell = |face: u32, level: usize| face as usize * level_count + level;
        let mut sets = UnionFind::new(overlay.faces.count * level_count);
        for piece in 0..overlay.arrangement.pieces.len() {
            let (left, right) = (overlay.faces.of_half[piece * 2], overlay.faces.of_half[piece * 2 + 1]);
            if !(covered[left as usize] && covered[right as usize]) {
                continue;
            }
            for level in 0..level_count {
                if label(left, level) != NOT_WALKABLE && label(right, level) != NOT_WALKABLE {
                    sets.union(cell(left, level) as u32, cell(right, level) as u32);
                }
            }
        }
        // A set's root is its least cell, so it is numbered before the others.
        let mut numbers = vec![UNKNOWN; overlay.faces.count * level_count];
        let mut levels = Vec::new();
        for face in (0..overlay.faces.count as u32).filter(|&face| covered[face as usize]) {
            for level in (0..level_count).filter(|&level| label(face, level) != NOT_WALKABLE) {
                let (here, root) = (cell(face, level), sets.find(cell(face, level) as u32) as usize);
                if here == root {
                    numbers[here] = levels.len() as u32;
                    levels.push(level);
                } else {
                    numbers[here] = numbers[root];
                }
            }
        }
        Self { numbers, level_count, levels, covered }
    }

    /// Whether the face counts.
    pub(crate) fn covers(&self, face: u32) -> bool {
        self.covered[face as usize]
    }

    /// The component of a face on a level, or [`UNKNOWN`].
    pub(crate) fn on_level(&self, face: u32, level: usize) -> u32 {
        self.numbers[face as usize * self.level_count + level]
    }

    /// The level of a component.
    pub(crate) fn level(&self, component: u32) -> usize {
        self.levels[component as usize]
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.levels.len()
    }

    /// How many a level has.
    pub(crate) fn count_on(&self, level: usize) -> usize {
        self.levels.iter().filter(|&&other| other == level).count()
    }
}
