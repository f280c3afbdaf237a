//! A canvas of pixels, without a window or a driver.

use tiny_skia::{Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, Transform};

use super::colors::Rgba;
use super::{Anchor, Canvas, glyphs};

/// A picture of pixels in the making.
pub struct Raster {
    pixmap: Pixmap,
}

impl Raster {
    /// Most pixels along a side.
    pub const MAX_SIDE: u32 = 16_384;

    /// An empty picture filled with `background`; `None` if a side is 0 or above [`Raster::MAX_SIDE`].
    #[must_use]
    pub fn new(width: u32, height: u32, background: Rgba) -> Option<Self> {
        if width > Self::MAX_SIDE || height > Self::MAX_SIDE {
            return None;
        }
        let mut pixmap = Pixmap::new(width, height)?;
        let [r, g, b, a] = background.0;
        pixmap.fill(Color::from_rgba8(r, g, b, a));
        Some(Self { pixmap })
    }

    /// The picture as a PNG file; `None` if the encoder fails.
    #[must_use]
    pub fn to_png(&self) -> Option<Vec<u8>> {
        self.pixmap.encode_png().ok()
    }

    /// The colour of a pixel; `None` outside the picture.
    #[must_use]
    pub fn pixel(&self, x: u32, y: u32) -> Option<Rgba> {
        let color = self.pixmap.pixel(x, y)?.demultiply();
        Some(Rgba([color.red(), color.green(), color.blue(), color.alpha()]))
    }
}

impl Canvas for Raster {
    fn fill(&mut self, points: &[[f32; 2]], color: Rgba) {
        if let Some(path) = path(points, true) {
            self.pixmap.fill_path(&path, &paint(color), FillRule::Winding, Transform::identity(), None);
        }
    }

    fn stroke(&mut self, points: &[[f32; 2]], closed: bool, color: Rgba, width: f32) {
        if let Some(path) = path(points, closed) {
            let stroke = Stroke { width, line_join: LineJoin::Round, ..Stroke::default() };
            self.pixmap.stroke_path(&path, &paint(color), &stroke, Transform::identity(), None);
        }
    }

    fn text(&mut self, at: [f32; 2], text: &str, size: f32, anchor: Anchor, color: Rgba) {
        let scale = 0.72 * size / glyphs::CAPITAL;
        let width = glyphs::width(text) * scale;
        let left = match anchor {
            Anchor::Left => at[0],
            Anchor::Center => at[0] - 0.5 * width,
            Anchor::Right => at[0] - width,
        };
        let top = at[1] - 0.36 * size;
        let line = (0.1 * size).max(1.1);
        let (cap, join) = (LineCap::Round, LineJoin::Round);
        let stroke = Stroke { width: line, line_cap: cap, line_join: join, ..Stroke::default() };
        for points in glyphs::strokes(text) {
            let mut points: Vec<[f32; 2]> =
                points.iter().map(|p| [left + p[0] * scale, top + p[1] * scale]).collect();
            if let [dot] = points[..] {
                points.push([dot[0], dot[1] + 0.01]);
            }
            if let Some(path) = path(&points, false) {
                self.pixmap.stroke_path(&path, &paint(color), &stroke, Transform::identity(), None);
            }
        }
    }
}

fn paint(color: Rgba) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    let [r, g, b, a] = color.0;
    paint.set_color_rgba8(r, g, b, a);
    paint
}

fn path(points: &[[f32; 2]], closed: bool) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for (index, &[x, y]) in points.iter().enumerate() {
        if index == 0 { builder.move_to(x, y) } else { builder.line_to(x, y) }
    }
    if closed {
        builder.close();
    }
    builder.finish()
}
