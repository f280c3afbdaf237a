//! Small meshes by hand: convex polygons in world coordinates, put into the tiles they lie in.

use std::collections::HashMap;

use navwright::format::{
    DetailMesh, DetailTriangle, NO_SIDE, NavMeshParams, OffMeshLink, Polygon, RawTile, TiledNavMesh,
};

/// A polygon to build: corners x, y, z, counter-clockwise, inside one tile.
#[derive(Clone)]
pub(super) struct Plate {
    corners: Vec<[f64; 3]>,
    level: i8,
    area: u8,
    flags: u8,
    peak: Option<[f64; 3]>,
}

impl Plate {
    /// A rectangle of one height.
    pub(super) fn rect(level: i8, y: f64, x: [f64; 2], z: [f64; 2]) -> Self {
        Self::polygon(level, &[[x[0], y, z[0]], [x[1], y, z[0]], [x[1], y, z[1]], [x[0], y, z[1]]])
    }

    pub(super) fn polygon(level: i8, corners: &[[f64; 3]]) -> Self {
        Self { corners: corners.to_vec(), level, area: 0, flags: 1, peak: None }
    }

    pub(super) fn area(mut self, area: u8) -> Self {
        self.area = area;
        self
    }

    pub(super) fn flags(mut self, flags: u8) -> Self {
        self.flags = flags;
        self
    }

    /// A detail mesh: a fan round an inner point.
    pub(super) fn peak(mut self, peak: [f64; 3]) -> Self {
        self.peak = Some(peak);
        self
    }
}

/// An off-mesh link to build, in world coordinates; it belongs to the tile its start is in.
#[derive(Clone, Copy)]
pub(super) struct Jump {
    pub(super) start: [f64; 3],
    pub(super) end: [f64; 3],
    pub(super) both_ways: bool,
    pub(super) user_id: u32,
}

pub(super) fn params(origin: [f64; 3], tile_size: f64) -> NavMeshParams {
    NavMeshParams {
        origin,
        tile_size,
        cell_size: 0.25,
        max_verts_per_poly: 16,
        walkable_climb: 0.5,
        agent_radius: 0.0,
        agent_height: 2.0,
        agent_max_slope: 45.0,
        settings_digest: 0,
    }
}

/// Builds the mesh: corners of one place and height are shared, T-junctions get their vertex (within a tile).
pub(super) fn mesh(params: NavMeshParams, plates: &[Plate], jumps: &[Jump]) -> TiledNavMesh {
    let column = |axis: usize, value: f64| ((value - params.origin[axis]) / params.tile_size).floor() as i32;
    let mut columns: Vec<(i32, i32)> = Vec::new();
    let mut of_plate = Vec::new();
    for plate in plates {
        let middle =
            |axis: usize| plate.corners.iter().map(|c| c[axis]).sum::<f64>() / plate.corners.len() as f64;
        let place = (column(0, middle(0)), column(2, middle(2)));
        of_plate.push(place);
        if !columns.contains(&place) {
            columns.push(place);
        }
    }
    columns.sort_by_key(|(x, z)| (*z, *x));
    let mut mesh = TiledNavMesh::new(params).expect("good parameters");
    for (tile_x, tile_z) in columns {
        let own = plates.iter().zip(&of_plate).filter(|(_, place)| **place == (tile_x, tile_z));
        let own: Vec<Plate> = own.map(|(plate, _)| plate.clone()).collect();
        let own_jumps: Vec<Jump> = jumps
            .iter()
            .filter(|jump| (column(0, jump.start[0]), column(2, jump.start[2])) == (tile_x, tile_z))
            .copied()
            .collect();
        let tile = raw_tile(&params, tile_x, tile_z, &own, &own_jumps);
        mesh.add_tile(tile.validate(&params).expect("a good tile")).expect("a free place");
    }
    mesh
}

