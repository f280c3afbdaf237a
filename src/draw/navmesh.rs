//! A mesh: polygons by level, edges by what lies across them, tile rims, seams with rungs, links as arcs.

use std::collections::{BTreeMap, BTreeSet};

use super::{Anchor, Role, Shape, Sign};
use crate::format::{Link, LinkKind, NO_SIDE, NavMeshParams, OffMeshLink, Tile, TileRef, TiledNavMesh};

/// A mesh's or a tile's shapes, floor by floor, so that a higher floor can cover a lower one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshShapes {
    /// Per level, polygons.
    pub fills: BTreeMap<i8, Vec<Shape>>,
    /// Per level, inner edges and walls.
    pub edges: BTreeMap<i8, Vec<Shape>>,
    /// The rims of tiles.
    pub rims: Vec<Shape>,
    /// Stitched and lonely parts of border edges.
    pub borders: Vec<Shape>,
    /// Edge parts that two levels share.
    pub seams: Vec<Shape>,
    /// Off-mesh links.
    pub links: Vec<Shape>,
    /// Numbers of levels, one on each connected part of a floor.
    pub labels: Vec<Shape>,
}

/// Which off-mesh links are attached at both ends: (owner slot, index in the owner tile).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AttachedLinks(BTreeSet<(u32, u32)>);

impl AttachedLinks {
    /// Looks through all links of a mesh once.
    #[must_use]
    pub fn of(mesh: &TiledNavMesh) -> Self {
        let polygons = mesh.tiles().flat_map(|(tile_ref, tile)| polygon_refs(tile_ref, tile));
        let links = polygons.flat_map(|poly| mesh.links(poly));
        let jumps = links.filter(|link| link.kind != LinkKind::Portal);
        Self(jumps.map(|link| (link.owner_slot, link.link)).collect())
    }

    /// Whether a link is, by its owner's slot and its place there.
    #[must_use]
    pub fn has(&self, slot: u32, link: u32) -> bool {
        self.0.contains(&(slot, link))
    }

    /// Whether both say the same of the links that one tile owns.
    pub(super) fn agrees(&self, other: &Self, slot: u32) -> bool {
        let of_slot = (slot, 0)..=(slot, u32::MAX);
        self.0.range(of_slot.clone()).eq(other.0.range(of_slot))
    }
}

/// The shapes of a whole mesh.
#[must_use]
pub fn mesh_shapes(mesh: &TiledNavMesh) -> MeshShapes {
    let attached = AttachedLinks::of(mesh);
    let mut all = MeshShapes::default();
    for (tile_ref, _) in mesh.tiles() {
        all.append(tile_shapes(mesh, tile_ref, &attached));
    }
    all.labels = level_labels(mesh);
    all
}

/// The shapes of one tile, without labels; empty for a stale reference. They depend on the tile and on the links
/// that leave its polygons. A stitched border belongs to the tile on its lower side.
#[must_use]
pub fn tile_shapes(mesh: &TiledNavMesh, tile_ref: TileRef, attached: &AttachedLinks) -> MeshShapes {
    let mut shapes = MeshShapes::default();
    let Some(tile) = mesh.tile(tile_ref) else { return shapes };
    let mut lines = EdgeLines::default();
    for (index, poly) in tile.polygons.iter().enumerate() {
        let level = poly.level();
        let points = polygon_in_world(mesh.params(), tile, index);
        lines.add_polygon(mesh, tile_ref, tile, index, &points);
        let convex = Shape::Convex { points, role: Role::Polygon(level) };
        shapes.fills.entry(level).or_default().push(convex);
    }
    for ((level, role), segments) in lines.by_level {
        shapes.edges.entry(level).or_default().push(Shape::Lines { segments, role });
    }
    shapes.borders = [(lines.portals, Role::Portal), (lines.lonely, Role::LonelyPortal)]
        .into_iter()
        .filter(|(segments, _)| !segments.is_empty())
        .map(|(segments, role)| Shape::Lines { segments, role })
        .collect();
    shapes.seams = ladders(lines.seams);
    shapes.rims.push(rim(mesh.params(), tile));
    for (index, link) in tile.links.iter().enumerate() {
        let is_attached =
            u32::try_from(index).is_ok_and(|index| attached.0.contains(&(tile_ref.slot(), index)));
        link_shapes(mesh.params(), tile, link, is_attached, &mut shapes.links);
    }
    shapes
}

