//! A tile (`ONPT`).
//!
//! | offset | type | field | rule |
//! |---|---|---|---|
//! | 0 | 4 bytes | magic `ONPT` | |
//! | 4 | u16 | version | 2 |
//! | 6 | u16 | flags | 0 |
//! | 8 | 16 bytes | fingerprint | equals the parameters' |
//! | 24 | i32 | tile_x | origin inside ±2^21 |
//! | 28 | i32 | tile_z | likewise |
//! | 32 | i32 | layer | 0..=1023 |
//! | 36 | u32 | zero | |
//! | 40 | f64 | origin_y | finite, inside ±2^21 |
//! | 48 | u32 | vertex_count | |
//! | 52 | u32 | polygon_count | 1..=2^20 |
//! | 56 | u32 | edge_count | sum of the polygons' vertex counts |
//! | 60 | u32 | detail_mesh_count | 0 or polygon_count |
//! | 64 | u32 | detail_vertex_count | |
//! | 68 | u32 | detail_triangle_count | |
//! | 72 | u32 | link_count | |
//! | 76 | u32 | zero | |
//!
//! | part, in this order | per item | bytes |
//! |---|---|---|
//! | vertices | x, y, z f32 | 12 |
//! | polygons | vertex count u8, area u8, flags u16 | 4 |
//! | edge vertices | u32 | 4 |
//! | edge neighbours | u32: 0 none, else polygon index + 1 | 4 |
//! | edge portal sides | u8: 0 +X, 1 +Z, 2 −X, 3 −Z, 255 none | 1 |
//! | zero | 0 to 3 bytes, up to a multiple of 4 | |
//! | detail meshes | vertex_base, vertex_count, triangle_base, triangle_count u32 | 16 |
//! | detail vertices | x, y, z f32 | 12 |
//! | detail triangles | three u16 indices, u8 edge flags, u8 zero | 8 |
//! | off-mesh links | start x y z f32, end x y z f32, radius f32, area u8, bidirectional u8, flags u16, user_id u32 | 36 |

use super::layout::{body_parts, counts, encoded_len};
use super::{FORMAT_VERSION, Reader, Writer};
use crate::format::tile::MAX_POLYGONS;
use crate::format::validate::{check_detail_mesh_count, check_polygon_count};
use crate::format::{
    DetailMesh, DetailTriangle, Fingerprint, FormatError, NavMeshParams, OffMeshLink, Polygon, RawTile, Tile,
};

const MAGIC: [u8; 4] = *b"ONPT";

/// Reads a tile against the mesh's parameters and checks every rule.
///
/// # Errors
/// [`FormatError`] naming what, where, the value and the bound.
pub fn decode_onpt(bytes: &[u8], params: &NavMeshParams) -> Result<Tile, FormatError> {
    decode_with(bytes, params, params.fingerprint())
}

/// As [`decode_onpt`], for a caller who knows the parameters' fingerprint already.
pub(super) fn decode_with(
    bytes: &[u8],
    params: &NavMeshParams,
    expected: Fingerprint,
) -> Result<Tile, FormatError> {
    decode_raw(bytes, expected).and_then(|raw| raw.validate_as(params, expected)).map_err(|e| e.under("tile"))
}

/// A tile's bytes. The same tile gives the same bytes on every platform.
#[must_use]
pub fn encode_onpt(tile: &Tile) -> Vec<u8> {
    let mut out = Writer::with_capacity(encoded_len(tile).try_into().unwrap_or(0));
    out.head(MAGIC, FORMAT_VERSION);
    out.bytes(&tile.fingerprint().0);
    out.i32(tile.tile_x);
    out.i32(tile.tile_z);
    out.i32(tile.layer);
    out.u32(0);
    out.f64(tile.origin_y);
    for count in counts(tile) {
        out.count(count);
    }
    out.u32(0);

    let point = |out: &mut Writer, point: &[f32; 3]| point.iter().for_each(|&value| out.f32(value));
    tile.vertices.iter().for_each(|vertex| point(&mut out, vertex));
    for polygon in &tile.polygons {
        out.u8(polygon.vertex_count);
        out.u8(polygon.area);
        out.u16(polygon.flags);
    }
    tile.edge_vertices.iter().for_each(|&vertex| out.u32(vertex));
    tile.edge_neighbours.iter().for_each(|&neighbour| out.u32(neighbour));
    out.bytes(&tile.edge_sides);
    let padding = out.len().next_multiple_of(4) - out.len();
    out.bytes(&[0; 3][..padding]);
    for mesh in &tile.detail_meshes {
        for value in [mesh.vertex_base, mesh.vertex_count, mesh.triangle_base, mesh.triangle_count] {
            out.u32(value);
        }
    }
    tile.detail_vertices.iter().for_each(|vertex| point(&mut out, vertex));
    for triangle in &tile.detail_triangles {
        triangle.indices.iter().for_each(|&index| out.u16(index));
        out.u8(triangle.edge_flags);
        out.u8(0);
    }
    for link in &tile.links {
        point(&mut out, &link.start);
        point(&mut out, &link.end);
        out.f32(link.radius);
        out.u8(link.area);
        out.u8(link.bidirectional.into());
        out.u16(link.flags);
        out.u32(link.user_id);
    }
    out.finish()
}

