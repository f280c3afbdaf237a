//! `stitch`: what links over borders and off-mesh, and what does not, with reasons.

use anyhow::{anyhow, bail};
use serde_json::{Value, json};

use super::args::{Place, StitchArgs};
use super::load::load_mesh;
use super::output::{Exit, count, decimal, json_text, print};
use crate::format::{DebugLink, Link, LinkKind, NO_SIDE, PolyRef, TileRef, TiledNavMesh, collect_debug};
use crate::query::{PathScratch, QueryFilter, closest_nav_point};
use crate::stitch::{
    Candidate, EdgeExplanation, EndExplanation, FacingEdge, PortalMiss, explain_edge, explain_link,
};

/// Most misses that are explained: each looks at every edge across its border, of which a hostile file has many.
const MAX_MISSES: usize = 5000;
/// Names of the border sides.
const SIDES: [&str; 4] = ["+X", "+Z", "-X", "-Z"];

pub(super) fn run(args: &StitchArgs) -> anyhow::Result<Exit> {
    let mesh = load_mesh(&args.file, args.class.class.as_deref())?;
    let text = match args.at {
        Some(place) => at_place(&mesh, place, args.json)?,
        None => whole(&mesh, args.json)?,
    };
    print(&text)?;
    Ok(Exit::Done)
}

/// A line for people and a value for programs.
struct Entry {
    line: String,
    json: Value,
}

/// All links, then all misses.
fn whole(mesh: &TiledNavMesh, as_json: bool) -> anyhow::Result<String> {
    let links: Vec<Entry> = collect_debug(mesh).links.iter().map(|link| link_entry(mesh, link)).collect();
    let mut misses = Vec::new();
    let (mut open, mut left_out) = (0, 0);
    for (reference, tile) in mesh.tiles() {
        for (index, polygon) in (0..).zip(&tile.polygons) {
            let from = reference.polygon(index);
            for (edge, at) in (0..polygon.vertex_count).zip(polygon.edges()) {
                let leaves = |link: &Link| link.kind == LinkKind::Portal && link.edge == edge;
                if tile.edge_sides[at] == NO_SIDE || mesh.links(from).iter().any(leaves) {
                    continue;
                }
                if misses.len() >= MAX_MISSES {
                    left_out += 1;
                    continue;
                }
                match explain_edge(mesh, from, edge) {
                    Some(EdgeExplanation::Unlinked {
                        reason: PortalMiss::NoTile { .. } | PortalMiss::NoColumn,
                        ..
                    }) => open += 1,
                    Some(EdgeExplanation::Unlinked { side, reason }) => {
                        misses.push(miss_entry(mesh, from, edge, side, &reason));
                    }
                    _ => {}
                }
            }
        }
        for link in (0..).take(tile.links.len()) {
            misses.extend(unattached_entries(mesh, reference, link));
        }
    }
    if as_json {
        let list = |entries: Vec<Entry>| entries.into_iter().map(|entry| entry.json).collect::<Value>();
        return json_text(&json!({
            "links": list(links), "misses": list(misses), "open_portals": open, "portals_left_out": left_out,
        }));
    }
    let near = if misses.len() == 1 { "near miss" } else { "near misses" };
    let (link_count, open) = (count(links.len(), "link"), count(open, "portal"));
    let mut text = format!("{link_count}, {} {near}, {open} towards no tile\n", misses.len());
    if left_out > 0 {
        text += &format!(
            "{left_out} more portals that link to nothing are left out; --at X,Z looks at any of them\n"
        );
    }
    text.extend(links.iter().chain(&misses).map(|entry| format!("{}\n", entry.line)));
    Ok(text)
}

/// Every edge of the polygons under a place, or of the nearest one.
fn at_place(mesh: &TiledNavMesh, place: Place, as_json: bool) -> anyhow::Result<String> {
    if place.third.is_some() {
        bail!("--at takes X,Z; every level there is listed")
    }
    let [x, z] = place.first;
    let mut polygons = polygons_at(mesh, [x, z]);
    let (mut text, mut off) = (String::new(), 0.0);
    if polygons.is_empty() {
        let (filter, mut scratch) = (QueryFilter::default(), PathScratch::default());
        let nearest = closest_nav_point(mesh, [x, z], None, f64::INFINITY, &filter, &mut scratch)?;
        let nearest = nearest.ok_or_else(|| anyhow!("the mesh has no polygon to be near {x}, {z}"))?;
        polygons.push(nearest.polygon);
        off = nearest.distance;
        text += &format!("no polygon lies at {x}, {z}; the nearest is {} off\n", decimal(off, 3));
    }
    let mut values = Vec::new();
    for from in polygons {
        let Some((tile, index)) = mesh.polygon(from) else { continue };
        let level = tile.polygons[index].level();
        text += &format!("{} on level {level}\n", name(mesh, from));
        let mut edges = Vec::new();
        for edge in 0..tile.polygons[index].vertex_count {
            let Some(explanation) = explain_edge(mesh, from, edge) else { continue };
            let entry = edge_entry(mesh, from, edge, &explanation);
            text += &format!("  {}\n", entry.line);
            edges.push(entry.json);
        }
        let mut jumps = Vec::new();
        for link in collect_links(mesh, from) {
            let entry = link_entry(mesh, &link);
            text += &format!("  {}\n", entry.line);
            jumps.push(entry.json);
        }
        values.push(
            json!({"polygon": poly_json(mesh, from), "level": level, "edges": edges, "off_mesh": jumps}),
        );
    }
    if as_json { json_text(&json!({ "polygons": values, "off": off })) } else { Ok(text) }
}

