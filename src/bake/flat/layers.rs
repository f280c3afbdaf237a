//! Components of a tile's polygons to tile layers: what overlaps in plan gets different ones.

use super::snap::Pixel;
use crate::geom::predicates::orient;

/// One polygon as the packing sees it.
pub(crate) struct Plan<'a> {
    pub(crate) corners: &'a [Pixel],
    pub(crate) level: usize,
    /// Polygons joined in this tile have the same one; below the number of polygons.
    pub(crate) component: u32,
}

/// The layer of each polygon: components first fit, ordered by lowest level, then their sorted corners, then polygons.
pub(crate) fn pack_layers(plans: &[Plan<'_>]) -> Vec<usize> {
    // Polygons of one level never overlap.
    if plans.windows(2).all(|pair| pair[0].level == pair[1].level) {
        return vec![0; plans.len()];
    }
    let mut components: Vec<Vec<usize>> = vec![Vec::new(); plans.len()];
    for (index, plan) in plans.iter().enumerate() {
        components[plan.component as usize].push(index);
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
