//! Why a file is not read, and why a mesh is not written.

use super::layout::REFERENCE_BITS;
use crate::format::{FormatError, TilePosition};

/// Why bytes are not a mesh that can be read.
#[derive(Debug, thiserror::Error)]
pub enum MsetError {
    /// The file ends too early.
    #[error("byte {offset}: {what} needs {needed} bytes, but {left} are left")]
    Truncated {
        /// Where.
        offset: usize,
        /// What was to be read.
        what: &'static str,
        /// Its size.
        needed: usize,
        /// What there is.
        left: usize,
    },
    /// A value that cannot be.
    #[error("byte {offset}: {what} is {value}, but must be {bound}")]
    Value {
        /// Where.
        offset: usize,
        /// Which value.
        what: &'static str,
        /// What was found.
        value: String,
        /// What it must be.
        bound: String,
    },
    /// A polygon that cannot be used.
    #[error("tile {tile}, polygon {polygon}: {what}")]
    Polygon {
        /// The tile's number in the file.
        tile: usize,
        /// The polygon's index in it.
        polygon: usize,
        /// What is wrong.
        what: String,
    },
    /// The tile breaks a rule of our format.
    #[error("tile {tile}: {source}")]
    Tile {
        /// The tile's number in the file.
        tile: usize,
        /// The rule.
        source: FormatError,
    },
    /// The mesh breaks a rule of our format.
    #[error(transparent)]
    Mesh(#[from] FormatError),
}

/// Why a mesh cannot be written as Detour has it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MsetExportError {
    /// A file of no tiles is none that Detour loads.
    #[error("the mesh has no tiles")]
    NoTiles,
    /// More of something than the format can count.
    #[error("tile {tile} has {count} {what}, but Detour's tiles have at most {most}")]
    TooMany {
        /// Where.
        tile: TilePosition,
        /// Of what.
        what: &'static str,
        /// How many.
        count: usize,
        /// The bound.
        most: usize,
    },
    /// A cell that 32 bits cannot tell.
    #[error(
        "cell_size is {cell_size}, but Detour keeps cells a unit as a 32-bit number, which it is none of"
    )]
    CellSize {
        /// The cell size.
        cell_size: String,
    },
    /// References of 32 bits cannot tell so many polygons apart.
    #[error(
        "{tiles} tiles of up to {polygons} polygons need references of {bits} bits, but Detour's have {REFERENCE_BITS}"
    )]
    References {
        /// Tiles of the mesh.
        tiles: usize,
        /// Most polygons of one.
        polygons: usize,
        /// What they need.
        bits: u32,
    },
    /// So far from the origin 32 bits are too few.
    #[error(
        "tile {tile}, polygon {polygon}: nothing is left of it where coordinates in the world have 32 bits; bake nearer to the origin"
    )]
    Collapsed {
        /// Where.
        tile: TilePosition,
        /// Which.
        polygon: usize,
    },
}
