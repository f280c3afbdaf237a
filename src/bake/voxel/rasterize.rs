//! Triangles to a solid heightfield: for each cell the heights that the triangles take up in it.
//!
//! Conservative: a cell gets the exact range of heights that the triangle has over the closed cell. A triangle is cut
//! into rows of cells; seen from the side a row's piece is a convex outline, so the range over a cell is that of the
//! outline's edges over it, and each edge is followed along x. All places are computed from the triangle alone, never
//! from where the window begins, so tiles that share a cell agree on it.

use std::ops::Range;

use super::cells::{floor, last_before, last_touched};
use super::facet::{Edge, Plane, Side, by_x, greater, lesser, sort_corners};
use super::grid::Window;
use super::heightfield::{Columns, Span, joined, merge_column};
use super::poll::{POLL_EVERY, Poll};
use super::soup::{NO_LABEL, Soup, limit};
use crate::bake::BakeError;
use crate::bake::limits::MAX_TILE_PIECES;
use crate::geom::box_tree::CellBox;

/// Rasterises all triangles that meet the window, and hands its columns on.
///
/// The order of triangles does not matter: spans that touch become one, and its top has the greatest label of the
/// pieces whose own tops lie at most `climb` below it.
///
/// # Errors
/// [`BakeError::Limit`] for too many pieces, and those of `poll`.
pub(crate) fn rasterize(
    soup: &Soup,
    window: &Window,
    climb: i32,
    poll: Poll<'_>,
    columns: &mut impl Columns,
) -> Result<(), BakeError> {
    let [width, depth] = window.size;
    // A band of rows at a time, so that the pieces of a large tile take no room to speak of.
    let rows = (BAND_CELLS / width).max(LEAST_ROWS).min(depth);
    let mut pieces = Pieces::new(window, rows);
    let mut spans = 0;
    for first in (0..depth).step_by(rows as usize) {
        poll()?;
        pieces.begin_band(window.low[1] + first, rows.min(depth - first));
        let band =
            CellBox { low: pieces.low, high: [window.low[0] + width - 1, pieces.low[1] + pieces.rows - 1] };
        let (mut work, mut stopped) = (0, Ok(()));
        soup.visit(&band, |corners, cells, label| {
            pieces.add_triangle(corners, cells, label);
            work += 1 + cells_of_both(&cells, &band);
            if work > POLL_EVERY {
                work = 0;
                stopped = poll();
            }
            stopped.is_ok()
        });
        stopped?;
        spans += pieces.hand_on(climb, columns);
        if pieces.too_many || spans > MAX_TILE_PIECES {
            let name = "number of triangle pieces in a tile's cells";
            return Err(limit(name, MAX_TILE_PIECES + 1, MAX_TILE_PIECES));
        }
    }
    Ok(())
}

/// How many cells two boxes share.
fn cells_of_both(a: &CellBox, b: &CellBox) -> usize {
    let side = |axis: usize| (a.high[axis].min(b.high[axis]) - a.low[axis].max(b.low[axis]) + 1).max(0);
    side(0) as usize * side(1) as usize
}

/// The whole heights that a triangle takes up in a cell, if it meets it. `cells`: those that its bounds touch.
pub(crate) fn heights_in_cell(corners: [[f64; 3]; 3], cells: CellBox, cell: [i32; 2]) -> Option<[i32; 2]> {
    let mut pieces = Pieces::new(&Window { low: cell, size: [1, 1] }, 1);
    pieces.begin_band(cell[1], 1);
    pieces.add_triangle(corners, cells, 0);
    let piece = pieces.last.first().filter(|piece| !piece.is_empty());
    piece.map(|piece| [piece.span.low, piece.span.high])
}

/// About how many cells are rasterised at a time.
const BAND_CELLS: i32 = 1 << 10;
/// Fewest rows of them: triangles that lie in several bands are looked at in each.
const LEAST_ROWS: i32 = 16;
/// Rows of a triangle over fewer cells than this are looked at cell by cell.
const NARROW: i32 = 7;
/// Columns of such a row, and one more where it ends on a border.
const RANGES: usize = 8;
/// No piece.
const NONE: u32 = u32::MAX;

