//! A document as text: laid out for people, line by line for merging.

use std::fmt::{Display, Write};
use std::sync::Arc;

use super::VERSION;
use crate::bake::{AreaKind, Surface};
use crate::format::{NavSettings, Partition};
use crate::project::element::renumbered;
use crate::project::{
    AgentClass, Area, AreaType, Document, Geometry, HiddenIssue, Level, Link, PathCheck, Picture, UpAxis,
    VoxelExtras, Wanted, class,
};

/// Lists no longer than this stay on one line; longer ones take a line per item.
const LINE_CHARS: usize = 100;

/// The project as text; equal documents give equal bytes, and decoding gives the document back.
#[must_use]
pub fn encode(document: &Document) -> String {
    let mut text = Text::default();
    text.open("Project(");
    text.field("version", VERSION);
    settings(&mut text, &document.settings);
    text.open("classes: [");
    let mut classes = class::renumbered((*document.classes).clone());
    classes.sort_by_key(|class| class.id);
    classes.iter().for_each(|class| self::class(&mut text, class));
    text.close("],");
    text.open("levels: [");
    document.levels.iter().for_each(|level| text.line(&self::level(level)));
    text.close("],");
    text.open("areas: [");
    // Hand-made documents may be unsorted; keys then follow the order they are in.
    let mut areas = renumbered((*document.areas).clone());
    areas.sort_by_key(|area| area.id);
    areas.iter().for_each(|area| self::area(&mut text, area));
    text.close("],");
    text.open("links: [");
    let mut links: Vec<&Arc<Link>> = document.links.iter().collect();
    links.sort_by_key(|link| link.id);
    links.into_iter().for_each(|link| self::link(&mut text, link));
    text.close("],");
    if !document.pictures.is_empty() {
        let mut pictures: Vec<&Arc<Picture>> = document.pictures.iter().collect();
        pictures.sort_by_key(|picture| picture.id);
        text.open("pictures: [");
        pictures.into_iter().for_each(|picture| self::picture(&mut text, picture));
        text.close("],");
    }
    extras(&mut text, document);
    if !document.geometry.is_empty() {
        let mut items: Vec<&Arc<Geometry>> = document.geometry.iter().collect();
        items.sort_by_key(|item| item.id);
        text.open("geometry: [");
        items.into_iter().for_each(|item| geometry(&mut text, item));
        text.close("],");
    }
    if *document.voxel != VoxelExtras::default() {
        voxel(&mut text, &document.voxel);
    }
    text.close(")");
    text.out
}

/// The sections that most maps do without.
fn extras(text: &mut Text, document: &Document) {
    if !document.area_types.is_empty() {
        text.open("area_types: [");
        document.area_types.iter().for_each(|kind| text.line(&area_type(kind)));
        text.close("],");
    }
    if !document.checks.is_empty() {
        let mut checks: Vec<&Arc<PathCheck>> = document.checks.iter().collect();
        checks.sort_by_key(|check| check.id);
        text.open("checks: [");
        checks.into_iter().for_each(|check| self::check(text, check));
        text.close("],");
    }
    if !document.hidden_issues.is_empty() {
        text.open("hidden_issues: [");
        document.hidden_issues.iter().for_each(|hidden| text.line(&hidden_issue(hidden)));
        text.close("],");
    }
}

/// A project of these areas and links alone, for the clipboard: all else is at its default when read.
#[must_use]
pub fn encode_part(areas: &[Arc<Area>], links: &[Arc<Link>]) -> String {
    let mut text = Text::default();
    text.open("Project(");
    text.field("version", VERSION);
    text.open("areas: [");
    areas.iter().for_each(|area| self::area(&mut text, area));
    text.close("],");
    text.open("links: [");
    links.iter().for_each(|link| self::link(&mut text, link));
    text.close("],");
    text.close(")");
    text.out
}

/// Indented lines.
#[derive(Default)]
struct Text {
    out: String,
    depth: usize,
}

impl Text {
    fn line(&mut self, line: &str) {
        self.out.extend(std::iter::repeat_n("    ", self.depth));
        self.out.push_str(line);
        self.out.push('\n');
    }

    fn open(&mut self, line: &str) {
        self.line(line);
        self.depth += 1;
    }

    fn close(&mut self, line: &str) {
        self.depth -= 1;
        self.line(line);
    }

    fn field(&mut self, name: &str, value: impl Display) {
        self.line(&format!("{name}: {value},"));
    }

