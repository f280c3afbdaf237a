//! Imported geometry: which files, and how they lie in the world. A map keeps where the triangles are, never the
//! triangles themselves; and what only a voxel bake asks for.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::CommandError;
use super::check::{self, MAX_AREA_TYPE, out_of_range, positive_zero};
use crate::geom::angle::sin_cos_of_degrees;

/// A random, stable id of imported geometry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GeometryId(pub u64);

/// Most files of imported geometry of a map.
pub const MAX_GEOMETRY: usize = 10_000;
/// Most seeds of a map.
pub const MAX_SEEDS: usize = 10_000;
/// Least and greatest scale.
const SCALES: std::ops::RangeInclusive<f64> = 0.000_001..=1_000_000.0;

/// Which of a file's axes points up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum UpAxis {
    /// As here, in OBJ files of most tools, and in glTF.
    #[default]
    Y,
    /// As in Blender's and CAD programs' own coordinates: z becomes y, and y becomes −z.
    Z,
}

/// An OBJ or glTF file in the world.
#[derive(Clone, Debug, PartialEq)]
pub struct Geometry {
    /// Its id.
    pub id: GeometryId,
    /// What it is called; empty for as its file is.
    pub name: String,
    /// Its file, from the folder of the project's file on, with `/` between names.
    pub path: String,
    /// Which of the file's axes points up.
    pub up: UpAxis,
    /// Whether its triangles are turned over, so that what faced down faces up.
    pub flip: bool,
    /// World units a unit of the file.
    pub scale: f64,
    /// Degrees round the vertical, from +x towards +z.
    pub turn: f64,
    /// World x, y, z of the file's origin.
    pub offset: [f64; 3],
    /// The level that its floors say they are on.
    pub level: i8,
    /// Area type of its floors; `None` takes the settings'.
    pub area_type: Option<u8>,
    /// Flags of its floors; `None` takes the settings'.
    pub flags: Option<u8>,
}

impl Geometry {
    /// A file as it stands.
    #[must_use]
    pub fn new(id: GeometryId, path: &str) -> Self {
        Self {
            id,
            name: String::new(),
            path: path.to_owned(),
            up: UpAxis::Y,
            flip: false,
            scale: 1.0,
            turn: 0.0,
            offset: [0.0; 3],
            level: 0,
            area_type: None,
            flags: None,
        }
    }

    /// Its name: its own, else its file's.
    #[must_use]
    pub fn name(&self) -> &str {
        if self.name.is_empty() { self.file_name() } else { &self.name }
    }

    /// Its file's name.
    #[must_use]
    pub fn file_name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// Takes points of the file to the world: up, scale, turn, offset.
    pub fn place(&self, points: &mut [[f64; 3]]) {
        let (sin, cos) = sin_cos_of_degrees(self.turn);
        for point in points {
            let [x, y, z] = match self.up {
                UpAxis::Y => *point,
                UpAxis::Z => [point[0], point[2], -point[1]],
            }
            .map(|value| value * self.scale);
            let turned = [x * cos - z * sin, y, x * sin + z * cos];
            *point = std::array::from_fn(|axis| turned[axis] + self.offset[axis]);
        }
    }
}

/// What only a voxel bake asks for, and the settings of the format have no place for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VoxelExtras {
    /// World places: only what can be reached from one of them stays. None: all stays.
    pub seeds: Vec<[f64; 3]>,
    /// How far an agent's middle keeps off ledges; `None` for as far as off walls.
    pub ledge_radius: Option<f32>,
    /// Area types, the one that wins first, where floors of several types meet at one height. Those not listed come
    /// after, the greater number first.
    pub area_priority: Vec<u8>,
}

