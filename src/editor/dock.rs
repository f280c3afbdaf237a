//! Panels that are moved, tabbed and resized by their tabs.

use egui::{Color32, Frame, Stroke, Ui, Visuals, WidgetText};
use egui_material_icons::icons::{ICON_ACCOUNT_TREE, ICON_TUNE};
use egui_tiles::{Behavior, SimplificationOptions, TabState, Tabs, Tile, TileId, Tiles, Tree, UiResponse};

use super::action::Action;
use super::canvas::{Canvas, Wish};
use super::layout::{Layout, Pane};
use super::panels::{bake, history, issues, outline, plots, properties};
use super::shown::{Seen, Shown};
use super::state::State;
use super::style;
use super::view3d::View3d;

/// Below this width of the window, in points, side panels are icons.
pub const NARROW: f32 = 1280.0;

/// The side panels of a narrow window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sides {
    /// Whether the window is narrow.
    pub narrow: bool,
    /// The one that was opened all the same.
    pub open: Option<Pane>,
}

impl Sides {
    fn hides(self, pane: Pane) -> bool {
        self.narrow && Pane::SIDES.contains(&pane) && self.open != Some(pane)
    }

    /// Shows the icons of the side panels in a narrow window, each on its side; a click opens or closes its panel.
    pub(super) fn strips(&mut self, ui: &mut Ui, shown: &Shown) {
        if !self.narrow {
            return;
        }
        for pane in Pane::SIDES.into_iter().filter(|pane| pane.is_shown(shown)) {
            let (panel, icon) = match pane {
                Pane::Outline => (egui::Panel::left("left strip"), ICON_ACCOUNT_TREE),
                _ => (egui::Panel::right("right strip"), ICON_TUNE),
            };
            let frame =
                Frame::new().fill(style::of(ui.ctx()).bar).inner_margin(egui::Margin::symmetric(3, 6));
            panel.frame(frame).exact_size(36.0).resizable(false).show(ui, |ui| {
                let open = self.open == Some(pane);
                let button = egui::Button::selectable(open, icon.rich_text().size(19.0));
                let response = ui.add(button.min_size(egui::vec2(30.0, 30.0)));
                let label = format!("{} {}", if open { "Close" } else { "Open" }, pane.title());
                response.widget_info(|| {
                    egui::WidgetInfo::selected(egui::Role::Button, true, open, label.clone())
                });
                if response.on_hover_text(pane.title()).clicked() {
                    self.open = (!open).then_some(pane);
                }
            });
        }
    }
}

/// Brings the canvas and the 3D view beside each other where they are tabs of one place.
pub(super) fn part(tree: &mut Tree<Pane>) {
    let Some(mut layout) = Layout::of(tree) else { return };
    if layout.take_view3d() {
        *tree = layout.tree();
    }
}

/// Shows the panels that are to be shown; what was picked, and what the canvas wishes.
pub(super) fn show(
    ui: &mut Ui,
    tree: &mut Tree<Pane>,
    sides: Sides,
    state: &mut State,
    (canvas, view3d): (&mut Canvas, &mut View3d),
    memory: &mut outline::Memory,
) -> (Vec<Action>, Wish) {
    let panes: Vec<(TileId, Pane)> = tree
        .tiles
        .iter()
        .filter_map(|(id, tile)| if let Tile::Pane(pane) = tile { Some((*id, *pane)) } else { None })
        .collect();
    for &(id, pane) in &panes {
        let wanted = pane.is_shown(&state.shown) && !sides.hides(pane);
        if tree.is_visible(id) != wanted {
            tree.set_visible(id, wanted);
        }
    }
    let context = ui.ctx().clone();
    let alone = state.shown.views != Seen::Split;
    let is_view = |tile: &&(TileId, Pane)| alone && matches!(tile.1, Pane::Canvas | Pane::View3d);
    let nameless = panes.iter().filter(is_view).map(|(id, _)| *id).collect();
    let (picked, wish) = (Vec::new(), Wish::default());
    let mut panels = Panels { context, state, canvas, view3d, nameless, memory, picked, wish };
    tree.ui(&mut panels, ui);
    (panels.picked, panels.wish)
}

