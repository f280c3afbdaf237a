//! What can be plotted of bakes, meshes and paths, as numbers: bars, a map of tiles, a line. The panel paints them,
//! [`export`] writes them.
//!
//! Reading order: `figure` ([`Kind`], the choice; [`Figure`], what is seen), `mesh` and `course` (how it is made),
//! `view` (when it is made), [`export`].

mod course;
pub mod export;
mod figure;
mod mesh;
mod view;

pub use figure::{Bar, Body, Cell, Figure, Kind, Place, why_empty};
pub use view::{PlotView, Plotted};
