//! Where panels are, as it is kept: the user's choice, not the map's.

use egui_tiles::{Container, Linear, LinearDir, Tabs, Tile, TileId, Tiles, Tree};
use serde::{Deserialize, Serialize};

use super::shown::{Seen, Shown};

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
    pub(super) const ALL: [Self; 8] = [
        Self::Outline,
        Self::Canvas,
        Self::View3d,
        Self::Properties,
        Self::Issues,
        Self::Bake,
        Self::History,
        Self::Plots,
    ];

    pub(super) fn title(self) -> &'static str {
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

    pub(super) fn is_shown(self, shown: &Shown) -> bool {
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
    pub(super) fn take_view3d(&mut self) -> bool {
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
