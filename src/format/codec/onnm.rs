//! One mesh with its settings (`ONNM`, file `.onnm`).
//!
//! | offset | type | field |
//! |---|---|---|
//! | 0 | 4 bytes | magic `ONNM` |
//! | 4 | u16 | version 1 |
//! | 6 | u16 | flags 0 |
//! | 8 | f64 ×3 | origin x, y, z |
//! | 32 | f64 | tile_size |
//! | 40 | f64 | cell_size |
//! | 48 | f64 | cell_height |
//! | 56 | i32 | snap_bits |
//! | 60 | i32 | partition |
//! | 64 | i32 | min_region_area |
//! | 68 | i32 | merge_region_area |
//! | 72 | f32 | contour_max_error |
//! | 76 | u16 | max_verts_per_poly |
//! | 78 | u8 | area |
//! | 79 | u8 | zero |
//! | 80 | f64 | max_edge_length |
//! | 88 | f64 | detail_sample_distance |
//! | 96 | f64 | detail_max_error |
//! | 104 | f64 | height |
//! | 112 | f32 | walkable_climb |
//! | 116 | f32 | agent_radius |
//! | 120 | f32 | agent_height |
//! | 124 | f32 | agent_max_slope |
//! | 128 | u16 | flags |
//! | 130 | u16 | zero |
//! | 132 | u32 | link_count |
//! | 136 | | per authored link, 64 bytes: start x y z f64, end x y z f64, radius f64, bidirectional u8, area u8, flags u16, user_id u32 |
//! | | u32 | mesh byte length |
//! | | | the `ONPM` bytes; nothing follows |

use super::onpt::decode_bool;
use super::{ENVELOPE_VERSION, Reader, Writer, decode_onpm, encode_onpm};
use crate::format::{AuthoredLink, FormatError, NavMesh, NavSettings, Partition, TiledNavMesh, UnlinkedMesh};

const MAGIC: [u8; 4] = *b"ONNM";

/// Reads settings and mesh, and requires the parameters that the settings produce to be the mesh's.
///
/// # Errors
/// [`FormatError`] naming what, where, the value and the bound.
pub fn decode_onnm(bytes: &[u8]) -> Result<(NavSettings, UnlinkedMesh), FormatError> {
    decode(bytes).map_err(|error| error.under("envelope"))
}

/// An envelope's bytes. Settings that hold a −0.0 are written as the mesh's parameters have it.
///
/// # Errors
/// [`FormatError::Fingerprint`] if the mesh was built with other settings, [`FormatError::OutOfRange`] for
/// settings outside their bounds and for a mesh of 4 GiB or more.
pub fn encode_onnm(settings: &NavSettings, mesh: &TiledNavMesh) -> Result<Vec<u8>, FormatError> {
    settings.check_matches(mesh.params())?;
    let normalized;
    let settings = if settings.check_matches_bits(mesh.params()).is_ok() {
        settings
    } else {
        normalized = settings.clone().normalized();
        &normalized
    };
    let mesh = encode_onpm(mesh);
    if u32::try_from(mesh.len()).is_err() {
        let bound = "an envelope holds less than 4 GiB";
        return Err(FormatError::out_of_range("mesh byte length", mesh.len().to_string(), bound));
    }
    let mut out = Writer::new();
    out.head(MAGIC, ENVELOPE_VERSION);
    encode_settings(settings, &mut out);
    out.count(mesh.len());
    out.bytes(&mesh);
    Ok(out.finish())
}

fn encode_settings(settings: &NavSettings, out: &mut Writer) {
    settings.origin.iter().for_each(|&value| out.f64(value));
    out.f64(settings.tile_size);
    out.f64(settings.cell_size);
    out.f64(settings.cell_height);
    out.i32(settings.snap_bits);
    out.i32(settings.partition.index());
    out.i32(settings.min_region_area);
    out.i32(settings.merge_region_area);
    out.f32(settings.contour_max_error);
    out.u16(settings.max_verts_per_poly);
    out.u8(settings.area);
    out.u8(0);
    out.f64(settings.max_edge_length);
    out.f64(settings.detail_sample_distance);
    out.f64(settings.detail_max_error);
    out.f64(settings.height);
    out.f32(settings.walkable_climb);
    out.f32(settings.agent_radius);
    out.f32(settings.agent_height);
    out.f32(settings.agent_max_slope);
    out.u16(settings.flags);
    out.u16(0);
    out.count(settings.links.len());
    settings.links.iter().for_each(|link| link.encode(out));
}

