//! A bake that keeps what did not change: an edit costs what it touches, and gives the bytes of a fresh bake.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use sha2::{Digest, Sha256};

use super::clearance::{Clearance, Cleared, SurfaceEdges};
use super::columns::{
    Change, Column, ColumnAt, Columns, find_change, in_box, kept_outlines, match_areas, update_columns,
};
use super::cut::{ColumnInput, column_creases, column_input, column_square, cut_tile, overlay_column};
use super::frame::Frame;
use super::outline::{Drawing, Outline, outline_diagnostics, prepare_outlines};
use super::overlay::Overlay;
use super::remarks::{cleared_parts, gaps_between};
use super::seam_book::{Edit, SeamBook};
use super::seams::Contested;
use super::stages::{ColumnStages, OfBake, column_stages};
use super::stitched::StitchedMesh;
use super::surfaces::Surfaces;
use super::survey::survey;
use super::whole::{ramp_ends, remark_on_clearance, remark_on_whole};
use super::{assemble, partition};
use crate::bake::report::sort_diagnostics;
use crate::bake::{BakeError, BakeOptions, BakeReport, Diagnostic, FlatInput, Progress};
use crate::format::{Fingerprint, FormatError, NavMesh, NavMeshParams, NavSettings, Tile};
use crate::geom::grid::{IntBox, IntPoint};

/// Bakes one map again and again, as in an editor: only columns that an edit reaches are looked at again.
///
/// What comes out is that of `bake_mesh`, byte for byte, whatever was baked before.
#[derive(Debug, Default)]
pub struct FlatBaker {
    kept: Option<Box<Kept>>,
    /// Threads that earlier bakes asked for.
    pool: Option<ThreadPool>,
}

/// A drawing and all that is known of its columns.
#[derive(Debug)]
struct Kept {
    input: FlatInput,
    settings: NavSettings,
    params: NavMeshParams,
    outlines: Vec<Arc<Outline>>,
    drawing: Drawing,
    columns: Columns,
    surfaces: Surfaces,
    book: SeamBook,
    /// Columns surveyed since the book was brought up to date.
    fresh: BTreeSet<ColumnAt>,
    /// Whether tiles may carry the fingerprint of other settings.
    is_misstamped: bool,
    mesh: StitchedMesh,
    clearance: Option<Clearance>,
}

impl FlatBaker {
    /// Bakes every tile that the drawing touches and stitches them.
    ///
    /// # Errors
    /// As `bake_mesh`. After [`BakeError::Stopped`], what was baked so far is kept.
    pub fn bake(
        &mut self,
        input: &FlatInput,
        settings: &NavSettings,
        options: &BakeOptions<'_>,
    ) -> Result<(NavMesh, BakeReport), BakeError> {
        check_settings(settings)?;
        let mut kept = match self.kept.take() {
            Some(kept) => kept.updated(input, settings)?,
            None => Box::new(Kept::new(input, settings)?),
        };
        let result = match self.pool_of(options.jobs)? {
            Some(pool) => pool.install(|| kept.bake(options)),
            None => kept.bake(options),
        };
        self.kept = Some(kept);
        result
    }

    /// A pool of so many threads; `None` for 0, which takes rayon's global pool.
    fn pool_of(&mut self, jobs: usize) -> Result<Option<&ThreadPool>, BakeError> {
        if jobs == 0 {
            return Ok(None);
        }
        if self.pool.as_ref().is_none_or(|pool| pool.current_num_threads() != jobs) {
            let pool = ThreadPoolBuilder::new().num_threads(jobs).build();
            self.pool =
                Some(pool.map_err(|error| BakeError::Unsupported(format!("{jobs} threads: {error}")))?);
        }
        Ok(self.pool.as_ref())
    }

    /// What each stage of the last bake made of the tile column (x, z); `None` for a column without floor.
    #[must_use]
    pub fn stages(&self, tile_x: i32, tile_z: i32) -> Option<ColumnStages> {
        self.timed_stages(tile_x, tile_z, &|| 0.0).map(|(stages, _)| stages)
    }

