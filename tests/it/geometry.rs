//! Imported geometry in a project: the file, commands, reading and placing, and the sample that has some.

use std::fs;
use std::sync::Arc;

use navwright::bake::{BakeOptions, TriangleMesh, bake_voxel_mesh};
use navwright::project::file::{decode, encode};
use navwright::project::{
    Command, CommandError, Document, FileKind, Geometry, GeometryId, History, UpAxis, VoxelExtras, apply,
    changes, load_geometry, open, placed, voxel_input,
};
use navwright::query::{PathScratch, PathStatus, QueryFilter, find_nav_path};

use crate::project::after;
use crate::support::root;

fn crate_pile() -> Geometry {
    Geometry {
        up: UpAxis::Z,
        scale: 0.01,
        turn: 90.0,
        offset: [5.0, 1.0, -2.5],
        level: 2,
        area_type: Some(7),
        flags: Some(3),
        ..Geometry::new(GeometryId(0xC0), "models/crates.obj")
    }
}

fn extras() -> VoxelExtras {
    VoxelExtras {
        seeds: vec![[1.0, 0.0, 2.5], [9.0, 3.0, 2.0]],
        ledge_radius: Some(0.2),
        area_priority: vec![4, 1],
    }
}

fn with_geometry() -> Document {
    let plain = Geometry::new(GeometryId(0xA0), "hall.glb");
    let commands =
        [Command::SetGeometry(crate_pile()), Command::SetGeometry(plain), Command::SetVoxel(extras())];
    after(&Document::default(), commands)
}

#[test]
fn geometry_is_written_and_read_back() {
    let document = with_geometry();
    let text = encode(&document);
    let (_, tail) = text.split_once("    geometry: [\n").unwrap();
    let expected = r#"        (
            id: 0x00000000000000a0,
            path: "hall.glb",
            up: y,
            scale: 1,
            turn: 0,
            offset: (0, 0, 0),
            level: 0,
        ),
        (
            id: 0x00000000000000c0,
            path: "models/crates.obj",
            up: z,
            scale: 0.01,
            turn: 90,
            offset: (5, 1, -2.5),
            level: 2,
            area_type: 7,
            flags: 3,
        ),
    ],
    voxel: (
        seeds: [
            (1, 0, 2.5),
            (9, 3, 2),
        ],
        ledge_radius: 0.2,
        area_priority: [4, 1],
    ),
)
"#;
    assert_eq!(tail, expected);
    assert_eq!(decode(&text, "p").unwrap(), document);
    // The level that geometry stands on is there.
    assert!(document.level(2).is_some());
    // What has none does not mention it.
    assert!(!encode(&Document::default()).contains("geometry"));
}

#[test]
fn faults_are_named_with_their_place() {
    let project = |geometry: &str| {
        let text = format!("(version: 2, geometry: [{geometry}])");
        decode(&text, "p").unwrap_err().to_string()
    };
    for (item, what) in [
        ("(id: 1, path: \"a.obj\", scale: 0)", "the scale of geometry \"a.obj\" is 0"),
        ("(id: 1, path: \"a.obj\", turn: 361)", "the turn of geometry \"a.obj\" is 361"),
        ("(id: 1, path: \"/etc/a.obj\")", "must lead on from the project's folder"),
        ("(id: 1, path: \"C:/a.obj\")", "must lead on from the project's folder"),
        ("(id: 1, path: \"a\\\\b.obj\")", "written with /"),
        ("(id: 1, path: \"\")", "1 to 1000 bytes"),
        ("(id: 1, path: \"a.obj\", offset: (0, 3e6, 0))", "3000000"),
        ("(id: 1, path: \"a.obj\", area_type: 64)", "64"),
        ("(id: 1, path: \"a.obj\", lift: 1)", "lift"),
        ("(id: 1, path: \"a.obj\"), (id: 1, path: \"b.obj\")", "in the list twice"),
    ] {
        let error = project(item);
        assert!(error.starts_with("p:1:") && error.contains(what), "{item}: {error}");
    }
    let voxel =
        |voxel: &str| decode(&format!("(version: 2, voxel: ({voxel}))"), "p").unwrap_err().to_string();
    assert!(voxel("ledge_radius: -1").contains("the ledge radius is -1"));
    assert!(voxel("area_priority: [2, 2]").contains("may stand there once"));
    assert!(voxel("seeds: [(0, 0, 1e9)]").contains("1000000000"));
}

