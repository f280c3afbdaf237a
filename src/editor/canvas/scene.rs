//! The patches of the picture, each made anew only when what it shows has changed, a few a frame if there are many.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use egui::{Rect, Shape};

use super::ink::Ink;
use super::patch::{Patch, Window, is_in_sight};
use crate::draw::{MeshShapes, Storeys, Theme, View};
use crate::editor::gpu::{self, Gpu, Placed};
use crate::editor::overlays::Overlays;
use crate::project::AreaId;

/// What a frame may spend on patches; what is left is made in the frames after it.
const BUDGET: Duration = Duration::from_millis(6);
/// While a wheel turns, patches are shown larger or smaller than made, for as long as this since its last move.
const ZOOM_PAUSE: f64 = 0.08;
/// As far as patches are shown larger or smaller than made without being made anew at once.
const ZOOM_RANGE: std::ops::RangeInclusive<f64> = 0.7..=1.4;
/// Patches out of sight are dropped when all take more than this, in bytes.
const MOST_BYTES: usize = 256 << 20;

/// Whose patch it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// That of the areas from this one on, below or above the grid.
    Areas(AreaId, bool),
    /// That of a tile's part, by slot.
    Tile(u32, Part),
    /// That of the authored links.
    Links,
    /// That of the levels' numbers on the mesh.
    Labels,
    /// That of the islands' numbers.
    IslandLabels,
    /// That of the words at seams and ramps.
    Notes,
    /// That of the issues' badges.
    Badges,
    /// That of a stage of the bake.
    Stage,
    /// That of the rim of the tile whose stages are shown.
    StageRim,
}

/// The parts of a tile's picture that lie under or over other things.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Its edges, on the drawing.
    OnDrawing,
    /// Its rim.
    Rim,
    /// A floor.
    Floor(i8),
    /// Floors that lie over each other, shaded by height.
    Storeys,
    /// Borders, seams and links.
    Above,
    /// The islands of its polygons, on the drawing.
    Islands,
}

/// What a patch shows. Two that are equal look the same.
#[derive(Clone, Debug)]
pub enum Stamp {
    /// A tile on a level's drawing or by itself.
    Tile {
        /// The shapes.
        shapes: Arc<MeshShapes>,
        /// Which of them are drawn, and how.
        look: TileLook,
    },
    /// Anything, by numbers that change with it.
    Numbers([u64; 4]),
}

/// Which of a tile's shapes are drawn, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TileLook {
    /// The drawing's level.
    pub level: i8,
    /// Whether it is hatched as stale.
    pub stale: bool,
    /// Whether edges between polygons are drawn.
    pub edges: bool,
    /// Whether polygons are filled and walls drawn: those of a voxel bake, which no drawn area tells.
    pub filled: bool,
    /// How they are shaded by height, where they lie over each other.
    pub storeys: Option<Storeys>,
    /// What else is.
    pub overlays: Overlays,
    /// A number that changes with what the overlays show of the tile.
    pub islands: u64,
}

impl PartialEq for Stamp {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Tile { shapes, look }, Self::Tile { shapes: other, look: other_look }) => {
                Arc::ptr_eq(shapes, other) && look == other_look
            }
            (Self::Numbers(numbers), Self::Numbers(other)) => numbers == other,
            _ => false,
        }
    }
}

/// All patches.
#[derive(Debug, Default)]
pub struct Scene {
    /// How triangles reach the screen.
    pub gpu: Gpu,
    /// How many patches were made since the beginning: tests and the idle check read it.
    pub made: usize,
    window: Option<Window>,
    entries: BTreeMap<Key, Entry>,
    frame: u64,
    /// The zoom of the last frame, and since when it is the same.
    zoom: (f64, f64),
    /// What the patches of the present window have cost.
    spent: Duration,
    /// A word laid out in every frame: another one tells that the fonts' picture was made anew, by which everything
    /// kept with words in it is worthless.
    probe: Option<Arc<egui::Galley>>,
}

#[derive(Debug)]
struct Entry {
    stamp: Stamp,
    patch: Patch,
    /// The last frame that asked for it, and the last that showed it.
    asked: u64,
    shown: u64,
}

/// The picture of one frame, from the bottom up.
#[derive(Debug)]
pub struct Picture<'a> {
    scene: &'a mut Scene,
    context: &'a egui::Context,
    view: View,
    rect: Rect,
    window: Window,
    until: Instant,
    unfinished: bool,
    placed: Vec<Placed>,
    words: Vec<Shape>,
    layers: usize,
    done: Vec<Shape>,
}

