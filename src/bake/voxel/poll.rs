//! Being asked to stop, also in the midst of a long stage.

use crate::bake::BakeError;

/// Asked again and again in every stage, at least every [`POLL_EVERY`] cells or a row; an error ends the bake.
pub(crate) type Poll<'a> = &'a (dyn Fn() -> Result<(), BakeError> + 'a);

/// Most floors, corners or pieces that a stage looks at between two polls: far less than a millisecond's work.
pub(crate) const POLL_EVERY: usize = 1 << 13;

/// Asks at every [`POLL_EVERY`]th item of a long loop.
pub(crate) fn poll_at(index: usize, poll: Poll<'_>) -> Result<(), BakeError> {
    if index.is_multiple_of(POLL_EVERY) { poll() } else { Ok(()) }
}

/// Who looks on while a tile is baked.
#[derive(Clone, Copy)]
pub(crate) struct Watch<'a> {
    /// Told each stage as it begins; may end the bake.
    pub(crate) begin: &'a dyn Fn(&'static str) -> Result<(), BakeError>,
    /// Asked in the midst of stages.
    pub(crate) poll: Poll<'a>,
}

impl Watch<'_> {
    /// Nobody.
    pub(crate) const NONE: Watch<'static> = Watch { begin: &|_| Ok(()), poll: &|| Ok(()) };

    pub(crate) fn begin(&self, stage: &'static str) -> Result<(), BakeError> {
        (self.begin)(stage)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::collections::BTreeMap;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::bake::voxel::column::Context;
    use crate::bake::{BakeOptions, TriangleMesh, VoxelInput};
    use crate::format::{NavSettings, Partition};

    const SIDE: usize = 400;

    /// A plate over a whole tile, with posts on it that make holes.
    fn input() -> VoxelInput {
        let mut mesh = TriangleMesh::default();
        let mut quad = |[x0, z0, x1, z1]: [f64; 4], y: f64| {
            let base = mesh.vertices.len() as u32;
            Arc::make_mut(&mut mesh.vertices).extend([[x0, y, z0], [x1, y, z0], [x1, y, z1], [x0, y, z1]]);
            Arc::make_mut(&mut mesh.triangles)
                .extend([[base, base + 2, base + 1], [base, base + 3, base + 2]]);
        };
        let end = SIDE as f64 * 0.25 + 4.0;
        quad([-4.0, -4.0, end, end], 0.0);
        for post in 0..64 {
            let (x, z) = (f64::from(post % 8) * 12.0 + 3.0, f64::from(post / 8) * 12.0 + 3.0);
            quad([x, z, x + 1.0, z + 1.0], 1.5);
        }
        VoxelInput { meshes: vec![mesh], ..VoxelInput::default() }
    }

    /// A stop that is asked for before the first tile ends the bake there.
    #[test]
    fn taking_triangles_to_cells_can_be_stopped() {
        let stop = AtomicBool::new(true);
        let options = BakeOptions { stop: Some(&stop), ..BakeOptions::ONE_JOB };
        let (input, settings) = (input(), NavSettings::default());
        let end = Context::new(&input, &settings, &options, None, &mut Vec::new());
        assert_eq!(end.err(), Some(BakeError::Stopped));
    }

    /// Whatever a stage does, it asks at least once per [`POLL_EVERY`] cells or floors that it looks at.
    #[test]
    fn no_stage_works_long_without_asking() {
        for partition in [Partition::Watershed, Partition::Monotone, Partition::Layers] {
            let tile_size = SIDE as f64 * 0.25;
            let settings = NavSettings { tile_size, agent_radius: 0.5, partition, ..NavSettings::default() };
            let input = input();
            let context =
                Context::new(&input, &settings, &BakeOptions::ONE_JOB, None, &mut Vec::new()).unwrap();
            let (stage, all) = (Cell::new(""), Cell::new(0));
            let polls = RefCell::new(BTreeMap::<&str, usize>::new());
            let begin = |name: &'static str| {
                stage.set(name);
                Ok(())
            };
            let count = || {
                all.set(all.get() + 1);
                *polls.borrow_mut().entry(stage.get()).or_default() += 1;
                Ok(())
            };
            let baked =
                context.bake_column([0, 0], None, Watch { begin: &begin, poll: &count }, None).unwrap();
            let polygons: usize = baked.tiles.iter().map(|tile| tile.polygons.len()).sum();
            let by_cells = SIDE * SIDE / POLL_EVERY;
            for name in ["voxels", "filters", "compact", "erosion", "islands", "regions", "contours"] {
                let found = polls.borrow().get(name).copied().unwrap_or(0);
                assert!(found >= by_cells, "{partition:?} {name}: {found} of {by_cells}");
            }
            // Each ear that is cut looks at all corners, each row of samples at all triangles, each polygon at those that
            // lie as far east.
            for name in ["polygons", "detail", "tiles"] {
                let found = polls.borrow().get(name).copied().unwrap_or(0);
                assert!(found >= polygons, "{partition:?} {name}: {found} of {polygons}");
            }
            // The poll that says so is the last one.
            let total = all.get();
            for last in [1, total / 3, total / 2, total - 1] {
                let asked = Cell::new(0);
                let stop = || {
                    asked.set(asked.get() + 1);
                    if asked.get() < last { Ok(()) } else { Err(BakeError::Stopped) }
                };
                let end = context.bake_column([0, 0], None, Watch { begin: &begin, poll: &stop }, None);
                assert_eq!((end.err(), asked.get()), (Some(BakeError::Stopped), last));
            }
        }
    }
}
