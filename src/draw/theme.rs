//! Role → colour, width and dashes: the only place that knows them.
//!
//! The colours are Okabe and Ito's, which stay apart for every common kind of colour blindness; each role has a
//! second sign besides (dashes, hatch, rungs, form). On the light background coloured lines get a dark casing.

use super::Role;
use super::colors::{Colors, Palette, Rgba, Sight};

/// A line's look, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Its colour.
    pub color: Rgba,
    /// Its width.
    pub width: f32,
    /// Lengths of dash and gap; `None` is a solid line.
    pub dash: Option<[f32; 2]>,
}

/// A role's look.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Style {
    /// The colour inside.
    pub fill: Option<Rgba>,
    /// Lines inside.
    pub hatch: Option<Rgba>,
    /// Which way these lines go.
    pub lean: Lean,
    /// A wider line under the line.
    pub casing: Option<Stroke>,
    /// The line.
    pub stroke: Option<Stroke>,
    /// Height of letters and breadth of markers, in pixels.
    pub size: f32,
}

/// Which way a hatch goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum Lean {
    /// At 45°, up to the right.
    #[default]
    Right,
    /// At 45°, up to the left.
    Left,
    Level,
    Upright,
    /// `Right` and `Left` over each other.
    Crossed,
}

/// A ground, a set of colours, and the eyes that look at them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    /// Whether the ground is dark.
    pub dark: bool,
    /// The colours.
    pub colors: Colors,
    /// Who looks: everybody else than those with usual sight is simulated.
    pub sight: Sight,
}

impl Default for Theme {
    fn default() -> Self {
        Self::DARK
    }
}

const VERMILION: u32 = 0xD5_5E_00;
const GREEN: u32 = 0x00_9E_73;
const ORANGE: u32 = 0xE6_9F_00;
const PURPLE: u32 = 0xCC_79_A7;
const YELLOW: u32 = 0xF0_E4_42;
const SKY: u32 = 0x56_B4_E9;
const GREY: u32 = 0x9A_9A_9A;
const INK: u32 = 0x1B_1D_21;
const BLACK: u32 = 0;
const WHITE: u32 = 0xFF_FF_FF;

/// Least contrast of a line against the ground.
pub const LEAST_CONTRAST: f64 = 3.0;

/// Floors from three below the ground to three above: the higher the lighter.
const FLOORS: [u32; 7] = [0x14_24_4F, 0x17_36_6B, 0x13_4B_86, 0x0F_66_A6, 0x2C_86_C4, 0x5D_A7_DA, 0x96_C8_EA];

impl Theme {
    /// The standard colours on a dark ground.
    pub const DARK: Self = Self { dark: true, colors: Colors::Standard, sight: Sight::Usual };
    /// The standard colours on a light ground.
    pub const LIGHT: Self = Self { dark: false, ..Self::DARK };

    /// The colour behind everything.
    #[must_use]
    pub fn background(self) -> Rgba {
        self.sight.see(Rgba::hex(self.palette().ground, 100))
    }

    fn palette(self) -> Palette {
        Palette::of(self.colors, self.dark)
    }

