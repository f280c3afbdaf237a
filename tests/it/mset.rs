//! Meshes written as Detour's `MSET`: by the file's own rules, told apart from our reader, and against files of Recast.

use std::collections::BTreeSet;
use std::fs;

use navwright::format::{LinkKind, TiledNavMesh};
use navwright::interop::mset::{MsetExport, MsetExportError, export_mset, import_mset};

use crate::support::{Random, root, shared};
use crate::vectors;

/// Little-endian numbers, one after another.
struct Words<'a>(&'a [u8]);

impl Words<'_> {
    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let (first, rest) = self.0.split_at(N);
        self.0 = rest;
        first.try_into().unwrap()
    }

    fn i32(&mut self) -> i32 {
        i32::from_le_bytes(self.bytes())
    }

    fn count(&mut self) -> usize {
        usize::try_from(self.i32()).unwrap()
    }

    fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.bytes())
    }

    fn f32(&mut self) -> f32 {
        let value = f32::from_le_bytes(self.bytes());
        assert!(value.is_finite());
        value
    }

    fn point(&mut self) -> [f32; 3] {
        [self.f32(), self.f32(), self.f32()]
    }
}

struct Poly {
    corners: Vec<usize>,
    neighbours: Vec<u16>,
    flags: u16,
    area: u8,
}

/// Start, end, polygon, both ways, side, user id.
type Connection = ([f32; 3], [f32; 3], u16, u8, u8, u32);

/// A tile as it stands in the file.
struct Tile {
    reference: u32,
    place: [i32; 3],
    link_room: usize,
    low: [f32; 3],
    high: [f32; 3],
    vertices: Vec<[f32; 3]>,
    polygons: Vec<Poly>,
    ground: usize,
    /// Vertex base, triangle base, vertices, triangles.
    details: Vec<[usize; 4]>,
    detail_vertices: Vec<[f32; 3]>,
    triangles: Vec<[u8; 4]>,
    /// Low and high in cells, index.
    nodes: Vec<([u16; 3], [u16; 3], i32)>,
    connections: Vec<Connection>,
    cells_per_unit: f32,
}

struct File {
    header: [i32; 5],
    tile_size: f32,
    tiles: Vec<Tile>,
}

/// Takes a file apart by the layout alone; every byte is accounted for.
fn take_apart(bytes: &[u8]) -> File {
    let mut words = Words(bytes);
    let (magic, version, count) = (words.i32(), words.i32(), words.i32());
    words.point();
    let tile_size = words.f32();
    assert_eq!(words.f32(), tile_size);
    let header = [magic, version, count, words.i32(), words.i32()];
    let tiles = (0..count).map(|_| tile(&mut words)).collect();
    assert!(words.0.is_empty(), "{} bytes behind the last tile", words.0.len());
    File { header, tile_size, tiles }
}

fn tile(words: &mut Words<'_>) -> Tile {
    let reference = words.i32().cast_unsigned();
    let size = words.count();
    let (blob, rest) = words.0.split_at(size);
    words.0 = rest;
    let mut words = Words(blob);
    assert_eq!([words.i32(), words.i32()], [0x444E_4156, 7]);
    let place = [words.i32(), words.i32(), words.i32()];
    words.i32();
    let [polygons, vertices, link_room, details, detail_vertices, triangles, nodes, connections, ground] =
        [(); 9].map(|()| words.count());
    words.point();
    let (low, high, cells_per_unit) = (words.point(), words.point(), words.f32());
    let vertices: Vec<_> = (0..vertices).map(|_| words.point()).collect();
    let polygon = |words: &mut Words<'_>| {
        words.i32();
        let corners: Vec<usize> = (0..6).map(|_| words.u16().into()).collect();
        let neighbours: Vec<u16> = (0..6).map(|_| words.u16()).collect();
        let flags = words.u16();
        let [count, area] = words.bytes();
        let count = usize::from(count);
        assert!(corners[count..].iter().all(|corner| *corner == 0), "unused corners are 0");
        assert!(neighbours[count..].iter().all(|neighbour| *neighbour == 0), "unused neighbours are 0");
        let (corners, neighbours) = (corners[..count].to_vec(), neighbours[..count].to_vec());
        Poly { corners, neighbours, flags, area }
    };
    let polygons: Vec<_> = (0..polygons).map(|_| polygon(&mut words)).collect();
    words.0 = &words.0[12 * link_room..];
    let detail = |words: &mut Words<'_>| {
        let bases = [words.count(), words.count()];
        let [vertices, triangles, _, _] = words.bytes();
        [bases[0], bases[1], vertices.into(), triangles.into()]
    };
    let details = (0..details).map(|_| detail(&mut words)).collect();
    let detail_vertices = (0..detail_vertices).map(|_| words.point()).collect();
    let triangles = (0..triangles).map(|_| words.bytes()).collect();
    let node =
        |words: &mut Words<'_>| ([(); 3].map(|()| words.u16()), [(); 3].map(|()| words.u16()), words.i32());
    let nodes = (0..nodes).map(|_| node(&mut words)).collect();
    let connection = |words: &mut Words<'_>| {
        let (start, end, radius) = (words.point(), words.point(), words.f32());
        assert!(radius > 0.0);
        let (polygon, [flags, side]) = (words.u16(), words.bytes());
        (start, end, polygon, flags, side, words.i32().cast_unsigned())
    };
    let connections = (0..connections).map(|_| connection(&mut words)).collect();
    assert!(words.0.is_empty(), "the sections fill the tile");
    Tile {
        reference,
        place,
        link_room,
        low,
        high,
        vertices,
        polygons,
        ground,
        details,
        detail_vertices,
        triangles,
        nodes,
        connections,
        cells_per_unit,
    }
}

