//! All triangles of the input in cells, found by window; what cannot be baked is counted and said.

use super::grid::{VoxelGrid, out_of_range};
use super::rasterize::{floor, last_touched};
use crate::bake::limits::{MAX_LABELS, MAX_TRIANGLES};
use crate::bake::{BakeError, Diagnostic, DiagnosticKind, Element, MarkKind, TriangleMesh, VoxelInput};
use crate::format::{NavSettings, WORLD_BOUND};
use crate::geom::box_tree::{BoxTree, CellBox};

/// No floor: what cannot be walked.
pub(crate) const NO_LABEL: u16 = 0;

/// What a floor is: area type, then flags with the level in the high byte. The greater wins where two floors meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Label {
    pub(crate) area_type: u8,
    pub(crate) flags: u16,
}

/// The labels in use, ascending; label number k + 1 is entry k.
#[derive(Clone, Debug, Default)]
pub(crate) struct Labels(Vec<Label>);

/// Triangles in cells.
#[derive(Clone, Debug, Default)]
pub(crate) struct Soup {
    points: Vec<[f64; 3]>,
    /// In the tree's order, as all per triangle.
    corners: Vec<[u32; 3]>,
    boxes: Vec<CellBox>,
    labels: Vec<u16>,
    tree: BoxTree,
}

/// Why triangles of a mesh were left out, and how many.
#[derive(Clone, Copy, Debug, Default)]
struct Skipped {
    no_vertex: usize,
    no_number: usize,
    too_far: usize,
    no_area: usize,
}

impl Labels {
    /// Those of the meshes and marks.
    ///
    /// # Errors
    /// [`BakeError::Format`] for an area type or flags out of range, [`BakeError::Limit`] for too many.
    pub(crate) fn new(input: &VoxelInput, settings: &NavSettings) -> Result<Self, BakeError> {
        let mut labels: Vec<Label> = input.meshes.iter().map(|mesh| label_of_mesh(mesh, settings)).collect();
        labels.extend(input.marks.iter().filter_map(|mark| label_of_mark(mark.kind, mark.level)));
        if let Some(label) = labels.iter().find(|label| label.area_type > 63) {
            return Err(out_of_range("area type", label.area_type.to_string(), "must be 0 to 63"));
        }
        labels.sort_unstable();
        labels.dedup();
        if labels.len() > MAX_LABELS {
            return Err(limit("number of kinds of floor", labels.len(), MAX_LABELS));
        }
        Ok(Self(labels))
    }

    /// The number of a label, from 1; [`NO_LABEL`] for one that is not in use.
    pub(crate) fn number(&self, label: Label) -> u16 {
        self.0.binary_search(&label).map_or(NO_LABEL, |index| index as u16 + 1)
    }

    /// The label of a number.
    pub(crate) fn label(&self, number: u16) -> Option<Label> {
        self.0.get(usize::from(number).wrapping_sub(1)).copied()
    }
}

fn label_of_mesh(mesh: &TriangleMesh, settings: &NavSettings) -> Label {
    // The settings' flags are at most 255 here.
    let flags = mesh.flags.map_or(settings.flags & 0xFF, u16::from);
    let area_type = mesh.area_type.unwrap_or(settings.area);
    Label { area_type, flags: flags | level_bits(mesh.level) }
}

/// The label that a mark gives; a hole gives none.
pub(crate) fn label_of_mark(kind: MarkKind, level: i8) -> Option<Label> {
    match kind {
        MarkKind::Area { area_type, flags } => {
            Some(Label { area_type, flags: u16::from(flags) | level_bits(level) })
        }
        MarkKind::Hole => None,
    }
}

fn level_bits(level: i8) -> u16 {
    u16::from(level as u8) << 8
}

pub(crate) fn limit(name: &'static str, value: usize, limit: usize) -> BakeError {
    BakeError::Limit { name, value: value.to_string(), limit: limit.to_string() }
}