    /// As [`Self::stages`], with the seconds by the caller's clock that outlines, joining, seams, clearance and cutting
    /// took.
    #[must_use]
    pub fn timed_stages(
        &self,
        tile_x: i32,
        tile_z: i32,
        clock: &dyn Fn() -> f64,
    ) -> Option<(ColumnStages, [f64; 5])> {
        let kept = self.kept.as_ref()?;
        let column = kept.columns.get(&(tile_z, tile_x)).filter(|column| column.survey.is_some())?;
        let Kept { input, drawing, params, surfaces, book, .. } = kept.as_ref();
        let cleared = kept.cleared_at((tile_z, tile_x));
        let at = ([tile_x, tile_z], column);
        let bake = OfBake { input, drawing, params, surfaces, contested: &book.contested, cleared: &cleared };
        Some(column_stages(clock, &bake, at))
    }
}

impl Kept {
    fn new(input: &FlatInput, settings: &NavSettings) -> Result<Self, BakeError> {
        let frame = Frame::new(settings)?;
        let outlines = prepare_outlines(input, &frame, |_| None)?;
        let drawing = Drawing::new(input, settings, frame, &outlines);
        let clearance = Clearance::new(&frame, settings.agent_radius)?;
        let mut columns = Columns::new();
        update_columns(&mut columns, &drawing, &Change::from_nothing(&drawing), None)?;
        Ok(Self {
            input: input.clone(),
            settings: settings.clone(),
            params: settings.to_params()?,
            outlines,
            drawing,
            columns,
            surfaces: Surfaces::flat(settings.cell_size),
            book: SeamBook::default(),
            fresh: BTreeSet::new(),
            is_misstamped: false,
            mesh: StitchedMesh::default(),
            clearance,
        })
    }

    /// Takes the next drawing in: marks the columns that it may change.
    fn updated(
        mut self: Box<Self>,
        input: &FlatInput,
        settings: &NavSettings,
    ) -> Result<Box<Self>, BakeError> {
        let frame = Frame::new(settings)?;
        if frame != self.drawing.frame {
            return Ok(Box::new(Self::new(input, settings)?));
        }
        let params = settings.to_params()?;
        let new_area = match_areas(&self.input, input);
        let kept = kept_outlines((&self.input, &self.outlines), input, &new_area);
        let outlines = prepare_outlines(input, &frame, |area| kept[area].clone())?;
        let drawing = Drawing::new(input, settings, frame, &outlines);
        let change = find_change((&self.input, &self.drawing), (input, &drawing), &new_area);
        let clearance = Clearance::new(&frame, settings.agent_radius)?;
        let reach = clearance.as_ref().map(|clearance| clearance.reach(&frame));
        update_columns(&mut self.columns, &drawing, &change, reach)?;
        if settings.agent_radius != self.settings.agent_radius {
            for column in self.columns.values_mut() {
                let knows_walls = column.survey.as_ref().is_some_and(|survey| survey.edges.is_some());
                column.survey = column.survey.take().filter(|_| clearance.is_none() || knows_walls);
                (column.is_stale, column.is_reached) = (true, true);
                (column.layers, column.parts) = (None, None);
            }
        }
        let without_digest = |params: &NavMeshParams| NavMeshParams { settings_digest: 0, ..*params };
        let everywhere = (drawing.levels != self.drawing.levels)
            || (drawing.elevations != self.drawing.elevations)
            || (without_digest(&params) != without_digest(&self.params))
            || (settings.area, settings.flags) != (self.settings.area, self.settings.flags);
        if everywhere {
            self.columns.values_mut().for_each(|column| column.is_stale = true);
            // All of it is told anew.
            self.book = SeamBook::default();
            self.fresh = self.columns.keys().copied().collect();
        }
        if params.fingerprint() != self.params.fingerprint() {
            self.mesh = StitchedMesh::default();
            self.is_misstamped = true;
        }
        // Most edits touch one area: the others need no copy.
        if change.renumbers() || self.input.areas.len() != input.areas.len() {
            self.input = input.clone();
        } else {
            self.input.levels.clone_from(&input.levels);
            for (mine, area) in
                self.input.areas.iter_mut().zip(&input.areas).filter(|(mine, area)| mine != area)
            {
                mine.clone_from(area);
            }
        }
        self.settings.clone_from(settings);
        (self.params, self.outlines, self.drawing) = (params, outlines, drawing);
        self.clearance = clearance;
        Ok(self)
    }

