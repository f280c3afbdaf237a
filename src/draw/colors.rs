//! A colour, sets of colours for what is drawn, and how eyes that lack a kind of cone see them.

/// Red, green, blue and opacity, 0..=255, not premultiplied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rgba(pub [u8; 4]);

/// Red, green and blue of the things that a user may colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it all")]
pub struct OwnColors {
    pub walk: [u8; 3],
    pub hole: [u8; 3],
    pub other_levels: [u8; 3],
    pub stitched: [u8; 3],
    pub unstitched: [u8; 3],
    pub link: [u8; 3],
    pub path: [u8; 3],
}

/// A set of colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Colors {
    /// Okabe and Ito's, which stay apart for every common kind of colour blindness.
    #[default]
    Standard,
    /// The same hues, farther from a black or white ground, with wider lines.
    HighContrast,
    /// The user's own. Lines with less than 3 : 1 against the ground get a rim.
    Own(OwnColors),
}

/// Eyes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sight {
    /// With all three kinds of cones.
    #[default]
    Usual,
    /// Without those for long waves (red).
    Protanopia,
    /// Without those for middle waves (green).
    Deuteranopia,
    /// Without those for short waves (blue).
    Tritanopia,
}

/// The colours of one set on one ground, as `0xRRGGBB`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Palette {
    pub(super) ground: u32,
    pub(super) walk: u32,
    pub(super) walk_line: u32,
    pub(super) hole: u32,
    pub(super) other_levels: u32,
    pub(super) stitched: u32,
    pub(super) seam: u32,
    pub(super) unstitched: u32,
    pub(super) link: u32,
    pub(super) path: u32,
}

impl Default for OwnColors {
    fn default() -> Self {
        let Palette { walk_line, hole, other_levels, stitched, unstitched, link, path, .. } =
            Palette::of(Colors::Standard, true);
        let bytes = |rgb: u32| {
            let [_, red, green, blue] = rgb.to_be_bytes();
            [red, green, blue]
        };
        Self {
            walk: bytes(walk_line),
            hole: bytes(hole),
            other_levels: bytes(other_levels),
            stitched: bytes(stitched),
            unstitched: bytes(unstitched),
            link: bytes(link),
            path: bytes(path),
        }
    }
}

impl Palette {
    pub(super) fn of(colors: Colors, dark: bool) -> Self {
        let standard = Self {
            ground: if dark { 0x1B_1D_21 } else { 0xF7_F7_F4 },
            walk: 0x00_72_B2,
            walk_line: if dark { 0x56_B4_E9 } else { 0x00_72_B2 },
            hole: 0xD5_5E_00,
            other_levels: if dark { 0x9A_9A_9A } else { 0x80_80_80 },
            stitched: 0x00_9E_73,
            seam: 0x2F_D3_A0,
            unstitched: 0xE6_9F_00,
            link: 0xCC_79_A7,
            path: 0xF0_E4_42,
        };
        match (colors, dark) {
            (Colors::Standard, _) => standard,
            (Colors::HighContrast, true) => Self {
                ground: 0,
                walk: 0x2A_8F_D0,
                walk_line: 0x8A_D4_FF,
                hole: 0xFF_9A_4D,
                other_levels: 0xCC_CC_CC,
                stitched: 0x35_E0_AC,
                seam: 0x6B_F5_CC,
                unstitched: 0xFF_C1_33,
                link: 0xFF_9F_D6,
                path: 0xFF_F3_5A,
            },
            (Colors::HighContrast, false) => Self {
                ground: 0xFF_FF_FF,
                walk: 0x00_5A_96,
                walk_line: 0x00_40_6E,
                hole: 0x9C_3A_00,
                other_levels: 0x4A_4A_4A,
                stitched: 0x00_5A_41,
                seam: 0x00_6B_4E,
                unstitched: 0x80_52_00,
                link: 0x84_2A_60,
                path: 0xF0_E4_42,
            },
            (Colors::Own(own), _) => {
                let rgb = |[red, green, blue]: [u8; 3]| u32::from_be_bytes([0, red, green, blue]);
                Self {
                    walk: rgb(own.walk),
                    walk_line: rgb(own.walk),
                    hole: rgb(own.hole),
                    other_levels: rgb(own.other_levels),
                    stitched: rgb(own.stitched),
                    seam: rgb(own.stitched),
                    unstitched: rgb(own.unstitched),
                    link: rgb(own.link),
                    path: rgb(own.path),
                    ..standard
                }
            }
        }
    }
}

impl Sight {
    /// How a colour looks to these eyes.
    #[must_use]
    pub fn see(self, color: Rgba) -> Rgba {
        let Some(matrix) = self.matrix() else { return color };
        let [red, green, blue, opacity] = color.0;
        let light = [red, green, blue].map(light_of);
        let seen = matrix.map(|row| byte_of(row[0] * light[0] + row[1] * light[1] + row[2] * light[2]));
        Rgba([seen[0], seen[1], seen[2], opacity])
    }

    /// On linear light, as Machado, Oliveira and Fernandes give them for a whole lack (severity 1.0): A physiologically
    /// based model for simulation of color vision deficiency, IEEE TVCG 15 (6), 2009, table of matrices.
    fn matrix(self) -> Option<[[f64; 3]; 3]> {
        match self {
            Self::Usual => None,
            Self::Protanopia => Some([
                [0.152_286, 1.052_583, -0.204_868],
                [0.114_503, 0.786_281, 0.099_216],
                [-0.003_882, -0.048_116, 1.051_998],
            ]),
            Self::Deuteranopia => Some([
                [0.367_322, 0.860_646, -0.227_968],
                [0.280_085, 0.672_501, 0.047_413],
                [-0.011_820, 0.042_940, 0.968_881],
            ]),
            Self::Tritanopia => Some([
                [1.255_528, -0.076_749, -0.178_779],
                [-0.078_411, 0.930_809, 0.147_602],
                [0.004_733, 0.691_367, 0.303_900],
            ]),
        }
    }
}

impl Rgba {
    /// A colour from its hexadecimal form, with an opacity of 0..=100 per cent.
    #[must_use]
    pub const fn hex(rgb: u32, per_cent: u8) -> Self {
        let [_, r, g, b] = rgb.to_be_bytes();
        Self([r, g, b, (per_cent as u16 * 255 / 100) as u8])
    }

    /// Its hexadecimal form without opacity, as `#rrggbb`.
    #[must_use]
    pub fn hex_text(self) -> String {
        let [r, g, b, _] = self.0;
        format!("#{r:02x}{g:02x}{b:02x}")
    }

    /// Opacity, 0..=1.
    #[must_use]
    pub fn opacity(self) -> f32 {
        f32::from(self.0[3]) / 255.0
    }

    /// How much lighter one of two opaque colours is than the other, 1 to 21, as WCAG 2.1 defines it.
    #[must_use]
    pub fn contrast(self, other: Self) -> f64 {
        let luminance = |color: Self| {
            let [red, green, blue, _] = color.0.map(light_of);
            0.2126 * red + 0.7152 * green + 0.0722 * blue
        };
        let [a, b] = [luminance(self), luminance(other)];
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }
}

/// Linear light of an sRGB byte, 0 to 1.
fn light_of(byte: u8) -> f64 {
    let value = f64::from(byte) / 255.0;
    if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

/// The sRGB byte nearest to a linear light.
fn byte_of(light: f64) -> u8 {
    let light = light.clamp(0.0, 1.0);
    let value = if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255")]
    let byte = (value * 255.0).round() as u8;
    byte
}
