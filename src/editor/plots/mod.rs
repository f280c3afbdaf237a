//! What can be plotted of bakes, meshes and paths, as numbers: bars, a map of tiles, a line. The panel paints them,
//! [`export`] writes them.
//!
//! Reading order: [`Kind`] (the choice), [`Figure`] (what is seen), `mesh` and `course` (how it is made), [`export`].

mod course;
pub mod export;
mod mesh;

use std::sync::Arc;

use crate::draw::{Role, Shape};
use crate::editor::state::State;
use crate::format::NavMesh;

/// What is plotted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// What the last bakes took, stage on stage.
    #[default]
    Times,
    /// How large polygons are.
    Sizes,
    /// How many corners they have.
    Corners,
    /// How long their edges are.
    Edges,
    /// How wide they are where they are narrowest.
    Widths,
    /// Polygons of each tile column.
    TilePolygons,
    /// Bytes of each tile column.
    TileBytes,
    /// What each tile column took.
    TileTimes,
    /// What of each tile column's borders is stitched.
    Borders,
    /// The height along the tested path.
    Path,
}

impl Kind {
    /// All of them with their names.
    pub const ALL: [(Self, &'static str); 10] = [
        (Self::Times, "Bake time"),
        (Self::Sizes, "Polygon sizes"),
        (Self::Corners, "Polygon corners"),
        (Self::Edges, "Edge lengths"),
        (Self::Widths, "Least widths"),
        (Self::TilePolygons, "Polygons per tile"),
        (Self::TileBytes, "Bytes per tile"),
        (Self::TileTimes, "Bake time per tile"),
        (Self::Borders, "Stitched borders"),
        (Self::Path, "Height along the path"),
    ];

    /// What it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }
}

/// A plot as numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// What runs to the right, with its unit.
    pub x: &'static str,
    /// What runs upward, with its unit.
    pub y: &'static str,
    /// Whether x is the logarithm (of base 2) of what it stands for.
    pub log: bool,
    /// What is seen.
    pub body: Body,
}

/// What is seen.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// Bars, each of several parts on each other.
    Bars {
        /// The names of the parts.
        series: Vec<String>,
        /// From the left.
        bars: Vec<Bar>,
        /// A value to compare with: where, and what it is.
        mark: Option<(f64, String)>,
    },
    /// Squares of the map.
    Heat(Vec<Cell>),
    /// A way over the ground.
    Course(Vec<Place>),
}

/// A bar.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// Its left and right side.
    pub sides: [f64; 2],
    /// What each of the series has of it.
    pub parts: Vec<f64>,
    /// What it is, in words.
    pub words: String,
    /// What a click lights up on the canvas.
    pub lights: Vec<Shape>,
    /// The tile column that a click goes to.
    pub tile: Option<[i32; 2]>,
}

/// A tile column.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Column and row.
    pub tile: [i32; 2],
    /// How much it has.
    pub value: f64,
    /// The same in words.
    pub words: String,
}

/// A place of a way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// World (x, z).
    pub place: [f64; 2],
    /// How far along the ground.
    pub along: f64,
    /// World height.
    pub height: f64,
    /// Its level.
    pub level: i8,
    /// Whether the way from here on is a jump.
    pub jumps: bool,
    /// Whether it is part of the steepest climb or descent that is walked.
    pub steepest: bool,
}

/// What a figure was made for.
#[derive(Clone, Debug)]
struct MadeFor {
    kind: Kind,
    mesh: Option<Arc<NavMesh>>,
    bakes: usize,
    path: u64,
    radius: f32,
}

/// What is looked at.
#[derive(Clone, Debug, Default)]
pub struct PlotView {
    /// Which plot.
    pub kind: Kind,
    /// What is lit up on the canvas: what the mouse is on in the plot, or what was clicked there.
    pub lit: Vec<Shape>,
    /// How many figures were made: tests see that an idle panel makes none.
    pub made: usize,
    kept: Option<(MadeFor, Option<Arc<Figure>>)>,
}

