//! The window as a canvas of the draw room: shapes become one triangle mesh and some words, which can be kept.

use std::sync::Arc;

use egui::epaint::{PathShape, Tessellator};
use egui::{Align2, Color32, FontId, Mesh, Pos2, Shape, Stroke};

use crate::draw::{self, Anchor, Rgba, Theme};
use crate::editor::style::{self, color32};

/// Opaque enough for a smooth rim; fainter fills are cut into pieces whose smooth rims would show.
const SMOOTH: u8 = 250;

/// Collects triangles and words.
pub struct Ink {
    context: egui::Context,
    tessellator: Tessellator,
    mesh: Mesh,
    done: Vec<Shape>,
    /// Words apart from the triangles, where they are asked for.
    words: Option<Vec<Shape>>,
    /// What all colours are weakened by, 0..=1.
    pub opacity: f32,
    /// What colours roles have.
    pub theme: Theme,
}

impl std::fmt::Debug for Ink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Ink({} triangles, {} shapes)", self.mesh.indices.len() / 3, self.done.len())
    }
}

impl Ink {
    /// An empty canvas for this context's pixels.
    #[must_use]
    pub fn new(context: &egui::Context) -> Self {
        let options = context.tessellation_options(|options| *options);
        let pixels = context.pixels_per_point();
        let tessellator = Tessellator::new(pixels, options, [1, 1], Vec::new());
        let theme = style::theme(context);
        Self {
            context: context.clone(),
            tessellator,
            mesh: Mesh::default(),
            done: Vec::new(),
            words: None,
            opacity: 1.0,
            theme,
        }
    }

    /// What was painted, in order.
    #[must_use]
    pub fn finish(mut self) -> Vec<Shape> {
        self.flush();
        self.done
    }

    /// What `paint` paints as triangles, and the words, which lie above them all.
    #[must_use]
    pub fn apart(mut self, paint: impl FnOnce(&mut Self)) -> (Mesh, Vec<Shape>) {
        self.words = Some(Vec::new());
        paint(&mut self);
        (self.mesh, self.words.unwrap_or_default())
    }

    /// Fills a convex outline.
    pub fn fill_convex(&mut self, points: &[[f32; 2]], color: Color32) {
        if points.len() < 3 {
            return;
        }
        if color.a() >= SMOOTH {
            let path = PathShape::convex_polygon(positions(points), color, Stroke::NONE);
            self.tessellator.tessellate_path(&path, &mut self.mesh);
            return;
        }
        let Ok(base) = u32::try_from(self.mesh.vertices.len()) else { return };
        points.iter().for_each(|&point| self.mesh.colored_vertex(point.into(), color));
        (2..points.len())
            .zip(2_u32..)
            .for_each(|(_, at)| self.mesh.add_triangle(base, base + at - 1, base + at));
    }

    fn flush(&mut self) {
        if !self.mesh.is_empty() {
            self.done.push(Shape::mesh(Arc::new(std::mem::take(&mut self.mesh))));
        }
    }
}

impl draw::Canvas for Ink {
    fn fill(&mut self, points: &[[f32; 2]], color: Rgba) {
        self.fill_convex(points, color32(color).gamma_multiply(self.opacity));
    }

    fn stroke(&mut self, points: &[[f32; 2]], closed: bool, color: Rgba, width: f32) {
        let stroke = Stroke::new(width, color32(color).gamma_multiply(self.opacity));
        let points = positions(points);
        let ends = if closed { points.len() } else { points.len().saturating_sub(1) };
        if ends > 1 && has_spike(&points, closed) {
            // Joined ends would shoot far beyond a sharp corner.
            for at in 0..ends {
                let part = vec![points[at], points[(at + 1) % points.len()]];
                self.tessellator.tessellate_path(&PathShape::line(part, stroke), &mut self.mesh);
            }
            return;
        }
        let path =
            if closed { PathShape::closed_line(points, stroke) } else { PathShape::line(points, stroke) };
        self.tessellator.tessellate_path(&path, &mut self.mesh);
    }

    fn text(&mut self, at: [f32; 2], text: &str, size: f32, anchor: Anchor, color: Rgba) {
        let color = color32(color).gamma_multiply(self.opacity);
        let font = FontId::proportional(size * 1.2);
        let galley = self.context.fonts_mut(|fonts| fonts.layout_no_wrap(text.to_owned(), font, color));
        let align = match anchor {
            Anchor::Left => Align2::LEFT_CENTER,
            Anchor::Center => Align2::CENTER_CENTER,
            Anchor::Right => Align2::RIGHT_CENTER,
        };
        let corner = align.anchor_size(at.into(), galley.size()).min;
        let word = Shape::galley(corner, galley, color);
        if let Some(words) = &mut self.words {
            return words.push(word);
        }
        self.flush();
        self.done.push(word);
    }

    fn convex_only(&self) -> bool {
        true
    }
}

fn positions(points: &[[f32; 2]]) -> Vec<Pos2> {
    points.iter().map(|&point| point.into()).collect()
}

/// Whether a line turns back by more than 150° at some corner.
fn has_spike(points: &[Pos2], closed: bool) -> bool {
    let count = points.len();
    let corners = if closed { 0..count } else { 1..count.saturating_sub(1) };
    corners.into_iter().any(|at| {
        let (before, here, after) = (points[(at + count - 1) % count], points[at], points[(at + 1) % count]);
        let (into, out) = ((here - before).normalized(), (after - here).normalized());
        into.dot(out) < -0.866
    })
}
