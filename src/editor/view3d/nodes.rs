//! What the 3D view shows, for screen readers and tests: a node with name, role and place for each thing in sight.

use egui::accesskit::Role;
use egui::{Id, Rect, Ui, pos2};

use super::projector::Projector;
use super::space::Vec3;
use crate::bake::AreaKind;
use crate::editor::canvas::nodes::place;
use crate::editor::state::State;

/// Most areas and links that get nodes; the Outline lists all of them.
const MOST: usize = 400;

/// Adds the nodes; nothing happens while nobody reads them.
pub(super) fn add(ui: &Ui, picture: Rect, projector: &Projector<'_>, state: &State) {
    let context = ui.ctx();
    if context.accesskit_node_builder(ui.scope_id(), |_| ()).is_none() {
        return;
    }
    let base = Id::unique("3D node");
    let put = |id: Id, label: String, shown: &[Vec3]| {
        let seen = shown.iter().filter_map(|&place| projector.lens.pixel(place));
        #[allow(clippy::cast_possible_truncation, reason = "pixels")]
        let seen: Vec<egui::Pos2> = seen.map(|[x, y]| pos2(x as f32, y as f32)).collect();
        let rect = Rect::from_points(&seen).expand(2.0).intersect(picture);
        if !rect.is_positive() {
            return;
        }
        place(context, id, Role::GraphicsObject, label, rect);
    };
    let document = state.document();
    let stack = projector.stack;
    for outline in projector.scene.outlines().filter(|outline| stack.standing(outline.level).shown).take(MOST)
    {
        let Some(area) = document.area(outline.area) else { continue };
        let kind = if area.kind == AreaKind::Walk { "walk area" } else { "hole" };
        let shown: Vec<Vec3> =
            outline.corners.iter().map(|&corner| stack.shown_at(corner, outline.level)).collect();
        let label = format!("3D: {} ({kind}, level {})", area.name, area.level);
        put(base.with(("area", outline.area.0)), label, &shown);
    }
    for loaded in state.geometry.items.iter().take(MOST) {
        let label = format!("3D: {} (geometry, {} triangles)", loaded.item.name(), loaded.triangles);
        let bounds = loaded.bounds.map_or(Vec::new(), |bounds| bounds.to_vec());
        put(base.with(("geometry", loaded.item.id.0)), label, &bounds);
    }
}
