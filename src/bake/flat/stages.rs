//! What each stage made of one tile column, for whoever wants to look at it: made again on request, kept by nobody.

use super::clearance::Cleared;
use super::columns::Column;
use super::cut::{TileCut, column_creases, column_input, column_square, cut_tile, overlay_column};
use super::outline::{Drawing, NOT_WALKABLE};
use super::overlay::Overlay;
use super::seams::Contested;
use super::snap::Pixel;
use super::surfaces::Surfaces;
use crate::bake::{AreaKind, FlatInput, Seam};
use crate::format::NavMeshParams;

/// One tile column, stage by stage. All places are world coordinates.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ColumnStages {
    /// The outlines that meet the tile, on the drawing's grid, whole.
    pub outlines: Vec<StageOutline>,
    /// The tile's window joined and cut, exactly: edges at which floors begin, end or change their label.
    pub joined: Vec<StageEdge>,
    /// The edges that two levels share in the tile, in the pieces that the tile's window cuts them into.
    pub seams: Vec<Seam>,
    /// As `joined`, with what lies too near to walls removed; empty where clearance takes nothing.
    pub clearance: Vec<StageEdge>,
    /// The tile's share on the binary grid.
    pub cut: Vec<StageEdge>,
    /// The convex polygons with their heights and layers.
    pub polygons: Vec<StagePolygon>,
}

/// An area's outline as the bake takes it.
#[derive(Clone, Debug, PartialEq)]
pub struct StageOutline {
    /// The area's id.
    pub area: u64,
    /// Walk or hole.
    pub kind: AreaKind,
    /// Its level.
    pub level: i8,
    /// Its points (x, z), closed.
    pub points: Vec<[f64; 2]>,
}

/// What lies on one side of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StageLabel {
    /// Area type.
    pub area_type: u8,
    /// Author's flags.
    pub flags: u8,
}

/// A directed edge of one level; `None` where there is no floor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StageEdge {
    /// The level.
    pub level: i8,
    /// Start (x, z).
    pub from: [f64; 2],
    /// End (x, z).
    pub to: [f64; 2],
    /// Left of it, seen along it (z up).
    pub left: Option<StageLabel>,
    /// Right of it.
    pub right: Option<StageLabel>,
    /// Whether it lies on the tile's border and the drawing goes on across it.
    pub is_portal: bool,
}

/// A polygon of the tile.
#[derive(Clone, Debug, PartialEq)]
pub struct StagePolygon {
    /// Its level.
    pub level: i8,
    /// Its tile layer.
    pub layer: i32,
    /// What it is labelled.
    pub label: StageLabel,
    /// Its corners (x, y, z), counter-clockwise.
    pub corners: Vec<[f64; 3]>,
}

/// What a bake knows of the whole map, and what one of its columns takes of it.
pub(crate) struct OfBake<'a> {
    pub(crate) input: &'a FlatInput,
    pub(crate) drawing: &'a Drawing,
    pub(crate) params: &'a NavMeshParams,
    pub(crate) surfaces: &'a Surfaces,
    pub(crate) contested: &'a [Contested],
    pub(crate) cleared: &'a Cleared,
}

/// Makes the stages of a column (x, z) that was baked, and says how long outlines, joining, seams, clearance and cutting
/// took by the caller's clock.
pub(crate) fn column_stages(
    clock: &dyn Fn() -> f64,
    bake: &OfBake<'_>,
    (at, column): ([i32; 2], &Column),
) -> (ColumnStages, [f64; 5]) {
    let OfBake { input, drawing, params, surfaces, contested, cleared } = *bake;
    let mut began = clock();
    let mut lap = || {
        let now = clock();
        now - std::mem::replace(&mut began, now)
    };
    let gathered = column_input(drawing, at, &column.listed);
    let outlines = gathered.rings.iter().map(|&ring| {
        let data = &drawing.rings[ring as usize];
        let area = &input.areas[data.area];
        let world = |p: &crate::geom::grid::IntPoint| drawing.frame.world_from_unit(p.x as f64, p.z as f64);
        let points = data.points().iter().map(world).collect();
        StageOutline { area: area.id, kind: area.kind, level: area.level, points }
    });
    let outlines = outlines.collect();
    let of_outlines = lap();
    let drawn = overlay_column(drawing, &gathered, &[], &Cleared::default());
    let joined = label_edges(drawing, &drawn);
    let of_joining = lap();
    let seams = seams_of(drawing, column);
    let of_seams = lap();
    let overlay = overlay_column(drawing, &gathered, &column_creases(drawing, surfaces, &gathered), cleared);
    let clearance = if cleared.edges.is_empty() { Vec::new() } else { label_edges(drawing, &overlay) };
    let of_clearance = lap();
    let near: Vec<&Contested> = contested.iter().collect();
    let cut = cut_tile(&drawing.frame, overlay, &column_square(&drawing.frame, at), &near);
    let cut = cut_edges(drawing, &cut);
    let of_cutting = lap();
    let stages =
        ColumnStages { outlines, joined, clearance, seams, cut, polygons: polygons_of(params, column) };
    (stages, [of_outlines, of_joining, of_seams, of_clearance, of_cutting])
}

