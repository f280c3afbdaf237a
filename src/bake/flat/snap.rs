//! Snap rounding: hot points of the binary grid, and the chain of them that an exact piece becomes.

use super::arrange::Arrangement;
use super::frame::Frame;
use crate::geom::grid::IntPoint;
use crate::geom::ratio::Ratio;

/// A point of the binary grid, from its tile's corner. Ordered by (z, x).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Pixel {
    pub(crate) z: i32,
    pub(crate) x: i32,
}

impl Pixel {
    pub(crate) fn point(self) -> IntPoint {
        IntPoint::new(i64::from(self.x), i64::from(self.z))
    }
}

/// A tile's corner in units, and the binary grid around it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PixelGrid {
    corner: IntPoint,
    step: i64,
    pub(crate) side: i32,
}

impl PixelGrid {
    pub(crate) fn new(frame: &Frame, corner: IntPoint) -> Self {
        Self { corner, step: frame.step, side: frame.tile_steps }
    }

    /// The pixel whose half-open cell holds a node: ⌊v + ½⌋. A step is even, so whole units are enough to tell.
    pub(crate) fn pixel_of(&self, arrangement: &Arrangement, node: u32) -> Pixel {
        self.pixel_at(arrangement.floor_of(node))
    }

    /// The pixel whose cell holds a place in units.
    pub(crate) fn pixel_at(&self, place: IntPoint) -> Pixel {
        let d = place - self.corner;
        let axis = |units: i64| (units + self.step / 2).div_euclid(self.step);
        let clamp = |steps: i64| steps.clamp(i64::from(i32::MIN / 2), i64::from(i32::MAX / 2)) as i32;
        Pixel { z: clamp(axis(d.z)), x: clamp(axis(d.x)) }
    }

    /// Units a binary step.
    pub(crate) fn step(&self) -> i64 {
        self.step
    }

    /// The middle between two pixels in units, rounded down.
    pub(crate) fn middle_of(&self, a: Pixel, b: Pixel) -> IntPoint {
        let (a, b) = (self.unit_of(a), self.unit_of(b));
        IntPoint::new(i64::midpoint(a.x, b.x), i64::midpoint(a.z, b.z))
    }

    /// Whether the pixel lies in the closed tile.
    pub(crate) fn in_tile(&self, pixel: Pixel) -> bool {
        (0..=self.side).contains(&pixel.x) && (0..=self.side).contains(&pixel.z)
    }

    /// The exact place of a pixel in units.
    pub(crate) fn unit_of(&self, pixel: Pixel) -> IntPoint {
        IntPoint::new(
            self.corner.x + i64::from(pixel.x) * self.step,
            self.corner.z + i64::from(pixel.z) * self.step,
        )
    }

    /// Whether the closed piece of an edge meets the pixel's half-open cell.
    fn meets(&self, from: IntPoint, d: IntPoint, span: (Ratio, Ratio), pixel: Pixel) -> bool {
        let low = self.unit_of(pixel);
        let half = self.step / 2;
        let mut interval = Interval { low: (span.0, false), high: (span.1, false) };
        interval.clip(low.x - half - from.x, low.x + half - from.x, d.x)
            && interval.clip(low.z - half - from.z, low.z + half - from.z, d.z)
            && interval.is_inhabited()
    }
}

/// An interval of fractions; the flags say which ends are open.
struct Interval {
    low: (Ratio, bool),
    high: (Ratio, bool),
}

impl Interval {
    /// Keeps the fractions t with low ≤ d·t < high; false where there are none.
    fn clip(&mut self, low: i64, high: i64, d: i64) -> bool {
        if d == 0 {
            return low <= 0 && 0 < high;
        }
        // (first, open), (last, open) as signed numerators over |d|.
        let ((first, first_open), (last, last_open)) =
            if d > 0 { ((low, false), (high, true)) } else { ((-high, true), (-low, false)) };
        let whole = d.unsigned_abs();
        if last < 0 || first > 0 && first.unsigned_abs() > whole {
            return false;
        }
        let ratio = |part: i64| Ratio::new(u128::from(part.unsigned_abs()), u128::from(whole));
        if first >= 0 {
            let first = (ratio(first), first_open);
            self.low = self.low.max(first);
        }
        if last.unsigned_abs() <= whole {
            let last = (ratio(last), last_open);
            let tighter = last.0 < self.high.0 || (last.0 == self.high.0 && last.1);
            self.high = if tighter { last } else { self.high };
        }
        true
    }

