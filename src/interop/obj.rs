//! Wavefront OBJ: vertices and faces; everything else is skipped, and not written.

use std::fmt::{self, Write};
use std::sync::Arc;

use crate::bake::TriangleMesh;

/// What was read, and what of it was left out.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ObjImport {
    /// All faces of the file, cut into triangles. World coordinates as they stand in the file.
    pub mesh: TriangleMesh,
    /// Faces of more than three corners; each was cut into a fan.
    pub polygon_faces: usize,
    /// Faces with fewer than three corners, or the same corner twice: left out.
    pub degenerate_faces: usize,
    /// Coordinates that are no finite number; a bake leaves out the triangles that use them.
    pub bad_coordinates: usize,
    /// Lines and points, which are no surface: left out.
    pub other_elements: usize,
    /// Free-form curves and surfaces, which are not read.
    pub free_forms: usize,
}

/// Bytes that are no OBJ file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct ObjError {
    /// Counted from 1.
    pub line: usize,
    /// What stands there and what should.
    pub what: String,
}

/// Most vertices and most triangles: indices are 32 bits.
const MOST: usize = u32::MAX as usize;

/// Reads an OBJ file. `name` becomes the mesh's name.
///
/// Only `v` and `f` (and `fo`) count. Material files are not opened, so a missing one is no fault; groups, objects,
/// normals, texture places and smoothing are skipped. Negative indices count back from the last vertex.
///
/// # Errors
/// [`ObjError`] with the line: a vertex of fewer than three numbers, an index that is no number, 0, or beyond the
/// vertices read so far, a NUL byte.
pub fn import_obj(bytes: &[u8], name: &str) -> Result<ObjImport, ObjError> {
    let mut reading = Reading::default();
    let mut corners: Vec<u32> = Vec::new();
    let mut joined: Vec<u8> = Vec::new();
    for (index, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        let number = index + 1;
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if let Some(part) = line.strip_suffix(b"\\") {
            joined.extend_from_slice(part);
            joined.push(b' ');
            continue;
        }
        if joined.is_empty() {
            reading.line(line, &mut corners)
        } else {
            joined.extend_from_slice(line);
            let result = reading.line(&joined, &mut corners);
            joined.clear();
            result
        }
        .map_err(|what| ObjError { line: number, what })?;
    }
    let Reading { mut import, vertices, triangles } = reading;
    let (name, vertices, triangles) = (name.to_owned(), Arc::new(vertices), Arc::new(triangles));
    import.mesh = TriangleMesh { name, vertices, triangles, ..TriangleMesh::default() };
    Ok(import)
}

/// What was read so far.
#[derive(Debug, Default)]
struct Reading {
    /// Its mesh is made at the end.
    import: ObjImport,
    vertices: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
}

impl Reading {
    fn line(&mut self, line: &[u8], corners: &mut Vec<u32>) -> Result<(), String> {
        let line = line.split(|&byte| byte == b'#').next().unwrap_or(line);
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        match words.next() {
            Some(b"v") => self.vertex(&mut words),
            Some(b"f" | b"fo") => self.face(&mut words, corners),
            Some(b"l" | b"p") => {
                self.import.other_elements += 1;
                Ok(())
            }
            Some(b"curv" | b"curv2" | b"surf") => {
                self.import.free_forms += 1;
                Ok(())
            }
            Some(keyword) if keyword.contains(&0) => {
                Err("begins with a NUL byte, so this is no text file; OBJ is text".to_owned())
            }
            _ => Ok(()),
        }
    }

    fn vertex<'a>(&mut self, words: &mut impl Iterator<Item = &'a [u8]>) -> Result<(), String> {
        let mut vertex = [0.0; 3];
        for (axis, value) in ["x", "y", "z"].iter().zip(&mut vertex) {
            let word =
                words.next().ok_or_else(|| format!("a vertex without {axis}, but it needs x, y and z"))?;
            let number = std::str::from_utf8(word).ok().and_then(|word| word.parse::<f64>().ok());
            *value = number.unwrap_or(f64::NAN);
        }
        if vertex.iter().any(|value| !value.is_finite()) {
            self.import.bad_coordinates += 1;
        }
        if self.vertices.len() >= MOST {
            return Err(format!("more than {MOST} vertices"));
        }
        self.vertices.push(vertex);
        Ok(())
    }

    fn face<'a>(
        &mut self,
        words: &mut impl Iterator<Item = &'a [u8]>,
        corners: &mut Vec<u32>,
    ) -> Result<(), String> {
        let count = self.vertices.len();
        corners.clear();
        for word in words {
            corners.push(read_index(word, count)?);
        }
        if corners.len() < 3 {
            self.import.degenerate_faces += 1;
            return Ok(());
        }
        if corners.len() > 3 {
            self.import.polygon_faces += 1;
        }
        let mut whole = true;
        for pair in corners[1..].windows(2) {
            let triangle = [corners[0], pair[0], pair[1]];
            if triangle[0] == triangle[1] || triangle[1] == triangle[2] || triangle[2] == triangle[0] {
                whole = false;
                continue;
            }
            if self.triangles.len() >= MOST {
                return Err(format!("more than {MOST} triangles"));
            }
            self.triangles.push(triangle);
        }
        self.import.degenerate_faces += usize::from(!whole);
        Ok(())
    }
}

/// The vertex of a face's corner: what stands before the first slash.
fn read_index(word: &[u8], count: usize) -> Result<u32, String> {
    let number = word.split(|&byte| byte == b'/').next().unwrap_or(word);
    let shown = || String::from_utf8_lossy(&word[..word.len().min(40)]).into_owned();
    let number = std::str::from_utf8(number).ok().and_then(|number| number.parse::<i64>().ok());
    let number =
        number.ok_or_else(|| format!("a face's corner is \"{}\", but must be a vertex number", shown()))?;
    let index = if number < 0 { count as i64 + number } else { number - 1 };
    let inside = number != 0 && 0 <= index && index < count as i64;
    match u32::try_from(index) {
        Ok(index) if inside => Ok(index),
        _ => Err(format!(
            "a face's corner is vertex {number}, but must be 1 to {count} or -1 to -{count}, the vertices so far"
        )),
    }
}

/// Writes meshes as an OBJ file, each as an object of its name. Numbers are the shortest that read back to the same
/// value. `meshes`: finite coordinates.
#[must_use]
pub fn export_obj(meshes: &[TriangleMesh]) -> String {
    let mut text = String::from("# Triangles, y is up.\n");
    let mut first = 1;
    for mesh in meshes {
        let name: String =
            mesh.name.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
        // Writing to a text cannot fail.
        writeln!(text, "o {name}").ok();
        for [x, y, z] in mesh.vertices.iter() {
            writeln!(text, "v {x} {y} {z}").ok();
        }
        for triangle in mesh.triangles.iter() {
            let [a, b, c] = triangle.map(|index| first + index as usize);
            writeln!(text, "f {a} {b} {c}").ok();
        }
        first += mesh.vertices.len();
    }
    text
}

impl fmt::Display for ObjImport {
    /// What was left out or changed, in words; nothing where all was taken as it stands.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            (self.polygon_faces, "faces of more than three corners, cut into fans"),
            (self.degenerate_faces, "faces without area, left out"),
            (self.bad_coordinates, "vertices with a coordinate that is no number"),
            (self.other_elements, "lines and points, left out"),
            (self.free_forms, "free-form curves and surfaces, left out"),
        ];
        let parts: Vec<String> = parts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
        f.write_str(&parts.join("; "))
    }
}
