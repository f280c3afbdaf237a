//! A plot in a file: its numbers as comma-separated values, or a picture of it.

use super::figure::{Body, Figure, Kind};
use crate::draw::{Anchor, Canvas, Raster, Rgba, Theme, nice_step};

/// Pixels of a picture.
const SIZE: [u32; 2] = [1200, 720];
/// Room around the plot for words, in pixels: left, top, right, below.
const MARGIN: [f32; 4] = [84.0, 64.0, 24.0, 64.0];
/// Colours of the parts of bars, told apart by most eyes, and by their order and the legend besides.
pub(crate) const SERIES: [[u8; 3]; 8] = [
    [0, 114, 178],
    [230, 159, 0],
    [0, 158, 115],
    [204, 121, 167],
    [86, 180, 233],
    [213, 94, 0],
    [240, 228, 66],
    [154, 154, 154],
];

/// The colour of a part; of more parts than there are colours the rest are paler.
pub(crate) fn series_color(number: usize) -> [u8; 3] {
    let strong = SERIES[number % SERIES.len()];
    if number < SERIES.len() { strong } else { strong.map(|channel| channel / 2 + 118) }
}

/// The numbers, a line each, under a line of names. Words are quoted where they have to be (RFC 4180).
#[must_use]
pub fn csv(figure: &Figure) -> String {
    let mut lines: Vec<Vec<String>> = Vec::new();
    match &figure.body {
        Body::Bars { series, bars, .. } => {
            let value = |x: f64| (if figure.log { x.exp2() } else { x }).to_string();
            let names = [format!("{} from", figure.x), format!("{} to", figure.x)];
            lines.push(names.into_iter().chain(series.iter().cloned()).chain(["words".to_owned()]).collect());
            for bar in bars {
                let sides = bar.sides.map(value).into_iter();
                let parts = bar.parts.iter().map(f64::to_string);
                lines.push(sides.chain(parts).chain([bar.words.replace('\n', "; ")]).collect());
            }
        }
        Body::Heat(cells) => {
            lines.push(["tile x", "tile z", "value", "words"].map(str::to_owned).to_vec());
            for cell in cells {
                let [x, z] = cell.tile.map(|value| value.to_string());
                lines.push(vec![x, z, cell.value.to_string(), cell.words.clone()]);
            }
        }
        Body::Course(places) => {
            let names = ["along", "height", "level", "x", "z", "jump", "steepest"];
            lines.push(names.map(str::to_owned).to_vec());
            for place in places {
                let [x, z] = place.place.map(|value| value.to_string());
                let flag = |on: bool| u8::from(on).to_string();
                let (along, height) = (place.along.to_string(), place.height.to_string());
                lines.push(vec![
                    along,
                    height,
                    place.level.to_string(),
                    x,
                    z,
                    flag(place.jumps),
                    flag(place.steepest),
                ]);
            }
        }
    }
    let quoted = |word: &String| {
        if word.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", word.replace('"', "\"\""))
        } else {
            word.clone()
        }
    };
    lines.iter().map(|line| line.iter().map(quoted).collect::<Vec<_>>().join(",") + "\r\n").collect()
}

/// Where numbers come to lie in the picture.
struct Axes {
    low: [f64; 2],
    high: [f64; 2],
}

impl Axes {
    #[allow(clippy::cast_possible_truncation, reason = "pixels")]
    fn at(&self, [x, y]: [f64; 2]) -> [f32; 2] {
        let [left, top, right, below] = MARGIN;
        let (width, height) = (SIZE[0] as f32 - left - right, SIZE[1] as f32 - top - below);
        let part = |value: f64, axis: usize| {
            ((value - self.low[axis]) / (self.high[axis] - self.low[axis]).max(1e-12)) as f32
        };
        [left + width * part(x, 0), top + height * (1.0 - part(y, 1))]
    }

    fn rect(&self, [x0, x1]: [f64; 2], [y0, y1]: [f64; 2]) -> [[f32; 2]; 4] {
        [[x0, y0], [x1, y0], [x1, y1], [x0, y1]].map(|corner| self.at(corner))
    }
}