/// The heights of one triangle over one cell, and the piece that was put there before it.
#[derive(Clone, Copy)]
struct Piece {
    span: Span,
    before: u32,
}

impl Piece {
    /// Where there is none yet.
    const EMPTY: Self = Self { span: Span { low: i32::MAX, high: i32::MIN, label: NO_LABEL }, before: NONE };

    fn is_empty(&self) -> bool {
        self.span.low > self.span.high
    }
}

struct Pieces {
    /// The band's first cell.
    low: [i32; 2],
    width: i32,
    rows: i32,
    /// Per cell the piece put there last.
    last: Vec<Piece>,
    /// Those put there before.
    list: Vec<Piece>,
    too_many: bool,
    /// Lowest and highest y of the row in hand, per column.
    row: Vec<(f64, f64)>,
}

/// A row's share of a triangle seen from the side.
struct Outline {
    /// On the line of lower z: of the long edge, of a short one.
    bottom: [Side; 2],
    /// On the line of upper z, likewise.
    top: [Side; 2],
    /// The middle corner, if it lies between.
    middle: Option<Side>,
    /// y over x of the short edge, if the middle corner does not lie between.
    short_slope: f64,
}

impl Outline {
    /// Of a wide row without a middle corner, which edge is on the left, 0 for the long one; and its y over x.
    fn left(&self, shape: &Shape) -> (usize, f64) {
        if self.bottom[0].x < self.bottom[1].x { (0, shape.long.y_over_x) } else { (1, self.short_slope) }
    }
}

/// What is the same in all rows of a triangle.
struct Shape {
    plane: Plane,
    long: Edge,
    lower: Edge,
    upper: Edge,
    label: u16,
}

impl Pieces {
    fn new(window: &Window, rows: i32) -> Self {
        let width = window.size[0];
        Self {
            low: window.low,
            width,
            rows,
            last: Vec::with_capacity((width * rows) as usize),
            list: Vec::new(),
            too_many: false,
            row: vec![(f64::INFINITY, f64::NEG_INFINITY); width as usize],
        }
    }

    fn begin_band(&mut self, first_row: i32, rows: i32) {
        self.low[1] = first_row;
        self.rows = rows;
        self.list.clear();
        self.last.clear();
        self.last.resize((self.width * rows) as usize, Piece::EMPTY);
    }

    /// Adds a piece. One that touches one of the two put there last and has its label widens that: joined sooner or
    /// later, they come to the same, since the higher of their tops decides for both.
    #[inline]
    fn push(&mut self, cell: i32, span: Span) {
        let last = &mut self.last[cell as usize];
        if last.span.touches(&span) {
            last.span.widen(&span);
        } else if last.is_empty() {
            last.span = span;
        } else {
            if let Some(before) = self.list.get_mut(last.before as usize)
                && before.span.touches(&span)
            {
                before.span.widen(&span);
                return;
            }
            let before = self.list.len() as u32;
            self.list.push(*last);
            *last = Piece { span, before };
        }
    }

    /// Adds a triangle, whose bounds touch `cells`.
    fn add_triangle(&mut self, mut corners: [[f64; 3]; 3], cells: CellBox, label: u16) {
        if self.list.len() > MAX_TILE_PIECES {
            self.too_many = true;
            return;
        }
        let wide = [cells.low[0] < cells.high[0], cells.low[1] < cells.high[1]];
        match wide {
            [false, false] => {
                let [y0, y1, y2] = corners.map(|corner| corner[1]);
                let cell = self.index_of(cells.low);
                self.push(cell, span_of(lesser(lesser(y0, y1), y2), greater(greater(y0, y1), y2), label));
            }
            [true, false] => self.add_strip(corners, cells, 0, label),
            [false, true] => self.add_strip(corners, cells, 1, label),
            [true, true] => {
                sort_corners(&mut corners);
                self.add_rows(corners, cells, label);
            }
        }
    }

