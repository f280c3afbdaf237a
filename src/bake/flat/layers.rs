//! Components of a tile's polygons to tile layers: what overlaps in plan gets different ones.

use super::snap::Pixel;
use crate::geom::predicates::orient;
use crate::geom::union_find::UnionFind;

/// One polygon as the packing sees it.
pub(crate) struct Plan<'a> {
    pub(crate) corners: &'a [Pixel],
    pub(crate) level: usize,
    /// Indices of the polygons it is joined with in this tile.
    pub(crate) neighbours: Vec<usize>,
}

/// The layer of each polygon: components first fit, ordered by lowest level, then their sorted corners, then polygons.
pub(crate) fn pack_layers(plans: &[Plan<'_>]) -> Vec<usize> {
    let mut sets = UnionFind::new(plans.len());
    for (index, plan) in plans.iter().enumerate() {
        plan.neighbours.iter().for_each(|&other| _ = sets.union(index as u32, other as u32));
    }
    let mut components: Vec<Vec<usize>> = vec![Vec::new(); plans.len()];
    for index in 0..plans.len() {
        components[sets.find(index as u32) as usize].push(index);
    }
    components.retain(|component| !component.is_empty());
    components.sort_by_cached_key(|component| {
        let lowest = component.iter().map(|&index| plans[index].level).min();
        let mut corners: Vec<Pixel> =
            component.iter().flat_map(|&i| plans[i].corners.iter().copied()).collect();
        corners.sort_unstable();
        let polygons: Vec<&[Pixel]> = component.iter().map(|&index| plans[index].corners).collect();
        (lowest, corners, polygons)
    });
    let mut layers: Vec<Vec<usize>> = Vec::new();
    let mut layer_of = vec![0; plans.len()];
    for component in &components {
        let fits = |layer: &Vec<usize>| {
            !component.iter().any(|&a| layer.iter().any(|&b| overlap(&plans[a], &plans[b])))
        };
        let layer = layers.iter().position(fits).unwrap_or_else(|| {
            layers.push(Vec::new());
            layers.len() - 1
        });
        layers[layer].extend(component);
        component.iter().for_each(|&index| layer_of[index] = layer);
    }
    layer_of
}

/// Whether two polygons' insides overlap. Polygons of one level never do.
fn overlap(a: &Plan<'_>, b: &Plan<'_>) -> bool {
    a.level != b.level && !separated(a.corners, b.corners) && !separated(b.corners, a.corners)
}

/// Whether some edge of `a` has all of `b` on its right or on it.
fn separated(a: &[Pixel], b: &[Pixel]) -> bool {
    (0..a.len()).any(|i| {
        let (from, to) = (a[i].point(), a[(i + 1) % a.len()].point());
        b.iter().all(|corner| orient(from, to, corner.point()) <= 0)
    })
}
