//! The maps of `data/flat` and their oracle: lengths of shortest paths for 300 pairs of points each. Shared with
//! the bench.
#![allow(dead_code, reason = "the bench and the tests each use their part")]

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use navwright::bake::{AreaKind, BakeOptions, FlatArea, FlatInput, Surface, bake_mesh};
use navwright::format::{NO_SIDE, NavMeshParams, NavSettings, Polygon, RawTile, TiledNavMesh};
use navwright::interop::navwalk::MapText;

/// A question of the oracle; no length: no path.
pub(crate) struct Pair {
    pub(crate) start: [f64; 2],
    pub(crate) end: [f64; 2],
    pub(crate) length: Option<f64>,
}

/// Every map with an oracle: its name and its file.
pub(crate) const MAPS: [(&str, &str); 7] = [
    ("arena", "arena-merged.mesh"),
    ("aurora-merged", "aurora-merged.mesh"),
    ("scene_mp_2p_01", "scene_mp_2p_01.mesh"),
    ("brc202d", "brc202d.map"),
    ("walls200", "walls200.nav"),
    ("walls2000", "walls2000.nav"),
    ("town", "town.nav"),
];

pub(crate) fn pairs(data: &Path, name: &str) -> Vec<Pair> {
    let text = fs::read_to_string(data.join("oracle").join(format!("{name}.json"))).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let point = |value: &serde_json::Value| [0, 1].map(|axis| value[axis].as_f64().unwrap());
    let pair = |value: &serde_json::Value| Pair {
        start: point(&value["start"]),
        end: point(&value["end"]),
        length: value["length"].as_f64(),
    };
    json["pairs"].as_array().unwrap().iter().map(pair).collect()
}

/// A `.mesh` file: points, and faces as corners with the neighbour over each edge from a corner to the next.
pub(crate) struct MeshFile {
    pub(crate) points: Vec<[f32; 2]>,
    pub(crate) faces: Vec<Vec<(usize, Option<usize>)>>,
}

/// A piece as corners with the face beyond: another face, a piece of the same one (by the edge), or none.
type Piece = Vec<(usize, Option<usize>)>;

impl MeshFile {
    pub(crate) fn read(file: &Path) -> Self {
        let text = fs::read_to_string(file).unwrap();
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("mesh"));
        let version: usize = lines.next().unwrap().parse().unwrap();

        let counts: Vec<usize> = numbers(lines.next().unwrap());
        let mut points = Vec::new();
        for line in lines.by_ref().take(counts[0]) {
            let words: Vec<f32> = numbers(line);
            points.push([words[0], words[1]]);
        }
        let mut faces = Vec::new();
        for line in lines.take(counts[1]) {
            let words: Vec<i64> = numbers(line);
            let first = i64::from(version == 3);
            let walkable = version == 2 || words[0] == 1;
            let words = &words[usize::from(version == 3)..];
            let count = words[0] as usize;
            let (corners, neighbours) = words[1..].split_at(count);
            let face = (0..count).map(|k| {
                let over = neighbours[(k + 1) % count] - first;
                ((corners[k] - first) as usize, (over >= 0).then_some(over as usize))
            });
            faces.push(if walkable { face.collect() } else { Vec::new() });
        }
        Self { points, faces }
    }

    /// The faces as areas, for a bake of our own.
    pub(crate) fn areas(&self) -> FlatInput {
        let outline =
            |face: &Piece| face.iter().map(|(point, _)| self.points[*point].map(f64::from)).collect();
        let faces = self.faces.iter().enumerate().filter(|(_, face)| face.len() > 2);
        let areas = faces.map(|(id, face)| FlatArea {
            id: id as u64 + 1,
            name: String::new(),
            kind: AreaKind::Walk,
            level: 0,
            outline: outline(face),
            area_type: None,
            flags: None,
            surface: Surface::Level,
        });
        FlatInput { areas: areas.collect(), ..FlatInput::default() }
    }

    /// The same faces in one tile; those of more than 16 corners are split.
    pub(crate) fn to_mesh(&self) -> TiledNavMesh {
        let params = params(2048.0);
        let vertices = self.points.iter().map(|point| [point[0], 0.0, point[1]]).collect();
        let mut tile = RawTile { vertices, ..RawTile::default() };
        let mut pieces: Vec<(usize, Piece)> = Vec::new();
        for (face, corners) in self.faces.iter().enumerate() {
            if corners.len() < 3 {
                continue;
            }
            for piece in self.split(face, corners) {
                pieces.push((face, piece));
            }
        }
        let mut owner: HashMap<(usize, usize, usize), usize> = HashMap::new();
        for (index, (face, piece)) in pieces.iter().enumerate() {
            for k in 0..piece.len() {
                owner.insert((*face, piece[k].0, piece[(k + 1) % piece.len()].0), index);
            }
        }
        for (face, piece) in &pieces {
            tile.polygons.push(Polygon {
                first_edge: tile.edge_vertices.len() as u32,
                vertex_count: piece.len() as u8,
                area: 0,
                flags: 1,
            });
            for k in 0..piece.len() {
                let (from, to) = (piece[k].0, piece[(k + 1) % piece.len()].0);
                let back = |over: usize| {
                    let index = *owner.get(&(over, to, from))?;
                    let (_, other) = &pieces[index];
                    let edge = other.iter().find(|(corner, _)| *corner == to)?;
                    (edge.1 == Some(*face)).then_some(index as u32 + 1)
                };
                tile.edge_vertices.push(from as u32);
                tile.edge_neighbours.push(piece[k].1.and_then(back).unwrap_or(0));
                tile.edge_sides.push(NO_SIDE);
            }
        }
        let mut mesh = TiledNavMesh::new(params).unwrap();
        mesh.add_tile(tile.validate(&params).unwrap()).unwrap();
        mesh
    }

    fn split(&self, face: usize, corners: &[(usize, Option<usize>)]) -> Vec<Vec<(usize, Option<usize>)>> {
        if corners.len() <= 16 && self.convex(corners) {
            return vec![corners.to_vec()];
        }
        let most = if self.convex(corners) { 16 } else { 3 };
        let mut rest = corners.to_vec();
        let mut pieces = Vec::new();
        'cut: while rest.len() > most {
            for _ in 0..rest.len() {
                // The first `most` corners, closed by an edge to the rest, if both have an area.
                let mut piece = rest[..most].to_vec();
                piece[most - 1].1 = Some(face);
                let mut left = vec![(rest[0].0, Some(face))];
                left.extend_from_slice(&rest[most - 1..]);
                if self.area(&piece) > 1e-9 && self.area(&left) > 1e-9 && self.convex(&piece) {
                    pieces.push(piece);
                    rest = left;
                    continue 'cut;
                }
                rest.rotate_left(1);
            }
            panic!("face {face} cannot be split");
        }
        pieces.push(rest);
        pieces
    }

    fn area(&self, corners: &[(usize, Option<usize>)]) -> f64 {
        let at = |k: usize| self.points[corners[k % corners.len()].0].map(f64::from);
        let cross = |a: [f64; 2], b: [f64; 2]| a[0] * b[1] - a[1] * b[0];
        (0..corners.len()).map(|k| cross(at(k), at(k + 1))).sum::<f64>() / 2.0
    }

    fn convex(&self, corners: &[(usize, Option<usize>)]) -> bool {
        let at = |k: usize| {
            let point = self.points[corners[k % corners.len()].0].map(f64::from);
            robust::Coord { x: point[0], y: point[1] }
        };
        let count = corners.len();
        (0..count).all(|k| (0..count).all(|other| robust::orient2d(at(k), at(k + 1), at(other)) >= 0.0))
    }
}

