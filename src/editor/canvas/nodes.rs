//! What the canvas shows, for screen readers and tests: a node with name, role and place for each thing in sight.

use egui::accesskit::{self, Role};
use egui::{Id, Pos2, Rect, vec2};

use super::pick::{Item, POINT_PIXELS};
use crate::bake::AreaKind;
use crate::draw::View;
use crate::editor::state::State;
use crate::editor::told;
use crate::editor::words;

/// Most areas, links and badges that get nodes; the Outline lists all of them.
const MOST: usize = 400;

/// Adds the nodes; nothing happens while nobody reads them.
pub fn add(ui: &egui::Ui, canvas: Rect, view: &View, state: &State) {
    let context = ui.ctx();
    if context.accesskit_node_builder(ui.scope_id(), |_| ()).is_none() {
        return;
    }
    let document = state.document();
    let base = Id::unique("canvas-node");
    let put = |id: Id, role: Role, label: String, rect: Rect| {
        let rect = rect.intersect(canvas);
        if !rect.is_positive() {
            return;
        }
        place(context, id, role, label, rect);
    };
    let pixel = |place: [f64; 2]| -> Pos2 { view.pixel_from_world(place).into() };
    #[allow(clippy::cast_possible_truncation, reason = "a small constant")]
    let spot = |at: Pos2| Rect::from_center_size(at, vec2(2.0, 2.0) * POINT_PIXELS as f32);
    for area in document.areas.iter().filter(|area| area.level == state.level).take(MOST) {
        let rect = Rect::from_points(&area.points.iter().map(|&point| pixel(point)).collect::<Vec<_>>());
        let kind = if area.kind == AreaKind::Walk { "walk area" } else { "hole" };
        let label = format!("{} ({kind}, level {}, {} points)", area.name, area.level, area.points.len());
        put(base.with(("area", area.id.0)), Role::GraphicsObject, label, rect);
    }
    for area in state.selection.areas(document).take(8) {
        for (index, &point) in area.points.iter().enumerate().take(MOST) {
            let label = format!("{}, point {}: {}", area.name, index + 1, words::place(point));
            put(base.with(("point", area.id.0, index)), Role::GraphicsSymbol, label, spot(pixel(point)));
        }
    }
    let here = |level: i8| level == state.level;
    for link in document.links.iter().filter(|link| here(link.start_level) || here(link.end_level)).take(MOST)
    {
        let rect = Rect::from_two_pos(pixel(link.start), pixel(link.end)).expand(4.0);
        let label = format!("{} (link, level {} › {})", link.name, link.start_level, link.end_level);
        put(base.with(("link", link.id.0)), Role::GraphicsObject, label, rect);
    }
    for picture in document.pictures.iter().filter(|picture| here(picture.level)) {
        let Some(Ok(size)) = state.picture_sizes.get(&picture.id) else { continue };
        let corners = picture.bounds(*size).map(pixel);
        let label = format!("{} (reference picture, level {})", picture.name(), picture.level);
        put(base.with(("picture", picture.id.0)), Role::Image, label, Rect::from_points(&corners));
    }
    for loaded in
        state.geometry.items.iter().filter(|loaded| !state.marks.is_hidden(Item::Geometry(loaded.item.id)))
    {
        let Some([low, high]) = loaded.bounds else { continue };
        let rect = Rect::from_two_pos(pixel([low[0], low[2]]), pixel([high[0], high[2]]));
        let label = format!("{} (geometry, {} triangles)", loaded.item.name(), loaded.triangles);
        put(base.with(("geometry", loaded.item.id.0)), Role::Image, label, rect);
    }
    let shown = state.shown_issues().iter().map(|&index| (index, &state.issues()[index]));
    for (index, issue) in shown.filter(|(_, issue)| here(issue.level)).take(MOST) {
        let label = format!("{}: {}", words::severity(issue.kind.severity()), issue.message);
        put(base.with(("issue", index)), Role::GraphicsSymbol, label, spot(pixel(issue.place)));
    }
    if let Some(text) = told::path(state) {
        put(base.with("path"), Role::Status, text, canvas);
    }
}

/// A node with its place on the screen.
pub(in crate::editor) fn place(context: &egui::Context, id: Id, role: Role, label: String, rect: Rect) {
    context.accesskit_node_builder(id, |node| {
        node.set_role(role);
        node.set_label(label);
        node.set_bounds(accesskit::Rect {
            x0: rect.min.x.into(),
            y0: rect.min.y.into(),
            x1: rect.max.x.into(),
            y1: rect.max.y.into(),
        });
    });
}
