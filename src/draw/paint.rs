//! Shapes to pixels: fills, hatches, dashes, ladders and signs as four plain calls that any canvas can do.

use super::colors::Rgba;
use super::theme::{Lean, Stroke, Style, Theme};
use super::{Anchor, Role, Shape, Sign, View};

/// Something to paint on, in pixels, y down.
pub trait Canvas {
    /// Fills a closed outline by the non-zero rule.
    fn fill(&mut self, points: &[[f32; 2]], color: Rgba);

    /// Draws a solid line through points, with round joins if it can.
    fn stroke(&mut self, points: &[[f32; 2]], closed: bool, color: Rgba, width: f32);

    /// Writes a word of letters `size` pixels high, its middle line at `at`.
    fn text(&mut self, at: [f32; 2], text: &str, size: f32, anchor: Anchor, color: Rgba);

    /// Whether [`Canvas::fill`] gets convex outlines alone.
    fn convex_only(&self) -> bool {
        false
    }
}

/// Paints shapes in order; those wholly outside the view are passed over.
pub fn paint<'a>(
    shapes: impl IntoIterator<Item = &'a Shape>,
    view: &View,
    theme: Theme,
    canvas: &mut dyn Canvas,
) {
    let mut painter = Painter { view, theme, canvas };
    for shape in shapes {
        painter.shape(shape);
    }
}

struct Painter<'a> {
    view: &'a View,
    theme: Theme,
    canvas: &'a mut dyn Canvas,
}

/// Pixels outside the view in which things are still painted: the reach of markers, words and wide lines.
const MARGIN: f32 = 40.0;

