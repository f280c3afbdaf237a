//! The settings in cells, and how world, cells and tiles relate.

use crate::bake::BakeError;
use crate::bake::limits::{MAX_CELLS_FROM_ORIGIN, MAX_TILE_CELLS};
use crate::format::{FormatError, NavMeshParams, NavSettings};
use crate::geom::angle;
use crate::geom::box_tree::CellBox;

/// A quotient this close to a whole number is that number: settings are 32-bit floats or decimals, and 0.6 / 0.3 is 2.
const WHOLE: f64 = 1e-4;
/// Points are taken to this part of a cell, half of the finest that the format promises to keep.
const STEPS_A_CELL: f64 = 1024.0;
/// Cells beside the radius that a tile looks over its border: it must know the floors in the first row there, whose
/// erosion looks as far as the radius, at floors that may be ledges over the next cells.
const MARGIN: i32 = 2;

/// Everything that the stages ask of the settings, and how far agents keep off ledges. Lengths in cells, heights in cell heights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct VoxelGrid {
    /// A tile's side.
    pub(crate) tile_cells: i32,
    /// Cells that a tile looks over each border: the radius and a margin.
    pub(crate) border: i32,
    /// Highest step, rounded down.
    pub(crate) climb: i32,
    /// Head room, rounded up.
    pub(crate) height: i32,
    /// Agent radius, rounded up.
    pub(crate) radius: i32,
    /// As `radius`, off ledges.
    pub(crate) ledge_radius: i32,
    pub(crate) min_region_area: i64,
    pub(crate) merge_region_area: i64,
    pub(crate) contour_max_error: f64,
    /// 0: no limit.
    pub(crate) max_edge_length: i32,
    /// 0: no detail.
    pub(crate) sample_distance: f64,
    /// In cell heights.
    pub(crate) sample_max_error: f64,
    /// Cosine of the steepest walkable slope.
    pub(crate) min_normal_y: f64,
    pub(crate) max_verts_per_poly: usize,
    origin: [f64; 3],
    /// Side of a cell: the tile's, divided, so that borders fall on cells however far the tile lies.
    pub(crate) cell_size: f64,
    pub(crate) cell_height: f64,
}

/// The cells of a tile with its border, in cells from the mesh's origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    /// The first cell, border included.
    pub(crate) low: [i32; 2],
    /// Cells along x and along z, border included.
    pub(crate) size: [i32; 2],
}

impl VoxelGrid {
    /// The settings in cells.
    ///
    /// # Errors
    /// [`BakeError::Format`] for settings out of range, [`BakeError::Limit`] for a tile of too many cells.
    pub(crate) fn new(settings: &NavSettings, ledge_radius: Option<f32>) -> Result<Self, BakeError> {
        settings.validate()?;
        let off_ledges = ledge_radius.unwrap_or(settings.agent_radius);
        if !off_ledges.is_finite() || off_ledges < 0.0 {
            return Err(out_of_range(
                "ledge radius",
                off_ledges.to_string(),
                "must be finite and at least 0",
            ));
        }
        if settings.flags > 0xFF {
            let bound = "a bake keeps the level in bits 8 to 15, so at most 255";
            return Err(out_of_range("flags", settings.flags.to_string(), bound));
        }
        let tile_cells = (settings.tile_size / settings.cell_size).round();
        if tile_cells < 1.0 {
            let bound = format!("a voxel bake's tile is at least a cell of {}", settings.cell_size);
            return Err(out_of_range("tile_size", settings.tile_size.to_string(), &bound));
        }
        // At most 8192 by the format.
        let tile_cells = tile_cells as i32;
        let cell_size = settings.tile_size / f64::from(tile_cells);
        let up = |length: f64, unit: f64| (length / unit - WHOLE).ceil();
        let down = |length: f64, unit: f64| (length / unit + WHOLE).floor();
        let radius = up(settings.agent_radius.into(), cell_size);
        let ledge_radius = up(off_ledges.into(), cell_size);
        let border = radius.max(ledge_radius) + f64::from(MARGIN);
        let side = f64::from(tile_cells) + 2.0 * border;
        if side * side > MAX_TILE_CELLS as f64 {
            return Err(BakeError::Limit {
                name: "number of cells of a tile with its border (tile_size and, twice, agent_radius over cell_size)",
                value: format!("{:.0}", side * side),
                limit: MAX_TILE_CELLS.to_string(),
            });
        }
        let bounded = |value: f64| value.clamp(0.0, MAX_CELLS_FROM_ORIGIN) as i32;
        let sample_distance = settings.detail_sample_distance / cell_size;
        Ok(Self {
            tile_cells,
            border: border as i32,
            climb: bounded(down(settings.walkable_climb.into(), settings.cell_height)),
            height: bounded(up(settings.agent_height.into(), settings.cell_height)).max(1),
            radius: radius as i32,
            ledge_radius: ledge_radius as i32,
            min_region_area: settings.min_region_area.into(),
            merge_region_area: settings.merge_region_area.into(),
            contour_max_error: settings.contour_max_error.into(),
            max_edge_length: bounded(down(settings.max_edge_length, cell_size)),
            // As in Recast, sampling finer than the cells tells nothing.
            sample_distance: if settings.detail_sample_distance == 0.0 {
                0.0
            } else {
                sample_distance.max(0.9)
            },
            sample_max_error: settings.detail_max_error / settings.cell_height,
            min_normal_y: angle::cosine(settings.agent_max_slope.into()),
            max_verts_per_poly: settings.max_verts_per_poly.into(),
            origin: settings.origin,
            cell_size,
            cell_height: settings.cell_height,
        })
    }

