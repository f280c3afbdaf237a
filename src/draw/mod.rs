//! Meshes, areas, paths and issues as shapes with a role, and painters for the shapes. No shape knows a colour.
//!
//! Reading order: [`Shape`] and [`Role`] (what is drawn, in world x and z), the makers [`mesh_shapes`],
//! [`area_shapes`], [`path_shapes`], [`issue_shapes`] and [`grid_shapes`], [`Theme`] (role → colour, once),
//! [`View`] (world ↔ pixels), [`paint`] (shapes → a [`Canvas`] of four calls, which the editor's window also is),
//! [`Picture`] (a whole map with rulers and legend), and the canvases [`Svg`] and `Raster` that need no window.

mod areas;
mod colors;
mod fill;
mod grid;
mod islands;
mod issues;
mod navmesh;
mod paint;
mod path;
mod picture;
mod relief;
mod shape;
mod stages;
mod storeys;
mod svg;
mod theme;
mod tiles;
mod view;

#[cfg(feature = "cli")]
mod glyphs;
#[cfg(feature = "cli")]
mod raster;

pub use areas::area_shapes;
pub use colors::{Colors, OwnColors, Rgba, Sight};
pub use fill::convex_pieces;
pub use grid::{grid_shapes, nice_step};
pub use islands::IslandShapes;
pub use issues::{issue_shapes, issue_sign};
pub use navmesh::{AttachedLinks, MeshShapes, link_arc, mesh_shapes, tile_shapes};
pub use paint::{Canvas, paint};
pub use path::path_shapes;
pub use picture::{Contents, Picture};
#[cfg(feature = "cli")]
pub use raster::Raster;
pub use relief::MOST_RELIEF;
pub use shape::{Anchor, Role, Shape, Sign, bounds};
pub use stages::{StagePicture, flat_stages, seeds_stage, voxel_stages};
pub use storeys::Storeys;
pub use svg::Svg;
pub use theme::{LEAST_CONTRAST, Lean, Stroke, Style, Theme};
pub use tiles::TileShapes;
pub use view::View;