#[test]
fn commands_change_geometry_and_undo_it() {
    let document = with_geometry();
    let mut history = History::new(document.clone());
    let moved = Geometry { offset: [1.0, 2.0, 3.0], ..crate_pile() };
    history.commit("move", &Command::SetGeometry(moved.clone())).unwrap();
    assert_eq!(**history.document().geometry(GeometryId(0xC0)).unwrap(), moved);
    // What was not touched stays behind the same pointer.
    let other = |document: &Document| Arc::clone(document.geometry(GeometryId(0xA0)).unwrap());
    assert!(Arc::ptr_eq(&other(history.document()), &other(&document)));
    history.commit("remove", &Command::RemoveGeometry(vec![GeometryId(0xC0), GeometryId(0xA0)])).unwrap();
    assert!(history.document().geometry.is_empty());
    history.undo();
    history.undo();
    assert!(history.document().ptr_eq(&document));
    // No change, no new value.
    let same = apply(&document, &Command::SetGeometry(crate_pile())).unwrap();
    assert!(same.ptr_eq(&document));
    let missing = apply(&document, &Command::RemoveGeometry(vec![GeometryId(5)]));
    assert_eq!(missing.unwrap_err(), CommandError::NoSuchGeometry(5));
    let bad = Geometry { scale: f64::NAN, ..crate_pile() };
    assert!(apply(&document, &Command::SetGeometry(bad)).is_err());
    // A level that geometry stands on is in use.
    assert_eq!(apply(&document, &Command::RemoveLevel(2)).unwrap_err(), CommandError::LevelInUse(2));
}

#[test]
fn geometry_that_is_turned_over_faces_the_other_way_and_is_kept_so() {
    let plain = after(&Document::default(), [Command::SetGeometry(crate_pile())]);
    assert!(!encode(&plain).contains("flip"));
    let turned = Geometry { flip: true, ..crate_pile() };
    let document = after(&plain, [Command::SetGeometry(turned.clone())]);
    let text = encode(&document);
    assert!(text.contains("flip: true,"), "{text}");
    assert_eq!(**decode(&text, "p").unwrap().geometry(turned.id).unwrap(), turned);
    let said: Vec<String> = changes(&plain, &document).into_iter().map(|change| change.what).collect();
    assert_eq!(said, ["now turned over"]);
    let vertices = Arc::new(vec![[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]);
    let mesh = TriangleMesh { vertices, triangles: Arc::new(vec![[0, 1, 2]]), ..TriangleMesh::default() };
    // Twice the area as seen from below: below 0 for what faces up.
    let up = |item: &Geometry| {
        let mesh = placed(&mesh, item);
        let [a, b, c] = mesh.triangles[0].map(|vertex| mesh.vertices[vertex as usize]);
        (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2])
    };
    let item = Geometry::new(GeometryId(1), "a.obj");
    assert_eq!(up(&item), 1.0);
    assert_eq!(up(&Geometry { flip: true, ..item }), -1.0);
}

#[test]
fn geometry_is_placed_by_up_scale_turn_and_offset() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("models")).unwrap();
    // z up, in hundredths: a corner 1 to the right, 2 ahead (y) and 3 up.
    let obj = "v 100 200 300\nv 0 0 0\nv 100 0 0\nf 1 2 3\nl 1 2\n";
    fs::write(folder.path().join("models/crates.obj"), obj).unwrap();
    let twin = Geometry { id: GeometryId(0xC1), turn: 0.0, scale: 1.0, offset: [0.0; 3], ..crate_pile() };
    let document =
        after(&Document::default(), [Command::SetGeometry(crate_pile()), Command::SetGeometry(twin)]);
    let loaded = load_geometry(&document, folder.path()).unwrap();
    assert_eq!(loaded.notes, ["models/crates.obj: 1 lines and points, left out"]);
    let [placed, plain] = &loaded.meshes[..] else { panic!("{}", loaded.meshes.len()) };
    // y up: (1, 3, -2); a quarter from +x towards +z: x → z, z → -x: (2, 3, 1); then the offset.
    assert_eq!(placed.vertices[0], [2.0 + 5.0, 3.0 + 1.0, 1.0 - 2.5]);
    assert_eq!(placed.vertices[1], [5.0, 1.0, -2.5]);
    assert_eq!((placed.area_type, placed.flags, placed.level), (Some(7), Some(3), 2));
    assert_eq!(plain.vertices[0], [100.0, 300.0, -200.0]);
    // Turning keeps which side a triangle faces.
    let up = |mesh: &navwright::bake::TriangleMesh| {
        let [a, b, c] = mesh.triangles[0].map(|vertex| mesh.vertices[vertex as usize]);
        (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2])
    };
    assert!(up(placed) * up(plain) > 0.0);
    let gone = after(&document, [Command::SetGeometry(Geometry::new(GeometryId(1), "no/such.obj"))]);
    let error = load_geometry(&gone, folder.path()).unwrap_err().to_string();
    assert!(error.contains("no/such.obj"), "{error}");
    fs::write(folder.path().join("models/crates.obj"), "v 1 2\n").unwrap();
    let error = load_geometry(&document, folder.path()).unwrap_err().to_string();
    assert!(error.contains("crates.obj: line 1"), "{error}");
}

