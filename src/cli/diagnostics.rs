//! What a bake says, as lines and as JSON.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::output::{count, decimal};
use crate::bake::{BakeReport, Diagnostic, Element, Severity};

pub(super) fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

/// "diagnostics  1 error, 2 warnings"; nothing where there are none.
pub(super) fn severities(report: &BakeReport) -> String {
    let mut counts: BTreeMap<Severity, usize> = BTreeMap::new();
    for diagnostic in &report.diagnostics {
        *counts.entry(diagnostic.kind.severity()).or_default() += 1;
    }
    if counts.is_empty() {
        return String::new();
    }
    let parts = counts.iter().rev().map(|(&severity, &number)| count(number, severity_name(severity)));
    format!("diagnostics      {}\n", parts.collect::<Vec<_>>().join(", "))
}

pub(super) fn diagnostic_line(diagnostic: &Diagnostic) -> String {
    let [x, z] = diagnostic.place.map(|value| decimal(value, 3));
    let severity = severity_name(diagnostic.kind.severity());
    let (kind, level, message) = (diagnostic.kind.name(), diagnostic.level, &diagnostic.message);
    format!("{severity}: {kind} at {x}, {z} on level {level}: {message}\n")
}

pub(super) fn diagnostic_json(diagnostic: &Diagnostic) -> Value {
    // NaN, which stands for "none", has no place in JSON and becomes null.
    json!({
        "kind": diagnostic.kind.name(),
        "severity": severity_name(diagnostic.kind.severity()),
        "x": diagnostic.place[0],
        "z": diagnostic.place[1],
        "level": diagnostic.level,
        "element": element_json(diagnostic.element),
        "measured": diagnostic.measured,
        "limit": diagnostic.limit,
        "message": diagnostic.message,
    })
}

fn element_json(element: Element) -> Value {
    match element {
        Element::Area(id) => json!({ "type": "area", "id": format!("{id:016x}") }),
        Element::Point { area, index } => {
            json!({ "type": "point", "area": format!("{area:016x}"), "index": index })
        }
        Element::Link(index) => json!({ "type": "link", "index": index }),
        Element::Level(number) => json!({ "type": "level", "number": number }),
        Element::Levels(numbers) => json!({ "type": "levels", "numbers": numbers }),
        Element::Tile { tile_x, tile_z } => json!({ "type": "tile", "x": tile_x, "z": tile_z }),
        Element::Settings => json!({ "type": "settings" }),
        Element::Geometry(id) => json!({ "type": "geometry", "id": format!("{id:016x}") }),
        Element::Mesh(index) => json!({ "type": "mesh", "index": index }),
    }
}
