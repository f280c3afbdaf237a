//! What the remarks of one drawing share.

use crate::bake::FlatInput;
use crate::bake::flat::joined::Components;
use crate::bake::flat::outline::{Drawing, NOT_WALKABLE};
use crate::bake::flat::overlay::Overlay;
use crate::geom::predicates::cross;

/// What the remarks of one drawing share.
pub(super) struct Scene<'a> {
    pub(super) input: &'a FlatInput,
    pub(super) drawing: &'a Drawing,
    pub(super) overlay: &'a Overlay,
    pub(super) components: &'a Components,
}

impl Scene<'_> {
    /// The world place of a node.
    pub(super) fn world(&self, node: u32) -> [f64; 2] {
        let [x, z] = self.overlay.arrangement.f64_of(node);
        self.drawing.frame.world_from_unit(x, z)
    }

    pub(super) fn name(&self, ring: u32) -> &str {
        &self.input.areas[self.drawing.rings[ring as usize].area].name
    }

    /// The caller's id of the area that a ring is.
    pub(super) fn area_id(&self, ring: u32) -> u64 {
        self.input.areas[self.drawing.rings[ring as usize].area].id
    }

    pub(super) fn level(&self, ring: u32) -> i8 {
        self.drawing.levels[self.drawing.rings[ring as usize].level]
    }

    /// Whether a level's outline turns, ends or branches at a node.
    pub(super) fn turns_at(&self, node: u32, level: usize) -> bool {
        let arrangement = &self.overlay.arrangement;
        let ends = |half: &u32| {
            let (left, right) = self.overlay.sides(*half, level);
            (left == NOT_WALKABLE) != (right == NOT_WALKABLE)
        };
        let around: Vec<u32> = arrangement.outgoing(node).iter().copied().filter(ends).collect();
        match around[..] {
            [a, b] => cross(arrangement.direction(a), arrangement.direction(b)) != 0,
            _ => true,
        }
    }
}
