//! The flat bake: drawn areas to tiles, exactly.
//!
//! The stages in reading order: `outline` (areas → rings on the unit grid of `frame`), `arrange` (rings → pieces that
//! meet in their ends only, no crossing rounded), `faces` and `overlay` (what is walkable where, with which label),
//! `joined` (the whole drawing: areas, holes, seams), `cut` (a tile's share, snapped to the binary grid by `snap`),
//! `partition` (convex polygons), `surfaces` and `heights`, `seams` (who gets a contested one), `layers`, `assemble` (the format's
//! tiles), `links` (authored links), `remarks` (what a designer should know). `baker` keeps the tiles whose input did
//! not change.

mod arrange;
mod assemble;
mod baker;
mod cut;
mod faces;
mod frame;
mod heights;
mod joined;
mod layers;
mod links;
mod outline;
mod overlay;
mod partition;
mod remarks;
mod seams;
mod snap;
mod surfaces;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

pub use baker::FlatBaker;
pub(super) use links::{place_links, report_unattached};
pub use joined::{JoinedLevel, JoinedStage, join_levels};

use super::limits::MAX_TILES;
use super::{
    AreaKind, BakeError, BakeOptions, BakeReport, Diagnostic, DiagnosticKind, Element, FlatInput, Progress,
};
use crate::format::{FormatError, NavMesh, NavMeshParams, NavSettings, Slot, Tile, UnlinkedMesh};
use baker::Kept;
use cut::ColumnInput;
use joined::Components;
use outline::Drawing;
use surfaces::Surfaces;

/// Rings by the tile columns that their bounds meet: (row, column) → rings, ascending.
type Columns = BTreeMap<(i32, i32), Vec<u32>>;

pub(super) fn bake_mesh(
    input: &FlatInput,
    settings: &NavSettings,
    options: &BakeOptions<'_>,
) -> Result<(NavMesh, BakeReport), BakeError> {
    bake_kept(&mut BTreeMap::new(), input, settings, options)
}

/// Tiles by column (x, z), with the digest of what they were made from.
type KeptColumns = BTreeMap<(i32, i32), Kept>;

fn bake_kept(
    kept: &mut KeptColumns,
    input: &FlatInput,
    settings: &NavSettings,
    options: &BakeOptions<'_>,
) -> Result<(NavMesh, BakeReport), BakeError> {
    if options.jobs == 0 {
        return bake_here(kept, input, settings, options);
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.jobs).build();
    let pool = pool.map_err(|error| BakeError::Unsupported(format!("{} threads: {error}", options.jobs)))?;
    pool.install(|| bake_here(kept, input, settings, options))
}

fn bake_here(
    kept: &mut KeptColumns,
    input: &FlatInput,
    settings: &NavSettings,
    options: &BakeOptions<'_>,
) -> Result<(NavMesh, BakeReport), BakeError> {
    check_settings(settings)?;
    let params = settings.to_params()?;
    let mut diagnostics = Vec::new();
    let drawing = outline::prepare(input, settings, &mut diagnostics)?;
    let columns = columns_of(&drawing, options)?;

    let overlay = overlay::overlay_all(&drawing);
    if options.stopped() {
        return Err(BakeError::Stopped);
    }
    let surfaces = Surfaces::new(input, &drawing, &overlay, settings.cell_size, settings.height);
    let components = Components::new(&overlay);
    let contested = seams::settle_seams(&drawing, &overlay, &components, &surfaces);
    let context = Context { drawing: &drawing, surfaces: &surfaces, contested: &contested, params: &params };
    *kept = bake_columns(&context, kept, &columns, options)?;

    let mut tiles: BTreeMap<(i32, i32), Vec<Tile>> = BTreeMap::new();
    for (&column, baked) in kept.iter() {
        match &baked.layers {
            Ok(layers) if layers.is_empty() => {}
            Ok(layers) => _ = tiles.insert(column, layers.clone()),
            Err(why) => diagnostics.push(tile_failed(&params, column, why)),
        }
    }
    links::place_links(settings, &params, &mut tiles, &mut diagnostics);
    let mesh = stitch(params, tiles)?;
    links::report_unattached(settings, &mesh, &mut diagnostics);
    let seams = joined::find_seams(&drawing, &overlay);
    remarks::on_drawing(input, settings, &drawing, &overlay, &surfaces, &components, &mut diagnostics);
    remarks::on_mesh(&mesh, &seams, options.tiles, &mut diagnostics);
    sort_diagnostics(&mut diagnostics);
    Ok((NavMesh { settings: settings.clone(), mesh }, BakeReport { diagnostics, seams }))
}

