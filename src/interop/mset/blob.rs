//! The bytes of an `MSET` file: values with their places, and a tile's sections.

use super::error::MsetError;
use super::layout::{
    CONNECTION_BYTES, DETAIL_BYTES, LINK_BYTES, MOST_CORNERS, NODE_BYTES, POLYGON_BYTES, TILE_HEADER_BYTES,
    TILE_MAGIC, TILE_VERSION, TRIANGLE_BYTES, VERTEX_BYTES,
};

/// Where reading is.
pub(super) struct Reader<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) offset: usize,
}

impl Reader<'_> {
    pub(super) fn need(&self, needed: usize, what: &'static str) -> Result<(), MsetError> {
        let left = self.bytes.len().saturating_sub(self.offset);
        if needed > left {
            return Err(MsetError::Truncated { offset: self.offset, what, needed, left });
        }
        Ok(())
    }

    pub(super) fn value(
        &self,
        offset: usize,
        what: &'static str,
        value: impl ToString,
        bound: String,
    ) -> MsetError {
        MsetError::Value { offset, what, value: value.to_string(), bound }
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], MsetError> {
        self.need(N, "a value")?;
        let mut array = [0; N];
        array.copy_from_slice(&self.bytes[self.offset..self.offset + N]);
        self.offset += N;
        Ok(array)
    }

    fn u8(&mut self) -> Result<u8, MsetError> {
        Ok(u8::from_le_bytes(self.array()?))
    }

    fn u16(&mut self) -> Result<u16, MsetError> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    pub(super) fn u32(&mut self) -> Result<u32, MsetError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn i32(&mut self) -> Result<i32, MsetError> {
        Ok(i32::from_le_bytes(self.array()?))
    }

    pub(super) fn f32(&mut self) -> Result<f32, MsetError> {
        let offset = self.offset;
        let value = f32::from_le_bytes(self.array()?);
        if value.is_finite() {
            Ok(value)
        } else {
            Err(self.value(offset, "a number", value, "finite".into()))
        }
    }

    pub(super) fn point(&mut self) -> Result<[f32; 3], MsetError> {
        Ok([self.f32()?, self.f32()?, self.f32()?])
    }

    pub(super) fn expect(&mut self, what: &'static str, wanted: u32) -> Result<(), MsetError> {
        let offset = self.offset;
        let found = self.u32()?;
        if found == wanted { Ok(()) } else { Err(self.value(offset, what, found, wanted.to_string())) }
    }

    pub(super) fn count(&mut self, what: &'static str) -> Result<usize, MsetError> {
        let offset = self.offset;
        let found = self.i32()?;
        usize::try_from(found).map_err(|_negative| self.value(offset, what, found, "0 or more".into()))
    }
}

/// A polygon as Detour has it.
pub(super) struct BlobPolygon {
    pub(super) corners: Vec<u16>,
    pub(super) neighbours: Vec<u16>,
    pub(super) flags: u16,
    pub(super) area: u8,
    pub(super) off_mesh: bool,
}

pub(super) struct Connection {
    pub(super) start: [f32; 3],
    pub(super) end: [f32; 3],
    pub(super) radius: f32,
    pub(super) polygon: u16,
    pub(super) both_ways: bool,
    pub(super) user_id: u32,
}

/// A `DNAV` tile, its sections read.
pub(super) struct Blob {
    pub(super) position: [i32; 3],
    /// Whether the user's word is not 0.
    pub(super) has_word: bool,
    pub(super) height: f32,
    pub(super) radius: f32,
    pub(super) climb: f32,
    pub(super) quant_factor: f32,
    pub(super) vertices: Vec<[f32; 3]>,
    pub(super) polygons: Vec<BlobPolygon>,
    /// Vertex base, triangle base, extra vertices, triangles.
    pub(super) details: Vec<[usize; 4]>,
    pub(super) detail_vertices: Vec<[f32; 3]>,
    pub(super) detail_triangles: Vec<[u8; 4]>,
    pub(super) connections: Vec<Connection>,
}

