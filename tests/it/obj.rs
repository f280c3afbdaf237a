//! Wavefront OBJ: what is read, what is counted, what is refused.

use navwright::interop::obj::import_obj;

#[test]
fn faces_of_every_form_become_triangles() {
    let text = "# a comment\r\nmtllib not_there.mtl\r\no thing\r\nv 0 0 0\r\nv 1 0 0 1.0\r\nv 1 0 1\r\nv 0 0 1e0\r\n\
                vt 0 0\r\nvn 0 1 0\r\nusemtl m\r\ns 1\r\nf 1/1/1 3//1 2\r\nf -4 -1 -2 -3 # a quad\r\nf 1 \\\r\n3 2\r\n";
    let import = import_obj(text.as_bytes(), "thing").unwrap();
    let mesh = &import.mesh;
    assert_eq!(mesh.name, "thing");
    assert_eq!(*mesh.vertices, [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 1.0], [0.0, 0.0, 1.0]]);
    assert_eq!(*mesh.triangles, [[0, 2, 1], [0, 3, 2], [0, 2, 1], [0, 2, 1]]);
    assert_eq!((import.polygon_faces, import.degenerate_faces), (1, 0));
    assert_eq!(import.to_string(), "1 faces of more than three corners, cut into fans");
}

#[test]
fn what_is_left_out_is_counted() {
    let text = "v 0 0 0\nv nan 0 0\nv 1 0 x\nf 1 2\nf 1 1 2\nl 1 2\np 1\ncurv 0 1 1 2\nf 1 2 3\n";
    let import = import_obj(text.as_bytes(), "odd").unwrap();
    assert_eq!(*import.mesh.triangles, [[0, 1, 2]]);
    assert!(import.mesh.vertices[1][0].is_nan() && import.mesh.vertices[2][2].is_nan());
    assert_eq!((import.degenerate_faces, import.bad_coordinates), (2, 2));
    assert_eq!((import.other_elements, import.free_forms), (2, 1));
}

#[test]
fn what_cannot_be_meant_is_refused_with_its_line() {
    for (text, expected) in [
        ("v 0 0 0\nv 1 2\n", "line 2: a vertex without z, but it needs x, y and z"),
        (
            "v 0 0 0\nf 1 2 1\n",
            "line 2: a face's corner is vertex 2, but must be 1 to 1 or -1 to -1, the vertices so far",
        ),
        (
            "v 0 0 0\n\n\nf 0 1 1\n",
            "line 4: a face's corner is vertex 0, but must be 1 to 1 or -1 to -1, the vertices so far",
        ),
        (
            "v 0 0 0\nf 1 -2 1\n",
            "line 2: a face's corner is vertex -2, but must be 1 to 1 or -1 to -1, the vertices so far",
        ),
        ("f a b c\n", "line 1: a face's corner is \"a\", but must be a vertex number"),
        (
            "f 99999999999999999999 1 1\n",
            "line 1: a face's corner is \"99999999999999999999\", but must be a vertex number",
        ),
        ("\0\0\0\0", "line 1: begins with a NUL byte, so this is no text file; OBJ is text"),
    ] {
        assert_eq!(import_obj(text.as_bytes(), "bad").unwrap_err().to_string(), expected);
    }
}

#[test]
fn any_bytes_give_an_answer() {
    let mut random = crate::support::Random(3);
    let words =
        ["v", "f", "1", "-1", "2//3", "0.5", "\n", "\\", "#", " ", "\r\n", "l", "\u{e9}", "1e999", "f 1 2 3"];
    for _ in 0..2000 {
        let text: String =
            (0..random.below(40)).map(|_| words[random.below(words.len() as u64) as usize]).collect();
        let import = import_obj(text.as_bytes(), "fuzz");
        if let Ok(import) = import {
            let count = import.mesh.vertices.len() as u32;
            assert!(import.mesh.triangles.iter().flatten().all(|&corner| corner < count));
        }
    }
}