#[test]
fn a_geometry_file_opens_as_a_map_that_holds_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("thing.txt");
    for start in [
        "# made by hand\n\nmtllib x.mtl\nv 0 0 0\n",
        "v 0 0 0\n",
        "glTF\u{2}",
        "{\"asset\": {\"version\": \"2.0\"}}",
    ] {
        fs::write(&path, start).unwrap();
        let opened = open(&path).unwrap();
        assert_eq!(opened.kind, FileKind::Geometry, "{start:?}");
        assert_eq!(opened.document.geometry[0].path, "thing.txt");
    }
    for (start, kind) in
        [("# a map\nnav walk 0 0 0 1 0 1 1\n", FileKind::MapText), ("(version: 2)", FileKind::Project)]
    {
        fs::write(&path, start).unwrap();
        assert_eq!(open(&path).unwrap().kind, kind);
    }
    fs::write(&path, "{\"a\": 1}").unwrap();
    assert!(open(&path).is_err());
}

#[test]
fn the_hall_bakes_with_its_carpet_hole_and_leap() {
    let folder = root().join("assets");
    let document = open(&folder.join("hall.nav.ron")).unwrap().document;
    let geometry = load_geometry(&document, &folder).unwrap();
    assert_eq!(geometry.notes, ["hall.obj: 180 faces of more than three corners, cut into fans"]);
    // 30 boxes of 12 triangles.
    assert_eq!(geometry.meshes[0].triangles.len(), 30 * 12);
    let settings = document.bake_settings(&document.classes[0]);
    let (input, remarks) = voxel_input(&document, &settings, geometry.meshes).unwrap();
    assert_eq!(remarks, []);
    let (mesh, report) = bake_voxel_mesh(&input, &settings, &BakeOptions::default()).unwrap();
    assert_eq!(report.diagnostics, []);
    let filter = QueryFilter::default();
    let mut scratch = PathScratch::default();
    let mut path = |from: [f64; 2], to: [f64; 2]| {
        find_nav_path(&mesh.mesh, from, None, to, None, &filter, &mut scratch).unwrap()
    };
    // Up the stair and along the gallery.
    let up = path([20.0, 2.0], [28.0, 18.0]);
    assert_eq!(up.status, PathStatus::Complete, "{}", up.reason);
    let polygons = |wanted: &dyn Fn(f64, &navwright::format::Polygon) -> bool| {
        let all = mesh.mesh.tiles().flat_map(|(_, tile)| {
            tile.polygons.iter().map(move |polygon| {
                let vertex = tile.edge_vertices[polygon.first_edge as usize] as usize;
                (tile.origin_y + f64::from(tile.vertices[vertex][1]), polygon)
            })
        });
        all.filter(|(y, polygon)| wanted(*y, polygon)).count()
    };
    assert!(polygons(&|_, polygon| polygon.area == 2) > 0, "the carpet");
    assert_eq!(polygons(&|y, _| y > 4.0), 0, "no seed reaches a pillar's top");
    // Nobody stands in the display case, 4 × 2 on the gallery; beside it somebody may.
    let on_gallery = |x: f64, z: f64| {
        mesh.mesh.tiles().any(|(_, tile)| {
            tile.polygons.iter().any(|polygon| {
                let corners: Vec<_> = tile.edge_vertices[polygon.edges()]
                    .iter()
                    .map(|&v| tile.point_in_world(mesh.mesh.params(), tile.vertices[v as usize]))
                    .collect();
                let next = corners.iter().cycle().skip(1);
                corners[0][1] > 2.5
                    && corners
                        .iter()
                        .zip(next)
                        .all(|(a, b)| (b[0] - a[0]) * (z - a[2]) - (b[2] - a[2]) * (x - a[0]) >= 0.0)
            })
        })
    };
    assert!(!on_gallery(16.0, 17.5) && on_gallery(22.0, 17.5));
    assert!(mesh.mesh.tiles().any(|(_, tile)| tile.links.len() == 1), "the leap");
}
