//! Rulers in squares on two sides, with the cursor's place.

use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Stroke, pos2, vec2};

use crate::draw::{View, nice_step};
use crate::editor::style;

/// Breadth of a ruler, in points.
pub const BREADTH: f32 = 20.0;
/// Least distance between numbers, in points.
const APART: f64 = 56.0;

/// The canvas without the rulers.
#[must_use]
pub fn inner(canvas: Rect) -> Rect {
    Rect::from_min_max(canvas.min + vec2(2.0 * BREADTH - 4.0, BREADTH), canvas.max)
}

/// Paints both rulers over the rim of the canvas.
pub fn paint(painter: &Painter, canvas: Rect, view: &View, cursor: Option<Pos2>) {
    let inside = inner(canvas);
    let top = Rect::from_min_max(canvas.min, pos2(canvas.max.x, inside.min.y));
    let left = Rect::from_min_max(pos2(canvas.min.x, inside.min.y), pos2(inside.min.x, canvas.max.y));
    let (ground, line, ink) = (
        style::of(painter.ctx()).ruler,
        Stroke::new(1.0, style::of(painter.ctx()).ruler_line),
        style::of(painter.ctx()).weak,
    );
    painter.rect_filled(top, 0.0, ground);
    painter.rect_filled(left, 0.0, ground);
    painter.hline(canvas.x_range(), top.max.y, line);
    painter.vline(left.max.x, canvas.y_range(), line);
    let step = nice_step(APART / view.scale);
    let [low, high] = view.shown();
    let font = FontId::proportional(10.0);
    for axis in 0..2 {
        let (first, last) = ((low[axis] / step).floor(), (high[axis] / step).ceil());
        if !(first..first + 1000.0).contains(&last) {
            continue;
        }
        let mut index = first;
        while index <= last {
            for fifth in 0..5 {
                let value = (index + f64::from(fifth) / 5.0) * step;
                let at: Pos2 = view.pixel_from_world([value, value]).into();
                let long = if fifth == 0 { 7.0 } else { 3.0 };
                if axis == 0 && inside.x_range().contains(at.x) {
                    painter.vline(at.x, top.max.y - long..=top.max.y, line);
                } else if axis == 1 && inside.y_range().contains(at.y) {
                    painter.hline(left.max.x - long..=left.max.x, at.y, line);
                }
            }
            let value = index * step;
            let at: Pos2 = view.pixel_from_world([value, value]).into();
            // Steps are round in decimals; what is left over is noise.
            let text = format!("{}", (value * 1e6).round() / 1e6 + 0.0);
            if axis == 0 && inside.x_range().contains(at.x) {
                painter.text(pos2(at.x + 3.0, top.min.y + 7.0), Align2::LEFT_CENTER, text, font.clone(), ink);
            } else if axis == 1 && inside.y_range().contains(at.y) {
                painter.text(pos2(left.max.x - 9.0, at.y), Align2::RIGHT_CENTER, text, font.clone(), ink);
            }
            index += 1.0;
        }
    }
    if let Some(cursor) = cursor {
        let mark = Stroke::new(1.0, Color32::from_rgb(0xF0, 0xE4, 0x42));
        painter.vline(cursor.x, top.y_range(), mark);
        painter.hline(left.x_range(), cursor.y, mark);
    }
    let corner = Rect::from_min_max(canvas.min, inside.min);
    painter.rect_filled(corner, 0.0, ground);
    painter.text(
        corner.center(),
        Align2::CENTER_CENTER,
        "z | x",
        FontId::proportional(9.0),
        style::of(painter.ctx()).weak,
    );
}