impl Soup {
    /// Takes the meshes to cells. A triangle that cannot be baked is left out and counted in a diagnostic.
    ///
    /// # Errors
    /// [`BakeError::Limit`] for too many triangles.
    pub(crate) fn new(
        input: &VoxelInput,
        settings: &NavSettings,
        grid: &VoxelGrid,
        labels: &Labels,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<Self, BakeError> {
        let count = input.meshes.iter().map(|mesh| mesh.triangles.len()).sum();
        if count > MAX_TRIANGLES {
            return Err(limit("number of triangles", count, MAX_TRIANGLES));
        }
        let vertex_count = input.meshes.iter().map(|mesh| mesh.vertices.len()).sum();
        if vertex_count > u32::MAX as usize {
            return Err(limit("number of vertices", vertex_count, u32::MAX as usize));
        }
        let mut soup = Self { points: Vec::with_capacity(vertex_count), ..Self::default() };
        let mut boxes = Vec::with_capacity(count);
        let mut corners = Vec::with_capacity(count);
        let mut numbers = Vec::with_capacity(count);
        for (index, mesh) in input.meshes.iter().enumerate() {
            let base = soup.points.len() as u32;
            // A vertex that is no place becomes NaN, and takes its triangles with it.
            let placed = mesh.vertices.iter().map(|&vertex| {
                let inside = vertex.iter().all(|value| value.abs() < WORLD_BOUND);
                inside.then(|| grid.grid_from_world(vertex)).flatten().unwrap_or([f64::NAN; 3])
            });
            soup.points.extend(placed);
            let number = labels.number(label_of_mesh(mesh, settings));
            let mut skipped = Skipped::default();
            for triangle in &mesh.triangles {
                let Some(slope) = slope_of(mesh, triangle, &mut skipped) else { continue };
                let here = triangle.map(|vertex| base + vertex);
                let places = here.map(|vertex| soup.points[vertex as usize]);
                if places.iter().any(|place| place[0].is_nan()) {
                    skipped.too_far += 1;
                    continue;
                }
                corners.push(here);
                // The tolerance lets a slope of exactly the limit count as walkable.
                let walkable = slope > 0.0 && slope >= grid.min_normal_y - 1e-6;
                numbers.push(if walkable { number } else { NO_LABEL });
                boxes.push(cells_of(&places));
            }
            if skipped.total() > 0 {
                diagnostics.push(skipped.diagnostic(index, mesh, grid));
            }
        }
        let (tree, order) = BoxTree::new(&boxes);
        soup.corners = order.iter().map(|&index| corners[index as usize]).collect();
        soup.boxes = order.iter().map(|&index| boxes[index as usize]).collect();
        soup.labels = order.iter().map(|&index| numbers[index as usize]).collect();
        soup.tree = tree;
        Ok(soup)
    }

    /// The cells that all triangles lie in.
    pub(crate) fn bounds(&self) -> CellBox {
        self.tree.bounds()
    }

    /// Whether some triangle's box may meet these cells.
    pub(crate) fn meets(&self, cells: &CellBox) -> bool {
        let mut found = false;
        self.tree.visit(cells, |range| {
            found = self.boxes[range].iter().any(|own| own.meets(cells));
            !found
        });
        found
    }

    /// Calls `visit` with the corners in cells, the box and the label of all triangles whose boxes meet these cells.
    pub(crate) fn visit(&self, cells: &CellBox, mut visit: impl FnMut([[f64; 3]; 3], CellBox, u16)) {
        self.tree.visit(cells, |range| {
            for index in range {
                if self.boxes[index].meets(cells) {
                    visit(self.places(index), self.boxes[index], self.labels[index]);
                }
            }
            true
        });
    }

    fn places(&self, index: usize) -> [[f64; 3]; 3] {
        self.corners[index].map(|vertex| self.points[vertex as usize])
    }
}

/// The cells that a triangle's bounds touch; one that ends on a border of cells touches only those before it.
fn cells_of(places: &[[f64; 3]; 3]) -> CellBox {
    let range = |axis: usize| {
        let [a, b, c] = places.map(|place| place[axis]);
        let low = a.min(b).min(c);
        (floor(low), last_touched(low, a.max(b).max(c)))
    };
    let (x, z) = (range(0), range(2));
    CellBox { low: [x.0, z.0], high: [x.1, z.1] }
}

/// The y of the unit normal; `None`, counted, for what is no triangle.
fn slope_of(mesh: &TriangleMesh, triangle: &[u32; 3], skipped: &mut Skipped) -> Option<f64> {
    let vertex = |index: u32| mesh.vertices.get(index as usize).copied();
    let [Some(a), Some(b), Some(c)] = triangle.map(vertex) else {
        skipped.no_vertex += 1;
        return None;
    };
    if [a, b, c].iter().flatten().any(|value| !value.is_finite()) {
        skipped.no_number += 1;
        return None;
    }
    let (u, v): ([f64; 3], [f64; 3]) =
        (std::array::from_fn(|i| b[i] - a[i]), std::array::from_fn(|i| c[i] - a[i]));
    let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let length = (normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]).sqrt();
    if length == 0.0 {
        skipped.no_area += 1;
        return None;
    }
    // Beyond the coordinate rule the length may be infinite; such triangles are left out next.
    Some(normal[1] / length)
}

impl Skipped {
    fn total(&self) -> usize {
        self.no_vertex + self.no_number + self.too_far + self.no_area
    }

    fn diagnostic(&self, index: usize, mesh: &TriangleMesh, grid: &VoxelGrid) -> Diagnostic {
        let reasons = [
            (self.no_vertex, "with a vertex index beyond the mesh's vertices"),
            (self.no_number, "with a coordinate that is no number"),
            (self.too_far, "beyond ±2097152 or 536870912 cells"),
            (self.no_area, "without area"),
        ];
        let reasons: Vec<String> = reasons
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, reason)| format!("{count} {reason}"))
            .collect();
        let (total, of) = (self.total(), mesh.triangles.len());
        let inside = |vertex: &&[f64; 3]| vertex.iter().all(|value| value.abs() < WORLD_BOUND);
        let place = mesh.vertices.iter().find(inside).copied();
        let place = place.unwrap_or_else(|| grid.world_from_grid([0.0; 3]));
        Diagnostic {
            kind: DiagnosticKind::TrianglesSkipped,
            place: [place[0], place[2]],
            level: mesh.level,
            element: Element::Mesh(index),
            measured: total as f64,
            limit: 0.0,
            message: format!(
                "mesh \"{}\": {total} of {of} triangles are left out: {}",
                mesh.name,
                reasons.join(", ")
            ),
        }
    }
}