fn check_settings(settings: &NavSettings) -> Result<(), BakeError> {
    settings.validate()?;
    if settings.agent_radius > 0.0 {
        return Err(BakeError::Unsupported(format!(
            "agent_radius is {}, but this version's flat bake takes radius 0 only (clearance is not built yet); draw areas \
             as far from walls as the agent's middle may go, or set agent_radius to 0",
            settings.agent_radius
        )));
    }
    if settings.flags > 0xFF {
        return Err(BakeError::Format(FormatError::OutOfRange {
            name: "flags".to_owned(),
            value: settings.flags.to_string(),
            bound: "a flat bake keeps the level in bits 8 to 15, so at most 255".to_owned(),
        }));
    }
    Ok(())
}

/// The columns that some walk area's bounds meet, with all rings whose bounds meet each grown by a step.
fn columns_of(drawing: &Drawing, options: &BakeOptions<'_>) -> Result<Columns, BakeError> {
    let frame = &drawing.frame;
    let range = |low: i64, high: i64| frame.tile_of(low)..=frame.tile_of(high);
    let keep = |x: i64, z: i64| match options.tiles {
        None => true,
        Some([x0, z0, x1, z1]) => {
            i64::from(x0) <= x && x <= i64::from(x1) && i64::from(z0) <= z && z <= i64::from(z1)
        }
    };
    let too_many = |count: u128| BakeError::Limit {
        name: "number of tiles",
        value: count.to_string(),
        limit: MAX_TILES.to_string(),
    };
    let mut columns = Columns::new();
    for ring in drawing.rings.iter().filter(|ring| ring.kind == AreaKind::Walk) {
        let (low, high) = (ring.bounds.low, ring.bounds.high);
        let (mut xs, mut zs) = (range(low.x, high.x - 1), range(low.z, high.z - 1));
        if let Some([x0, z0, x1, z1]) = options.tiles {
            xs = *xs.start().max(&i64::from(x0))..=*xs.end().min(&i64::from(x1));
            zs = *zs.start().max(&i64::from(z0))..=*zs.end().min(&i64::from(z1));
        }
        let length = |range: &std::ops::RangeInclusive<i64>| (range.end() - range.start() + 1).max(0) as u128;
        let count = length(&xs) * length(&zs);
        if count > MAX_TILES as u128 {
            return Err(too_many(count));
        }
        for z in zs {
            for x in xs.clone() {
                if let (Ok(x), Ok(z)) = (i32::try_from(x), i32::try_from(z)) {
                    columns.entry((z, x)).or_default();
                }
            }
        }
        if columns.len() > MAX_TILES {
            return Err(too_many(columns.len() as u128));
        }
    }
    for (index, ring) in drawing.rings.iter().enumerate() {
        let grown = ring.bounds.grown(frame.step + 1);
        let (xs, zs) = (range(grown.low.x, grown.high.x), range(grown.low.z, grown.high.z));
        let size = (xs.end() - xs.start() + 1).saturating_mul(zs.end() - zs.start() + 1);
        // Walk the smaller of the two: the ring's tiles, or all columns.
        if size as usize <= columns.len() {
            for z in zs {
                for x in xs.clone().filter(|&x| keep(x, z)) {
                    let column = i32::try_from(z).ok().zip(i32::try_from(x).ok());
                    if let Some(rings) = column.and_then(|column| columns.get_mut(&column)) {
                        rings.push(index as u32);
                    }
                }
            }
        } else {
            for (&(z, x), rings) in &mut columns {
                if xs.contains(&i64::from(x)) && zs.contains(&i64::from(z)) {
                    rings.push(index as u32);
                }
            }
        }
    }
    Ok(columns)
}

