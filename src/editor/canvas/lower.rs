//! The lower part of the picture: the drawing with the mesh's edges on it, or the baked mesh by itself.
//!
//! What is in it is kept in patches of triangles: a chunk of areas' until one of them changes, a tile's until the tile
//! does.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::chunks::Chunks;
use super::ink::Ink;
use super::notes::level_notes;
use super::paint::{bounds as bounds_of, is_loose, link_shapes, visibly_stale};
use super::pick::Item;
use super::scene::{Key, Part, Picture, Stamp, TileLook};
use crate::draw::{self, MeshShapes, Role, Shape, View, bounds, grid_shapes, nice_step};
use crate::editor::overlays::Overlays;
use crate::editor::state::{OtherLevels, State};
use crate::editor::worker::{Baked, Mode};
use crate::format::TileRef;

/// Edges of polygons are left out below this zoom, in pixels a square: they would only grey the floor.
const EDGES_FROM: f64 = 3.0;
/// How much of the drawing and of the geometry floors hide that are shaded by height, 0..=1.
const OVER_DRAWING: f32 = 0.72;
/// Least distance of the grid's finest lines, in pixels, as `grid_shapes` has it.
const LINES_APART: f64 = 9.0;

/// What is kept from frame to frame.
#[derive(Debug, Default)]
pub struct Lower {
    chunks: Chunks,
    links: Links,
    /// Per tile and part, the box of its shapes.
    boxes: Boxes,
    whole: Whole,
}

/// The box of the whole drawing, and the state of the drawing that it was found for.
type Whole = (u64, Option<[[f64; 2]; 2]>);

impl Lower {
    /// Paints it.
    pub fn paint(&mut self, context: &egui::Context, state: &State, picture: &mut Picture<'_>) {
        if state.tools.kind().shows_bake() && state.bake.shown.is_some() {
            baked_map(&mut self.boxes, context, state, picture);
        } else {
            if self.whole.0 != state.generation {
                self.whole = (state.generation, bounds_of(state, false));
            }
            drawing(self, context, state, picture);
        }
        stage(state, picture);
    }
}

/// What the stage that is looked at left, or took away, over all else.
fn stage(state: &State, picture: &mut Picture<'_>) {
    if !state.shown.overlays.stage {
        return;
    }
    let params = state.document().bake_settings(state.class()).to_params();
    if let (Some([x, z]), Ok(params)) = (state.stage_tile(), params) {
        let [x0, x1] = [x, x.saturating_add(1)].map(|tile| params.tile_origin_x(tile));
        let [z0, z1] = [z, z.saturating_add(1)].map(|tile| params.tile_origin_z(tile));
        let points = vec![[x0, z0], [x1, z0], [x1, z1], [x0, z1]];
        let rim = Shape::Polyline { points, closed: true, role: Role::Selection };
        let numbers = [x, z].map(|tile| u64::from(tile.cast_unsigned()));
        let stamp = Stamp::Numbers([numbers[0], numbers[1], state.generation, 0]);
        picture.patch(Key::StageRim, bounds([&rim]), stamp, |view, ink| {
            draw::paint([&rim], view, ink.theme, ink);
        });
    }
    let Some(shown) = state.stage.shown() else { return };
    let difference = state.stage.difference;
    let shapes = if difference { &shown.removed } else { &shown.shapes };
    let numbers = [state.stage.edition, state.stage.index as u64, difference.into(), 0];
    picture.patch(Key::Stage, bounds(shapes), Stamp::Numbers(numbers), |view, ink| {
        draw::paint(shapes, view, ink.theme, ink);
    });
}