    /// A list on one line where it fits, else a line per item.
    fn list(&mut self, start: &str, items: &[String], end: &str) {
        let chars: usize = items.iter().map(|item| item.len() + 2).sum();
        if chars + start.len() + end.len() <= LINE_CHARS {
            self.line(&format!("{start}{}{end}", items.join(", ")));
            return;
        }
        self.open(start);
        items.iter().for_each(|item| self.line(&format!("{item},")));
        self.close(end);
    }
}

/// The shortest text that reads back to the same value; whole numbers without a point, −0.0 as 0.
fn number(value: impl Into<f64> + Copy + std::fmt::Debug) -> String {
    if value.into() == 0.0 {
        return "0".to_owned();
    }
    // Debug prints an f32 or f64 in its own shortest form, with an exponent where that is long.
    let text = format!("{value:?}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

fn point(point: &[f64; 2]) -> String {
    format!("({}, {})", number(point[0]), number(point[1]))
}

/// A string as RON reads it: quotes, backslashes and everything unprintable escaped.
fn quoted(value: &str) -> String {
    let mut out = String::from('"');
    for character in value.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            // Also what would turn the line's direction round or break it in an editor.
            c if c.is_control()
                || ('\u{2028}'..='\u{202e}').contains(&c)
                || ('\u{2066}'..='\u{2069}').contains(&c) =>
            {
                // Writing to a String cannot fail.
                write!(out, "\\u{{{:x}}}", u32::from(c)).ok();
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn settings(text: &mut Text, settings: &NavSettings) {
    let NavSettings {
        origin,
        tile_size,
        cell_size,
        cell_height,
        snap_bits,
        partition,
        min_region_area,
        merge_region_area,
        contour_max_error,
        max_verts_per_poly,
        area,
        max_edge_length,
        detail_sample_distance,
        detail_max_error,
        height,
        walkable_climb: _,
        agent_radius: _,
        agent_height: _,
        agent_max_slope: _,
        flags,
        links: _,
    } = settings;
    let partition = match partition {
        Partition::Watershed => "watershed",
        Partition::Monotone => "monotone",
        Partition::Layers => "layers",
    };
    text.open("settings: (");
    text.field("origin", format!("({})", origin.map(number).join(", ")));
    text.field("tile_size", number(*tile_size));
    text.field("cell_size", number(*cell_size));
    text.field("cell_height", number(*cell_height));
    text.field("snap_bits", snap_bits);
    text.field("partition", partition);
    text.field("min_region_area", min_region_area);
    text.field("merge_region_area", merge_region_area);
    text.field("contour_max_error", number(*contour_max_error));
    text.field("max_verts_per_poly", max_verts_per_poly);
    text.field("area", area);
    text.field("max_edge_length", number(*max_edge_length));
    text.field("detail_sample_distance", number(*detail_sample_distance));
    text.field("detail_max_error", number(*detail_max_error));
    text.field("height", number(*height));
    text.field("flags", flags);
    text.close("),");
}

fn class(text: &mut Text, class: &AgentClass) {
    let AgentClass { id, order, name, radius, height, climb, max_slope } = class;
    text.open("(");
    text.field("id", format!("0x{:016x}", id.0));
    text.field("order", order);
    text.field("name", quoted(name));
    text.field("agent_radius", number(*radius));
    text.field("agent_height", number(*height));
    text.field("walkable_climb", number(*climb));
    text.field("agent_max_slope", number(*max_slope));
    text.close("),");
}

fn level(level: &Level) -> String {
    let Level { number: level, name, elevation } = level;
    format!("(number: {level}, name: {}, elevation: {}),", quoted(name), number(*elevation))
}

fn area(text: &mut Text, area: &Area) {
    let Area { id, order, name, kind, level, points, area_type, flags, surface } = area;
    text.open("(");
    text.field("id", format!("0x{:016x}", id.0));
    text.field("order", order);
    text.field("name", quoted(name));
    text.field("kind", if *kind == AreaKind::Walk { "walk" } else { "hole" });
    text.field("level", level);
    if let Some(value) = area_type {
        text.field("area_type", value);
    }
    if let Some(value) = flags {
        text.field("flags", value);
    }
    match surface {
        Surface::Level => {}
        Surface::Ramp => text.field("surface", "ramp"),
        Surface::Heights(heights) => {
            let heights: Vec<_> = heights.iter().map(|&height| number(height)).collect();
            text.list("surface: heights([", &heights, "]),");
        }
    }
    let points: Vec<_> = points.iter().map(point).collect();
    text.list("points: [", &points, "],");
    text.close("),");
}

fn link(text: &mut Text, link: &Link) {
    let Link { id, name, start, start_level, start_y, end, end_level, end_y, .. } = link;
    let Link { radius, bidirectional, area, flags, user_id, .. } = link;
    text.open("(");
    text.field("id", format!("0x{:016x}", id.0));
    text.field("name", quoted(name));
    text.field("start", point(start));
    text.field("start_level", start_level);
    height(text, "start_y", *start_y);
    text.field("end", point(end));
    text.field("end_level", end_level);
    height(text, "end_y", *end_y);
    text.field("radius", number(*radius));
    text.field("bidirectional", bidirectional);
    text.field("area", area);
    text.field("flags", flags);
    text.field("user_id", user_id);
    text.close("),");
}

/// A height, where there is one.
fn height(text: &mut Text, name: &str, value: Option<f64>) {
    if let Some(value) = value {
        text.field(name, number(value));
    }
}

fn picture(text: &mut Text, picture: &Picture) {
    let Picture { id, path, level, offset, squares_per_pixel, opacity } = picture;
    text.open("(");
    text.field("id", format!("0x{:016x}", id.0));
    text.field("path", quoted(path));
    text.field("level", level);
    text.field("offset", point(offset));
    text.field("squares_per_pixel", number(*squares_per_pixel));
    text.field("opacity", number(*opacity));
    text.close("),");
}
fn area_type(kind: &AreaType) -> String {
    let AreaType { number: kind, name, color: [red, green, blue], cost } = kind;
    let (name, cost) = (quoted(name), number(*cost));
    format!("(number: {kind}, name: {name}, color: \"#{red:02x}{green:02x}{blue:02x}\", cost: {cost}),")
}

fn check(text: &mut Text, check: &PathCheck) {
    let PathCheck { id, name, class, start, start_level, start_y, end, end_level, end_y, wanted, longest } =
        check;
    text.open("(");
    text.field("id", format!("0x{:016x}", id.0));
    text.field("name", quoted(name));
    if let Some(class) = class {
        text.field("class", format!("0x{:016x}", class.0));
    }
    text.field("start", point(start));
    text.field("start_level", start_level);
    height(text, "start_y", *start_y);
    text.field("end", point(end));
    text.field("end_level", end_level);
    height(text, "end_y", *end_y);
    text.field("wanted", if *wanted == Wanted::Path { "path" } else { "no_path" });
    if let Some(longest) = longest {
        text.field("longest", number(*longest));
    }
    text.close("),");
}

fn hidden_issue(hidden: &HiddenIssue) -> String {
    let HiddenIssue { kind, level, place, area, link } = hidden;
    let mut line = format!("(kind: \"{}\", level: {level}, at: {}", kind.name(), point(place));
    if let Some(area) = area {
        line += &format!(", area: 0x{:016x}", area.0);
    }
    if let Some(link) = link {
        line += &format!(", link: 0x{:016x}", link.0);
    }
    line + "),"
}

fn geometry(text: &mut Text, item: &Geometry) {
    let Geometry { id, name, path, up, flip, scale, turn, offset, level, area_type, flags } = item;
    text.open("(");
    text.field("id", format!("0x{:016x}", id.0));
    if !name.is_empty() {
        text.field("name", quoted(name));
    }
    text.field("path", quoted(path));
    text.field("up", if *up == UpAxis::Y { "y" } else { "z" });
    if *flip {
        text.field("flip", flip);
    }
    text.field("scale", number(*scale));
    text.field("turn", number(*turn));
    text.field("offset", triple(offset));
    text.field("level", level);
    if let Some(value) = area_type {
        text.field("area_type", value);
    }
    if let Some(value) = flags {
        text.field("flags", value);
    }
    text.close("),");
}

fn triple(point: &[f64; 3]) -> String {
    format!("({})", point.map(number).join(", "))
}

fn voxel(text: &mut Text, extras: &VoxelExtras) {
    let VoxelExtras { seeds, ledge_radius, area_priority } = extras;
    text.open("voxel: (");
    if !seeds.is_empty() {
        text.open("seeds: [");
        seeds.iter().for_each(|seed| text.line(&format!("{},", triple(seed))));
        text.close("],");
    }
    if let Some(radius) = ledge_radius {
        text.field("ledge_radius", number(*radius));
    }
    if !area_priority.is_empty() {
        let types: Vec<String> = area_priority.iter().map(ToString::to_string).collect();
        text.list("area_priority: [", &types, "],");
    }
    text.close("),");
}
