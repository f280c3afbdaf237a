//! A bake that keeps what did not change: an edit costs the tiles that it touches.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::census::Census;
use super::column::{Baked, Context};
use super::jobs::map_all;
use super::kept_mesh::{ColumnTiles, KeptMesh};
use super::poll::Watch;
use super::reasons::{Outcome, report};
use super::seeds::Seeded;
use super::soup::{Labels, Parts, Soup};
use crate::bake::flat::report_unattached;
use crate::bake::report::sort_diagnostics;
use crate::bake::{BakeError, BakeOptions, BakeReport, Progress, Step, VoxelInput};
use crate::format::{NavMesh, NavSettings, RawTile};

/// Bakes one map again and again, as in an editor: only tiles that a change reaches are made again.
///
/// What comes out is that of `bake_voxel_mesh`, byte for byte, whatever was baked before.
#[derive(Debug, Default)]
pub struct VoxelBaker {
    kept: Option<Kept>,
    /// Threads that earlier bakes asked for.
    pool: Option<ThreadPool>,
}

/// What was baked, and with what.
#[derive(Debug, Default)]
struct Kept {
    /// Without authored links.
    settings: NavSettings,
    ledge_radius: Option<f32>,
    area_priority: Vec<u8>,
    parts: Parts,
    /// What all of `columns` are baked from.
    soup: Soup,
    labels: Labels,
    columns: BTreeMap<(i32, i32), Column>,
    mesh: KeptMesh,
    seeded: Seeded,
    census: Census,
    /// How many columns the last bake made.
    fresh: usize,
    /// Whether another bake may follow.
    once: bool,
}

/// A baked column, and the digest of the marks in the cells that were looked at for it.
#[derive(Debug)]
struct Column {
    marks: u128,
    /// It is tried again by the next bake.
    failed: bool,
    baked: Baked,
}

/// A bake that none follows.
pub(crate) fn bake_once(
    input: &VoxelInput,
    settings: &NavSettings,
    options: &BakeOptions<'_>,
) -> Result<(NavMesh, BakeReport), BakeError> {
    let mut baker = VoxelBaker::default();
    let mut kept = Kept { once: true, ..Kept::default() };
    match baker.pool_of(options.jobs)? {
        Some(pool) => pool.install(|| kept.bake(input, settings, options)),
        None => kept.bake(input, settings, options),
    }
}

impl VoxelBaker {
    /// Bakes every tile that the triangles touch and stitches them.
    ///
    /// # Errors
    /// As `bake_voxel_mesh`. After [`BakeError::Stopped`], the tiles that were finished are kept.
    pub fn bake(
        &mut self,
        input: &VoxelInput,
        settings: &NavSettings,
        options: &BakeOptions<'_>,
    ) -> Result<(NavMesh, BakeReport), BakeError> {
        let shared = NavSettings { links: Vec::new(), ..settings.clone() };
        let same = |kept: &Kept| {
            kept.settings == shared
                && kept.ledge_radius == input.ledge_radius
                && kept.area_priority == input.area_priority
        };
        let mut kept = self.kept.take().filter(same).unwrap_or_else(|| Kept {
            settings: shared,
            ledge_radius: input.ledge_radius,
            area_priority: input.area_priority.clone(),
            ..Kept::default()
        });
        let result = match self.pool_of(options.jobs)? {
            Some(pool) => pool.install(|| kept.bake(input, settings, options)),
            None => kept.bake(input, settings, options),
        };
        self.kept = Some(kept);
        result
    }

    /// How many tile columns the last bake made; the others were kept.
    #[must_use]
    pub fn fresh_columns(&self) -> usize {
        self.kept.as_ref().map_or(0, |kept| kept.fresh)
    }

    /// How many polygons the last bake of a whole map looked at for what takes the whole mesh to tell: what seeds
    /// reach, its islands, the levels without floor. Those of tiles that did not change, and whose neighbours did
    /// not, are known.
    #[must_use]
    pub fn counted_polygons(&self) -> usize {
        self.kept.as_ref().map_or(0, |kept| kept.census.looked_at + kept.seeded.looked_at())
    }

