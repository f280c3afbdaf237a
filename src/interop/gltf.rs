//! glTF 2.0, `.gltf` and `.glb`: the triangles of a scene, node transforms applied; everything else is skipped.

use std::fmt;
use std::sync::Arc;

use gltf::accessor::{DataType, Dimensions};
use gltf::mesh::Mode;

use crate::bake::TriangleMesh;

/// What was read, and what of it was left out.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct GltfImport {
    /// A mesh for each node that has one, in world coordinates; y is up and lengths are metres in glTF.
    pub meshes: Vec<TriangleMesh>,
    /// Primitives that are points or lines: left out.
    pub other_primitives: usize,
    /// Primitives whose data is compressed or sparse, or morphed or skinned into another shape: read as they stand, or
    /// left out where they hold no plain positions.
    pub unread_primitives: usize,
    /// Nodes that stand in several places of the tree, or in themselves: read once.
    pub repeated_nodes: usize,
}

/// Why a file gives no meshes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GltfError {
    /// The bytes are no glTF, or break its rules.
    #[error("{0}")]
    Format(String),
    /// A buffer that the file names and the caller did not give.
    #[error("buffer {index} is the file \"{uri}\", which cannot be read")]
    MissingBuffer {
        /// Which.
        index: usize,
        /// Its relative address.
        uri: String,
    },
    /// Data that does not lie in its buffer, or is of a wrong type.
    #[error("mesh {mesh}, primitive {primitive}: {what}")]
    Data {
        /// Which mesh.
        mesh: usize,
        /// Which of its primitives.
        primitive: usize,
        /// What and where.
        what: String,
    },
}

/// Reads a glTF file. `buffer`: the bytes of an external buffer by its address in the file; the library opens no files.
///
/// The default scene is read, else all of them. Pictures, materials, animations, cameras and lights are skipped.
///
/// # Errors
/// [`GltfError`] for what is no glTF, a buffer that is not there, and indices and accessors beyond their bounds.
pub fn import_gltf(
    bytes: &[u8],
    mut buffer: impl FnMut(&str) -> Option<Vec<u8>>,
) -> Result<GltfImport, GltfError> {
    check_container(bytes)?;
    let file = gltf::Gltf::from_slice(bytes).map_err(|error| GltfError::Format(error.to_string()))?;
    let mut buffers = Vec::new();
    for entry in file.buffers() {
        let data = match entry.source() {
            gltf::buffer::Source::Bin => file.blob.clone(),
            gltf::buffer::Source::Uri(uri) => match uri.strip_prefix("data:") {
                Some(inline) => {
                    inline.split_once(";base64,").and_then(|(_, text)| decode_base64(text.as_bytes()))
                }
                None => buffer(uri),
            },
        };
        let uri = match entry.source() {
            gltf::buffer::Source::Bin => "the file's own binary part".to_owned(),
            gltf::buffer::Source::Uri(uri) => uri.chars().take(80).collect(),
        };
        buffers.push(data.ok_or(GltfError::MissingBuffer { index: entry.index(), uri })?);
    }
    let mut reader = Reader { buffers, import: GltfImport::default(), seen: vec![false; file.nodes().len()] };
    let default = file.default_scene();
    for scene in default.into_iter().chain(file.scenes().filter(|_| file.default_scene().is_none())) {
        for node in scene.nodes() {
            reader.read_tree(node)?;
        }
    }
    Ok(reader.import)
}

/// Whether the parts of a GLB lie in the file: a cut one is found here, with its place.
fn check_container(bytes: &[u8]) -> Result<(), GltfError> {
    const HEADER: usize = 12;
    const CHUNK: usize = 8;
    if !bytes.starts_with(b"glTF") {
        return Ok(());
    }
    let bad = |what: String| Err(GltfError::Format(what));
    let size = bytes.len();
    let number = |at: usize| -> Option<usize> {
        let word = bytes.get(at..at + 4)?;
        usize::try_from(u32::from_le_bytes(word.try_into().ok()?)).ok()
    };
    let (Some(_), Some(length)) = (number(4), number(8)) else {
        return bad(format!("the header of a GLB has {HEADER} bytes, but the file ends after {size}"));
    };
    if length > size {
        return bad(format!("the header says that the file has {length} bytes, but it ends after {size}"));
    }
    let (mut at, mut index) = (HEADER, 0);
    while at < length {
        let Some((chunk, _)) = number(at).zip(number(at + 4)) else {
            return bad(format!(
                "chunk {index} at byte {at} has a header of {CHUNK} bytes, but the file ends after {size}"
            ));
        };
        let left = size - at - CHUNK;
        if chunk > left {
            return bad(format!(
                "chunk {index} at byte {at} has {chunk} bytes, but only {left} are left in the file"
            ));
        }
        at += CHUNK + chunk;
        index += 1;
    }
    if index == 0 {
        return bad(format!("a GLB begins with a chunk of JSON at byte {HEADER}, but the file has none"));
    }
    Ok(())
}

