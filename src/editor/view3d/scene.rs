//! What the 3D picture is made of, kept from frame to frame: a solid per tile, per some areas, for all links, and one
//! for the path. Each is made anew only when what it shows has changed.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::drawn::{areas_solid, links_solid, outline, path_solid};
use super::levels::{Pull, Stack};
use super::mesh::{Jump, TileLook, tile_solid};
use super::pieces::Pieces;
use super::solid::{Key, Solid};
use super::space::{Vec3, length, sub};
use super::stage::{has_voxels, on_level, voxels};
use crate::bake::{AreaKind, Surface};
use crate::draw::{AttachedLinks, MeshShapes, Theme, TileShapes};
use crate::editor::canvas::paint::is_loose;
use crate::editor::canvas::pick::Item;
use crate::editor::overlays::Overlays;
use crate::editor::state::{OtherLevels, State};
use crate::editor::tools::Marker;
use crate::format::TiledNavMesh;
use crate::project::{Area, AreaId, AreaType, Level, Link, Spot, floor_of};
use crate::query::{NavPath, PathScratch, QueryFilter};

/// One area in so many begins a solid of areas; which one is told by its id, so that areas added or removed shift no
/// others into another solid.
const CHUNK: u64 = 24;
/// Most areas of a solid.
const MOST: usize = 3 * CHUNK as usize;
/// A link's end takes the height of a floor no farther beside it than this, in squares.
const BESIDE: f64 = 1.0;

/// What a solid shows. Two that are equal look the same.
#[derive(Debug, PartialEq)]
enum Stamp {
    Tile { shapes: Same<MeshShapes>, look: TileLook, islands: u64, types: Same<Vec<Arc<AreaType>>> },
    Areas { areas: Vec<Same<Area>>, colors: Vec<Option<[u8; 3]>>, ground: Ground },
    Links { links: Same<Vec<Arc<Link>>>, marks: u64, bake: u64, ground: Ground },
    Path { path: NavPath, theme: Theme },
    Stage { edition: u64, index: usize, difference: bool, ground: Ground },
}

/// What heights and colours of drawn things depend on besides themselves.
#[derive(Clone, Debug, PartialEq)]
struct Ground {
    levels: Same<Vec<Arc<Level>>>,
    /// The bake whose seams ramps follow; 0 where there is no ramp.
    bake: u64,
    theme: Theme,
}

/// A value that is the same only if it is the very same.
#[derive(Debug)]
struct Same<T>(Arc<T>);

impl<T> Clone for Same<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> PartialEq for Same<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// All solids.
#[derive(Debug, Default)]
pub struct Scene {
    /// How many were made since the beginning: tests and the idle check read it.
    pub made: usize,
    kept: BTreeMap<Key, Kept>,
    stack: Option<Stack>,
    scratch: PathScratch,
    frame: u64,
    geometry: Pieces,
    hides_geometry: bool,
    /// What the solids were made for.
    made_for: Option<MadeFor>,
}

/// All that the picture depends on but the eye: while it is the same, so are the solids.
#[derive(Clone, Debug, PartialEq)]
struct MadeFor {
    generation: u64,
    bake: Option<Same<TileShapes>>,
    level: i8,
    others: OtherLevels,
    overlays: Overlays,
    marks: u64,
    shows_bake: bool,
    path: Option<[u64; 3]>,
    ends: [Option<Marker>; 2],
    stage: (u64, usize, bool),
    pull: Pull,
    cut: Option<f64>,
    theme: Theme,
}

impl MadeFor {
    fn of(state: &State, pull: Pull, theme: Theme) -> Self {
        let path = state.path.as_ref();
        Self {
            generation: state.generation,
            bake: state.bake.shown.as_ref().map(|baked| Same(Arc::clone(&baked.shapes))),
            level: state.level,
            others: state.shown.others,
            overlays: state.shown.overlays,
            marks: state.marks.edition,
            shows_bake: state.tools.kind().shows_bake(),
            path: path
                .map(|path| [path.points.len() as u64, path.corridor.len() as u64, path.length_3d.to_bits()]),
            ends: [state.tools.test.start, state.tools.test.end],
            stage: (state.stage.edition, state.stage.index, state.stage.difference),
            pull,
            cut: state.geometry_cut,
            theme,
        }
    }
}

#[derive(Debug)]
struct Kept {
    stamp: Stamp,
    solid: Option<Arc<Solid>>,
    /// The outlines of its areas.
    outlines: Vec<Outline>,
    frame: u64,
}

/// An area's outline at its heights, without lifts.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    /// Whose it is.
    pub area: AreaId,
    /// The level it stands on.
    pub level: i8,
    /// Its corners in drawing order.
    pub corners: Vec<Vec3>,
    /// The middle of the box around them, and how far from there the farthest lies.
    pub ball: (Vec3, f64),
}

