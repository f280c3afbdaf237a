//! Reading `MSET`.
//!
//! What is read: polygons with neighbours, portals, areas and flags; detail meshes; off-mesh connections. Links
//! are not: ours follow from the tiles. Detour winds polygons the other way round, so they are turned. A polygon
//! that rounding has left with a dent (its corners lay on one line before) is cut into triangles.

use std::collections::HashMap;
use std::fmt;

use robust::{Coord, orient2d};

use super::blob::{Blob, BlobPolygon, Reader};
use super::error::MsetError;
use super::layout::{FILE_HEADER_BYTES, FILE_MAGIC, FILE_VERSION, PORTAL, border_of};
use crate::format::{
    DetailMesh, DetailTriangle, NO_SIDE, NavMeshParams, OffMeshLink, Polygon, RawTile, Slot, TiledNavMesh,
    UnlinkedMesh,
};

/// A mesh, and what of its file could not be carried over.
#[derive(Clone, Debug)]
pub struct MsetImport {
    /// The mesh, linked by our rules.
    pub mesh: TiledNavMesh,
    /// Polygons with a dent, cut into triangles.
    pub dented_polygons: usize,
    /// Edges whose neighbour does not name them back, or that lie off the border that they should lie on: walls here.
    pub lost_edges: usize,
    /// Tiles with a word of the user, for which there is no place.
    pub tile_words: usize,
    /// Tiles behind an empty record, where Detour's own loaders stop.
    pub tiles_behind_end: usize,
}

/// How far from the border a portal's ends may lie: what Detour allows.
const BORDER_SLACK: f64 = 0.01;

/// Whether bytes begin as an `MSET` file does.
#[must_use]
pub fn is_mset(bytes: &[u8]) -> bool {
    bytes.get(..4) == Some(&FILE_MAGIC.to_le_bytes())
}

/// Reads an `MSET` file and links its tiles by our rules.
///
/// Tiles take slots in the file's order. Detour's flags have 16 bits and ours 8 (the others are the level, which
/// is 0 here), so a polygon with flags above 255 is refused rather than changed.
///
/// # Errors
/// [`MsetError`] with the place, the value and the bound.
pub fn import_mset(bytes: &[u8]) -> Result<MsetImport, MsetError> {
    let mut file = Reader { bytes, offset: 0 };
    file.need(FILE_HEADER_BYTES, "the file header")?;
    file.expect("the file's magic", FILE_MAGIC)?;
    file.expect("the file's version", FILE_VERSION)?;
    let tile_count = file.count("the number of tiles")?;
    let origin = file.point()?;
    let (width, depth) = (file.f32()?, file.f32()?);
    file.offset += 8;
    let mut tiles = Vec::new();
    let [mut dented_polygons, mut lost_edges, mut tile_words] = [0; 3];
    let mut params: Option<NavMeshParams> = None;
    for number in 0..tile_count {
        file.need(8, "a tile's record")?;
        let (reference, offset) = (file.u32()?, file.offset);
        let size = file.count("the size of a tile's data")?;
        if reference == 0 || size == 0 {
            break; // The stock loaders take this for the end.
        }
        file.need(size, "a tile's data")?;
        let blob = Blob::read(Reader { bytes: &bytes[..file.offset + size], offset: file.offset })?;
        file.offset += size;
        if params.is_none() && width != depth && tile_count != 1 {
            return Err(file.value(32, "the tile height", depth, format!("{width}, as the width")));
        }
        let own = blob.params(origin, width.max(depth));
        let params = params.get_or_insert(own);
        if *params != own {
            let bound = "those of the first tile".to_owned();
            return Err(file.value(
                offset,
                "a tile's cell size, climb, radius or height",
                "other values",
                bound,
            ));
        }
        let (mut tile, [dented, lost]) = blob.tile(number, params)?;
        dented_polygons += dented;
        lost_edges += lost + mend_one_sided(&mut tile);
        tile_words += usize::from(blob.has_word);
        tiles.push(tile);
    }
    let tiles_behind_end = tile_count - tiles.len();
    let Some(params) = params else {
        return Err(file.value(8, "the number of tiles", 0, "at least 1".to_owned()));
    };
    params.validate()?;
    let mut slots = Vec::new();
    for (tile, raw) in tiles.into_iter().enumerate() {
        let checked = raw.validate(&params).map_err(|source| MsetError::Tile { tile, source })?;
        slots.push(Slot { salt: 1, tile: Some(checked) });
    }
    let mesh = UnlinkedMesh { params, slots }.link()?;
    Ok(MsetImport { mesh, dented_polygons, lost_edges, tile_words, tiles_behind_end })
}

