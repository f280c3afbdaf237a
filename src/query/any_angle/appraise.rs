//! What is known of a node by its edge's ends: whether it is worth a look at all, and what it promises.
//!
//! ```text
//!   A ---- L ======= R -- B     a stretch L..R of an edge A..B, seen from the root r
//!           \\     /
//!            \\   /             to p of the stretch it is |r p|, or |A p| from A
//!              r
//! ```
//!
//! Away from A, |A p| grows by as much as p moves and |r p| by no more. So of all p, R is where the way by A gains least
//! on the one from r: where that is shorter even at R, it is shorter to all of the stretch, and nothing beyond is come to
//! on a shortest way by this node. Where instead the landmarks promise at least h from A, then by any p it is no less than
//! |r p| + h - |A p|, the least of which is |r R| + h - |A R|. With B and L it is the same.

use crate::query::far::Far;
use crate::query::frontier::{CornerNote, LEFT_END, Node, RIGHT_END, Root};
use crate::query::landmarks::Known;
use crate::query::plan::Plan;
use crate::query::sight::distance;

/// Whether a length is more than another one by more than rounding, of lengths and of points of edges.
#[inline]
pub(super) fn is_longer(plan: &Plan, length: f64, other: f64) -> bool {
    length * (1.0 - 1e-12) > other + plan.extent * 1e-14
}

/// A node's edge and stretch with the lengths between them and the root.
pub(super) struct Appraisal {
    /// The edge's left and right end: corners, and ways known to them.
    corners: [u32; 2],
    reach: [f64; 2],
    /// From the root to the stretch's left and right end, and the way there in all.
    near: [f64; 2],
    length: [f64; 2],
    /// From the edge's left end to the stretch's right one, and from its right end to the left one.
    across: [f64; 2],
}

impl Appraisal {
    /// Of a node that was come to by a side.
    #[inline(always)]
    pub(super) fn of(plan: &Plan, root: &Root, node: &Node, notes: &mut [CornerNote], stamp: u32) -> Self {
        let left = &plan.sides[node.entry as usize];
        let right = &plan.sides[plan.next(&plan.cells[node.cell as usize], node.entry) as usize];
        let near = [distance(root.at, node.left), distance(root.at, node.right)];
        let corners = [left.corner, right.corner];
        Self {
            corners,
            reach: corners.map(|corner| notes[corner as usize].of(stamp).reach),
            near,
            length: near.map(|near| root.length + near),
            across: [distance(left.at, node.right), distance(right.at, node.left)],
        }
    }

    /// Whether a shorter way is known to all of the stretch.
    #[inline]
    pub(super) fn is_overtaken(&self, plan: &Plan) -> bool {
        is_longer(plan, self.length[1], self.reach[0] + self.across[0])
            || is_longer(plan, self.length[0], self.reach[1] + self.across[1])
    }

    /// Notes how far it is to those ends of the edge that the stretch reaches.
    #[inline]
    pub(super) fn note_reach(&self, notes: &mut [CornerNote], ends: u32) {
        for (k, end) in [LEFT_END, RIGHT_END].into_iter().enumerate() {
            if ends & end != 0 && self.length[k] < self.reach[k] {
                notes[self.corners[k] as usize].reach = self.length[k];
            }
        }
    }

    /// At least so long is the way from the root through the stretch to the goal, as landmarks tell.
    #[inline]
    pub(super) fn least(&self, known: Known<'_>, far: &Far, notes: &mut [CornerNote]) -> f64 {
        let [left, right] = self.corners;
        let from_left = far.of(known, left, &mut notes[left as usize].far) - self.across[0];
        let from_right = far.of(known, right, &mut notes[right as usize].far) - self.across[1];
        (self.near[1] + from_left).max(self.near[0] + from_right) - far.slack()
    }
}