impl Scene {
    /// Begins a frame's picture.
    pub fn begin<'a>(
        &'a mut self,
        context: &'a egui::Context,
        view: &View,
        rect: Rect,
        theme: Theme,
    ) -> Picture<'a> {
        self.frame += 1;
        let font = egui::FontId::proportional(11.0);
        let probe =
            context.fonts_mut(|fonts| fonts.layout_no_wrap("0".to_owned(), font, egui::Color32::WHITE));
        if !self.probe.as_ref().is_some_and(|old| Arc::ptr_eq(old, &probe)) {
            self.entries.clear();
            self.window = None;
            self.probe = Some(probe);
        }
        let now = context.input(|input| input.time);
        if self.zoom.0 != view.scale {
            self.zoom = (view.scale, now);
        }
        let wanted = Window::around(view, context.pixels_per_point(), theme);
        let kept = self.window.filter(|window| window.has_ink_of(&wanted));
        let kept = kept.filter(|window| {
            let same = window.scale() == view.scale;
            let soon = ZOOM_RANGE.contains(&(view.scale / window.scale())) && now - self.zoom.1 < ZOOM_PAUSE;
            (same || self.spent > BUDGET && soon) && window.covers(view)
        });
        if kept.is_some_and(|window| window.scale() != view.scale) {
            context.request_repaint_after(Duration::from_secs_f64(ZOOM_PAUSE));
        }
        let window = kept.unwrap_or(wanted);
        if self.window != Some(window) {
            self.window = Some(window);
            self.spent = Duration::ZERO;
        }
        Picture {
            context,
            view: *view,
            rect,
            window,
            until: Instant::now() + BUDGET,
            unfinished: false,
            placed: Vec::new(),
            words: Vec::new(),
            layers: 0,
            done: Vec::new(),
            scene: self,
        }
    }
}

impl Picture<'_> {
    /// What is seen of the world.
    #[must_use]
    pub fn view(&self) -> View {
        self.view
    }

    /// Shows the patch of a thing that lies in the box `bounds`, made anew by `paint` if its stamp has changed. If this
    /// frame has no time left, the old patch is shown, if there is one.
    pub fn patch(
        &mut self,
        key: Key,
        bounds: Option<[[f64; 2]; 2]>,
        stamp: Stamp,
        paint: impl FnOnce(&View, &mut Ink),
    ) {
        let Some(bounds) = bounds else { return };
        let scene = &mut *self.scene;
        let frame = scene.frame;
        let seen = is_in_sight(&self.view, bounds);
        let good = |entry: &&mut Entry| entry.stamp == stamp && entry.patch.is_made_for(&self.window);
        if let Some(entry) = scene.entries.get_mut(&key) {
            entry.asked = frame;
            if !seen {
                return;
            }
            let late = Instant::now() >= self.until;
            if good(&entry) || late {
                self.unfinished |= !good(&entry);
                entry.shown = frame;
                return entry.patch.show(&self.view, &mut self.placed, &mut self.words);
            }
        }
        if !seen {
            return;
        }
        let start = Instant::now();
        if start >= self.until {
            self.unfinished = true;
            return;
        }
        let patch = Patch::new(self.window, bounds, Ink::new(self.context), paint);
        scene.spent += start.elapsed();
        scene.made += 1;
        patch.show(&self.view, &mut self.placed, &mut self.words);
        scene.entries.insert(key, Entry { stamp, patch, asked: frame, shown: frame });
    }

    /// Lays shapes over all so far.
    pub fn shapes(&mut self, shapes: impl IntoIterator<Item = Shape>) {
        self.end_layer();
        self.done.extend(shapes);
    }

    /// The picture. Asks for another frame if not all of it is made.
    #[must_use]
    pub fn finish(mut self) -> Vec<Shape> {
        self.end_layer();
        if self.unfinished {
            self.context.request_repaint();
        }
        let scene = self.scene;
        let frame = scene.frame;
        scene.entries.retain(|_, entry| entry.asked == frame);
        let bytes: usize = scene.entries.values().map(|entry| entry.patch.bytes()).sum();
        if bytes > MOST_BYTES {
            scene.entries.retain(|_, entry| entry.shown == frame);
        }
        self.done
    }

    fn end_layer(&mut self) {
        if !self.placed.is_empty() {
            let placed = std::mem::take(&mut self.placed);
            self.done.push(gpu::layer(self.scene.gpu, self.layers, self.rect, placed));
            self.layers += 1;
        }
        self.done.append(&mut self.words);
    }
}