    /// What clearance removes from a column.
    fn cleared_at(&self, at: ColumnAt) -> Cleared {
        let Some(clearance) = &self.clearance else { return Cleared::default() };
        let edges = surface_edges(&self.columns);
        let frame = &self.drawing.frame;
        let fence = column_square(frame, [at.1, at.0]).grown(frame.step);
        clearance.near(&fence, |bounds| in_box(&edges, frame, bounds).into_iter().map(Arc::as_ref).collect())
    }

    fn bake(&mut self, options: &BakeOptions<'_>) -> Result<(NavMesh, BakeReport), BakeError> {
        self.survey_columns(options)?;
        self.settle();
        self.bake_unsettled(options)?;
        if self.is_misstamped {
            let fingerprint = self.params.fingerprint();
            self.columns.par_iter_mut().for_each(|(_, column)| {
                if let Some(Ok(layers)) = &mut column.layers {
                    column.layers = Some(stamp(std::mem::take(layers), &self.params, fingerprint));
                }
            });
            self.is_misstamped = false;
        }

        let mut diagnostics: Vec<Diagnostic> = outline_diagnostics(&self.outlines).cloned().collect();
        let whole = options.tiles.is_none();
        for (&at, column) in self.columns.iter().filter(|&(&at, _)| is_wanted(options, at)) {
            diagnostics.extend(column.survey.iter().flat_map(|survey| &survey.remarks).cloned());
            if let Some(Err(why)) = &column.layers {
                diagnostics.push(Diagnostic::tile_failed(&self.params, (at.1, at.0), why));
            }
        }
        diagnostics.extend(self.book.remarks().cloned());
        if whole {
            remark_on_whole(&self.input, &self.drawing, &self.columns, &mut diagnostics);
            if self.clearance.is_some() {
                let radius = self.settings.agent_radius;
                remark_on_clearance(&self.input, &self.drawing, &self.columns, radius, &mut diagnostics);
            }
        }
        let mesh = self.mesh.update(
            &self.settings,
            &self.params,
            &self.drawing,
            &self.columns,
            options.tiles,
            &mut diagnostics,
        )?;
        sort_diagnostics(&mut diagnostics);
        let report = BakeReport { diagnostics, seams: self.book.seams.clone() };
        Ok((NavMesh { settings: self.settings.clone(), mesh }, report))
    }

