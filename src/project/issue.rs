//! Diagnostics as people read them, and which of them are hidden on purpose.

use std::sync::Arc;

use super::{Area, AreaId, Document, HiddenIssue, Link};
use crate::bake::{AreaKind, Diagnostic, DiagnosticKind, Element, Severity};
use crate::format::TiledNavMesh;
use crate::geom::plane::thousandth;

/// A hidden issue that has moved no farther than this is still the same one, in squares.
const SAME_PLACE: f64 = 0.5;

impl HiddenIssue {
    /// What hides a diagnostic of a document's bake.
    #[must_use]
    pub fn of(document: &Document, diagnostic: &Diagnostic) -> Self {
        Self {
            kind: diagnostic.kind,
            level: diagnostic.level,
            place: diagnostic.place.map(thousandth),
            area: area_of(diagnostic),
            link: link_of(document, diagnostic).map(|link| link.id),
        }
    }

    /// Whether it hides a diagnostic.
    #[must_use]
    pub fn hides(&self, document: &Document, diagnostic: &Diagnostic) -> bool {
        let [dx, dz] = [0, 1].map(|axis| self.place[axis] - diagnostic.place[axis]);
        self.kind == diagnostic.kind
            && self.level == diagnostic.level
            && dx.hypot(dz) <= SAME_PLACE
            && self.area == area_of(diagnostic)
            && self.link == link_of(document, diagnostic).map(|link| link.id)
    }
}

fn area_of(diagnostic: &Diagnostic) -> Option<AreaId> {
    match diagnostic.element {
        Element::Area(id) | Element::Point { area: id, .. } => Some(AreaId(id)),
        _ => None,
    }
}

/// The area a diagnostic is about.
#[must_use]
pub fn issue_area<'a>(document: &'a Document, diagnostic: &Diagnostic) -> Option<&'a Arc<Area>> {
    document.area(area_of(diagnostic)?)
}

/// The link a diagnostic of the document's own bake is about.
#[must_use]
pub fn link_of<'a>(document: &'a Document, diagnostic: &Diagnostic) -> Option<&'a Arc<Link>> {
    match diagnostic.element {
        Element::Link(index) => document.links.get(index),
        _ => None,
    }
}

/// Gives diagnostics of links the link's name and level, which a bake does not know.
pub fn name_links(document: &Document, diagnostics: &mut [Diagnostic]) {
    for diagnostic in diagnostics {
        let Element::Link(index) = diagnostic.element else { continue };
        let Some(link) = document.links.get(index) else { continue };
        diagnostic.level = match diagnostic.kind {
            DiagnosticKind::LinkEndUnattached => link.end_level,
            _ => link.start_level,
        };
        if let Some(rest) = diagnostic.message.strip_prefix(&format!("link {}: ", index + 1))
            && !link.name.is_empty()
        {
            diagnostic.message = format!("{}: {rest}", link.name);
        }
    }
}

impl Document {
    /// Whether a diagnostic is hidden on purpose.
    #[must_use]
    pub fn hides(&self, diagnostic: &Diagnostic) -> bool {
        self.hidden_issues.iter().any(|hidden| hidden.hides(self, diagnostic))
    }
}

/// Says that a mesh is empty, where nothing else that was said of its bake tells why.
#[must_use]
pub fn nothing_baked(document: &Document, mesh: &TiledNavMesh, said: &[Diagnostic]) -> Option<Diagnostic> {
    let is_empty = mesh.tiles().all(|(_, tile)| tile.polygons.is_empty());
    let is_of_links = |kind| {
        use DiagnosticKind as Kind;
        let links =
            [Kind::LinkDropped, Kind::LinkInvalid, Kind::LinkStartUnattached, Kind::LinkEndUnattached];
        links.contains(&kind)
    };
    let tells = |said: &Diagnostic| said.kind.severity() != Severity::Note && !is_of_links(said.kind);
    if !is_empty || said.iter().any(tells) {
        return None;
    }
    let walks = document.areas.iter().filter(|area| area.kind == AreaKind::Walk).count();
    let message = match (walks, document.geometry.len()) {
        (0, 0) => "the mesh is empty: the map has no walk area and no geometry".to_owned(),
        (walks, files) => {
            format!("the mesh is empty, though the map has walk areas ({walks}) or geometry (files: {files})")
        }
    };
    let [x, _, z] = document.settings.origin;
    Some(Diagnostic {
        kind: DiagnosticKind::NoFloor,
        place: [x, z],
        level: 0,
        element: Element::Settings,
        measured: f64::NAN,
        limit: f64::NAN,
        message,
    })
}
