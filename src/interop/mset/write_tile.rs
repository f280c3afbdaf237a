//! A tile as Detour has it: sections in order, polygons the other way round and of at most six corners.

use super::bounds::{Cells, Node, tree};
use super::bytes::Bytes;
use super::error::MsetExportError;
use super::exported::MsetExport;
use super::layout::{
    CONNECTION_BYTES, DETAIL_BYTES, LINK_BYTES, MOST_CORNERS, NODE_BYTES, POLYGON_BYTES, PORTAL,
    TILE_HEADER_BYTES, TILE_MAGIC, TILE_VERSION, TRIANGLE_BYTES, VERTEX_BYTES,
};
use crate::format::{
    DetailTriangle, LinkKind, NO_SIDE, NavMeshParams, OffMeshLink, Polygon, RawTile, TilePosition, TileRef,
    TiledNavMesh,
};

/// Most polygons of a tile: a neighbour's number and 1 stand below the bit for portals.
const MOST_POLYGONS: usize = 0x7FFF;
/// Most vertices of a tile.
const MOST_VERTICES: usize = 0xFFFE;
/// Most triangles of a detail mesh, and most corners of it.
const MOST_DETAIL: usize = 255;
/// Most polygons that Detour links to an edge on a border.
const MOST_ACROSS: usize = 4;
/// The place of an off-mesh link's end that lies over its own tile.
const INSIDE: u8 = 0xFF;
const OFF_MESH: u8 = 1 << 6;

/// A tile's bytes, and how many polygons are in it.
pub(super) struct Written {
    pub(super) bytes: Bytes,
    pub(super) polygons: usize,
}

/// A polygon as Detour has it: at most six corners, the other way round than ours.
struct Piece {
    /// Our polygon.
    parent: usize,
    /// Places in the ring of our polygon turned round, see [`TileWriting::ring`].
    corners: Vec<usize>,
    /// For each edge.
    neighbours: Vec<u16>,
}

/// The height detail of a piece.
#[derive(Default)]
struct Detail {
    vertices: Vec<[f32; 3]>,
    triangles: Vec<[u8; 4]>,
}

/// A tile to write.
pub(super) struct TileWriting<'a> {
    pub(super) mesh: &'a TiledNavMesh,
    pub(super) reference: TileRef,
    pub(super) tile: &'a RawTile,
    pub(super) position: TilePosition,
    pub(super) params: &'a NavMeshParams,
    /// Ends of off-mesh links over its column, also of those that start elsewhere.
    pub(super) ends_here: usize,
}