    /// Looks at every stale column, and bakes those at once that depend on nothing else.
    fn survey_columns(&mut self, options: &BakeOptions<'_>) -> Result<(), BakeError> {
        let flat = Surfaces::flat(self.settings.cell_size);
        let Self { input, params, drawing, columns, clearance, .. } = self;
        let has_clearance = clearance.is_some();
        let mut stale: Vec<(ColumnAt, &mut Column, bool)> = columns
            .iter_mut()
            .filter(|(_, column)| column.is_stale)
            .map(|(&at, column)| (at, column, false))
            .collect();
        let seed = digest_of_grid(drawing, params);
        let fresh_bake = BakeStep { drawing, params, options, done: AtomicUsize::new(0), total: stale.len() };
        stale.par_iter_mut().for_each(|(at, column, is_new)| {
            if options.stopped() {
                return;
            }
            let gathered = column_input(drawing, [at.1, at.0], &column.listed);
            let key = digest(seed.clone(), input, drawing, &gathered);
            if column.survey.is_none() || column.key != key {
                *is_new = true;
                let overlay = overlay_column(drawing, &gathered, &[], &Cleared::default());
                let survey = survey(input, drawing, &gathered, &overlay, has_clearance);
                column.layers = None;
                if survey.is_settled && !has_clearance && is_wanted(options, *at) {
                    column.settled_key = [0; 32];
                    column.layers = Some(fresh_bake.bake(*at, overlay, &[], &flat));
                }
                column.survey = Some(survey);
                column.key = key;
            }
            column.rings = gathered.rings;
            column.is_stale = false;
            fresh_bake.count();
        });
        let fresh: Vec<ColumnAt> =
            stale.iter().filter(|(_, _, is_new)| *is_new).map(|&(at, ..)| at).collect();
        self.compare_rims(&fresh);
        self.fresh.extend(fresh);
        if options.stopped() { Err(BakeError::Stopped) } else { Ok(()) }
    }