/// Header, counts, exact length and zero bytes; the content's rules follow in `validate`.
fn decode_raw(bytes: &[u8], expected: Fingerprint) -> Result<RawTile, FormatError> {
    let mut reader = Reader::new(bytes);
    reader.head(MAGIC, FORMAT_VERSION)?;
    let found = Fingerprint(reader.array()?);
    if found != expected {
        return Err(FormatError::Fingerprint {
            what: format!("fingerprint {found} found, but the parameters' is {expected}"),
        });
    }
    let mut tile =
        RawTile { tile_x: reader.i32()?, tile_z: reader.i32()?, layer: reader.i32()?, ..RawTile::default() };
    reader.zero_u32()?;
    tile.origin_y = reader.f64()?;
    let mut counts = [0_u32; 7];
    for count in &mut counts {
        *count = reader.u32()?;
    }
    reader.zero_u32()?;
    check_counts(bytes.len(), counts)?;
    decode_body(&mut reader, counts.map(|count| count as usize), &mut tile)?;
    Ok(tile)
}

/// Before anything is allocated: the counts' own bounds, and the length that they imply.
fn check_counts(found: usize, counts: [u32; 7]) -> Result<(), FormatError> {
    let [vertices, polygons, edges, detail_meshes, detail_vertices, detail_triangles, links] = counts;
    check_polygon_count(polygons as usize)?;
    check_detail_mesh_count(detail_meshes as usize, polygons as usize)?;
    let parts = body_parts(counts.map(u64::from));
    let implied = parts[parts.len() - 1].1;
    let found = found as u64;
    if implied == found {
        return Ok(());
    }
    let end = match parts.iter().find(|part| part.1 > found) {
        Some((name, _)) => format!("truncated in the {name}"),
        None => format!("{} trailing bytes", found - implied),
    };
    Err(FormatError::bad(
        "tile.length",
        format!(
            "length is {found} bytes, but vertex_count {vertices}, polygon_count {polygons}, edge_count {edges}, \
             detail_mesh_count {detail_meshes}, detail_vertex_count {detail_vertices}, detail_triangle_count \
             {detail_triangles} and link_count {links} imply {implied} bytes: {end}"
        ),
    ))
}

fn decode_body(reader: &mut Reader<'_>, counts: [usize; 7], tile: &mut RawTile) -> Result<(), FormatError> {
    let [vertices, polygons, edges, detail_meshes, detail_vertices, detail_triangles, links] = counts;
    debug_assert!(polygons <= MAX_POLYGONS);
    tile.vertices = list(vertices, || reader.f32x3())?;
    let mut first_edge = 0;
    tile.polygons = list(polygons, || {
        let (vertex_count, area, flags) = (reader.u8()?, reader.u8()?, reader.u16()?);
        let polygon = Polygon { first_edge, vertex_count, area, flags };
        first_edge += u32::from(vertex_count);
        Ok(polygon)
    })?;
    if first_edge as usize != edges {
        let what =
            format!("edge_count is {edges}, but the polygons' vertex counts sum to {first_edge} edges");
        return Err(FormatError::bad("tile.edge_count", what));
    }
    tile.edge_vertices = list(edges, || reader.u32())?;
    tile.edge_neighbours = list(edges, || reader.u32())?;
    tile.edge_sides = reader.take(edges)?.to_vec();
    while !reader.offset().is_multiple_of(4) {
        reader.zero_u8().map_err(|error| error.under("padding after the edge portal sides"))?;
    }
    tile.detail_meshes = list(detail_meshes, || {
        Ok(DetailMesh {
            vertex_base: reader.u32()?,
            vertex_count: reader.u32()?,
            triangle_base: reader.u32()?,
            triangle_count: reader.u32()?,
        })
    })?;
    tile.detail_vertices = list(detail_vertices, || reader.f32x3())?;
    let mut index = 0;
    tile.detail_triangles = list(detail_triangles, || {
        let indices = [reader.u16()?, reader.u16()?, reader.u16()?];
        let edge_flags = reader.u8()?;
        reader.zero_u8().map_err(|error| error.under(&format!("detail triangle {index}")))?;
        index += 1;
        Ok(DetailTriangle { indices, edge_flags })
    })?;
    let mut index = 0;
    tile.links = list(links, || {
        let link = decode_link(reader).map_err(|error| error.under(&format!("off-mesh link {index}")))?;
        index += 1;
        Ok(link)
    })?;
    Ok(())
}

fn decode_link(reader: &mut Reader<'_>) -> Result<OffMeshLink, FormatError> {
    let (start, end, radius) = (reader.f32x3()?, reader.f32x3()?, reader.f32()?);
    let area = reader.u8()?;
    let bidirectional = decode_bool("bidirectional", reader.u8()?)?;
    let (flags, user_id) = (reader.u16()?, reader.u32()?);
    Ok(OffMeshLink { start, end, radius, area, bidirectional, flags, user_id })
}

/// A byte that is 0 or 1.
pub(super) fn decode_bool(name: &str, value: u8) -> Result<bool, FormatError> {
    match value {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(FormatError::bad("bool", format!("{name} is {value}, but must be 0 or 1"))),
    }
}

/// `count` items; the caller has compared the count with the bytes that there are.
fn list<T>(count: usize, mut item: impl FnMut() -> Result<T, FormatError>) -> Result<Vec<T>, FormatError> {
    let mut out = Vec::with_capacity(count);
    for _ in 0..count {
        out.push(item()?);
    }
    Ok(out)
}

impl Tile {
    /// Reads `ONPT` bytes against the mesh's parameters and checks every rule.
    ///
    /// # Errors
    /// As [`decode_onpt`].
    pub fn from_bytes(bytes: &[u8], params: &NavMeshParams) -> Result<Self, FormatError> {
        decode_onpt(bytes, params)
    }

    /// The tile as `ONPT` bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        encode_onpt(self)
    }
}
