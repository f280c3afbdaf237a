//! The plane in exact integers; knows nothing of navigation meshes.
//!
//! Reading order: [`grid`] (integer points), [`predicates`] (orientation, directions), [`ratio`] (fractions of an
//! edge, compared exactly), [`ring`] (winding numbers), [`union_find`], [`segment_grid`] (which segments may meet), [`box_tree`] (which boxes meet a
//! window). [`plane`] is apart from all this: floats, for tools.

pub mod box_tree;
pub mod grid;
pub mod plane;
pub mod predicates;
pub mod ratio;
pub mod ring;
pub mod segment_grid;
pub mod union_find;
