//! The whole drawing's seams, kept from bake to bake: pieces that lie on one line are put together by themselves, so an
//! edit looks again at the lines that it touches only.

use std::collections::{BTreeMap, BTreeSet};

use super::columns::{ColumnAt, Columns};
use super::outline::Drawing;
use super::remarks::report_seams;
use super::seam_line::{SeamPiece, join_halves};
use super::seams::{Contested, find_seams, settle_seams, sort_seams};
use super::surfaces::Surfaces;
use super::whole::whole_pieces;
use crate::bake::{Diagnostic, Seam};
use crate::geom::grid::IntPoint;
use crate::geom::predicates::cross;

/// A straight line without ends: its direction in lowest terms, and how far it lies from the origin along the normal.
type LineKey = (i64, i64, i128);

/// The drawing's seams and what is said of them.
#[derive(Debug, Default)]
pub(crate) struct SeamBook {
    lines: BTreeMap<LineKey, LinePage>,
    of_column: BTreeMap<ColumnAt, BTreeSet<LineKey>>,
    pub(crate) seams: Vec<Seam>,
    pub(crate) contested: Vec<Contested>,
}

/// The pieces on one line, by column, and what they make.
#[derive(Debug, Default)]
struct LinePage {
    pieces: BTreeMap<ColumnAt, Vec<SeamPiece>>,
    seams: Vec<Seam>,
    remarks: Vec<Diagnostic>,
    has_surface: bool,
    is_contested: bool,
}

/// What changed since the book was last brought up to date.
pub(crate) struct Edit<'a> {
    /// Columns that were surveyed again.
    pub(crate) fresh: &'a BTreeSet<ColumnAt>,
    /// Whether some area's own surface is another one.
    pub(crate) surfaces_changed: bool,
}

impl SeamBook {
    /// Brings the book up to date with the columns' surveys.
    pub(crate) fn update(
        &mut self,
        drawing: &Drawing,
        columns: &Columns,
        surfaces: &Surfaces,
        climb: f64,
        edit: &Edit<'_>,
    ) {
        let gone = self.of_column.keys().copied().filter(|at| !columns.contains_key(at));
        let left: Vec<ColumnAt> = gone.chain(edit.fresh.iter().copied()).collect();
        let mut touched: BTreeSet<LineKey> = BTreeSet::new();
        for at in left {
            for key in self.of_column.remove(&at).unwrap_or_default() {
                if let Some(page) = self.lines.get_mut(&key) {
                    page.pieces.remove(&at);
                }
                touched.insert(key);
            }
        }
        for &at in edit.fresh {
            let survey = columns.get(&at).and_then(|column| column.survey.as_ref());
            for piece in survey.into_iter().flat_map(|survey| &survey.seams) {
                let key = line_of(piece);
                self.lines.entry(key).or_default().pieces.entry(at).or_default().push(piece.clone());
                self.of_column.entry(at).or_default().insert(key);
                touched.insert(key);
            }
        }
        if edit.surfaces_changed {
            touched.extend(self.lines.iter().filter(|(_, page)| page.has_surface).map(|(&key, _)| key));
        }
        for key in &touched {
            let Some(page) = self.lines.get_mut(key) else { continue };
            if page.pieces.is_empty() {
                self.lines.remove(key);
            } else {
                page.put_together(drawing, columns, surfaces, climb);
            }
        }
        if !touched.is_empty() {
            self.seams = self.lines.values().flat_map(|page| &page.seams).copied().collect();
            sort_seams(&mut self.seams);
        }
        self.contested = if self.lines.values().any(|page| page.is_contested) {
            settle_seams(drawing, &whole_pieces(columns), surfaces)
        } else {
            Vec::new()
        };
    }

    /// Remarks on shared edges.
    pub(crate) fn remarks(&self) -> impl Iterator<Item = &Diagnostic> {
        self.lines.values().flat_map(|page| &page.remarks)
    }
}

impl LinePage {
    fn put_together(&mut self, drawing: &Drawing, columns: &Columns, surfaces: &Surfaces, climb: f64) {
        let mut pieces: Vec<SeamPiece> = Vec::new();
        for (at, here) in &self.pieces {
            let rings = columns.get(at).map_or(&[][..], |column| &column.rings);
            pieces.extend(here.iter().map(|piece| piece.with_rings(rings)));
        }
        join_halves(&mut pieces);
        self.seams = find_seams(drawing, &pieces);
        self.remarks = report_seams(drawing, &pieces, surfaces, climb);
        self.is_contested = pieces.iter().any(SeamPiece::is_contested);
        let mut sides = pieces.iter().flat_map(|piece| piece.left.iter().chain(&piece.right));
        self.has_surface = sides.any(|side| side.surface.is_some());
    }
}

fn line_of(piece: &SeamPiece) -> LineKey {
    let d = piece.line.1 - piece.line.0;
    let divisor = greatest_common_divisor(d.x.unsigned_abs(), d.z.unsigned_abs()) as i64;
    let d = IntPoint::new(d.x / divisor, d.z / divisor);
    (d.x, d.z, cross(d, piece.line.0 - IntPoint::default()))
}

fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
