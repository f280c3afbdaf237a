//! One frame of the 3D picture as numbers: what the shader reads of eye, light, grid and levels, and what is drawn where.

use std::sync::Arc;

use super::camera::Lens;
use super::drawn::{grid_colors, sky};
use super::levels::Stack;
use super::solid::Solid;
use super::space::{Vec3, sub, unit};
use crate::draw::{Rgba, Theme, nice_step};

/// Direction to the light.
const LIGHT: Vec3 = [-0.42, 0.82, -0.38];
/// How bright what the light does not reach is.
const DARKEST: f32 = 0.36;
/// Least distance of the grid's finest lines, in pixels at the place that is looked at.
const LINES_APART: f64 = 11.0;

/// A solid in a frame.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// The solid.
    pub solid: Arc<Solid>,
    /// A colour laid over its faces, and how much of it, 0..=1.
    pub tint: (Rgba, f32),
    /// How far it is shown over where it lies, so that it is not lost in what it lies on.
    pub raise: f64,
}

/// What is seen.
#[derive(Clone, Debug)]
pub struct Frame {
    /// In pixels.
    pub size: [u32; 2],
    /// What the shader reads of all.
    pub(super) globals: Vec<u8>,
    /// What it reads of each solid.
    pub(super) draws: Vec<[f32; 8]>,
    pub(super) solids: Vec<Arc<Solid>>,
    /// Whether there is a grid.
    pub(super) grid: bool,
}

/// What a frame is made from besides the solids.
#[derive(Clone, Copy, Debug)]
pub struct Outlook<'a> {
    /// The eye, in points.
    pub lens: &'a Lens,
    /// How far the eye is from what it looks at.
    pub distance: f64,
    /// How levels stand.
    pub stack: &'a Stack,
    /// The size in points.
    pub points: egui::Vec2,
    /// Pixels of a point.
    pub pixels_per_point: f32,
    /// The colours.
    pub theme: Theme,
    /// The height of the grid, if there is one.
    pub grid: Option<f64>,
}

#[allow(clippy::cast_possible_truncation, reason = "around the eye, for showing")]
fn short(value: Vec3) -> [f32; 3] {
    value.map(|value| value as f32)
}

fn channels(color: Rgba) -> [f32; 4] {
    color.0.map(|channel| f32::from(channel) / 255.0)
}

impl Frame {
    /// Puts a frame together.
    #[must_use]
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "pixels, and numbers for showing"
    )]
    pub fn new(drawn: &[Drawn], outlook: &Outlook<'_>) -> Self {
        let Outlook { lens, points, pixels_per_point, .. } = *outlook;
        let pixels = |points: f32| ((points * pixels_per_point).round() as u32).clamp(1, 8192);
        let draws = drawn.iter().map(|drawn| {
            let [x, y, z] = drawn.solid.origin;
            let [x, y, z] = short(sub([x, y + drawn.raise, z], lens.eye));
            let [r, g, b, _] = channels(drawn.tint.0);
            let front = if drawn.solid.hides_backs(outlook.stack) { 1.0 } else { 0.0 };
            [x, y, z, front, r, g, b, drawn.tint.1]
        });
        let mut globals = Vec::with_capacity(4096 + 256);
        for value in head(outlook).into_iter().flatten() {
            globals.extend_from_slice(&value.to_ne_bytes());
        }
        for standing in outlook.stack.all() {
            let shown = if standing.shown { 1.0 } else { 0.0 };
            for value in [standing.lift as f32, standing.strength, shown, 0.0] {
                globals.extend_from_slice(&f32::to_ne_bytes(value));
            }
        }
        Self {
            size: [pixels(points.x), pixels(points.y)],
            globals,
            draws: draws.collect(),
            solids: drawn.iter().map(|drawn| Arc::clone(&drawn.solid)).collect(),
            grid: outlook.grid.is_some(),
        }
    }
}

/// The shader's globals up to the levels.
#[allow(clippy::cast_possible_truncation, reason = "numbers for showing")]
fn head(outlook: &Outlook<'_>) -> [[f32; 4]; 13] {
    let Outlook { lens, distance, stack, points, pixels_per_point, theme, grid } = *outlook;
    let with = |value: Vec3, w: f64| {
        let [x, y, z] = short(value);
        [x, y, z, w as f32]
    };
    let (width, height) = (f64::from(points.x.max(1.0)), f64::from(points.y.max(1.0)));
    let step = nice_step((LINES_APART * distance / lens.focal).max(0.1));
    // The crossing next to what is looked at; counted modulo 5, so that every fifth line is known anywhere.
    let middle = super::space::add(lens.eye, super::space::scale(lens.forward, distance));
    let crossing = [middle[0], middle[2]].map(|value| (value / step).round());
    let plane = grid.unwrap_or(0.0);
    let at = [crossing[0] * step, plane, crossing[1] * step];
    let eye = lens.eye;
    let [minor, major, axis] = grid_colors(theme).map(channels);
    let [ground_r, ground_g, ground_b, _] = channels(theme.background());
    let cut = (stack.clip_height - eye[1]).min(1e30) as f32;
    let far = (distance + (eye[1] - plane).abs()) * 9.0;
    [
        with(lens.right, lens.focal / (0.5 * width)),
        with(lens.up, lens.focal / (0.5 * height)),
        with(lens.forward, lens.near),
        [
            points.x * pixels_per_point,
            points.y * pixels_per_point,
            pixels_per_point,
            (distance * 3.0).max(60.0) as f32,
        ],
        [ground_r, ground_g, ground_b, cut],
        channels(sky(theme)),
        with(unit(LIGHT), DARKEST.into()),
        with(sub(at, eye), step),
        minor,
        major,
        axis,
        [-eye[0] as f32, -eye[2] as f32, far as f32, 0.0],
        [
            crossing[0].rem_euclid(5.0) as f32,
            crossing[1].rem_euclid(5.0) as f32,
            if stack.cuts_all { 1.0 } else { 0.0 },
            0.0,
        ],
    ]
}