impl Outline {
    fn new(area: AreaId, level: i8, corners: Vec<Vec3>) -> Self {
        let (low, high) =
            corners.iter().fold(([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]), |(a, b), corner| {
                (
                    [0, 1, 2].map(|axis| a[axis].min(corner[axis])),
                    [0, 1, 2].map(|axis| b[axis].max(corner[axis])),
                )
            });
        let middle = [0, 1, 2].map(|axis| 0.5 * (low[axis] + high[axis]));
        let reach = corners.iter().map(|corner| length(sub(*corner, middle))).fold(0.0, f64::max);
        Self { area, level, corners, ball: (middle, reach) }
    }
}

impl Scene {
    /// Brings everything up to date.
    pub fn update(&mut self, state: &State, pull: Pull, theme: Theme) {
        let made_for = MadeFor::of(state, pull, theme);
        if self.made_for.as_ref() == Some(&made_for) {
            return;
        }
        self.made_for = Some(made_for);
        self.frame += 1;
        let stack = Stack::of(state, pull);
        if self.stack.as_ref() != Some(&stack) {
            self.stack = Some(stack);
        }
        let overlays = state.shown.overlays;
        let shows_mesh = self.stage(state, theme);
        if shows_mesh && (overlays.mesh || overlays.tiles || overlays.borders) {
            self.tiles(state, overlays, theme);
        }
        let bake = state.tools.kind().shows_bake() && state.bake.shown.is_some();
        if overlays.areas && !bake {
            self.areas(state, theme);
        }
        if overlays.links && !bake {
            self.links(state, theme);
        }
        if let Some(path) = state.path.as_ref().filter(|path| path.points.len() > 1) {
            let stamp = Stamp::Path { path: path.clone(), theme };
            self.keep(Key::Path, stamp, || path_solid(path, theme));
        }
        let frame = self.frame;
        self.kept.retain(|_, kept| kept.frame == frame);
    }

    /// Takes in pieces of imported geometry, some in each frame, and has them made where they are not.
    pub fn reveal(&mut self, context: &egui::Context, state: &State, theme: Theme) {
        if let Some(stack) = &self.stack {
            self.geometry.update(context, state, stack, theme);
        }
    }

    /// The solids, in a fixed order.
    pub fn solids(&self) -> impl Iterator<Item = (Key, &Arc<Solid>)> {
        let kept = self.kept.iter().filter_map(|(key, kept)| Some((*key, kept.solid.as_ref()?)));
        kept.chain(self.geometry.solids().filter(|_| !self.hides_geometry))
    }

    /// How levels stood when it was last brought up to date.
    #[must_use]
    pub fn stack(&self) -> Option<&Stack> {
        self.stack.as_ref()
    }

    /// The boxes of all that is shown.
    #[must_use]
    pub fn boxes(&self) -> Vec<[Vec3; 2]> {
        let Some(stack) = &self.stack else { return Vec::new() };
        self.solids().filter_map(|(_, solid)| solid.shown_bounds(stack)).collect()
    }

    fn keep(&mut self, key: Key, stamp: Stamp, make: impl FnOnce() -> Option<Arc<Solid>>) {
        let frame = self.frame;
        if let Some(kept) = self.kept.get_mut(&key).filter(|kept| kept.stamp == stamp) {
            kept.frame = frame;
            return;
        }
        self.made += 1;
        self.kept.insert(key, Kept { stamp, solid: make(), outlines: Vec::new(), frame });
    }

    /// The outlines of the areas that are drawn.
    pub fn outlines(&self) -> impl Iterator<Item = &Outline> {
        self.kept.values().flat_map(|kept| &kept.outlines)
    }

    /// The stage of the bake that is looked at, if one is. Whether the mesh is shown besides.
    fn stage(&mut self, state: &State, theme: Theme) -> bool {
        self.hides_geometry = false;
        let Some(shown) = state.stage.shown().filter(|_| state.shown.overlays.stage) else { return true };
        let (view, name) = (&state.stage, shown.name);
        let (index, difference) = (view.index, view.difference);
        let stamp =
            || Stamp::Stage { edition: view.edition, index, difference, ground: ground(state, false, theme) };
        if view.voxels.is_empty() {
            let height = state.document().settings.height + state.document().elevation(state.level);
            let shapes = if difference { &shown.removed } else { &shown.shapes };
            self.keep(Key::Stage(0), stamp(), || on_level(shapes, height, state.level, theme));
            return false;
        }
        if has_voxels(name) {
            self.hides_geometry = true;
            for (number, tile) in (0..).zip(view.voxels.iter()) {
                self.keep(Key::Stage(number), stamp(), || voxels(tile, name, difference, theme));
            }
            return false;
        }
        name != "geometry"
    }

