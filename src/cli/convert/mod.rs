//! `convert`: a file of one format to another.
//!
//! Reading order: [`run`] (which kind is meant, what is said), `given` (what was read, as meshes, a map or triangles, or
//! why it cannot be had as such), `kinds` (the table: a line for each format), then a file for each format or few of one
//! origin, which takes from what was given what it can hold and names the rest: `own`, `mset`, `triangles` (OBJ, glTF),
//! `maps` (project, map text).

mod given;
mod kinds;
mod maps;
mod mset;
mod own;
mod triangles;
mod verb;

pub(super) use verb::run;
