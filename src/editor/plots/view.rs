//! Which plot is looked at, and its figure, made anew where what it shows is another.

use std::sync::Arc;

use super::figure::{Figure, Kind};
use super::{course, mesh};
use crate::draw::Shape;
use crate::editor::records::Records;
use crate::editor::worker::Baked;
use crate::format::NavMesh;
use crate::query::NavPath;

/// What there is to plot.
#[derive(Clone, Copy, Debug)]
pub struct Plotted<'a> {
    /// The bake on screen.
    pub baked: Option<&'a Baked>,
    /// The last bakes.
    pub records: &'a Records,
    /// The tested path.
    pub path: Option<&'a NavPath>,
    /// The agent's radius.
    pub radius: f32,
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

impl PlotView {
    /// The figure of the plot that is looked at; `None` where there is nothing.
    pub fn figure(&mut self, of: &Plotted<'_>) -> Option<Arc<Figure>> {
        let made_for = MadeFor {
            kind: self.kind,
            mesh: of.baked.map(|baked| Arc::clone(&baked.mesh)),
            bakes: of.records.count(),
            path: of.path.map_or(0, |path| 1 + path.length_3d.to_bits()),
            radius: of.radius,
        };
        if let Some((of, figure)) = &self.kept
            && made_for.is_same(of)
        {
            return figure.clone();
        }
        let figure = make(self.kind, of).map(Arc::new);
        self.made += 1;
        self.kept = Some((made_for, figure.clone()));
        self.lit.clear();
        figure
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

fn make(kind: Kind, of: &Plotted<'_>) -> Option<Figure> {
    let mesh = of.baked.map(|baked| &baked.mesh.mesh);
    match kind {
        Kind::Times => course::times(of.records),
        Kind::Path => course::path(of.path?, mesh?),
        Kind::Sizes => mesh::sizes(mesh?),
        Kind::Corners => mesh::corners(mesh?),
        Kind::Edges => mesh::edges(mesh?, of.radius.into()),
        Kind::Widths => mesh::widths(mesh?, of.radius.into()),
        Kind::TilePolygons => mesh::tile_polygons(mesh?),
        Kind::TileBytes => mesh::tile_bytes(mesh?),
        Kind::TileTimes => mesh::tile_times(&of.baked?.timings),
        Kind::Borders => mesh::borders(mesh?),
    }
}
