//! Authored links into the slots of the tile that holds their start (the format's four authoring rules).

use std::collections::BTreeMap;

use crate::bake::{Diagnostic, DiagnosticKind, Element};
use crate::format::{
    AuthoredLink, NavMeshParams, NavSettings, OffMeshLink, RawTile, Tile, TileRef, TiledNavMesh, WORLD_BOUND,
};
use crate::stitch::{Candidate, EndExplanation, PolygonTree, explain_link};

/// Why a link is not in the mesh.
struct Refusal {
    kind: DiagnosticKind,
    measured: f64,
    limit: f64,
    why: String,
}

/// Adds each link to the right tile of its start's column. `tiles`: per column, lowest layer first, without links.
pub(crate) fn place_links(
    settings: &NavSettings,
    params: &NavMeshParams,
    tiles: &mut BTreeMap<(i32, i32), Vec<Tile>>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut placed: BTreeMap<(i32, i32), Vec<(usize, OffMeshLink)>> = BTreeMap::new();
    for (index, link) in settings.links.iter().enumerate() {
        match place_link(link, params, tiles) {
            Ok((column, layer, slot)) => placed.entry(column).or_default().push((layer, slot)),
            Err(refusal) => diagnostics.push(Diagnostic {
                kind: refusal.kind,
                place: [link.start[0], link.start[2]],
                level: 0,
                element: Element::Link(index),
                measured: refusal.measured,
                limit: refusal.limit,
                message: format!("link {}: {}", index + 1, refusal.why),
            }),
        }
    }
    for (column, links) in placed {
        let Some(layers) = tiles.get_mut(&column) else { continue };
        let mut raws: Vec<RawTile> = layers.iter().map(|tile| (**tile).clone()).collect();
        for (layer, link) in links {
            raws[layer].links.push(link);
        }
        // The links were checked one by one, so a tile that was valid stays so.
        let checked: Result<Vec<Tile>, _> = raws.into_iter().map(|raw| raw.validate(params)).collect();
        match checked {
            Ok(checked) => *layers = checked,
            Err(error) => diagnostics.push(Diagnostic {
                kind: DiagnosticKind::TileFailed,
                place: [params.tile_origin_x(column.0), params.tile_origin_z(column.1)],
                level: 0,
                element: Element::Tile { tile_x: column.0, tile_z: column.1 },
                measured: f64::NAN,
                limit: f64::NAN,
                message: format!("tile ({}, {}): {error}", column.0, column.1),
            }),
        }
    }
}

type Placed = ((i32, i32), usize, OffMeshLink);

