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

/// A column whose tiles hold authored links.
#[derive(Debug)]
pub(crate) struct LinkedColumn {
    /// What it was made from: the tiles without links, and the links that start there, by index.
    base: Vec<Tile>,
    authored: Vec<(usize, AuthoredLink)>,
    /// The tiles with links, lowest layer first.
    pub(crate) layers: Vec<Tile>,
    diagnostics: Vec<Diagnostic>,
}

/// Whether a place is in a tile column that was not asked for, so that another part of the map answers for it.
/// `tiles`: as in [`crate::bake::BakeOptions::tiles`].
fn is_elsewhere(params: &NavMeshParams, tiles: Option<[i32; 4]>, [x, z]: [f64; 2]) -> bool {
    let (Some([x0, z0, x1, z1]), Some((x, z))) = (tiles, params.world_to_tile(x, z)) else { return false };
    !((x0..=x1).contains(&x) && (z0..=z1).contains(&z))
}

/// Adds each authored link to the right tile of its start's column. `columns`: by (z, x), lowest layer first, without
/// links. Columns that are as they were in `old` are kept. Links that start outside `tiles`, where only some are asked for,
/// are left to who bakes those.
pub(crate) fn link_columns(
    settings: &NavSettings,
    params: &NavMeshParams,
    columns: &BTreeMap<(i32, i32), &[Tile]>,
    mut old: BTreeMap<(i32, i32), LinkedColumn>,
    tiles: Option<[i32; 4]>,
    diagnostics: &mut Vec<Diagnostic>,
) -> BTreeMap<(i32, i32), LinkedColumn> {
    let mut by_column: BTreeMap<(i32, i32), Vec<(usize, AuthoredLink)>> = BTreeMap::new();
    for (index, link) in settings.links.iter().enumerate() {
        let column = check_link(link).and_then(|()| {
            let column = params.world_to_tile(link.start[0], link.start[2]).map(|(x, z)| (z, x));
            column.filter(|column| columns.contains_key(column)).ok_or_else(|| Refusal {
                kind: DiagnosticKind::LinkDropped,
                measured: f64::NAN,
                limit: f64::NAN,
                why: "there is no tile under its start, so it is dropped".to_owned(),
            })
        });
        match column {
            Ok(column) => by_column.entry(column).or_default().push((index, *link)),
            Err(_) if is_elsewhere(params, tiles, [link.start[0], link.start[2]]) => {}
            Err(refusal) => diagnostics.push(refusal.about(index, link)),
        }
    }
    let mut linked = BTreeMap::new();
    for (at, authored) in by_column {
        let base = columns[&at];
        let same = |column: &LinkedColumn| {
            column.authored == authored
                && column.base.len() == base.len()
                && column.base.iter().zip(base).all(|(a, b)| a.is_same(b))
        };
        let kept = old.remove(&at).filter(same);
        let column = kept.unwrap_or_else(|| link_column(params, (at.1, at.0), base, authored));
        diagnostics.extend_from_slice(&column.diagnostics);
        linked.insert(at, column);
    }
    linked
}

fn link_column(
    params: &NavMeshParams,
    column: (i32, i32),
    base: &[Tile],
    authored: Vec<(usize, AuthoredLink)>,
) -> LinkedColumn {
    let references =
        base.iter().enumerate().map(|(layer, tile)| (TileRef::new(1, layer as u32), tile)).collect();
    let tree = PolygonTree::new(params, references);
    let mut diagnostics = Vec::new();
    let mut raws: Vec<RawTile> = base.iter().map(|tile| (**tile).clone()).collect();
    for (index, link) in &authored {
        match place_link(link, params, column, base, &tree) {
            Ok((layer, link)) => raws[layer].links.push(link),
            Err(refusal) => diagnostics.push(refusal.about(*index, link)),
        }
    }
    // The links were checked one by one, so a tile that was valid stays so.
    let checked: Result<Vec<Tile>, _> = raws.into_iter().map(|raw| raw.validate(params)).collect();
    let layers = checked.unwrap_or_else(|error| {
        diagnostics.push(Diagnostic::tile_failed(params, column, &error.to_string()));
        base.to_vec()
    });
    LinkedColumn { base: base.to_vec(), authored, layers, diagnostics }
}

impl Refusal {
    fn about(self, index: usize, link: &AuthoredLink) -> Diagnostic {
        Diagnostic {
            kind: self.kind,
            place: [link.start[0], link.start[2]],
            level: 0,
            element: Element::Link(index),
            measured: self.measured,
            limit: self.limit,
            message: format!("link {}: {}", index + 1, self.why),
        }
    }
}

fn invalid(measured: f64, limit: f64, why: String) -> Refusal {
    Refusal { kind: DiagnosticKind::LinkInvalid, measured, limit, why }
}

/// What is wrong with a link by itself.
fn check_link(link: &AuthoredLink) -> Result<(), Refusal> {
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
    Ok(())
}

/// The layer that holds a link, and the link as its tile stores it.
fn place_link(
    link: &AuthoredLink,
    params: &NavMeshParams,
    column: (i32, i32),
    layers: &[Tile],
    tree: &PolygonTree<'_>,
) -> Result<(usize, OffMeshLink), Refusal> {
    let dropped = |measured, limit, why| Refusal { kind: DiagnosticKind::LinkDropped, measured, limit, why };
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
    Ok((layer, OffMeshLink { start, end, radius, area, bidirectional, flags, user_id }))
}

/// Says which ends of the mesh's links found no polygon; not of those that may have one in tiles that were not asked for.
pub(crate) fn report_unattached(
    settings: &NavSettings,
    mesh: &TiledNavMesh,
    tiles: Option<[i32; 4]>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut by_user_id: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (index, link) in settings.links.iter().enumerate() {
        by_user_id.entry(link.user_id).or_default().push(index);
    }
    for (reference, tile) in mesh.tiles() {
        for (index, slot_link) in tile.links.iter().enumerate() {
            let attachment = mesh.attachments[reference.slot() as usize][index];
            if attachment.start.is_some() && attachment.end.is_some() {
                continue;
            }
            let start = tile.point_in_world(mesh.params(), slot_link.start);
            let end = tile.point_in_world(mesh.params(), slot_link.end);
            let near = |a: f64, b: f64| (a - b).abs() <= 1e-3 + a.abs() * 1e-6;
            let candidates = by_user_id.get(&slot_link.user_id).map_or(&[][..], Vec::as_slice);
            let author = candidates.iter().copied().find(|&author| {
                let link = &settings.links[author];
                (0..3).all(|i| near(link.start[i], start[i]) && near(link.end[i], end[i]))
            });
            let number = author.unwrap_or(index);
            let Some(why) = explain_link(mesh, reference, index as u32) else { continue };
            let ends = [
                (why.start, DiagnosticKind::LinkStartUnattached, "start", start),
                (why.end, DiagnosticKind::LinkEndUnattached, "end", end),
            ];
            let reach = f64::from(slot_link.radius);
            let may_be_elsewhere = |[x, _, z]: [f64; 3]| {
                let corners = [[x - reach, z - reach], [x + reach, z + reach]];
                corners.into_iter().any(|corner| is_elsewhere(mesh.params(), tiles, corner))
            };
            for (why, kind, name, place) in ends {
                if may_be_elsewhere(place) {
                    continue;
                }
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
