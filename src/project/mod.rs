//! The document as a value: pure commands, undo by keeping values, and the files it is read from and saved in.
//!
//! Reading order: [`Document`] (what a map holds), [`AgentClass`] (who walks it), [`Command`] and [`apply`] (all that changes it), [`History`] (undo,
//! redo, gestures), [`mod@file`] (`.nav.ron`), [`map_text`] (the seed's `nav walk …` lines), [`open`] (either, told apart
//! by content), [`Geometry`] and [`load_geometry`] (triangles in other files), [`autosave`] (recovery files), [`differences`] (in words).

pub mod autosave;
mod check;
mod class;
mod command;
mod difference;
mod document;
pub mod file;
mod geometry;
mod geometry_files;
mod history;
pub mod map_text;
mod open;
mod whole;

pub use check::{MAX_AREA_TYPE, MAX_ELEMENTS, MAX_NAME_BYTES, MAX_ORDER};
pub use class::{AgentClass, ClassId, MAX_CLASSES, shared_settings};
pub use command::{Command, CommandError, apply};
pub use difference::differences;
pub use document::{Area, AreaId, Document, Level, Link, LinkId, new_id};
pub use geometry::{Geometry, GeometryId, MAX_GEOMETRY, MAX_SEEDS, UpAxis, VoxelExtras};
pub use geometry_files::{
    GeometryError, LoadedGeometry, MAX_GEOMETRY_BYTES, RawGeometry, load_geometry, placed, read_geometry,
    voxel_input,
};
pub use history::History;
pub use open::{FileKind, OpenError, Opened, open, open_text};
pub use whole::write_whole;
