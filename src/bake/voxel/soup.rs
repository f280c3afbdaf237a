//! All triangles of the input in cells, found by window; what cannot be baked is counted and said.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::cells::{floor, last_touched};
use super::grid::{VoxelGrid, out_of_range};
use super::jobs::map_all;
use super::poll::POLL_EVERY;
use crate::bake::limits::{MAX_LABELS, MAX_TRIANGLES};
use crate::bake::{
    BakeError, BakeOptions, Diagnostic, DiagnosticKind, Element, MarkKind, TriangleMesh, VoxelInput,
};
use crate::format::{NavSettings, WORLD_BOUND};
use crate::geom::box_tree::{BoxTree, CellBox};

/// No floor: what cannot be walked.
pub(crate) const NO_LABEL: u16 = 0;

/// What a floor is: area type, then flags with the level in the high byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Label {
    pub(crate) area_type: u8,
    pub(crate) flags: u16,
}

/// The labels in use, sorted by who wins where floors meet: the last. Label number k + 1 is entry k.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Labels {
    list: Vec<Label>,
    /// Area types that win over all others, the first over the rest.
    priority: Vec<u8>,
}

/// Triangles in cells, mesh by mesh, so that a mesh that did not change is prepared once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Soup {
    parts: Vec<(Arc<Part>, u16)>,
}

/// A mesh in cells.
#[derive(Debug, Default)]
pub(crate) struct Part {
    points: Vec<[f64; 3]>,
    /// In the tree's order, as all per triangle.
    corners: Vec<[u32; 3]>,
    boxes: Vec<CellBox>,
    walkable: Vec<bool>,
    tree: BoxTree,
    skipped: Skipped,
}

/// Meshes prepared for an earlier bake of the same grid.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    by_digest: HashMap<u128, Arc<Part>>,
    /// By the addresses of their vertices and triangles, so that meshes that share theirs are not even looked at.
    by_address: HashMap<[usize; 2], Known>,
}

/// A mesh's shape, held so that its addresses cannot be given to another, and its digest.
#[derive(Debug)]
struct Known {
    digest: u128,
    _vertices: Arc<Vec<[f64; 3]>>,
    _triangles: Arc<Vec<[u32; 3]>>,
}

/// Why three vertices are no triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoTriangle {
    NoVertex,
    NoNumber,
    NoArea,
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
        let priority = &input.area_priority;
        labels.sort_unstable_by_key(|&label| rank(priority, label));
        labels.dedup();
        if labels.len() > MAX_LABELS {
            return Err(limit("number of kinds of floor", labels.len(), MAX_LABELS));
        }
        Ok(Self { list: labels, priority: priority.clone() })
    }

    /// The number of a label, from 1; [`NO_LABEL`] for one that is not in use.
    pub(crate) fn number(&self, label: Label) -> u16 {
        let wanted = rank(&self.priority, label);
        let found = self.list.binary_search_by_key(&wanted, |&label| rank(&self.priority, label));
        found.map_or(NO_LABEL, |index| index as u16 + 1)
    }

    /// The label of a number.
    pub(crate) fn label(&self, number: u16) -> Option<Label> {
        self.list.get(usize::from(number).wrapping_sub(1)).copied()
    }
}