/// The off-mesh links that leave a polygon.
fn collect_links(mesh: &TiledNavMesh, from: PolyRef) -> Vec<DebugLink> {
    let all = collect_debug(mesh).links.into_iter();
    all.filter(|link| link.from == from && link.link.kind != LinkKind::Portal).collect()
}

/// The polygons that hold a place, edges included.
fn polygons_at(mesh: &TiledNavMesh, [x, z]: [f64; 2]) -> Vec<PolyRef> {
    let holds = |outline: &[[f64; 3]]| {
        let next = outline.iter().cycle().skip(1);
        outline.iter().zip(next).all(|(a, b)| (b[0] - a[0]) * (z - a[2]) - (b[2] - a[2]) * (x - a[0]) >= 0.0)
    };
    let polygons = collect_debug(mesh).polygons.into_iter();
    polygons.filter(|polygon| holds(&polygon.outline)).map(|polygon| polygon.polygon).collect()
}

fn edge_entry(mesh: &TiledNavMesh, from: PolyRef, edge: u8, explanation: &EdgeExplanation) -> Entry {
    let (line, mut json) = match explanation {
        EdgeExplanation::Neighbour(other) => (
            format!("edge {edge}: joined to polygon {}", other.polygon()),
            json!({"kind": "neighbour", "to": poly_json(mesh, *other)}),
        ),
        EdgeExplanation::Wall => (format!("edge {edge}: wall"), json!({"kind": "wall"})),
        EdgeExplanation::Linked(links) => {
            let to: Vec<String> = links.iter().map(|link| name(mesh, link.to)).collect();
            let values: Vec<Value> = links.iter().map(|link| poly_json(mesh, link.to)).collect();
            (format!("edge {edge}: linked to {}", to.join(" and ")), json!({"kind": "linked", "to": values}))
        }
        EdgeExplanation::Unlinked { side, reason } => {
            let (why, json) = reason_of(mesh, reason);
            (format!("edge {edge} ({}): {why}", side_name(*side)), json)
        }
    };
    json["edge"] = json!(edge);
    json["from"] = poly_json(mesh, from);
    Entry { line, json }
}

fn miss_entry(mesh: &TiledNavMesh, from: PolyRef, edge: u8, side: u8, reason: &PortalMiss) -> Entry {
    let (why, mut json) = reason_of(mesh, reason);
    json["edge"] = json!(edge);
    json["side"] = json!(side_name(side));
    json["from"] = poly_json(mesh, from);
    Entry { line: format!("miss      {} edge {edge} ({}): {why}", name(mesh, from), side_name(side)), json }
}

/// Why a portal links to nothing: as a sentence, and as a value.
fn reason_of(mesh: &TiledNavMesh, reason: &PortalMiss) -> (String, Value) {
    let facing = |nearest: &FacingEdge| format!("{} edge {}", name(mesh, nearest.polygon), nearest.edge);
    let facing_json = |nearest: &FacingEdge| {
        let mut json = poly_json(mesh, nearest.polygon);
        json["edge"] = json!(nearest.edge);
        json
    };
    match reason {
        PortalMiss::NoColumn => {
            ("no column lies across: the grid ends here".to_owned(), json!({"kind": "no_column"}))
        }
        PortalMiss::NoTile { tile_x, tile_z } => (
            format!("no tile stands in column ({tile_x}, {tile_z}) across"),
            json!({"kind": "no_tile", "x": tile_x, "z": tile_z}),
        ),
        PortalMiss::NoPortal { tile_x, tile_z } => (
            format!("no tile of column ({tile_x}, {tile_z}) has a portal on the facing side"),
            json!({"kind": "no_portal", "x": tile_x, "z": tile_z}),
        ),
        PortalMiss::NoOverlap { nearest, gap, place } => (
            format!(
                "no facing edge overlaps it; {} is nearest, {} away along the border at {}",
                facing(nearest),
                decimal(*gap, 6),
                place_text(*place)
            ),
            json!({"kind": "no_overlap", "nearest": facing_json(nearest), "measured": gap, "limit": 0.0, "place": place}),
        ),
        PortalMiss::Height { nearest, difference, climb, place } => (
            format!(
                "heights differ by {} at {}; {} is nearest",
                pair(difference.abs(), *climb).join(", more than the climb of "),
                place_text(*place),
                facing(nearest)
            ),
            json!({
                "kind": "height", "nearest": facing_json(nearest), "measured": difference.abs(), "limit": climb,
                "place": place,
            }),
        ),
    }
}

