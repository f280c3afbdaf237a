//! A part of the 3D picture as it lies on the device: lit faces, translucent sheets and lines, which never change.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::levels::{NO_LEVEL, Stack};
use super::space::{Vec3, add, cross, sub, unit};
use crate::draw::{Rgba, Stroke};
use crate::project::{AreaId, GeometryId};

/// Whose solid it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// That of a baked tile, by slot.
    Tile(u32),
    /// That of the areas from this one on.
    Areas(AreaId),
    /// That of the authored links.
    Links,
    /// That of the tested path.
    Path,
    /// Those of the stage of the bake that is looked at, tile by tile.
    Stage(u32),
    /// Those of imported geometry, piece by piece.
    Geometry(GeometryId, u32),
}

/// What a face is a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thing {
    /// A baked polygon: its tile's slot, and its number there.
    Polygon(u32, u32),
    /// A drawn area.
    Area(AreaId),
    /// Imported geometry.
    Geometry(GeometryId),
}

/// A corner of a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corner {
    /// Around the solid's origin.
    pub at: [f32; 3],
    /// The face's direction in 127ths, or how a sheet is hatched; then the level.
    pub turn: [i8; 4],
    /// Not premultiplied. A face is opaque: 255 less its alpha says how it is hatched.
    pub color: Rgba,
}

/// A line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// Its ends, around the solid's origin.
    pub ends: [[f32; 3]; 2],
    /// The levels of its ends.
    pub levels: [i8; 2],
    /// How it looks.
    pub stroke: Stroke,
    /// Whether it is faint from far away.
    pub fade: Fade,
}

/// How a line looks from far away, where many lie close together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fade {
    /// As from near.
    #[default]
    Never,
    /// It vanishes.
    Away,
    /// It becomes faint.
    Faint,
}

/// An upright box as wide as it is deep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Voxel {
    /// Its lowest corner, around the solid's origin.
    pub low: [f32; 3],
    /// Its side, and its height.
    pub size: [f32; 2],
    /// Its colour.
    pub color: Rgba,
}

/// How a sheet is hatched: which way (0 not, else 1 to 4), and how strongly.
pub type Hatch = (i8, i8);

/// Faces, sheets and lines that never change; a change is another solid, but for one of the whole's place.
#[derive(Clone, Debug)]
pub struct Solid {
    /// Where its own zero lies in the world.
    pub origin: Vec3,
    /// The box of faces and sheets in the world, without lifts.
    pub bounds: Option<[Vec3; 2]>,
    /// How far it is lifted already, as one whole: it has no level, but goes with one.
    pub lifted: f64,
    pub(super) parts: Arc<Parts>,
}

/// What a solid is made of, around its own zero.
#[derive(Debug)]
pub(super) struct Parts {
    pub(super) id: u64,
    pub(super) faces: Vec<Corner>,
    pub(super) sheets: Vec<Corner>,
    /// Sheets that nothing is picked by.
    pub(super) panes: Vec<Corner>,
    pub(super) lines: Vec<Segment>,
    pub(super) boxes: Vec<Voxel>,
    /// Of each face, then of each sheet.
    pub(super) things: [Vec<Thing>; 2],
    /// The levels of faces and sheets.
    pub(super) levels: Vec<i8>,
    /// Whether lines are faintly seen through what lies before them.
    pub(super) shines_through: bool,
    /// Whether faces may be left out where one looks at their backs.
    pub(super) one_sided: bool,
}

/// Collects what becomes a solid.
#[derive(Debug)]
pub struct Builder {
    origin: Vec3,
    bounds: Option<[Vec3; 2]>,
    parts: Parts,
    /// What lies under the lines.
    casings: Vec<Segment>,
    /// How the lines that are added next look from far away.
    pub fade: Fade,
    /// Which way the faces that are added next are hatched: 0 not, else 1 to 4.
    pub lean: u8,
}