/// Twice the area seen from above, with Detour's sign: below 0 faces up.
fn doubled(ring: &[[f32; 3]]) -> f64 {
    let at = |k: usize| ring[k % ring.len()].map(f64::from);
    (0..ring.len()).map(|k| at(k)[0] * at(k + 1)[2] - at(k + 1)[0] * at(k)[2]).sum()
}

impl Tile {
    fn ring(&self, polygon: &Poly) -> Vec<[f32; 3]> {
        polygon.corners.iter().map(|corner| self.vertices[*corner]).collect()
    }

    fn check(&self) {
        let what = format!("tile {:?}", self.place);
        assert!(self.link_room > 0, "{what}");
        assert_eq!(self.ground + self.connections.len(), self.polygons.len(), "{what}");
        assert_eq!((self.details.len(), self.nodes.len()), (self.ground, 2 * self.ground - 1), "{what}");
        let ground = &self.polygons[..self.ground];
        let (mut edges, mut portals) = (0, 0);
        for (number, polygon) in ground.iter().enumerate() {
            let ring = self.ring(polygon);
            assert!((3..=6).contains(&ring.len()) && polygon.area < 64 && polygon.flags < 256, "{what}");
            assert!(doubled(&ring) < 0.0, "{what}: polygon {number} faces up");
            for (edge, neighbour) in polygon.neighbours.iter().enumerate() {
                let ends = [ring[edge], ring[(edge + 1) % ring.len()]];
                edges += 1;
                match *neighbour {
                    0 => {}
                    portal if portal & 0x8000 != 0 => {
                        let side = usize::from(portal & 0xFF);
                        let (axis, border) =
                            [(0, self.high[0]), (2, self.high[2]), (0, self.low[0]), (2, self.low[2])]
                                [side / 2];
                        assert!(side.is_multiple_of(2), "{what}");
                        for end in ends {
                            assert_eq!(
                                end[axis].to_bits(),
                                border.to_bits(),
                                "{what}: on the border, to the bit"
                            );
                        }
                        portals += 1;
                    }
                    other => {
                        let other = &ground[usize::from(other) - 1];
                        assert!(other.neighbours.contains(&(number as u16 + 1)), "{what}: both or none");
                    }
                }
            }
        }
        let here = self.connections.len() + self.connections.iter().filter(|link| link.4 == 0xFF).count();
        assert!(self.link_room >= edges + 2 * portals + 2 * here, "{what}: room for links");
        self.check_details();
        self.check_tree();
        for (number, (start, end, polygon, both, side, _)) in self.connections.iter().enumerate() {
            assert_eq!(usize::from(*polygon), self.ground + number, "{what}");
            let own = &self.polygons[usize::from(*polygon)];
            assert_eq!((own.corners.len(), own.area >> 6), (2, 1), "{what}");
            assert_eq!(self.ring(own), [*start, *end], "{what}");
            assert!(*both <= 1, "{what}");
            let inside =
                [0, 2].iter().all(|&axis| self.low[axis] <= end[axis] && end[axis] < self.high[axis]);
            assert_eq!(*side == 0xFF, inside, "{what}");
        }
    }