impl Painter<'_> {
    fn shape(&mut self, shape: &Shape) {
        let style = self.theme.style(shape.role());
        match shape {
            Shape::Lines { segments, role } => self.lines(segments, *role, &style),
            _ if !self.is_in_sight(shape) => {}
            Shape::Convex { points, .. } => self.area(points, None, &style),
            Shape::Area { outline, pieces, .. } => self.area(outline, Some(pieces), &style),
            Shape::Polyline { points, closed, .. } => self.line(&self.pixels(points), *closed, &style),
            Shape::Ladder { from, to, .. } => self.ladder(self.pixel(*from), self.pixel(*to), &style),
            Shape::Circle { center, radius, .. } => self.circle(*center, *radius, &style),
            Shape::Marker { at, sign, role } => self.marker(self.pixel(*at), *sign, *role, &style),
            Shape::Text { at, text, anchor, role } => {
                self.word(self.pixel(*at), text, *anchor, *role, &style)
            }
        }
    }

    fn pixel(&self, place: [f64; 2]) -> [f32; 2] {
        self.view.pixel_from_world(place)
    }

    fn pixels(&self, points: &[[f64; 2]]) -> Vec<[f32; 2]> {
        points.iter().map(|&point| self.pixel(point)).collect()
    }

    fn is_in_sight(&self, shape: &Shape) -> bool {
        let mut found: Option<[[f32; 2]; 2]> = None;
        shape.for_each_point(&mut |point| {
            let p = self.pixel(point);
            let [min, max] = found.get_or_insert([p, p]);
            *min = [min[0].min(p[0]), min[1].min(p[1])];
            *max = [max[0].max(p[0]), max[1].max(p[1])];
        });
        let (low, high) = self.sight();
        found.is_some_and(|[min, max]| (0..2).all(|axis| min[axis] <= high[axis] && low[axis] <= max[axis]))
    }

    fn sight(&self) -> ([f32; 2], [f32; 2]) {
        let View { min, max, .. } = self.view;
        ([min[0] - MARGIN, min[1] - MARGIN], [max[0] + MARGIN, max[1] + MARGIN])
    }

    fn clip(&self, from: [f32; 2], to: [f32; 2]) -> Option<[[f32; 2]; 2]> {
        let (low, high) = self.sight();
        clip(from, to, low, high)
    }

    fn area(&mut self, outline: &[[f64; 2]], pieces: Option<&Vec<Vec<[f64; 2]>>>, style: &Style) {
        let points = self.pixels(outline);
        if let Some(color) = style.fill {
            match pieces.filter(|_| self.canvas.convex_only()) {
                Some(pieces) => pieces.iter().for_each(|piece| {
                    let piece = self.pixels(piece);
                    self.canvas.fill(&piece, color);
                }),
                None => self.canvas.fill(&points, color),
            }
        }
        if let Some(color) = style.hatch {
            let leans: &[Lean] = match style.lean {
                Lean::Crossed => &[Lean::Right, Lean::Left],
                Lean::Right => &[Lean::Right],
                Lean::Left => &[Lean::Left],
                Lean::Level => &[Lean::Level],
                Lean::Upright => &[Lean::Upright],
            };
            leans.iter().for_each(|&lean| self.hatch(&points, color, lean));
        }
        self.line(&points, true, style);
    }

    fn line(&mut self, points: &[[f32; 2]], closed: bool, style: &Style) {
        for stroke in [style.casing, style.stroke].into_iter().flatten() {
            self.stroke(points, closed, &stroke);
        }
    }

    fn stroke(&mut self, points: &[[f32; 2]], closed: bool, stroke: &Stroke) {
        match stroke.dash {
            None => self.canvas.stroke(points, closed, stroke.color, stroke.width),
            Some(dash) => self.dashes(points, closed, stroke, dash),
        }
    }

    fn dashes(&mut self, points: &[[f32; 2]], closed: bool, stroke: &Stroke, [dash, gap]: [f32; 2]) {
        let next = points.iter().cycle().skip(1);
        let count = if closed { points.len() } else { points.len().saturating_sub(1) };
        // Where in the pattern the next segment begins.
        let mut phase = 0.0;
        for (&from, &to) in points.iter().zip(next).take(count) {
            let whole = distance(from, to);
            if let Some([a, b]) = self.clip(from, to) {
                let mut at = -((phase + distance(from, a)) % (dash + gap));
                let length = distance(a, b);
                while at < length {
                    let ends = [at.max(0.0), (at + dash).min(length)];
                    if ends[0] < ends[1] {
                        let ends = ends.map(|end| mix(a, b, end / length));
                        self.canvas.stroke(&ends, false, stroke.color, stroke.width);
                    }
                    at += dash + gap;
                }
            }
            phase = (phase + whole) % (dash + gap);
        }
    }

    /// Stitched borders are two lines side by side, what is not stitched has a tick across each of its dashes.
    fn lines(&mut self, segments: &[[[f64; 2]; 2]], role: Role, style: &Style) {
        let half = 0.5 * style.size;
        let sides: &[f32] = if role == Role::Portal { &[half, -half] } else { &[0.0] };
        for stroke in [style.casing, style.stroke].into_iter().flatten() {
            for &[from, to] in segments {
                let (from, to) = (self.pixel(from), self.pixel(to));
                let (Some(ends), length) = (self.clip(from, to), distance(from, to)) else { continue };
                let along = if length > 0.0 {
                    [(to[0] - from[0]) / length, (to[1] - from[1]) / length]
                } else {
                    [0.0; 2]
                };
                for side in sides {
                    let ends = ends.map(|p| [p[0] - along[1] * side, p[1] + along[0] * side]);
                    self.stroke(&ends, false, &stroke);
                }
                if role == Role::LonelyPortal && length > 0.0 {
                    self.ticks(from, along, ends, half, &stroke);
                }
            }
        }
    }

    /// Ticks of some half length across the dashes of a line from `from` on, where it is in sight.
    fn ticks(&mut self, from: [f32; 2], along: [f32; 2], [a, b]: [[f32; 2]; 2], half: f32, stroke: &Stroke) {
        let Some([dash, gap]) = stroke.dash else { return };
        let (pitch, shown, before) = (dash + gap, distance(a, b), distance(from, a));
        let mut at = (0.5 * dash - before).rem_euclid(pitch);
        while at < shown {
            let [x, y] = mix(a, b, at / shown);
            let (dx, dy) = (-along[1] * half, along[0] * half);
            self.canvas.stroke(&[[x + dx, y + dy], [x - dx, y - dy]], false, stroke.color, stroke.width);
            at += pitch;
        }
    }

    /// Two lines beside the seam with a rung every so often; a seam too short for rungs keeps one.
    fn ladder(&mut self, from: [f32; 2], to: [f32; 2], style: &Style) {
        let length = distance(from, to);
        let Some([a, b]) = self.clip(from, to).filter(|_| length > 0.0) else { return };
        let along = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
        let half = 0.5 * style.size;
        let beside = |p: [f32; 2], side: f32| [p[0] - along[1] * side, p[1] + along[0] * side];
        let rails = [half, -half].map(|side| vec![beside(a, side), beside(b, side)]);
        // The first rung lies half a pitch after the seam's own end, in sight or not.
        let (pitch, shown) = (style.size, distance(a, b));
        let mut along_shown = (0.5 - distance(from, a) / pitch).rem_euclid(1.0) * pitch;
        let mut lines = Vec::from(rails);
        while along_shown < shown {
            let at = mix(a, b, along_shown / shown);
            lines.push(vec![beside(at, half), beside(at, -half)]);
            along_shown += pitch;
        }
        if lines.len() == 2 {
            let at = mix(a, b, 0.5);
            lines.push(vec![beside(at, half), beside(at, -half)]);
        }
        for stroke in [style.casing, style.stroke].into_iter().flatten() {
            lines.iter().for_each(|line| self.stroke(line, false, &stroke));
        }
    }

    fn circle(&mut self, center: [f64; 2], radius: f64, style: &Style) {
        let points =
            ring(48).map(|[x, y]| [center[0] + radius * f64::from(x), center[1] + radius * f64::from(y)]);
        let points: Vec<[f64; 2]> = points.collect();
        self.area(&points, None, style);
    }

    fn marker(&mut self, at: [f32; 2], sign: Sign, role: Role, style: &Style) {
        let r = 0.5 * style.size;
        let disc = |r: f32| ring(24).map(|[x, y]| [at[0] + r * x, at[1] + r * y]).collect::<Vec<_>>();
        let place =
            |list: &[[f32; 2]]| list.iter().map(|p| [at[0] + r * p[0], at[1] + r * p[1]]).collect::<Vec<_>>();
        let square = [[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]];
        let cross = [[[-0.6, -0.6], [0.6, 0.6]], [[-0.6, 0.6], [0.6, -0.6]]];
        match sign {
            Sign::Disc => self.body(&disc(r), style),
            Sign::Ring => self.line(&disc(r), true, &solid(style)),
            Sign::RingCross => {
                self.line(&disc(r), true, &solid(style));
                cross.iter().for_each(|line| self.line(&place(line), false, &solid(style)));
            }
            Sign::Square => self.body(&place(&square), style),
            Sign::EmptySquare => self.line(&place(&square), true, &solid(style)),
            Sign::Diamond => {
                let corners = [[0.0, -1.2], [1.2, 0.0], [0.0, 1.2], [-1.2, 0.0]];
                self.line(&place(&corners), true, &solid(style));
            }
            Sign::Plus => {
                for line in [[[-1.0, 0.0], [1.0, 0.0]], [[0.0, -1.0], [0.0, 1.0]]] {
                    self.line(&place(&line), false, style);
                }
            }
            Sign::Cross => cross.iter().for_each(|line| self.line(&place(line), false, style)),
            Sign::Octagon => {
                let (a, b) = (1.0, 0.414);
                let corners = [[b, a], [a, b], [a, -b], [b, -a], [-b, -a], [-a, -b], [-a, b], [-b, a]];
                self.body(&place(&corners), style);
                let white = Stroke { color: Rgba::hex(0xFF_FF_FF, 100), width: 1.8, dash: None };
                let white = Style { stroke: Some(white), ..Style::default() };
                cross
                    .iter()
                    .for_each(|line| self.line(&place(&line.map(|p| p.map(|v| v * 0.7))), false, &white));
            }
            Sign::Triangle => self.body(&place(&[[0.0, -1.0], [1.0, 0.8], [-1.0, 0.8]]), style),
            Sign::DiscLetter(letter) => {
                self.body(&disc(r), style);
                self.letter(at, letter.encode_utf8(&mut [0; 4]), r);
            }
            Sign::DiscNumber(number) => {
                self.body(&disc(r), style);
                self.letter(at, &number.to_string(), 0.9 * r);
            }
            Sign::SquareLetter(letter) => {
                self.body(&place(&square), style);
                self.letter(at, letter.encode_utf8(&mut [0; 4]), r);
            }
            Sign::ArrowHead(direction) => {
                let pixels = [direction[0], -direction[1]];
                #[allow(clippy::cast_possible_truncation, reason = "a direction, for showing")]
                let turn = pixels[1].atan2(pixels[0]) as f32;
                let (sin, cos) = turn.sin_cos();
                let size = style.size * if role == Role::Selection { 1.2 } else { 1.5 };
                let corner = |x: f32, y: f32| {
                    let [x, y] = [x * size, y * size];
                    [at[0] + x * cos - y * sin, at[1] + x * sin + y * cos]
                };
                let head = [corner(0.0, 0.0), corner(-1.0, 0.45), corner(-0.75, 0.0), corner(-1.0, -0.45)];
                self.arrow_head(&head, style);
            }
        }
    }

    fn arrow_head(&mut self, corners: &[[f32; 2]; 4], style: &Style) {
        let Some(color) = style.fill.or(style.stroke.map(|stroke| stroke.color)) else { return };
        if let Some(casing) = style.casing {
            self.canvas.stroke(corners, true, casing.color, 2.0);
        }
        for half in [[0, 1, 2], [0, 2, 3]] {
            let points = half.map(|index| corners[index]);
            self.canvas.fill(&points, color);
        }
    }

    fn body(&mut self, points: &[[f32; 2]], style: &Style) {
        if let Some(color) = style.fill.or(style.stroke.map(|stroke| stroke.color)) {
            self.canvas.fill(points, color);
        }
        self.line(points, true, &solid(style));
    }

    fn letter(&mut self, at: [f32; 2], text: &str, size: f32) {
        self.canvas.text(at, text, size, Anchor::Center, Rgba::hex(0, 100));
    }

    fn word(&mut self, at: [f32; 2], text: &str, anchor: Anchor, role: Role, style: &Style) {
        let Some(color) = style.fill else { return };
        // Below the level's number, which may stand at the same place.
        let at = if role == Role::IslandLabel { [at[0], at[1] + 1.9 * style.size] } else { at };
        if role == Role::LevelLabel {
            // A dark plate, so that the number reads on any floor.
            let r = 0.78 * style.size;
            let plate: Vec<[f32; 2]> = ring(24).map(|[x, y]| [at[0] + r * x, at[1] + r * y]).collect();
            self.canvas.fill(&plate, Rgba::hex(0, 55));
            return self.canvas.text(at, text, 0.72 * style.size, Anchor::Center, color);
        }
        if matches!(role, Role::MeasureText | Role::IslandLabel) {
            // Digits are about 0.6 as broad as high.
            let (x, y) = (text.chars().count() as f32 * 0.3 * style.size + 5.0, 0.75 * style.size);
            let plate = [
                [at[0] - x, at[1] - y],
                [at[0] + x, at[1] - y],
                [at[0] + x, at[1] + y],
                [at[0] - x, at[1] + y],
            ];
            self.canvas.fill(&plate, Rgba::hex(0, 75));
        }
        self.canvas.text(at, text, style.size, anchor, color);
    }

    /// Lines of one direction, fixed to the world, inside a closed outline.
    fn hatch(&mut self, points: &[[f32; 2]], color: Rgba, lean: Lean) {
        const HALF: f32 = std::f32::consts::FRAC_1_SQRT_2;
        /// Pixels between lines.
        const PITCH: f32 = 9.0 * HALF;
        // Across the lines; along them it is turned by a quarter. Pixels go down.
        let normal = match lean {
            Lean::Right | Lean::Crossed => [HALF, HALF],
            Lean::Left => [-HALF, HALF],
            Lean::Level => [0.0, 1.0],
            Lean::Upright => [1.0, 0.0],
        };
        let c_of = |p: [f32; 2]| normal[0] * p[0] + normal[1] * p[1];
        let t_of = |p: [f32; 2]| normal[1] * p[0] - normal[0] * p[1];
        let (low, high) = self.sight();
        let corners = [low, high, [low[0], high[1]], [high[0], low[1]]];
        let least = |list: &[[f32; 2]]| list.iter().map(|&p| c_of(p)).fold(f32::INFINITY, f32::min);
        let most = |list: &[[f32; 2]]| list.iter().map(|&p| c_of(p)).fold(f32::NEG_INFINITY, f32::max);
        let (c_min, c_max) = (least(points).max(least(&corners)), most(points).min(most(&corners)));
        let shift = c_of(self.pixel([0.0, 0.0])).rem_euclid(PITCH);
        let mut c = ((c_min - shift) / PITCH).ceil() * PITCH + shift;
        while c < c_max {
            for [t0, t1] in inside_spans(points, c, c_of, t_of) {
                let ends = [t0, t1].map(|t| [normal[0] * c + normal[1] * t, normal[1] * c - normal[0] * t]);
                if let Some(ends) = self.clip(ends[0], ends[1]) {
                    self.canvas.stroke(&ends, false, color, 1.0);
                }
            }
            c += PITCH;
        }
    }
}

