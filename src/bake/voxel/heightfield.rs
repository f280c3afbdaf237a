//! Solid heights by columns, and how the pieces of a column become its spans.

/// A stretch of solid heights in a column, in cell heights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Span {
    pub(crate) low: i32,
    pub(crate) high: i32,
    /// What its top is.
    pub(crate) label: u16,
}

impl Span {
    /// Whether they come to one span with one label.
    #[inline]
    pub(super) fn touches(&self, other: &Self) -> bool {
        // All of it at once: each alone is told by nothing.
        (self.label == other.label) & (self.low <= other.high) & (other.low <= self.high)
    }

    #[inline]
    pub(super) fn widen(&mut self, other: &Self) {
        self.low = self.low.min(other.low);
        self.high = self.high.max(other.high);
    }
}

/// Takes a window's columns, by cell.
pub(crate) trait Columns {
    /// Takes the spans of the next cell, from below, with gaps between.
    fn add(&mut self, spans: &[Span]);
    /// Takes so many cells without spans.
    fn add_empty(&mut self, cells: usize);
    /// Is told that at most so many spans come next.
    fn expect(&mut self, spans: usize);
}

/// The solid spans of a window: those of cell c are `spans[first[c]..first[c + 1]]`, from below, with gaps between.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Heightfield {
    pub(crate) first: Vec<u32>,
    pub(crate) spans: Vec<Span>,
}

impl Heightfield {
    pub(crate) fn new() -> Self {
        Self { first: vec![0], spans: Vec::new() }
    }

    /// The spans of a cell, from below.
    pub(crate) fn column(&self, cell: usize) -> &[Span] {
        &self.spans[self.first[cell] as usize..self.first[cell + 1] as usize]
    }
}

impl Columns for Heightfield {
    fn add(&mut self, spans: &[Span]) {
        self.spans.extend_from_slice(spans);
        self.first.push(self.spans.len() as u32);
    }

    fn add_empty(&mut self, cells: usize) {
        self.first.resize(self.first.len() + cells, self.spans.len() as u32);
    }

    fn expect(&mut self, spans: usize) {
        self.spans.reserve_exact(spans);
    }
}

/// Two pieces that touch as one: its top has the greater label of those that reach near it.
pub(super) fn joined(lower: Span, upper: Span, climb: i32) -> Span {
    let high = lower.high.max(upper.high);
    let label_of = |piece: Span| if piece.high + climb >= high { piece.label } else { 0 };
    Span { low: lower.low, high, label: label_of(lower).max(label_of(upper)) }
}

/// Joins a column's pieces; the spans are the first so many of the list.
pub(super) fn merge_column(pieces: &mut [Span], climb: i32) -> usize {
    sort_by_low(pieces);
    let (mut index, mut count) = (0, 0);
    while index < pieces.len() {
        let group = index;
        let Span { low, mut high, mut label } = pieces[index];
        index += 1;
        while index < pieces.len() && pieces[index].low <= high {
            high = high.max(pieces[index].high);
            index += 1;
        }
        if index - group > 1 {
            let near_top = pieces[group..index].iter().filter(|piece| piece.high + climb >= high);
            label = near_top.map(|piece| piece.label).max().unwrap_or(0);
        }
        pieces[count] = Span { low, high, label };
        count += 1;
    }
    count
}

/// Sorts a column's pieces from below. They are few; in what order equal ones come makes no difference to their sum.
fn sort_by_low(spans: &mut [Span]) {
    if spans.len() > 24 {
        spans.sort_unstable_by_key(|span| span.low);
        return;
    }
    for index in 1..spans.len() {
        let span = spans[index];
        let mut place = index;
        while place > 0 && spans[place - 1].low > span.low {
            spans[place] = spans[place - 1];
            place -= 1;
        }
        spans[place] = span;
    }
}
