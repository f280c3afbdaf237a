//! Triangles to a solid heightfield: for each cell the heights that the triangles take up in it.
//!
//! Conservative: a cell gets the exact range of heights that the triangle has over the closed cell. A triangle is cut
//! into rows of cells, or into columns where it is much narrower along x; what a row's piece is over a cell its bounds
//! tell, seen from the side (`facet`). All places are computed from the triangle alone, never from where the window
//! begins, so tiles that share a cell agree on it.

use super::cells::{floor, last_touched, nearest};
use super::facet::{Ends, Facet, RowPiece, Side, ends, greater, lesser, sort_corners};
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
    let cells = (window.cell_count() / BANDS).max(BAND_CELLS as usize) as i32;
    let rows = (cells / width).max(LEAST_ROWS).min(depth);
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

/// Most bands of a window, as long as they have rows enough.
const BANDS: usize = 10;
/// About how many cells are rasterised at least at a time.
const BAND_CELLS: i32 = 1 << 10;
/// Fewest rows of them: triangles that lie in several bands are looked at in each.
const LEAST_ROWS: i32 = 8;
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
}

/// The band's cells as a triangle's rows run through them: along x, or along z for a triangle that is much narrower
/// along x. Its rows, columns, x and z are meant in this view.
#[derive(Clone, Copy)]
struct View {
    /// The first column and row.
    low: [i32; 2],
    /// The last column and row.
    high: [i32; 2],
    /// From a cell's index to that of the next column and the next row.
    step: [i32; 2],
}

impl View {
    /// The index of a row's cell in column 0.
    fn base(&self, row: i32) -> i32 {
        (row - self.low[1]) * self.step[1] - self.low[0] * self.step[0]
    }

    fn turned(self) -> Self {
        let turn = |[x, z]: [i32; 2]| [z, x];
        Self { low: turn(self.low), high: turn(self.high), step: turn(self.step) }
    }
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
    #[inline(always)]
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
            if self.list.len() == self.list.capacity() {
                // Not twice as many: they are most of what a window takes while it is rasterised.
                self.list.reserve_exact(self.list.len() / 4 + 256);
            }
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
                let heights = ends(lesser(lesser(y0, y1), y2), greater(greater(y0, y1), y2));
                self.push(cell, span_of(heights, label));
            }
            [true, false] => self.add_strip(corners, cells, 0, label),
            [false, true] => self.add_strip(corners, cells, 1, label),
            [true, true] => {
                let mut view = self.view();
                let mut rows = [cells.low[1], cells.high[1]];
                // The fewer rows, the less time; but a turned row may lie in several bands. Decided without the window, so
                // that all windows decide alike.
                if 2 * (cells.high[0] - cells.low[0] + 1) < rows[1] - rows[0] + 1 {
                    corners = corners.map(|[x, y, z]| [z, y, x]);
                    (view, rows) = (view.turned(), [cells.low[0], cells.high[0]]);
                }
                sort_corners(&mut corners);
                self.add_rows(corners, rows, &view, label);
            }
        }
    }

    fn view(&self) -> View {
        let high = [self.low[0] + self.width - 1, self.low[1] + self.rows - 1];
        View { low: self.low, high, step: [1, self.width] }
    }

    fn index_of(&self, cell: [i32; 2]) -> i32 {
        (cell[1] - self.low[1]) * self.width + cell[0] - self.low[0]
    }

    /// Adds a triangle that is one cell wide and lies along an axis of the plane: only how high it is from one border
    /// of cells to the next matters.
    fn add_strip(&mut self, corners: [[f64; 3]; 3], cells: CellBox, axis: usize, label: u16) {
        let mut along = corners.map(|corner| (corner[2 * axis], corner[1]));
        for (a, b) in [(0, 1), (1, 2), (0, 1)] {
            if along[a] > along[b] {
                along.swap(a, b);
            }
        }
        let [a, b, c] = along;
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
        for border in from + 1..to + 2 {
            let (begin, end) = (f64::from(border - 1), f64::from(border));
            let next = if border > last { (c.1, c.1) } else { heights_at(end) };
            let (mut low, mut high) = (lesser(here.0, next.0), greater(here.1, next.1));
            if (begin <= b.0) & (b.0 <= end) {
                (low, high) = (lesser(low, b.1), greater(high, b.1));
            }
            self.push(index, span_of(ends(low, high), label));
            index += step;
            here = next;
        }
    }

    /// Adds a triangle row by row; its corners sorted by z.
    fn add_rows(&mut self, [a, b, c]: [[f64; 3]; 3], [first, last]: [i32; 2], view: &View, label: u16) {
        let facet = Facet::new(a, b, c);
        let from = first.max(view.low[1]);
        let is_turned = view.step[0] > view.step[1];
        let columns = [f64::from(view.low[0]), f64::from(view.high[0] + 1)];
        let mut bottom = if from > first { facet.crossing(f64::from(from)) } else { [Side::of(a); 2] };
        for row in from..last.min(view.high[1]) + 1 {
            let z = f64::from(row);
            let top = if row == last { [Side::of(c); 2] } else { facet.crossing(z + 1.0) };
            if is_turned && !facet.row_meets(bottom, top, z, &columns) {
                // Most rows of a turned triangle are in other bands.
            } else if facet.has_corner(z) {
                self.add_row(row, &facet.row_with_corner(bottom, top), (&facet, view), label);
            } else {
                self.add_row(row, &facet.row(bottom, top, z), (&facet, view), label);
            }
            bottom = top;
        }
    }

    /// Adds the piece of a triangle between two lines of z.
    #[inline]
    fn add_row<const N: usize>(
        &mut self,
        row: i32,
        piece: &RowPiece<'_, N>,
        (facet, view): (&Facet, &View),
        label: u16,
    ) {
        let (first, last) = (floor(piece.left), last_touched(piece.left, piece.right));
        let heights = piece.heights();
        let [lowest, highest] = heights.to_array();
        let same = -lowest == highest || first == last;
        let (first, last) = (first.max(view.low[0]), last.min(view.high[0]));
        if first > last {
            return;
        }
        let (base, step) = (view.base(row), view.step[0]);
        if same {
            let span = span_of(heights, label);
            for column in first..last + 1 {
                self.push(base + column * step, span);
            }
            return;
        }
        // Columns that the triangle covers whole lie between its edges; there the plane says it all. Which those are
        // is told without the window, so that all windows agree.
        let (from, to) = piece.covered().unwrap_or((last + 1, last));
        let (from, to) = (from.clamp(first, last + 1), to.clamp(first - 1, last));
        for columns in [first..from, to + 1..last + 1] {
            for column in columns {
                let span = span_of(piece.over_column(f64::from(column)), label);
                self.push(base + column * step, span);
            }
        }
        for column in from..to + 1 {
            let span = span_of(facet.plane.over_cell(f64::from(column), f64::from(row)), label);
            self.push(base + column * step, span);
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
fn span_of(ends: Ends, label: u16) -> Span {
    let [negated_low, high] = nearest(ends + (0.5 - SNAP));
    Span { low: -negated_low, high: high.max(1 - negated_low), label }
}

const SNAP: f64 = 1.0 / 4096.0;