    /// A pool of so many threads; `None` for 0, which takes rayon's global pool, and as many as that has, and for 1, the
    /// caller's thread.
    fn pool_of(&mut self, jobs: usize) -> Result<Option<&ThreadPool>, BakeError> {
        if jobs < 2 || jobs == rayon::current_num_threads() {
            return Ok(None);
        }
        if self.pool.as_ref().is_none_or(|pool| pool.current_num_threads() != jobs) {
            let pool = ThreadPoolBuilder::new().num_threads(jobs).build();
            self.pool =
                Some(pool.map_err(|error| BakeError::Unsupported(format!("{jobs} threads: {error}")))?);
        }
        Ok(self.pool.as_ref())
    }
}

impl Column {
    /// The column with tiles of the context's parameters, whose fingerprint covers the authored links.
    fn stamped(mut self, context: &Context<'_>) -> Option<Self> {
        let fingerprint = context.params.fingerprint();
        for tile in self.baked.tiles.iter_mut().filter(|tile| tile.fingerprint() != fingerprint) {
            *tile = RawTile::clone(tile).validate(&context.params).ok()?;
        }
        Some(self)
    }
}

impl Kept {
    fn bake(
        &mut self,
        input: &VoxelInput,
        settings: &NavSettings,
        options: &BakeOptions<'_>,
    ) -> Result<(NavMesh, BakeReport), BakeError> {
        let mut diagnostics = Vec::new();
        let parts = (!self.once).then_some(&mut self.parts);
        let context = Context::new(input, settings, options, parts, &mut diagnostics)?;
        // What a seed reaches takes the whole mesh to tell.
        let wanted = if input.seeds.is_empty() { options.tiles } else { None };
        let columns = context.columns(wanted)?;
        self.update_columns(&context, &columns, options)?;
        let poll = || if options.stopped() { Err(BakeError::Stopped) } else { Ok(()) };
        let baked = |&[x, z]: &[i32; 2]| Some(((z, x), &self.columns.get(&(z, x))?.baked));
        let mut tiles = ColumnTiles::new();
        for (at, baked) in columns.iter().filter_map(baked) {
            diagnostics.extend_from_slice(&baked.diagnostics);
            if !baked.tiles.is_empty() {
                tiles.insert(at, baked.tiles.clone());
            }
        }
        let was_empty = tiles.is_empty();
        if input.seeds.is_empty() {
            self.seeded = Seeded::default();
        } else {
            let unreached =
                self.seeded.keep_reached(&mut tiles, input, &context, self.once, &mut diagnostics)?;
            diagnostics.extend(unreached.filter(|_| options.tiles.is_none()));
            poll()?;
            if let Some([x0, z0, x1, z1]) = options.tiles {
                tiles.retain(|&(z, x), _| x0 <= x && x <= x1 && z0 <= z && z <= z1);
            }
        }
        let mesh =
            self.mesh.link(settings, &context.params, &tiles, options.tiles, self.once, &mut diagnostics)?;
        report_unattached(settings, &mesh, options.tiles, &mut diagnostics);
        if options.tiles.is_none() {
            poll()?;
            self.census.update(&mesh);
            let outcome = Outcome { mesh: &mesh, census: &self.census, was_empty };
            report(input, &context, &columns, outcome, &poll, &mut diagnostics)?;
        }
        sort_diagnostics(&mut diagnostics);
        Ok((NavMesh { settings: settings.clone(), mesh }, BakeReport { diagnostics, seams: Vec::new() }))
    }

