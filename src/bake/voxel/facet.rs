//! A triangle as rows of cells cut it.
//!
//! Seen from the side, as height over x, the piece of a triangle in a row is a convex outline: each edge and each line
//! of the row bounds it from above or from below. So its heights at an x lie between the highest of its lower bounds
//! and the lowest of its upper ones.

use wide::f64x2;

use super::cells::floor;

/// A point seen from the side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    pub(super) x: f64,
    pub(super) y: f64,
}

impl Side {
    #[inline]
    pub(super) fn of([x, y, _]: [f64; 3]) -> Self {
        Self { x, y }
    }
}

/// Both ends of a range of heights, the low one negated: the range within several bounds has the lesser of each. They are
/// reckoned with at once, which compilers do not see by themselves.
pub(super) type Ends = f64x2;

/// See [`Ends`].
#[inline]
pub(super) fn ends(low: f64, high: f64) -> Ends {
    f64x2::new([-low, high])
}

/// A triangle, its corners sorted by z, and what is the same in all of its rows.
pub(super) struct Facet {
    middle: [f64; 3],
    pub(super) plane: Plane,
    /// From the first corner to the last.
    long: Edge,
    /// From the first corner to the middle one.
    lower: Edge,
    /// From the middle corner to the last.
    upper: Edge,
    /// Of the lower, the long and the upper edge.
    bounds: [Bound; 3],
    across: Ends,
    /// Which end of a row's line lies at lower x: 0, on the long edge, or 1, on a short one.
    left: usize,
    /// Which end lies higher.
    higher: usize,
    /// Which of a row's lines bounds heights from above: 0, that of lower z, or 1.
    upper_line: usize,
}

impl Facet {
    #[inline]
    pub(super) fn new(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> Self {
        let plane = Plane::new(a, b, c);
        let turns_up = plane.turn < 0.0;
        let left = usize::from(plane.area < 0.0);
        let right_end = usize::from(plane.x_slope >= 0.0);
        Self {
            middle: b,
            long: Edge::new(a, c),
            lower: Edge::new(a, b),
            upper: Edge::new(b, c),
            bounds: [
                Bound::of_edge(a, b, !turns_up),
                Bound::of_edge(a, c, turns_up),
                Bound::of_edge(b, c, !turns_up),
            ],
            across: ends(plane.x_slope, plane.x_slope),
            left,
            higher: left ^ right_end,
            upper_line: usize::from(plane.z_slope >= 0.0),
            plane,
        }
    }

    /// Where a line of z crosses the triangle: on the long edge and on a short one.
    #[inline]
    pub(super) fn crossing(&self, z: f64) -> [Side; 2] {
        let short = if z < self.middle[2] { &self.lower } else { &self.upper };
        [self.long.at(z), short.at(z)]
    }

    /// Whether the piece between two lines may meet a stretch of x; `false` is certain.
    #[inline]
    pub(super) fn row_meets(&self, bottom: [Side; 2], top: [Side; 2], z: f64, columns: &[f64; 2]) -> bool {
        let middle = if self.has_corner(z) { self.middle[0] } else { top[0].x };
        let xs = [bottom[1].x, top[0].x, top[1].x, middle];
        let left = xs.iter().fold(bottom[0].x, |left, &x| lesser(left, x));
        let right = xs.iter().fold(bottom[0].x, |right, &x| greater(right, x));
        left <= columns[1] && columns[0] <= right
    }

    /// Whether the middle corner lies between two lines, the first at `z`.
    #[inline]
    pub(super) fn has_corner(&self, z: f64) -> bool {
        z <= self.middle[2] && self.middle[2] <= z + 1.0
    }

    /// The piece between two lines, the first at `z`, with where they cross the triangle; no corner lies between.
    #[inline]
    pub(super) fn row(&self, bottom: [Side; 2], top: [Side; 2], z: f64) -> RowPiece<'_, 2> {
        let [lower, long, upper] = &self.bounds;
        let (short, bounds) =
            if z < self.middle[2] { (&self.lower, [lower, long]) } else { (&self.upper, [upper, long]) };
        if self.plane.area == 0.0 {
            return RowPiece::new(bounds, &[bottom[0], bottom[1], top[0], top[1]]);
        }
        let (left, right) = (self.left, 1 - self.left);
        let (higher, lower) = (self.higher, 1 - self.higher);
        let lines = [bottom, top];
        let rises = [self.long.rises, short.rises];
        let (highest, lowest) = (lines[rises[higher]][higher], lines[1 - rises[lower]][lower]);
        RowPiece {
            bounds,
            left: lesser(bottom[left].x, top[left].x),
            right: greater(bottom[right].x, top[right].x),
            covered: [greater(bottom[left].x, top[left].x), lesser(bottom[right].x, top[right].x)],
            ..RowPiece::between(bounds, lowest, highest)
        }
        .within(lines, self)
    }