    fn index_of(&self, cell: [i32; 2]) -> i32 {
        (cell[1] - self.low[1]) * self.width + cell[0] - self.low[0]
    }

    /// Adds a triangle that is one cell wide and lies along an axis of the plane: only how high it is from one border
    /// of cells to the next matters.
    fn add_strip(&mut self, corners: [[f64; 3]; 3], cells: CellBox, axis: usize, label: u16) {
        let mut ends = corners.map(|corner| (corner[2 * axis], corner[1]));
        for (a, b) in [(0, 1), (1, 2), (0, 1)] {
            if ends[a] > ends[b] {
                ends.swap(a, b);
            }
        }
        let [a, b, c] = ends;
        let slope = |from: (f64, f64), to: (f64, f64)| {
            let run = to.0 - from.0;
            if run > 0.0 { (to.1 - from.1) / run } else { 0.0 }
        };
        let (long, lower, upper) = (slope(a, c), slope(a, b), slope(b, c));
        // On the long edge and on a short one, at a border of cells between the ends.
        let heights_at = |at: f64| {
            let short = if at < b.0 { a.1 + (at - a.0) * lower } else { b.1 + (at - b.0) * upper };
            let long = a.1 + (at - a.0) * long;
            (lesser(long, short), greater(long, short))
        };
        let (first, last) = (cells.low[axis], cells.high[axis]);
        let window = [self.low[axis], self.low[axis] + [self.width, self.rows][axis] - 1];
        let (from, to) = (first.max(window[0]), last.min(window[1]));
        let mut cell = cells.low;
        let step = [1, self.width][axis];
        cell[axis] = from;
        let mut index = self.index_of(cell);
        let mut here = if from > first { heights_at(f64::from(from)) } else { (a.1, a.1) };
        for border in from + 1..=to + 1 {
            let (begin, end) = (f64::from(border - 1), f64::from(border));
            let next = if border > last { (c.1, c.1) } else { heights_at(end) };
            let (mut low, mut high) = (lesser(here.0, next.0), greater(here.1, next.1));
            if begin <= b.0 && b.0 <= end {
                (low, high) = (lesser(low, b.1), greater(high, b.1));
            }
            self.push(index, span_of(low, high, label));
            index += step;
            here = next;
        }
    }

    /// Adds a triangle row by row; its corners sorted by z.
    fn add_rows(&mut self, [a, b, c]: [[f64; 3]; 3], cells: CellBox, label: u16) {
        let shape = Shape {
            plane: Plane::new(a, b, c),
            long: Edge::new(a, c),
            lower: Edge::new(a, b),
            upper: Edge::new(b, c),
            label,
        };
        let side = |corner: [f64; 3]| Side { x: corner[0], y: corner[1] };
        // Where the line z = row crosses the triangle: on the long edge a–c, and on a–b or b–c.
        let crossing =
            |z: f64| [shape.long.at(z), if z < b[2] { shape.lower.at(z) } else { shape.upper.at(z) }];
        let (first, last) = (cells.low[1], cells.high[1]);
        let from = first.max(self.low[1]);
        let mut bottom = if from > first { crossing(f64::from(from)) } else { [side(a); 2] };
        for row in from..=last.min(self.low[1] + self.rows - 1) {
            let z = f64::from(row);
            let top = if row == last { [side(c); 2] } else { crossing(z + 1.0) };
            let middle = (z <= b[2] && b[2] <= z + 1.0).then_some(side(b));
            let short = if z < b[2] { &shape.lower } else { &shape.upper };
            self.add_row(row, &Outline { bottom, top, middle, short_slope: short.y_over_x }, &shape);
            bottom = top;
        }
    }