    /// How a role looks.
    #[must_use]
    pub fn style(self, role: Role) -> Style {
        let (dark, palette) = (self.dark, self.palette());
        let style = match role {
            Role::Grid => thin(self.ink(7)),
            Role::GridMajor => thin(self.ink(16)),
            Role::Axis => thin(self.ink(32)),
            Role::Walk => filled(palette.walk, 35).line(palette.walk_line, 1.5),
            Role::Typed([red, green, blue]) => {
                let rgb = u32::from_be_bytes([0, red, green, blue]);
                filled(rgb, 30).hatched(rgb, 45).line(palette.walk_line, 1.5)
            }
            Role::Hole => filled(palette.hole, 20).hatched(palette.hole, 40).line(palette.hole, 1.5),
            Role::LevelBelow => line(palette.other_levels, 1.0),
            Role::LevelAbove => line(palette.other_levels, 1.0).dashed(5.0, 4.0),
            Role::Draft => line(if dark { WHITE } else { BLACK }, 1.5),
            Role::DraftClosing => line(if dark { WHITE } else { BLACK }, 1.0).dashed(5.0, 4.0),
            Role::Barrier => filled(ORANGE, 100).line(ORANGE, 3.0).cased(BLACK, 5.5).sized(13.0),
            Role::DraftCrossing => line(ORANGE, 2.5).sized(14.0),
            Role::Badge => filled(WHITE, 100).line(BLACK, 1.2).sized(16.0),
            Role::BadgeText => Style { fill: Some(Rgba::hex(BLACK, 100)), size: 9.5, ..Style::default() },
            Role::Measure => line(YELLOW, 2.0).cased(BLACK, 4.0),
            Role::MeasureText => filled(WHITE, 100).sized(11.0),
            Role::Walker => filled(palette.path, 40).line(palette.path, 1.5).cased(BLACK, 3.0),
            Role::Trail => line(palette.path, 1.5).cased(BLACK, 3.0),
            Role::TrailSlid => line(palette.path, 4.0).cased(BLACK, 6.0),
            Role::Polygon(level) => Style { fill: Some(floor(level)), ..Style::default() },
            Role::Height(part) => Style { fill: Some(height(part)), ..Style::default() },
            Role::Relief(value) => relief(value, dark),
            Role::Island(number) => island(number),
            Role::IslandLabel => filled(WHITE, 100).sized(11.0),
            Role::FaintPolygon => filled(GREY, 12),
            Role::Ground => filled(palette.walk, 40),
            Role::StageFloor => filled(SKY, 45),
            Role::StageGone => filled(palette.hole, 45).hatched(palette.hole, 90).line(palette.hole, 1.5),
            Role::StageShade(value) => filled(shade(value, dark), 88),
            Role::StageDetail => thin(self.ink(45)),
            Role::FailedTile => Style {
                lean: Lean::Crossed,
                ..filled(palette.hole, 10).hatched(palette.hole, 60).line(palette.hole, 1.5)
            },
            Role::Stale => filled(GREY, 18).hatched(GREY, 45),
            Role::InnerEdge => thin(Rgba::hex(WHITE, if dark { 26 } else { 40 })),
            Role::Wall => line(if dark { 0xE8_EE_F4 } else { INK }, 1.6),
            Role::TileBorder => thin(self.ink(34)).dashed(2.0, 4.0),
            Role::Portal => line(palette.stitched, 1.2).sized(3.4),
            Role::LonelyPortal => line(palette.unstitched, 1.8).dashed(6.0, 4.0).sized(7.0),
            Role::Seam => line(palette.seam, 1.5).sized(7.0),
            Role::Link => filled(palette.link, 100).line(palette.link, 2.0).sized(7.0),
            Role::LinkRadius => line(palette.link, 1.0).dashed(3.0, 3.0),
            Role::LooseLink => line(palette.link, 1.6).dashed(4.0, 4.0).sized(9.0),
            Role::Corridor => filled(palette.path, 14),
            Role::Path => line(palette.path, 3.0).cased(BLACK, 5.0),
            Role::PathJump => line(palette.path, 3.0).dashed(7.0, 5.0).cased(BLACK, 5.0),
            Role::PathStart | Role::PathEnd => filled(palette.path, 100).line(BLACK, 1.2).sized(17.0),
            Role::LevelChange => filled(palette.path, 100).line(BLACK, 1.0).sized(15.0),
            Role::Selection => line(WHITE, 2.5).cased(BLACK, 5.0).sized(9.0),
            Role::Hover => line(WHITE, 1.5).cased(BLACK, 3.5).sized(8.0),
            Role::Handle => filled(WHITE, 100).line(BLACK, 1.0).sized(7.0),
            Role::Ghost => line(if dark { WHITE } else { BLACK }, 1.2).sized(11.0),
            Role::Error => filled(VERMILION, 100).line(BLACK, 1.0).sized(15.0),
            Role::Warning => filled(ORANGE, 100).line(BLACK, 1.0).sized(14.0),
            Role::Note => filled(SKY, 100).line(BLACK, 1.0).sized(10.0),
            Role::LevelLabel => filled(WHITE, 92).sized(15.0),
            Role::Label => Style { fill: Some(self.ink(92)), size: 12.0, ..Style::default() },
            Role::Ruler => Style { fill: Some(self.ink(62)), size: 10.0, ..thin(self.ink(40)) },
        };
        // High contrast has colours for a light ground that are dark themselves.
        let bright = !dark && self.colors != Colors::HighContrast;
        let style = if bright { style.cased_on_light(role) } else { style };
        let style = match self.colors {
            Colors::Standard => style,
            Colors::HighContrast => style.bold(),
            Colors::Own(_) => style.rimmed(dark, Rgba::hex(palette.ground, 100)),
        };
        if self.sight == Sight::Usual { style } else { style.seen(self.sight) }
    }

    /// White on dark, dark on light, with an opacity in per cent.
    fn ink(self, per_cent: u8) -> Rgba {
        Rgba::hex(if self.dark { WHITE } else { INK }, per_cent)
    }
}

impl Style {
    fn line(mut self, rgb: u32, width: f32) -> Self {
        self.stroke = Some(Stroke { color: Rgba::hex(rgb, 100), width, dash: None });
        self
    }

    fn dashed(mut self, dash: f32, gap: f32) -> Self {
        self.stroke = self.stroke.map(|stroke| Stroke { dash: Some([dash, gap]), ..stroke });
        self
    }

    fn cased(mut self, rgb: u32, width: f32) -> Self {
        self.casing = self.stroke.map(|stroke| Stroke { color: Rgba::hex(rgb, 100), width, ..stroke });
        self
    }