    fn tiles(&mut self, state: &State, overlays: Overlays, theme: Theme) {
        let Some(baked) = &state.bake.shown else { return };
        let mesh = &baked.mesh.mesh;
        let look = TileLook {
            mesh: overlays.mesh,
            rim: overlays.tiles,
            borders: overlays.borders,
            jumps: overlays.jumps && state.tools.kind().shows_bake(),
            islands: overlays.islands,
            storeys: baked.shapes.storeys,
            theme,
        };
        let mut attached = None;
        let document = state.document();
        let color = |number: u8| {
            let entry = (number != document.settings.area).then(|| document.area_type(number));
            entry.flatten().map(|entry| entry.color)
        };
        for (tile_ref, _) in mesh.tiles() {
            let slot = tile_ref.slot();
            let Some(shapes) = baked.shapes.tiles.get(&slot) else { continue };
            let islands = if look.islands { baked.islands.look(slot) } else { 0 };
            let types = Same(Arc::clone(&document.area_types));
            let stamp = Stamp::Tile { shapes: Same(Arc::clone(shapes)), look, islands, types };
            self.keep(Key::Tile(slot), stamp, || {
                let attached = attached.get_or_insert_with(|| AttachedLinks::of(mesh));
                tile_solid(mesh, tile_ref, &baked.islands, attached, &color, look)
            });
        }
    }

    fn areas(&mut self, state: &State, theme: Theme) {
        let document = state.document();
        let hidden = |area: &Area| state.marks.is_hidden(Item::Area(area.id));
        let areas: Vec<&Arc<Area>> = document.areas.iter().filter(|area| !hidden(area)).collect();
        let seams = state.bake.shown.as_ref().map_or(&[][..], |baked| &baked.report.seams);
        let color = |area: &Area| {
            let number = area.area_type.filter(|number| *number != document.settings.area)?;
            (area.kind == AreaKind::Walk).then(|| document.area_type(number).map(|entry| entry.color))?
        };
        let mut from = 0;
        while from < areas.len() {
            let more = areas[from + 1..].iter().take(MOST).take_while(|area| !begins_chunk(area.id));
            let until = from + 1 + more.count();
            let chunk = &areas[from..until];
            let ramps = chunk.iter().any(|area| area.surface == Surface::Ramp);
            let stamp = Stamp::Areas {
                areas: chunk.iter().map(|area| Same(Arc::clone(area))).collect(),
                colors: chunk.iter().map(|area| color(area)).collect(),
                ground: ground(state, ramps, theme),
            };
            let key = Key::Areas(chunk[0].id);
            let made = self.made;
            self.keep(key, stamp, || {
                let chunk: Vec<Arc<Area>> = chunk.iter().map(|area| Arc::clone(area)).collect();
                areas_solid(document, seams, &chunk, &color, theme)
            });
            if let Some(kept) = self.kept.get_mut(&key).filter(|_| self.made > made) {
                let of_area =
                    |area: &&Arc<Area>| Outline::new(area.id, area.level, outline(document, seams, area));
                kept.outlines = chunk.iter().map(of_area).collect();
            }
            from = until;
        }
    }

    fn links(&mut self, state: &State, theme: Theme) {
        let links = Same(Arc::clone(&state.document().links));
        let (marks, bake) = (state.marks.edition, state.bake.shown_generation);
        let stamp = Stamp::Links { links, marks, bake, ground: ground(state, false, theme) };
        let mut scratch = std::mem::take(&mut self.scratch);
        self.keep(Key::Links, stamp, || {
            let links = state.document().links.iter().enumerate();
            let shown = links.filter(|(_, link)| !state.marks.is_hidden(Item::Link(link.id)));
            let jumps: Vec<(Jump, bool)> = shown
                .map(|(index, link)| (jump_of(state, link, &mut scratch), is_loose(index, state)))
                .collect();
            links_solid(&jumps, theme)
        });
        self.scratch = scratch;
    }
}

fn ground(state: &State, ramps: bool, theme: Theme) -> Ground {
    let bake = if ramps { state.bake.shown_generation } else { 0 };
    Ground { levels: Same(Arc::clone(&state.document().levels)), bake, theme }
}

fn begins_chunk(id: AreaId) -> bool {
    id.0.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(32).is_multiple_of(CHUNK)
}

/// An authored link as a jump, with the heights of the floors under its ends.
#[must_use]
pub fn jump_of(state: &State, link: &Link, scratch: &mut PathScratch) -> Jump {
    let mut end = |spot: Spot| [spot.at[0], spot_height(state, spot, scratch), spot.at[1]];
    Jump {
        from: end(link.start_spot()),
        to: end(link.end_spot()),
        levels: [link.start_level, link.end_level],
        radius: link.radius,
        two_way: link.bidirectional,
    }
}

/// The height of a level's floor at a place: that of the mesh where it has one near there, else the level's own.
#[must_use]
pub fn floor_height(state: &State, at: [f64; 2], level: i8, scratch: &mut PathScratch) -> f64 {
    spot_height(state, Spot { at, level, y: None }, scratch)
}

/// The height at which a place is shown: its own, else that of its level's floor.
#[must_use]
pub fn spot_height(state: &State, spot: Spot, scratch: &mut PathScratch) -> f64 {
    if let Some(y) = spot.y {
        return y;
    }
    let document = state.document();
    let found = state.bake.shown.as_ref().and_then(|baked| {
        let mesh: &TiledNavMesh = &baked.mesh.mesh;
        floor_of(document, mesh, &spot, BESIDE, &QueryFilter::default(), scratch).ok().flatten()
    });
    found.map_or_else(|| document.height_of(spot.level), |found| found.position[1])
}
