//! Binary glTF 2.0 (`.glb`), written: triangles, a node for each mesh. Reading is in `gltf`.

use std::fmt::Write;

use crate::bake::TriangleMesh;

/// Bytes in front of the two chunks, and of each chunk.
const HEADER_BYTES: usize = 12;
const CHUNK_BYTES: usize = 8;
/// Unsigned 32-bit integers, and 32-bit floats, as glTF counts types.
const TYPE_U32: u32 = 5125;
const TYPE_F32: u32 = 5126;
/// Buffers of vertices, and of indices.
const TARGET_VERTICES: u32 = 34962;
const TARGET_INDICES: u32 = 34963;

/// Triangles that do not fit a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{bytes} bytes of triangles, but a .glb file has at most {}", u32::MAX)]
pub struct GlbError {
    /// What they need.
    pub bytes: usize,
}

/// Writes meshes as a `.glb` file, each as a node of its name, as they stand (y is up in glTF); those without triangles
/// are left out. `meshes`: finite coordinates.
///
/// Coordinates have 32 bits in the file, counted from the middle of the mesh, which is the node's place: so they keep
/// their precision far from the origin.
///
/// # Errors
/// [`GlbError`] for more than 4 GiB.
pub fn export_glb(meshes: &[TriangleMesh]) -> Result<Vec<u8>, GlbError> {
    let meshes: Vec<&TriangleMesh> = meshes.iter().filter(|mesh| !mesh.triangles.is_empty()).collect();
    let mut buffer: Vec<u8> = Vec::new();
    let [mut nodes, mut shapes, mut views, mut accessors] = [const { String::new() }; 4];
    for (number, mesh) in meshes.iter().enumerate() {
        let (vertices, triangles) = (mesh.vertices.len(), mesh.triangles.len());
        let middle = middle_of(&mesh.vertices);
        let begin = buffer.len();
        let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
        for vertex in mesh.vertices.iter() {
            for axis in 0..3 {
                let value = (vertex[axis] - middle[axis]) as f32;
                (low[axis], high[axis]) = (low[axis].min(value), high[axis].max(value));
                buffer.extend_from_slice(&value.to_le_bytes());
            }
        }
        let between = buffer.len();
        let indices = mesh.triangles.iter().flatten();
        indices.for_each(|index| buffer.extend_from_slice(&index.to_le_bytes()));
        let end = buffer.len();
        let comma = if number == 0 { "" } else { "," };
        let name = json_text(&mesh.name);
        let [first, second] = [2 * number, 2 * number + 1];
        let [x, y, z] = middle;
        // Writing to a text cannot fail.
        write!(nodes, "{comma}{{\"name\":{name},\"mesh\":{number},\"translation\":[{x},{y},{z}]}}").ok();
        write!(
            shapes,
            "{comma}{{\"name\":{name},\"primitives\":[{{\"attributes\":{{\"POSITION\":{first}}},\"indices\":{second}}}]}}"
        )
        .ok();
        for (from, to, target) in [(begin, between, TARGET_VERTICES), (between, end, TARGET_INDICES)] {
            let comma = if views.is_empty() { "" } else { "," };
            let length = to - from;
            write!(
                views,
                "{comma}{{\"buffer\":0,\"byteOffset\":{from},\"byteLength\":{length},\"target\":{target}}}"
            )
            .ok();
        }
        let bounds = |[x, y, z]: [f32; 3]| format!("[{x},{y},{z}]");
        let (low, high) = (bounds(low), bounds(high));
        write!(
            accessors,
            "{comma}{{\"bufferView\":{first},\"componentType\":{TYPE_F32},\"count\":{vertices},\"type\":\"VEC3\",\
             \"min\":{low},\"max\":{high}}},\
             {{\"bufferView\":{second},\"componentType\":{TYPE_U32},\"count\":{},\"type\":\"SCALAR\"}}",
            3 * triangles
        )
        .ok();
    }
    let scene = (0..meshes.len()).map(|number| number.to_string()).collect::<Vec<_>>().join(",");
    let mut json = String::from("{\"asset\":{\"version\":\"2.0\",\"generator\":\"navwright\"}");
    // Empty lists are not allowed.
    if !meshes.is_empty() {
        let length = buffer.len();
        write!(
            json,
            ",\"scene\":0,\"scenes\":[{{\"nodes\":[{scene}]}}],\"nodes\":[{nodes}],\"meshes\":[{shapes}],\
             \"buffers\":[{{\"byteLength\":{length}}}],\"bufferViews\":[{views}],\"accessors\":[{accessors}]"
        )
        .ok();
    }
    json.push('}');
    assembled(json.into_bytes(), &buffer)
}

fn assembled(mut json: Vec<u8>, buffer: &[u8]) -> Result<Vec<u8>, GlbError> {
    // Chunks begin at multiples of four; a buffer's data is all 32-bit numbers.
    json.resize(json.len().next_multiple_of(4), b' ');
    let chunks = [(b"JSON", &json[..]), (b"BIN\0", buffer)];
    let chunks = || chunks.iter().filter(|(_, data)| !data.is_empty());
    let bytes = HEADER_BYTES + chunks().map(|(_, data)| CHUNK_BYTES + data.len()).sum::<usize>();
    let number = |bytes: usize| u32::try_from(bytes).map(u32::to_le_bytes);
    let too_large = |_beyond: std::num::TryFromIntError| GlbError { bytes };
    let mut out = Vec::with_capacity(bytes);
    out.extend_from_slice(b"glTF");
    out.extend_from_slice(&2_u32.to_le_bytes());
    out.extend_from_slice(&number(bytes).map_err(too_large)?);
    for (kind, data) in chunks() {
        out.extend_from_slice(&number(data.len()).map_err(too_large)?);
        out.extend_from_slice(*kind);
        out.extend_from_slice(data);
    }
    Ok(out)
}

/// The middle of the box around points, to a whole number, which every reader has exactly.
fn middle_of(points: &[[f64; 3]]) -> [f64; 3] {
    std::array::from_fn(|axis| {
        let values = points.iter().map(|point| point[axis]);
        let (low, high) = values
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        let middle = (0.5 * low + 0.5 * high).round();
        // Never -0.
        if middle.is_finite() { middle + 0.0 } else { 0.0 }
    })
}

/// A text in quotes.
fn json_text(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            letter if u32::from(letter) < 0x20 => quoted += &format!("\\u{:04x}", u32::from(letter)),
            letter => quoted.push(letter),
        }
    }
    quoted + "\""
}