    fn check_details(&self) {
        let (mut vertex, mut triangle) = (0, 0);
        for (polygon, &[vertices, triangles, extra, count]) in self.polygons.iter().zip(&self.details) {
            assert_eq!([vertices, triangles], [vertex, triangle]);
            (vertex, triangle) = (vertex + extra, triangle + count);
            let corners = polygon.corners.len();
            let of_polygon = &self.triangles[triangles..triangle];
            let outer = of_polygon.iter().any(|triangle| triangle[3] & 0b01_0101 != 0);
            assert!(outer && of_polygon.iter().all(|triangle| triangle[3] & !0b01_0101 == 0));
            for [a, b, c, _] in of_polygon {
                assert!([a, b, c].iter().all(|corner| usize::from(**corner) < corners + extra));
            }
        }
        assert_eq!([vertex, triangle], [self.detail_vertices.len(), self.triangles.len()]);
    }

    /// Goes through the tree as Detour does: asked for a polygon's own box it must come to the polygon.
    fn check_tree(&self) {
        for (number, polygon) in self.polygons[..self.ground].iter().enumerate() {
            let [base, _, extra, _] = self.details[number];
            let mut points = self.ring(polygon);
            points.extend(&self.detail_vertices[base..base + extra]);
            // Questions are cut to the tile's box first, beyond which a polygon may reach.
            let cell = |at: f32, axis: usize| {
                (at.clamp(self.low[axis], self.high[axis]) - self.low[axis]) * self.cells_per_unit
            };
            for point in points {
                let at = [0, 1, 2].map(|axis| cell(point[axis], axis));
                let (mut node, mut found) = (0, false);
                while node < self.nodes.len() {
                    let (low, high, index) = &self.nodes[node];
                    let slack = 1e-3;
                    let inside = (0..3).all(|axis| {
                        f32::from(low[axis]) - slack <= at[axis] && at[axis] <= f32::from(high[axis]) + slack
                    });
                    found |= inside && *index == number as i32;
                    node += if *index >= 0 || inside { 1 } else { usize::try_from(-index).unwrap() };
                }
                assert_eq!(node, self.nodes.len(), "skipping ends with the tree");
                assert!(found, "tile {:?}: the tree hides polygon {number}", self.place);
            }
        }
    }
}

/// Checks a file by its own rules.
fn check(bytes: &[u8]) -> File {
    let file = take_apart(bytes);
    let [magic, version, count, most_tiles, most_polygons] = file.header;
    assert_eq!((magic, version), (0x4D53_4554, 1));
    assert!(count as usize == file.tiles.len() && count <= most_tiles);
    let [tile_bits, polygon_bits] = [most_tiles, most_polygons].map(|most| {
        assert_eq!(most.count_ones(), 1);
        most.trailing_zeros()
    });
    assert!(tile_bits + polygon_bits <= 22);
    let mut slots = BTreeSet::new();
    for tile in &file.tiles {
        let slot = tile.reference >> polygon_bits & (most_tiles as u32 - 1);
        assert_eq!(tile.reference >> (tile_bits + polygon_bits), 1, "the first generation");
        assert_eq!(tile.reference & (most_polygons as u32 - 1), 0);
        assert!(slots.insert(slot) && tile.polygons.len() <= most_polygons as usize);
        assert!((tile.high[0] - tile.low[0] - file.tile_size).abs() <= 1e-6 * tile.high[0].abs().max(1.0));
        tile.check();
    }
    file
}

fn written(mesh: &TiledNavMesh) -> (MsetExport, File) {
    let export = export_mset(mesh).unwrap();
    let file = check(&export.bytes);
    (export, file)
}

