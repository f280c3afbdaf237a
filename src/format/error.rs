//! What can be wrong with bytes, values and edits.

/// A typed error; every message names the thing, its index, the value and the bound.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FormatError {
    /// Bytes or tile content break a rule of the format.
    #[error("{what}")]
    Bad {
        /// The rule's short name, such as `polygon.convex`.
        rule: &'static str,
        /// Polygon, edge, array, value and bound.
        what: String,
    },
    /// A version this reader does not know.
    #[error("{what}: version {found} found, version {expected} expected")]
    Version {
        /// Which structure.
        what: String,
        /// The version found.
        found: u16,
        /// The version expected.
        expected: u16,
    },
    /// Built with other settings.
    #[error("{what}")]
    Fingerprint {
        /// Which field differs and both values, where known.
        what: String,
    },
    /// A value outside its bound.
    #[error("{name} is {value}, but {bound}")]
    OutOfRange {
        /// The value's name.
        name: String,
        /// The value found.
        value: String,
        /// The bound it breaks.
        bound: String,
    },
    /// A tile stands there already.
    #[error("tile ({tile_x}, {tile_z}, layer {layer}) is occupied by slot {slot}")]
    Occupied {
        /// Column.
        tile_x: i32,
        /// Row.
        tile_z: i32,
        /// Layer.
        layer: i32,
        /// The slot that holds it.
        slot: u32,
    },
    /// A snapshot's content id that the library lacks.
    #[error("{what}")]
    MissingContent {
        /// The slot and the content id.
        what: String,
    },
}
