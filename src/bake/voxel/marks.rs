//! Drawn areas and holes over the walkable floors.

use super::compact::CompactField;
use super::grid::{VoxelGrid, Window};
use super::poll::Poll;
use super::rasterize::heights_in_cell;
use super::soup::{Digest, Labels, NO_LABEL, Soup, label_of_mark};
use crate::bake::{AreaMark, BakeError, Diagnostic, DiagnosticKind, Element, VoxelInput};
use crate::geom::box_tree::CellBox;

/// A mark in cells and cell heights.
#[derive(Clone, Debug)]
pub(crate) struct GridMark {
    outline: Vec<[f64; 2]>,
    cells: CellBox,
    low: f64,
    high: f64,
    /// [`NO_LABEL`] for a hole.
    label: u16,
}

/// The marks in the order in which they are put on: areas as given, then holes. What is no outline is said and left out.
pub(crate) fn prepare_marks(
    input: &VoxelInput,
    grid: &VoxelGrid,
    labels: &Labels,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<GridMark> {
    let mut marks = Vec::with_capacity(input.marks.len());
    for mark in &input.marks {
        match grid_mark(mark, grid, labels) {
            Ok(mark) => marks.push(mark),
            Err(why) => diagnostics.push(left_out(mark, grid, why)),
        }
    }
    // Stable: areas stay in order.
    marks.sort_by_key(|mark| mark.label == NO_LABEL);
    marks
}

/// A mark in cells, or why it is no outline.
pub(crate) fn grid_mark(
    mark: &AreaMark,
    grid: &VoxelGrid,
    labels: &Labels,
) -> Result<GridMark, &'static str> {
    let points = mark.outline.iter().map(|&[x, z]| grid.grid_from_world([x, 0.0, z]));
    let outline: Option<Vec<[f64; 2]>> = points.map(|point| point.map(|[x, _, z]| [x, z])).collect();
    let band = [mark.low, mark.high].map(|y| grid.grid_from_world([0.0, y, 0.0]).map(|point| point[1]));
    let (Some(outline), [Some(low), Some(high)]) = (outline, band) else {
        return Err("has a coordinate that is no number or too far from the mesh's origin");
    };
    if outline.len() < 3 {
        return Err("has fewer than 3 points");
    }
    let label = label_of_mark(mark.kind, mark.level).map_or(NO_LABEL, |label| labels.number(label));
    let mut cells = CellBox::EMPTY;
    for point in &outline {
        let cell = point.map(|value| value.floor() as i32);
        cells = cells.join(&CellBox { low: cell, high: cell });
    }
    Ok(GridMark { outline, cells, low, high, label })
}

/// Most cells that are looked at for whether a mark holds a floor; one that needs more is taken to hold one.
const MOST_LOOKS: usize = 1 << 18;

impl GridMark {
    /// The same outline from the lowest to the highest place.
    pub(crate) fn of_any_height(self) -> Self {
        Self { low: f64::NEG_INFINITY, high: f64::INFINITY, ..self }
    }

    /// Whether a triangle that may be walked on lies in it, over the middle of one of its cells.
    pub(crate) fn holds_floor(&self, soup: &Soup) -> bool {
        let (mut found, mut looks) = (false, 0);
        let mut crossings = Vec::new();
        soup.visit(&self.cells, |corners, cells, label| {
            let ys = corners.map(|corner| corner[1]);
            let [lowest, highest] = [f64::min, f64::max].map(|pick| pick(pick(ys[0], ys[1]), ys[2]));
            // Heights are taken to whole ones.
            if label == NO_LABEL || highest + 1.0 < self.low || lowest - 1.0 > self.high {
                return true;
            }
            for row in self.cells.low[1].max(cells.low[1])..=self.cells.high[1].min(cells.high[1]) {
                crossings_of(&self.outline, f64::from(row) + 0.5, &mut crossings);
                let mut winding = 0;
                for pair in crossings.windows(2) {
                    winding += pair[0].1;
                    let middle = |x: f64| (x - 0.5).ceil() as i32;
                    let (from, to) =
                        (middle(pair[0].0).max(cells.low[0]), middle(pair[1].0).min(cells.high[0] + 1));
                    if winding == 0 {
                        continue;
                    }
                    for x in from..to {
                        looks += 1;
                        let heights = heights_in_cell(corners, cells, [x, row]);
                        let inside = |[_, y]: [i32; 2]| self.low <= f64::from(y) && f64::from(y) <= self.high;
                        found |= heights.is_some_and(inside) || looks > MOST_LOOKS;
                        if found {
                            return false;
                        }
                    }
                }
            }
            true
        });
        found
    }
}

