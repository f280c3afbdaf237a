//! A mesh with its index, as many walkers at once look at it: steps, sight and walls, without memory of their own.

use super::around::place_in_box;
use super::index::QueryIndex;
use super::nearest::{NavPlace, cell_height};
use super::plan::NONE;
use super::view::{closest_on_segment, distance_squared};
use super::walk::{NavMove, slide, walk};
use super::{NavPoint, PathScratch, QueryFilter};
use crate::format::{PolyRef, TiledNavMesh};

/// See the file's front page.
#[derive(Clone, Copy)]
pub(crate) struct Floor<'a> {
    mesh: &'a TiledNavMesh,
    index: &'a QueryIndex,
}

/// Cells that are looked at for walls, at most.
const WALL_CELLS: usize = 64;

impl PathScratch {
    /// The mesh as walkers see it; the index is brought up to date.
    pub(crate) fn floor<'a>(&'a mut self, mesh: &'a TiledNavMesh) -> Floor<'a> {
        self.index.update(mesh);
        Floor { mesh, index: &self.index }
    }
}

impl Floor<'_> {
    /// The number of the cell of an open polygon.
    fn cell(&self, polygon: PolyRef, filter: &QueryFilter) -> Option<u32> {
        self.mesh.polygon(polygon)?;
        let cell = self.index.number(polygon);
        filter.passes_cell(&self.index.plan.cells[cell]).then_some(cell as u32)
    }

    pub(crate) fn is_open(&self, polygon: PolyRef, filter: &QueryFilter) -> bool {
        self.cell(polygon, filter).is_some()
    }

    /// As [`move_along_surface`](super::move_along_surface).
    pub(crate) fn slide(
        &self,
        polygon: PolyRef,
        from: [f64; 2],
        to: [f64; 2],
        filter: &QueryFilter,
    ) -> Option<NavMove> {
        let cell = self.cell(polygon, filter)?;
        let plan = &self.index.plan;
        let (from, _) = plan.closest(&plan.cells[cell as usize], from);
        Some(slide(self.mesh, plan, filter, cell, from, to))
    }

    /// Whether one can walk straight from a place to a point of a path, and arrives on its floor.
    pub(crate) fn sees(
        &self,
        polygon: PolyRef,
        from: [f64; 2],
        point: &NavPoint,
        filter: &QueryFilter,
    ) -> bool {
        let to = [point.position[0], point.position[2]];
        let Some(stop) =
            self.cell(polygon, filter).map(|cell| walk(&self.index.plan, filter, cell, from, to))
        else {
            return false;
        };
        let plan = &self.index.plan;
        stop.wall.is_none()
            && (plan.polygons[stop.cell as usize] == point.polygon || {
                let climb = f64::from(self.mesh.params().walkable_climb).max(0.1);
                (cell_height(self.mesh, plan, stop.cell, to) - point.position[1]).abs() <= climb
            })
    }

    /// Whether one can walk straight from a place to another that lies on a polygon near by.
    pub(crate) fn joins(
        &self,
        polygon: PolyRef,
        from: [f64; 2],
        (other, to): (PolyRef, [f64; 2]),
        filter: &QueryFilter,
    ) -> bool {
        polygon == other
            || self
                .cell(polygon, filter)
                .is_some_and(|cell| walk(&self.index.plan, filter, cell, from, to).wall.is_none())
    }

    /// Calls back with the walls within a distance of a place that can be walked to within it.
    pub(crate) fn each_wall(
        &self,
        polygon: PolyRef,
        at: [f64; 2],
        radius: f64,
        filter: &QueryFilter,
        mut visit: impl FnMut([[f64; 2]; 2]),
    ) {
        let Some(first) = self.cell(polygon, filter) else { return };
        let mut cells = [first; WALL_CELLS];
        let (mut next, mut count) = (0, 1);
        let plan = &self.index.plan;
        while next < count {
            let own = &plan.cells[cells[next] as usize];
            next += 1;
            let ring = plan.ring(own);
            for (k, side) in ring.iter().enumerate() {
                let end = ring[if k + 1 == ring.len() { 0 } else { k + 1 }].at;
                if distance_squared(closest_on_segment(side.at, end, at), at) > radius * radius {
                    continue;
                }
                if side.to == NONE || !filter.passes_cell(&plan.cells[side.to as usize]) {
                    visit([side.at, end]);
                } else if count < WALL_CELLS && !cells[..count].contains(&side.to) {
                    cells[count] = side.to;
                    count += 1;
                }
            }
        }
    }

    /// As [`nearest_in_box`](super::nearest_in_box).
    pub(crate) fn place_in_box(
        &self,
        center: [f64; 3],
        half_extents: [f64; 3],
        filter: &QueryFilter,
    ) -> Option<NavPlace> {
        place_in_box(self.mesh, self.index, center, half_extents, filter)
    }
}
