//! What is seen from a root through a stretch of a side: cones, their edges, and lengths on the plane.

/// The edges of a cone into a cell, and the roots beside it.
pub(super) struct Cone {
    pub(super) place: u32,
    pub(super) root: u32,
    pub(super) from: [f64; 2],
    /// How far, times the distance over the stretch's distance, a ray may be off.
    pub(super) grain: f64,
    pub(super) right: Ray,
    pub(super) left: Ray,
}

/// One edge of a cone.
#[derive(Clone, Copy)]
pub(super) struct Ray {
    /// From the root to the stretch's end.
    pub(super) along: [f64; 2],
    /// A point this near (in terms of the cross product) lies on it. A corner on a ray is so an end of what lies
    /// on either side, however the ray's own points were rounded.
    pub(super) slack: f64,
    /// The root is the stretch's end, so the whole cell lies inside this edge.
    pub(super) all_inside: bool,
    /// The root for what lies outside: not asked for yet, none, or one.
    pub(super) beside: Beside,
}

#[derive(Clone, Copy)]
pub(super) enum Beside {
    Unknown { corner_side: u32 },
    Nothing,
    Root(u32),
}

/// A point of a cell and on which side of a cone's two edges it lies: above 0 is left.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    pub(super) at: [f64; 2],
    pub(super) right: f64,
    pub(super) left: f64,
}

impl Seen {
    pub(super) const NOWHERE: Self = Self { at: [0.0; 2], right: 0.0, left: 0.0 };
}

impl Cone {
    #[inline]
    pub(super) fn place_of(&self, at: [f64; 2]) -> Seen {
        let to = minus(at, self.from);
        let slack = self.grain * size_of_vector(to);
        let side = |ray: &Ray| {
            let side = cross(ray.along, to);
            if side.abs() <= ray.slack + slack { 0.0 } else { side }
        };
        Seen {
            at,
            right: if self.right.all_inside { 1.0 } else { side(&self.right) },
            left: if self.left.all_inside { -1.0 } else { side(&self.left) },
        }
    }
}

/// Length from a root through a stretch to a point beyond it.
#[inline]
pub(super) fn length_through(root: [f64; 2], right: [f64; 2], left: [f64; 2], point: [f64; 2]) -> f64 {
    let to = minus(point, root);
    let bends_right = cross(minus(right, root), to) < 0.0;
    let bends_left = cross(minus(left, root), to) > 0.0;
    // Which it is cannot be foreseen, so a second root is cheaper than a branch.
    let bend = [0, 1].map(|axis| pick(bends_right, right[axis], pick(bends_left, left[axis], root[axis])));
    distance(root, bend) + distance(bend, point)
}

/// One of two numbers, without a branch.
#[inline(always)]
fn pick(first: bool, a: f64, b: f64) -> f64 {
    let mask = 0_u64.wrapping_sub(u64::from(first));
    f64::from_bits((a.to_bits() & mask) | (b.to_bits() & !mask))
}

/// As [`length_through`], for a point on either side: one on the root's side is mirrored.
#[inline(always)]
pub(super) fn least_through(root: [f64; 2], right: [f64; 2], left: [f64; 2], point: [f64; 2]) -> f64 {
    let along = minus(right, left);
    let side = cross(along, minus(point, left));
    if side >= 0.0 {
        return length_through(root, right, left, point);
    }
    let size = along[0] * along[0] + along[1] * along[1];
    if size == 0.0 {
        return distance(root, right) + distance(right, point);
    }
    let back = 2.0 * side / size;
    length_through(root, right, left, [point[0] + back * along[1], point[1] - back * along[0]])
}

/// Whether two stretches of one line have more than a point in common; for stretches of different lines false.
pub(super) fn overlaps(a: [f64; 2], b: [f64; 2], c: [f64; 2], d: [f64; 2]) -> bool {
    let along = minus(b, a);
    if cross(along, minus(c, a)) != 0.0 || cross(along, minus(d, a)) != 0.0 {
        return false;
    }
    let axis = usize::from(along[1].abs() > along[0].abs());
    let (lo, hi) = (a[axis].min(b[axis]), a[axis].max(b[axis]));
    lo.max(c[axis].min(d[axis])) < hi.min(c[axis].max(d[axis]))
}

#[inline]
pub(super) fn minus(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

#[inline]
pub(super) fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

/// At most 1.5 times its length, and not less than it.
#[inline]
pub(super) fn size_of_vector(a: [f64; 2]) -> f64 {
    a[0].abs() + a[1].abs()
}

#[inline]
pub(super) fn length_of(a: [f64; 2]) -> f64 {
    (a[0] * a[0] + a[1] * a[1]).sqrt()
}

#[inline]
pub(super) fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    length_of(minus(a, b))
}

#[inline]
pub(super) fn between(a: [f64; 2], b: [f64; 2], t: f64) -> [f64; 2] {
    [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t]
}
