//! Panels that are moved, tabbed and resized by their tabs; the layout is the user's, not the map's.

use egui::{Color32, Frame, Stroke, Ui, Visuals, WidgetText};
use egui_material_icons::icons::{ICON_ACCOUNT_TREE, ICON_TUNE};
use egui_tiles::{
    Behavior, Container, Linear, LinearDir, SimplificationOptions, TabState, Tabs, Tile, TileId, Tiles, Tree,
    UiResponse,
};
use serde::{Deserialize, Serialize};

use super::action::Action;
use super::canvas::{Canvas, Wish};
use super::panels::{bake, history, issues, outline, plots, properties};
use super::state::{Seen, Shown, State};
use super::style;
use super::view3d::View3d;

/// A panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum Pane {
    Outline,
    Canvas,
    View3d,
    Properties,
    Issues,
    Bake,
    History,
    Plots,
}

impl Pane {
    const ALL: [Self; 8] = [
        Self::Outline,
        Self::Canvas,
        Self::View3d,
        Self::Properties,
        Self::Issues,
        Self::Bake,
        Self::History,
        Self::Plots,
    ];

    fn title(self) -> &'static str {
        match self {
            Self::Outline => "Outline",
            Self::Canvas => "Canvas",
            Self::View3d => "3D",
            Self::Properties => "Properties",
            Self::Issues => "Issues",
            Self::Bake => "Bake",
            Self::History => "History",
            Self::Plots => "Plots",
        }
    }

    /// Side panels make room in a narrow window.
    pub(super) const SIDES: [Self; 2] = [Self::Outline, Self::Properties];

    fn is_shown(self, shown: &Shown) -> bool {
        match self {
            Self::Outline => shown.outline,
            Self::Canvas => shown.views != Seen::Solid,
            Self::View3d => shown.views != Seen::Flat,
            Self::Properties => shown.properties,
            Self::Issues | Self::Bake | Self::Plots => shown.issues,
            Self::History => shown.history,
        }
    }
}

/// A layout as it is kept: shares are relative.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum Layout {
    Panel(Pane),
    Tabs { panels: Vec<Self>, active: usize },
    Row(Vec<(f32, Self)>),
    Column(Vec<(f32, Self)>),
}

/// The canvas with the 3D view beside it.
pub(super) fn views() -> Layout {
    let alone = |pane| Layout::Tabs { panels: vec![Layout::Panel(pane)], active: 0 };
    Layout::Row(vec![(50.0, alone(Pane::Canvas)), (50.0, alone(Pane::View3d))])
}

/// The layout that a new user has.
#[must_use]
pub fn standard() -> Layout {
    let tabs = |panels: &[Pane]| Layout::Tabs {
        panels: panels.iter().map(|&pane| Layout::Panel(pane)).collect(),
        active: 0,
    };
    let below = vec![(64.0, tabs(&[Pane::Issues, Pane::History, Pane::Plots])), (36.0, tabs(&[Pane::Bake]))];
    let middle = vec![(74.0, views()), (26.0, Layout::Row(below))];
    Layout::Row(vec![
        (17.0, tabs(&[Pane::Outline])),
        (60.0, Layout::Column(middle)),
        (23.0, tabs(&[Pane::Properties])),
    ])
}

impl Layout {
    /// The layout as panels, with those that it does not know (it may be older than they are) as tabs where the issues are;
    /// the standard one if a panel is there twice, or there is no canvas.
    #[must_use]
    pub fn tree(&self) -> Tree<Pane> {
        let mut found = Vec::new();
        self.panels(&mut found);
        let once = Pane::ALL.iter().all(|pane| found.iter().filter(|other| *other == pane).count() <= 1);
        let mut layout = self.clone();
        if !once || !found.contains(&Pane::Canvas) {
            layout = standard();
            found.clear();
            layout.panels(&mut found);
        }
        if !found.contains(&Pane::View3d) {
            layout.add_view3d();
            found.push(Pane::View3d);
        }
        for pane in Pane::ALL.into_iter().filter(|pane| !found.contains(pane)) {
            if !layout.add_tab(pane) {
                layout = Self::Row(vec![
                    (80.0, layout),
                    (20.0, Self::Tabs { panels: vec![Self::Panel(pane)], active: 0 }),
                ]);
            }
        }
        let mut tiles = Tiles::default();
        let root = layout.put(&mut tiles);
        Tree::new(egui::Id::unique("panels"), root, tiles)
    }

    /// Adds a panel beside the issues, or the first other panel that is not the canvas. Whether there is such a place.
    fn add_tab(&mut self, pane: Pane) -> bool {
        let beside = |wanted: fn(Pane) -> bool| move |panel: &Self| matches!(panel, Self::Panel(pane) if wanted(*pane));
        self.add_tab_beside(pane, &beside(|pane| pane == Pane::Issues))
            || self.add_tab_beside(pane, &beside(|pane| !matches!(pane, Pane::Canvas | Pane::View3d)))
    }