/// A number that tells the marks that meet some cells, in order, from others.
pub(crate) fn digest_of_marks(marks: &[GridMark], cells: &CellBox, labels: &Labels) -> u128 {
    let meeting = marks.iter().filter(|mark| mark.cells.meets(cells));
    let digest = meeting.fold(Digest::default(), |digest, mark| {
        let label = labels.label(mark.label);
        let label = label.map_or(0, |l| u64::from(l.area_type) << 16 | u64::from(l.flags) | 1 << 32);
        let digest = digest.add(label).add(mark.low.to_bits()).add(mark.high.to_bits());
        let points = mark.outline.iter().flatten();
        points.fold(digest.add(mark.outline.len() as u64), |digest, value| digest.add(value.to_bits()))
    });
    digest.value()
}

fn left_out(mark: &AreaMark, grid: &VoxelGrid, why: &str) -> Diagnostic {
    let origin = grid.world_from_grid([0.0; 3]);
    let sound = mark.outline.iter().find(|point| point.iter().all(|value| value.is_finite()));
    Diagnostic {
        kind: DiagnosticKind::OutlineDegenerate,
        place: sound.copied().unwrap_or([origin[0], origin[2]]),
        level: mark.level,
        element: Element::Area(mark.id),
        measured: mark.outline.len() as f64,
        limit: 3.0,
        message: format!("mark \"{}\" is left out: it {why}", mark.name),
    }
}

/// Puts the marks on the floors of cells whose middles they hold.
///
/// # Errors
/// Those of `poll`.
pub(crate) fn apply_marks(
    field: &mut CompactField,
    window: &Window,
    marks: &[GridMark],
    poll: Poll<'_>,
) -> Result<(), BakeError> {
    let mut crossings: Vec<(f64, i32)> = Vec::new();
    for mark in marks.iter().filter(|mark| mark.cells.meets(&window.cells())) {
        let last_row = mark.cells.high[1].min(window.low[1] + window.size[1] - 1);
        for row in mark.cells.low[1].max(window.low[1])..=last_row {
            poll()?;
            crossings_of(&mark.outline, f64::from(row) + 0.5, &mut crossings);
            let mut winding = 0;
            for pair in crossings.windows(2) {
                winding += pair[0].1;
                if winding == 0 {
                    continue;
                }
                // Cells whose middle lies at or after the first crossing and before the second.
                let middle = |x: f64| (x - 0.5).ceil() as i32 - window.low[0];
                let z = (row - window.low[1]) as usize;
                for x in middle(pair[0].0).max(0)..middle(pair[1].0).min(window.size[0]) {
                    mark_cell(field, z * field.width + x as usize, mark);
                }
            }
        }
    }
    Ok(())
}

fn mark_cell(field: &mut CompactField, cell: usize, mark: &GridMark) {
    for floor in field.cell(cell) {
        let y = f64::from(field.y[floor]);
        if field.label[floor] != NO_LABEL && mark.low <= y && y <= mark.high {
            field.label[floor] = mark.label;
        }
    }
}

/// Where the outline crosses a line of z, ascending, with +1 where it goes up and −1 where it goes down.
fn crossings_of(outline: &[[f64; 2]], z: f64, crossings: &mut Vec<(f64, i32)>) {
    crossings.clear();
    for (index, &to) in outline.iter().enumerate() {
        let from = outline[(index + outline.len() - 1) % outline.len()];
        let (up, down) = (from[1] <= z && z < to[1], to[1] <= z && z < from[1]);
        if up || down {
            // From the lower end, so that two outlines along one edge agree.
            let (a, b) = if up { (from, to) } else { (to, from) };
            crossings.push((a[0] + (b[0] - a[0]) * ((z - a[1]) / (b[1] - a[1])), if up { 1 } else { -1 }));
        }
    }
    crossings.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
}