fn label_of(drawing: &Drawing, label: u32) -> Option<StageLabel> {
    let known = drawing.labels.get(label as usize).filter(|_| label != NOT_WALKABLE)?;
    Some(StageLabel { area_type: known.area_type, flags: known.flags })
}

fn label_edges(drawing: &Drawing, overlay: &Overlay) -> Vec<StageEdge> {
    let arrangement = &overlay.arrangement;
    let mut edges = Vec::new();
    for piece in 0..arrangement.pieces.len() as u32 {
        let inside = |half: u32| overlay.in_tile[overlay.faces.of_half[half as usize] as usize];
        if !inside(piece * 2) && !inside(piece * 2 + 1) {
            continue;
        }
        for (level, &number) in drawing.levels.iter().enumerate() {
            if !overlay.is_active(piece, level) {
                continue;
            }
            let (left, right) = overlay.sides(piece * 2, level);
            let world = |node: u32| {
                let [x, z] = arrangement.f64_of(node);
                drawing.frame.world_from_unit(x, z)
            };
            let data = &arrangement.pieces[piece as usize];
            edges.push(StageEdge {
                level: number,
                from: world(data.from),
                to: world(data.to),
                left: label_of(drawing, left),
                right: label_of(drawing, right),
                is_portal: false,
            });
        }
    }
    edges
}

fn seams_of(drawing: &Drawing, column: &Column) -> Vec<Seam> {
    let mut seams = Vec::new();
    for piece in column.survey.iter().flat_map(|survey| &survey.seams) {
        let [from, to] = piece.ends().map(|[x, z]| drawing.frame.world_from_unit(x, z));
        for left in &piece.left {
            for right in &piece.right {
                let (low, high) = (left.level.min(right.level), left.level.max(right.level));
                seams.push(Seam { levels: [drawing.levels[low], drawing.levels[high]], from, to });
            }
        }
    }
    seams
}

fn cut_edges(drawing: &Drawing, cut: &TileCut) -> Vec<StageEdge> {
    let world = |pixel: Pixel| {
        let p = cut.grid.unit_of(pixel);
        drawing.frame.world_from_unit(p.x as f64, p.z as f64)
    };
    let mut edges = Vec::new();
    for (segments, &level) in cut.segments.iter().zip(&drawing.levels) {
        edges.extend(segments.iter().map(|segment| StageEdge {
            level,
            from: world(segment.a),
            to: world(segment.b),
            left: label_of(drawing, segment.left),
            right: label_of(drawing, segment.right),
            is_portal: segment.portal != crate::format::NO_SIDE,
        }));
    }
    edges
}

fn polygons_of(params: &NavMeshParams, column: &Column) -> Vec<StagePolygon> {
    let mut polygons = Vec::new();
    for tile in column.layers.iter().flatten().flatten() {
        polygons.extend(tile.polygons.iter().map(|polygon| {
            StagePolygon {
                level: polygon.level(),
                layer: tile.layer,
                label: StageLabel { area_type: polygon.area, flags: (polygon.flags & 0xFF) as u8 },
                corners: tile.edge_vertices[polygon.edges()]
                    .iter()
                    .map(|&vertex| tile.point_in_world(params, tile.vertices[vertex as usize]))
                    .collect(),
            }
        }));
    }
    polygons
}
