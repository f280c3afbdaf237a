//! What is crossed on the way out of a polygon: portals with their exact covered part, off-mesh links.

use super::view::{PolygonView, world_xz};
use crate::format::Link;

/// What is crossed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Crossing {
    /// An edge, or the part of one that both polygons share; left and right as seen by who walks out.
    Portal { left: [f64; 2], right: [f64; 2] },
    /// An off-mesh link, from the point of this polygon nearest its one end to the point of the next polygon
    /// nearest its other end.
    OffMesh { departure: [f64; 2], arrival: [f64; 2], user_id: u32, area: u8 },
}

/// The part of an edge that a portal link covers, exactly: the link's own limits are rounded to 255ths, so the
/// partner's edge that gives these limits is looked up. `earlier`: the links before this one; those with the
/// same edge, polygon and limits took the partner's first edges.
pub(super) fn portal(
    from: &PolygonView<'_>,
    to: &PolygonView<'_>,
    earlier: &[Link],
    link: &Link,
) -> Option<Crossing> {
    let along_z = link.side == 0 || link.side == 2;
    let u = |view: &PolygonView<'_>, k: usize| {
        let corner = view.local_corner(k);
        f64::from(if along_z { corner[2] } else { corner[0] })
    };
    let edge = usize::from(link.edge);
    let (u0, u1) = (u(from, edge), u(from, edge + 1));
    let same = |other: &&Link| {
        (other.kind, other.to, other.edge) == (link.kind, link.to, link.edge)
            && (other.range_min, other.range_max) == (link.range_min, link.range_max)
    };
    let skip = earlier.iter().filter(same).count();
    let (lo, hi) = to
        .polygon
        .edges()
        .enumerate()
        .filter(|(_, edge)| to.tile.edge_sides[*edge] == link.side ^ 2)
        .filter_map(|(k, _)| overlap((u0, u1), (u(to, k), u(to, k + 1))))
        .filter(|(lo, hi)| ranges(u0, u1, *lo, *hi) == (link.range_min, link.range_max))
        .nth(skip)?;
    let fixed = from.local_corner(edge)[usize::from(!along_z) * 2];
    // `lo` and `hi` are float32 coordinates of vertices, so the way back is exact.
    let at = |u: f64| {
        let local = if along_z { [fixed, u as f32] } else { [u as f32, fixed] };
        world_xz(from.params, from.tile, local)
    };
    let (right, left) = if u0 < u1 { (at(lo), at(hi)) } else { (at(hi), at(lo)) };
    Some(Crossing::Portal { left, right })
}

fn overlap(a: (f64, f64), b: (f64, f64)) -> Option<(f64, f64)> {
    let lo = a.0.min(a.1).max(b.0.min(b.1));
    let hi = a.0.max(a.1).min(b.0.max(b.1));
    (lo < hi).then_some((lo, hi))
}

/// The limits in 255ths, as the format computes them.
fn ranges(u0: f64, u1: f64, lo: f64, hi: f64) -> (u8, u8) {
    let (ta, tb) = ((lo - u0) / (u1 - u0), (hi - u0) / (u1 - u0));
    let min = (ta.min(tb) * 255.0).floor().clamp(0.0, 255.0);
    let max = (ta.max(tb) * 255.0).ceil().clamp(0.0, 255.0);
    (min as u8, max as u8)
}