/// The line of an off-mesh link as a flat arc from `from` to `to`, bent to the left.
#[must_use]
pub fn link_arc(from: [f64; 2], to: [f64; 2]) -> Vec<[f64; 2]> {
    const STEPS: u8 = 16;
    let [dx, dz] = [to[0] - from[0], to[1] - from[1]];
    let middle = [0.5 * (from[0] + to[0]) - 0.36 * dz, 0.5 * (from[1] + to[1]) + 0.36 * dx];
    let at = |step: u8| {
        let t = f64::from(step) / f64::from(STEPS);
        let (a, b, c) = ((1.0 - t) * (1.0 - t), 2.0 * t * (1.0 - t), t * t);
        [0, 1].map(|axis| a * from[axis] + b * middle[axis] + c * to[axis])
    };
    (0..=STEPS).map(at).collect()
}

impl MeshShapes {
    /// Adds another tile's shapes.
    pub fn append(&mut self, other: Self) {
        let add = |into: &mut BTreeMap<i8, Vec<Shape>>, from: BTreeMap<i8, Vec<Shape>>| {
            from.into_iter().for_each(|(level, shapes)| into.entry(level).or_default().extend(shapes));
        };
        add(&mut self.fills, other.fills);
        add(&mut self.edges, other.edges);
        self.rims.extend(other.rims);
        self.borders.extend(other.borders);
        self.seams.extend(other.seams);
        self.links.extend(other.links);
        self.labels.extend(other.labels);
    }
}

/// A polygon's corners in world (x, z).
pub(super) fn polygon_in_world(params: &NavMeshParams, tile: &Tile, index: usize) -> Vec<[f64; 2]> {
    let vertices = tile.polygons[index].edges().map(|edge| tile.vertices[tile.edge_vertices[edge] as usize]);
    vertices.map(|vertex| in_world(params, tile, vertex)).collect()
}

fn in_world(params: &NavMeshParams, tile: &Tile, local: [f32; 3]) -> [f64; 2] {
    let x = params.tile_origin_x(tile.tile_x) + f64::from(local[0]);
    let z = params.tile_origin_z(tile.tile_z) + f64::from(local[2]);
    [x, z]
}

pub(super) fn polygon_refs(tile_ref: TileRef, tile: &Tile) -> impl Iterator<Item = crate::format::PolyRef> {
    let count = u32::try_from(tile.polygons.len()).unwrap_or(u32::MAX);
    (0..count).map(move |polygon| tile_ref.polygon(polygon))
}

type Segment = [[f64; 2]; 2];

#[derive(Default)]
struct EdgeLines {
    by_level: BTreeMap<(i8, Role), Vec<Segment>>,
    portals: Vec<Segment>,
    lonely: Vec<Segment>,
    seams: Vec<Segment>,
}

impl EdgeLines {
    fn add_polygon(
        &mut self,
        mesh: &TiledNavMesh,
        tile_ref: TileRef,
        tile: &Tile,
        index: usize,
        points: &[[f64; 2]],
    ) {
        let poly = &tile.polygons[index];
        let level = poly.level();
        let links = u32::try_from(index).map_or(&[][..], |index| mesh.links(tile_ref.polygon(index)));
        for (number, edge) in poly.edges().enumerate() {
            let ends = [points[number], points[(number + 1) % points.len()]];
            let neighbour = tile.edge_neighbours[edge] as usize;
            if tile.edge_sides[edge] != NO_SIDE {
                self.add_border(mesh, level, number, ends, tile.edge_sides[edge], links);
            } else if neighbour == 0 {
                self.by_level.entry((level, Role::Wall)).or_default().push(ends);
            } else if neighbour > index + 1 {
                let same = tile.polygons.get(neighbour - 1).is_none_or(|other| other.level() == level);
                if same {
                    self.by_level.entry((level, Role::InnerEdge)).or_default().push(ends);
                } else {
                    self.seams.push(ends);
                }
            }
        }
    }