    /// Adds the piece of a triangle between two lines of z.
    fn add_row(&mut self, row: i32, outline: &Outline, shape: &Shape) {
        let Outline { bottom, top, middle, .. } = *outline;
        let points = [bottom[1], top[0], top[1], middle.unwrap_or(top[0])];
        let (mut left, mut right) = (bottom[0].x, bottom[0].x);
        let (mut low, mut high) = (bottom[0].y, bottom[0].y);
        for point in points {
            left = lesser(left, point.x);
            right = greater(right, point.x);
            low = lesser(low, point.y);
            high = greater(high, point.y);
        }
        let (first, last) = (floor(left), last_touched(left, right));
        let same = low == high || first == last;
        let (begin, is_narrow) = (first, last - first < NARROW);
        let (first, last) = (first.max(self.low[0]), last.min(self.low[0] + self.width - 1));
        if first > last {
            return;
        }
        let base = (row - self.low[1]) * self.width - self.low[0];
        if same {
            let span = span_of(low, high, shape.label);
            (first..=last).for_each(|column| self.push(base + column, span));
            return;
        }
        if is_narrow {
            self.add_narrow(base, begin, [first, last], outline, shape);
            return;
        }
        // Columns that the triangle covers whole lie between the edges on both sides; there the plane says it all.
        // Whether that is worth it is decided before the window cuts in, so that all windows decide alike.
        let from = greater(lesser(bottom[0].x, bottom[1].x), lesser(top[0].x, top[1].x));
        let to = lesser(greater(bottom[0].x, bottom[1].x), greater(top[0].x, top[1].x));
        let (from, to) = (floor(from) + 1, floor(to) - 1);
        if middle.is_some() || to <= from {
            self.add_columns(base, [first, last], outline, shape);
            return;
        }
        let (cover_first, cover_last) = (from.clamp(first, last + 1), to.clamp(first - 1, last));
        self.add_left(base, first..cover_first, outline, shape);
        for column in cover_first..=cover_last {
            let (low, high) = shape.plane.over_cell(f64::from(column), f64::from(row));
            self.push(base + column, span_of(low, high, shape.label));
        }
        self.add_right(base, cover_last + 1..last + 1, outline, shape);
    }

    /// Adds the columns of a narrow row, the first of which (not cut by the window) is `begin`: each holds the outline's
    /// corners in it and what crosses its borders.
    fn add_narrow(&mut self, base: i32, begin: i32, columns: [i32; 2], outline: &Outline, shape: &Shape) {
        let Outline { bottom, top, middle, short_slope } = *outline;
        let corners = [bottom[0], bottom[1], top[0], top[1], middle.unwrap_or(top[0])];
        let across = shape.plane.x_slope;
        let mut edges =
            [(0, 2, shape.long.y_over_x), (0, 1, across), (2, 3, across), (1, 3, short_slope), (4, 4, 0.0)];
        let count = if middle.is_some() {
            edges[3] = (1, 4, shape.lower.y_over_x);
            edges[4] = (4, 3, shape.upper.y_over_x);
            5
        } else {
            4
        };
        let mut ranges = [(f64::INFINITY, f64::NEG_INFINITY); RANGES];
        // The mask does nothing but to say so: there are at most so many columns.
        let mut widen = |column: i32, y: f64| {
            let range = &mut ranges[(column - begin) as usize % RANGES];
            *range = (lesser(range.0, y), greater(range.1, y));
        };
        let mut column_of = [begin; 5];
        for (corner, column) in corners.iter().zip(&mut column_of).take(count) {
            *column = floor(corner.x);
            widen(*column, corner.y);
            // On a border it belongs to both.
            if f64::from(*column) == corner.x && *column > begin {
                widen(*column - 1, corner.y);
            }
        }
        for &(a, b, slope) in &edges[..count] {
            let (lo, hi) = if corners[a].x > corners[b].x { (b, a) } else { (a, b) };
            for border in column_of[lo] + 1..=column_of[hi] {
                let x = f64::from(border);
                if x < corners[hi].x {
                    let y = corners[lo].on_line(x, slope);
                    widen(border - 1, y);
                    widen(border, y);
                }
            }
        }
        for column in columns[0]..=columns[1] {
            let (low, high) = ranges[(column - begin) as usize % RANGES];
            if low <= high {
                self.push(base + column, span_of(low, high, shape.label));
            }
        }
    }

