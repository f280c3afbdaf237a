//! Maps: the project file, map text.

use anyhow::bail;

use super::given::{Given, Written};
use crate::cli::output::count;
use crate::interop::navwalk::{MapLine, MapText, is_rounded};
use crate::project::FileKind;
use crate::project::file::{encode, text_of_file};
use crate::project::map_text::map_from_document;
use crate::project::relative::moved;

/// A project; one of an older version becomes one of this version.
pub(super) fn project(given: Given) -> anyhow::Result<Written> {
    let (input, output) = (given.input.clone(), given.output.clone());
    let opened = given.map()?;
    let mut lost = Vec::new();
    match opened.kind {
        FileKind::MapText => lost.extend(comments_lost(comments_of(&lines_of(&input)?))),
        FileKind::Project => lost.extend(comments_lost(ron_comments(&text_of_file(&input)?))),
        FileKind::Geometry => {}
    }
    let (document, unreached) = moved(&opened.document, &input, &output);
    let keeps = |path: String| format!("{path} cannot be reached from the new folder and keeps its path");
    lost.extend(unreached.into_iter().map(keeps));
    Ok(Written { bytes: encode(&document).into_bytes(), lost })
}

/// Map text; what is map text already keeps its comments.
pub(super) fn map_text(given: Given) -> anyhow::Result<Written> {
    let input = given.input.clone();
    let opened = given.map()?;
    let (map, lost) = match opened.kind {
        FileKind::Project => map_from_document(&opened.document),
        FileKind::MapText => {
            let map = lines_of(&input)?;
            let lost = rounded(&map);
            (map, lost)
        }
        FileKind::Geometry => bail!(
            "{} is geometry, and map text holds drawn areas alone; write it as a project (.nav.ron), which names the file",
            input.display()
        ),
    };
    Ok(Written { bytes: map.to_string().into_bytes(), lost })
}

fn lines_of(input: &std::path::Path) -> anyhow::Result<MapText> {
    Ok(MapText::parse(&text_of_file(input)?)?)
}

fn rounded(map: &MapText) -> Vec<String> {
    let values = map.areas().flat_map(|area| area.points.iter().flatten());
    match values.filter(|value| is_rounded(**value)).count() {
        0 => Vec::new(),
        1 => vec!["1 coordinate is rounded to a thousandth".to_owned()],
        many => vec![format!("{many} coordinates are rounded to a thousandth")],
    }
}

fn comments_of(map: &MapText) -> usize {
    let has = |line: &&MapLine| match line {
        MapLine::Area(_, comment) => comment.is_some(),
        MapLine::Text(text) => !text.is_empty(),
    };
    map.lines.iter().filter(has).count()
}

fn comments_lost(comments: usize) -> Option<String> {
    let verb = if comments == 1 { "is" } else { "are" };
    (comments > 0).then(|| format!("{} {verb} left out", count(comments, "comment")))
}

/// Comments of a text in RON, those in quotes not counted.
fn ron_comments(text: &str) -> usize {
    let (mut comments, mut rest) = (0, text);
    while let Some(at) = rest.find(['"', '/']) {
        let from = &rest[at..];
        let (end, is_comment) = match from.as_bytes() {
            [b'"', ..] => (end_of_quoted(from), false),
            [b'/', b'/', ..] => (from.find('\n').unwrap_or(from.len()), true),
            [b'/', b'*', ..] => (from.find("*/").map_or(from.len(), |end| end + 2), true),
            _ => (1, false),
        };
        comments += usize::from(is_comment);
        rest = &from[end..];
    }
    comments
}

/// Where a text in quotes ends, that begins with its first one.
fn end_of_quoted(text: &str) -> usize {
    let mut escaped = false;
    let end = text.char_indices().skip(1).find(|(_, letter)| {
        let ends = *letter == '"' && !escaped;
        escaped = *letter == '\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |(at, _)| at + 1)
}
