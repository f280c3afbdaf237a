//! The command line: parse, do one verb, print, exit code.
//!
//! Reading order: [`args`] (what can be asked), [`run`] (one verb, one [`Exit`]), `load` (what a file is, by its
//! content), `settings` (`--set`), `class` (`--class`), `source` (areas and geometry), `summary` (what a mesh holds), then a file per verb: `bake`, `inspect`,
//! `validate`, `path` (with `places`), `render`, `diff` (with `diff_maps`), `stitch`,
//! `convert` (with a file for each format that it writes), `merge`, `check`; `output` writes files whole and survives
//! a closed pipe.

pub mod args;
mod bake;
mod check;
mod class;
mod convert;
mod diagnostics;
mod diff;
mod diff_maps;
mod explain;
mod inspect;
mod load;
mod merge;
mod output;
mod path;
mod places;
mod render;
mod settings;
mod source;
mod stitch;
mod summary;
mod validate;

use args::Verb;
pub use output::{Exit, complain};

/// Does one verb: results go to standard output, complaints to standard error.
#[must_use]
pub fn run(verb: Verb) -> Exit {
    let done = match verb {
        Verb::Bake(args) => bake::run(&args),
        Verb::Inspect(args) => inspect::run(&args),
        Verb::Validate(args) => validate::run(&args),
        Verb::Path(args) => path::run(&args),
        Verb::Render(args) => render::run(&args),
        Verb::Diff(args) => diff::run(&args),
        Verb::Stitch(args) => stitch::run(&args),
        Verb::Convert(args) => convert::run(&args),
        Verb::Merge(args) => merge::run(&args),
        Verb::Check(args) => check::run(&args),
    };
    done.unwrap_or_else(|error| {
        complain(&output::words(&error));
        Exit::Failure
    })
}
