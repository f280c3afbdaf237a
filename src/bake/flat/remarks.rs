//! What a designer should know about a drawing and its mesh, each at its place with numbers.

mod drawing;
mod gaps;
mod mesh;
mod seams;
mod thin;
mod vanished;

pub(crate) use drawing::{crossings_and_touches, report_levels, report_rings};
pub(crate) use gaps::{Gap, Wall, gap_reach, gaps_between, gaps_within, report_gaps, walls_of};
pub(crate) use mesh::{Borders, MeshNotes};
pub(crate) use seams::report_seams;
pub(crate) use thin::report_thin;
pub(crate) use vanished::{ClearedParts, cleared_parts, report_vanished};