pub(super) fn check_geometry(item: &Geometry) -> Result<(), CommandError> {
    let Geometry { id, name, path, up: _, flip: _, scale, turn, offset, level: _, area_type, flags: _ } =
        item;
    check::name(|| format!("the name of geometry {:016x}", id.0), name)?;
    check::relative_path(|| format!("the path of geometry {:016x}", id.0), path)?;
    let label = || format!("geometry \"{}\"", path.escape_debug());
    if !SCALES.contains(scale) {
        return Err(out_of_range(format!("the scale of {}", label()), scale, "must be 0.000001 to 1000000"));
    }
    if !(-360.0..=360.0).contains(turn) {
        return Err(out_of_range(format!("the turn of {}", label()), turn, "must be -360 to 360 degrees"));
    }
    for (axis, &value) in ["x", "y", "z"].into_iter().zip(offset) {
        check::coordinate(|| format!("{axis} of the offset of {}", label()), value)?;
    }
    if let Some(value) = area_type {
        check::area_type(|| format!("the type of {}", label()), *value)?;
    }
    Ok(())
}

pub(super) fn check_extras(extras: &VoxelExtras) -> Result<(), CommandError> {
    let VoxelExtras { seeds, ledge_radius, area_priority } = extras;
    if seeds.len() > MAX_SEEDS {
        let bound = format!("must be at most {MAX_SEEDS}");
        return Err(out_of_range("the number of seeds", seeds.len(), bound));
    }
    for (index, seed) in seeds.iter().enumerate() {
        for (axis, &value) in ["x", "y", "z"].into_iter().zip(seed) {
            check::coordinate(|| format!("{axis} of seed {}", index + 1), value)?;
        }
    }
    if let Some(radius) = ledge_radius
        && !(0.0..1e6).contains(radius)
    {
        return Err(out_of_range("the ledge radius", radius, "must be at least 0 and below 1000000"));
    }
    let mut seen = BTreeSet::new();
    for &kind in area_priority {
        check::area_type(|| "an area type of the priority".to_owned(), kind)?;
        if !seen.insert(kind) {
            let bound = format!("each of 0 to {MAX_AREA_TYPE} may stand there once");
            return Err(out_of_range("the priority of an area type", kind, bound));
        }
    }
    Ok(())
}

pub(super) type Items = Arc<Vec<Arc<Geometry>>>;

/// Adds geometry, or replaces the item of the same id.
pub(super) fn set(before: &Items, item: &Geometry) -> Result<Items, CommandError> {
    check_geometry(item)?;
    let item =
        Geometry { turn: positive_zero(item.turn), offset: item.offset.map(positive_zero), ..item.clone() };
    let mut items = (**before).clone();
    match items.binary_search_by_key(&item.id, |other| other.id) {
        Ok(place) if *items[place] == item => return Ok(Arc::clone(before)),
        Ok(place) => items[place] = Arc::new(item),
        Err(_) if items.len() >= MAX_GEOMETRY => {
            let bound = format!("must be at most {MAX_GEOMETRY}");
            return Err(out_of_range("the number of geometry files", items.len() + 1, bound));
        }
        Err(place) => items.insert(place, Arc::new(item)),
    }
    Ok(Arc::new(items))
}

/// Removes geometry.
pub(super) fn remove(before: &Items, ids: &[GeometryId]) -> Result<Items, CommandError> {
    if ids.is_empty() {
        return Ok(Arc::clone(before));
    }
    if let Some(id) = ids.iter().find(|&&id| before.iter().all(|item| item.id != id)) {
        return Err(CommandError::NoSuchGeometry(id.0));
    }
    let gone: BTreeSet<_> = ids.iter().copied().collect();
    Ok(Arc::new(before.iter().filter(|item| !gone.contains(&item.id)).cloned().collect()))
}

/// Replaces what only a voxel bake asks for.
pub(super) fn set_extras(
    before: &Arc<VoxelExtras>,
    extras: &VoxelExtras,
) -> Result<Arc<VoxelExtras>, CommandError> {
    check_extras(extras)?;
    let extras = VoxelExtras {
        seeds: extras.seeds.iter().map(|seed| seed.map(positive_zero)).collect(),
        ledge_radius: extras.ledge_radius.map(|radius| radius + 0.0),
        area_priority: extras.area_priority.clone(),
    };
    Ok(if **before == extras { Arc::clone(before) } else { Arc::new(extras) })
}
