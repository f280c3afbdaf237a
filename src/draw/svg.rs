//! A canvas that writes SVG as plain text.

use std::fmt::Write as _;

use super::colors::Rgba;
use super::{Anchor, Canvas};

/// An SVG picture in the making.
#[derive(Clone, Debug)]
pub struct Svg {
    size: [f32; 2],
    body: String,
    /// Lines of one look are gathered into one element.
    pending: Option<(Rgba, f32, String)>,
}

impl Svg {
    /// An empty picture of this width and height, filled with `background`.
    #[must_use]
    pub fn new(size: [f32; 2], background: Rgba) -> Self {
        let mut svg = Self { size, body: String::new(), pending: None };
        let [w, h] = size.map(number);
        svg.push(&format!("<rect width=\"{w}\" height=\"{h}\"{}/>", paint("fill", background)));
        svg
    }

    /// The file's text.
    #[must_use]
    pub fn finish(mut self) -> String {
        self.flush();
        let [w, h] = self.size.map(number);
        let open = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" \
             font-family=\"system-ui, sans-serif\" stroke-linejoin=\"round\">"
        );
        format!("{open}\n{}</svg>\n", self.body)
    }

    fn push(&mut self, element: &str) {
        self.flush();
        self.body.push_str(element);
        self.body.push('\n');
    }

    fn flush(&mut self) {
        if let Some((color, width, path)) = self.pending.take() {
            let paint = paint("stroke", color);
            let width = number(width);
            self.body
                .push_str(&format!("<path fill=\"none\"{paint} stroke-width=\"{width}\" d=\"{path}\"/>\n"));
        }
    }
}

impl Canvas for Svg {
    fn fill(&mut self, points: &[[f32; 2]], color: Rgba) {
        let path = path(points, true);
        self.push(&format!("<path{} d=\"{path}\"/>", paint("fill", color)));
    }

    fn stroke(&mut self, points: &[[f32; 2]], closed: bool, color: Rgba, width: f32) {
        let line = path(points, closed);
        match &mut self.pending {
            Some((same_color, same_width, path)) if *same_color == color && *same_width == width => {
                path.push_str(&line);
            }
            _ => {
                self.flush();
                self.pending = Some((color, width, line));
            }
        }
    }

    fn text(&mut self, at: [f32; 2], text: &str, size: f32, anchor: Anchor, color: Rgba) {
        let anchor = match anchor {
            Anchor::Left => "start",
            Anchor::Center => "middle",
            Anchor::Right => "end",
        };
        // Digits and capitals are about 0.72 of the letter size high.
        let [x, y] = [at[0], at[1] + 0.36 * size].map(number);
        let (size, paint) = (number(size), paint("fill", color));
        let text = escape(text);
        self.push(&format!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" text-anchor=\"{anchor}\"{paint}>{text}</text>"
        ));
    }
}

fn paint(what: &str, color: Rgba) -> String {
    let mut text = format!(" {what}=\"{}\"", color.hex_text());
    if color.0[3] < 255 {
        text.push_str(&format!(" {what}-opacity=\"{}\"", number(color.opacity())));
    }
    text
}

fn path(points: &[[f32; 2]], closed: bool) -> String {
    let mut text = String::new();
    for (index, point) in points.iter().enumerate() {
        let command = if index == 0 { 'M' } else { 'L' };
        let [x, y] = point.map(number);
        // Writing to a string cannot fail.
        if write!(text, "{command}{x} {y}").is_err() {
            break;
        }
    }
    if closed {
        text.push('Z');
    }
    text
}

/// At most two decimals, without trailing zeros.
fn number(value: f32) -> String {
    let rounded = (f64::from(value) * 100.0).round() / 100.0;
    format!("{}", rounded + 0.0)
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // Control characters have no place in XML.
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
