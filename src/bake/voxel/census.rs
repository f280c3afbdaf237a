//! What findings about the whole mesh need of each tile, kept as long as the tile is the same: an edit pays for the tiles
//! that it changed and for those around them, and all others are joined part by part, not polygon by polygon.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::format::{PolyRef, SlotLinks, Tile, TilePosition, TileRef, TiledNavMesh};
use crate::geom::union_find::UnionFind;

/// See the file's front page.
#[derive(Debug, Default)]
pub(crate) struct Census {
    tiles: BTreeMap<TilePosition, TileCount>,
    /// How many polygons the last update looked at.
    pub(crate) looked_at: usize,
}

/// A part of the mesh that nothing joins to the rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Island {
    /// As seen from above.
    pub(crate) area: f64,
    /// The first of its polygons, by slot and number.
    pub(crate) first: PolyRef,
}

#[derive(Debug)]
struct TileCount {
    tile: Tile,
    /// Ascending.
    levels: Vec<i8>,
    /// Per polygon, the part of the tile that it belongs to.
    part_of: Vec<u32>,
    /// In the order of their first polygons.
    parts: Vec<Part>,
    links: Arc<SlotLinks>,
    leads: Vec<Lead>,
}

/// Polygons of a tile that its inner edges join.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) area: f64,
    first_polygon: u32,
    pub(crate) polygons: usize,
    /// The polygon with the largest area, the first of equal ones, and that area.
    pub(crate) largest: (u32, f64),
}

/// Of each tile, by its slot, which of its parts can be reached.
pub(crate) struct Reached(Vec<Vec<bool>>);

/// That a link joins a part of the tile to one of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Lead {
    part: u32,
    to_slot: u32,
    to_part: u32,
}

impl Census {
    /// Follows the mesh: looks at tiles that it did not know, and at the links of those that are linked anew.
    pub(crate) fn update(&mut self, mesh: &TiledNavMesh) {
        let mut old = std::mem::take(&mut self.tiles);
        let mut touched = BTreeSet::new();
        for (slot, tile) in mesh.tiles() {
            let kept = old.remove(&tile.position()).filter(|count| count.tile.is_same(tile));
            let links = &mesh.links[slot.slot() as usize];
            if kept.as_ref().is_none_or(|count| !Arc::ptr_eq(&count.links, links)) {
                touched.insert(slot);
            }
            self.tiles.insert(tile.position(), kept.unwrap_or_else(|| TileCount::new(tile, links)));
        }
        self.looked_at = 0;
        for slot in touched {
            let Some(tile) = mesh.tile(slot) else { continue };
            self.looked_at += tile.polygons.len();
            let leads = self.leads(mesh, slot, tile);
            if let Some(count) = self.tiles.get_mut(&tile.position()) {
                (count.leads, count.links) = (leads, Arc::clone(&mesh.links[slot.slot() as usize]));
            }
        }
    }

    /// The levels that polygons are on.
    pub(crate) fn levels(&self) -> BTreeSet<i8> {
        self.tiles.values().flat_map(|count| &count.levels).copied().collect()
    }

    /// The parts of the mesh that nothing joins, the one with the largest area first. The mesh must be that of the last
    /// update.
    pub(crate) fn islands(&self, mesh: &TiledNavMesh) -> Vec<Island> {
        let (mut first, mut total) = (Vec::with_capacity(mesh.slots().len()), 0);
        for slot in mesh.slots() {
            first.push(total);
            let count = slot.tile.as_ref().and_then(|tile| self.tiles.get(&tile.position()));
            total += count.map_or(0, |count| count.parts.len() as u32);
        }
        let counts =
            || mesh.tiles().filter_map(|(slot, tile)| Some((slot, self.tiles.get(&tile.position())?)));
        let mut sets = UnionFind::new(total as usize);
        for (slot, count) in counts() {
            for lead in &count.leads {
                let own = first[slot.slot() as usize] + lead.part;
                sets.union(own, first[lead.to_slot as usize] + lead.to_part);
            }
        }
        let mut islands: BTreeMap<u32, Island> = BTreeMap::new();
        for (slot, count) in counts() {
            for (number, part) in (first[slot.slot() as usize]..).zip(&count.parts) {
                let first = slot.polygon(part.first_polygon);
                islands.entry(sets.find(number)).or_insert(Island { area: 0.0, first }).area += part.area;
            }
        }
        let mut islands: Vec<Island> = islands.into_values().collect();
        islands.sort_by(|a, b| b.area.total_cmp(&a.area).then(a.first.cmp(&b.first)));
        islands
    }

