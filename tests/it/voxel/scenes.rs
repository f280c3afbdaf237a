//! Random scenes in which all that a voxel bake knows meets at once: floors over floors, stairs, slopes, needles, upright
//! walls and edges on borders of cells and tiles, marks, area types, and settings of every kind.

use std::sync::Arc;

use navwright::bake::{AreaMark, MarkKind, TriangleMesh, VoxelInput};
use navwright::format::{NavSettings, Partition};

use super::{block, quad};
use crate::support::Random;

fn pick<T: Copy>(random: &mut Random, list: &[T]) -> T {
    list[random.below(list.len() as u64) as usize]
}

/// A scene and its settings. `exact`: cells and all coordinates are sums of few powers of two, so that moving the scene by
/// whole tiles rounds nothing.
pub(super) fn scene(seed: u64, exact: bool) -> (VoxelInput, NavSettings) {
    let mut random = Random(seed.wrapping_mul(7919) ^ 0x00AB_CDEF);
    let settings = settings(&mut random, exact);
    let (cell, height) = (settings.cell_size, settings.cell_height);
    let cells = 8.0 + random.unit() * if settings.tile_size < 4.0 * cell { 16.0 } else { 60.0 };
    let snap = Snap { cell, height, exact };
    let mut maker = Maker { random, snap, tile: settings.tile_size, size: cells * cell };
    let count = 1 + maker.random.below(3);
    let mut meshes: Vec<TriangleMesh> = (0..count).map(|_| maker.mesh()).collect();
    if maker.random.below(4) > 0 {
        let (size, y) = (maker.size, maker.random.unit());
        let (x, z, y) = (snap.across(size), snap.across(size * 0.8), snap.up(y));
        quad(&mut meshes[0], [0.0, 0.0, x, z], [y; 4]);
    }
    let marks = (0..maker.random.below(4)).map(|id| maker.mark(id)).collect();
    let mut input = VoxelInput { meshes, marks, ..VoxelInput::default() };
    if maker.random.below(4) == 0 {
        input.ledge_radius = Some((pick(&mut maker.random, &[0.0, 1.0, 3.0]) * cell) as f32);
    }
    if maker.random.below(3) == 0 {
        input.area_priority = vec![2, 0];
    }
    let mut settings = settings;
    if maker.random.below(3) == 0 {
        let far = pick(&mut maker.random, if exact { &[1e6, -1e6, 12.0] } else { &[1e6, -1e6, 0.17] });
        settings.origin = [far, if exact { 2.0 } else { -3.3 }, -far];
        move_by(&mut input, [far, -far]);
    }
    (input, settings)
}

/// Moves all triangles and marks.
pub(super) fn move_by(input: &mut VoxelInput, [x, z]: [f64; 2]) {
    for mesh in &mut input.meshes {
        for vertex in Arc::make_mut(&mut mesh.vertices) {
            (vertex[0], vertex[2]) = (vertex[0] + x, vertex[2] + z);
        }
    }
    for point in input.marks.iter_mut().flat_map(|mark| &mut mark.outline) {
        *point = [point[0] + x, point[1] + z];
    }
}

/// Everything below a cell, above a tile, and in between.
fn settings(random: &mut Random, exact: bool) -> NavSettings {
    let cell_size = pick(random, if exact { &[0.25, 0.5, 1.0] } else { &[0.25, 0.3, 0.1, 1.0, 0.37] });
    let cell_height = pick(random, if exact { &[0.25, 0.5, 0.125] } else { &[0.2, 0.1, 0.25, 0.3, 1.0] });
    let tile_cells = pick(random, &[1.0, 3.0, 7.0, 16.0, 24.0, 32.0]);
    NavSettings {
        cell_size,
        cell_height,
        tile_size: f64::from((tile_cells * cell_size) as f32),
        agent_radius: (pick(random, &[0.0, 0.0, 0.5, 1.0, 2.0, 3.0, 5.0]) * cell_size) as f32,
        agent_height: (pick(random, &[0.5, 1.0, 4.0, 8.0, 10.0]) * cell_height) as f32,
        walkable_climb: (pick(random, &[0.0, 0.4, 1.0, 2.0, 4.0, 9.0]) * cell_height) as f32,
        agent_max_slope: pick(random, &[0.0, 30.0, 45.0, 60.0, 90.0]),
        min_region_area: pick(random, &[0, 1, 4, 16, 64, 200]),
        merge_region_area: pick(random, &[0, 20, 400]),
        contour_max_error: pick(random, &[0.0, 0.5, 1.3, 4.0, 30.0]),
        max_edge_length: pick(random, &[0.0, 0.5, 3.0, 12.0]),
        max_verts_per_poly: pick(random, &[3, 4, 6, 16]),
        detail_sample_distance: pick(random, &[0.0, 0.01, 1.0, 3.0, 6.0]) * cell_size,
        detail_max_error: pick(random, &[0.0, 0.5, 1.0, 4.0]) * cell_height,
        partition: Partition::from_index(random.below(3) as i32).unwrap(),
        ..NavSettings::default()
    }
}

/// Puts coordinates on sixteenths of cells, where they are to be exact.
#[derive(Clone, Copy)]
struct Snap {
    cell: f64,
    height: f64,
    exact: bool,
}