    /// Adds the columns of a wide row that its left edge runs through:
    /// ```text
    ///      hi────     the line of the edge's right end begins in the last of them,
    ///     ╱           the line of its left end lies under (or over) all of them,
    ///   lo────────    and both go on
    /// ```
    fn add_left(&mut self, base: i32, columns: Range<i32>, outline: &Outline, shape: &Shape) {
        let Outline { bottom, top, .. } = *outline;
        let (left, slope) = outline.left(shape);
        let (lo, hi) = by_x(bottom[left], top[left]);
        let across = shape.plane.x_slope;
        let mut x = f64::from(columns.start);
        let mut edge = if x <= lo.x { lo.y } else { lo.on_line(x, slope) };
        let mut line = if x <= lo.x { lo.y } else { lo.on_line(x, across) };
        for column in columns {
            x += 1.0;
            let next_edge = if x >= hi.x { hi.y } else { lo.on_line(x, slope) };
            let next_line = lo.on_line(x, across);
            let mut low = lesser(lesser(edge, next_edge), lesser(line, next_line));
            let mut high = greater(greater(edge, next_edge), greater(line, next_line));
            if x > hi.x {
                let y = hi.on_line(x, across);
                (low, high) = (lesser(low, y), greater(high, y));
            }
            self.push(base + column, span_of(low, high, shape.label));
            (edge, line) = (next_edge, next_line);
        }
    }

    /// Adds the columns of a wide row that its right edge runs through, as [`Pieces::add_left`].
    fn add_right(&mut self, base: i32, columns: Range<i32>, outline: &Outline, shape: &Shape) {
        let Outline { bottom, top, short_slope, .. } = *outline;
        let (left, _) = outline.left(shape);
        let right = 1 - left;
        let slope = [shape.long.y_over_x, short_slope][right];
        let (lo, hi) = by_x(bottom[right], top[right]);
        // Where the lines of both ends begin.
        let (lo_line, hi_line) = match bottom[right].x <= top[right].x {
            true => (bottom[left], top[left]),
            false => (top[left], bottom[left]),
        };
        let across = shape.plane.x_slope;
        let mut x = f64::from(columns.start);
        let mut edge = if x <= lo.x { lo.y } else { lo.on_line(x, slope) };
        let mut line = hi_line.on_line(x, across);
        for column in columns {
            let mut low = lesser(edge, line);
            let mut high = greater(edge, line);
            if x <= lo.x {
                let y = lo_line.on_line(x, across);
                (low, high) = (lesser(low, y), greater(high, y));
            }
            x += 1.0;
            edge = if x >= hi.x { hi.y } else { lo.on_line(x, slope) };
            line = if x >= hi.x { hi.y } else { hi_line.on_line(x, across) };
            low = lesser(low, lesser(edge, line));
            high = greater(high, greater(edge, line));
            self.push(base + column, span_of(low, high, shape.label));
        }
    }

    /// Adds the columns of a row's piece that its outline may cross.
    fn add_columns(&mut self, base: i32, [first, last]: [i32; 2], outline: &Outline, shape: &Shape) {
        let Outline { bottom, top, middle, .. } = *outline;
        let across = shape.plane.x_slope;
        self.follow(bottom[0], top[0], shape.long.y_over_x, first, last);
        self.follow(bottom[0], bottom[1], across, first, last);
        self.follow(top[0], top[1], across, first, last);
        match middle {
            Some(middle) => {
                self.follow(bottom[1], middle, shape.lower.y_over_x, first, last);
                self.follow(middle, top[1], shape.upper.y_over_x, first, last);
            }
            None => self.follow(bottom[1], top[1], outline.short_slope, first, last),
        }
        for column in first..=last {
            let range = &mut self.row[(column - self.low[0]) as usize];
            let (low, high) = std::mem::replace(range, (f64::INFINITY, f64::NEG_INFINITY));
            if low <= high {
                self.push(base + column, span_of(low, high, shape.label));
            }
        }
    }