impl Solid {
    /// Triangles with their levels and things: faces, then sheets. Corners in the world, without lifts.
    pub fn triangles(&self) -> impl Iterator<Item = ([Vec3; 3], i8, Thing)> + '_ {
        let lists = [&self.parts.faces, &self.parts.sheets].into_iter().zip(&self.parts.things);
        lists.flat_map(move |(corners, things)| {
            corners.chunks_exact(3).zip(things).map(move |(corners, thing)| {
                let at = |index: usize| add(self.origin, corners[index].at.map(f64::from));
                ([at(0), at(1), at(2)], corners[0].turn[3], *thing)
            })
        })
    }

    /// The box of what is shown, with lifts.
    #[must_use]
    pub fn shown_bounds(&self, stack: &Stack) -> Option<[Vec3; 2]> {
        let [mut low, mut high] = self.bounds?;
        let lifts = self.parts.levels.iter().map(|level| stack.lift(*level));
        let (least, most) =
            lifts.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), lift| (a.min(lift), b.max(lift)));
        if least <= most {
            (low[1], high[1]) = (low[1] + least, high[1] + most);
        }
        Some([low, high])
    }

    /// How many voxels there are.
    #[must_use]
    pub fn voxel_count(&self) -> usize {
        self.parts.boxes.len()
    }

    /// Whether its faces are not there for who looks at their backs: those of a roof, seen from above.
    #[must_use]
    pub fn hides_backs(&self, stack: &Stack) -> bool {
        self.parts.one_sided && stack.looks_inside
    }

    /// The levels of faces and sheets.
    #[must_use]
    pub fn levels(&self) -> &[i8] {
        &self.parts.levels
    }

    /// The same elsewhere, and lifted with a level; what the device has of it stays good.
    #[must_use]
    pub fn moved(&self, by: Vec3, lifted: f64) -> Self {
        let by = [by[0], by[1] + lifted, by[2]];
        let bounds = self.bounds.map(|corners| corners.map(|corner| add(corner, by)));
        Self { origin: add(self.origin, by), bounds, lifted, parts: Arc::clone(&self.parts) }
    }
}

impl Parts {
    fn is_empty(&self) -> bool {
        let Self { faces, sheets, panes, lines, boxes, .. } = self;
        faces.is_empty() && sheets.is_empty() && panes.is_empty() && lines.is_empty() && boxes.is_empty()
    }
}