/// What every column is baked from.
struct Context<'a> {
    drawing: &'a Drawing,
    surfaces: &'a Surfaces,
    contested: &'a [seams::Contested],
    params: &'a NavMeshParams,
}

fn bake_columns(
    context: &Context<'_>,
    kept: &KeptColumns,
    columns: &Columns,
    options: &BakeOptions<'_>,
) -> Result<KeptColumns, BakeError> {
    let done = AtomicUsize::new(0);
    let total = columns.len();
    let baked: Vec<Option<((i32, i32), Kept)>> = columns
        .par_iter()
        .map(|(&(z, x), rings)| {
            if options.stopped() {
                return None;
            }
            let result = baker::bake_or_keep(context, kept.get(&(x, z)), [x, z], rings);
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            if let Some(progress) = options.progress {
                progress(Progress { done, total });
            }
            Some(((x, z), result))
        })
        .collect();
    baked.into_iter().collect::<Option<KeptColumns>>().ok_or(BakeError::Stopped)
}

/// Bakes one column: the stages in order.
fn bake_column(context: &Context<'_>, column: [i32; 2], input: ColumnInput) -> Result<Vec<Tile>, String> {
    let Context { drawing, surfaces, contested, params } = *context;
    let cut = cut::cut_tile(drawing, contested, input);
    let mut polys = Vec::with_capacity(cut.segments.len());
    for (level, segments) in cut.segments.iter().enumerate() {
        let level_polys = partition::convex_partition(segments, params.max_verts_per_poly.into())
            .map_err(|why| format!("level {}: {why}", drawing.levels[level]))?;
        partition::check_areas(segments, &level_polys)?;
        polys.push(level_polys);
    }
    assemble::assemble(drawing, &cut, &polys, surfaces, column)
        .into_iter()
        .map(|raw| raw.validate(params).map_err(|error| error.to_string()))
        .collect()
}

fn tile_failed(params: &NavMeshParams, (tile_x, tile_z): (i32, i32), why: &str) -> Diagnostic {
    let half = params.tile_size / 2.0;
    Diagnostic {
        kind: DiagnosticKind::TileFailed,
        place: [params.tile_origin_x(tile_x) + half, params.tile_origin_z(tile_z) + half],
        level: 0,
        element: Element::Tile { tile_x, tile_z },
        measured: f64::NAN,
        limit: f64::NAN,
        message: format!("tile ({tile_x}, {tile_z}) is left out: {why}"),
    }
}

/// Slots in (tile_z, tile_x, layer) order, salts 1.
pub(super) fn stitch(
    params: NavMeshParams,
    tiles: BTreeMap<(i32, i32), Vec<Tile>>,
) -> Result<crate::format::TiledNavMesh, FormatError> {
    let mut columns: Vec<((i32, i32), Vec<Tile>)> = tiles.into_iter().collect();
    columns.sort_by_key(|&((x, z), _)| (z, x));
    let slots =
        columns.into_iter().flat_map(|(_, layers)| layers).map(|tile| Slot { salt: 1, tile: Some(tile) });
    UnlinkedMesh { params, slots: slots.collect() }.link()
}

pub(super) fn sort_diagnostics(diagnostics: &mut [Diagnostic]) {
    diagnostics.sort_by(|a, b| {
        let severity = b.kind.severity().cmp(&a.kind.severity());
        let place = || a.place[0].total_cmp(&b.place[0]).then(a.place[1].total_cmp(&b.place[1]));
        severity
            .then(a.kind.cmp(&b.kind))
            .then_with(place)
            .then(a.level.cmp(&b.level))
            .then(a.element.cmp(&b.element))
    });
}
