//! Questions to a mesh: nearest place, path, corners, islands. Takes `&TiledNavMesh` and a caller's scratch;
//! warm scratch allocates nothing. Lengths are horizontal unless named otherwise.

mod filter;
mod path;

pub use filter::QueryFilter;
pub use path::{NavPath, NavPoint, PathScratch, PathStatus, QueryError, find_nav_path};