    fn add_border(
        &mut self,
        mesh: &TiledNavMesh,
        level: i8,
        number: usize,
        ends: Segment,
        side: u8,
        links: &[Link],
    ) {
        let own = |link: &&Link| link.kind == LinkKind::Portal && usize::from(link.edge) == number;
        let mut covered: Vec<(u8, u8, bool)> = links
            .iter()
            .filter(own)
            .map(|link| {
                let other = mesh.polygon(link.to).map(|(tile, index)| tile.polygons[index].level());
                (link.range_min, link.range_max, other.is_some_and(|other| other != level))
            })
            .collect();
        covered.sort_unstable();
        let part = |min: u8, max: u8| [min, max].map(|at| between(ends, f64::from(at) / 255.0));
        let mut reached = 0_u8;
        for &(min, max, seam) in &covered {
            // Ranges are rounded outward to 255ths, so a real gap is wider than one of them.
            if min > reached.saturating_add(1) {
                self.lonely.push(part(reached, min));
            }
            if side < 2 {
                let list = if seam { &mut self.seams } else { &mut self.portals };
                list.push(part(min, max));
            }
            reached = reached.max(max);
        }
        if reached < 254 {
            self.lonely.push(part(reached, 255));
        }
    }
}

fn between(ends: Segment, t: f64) -> [f64; 2] {
    [0, 1].map(|axis| ends[0][axis] + (ends[1][axis] - ends[0][axis]) * t)
}

/// Pieces of one straight seam as one ladder each, so that the rungs run through.
fn ladders(mut pieces: Vec<Segment>) -> Vec<Shape> {
    for piece in &mut pieces {
        if (piece[1][0], piece[1][1]) < (piece[0][0], piece[0][1]) {
            piece.swap(0, 1);
        }
    }
    pieces.sort_by(|a, b| a[0][0].total_cmp(&b[0][0]).then(a[0][1].total_cmp(&b[0][1])));
    let mut joined: Vec<Segment> = Vec::new();
    for piece in pieces {
        match joined.iter_mut().find(|done| continues(done, &piece)) {
            Some(done) => done[1] = piece[1],
            None => joined.push(piece),
        }
    }
    joined.into_iter().map(|[from, to]| Shape::Ladder { from, to, role: Role::Seam }).collect()
}

fn continues(done: &Segment, piece: &Segment) -> bool {
    let [a, b] = [[done[0], done[1]], [piece[0], piece[1]]].map(|[p, q]| [q[0] - p[0], q[1] - p[1]]);
    let cross = a[0] * b[1] - a[1] * b[0];
    let lengths = a[0].hypot(a[1]) * b[0].hypot(b[1]);
    let gap = (done[1][0] - piece[0][0]).hypot(done[1][1] - piece[0][1]);
    gap < 1e-4 && cross.abs() < 1e-4 * lengths
}

fn rim(params: &NavMeshParams, tile: &Tile) -> Shape {
    let [x0, x1] = [0, 1].map(|step| params.tile_origin_x(tile.tile_x.saturating_add(step)));
    let [z0, z1] = [0, 1].map(|step| params.tile_origin_z(tile.tile_z.saturating_add(step)));
    let points = vec![[x0, z0], [x1, z0], [x1, z1], [x0, z1]];
    Shape::Polyline { points, closed: true, role: Role::TileBorder }
}

fn link_shapes(
    params: &NavMeshParams,
    tile: &Tile,
    link: &OffMeshLink,
    attached: bool,
    shapes: &mut Vec<Shape>,
) {
    let role = if attached { Role::Link } else { Role::LooseLink };
    let [from, to] = [link.start, link.end].map(|end| in_world(params, tile, end));
    let arc = link_arc(from, to);
    let head = |tip: [f64; 2], before: [f64; 2]| {
        let direction = [tip[0] - before[0], tip[1] - before[1]];
        Shape::Marker { at: tip, sign: Sign::ArrowHead(direction), role }
    };
    for center in [from, to] {
        shapes.push(Shape::Circle { center, radius: f64::from(link.radius), role: Role::LinkRadius });
    }
    let heads = [link.bidirectional.then(|| head(from, arc[1])), Some(head(to, arc[arc.len() - 2]))];
    shapes.push(Shape::Polyline { points: arc, closed: false, role });
    shapes.extend(heads.into_iter().flatten());
    let end_sign = if attached { Sign::Disc } else { Sign::RingCross };
    if !attached || !link.bidirectional {
        shapes.push(Shape::Marker { at: from, sign: end_sign, role });
    }
    if !attached {
        shapes.push(Shape::Marker { at: to, sign: end_sign, role });
    }
}

