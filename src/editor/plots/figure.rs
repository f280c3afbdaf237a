//! What a plot shows, as numbers.

use crate::draw::Shape;

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

/// A time in words: "1.25 s", "83 ms", "8.3 ms".
pub(super) fn time(secs: f64) -> String {
    match secs {
        secs if secs < 0.01 => format!("{:.1} ms", secs * 1e3),
        secs if secs < 1.0 => format!("{:.0} ms", secs * 1e3),
        _ => format!("{secs:.2} s"),
    }
}
