//! The drawing's areas in the order they are painted, in chunks that become one patch each.
//!
//! A frame asks for a few dozen patches, not for thousands; a changed area makes only its chunk anew.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::ink::Ink;
use super::pick::Item;
use super::typed::{Typed, as_typed, typed};
use crate::bake::AreaKind;
use crate::draw::{self, Shape, View, area_shapes, bounds};
use crate::editor::state::{OtherLevels, State};
use crate::editor::style::color32;
use crate::project::{Area, AreaId, flat_area};

/// One area in so many begins a chunk. Which one is told by its id alone, so that areas added or removed shift no others
/// into another chunk.
const CHUNK: u64 = 48;
/// Most areas of a chunk.
const MOST: usize = 3 * CHUNK as usize;

/// Areas that follow each other.
#[derive(Debug)]
pub struct Chunk {
    /// Its first area, by which it is known.
    pub first: AreaId,
    /// Whether its areas lie on top of the grid: outlines of other levels do.
    pub above_grid: bool,
    /// Another number for other contents.
    pub edition: u64,
    /// The box of all its areas.
    pub bounds: Option<[[f64; 2]; 2]>,
    areas: Vec<AreaId>,
}

/// All chunks, and the areas' shapes.
#[derive(Debug, Default)]
pub struct Chunks {
    chunks: Vec<Chunk>,
    kept: BTreeMap<AreaId, Kept>,
    /// What they were made for.
    key: Option<(u64, i8, OtherLevels, u64)>,
    editions: u64,
}

/// How an area of a level looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    Full,
    From(i8),
}

#[derive(Debug)]
struct Kept {
    area: Arc<Area>,
    look: Look,
    /// Its area type's colour and words, if the type has an entry.
    typed: Option<Typed>,
    shapes: Vec<Shape>,
    bounds: Option<[[f64; 2]; 2]>,
    /// Another number for other shapes.
    edition: u64,
}

impl Chunks {
    /// Brings them up to date.
    pub fn update(&mut self, state: &State) {
        let key = (state.generation, state.level, state.shown.others, state.marks.edition);
        if self.key != Some(key) {
            self.keep_areas(state);
            self.cut(state);
            self.key = Some(key);
        }
    }

    /// The chunks in the order they are painted.
    #[must_use]
    pub fn all(&self) -> &[Chunk] {
        &self.chunks
    }

    /// Paints a chunk.
    pub fn paint(&self, chunk: &Chunk, view: &View, ink: &mut Ink) {
        for kept in chunk.areas.iter().filter_map(|id| self.kept.get(id)) {
            if kept.look == Look::Full && kept.area.kind == AreaKind::Hole {
                cut_out(&kept.shapes, view, ink);
            }
            draw::paint(&kept.shapes, view, ink.theme, ink);
        }
    }

    /// Makes the shapes of changed areas anew.
    fn keep_areas(&mut self, state: &State) {
        let (document, level) = (state.document(), state.level);
        for area in document.areas.iter() {
            let full = area.level == level || state.shown.others == OtherLevels::Full;
            let look = if full { Look::Full } else { Look::From(level) };
            let typed = typed(state, area).filter(|_| full);
            let same =
                |kept: &Kept| Arc::ptr_eq(&kept.area, area) && kept.look == look && kept.typed == typed;
            if !self.kept.get(&area.id).is_some_and(same) {
                let current = if look == Look::Full { None } else { Some(level) };
                let mut shapes = area_shapes(&flat_area(area), current);
                if let Some(typed) = &typed {
                    as_typed(&mut shapes, typed);
                }
                let bounds = bounds(&shapes);
                self.editions += 1;
                let edition = self.editions;
                let area = Arc::clone(area);
                self.kept.insert(area.id, Kept { area, look, typed, shapes, bounds, edition });
            }
        }
        if self.kept.len() > document.areas.len() {
            let existing: std::collections::BTreeSet<AreaId> =
                document.areas.iter().map(|area| area.id).collect();
            self.kept.retain(|id, _| existing.contains(id));
        }
    }

    /// Cuts the areas, in painting order, into chunks.
    fn cut(&mut self, state: &State) {
        self.chunks.clear();
        let areas = &state.document().areas;
        let (level, others) = (state.level, state.shown.others);
        let rank = |area: &Area| match (area.level == level, others) {
            _ if state.marks.is_hidden(Item::Area(area.id)) => None,
            // The current level lies on top of the others, whatever its number.
            (true, _) => Some((1, 0, area.kind == AreaKind::Hole)),
            (false, OtherLevels::Off) => None,
            (false, OtherLevels::Full) => Some((0, area.level, area.kind == AreaKind::Hole)),
            (false, OtherLevels::Faint) => Some((2, 0, false)),
        };
        let mut order: Vec<_> =
            areas.iter().filter_map(|area| rank(area).map(|rank| (rank, area.id))).collect();
        order.sort_by_key(|(rank, _)| *rank);
        for ((place, ..), id) in order {
            let above_grid = place == 2;
            let goes_on = self.chunks.last().is_some_and(|chunk| {
                chunk.above_grid == above_grid && chunk.areas.len() < MOST && !begins_chunk(id)
            });
            if !goes_on {
                let chunk = Chunk { first: id, above_grid, edition: 0, bounds: None, areas: Vec::new() };
                self.chunks.push(chunk);
            }
            let (Some(chunk), Some(kept)) = (self.chunks.last_mut(), self.kept.get(&id)) else { continue };
            chunk.areas.push(id);
            // Editions are never given twice, so a sum of them that is mixed as here tells what a chunk holds.
            chunk.edition = chunk.edition.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ kept.edition;
            chunk.bounds = match (chunk.bounds, kept.bounds) {
                (Some([low, high]), Some([l, h])) => {
                    Some([[low[0].min(l[0]), low[1].min(l[1])], [high[0].max(h[0]), high[1].max(h[1])]])
                }
                (one, other) => one.or(other),
            };
        }
    }
}

/// Whether an area begins a chunk; ids are random, so one in [`CHUNK`] does.
fn begins_chunk(id: AreaId) -> bool {
    id.0.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(32).is_multiple_of(CHUNK)
}

/// The ground under a hole is taken away, so that it reads as cut.
fn cut_out(shapes: &[Shape], view: &View, ink: &mut Ink) {
    let ground = color32(ink.theme.background()).gamma_multiply(0.8);
    for shape in shapes {
        let Shape::Area { pieces, .. } = shape else { continue };
        for piece in pieces {
            let pixels: Vec<[f32; 2]> = piece.iter().map(|&point| view.pixel_from_world(point)).collect();
            ink.fill_convex(&pixels, ground);
        }
    }
}