impl fmt::Display for MsetImport {
    /// What was left out or changed, in words; nothing where all was taken as it stands.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            (self.dented_polygons, "polygons with a dent, cut into triangles"),
            (
                self.lost_edges,
                "edges whose neighbour does not name them back or that lie off their border, now walls",
            ),
            (self.tile_words, "tiles with a word of the user, left out"),
            (self.tiles_behind_end, "tiles behind an empty one, where Detour stops reading, left out"),
        ];
        let counted = parts.iter().filter(|(count, _)| *count > 0);
        let words: Vec<String> = counted.map(|(count, what)| format!("{count} {what}")).collect();
        f.write_str(&words.join("; "))
    }
}

impl Blob {
    fn params(&self, origin: [f32; 3], tile_size: f32) -> NavMeshParams {
        NavMeshParams {
            origin: origin.map(f64::from),
            tile_size: tile_size.into(),
            cell_size: 1.0 / f64::from(self.quant_factor),
            max_verts_per_poly: 6,
            walkable_climb: self.climb,
            agent_radius: self.radius,
            agent_height: self.height,
            agent_max_slope: 45.0,
            settings_digest: 0,
        }
    }

    /// The tile as we have it, how many polygons were cut, and how many edges lead nowhere.
    fn tile(&self, number: usize, params: &NavMeshParams) -> Result<(RawTile, [usize; 2]), MsetError> {
        let [tile_x, tile_z, layer] = self.position;
        let corner = [params.tile_origin_x(tile_x), 0.0, params.tile_origin_z(tile_z)];
        let local = |at: [f32; 3]| [0, 1, 2].map(|axis| (f64::from(at[axis]) - corner[axis]) as f32);
        let mut tile = RawTile { tile_x, tile_z, layer, ..RawTile::default() };
        tile.vertices = self.vertices.iter().map(|at| local(*at)).collect();
        let ground = self.polygons.iter().enumerate().filter(|(_, polygon)| !polygon.off_mesh);
        let (mut pieces, mut dented) = (Vec::new(), 0);
        for (index, polygon) in ground.clone() {
            if polygon.flags > 0xFF {
                let what = format!("its flags are {}, but ours have 8 bits, so at most 255", polygon.flags);
                return Err(MsetError::Polygon { tile: number, polygon: index, what });
            }
            self.snap_portals(polygon, &mut tile.vertices, params.tile_size as f32);
        }
        for (index, polygon) in ground {
            let mut ring: Vec<u32> = polygon.corners.iter().map(|corner| u32::from(*corner)).collect();
            ring.reverse();
            let cut = convex_pieces(&tile.vertices, &ring).ok_or_else(|| {
                let what = "it has no area, winds the wrong way, or crosses itself".to_owned();
                MsetError::Polygon { tile: number, polygon: index, what }
            })?;
            dented += usize::from(cut.len() > 1);
            pieces.extend(cut.into_iter().map(|piece| (index, piece)));
        }
        // Vertices that only off-mesh polygons use may lie anywhere.
        let mut used = vec![false; tile.vertices.len()];
        pieces.iter().flat_map(|(_, piece)| piece).for_each(|corner| used[*corner as usize] = true);
        let unused = tile.vertices.iter_mut().zip(used).filter(|(_, used)| !used);
        unused.for_each(|(vertex, _)| *vertex = [0.0; 3]);
        let lost = self.add_polygons(&mut tile, &pieces, params.tile_size as f32);
        if !self.details.is_empty() {
            self.add_details(&mut tile, &pieces, local);
        }
        for connection in &self.connections {
            let Some(polygon) = self.polygons.get(usize::from(connection.polygon)) else {
                let what = "an off-mesh connection names it, but it is not there".to_owned();
                return Err(MsetError::Polygon { tile: number, polygon: connection.polygon.into(), what });
            };
            tile.links.push(OffMeshLink {
                start: local(connection.start),
                end: local(connection.end),
                radius: connection.radius,
                area: polygon.area,
                bidirectional: connection.both_ways,
                flags: polygon.flags & 0xFF,
                user_id: connection.user_id,
            });
        }
        Ok((tile, [dented, lost]))
    }