fn place_link(
    link: &AuthoredLink,
    params: &NavMeshParams,
    tiles: &BTreeMap<(i32, i32), Vec<Tile>>,
) -> Result<Placed, Refusal> {
    let invalid =
        |measured, limit, why: String| Refusal { kind: DiagnosticKind::LinkInvalid, measured, limit, why };
    for value in link.start.iter().chain(&link.end) {
        if !(value.is_finite() && value.abs() < WORLD_BOUND) {
            return Err(invalid(*value, WORLD_BOUND, format!("coordinate {value} must lie inside ±2097152")));
        }
    }
    if !(link.radius.is_finite() && link.radius > 0.0) || (link.radius as f32) <= 0.0 {
        return Err(invalid(link.radius, 0.0, format!("radius is {}, but must be above 0", link.radius)));
    }
    if link.area > 63 {
        return Err(invalid(
            f64::from(link.area),
            63.0,
            format!("area type is {}, but at most 63", link.area),
        ));
    }
    let dropped = |measured, limit, why| Refusal { kind: DiagnosticKind::LinkDropped, measured, limit, why };
    let column = params.world_to_tile(link.start[0], link.start[2]);
    let Some((column, layers)) = column.and_then(|column| tiles.get(&column).map(|layers| (column, layers)))
    else {
        return Err(dropped(
            f64::NAN,
            f64::NAN,
            "there is no tile under its start, so it is dropped".to_owned(),
        ));
    };
    let references =
        layers.iter().enumerate().map(|(layer, tile)| (TileRef::new(1, layer as u32), tile)).collect();
    let tree = PolygonTree::new(params, references);
    let nearest = tree.attach(link.start, f64::from(link.radius as f32), params.walkable_climb.into());
    let layer = nearest.map_or(0, |polygon| polygon.slot() as usize);
    let tile = &layers[layer];
    let origin = [params.tile_origin_x(column.0), tile.origin_y, params.tile_origin_z(column.1)];
    let local = |point: [f64; 3]| std::array::from_fn::<f32, 3, _>(|i| (point[i] - origin[i]) as f32);
    let (start, end) = (local(link.start), local(link.end));
    let extent = params.max_local_extent();
    let beyond = |i: usize| f64::from(end[i]).abs() > extent;
    if beyond(0) || beyond(2) {
        let reach = f64::from(end[0]).abs().max(f64::from(end[2]).abs());
        let why = format!("its end lies {reach} from its start's tile corner, a tile's links reach {extent}");
        return Err(invalid(reach, extent, why));
    }
    for (name, y) in [("start", start[1]), ("end", end[1])] {
        let dy = f64::from(y).abs();
        if dy > extent {
            return Err(dropped(
                dy,
                extent,
                format!("its {name} lies {dy} above or below its tile, at most {extent}"),
            ));
        }
    }
    let (radius, bidirectional) = (link.radius as f32, link.bidirectional);
    let (area, flags, user_id) = (link.area, link.flags, link.user_id);
    Ok((column, layer, OffMeshLink { start, end, radius, area, bidirectional, flags, user_id }))
}

/// Says which ends of the mesh's links found no polygon.
pub(crate) fn report_unattached(
    settings: &NavSettings,
    mesh: &TiledNavMesh,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for (reference, tile) in mesh.tiles() {
        for (index, slot_link) in tile.links.iter().enumerate() {
            let attachment = mesh.attachments[reference.slot() as usize][index];
            if attachment.start.is_some() && attachment.end.is_some() {
                continue;
            }
            let start = tile.point_in_world(mesh.params(), slot_link.start);
            let end = tile.point_in_world(mesh.params(), slot_link.end);
            let near = |a: f64, b: f64| (a - b).abs() <= 1e-3 + a.abs() * 1e-6;
            let author = settings.links.iter().position(|link| {
                link.user_id == slot_link.user_id
                    && (0..3).all(|i| near(link.start[i], start[i]) && near(link.end[i], end[i]))
            });
            let number = author.map_or(index, |author| author);
            let Some(why) = explain_link(mesh, reference, index as u32) else { continue };
            let ends = [
                (why.start, DiagnosticKind::LinkStartUnattached, "start", start),
                (why.end, DiagnosticKind::LinkEndUnattached, "end", end),
            ];
            for (why, kind, name, place) in ends {
                if let Some((measured, limit, why)) = miss_of(&why, name) {
                    diagnostics.push(Diagnostic {
                        kind,
                        place: [place[0], place[2]],
                        level: 0,
                        element: Element::Link(number),
                        measured,
                        limit,
                        message: format!("link {}: {why}", number + 1),
                    });
                }
            }
        }
    }
}

/// What was measured, its limit, and the sentence; `None` for an end that attaches.
fn miss_of(end: &EndExplanation, name: &str) -> Option<(f64, f64, String)> {
    let (nearest, radius, climb) = match *end {
        EndExplanation::Attached(_) => return None,
        EndExplanation::NoTile => {
            return Some((f64::NAN, f64::NAN, format!("there is no floor in the tile under its {name}")));
        }
        EndExplanation::OutOfReach { nearest, radius, climb } => (nearest, radius, climb),
    };
    let Candidate { distance, dy, .. } = nearest;
    if distance > radius {
        let why =
            format!("the nearest floor lies {distance:.3} beside its {name}, its radius is {radius:.3}");
        return Some((distance, radius, why));
    }
    let why = format!("the nearest floor lies {dy:.3} above or below its {name}, the climb is {climb:.3}");
    Some((dy, climb, why))
}
