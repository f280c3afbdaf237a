//! The tree of boxes that Detour looks a tile's polygons up by.

/// A box in cells from the tile's least corner.
#[derive(Clone, Copy)]
pub(super) struct Cells {
    pub(super) low: [u16; 3],
    pub(super) high: [u16; 3],
}

/// A node, in Detour's order: depth first. `index`: the polygon of a leaf; of an inner node the number of nodes to go
/// on to when its box is missed, negative.
pub(super) struct Node {
    pub(super) cells: Cells,
    pub(super) index: i32,
}

impl Cells {
    fn around(self, other: Self) -> Self {
        Self {
            low: std::array::from_fn(|axis| self.low[axis].min(other.low[axis])),
            high: std::array::from_fn(|axis| self.high[axis].max(other.high[axis])),
        }
    }
}

/// The tree over the boxes of polygons 0, 1 …: each half of a node has half of its boxes, parted across its longest
/// side. `2 n − 1` nodes for `n` boxes.
pub(super) fn tree(boxes: &[Cells]) -> Vec<Node> {
    let mut items: Vec<(i32, Cells)> = (0..).zip(boxes.iter().copied()).collect();
    let mut nodes = Vec::with_capacity(2 * boxes.len());
    add(&mut items, &mut nodes);
    nodes
}

fn add(items: &mut [(i32, Cells)], nodes: &mut Vec<Node>) {
    let Some(cells) = items.iter().map(|item| item.1).reduce(Cells::around) else { return };
    if let [(index, cells)] = *items {
        nodes.push(Node { cells, index });
        return;
    }
    let side = |axis: &usize| cells.high[*axis] - cells.low[*axis];
    let axis = (0..3).rev().max_by_key(side).unwrap_or(0);
    items.sort_by_key(|(index, cells)| (cells.low[axis], *index));
    let place = nodes.len();
    nodes.push(Node { cells, index: 0 });
    let (first, second) = items.split_at_mut(items.len() / 2);
    add(first, nodes);
    add(second, nodes);
    nodes[place].index = -i32::try_from(nodes.len() - place).unwrap_or(i32::MAX);
}
