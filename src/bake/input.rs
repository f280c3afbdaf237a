//! What a bake is made from: plain data, no files.

use std::sync::Arc;

/// Whether an area can be walked or is cut away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AreaKind {
    /// Walkable: joined with the other walk areas of its level.
    Walk,
    /// Cut from every walk area of its level.
    Hole,
}

/// Where an area's floor lies.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Surface {
    /// Flat at its level's elevation.
    #[default]
    Level,
    /// Each point on a seam with another level takes that level's elevation, the others their own level's.
    Ramp,
    /// One y per outline point, above the settings' `height`.
    Heights(Vec<f64>),
}

/// A drawn polygon.
#[derive(Clone, Debug, PartialEq)]
pub struct FlatArea {
    /// The caller's stable id; diagnostics name it.
    pub id: u64,
    /// The caller's name for it; diagnostics say it.
    pub name: String,
    /// Walk or hole.
    pub kind: AreaKind,
    /// The floor it belongs to.
    pub level: i8,
    /// Points (x, z), 3 or more, closed, any winding, may cross itself.
    pub outline: Vec<[f64; 2]>,
    /// Area type 0..=63; `None` takes the settings'.
    pub area_type: Option<u8>,
    /// Author's flags; `None` takes the settings'.
    pub flags: Option<u8>,
    /// Where its floor lies.
    pub surface: Surface,
}

/// A floor.
#[derive(Clone, Debug, PartialEq)]
pub struct FlatLevel {
    /// 0 is the ground.
    pub number: i8,
    /// World y of the floor, above the settings' `height`.
    pub elevation: f64,
}

/// All areas in order (later wins where labels overlap) and the levels' elevations.
///
/// A level that no entry names lies at 3 × its number.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct FlatInput {
    /// Elevations.
    pub levels: Vec<FlatLevel>,
    /// Areas, in order.
    pub areas: Vec<FlatArea>,
}

impl FlatInput {
    /// The elevation of a level: the entry's, or 3 × the number.
    #[must_use]
    pub fn elevation(&self, level: i8) -> f64 {
        let entry = self.levels.iter().find(|entry| entry.number == level);
        entry.map_or_else(|| 3.0 * f64::from(level), |entry| entry.elevation)
    }
}

/// Triangles in world coordinates. A clone shares them, so it is cheap, and a bake that follows another one knows shared
/// triangles without looking at them.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct TriangleMesh {
    /// The caller's name for it; diagnostics say it.
    pub name: String,
    /// World x, y, z.
    pub vertices: Arc<Vec<[f64; 3]>>,
    /// Indices of `vertices`; seen from the side that is walked on, counter-clockwise with z down (the order of
    /// OBJ and glTF, y up).
    pub triangles: Arc<Vec<[u32; 3]>>,
    /// Area type 0..=63; `None` takes the settings'.
    pub area_type: Option<u8>,
    /// Author's flags; `None` takes the settings'.
    pub flags: Option<u8>,
    /// The level that its floors say they are on.
    pub level: i8,
}

/// What a mark makes of the floors in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MarkKind {
    /// They take this area type and these flags.
    Area {
        /// Area type 0..=63.
        area_type: u8,
        /// Author's flags.
        flags: u8,
    },
    /// Nothing is walkable.
    Hole,
}

/// A prism that changes what the floors in it are.
#[derive(Clone, Debug, PartialEq)]
pub struct AreaMark {
    /// The caller's stable id; diagnostics name it.
    pub id: u64,
    /// The caller's name for it; diagnostics say it.
    pub name: String,
    /// Area or hole.
    pub kind: MarkKind,
    /// The level that floors in an area say they are on.
    pub level: i8,
    /// Points (x, z), 3 or more, closed, any winding; inside is where it winds round other than 0 times.
    pub outline: Vec<[f64; 2]>,
    /// World y of the lowest floor that it holds.
    pub low: f64,
    /// World y of the highest floor that it holds.
    pub high: f64,
}

/// What a voxel bake is made from: triangles, and marks in order (later areas win; holes win over areas).
#[derive(Clone, Debug, PartialEq, Default)]
pub struct VoxelInput {
    /// Obstacles and floors.
    pub meshes: Vec<TriangleMesh>,
    /// Areas and holes.
    pub marks: Vec<AreaMark>,
    /// World places: only floors that can be reached from one of them stay, so that none is left inside closed solids or
    /// on roofs. None: all floors stay.
    pub seeds: Vec<[f64; 3]>,
    /// How far an agent's middle keeps off ledges; `None` for as far as off walls, which is the settings' radius.
    pub ledge_radius: Option<f32>,
    /// Area types, the one that wins first, where floors of several types meet at one height. Those not listed come
    /// after, the greater number first.
    pub area_priority: Vec<u8>,
    /// Ids of holes in `marks` that cut nothing of a drawing: one that cuts nothing of the meshes either is said.
    pub idle_holes: Vec<u64>,
}
