//! Parts of levels that clearance removes whole.

use std::collections::{BTreeMap, BTreeSet};

use super::gaps::outer_edges;
use super::scene::Scene;
use crate::bake::flat::faces::face_at;
use crate::bake::{AreaKind, Diagnostic, DiagnosticKind, Element};
use crate::format::{LinkKind, TiledNavMesh};
use crate::geom::union_find::UnionFind;

/// What is known of a part: its area, its outline's length, and the longest edge of it.
#[derive(Default)]
struct Part {
    doubled_area: f64,
    perimeter: f64,
    longest: f64,
    /// Middle of the longest edge, and the direction into the part there.
    middle: [f64; 2],
    inward: [f64; 2],
    level: usize,
    owner: Option<u32>,
}

/// Reports each part of a level (before seams join) that has no polygon in the whole `mesh`.
pub(super) fn report_vanished(scene: &Scene<'_>, mesh: &TiledNavMesh, radius: f32, diagnostics: &mut Vec<Diagnostic>) {
    let frame = &scene.drawing.frame;
    let mut parts: BTreeMap<u32, Part> = BTreeMap::new();
    let mut anchor: Option<[f64; 2]> = None;
    for wall in outer_edges(scene) {
        let part = parts.entry(wall.part).or_default();
        let o = *anchor.get_or_insert(wall.from);
        let (dx, dz) = (wall.to[0] - wall.from[0], wall.to[1] - wall.from[1]);
        let length = dx.hypot(dz);
        part.doubled_area += (wall.from[0] - o[0]) * dz - (wall.from[1] - o[1]) * dx;
        part.perimeter += length;
        part.level = wall.level;
        let is_walk = scene.drawing.rings[wall.owner as usize].kind == AreaKind::Walk;
        if is_walk && (part.owner.is_none() || length > part.longest) || part.longest == 0.0 {
            part.longest = length;
            part.middle = [f64::midpoint(wall.from[0], wall.to[0]), f64::midpoint(wall.from[1], wall.to[1])];
            part.inward = [-dz / length, dx / length];
        }
        if is_walk && (part.owner.is_none() || part.longest == length) {
            part.owner = Some(wall.owner);
        }
    }
    let left = parts_left(scene, mesh, parts.len());
    for (_, part) in parts.iter().filter(|(number, _)| !left.contains(number)) {
        // No part's clearance is less than its area by its outline; about half its mean width.
        let half_width = part.doubled_area / 2.0 / part.perimeter;
        let inside = |i: usize| part.middle[i] + part.inward[i] * half_width;
        let level = scene.drawing.levels[part.level];
        let measured = frame.length_from_units(half_width);
        let name = part.owner.map_or_else(|| "cut free by holes".to_owned(), |owner| scene.name(owner).to_owned());
        diagnostics.push(Diagnostic {
            kind: DiagnosticKind::VanishedUnderRadius,
            place: frame.world_from_unit(inside(0), inside(1)),
            level,
            element: part.owner.map_or(Element::Level(level), |owner| Element::Area(scene.area_id(owner))),
            measured,
            limit: f64::from(radius),
            message: format!(
                "a part of level {level} ({name}) vanishes: half its mean width is {measured:.3}, and no place of it lies \
                 {radius} from its walls"
            ),
        });
    }
}

/// The parts that polygons lie in, looked up at the largest one of each connected group of a level.
fn parts_left(scene: &Scene<'_>, mesh: &TiledNavMesh, most: usize) -> BTreeSet<u32> {
    let mut first_of_slot: Vec<u32> = vec![0; mesh.slots().len()];
    let mut total = 0;
    for (reference, tile) in mesh.tiles() {
        first_of_slot[reference.slot() as usize] = total;
        total += tile.polygons.len() as u32;
    }
    let mut sets = UnionFind::new(total as usize);
    for (reference, tile) in mesh.tiles() {
        let first = first_of_slot[reference.slot() as usize];
        for (index, polygon) in tile.polygons.iter().enumerate() {
            let here = first + index as u32;
            for &neighbour in tile.edge_neighbours[polygon.edges()].iter().filter(|&&neighbour| neighbour != 0) {
                if tile.polygons[neighbour as usize - 1].level() == polygon.level() {
                    sets.union(here, first + neighbour - 1);
                }
            }
            for link in mesh.links(reference.polygon(index as u32)) {
                let other = mesh.polygon(link.to).map(|(tile, index)| tile.polygons[index].level());
                if link.kind == LinkKind::Portal && other == Some(polygon.level()) {
                    sets.union(here, first_of_slot[link.to.slot() as usize] + link.to.polygon());
                }
            }
        }
    }
    // Root → the largest polygon's area, middle and level.
    let mut groups: BTreeMap<u32, (f64, [f64; 2], i8)> = BTreeMap::new();
    for (reference, tile) in mesh.tiles() {
        for (index, polygon) in tile.polygons.iter().enumerate() {
            let corners: Vec<[f64; 3]> = tile.edge_vertices[polygon.edges()]
                .iter()
                .map(|&vertex| tile.point_in_world(mesh.params(), tile.vertices[vertex as usize]))
                .collect();
            let (area, middle) = super::mesh::area_and_middle(&corners);
            let root = sets.find(first_of_slot[reference.slot() as usize] + index as u32);
            let group = groups.entry(root).or_insert((0.0, middle, polygon.level()));
            if area > group.0 {
                *group = (area, middle, polygon.level());
            }
        }
    }
    let mut left = BTreeSet::new();
    for (_, middle, level) in groups.into_values() {
        if left.len() == most {
            break;
        }
        let level = scene.drawing.levels.partition_point(|&number| number < level);
        let Some(place) = scene.drawing.frame.unit_from_world(middle) else { continue };
        let face = face_at(&scene.overlay.arrangement, &scene.overlay.faces, place);
        left.insert(scene.components.on_level(face, level));
    }
    left
}
