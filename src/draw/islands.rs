//! Islands: polygons that can reach each other, each with a colour, a direction of hatch and a number.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use super::navmesh::{polygon_in_world, polygon_refs, size_and_middle};
use super::{Anchor, Role, Shape};
use crate::format::{PolyRef, TileRef, TiledNavMesh};
use crate::query::Islands;

/// The islands of one mesh, ready to be drawn tile by tile.
#[derive(Clone, Debug)]
pub struct IslandShapes {
    islands: Islands,
    /// By slot, a number that changes with the islands of the tile's polygons.
    looks: BTreeMap<u32, u64>,
    /// The islands' numbers, counted from 1, on each level in the middle of the largest polygon there; with the level.
    pub labels: Vec<(i8, Shape)>,
}

impl IslandShapes {
    /// Looks through a mesh once. `islands` must be of this mesh.
    #[must_use]
    pub fn of(mesh: &TiledNavMesh, islands: Islands) -> Self {
        let mut looks = BTreeMap::new();
        let mut largest: BTreeMap<(u32, i8), (f64, [f64; 2])> = BTreeMap::new();
        for (tile_ref, tile) in mesh.tiles() {
            let mut look = DefaultHasher::new();
            for (index, poly) in polygon_refs(tile_ref, tile).enumerate() {
                let island = islands.of(poly);
                island.hash(&mut look);
                let Some(island) = island else { continue };
                let key = (island, tile.polygons[index].level());
                let (size, middle) = size_and_middle(&polygon_in_world(mesh.params(), tile, index));
                if largest.get(&key).is_none_or(|(most, _)| size > *most) {
                    largest.insert(key, (size, middle));
                }
            }
            looks.insert(tile_ref.slot(), look.finish());
        }
        let label = |((island, level), (_, at)): ((u32, i8), (f64, [f64; 2]))| {
            let text = format!("island {}", u64::from(island) + 1);
            (level, Shape::Text { at, text, anchor: Anchor::Center, role: Role::IslandLabel })
        };
        Self { islands, looks, labels: largest.into_iter().map(label).collect() }
    }

    /// Another number where a tile's polygons belong to other islands.
    #[must_use]
    pub fn look(&self, slot: u32) -> u64 {
        self.looks.get(&slot).copied().unwrap_or_default()
    }

    /// The number of a polygon's island; none for a closed one.
    #[must_use]
    pub fn island(&self, polygon: PolyRef) -> Option<u32> {
        self.islands.of(polygon)
    }

    /// The polygons of a tile that are on a level; closed ones belong to no island and are left out. `mesh` must be the
    /// one that these are of.
    #[must_use]
    pub fn tile(&self, mesh: &TiledNavMesh, tile_ref: TileRef, level: i8) -> Vec<Shape> {
        let Some(tile) = mesh.tile(tile_ref) else { return Vec::new() };
        let on_level = |index: &usize| tile.polygons[*index].level() == level;
        let refs = polygon_refs(tile_ref, tile).enumerate().filter(|(index, _)| on_level(index));
        refs.filter_map(|(index, poly)| {
            let role = Role::Island(self.islands.of(poly)?);
            Some(Shape::Convex { points: polygon_in_world(mesh.params(), tile, index), role })
        })
        .collect()
    }
}