impl TileWriting<'_> {
    pub(super) fn written(&self, export: &mut MsetExport) -> Result<Written, MsetExportError> {
        let (tile, params) = (self.tile, self.params);
        let pieces = self.pieces(export);
        let (numbers, mut vertices) = self.vertices(export);
        for piece in &pieces {
            let ring = self.ring(piece.parent);
            let corners = piece.corners.iter().map(|&corner| vertices[numbers[ring[corner] as usize]]);
            if !faces_up(&corners.collect::<Vec<_>>()) {
                return Err(MsetExportError::Collapsed { tile: self.position, polygon: piece.parent });
            }
        }
        let ground_vertices = vertices.len();
        for link in &tile.links {
            vertices.extend([link.start, link.end].map(|at| self.in_world(at, export)));
        }
        let details: Vec<Detail> = pieces.iter().map(|piece| self.detail(piece, export)).collect();
        let polygons = pieces.len() + tile.links.len();
        let bounds = [("polygons", polygons, MOST_POLYGONS), ("vertices", vertices.len(), MOST_VERTICES)];
        if let Some((what, count, most)) = bounds.into_iter().find(|(_, count, most)| count > most) {
            return Err(MsetExportError::TooMany { tile: self.position, what, count, most });
        }
        let [low, high] = self.bounds(&vertices[..ground_vertices], &details);
        let boxes: Vec<Cells> = pieces
            .iter()
            .zip(&details)
            .map(|(piece, detail)| {
                let ring = self.ring(piece.parent);
                let corners = piece.corners.iter().map(|&corner| vertices[numbers[ring[corner] as usize]]);
                cells_around(corners.chain(detail.vertices.iter().copied()), low, params)
            })
            .collect();
        let nodes = tree(&boxes);
        let detail_vertices: usize = details.iter().map(|detail| detail.vertices.len()).sum();
        let detail_triangles: usize = details.iter().map(|detail| detail.triangles.len()).sum();
        let links = self.room_for_links(&pieces);
        let mut out = Bytes(Vec::with_capacity(
            TILE_HEADER_BYTES
                + VERTEX_BYTES * (vertices.len() + detail_vertices)
                + POLYGON_BYTES * polygons
                + LINK_BYTES * links
                + DETAIL_BYTES * details.len()
                + TRIANGLE_BYTES * detail_triangles
                + NODE_BYTES * nodes.len()
                + CONNECTION_BYTES * tile.links.len(),
        ));
        out.u32(TILE_MAGIC);
        out.u32(TILE_VERSION);
        [tile.tile_x, tile.tile_z, tile.layer].iter().for_each(|value| out.i32(*value));
        out.u32(0); // A word for the user.
        for count in [
            polygons,
            vertices.len(),
            links,
            details.len(),
            detail_vertices,
            detail_triangles,
            nodes.len(),
            tile.links.len(),
            pieces.len(),
        ] {
            out.count(count);
        }
        [params.agent_height, params.agent_radius, params.walkable_climb]
            .iter()
            .for_each(|value| out.f32(*value));
        out.point(low);
        out.point(high);
        out.f32(cells_per_unit(params));
        vertices.iter().for_each(|vertex| out.point(*vertex));
        for piece in &pieces {
            let polygon = &tile.polygons[piece.parent];
            let ring = self.ring(piece.parent);
            out.u32(0); // Its first link: made when the file is loaded.
            six(&mut out, piece.corners.iter().map(|&corner| numbers[ring[corner] as usize] as u16));
            six(&mut out, piece.neighbours.iter().copied());
            out.u16(polygon.flags & 0xFF);
            out.0.extend([piece.corners.len() as u8, polygon.area]);
            export.without_flags += usize::from(polygon.flags & 0xFF == 0);
        }
        for (number, link) in tile.links.iter().enumerate() {
            out.u32(0);
            let first = ground_vertices + 2 * number;
            six(&mut out, [first as u16, first as u16 + 1].into_iter());
            six(&mut out, std::iter::empty());
            out.u16(link.flags & 0xFF);
            out.0.extend([2, link.area | OFF_MESH]);
            export.without_flags += usize::from(link.flags & 0xFF == 0);
        }
        out.0.resize(out.0.len() + LINK_BYTES * links, 0);
        let (mut vertex_base, mut triangle_base) = (0, 0);
        for Detail { vertices, triangles } in &details {
            out.count(vertex_base);
            out.count(triangle_base);
            out.0.extend([vertices.len() as u8, triangles.len() as u8, 0, 0]);
            vertex_base += vertices.len();
            triangle_base += triangles.len();
        }
        details.iter().flat_map(|detail| &detail.vertices).for_each(|vertex| out.point(*vertex));
        details.iter().flat_map(|detail| &detail.triangles).for_each(|triangle| out.0.extend(triangle));
        for Node { cells, index } in &nodes {
            cells.low.iter().chain(&cells.high).for_each(|value| out.u16(*value));
            out.i32(*index);
        }
        for (number, link) in tile.links.iter().enumerate() {
            let first = ground_vertices + 2 * number;
            out.point(vertices[first]);
            out.point(vertices[first + 1]);
            out.f32(link.radius);
            out.u16((pieces.len() + number) as u16);
            out.0.extend([u8::from(link.bidirectional), side_of(vertices[first + 1], low, high)]);
            out.u32(link.user_id);
            export.far_links += usize::from(self.is_far(link));
        }
        Ok(Written { bytes: out, polygons })
    }

    /// The vertices of our polygon as Detour winds them.
    fn ring(&self, polygon: usize) -> Vec<u32> {
        let corners = &self.tile.edge_vertices[self.tile.polygons[polygon].edges()];
        corners.iter().rev().copied().collect()
    }

    /// Our polygons in order, cut where they have too many corners.
    fn pieces(&self, export: &mut MsetExport) -> Vec<Piece> {
        let mut first = Vec::with_capacity(self.tile.polygons.len());
        let mut number = 0;
        for polygon in &self.tile.polygons {
            first.push(number);
            number += piece_count(usize::from(polygon.vertex_count));
        }
        let mut pieces = Vec::with_capacity(number);
        for (parent, polygon) in self.tile.polygons.iter().enumerate() {
            let count = usize::from(polygon.vertex_count);
            let cut = piece_count(count);
            export.cut_polygons += usize::from(cut > 1);
            export.levels_left_out += usize::from(polygon.level() != 0);
            for part in 0..cut {
                let begin = 1 + part * (MOST_CORNERS - 2);
                let end = (begin + MOST_CORNERS - 2).min(count - 1);
                let corners: Vec<usize> = std::iter::once(0).chain(begin..=end).collect();
                let neighbour = |edge: usize| {
                    let (from, to) = (corners[edge], corners[(edge + 1) % corners.len()]);
                    if (from + 1) % count == to {
                        return self.neighbour(parent, from, &first);
                    }
                    // A cut: from the first corner to the part before, or back from the part after.
                    let other = if from == 0 { part - 1 } else { part + 1 };
                    (first[parent] + other + 1) as u16
                };
                let neighbours = (0..corners.len()).map(neighbour).collect();
                pieces.push(Piece { parent, corners, neighbours });
            }
        }
        self.count_crowded(export);
        pieces
    }

    /// What lies over an edge of our polygon's ring turned round. `first`: each polygon's first piece.
    fn neighbour(&self, parent: usize, edge: usize, first: &[usize]) -> u16 {
        let tile = self.tile;
        let own = turned(&tile.polygons[parent], edge);
        let side = tile.edge_sides[own];
        if side != NO_SIDE {
            return PORTAL | u16::from(2 * side);
        }
        let Some(other) = (tile.edge_neighbours[own] as usize).checked_sub(1) else { return 0 };
        let polygon = &tile.polygons[other];
        let count = usize::from(polygon.vertex_count);
        let ends = |edge: usize| {
            let ring = self.ring(other);
            [ring[edge], ring[(edge + 1) % count]]
        };
        let ring = self.ring(parent);
        let wanted = [ring[(edge + 1) % ring.len()], ring[edge]];
        let names = |edge: &usize| tile.edge_neighbours[turned(polygon, *edge)] as usize == parent + 1;
        let mut edges = (0..count).filter(names);
        let found = edges.clone().find(|edge| ends(*edge) == wanted).or_else(|| edges.next());
        (first[other] + found.map_or(0, |edge| piece_of(edge, count)) + 1) as u16
    }

    fn count_crowded(&self, export: &mut MsetExport) {
        for polygon in 0..self.tile.polygons.len() {
            let links = self.mesh.links(self.reference.polygon(polygon as u32));
            let mut across = [0; u8::MAX as usize + 1];
            let portals = links.iter().filter(|link| link.kind == LinkKind::Portal);
            portals.for_each(|link| across[usize::from(link.edge)] += 1);
            export.crowded_portals += across.iter().filter(|count| **count > MOST_ACROSS).count();
        }
    }

    /// The number of each of our vertices in the file, and the vertices there; those that no polygon uses are left out.
    fn vertices(&self, export: &mut MsetExport) -> (Vec<usize>, Vec<[f32; 3]>) {
        let mut used = vec![false; self.tile.vertices.len()];
        self.tile.edge_vertices.iter().for_each(|vertex| used[*vertex as usize] = true);
        let (mut numbers, mut vertices) = (Vec::with_capacity(used.len()), Vec::new());
        for (vertex, used) in self.tile.vertices.iter().zip(used) {
            numbers.push(vertices.len());
            if used {
                vertices.push(self.in_world(*vertex, export));
            }
        }
        (numbers, vertices)
    }

    /// A place of the tile in the world. What lies on a border is told from the border's number, so that both tiles
    /// have it at the same number.
    fn in_world(&self, local: [f32; 3], export: &mut MsetExport) -> [f32; 3] {
        let exact = self.tile.point_in_world(self.params, local);
        let mut world = exact.map(|value| value as f32);
        let [_, [x, z]] = self.square();
        for (axis, border) in [(0, x), (2, z)] {
            if local[axis] == self.params.tile_size_f32() {
                world[axis] = border;
            }
        }
        for axis in 0..3 {
            export.moved = export.moved.max((f64::from(world[axis]) - exact[axis]).abs());
        }
        world
    }

    fn detail(&self, piece: &Piece, export: &mut MsetExport) -> Detail {
        let tile = self.tile;
        let count = usize::from(tile.polygons[piece.parent].vertex_count);
        let own = tile.detail_meshes.get(piece.parent).filter(|detail| detail.triangle_count > 0);
        let Some(own) = own else { return fan(piece.corners.len()) };
        let is_whole = piece.corners.len() == count;
        let [vertex, triangle] = [own.vertex_base, own.triangle_base].map(|base| base as usize);
        let extras = &tile.detail_vertices[vertex..vertex + own.vertex_count as usize];
        let triangles = &tile.detail_triangles[triangle..triangle + own.triangle_count as usize];
        // A piece has the corners of the whole polygon behind its own.
        let before = if is_whole { 0 } else { piece.corners.len() };
        if before + count + extras.len() > MOST_DETAIL || triangles.len() > MOST_DETAIL {
            export.coarse_polygons += usize::from(piece.corners[1] == 1);
            return fan(piece.corners.len());
        }
        let mut detail = Detail::default();
        if !is_whole {
            let ring = self.ring(piece.parent);
            let corners = ring.iter().map(|corner| self.in_world(tile.vertices[*corner as usize], export));
            detail.vertices.extend(corners);
        }
        detail.vertices.extend(extras.iter().map(|at| self.in_world(*at, export)));
        // Below the corner count: ours, which go the other way round.
        let index = |corner: u16| {
            let corner = usize::from(corner);
            before + if corner < count { count - 1 - corner } else { corner }
        };
        let known = triangles.iter().any(|triangle| triangle.edge_flags != 0);
        for triangle in triangles {
            let [a, b, c] = triangle.indices;
            let edges = [[a, c], [c, b], [b, a]];
            let outer = |place: usize| {
                // Our edge 0 runs from a to b, 1 from b to c, 2 from c to a.
                let ours = [2, 1, 0][place];
                if known { triangle.edge_flags >> ours & 1 == 1 } else { is_outer(edges[place], triangles) }
            };
            let flags = (0..3).filter(|&place| outer(place)).map(|place| 1 << (2 * place)).sum();
            let [a, c, b] = [a, c, b].map(|corner| index(corner) as u8);
            detail.triangles.push([a, c, b, flags]);
        }
        if detail.triangles.iter().all(|triangle| triangle[3] == 0) {
            // Detour cannot do without an outline.
            detail.triangles.iter_mut().for_each(|triangle| triangle[3] = 0b01_0101);
        }
        detail
    }

    /// The tile's box: the exact square, and as high as what stands on it.
    fn bounds(&self, vertices: &[[f32; 3]], details: &[Detail]) -> [[f32; 3]; 2] {
        let heights =
            vertices.iter().chain(details.iter().flat_map(|detail| &detail.vertices)).map(|at| at[1]);
        let (low, high) =
            heights.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)));
        let [[x0, z0], [x1, z1]] = self.square();
        [[x0, low, z0], [x1, (high + self.params.agent_height).min(f32::MAX), z1]]
    }

    /// Least and greatest x, z of the tile.
    fn square(&self) -> [[f32; 2]; 2] {
        let RawTile { tile_x, tile_z, .. } = *self.tile;
        let params = self.params;
        let (x, z) = (params.tile_origin_x(tile_x), params.tile_origin_z(tile_z));
        // There may be no next column.
        let far_x = tile_x.checked_add(1).map_or(x + params.tile_size, |next| params.tile_origin_x(next));
        let far_z = tile_z.checked_add(1).map_or(z + params.tile_size, |next| params.tile_origin_z(next));
        [[x as f32, z as f32], [far_x as f32, far_z as f32]]
    }

    /// How many links Detour may make of the tile: what its own builder counts, or what we have if that is more.
    fn room_for_links(&self, pieces: &[Piece]) -> usize {
        let neighbours = || pieces.iter().flat_map(|piece| &piece.neighbours).copied();
        let edges = neighbours().count();
        let portals = neighbours().filter(|neighbour| neighbour & PORTAL != 0).count();
        let inside = neighbours().filter(|neighbour| *neighbour != 0 && neighbour & PORTAL == 0).count();
        let polygons = 0..self.tile.polygons.len() as u32;
        let links = polygons.flat_map(|polygon| self.mesh.links(self.reference.polygon(polygon)));
        let across = links.filter(|link| link.kind == LinkKind::Portal).count();
        (edges + 2 * portals).max(inside + across) + 2 * (self.tile.links.len() + self.ends_here)
    }

    fn column_of(&self, local: [f32; 3]) -> Option<(i32, i32)> {
        let [x, _, z] = self.tile.point_in_world(self.params, local);
        self.params.world_to_tile(x, z)
    }

    fn is_far(&self, link: &OffMeshLink) -> bool {
        let RawTile { tile_x, tile_z, .. } = *self.tile;
        let near = |(x, z): (i32, i32)| x.abs_diff(tile_x) <= 1 && z.abs_diff(tile_z) <= 1;
        !self.column_of(link.end).is_some_and(near)
    }
}