    /// Widens the ranges of the columns that a straight part of the row's outline runs over. `slope`: its y over x.
    fn follow(&mut self, mut from: Side, mut to: Side, slope: f64, first: i32, last: i32) {
        if from.x > to.x {
            std::mem::swap(&mut from, &mut to);
        }
        if from.x == to.x && from.y == to.y {
            // A point, which the parts beside it hold too.
            return;
        }
        // An end on a border of columns belongs to both.
        let begin = last_before(from.x).max(first);
        let end = floor(to.x).min(last);
        if begin > end {
            return;
        }
        let row = &mut self.row[(begin - self.low[0]) as usize..=(end - self.low[0]) as usize];
        if to.x <= from.x {
            let (low, high) = (lesser(from.y, to.y), greater(from.y, to.y));
            for range in row {
                *range = (lesser(range.0, low), greater(range.1, high));
            }
            return;
        }
        // Borders of columns strictly between the ends; the last column may go on beyond the part.
        let at = |x: i32| from.y + (f64::from(x) - from.x) * slope;
        let mut here = if f64::from(begin) <= from.x { from.y } else { at(begin) };
        let last_y = if f64::from(end + 1) >= to.x { to.y } else { at(end + 1) };
        for (range, border) in row.iter_mut().zip(begin + 1..) {
            let next = if border > end { last_y } else { at(border) };
            *range = (lesser(range.0, lesser(here, next)), greater(range.1, greater(here, next)));
            here = next;
        }
    }

    /// Joins the band's pieces that touch, cell by cell, and hands the columns on; answers how many spans there are.
    fn hand_on(&self, climb: i32, columns: &mut impl Columns) -> usize {
        let mut column: Vec<Span> = Vec::new();
        let mut spans = 0;
        columns.expect(self.list.len() + self.last.iter().filter(|piece| !piece.is_empty()).count());
        let mut cell = 0;
        while let Some(piece @ &Piece { span, before }) = self.last.get(cell) {
            if piece.is_empty() {
                let empty = self.last[cell..].iter().take_while(|piece| piece.is_empty()).count();
                columns.add_empty(empty);
                cell += empty;
                continue;
            }
            cell += 1;
            if before == NONE {
                columns.add(&[span]);
                spans += 1;
                continue;
            }
            if let Some(other) = self.list.get(before as usize).filter(|other| other.before == NONE) {
                let (lower, upper) =
                    if span.low < other.span.low { (span, other.span) } else { (other.span, span) };
                if upper.low > lower.high {
                    columns.add(&[lower, upper]);
                    spans += 2;
                } else {
                    columns.add(&[joined(lower, upper, climb)]);
                    spans += 1;
                }
                continue;
            }
            column.clear();
            column.push(span);
            let mut at = before;
            while let Some(&Piece { span, before }) = self.list.get(at as usize) {
                column.push(span);
                at = before;
            }
            let count = merge_column(&mut column, climb);
            columns.add(&column[..count]);
            spans += count;
        }
        spans
    }
}

/// Whole heights around a range; at least one. A height within 1/4096 of a whole one is that one.
fn span_of(low: f64, high: f64, label: u16) -> Span {
    let low = nearest(low - (0.5 - SNAP));
    Span { low, high: nearest(high + (0.5 - SNAP)).max(low + 1), label }
}

const SNAP: f64 = 1.0 / 4096.0;

/// The nearest whole number of a value within ±2^30.
fn nearest(value: f64) -> i32 {
    // Adding 1.5 · 2^52 leaves the whole number in the low bits: IEEE rounding does the work.
    (value + 6_755_399_441_055_744.0).to_bits() as i32
}
