//! What lies under the cursor.

use std::collections::BTreeMap;

use super::reach::areas_near;
use crate::bake::AreaKind;
use crate::draw::link_arc;
pub use crate::geom::plane::{contains, distance, edges, nearest_on_segment};
use crate::project::{Area, AreaId, Document, GeometryId, Link, LinkId, PictureId};

/// Pick radius of points, in pixels.
pub const POINT_PIXELS: f64 = 9.0;
/// Pick radius of edges and links, in pixels.
pub const EDGE_PIXELS: f64 = 6.0;

/// How large the reference pictures' files are, in pixels, or why one cannot be shown.
pub type PictureSizes = BTreeMap<PictureId, Result<[u32; 2], String>>;

/// One end of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum LinkEnd {
    Start,
    End,
}

/// A thing that can be picked as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum Item {
    Area(AreaId),
    Link(LinkId),
    Picture(PictureId),
    Geometry(GeometryId),
}

/// The part of a thing that lies under the cursor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pick {
    /// An end of a link.
    LinkEnd(LinkId, LinkEnd),
    /// A point of an area's outline.
    Point(AreaId, usize),
    /// A link's line.
    Link(LinkId),
    /// The edge from point `index` to the next, and the place on it.
    Edge(AreaId, usize, [f64; 2]),
    /// An area's inside.
    Area(AreaId),
    /// A reference picture.
    Picture(PictureId),
    /// Imported geometry.
    Geometry(GeometryId),
}

impl Pick {
    /// The whole thing.
    #[must_use]
    pub fn item(self) -> Item {
        match self {
            Self::LinkEnd(link, _) | Self::Link(link) => Item::Link(link),
            Self::Picture(picture) => Item::Picture(picture),
            Self::Geometry(geometry) => Item::Geometry(geometry),
            Self::Point(area, _) | Self::Edge(area, ..) | Self::Area(area) => Item::Area(area),
        }
    }
}

/// The area's point nearest to `place` on `level`, within the pick radius. Points of `preferred` areas win over others
/// at the same distance.
#[must_use]
pub fn point_at(
    document: &Document,
    level: i8,
    place: [f64; 2],
    pixel: f64,
    preferred: &dyn Fn(AreaId) -> bool,
) -> Option<(AreaId, usize)> {
    let mut best = Best::within(POINT_PIXELS * pixel);
    for area in areas_near(document, level, place, POINT_PIXELS * pixel) {
        for (index, &point) in area.points.iter().enumerate() {
            best.offer(distance(point, place), || preferred(area.id), (area.id, index));
        }
    }
    best.found
}

/// The edge nearest to `place` on `level`, within the pick radius, with the nearest place on it.
#[must_use]
pub fn edge_at(
    document: &Document,
    level: i8,
    place: [f64; 2],
    pixel: f64,
    preferred: &dyn Fn(AreaId) -> bool,
) -> Option<(AreaId, usize, [f64; 2])> {
    let mut best = Best::within(EDGE_PIXELS * pixel);
    for area in areas_near(document, level, place, EDGE_PIXELS * pixel) {
        for (index, from, to) in edges(&area.points) {
            let on = nearest_on_segment(from, to, place);
            best.offer(distance(on, place), || preferred(area.id), (area.id, index, on));
        }
    }
    best.found
}

/// The nearest so far; of equally near ones a preferred one, else the last.
struct Best<T> {
    away: f64,
    liked: bool,
    found: Option<T>,
}

impl<T> Best<T> {
    fn within(reach: f64) -> Self {
        Self { away: reach, liked: false, found: None }
    }

    fn offer(&mut self, away: f64, liked: impl FnOnce() -> bool, what: T) {
        if away > self.away {
            return;
        }
        let liked = liked();
        if away < self.away || liked || !self.liked {
            *self = Self { away, liked, found: Some(what) };
        }
    }
}

/// The link end on `level` within the pick radius.
#[must_use]
pub fn link_end_at(document: &Document, level: i8, place: [f64; 2], pixel: f64) -> Option<(LinkId, LinkEnd)> {
    let reach = POINT_PIXELS * pixel;
    let ends = document.links.iter().rev().flat_map(|link| {
        [
            (link.id, LinkEnd::End, link.end, link.end_level),
            (link.id, LinkEnd::Start, link.start, link.start_level),
        ]
    });
    ends.filter(|&(.., on)| on == level)
        .map(|(id, end, at, _)| (distance(at, place), id, end))
        .filter(|&(away, ..)| away <= reach)
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, id, end)| (id, end))
}

/// The link with an end on `level` whose line passes within the pick radius.
#[must_use]
pub fn link_at(document: &Document, level: i8, place: [f64; 2], pixel: f64) -> Option<LinkId> {
    let reach = EDGE_PIXELS * pixel;
    let near = |link: &Link| {
        let (from, to) = (link.start, link.end);
        let arc = link_arc(from, to);
        let along = arc.windows(2).map(|part| distance(nearest_on_segment(part[0], part[1], place), place));
        along.fold(f64::INFINITY, f64::min)
    };
    let on_level = |link: &Link| link.start_level == level || link.end_level == level;
    let candidates = document.links.iter().filter(|link| on_level(link)).map(|link| (near(link), link.id));
    candidates.filter(|&(away, _)| away <= reach).min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, id)| id)
}

/// The pictures of a level at a place, later ones first, and whether the place is on the rim.
pub fn pictures_at<'a>(
    document: &'a Document,
    sizes: &'a PictureSizes,
    level: i8,
    place: [f64; 2],
    pixel: f64,
) -> impl Iterator<Item = (PictureId, bool)> + 'a {
    let reach = EDGE_PIXELS * pixel;
    document.pictures.iter().rev().filter(move |picture| picture.level == level).filter_map(move |picture| {
        let [low, high] = picture.bounds(*sizes.get(&picture.id)?.as_ref().ok()?);
        let within =
            |by: f64| (0..2).all(|axis| low[axis] - by <= place[axis] && place[axis] <= high[axis] + by);
        within(reach).then(|| (picture.id, !within(-reach)))
    })
}

/// Everything at a place, topmost first: link ends, points, links, then areas whose edge or inside is there (holes over
/// walk areas, later over earlier).
#[must_use]
pub fn all_at(
    document: &Document,
    level: i8,
    place: [f64; 2],
    pixel: f64,
    preferred: &dyn Fn(AreaId) -> bool,
) -> Vec<Pick> {
    let mut found = Vec::new();
    found.extend(link_end_at(document, level, place, pixel).map(|(link, end)| Pick::LinkEnd(link, end)));
    found.extend(
        point_at(document, level, place, pixel, preferred).map(|(area, index)| Pick::Point(area, index)),
    );
    found.extend(link_at(document, level, place, pixel).map(Pick::Link));
    found.extend(
        edge_at(document, level, place, pixel, preferred)
            .map(|(area, index, on)| Pick::Edge(area, index, on)),
    );
    let inside = |area: &Area| contains(&area.points, place);
    for kind in [AreaKind::Hole, AreaKind::Walk] {
        let areas = areas_near(document, level, place, 0.0).rev();
        let areas = areas.filter(|area| area.kind == kind && inside(area));
        found.extend(areas.map(|area| Pick::Area(area.id)));
    }
    found
}