impl State {
    /// The figure of the plot that is looked at, made anew where what it shows is another; `None` where there is nothing.
    pub fn figure(&mut self) -> Option<Arc<Figure>> {
        let made_for = MadeFor {
            kind: self.plots.kind,
            mesh: self.bake.shown.as_ref().map(|baked| Arc::clone(&baked.mesh)),
            bakes: self.bake.records.count(),
            path: self.path.as_ref().map_or(0, |path| 1 + path.length_3d.to_bits()),
            radius: self.class().radius,
        };
        if let Some((of, figure)) = &self.plots.kept
            && made_for.is_same(of)
        {
            return figure.clone();
        }
        let figure = make(self).map(Arc::new);
        self.plots.made += 1;
        self.plots.kept = Some((made_for, figure.clone()));
        self.plots.lit.clear();
        figure
    }

    /// Does what a click on a bar or a tile does: lights it up, and goes to its tile.
    pub fn pick_plotted(&mut self, lights: Vec<Shape>, tile: Option<[i32; 2]>) {
        self.plots.lit = lights;
        let Some(tile) = tile else { return };
        self.pick_stage_tile(tile);
        let Some(baked) = &self.bake.shown else { return };
        let params = baked.mesh.mesh.params();
        let [x0, x1] = [tile[0], tile[0].saturating_add(1)].map(|x| params.tile_origin_x(x));
        let [z0, z1] = [tile[1], tile[1].saturating_add(1)].map(|z| params.tile_origin_z(z));
        let points = vec![[x0, z0], [x1, z0], [x1, z1], [x0, z1]];
        self.plots.lit.push(Shape::Polyline { points, closed: true, role: Role::Hover });
        self.frame_next = Some(super::state::Frame::Place([0.5 * (x0 + x1), 0.5 * (z0 + z1)]));
    }
}

impl MadeFor {
    fn is_same(&self, other: &Self) -> bool {
        let same_mesh = match (&self.mesh, &other.mesh) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        };
        same_mesh
            && (self.kind, self.bakes, self.path) == (other.kind, other.bakes, other.path)
            && self.radius == other.radius
    }
}

/// Why there is nothing to plot.
#[must_use]
pub fn why_empty(kind: Kind) -> &'static str {
    match kind {
        Kind::Times => "Nothing was baked yet.",
        Kind::Path => "There is no path: take the Test tool (T) and click a start and an end.",
        Kind::TileTimes => "Times are taken tile by tile in a voxel bake; this one is flat.",
        Kind::Borders => "No tile borders another floor.",
        _ => "There is no polygon.",
    }
}

fn make(state: &State) -> Option<Figure> {
    let baked = state.bake.shown.as_ref();
    let mesh = baked.map(|baked| &baked.mesh.mesh);
    match state.plots.kind {
        Kind::Times => course::times(&state.bake.records),
        Kind::Path => course::path(state.path.as_ref()?, mesh?),
        Kind::Sizes => mesh::sizes(mesh?),
        Kind::Corners => mesh::corners(mesh?),
        Kind::Edges => mesh::edges(mesh?, state.class().radius.into()),
        Kind::Widths => mesh::widths(mesh?, state.class().radius.into()),
        Kind::TilePolygons => mesh::tile_polygons(mesh?),
        Kind::TileBytes => mesh::tile_bytes(mesh?),
        Kind::TileTimes => mesh::tile_times(&baked?.timings),
        Kind::Borders => mesh::borders(mesh?),
    }
}

/// A time in words: "1.25 s", "83 ms", "8.3 ms".
fn time(secs: f64) -> String {
    match secs {
        secs if secs < 0.01 => format!("{:.1} ms", secs * 1e3),
        secs if secs < 1.0 => format!("{:.0} ms", secs * 1e3),
        _ => format!("{secs:.2} s"),
    }
}