/// The drawing: other levels, the current level's areas with the mesh's edges on them, seams and links.
fn drawing(lower: &mut Lower, context: &egui::Context, state: &State, picture: &mut Picture<'_>) {
    let Lower { chunks, links, boxes, whole } = lower;
    chunks.update(state);
    let (chunks, overlays) = (&*chunks, state.shown.overlays);
    let paint_chunks = |above_grid: bool, picture: &mut Picture<'_>| {
        let shown = chunks.all().iter().filter(|chunk| overlays.areas && chunk.above_grid == above_grid);
        for chunk in shown {
            let stamp = Stamp::Numbers([chunk.edition, 0, 0, 0]);
            picture.patch(Key::Areas(chunk.first, above_grid), chunk.bounds, stamp, |view, ink| {
                chunks.paint(chunk, view, ink);
            });
        }
    };
    paint_chunks(false, picture);
    if state.shown.grid {
        picture.shapes(grid(context, &picture.view()));
    }
    paint_chunks(true, picture);
    if let Some(baked) = &state.bake.shown {
        let (stale, edges) = (visibly_stale(state), picture.view().scale >= EDGES_FROM);
        let Overlays { mesh, tiles, borders, .. } = overlays;
        let drawn = Overlays { mesh, tiles, borders, ..Overlays::default() };
        let filled = baked.mode == Mode::Voxel;
        let storeys = baked.shapes.storeys.filter(|_| filled);
        let look =
            TileLook { level: state.level, stale, edges, filled, storeys, overlays: drawn, islands: 0 };
        if overlays.islands && !stale {
            for (slot, shapes, tile_ref) in tiles_of(baked) {
                let bounds = box_of(boxes, slot, Part::Islands, shapes);
                let islands = baked.islands.look(slot);
                let look = TileLook { islands, overlays: Overlays::default(), ..look };
                let stamp = Stamp::Tile { shapes: Arc::clone(shapes), look };
                picture.patch(Key::Tile(slot, Part::Islands), bounds, stamp, |view, ink| {
                    let islands = baked.islands.tile(&baked.mesh.mesh, tile_ref, state.level);
                    draw::paint(&islands, view, ink.theme, ink);
                });
            }
        }
        for (slot, shapes, tile_ref) in from_below(baked) {
            let bounds = box_of(boxes, slot, Part::OnDrawing, shapes);
            let stamp = Stamp::Tile { shapes: Arc::clone(shapes), look };
            picture.patch(Key::Tile(slot, Part::OnDrawing), bounds, stamp, |view, ink| {
                tile_on_drawing((baked, tile_ref), shapes, look, view, ink);
            });
        }
        if overlays.islands && !stale {
            island_labels(baked, state.bake.shown_generation, Some(state.level), picture);
        }
    }
    if overlays.labels && !visibly_stale(state) && state.bake.shown.is_some() {
        let level = u64::from(state.level.cast_unsigned());
        let stamp = Stamp::Numbers([state.generation, state.bake.shown_generation, level, 0]);
        picture.patch(Key::Notes, whole.1, stamp, |view, ink| {
            draw::paint(&level_notes(state, view), view, ink.theme, ink);
        });
    }
    links.update(state);
    if overlays.links {
        picture.patch(Key::Links, links.bounds, Stamp::Numbers(links.key), |view, ink| {
            draw::paint(&links.shapes, view, ink.theme, ink);
        });
    }
}

/// The tiles of a mesh with their shapes.
fn tiles_of(baked: &Baked) -> impl Iterator<Item = (u32, &Arc<MeshShapes>, TileRef)> {
    let tiles = baked.mesh.mesh.tiles().map(|(tile_ref, _)| (tile_ref.slot(), tile_ref));
    tiles.filter_map(|(slot, tile_ref)| Some((slot, baked.shapes.tiles.get(&slot)?, tile_ref)))
}

/// The same, of several tiles over each other the lowest first.
fn from_below(baked: &Baked) -> Vec<(u32, &Arc<MeshShapes>, TileRef)> {
    let mut tiles: Vec<_> = tiles_of(baked).collect();
    if baked.shapes.storeys.is_some() {
        tiles.sort_by_key(|(_, _, tile_ref)| baked.mesh.mesh.tile(*tile_ref).map(|tile| tile.layer));
    }
    tiles
}

/// The islands' numbers, those of one level or all.
fn island_labels(baked: &Baked, generation: u64, level: Option<i8>, picture: &mut Picture<'_>) {
    let labels = baked.islands.labels.iter();
    let labels = labels.filter(|(on, _)| level.is_none_or(|level| *on == level)).map(|(_, shape)| shape);
    let stamp =
        Stamp::Numbers([generation, level.map_or(256, |level| u64::from(level.cast_unsigned())), 0, 0]);
    picture.patch(Key::IslandLabels, bounds(labels.clone()), stamp, |view, ink| {
        draw::paint(labels, view, ink.theme, ink);
    });
}

/// The authored links' shapes, and what they were made for.
#[derive(Debug, Default)]
struct Links {
    key: [u64; 4],
    shapes: Vec<Shape>,
    bounds: Option<[[f64; 2]; 2]>,
}

impl Links {
    fn update(&mut self, state: &State) {
        let (level, others) = (state.level, state.shown.others);
        let (level_number, marks) = (u64::from(level.cast_unsigned()), state.marks.edition);
        let look = others as u64 | level_number << 8 | marks << 16;
        let key = [state.generation, state.bake.shown_generation + 1, look, 0];
        if self.key == key {
            return;
        }
        self.key = key;
        self.shapes.clear();
        for (index, link) in state.document().links.iter().enumerate() {
            let here = link.start_level == level || link.end_level == level;
            let hidden = state.marks.is_hidden(Item::Link(link.id));
            if !hidden && (here || others != OtherLevels::Off) {
                self.shapes.extend(link_shapes(link, is_loose(index, state), here));
            }
        }
        self.bounds = bounds(&self.shapes);
    }
}

