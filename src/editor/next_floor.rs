//! A key that goes through the floors over each other at a place: that of the path test, or an end of the selected link.

use super::canvas::pick::Item;
use super::floors::Floors;
use super::state::{State, Tone};
use super::tools::ToolKind;
use super::words;
use crate::project::{Command, Link, Spot};

/// A place that can be put on another floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Start,
    End,
}

impl State {
    /// Puts a place on the next floor above (`forward`) or below of those over each other there, round and round: of the two
    /// places of the path test, or the two ends of the selected link, the one nearer to the cursor that has a choice.
    pub fn next_floor(&mut self, forward: bool) {
        let link = match self.selection.only() {
            Some(Item::Link(id)) => self.document().link(id).map(|link| (**link).clone()),
            _ => None,
        };
        let places: Vec<(End, Spot)> = match &link {
            _ if self.tools.kind() == ToolKind::Test => {
                let ends = [(End::Start, self.tools.test.start), (End::End, self.tools.test.end)];
                ends.into_iter().filter_map(|(end, marker)| Some((end, marker?.spot()))).collect()
            }
            Some(link) => vec![(End::Start, link.start_spot()), (End::End, link.end_spot())],
            None => Vec::new(),
        };
        if places.is_empty() {
            let text = "Nothing stands on a floor: test a path with two clicks, or select a link";
            return self.say(Tone::Hint, text);
        }
        let cursor = self.cursor;
        let away = |spot: Spot| cursor.map_or(0.0, |[x, z]| (x - spot.at[0]).hypot(z - spot.at[1]));
        let mut stacked: Vec<(End, Spot, Floors)> = places
            .into_iter()
            .map(|(end, spot)| (end, spot, self.floors_at(spot)))
            .filter(|(.., floors)| floors.heights.len() > 1)
            .collect();
        // Of two that are equally far the later: it was put down last.
        stacked.sort_by(|a, b| away(b.1).total_cmp(&away(a.1)));
        let Some((end, spot, floors)) = stacked.pop() else {
            return self.say(Tone::Hint, "No floors lie over each other here");
        };
        let (next, y) = floors.beside(forward);
        let spot = Spot { y: Some(y), ..spot };
        match link {
            _ if self.tools.kind() == ToolKind::Test => {
                let test = &mut self.tools.test;
                let marker = if end == End::Start { &mut test.start } else { &mut test.end };
                *marker = Some(spot.into());
            }
            Some(link) => {
                let name = format!("Move the {} of {}", end.name(), words::called(&link.name, "link"));
                let moved: Link = match end {
                    End::Start => link.starting_at(spot),
                    End::End => link.ending_at(spot),
                };
                if self.commit(&name, &Command::SetLinks(vec![moved])) {
                    self.history.describe_last();
                }
            }
            None => {}
        }
        let (end, count) = (end.name(), floors.heights.len());
        self.say(
            Tone::Hint,
            format!("The {end} is on floor {} of {count}, height {}", next + 1, words::number(y)),
        );
    }
}

impl End {
    fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::End => "end",
        }
    }
}
