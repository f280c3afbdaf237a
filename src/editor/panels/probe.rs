//! The column of voxels under a place as a chart: its spans from below, each with its height, head room, slope, and what
//! the bake says of its top.

use egui::{Color32, FontId, Rect, RichText, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use egui_material_icons::icons::{ICON_CHECK, ICON_CLOSE};

use crate::bake::Severity;
use crate::bake::voxel::{Verdict, VoxelProbe};
use crate::editor::state::State;
use crate::editor::style;
use crate::editor::words;

/// Height of the chart, in points.
const HIGH: f32 = 170.0;
/// Breadth of the column in it.
const BROAD: f32 = 46.0;
/// Least height of a row of words.
const ROW: f32 = 32.0;

/// Shows the section, where a voxel bake was asked.
pub(super) fn show(ui: &mut Ui, state: &State) {
    let Some((_, found)) = &state.probe.found else { return };
    let colors = style::of(ui.ctx());
    ui.add_space(6.0);
    ui.label(RichText::new("Voxels under it, from above").size(10.5).color(colors.weak));
    let probe = match found {
        Ok(probe) => probe,
        Err(why) => {
            ui.label(RichText::new(format!("not looked at: {why}")).color(colors.strong));
            return;
        }
    };
    if probe.spans.is_empty() {
        let warning = style::severity_color(ui.ctx(), Severity::Warning);
        ui.label(RichText::new("no triangle and no drawn floor lies here").color(warning));
        return;
    }
    chart(ui, &state.seen_column(probe));
}

/// The spans at their heights on the left, what is to be said of them on the right, each beside its span as far as there
/// is room.
fn chart(ui: &mut Ui, probe: &VoxelProbe) {
    let (Some(first), Some(last)) = (probe.spans.first(), probe.spans.last()) else { return };
    let colors = style::of(ui.ctx());
    let high = HIGH.max(probe.spans.len() as f32 * ROW + 8.0).min(520.0);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), high), Sense::hover());
    let painter = ui.painter_at(rect);
    // Some sky above the highest span.
    let (low, top) = (first.low, last.high + 0.12 * (last.high - first.low).max(1.0));
    let y_of = |value: f64| rect.max.y - 4.0 - ((value - low) / (top - low)) as f32 * (high - 8.0);
    let column = Rect::from_min_max(pos2(rect.min.x + 2.0, rect.min.y), pos2(rect.min.x + BROAD, rect.max.y));
    painter.rect_stroke(column, 2.0, Stroke::new(1.0, colors.line), egui::StrokeKind::Inside);
    let mut above = rect.min.y;
    for (index, span) in probe.spans.iter().enumerate().rev() {
        let body = Rect::from_min_max(
            pos2(column.min.x + 6.0, y_of(span.high)),
            pos2(column.max.x - 6.0, y_of(span.low).max(y_of(span.high) + 2.0)),
        );
        painter.rect_filled(body, 1.0, colors.weak.gamma_multiply(0.55));
        let walkable = matches!(span.verdict, Verdict::Walkable { .. });
        let color: Color32 =
            if walkable { colors.good } else { style::severity_color(ui.ctx(), Severity::Warning) };
        painter.hline(body.x_range(), body.min.y, Stroke::new(3.0, color));
        // The words, not over those of the span above, and not below what the rest needs.
        let rest = index as f32 * ROW;
        let at = (body.min.y - 8.0).max(above).min(rect.max.y - rest - ROW);
        let from = pos2(column.max.x + 10.0, at);
        painter.line_segment(
            [pos2(body.max.x + 1.0, body.min.y), pos2(from.x - 3.0, at + 8.0)],
            Stroke::new(1.0, colors.line),
        );
        let width = rect.max.x - from.x;
        let sign = if walkable { ICON_CHECK } else { ICON_CLOSE }.codepoint;
        let verdict =
            painter.layout(format!("{sign} {}", span.verdict), FontId::proportional(12.0), color, width);
        let measures =
            painter.layout(words::span_measures(span), FontId::proportional(10.5), colors.weak, width);
        let measures_at = from + vec2(0.0, verdict.size().y);
        let words_rect = Rect::from_min_size(from, vec2(width, verdict.size().y + measures.size().y));
        painter.galley(from, verdict, color);
        painter.galley(measures_at, measures, colors.weak);
        above = words_rect.max.y + 2.0;
        let id = ui.scope_id().with(("span", index));
        let response = ui.interact(words_rect.union(body), id, Sense::hover());
        let label = format!("Span {}: {}", index + 1, words::span(span));
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, label.clone()));
        response.on_hover_text(format!("{label}; stage: {}", span.verdict.stage()));
    }
}