/// What a game asks a mesh for: area, flags, area type of each polygon's floor, and links by kind.
fn facts(mesh: &TiledNavMesh) -> (f64, usize, [usize; 3]) {
    let (mut area, mut links) = (0.0, [0; 3]);
    let mut polygons = 0;
    for (reference, tile) in mesh.tiles() {
        for (number, polygon) in tile.polygons.iter().enumerate() {
            polygons += 1;
            let ring = polygon.edges().map(|edge| tile.vertices[tile.edge_vertices[edge] as usize]);
            area += doubled(&ring.collect::<Vec<_>>()) / 2.0;
            for link in mesh.links(reference.polygon(number as u32)) {
                links[match link.kind {
                    LinkKind::Portal => 0,
                    LinkKind::OffMesh => 1,
                    LinkKind::OffMeshReverse => 2,
                }] += 1;
            }
        }
    }
    (area, polygons, links)
}

#[test]
fn meshes_of_recast_are_written_as_they_were_read() {
    let Some(data) = shared("data/recast") else { return };
    for name in ["all_tiles_navmesh.bin", "all_tiles_navmesh_offmesh.bin"] {
        let bytes = fs::read(data.join(name)).unwrap();
        let import = import_mset(&bytes).unwrap();
        assert_eq!((import.lost_edges, import.tile_words, import.tiles_behind_end), (0, 0, 0), "{name}");
        let mesh = import.mesh;
        let (export, ours) = written(&mesh);
        let theirs = take_apart(&bytes);
        assert_eq!(bytes[..40], export.bytes[..40], "{name}: the file's header");
        assert_eq!(ours.tiles.len(), theirs.tiles.len());
        for (a, b) in ours.tiles.iter().zip(&theirs.tiles) {
            assert_eq!(
                (a.reference, a.place, a.link_room, a.ground),
                (b.reference, b.place, b.link_room, b.ground)
            );
            assert_eq!(
                (&a.details, &a.detail_vertices, &a.triangles),
                (&b.details, &b.detail_vertices, &b.triangles)
            );
            assert_eq!(a.connections, b.connections);
            assert_eq!(a.polygons.len(), b.polygons.len());
            for (a, b) in a.polygons.iter().zip(&b.polygons) {
                assert_eq!(
                    (&a.corners, &a.neighbours, a.flags, a.area),
                    (&b.corners, &b.neighbours, b.flags, b.area)
                );
            }
            // Recast's corners on borders are off them by rounding; ours are on them. Those of off-mesh links it moves
            // onto the floor.
            let grounded = a.vertices.len() - 2 * a.connections.len();
            for (at, theirs) in a.vertices[..grounded].iter().zip(&b.vertices) {
                assert!(
                    (0..3).all(|axis| (at[axis] - theirs[axis]).abs() <= 2e-5),
                    "{at:?} instead of {theirs:?}"
                );
            }
        }
        // Written again, the same bytes.
        let again = export_mset(&import_mset(&export.bytes).unwrap().mesh).unwrap();
        assert_eq!(again.bytes, export.bytes, "{name}");
        assert_eq!(facts(&import_mset(&export.bytes).unwrap().mesh), facts(&mesh), "{name}");
        let said =
            [export.cut_polygons, export.coarse_polygons, export.far_links, export.generations_left_out];
        assert_eq!(said, [0; 4], "{name}");
    }
}

#[test]
fn every_mesh_of_the_format_is_written_by_the_rules_or_refused_with_a_reason() {
    let (mut whole, mut collapsed) = (0, 0);
    for name in vectors::names("", "onpm") {
        let Ok(mesh) = TiledNavMesh::from_bytes(&vectors::read(&name)) else { continue };
        let (export, file) = match export_mset(&mesh) {
            Ok(export) => {
                let file = check(&export.bytes);
                (export, file)
            }
            Err(MsetExportError::NoTiles) => {
                assert_eq!(mesh.tiles().count(), 0, "{name}");
                continue;
            }
            Err(MsetExportError::Collapsed { tile, polygon }) => {
                // So it is: rounded to 32 bits where it lies, nothing of it is left.
                let (_, tile) = mesh.tile_at(tile).unwrap();
                let corners = &tile.edge_vertices[tile.polygons[polygon].edges()];
                let place =
                    |corner: &u32| tile.point_in_world(mesh.params(), tile.vertices[*corner as usize]);
                let ring: Vec<_> =
                    corners.iter().map(|corner| place(corner).map(|value| value as f32)).collect();
                assert!(doubled(&ring) <= 0.0, "{name}");
                collapsed += 1;
                continue;
            }
            Err(error) => panic!("{name}: {error}"),
        };
        whole += 1;
        let (area, polygons, _) = facts(&mesh);
        let there =
            file.tiles.iter().flat_map(|tile| tile.polygons[..tile.ground].iter().map(|p| tile.ring(p)));
        let area_there: f64 = there.map(|ring| -doubled(&ring) / 2.0).sum();
        let slack = 1e-6 * area.abs() + 200.0 * export.moved * polygons as f64;
        assert!((area - area_there).abs() <= slack, "{name}: area {area_there} instead of {area}");
        let high =
            mesh.tiles().flat_map(|(_, tile)| &tile.polygons).filter(|polygon| polygon.flags > 0xFF).count();
        assert_eq!(export.levels_left_out, high, "{name}");
    }
    assert!(whole > 20 && (1..5).contains(&collapsed), "{whole} whole, {collapsed} collapsed");
}

