//! Imported geometry as solids: cut into pieces by place on a thread, so that a ray and a frame look at few triangles and
//! a mesh of a million does not hold the window up; pieces come into the picture some in each frame. When levels are pulled
//! apart, geometry goes with its own, as the floors that are baked on it do.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

use super::levels::{NO_LEVEL, Stack};
use super::solid::{Builder, Key, Solid, Thing};
use super::space::{Vec3, cross, sub};
use crate::bake::TriangleMesh;
use crate::draw::{Rgba, Theme};
use crate::editor::canvas::pick::Item;
use crate::editor::footprint::facing;
use crate::editor::state::State;
use crate::project::{Geometry, GeometryId};

/// Triangles that a piece is meant to have.
const PIECE: usize = 4_000;
/// Most cells that a side of an item is cut into.
const MOST_CELLS: usize = 256;
/// Least part of what is flat that faces up where triangles are wound as they are meant.
const LEAST_UP: f64 = 0.25;
/// Triangles that come into the picture in one frame, so that the device takes them in without a halt.
const PER_FRAME: usize = 80_000;

/// All pieces.
#[derive(Debug, Default)]
pub struct Pieces {
    items: BTreeMap<GeometryId, Kept>,
    making: Option<Making>,
}

/// The item as it lies there, its shape, whether for a dark ground, and where its solids come from.
type Making = (Arc<Geometry>, u64, bool, Receiver<Vec<Arc<Solid>>>);

#[derive(Debug)]
struct Kept {
    shape: u64,
    /// Where the item lay that the solids were made from.
    made_at: Vec3,
    /// How far from there it lies now.
    moved: Vec3,
    /// How far it is lifted with its level.
    lifted: f64,
    dark: bool,
    hidden: bool,
    made: Vec<Arc<Solid>>,
    /// The same where it lies now.
    solids: Vec<Arc<Solid>>,
    /// How many of them are in the picture.
    shown: usize,
}

impl Pieces {
    /// Takes in what was made, shows some more of it, and has the next item made.
    pub fn update(&mut self, context: &egui::Context, state: &State, stack: &Stack, theme: Theme) {
        let items = &state.geometry.items;
        self.items.retain(|id, _| items.iter().any(|loaded| loaded.item.id == *id));
        self.take(context);
        let mut left = PER_FRAME;
        for (id, kept) in &mut self.items {
            kept.hidden = state.marks.is_hidden(Item::Geometry(*id));
            kept.follow(*id, state, stack);
            while kept.shown < kept.solids.len() && left > 0 {
                left = left.saturating_sub(kept.solids[kept.shown].parts.faces.len() / 3);
                kept.shown += 1;
            }
            if kept.shown < kept.solids.len() {
                context.request_repaint();
            }
        }
        if self.making.is_some() {
            return;
        }
        let is_kept = |id: GeometryId, shape: u64| {
            let kept = self.items.get(&id);
            kept.is_some_and(|kept| kept.shape == shape && kept.dark == theme.dark)
        };
        let next = items.iter().find(|loaded| !is_kept(loaded.item.id, loaded.shape));
        let Some(loaded) = next else { return };
        let (id, shape, dark) = (loaded.item.id, loaded.shape, theme.dark);
        let (sender, receiver) = channel();
        let (meshes, bounds, wake) = (Arc::clone(&loaded.meshes), loaded.bounds, context.clone());
        let spawned = std::thread::Builder::new().name("pieces".to_owned()).spawn(move || {
            let made = bounds.map(|bounds| pieces(&meshes, bounds, id, colors(theme)));
            // The view may be gone by now; then nobody needs the answer.
            drop(sender.send(made.unwrap_or_default()));
            wake.request_repaint();
        });
        if spawned.is_ok() {
            self.making = Some((Arc::clone(&loaded.item), shape, dark, receiver));
        }
    }

    fn take(&mut self, context: &egui::Context) {
        let Some((item, shape, dark, receiver)) = &self.making else { return };
        let solids = match receiver.try_recv() {
            Ok(solids) => solids,
            Err(std::sync::mpsc::TryRecvError::Empty) => return,
            Err(std::sync::mpsc::TryRecvError::Disconnected) => Vec::new(),
        };
        let made = solids.clone();
        let (made_at, moved, hidden, shown) = (item.offset, [0.0; 3], false, 0);
        let kept =
            Kept { shape: *shape, made_at, moved, lifted: 0.0, dark: *dark, hidden, made, solids, shown };
        self.items.insert(item.id, kept);
        self.making = None;
        context.request_repaint();
    }

