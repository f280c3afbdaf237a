//! The surveys of all columns put together: components over the whole map, ramps' ends, gaps, hidden areas.

use super::columns::{Column, ColumnAt, Columns};
use super::components::UNKNOWN;
use super::outline::Drawing;
use super::overlay::Seen;
use super::remarks::{Gap, report_gaps, report_levels, report_rings, report_vanished};
use super::seam_line::{SeamPiece, join_halves};
use super::surfaces::RampEnds;
use super::survey::{BorderRun, Survey};
use crate::bake::{Diagnostic, FlatInput};
use crate::geom::union_find::UnionFind;

pub(crate) fn surveys(columns: &Columns) -> impl Iterator<Item = (ColumnAt, &Column, &Survey)> {
    columns.iter().filter_map(|(&at, column)| column.survey.as_ref().map(|survey| (at, column, survey)))
}

/// Components of all columns, joined over their borders.
struct WholeComponents {
    /// The columns in order, and the number of each one's first component.
    columns: Vec<ColumnAt>,
    first: Vec<u32>,
    sets: UnionFind,
}

impl WholeComponents {
    fn new(columns: &Columns) -> Self {
        let all: Vec<_> =
            surveys(columns).map(|(at, _, survey)| (at, survey.component_count, &survey.borders)).collect();
        Self::over_borders(&all)
    }

    /// Joins what the columns, in order, count: their numbers and border runs.
    fn over_borders(all: &[(ColumnAt, usize, &[Vec<BorderRun>; 4])]) -> Self {
        let mut first = Vec::with_capacity(all.len());
        let mut total = 0;
        for &(_, count, _) in all {
            first.push(total);
            total += count as u32;
        }
        let mut sets = UnionFind::new(total as usize);
        for (index, &(at, _, borders)) in all.iter().enumerate() {
            // Over +X to the −X side of the next, over +Z to the −Z side.
            let across =
                [(1, (Some(at.0), at.1.checked_add(1)), 3), (2, (at.0.checked_add(1), Some(at.1)), 0)];
            for (side, beyond, other_side) in across {
                let (Some(z), Some(x)) = beyond else { continue };
                if borders[side].is_empty() {
                    continue;
                }
                let Ok(other) = all.binary_search_by_key(&(z, x), |&(at, ..)| at) else { continue };
                let (here, there) = (first[index], first[other]);
                join_runs(&borders[side], &all[other].2[other_side], |a, b| {
                    sets.union(here + a, there + b);
                });
            }
        }
        Self { columns: all.iter().map(|&(at, ..)| at).collect(), first, sets }
    }

    fn number(&mut self, at: ColumnAt, component: u32) -> u32 {
        match self.columns.binary_search(&at) {
            Ok(column) if component != UNKNOWN => self.sets.find(self.first[column] + component),
            _ => UNKNOWN,
        }
    }
}

/// Calls `join` for runs of one level that share a part. Both lists: by level, then along the border.
fn join_runs(here: &[BorderRun], there: &[BorderRun], mut join: impl FnMut(u32, u32)) {
    let (mut i, mut j) = (0, 0);
    while let (Some(a), Some(b)) = (here.get(i), there.get(j)) {
        if a.level == b.level && a.first <= b.last && b.first <= a.last {
            join(a.component, b.component);
        }
        if (a.level, a.last) <= (b.level, b.last) { i += 1 } else { j += 1 }
    }
}

/// What the columns say of the ramps' points.
pub(crate) fn ramp_ends(columns: &Columns) -> RampEnds {
    let mut ends = RampEnds::new();
    for (_, column, survey) in surveys(columns) {
        for end in &survey.ramp_ends {
            ends.insert((column.rings[end.ring as usize], end.point), end.level);
        }
    }
    ends
}

/// All columns' shared pieces put together, sorted, with components and rings of the whole drawing.
pub(crate) fn whole_pieces(columns: &Columns) -> Vec<SeamPiece> {
    let mut pieces: Vec<SeamPiece> = Vec::new();
    if surveys(columns).all(|(_, _, survey)| survey.seams.is_empty()) {
        return pieces;
    }
    let mut components = WholeComponents::new(columns);
    for (at, column, survey) in surveys(columns) {
        for piece in &survey.seams {
            let mut piece = piece.with_rings(&column.rings);
            for side in piece.left.iter_mut().chain(&mut piece.right) {
                side.component = components.number(at, side.component);
            }
            pieces.push(piece);
        }
    }
    join_halves(&mut pieces);
    pieces
}

/// Remarks that take the whole drawing to tell: gaps between parts that nothing joins, areas and levels of which
/// nothing is left.
pub(crate) fn remark_on_whole(
    input: &FlatInput,
    drawing: &Drawing,
    columns: &Columns,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if surveys(columns).any(|(_, column, survey)| !survey.gaps.is_empty() || !column.rim_gaps.is_empty()) {
        let gaps = separate_gaps(input, drawing, columns);
        report_gaps(drawing, gaps.into_iter(), diagnostics);
    }
    let mut seen = vec![Seen::default(); drawing.rings.len()];
    let mut walkable = vec![false; drawing.levels.len()];
    for (_, column, survey) in surveys(columns) {
        survey.levels.iter().for_each(|&level| walkable[level] = true);
        for (&ring, here) in column.rings.iter().zip(&survey.seen) {
            let hidden_by = here.hidden_by.map(|owner| column.rings[owner as usize]);
            seen[ring as usize].add(&Seen { hidden_by, ..*here });
        }
    }
    report_rings(input, drawing, &seen, diagnostics);
    report_levels(drawing, &walkable, diagnostics);
}

/// The parts of levels that clearance leaves nothing of, over all columns.
pub(crate) fn remark_on_clearance(
    input: &FlatInput,
    drawing: &Drawing,
    columns: &Columns,
    radius: f32,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let cleared =
        || columns.iter().filter_map(|(&at, column)| column.parts.as_ref().map(|parts| (at, column, parts)));
    let counted: Vec<_> = cleared().map(|(at, _, parts)| (at, parts.parts.len(), &parts.borders)).collect();
    let mut numbers = WholeComponents::over_borders(&counted);
    let mut parts = Vec::new();
    for (at, column, here) in cleared() {
        let numbered = (0..).zip(here.with_rings(&column.rings));
        parts.extend(numbered.map(|(index, part)| (numbers.number(at, index), part)));
    }
    report_vanished(input, drawing, parts.into_iter(), radius, diagnostics);
}

/// The gaps between components that neither borders nor seams join, numbered over the whole drawing.
fn separate_gaps(input: &FlatInput, drawing: &Drawing, columns: &Columns) -> Vec<(Gap, u64)> {
    let mut components = WholeComponents::new(columns);
    for piece in whole_pieces(columns) {
        for left in piece.left.iter().filter(|side| side.component != UNKNOWN) {
            for right in piece.right.iter().filter(|side| side.component != UNKNOWN) {
                components.sets.union(left.component, right.component);
            }
        }
    }
    let mut gaps = Vec::new();
    for (at, column, survey) in surveys(columns) {
        let here = survey.gaps.iter().map(|gap| (at, gap));
        let all = here.chain(column.rim_gaps.iter().map(|(there, gap)| (*there, gap)));
        for (there, gap) in all {
            let [a, b] = gap.components;
            let numbers = [components.number(at, a), components.number(there, b)];
            if numbers[0] != numbers[1] {
                let ring = &drawing.rings[column.rings[gap.owner as usize] as usize];
                gaps.push((Gap { components: numbers, ..gap.clone() }, input.areas[ring.area].id));
            }
        }
    }
    gaps
}
