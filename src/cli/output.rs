//! Results, complaints and files.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};

use crate::project::write_whole;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// As asked: 0.
    Done,
    /// Done, but something was found: 1.
    Finding,
    /// Wrong usage, or a file that cannot be read or written: 2.
    Failure,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Done => Self::SUCCESS,
            Exit::Finding => Self::from(1),
            Exit::Failure => Self::from(2),
        }
    }
}

impl Exit {
    /// [`Exit::Finding`] if something was found.
    pub(super) fn finding(found: bool) -> Self {
        if found { Self::Finding } else { Self::Done }
    }
}

/// Writes results to standard output; whether anybody still reads. A reader that has gone away, such as `head`, has
/// what it wanted.
pub(super) fn print(text: &str) -> anyhow::Result<bool> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(error).context("cannot write to standard output"),
    }
}

/// Refuses to write a mesh to a name that says it is something else, such as a picture; one without an ending may be a
/// pipe.
pub(super) fn check_mesh_name(path: &Path, endings: &[&str]) -> anyhow::Result<()> {
    let Some(ending) = path.extension() else { return Ok(()) };
    let fits = |known: &&str| ending.eq_ignore_ascii_case(known);
    if !endings.iter().any(fits) {
        let list: Vec<String> = endings.iter().map(|ending| format!(".{ending}")).collect();
        bail!("{}: a baked mesh is written to a name that ends in {}", path.display(), list.join(" or "))
    }
    Ok(())
}

/// Writes a complaint to standard error.
pub fn complain(text: &str) {
    // Where there is nobody to complain to, the exit code still tells.
    writeln!(io::stderr().lock(), "navwright: {text}").ok();
}

/// An error and its causes in one line; a cause that the message already ends with is not said twice.
pub(super) fn words(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.ends_with(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

/// A pretty JSON value with a line end.
pub(super) fn json_text(value: &serde_json::Value) -> anyhow::Result<String> {
    Ok(format!("{}\n", serde_json::to_string_pretty(value)?))
}

/// Writes a file whole or not at all.
pub(super) fn write_file(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    write_whole(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

/// At most `decimals` decimals, without trailing zeros and without -0.
pub(super) fn decimal(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// What a reader or writer says that it left out, one by one.
pub(super) fn sentences(said: &str) -> Vec<String> {
    said.split("; ").filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// A count with its noun: "1 tile", "2 tiles".
pub(super) fn count(number: usize, noun: &str) -> String {
    let ending = match number {
        1 => "",
        _ if noun.ends_with('s') => "es",
        _ => "s",
    };
    format!("{number} {noun}{ending}")
}
