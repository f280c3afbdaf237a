//! How panels look: colours, type and spacing, once. What is drawn on the canvas has its colours in `draw::Theme`.

use egui::{Color32, CornerRadius, FontFamily, FontId, Margin, Stroke, TextStyle, Visuals, vec2};

use crate::bake::Severity;
use crate::draw::{self, Rgba, Role, Sight, Theme};

/// The colours of panels, for one theme.
#[derive(Clone, Copy, Debug)]
pub struct Colors {
    /// Behind panels.
    pub panel: Color32,
    /// Behind the menu and status bars.
    pub bar: Color32,
    /// Behind fields and lists.
    pub field: Color32,
    /// Buttons.
    pub raised: Color32,
    /// Buttons under the cursor.
    pub raised_hover: Color32,
    /// What is on or picked.
    pub accent: Color32,
    /// Words on what is on or picked.
    pub on_accent: Color32,
    /// Lines between panels.
    pub line: Color32,
    /// Words.
    pub text: Color32,
    /// Words that matter.
    pub strong: Color32,
    /// Words that explain.
    pub weak: Color32,
    /// Behind rulers.
    pub ruler: Color32,
    /// Ticks of rulers.
    pub ruler_line: Color32,
    /// Good news.
    pub good: Color32,
    /// Bad news.
    pub bad: Color32,
    /// Behind words on the canvas.
    pub plate: Color32,
}

const DARK: Colors = Colors {
    panel: Color32::from_rgb(0x25, 0x28, 0x2D),
    bar: Color32::from_rgb(0x1F, 0x22, 0x26),
    field: Color32::from_rgb(0x19, 0x1B, 0x1F),
    raised: Color32::from_rgb(0x35, 0x3A, 0x41),
    raised_hover: Color32::from_rgb(0x43, 0x49, 0x52),
    accent: Color32::from_rgb(0x2A, 0x6F, 0xA8),
    on_accent: Color32::WHITE,
    line: Color32::from_rgb(0x3A, 0x3F, 0x46),
    text: Color32::from_rgb(0xDD, 0xE1, 0xE6),
    strong: Color32::WHITE,
    weak: Color32::from_rgb(0x9E, 0xA6, 0xB0),
    ruler: Color32::from_rgb(0x21, 0x24, 0x28),
    ruler_line: Color32::from_rgb(0x4C, 0x52, 0x5A),
    good: Color32::from_rgb(0x2F, 0xD3, 0xA0),
    bad: Color32::from_rgb(0xFF, 0x8A, 0x3D),
    plate: Color32::from_black_alpha(215),
};

const LIGHT: Colors = Colors {
    panel: Color32::from_rgb(0xEE, 0xEF, 0xF1),
    bar: Color32::from_rgb(0xE3, 0xE5, 0xE8),
    field: Color32::WHITE,
    raised: Color32::from_rgb(0xDA, 0xDD, 0xE2),
    raised_hover: Color32::from_rgb(0xCA, 0xCF, 0xD6),
    accent: Color32::from_rgb(0x1F, 0x6F, 0xB2),
    on_accent: Color32::WHITE,
    line: Color32::from_rgb(0xC4, 0xC9, 0xD0),
    text: Color32::from_rgb(0x25, 0x29, 0x2F),
    strong: Color32::BLACK,
    weak: Color32::from_rgb(0x56, 0x5E, 0x68),
    ruler: Color32::from_rgb(0xE8, 0xEA, 0xEC),
    ruler_line: Color32::from_rgb(0x9A, 0xA2, 0xAC),
    good: Color32::from_rgb(0x00, 0x6B, 0x4C),
    bad: Color32::from_rgb(0xB0, 0x3F, 0x00),
    plate: Color32::from_rgba_premultiplied(235, 235, 235, 235),
};

/// The colours of panels.
#[must_use]
pub fn of(context: &egui::Context) -> &'static Colors {
    if context.theme() == egui::Theme::Dark { &DARK } else { &LIGHT }
}

/// The theme of what is drawn on the canvas.
#[must_use]
pub fn theme(context: &egui::Context) -> Theme {
    let (colors, sight) = context.data(|data| data.get_temp(colors_id())).unwrap_or_default();
    Theme { dark: context.theme() == egui::Theme::Dark, colors, sight }
}

/// Chooses the colours of the canvas, and the eyes that it is seen with.
pub fn set_colors(context: &egui::Context, colors: draw::Colors, sight: Sight) {
    context.data_mut(|data| data.insert_temp(colors_id(), (colors, sight)));
}

fn colors_id() -> egui::Id {
    egui::Id::unique("canvas colors")
}

/// Sets fonts, colours and spacing of a context.
pub fn apply(context: &egui::Context) {
    egui_material_icons::initialize(context);
    // Ctrl with + and - is the interface's scale in the preferences.
    context.options_mut(|options| options.zoom_with_keyboard = false);
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
    });
    context.set_visuals_of(egui::Theme::Dark, visuals(Visuals::dark(), &DARK, Theme::DARK));
    context.set_visuals_of(egui::Theme::Light, visuals(Visuals::light(), &LIGHT, Theme::LIGHT));
}

