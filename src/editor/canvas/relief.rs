//! Imported geometry under the drawing: what is seen from above of all that lies below a cut a bit above the current
//! level, shaded by height and slope; what the cut goes through is darker.
//!
//! The picture is kept in square chunks, as textures; a chunk is made on a thread when it comes into sight, and again
//! only when the geometry, the cut or the theme is another one. A frame hands over rectangles.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use egui::{Color32, ColorImage, Context, Painter, Rect, TextureHandle, TextureOptions, pos2};
use rayon::prelude::*;

use super::pick::Item;
use crate::draw::View;
use crate::editor::geometry::Loaded;
use crate::editor::state::State;
use crate::editor::style;

/// Pixels of a chunk's side.
const SIDE: usize = 256;
/// Most chunks that are kept.
const MOST: usize = 320;
/// Most chunks that are made in one go: what is in sight comes in parts.
const BATCH: usize = 24;
/// Finest and coarsest chunks: 2 to these powers pixels a square.
const ZOOMS: std::ops::RangeInclusive<i32> = -14..=10;

/// A chunk's place: 2^zoom pixels a square, and which of the squares of `SIDE` pixels it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    zoom: i32,
    x: i32,
    z: i32,
}

/// What chunks are made from.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Stamp {
    geometry: u64,
    hidden: u64,
    cut: f64,
    dark: bool,
}

struct Chunk {
    stamp: Stamp,
    /// `None` where nothing is seen.
    texture: Option<TextureHandle>,
}

type Made = Vec<(Key, Option<ColorImage>)>;

/// The chunks that were made.
#[derive(Default)]
pub struct Relief {
    chunks: BTreeMap<Key, Chunk>,
    making: Option<(Stamp, Receiver<Made>)>,
    /// How many chunks were made since the beginning.
    pub made: usize,
}

impl std::fmt::Debug for Relief {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Relief")
            .field("chunks", &self.chunks.len())
            .field("made", &self.made)
            .finish_non_exhaustive()
    }
}

impl Relief {
    /// Takes in what was made, asks for what is missing, and paints what is there.
    pub fn paint(&mut self, painter: &Painter, state: &State, view: &View, canvas: Rect) {
        let context = painter.ctx();
        self.take(context);
        let shown = |loaded: &&Loaded| !state.marks.is_hidden(Item::Geometry(loaded.item.id));
        let boxes = state.geometry.items.iter().filter(shown).filter_map(|loaded| loaded.bounds);
        let Some([low, high]) = boxes.reduce(join) else {
            self.chunks.clear();
            return;
        };
        let hidden = state.geometry.items.iter().filter(|loaded| !shown(loaded));
        let stamp = Stamp {
            geometry: state.geometry.edition,
            hidden: hidden.fold(0, |sum: u64, loaded| sum.wrapping_mul(31).wrapping_add(loaded.edition)),
            cut: state.ground_cut(),
            dark: style::theme(context).dark,
        };
        let corners = [canvas.left_bottom(), canvas.right_top()].map(|at| view.world_from_pixel(at.into()));
        let seen = [
            [corners[0][0].max(low[0]), corners[0][1].max(low[2])],
            [corners[1][0].min(high[0]), corners[1][1].min(high[2])],
        ];
        if seen[0][0] > seen[1][0] || seen[0][1] > seen[1][1] {
            return;
        }
        let fine = view.scale * f64::from(context.pixels_per_point());
        #[allow(clippy::cast_possible_truncation, reason = "a logarithm")]
        let zoom = (fine.log2().round() as i32).clamp(*ZOOMS.start(), *ZOOMS.end());
        let wanted = keys(zoom, seen);
        let is_there = |key: &Key| self.chunks.get(key).is_some_and(|chunk| chunk.stamp == stamp);
        let missing: Vec<Key> = wanted.iter().copied().filter(|key| !is_there(key)).collect();
        if missing.is_empty() {
            // Coarser and finer ones only stood in for these.
            if self.chunks.len() > MOST {
                self.chunks.retain(|key, _| wanted.contains(key));
            }
            wanted.iter().for_each(|key| self.paint_chunk(*key, painter, view));
            return;
        }
        if self.making.is_none() {
            self.make(missing, stamp, state, context);
        }
        // Until they are there, whatever is: the coarsest below.
        let keys: Vec<Key> =
            self.chunks.keys().copied().filter(|key| key.zoom != zoom || wanted.contains(key)).collect();
        let (same, others): (Vec<Key>, Vec<Key>) = keys.into_iter().partition(|key| key.zoom == zoom);
        others.into_iter().chain(same).for_each(|key| self.paint_chunk(key, painter, view));
    }