    /// A world point in cells and cell heights, to the nearest 1/1024; `None` beyond 2^29.
    pub(crate) fn grid_from_world(&self, world: [f64; 3]) -> Option<[f64; 3]> {
        let unit = [self.cell_size, self.cell_height, self.cell_size];
        let point: [f64; 3] = std::array::from_fn(|axis| {
            let cells = (world[axis] - self.origin[axis]) / unit[axis];
            (cells * STEPS_A_CELL).round() / STEPS_A_CELL
        });
        point.iter().all(|value| value.abs() < MAX_CELLS_FROM_ORIGIN).then_some(point)
    }

    /// The world place of a corner of cells, and of a height in cell heights.
    pub(crate) fn world_from_grid(&self, point: [f64; 3]) -> [f64; 3] {
        let unit = [self.cell_size, self.cell_height, self.cell_size];
        std::array::from_fn(|axis| self.origin[axis] + point[axis] * unit[axis])
    }

    /// A tile with its border; `None` where its cells are too far from the origin.
    pub(crate) fn window(&self, [tile_x, tile_z]: [i32; 2]) -> Option<Window> {
        let first = |tile: i32| {
            let cell = i64::from(tile) * i64::from(self.tile_cells) - i64::from(self.border);
            let far = cell.unsigned_abs() > MAX_CELLS_FROM_ORIGIN as u64;
            if far { None } else { i32::try_from(cell).ok() }
        };
        let low = [first(tile_x)?, first(tile_z)?];
        Some(Window { low, size: [self.tile_cells + 2 * self.border; 2] })
    }

    /// Tiles from one to another, in x and z, with the border of the outermost; `None` where their cells are too far from
    /// the origin.
    pub(crate) fn window_of(&self, first: [i32; 2], last: [i32; 2]) -> Option<Window> {
        let (low, high) = (self.window(first)?.low, self.window(last)?.low);
        Some(Window {
            low,
            size: [0, 1].map(|axis| high[axis] - low[axis] + self.tile_cells + 2 * self.border),
        })
    }

    /// A cell coordinate of a tile as its local 32-bit coordinate: on the border it is the border's to the bit.
    pub(crate) fn local_from_cell(&self, cell: f64, params: &NavMeshParams) -> f32 {
        (cell / f64::from(self.tile_cells) * params.tile_size) as f32
    }
}

impl Window {
    /// Its cells as a box.
    pub(crate) fn cells(&self) -> CellBox {
        CellBox { low: self.low, high: [0, 1].map(|axis| self.low[axis] + self.size[axis] - 1) }
    }

    pub(crate) fn cell_count(&self) -> usize {
        (self.size[0] as usize) * (self.size[1] as usize)
    }
}

pub(crate) fn out_of_range(name: &str, value: String, bound: &str) -> BakeError {
    BakeError::Format(FormatError::OutOfRange { name: name.to_owned(), value, bound: bound.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_in_cells_are_those_of_recast() {
        let settings = NavSettings {
            tile_size: f64::from(9.6_f32),
            cell_size: 0.3,
            cell_height: 0.2,
            agent_radius: 0.6,
            walkable_climb: 0.9,
            ..NavSettings::default()
        };
        let grid = VoxelGrid::new(&settings, None).unwrap();
        let found =
            (grid.tile_cells, grid.border, grid.climb, grid.height, grid.radius, grid.max_edge_length);
        assert_eq!(found, (32, 4, 4, 10, 2, 40));
    }
}