fn link_entry(mesh: &TiledNavMesh, link: &DebugLink) -> Entry {
    let (from, to) = (name(mesh, link.from), name(mesh, link.link.to));
    let (start, end) = (place_text(link.start), place_text(link.end));
    let mut json = json!({
        "from": poly_json(mesh, link.from), "to": poly_json(mesh, link.link.to), "start": link.start, "end": link.end,
    });
    let line = match link.link.kind {
        LinkKind::Portal => {
            json["kind"] = json!("portal");
            json["edge"] = json!(link.link.edge);
            json["side"] = json!(side_name(link.link.side));
            json["range"] = json!([link.link.range_min, link.link.range_max]);
            let (edge, side) = (link.link.edge, side_name(link.link.side));
            format!("portal    {from} edge {edge} ({side}) to {to}, from {start} to {end}")
        }
        kind => {
            let reverse = kind == LinkKind::OffMeshReverse;
            json["kind"] = json!(if reverse { "off_mesh_reverse" } else { "off_mesh" });
            json["link"] = json!(link.link.link);
            json["owner_slot"] = json!(link.link.owner_slot);
            let back = if reverse { " back" } else { "" };
            format!("off-mesh  {from} to {to}, link {}{back}, from {start} to {end}", link.link.link)
        }
    };
    Entry { line, json }
}

/// The ends of an off-mesh link that attach to nothing.
fn unattached_entries(mesh: &TiledNavMesh, owner: TileRef, link: u32) -> Vec<Entry> {
    let Some(explanation) = explain_link(mesh, owner, link) else { return Vec::new() };
    let Some(tile) = mesh.tile(owner) else { return Vec::new() };
    let slot_link = &tile.links[link as usize];
    let ends = [("start", slot_link.start, explanation.start), ("end", slot_link.end, explanation.end)];
    let entry = |(end, local, explanation): (&str, [f32; 3], EndExplanation)| {
        let place = tile.point_in_world(mesh.params(), local);
        let (why, mut json) = match explanation {
            EndExplanation::Attached(_) => return None,
            EndExplanation::NoTile => ("no tile lies under it".to_owned(), json!({"kind": "no_tile"})),
            EndExplanation::OutOfReach { nearest, radius, climb } => {
                let Candidate { polygon, distance, dy } = nearest;
                let why = format!(
                    "{} is nearest, {}) beside it and {}) above or below",
                    name(mesh, polygon),
                    pair(distance, radius).join(" (of at most "),
                    pair(dy, climb).join(" (of at most "),
                );
                let json = json!({
                    "kind": "out_of_reach", "nearest": poly_json(mesh, polygon), "distance": distance, "radius": radius,
                    "dy": dy, "climb": climb,
                });
                (why, json)
            }
        };
        json["link"] = json!(link);
        json["end"] = json!(end);
        json["place"] = json!(place);
        json["user_id"] = json!(slot_link.user_id);
        let (position, user_id, at) = (tile.position(), slot_link.user_id, place_text(place));
        let line =
            format!("miss      link {link} of tile {position} (user id {user_id}), {end} at {at}: {why}");
        Some(Entry { line, json })
    };
    ends.into_iter().filter_map(entry).collect()
}

fn name(mesh: &TiledNavMesh, polygon: PolyRef) -> String {
    let number = polygon.polygon();
    match mesh.tile(polygon.tile()) {
        Some(tile) => format!("tile {} polygon {number}", tile.position()),
        None => format!("slot {} polygon {number}", polygon.slot()),
    }
}

fn poly_json(mesh: &TiledNavMesh, polygon: PolyRef) -> Value {
    let tile = mesh.tile(polygon.tile()).map(|tile| tile.position());
    json!({
        "slot": polygon.slot(), "polygon": polygon.polygon(), "ref": format!("{:016x}", polygon.bits()),
        "x": tile.map(|at| at.tile_x), "z": tile.map(|at| at.tile_z), "layer": tile.map(|at| at.layer),
    })
}

/// A measured value and its limit: short, unless they then looked alike and are not.
fn pair(measured: f64, limit: f64) -> [String; 2] {
    let texts = [measured, limit].map(|value| decimal(value, 6));
    if measured > limit && texts[0] == texts[1] {
        [measured, limit].map(|value| value.to_string())
    } else {
        texts
    }
}

fn side_name(side: u8) -> &'static str {
    SIDES.get(usize::from(side)).copied().unwrap_or("none")
}

fn place_text(place: [f64; 3]) -> String {
    let [x, y, z] = place.map(|value| decimal(value, 3));
    format!("({x}, {y}, {z})")
}