    /// Bakes the columns whose surroundings changed. Columns not asked for are forgotten.
    fn update_columns(
        &mut self,
        context: &Context<'_>,
        columns: &[[i32; 2]],
        options: &BakeOptions<'_>,
    ) -> Result<(), BakeError> {
        let mut old = std::mem::take(&mut self.columns);
        let (mut done, total) = (0, columns.len());
        // Triangles that no kept column knows, and those that are no more: where these are the same, all are.
        let fresh = context.soup.without(&self.soup, [&context.labels, &self.labels]);
        let gone = self.soup.without(&context.soup, [&self.labels, &context.labels]);
        let taken: Vec<Option<Column>> = columns.iter().map(|&[x, z]| old.remove(&(z, x))).collect();
        let check = |column: Option<Column>| {
            let column = column?;
            let seen = &column.baked.seen;
            let same = !options.stopped()
                && !column.failed
                && context.digest_of_marks(seen) == column.marks
                && fresh.digest(seen, &context.labels) == gone.digest(seen, &self.labels);
            Some((column, same))
        };
        let checked = map_all(taken, options.jobs, check);
        if options.stopped() {
            // What was baked still is what was baked before.
            let taken = columns.iter().zip(checked).filter_map(|(&[x, z], column)| Some(((z, x), column?.0)));
            old.extend(taken);
            self.columns = old;
            return Err(BakeError::Stopped);
        }
        let kept = |column: Option<(Column, bool)>| {
            column.filter(|&(_, same)| same).and_then(|(column, _)| column.stamped(context))
        };
        let reused = map_all(checked, options.jobs, kept);
        (self.soup, self.labels) = (context.soup.clone(), context.labels.clone());
        let mut missing = Vec::new();
        for (&column, reused) in columns.iter().zip(reused) {
            match reused {
                Some(kept) => {
                    self.columns.insert((column[1], column[0]), kept);
                    done += 1;
                }
                None => missing.push(column),
            }
        }
        let tell = |done: usize| {
            if let Some(progress) = options.progress {
                progress(Progress { done, total });
            }
        };
        if done > 0 {
            tell(done);
        }
        self.fresh = missing.len();
        let done = AtomicUsize::new(done);
        let once = self.once;
        let begin = |column: [i32; 2], stage: &'static str| {
            if options.stopped() {
                return Err(BakeError::Stopped);
            }
            if let Some(step) = options.step {
                step(Step { stage, tile: column });
            }
            Ok(())
        };
        // What is finished stays, also where the rest of a block is stopped.
        let bake = |columns: Vec<[i32; 2]>| {
            let mut finished = Vec::with_capacity(columns.len());
            let mut bake_all = || {
                let poll = || if options.stopped() { Err(BakeError::Stopped) } else { Ok(()) };
                let first = |stage| begin(columns[0], stage);
                let block = match context.block(&columns, Watch { begin: &first, poll: &poll }) {
                    Err(BakeError::Stopped) => return Err(BakeError::Stopped),
                    // Each tile by itself then: which of them it is shows there.
                    Err(_) => None,
                    Ok(block) => block,
                };
                for &column in &columns {
                    let begin = |stage| begin(column, stage);
                    begin("voxels")?;
                    let watch = Watch { begin: &begin, poll: &poll };
                    let (baked, failed) = match context.bake_column(column, block.as_ref(), watch, None) {
                        Err(BakeError::Stopped) => return Err(BakeError::Stopped),
                        // The others are none the worse for it.
                        Err(error) => (context.failed(column, &error), true),
                        Ok(baked) => (baked, false),
                    };
                    tell(done.fetch_add(1, Ordering::Relaxed) + 1);
                    let marks = if once { 0 } else { context.digest_of_marks(&baked.seen) };
                    finished.push((column, Column { marks, failed, baked }));
                }
                Ok(())
            };
            let end: Result<(), BakeError> = bake_all();
            (finished, end)
        };
        let mut failed = None;
        for (finished, end) in map_all(context.blocks(missing, options.jobs), options.jobs, bake) {
            self.columns.extend(finished.into_iter().map(|([x, z], baked)| ((z, x), baked)));
            match end {
                // A limit says more than a stop.
                Err(error) if failed.is_none() || failed == Some(BakeError::Stopped) => failed = Some(error),
                _ => {}
            }
        }
        failed.map_or(Ok(()), Err)
    }
}