    fn is_inhabited(&self) -> bool {
        self.low.0 < self.high.0 || (self.low.0 == self.high.0 && !self.low.1 && !self.high.1)
    }
}

/// The hot points of a tile, in buckets.
#[derive(Debug)]
pub(crate) struct HotPixels {
    columns: usize,
    bucket: i32,
    starts: Vec<u32>,
    members: Vec<Pixel>,
}

impl HotPixels {
    pub(crate) fn new(grid: &PixelGrid, mut pixels: Vec<Pixel>) -> Self {
        pixels.sort_unstable();
        pixels.dedup();
        let columns = ((pixels.len() as f64).sqrt().ceil() as usize).clamp(1, 1024);
        let bucket = (grid.side / columns as i32 + 1).max(1);
        let cell = |p: &Pixel| (p.z / bucket) as usize * columns + (p.x / bucket) as usize;
        let mut starts = vec![0_u32; columns * columns + 1];
        for pixel in &pixels {
            starts[cell(pixel) + 1] += 1;
        }
        for i in 0..columns * columns {
            starts[i + 1] += starts[i];
        }
        let mut members = pixels;
        members.sort_by_key(cell);
        Self { columns, bucket, starts, members }
    }

    /// Leaves in `chain` the hot points whose cells the piece meets, in order along it.
    pub(crate) fn chain(
        &self,
        grid: &PixelGrid,
        arrangement: &Arrangement,
        piece: u32,
        chain: &mut Vec<Pixel>,
    ) {
        let data = &arrangement.pieces[piece as usize];
        let edge = &arrangement.edges[data.edge as usize];
        let d = edge.to - edge.from;
        let (a, b) = (grid.pixel_of(arrangement, data.from), grid.pixel_of(arrangement, data.to));
        chain.clear();
        self.near(a, b, |pixel| {
            if grid.meets(edge.from, d, (data.start, data.end), pixel) {
                chain.push(pixel);
            }
        });
        // Cells are disjoint squares, so their order along a line is that of their middles.
        if chain.len() > 1 {
            chain.sort_unstable_by_key(|pixel| crate::geom::predicates::dot(pixel.point(), d));
        }
        chain.dedup();
    }

    /// Visits the hot points of all buckets that the segment from `a` to `b`, widened by two steps, may pass.
    fn near(&self, a: Pixel, b: Pixel, mut visit: impl FnMut(Pixel)) {
        let last = self.columns as i32 - 1;
        let bucket_of = |v: f64| ((v / f64::from(self.bucket)).floor() as i32).clamp(0, last);
        let (bottom, top) = if a.z <= b.z { (a, b) } else { (b, a) };
        let (bottom_z, top_z) = (f64::from(bottom.z), f64::from(top.z));
        let slope = if top.z > bottom.z { f64::from(top.x - bottom.x) / (top_z - bottom_z) } else { 0.0 };
        for row in bucket_of(bottom_z - 2.0)..=bucket_of(top_z + 2.0) {
            let (low, high) = (f64::from(row * self.bucket) - 2.0, f64::from((row + 1) * self.bucket) + 2.0);
            let x_at = |z: f64| f64::from(bottom.x) + (z.clamp(bottom_z, top_z) - bottom_z) * slope;
            let (mut x0, mut x1) = (x_at(low), x_at(high));
            if top.z == bottom.z {
                (x0, x1) = (f64::from(bottom.x), f64::from(top.x));
            }
            // The ends are rounded, which tilts the line by up to a step and a half.
            for column in bucket_of(x0.min(x1) - 4.0 - slope.abs().min(1e6) * 2.0)
                ..=bucket_of(x0.max(x1) + 4.0 + slope.abs().min(1e6) * 2.0)
            {
                let cell = row as usize * self.columns + column as usize;
                for &pixel in &self.members[self.starts[cell] as usize..self.starts[cell + 1] as usize] {
                    visit(pixel);
                }
            }
        }
    }
}