#[test]
fn polygons_of_many_corners_are_cut_and_keep_their_neighbours() {
    let mesh = TiledNavMesh::from_bytes(&vectors::read("sixteen_sided.onpm")).unwrap();
    let (export, file) = written(&mesh);
    let many =
        mesh.tiles().flat_map(|(_, tile)| &tile.polygons).filter(|polygon| polygon.vertex_count > 6).count();
    assert!(many > 0);
    assert_eq!(export.cut_polygons, many);
    // A polygon of 16 corners has 14 triangles, of which four make a piece.
    let pieces: usize = file.tiles.iter().map(|tile| tile.ground).sum();
    let wanted = |tile: &navwright::format::Tile| -> usize {
        tile.polygons.iter().map(|polygon| (usize::from(polygon.vertex_count) - 2).div_ceil(4)).sum()
    };
    assert_eq!(pieces, mesh.tiles().map(|(_, tile)| wanted(tile)).sum::<usize>());
    // The pieces hang together: seen from any of them, all others of one polygon are reached.
    for tile in &file.tiles {
        let mut reached = BTreeSet::from([0]);
        let mut next = vec![0];
        while let Some(at) = next.pop() {
            let inside = |neighbour: &&u16| **neighbour != 0 && **neighbour & 0x8000 == 0;
            for neighbour in tile.polygons[at].neighbours.iter().filter(inside) {
                let other = usize::from(*neighbour) - 1;
                if reached.insert(other) {
                    next.push(other);
                }
            }
        }
        let ours = import_mset(&export.bytes).unwrap().mesh;
        let islands = navwright::query::islands(&ours, &navwright::query::QueryFilter::default()).count();
        let before = navwright::query::islands(&mesh, &navwright::query::QueryFilter::default()).count();
        assert_eq!(islands, before);
        if before == 1 {
            assert_eq!(reached.len(), tile.ground);
        }
    }
}

#[test]
fn a_bake_has_the_same_floors_and_links_in_detours_format() {
    let document = navwright::project::open(&root().join("assets/arena.nav.ron")).unwrap().document;
    let settings = document.bake_settings(&document.classes[0]);
    let baked = navwright::bake::bake_mesh(
        &document.flat_input(),
        &settings,
        &navwright::bake::BakeOptions::default(),
    );
    let mesh = baked.unwrap().0.mesh;
    let (export, file) = written(&mesh);
    let back = import_mset(&export.bytes).unwrap().mesh;
    let ((ours, polygons, links), (theirs, polygons_back, links_back)) = (facts(&mesh), facts(&back));
    assert!((ours - theirs).abs() < 1e-2, "{ours} and {theirs}");
    assert_eq!((polygons, links), (polygons_back, links_back));
    assert!(links[1] > 0, "the arena has jumps");
    assert!(export.levels_left_out > 0 && export.to_string().contains("knows no levels"));
    assert!(file.tiles.iter().flat_map(|tile| &tile.polygons).all(|polygon| polygon.flags < 256));
}

