//! The document as a value: pure commands, undo by keeping values, and the files it is read from and saved in.
//!
//! Reading order: [`Document`] (what a map holds), [`AgentClass`] (who walks it), [`Picture`] (what it is drawn over), [`AreaType`] (what floors are
//! of), [`PathCheck`] (what every bake must answer), [`Spot`] (a place, and the floor that is meant), [`HiddenIssue`], [`Command`] and [`apply`] (all that changes it), [`History`] (undo,
//! redo, gestures), [`mod@file`] (`.nav.ron`), [`map_text`] (the seed's `nav walk …` lines), [`open`] (either, told apart
//! by content), [`Geometry`] and [`load_geometry`] (triangles in other files), [`autosave`] (recovery files), [`differences`] and [`changes`] (in words), [`merge`] (two people's changes
//! put together) and [`marks`] (files in which a version control system left both).

mod area_type;
pub mod autosave;
mod changes;
mod check;
mod class;
mod command;
mod difference;
mod document;
pub mod file;
pub mod fix;
mod geometry;
mod geometry_files;
mod history;
mod issue;
mod level_at;
pub mod map_text;
pub mod marks;
mod merge;
mod open;
mod outline;
mod path_check;
mod picture;
mod replace;
mod spot;
mod whole;

pub use area_type::{AreaType, MAX_COST};
pub use changes::{Change, Part, changes};
pub use check::{MAX_AREA_TYPE, MAX_ELEMENTS, MAX_NAME_BYTES, MAX_ORDER};
pub use class::{AgentClass, ClassId, MAX_CLASSES, shared_settings};
pub use command::{Command, CommandError, apply};
pub use difference::differences;
pub use document::{Area, AreaId, Document, Level, Link, LinkId, flat_area, new_id};
pub use geometry::{Geometry, GeometryId, MAX_GEOMETRY, MAX_SEEDS, UpAxis, VoxelExtras};
pub use geometry_files::{
    GeometryError, LoadedGeometry, MAX_GEOMETRY_BYTES, RawGeometry, decode_geometry, load_geometry, placed,
    read_geometry, voxel_input,
};
pub use history::History;
pub use issue::{HiddenIssue, issue_area, link_of, name_links};
pub use level_at::{least_climb, level_at, new_level_at};
pub use marks::Contested;
pub use merge::{Conflict, Merged, Side, merge};
pub use open::{FileKind, OpenError, Opened, open, open_contested, open_text};
pub use path_check::{CheckAnswer, CheckId, PathCheck, Wanted, run_checks};
pub use picture::{MAX_PICTURES, PIXEL_SIZES, Picture, PictureId};
pub use spot::{Spot, SpotPath, farthest_above, farthest_beside, find_path, floor_of, floors_over};
pub use whole::write_whole;