/// Of a level in more parts than this only the largest get its number: on all of them it would hide the small ones.
const MOST_NUMBERS: usize = 8;

/// The number of each connected part of a floor, in the middle of its largest polygon.
pub(super) fn level_labels(mesh: &TiledNavMesh) -> Vec<Shape> {
    let polygons: Vec<_> = mesh.tiles().flat_map(|(tile_ref, tile)| polygon_refs(tile_ref, tile)).collect();
    let index_of: BTreeMap<_, usize> =
        polygons.iter().enumerate().map(|(index, &poly)| (poly, index)).collect();
    let mut part = vec![usize::MAX; polygons.len()];
    let mut parts: BTreeMap<i8, Vec<(f64, [f64; 2])>> = BTreeMap::new();
    for start in 0..polygons.len() {
        if part[start] != usize::MAX {
            continue;
        }
        let mut whole = 0.0;
        let mut best: Option<(f64, [f64; 2], i8)> = None;
        let mut stack = vec![start];
        part[start] = start;
        while let Some(index) = stack.pop() {
            let Some((tile, polygon)) = mesh.polygon(polygons[index]) else { continue };
            let level = tile.polygons[polygon].level();
            let (size, middle) = size_and_middle(&polygon_in_world(mesh.params(), tile, polygon));
            whole += size;
            if best.is_none_or(|(most, _, _)| size > most) {
                best = Some((size, middle, level));
            }
            let tile_ref = polygons[index].tile();
            let inner =
                tile.polygons[polygon].edges().filter_map(|edge| tile.edge_neighbours[edge].checked_sub(1));
            let inner = inner.map(|neighbour| tile_ref.polygon(neighbour));
            let outer = mesh.links(polygons[index]).iter();
            let outer = outer.filter(|link| link.kind == LinkKind::Portal).map(|link| link.to);
            for next in inner.chain(outer).filter_map(|poly| index_of.get(&poly).copied()) {
                let same = mesh.polygon(polygons[next]).is_some_and(|(t, p)| t.polygons[p].level() == level);
                if same && part[next] == usize::MAX {
                    part[next] = start;
                    stack.push(next);
                }
            }
        }
        if let Some((_, at, level)) = best {
            parts.entry(level).or_default().push((whole, at));
        }
    }
    for parts in parts.values_mut() {
        parts.sort_by(|a, b| b.0.total_cmp(&a.0));
        parts.truncate(MOST_NUMBERS);
    }
    let labels = parts.iter().flat_map(|(level, parts)| {
        parts.iter().map(|&(_, at)| Shape::Text {
            at,
            text: level.to_string(),
            anchor: Anchor::Center,
            role: Role::LevelLabel,
        })
    });
    labels.collect()
}

pub(super) fn size_and_middle(points: &[[f64; 2]]) -> (f64, [f64; 2]) {
    let Some(&origin) = points.first() else { return (0.0, [0.0; 2]) };
    let (mut size, mut sum) = (0.0, [0.0; 2]);
    for pair in points.windows(2) {
        let [a, b] = [pair[0], pair[1]].map(|p| [p[0] - origin[0], p[1] - origin[1]]);
        let twice = a[0] * b[1] - a[1] * b[0];
        size += twice;
        sum = [sum[0] + (a[0] + b[0]) * twice, sum[1] + (a[1] + b[1]) * twice];
    }
    if size.abs() < f64::MIN_POSITIVE {
        return (0.0, origin);
    }
    (0.5 * size.abs(), [origin[0] + sum[0] / (3.0 * size), origin[1] + sum[1] / (3.0 * size)])
}
