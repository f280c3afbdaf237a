//! Arguments → command line or editor → exit code.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use navwright::cli::args::{Cli, unknown_command};
use navwright::cli::{self, Exit, complain};

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(answer) => {
            // Help and version are answers, the rest is wrong usage; a closed pipe changes neither.
            let unknown = Some(std::env::args_os()).filter(|_| answer.use_stderr()).and_then(unknown_command);
            if let Some(reason) = unknown {
                complain(&reason);
                return Exit::Failure.into();
            }
            answer.print().ok();
            return if answer.use_stderr() { Exit::Failure.into() } else { ExitCode::SUCCESS };
        }
    };
    match cli.verb {
        Some(verb) => cli::run(verb).into(),
        None => edit(cli.file).into(),
    }
}

/// Opens the editor, or says what works without one.
fn edit(file: Option<PathBuf>) -> Exit {
    if let Some(file) = file.as_ref().filter(|file| !file.exists()) {
        let words = [OsString::from("navwright"), file.clone().into_os_string()];
        let name = file.display();
        let reason = unknown_command(words).unwrap_or_else(|| format!("there is no file {name}"));
        complain(&reason);
        return Exit::Failure;
    }
    match open_editor(file) {
        Ok(()) => Exit::Done,
        Err(reason) => {
            complain(&format!("{reason}\n{WITHOUT_DISPLAY}"));
            Exit::Failure
        }
    }
}

const WITHOUT_DISPLAY: &str = "
These commands need no display:
  navwright bake PROJECT -o OUT.onnm     bake a map and write the mesh
  navwright inspect FILE                 say what is in a file
  navwright validate FILE...             check files against every rule
  navwright path FILE X,Z X,Z            find the path between two places
  navwright render FILE -o OUT.png       draw a map or a mesh
  navwright diff A B                     say why two files differ
  navwright stitch FILE                  list links, and near misses with their reasons
  navwright convert IN OUT               write a file in another format
  navwright merge PART... -o OUT.onnm    join bakes of tile ranges
  navwright check PROJECT                run the checks that are pinned in a map

navwright --help says more.";

#[cfg(feature = "editor")]
fn open_editor(file: Option<PathBuf>) -> Result<(), String> {
    navwright::editor::run(file.as_deref()).map_err(|error| format!("the editor cannot open: {error}"))
}

#[cfg(not(feature = "editor"))]
fn open_editor(_file: Option<PathBuf>) -> Result<(), String> {
    Err("this build has no editor (it was built without the feature \"editor\")".to_owned())
}
