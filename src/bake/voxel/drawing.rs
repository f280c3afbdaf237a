//! Drawn areas as input of a voxel bake: floors at their surfaces, and marks on whatever else lies there.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::bake::{
    AreaKind, AreaMark, BakeError, BakeOptions, Diagnostic, DiagnosticKind, Element, FlatArea, FlatInput,
    MarkKind, Surface, TriangleMesh, VoxelInput, bake_mesh,
};
use crate::format::{NavSettings, Polygon, RawTile};

impl VoxelInput {
    /// Adds the drawn areas; answers what a flat bake has to say about them.
    ///
    /// Walk areas, joined and cut as in a flat bake, become floors. Where other geometry is walkable over or under a
    /// walk area, from `walkable_climb` below its surface to `agent_height` above it (but not up to the next level),
    /// it takes the area's type, flags and level. In a hole, from the climb below its level to the agent's height
    /// above it, nothing is walkable.
    ///
    /// # Errors
    /// As [`bake_mesh`].
    pub fn add_drawing(
        &mut self,
        drawing: &FlatInput,
        settings: &NavSettings,
    ) -> Result<Vec<Diagnostic>, BakeError> {
        let flat = NavSettings { agent_radius: 0.0, links: Vec::new(), ..settings.clone() };
        let (floors, mut report) = bake_mesh(drawing, &flat, &BakeOptions::default())?;
        let mut meshes: BTreeMap<(u8, u16), TriangleMesh> = BTreeMap::new();
        for (_, tile) in floors.mesh.tiles() {
            for polygon in &tile.polygons {
                let mesh = meshes.entry((polygon.area, polygon.flags)).or_insert_with(|| TriangleMesh {
                    name: format!("drawn areas of level {}", polygon.level()),
                    area_type: Some(polygon.area),
                    flags: Some(polygon.flags as u8),
                    level: polygon.level(),
                    ..TriangleMesh::default()
                });
                add_fan(mesh, tile, polygon, |local| tile.point_in_world(floors.mesh.params(), local));
            }
        }
        self.meshes.extend(meshes.into_values());
        self.marks.extend(drawing.areas.iter().map(|area| mark_of(area, drawing, settings)));
        // What is alone, or nothing, in the drawing may not be so with the geometry: that is seen after the bake.
        let idle = report.diagnostics.iter().filter(|said| said.kind == DiagnosticKind::HoleCutsNothing);
        self.idle_holes.extend(idle.filter_map(|said| match said.element {
            Element::Area(id) => Some(id),
            _ => None,
        }));
        report.diagnostics.retain(|diagnostic| {
            let kind = diagnostic.kind;
            ![DiagnosticKind::HoleCutsNothing, DiagnosticKind::LevelEmpty, DiagnosticKind::Island]
                .contains(&kind)
        });
        Ok(report.diagnostics)
    }
}

/// Adds a polygon. Polygons wind the other way than triangles that face up.
fn add_fan(
    mesh: &mut TriangleMesh,
    tile: &RawTile,
    polygon: &Polygon,
    world_from_local: impl Fn([f32; 3]) -> [f64; 3],
) {
    let base = mesh.vertices.len() as u32;
    let corners = &tile.edge_vertices[polygon.edges()];
    let places = corners.iter().map(|&corner| world_from_local(tile.vertices[corner as usize]));
    Arc::make_mut(&mut mesh.vertices).extend(places);
    let count = corners.len() as u32;
    Arc::make_mut(&mut mesh.triangles)
        .extend((2..count).map(|corner| [base, base + corner, base + corner - 1]));
}

fn mark_of(area: &FlatArea, drawing: &FlatInput, settings: &NavSettings) -> AreaMark {
    let (climb, height) = (f64::from(settings.walkable_climb), f64::from(settings.agent_height));
    let [low, high] = surface_range(area, drawing).map(|y| y + settings.height);
    let (kind, top) = match area.kind {
        AreaKind::Hole => (MarkKind::Hole, high + height),
        AreaKind::Walk => {
            let flags = area.flags.unwrap_or(settings.flags as u8);
            let area_type = area.area_type.unwrap_or(settings.area);
            let next = elevations(drawing)
                .map(|(_, y)| y + settings.height)
                .filter(|&y| y > high)
                .fold(f64::INFINITY, f64::min);
            (MarkKind::Area { area_type, flags }, (high + height).min(next - climb).max(high))
        }
    };
    AreaMark {
        id: area.id,
        name: area.name.clone(),
        kind,
        level: area.level,
        outline: area.outline.clone(),
        low: low - climb,
        high: top,
    }
}

/// Levels that some area stands on, with their elevations.
fn elevations(drawing: &FlatInput) -> impl Iterator<Item = (i8, f64)> {
    drawing.areas.iter().map(|area| (area.level, drawing.elevation(area.level)))
}

/// The lowest and highest y of an area's surface above the settings' height. A ramp goes as far as the levels next to
/// its own.
fn surface_range(area: &FlatArea, drawing: &FlatInput) -> [f64; 2] {
    let own = drawing.elevation(area.level);
    match (&area.surface, area.kind) {
        (Surface::Heights(heights), AreaKind::Walk) if !heights.is_empty() => {
            let low = heights.iter().copied().fold(f64::INFINITY, f64::min);
            [low, heights.iter().copied().fold(f64::NEG_INFINITY, f64::max)]
        }
        (Surface::Ramp, AreaKind::Walk) => {
            let below =
                elevations(drawing).filter(|&(level, _)| level < area.level).max_by_key(|&(level, _)| level);
            let above =
                elevations(drawing).filter(|&(level, _)| level > area.level).min_by_key(|&(level, _)| level);
            let ends = [below, above].into_iter().flatten().map(|(_, y)| y);
            [ends.clone().fold(own, f64::min), ends.fold(own, f64::max)]
        }
        _ => [own, own],
    }
}