/// What labels are sorted by: the place in the priority, from its end, then the area type, then the flags.
fn rank(priority: &[u8], label: Label) -> (usize, Label) {
    let place = priority.iter().position(|&kind| kind == label.area_type);
    (place.map_or(0, |place| priority.len() - place), label)
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
    /// `parts`: those of an earlier bake, if there are any to look in; on return those of this one.
    ///
    /// # Errors
    /// [`BakeError::Limit`] for too many triangles, [`BakeError::Stopped`].
    pub(crate) fn new(
        input: &VoxelInput,
        settings: &NavSettings,
        grid: &VoxelGrid,
        labels: &Labels,
        options: &BakeOptions<'_>,
        parts: Option<&mut Parts>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<Self, BakeError> {
        let count = input.meshes.iter().map(|mesh| mesh.triangles.len()).sum();
        if count > MAX_TRIANGLES {
            return Err(limit("number of triangles", count, MAX_TRIANGLES));
        }
        if let Some(most) = input.meshes.iter().map(|mesh| mesh.vertices.len()).max()
            && most > u32::MAX as usize
        {
            return Err(limit("number of vertices of a mesh", most, u32::MAX as usize));
        }
        let known = parts.as_deref();
        let goes_on = || !options.stopped();
        let prepare = |mesh: &TriangleMesh| {
            let digest = known.map(|known| known.digest_of(mesh));
            let part = known.zip(digest).and_then(|(known, digest)| known.by_digest.get(&digest)).cloned();
            let part = part.or_else(|| Part::new(mesh, grid, &goes_on).map(Arc::new));
            Ok((digest, part.ok_or(BakeError::Stopped)?))
        };
        let prepared = map_all(input.meshes.iter().collect(), options.jobs, prepare);
        let prepared: Vec<(Option<u128>, Arc<Part>)> =
            prepared.into_iter().collect::<Result<_, BakeError>>()?;
        if let Some(parts) = parts {
            *parts = Parts::default();
            for (mesh, (digest, part)) in input.meshes.iter().zip(&prepared) {
                if let Some(digest) = *digest {
                    parts.keep(mesh, digest, part);
                }
            }
        }
        let mut soup = Self::default();
        for (index, (mesh, (_, part))) in input.meshes.iter().zip(prepared).enumerate() {
            if part.skipped.total() > 0 {
                diagnostics.push(part.skipped.diagnostic(index, mesh, grid));
            }
            if !part.corners.is_empty() {
                soup.parts.push((part, labels.number(label_of_mesh(mesh, settings))));
            }
        }
        Ok(soup)
    }

    /// The parts that another soup has not, or has with other labels. `labels`: this one's, then the other's.
    pub(crate) fn without(&self, other: &Self, labels: [&Labels; 2]) -> Self {
        let key =
            |labels: &Labels, (part, number): &(Arc<Part>, u16)| (Arc::as_ptr(part), labels.label(*number));
        let mut known: BTreeMap<(*const Part, Option<Label>), usize> = BTreeMap::new();
        for part in &other.parts {
            *known.entry(key(labels[1], part)).or_default() += 1;
        }
        let is_new = |part: &&(Arc<Part>, u16)| match known.get_mut(&key(labels[0], part)) {
            Some(count @ 1..) => {
                *count -= 1;
                false
            }
            _ => true,
        };
        Self { parts: self.parts.iter().filter(is_new).cloned().collect() }
    }

    /// The cells that all triangles lie in.
    pub(crate) fn bounds(&self) -> CellBox {
        self.parts.iter().fold(CellBox::EMPTY, |sum, (part, _)| sum.join(&part.tree.bounds()))
    }

    /// Whether some triangle's box may meet these cells.
    pub(crate) fn meets(&self, cells: &CellBox) -> bool {
        self.parts.iter().any(|(part, _)| {
            let mut found = false;
            part.tree.visit(cells, |range| {
                found = part.boxes[range].iter().any(|own| own.meets(cells));
                !found
            });
            found
        })
    }

    /// Calls `visit` with the corners in cells, the box and the label of all triangles whose boxes meet these cells, until
    /// it answers `false`.
    pub(crate) fn visit(&self, cells: &CellBox, mut visit: impl FnMut([[f64; 3]; 3], CellBox, u16) -> bool) {
        let mut goes_on = true;
        for (part, number) in self.parts.iter().filter(|(part, _)| part.tree.bounds().meets(cells)) {
            part.tree.visit(cells, |range| {
                for index in range {
                    if goes_on && part.boxes[index].meets(cells) {
                        let label = if part.walkable[index] { *number } else { NO_LABEL };
                        goes_on = visit(part.places(index), part.boxes[index], label);
                    }
                }
                goes_on
            });
        }
    }

    /// A number that tells the triangles that meet these cells from others, whatever their order.
    pub(crate) fn digest(&self, cells: &CellBox, labels: &Labels) -> u128 {
        let mut sum = 0_u128;
        self.visit(cells, |corners, _, label| {
            let label = labels
                .label(label)
                .map_or(0, |l| u64::from(l.area_type) << 16 | u64::from(l.flags) | 1 << 32);
            // The order of corners makes no difference to what a triangle is.
            let corner =
                |[x, y, z]: [f64; 3]| [x, y, z].iter().fold(Digest::default(), |d, v| d.add(v.to_bits()));
            let corners = corners.map(|c| corner(c).value()).iter().fold(0, |a: u128, c| a.wrapping_add(*c));
            let own = Digest::default().add(corners as u64).add((corners >> 64) as u64).add(label);
            sum = sum.wrapping_add(own.value());
            true
        });
        sum
    }
}

/// Two 64-bit hashes side by side: chance collisions do not happen, and nobody gains by a wanted one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Digest(u64, u64);

impl Digest {
    #[must_use]
    pub(crate) fn add(self, value: u64) -> Self {
        let mix = |state: u64, factor: u64| {
            let x = (state ^ value).wrapping_mul(factor);
            (x ^ x >> 29).wrapping_mul(0x94D0_49BB_1331_11EB) ^ x >> 32
        };
        Self(
            mix(self.0.wrapping_add(1), 0x9E37_79B9_7F4A_7C15),
            mix(self.1.wrapping_add(7), 0xBF58_476D_1CE4_E5B9),
        )
    }

    pub(crate) fn value(self) -> u128 {
        u128::from(self.0) << 64 | u128::from(self.1)
    }
}

/// A mesh's shape; what its floors are is not part of it.
fn digest_of_mesh(mesh: &TriangleMesh) -> u128 {
    let digest = Digest::default().add(mesh.vertices.len() as u64);
    let digest = mesh.vertices.iter().flatten().fold(digest, |digest, value| digest.add(value.to_bits()));
    let pair = |[a, b, c]: &[u32; 3]| [u64::from(*a) << 32 | u64::from(*b), u64::from(*c)];
    mesh.triangles.iter().flat_map(pair).fold(digest, Digest::add).value()
}

impl Parts {
    fn digest_of(&self, mesh: &TriangleMesh) -> u128 {
        self.by_address.get(&addresses(mesh)).map_or_else(|| digest_of_mesh(mesh), |known| known.digest)
    }

    fn keep(&mut self, mesh: &TriangleMesh, digest: u128, part: &Arc<Part>) {
        let (vertices, triangles) = (Arc::clone(&mesh.vertices), Arc::clone(&mesh.triangles));
        self.by_address.insert(addresses(mesh), Known { digest, _vertices: vertices, _triangles: triangles });
        self.by_digest.insert(digest, Arc::clone(part));
    }
}

fn addresses(mesh: &TriangleMesh) -> [usize; 2] {
    [Arc::as_ptr(&mesh.vertices).addr(), Arc::as_ptr(&mesh.triangles).addr()]
}

impl Part {
    /// The mesh in cells, as long as `goes_on` holds, which is asked at every [`POLL_EVERY`]th thing.
    fn new(mesh: &TriangleMesh, grid: &VoxelGrid, goes_on: &dyn Fn() -> bool) -> Option<Self> {
        // A vertex that is no place becomes NaN, and takes its triangles with it.
        let placed = |&vertex: &[f64; 3]| {
            let inside = vertex.iter().all(|value| value.abs() < WORLD_BOUND);
            inside.then(|| grid.grid_from_world(vertex)).flatten().unwrap_or([f64::NAN; 3])
        };
        let mut part = Self { points: Vec::with_capacity(mesh.vertices.len()), ..Self::default() };
        for vertices in mesh.vertices.chunks(POLL_EVERY) {
            goes_on().then_some(())?;
            part.points.extend(vertices.iter().map(placed));
        }
        let count = mesh.triangles.len();
        let mut boxes = Vec::with_capacity(count);
        // What is left of the mesh's triangles, and which of them may be walked on.
        let mut kept: Vec<(u32, bool)> = Vec::with_capacity(count);
        for (index, triangle) in (0..).zip(mesh.triangles.iter()) {
            if (index as usize).is_multiple_of(POLL_EVERY) && !goes_on() {
                return None;
            }
            let slope = match slope_of(mesh, triangle) {
                Ok(slope) => slope,
                Err(why) => {
                    part.skipped.count(why);
                    continue;
                }
            };
            let [a, b, c] = *triangle;
            let point = |vertex: u32| part.points[vertex as usize];
            let places = [point(a), point(b), point(c)];
            if places.iter().any(|place| place[0].is_nan()) {
                part.skipped.too_far += 1;
                continue;
            }
            // The tolerance lets a slope of exactly the limit count as walkable.
            kept.push((index, slope > 0.0 && slope >= grid.min_normal_y - 1e-6));
            boxes.push(cells_of(&places));
        }
        let (tree, order) = BoxTree::new_while(&boxes, goes_on)?;
        part.tree = tree;
        part.boxes = order.iter().map(|&index| boxes[index as usize]).collect();
        drop(boxes);
        let in_order = || order.iter().map(|&index| kept[index as usize]);
        part.corners = in_order().map(|(index, _)| mesh.triangles[index as usize]).collect();
        part.walkable = in_order().map(|(_, walkable)| walkable).collect();
        Some(part)
    }

    fn places(&self, index: usize) -> [[f64; 3]; 3] {
        // Spelled out: `map` over an array this large is a call.
        let [a, b, c] = self.corners[index];
        let point = |vertex: u32| self.points[vertex as usize];
        [point(a), point(b), point(c)]
    }
}

/// The cells that a triangle's bounds touch; one that ends on a border of cells touches only those before it.
fn cells_of(places: &[[f64; 3]; 3]) -> CellBox {
    let range = |axis: usize| {
        let [a, b, c] = [places[0][axis], places[1][axis], places[2][axis]];
        let low = a.min(b).min(c);
        (floor(low), last_touched(low, a.max(b).max(c)))
    };
    let (x, z) = (range(0), range(2));
    CellBox { low: [x.0, z.0], high: [x.1, z.1] }
}

/// The y of a triangle's unit normal: 1 where it faces up.
pub(crate) fn slope_of(mesh: &TriangleMesh, triangle: &[u32; 3]) -> Result<f64, NoTriangle> {
    let vertex = |index: u32| mesh.vertices.get(index as usize).copied();
    let (Some(a), Some(b), Some(c)) = (vertex(triangle[0]), vertex(triangle[1]), vertex(triangle[2])) else {
        return Err(NoTriangle::NoVertex);
    };
    if [a, b, c].iter().flatten().any(|value| !value.is_finite()) {
        return Err(NoTriangle::NoNumber);
    }
    let (u, v): ([f64; 3], [f64; 3]) =
        (std::array::from_fn(|i| b[i] - a[i]), std::array::from_fn(|i| c[i] - a[i]));
    let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let length = (normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]).sqrt();
    // Beyond the coordinate rule the length may be infinite.
    if length == 0.0 { Err(NoTriangle::NoArea) } else { Ok(normal[1] / length) }
}

impl Skipped {
    fn count(&mut self, why: NoTriangle) {
        match why {
            NoTriangle::NoVertex => self.no_vertex += 1,
            NoTriangle::NoNumber => self.no_number += 1,
            NoTriangle::NoArea => self.no_area += 1,
        }
    }

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