/// The edge of our polygon that an edge of its ring turned round is, in the tile's edge arrays.
fn turned(polygon: &Polygon, edge: usize) -> usize {
    let count = usize::from(polygon.vertex_count);
    polygon.first_edge as usize + (2 * count - 2 - edge) % count
}

/// How many pieces a polygon of so many corners is cut into: a fan of polygons of six.
fn piece_count(corners: usize) -> usize {
    (corners - 2).div_ceil(MOST_CORNERS - 2)
}

/// The piece that has an edge of a ring.
fn piece_of(edge: usize, corners: usize) -> usize {
    match edge {
        0 => 0,
        edge if edge + 1 == corners => piece_count(corners) - 1,
        edge => (edge - 1) / (MOST_CORNERS - 2),
    }
}

/// Six numbers, of which the last may be nought.
fn six(out: &mut Bytes, values: impl Iterator<Item = u16>) {
    values.chain(std::iter::repeat(0)).take(MOST_CORNERS).for_each(|value| out.u16(value));
}

/// Triangles from the first corner, with those edges marked that are the polygon's.
fn fan(corners: usize) -> Detail {
    let last = corners - 1;
    let triangle = |corner: usize| {
        let flags = 0b0100 | u8::from(corner == 2) | u8::from(corner == last) << 4;
        [0, corner as u8 - 1, corner as u8, flags]
    };
    Detail { vertices: Vec::new(), triangles: (2..corners).map(triangle).collect() }
}