struct Panels<'a> {
    context: egui::Context,
    state: &'a mut State,
    canvas: &'a mut Canvas,
    view3d: &'a mut View3d,
    /// Panels that need no name while they are alone.
    nameless: Vec<TileId>,
    memory: &'a mut outline::Memory,
    picked: Vec<Action>,
    wish: Wish,
}

impl Behavior<Pane> for Panels<'_> {
    fn pane_ui(&mut self, ui: &mut Ui, _id: TileId, pane: &mut Pane) -> UiResponse {
        if *pane == Pane::Canvas {
            self.wish.add(self.canvas.show(ui, self.state));
            return UiResponse::None;
        }
        if *pane == Pane::View3d {
            self.wish.add(self.view3d.show(ui, self.state));
            return UiResponse::None;
        }
        let frame: Frame = style::side_frame(ui.ctx());
        frame.show(ui, |ui| {
            ui.set_min_size(ui.available_size());
            match pane {
                Pane::Outline => outline::show(ui, self.state, self.memory),
                Pane::Properties => self.picked.extend(properties::show(ui, self.state)),
                Pane::Issues => self.picked.extend(issues::show(ui, self.state)),
                Pane::Bake => self.picked.extend(bake::show(ui, self.state)),
                Pane::History => history::show(ui, self.state),
                Pane::Plots => self.picked.extend(plots::show(ui, self.state)),
                Pane::Canvas | Pane::View3d => {}
            }
        });
        UiResponse::None
    }

    fn tab_title_for_pane(&mut self, pane: &Pane) -> WidgetText {
        let count: usize = self.state.issue_counts().into_iter().sum();
        match pane {
            Pane::Issues if count > 0 => format!("Issues {count}").into(),
            pane => pane.title().into(),
        }
    }

    fn is_tab_bar_visible(&self, _id: TileId, tabs: &Tabs) -> bool {
        tabs.children.len() > 1 || !tabs.children.first().is_some_and(|id| self.nameless.contains(id))
    }

    fn simplification_options(&self) -> SimplificationOptions {
        SimplificationOptions {
            all_panes_must_have_tabs: true,
            // The canvas and the 3D view share their own room: that of the one that is hidden is the other's.
            join_nested_linear_containers: false,
            ..SimplificationOptions::default()
        }
    }

    fn gap_width(&self, _style: &egui::Style) -> f32 {
        2.0
    }

    fn min_size(&self) -> f32 {
        84.0
    }

    fn tab_bar_height(&self, _style: &egui::Style) -> f32 {
        24.0
    }

    fn tab_bar_color(&self, _visuals: &Visuals) -> Color32 {
        style::of(&self.context).bar
    }

    fn tab_bg_color(
        &self,
        _visuals: &Visuals,
        _tiles: &Tiles<Pane>,
        _id: TileId,
        state: &TabState,
    ) -> Color32 {
        let colors = style::of(&self.context);
        if state.active { colors.panel } else { colors.bar }
    }

    fn tab_outline_stroke(
        &self,
        _visuals: &Visuals,
        _tiles: &Tiles<Pane>,
        _id: TileId,
        _state: &TabState,
    ) -> Stroke {
        Stroke::NONE
    }

    fn tab_bar_hline_stroke(&self, _visuals: &Visuals) -> Stroke {
        Stroke::NONE
    }

    fn tab_text_color(
        &self,
        _visuals: &Visuals,
        _tiles: &Tiles<Pane>,
        _id: TileId,
        state: &TabState,
    ) -> Color32 {
        let colors = style::of(&self.context);
        if state.active { colors.strong } else { colors.weak }
    }
}
