//! Tiles of two meshes, by position: the same, different, only in one.

use std::collections::BTreeSet;

use crate::format::{Tile, TilePosition, TiledNavMesh};

/// Where a tile's bytes hold its build fingerprint.
const FINGERPRINT: std::ops::Range<usize> = 8..24;
/// Most tiles that are listed one by one.
const MAX_LISTED: usize = 50;

/// What differs between the tiles of two meshes.
#[derive(Clone, Debug, Default)]
pub struct TileDiff {
    /// Tiles with the same bytes but for the build fingerprint.
    pub same: usize,
    /// Positions whose tiles differ, and how.
    pub different: Vec<(TilePosition, String)>,
    /// Positions of tiles in A alone.
    pub only_a: Vec<TilePosition>,
    /// Positions of tiles in B alone.
    pub only_b: Vec<TilePosition>,
    /// Tiles that are the same, but in another slot or of another generation.
    pub moved: usize,
    /// Slots in A and B, where they differ.
    pub slots: Option<(usize, usize)>,
}

impl TileDiff {
    /// Compares two meshes.
    #[must_use]
    pub fn of(a: &TiledNavMesh, b: &TiledNavMesh) -> Self {
        let mut diff = Self::default();
        let all =
            |mesh: &TiledNavMesh| mesh.tiles().map(|(_, tile)| tile.position()).collect::<BTreeSet<_>>();
        for position in all(a).union(&all(b)) {
            match (a.tile_at(*position), b.tile_at(*position)) {
                (Some((at_a, tile_a)), Some((at_b, tile_b))) => {
                    if let Some(how) = difference(tile_a, tile_b) {
                        diff.different.push((*position, how));
                    } else {
                        diff.same += 1;
                        diff.moved += usize::from(at_a != at_b);
                    }
                }
                (Some(_), None) => diff.only_a.push(*position),
                (None, _) => diff.only_b.push(*position),
            }
        }
        let counts = (a.slots().len(), b.slots().len());
        diff.slots = (counts.0 != counts.1).then_some(counts);
        diff
    }

    /// Whether there is no difference.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.different.is_empty()
            && self.only_a.is_empty()
            && self.only_b.is_empty()
            && self.moved == 0
            && self.slots.is_none()
    }

    /// A line for how many differ, and one for each of the first fifty.
    #[must_use]
    pub fn lines(&self) -> String {
        let (different, only_a, only_b) = (self.different.len(), self.only_a.len(), self.only_b.len());
        let mut text = format!(
            "tiles            {} the same, {different} different, {only_a} only in A, {only_b} only in B\n",
            self.same
        );
        if self.moved > 0 {
            let moved = self.moved;
            text += &format!("  of the same ones, {moved} in another slot or of another generation\n");
        }
        if let Some((a, b)) = self.slots {
            text += &format!("  A has {a} slots, B {b}\n");
        }
        let listed = self.different.iter().map(|(at, how)| format!("  different: {at}: {how}\n"));
        let only = |name: &'static str| move |at: &TilePosition| format!("  only in {name}: {at}\n");
        let listed = listed.chain(self.only_a.iter().map(only("A"))).chain(self.only_b.iter().map(only("B")));
        let all = different + only_a + only_b;
        text.extend(listed.take(MAX_LISTED));
        if all > MAX_LISTED {
            text += &format!("  and {} more\n", all - MAX_LISTED);
        }
        text
    }
}

/// The first thing in which two tiles differ, their build fingerprints aside.
fn difference(a: &Tile, b: &Tile) -> Option<String> {
    let (mut bytes_a, mut bytes_b) = (a.to_bytes(), b.to_bytes());
    bytes_a[FINGERPRINT].fill(0);
    bytes_b[FINGERPRINT].fill(0);
    if bytes_a == bytes_b {
        return None;
    }
    for (name, a, b) in [
        ("polygons", a.polygons.len(), b.polygons.len()),
        ("vertices", a.vertices.len(), b.vertices.len()),
        ("edges", a.edge_vertices.len(), b.edge_vertices.len()),
        ("detail meshes", a.detail_meshes.len(), b.detail_meshes.len()),
        ("detail vertices", a.detail_vertices.len(), b.detail_vertices.len()),
        ("detail triangles", a.detail_triangles.len(), b.detail_triangles.len()),
        ("off-mesh links", a.links.len(), b.links.len()),
    ] {
        if a != b {
            return Some(format!("{a} {name} in A, {b} in B"));
        }
    }
    if a.origin_y.to_bits() != b.origin_y.to_bits() {
        return Some(format!("origin_y is {} in A, {} in B", a.origin_y, b.origin_y));
    }
    if let Some(index) = first_different(&a.vertices, &b.vertices, |v| v.map(f32::to_bits)) {
        let ([ax, ay, az], [bx, by, bz]) = (a.vertices[index], b.vertices[index]);
        return Some(format!("vertex {index} is ({ax}, {ay}, {az}) in A, ({bx}, {by}, {bz}) in B"));
    }
    if let Some(index) = first_different(&a.polygons, &b.polygons, |p| (p.vertex_count, p.area, p.flags)) {
        let (p, q) = (a.polygons[index], b.polygons[index]);
        return Some(format!(
            "polygon {index} has {} corners, area {}, flags {} in A, {} corners, area {}, flags {} in B",
            p.vertex_count, p.area, p.flags, q.vertex_count, q.area, q.flags
        ));
    }
    if a.edge_vertices != b.edge_vertices {
        return Some("polygons have other corners".to_owned());
    }
    if a.edge_neighbours != b.edge_neighbours {
        return Some("other polygons are neighbours".to_owned());
    }
    if a.edge_sides != b.edge_sides {
        return Some("other edges are portals".to_owned());
    }
    let link = (0..a.links.len()).find(|&index| a.links[index] != b.links[index]);
    Some(
        link.map_or_else(
            || "height detail differs".to_owned(),
            |index| format!("off-mesh link {index} differs"),
        ),
    )
}

fn first_different<T, K: PartialEq>(a: &[T], b: &[T], key: impl Fn(&T) -> K) -> Option<usize> {
    a.iter().zip(b).position(|(a, b)| key(a) != key(b))
}