fn numbers<T: std::str::FromStr>(line: &str) -> Vec<T>
where
    T::Err: std::fmt::Debug,
{
    line.split_whitespace().map(|word| word.parse().unwrap()).collect()
}

fn params(tile_size: f64) -> NavMeshParams {
    NavMeshParams {
        origin: [0.0; 3],
        tile_size,
        cell_size: 0.25,
        max_verts_per_poly: 16,
        walkable_climb: 0.5,
        agent_radius: 0.0,
        agent_height: 2.0,
        agent_max_slope: 45.0,
        settings_digest: 0,
    }
}

/// A `.nav` or `.map` file as areas to bake.
pub(crate) fn areas(file: &Path) -> FlatInput {
    let text = fs::read_to_string(file).unwrap();
    let area = |id: usize, kind: AreaKind, level: i8, outline: Vec<[f64; 2]>| FlatArea {
        id: id as u64,
        name: String::new(),
        kind,
        level,
        outline,
        area_type: None,
        flags: None,
        surface: Surface::Level,
    };
    let areas = if file.extension().is_some_and(|ext| ext == "nav") {
        let map = MapText::parse(&text).unwrap();
        let areas = map.areas().enumerate();
        areas.map(|(id, a)| area(id + 1, a.kind, a.level, a.points.clone())).collect()
    } else {
        let mut areas = Vec::new();
        for (z, row) in text.lines().skip(4).enumerate() {
            let row = row.as_bytes();
            let open = |x: usize| row.get(x).is_some_and(|cell| b".GS".contains(cell));
            let mut x = 0;
            while x < row.len() {
                let end = (x..).find(|x| !open(*x)).unwrap();
                if end > x {
                    let (x0, x1, z) = (x as f64, end as f64, z as f64);
                    let outline = vec![[x0, z], [x1, z], [x1, z + 1.0], [x0, z + 1.0]];
                    areas.push(area(areas.len() + 1, AreaKind::Walk, 0, outline));
                }
                x = end + 1;
            }
        }
        areas
    };
    FlatInput { areas, ..FlatInput::default() }
}

/// Our bake of a map, on tiles of a size (512 cells a side).
pub(crate) fn bake(input: &FlatInput, tile_size: f64) -> TiledNavMesh {
    let settings = NavSettings {
        tile_size,
        cell_size: (tile_size / 8192.0).max(0.25),
        max_verts_per_poly: 16,
        ..NavSettings::default()
    };
    bake_mesh(input, &settings, &BakeOptions::default()).unwrap().0.mesh
}
