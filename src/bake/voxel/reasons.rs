//! Why less came out than went in: no floor at all, levels without one, holes that cut nothing, parts that nothing joins.

use std::collections::BTreeMap;

use super::census::{Census, middle_of};
use super::column::Context;
use super::grid::VoxelGrid;
use super::marks::{GridMark, grid_mark};
use super::poll::{Poll, Watch};
use super::soup::slope_of;
use super::stages::{FloorState, Keeper};
use crate::bake::{
    AreaMark, BakeError, Diagnostic, DiagnosticKind, Element, MarkKind, TriangleMesh, VoxelInput,
};
use crate::format::{NavSettings, TiledNavMesh};

/// Most tiles whose stages are looked at for what took the last floor.
const MOST_TILES: usize = 64;
/// A unit normal's y below which a triangle stands upright.
const UPRIGHT: f64 = 1e-3;

/// What came out of a bake of the whole map.
#[derive(Clone, Copy)]
pub(crate) struct Outcome<'a> {
    pub(crate) mesh: &'a TiledNavMesh,
    /// Up to date with the mesh.
    pub(crate) census: &'a Census,
    /// Whether there was no floor before any was dropped for the seeds' sake.
    pub(crate) was_empty: bool,
}

/// Says why less came out than went in, after a bake of the whole map.
///
/// # Errors
/// Those of `poll`.
pub(crate) fn report(
    input: &VoxelInput,
    context: &Context<'_>,
    columns: &[[i32; 2]],
    Outcome { mesh, census, was_empty }: Outcome<'_>,
    poll: Poll<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<(), BakeError> {
    let failed = diagnostics.iter().any(|said| said.kind == DiagnosticKind::TileFailed);
    if was_empty && !failed {
        diagnostics.extend(why_empty(input, context, columns, poll)?);
    }
    if mesh.tiles().next().is_some() {
        diagnostics.extend(empty_levels(input, census));
        diagnostics.extend(islands_note(mesh, census));
    }
    diagnostics.extend(idle_holes(input, context));
    Ok(())
}

/// Why no tile has a polygon, if triangles were given: none that can be walked on, or the stage that took the last floor.
///
/// # Errors
/// Those of `poll`.
fn why_empty(
    input: &VoxelInput,
    context: &Context<'_>,
    columns: &[[i32; 2]],
    poll: Poll<'_>,
) -> Result<Option<Diagnostic>, BakeError> {
    if input.meshes.is_empty() {
        return Ok(None);
    }
    let said = |kind, [measured, limit]: [f64; 2], message| {
        let (place, level) = place_of(&input.meshes, &context.grid);
        let element = if input.meshes.len() == 1 { Element::Mesh(0) } else { Element::Settings };
        Some(Diagnostic { kind, place, level, element, measured, limit, message })
    };
    let (no_floor, faces) = (DiagnosticKind::NoFloor, Faces::of(&input.meshes, context.grid.min_normal_y));
    if faces.total() == 0 {
        let message = match &input.meshes[..] {
            [only] => format!("there is no floor: {} has no triangles that can be baked", quoted(&only.name)),
            many => {
                format!("there is no floor: none of {} meshes has triangles that can be baked", many.len())
            }
        };
        return Ok(said(no_floor, [0.0, 1.0], message));
    }
    if faces.walkable == 0 {
        let kind = if faces.down > 0 && faces.steep == 0 { DiagnosticKind::FacesDown } else { no_floor };
        let numbers = [faces.walkable as f64, 1.0];
        return Ok(said(kind, numbers, faces.words(context.settings.agent_max_slope)));
    }
    let mut states: BTreeMap<FloorState, usize> = BTreeMap::new();
    let clock = || 0.0;
    for &column in columns.iter().take(MOST_TILES) {
        poll()?;
        let Some(window) = context.grid.window(column) else { continue };
        let mut keeper = Keeper::new(&context.grid, &context.labels, &context.soup, window, &clock);
        let watch = Watch { begin: &|_| poll(), poll };
        match context.bake_column(column, None, watch, Some(&mut keeper)) {
            Err(BakeError::Stopped) => return Err(BakeError::Stopped),
            // What failed is said already.
            Err(_) => continue,
            Ok(_) => {}
        }
        let inside = 0..context.grid.tile_cells;
        for floor in &keeper.stages.floors {
            if inside.contains(&floor.x) && inside.contains(&floor.z) {
                *states.entry(floor.state).or_default() += 1;
            }
        }
    }
    let looked = match columns.len() {
        count if count > MOST_TILES => format!(" of the first {MOST_TILES} of {count} tiles"),
        _ => String::new(),
    };
    let total: usize = states.values().sum();
    // From the last stage to the first.
    let reasons: Vec<(&str, String)> = STAGES
        .iter()
        .filter_map(|&(state, stage)| Some((stage, words_of(state, *states.get(&state)?, context.settings))))
        .collect();
    let Some((last, _)) = reasons.first() else { return Ok(None) };
    let words: Vec<&str> = reasons.iter().map(|(_, words)| words.as_str()).collect();
    let message = format!(
        "no floor is left: {last} took the last of it. Of {} of floor{looked} {}{}",
        cells(total),
        words.join(", "),
        tiny_words(context)
    );
    Ok(said(no_floor, [0.0, 1.0], message))
}

/// Says how large the meshes are in all, where that is so little that their scale must be wrong: narrower than an agent is
/// high.
fn tiny_words(context: &Context<'_>) -> String {
    let [width, depth] = context.size();
    if width.max(depth) >= f64::from(context.settings.agent_height) {
        return String::new();
    }
    format!("; the geometry is {} by {} squares in all: its scale may be wrong", number(width), number(depth))
}

/// What became of floors, the last stage first, and its name: as panels have it, and as files do.
const STAGES: [(FloorState, &str); 7] = [
    (FloorState::Walkable, "tracing outlines"),
    (FloorState::SmallIsland, "the least region (min_region_area)"),
    (FloorState::InHole, "a drawn hole"),
    (FloorState::NearEdge, "the radius (agent_radius)"),
    (FloorState::Ledge, "the climb (walkable_climb)"),
    (FloorState::LowCeiling, "the height (agent_height)"),
    (FloorState::Steep, "the slope (agent_max_slope)"),
];

fn words_of(state: FloorState, count: usize, settings: &NavSettings) -> String {
    let lie = if count == 1 { "lies" } else { "lie" };
    match state {
        FloorState::Walkable | FloorState::OtherTile => {
            format!("{count} {lie} in regions too small for an outline")
        }
        FloorState::SmallIsland => {
            format!(
                "{count} {lie} on islands of fewer cells than min_region_area {}",
                settings.min_region_area
            )
        }
        FloorState::InHole => format!("{count} {lie} in drawn holes"),
        FloorState::NearEdge => {
            format!("{count} {lie} nearer to a wall or ledge than agent_radius {}", settings.agent_radius)
        }
        FloorState::Ledge => {
            format!("{count} {lie} beside a step or drop beyond walkable_climb {}", settings.walkable_climb)
        }
        FloorState::LowCeiling => {
            let verb = if count == 1 { "has" } else { "have" };
            format!("{count} {verb} less head room than agent_height {}", settings.agent_height)
        }
        FloorState::Steep => {
            let verb = if count == 1 { "is" } else { "are" };
            format!("{count} {verb} steeper than agent_max_slope {} or face down", settings.agent_max_slope)
        }
    }
}

/// How triangles lie.
#[derive(Default)]
struct Faces {
    walkable: usize,
    steep: usize,
    upright: usize,
    down: usize,
}

impl Faces {
    /// Those with an area, at places that are numbers.
    fn of(meshes: &[TriangleMesh], min_normal_y: f64) -> Self {
        let mut faces = Self::default();
        for mesh in meshes {
            for triangle in mesh.triangles.iter() {
                let Some(up) = slope_of(mesh, triangle).ok().filter(|up| up.is_finite()) else { continue };
                let count = match up {
                    _ if up.abs() < UPRIGHT => &mut faces.upright,
                    _ if up < 0.0 => &mut faces.down,
                    _ if up < min_normal_y - 1e-6 => &mut faces.steep,
                    _ => &mut faces.walkable,
                };
                *count += 1;
            }
        }
        faces
    }

    fn total(&self) -> usize {
        self.walkable + self.steep + self.upright + self.down
    }

    /// Why none can be walked on.
    fn words(&self, max_slope: f32) -> String {
        let total = self.total();
        let of = if total == 1 { "1 triangle".to_owned() } else { format!("{total} triangles") };
        let verb =
            |count: usize, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
        let steep = format!("{} steeper than {max_slope}°", verb(self.steep, "is", "are"));
        let all = [
            (self.down, verb(self.down, "faces down", "face down")),
            (self.upright, verb(self.upright, "stands upright", "stand upright")),
            (self.steep, steep),
        ];
        let parts: Vec<String> =
            all.into_iter().filter(|(count, _)| *count > 0).map(|(_, words)| words).collect();
        let help = match self {
            Self { steep: 1.., .. } => "",
            Self { down: 1.., .. } => ": flip the winding or choose another up axis",
            _ => ": choose another up axis",
        };
        if self.down == total {
            let verb = if total == 1 { "faces" } else { "face" };
            return format!("{total} of {of} {verb} down{help}");
        }
        format!("there is no floor: of {of} {}{help}", parts.join(", "))
    }
}

/// The middle of all places that are numbers, and the first mesh's level.
fn place_of(meshes: &[TriangleMesh], grid: &VoxelGrid) -> ([f64; 2], i8) {
    let mut bounds: Option<[[f64; 2]; 2]> = None;
    for &[x, _, z] in meshes.iter().flat_map(|mesh| mesh.vertices.iter()) {
        if x.is_finite() && z.is_finite() {
            let [low, high] = bounds.get_or_insert([[x, z]; 2]);
            *low = [low[0].min(x), low[1].min(z)];
            *high = [high[0].max(x), high[1].max(z)];
        }
    }
    let origin = grid.world_from_grid([0.0; 3]);
    let place = bounds.map_or([origin[0], origin[2]], |[low, high]| {
        [f64::midpoint(low[0], high[0]), f64::midpoint(low[1], high[1])]
    });
    (place, meshes.first().map_or(0, |mesh| mesh.level))
}

/// Levels that walk areas are drawn on, and that no polygon is on.
fn empty_levels(input: &VoxelInput, census: &Census) -> Vec<Diagnostic> {
    let mut first: BTreeMap<i8, &AreaMark> = BTreeMap::new();
    for mark in input.marks.iter().filter(|mark| matches!(mark.kind, MarkKind::Area { .. })) {
        first.entry(mark.level).or_insert(mark);
    }
    if first.is_empty() {
        return Vec::new();
    }
    let levels = census.levels();
    let empty = first.into_iter().filter(|(level, _)| !levels.contains(level));
    let said = |(level, mark): (i8, &AreaMark)| Diagnostic {
        kind: DiagnosticKind::LevelEmpty,
        place: mark.outline.first().copied().unwrap_or_default(),
        level,
        element: Element::Level(level),
        measured: 0.0,
        limit: 1.0,
        message: format!("level {level} has walk areas, but no floor is left on it"),
    };
    empty.map(said).collect()
}

/// Holes that cut nothing of the drawing, and in which no floor of the meshes lies either.
fn idle_holes(input: &VoxelInput, context: &Context<'_>) -> Vec<Diagnostic> {
    let idle = input.marks.iter().filter(|mark| input.idle_holes.contains(&mark.id));
    let cuts = |mark: &AreaMark| {
        // What is no outline is said elsewhere.
        grid_mark(mark, &context.grid, &context.labels).map_or(true, |mark| mark.holds_floor(&context.soup))
    };
    let said = |mark: &AreaMark| {
        let (low, high) = (number(mark.low), number(mark.high));
        let whole = grid_mark(mark, &context.grid, &context.labels).map(GridMark::of_any_height);
        let misses = whole.is_ok_and(|whole| whole.holds_floor(&context.soup));
        let (kind, message) = if misses {
            let message = format!(
                "{} misses the floor: it cuts at heights {low} to {high} of level {}, and the geometry's floors lie \
                 over or under that",
                mark.name, mark.level
            );
            (DiagnosticKind::HoleMissesFloor, message)
        } else {
            let message = format!(
                "{} cuts nothing: no walk area of level {}, and no floor of the geometry at heights {low} to {high}",
                mark.name, mark.level
            );
            (DiagnosticKind::HoleCutsNothing, message)
        };
        Diagnostic {
            kind,
            place: mark.outline.first().copied().unwrap_or_default(),
            level: mark.level,
            element: Element::Area(mark.id),
            measured: 0.0,
            limit: 1.0,
            message,
        }
    };
    idle.filter(|mark| !cuts(mark)).map(said).collect()
}

/// A note of the parts of a mesh that nothing joins to the largest one, at the largest of them.
fn islands_note(mesh: &TiledNavMesh, census: &Census) -> Option<Diagnostic> {
    let islands = census.islands(mesh);
    let (largest, others) = islands.split_first()?;
    let (tile, index) = mesh.polygon(others.first()?.first)?;
    let area: f64 = others.iter().map(|island| island.area).sum();
    let message = match others {
        [_] => format!("an island of {area:.3} square units: no border or link joins it to the rest"),
        many => format!(
            "{} islands of {area:.3} square units in all, the largest here: no border or link joins them to the rest, which has {:.3}",
            many.len(),
            largest.area
        ),
    };
    Some(Diagnostic {
        kind: DiagnosticKind::Island,
        place: middle_of(mesh, tile, index),
        level: tile.polygons[index].level(),
        element: Element::Level(tile.polygons[index].level()),
        measured: area,
        limit: 0.0,
        message,
    })
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.escape_debug())
}

fn cells(count: usize) -> String {
    if count == 1 { "1 cell".to_owned() } else { format!("{count} cells") }
}

/// At most three decimals, no zeros at the end.
fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}