impl Builder {
    /// Begins a solid near a place.
    #[must_use]
    pub fn new(origin: Vec3) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self {
            origin,
            bounds: None,
            parts: Parts {
                id: NEXT.fetch_add(1, Ordering::Relaxed),
                faces: Vec::new(),
                sheets: Vec::new(),
                panes: Vec::new(),
                lines: Vec::new(),
                boxes: Vec::new(),
                things: [Vec::new(), Vec::new()],
                levels: Vec::new(),
                shines_through: false,
                one_sided: false,
            },
            casings: Vec::new(),
            fade: Fade::Never,
            lean: 0,
        }
    }

    /// Lines are faintly seen through what lies before them.
    #[must_use]
    pub fn shining_through(mut self) -> Self {
        self.parts.shines_through = true;
        self
    }

    /// Faces are left out where one looks at their backs, if one looks into what is closed in.
    pub fn one_sided(&mut self) {
        self.parts.one_sided = true;
    }

    /// A lit triangle. Its direction is that of its upper side, or outward as given.
    pub fn face(&mut self, corners: [Vec3; 3], outward: Option<Vec3>, level: i8, color: Rgba, thing: Thing) {
        self.shaded_face(corners, outward, level, [color; 3], thing);
    }

    /// The same with a colour of its own at each corner.
    pub fn shaded_face(
        &mut self,
        corners: [Vec3; 3],
        outward: Option<Vec3>,
        level: i8,
        colors: [Rgba; 3],
        thing: Thing,
    ) {
        let mut normal = unit(cross(sub(corners[1], corners[0]), sub(corners[2], corners[0])));
        let down = outward.map_or(normal[1] < 0.0, |outward| super::space::dot(outward, normal) < 0.0);
        if down {
            normal = normal.map(|value| -value);
        }
        #[allow(clippy::cast_possible_truncation, reason = "127 times a number of -1..=1")]
        let [x, y, z] = normal.map(|value| (value * 127.0) as i8);
        // Faces are opaque: what alpha lacks is the hatch.
        let lean = self.lean;
        let colors = colors.map(|Rgba([r, g, b, _])| Rgba([r, g, b, u8::MAX - lean]));
        self.triangle(0, corners, [x, y, z, level], colors, thing);
    }

    /// A translucent triangle.
    pub fn sheet(&mut self, corners: [Vec3; 3], hatch: Hatch, level: i8, color: Rgba, thing: Thing) {
        self.triangle(1, corners, [hatch.0, hatch.1, 0, level], [color; 3], thing);
    }

    /// An upright translucent pane whose lower and upper sides may belong to different levels. Nothing can be picked by
    /// it.
    pub fn pane(&mut self, [a, b]: [Vec3; 2], height: f64, [lower, upper]: [i8; 2], color: Rgba) {
        let raised = |place: Vec3| [place[0], place[1] + height, place[2]];
        let (la, lb, ha, hb) = ((a, lower), (b, lower), (raised(a), upper), (raised(b), upper));
        for (place, level) in [la, lb, hb, la, hb, ha] {
            let at = self.local(place);
            self.parts.panes.push(Corner { at, turn: [0, 0, 0, level], color });
        }
    }

    /// A line with its casing under it.
    pub fn line(&mut self, [a, b]: [Vec3; 2], levels: [i8; 2], casing: Option<Stroke>, stroke: Stroke) {
        let ends = [self.local(a), self.local(b)];
        let fade = self.fade;
        self.casings.extend(casing.map(|stroke| Segment { ends, levels, stroke, fade }));
        self.parts.lines.push(Segment { ends, levels, stroke, fade });
    }

    /// A translucent triangle that nothing can be picked by.
    pub fn decor(&mut self, corners: [Vec3; 3], hatch: Hatch, level: i8, color: Rgba) {
        self.reach(corners);
        for corner in corners {
            let at = self.local(corner);
            self.parts.panes.push(Corner { at, turn: [hatch.0, hatch.1, 0, level], color });
        }
    }

    /// A voxel; nothing can be picked by it.
    #[allow(clippy::cast_possible_truncation, reason = "sizes of cells, for showing")]
    pub fn voxel(&mut self, low: Vec3, side: f64, height: f64, color: Rgba) {
        let high = [low[0] + side, low[1] + height, low[2] + side];
        self.reach([low, high]);
        let size = [side as f32, height as f32];
        let [r, g, b, _] = color.0;
        let color = Rgba([r, g, b, u8::MAX - self.lean]);
        self.parts.boxes.push(Voxel { low: self.local(low), size, color });
    }

    /// How many voxels there are.
    #[must_use]
    pub fn voxels(&self) -> usize {
        self.parts.boxes.len()
    }

    fn reach(&mut self, places: impl IntoIterator<Item = Vec3>) {
        for place in places {
            let [low, high] = self.bounds.get_or_insert([place, place]);
            for axis in 0..3 {
                low[axis] = low[axis].min(place[axis]);
                high[axis] = high[axis].max(place[axis]);
            }
        }
    }

    /// The solid, if there is anything in it.
    #[must_use]
    pub fn finish(mut self) -> Option<Arc<Solid>> {
        // All casings lie under all lines, so that none shows where lines meet.
        self.casings.append(&mut self.parts.lines);
        self.parts.lines = std::mem::take(&mut self.casings);
        self.parts.levels.sort_unstable();
        self.parts.levels.dedup();
        let Self { origin, bounds, parts, .. } = self;
        (!parts.is_empty()).then(|| Arc::new(Solid { origin, bounds, lifted: 0.0, parts: Arc::new(parts) }))
    }

    fn triangle(&mut self, list: usize, corners: [Vec3; 3], turn: [i8; 4], colors: [Rgba; 3], thing: Thing) {
        self.reach(corners);
        let parts = &mut self.parts;
        let level = turn[3];
        if parts.levels.last() != Some(&level) {
            parts.levels.push(level);
        }
        parts.things[list].push(thing);
        for (corner, color) in corners.into_iter().zip(colors) {
            let at = self.local(corner);
            let list = if list == 0 { &mut self.parts.faces } else { &mut self.parts.sheets };
            list.push(Corner { at, turn, color });
        }
    }

    #[allow(clippy::cast_possible_truncation, reason = "near the origin, for showing")]
    fn local(&self, place: Vec3) -> [f32; 3] {
        sub(place, self.origin).map(|value| value as f32)
    }
}

/// Whether a thing of a level at a height is drawn.
#[must_use]
pub fn is_drawn(stack: &Stack, level: i8, height: f64) -> bool {
    let cut = (level == NO_LEVEL || stack.cuts_all) && height > stack.clip_height;
    !cut && stack.standing(level).shown
}
