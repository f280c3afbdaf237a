//! glTF: transforms, index types, strips, mirrored nodes, and files that lie.

use navwright::interop::gltf::{GltfError, GltfImport, import_gltf};

/// A file with one buffer: four corners of a unit square in x and z, and 16-bit indices of two triangles that face up.
fn square(nodes: &str, mode: u32, extra: &str) -> (String, Vec<u8>) {
    let mut buffer = Vec::new();
    for value in [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0] {
        buffer.extend(value.to_le_bytes());
    }
    for index in [0_u16, 2, 1, 0, 3, 2] {
        buffer.extend(index.to_le_bytes());
    }
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{nodes}],
        "meshes":[{{"name":"square","primitives":[{{"attributes":{{"POSITION":0}},"indices":1,"mode":{mode}}}]}}],
        "buffers":[{{"byteLength":60,"uri":"square.bin"}}],
        "bufferViews":[{{"buffer":0,"byteOffset":0,"byteLength":48}},{{"buffer":0,"byteOffset":48,"byteLength":12}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[0,0,0],"max":[1,0,1]}},
        {{"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"{extra}}}]}}"#
    );
    (text, buffer)
}

fn import(nodes: &str, mode: u32, extra: &str) -> Result<GltfImport, GltfError> {
    let (text, buffer) = square(nodes, mode, extra);
    import_gltf(text.as_bytes(), |uri| (uri == "square.bin").then(|| buffer.clone()))
}

#[test]
fn transforms_of_all_parents_are_applied() {
    let nodes = r#"{"children":[1],"translation":[10,2,0]},{"mesh":0,"name":"floor","scale":[2,1,3]}"#;
    let import = import(nodes, 4, "").unwrap();
    assert_eq!(import.to_string(), "");
    let [mesh] = &import.meshes[..] else { panic!("{import:?}") };
    assert_eq!(mesh.name, "floor");
    assert_eq!(*mesh.vertices, [[10.0, 2.0, 0.0], [12.0, 2.0, 0.0], [12.0, 2.0, 3.0], [10.0, 2.0, 3.0]]);
    assert_eq!(*mesh.triangles, [[0, 2, 1], [0, 3, 2]]);
}

#[test]
fn a_mirrored_node_still_faces_up() {
    let import = import(r#"{"mesh":0,"scale":[-1,1,1]}"#, 4, "").unwrap();
    let mesh = &import.meshes[0];
    for &[a, b, c] in mesh.triangles.iter() {
        let [a, b, c] = [a, b, c].map(|corner| mesh.vertices[corner as usize]);
        let up = (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]);
        assert!(up > 0.0, "{a:?} {b:?} {c:?}");
    }
}

#[test]
fn strips_fans_and_lines() {
    let strip = import(r#"{"mesh":0}"#, 5, "").unwrap();
    // Indices 0 2 1 0 3 2 as a strip: every other triangle turned; those with a corner twice are left to the bake.
    assert_eq!(*strip.meshes[0].triangles, [[0, 2, 1], [2, 0, 1], [1, 0, 3], [0, 2, 3]]);
    let fan = import(r#"{"mesh":0}"#, 6, "").unwrap();
    assert_eq!(fan.meshes[0].triangles[0], [2, 1, 0]);
    let lines = import(r#"{"mesh":0}"#, 1, "").unwrap();
    assert_eq!((lines.meshes.len(), lines.other_primitives), (0, 1));
}

#[test]
fn what_lies_is_refused() {
    let missing = import_gltf(square(r#"{"mesh":0}"#, 4, "").0.as_bytes(), |_| None).unwrap_err();
    assert_eq!(missing.to_string(), "buffer 0 is the file \"square.bin\", which cannot be read");
    let short = import_gltf(square(r#"{"mesh":0}"#, 4, "").0.as_bytes(), |_| Some(vec![0; 50])).unwrap_err();
    assert!(short.to_string().contains("passes the end of its buffer of 50 bytes"), "{short}");
    let beyond = import(r#"{"mesh":0}"#, 4, r#","byteOffset":2"#).unwrap_err();
    assert!(beyond.to_string().contains("passes the end of its buffer view of 12 bytes"), "{beyond}");
    let (text, mut buffer) = square(r#"{"mesh":0}"#, 4, "");
    buffer[48] = 9;
    let index = import_gltf(text.as_bytes(), |_| Some(buffer.clone())).unwrap_err();
    assert_eq!(index.to_string(), "mesh 0, primitive 0: index 0 is 9, but there are 4 positions");
    for bytes in [&b"{}"[..], b"", b"glTF\x02\0\0\0\xff\xff\xff\xff", b"\0\0\0\0", b"v 0 0 0"] {
        assert!(matches!(import_gltf(bytes, |_| None), Err(GltfError::Format(_))));
    }
}

#[test]
fn data_addresses_and_trees_with_loops() {
    let (text, buffer) = square(r#"{"mesh":0,"children":[0]}"#, 4, "");
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut base64 = String::new();
    for bytes in buffer.chunks(3) {
        let bits = bytes.iter().fold(0_u32, |sum, &byte| sum << 8 | u32::from(byte));
        for place in (0..4).rev() {
            base64.push(letters[(bits >> (6 * place) & 63) as usize] as char);
        }
    }
    let inline = text.replace("square.bin", &format!("data:application/octet-stream;base64,{base64}"));
    let import = import_gltf(inline.as_bytes(), |_| None).unwrap();
    assert_eq!((import.meshes[0].triangles.len(), import.repeated_nodes), (2, 1));
}