    /// Finds the gaps between fresh columns and those around them.
    fn compare_rims(&mut self, fresh: &[ColumnAt]) {
        // Each column keeps its gaps to the ones after it.
        let mut again: Vec<ColumnAt> = Vec::with_capacity(fresh.len() * 5);
        for &(z, x) in fresh {
            let before = [(0, 0), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
            again.extend(before.iter().filter_map(|(dz, dx)| z.checked_add(*dz).zip(x.checked_add(*dx))));
        }
        again.sort_unstable();
        again.dedup();
        let compared: Vec<(ColumnAt, Vec<_>)> = again
            .into_par_iter()
            .filter(|at| self.columns.contains_key(at))
            .map(|(z, x)| {
                let rim = |at: ColumnAt| {
                    let survey = self.columns.get(&at).and_then(|column| column.survey.as_ref());
                    survey.map_or(&[][..], |survey| &survey.rim)
                };
                let square = |(z, x): ColumnAt| column_square(&self.drawing.frame, [x, z]);
                let after = [(0, 1), (1, -1), (1, 0), (1, 1)];
                let after = after.iter().filter_map(|(dz, dx)| z.checked_add(*dz).zip(x.checked_add(*dx)));
                let gaps = after.flat_map(|there| {
                    let here = (rim((z, x)), square((z, x)));
                    let gaps = gaps_between(&self.drawing, here, (rim(there), square(there)));
                    gaps.into_iter().map(move |gap| (there, gap))
                });
                ((z, x), gaps.collect())
            })
            .collect();
        for (at, gaps) in compared {
            if let Some(column) = self.columns.get_mut(&at) {
                column.rim_gaps = gaps;
            }
        }
    }

    /// Brings the surfaces and the seams of the whole drawing up to date.
    fn settle(&mut self) {
        let ends = ramp_ends(&self.columns);
        let (cell_size, height) = (self.settings.cell_size, self.settings.height);
        let surfaces = Surfaces::new(&self.input, &self.drawing, &ends, cell_size, height, &self.surfaces);
        let edit = Edit { fresh: &self.fresh, surfaces_changed: !surfaces.are_those_of(&self.surfaces) };
        let climb = f64::from(self.settings.walkable_climb);
        self.book.update(&self.drawing, &self.columns, &surfaces, climb, &edit);
        self.surfaces = surfaces;
        self.fresh.clear();
    }

    /// Bakes the columns that depend on surfaces, contested seams or walls elsewhere which changed.
    fn bake_unsettled(&mut self, options: &BakeOptions<'_>) -> Result<(), BakeError> {
        let Self { params, drawing, columns, surfaces, book, clearance, .. } = self;
        let is_reached = |column: &Column| clearance.is_some() && column.is_reached;
        let wanted =
            |column: &Column| column.layers.is_none() || column.settled_key != [0; 32] || is_reached(column);
        let needs_edges = clearance.is_some() && columns.values().any(wanted);
        let edges = if needs_edges { surface_edges(columns) } else { BTreeMap::new() };
        let edges_in =
            |bounds: &IntBox| in_box(&edges, &drawing.frame, bounds).into_iter().map(Arc::as_ref).collect();
        let mut unsettled: Vec<(ColumnAt, &mut Column)> = columns
            .iter_mut()
            .filter(|(at, column)| wanted(column) && is_wanted(options, **at))
            .map(|(&at, column)| (at, column))
            .collect();
        let step = BakeStep { drawing, params, options, done: AtomicUsize::new(0), total: unsettled.len() };
        unsettled.par_iter_mut().for_each(|(at, column)| {
            if options.stopped() {
                return;
            }
            let fence = column_square(&drawing.frame, [at.1, at.0]).grown(drawing.frame.step);
            let contested: Vec<&Contested> =
                book.contested.iter().filter(|seam| seam.bounds().grown(1).meets(&fence)).collect();
            let key = settled_key(surfaces, &column.rings, &contested);
            let mut cleared = None;
            if let Some(clearance) =
                clearance.as_ref().filter(|_| column.is_reached || column.layers.is_none())
            {
                let near = clearance.near(&fence, edges_in);
                let key = cleared_key(&near);
                if column.cleared_key != key {
                    column.layers = None;
                }
                (column.cleared_key, column.is_reached) = (key, false);
                cleared = Some(near);
            }
            if column.layers.is_none() || column.settled_key != key {
                let near = || clearance.as_ref().map(|clearance| clearance.near(&fence, edges_in));
                let cleared = cleared.or_else(near).unwrap_or_default();
                let gathered = column_input(drawing, [at.1, at.0], &column.listed);
                let creases = column_creases(drawing, surfaces, &gathered);
                let overlay = overlay_column(drawing, &gathered, &creases, &cleared);
                column.parts = clearance.as_ref().map(|_| cleared_parts(drawing, &gathered, &overlay));
                column.layers = Some(step.bake(*at, overlay, &contested, surfaces));
                column.settled_key = key;
            }
            step.count();
        });
        if options.stopped() { Err(BakeError::Stopped) } else { Ok(()) }
    }
}

fn check_settings(settings: &NavSettings) -> Result<(), BakeError> {
    settings.validate()?;
    if settings.flags > 0xFF {
        return Err(BakeError::Format(FormatError::OutOfRange {
            name: "flags".to_owned(),
            value: settings.flags.to_string(),
            bound: "a flat bake keeps the level in bits 8 to 15, so at most 255".to_owned(),
        }));
    }
    Ok(())
}

/// The walls, corners and openings of all columns.
fn surface_edges(columns: &Columns) -> BTreeMap<ColumnAt, Arc<SurfaceEdges>> {
    let known = |column: &Column| column.survey.as_ref().and_then(|survey| survey.edges.clone());
    columns.iter().filter_map(|(&at, column)| known(column).map(|edges| (at, edges))).collect()
}

/// Whether a column is among those asked for.
fn is_wanted(options: &BakeOptions<'_>, (z, x): ColumnAt) -> bool {
    options.tiles.is_none_or(|[x0, z0, x1, z1]| x0 <= x && x <= x1 && z0 <= z && z <= z1)
}

/// What the columns of one pass share.
struct BakeStep<'a> {
    drawing: &'a Drawing,
    params: &'a NavMeshParams,
    options: &'a BakeOptions<'a>,
    done: AtomicUsize,
    total: usize,
}

impl BakeStep<'_> {
    /// Bakes one column from its overlay: the stages in order.
    fn bake(
        &self,
        at: ColumnAt,
        overlay: Overlay,
        contested: &[&Contested],
        surfaces: &Surfaces,
    ) -> Result<Vec<Tile>, String> {
        let Self { drawing, params, .. } = *self;
        let column = [at.1, at.0];
        let cut = cut_tile(&drawing.frame, overlay, &column_square(&drawing.frame, column), contested);
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

    fn count(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if let Some(progress) = self.options.progress {
            progress(Progress { done, total: self.total });
        }
    }
}