    /// The parts that can be reached from some polygons along edges and links, these the way that they lead. The mesh
    /// must be that of the last update.
    pub(crate) fn reached(&self, mesh: &TiledNavMesh, from: impl Iterator<Item = PolyRef>) -> Reached {
        let of_slot = |slot: u32| self.of_tile(mesh.slots().get(slot as usize)?.tile.as_ref()?);
        let parts = |slot: u32| of_slot(slot).map_or(0, |count| count.parts.len());
        let mut reached: Vec<Vec<bool>> =
            (0..mesh.slots().len() as u32).map(|slot| vec![false; parts(slot)]).collect();
        let part_of = |polygon: PolyRef| {
            let count = of_slot(polygon.slot())?;
            Some((polygon.slot(), *count.part_of.get(polygon.polygon() as usize)?))
        };
        let mut stack: Vec<(u32, u32)> = from.filter_map(part_of).collect();
        while let Some((slot, part)) = stack.pop() {
            if std::mem::replace(&mut reached[slot as usize][part as usize], true) {
                continue;
            }
            let leads = of_slot(slot).map_or(&[][..], |count| &count.leads);
            let from = leads.partition_point(|lead| lead.part < part);
            let own = leads[from..].iter().take_while(|lead| lead.part == part);
            stack.extend(own.map(|lead| (lead.to_slot, lead.to_part)));
        }
        Reached(reached)
    }

    /// The parts of a tile, with whether each is reached.
    pub(crate) fn parts<'a>(
        &'a self,
        slot: TileRef,
        tile: &Tile,
        reached: &'a Reached,
    ) -> impl Iterator<Item = (&'a Part, bool)> {
        let parts = self.of_tile(tile).map_or(&[][..], |count| &count.parts);
        parts.iter().zip(reached.of(slot).iter().copied())
    }

    /// Whether each polygon of a tile belongs to one of the parts that are chosen.
    pub(crate) fn polygons_of(&self, tile: &Tile, chosen: &[bool]) -> Vec<bool> {
        let part_of = self.of_tile(tile).map_or(&[][..], |count| &count.part_of);
        part_of.iter().map(|&part| chosen[part as usize]).collect()
    }

    fn of_tile(&self, tile: &Tile) -> Option<&TileCount> {
        self.tiles.get(&tile.position())
    }

    fn leads(&self, mesh: &TiledNavMesh, slot: TileRef, tile: &Tile) -> Vec<Lead> {
        let Some(own) = self.tiles.get(&tile.position()) else { return Vec::new() };
        let mut leads = BTreeSet::new();
        for (polygon, &part) in (0..).zip(&own.part_of) {
            for link in mesh.links(slot.polygon(polygon)) {
                let Some((other, index)) = mesh.polygon(link.to) else { continue };
                let Some(count) = self.tiles.get(&other.position()) else { continue };
                leads.insert(Lead { part, to_slot: link.to.slot(), to_part: count.part_of[index] });
            }
        }
        leads.into_iter().collect()
    }
}

impl Reached {
    /// Per part of a tile.
    pub(crate) fn of(&self, slot: TileRef) -> &[bool] {
        &self.0[slot.slot() as usize]
    }
}

impl TileCount {
    /// Without leads.
    fn new(tile: &Tile, links: &Arc<SlotLinks>) -> Self {
        let mut sets = UnionFind::new(tile.polygons.len());
        for (index, polygon) in (0..).zip(&tile.polygons) {
            for &neighbour in tile.edge_neighbours[polygon.edges()].iter().filter(|&&other| other != 0) {
                sets.union(index, neighbour - 1);
            }
        }
        let (mut parts, mut part_of) = (Vec::new(), Vec::with_capacity(tile.polygons.len()));
        for index in 0..tile.polygons.len() as u32 {
            // The root is the least of its set, so that it came first.
            let root = sets.find(index);
            if root == index {
                part_of.push(parts.len() as u32);
                parts.push(Part { area: 0.0, first_polygon: index, polygons: 0, largest: (index, 0.0) });
            } else {
                part_of.push(part_of[root as usize]);
            }
            let (part, area) = (&mut parts[part_of[index as usize] as usize], area_of(tile, index as usize));
            part.area += area;
            part.polygons += 1;
            if area > part.largest.1 {
                part.largest = (index, area);
            }
        }
        let levels: BTreeSet<i8> = tile.polygons.iter().map(|polygon| polygon.level()).collect();
        Self {
            tile: tile.clone(),
            levels: levels.into_iter().collect(),
            part_of,
            parts,
            links: Arc::clone(links),
            leads: Vec::new(),
        }
    }
}

/// As seen from above, in square units.
pub(crate) fn area_of(tile: &Tile, polygon: usize) -> f64 {
    let corners: Vec<[f64; 2]> = tile.edge_vertices[tile.polygons[polygon].edges()]
        .iter()
        .map(|&corner| tile.vertices[corner as usize])
        .map(|[x, _, z]| [x.into(), z.into()])
        .collect();
    let next = corners.iter().cycle().skip(1);
    let twice: f64 = corners.iter().zip(next).map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum();
    0.5 * twice.abs()
}

/// World (x, z) of the mean of a polygon's corners.
pub(crate) fn middle_of(mesh: &TiledNavMesh, tile: &Tile, polygon: usize) -> [f64; 2] {
    let edges = tile.polygons[polygon].edges();
    let count = edges.len() as f64;
    let mut sum = [0.0; 2];
    for &corner in &tile.edge_vertices[edges] {
        let [x, _, z] = tile.point_in_world(mesh.params(), tile.vertices[corner as usize]);
        sum = [sum[0] + x, sum[1] + z];
    }
    sum.map(|value| value / count)
}