    /// Puts the ends of portal edges onto the border, exactly.
    fn snap_portals(&self, polygon: &BlobPolygon, vertices: &mut [[f32; 3]], tile_size: f32) {
        for (edge, neighbour) in polygon.neighbours.iter().enumerate() {
            let Some(side) = portal_side(*neighbour) else { continue };
            let (axis, border) = border_of(side, tile_size);
            let count = polygon.corners.len();
            let ends = [polygon.corners[edge], polygon.corners[(edge + 1) % count]].map(usize::from);
            let near = |end: usize| f64::from((vertices[end][axis] - border).abs()) <= BORDER_SLACK;
            if ends.iter().all(|end| near(*end)) {
                ends.iter().for_each(|end| vertices[*end][axis] = border);
            }
        }
    }

    /// Adds the pieces with what lies over their edges; how many edges name something that is not there.
    fn add_polygons(&self, tile: &mut RawTile, pieces: &[(usize, Vec<u32>)], tile_size: f32) -> usize {
        let mut lost = 0;
        let mut owner = HashMap::new();
        for (index, (_, piece)) in (1_u32..).zip(pieces) {
            for (from, to) in edges(piece) {
                owner.insert((from, to), index);
            }
        }
        for (parent, piece) in pieces {
            let polygon = &self.polygons[*parent];
            tile.polygons.push(Polygon {
                first_edge: tile.edge_vertices.len() as u32,
                vertex_count: piece.len() as u8,
                area: polygon.area,
                flags: polygon.flags,
            });
            for (from, to) in edges(piece) {
                // Detour's edge runs the other way; an edge of a cut has none there.
                let count = polygon.corners.len();
                let edge = (0..count).find(|k| {
                    u32::from(polygon.corners[*k]) == to
                        && u32::from(polygon.corners[(k + 1) % count]) == from
                });
                let neighbour = edge.map(|edge| polygon.neighbours[edge]);
                let side = neighbour.and_then(portal_side).filter(|side| {
                    let (axis, border) = border_of(*side, tile_size);
                    [from, to].iter().all(|end| tile.vertices[*end as usize][axis] == border)
                });
                let back = owner.get(&(to, from)).copied().filter(|back| match neighbour {
                    None => true,
                    Some(named) => usize::from(named) == pieces[*back as usize - 1].0 + 1,
                });
                lost += usize::from(
                    neighbour.is_some_and(|named| named != 0) && back.is_none() && side.is_none(),
                );
                tile.edge_vertices.push(from);
                tile.edge_neighbours.push(back.unwrap_or(0));
                tile.edge_sides.push(if back.is_none() { side.unwrap_or(NO_SIDE) } else { NO_SIDE });
            }
        }
        lost
    }