fn raw_tile(params: &NavMeshParams, tile_x: i32, tile_z: i32, plates: &[Plate], jumps: &[Jump]) -> RawTile {
    let corner = [params.tile_origin_x(tile_x), 0.0, params.tile_origin_z(tile_z)];
    let local = |point: [f64; 3]| [0, 1, 2].map(|axis| (point[axis] - corner[axis]) as f32);
    let mut tile = RawTile { tile_x, tile_z, ..RawTile::default() };
    let mut known: HashMap<[u32; 3], u32> = HashMap::new();
    let mut rings: Vec<Vec<u32>> = Vec::new();
    for plate in plates {
        let mut ring = Vec::new();
        for point in &plate.corners {
            let at = local(*point);
            let index = *known.entry(at.map(f32::to_bits)).or_insert_with(|| {
                tile.vertices.push(at);
                tile.vertices.len() as u32 - 1
            });
            ring.push(index);
        }
        rings.push(ring);
    }
    for ring in &mut rings {
        *ring = with_t_junctions(&tile.vertices, ring);
    }
    let mut owner: HashMap<(u32, u32), u32> = HashMap::new();
    for (place, ring) in rings.iter().enumerate() {
        for k in 0..ring.len() {
            owner.insert((ring[k], ring[(k + 1) % ring.len()]), place as u32);
        }
    }
    for (ring, plate) in rings.iter().zip(plates) {
        tile.polygons.push(Polygon {
            first_edge: tile.edge_vertices.len() as u32,
            vertex_count: ring.len() as u8,
            area: plate.area,
            flags: u16::from(plate.flags) | u16::from(plate.level as u8) << 8,
        });
        for k in 0..ring.len() {
            let (a, b) = (ring[k], ring[(k + 1) % ring.len()]);
            let neighbour = owner.get(&(b, a)).map_or(0, |place| place + 1);
            let ends = (tile.vertices[a as usize], tile.vertices[b as usize]);
            tile.edge_vertices.push(a);
            tile.edge_neighbours.push(neighbour);
            tile.edge_sides.push(if neighbour == 0 { side(params, ends) } else { NO_SIDE });
        }
    }
    if plates.iter().any(|plate| plate.peak.is_some()) {
        add_details(&mut tile, plates, local);
    }
    for jump in jumps {
        tile.links.push(OffMeshLink {
            start: local(jump.start),
            end: local(jump.end),
            radius: 0.5,
            area: 0,
            bidirectional: jump.both_ways,
            flags: 1,
            user_id: jump.user_id,
        });
    }
    tile
}

fn add_details(tile: &mut RawTile, plates: &[Plate], local: impl Fn([f64; 3]) -> [f32; 3]) {
    for (place, plate) in plates.iter().enumerate() {
        let count = u16::from(tile.polygons[place].vertex_count);
        let mut detail = DetailMesh {
            vertex_base: tile.detail_vertices.len() as u32,
            vertex_count: 0,
            triangle_base: tile.detail_triangles.len() as u32,
            triangle_count: 0,
        };
        if let Some(peak) = plate.peak {
            tile.detail_vertices.push(local(peak));
            detail.vertex_count = 1;
            detail.triangle_count = u32::from(count);
            for k in 0..count {
                let indices = [k, (k + 1) % count, count];
                tile.detail_triangles.push(DetailTriangle { indices, edge_flags: 1 });
            }
        }
        tile.detail_meshes.push(detail);
    }
}

fn with_t_junctions(vertices: &[[f32; 3]], ring: &[u32]) -> Vec<u32> {
    let mut full = Vec::new();
    for k in 0..ring.len() {
        let (from, to) = (vertices[ring[k] as usize], vertices[ring[(k + 1) % ring.len()] as usize]);
        full.push(ring[k]);
        let mut between: Vec<(f32, u32)> = Vec::new();
        for (index, at) in vertices.iter().enumerate() {
            let (dx, dz) = (to[0] - from[0], to[2] - from[2]);
            let (px, pz) = (at[0] - from[0], at[2] - from[2]);
            let along = (px * dx + pz * dz) / (dx * dx + dz * dz);
            let on_line = dx * pz == dz * px && 0.0 < along && along < 1.0;
            if on_line && (from[1] + (to[1] - from[1]) * along - at[1]).abs() < 1e-6 {
                between.push((along, index as u32));
            }
        }
        between.sort_by(|a, b| a.0.total_cmp(&b.0));
        full.extend(between.iter().map(|(_, index)| *index));
    }
    full
}

fn side(params: &NavMeshParams, (a, b): ([f32; 3], [f32; 3])) -> u8 {
    let size = params.tile_size as f32;
    match () {
        () if a[0] == size && b[0] == size => 0,
        () if a[2] == size && b[2] == size => 1,
        () if a[0] == 0.0 && b[0] == 0.0 => 2,
        () if a[2] == 0.0 && b[2] == 0.0 => 3,
        () => NO_SIDE,
    }
}