/// The baked mesh, floor by floor.
fn baked_map(boxes: &mut Boxes, context: &egui::Context, state: &State, picture: &mut Picture<'_>) {
    let Some(baked) = &state.bake.shown else { return };
    let (overlays, edges) = (state.shown.overlays, picture.view().scale >= EDGES_FROM);
    let tiles = &baked.shapes.tiles;
    let Overlays { mesh, borders, jumps, islands, .. } = overlays;
    let overlays_off = Overlays::default();
    let plain = TileLook {
        level: 0,
        stale: false,
        edges,
        filled: false,
        storeys: None,
        overlays: overlays_off,
        islands: 0,
    };
    let stamp = |shapes: &Arc<MeshShapes>, look| Stamp::Tile { shapes: Arc::clone(shapes), look };
    for (&slot, shapes) in tiles.iter().filter(|_| overlays.tiles) {
        let bounds = box_of(boxes, slot, Part::Rim, shapes);
        picture.patch(Key::Tile(slot, Part::Rim), bounds, stamp(shapes, plain), |view, ink| {
            draw::paint(&shapes.rims, view, ink.theme, ink);
        });
    }
    let storeys = baked.shapes.storeys.filter(|_| mesh && !islands);
    if storeys.is_some() {
        let look = TileLook { storeys, ..plain };
        for (slot, shapes, tile_ref) in from_below(baked) {
            let bounds = box_of(boxes, slot, Part::Storeys, shapes);
            picture.patch(Key::Tile(slot, Part::Storeys), bounds, stamp(shapes, look), |view, ink| {
                shaded((baked, tile_ref), look, 1.0, view, ink);
            });
        }
    }
    let levels: std::collections::BTreeSet<i8> =
        tiles.values().flat_map(|shapes| shapes.fills.keys().copied()).collect();
    for level in levels.into_iter().filter(|_| (mesh || islands) && storeys.is_none()) {
        for (slot, shapes, tile_ref) in tiles_of(baked) {
            let Some(fills) = shapes.fills.get(&level) else { continue };
            let bounds = box_of(boxes, slot, Part::Floor(level), shapes);
            let look = if islands { baked.islands.look(slot) } else { 0 };
            let drawn = Overlays { mesh, islands, ..Overlays::default() };
            let look = TileLook { overlays: drawn, islands: look, ..plain };
            picture.patch(Key::Tile(slot, Part::Floor(level)), bounds, stamp(shapes, look), |view, ink| {
                if mesh {
                    draw::paint(fills, view, ink.theme, ink);
                }
                if islands {
                    let islands = baked.islands.tile(&baked.mesh.mesh, tile_ref, level);
                    draw::paint(&islands, view, ink.theme, ink);
                }
                if mesh && edges {
                    draw::paint(shapes.edges.get(&level).into_iter().flatten(), view, ink.theme, ink);
                }
            });
        }
    }
    if state.shown.grid {
        picture.shapes(grid(context, &picture.view()));
    }
    let drawn = Overlays { borders, jumps, ..Overlays::default() };
    let look = TileLook { overlays: drawn, ..plain };
    for (&slot, shapes) in tiles.iter().filter(|_| borders || jumps) {
        let bounds = box_of(boxes, slot, Part::Above, shapes);
        picture.patch(Key::Tile(slot, Part::Above), bounds, stamp(shapes, look), |view, ink| {
            if borders {
                draw::paint(shapes.borders.iter().chain(&shapes.seams), view, ink.theme, ink);
            }
            if jumps {
                draw::paint(&shapes.links, view, ink.theme, ink);
            }
        });
    }
    let generation = state.bake.shown_generation;
    if islands {
        island_labels(baked, generation, None, picture);
    }
    let labels = &*baked.shapes.labels;
    // Where there is one level, its number says nothing.
    if overlays.labels && state.document().levels.len() > 1 {
        let numbers = Stamp::Numbers([generation, 0, 0, 0]);
        picture.patch(Key::Labels, bounds(labels), numbers, |view, ink| {
            draw::paint(labels, view, ink.theme, ink);
        });
    }
}

type Boxes = BTreeMap<(u32, Part), (Arc<MeshShapes>, Option<[[f64; 2]; 2]>)>;

