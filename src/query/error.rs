//! Questions that make no sense.

use crate::format::WORLD_BOUND;

/// A question that makes no sense.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum QueryError {
    /// A coordinate beyond the coordinate rule.
    #[error("{name} is {value}, but must be finite and strictly inside ±2097152")]
    OutOfRange {
        /// Which.
        name: &'static str,
        /// The value found.
        value: f64,
    },
    /// A filter's cost that no search can use.
    #[error("the cost of area {area} is {value}, but must be finite and not negative")]
    AreaCost {
        /// The area type.
        area: usize,
        /// The cost found.
        value: f64,
    },
}

/// Whether a place lies within the coordinate rule. `names`: what its coordinates are called.
pub(super) fn check_point(names: [&'static str; 2], point: [f64; 2]) -> Result<(), QueryError> {
    for (name, value) in names.into_iter().zip(point) {
        if !(-WORLD_BOUND < value && value < WORLD_BOUND) {
            return Err(QueryError::OutOfRange { name, value });
        }
    }
    Ok(())
}
