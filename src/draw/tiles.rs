//! A mesh's shapes tile by tile, so that a change of the mesh makes anew only what it touches.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::navmesh::{AttachedLinks, level_labels, tile_shapes};
use super::{MeshShapes, Shape, Storeys};
use crate::format::{Link, TileRef, TiledNavMesh};

/// Shapes of each tile.
#[derive(Clone, Debug, Default)]
pub struct TileShapes {
    /// By slot.
    pub tiles: BTreeMap<u32, Arc<MeshShapes>>,
    /// Numbers of levels, one on each connected part of a floor; none where floors of one level lie over each other and
    /// there is no other level, since a number that all have tells none from another.
    pub labels: Arc<Vec<Shape>>,
    /// How floors are shaded that lie over each other.
    pub storeys: Option<Storeys>,
}

impl TileShapes {
    /// The shapes of a mesh. Those of `before`, another mesh with its shapes, are taken over where the tile, its links
    /// and the levels that these lead to are the same.
    #[must_use]
    pub fn of(mesh: &TiledNavMesh, before: Option<(&TiledNavMesh, &Self)>) -> Self {
        let attached = AttachedLinks::of(mesh);
        let before = before.filter(|(old, _)| old.params() == mesh.params());
        let before = before.map(|(old, shapes)| (old, shapes, AttachedLinks::of(old)));
        let mut tiles = BTreeMap::new();
        for (tile_ref, _) in mesh.tiles() {
            let kept = before.as_ref().and_then(|(old, shapes, old_attached)| {
                let same = is_same(mesh, old, tile_ref) && attached.agrees(old_attached, tile_ref.slot());
                same.then(|| shapes.tiles.get(&tile_ref.slot()).cloned()).flatten()
            });
            let shapes = kept.unwrap_or_else(|| Arc::new(tile_shapes(mesh, tile_ref, &attached)));
            tiles.insert(tile_ref.slot(), shapes);
        }
        let storeys = Storeys::of(mesh);
        let levels: BTreeSet<i8> = tiles.values().flat_map(|shapes| shapes.fills.keys().copied()).collect();
        let labels = if storeys.is_some() && levels.len() < 2 { Vec::new() } else { level_labels(mesh) };
        Self { tiles, labels: Arc::new(labels), storeys }
    }
}

/// Whether a tile looks the same in both meshes.
fn is_same(mesh: &TiledNavMesh, old: &TiledNavMesh, tile_ref: TileRef) -> bool {
    let (Some(tile), Some(old_tile)) = (mesh.tile(tile_ref), old.tile(tile_ref)) else { return false };
    let level = |mesh: &TiledNavMesh, link: &Link| {
        mesh.polygon(link.to).map(|(tile, index)| tile.polygons[index].level())
    };
    tile.is_same(old_tile)
        && (0_u32..).zip(&tile.polygons).all(|(index, _)| {
            let poly = tile_ref.polygon(index);
            let (links, old_links) = (mesh.links(poly), old.links(poly));
            links == old_links && links.iter().all(|link| level(mesh, link) == level(old, link))
        })
}
