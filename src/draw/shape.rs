//! What is drawn: geometry in world (x, z) with a role.

/// A thing to draw. Widths, markers and letters keep their size on screen; everything else is in world units.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A filled convex polygon, counter-clockwise or clockwise.
    Convex {
        /// Corners.
        points: Vec<[f64; 2]>,
        /// What it is.
        role: Role,
    },
    /// A drawn outline of any form, filled by the non-zero rule, with the role's hatch and its line.
    Area {
        /// Corners in drawing order.
        outline: Vec<[f64; 2]>,
        /// The same area as convex pieces, for canvases that fill nothing else.
        pieces: Vec<Vec<[f64; 2]>>,
        /// What it is.
        role: Role,
    },
    /// A line through points.
    Polyline {
        /// Points in order.
        points: Vec<[f64; 2]>,
        /// Whether it returns to its first point.
        closed: bool,
        /// What it is.
        role: Role,
    },
    /// Many separate lines of one role.
    Lines {
        /// Their ends.
        segments: Vec<[[f64; 2]; 2]>,
        /// What they are.
        role: Role,
    },
    /// A ladder: a double line with rungs between, as wide on screen as its role says.
    Ladder {
        /// One end.
        from: [f64; 2],
        /// The other end.
        to: [f64; 2],
        /// What it is.
        role: Role,
    },
    /// A circle of a radius in world units.
    Circle {
        /// Centre.
        center: [f64; 2],
        /// Radius.
        radius: f64,
        /// What it is.
        role: Role,
    },
    /// A sign of fixed size on screen.
    Marker {
        /// Where.
        at: [f64; 2],
        /// Which.
        sign: Sign,
        /// What it is.
        role: Role,
    },
    /// A word of fixed size on screen.
    Text {
        /// Where.
        at: [f64; 2],
        /// What it says.
        text: String,
        /// Which of its corners lies there.
        anchor: Anchor,
        /// What it is.
        role: Role,
    },
}

/// What a shape stands for; a theme turns it into colour, width and dashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// A line of the drawing grid.
    Grid,
    /// Every fifth or tenth of them.
    GridMajor,
    /// The lines x = 0 and z = 0.
    Axis,
    /// An area that can be walked.
    Walk,
    /// An area that can be walked, of a type with a colour of its own.
    Typed([u8; 3]),
    /// An area that is cut away.
    Hole,
    /// An area of a level below the current one.
    LevelBelow,
    /// An area of a level above the current one.
    LevelAbove,
    /// The open outline of an area being drawn.
    Draft,
    /// The segment that would close it.
    DraftClosing,
    /// What stands between two places that no path joins.
    Barrier,
    /// A segment that crosses another, and where.
    DraftCrossing,
    /// A number on a thing, such as how many points are joined.
    Badge,
    /// That number.
    BadgeText,
    /// A line that was measured.
    Measure,
    /// What was measured.
    MeasureText,
    /// Who walks the mesh.
    Walker,
    /// Where it has walked.
    Trail,
    /// Where it slid along a wall, or was stopped.
    TrailSlid,
    /// A mesh polygon of this level.
    Polygon(i8),
    /// A mesh polygon by its height, from the lowest of the mesh, 0, to the highest, 255.
    Height(u8),
    /// A mesh polygon of the island with this number.
    Island(u32),
    /// An island's number, counted from 1.
    IslandLabel,
    /// A mesh polygon of a level that is not looked at.
    FaintPolygon,
    /// A mesh polygon over imported geometry, where no drawn area tells what can be walked.
    Ground,
    /// A triangle of imported geometry, brighter where the value is greater.
    Relief(u8),
    /// A mesh older than the drawing.
    Stale,
    /// A tile that could not be baked.
    FailedTile,
    /// A floor that a stage of the bake left.
    StageFloor,
    /// What a stage of the bake took away.
    StageGone,
    /// A floor with a value, brighter where that is greater.
    StageShade(u8),
    /// Edges of triangles that follow the floor's heights.
    StageDetail,
    /// An edge between two polygons of one level.
    InnerEdge,
    /// An edge nobody can cross.
    Wall,
    /// The rim of a tile.
    TileBorder,
    /// The stitched part of an edge on a tile border.
    Portal,
    /// An edge on a tile border, or a part of it, that found no partner.
    LonelyPortal,
    /// An edge part that two levels share.
    Seam,
    /// An off-mesh link that is attached at both ends.
    Link,
    /// The reach of a link's end.
    LinkRadius,
    /// An off-mesh link that is not attached.
    LooseLink,
    /// A polygon that a path goes through.
    Corridor,
    /// A path.
    Path,
    /// A part of a path over an off-mesh link.
    PathJump,
    /// Where a path starts.
    PathStart,
    /// Where a path ends.
    PathEnd,
    /// Where a path changes level.
    LevelChange,
    /// A selected thing.
    Selection,
    /// The thing under the cursor.
    Hover,
    /// A grip to drag.
    Handle,
    /// Where a click would put a point.
    Ghost,
    /// A diagnostic that stops the export.
    Error,
    /// A diagnostic that is probably a mistake.
    Warning,
    /// A diagnostic worth knowing.
    Note,
    /// A level's number on its floor.
    LevelLabel,
    /// Other words.
    Label,
    /// Rulers and frames.
    Ruler,
}