/// The parts of the line "across = c" that lie inside by the non-zero rule, as spans of "along".
fn inside_spans(
    points: &[[f32; 2]],
    c: f32,
    across: impl Fn([f32; 2]) -> f32,
    along: impl Fn([f32; 2]) -> f32,
) -> Vec<[f32; 2]> {
    let mut hits: Vec<(f32, i32)> = Vec::new();
    for (&a, &b) in points.iter().zip(points.iter().cycle().skip(1)) {
        let (ca, cb) = (across(a), across(b));
        if (ca <= c) != (cb <= c) {
            let at = along(a) + (along(b) - along(a)) * ((c - ca) / (cb - ca));
            hits.push((at, if ca < cb { 1 } else { -1 }));
        }
    }
    hits.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut winding = 0;
    let mut spans = Vec::new();
    let mut start = 0.0;
    for (at, step) in hits {
        if winding == 0 {
            start = at;
        }
        winding += step;
        if winding == 0 {
            spans.push([start, at]);
        }
    }
    spans
}

fn solid(style: &Style) -> Style {
    let solid = |stroke: Option<Stroke>| stroke.map(|stroke| Stroke { dash: None, ..stroke });
    Style { casing: solid(style.casing), stroke: solid(style.stroke), ..*style }
}

fn ring(count: u16) -> impl Iterator<Item = [f32; 2]> {
    (0..count).map(move |index| {
        let turn = std::f32::consts::TAU * f32::from(index) / f32::from(count);
        [turn.cos(), turn.sin()]
    })
}

fn distance(a: [f32; 2], b: [f32; 2]) -> f32 {
    (b[0] - a[0]).hypot(b[1] - a[1])
}

fn mix(a: [f32; 2], b: [f32; 2], t: f32) -> [f32; 2] {
    [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t]
}

/// The part of a segment inside a box (Liang and Barsky 1984).
fn clip(from: [f32; 2], to: [f32; 2], low: [f32; 2], high: [f32; 2]) -> Option<[[f32; 2]; 2]> {
    let (mut enter, mut leave) = (0.0f32, 1.0f32);
    for axis in 0..2 {
        let step = to[axis] - from[axis];
        for (p, q) in [(-step, from[axis] - low[axis]), (step, high[axis] - from[axis])] {
            if p == 0.0 {
                if q < 0.0 {
                    return None;
                }
            } else if p < 0.0 {
                enter = enter.max(q / p);
            } else {
                leave = leave.min(q / p);
            }
        }
    }
    (enter <= leave).then(|| [mix(from, to, enter), mix(from, to, leave)])
}
