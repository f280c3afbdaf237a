//! Badges of issues over the 3D picture: where they are seen, and their signs, which are made once and then only moved.

use std::sync::Arc;

use egui::{Mesh, Shape, Vec2};

use super::heights::Heights;
use super::levels::Stack;
use super::projector::Projector;
use super::space::Vec3;
use crate::bake::{Diagnostic, Severity};
use crate::draw::{self, Theme, View};
use crate::editor::canvas::ink::Ink;
use crate::editor::state::State;
use crate::project::{Spot, link_of};

/// Most issues that are shown.
const MOST: usize = 300;

/// The signs for one look of the window, by severity.
#[derive(Debug, Default)]
pub struct Stamps {
    made_for: Option<(Theme, u32)>,
    signs: [Arc<Mesh>; 3],
}

impl Stamps {
    fn update(&mut self, context: &egui::Context, theme: Theme) {
        let made_for = Some((theme, context.pixels_per_point().to_bits()));
        if self.made_for == made_for {
            return;
        }
        self.made_for = made_for;
        let severities = [Severity::Note, Severity::Warning, Severity::Error];
        self.signs = severities.map(|severity| {
            let shape = draw::issue_sign([0.0; 2], severity);
            let view = View { center: [0.0; 2], scale: 1.0, min: [-50.0; 2], max: [50.0; 2] };
            let (mesh, _) = Ink::new(context).apart(|ink| draw::paint(&[shape], &view, theme, ink));
            Arc::new(mesh)
        });
    }
}

/// All badges that are seen, worst on top.
pub(super) fn paint(
    context: &egui::Context,
    stamps: &mut Stamps,
    state: &State,
    projector: &Projector<'_>,
    heights: &mut Heights,
    theme: Theme,
) -> Option<Shape> {
    let mut all = places(state, projector.stack, heights);
    if all.is_empty() {
        return None;
    }
    stamps.update(context, theme);
    let severity = |index: usize| state.issues()[index].kind.severity();
    all.sort_by_key(|(index, _)| severity(*index));
    let mut mesh = Mesh::default();
    for (index, place) in all {
        let Some([x, y]) = projector.lens.pixel(place) else { continue };
        let sign = match severity(index) {
            Severity::Note => &stamps.signs[0],
            Severity::Warning => &stamps.signs[1],
            Severity::Error => &stamps.signs[2],
        };
        #[allow(clippy::cast_possible_truncation, reason = "pixels")]
        let by = Vec2::new(x as f32, y as f32);
        let Ok(first) = u32::try_from(mesh.vertices.len()) else { break };
        mesh.vertices.extend(sign.vertices.iter().map(|vertex| {
            let mut moved = *vertex;
            moved.pos += by;
            moved
        }));
        mesh.indices.extend(sign.indices.iter().map(|index| first + index));
    }
    Some(Shape::mesh(mesh))
}

/// The issues that are shown, by their places in the list, and where.
pub(super) fn places(state: &State, stack: &Stack, heights: &mut Heights) -> Vec<(usize, Vec3)> {
    let all = state.issues();
    let shown = state.shown_issues().iter().copied().take(MOST);
    let shown = shown.filter(|&index| all.get(index).is_some_and(|issue| stack.standing(issue.level).shown));
    let mut place = |index: usize| {
        let issue: &Diagnostic = &all[index];
        // At the height of the link's end that it is about.
        let ends = link_of(state.document(), issue).map(|link| [link.start_spot(), link.end_spot()]);
        let mut ends = ends.into_iter().flatten();
        let end = ends.find(|end| end.at == issue.place && end.level == issue.level);
        let spot = end.unwrap_or(Spot { at: issue.place, level: issue.level, y: None });
        let height = heights.at(state, spot);
        stack.shown_at([issue.place[0], height, issue.place[1]], issue.level)
    };
    shown.map(|index| (index, place(index))).collect()
}
