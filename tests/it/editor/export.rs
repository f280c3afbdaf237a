//! Export without a window: what is written is what was baked, and a fault leaves the old file whole.

use navwright::editor::export::{ExportError, What, export};
use navwright::format::NavMesh;
use navwright::project::{Document, open_text};

const MAP: &str = "nav walk 0 0 0 8 0 8 8 0 8\nnav walk 1 8 2 12 2 12 6 8 6\n";

fn first(document: &Document) -> What {
    What::Class(document.classes[0].id)
}

#[test]
fn what_is_read_back_is_what_was_baked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("map.onnm");
    let document = open_text(MAP, "map").unwrap().document;
    let exported = export(&document, first(&document), &path).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let mesh = NavMesh::from_bytes(&bytes).unwrap();
    assert_eq!(exported.bytes, bytes.len());
    assert_eq!(exported.classes[0].1.fingerprint, mesh.mesh.params().fingerprint());
    assert_eq!(
        mesh.mesh.params().fingerprint(),
        document.bake_settings(&document.classes[0]).to_params().unwrap().fingerprint()
    );
    // 8 × 8 on the ground and 4 × 4 on level 1, joined by the seam from (8, 2) to (8, 6).
    let area = &exported.classes[0].1.area;
    assert!((area[&0] - 64.0).abs() < 1e-6 && (area[&1] - 16.0).abs() < 1e-6, "{area:?}");
    assert_eq!(exported.classes[0].1.islands, 1);
    assert!(exported.summary().contains("1 island, "), "{}", exported.summary());
    let entries = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(entries, 1, "no temporary file is left");
}

#[test]
fn an_empty_mesh_is_written_and_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("map.onnm");
    for (map, is_empty) in [("# nothing yet\n", true), ("nav hole 0 0 0 8 0 8 8 0 8\n", true), (MAP, false)] {
        let document = open_text(map, "map").unwrap().document;
        let exported = export(&document, first(&document), &path).unwrap();
        assert_eq!(exported.emptiness().is_some(), is_empty, "{map}");
        assert!(path.exists());
        let emptiness = exported.emptiness().unwrap_or_default();
        assert_eq!(emptiness.contains("the mesh is empty"), is_empty, "{emptiness}");
    }
}

#[test]
fn a_fault_leaves_the_old_file_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("map.onnm");
    std::fs::write(&path, b"old").unwrap();
    // All points on one line: an error in the drawing.
    let broken = open_text("nav walk 0 0 0 4 0 8 0\nnav walk 0 0 0 8 0 8 8\n", "map").unwrap().document;
    let blocked = export(&broken, first(&broken), &path);
    assert!(matches!(blocked, Err(ExportError::Blocked { count: 1, .. })), "{blocked:?}");
    assert_eq!(std::fs::read(&path).unwrap(), b"old");
    let document = open_text(MAP, "map").unwrap().document;
    let nowhere =
        export(&document, first(&document), &folder.path().join("missing").join("map.onnm")).unwrap_err();
    assert!(nowhere.to_string().contains("missing"), "{nowhere}");
    let onto_folder = export(&document, first(&document), folder.path()).unwrap_err();
    assert!(matches!(onto_folder, ExportError::Io { .. }), "{onto_folder}");
}