    /// The piece between two lines that has the middle corner.
    #[inline]
    pub(super) fn row_with_corner(&self, bottom: [Side; 2], top: [Side; 2]) -> RowPiece<'_, 3> {
        let [lower, long, upper] = &self.bounds;
        let corners = [bottom[0], bottom[1], top[0], top[1], Side::of(self.middle)];
        let piece = RowPiece::new([lower, long, upper], &corners);
        if self.plane.area == 0.0 { piece } else { piece.within([bottom, top], self) }
    }
}

/// The piece of a triangle in a row, seen from the side.
pub(super) struct RowPiece<'a, const N: usize> {
    /// A point of the line of the row that bounds each end.
    line_x: f64x2,
    line: Ends,
    /// Slopes of these lines.
    across: Ends,
    bounds: [&'a Bound; N],
    /// The ends, and the x of a lowest and a highest corner.
    ends: Ends,
    ends_x: f64x2,
    pub(super) left: f64,
    pub(super) right: f64,
    /// Where nothing but the row's lines bounds it; upside down if there is no such place.
    covered: [f64; 2],
}

impl<'a, const N: usize> RowPiece<'a, N> {
    /// A piece that no line of the row bounds, as of a triangle that stands upright.
    #[inline]
    fn new(bounds: [&'a Bound; N], corners: &[Side]) -> Self {
        let (mut lowest, mut highest) = (corners[0], corners[0]);
        let (mut left, mut right) = (corners[0].x, corners[0].x);
        for &corner in &corners[1..] {
            left = lesser(corner.x, left);
            right = greater(corner.x, right);
            lowest = if corner.y < lowest.y { corner } else { lowest };
            highest = if corner.y > highest.y { corner } else { highest };
        }
        Self { left, right, ..Self::between(bounds, lowest, highest) }
    }

    #[inline]
    fn between(bounds: [&'a Bound; N], lowest: Side, highest: Side) -> Self {
        let (ends, ends_x) = (ends(lowest.y, highest.y), f64x2::new([lowest.x, highest.x]));
        Self {
            line_x: ends_x,
            line: ends,
            across: f64x2::ZERO,
            bounds,
            ends,
            ends_x,
            left: lowest.x,
            right: lowest.x,
            covered: [1.0, 0.0],
        }
    }

    /// The piece with the bounds of a row's two lines.
    #[inline]
    fn within(self, lines: [[Side; 2]; 2], facet: &Facet) -> Self {
        let (upper, lower) = (lines[facet.upper_line][0], lines[1 - facet.upper_line][0]);
        let line_x = f64x2::new([lower.x, upper.x]);
        Self { line_x, line: ends(lower.y, upper.y), across: facet.across, ..self }
    }

    /// Lowest and highest y.
    #[inline]
    pub(super) fn heights(&self) -> Ends {
        self.ends
    }

    /// Lowest and highest y over a column: each end lies in it where it is nearest to the end of the whole piece.
    #[inline]
    pub(super) fn over_column(&self, column: f64) -> Ends {
        let x = self.ends_x.fast_max(f64x2::splat(column)).fast_min(f64x2::splat(column + 1.0));
        let mut ends = self.ends.fast_min(self.line + (x - self.line_x) * self.across);
        for bound in &self.bounds {
            ends = ends.fast_min(bound.ends + (x - bound.x) * bound.slope + bound.slack);
        }
        let [low, high] = self.ends.to_array();
        ends.fast_max(f64x2::new([-high, -low]))
    }

    /// The first and the last column that the piece covers whole, if there are any.
    #[inline]
    pub(super) fn covered(&self) -> Option<(i32, i32)> {
        let [from, to] = self.covered;
        if from >= to {
            return None;
        }
        let (from, to) = (floor(from) + 1, floor(to) - 1);
        (from < to).then_some((from, to))
    }
}

/// A line seen from the side that a triangle lies above or below.
struct Bound {
    x: f64x2,
    /// Its y, for each end.
    ends: Ends,
    /// Likewise its slope.
    slope: Ends,
    /// Zero for the end that it bounds, for others infinite.
    slack: Ends,
}

impl Bound {
    /// `turns_up`: on which side of the edge the triangle lies, seen from the side: above, if it leads to greater x.
    #[inline]
    fn of_edge(from: [f64; 3], to: [f64; 3], turns_up: bool) -> Self {
        let (x, y) = (to[0] - from[0], to[1] - from[1]);
        // One that stands upright bounds x alone.
        let slope = if x == 0.0 { 0.0 } else { y / x };
        let slack = |bounds: bool| if bounds && x != 0.0 { 0.0 } else { f64::INFINITY };
        let is_above = (x > 0.0) == turns_up;
        Self {
            x: f64x2::splat(from[0]),
            ends: ends(from[1], from[1]),
            slope: ends(slope, slope),
            slack: f64x2::new([slack(is_above), slack(!is_above)]),
        }
    }
}

/// An edge from its lower z to its upper.
struct Edge {
    /// Each end's z.
    z: [f64; 2],
    /// x and y of its first end, and their slopes over z.
    from: f64x2,
    slope: f64x2,
    to: Side,
    /// Which of two of its points is higher: 0, that of lower z, or 1.
    rises: usize,
}

impl Edge {
    #[inline]
    fn new(from: [f64; 3], to: [f64; 3]) -> Self {
        let run = to[2] - from[2];
        let (x, y) = (to[0] - from[0], to[1] - from[1]);
        // An edge without length along z is never asked for a point between its ends.
        let over_run = if run > 0.0 { 1.0 / run } else { 0.0 };
        Self {
            z: [from[2], to[2]],
            from: f64x2::new([from[0], from[1]]),
            slope: f64x2::new([x, y]) * over_run,
            to: Side::of(to),
            rises: usize::from(y >= 0.0),
        }
    }

    /// The edge's point at a z; beyond its ends the end.
    #[inline]
    fn at(&self, z: f64) -> Side {
        let [from, to] = self.z;
        if z >= to {
            return self.to;
        }
        let [x, y] = (self.from + self.slope * greater(z - from, 0.0)).to_array();
        Side { x, y }
    }
}

/// The plane of a triangle: y over x and z.
pub(super) struct Plane {
    corner: [f64; 3],
    x_slope: f64,
    z_slope: f64,
    /// From a cell's lower x and z to the place in it where the plane is lowest, in height.
    to_lowest: f64,
    /// From its lowest to its highest height in a cell.
    rise: f64,
    /// Twice the triangle's, seen from above; its sign tells on which side the middle corner lies.
    area: f64,
    /// As `area`, seen from the side.
    turn: f64,
}

impl Plane {
    /// A triangle that stands upright has no plane over x and z; it covers no cell either, and rows' lines bound its x.
    #[inline]
    fn new(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> Self {
        let (u, v) = ([0, 1, 2].map(|axis| b[axis] - a[axis]), [0, 1, 2].map(|axis| c[axis] - a[axis]));
        let area = u[0] * v[2] - u[2] * v[0];
        let turn = u[0] * v[1] - u[1] * v[0];
        let over_area = if area == 0.0 { 0.0 } else { 1.0 / area };
        let x_slope = (u[1] * v[2] - u[2] * v[1]) * over_area;
        let z_slope = turn * over_area;
        let to_lowest = lesser(x_slope, 0.0) + lesser(z_slope, 0.0);
        let rise = x_slope.abs() + z_slope.abs();
        Self { corner: a, x_slope, z_slope, to_lowest, rise, area, turn }
    }

    /// Lowest and highest y over a cell.
    #[inline]
    pub(super) fn over_cell(&self, x: f64, z: f64) -> Ends {
        let [corner_x, y, corner_z] = self.corner;
        let low = y + (x - corner_x) * self.x_slope + (z - corner_z) * self.z_slope + self.to_lowest;
        ends(low, low + self.rise)
    }
}

/// Sorts a triangle's corners by z, then x, then y.
#[inline]
pub(super) fn sort_corners(corners: &mut [[f64; 3]; 3]) {
    let behind = |a: &[f64; 3], b: &[f64; 3]| (a[2], a[0], a[1]) > (b[2], b[0], b[1]);
    for (a, b) in [(0, 1), (1, 2), (0, 1)] {
        if behind(&corners[a], &corners[b]) {
            corners.swap(a, b);
        }
    }
}

/// The lesser of two numbers. Unlike `f64::min` it does not look for what is no number: there is none here.
#[inline]
pub(super) fn lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// The greater of two numbers.
#[inline]
pub(super) fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}
