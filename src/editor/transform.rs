//! Rotate, mirror and scale the selection about its middle; each is one undo step.

use super::canvas::grid::round_to;
use super::geometry::Geometries;
use super::state::{Selection, State, Tone};
use super::tools::gesture::{map_points, with_joined};
use crate::project::{Area, Command, Document, Geometry, Link};

/// What is done to the selection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Transform {
    /// A quarter turn against the clock.
    RotateLeft,
    /// A quarter turn with the clock.
    RotateRight,
    /// Left and right change places.
    MirrorX,
    /// Up and down change places.
    MirrorZ,
    /// Distances from the middle, times this.
    Scale(f64),
}

impl Transform {
    fn name(self) -> &'static str {
        match self {
            Self::RotateLeft | Self::RotateRight => "Rotate",
            Self::MirrorX | Self::MirrorZ => "Mirror",
            Self::Scale(_) => "Scale",
        }
    }

    /// The turn and the scale that geometry gets. Below 0 a factor is half a turn more.
    fn of_geometry(self, item: &Geometry) -> (f64, f64) {
        let (by, scale) = match self {
            Self::RotateLeft => (90.0, item.scale),
            Self::RotateRight => (-90.0, item.scale),
            Self::Scale(factor) if factor < 0.0 => (180.0, item.scale * -factor),
            Self::Scale(factor) => (0.0, item.scale * factor),
            Self::MirrorX | Self::MirrorZ => (0.0, item.scale),
        };
        // -180 to 180, so that four turns end where they began.
        let turn = (item.turn + by + 180.0).rem_euclid(360.0) - 180.0;
        (if by == 0.0 { item.turn } else { turn }, scale)
    }

    /// Where a place comes to lie. With a middle on the grid, turns and mirrors keep points on it exactly.
    fn apply(self, middle: [f64; 2], place: [f64; 2]) -> [f64; 2] {
        let [x, z] = [place[0] - middle[0], place[1] - middle[1]];
        let [x, z] = match self {
            Self::RotateLeft => [-z, x],
            Self::RotateRight => [z, -x],
            Self::MirrorX => [-x, z],
            Self::MirrorZ => [x, -z],
            Self::Scale(factor) => [x * factor, z * factor],
        };
        round_to([middle[0] + x, middle[1] + z], 1000.0)
    }
}

impl State {
    /// Transforms the selected points, or whole things if no two points are picked.
    pub fn transform(&mut self, transform: Transform) {
        let document = self.history.document();
        if self.selection.is_empty() {
            return self.say(Tone::Hint, "Nothing is selected");
        }
        if let Transform::Scale(factor) = transform
            && !(factor.is_finite() && 0.001 <= factor.abs() && factor.abs() <= 1000.0)
        {
            return self
                .say(Tone::Hint, format!("The factor is {factor}, but must be 0.001 to 1000, or below 0"));
        }
        let points = self.selection.points();
        let joined = if points.len() > 1 { with_joined(document, points) } else { Default::default() };
        let mirrors = matches!(transform, Transform::MirrorX | Transform::MirrorZ);
        if mirrors && self.selection.geometry(document).next().is_some() {
            return self.say(Tone::Hint, "Geometry can be turned but not mirrored");
        }
        let middle = match &self.pivot {
            // Four turns end where they began, also where the middle was rounded to the grid.
            Some((selection, middle, generation))
                if *selection == self.selection && *generation == self.generation =>
            {
                *middle
            }
            _ => match middle_of(document, &self.selection, &self.geometry) {
                Some(middle) => round_to(middle, self.snap.per_square),
                None => return,
            },
        };
        let to = |place| transform.apply(middle, place);
        let command = if joined.is_empty() {
            let areas = self.selection.areas(document).map(|area| Area {
                points: area.points.iter().map(|&point| to(point)).collect(),
                ..(**area).clone()
            });
            let links = self.selection.links(document).map(|link| Link {
                start: to(link.start),
                end: to(link.end),
                ..(**link).clone()
            });
            let geometry = self.selection.geometry(document).map(|item| {
                let [x, y, z] = item.offset;
                let [x, z] = to([x, z]);
                let (turn, scale) = transform.of_geometry(item);
                Command::SetGeometry(Geometry { offset: [x, y, z], turn, scale, ..(**item).clone() })
            });
            let drawn = [Command::SetAreas(areas.collect()), Command::SetLinks(links.collect())];
            Command::Several(drawn.into_iter().chain(geometry).collect())
        } else {
            let Some(command) = map_points(document, &joined, to) else { return };
            command
        };
        let name = format!("{} {}", transform.name(), self.selection.words(document));
        if self.commit(&name, &command) {
            self.pivot = Some((self.selection.clone(), middle, self.generation));
        }
    }
}

/// The middle of the box around what is selected.
fn middle_of(document: &Document, selection: &Selection, geometry: &Geometries) -> Option<[f64; 2]> {
    let mut places: Vec<[f64; 2]> = Vec::new();
    for area in selection.areas(document) {
        if selection.points().len() > 1 {
            let chosen = selection.points().iter().filter(|(id, _)| *id == area.id);
            places.extend(chosen.filter_map(|&(_, index)| area.points.get(index)));
        } else {
            places.extend(&area.points);
        }
    }
    if selection.points().len() < 2 {
        places.extend(selection.links(document).flat_map(|link| [link.start, link.end]));
        // Where its triangles are not read, its origin stands for it.
        places.extend(selection.geometry(document).flat_map(|item| {
            let bounds = geometry.get(item.id).and_then(|loaded| loaded.bounds_at(item));
            bounds.unwrap_or([item.offset; 2]).map(|[x, _, z]| [x, z])
        }));
    }
    let first = *places.first()?;
    let (min, max) = places.iter().fold((first, first), |(min, max), place| {
        ([0, 1].map(|axis| min[axis].min(place[axis])), [0, 1].map(|axis| max[axis].max(place[axis])))
    });
    Some([0, 1].map(|axis| 0.5 * (min[axis] + max[axis])))
}