    /// Puts the 3D view beside the canvas.
    fn add_view3d(&mut self) {
        match self {
            Self::Panel(Pane::Canvas) => *self = views(),
            Self::Tabs { panels, .. } if panels.contains(&Self::Panel(Pane::Canvas)) => {
                let here = std::mem::replace(self, Self::Panel(Pane::Canvas));
                let beside = Self::Tabs { panels: vec![Self::Panel(Pane::View3d)], active: 0 };
                *self = Self::Row(vec![(50.0, here), (50.0, beside)]);
            }
            Self::Panel(_) => {}
            Self::Tabs { panels, .. } => panels.iter_mut().for_each(Self::add_view3d),
            Self::Row(parts) | Self::Column(parts) => {
                parts.iter_mut().for_each(|(_, part)| part.add_view3d());
            }
        }
    }

    fn add_tab_beside(&mut self, pane: Pane, beside: &dyn Fn(&Self) -> bool) -> bool {
        match self {
            Self::Panel(_) => false,
            Self::Tabs { panels, .. } => {
                let here = panels.iter().any(beside);
                if here {
                    panels.push(Self::Panel(pane));
                }
                here
            }
            Self::Row(parts) | Self::Column(parts) => {
                parts.iter_mut().any(|(_, part)| part.add_tab_beside(pane, beside))
            }
        }
    }

    /// Takes the 3D view away from the tabs that it shares with the canvas. Whether it did.
    fn take_view3d(&mut self) -> bool {
        let (canvas, view3d) = (Self::Panel(Pane::Canvas), Self::Panel(Pane::View3d));
        match self {
            Self::Panel(_) => false,
            Self::Tabs { panels, active } if panels.contains(&canvas) && panels.contains(&view3d) => {
                panels.retain(|panel| *panel != view3d);
                *active = panels.iter().position(|panel| *panel == canvas).unwrap_or(0);
                true
            }
            Self::Tabs { panels, .. } => panels.iter_mut().any(Self::take_view3d),
            Self::Row(parts) | Self::Column(parts) => parts.iter_mut().any(|(_, part)| part.take_view3d()),
        }
    }

    fn panels(&self, found: &mut Vec<Pane>) {
        match self {
            Self::Panel(pane) => found.push(*pane),
            Self::Tabs { panels, .. } => panels.iter().for_each(|panel| panel.panels(found)),
            Self::Row(parts) | Self::Column(parts) => parts.iter().for_each(|(_, part)| part.panels(found)),
        }
    }

    fn put(&self, tiles: &mut Tiles<Pane>) -> TileId {
        let line = |tiles: &mut Tiles<Pane>, dir, parts: &[(f32, Self)]| {
            let parts: Vec<(f32, TileId)> =
                parts.iter().map(|(share, part)| (*share, part.put(tiles))).collect();
            let mut linear = Linear::new(dir, parts.iter().map(|(_, id)| *id).collect());
            for (share, id) in parts {
                let share = if share.is_finite() { share.clamp(0.01, 10_000.0) } else { 1.0 };
                linear.shares.set_share(id, share);
            }
            tiles.insert_container(Container::Linear(linear))
        };
        match self {
            Self::Panel(pane) => tiles.insert_pane(*pane),
            Self::Tabs { panels, active } => {
                let children: Vec<TileId> = panels.iter().map(|panel| panel.put(tiles)).collect();
                let mut tabs = Tabs::new(children);
                tabs.active = tabs.children.get(*active).copied().or(tabs.active);
                tiles.insert_container(Container::Tabs(tabs))
            }
            Self::Row(parts) => line(tiles, LinearDir::Horizontal, parts),
            Self::Column(parts) => line(tiles, LinearDir::Vertical, parts),
        }
    }

    /// How panels stand; `None` if there are none.
    #[must_use]
    pub fn of(tree: &Tree<Pane>) -> Option<Self> {
        Self::of_tile(tree, tree.root()?)
    }

    fn of_tile(tree: &Tree<Pane>, id: TileId) -> Option<Self> {
        let part = |&id: &TileId| Self::of_tile(tree, id);
        Some(match tree.tiles.get(id)? {
            Tile::Pane(pane) => Self::Panel(*pane),
            Tile::Container(Container::Tabs(tabs)) => Self::Tabs {
                panels: tabs.children.iter().filter_map(part).collect(),
                active: tabs.children.iter().position(|child| Some(*child) == tabs.active).unwrap_or(0),
            },
            Tile::Container(Container::Linear(linear)) => {
                let parts = linear.children.iter().filter_map(|id| Some((linear.shares[*id], part(id)?)));
                let parts = parts.collect();
                if linear.dir == LinearDir::Horizontal { Self::Row(parts) } else { Self::Column(parts) }
            }
            Tile::Container(Container::Grid(grid)) => {
                Self::Row(grid.children().filter_map(|id| Some((1.0, part(id)?))).collect())
            }
        })
    }
}

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
        let [errors, warnings, _] = self.state.issue_counts();
        match pane {
            Pane::Issues if errors + warnings > 0 => format!("Issues {}", errors + warnings).into(),
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
