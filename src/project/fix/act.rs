//! What a fix is, and the words that fixes are told in.

use std::sync::Arc;

use crate::format::TiledNavMesh;
use crate::geom::plane;
use crate::project::{AgentClass, Area, AreaId, Command, Document, GeometryId, Link, LinkId};

/// Something to do about an issue.
#[derive(Clone, Debug, PartialEq)]
pub struct Fix {
    /// What a button says: a verb and its object, and the undo step's name.
    pub name: String,
    /// One sentence on what it does.
    pub help: String,
    /// What it does.
    pub act: FixAct,
}

/// What a fix does.
#[derive(Clone, Debug, PartialEq)]
pub enum FixAct {
    /// Changes the document, as one step.
    Change(Command),
    /// Selects things and shows the place; nothing changes.
    Show {
        /// Areas to select.
        areas: Vec<AreaId>,
        /// Links to select.
        links: Vec<LinkId>,
    },
    /// Bakes again.
    Retry,
    /// Asks where a file of geometry is.
    Find(GeometryId),
    /// Shows what the stages of the bake made of a tile: its column and row.
    Stages([i32; 2]),
}

/// What fixes are computed from.
#[derive(Clone, Copy, Debug)]
pub struct FixContext<'a> {
    /// The document that was baked.
    pub document: &'a Document,
    /// The class that it was baked for.
    pub class: &'a AgentClass,
    /// What came out, if something did.
    pub mesh: Option<&'a TiledNavMesh>,
}

pub(super) fn change(name: impl Into<String>, help: impl Into<String>, command: Command) -> Fix {
    Fix { name: name.into(), help: help.into(), act: FixAct::Change(command) }
}

pub(super) fn show(name: impl Into<String>, help: impl Into<String>, areas: Vec<AreaId>) -> Fix {
    Fix { name: name.into(), help: help.into(), act: FixAct::Show { areas, links: Vec::new() } }
}

/// What buttons call an area.
pub(super) fn name_of(area: &Area) -> String {
    if area.name.is_empty() { format!("area {:016x}", area.id.0) } else { area.name.clone() }
}

pub(super) fn link_name(link: &Link) -> String {
    if link.name.is_empty() { format!("link {:016x}", link.id.0) } else { link.name.clone() }
}

pub(super) fn on_level(document: &Document, level: i8) -> impl Iterator<Item = &Arc<Area>> {
    document.areas.iter().filter(move |area| area.level == level)
}

/// To the nearest thousandth, never −0.
pub(super) fn thousandth(place: [f64; 2]) -> [f64; 2] {
    place.map(plane::thousandth)
}

/// At most three decimals, no zeros at the end.
pub(super) fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}