#[test]
fn what_detour_cannot_count_is_refused_with_numbers() {
    let empty = TiledNavMesh::from_bytes(&vectors::read("empty_mesh.onpm")).unwrap();
    assert_eq!(export_mset(&empty).unwrap_err().to_string(), "the mesh has no tiles");
    // Tiles of 40 000 polygons: more than a neighbour's 15 bits tell apart.
    let params = *empty.params();
    let (mut vertices, mut counts, mut indices) = (Vec::new(), Vec::new(), Vec::new());
    let step = params.tile_size / 256.0;
    let corner = [params.origin[0], params.origin[2]];
    for row in 0..200_u32 {
        for column in 0..200_u32 {
            let [x, z] = [corner[0] + f64::from(column) * step, corner[1] + f64::from(row) * step];
            let first = vertices.len() as u32;
            vertices.extend([[x, 0.0, z], [x + step, 0.0, z], [x, 0.0, z + step]]);
            counts.push(3);
            indices.extend([first, first + 1, first + 2]);
        }
    }
    let position = navwright::format::TilePosition { tile_x: 0, tile_z: 0, layer: 0 };
    let polygons = navwright::format::TilePolygons {
        position,
        origin_y: 0.0,
        vertices: &vertices,
        vertex_counts: &counts,
        indices: &indices,
        areas: None,
        flags: None,
    };
    let tile = navwright::format::from_polygons(&polygons, &params).unwrap().validate(&params).unwrap();
    let slots = vec![navwright::format::Slot { salt: 1, tile: Some(tile) }];
    let mesh = navwright::format::UnlinkedMesh { params, slots }.link().unwrap();
    let error = export_mset(&mesh).unwrap_err().to_string();
    assert_eq!(error, "tile (0, 0, layer 0) has 40000 polygons, but Detour's tiles have at most 32767");
}

#[test]
fn damaged_meshes_that_still_load_are_written_without_a_panic() {
    let mut random = Random(0x6d73_6574);
    let names = vectors::names("", "onpm");
    for _ in 0..4000 {
        let mut bytes = vectors::read(&names[random.below(names.len() as u64) as usize]);
        let at = random.below(bytes.len() as u64) as usize;
        bytes[at] ^= 1 << random.below(8);
        if let Ok(mesh) = TiledNavMesh::from_bytes(&bytes)
            && let Ok(export) = export_mset(&mesh)
        {
            take_apart(&export.bytes);
        }
    }
}

#[test]
fn cut_polygons_keep_their_height_detail() {
    // A hill of 24 sides: its foot is round, so a floor of up to 12 corners is cut, and its top lies off the corners.
    let mut vertices = vec![[24.0, 3.0, 24.0]];
    let corner = |k: u32| (f64::from(k) * std::f64::consts::TAU / 24.0).sin_cos();
    vertices.extend((0..24).map(|k| [24.0 + 20.0 * corner(k).1, 0.0, 24.0 + 20.0 * corner(k).0]));
    let triangles = (0..24).map(|k| [0, 1 + (k + 1) % 24, 1 + k]).collect();
    let hill = navwright::bake::TriangleMesh {
        name: "hill".to_owned(),
        vertices: std::sync::Arc::new(vertices),
        triangles: std::sync::Arc::new(triangles),
        ..navwright::bake::TriangleMesh::default()
    };
    let input = navwright::bake::VoxelInput { meshes: vec![hill], ..navwright::bake::VoxelInput::default() };
    let settings = navwright::format::NavSettings { max_verts_per_poly: 12, ..Default::default() };
    let options = navwright::bake::BakeOptions::default();
    let mesh = navwright::bake::bake_voxel_mesh(&input, &settings, &options).unwrap().0.mesh;
    let (export, _) = written(&mesh);
    assert!(export.cut_polygons > 0 && export.coarse_polygons == 0, "{export}");
    let back = import_mset(&export.bytes).unwrap().mesh;
    let filter = navwright::query::QueryFilter::default();
    let height = |mesh: &TiledNavMesh, at: [f64; 2]| {
        let mut scratch = navwright::query::PathScratch::default();
        navwright::query::closest_nav_point(mesh, at, None, 1e-3, &filter, &mut scratch)
            .unwrap()
            .map(|on| on.position[1])
    };
    let (mut random, mut asked) = (Random(24), 0);
    for _ in 0..300 {
        let at = [4.0 + 40.0 * random.unit(), 4.0 + 40.0 * random.unit()];
        let Some(before) = height(&mesh, at) else { continue };
        let after = height(&back, at).unwrap();
        assert!((before - after).abs() < 1e-4, "at {at:?}: {after} instead of {before}");
        asked += 1;
    }
    assert!(asked > 150, "{asked}");
}