/// A picture of the plot as a PNG file.
///
/// # Errors
/// A sentence that says what went wrong.
pub fn png(kind: Kind, figure: &Figure, theme: Theme) -> Result<Vec<u8>, String> {
    let (ink, weak) = if theme.dark {
        (Rgba([236, 238, 242, 255]), Rgba([150, 154, 162, 120]))
    } else {
        (Rgba([28, 30, 34, 255]), Rgba([110, 114, 122, 120]))
    };
    let mut raster = Raster::new(SIZE[0], SIZE[1], theme.background())
        .ok_or_else(|| "no room for the picture".to_owned())?;
    let axes = axes(figure);
    grid(&mut raster, figure, &axes, ink, weak);
    match &figure.body {
        Body::Bars { series, bars, mark } => {
            for bar in bars {
                let mut from = 0.0;
                for (number, part) in bar.parts.iter().enumerate() {
                    let corners = axes.rect(bar.sides, [from, from + part]);
                    let [r, g, b] = series_color(number);
                    raster.fill(&corners, Rgba([r, g, b, 255]));
                    raster.stroke(&corners, true, theme.background(), 1.0);
                    from += part;
                }
            }
            if let Some((at, words)) = mark {
                let [top, below] = [axes.high[1], axes.low[1]].map(|y| axes.at([*at, y]));
                raster.stroke(&[top, below], false, ink, 2.0);
                raster.text([top[0] + 6.0, top[1] + 12.0], words, 14.0, Anchor::Left, ink);
            }
            legend(&mut raster, series, ink);
        }
        Body::Heat(cells) => {
            let most = cells.iter().map(|cell| cell.value).fold(0.0, f64::max);
            for cell in cells {
                let [x, z] = cell.tile.map(f64::from);
                let corners = axes.rect([x, x + 1.0], [z, z + 1.0]);
                let [r, g, b] = heat_color(cell.value / most.max(1e-12));
                raster.fill(&corners, Rgba([r, g, b, 255]));
                raster.stroke(&corners, true, theme.background(), 1.0);
                if cells.len() <= 400 {
                    let middle = axes.at([x + 0.5, z + 0.5]);
                    raster.text(
                        middle,
                        &cell.words,
                        12.0,
                        Anchor::Center,
                        on_heat(cell.value / most.max(1e-12)),
                    );
                }
            }
        }
        Body::Course(places) => {
            for pair in places.windows(2) {
                let ends = [0, 1].map(|at| axes.at([pair[at].along, pair[at].height]));
                let [r, g, b] = if pair[0].steepest { SERIES[5] } else { SERIES[0] };
                let (color, width) = (Rgba([r, g, b, 255]), if pair[0].steepest { 5.0 } else { 2.5 });
                let dashes = if pair[0].jumps { 8 } else { 1 };
                for dash in (0..dashes).filter(|dash| dashes == 1 || dash % 2 == 0) {
                    let part = |number: usize| {
                        let part = number as f32 / dashes as f32;
                        [0, 1].map(|axis| ends[0][axis] + (ends[1][axis] - ends[0][axis]) * part)
                    };
                    raster.stroke(&[part(dash), part(dash + 1)], false, color, width);
                }
            }
        }
    }
    raster.text([MARGIN[0], 26.0], kind.name(), 20.0, Anchor::Left, ink);
    raster.to_png().ok_or_else(|| "the picture cannot be written as PNG".to_owned())
}

/// From dark to bright, so that it is read without colours too.
pub(crate) fn heat_color(part: f64) -> [u8; 3] {
    const FROM: [f64; 3] = [32.0, 52.0, 96.0];
    const TO: [f64; 3] = [250.0, 220.0, 96.0];
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between two colours")]
    let mixed = [0, 1, 2].map(|at| (FROM[at] + (TO[at] - FROM[at]) * part.clamp(0.0, 1.0)) as u8);
    mixed
}

/// What is written on such a colour.
pub(crate) fn on_heat(part: f64) -> Rgba {
    if part > 0.45 { Rgba([20, 20, 24, 255]) } else { Rgba([244, 244, 248, 255]) }
}

fn axes(figure: &Figure) -> Axes {
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    let mut reach = |point: [f64; 2]| {
        for axis in 0..2 {
            low[axis] = low[axis].min(point[axis]);
            high[axis] = high[axis].max(point[axis]);
        }
    };
    match &figure.body {
        Body::Bars { bars, mark, .. } => {
            for bar in bars {
                reach([bar.sides[0], 0.0]);
                reach([bar.sides[1], bar.parts.iter().sum()]);
            }
            if let Some((at, _)) = mark {
                reach([*at, 0.0]);
            }
        }
        Body::Heat(cells) => {
            for cell in cells {
                let [x, z] = cell.tile.map(f64::from);
                reach([x, z]);
                reach([x + 1.0, z + 1.0]);
            }
        }
        Body::Course(places) => places.iter().for_each(|place| reach([place.along, place.height])),
    }
    let flat = matches!(figure.body, Body::Course(_));
    if flat && high[1] - low[1] < 1.0 {
        (low[1], high[1]) = (low[1] - 0.5, high[1] + 0.5);
    }
    Axes { low, high }
}

fn grid(raster: &mut Raster, figure: &Figure, axes: &Axes, ink: Rgba, weak: Rgba) {
    for axis in 0..2 {
        let step = nice_step((axes.high[axis] - axes.low[axis]) / 8.0);
        let first = (axes.low[axis] / step).ceil();
        let count = ((axes.high[axis] / step).floor() - first + 1.0).clamp(0.0, 40.0);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 40")]
        for number in 0..count as u32 {
            let value = (first + f64::from(number)) * step;
            let ends = if axis == 0 {
                [[value, axes.low[1]], [value, axes.high[1]]]
            } else {
                [[axes.low[0], value], [axes.high[0], value]]
            };
            let ends = ends.map(|end| axes.at(end));
            raster.stroke(&ends, false, weak, 1.0);
            let shown = if axis == 0 && figure.log { value.exp2() } else { value };
            let text = crate::editor::words::number(shown);
            if axis == 0 {
                raster.text([ends[0][0], ends[0][1] + 14.0], &text, 13.0, Anchor::Center, ink);
            } else {
                raster.text([ends[0][0] - 8.0, ends[0][1]], &text, 13.0, Anchor::Right, ink);
            }
        }
    }
    let middle = MARGIN[0] + 0.5 * (SIZE[0] as f32 - MARGIN[0] - MARGIN[2]);
    raster.text([middle, SIZE[1] as f32 - 18.0], figure.x, 14.0, Anchor::Center, ink);
    raster.text([12.0, MARGIN[1] - 16.0], figure.y, 14.0, Anchor::Left, ink);
}

/// The parts' names, in a row at the top.
fn legend(raster: &mut Raster, series: &[String], ink: Rgba) {
    if series.len() < 2 {
        return;
    }
    let mut x = 330.0;
    for (number, name) in series.iter().enumerate() {
        let [r, g, b] = series_color(number);
        let square = [[x, 20.0], [x + 12.0, 20.0], [x + 12.0, 32.0], [x, 32.0]];
        raster.fill(&square, Rgba([r, g, b, 255]));
        raster.text([x + 17.0, 26.0], name, 12.0, Anchor::Left, ink);
        x += 34.0 + 7.6 * name.chars().count() as f32;
    }
}