struct Maker {
    random: Random,
    snap: Snap,
    tile: f64,
    /// The scene's side.
    size: f64,
}

impl Snap {
    fn across(&self, value: f64) -> f64 {
        if self.exact { (value / self.cell * 16.0).round() / 16.0 * self.cell } else { value }
    }

    fn up(&self, value: f64) -> f64 {
        if self.exact { (value / self.height * 16.0).round() / 16.0 * self.height } else { value }
    }
}

impl Maker {
    /// A place, often on a border of cells or tiles.
    fn place(&mut self) -> f64 {
        let snap = self.snap;
        let value = snap.across(self.random.unit() * self.size);
        match self.random.below(4) {
            0 => (value / snap.cell).round() * snap.cell,
            1 => (value / self.tile).round() * self.tile,
            _ => value,
        }
    }

    fn mesh(&mut self) -> TriangleMesh {
        let mut mesh = TriangleMesh { name: "mesh".to_owned(), ..TriangleMesh::default() };
        mesh.area_type = (self.random.below(2) == 0).then(|| self.random.below(5) as u8);
        if self.random.below(3) == 0 {
            mesh.level = self.random.below(3) as i8 - 1;
            mesh.flags = Some(self.random.below(4) as u8);
        }
        for _ in 0..1 + self.random.below(12) {
            self.add_thing(&mut mesh);
        }
        mesh
    }

    fn add_thing(&mut self, mesh: &mut TriangleMesh) {
        let snap = self.snap;
        let [x, z, x1, z1] = [(); 4].map(|()| self.place());
        let (low, high) = ([x.min(x1), z.min(z1)], [x.max(x1), z.max(z1)]);
        let rectangle = [low[0], low[1], high[0], high[1]];
        let is_wide = low[0] < high[0] && low[1] < high[1];
        let reach = pick(&mut self.random, &[0.0, 1.0, 3.0, 8.0]);
        let y = snap.up(self.random.unit() * reach);
        let [rise, other] = [(); 2].map(|()| self.random.unit() * 3.0);
        let [top, side, base] = [snap.up(y + rise + 0.1), snap.up(y + other), snap.up(y - rise)];
        match self.random.below(8) {
            0 | 1 if is_wide => quad(mesh, rectangle, [y; 4]),
            2 if is_wide => quad(mesh, rectangle, [y, top, side, y]),
            3 if is_wide => block(mesh, rectangle, base, y),
            4 => {
                let [width, depth] =
                    [(); 2].map(|()| snap.across(snap.cell * (1.0 + self.random.unit() * 4.0)));
                block(mesh, [x, z, x + width, z + depth], y - 0.5, top);
            }
            5 => {
                let (rise, run) = (1.0 + self.random.below(4) as f64, 1.0 + self.random.below(3) as f64);
                for step in 0..6 {
                    let (x, y) = (
                        x + run * snap.cell * f64::from(step),
                        y + snap.up(rise * snap.height) * f64::from(step),
                    );
                    quad(mesh, [x, z, x + run * snap.cell, z + 8.0 * snap.cell], [y; 4]);
                }
            }
            6 => {
                add_triangles(mesh, &[[x, y, low[1]], [x, y, high[1]], [x, top, high[1]], [x, top, low[1]]]);
            }
            _ => {
                for _ in 0..1 + self.random.below(10) {
                    let corners: [[f64; 3]; 3] = std::array::from_fn(|_| {
                        let reach = pick(&mut self.random, &[2.0, 8.0, 30.0]) * snap.cell;
                        let [dx, dy, dz] = [(); 3].map(|()| self.random.unit() - 0.5);
                        [snap.across(x + dx * reach), snap.up(y + dy * 2.0), snap.across(z + dz * reach)]
                    });
                    add_triangles(mesh, &corners);
                }
            }
        }
    }

    fn mark(&mut self, id: u64) -> AreaMark {
        let snap = self.snap;
        let [x, z] = [(); 2].map(|()| snap.across(self.random.unit() * self.size));
        let side = snap.across(snap.cell * (1.0 + self.random.unit() * 12.0));
        let (third, half) = (snap.across(side / 3.0), snap.across(side / 2.0));
        let kind = match self.random.below(2) {
            0 => MarkKind::Hole,
            _ => MarkKind::Area { area_type: self.random.below(8) as u8, flags: 3 },
        };
        AreaMark {
            id,
            name: format!("mark {id}"),
            kind,
            level: self.random.below(3) as i8,
            outline: vec![
                [x, z],
                [x + side, z + third],
                [x + side, z + side],
                [x + half, z + half],
                [x, z + side],
            ],
            low: snap.up(self.random.unit() * 3.0 - 2.0),
            high: snap.up(1.0 + self.random.unit() * 4.0),
        }
    }
}

/// A fan.
fn add_triangles(mesh: &mut TriangleMesh, corners: &[[f64; 3]]) {
    let base = mesh.vertices.len() as u32;
    Arc::make_mut(&mut mesh.vertices).extend_from_slice(corners);
    Arc::make_mut(&mut mesh.triangles)
        .extend((2..corners.len() as u32).map(|corner| [base, base + corner - 1, base + corner]));
}