    fn paint_chunk(&self, key: Key, painter: &Painter, view: &View) {
        let Some(Chunk { texture: Some(texture), .. }) = self.chunks.get(&key) else { return };
        let [low, high] = square(key);
        let rect = Rect::from_two_pos(view.pixel_from_world(low).into(), view.pixel_from_world(high).into());
        let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        painter.image(texture.id(), rect, whole, Color32::WHITE);
    }

    fn make(&mut self, mut missing: Vec<Key>, stamp: Stamp, state: &State, context: &Context) {
        missing.truncate(BATCH);
        let shown = |loaded: &&Loaded| !state.marks.is_hidden(Item::Geometry(loaded.item.id));
        let items: Vec<Loaded> = state.geometry.items.iter().filter(shown).cloned().collect();
        let (sender, receiver) = channel();
        let wake = context.clone();
        let spawned = std::thread::Builder::new().name("relief".to_owned()).spawn(move || {
            let made = missing.into_par_iter().map(|key| (key, picture(key, &items, &stamp))).collect();
            // The window may be gone by now.
            drop(sender.send(made));
            wake.request_repaint();
        });
        self.making = spawned.is_ok().then_some((stamp, receiver));
    }

    fn take(&mut self, context: &Context) {
        let Some((stamp, receiver)) = &self.making else { return };
        let made = match receiver.try_recv() {
            Ok(made) => made,
            Err(TryRecvError::Empty) => return,
            Err(TryRecvError::Disconnected) => Made::new(),
        };
        let stamp = *stamp;
        self.making = None;
        for (key, image) in made {
            self.made += 1;
            let name = format!("relief {} {} {}", key.zoom, key.x, key.z);
            let texture = image.map(|image| context.load_texture(name, image, TextureOptions::LINEAR));
            self.chunks.insert(key, Chunk { stamp, texture });
        }
    }
}

fn join([low, high]: [[f64; 3]; 2], [other_low, other_high]: [[f64; 3]; 2]) -> [[f64; 3]; 2] {
    let at = |axis: usize| (low[axis].min(other_low[axis]), high[axis].max(other_high[axis]));
    [std::array::from_fn(|axis| at(axis).0), std::array::from_fn(|axis| at(axis).1)]
}

/// Squares of a chunk's side.
fn side_of(zoom: i32) -> f64 {
    SIDE as f64 / 2.0_f64.powi(zoom)
}

fn square(key: Key) -> [[f64; 2]; 2] {
    let side = side_of(key.zoom);
    let low = [f64::from(key.x) * side, f64::from(key.z) * side];
    [low, [low[0] + side, low[1] + side]]
}

/// The chunks that cover a part of the world, those in the middle first.
fn keys(zoom: i32, [low, high]: [[f64; 2]; 2]) -> Vec<Key> {
    let side = side_of(zoom);
    #[allow(clippy::cast_possible_truncation, reason = "saturates; the world ends before")]
    let index = |value: f64| (value / side).floor() as i32;
    let mut keys: Vec<Key> = (index(low[1])..=index(high[1]))
        .flat_map(|z| (index(low[0])..=index(high[0])).map(move |x| Key { zoom, x, z }))
        .take(MOST)
        .collect();
    let middle = [0, 1].map(|axis| 0.5 * (low[axis] + high[axis]) / side - 0.5);
    let away = |key: &Key| (f64::from(key.x) - middle[0]).powi(2) + (f64::from(key.z) - middle[1]).powi(2);
    keys.sort_by(|a, b| away(a).total_cmp(&away(b)));
    keys
}

/// What is seen at a pixel's middle.
#[derive(Clone, Copy)]
struct Sight {
    /// The highest surface below the cut: height, light, whether it faces up.
    below: Option<(f32, f32, bool)>,
    /// The lowest surface above it.
    above: Option<(f32, f32, bool)>,
}