    fn hatched(mut self, rgb: u32, per_cent: u8) -> Self {
        self.hatch = Some(Rgba::hex(rgb, per_cent));
        self
    }

    fn sized(mut self, size: f32) -> Self {
        self.size = size;
        self
    }

    /// Wider lines, and signs that have room for them.
    fn bold(mut self) -> Self {
        const FACTOR: f32 = 1.4;
        let more = self.stroke.map_or(0.0, |stroke| stroke.width * (FACTOR - 1.0));
        for stroke in [&mut self.stroke, &mut self.casing].into_iter().flatten() {
            stroke.width += more;
        }
        if self.stroke.is_some() {
            self.size *= 1.25;
        }
        self
    }

    /// A rim under a coloured line that would hardly be seen on the ground; thin lines are meant to be faint.
    fn rimmed(self, dark: bool, ground: Rgba) -> Self {
        // Signs are seen by their inside.
        if self
            .fill
            .is_some_and(|fill| fill.0[3] == u8::MAX && Some(fill) != self.stroke.map(|line| line.color))
        {
            return self;
        }
        let is_seen = |stroke: Stroke| stroke.color.contrast(ground) >= LEAST_CONTRAST;
        match (self.stroke, self.casing) {
            (Some(stroke), casing)
                if stroke.color.0[3] == u8::MAX && !is_seen(stroke) && !casing.is_some_and(is_seen) =>
            {
                let width = casing.map_or(stroke.width + 2.0, |casing| casing.width);
                self.cased(if dark { WHITE } else { INK }, width)
            }
            _ => self,
        }
    }

    /// As other eyes see it.
    fn seen(mut self, sight: Sight) -> Self {
        for color in [&mut self.fill, &mut self.hatch].into_iter().flatten() {
            *color = sight.see(*color);
        }
        for stroke in [&mut self.stroke, &mut self.casing].into_iter().flatten() {
            stroke.color = sight.see(stroke.color);
        }
        self
    }

    /// Bright lines on a light background: 1 pixel of dark on each side.
    fn cased_on_light(self, role: Role) -> Self {
        let bright = matches!(
            role,
            Role::Seam | Role::Portal | Role::LonelyPortal | Role::Link | Role::LooseLink | Role::LinkRadius
        );
        match self.stroke {
            Some(stroke) if bright && self.casing.is_none() => self.cased(INK, stroke.width + 2.0),
            _ => self,
        }
    }
}

/// A grey that stands out from the ground the more the greater the value.
fn shade(value: u8, dark: bool) -> u32 {
    let part = u32::from(value) * 150 / 255;
    let grey = if dark { 66 + part } else { 222 - part };
    grey << 16 | grey << 8 | (grey + 8).min(255)
}

/// A grey between the ground and its opposite; its own rim closes the seam to the next triangle.
fn relief(value: u8, dark: bool) -> Style {
    let grey = if dark { 40 + u32::from(value) * 110 / 255 } else { 150 + u32::from(value) * 90 / 255 };
    let rgb = grey << 16 | grey << 8 | (grey + 8).min(255);
    filled(rgb, 100).line(rgb, 0.7)
}

fn filled(rgb: u32, per_cent: u8) -> Style {
    Style { fill: Some(Rgba::hex(rgb, per_cent)), ..Style::default() }
}

fn line(rgb: u32, width: f32) -> Style {
    Style::default().line(rgb, width)
}

fn thin(color: Rgba) -> Style {
    Style { stroke: Some(Stroke { color, width: 1.0, dash: None }), ..Style::default() }
}

/// Colours and directions have no common divisor, so as many islands as both multiplied look different.
fn island(number: u32) -> Style {
    const COLORS: [u32; 7] = [ORANGE, GREEN, PURPLE, YELLOW, SKY, VERMILION, GREY];
    const LEANS: [Lean; 4] = [Lean::Right, Lean::Left, Lean::Level, Lean::Upright];
    let rgb = COLORS[number as usize % COLORS.len()];
    Style { lean: LEANS[number as usize % LEANS.len()], ..filled(rgb, 40).hatched(rgb, 60) }
}

/// Between the colours of floors, the higher the lighter.
fn height(part: u8) -> Rgba {
    // The darkest hardly stand out from a dark ground.
    let floors = &FLOORS[2..];
    let place = usize::from(part) * (floors.len() - 1);
    let [from, to] = [place / 255, place.div_ceil(255)].map(|index| floors[index].to_be_bytes());
    let mix = |index: usize| {
        let [from, to] = [from[index], to[index]].map(u32::from);
        let rest = (place % 255) as u32;
        (from * (255 - rest) + to * rest) / 255
    };
    Rgba::hex(mix(1) << 16 | mix(2) << 8 | mix(3), 92)
}

fn floor(level: i8) -> Rgba {
    let index = usize::from((level.clamp(-3, 3) + 3).unsigned_abs());
    Rgba::hex(FLOORS[index], 92)
}