/// Whether an edge belongs to one triangle alone.
fn is_outer([from, to]: [u16; 2], triangles: &[DetailTriangle]) -> bool {
    let edges = |[a, b, c]: [u16; 3]| [[a, b], [b, c], [c, a]];
    let all = triangles.iter().flat_map(|triangle| edges(triangle.indices));
    all.filter(|edge| *edge == [from, to] || *edge == [to, from]).count() == 1
}

/// Whether a ring has area, and its upper side up.
fn faces_up(ring: &[[f32; 3]]) -> bool {
    let at = |corner: usize| ring[corner % ring.len()].map(f64::from);
    let origin = at(0);
    let cross = |corner: usize| {
        let [a, b] = [at(corner), at(corner + 1)].map(|p| [p[0] - origin[0], p[2] - origin[2]]);
        a[0] * b[1] - b[0] * a[1]
    };
    (1..ring.len() - 1).map(cross).sum::<f64>() < 0.0
}

/// Cells a unit, as Detour keeps them.
pub(super) fn cells_per_unit(params: &NavMeshParams) -> f32 {
    (1.0 / params.cell_size) as f32
}

/// The cells from a tile's least corner that hold all of some points.
fn cells_around(points: impl Iterator<Item = [f32; 3]>, low: [f32; 3], params: &NavMeshParams) -> Cells {
    let scale = f64::from(cells_per_unit(params));
    let mut cells = Cells { low: [u16::MAX; 3], high: [0; 3] };
    for point in points {
        for axis in 0..3 {
            let at = (f64::from(point[axis]) - f64::from(low[axis])) * scale;
            // Casts clamp to the 16 bits that there are.
            cells.low[axis] = cells.low[axis].min(at.floor() as u16);
            cells.high[axis] = cells.high[axis].max(at.ceil() as u16);
        }
    }
    cells
}

/// Over which side of the tile a place lies: eight sides and corners counted from +x, over +x+z.
fn side_of(at: [f32; 3], low: [f32; 3], high: [f32; 3]) -> u8 {
    let beyond = |axis: usize| i32::from(at[axis] >= high[axis]) - i32::from(at[axis] < low[axis]);
    match (beyond(0), beyond(2)) {
        (1, 0) => 0,
        (1, 1) => 1,
        (0, 1) => 2,
        (-1, 1) => 3,
        (-1, 0) => 4,
        (-1, -1) => 5,
        (0, -1) => 6,
        (1, -1) => 7,
        _ => INSIDE,
    }
}