    /// The pieces that are in the picture.
    pub fn solids(&self) -> impl Iterator<Item = (Key, &Arc<Solid>)> {
        self.items.iter().filter(|(_, kept)| !kept.hidden).flat_map(|(id, kept)| {
            let shown = (0..).zip(kept.solids.iter().take(kept.shown));
            shown.map(|(number, solid)| (Key::Geometry(*id, number), solid))
        })
    }
}

impl Kept {
    /// Goes where the document has it now, also while it is dragged, and with its level.
    fn follow(&mut self, id: GeometryId, state: &State, stack: &Stack) {
        let Some(loaded) = state.geometry.get(id).filter(|loaded| loaded.shape == self.shape) else { return };
        let item = state.document().geometry(id).filter(|item| loaded.moved_to(item).is_some());
        let item = item.unwrap_or(&loaded.item);
        let (moved, lifted) = (sub(item.offset, self.made_at), stack.lift(item.level));
        if (moved, lifted) != (self.moved, self.lifted) {
            (self.moved, self.lifted) = (moved, lifted);
            self.solids = self.made.iter().map(|solid| Arc::new(solid.moved(moved, lifted))).collect();
        }
    }
}

/// What floors and what walls and ceilings look like.
fn colors(theme: Theme) -> [Rgba; 2] {
    if theme.dark {
        [Rgba([142, 146, 152, 255]), Rgba([112, 116, 124, 255])]
    } else {
        [Rgba([206, 206, 202, 255]), Rgba([186, 187, 188, 255])]
    }
}

/// Triangles as solids, by the cells of a grid that their middles lie in. What is not finite or not there is left out.
#[must_use]
pub fn pieces(
    meshes: &[TriangleMesh],
    [low, high]: [Vec3; 2],
    id: GeometryId,
    [floor, wall]: [Rgba; 2],
) -> Vec<Arc<Solid>> {
    let count: usize = meshes.iter().map(|mesh| mesh.triangles.len()).sum();
    let cells = (count / PIECE).clamp(1, MOST_CELLS * MOST_CELLS);
    let (wide, deep) = ((high[0] - low[0]).max(1e-9), (high[2] - low[2]).max(1e-9));
    // As many cells as asked for, about as wide as deep.
    let per_square = (cells as f64 / (wide * deep)).sqrt();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 1 and 256")]
    let across = |size: f64| ((size * per_square).ceil() as usize).clamp(1, MOST_CELLS);
    let (columns, rows) = (across(wide), across(deep));
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a part of a small number")]
    let cell_of = |at: Vec3| {
        let index = |part: f64, count: usize| ((part * count as f64) as usize).min(count - 1);
        index((at[0] - low[0]) / wide, columns) + columns * index((at[2] - low[2]) / deep, rows)
    };
    let [up, down] = facing(meshes);
    // Where next to nothing faces up nobody knows which side is which.
    let one_sided = up >= LEAST_UP * (up + down);
    let mut builders: BTreeMap<usize, Builder> = BTreeMap::new();
    for mesh in meshes {
        for triangle in mesh.triangles.iter() {
            let corner = |index: u32| mesh.vertices.get(index as usize).copied();
            let [Some(a), Some(b), Some(c)] = triangle.map(corner) else { continue };
            if ![a, b, c].iter().flatten().all(|value| value.is_finite()) {
                continue;
            }
            let middle = [0, 1, 2].map(|axis| (a[axis] + b[axis] + c[axis]) / 3.0);
            let normal = cross(sub(b, a), sub(c, a));
            let steep = normal[1] < 0.5 * super::space::length(normal);
            let color = if steep { wall } else { floor };
            let builder = builders.entry(cell_of(middle)).or_insert_with(|| Builder::new(middle));
            builder.face([a, b, c], Some(normal), NO_LEVEL, color, Thing::Geometry(id));
        }
    }
    if one_sided {
        builders.values_mut().for_each(Builder::one_sided);
    }
    builders.into_values().filter_map(Builder::finish).collect()
}