/// Turns what glides and fades off, or on again as it was.
pub fn set_motion(context: &egui::Context, reduced: bool) {
    let id = egui::Id::unique("reduced motion");
    let was = context.data(|data| data.get_temp::<bool>(id)).unwrap_or(false);
    if was != reduced {
        context.data_mut(|data| data.insert_temp(id, reduced));
        let time = if reduced { 0.0 } else { egui::Style::default().animation_time };
        context.all_styles_mut(|style| style.animation_time = time);
    }
}

fn visuals(mut visuals: Visuals, colors: &Colors, theme: Theme) -> Visuals {
    let radius = CornerRadius::same(4);
    visuals.panel_fill = colors.panel;
    visuals.window_fill = colors.panel;
    visuals.window_stroke = Stroke::new(1.0, colors.line);
    visuals.window_corner_radius = CornerRadius::same(8);
    visuals.menu_corner_radius = CornerRadius::same(6);
    visuals.extreme_bg_color = colors.field;
    visuals.text_edit_bg_color = Some(colors.field);
    visuals.faint_bg_color = colors.bar;
    visuals.hyperlink_color = color_in(theme, Role::Note);
    visuals.selection.bg_fill = colors.accent;
    visuals.selection.stroke = Stroke::new(1.0, colors.on_accent);
    visuals.weak_text_color = Some(colors.weak);
    visuals.warn_fg_color = color_in(theme, Role::Warning);
    visuals.error_fg_color = colors.bad;
    let widgets = &mut visuals.widgets;
    widgets.noninteractive.bg_stroke = Stroke::new(1.0, colors.line);
    widgets.noninteractive.fg_stroke = Stroke::new(1.0, colors.text);
    widgets.inactive.fg_stroke = Stroke::new(1.0, colors.text);
    widgets.inactive.weak_bg_fill = colors.raised;
    widgets.inactive.bg_fill = colors.raised;
    widgets.hovered.fg_stroke = Stroke::new(1.0, colors.strong);
    widgets.hovered.weak_bg_fill = colors.raised_hover;
    widgets.hovered.bg_fill = colors.raised_hover;
    widgets.hovered.bg_stroke = Stroke::new(1.0, colors.ruler_line);
    widgets.active.fg_stroke = Stroke::new(1.0, colors.on_accent);
    widgets.active.weak_bg_fill = colors.accent;
    widgets.active.bg_fill = colors.accent;
    widgets.open.weak_bg_fill = colors.raised_hover;
    widgets.open.bg_fill = colors.raised_hover;
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
pub fn severity_color(context: &egui::Context, severity: Severity) -> Color32 {
    let role = match severity {
        Severity::Error => Role::Error,
        Severity::Warning => Role::Warning,
        Severity::Note => Role::Note,
    };
    legible(role_color(context, role), of(context).panel)
}

/// A colour that words can have on a ground: on a light one, so much darker that its contrast is 4.5 : 1.
fn legible(color: Color32, ground: Color32) -> Color32 {
    let contrast = |a: Color32, b: Color32| {
        let [a, b] = [a, b].map(|color| Rgba(color.to_srgba_unmultiplied()));
        a.contrast(b)
    };
    if contrast(ground, Color32::WHITE) > contrast(ground, Color32::BLACK) {
        return color;
    }
    let shades = (0_u8..20).map(|step| color.lerp_to_gamma(Color32::BLACK, f32::from(step) / 20.0));
    shades.into_iter().find(|&shade| contrast(shade, ground) >= 4.5).unwrap_or(Color32::BLACK)
}

/// A role's colour, as on the canvas.
#[must_use]
pub fn role_color(context: &egui::Context, role: Role) -> Color32 {
    color_in(theme(context), role)
}

fn color_in(theme: Theme, role: Role) -> Color32 {
    let style = theme.style(role);
    let is_line = matches!(role, Role::Walk | Role::Hole);
    let color = style.stroke.map(|stroke| stroke.color).filter(|_| style.fill.is_none() || is_line);
    color.or(style.fill).map_or(Color32::GRAY, color32)
}

/// The frame of a side panel.
pub fn side_frame(context: &egui::Context) -> egui::Frame {
    egui::Frame::new().fill(of(context).panel).inner_margin(Margin::symmetric(10, 8))
}

/// The frame of a bar.
pub fn bar_frame(context: &egui::Context) -> egui::Frame {
    egui::Frame::new().fill(of(context).bar).inner_margin(Margin::symmetric(8, 4))
}

/// A theme's colour as egui has it.
#[must_use]
pub fn color32(color: Rgba) -> Color32 {
    let [r, g, b, a] = color.0;
    Color32::from_rgba_unmultiplied(r, g, b, a)
}