/// The picture of a chunk; `None` where nothing is seen.
fn picture(key: Key, items: &[Loaded], stamp: &Stamp) -> Option<ColorImage> {
    let [low, high] = square(key);
    let meets = |loaded: &&Loaded| {
        loaded
            .bounds
            .is_some_and(|[a, b]| a[0] <= high[0] && b[0] >= low[0] && a[2] <= high[1] && b[2] >= low[1])
    };
    let pixel = side_of(key.zoom) / SIDE as f64;
    let mut sights = vec![Sight { below: None, above: None }; SIDE * SIDE];
    let (mut heights, mut any) = ([f64::INFINITY, f64::NEG_INFINITY], false);
    for loaded in items {
        if let Some([low, high]) = loaded.bounds {
            heights = [heights[0].min(low[1]), heights[1].max(high[1])];
        }
    }
    for loaded in items.iter().filter(meets) {
        loaded.footprint.meeting(&loaded.meshes, [low, high], |triangle| {
            any |= scan(triangle, low, pixel, stamp.cut, &mut sights);
        });
    }
    if !any {
        return None;
    }
    // Rows go down, z goes up.
    let colors = (0..SIDE).rev().flat_map(|row| &sights[row * SIDE..(row + 1) * SIDE]);
    let colors = colors.map(|sight| color(sight, stamp, heights)).collect();
    Some(ColorImage::new([SIDE, SIDE], colors))
}

/// Notes a triangle at all pixels whose middle it covers. Whether there are any.
fn scan(corners: [[f64; 3]; 3], low: [f64; 2], pixel: f64, cut: f64, sights: &mut [Sight]) -> bool {
    let [a, b, c] = corners.map(|[x, y, z]| [(x - low[0]) / pixel - 0.5, y, (z - low[1]) / pixel - 0.5]);
    let (u, v) = ([b[0] - a[0], b[2] - a[2]], [c[0] - a[0], c[2] - a[2]]);
    let twice = u[0] * v[1] - u[1] * v[0];
    if !twice.is_finite() || twice == 0.0 || !(a[1] + b[1] + c[1]).is_finite() {
        return false;
    }
    let last = (SIDE - 1) as f64;
    let range = |axis: usize| {
        let (least, most) = (a[axis].min(b[axis]).min(c[axis]), a[axis].max(b[axis]).max(c[axis]));
        (least.ceil().max(0.0), most.floor().min(last))
    };
    let ((x0, x1), (z0, z1)) = (range(0), range(2));
    if x0 > x1 || z0 > z1 {
        return false;
    }
    let light = light(corners);
    // Counter-clockwise with z down is up.
    let up = twice < 0.0;
    let (du, dv) = (b[1] - a[1], c[1] - a[1]);
    let mut any = false;
    for z in z0 as usize..=z1 as usize {
        for x in x0 as usize..=x1 as usize {
            let p = [x as f64 - a[0], z as f64 - a[2]];
            let s = (p[0] * v[1] - p[1] * v[0]) / twice;
            let t = (u[0] * p[1] - u[1] * p[0]) / twice;
            if s < -1e-9 || t < -1e-9 || s + t > 1.0 + 1e-9 {
                continue;
            }
            any = true;
            #[allow(clippy::cast_possible_truncation, reason = "a picture")]
            let (y, sight) = ((a[1] + s * du + t * dv) as f32, &mut sights[z * SIDE + x]);
            if f64::from(y) <= cut {
                // Where a solid stands on a floor, its underside wins: one is inside of it.
                let wins =
                    |&(other, _, faces_up): &(f32, f32, bool)| y > other || y == other && faces_up && !up;
                if sight.below.as_ref().is_none_or(wins) {
                    sight.below = Some((y, light, up));
                }
            } else if sight.above.is_none_or(|(other, ..)| y < other) {
                sight.above = Some((y, light, up));
            }
        }
    }
    any
}

/// How bright a surface is in light from the upper left, 0 to 1.
fn light([a, b, c]: [[f64; 3]; 3]) -> f32 {
    const FROM: [f64; 3] = [-0.45, 0.77, 0.45];
    let (u, v): ([f64; 3], [f64; 3]) =
        (std::array::from_fn(|axis| b[axis] - a[axis]), std::array::from_fn(|axis| c[axis] - a[axis]));
    let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let length = normal.iter().map(|value| value * value).sum::<f64>().sqrt();
    // Seen from above, whichever way it faces.
    let sign = if normal[1] < 0.0 { -1.0 } else { 1.0 };
    let along: f64 = normal.iter().zip(FROM).map(|(n, l)| n * l).sum::<f64>() * sign / length.max(1e-30);
    #[allow(clippy::cast_possible_truncation, reason = "0 to 1")]
    let light = along.clamp(0.0, 1.0) as f32;
    light
}

