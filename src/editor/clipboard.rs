//! Copy, cut and paste as text: what is copied is a project with these things alone, which any text field can hold.

use super::state::{State, Tone};
use super::words::many;
use crate::project::{Area, Document, Link, file, open_text};

impl State {
    /// The selection as text, in the project's own form; `None` if nothing is selected.
    #[must_use]
    pub fn copied(&self) -> Option<String> {
        let document = self.history.document();
        let areas: Vec<_> = self.selection.areas(document).cloned().collect();
        let links: Vec<_> = self.selection.links(document).cloned().collect();
        let nothing = areas.is_empty() && links.is_empty();
        (!nothing).then(|| file::encode_part(&areas, &links))
    }

    /// Removes what was copied. The text of it.
    pub fn cut(&mut self) -> Option<String> {
        let text = self.copied()?;
        self.selection = self.selection.without_points();
        self.remove_selected("Cut");
        Some(text)
    }

    /// Adds what a text holds (a project or `nav walk …` lines), the lowest of it on the current level: at its own place
    /// (`in_place`), else with its middle at the cursor.
    pub fn paste(&mut self, text: &str, in_place: bool) {
        let pasted = match open_text(text.trim(), "clipboard") {
            Ok(opened) => opened.document,
            Err(error) => return self.say(Tone::Hint, format!("Nothing to paste: {error}")),
        };
        let Some([min, max]) = bounds(&pasted) else {
            return self.say(Tone::Hint, "Nothing to paste: the clipboard holds no area and no link");
        };
        let by = match self.cursor.filter(|_| !in_place) {
            Some(cursor) => {
                // On the grid, so that points on it stay on it.
                let round = |value: f64| (value * self.snap.per_square).round() / self.snap.per_square + 0.0;
                [0, 1].map(|axis| round(cursor[axis] - 0.5 * (min[axis] + max[axis])))
            }
            None => [0.0; 2],
        };
        let lowest = levels(&pasted).min().unwrap_or(0);
        let higher = i16::from(self.level) - i16::from(lowest);
        let areas: Vec<Area> = pasted.areas.iter().map(|area| (**area).clone()).collect();
        let links: Vec<Link> = pasted.links.iter().map(|link| (**link).clone()).collect();
        let (area_count, link_count) = (many(areas.len(), "area"), many(links.len(), "link"));
        if self.put_in("Paste", areas, links, by, higher) {
            self.say(Tone::Hint, format!("Pasted {area_count}, {link_count}"));
        }
    }
}

fn levels(document: &Document) -> impl Iterator<Item = i8> + '_ {
    let areas = document.areas.iter().map(|area| area.level);
    areas.chain(document.links.iter().flat_map(|link| [link.start_level, link.end_level]))
}

/// Least and greatest x, z.
fn bounds(document: &Document) -> Option<[[f64; 2]; 2]> {
    let points = document.areas.iter().flat_map(|area| area.points.iter().copied());
    let ends = document.links.iter().flat_map(|link| [link.start, link.end]);
    points.chain(ends).fold(None, |bounds, point| {
        let [min, max] = bounds.unwrap_or([point; 2]);
        Some([[0, 1].map(|axis| min[axis].min(point[axis])), [0, 1].map(|axis| max[axis].max(point[axis]))])
    })
}