impl Blob {
    pub(super) fn read(mut reader: Reader<'_>) -> Result<Self, MsetError> {
        let begin = reader.offset;
        reader.need(TILE_HEADER_BYTES, "a tile's header")?;
        reader.expect("the tile's magic", TILE_MAGIC)?;
        reader.expect("the tile's version", TILE_VERSION)?;
        let position = [reader.i32()?, reader.i32()?, reader.i32()?];
        let has_word = reader.u32()? != 0;
        let polygon_count = reader.count("the number of polygons")?;
        let vertex_count = reader.count("the number of vertices")?;
        let link_count = reader.count("the number of links")?;
        let detail_count = reader.count("the number of detail meshes")?;
        let detail_vertex_count = reader.count("the number of detail vertices")?;
        let detail_triangle_count = reader.count("the number of detail triangles")?;
        let node_count = reader.count("the number of tree nodes")?;
        let connection_count = reader.count("the number of off-mesh connections")?;
        let ground_count = reader.count("the first off-mesh polygon")?;
        let (height, radius, climb) = (reader.f32()?, reader.f32()?, reader.f32()?);
        reader.offset += 24;
        let quant_factor = reader.f32()?;
        let sizes = [
            (vertex_count, VERTEX_BYTES),
            (polygon_count, POLYGON_BYTES),
            (link_count, LINK_BYTES),
            (detail_count, DETAIL_BYTES),
            (detail_vertex_count, VERTEX_BYTES),
            (detail_triangle_count, TRIANGLE_BYTES),
            (node_count, NODE_BYTES),
            (connection_count, CONNECTION_BYTES),
        ];
        // Counts are below 2^31 and there are 8, so this does not overflow 64 bits.
        let needed = sizes.iter().map(|(count, size)| *count as u64 * *size as u64).sum::<u64>();
        let left = (reader.bytes.len() - reader.offset) as u64;
        if needed != left {
            let bound = format!("the {needed} that its counts need");
            return Err(reader.value(begin, "the size of the tile's sections", left, bound));
        }
        if ground_count > polygon_count {
            let bound = format!("at most {polygon_count}, the number of polygons");
            return Err(reader.value(begin + 56, "the first off-mesh polygon", ground_count, bound));
        }
        if detail_count != 0 && detail_count != ground_count {
            let bound = format!("{ground_count}, the number of ground polygons");
            return Err(reader.value(begin + 36, "the number of detail meshes", detail_count, bound));
        }
        let vertices = (0..vertex_count).map(|_| reader.point()).collect::<Result<_, _>>()?;
        let polygons =
            (0..polygon_count).map(|_| read_polygon(&mut reader, vertex_count)).collect::<Result<_, _>>()?;
        reader.offset += LINK_BYTES * link_count;
        let mut details = Vec::with_capacity(detail_count);
        for _ in 0..detail_count {
            let offset = reader.offset;
            let detail =
                [reader.u32()? as usize, reader.u32()? as usize, reader.u8()?.into(), reader.u8()?.into()];
            reader.offset += 2;
            if detail[0] + detail[2] > detail_vertex_count || detail[1] + detail[3] > detail_triangle_count {
                let bound =
                    format!("within {detail_vertex_count} vertices and {detail_triangle_count} triangles");
                return Err(reader.value(offset, "a detail mesh's range", format!("{detail:?}"), bound));
            }
            details.push(detail);
        }
        let detail_vertices = (0..detail_vertex_count).map(|_| reader.point()).collect::<Result<_, _>>()?;
        let detail_triangles =
            (0..detail_triangle_count).map(|_| reader.array()).collect::<Result<_, _>>()?;
        reader.offset += NODE_BYTES * node_count;
        let connections = (0..connection_count)
            .map(|_| {
                Ok(Connection {
                    start: reader.point()?,
                    end: reader.point()?,
                    radius: reader.f32()?,
                    polygon: reader.u16()?,
                    both_ways: reader.u8()? & 1 != 0,
                    user_id: {
                        reader.offset += 1;
                        reader.u32()?
                    },
                })
            })
            .collect::<Result<_, MsetError>>()?;
        Ok(Self {
            position,
            has_word,
            height,
            radius,
            climb,
            quant_factor,
            vertices,
            polygons,
            details,
            detail_vertices,
            detail_triangles,
            connections,
        })
    }
}

fn read_polygon(reader: &mut Reader<'_>, vertex_count: usize) -> Result<BlobPolygon, MsetError> {
    let begin = reader.offset;
    reader.offset += 4;
    let mut six = || -> Result<Vec<u16>, MsetError> { (0..6).map(|_| reader.u16()).collect() };
    let (mut corners, mut neighbours) = (six()?, six()?);
    let (flags, count, area) = (reader.u16()?, usize::from(reader.u8()?), reader.u8()?);
    let off_mesh = area >> 6 == 1;
    let least = if off_mesh { 2 } else { 3 };
    if count < least || count > MOST_CORNERS {
        let bound = format!("{least} to {MOST_CORNERS}");
        return Err(reader.value(begin + 30, "a polygon's corner count", count, bound));
    }
    corners.truncate(count);
    neighbours.truncate(count);
    if let Some(corner) = corners.iter().find(|corner| usize::from(**corner) >= vertex_count) {
        return Err(reader.value(begin + 4, "a polygon's corner", corner, format!("below {vertex_count}")));
    }
    Ok(BlobPolygon { corners, neighbours, flags, area: area & 63, off_mesh })
}