/// A sign of fixed size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sign {
    /// A filled disc.
    Disc,
    /// An empty disc.
    Ring,
    /// An empty disc with a cross.
    RingCross,
    /// A filled square.
    Square,
    /// An empty square.
    EmptySquare,
    /// An empty diamond.
    Diamond,
    /// A plus.
    Plus,
    /// A cross (✕).
    Cross,
    /// An octagon with a cross in it.
    Octagon,
    /// A triangle with its top up.
    Triangle,
    /// A disc with a letter in it.
    DiscLetter(char),
    /// A disc with a level's number in it.
    DiscNumber(i8),
    /// A square with a letter in it.
    SquareLetter(char),
    /// An arrow head whose tip lies at the place; the direction is in world (x, z), of any length.
    ArrowHead([f64; 2]),
}

/// Which part of a word lies at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum Anchor {
    Left,
    Center,
    Right,
}

impl Shape {
    /// What it stands for.
    #[must_use]
    pub fn role(&self) -> Role {
        match self {
            Self::Convex { role, .. }
            | Self::Area { role, .. }
            | Self::Polyline { role, .. }
            | Self::Lines { role, .. }
            | Self::Ladder { role, .. }
            | Self::Circle { role, .. }
            | Self::Marker { role, .. }
            | Self::Text { role, .. } => *role,
        }
    }

    /// Calls `visit` with points whose box holds the shape (but for the screen size of signs and words).
    pub fn for_each_point(&self, visit: &mut dyn FnMut([f64; 2])) {
        match self {
            Self::Convex { points, .. } | Self::Polyline { points, .. } => {
                points.iter().for_each(|&p| visit(p))
            }
            Self::Area { outline, .. } => outline.iter().for_each(|&p| visit(p)),
            Self::Lines { segments, .. } => segments.iter().flatten().for_each(|&p| visit(p)),
            Self::Ladder { from, to, .. } => [*from, *to].into_iter().for_each(visit),
            Self::Circle { center, radius, .. } => {
                visit([center[0] - radius, center[1] - radius]);
                visit([center[0] + radius, center[1] + radius]);
            }
            Self::Marker { at, .. } | Self::Text { at, .. } => visit(*at),
        }
    }
}

/// The box of shapes: least and greatest (x, z). `None` where there is no point.
#[must_use]
pub fn bounds<'a>(shapes: impl IntoIterator<Item = &'a Shape>) -> Option<[[f64; 2]; 2]> {
    let mut found: Option<[[f64; 2]; 2]> = None;
    for shape in shapes {
        shape.for_each_point(&mut |p| {
            let [min, max] = found.get_or_insert([p, p]);
            *min = [min[0].min(p[0]), min[1].min(p[1])];
            *max = [max[0].max(p[0]), max[1].max(p[1])];
        });
    }
    found
}
