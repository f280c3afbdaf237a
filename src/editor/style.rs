//! How panels look: colours, type and spacing, once. What is drawn on the canvas has its colours in `draw::Theme`.

use egui::{Color32, CornerRadius, FontFamily, FontId, Margin, Stroke, TextStyle, Visuals, vec2};

use super::canvas::ink::color32;
use super::canvas::paint::THEME;
use crate::bake::Severity;
use crate::draw::Role;

/// Behind panels.
pub const PANEL: Color32 = Color32::from_rgb(0x25, 0x28, 0x2D);
/// Behind the menu and status bars.
pub const BAR: Color32 = Color32::from_rgb(0x1F, 0x22, 0x26);
/// Behind fields and lists.
pub const FIELD: Color32 = Color32::from_rgb(0x19, 0x1B, 0x1F);
/// Buttons.
pub const RAISED: Color32 = Color32::from_rgb(0x35, 0x3A, 0x41);
/// Buttons under the cursor.
pub const RAISED_HOVER: Color32 = Color32::from_rgb(0x43, 0x49, 0x52);
/// What is on or picked.
pub const ACCENT: Color32 = Color32::from_rgb(0x2A, 0x6F, 0xA8);
/// Lines between panels.
pub const LINE: Color32 = Color32::from_rgb(0x3A, 0x3F, 0x46);
/// Words.
pub const TEXT: Color32 = Color32::from_rgb(0xDD, 0xE1, 0xE6);
/// Words that matter.
pub const TEXT_STRONG: Color32 = Color32::from_rgb(0xFF, 0xFF, 0xFF);
/// Words that explain.
pub const TEXT_WEAK: Color32 = Color32::from_rgb(0x9E, 0xA6, 0xB0);
/// Behind rulers.
pub const RULER: Color32 = Color32::from_rgb(0x21, 0x24, 0x28);
/// Ticks of rulers.
pub const RULER_LINE: Color32 = Color32::from_rgb(0x4C, 0x52, 0x5A);
/// Good news.
pub const GOOD: Color32 = Color32::from_rgb(0x2F, 0xD3, 0xA0);

/// Sets fonts, colours and spacing of a context.
pub fn apply(context: &egui::Context) {
    egui_material_icons::initialize(context);
    context.set_theme(egui::Theme::Dark);
    context.all_styles_mut(|style| {
        let font = |size| FontId::new(size, FontFamily::Proportional);
        style.text_styles = [
            (TextStyle::Small, font(11.0)),
            (TextStyle::Body, font(13.0)),
            (TextStyle::Button, font(13.0)),
            (TextStyle::Heading, font(15.0)),
            (TextStyle::Monospace, FontId::new(12.0, FontFamily::Monospace)),
        ]
        .into();
        style.spacing.item_spacing = vec2(6.0, 5.0);
        style.spacing.button_padding = vec2(8.0, 3.0);
        style.spacing.interact_size = vec2(32.0, 22.0);
        style.spacing.menu_margin = Margin::same(6);
        style.spacing.indent = 14.0;
        style.spacing.scroll = egui::style::ScrollStyle::solid();
        style.spacing.scroll.bar_width = 7.0;
        style.spacing.scroll.foreground_color = false;
        style.interaction.tooltip_delay = 0.35;
        style.visuals = visuals();
    });
}

fn visuals() -> Visuals {
    let mut visuals = Visuals::dark();
    let radius = CornerRadius::same(4);
    visuals.panel_fill = PANEL;
    visuals.window_fill = PANEL;
    visuals.window_stroke = Stroke::new(1.0, LINE);
    visuals.window_corner_radius = CornerRadius::same(8);
    visuals.menu_corner_radius = CornerRadius::same(6);
    visuals.extreme_bg_color = FIELD;
    visuals.text_edit_bg_color = Some(FIELD);
    visuals.faint_bg_color = Color32::from_rgb(0x2A, 0x2D, 0x33);
    visuals.hyperlink_color = sky();
    visuals.selection.bg_fill = ACCENT;
    visuals.selection.stroke = Stroke::new(1.0, TEXT_STRONG);
    visuals.weak_text_color = Some(TEXT_WEAK);
    visuals.warn_fg_color = severity_color(Severity::Warning);
    visuals.error_fg_color = Color32::from_rgb(0xFF, 0x8A, 0x3D);
    let widgets = &mut visuals.widgets;
    widgets.noninteractive.bg_stroke = Stroke::new(1.0, LINE);
    widgets.noninteractive.fg_stroke = Stroke::new(1.0, TEXT);
    widgets.inactive.fg_stroke = Stroke::new(1.0, TEXT);
    widgets.inactive.weak_bg_fill = RAISED;
    widgets.inactive.bg_fill = RAISED;
    widgets.hovered.fg_stroke = Stroke::new(1.0, TEXT_STRONG);
    widgets.hovered.weak_bg_fill = RAISED_HOVER;
    widgets.hovered.bg_fill = RAISED_HOVER;
    widgets.hovered.bg_stroke = Stroke::new(1.0, Color32::from_rgb(0x5A, 0x62, 0x6C));
    widgets.active.fg_stroke = Stroke::new(1.0, TEXT_STRONG);
    widgets.active.weak_bg_fill = ACCENT;
    widgets.active.bg_fill = ACCENT;
    widgets.open.weak_bg_fill = RAISED_HOVER;
    widgets.open.bg_fill = RAISED_HOVER;
    let all = [
        &mut widgets.noninteractive,
        &mut widgets.inactive,
        &mut widgets.hovered,
        &mut widgets.active,
        &mut widgets.open,
    ];
    for widget in all {
        widget.corner_radius = radius;
        widget.expansion = 0.0;
    }
    visuals
}

/// The colour of an issue's sign, as on the canvas.
#[must_use]
pub fn severity_color(severity: Severity) -> Color32 {
    role_color(match severity {
        Severity::Error => Role::Error,
        Severity::Warning => Role::Warning,
        Severity::Note => Role::Note,
    })
}

/// A role's colour, as on the canvas.
#[must_use]
pub fn role_color(role: Role) -> Color32 {
    let style = THEME.style(role);
    let color = style.stroke.map(|stroke| stroke.color).filter(|_| style.fill.is_none() || is_line(role));
    color.or(style.fill).map_or(TEXT, color32)
}

fn is_line(role: Role) -> bool {
    matches!(role, Role::Walk | Role::Hole)
}

fn sky() -> Color32 {
    severity_color(Severity::Note)
}

/// The frame of a side panel.
pub fn side_frame() -> egui::Frame {
    egui::Frame::new().fill(PANEL).inner_margin(Margin::symmetric(10, 8))
}

/// The frame of a bar.
pub fn bar_frame() -> egui::Frame {
    egui::Frame::new().fill(BAR).inner_margin(Margin::symmetric(8, 4))
}