/// The box of what a part of a tile shows, found once for its shapes.
fn box_of(boxes: &mut Boxes, slot: u32, part: Part, shapes: &Arc<MeshShapes>) -> Option<[[f64; 2]; 2]> {
    match boxes.get(&(slot, part)) {
        Some((of, bounds)) if Arc::ptr_eq(of, shapes) => return *bounds,
        _ => {}
    }
    let floors = shapes.fills.values().flatten();
    let above = || shapes.borders.iter().chain(&shapes.seams).chain(&shapes.links);
    let found = match part {
        Part::OnDrawing | Part::Islands | Part::Storeys => {
            bounds(shapes.rims.iter().chain(floors).chain(above()))
        }
        Part::Rim => bounds(&shapes.rims),
        Part::Floor(level) => bounds(shapes.fills.get(&level).into_iter().flatten()),
        Part::Above => bounds(above()),
    };
    boxes.insert((slot, part), (Arc::clone(shapes), found));
    found
}

/// Floors that lie over each other, from the lowest up.
fn shaded((baked, tile_ref): (&Baked, TileRef), look: TileLook, opacity: f32, view: &View, ink: &mut Ink) {
    let Some(storeys) = look.storeys else { return };
    for shape in storeys.tile_shapes(&baked.mesh.mesh, tile_ref) {
        let floor = matches!(shape.role(), Role::Height(_));
        ink.opacity = if floor { opacity } else { 1.0 };
        if floor || look.edges {
            draw::paint([&shape], view, ink.theme, ink);
        }
    }
    ink.opacity = 1.0;
}

/// Edges between polygons, the tile's rim, borders and seams; a stale mesh is hatched grey.
fn tile_on_drawing(of: (&Baked, TileRef), shapes: &MeshShapes, look: TileLook, view: &View, ink: &mut Ink) {
    let TileLook { level, stale, edges, filled, storeys, overlays, .. } = look;
    let Overlays { mesh, tiles, borders, .. } = overlays;
    if tiles {
        draw::paint(&shapes.rims, view, ink.theme, ink);
    }
    if stale {
        let hatched = floors_of(shapes, level, filled).filter_map(|shape| match shape {
            Shape::Convex { points, .. } if mesh => {
                Some(Shape::Area { outline: points.clone(), pieces: vec![points.clone()], role: Role::Stale })
            }
            _ => None,
        });
        draw::paint(&hatched.collect::<Vec<_>>(), view, ink.theme, ink);
        return;
    }
    if storeys.is_some() && mesh {
        shaded(of, look, OVER_DRAWING, view, ink);
    } else if filled && mesh {
        let floors = floors_of(shapes, level, filled).filter_map(|shape| match shape {
            Shape::Convex { points, .. } => {
                Some(Shape::Convex { points: points.clone(), role: Role::Ground })
            }
            _ => None,
        });
        draw::paint(&floors.collect::<Vec<_>>(), view, ink.theme, ink);
    }
    if edges && mesh && storeys.is_none() {
        let edges = shapes.edges.iter().filter(|(of, _)| filled || **of == level);
        let edges = edges.flat_map(|(_, edges)| edges);
        // Drawn areas have outlines of their own.
        let shown = edges.filter(|shape| filled || shape.role() == Role::InnerEdge);
        draw::paint(shown, view, ink.theme, ink);
    }
    if edges && borders {
        draw::paint(&shapes.borders, view, ink.theme, ink);
    }
    if borders {
        draw::paint(&shapes.seams, view, ink.theme, ink);
    }
}

/// The polygons of a level; of a voxel bake all of them, since geometry has no levels.
fn floors_of(shapes: &MeshShapes, level: i8, all: bool) -> impl Iterator<Item = &Shape> {
    shapes.fills.iter().filter(move |(of, _)| all || **of == level).flat_map(|(_, fills)| fills)
}

/// The grid; its finest lines come and go softly as the zoom spreads them.
fn grid(context: &egui::Context, view: &View) -> Vec<egui::Shape> {
    let mut ink = Ink::new(context);
    let shapes = grid_shapes(view);
    let finest = |shape: &&Shape| shape.role() == Role::Grid;
    #[allow(clippy::cast_possible_truncation, reason = "pixels, for showing")]
    let apart = (nice_step((LINES_APART / view.scale).max(0.1)) * view.scale) as f32;
    ink.opacity = ((apart - 6.0) / 16.0).clamp(0.25, 1.0);
    draw::paint(shapes.iter().filter(finest), view, ink.theme, &mut ink);
    ink.opacity = 1.0;
    draw::paint(shapes.iter().filter(|shape| !finest(shape)), view, ink.theme, &mut ink);
    ink.finish()
}