/// Gives tiles the fingerprint of these parameters, which differ in the settings' digest at most.
fn stamp(layers: Vec<Tile>, params: &NavMeshParams, fingerprint: Fingerprint) -> Result<Vec<Tile>, String> {
    let stamp_one = |tile: Tile| -> Result<Tile, FormatError> {
        if tile.fingerprint() == fingerprint { Ok(tile) } else { (*tile).clone().validate(params) }
    };
    layers.into_iter().map(stamp_one).collect::<Result<_, _>>().map_err(|error| error.to_string())
}

/// Begins the digest of a column with what all share: parameters, grid and levels, which shape heights and remarks.
fn digest_of_grid(drawing: &Drawing, params: &NavMeshParams) -> Sha256 {
    let mut hash = Sha256::new();
    // The agent's sizes change no survey; a new radius bakes all tiles again.
    let (walkable_climb, agent_radius, agent_height, agent_max_slope) = (0.0, 0.0, 0.0, 0.0);
    let params = NavMeshParams {
        settings_digest: 0,
        walkable_climb,
        agent_radius,
        agent_height,
        agent_max_slope,
        ..*params
    };
    hash.update(params.to_bytes());
    hash.update(format!("{:?}", drawing.frame));
    for (level, elevation) in drawing.levels.iter().zip(&drawing.elevations) {
        hash.update(level.to_le_bytes());
        hash.update(elevation.to_le_bytes());
    }
    hash
}

/// Digests all that a column's survey and settled tiles depend on: the edges that meet it, and its areas.
fn digest(mut hash: Sha256, input: &FlatInput, drawing: &Drawing, column: &ColumnInput) -> [u8; 32] {
    let point = |hash: &mut Sha256, p: IntPoint| {
        hash.update(p.x.to_le_bytes());
        hash.update(p.z.to_le_bytes());
    };
    for edge in &column.edges {
        hash.update(edge.owner.to_le_bytes());
        point(&mut hash, edge.from);
        point(&mut hash, edge.to);
    }
    for &(owner, winding) in &column.windings {
        hash.update(owner.to_le_bytes());
        hash.update(winding.to_le_bytes());
    }
    for &ring in &column.rings {
        let data = &drawing.rings[ring as usize];
        let area = &input.areas[data.area];
        hash.update((data.level as u32).to_le_bytes());
        hash.update([u8::from(area.kind == crate::bake::AreaKind::Walk), u8::from(data.is_ramp)]);
        if let Some(label) = drawing.labels.get(data.label as usize) {
            hash.update([label.area_type, label.flags, u8::from(label.surface.is_some())]);
        }
        hash.update(area.id.to_le_bytes());
        hash.update((area.name.len() as u64).to_le_bytes());
        hash.update(&area.name);
    }
    hash.finalize().into()
}

/// Digests what clearance removes from a column.
fn cleared_key(cleared: &Cleared) -> [u8; 32] {
    let mut hash = Sha256::new();
    for edge in &cleared.edges {
        hash.update(edge.owner.to_le_bytes());
        for value in [edge.from.x, edge.from.z, edge.to.x, edge.to.z] {
            hash.update(value.to_le_bytes());
        }
    }
    for &(owner, winding) in &cleared.windings {
        hash.update(owner.to_le_bytes());
        hash.update(winding.to_le_bytes());
    }
    hash.finalize().into()
}

/// Digests what a column depends on beyond its own input; never zeroes.
fn settled_key(surfaces: &Surfaces, rings: &[u32], contested: &[&Contested]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for (owner, &ring) in (0_u32..).zip(rings) {
        if let Some(key) = surfaces.key(ring) {
            hash.update(owner.to_le_bytes());
            hash.update(key);
        }
    }
    for seam in contested {
        hash.update(format!("{seam:?}"));
    }
    hash.finalize().into()
}