/// A 4 × 4 matrix, columns first.
type Matrix = [[f64; 4]; 4];

const IDENTITY: Matrix =
    [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];

struct Reader {
    buffers: Vec<Vec<u8>>,
    import: GltfImport,
    seen: Vec<bool>,
}

impl Reader {
    /// Reads a node and all below it. The depth of the tree is the file's affair, so there is no recursion.
    fn read_tree(&mut self, root: gltf::Node<'_>) -> Result<(), GltfError> {
        let mut waiting = vec![(root, IDENTITY)];
        while let Some((node, parent)) = waiting.pop() {
            if std::mem::replace(&mut self.seen[node.index()], true) {
                self.import.repeated_nodes += 1;
                continue;
            }
            let local = node.transform().matrix().map(|column| column.map(f64::from));
            let world = product(&parent, &local);
            if let Some(mesh) = node.mesh() {
                self.read_mesh(&node, &mesh, &world)?;
            }
            waiting.extend(node.children().map(|child| (child, world)));
        }
        Ok(())
    }

    fn read_mesh(
        &mut self,
        node: &gltf::Node<'_>,
        mesh: &gltf::Mesh<'_>,
        world: &Matrix,
    ) -> Result<(), GltfError> {
        let name =
            node.name().or(mesh.name()).map_or_else(|| format!("node {}", node.index()), str::to_owned);
        let (mut vertices, mut all_triangles) = (Vec::new(), Vec::new());
        // A mirrored node turns its triangles inside out.
        let mirrored = determinant(world) < 0.0;
        for primitive in mesh.primitives() {
            let mode = primitive.mode();
            if !matches!(mode, Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan) {
                self.import.other_primitives += 1;
                continue;
            }
            let shaped = node.skin().is_some() || primitive.morph_targets().len() > 0;
            let positions = primitive.get(&gltf::Semantic::Positions);
            let plain =
                |accessor: &gltf::Accessor<'_>| accessor.sparse().is_none() && accessor.view().is_some();
            let Some(positions) = positions.filter(plain) else {
                self.import.unread_primitives += 1;
                continue;
            };
            self.import.unread_primitives += usize::from(shaped);
            let fail =
                |what: String| GltfError::Data { mesh: mesh.index(), primitive: primitive.index(), what };
            let base = vertices.len();
            let points = self.read_positions(&positions).map_err(fail)?;
            let count = points.len();
            if base + count > u32::MAX as usize {
                return Err(fail(format!("more than {} vertices in one node", u32::MAX)));
            }
            vertices.extend(points.iter().map(|point| moved(world, *point)));
            let indices = match primitive.indices() {
                None => (0..count as u32).collect(),
                Some(accessor) => self.read_indices(&accessor, count).map_err(fail)?,
            };
            let base = base as u32;
            all_triangles.extend(triangles(mode, &indices).map(|[a, b, c]| {
                let [b, c] = if mirrored { [c, b] } else { [b, c] };
                [base + a, base + b, base + c]
            }));
        }
        if !all_triangles.is_empty() {
            let (vertices, triangles) = (Arc::new(vertices), Arc::new(all_triangles));
            self.import.meshes.push(TriangleMesh { name, vertices, triangles, ..TriangleMesh::default() });
        }
        Ok(())
    }

    fn read_positions(&self, accessor: &gltf::Accessor<'_>) -> Result<Vec<[f64; 3]>, String> {
        if (accessor.data_type(), accessor.dimensions()) != (DataType::F32, Dimensions::Vec3) {
            return Err(format!(
                "positions are {:?} of {:?}, but must be three 32-bit floats",
                accessor.dimensions(),
                accessor.data_type()
            ));
        }
        let read = |item: &[u8]| {
            let value = |axis: usize| {
                let bytes = item[4 * axis..].first_chunk().copied().unwrap_or_default();
                f64::from(f32::from_le_bytes(bytes))
            };
            [value(0), value(1), value(2)]
        };
        Ok(self.items(accessor, 12)?.map(read).collect())
    }