    /// The surface of each polygon: a piece of a cut one gets all of it.
    fn add_details(
        &self,
        tile: &mut RawTile,
        pieces: &[(usize, Vec<u32>)],
        local: impl Fn([f32; 3]) -> [f32; 3],
    ) {
        for (parent, piece) in pieces {
            let polygon = &self.polygons[*parent];
            let [vertex_base, triangle_base, extra, count] = self.details[*parent];
            let corners = polygon.corners.len();
            let is_whole = piece.len() == corners;
            let first = tile.detail_vertices.len();
            if !is_whole {
                // The whole polygon's corners, in front of what is its own.
                let own = polygon.corners.iter().map(|corner| tile.vertices[usize::from(*corner)]);
                tile.detail_vertices.extend(own);
            }
            let extras = &self.detail_vertices[vertex_base..vertex_base + extra];
            tile.detail_vertices.extend(extras.iter().map(|at| local(*at)));
            let index = |corner: u8| match usize::from(corner) {
                corner if !is_whole => piece.len() + corner,
                corner if corner < corners => corners - 1 - corner,
                corner => corner,
            };
            let triangle_first = tile.detail_triangles.len();
            for &[a, b, c, flags] in &self.detail_triangles[triangle_base..triangle_base + count] {
                if [a, b, c].iter().any(|corner| usize::from(*corner) >= corners + extra) {
                    continue; // Names a vertex that is not there.
                }
                // Turned round, as polygons are: the first edge is then the one that was the last.
                let indices = [a, c, b].map(|corner| index(corner) as u16);
                let flag = |pair: u8| (flags >> (2 * pair)) & 1;
                let edge_flags = if is_whole { flag(2) | flag(1) << 1 | flag(0) << 2 } else { 0 };
                tile.detail_triangles.push(DetailTriangle { indices, edge_flags });
            }
            tile.detail_meshes.push(DetailMesh {
                vertex_base: first as u32,
                vertex_count: (tile.detail_vertices.len() - first) as u32,
                triangle_base: triangle_first as u32,
                triangle_count: (tile.detail_triangles.len() - triangle_first) as u32,
            });
        }
    }
}

/// Our side of a portal: 0 +X, 1 +Z, 2 −X, 3 −Z.
fn portal_side(neighbour: u16) -> Option<u8> {
    let side = (neighbour & 0xFF) as u8;
    (neighbour & PORTAL != 0 && side < 8 && side.is_multiple_of(2)).then_some(side / 2)
}

fn edges(ring: &[u32]) -> impl Iterator<Item = (u32, u32)> {
    (0..ring.len()).map(|k| (ring[k], ring[(k + 1) % ring.len()]))
}

/// Two polygons are neighbours only if both say so; how many edges are not.
fn mend_one_sided(tile: &mut RawTile) -> usize {
    let names = |tile: &RawTile, polygon: u32, other: u32| {
        let edges = tile.polygons.get(polygon as usize - 1).map(Polygon::edges);
        edges.is_some_and(|mut edges| edges.any(|edge| tile.edge_neighbours[edge] == other))
    };
    let mut mended = 0;
    for index in 0..tile.polygons.len() {
        for edge in tile.polygons[index].edges() {
            let neighbour = tile.edge_neighbours[edge];
            if neighbour != 0 && !names(tile, neighbour, index as u32 + 1) {
                tile.edge_neighbours[edge] = 0;
                mended += 1;
            }
        }
    }
    mended
}

/// The ring itself if it is convex, else triangles (ears cut off one by one); `None` if there is no way.
fn convex_pieces(vertices: &[[f32; 3]], ring: &[u32]) -> Option<Vec<Vec<u32>>> {
    let turn = |a: u32, b: u32, c: u32| {
        let coord = |corner: u32| {
            let [x, _, z] = vertices[corner as usize].map(f64::from);
            Coord { x, y: z }
        };
        orient2d(coord(a), coord(b), coord(c))
    };
    let count = ring.len();
    let left = |k: usize| (0..count).all(|other| turn(ring[k], ring[(k + 1) % count], ring[other]) >= 0.0);
    let bulges = |k: usize| (0..count).any(|other| turn(ring[k], ring[(k + 1) % count], ring[other]) > 0.0);
    if (0..count).all(|k| left(k) && bulges(k)) {
        return Some(vec![ring.to_vec()]);
    }
    let (mut rest, mut pieces) = (ring.to_vec(), Vec::new());
    while rest.len() > 3 {
        let count = rest.len();
        let ear = (0..count).find(|k| {
            let [a, b, c] = [*k, k + 1, k + 2].map(|at| rest[at % count]);
            let free = |corner: &u32| {
                [a, b, c].contains(corner)
                    || turn(a, b, *corner) < 0.0
                    || turn(b, c, *corner) < 0.0
                    || turn(c, a, *corner) < 0.0
            };
            turn(a, b, c) > 0.0 && rest.iter().all(free)
        })?;
        pieces.push([ear, ear + 1, ear + 2].map(|at| rest[at % count]).to_vec());
        rest.remove((ear + 1) % count);
    }
    (turn(rest[0], rest[1], rest[2]) > 0.0).then(|| {
        pieces.push(rest);
        pieces
    })
}
