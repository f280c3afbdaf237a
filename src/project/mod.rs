//! The document as a value: pure commands, undo by keeping values, and the files it is read from and saved in.
//!
//! Reading order: [`Area`], [`Link`], [`Level`] and [`Spot`] (what is drawn; `element`, `ends`), [`AgentClass`] (who
//! walks it), [`Picture`] (what it is drawn over), [`AreaType`] (what floors are of), [`PathCheck`] (what every bake
//! must answer), [`HiddenIssue`] and [`Geometry`] (triangles in other files); [`Document`] (all of these, a map);
//! [`find_path`] (the floor that is meant by a place), [`run_checks`], [`name_links`] (diagnostics as people read
//! them); [`Command`] and [`apply`] (all that changes it), [`History`] (undo, redo, gestures), [`mod@file`]
//! (`.nav.ron`), [`map_text`] (the seed's `nav walk …` lines), [`open`] (either, told apart by content),
//! [`load_geometry`], [`autosave`] (recovery files), [`differences`] and [`changes`] (in words), [`merge`] (two
//! people's changes put together) and [`marks`] (files in which a version control system left both).

mod area_type;
pub mod autosave;
mod changes;
mod check;
mod check_answer;
mod class;
mod command;
mod difference;
mod document;
mod element;
mod ends;
mod error;
pub mod file;
pub mod fix;
mod geometry;
mod geometry_files;
mod hidden_issue;
mod history;
mod issue;
mod level_at;
pub mod map_text;
pub mod marks;
mod merge;
mod naming;
mod new_link;
mod open;
mod outline;
mod path_check;
mod picture;
pub mod relative;
mod replace;
mod spot;
mod whole;

pub use area_type::{AreaType, MAX_COST};
pub use changes::{Change, Part, changes};
pub use check::{MAX_AREA_TYPE, MAX_ELEMENTS, MAX_NAME_BYTES};
pub use check_answer::{CheckAnswer, run_checks};
pub use class::{AgentClass, ClassId, MAX_CLASSES, shared_settings};
pub use command::{Command, apply};
pub use difference::differences;
pub use document::Document;
pub use element::{Area, AreaId, Level, Link, LinkId, MAX_ORDER, Spot, flat_area, new_id};
pub use error::CommandError;
pub use geometry::{Geometry, GeometryId, MAX_GEOMETRY, MAX_SEEDS, UpAxis, VoxelExtras};
pub use geometry_files::{
    GeometryError, LoadedGeometry, MAX_GEOMETRY_BYTES, RawGeometry, decode_geometry, load_geometry, placed,
    read_geometry, voxel_input,
};
pub use hidden_issue::HiddenIssue;
pub use history::History;
pub use issue::{issue_area, link_of, name_links, nothing_baked};
pub use level_at::{least_climb, level_at, new_level_at};
pub use marks::Contested;
pub use merge::{Conflict, Merged, Side, merge};
pub use naming::numbered;
pub use new_link::{LINK_RADIUS, new_link};
pub use open::{FileKind, OpenError, Opened, open, open_contested, open_text};
pub use path_check::{CheckId, PathCheck, Wanted};
pub use picture::{MAX_PICTURES, PIXEL_SIZES, Picture, PictureId};
pub use spot::{SpotPath, explain_spots, farthest_above, find_path, floor_of, floors_over};
pub use whole::write_whole;