    fn read_indices(&self, accessor: &gltf::Accessor<'_>, count: usize) -> Result<Vec<u32>, String> {
        let size = match (accessor.data_type(), accessor.dimensions()) {
            (DataType::U8, Dimensions::Scalar) => 1,
            (DataType::U16, Dimensions::Scalar) => 2,
            (DataType::U32, Dimensions::Scalar) => 4,
            (data, dimensions) => {
                return Err(format!("indices are {dimensions:?} of {data:?}, but must be unsigned"));
            }
        };
        let read = |item: &[u8]| item.iter().rev().fold(0, |sum, &byte| sum << 8 | u32::from(byte));
        let indices: Vec<u32> = self.items(accessor, size)?.map(read).collect();
        match indices.iter().position(|&index| index as usize >= count) {
            Some(at) => Err(format!("index {at} is {}, but there are {count} positions", indices[at])),
            None => Ok(indices),
        }
    }

    /// The bytes of each item of an accessor, bounds checked before anything is read.
    fn items(
        &self,
        accessor: &gltf::Accessor<'_>,
        size: usize,
    ) -> Result<impl Iterator<Item = &[u8]>, String> {
        let what = accessor.index();
        let view = accessor.view().ok_or_else(|| format!("accessor {what} has no buffer view"))?;
        let buffer = self.buffers.get(view.buffer().index()).map_or(&[][..], Vec::as_slice);
        let data = view.offset().checked_add(view.length()).and_then(|end| buffer.get(view.offset()..end));
        let data = data.ok_or_else(|| {
            format!("buffer view {} passes the end of its buffer of {} bytes", view.index(), buffer.len())
        })?;
        let (stride, count, first) =
            (view.stride().unwrap_or(size).max(1), accessor.count(), accessor.offset());
        let last = count.checked_sub(1).and_then(|last| last.checked_mul(stride)?.checked_add(first));
        let end = last.and_then(|last| last.checked_add(size));
        if count > 0 && end.is_none_or(|end| end > data.len()) {
            return Err(format!("accessor {what} passes the end of its buffer view of {} bytes", data.len()));
        }
        Ok((0..count).map(move |item| &data[first + item * stride..][..size]))
    }
}

/// The triangles of a primitive, in the winding of a list.
fn triangles(mode: Mode, indices: &[u32]) -> impl Iterator<Item = [u32; 3]> {
    let count = match mode {
        Mode::Triangles => indices.len() / 3,
        _ => indices.len().saturating_sub(2),
    };
    (0..count).map(move |index| match mode {
        Mode::Triangles => [indices[3 * index], indices[3 * index + 1], indices[3 * index + 2]],
        Mode::TriangleFan => [indices[index + 1], indices[index + 2], indices[0]],
        // Every other triangle of a strip is turned.
        _ => {
            let turn = index % 2;
            [indices[index], indices[index + 1 + turn], indices[index + 2 - turn]]
        }
    })
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let cell = |column: usize, row: usize| (0..4).map(|k| a[k][row] * b[column][k]).sum();
    std::array::from_fn(|column| std::array::from_fn(|row| cell(column, row)))
}

fn determinant(m: &Matrix) -> f64 {
    m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[1][0] * (m[0][1] * m[2][2] - m[0][2] * m[2][1])
        + m[2][0] * (m[0][1] * m[1][2] - m[0][2] * m[1][1])
}

fn moved(m: &Matrix, point: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|row| m[0][row] * point[0] + m[1][row] * point[1] + m[2][row] * point[2] + m[3][row])
}

/// The bytes of base64 text; `None` for other text.
fn decode_base64(text: &[u8]) -> Option<Vec<u8>> {
    let text = text.strip_suffix(b"==").or(text.strip_suffix(b"=")).unwrap_or(text);
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    let (mut bits, mut count) = (0_u32, 0);
    for &letter in text {
        let six = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(six);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    Some(bytes)
}

impl fmt::Display for GltfImport {
    /// What was left out or changed, in words; nothing where all was taken as it stands.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            (self.other_primitives, "primitives of points or lines, left out"),
            (self.unread_primitives, "primitives that are sparse, compressed, morphed or skinned"),
            (self.repeated_nodes, "nodes that stand in the tree more than once, read once"),
        ];
        let parts: Vec<String> = parts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
        f.write_str(&parts.join("; "))
    }
}