fn color(sight: &Sight, stamp: &Stamp, [lowest, highest]: [f64; 2]) -> Color32 {
    let part = |y: f32, from: f64, to: f64| {
        let part = (f64::from(y) - from) / (to - from).max(1e-6);
        #[allow(clippy::cast_possible_truncation, reason = "0 to 1")]
        let part = part.clamp(0.0, 1.0) as f32;
        part
    };
    // Within a solid the first thing above faces up, and nothing between the cut and the next thing below is floor.
    let solid = sight.above.filter(|&(_, _, up)| up && sight.below.is_none_or(|(_, _, floor)| !floor));
    let (grounds, tint, light) = match (solid, sight.below) {
        (Some((y, light, _)), _) => {
            let grounds =
                if stamp.dark { [[9, 10, 12], [27, 28, 33]] } else { [[128, 130, 138], [168, 170, 178]] };
            (grounds, part(y, stamp.cut, highest), light)
        }
        (None, Some((y, light, _))) => {
            let grounds =
                if stamp.dark { [[54, 59, 66], [108, 114, 122]] } else { [[172, 177, 184], [228, 230, 234]] };
            (grounds, part(y, lowest, stamp.cut), light)
        }
        (None, None) => return Color32::TRANSPARENT,
    };
    let bright = 0.62 + 0.5 * light;
    let [r, g, b] = std::array::from_fn(|index| {
        let [from, to] = [grounds[0][index], grounds[1][index]].map(|value: u8| f32::from(value));
        ((from + (to - from) * tint) * bright).clamp(0.0, 255.0) as u8
    });
    Color32::from_rgb(r, g, b)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::editor::footprint::Footprint;

    fn loaded(vertices: Vec<[f64; 3]>, triangles: Vec<[u32; 3]>) -> Loaded {
        let item = crate::project::Geometry::new(crate::project::GeometryId(1), "a.obj");
        let (vertices, triangles) = (Arc::new(vertices), Arc::new(triangles));
        let mesh = crate::bake::TriangleMesh { vertices, triangles, ..Default::default() };
        let bounds = Some([[0.0, -1.0, 0.0], [256.0, 5.0, 256.0]]);
        Loaded {
            item: Arc::new(item),
            edition: 1,
            shape: 1,
            bounds,
            footprint: Arc::new(Footprint::new(std::slice::from_ref(&mesh), bounds)),
            triangles: mesh.triangles.len(),
            meshes: Arc::new(vec![mesh]),
            left_out: String::new(),
            error: None,
        }
    }

    fn sights(item: &Loaded, cut: f64) -> Vec<Sight> {
        let mut sights = vec![Sight { below: None, above: None }; SIDE * SIDE];
        for mesh in item.meshes.iter() {
            for corners in mesh.triangles.iter() {
                scan(corners.map(|index| mesh.vertices[index as usize]), [0.0; 2], 1.0, cut, &mut sights);
            }
        }
        sights
    }

    #[test]
    fn two_triangles_cover_each_pixel_of_their_square_and_no_other() {
        let corners = vec![[10.0, 1.0, 20.0], [10.0, 1.0, 50.0], [40.0, 1.0, 50.0], [40.0, 1.0, 20.0]];
        let item = loaded(corners, vec![[0, 1, 2], [0, 2, 3]]);
        for (at, sight) in sights(&item, 2.0).iter().enumerate() {
            let (x, z) = (at % SIDE, at / SIDE);
            let inside = (10..40).contains(&x) && (20..50).contains(&z);
            assert_eq!(sight.below.map(|(y, _, up)| (y, up)), inside.then_some((1.0, true)), "{x}, {z}");
        }
    }

    #[test]
    fn heights_follow_the_plane_and_the_cut_parts_above_from_below() {
        // y = x / 64.
        let corners = vec![[0.0, 0.0, 0.0], [0.0, 0.0, 256.0], [256.0, 4.0, 256.0], [256.0, 4.0, 0.0]];
        let item = loaded(corners, vec![[0, 1, 2], [0, 2, 3]]);
        for (at, sight) in sights(&item, 2.0).iter().enumerate() {
            let height = ((at % SIDE) as f32 + 0.5) / 64.0;
            let found = if height <= 2.0 { sight.below } else { sight.above };
            assert!(found.is_some_and(|(y, _, up)| up && (y - height).abs() < 1e-5), "{at}");
        }
    }

    #[test]
    fn vertices_that_are_no_numbers_and_indices_of_none_are_passed_over() {
        let corners = vec![[f64::NAN, 0.0, 0.0], [0.0, f64::INFINITY, 9.0], [9.0, 0.0, 9.0]];
        let item = loaded(corners, vec![[0, 1, 2], [0, 1, 7]]);
        let stamp = Stamp { geometry: 1, hidden: 0, cut: 1.0, dark: true };
        assert!(picture(Key { zoom: 0, x: 0, z: 0 }, &[item], &stamp).is_none());
    }
}
