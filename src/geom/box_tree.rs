//! Boxes of whole cells on the plane, found by a window: a balanced tree in one array.

/// Cells x0 to x1 and z0 to z1, inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellBox {
    /// Least x and z.
    pub low: [i32; 2],
    /// Greatest x and z.
    pub high: [i32; 2],
}

/// Most boxes of a leaf.
const LEAF: usize = 8;

/// A node: its box, and either its boxes (`count` above 0) or its right child, the left one being next to it.
#[derive(Clone, Copy, Debug)]
struct Node {
    bounds: CellBox,
    first: u32,
    count: u32,
}

/// Finds the boxes that meet a window in time that grows with what is found.
#[derive(Clone, Debug, Default)]
pub struct BoxTree {
    nodes: Vec<Node>,
}

impl CellBox {
    /// Holds nothing.
    pub const EMPTY: Self = Self { low: [i32::MAX; 2], high: [i32::MIN; 2] };

    /// Whether the two share a cell.
    #[must_use]
    pub fn meets(&self, other: &Self) -> bool {
        // All of it at once: each alone is told by nothing.
        let along = |axis: usize| (self.low[axis] <= other.high[axis]) & (other.low[axis] <= self.high[axis]);
        along(0) & along(1)
    }

    /// The smallest box that holds both.
    #[must_use]
    pub fn join(&self, other: &Self) -> Self {
        Self {
            low: [self.low[0].min(other.low[0]), self.low[1].min(other.low[1])],
            high: [self.high[0].max(other.high[0]), self.high[1].max(other.high[1])],
        }
    }

    fn doubled_middle(&self, axis: usize) -> i64 {
        i64::from(self.low[axis]) + i64::from(self.high[axis])
    }
}

impl BoxTree {
    /// The tree, and the order in which it keeps the boxes: entry k is box `order[k]`.
    ///
    /// Takes fewer than 2^32 boxes. Equal input gives an equal tree. The boxes lie along Morton's curve through their
    /// middles, which one sort finds.
    #[must_use]
    pub fn new(boxes: &[CellBox]) -> (Self, Vec<u32>) {
        Self::new_while(boxes, &|| true).unwrap_or_default()
    }

    /// As [`BoxTree::new`], as long as `goes_on` holds, which is asked now and then; `None` once it does not.
    #[must_use]
    pub fn new_while(boxes: &[CellBox], goes_on: &dyn Fn() -> bool) -> Option<(Self, Vec<u32>)> {
        let all = boxes.iter().fold(CellBox::EMPTY, |sum, own| sum.join(own));
        // So many bits of a doubled middle go that 16 stay.
        let low = [0, 1].map(|axis| 2 * i64::from(all.low[axis]));
        let range = [0, 1].map(|axis| (2 * i64::from(all.high[axis]) - low[axis]).max(1));
        let shift = (64 - range[0].max(range[1]).leading_zeros()).saturating_sub(16);
        let place =
            |own: &CellBox, axis: usize| spread((own.doubled_middle(axis) - low[axis]) as u64 >> shift);
        let key = |own: &CellBox| place(own, 0) | place(own, 1) << 1;
        let mut keys: Vec<u64> =
            (0..).zip(boxes).map(|(index, own): (u64, _)| key(own) << 32 | index).collect();
        if !goes_on() {
            return None;
        }
        keys.sort_unstable();
        let order: Vec<u32> = keys.into_iter().map(|key| key as u32).collect();
        let mut nodes = Vec::with_capacity(boxes.len().div_ceil(LEAF) * 2);
        if !boxes.is_empty() {
            split(boxes, &order, 0, &mut nodes, goes_on)?;
        }
        nodes.shrink_to_fit();
        Some((Self { nodes }, order))
    }

    /// The box of all boxes.
    #[must_use]
    pub fn bounds(&self) -> CellBox {
        self.nodes.first().map_or(CellBox::EMPTY, |root| root.bounds)
    }

    /// Calls `visit` with ranges of the tree's order that may meet the window, until it answers `false`.
    pub fn visit(&self, window: &CellBox, mut visit: impl FnMut(std::ops::Range<usize>) -> bool) {
        // A balanced tree of 2^32 boxes is 32 deep.
        let mut stack = [0_u32; 64];
        let mut depth = usize::from(!self.nodes.is_empty());
        while depth > 0 {
            depth -= 1;
            let index = stack[depth];
            let node = &self.nodes[index as usize];
            if !node.bounds.meets(window) {
                continue;
            }
            if node.count > 0 {
                // A leaf.
                let first = node.first as usize;
                if !visit(first..first + node.count as usize) {
                    return;
                }
            } else {
                stack[depth] = node.first;
                stack[depth + 1] = index + 1;
                depth += 2;
            }
        }
    }
}

/// 16 bits with a gap behind each.
fn spread(bits: u64) -> u64 {
    [(8, 0x00FF_00FF), (4, 0x0F0F_0F0F), (2, 0x3333_3333), (1, 0x5555_5555)]
        .into_iter()
        .fold(bits, |bits, (by, mask)| (bits | bits << by) & mask)
}

/// More boxes than this are not put into nodes without asking whether to go on.
const ASK_ABOVE: usize = 1 << 13;

/// Appends the node of these boxes and all below it; answers its bounds.
fn split(
    boxes: &[CellBox],
    order: &[u32],
    first: usize,
    nodes: &mut Vec<Node>,
    goes_on: &dyn Fn() -> bool,
) -> Option<CellBox> {
    if order.len() > ASK_ABOVE && !goes_on() {
        return None;
    }
    let index = nodes.len();
    nodes.push(Node { bounds: CellBox::EMPTY, first: first as u32, count: order.len() as u32 });
    let bounds = if order.len() <= LEAF {
        order.iter().fold(CellBox::EMPTY, |sum, &index| sum.join(&boxes[index as usize]))
    } else {
        // Full leaves on the left.
        let (left, right) = order.split_at((order.len() / 2).next_multiple_of(LEAF));
        let before = split(boxes, left, first, nodes, goes_on)?;
        nodes[index].first = nodes.len() as u32;
        nodes[index].count = 0;
        before.join(&split(boxes, right, first + left.len(), nodes, goes_on)?)
    };
    nodes[index].bounds = bounds;
    Some(bounds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_a_scan_finds() {
        let mut state = 7_u64;
        let mut next = move |below: i32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as i32 % below
        };
        let boxes: Vec<CellBox> = (0..500)
            .map(|_| {
                let low = [next(100), next(100)];
                CellBox { low, high: [low[0] + next(9), low[1] + next(9)] }
            })
            .collect();
        let (tree, order) = BoxTree::new(&boxes);
        for _ in 0..200 {
            let low = [next(110) - 5, next(110) - 5];
            let window = CellBox { low, high: [low[0] + next(20), low[1] + next(20)] };
            let mut found = Vec::new();
            tree.visit(&window, |range| {
                found.extend(order[range].iter().copied().filter(|&i| boxes[i as usize].meets(&window)));
                true
            });
            found.sort_unstable();
            let scan: Vec<u32> = (0..500).filter(|&i| boxes[i as usize].meets(&window)).collect();
            assert_eq!(found, scan);
        }
        assert_eq!(BoxTree::new(&[]).0.bounds(), CellBox::EMPTY);
    }
}