fn decode(bytes: &[u8]) -> Result<(NavSettings, UnlinkedMesh), FormatError> {
    let mut reader = Reader::new(bytes);
    reader.head(MAGIC, ENVELOPE_VERSION)?;
    let settings = decode_settings(&mut reader)?;
    let length = reader.u32().map_err(|error| error.under("mesh byte length"))? as usize;
    let remaining = reader.remaining();
    if length < remaining {
        let what = format!("mesh byte length is {length}, but {remaining} bytes remain: trailing bytes");
        return Err(FormatError::bad("envelope.trailing", what));
    }
    let mesh = decode_onpm(reader.take(length).map_err(|error| error.under("mesh byte length"))?)?;
    settings.check_matches_bits(&mesh.params)?;
    Ok((settings, mesh))
}

fn decode_settings(reader: &mut Reader<'_>) -> Result<NavSettings, FormatError> {
    let origin = reader.f64x3()?;
    let (tile_size, cell_size, cell_height) = (reader.f64()?, reader.f64()?, reader.f64()?);
    let snap_bits = reader.i32()?;
    let partition = decode_partition(reader.i32()?)?;
    let (min_region_area, merge_region_area) = (reader.i32()?, reader.i32()?);
    let contour_max_error = reader.f32()?;
    let (max_verts_per_poly, area) = (reader.u16()?, reader.u8()?);
    reader.zero_u8()?;
    let mut settings = NavSettings {
        origin,
        tile_size,
        cell_size,
        cell_height,
        snap_bits,
        partition,
        min_region_area,
        merge_region_area,
        contour_max_error,
        max_verts_per_poly,
        area,
        max_edge_length: reader.f64()?,
        detail_sample_distance: reader.f64()?,
        detail_max_error: reader.f64()?,
        height: reader.f64()?,
        walkable_climb: reader.f32()?,
        agent_radius: reader.f32()?,
        agent_height: reader.f32()?,
        agent_max_slope: reader.f32()?,
        flags: reader.u16()?,
        links: Vec::new(),
    };
    reader.zero_u16()?;
    let count = reader.u32().map_err(|error| error.under("link_count"))? as usize;
    let room = reader.remaining() / AuthoredLink::BYTES;
    if count > room {
        let remaining = reader.remaining();
        let what =
            format!("link_count is {count}, but the {remaining} bytes that remain hold at most {room}");
        return Err(FormatError::bad("envelope.link_count", what));
    }
    settings.links.reserve_exact(count);
    for index in 0..count {
        let link = decode_link(reader).map_err(|error| error.under(&format!("authored link {index}")))?;
        settings.links.push(link);
    }
    settings.validate().map_err(|error| error.in_file("settings.bounds").under("settings"))?;
    Ok(settings)
}

fn decode_partition(index: i32) -> Result<Partition, FormatError> {
    let unknown =
        || FormatError::bad("settings.partition", format!("partition is {index}, but must be 0 to 2"));
    Partition::from_index(index).ok_or_else(unknown)
}

fn decode_link(reader: &mut Reader<'_>) -> Result<AuthoredLink, FormatError> {
    let (start, end, radius) = (reader.f64x3()?, reader.f64x3()?, reader.f64()?);
    let bidirectional = decode_bool("bidirectional", reader.u8()?)?;
    let (area, flags, user_id) = (reader.u8()?, reader.u16()?, reader.u32()?);
    Ok(AuthoredLink { start, end, radius, bidirectional, area, flags, user_id })
}

impl NavMesh {
    /// The mesh with its settings as `ONNM` bytes.
    ///
    /// # Errors
    /// As [`encode_onnm`].
    pub fn to_bytes(&self) -> Result<Vec<u8>, FormatError> {
        encode_onnm(&self.settings, &self.mesh)
    }
}
