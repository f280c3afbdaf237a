//! What a bake says besides the mesh: diagnostics, counts and the stop signal.

use std::sync::atomic::AtomicBool;

use crate::format::{FormatError, NavMeshParams};

/// How bad a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Probably not what was meant.
    Warning,
    /// Part of the input could not be baked.
    Error,
}

/// What kind of fault or remark; [`DiagnosticKind::name`] is the stable name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "each is described by its `meaning`")]
pub enum DiagnosticKind {
    GeometryLeftOut,
    NoFloor,
    FacesDown,
    OutlineCrossesItself,
    OutlineDegenerate,
    PointsTooClose,
    WalkHidden,
    HoleCutsNothing,
    HoleMissesFloor,
    MissedJoin,
    TouchAtPoint,
    LevelEmpty,
    VanishedUnderRadius,
    Island,
    ThinPolygon,
    CrowdedTile,
    SeamContested,
    SeamStep,
    SameSideEdges,
    LevelsTooClose,
    BorderMismatch,
    LinkStartUnattached,
    LinkEndUnattached,
    LinkDropped,
    LinkInvalid,
    OutOfRange,
    TooThin,
    TileFailed,
    TrianglesSkipped,
    RegionIncomplete,
    SeedOffFloor,
    GeometryUnreadable,
    NoSeedReaches,
}

impl DiagnosticKind {
    /// All of them, in order.
    pub const ALL: [Self; 33] = [
        Self::GeometryLeftOut,
        Self::NoFloor,
        Self::FacesDown,
        Self::OutlineCrossesItself,
        Self::OutlineDegenerate,
        Self::PointsTooClose,
        Self::WalkHidden,
        Self::HoleCutsNothing,
        Self::HoleMissesFloor,
        Self::MissedJoin,
        Self::TouchAtPoint,
        Self::LevelEmpty,
        Self::VanishedUnderRadius,
        Self::Island,
        Self::ThinPolygon,
        Self::CrowdedTile,
        Self::SeamContested,
        Self::SeamStep,
        Self::SameSideEdges,
        Self::LevelsTooClose,
        Self::BorderMismatch,
        Self::LinkStartUnattached,
        Self::LinkEndUnattached,
        Self::LinkDropped,
        Self::LinkInvalid,
        Self::OutOfRange,
        Self::TooThin,
        Self::TileFailed,
        Self::TrianglesSkipped,
        Self::RegionIncomplete,
        Self::SeedOffFloor,
        Self::GeometryUnreadable,
        Self::NoSeedReaches,
    ];

    /// The kind of a stable name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The stable snake_case name, as in `--json`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// Its severity.
    #[must_use]
    pub fn severity(self) -> Severity {
        self.row().1
    }

    fn row(self) -> (&'static str, Severity) {
        use Severity::{Error, Note, Warning};
        match self {
            Self::OutlineCrossesItself => ("outline_crosses_itself", Warning),
            Self::OutlineDegenerate => ("outline_degenerate", Error),
            Self::PointsTooClose => ("points_too_close", Warning),
            Self::WalkHidden => ("walk_hidden", Warning),
            Self::HoleCutsNothing => ("hole_cuts_nothing", Note),
            Self::HoleMissesFloor => ("hole_misses_floor", Warning),
            Self::MissedJoin => ("missed_join", Warning),
            Self::TouchAtPoint => ("touch_at_point", Note),
            Self::LevelEmpty => ("level_empty", Warning),
            Self::VanishedUnderRadius => ("vanished_under_radius", Warning),
            Self::Island => ("island", Note),
            Self::ThinPolygon => ("thin_polygon", Note),
            Self::CrowdedTile => ("crowded_tile", Note),
            Self::SeamContested => ("seam_contested", Warning),
            Self::SeamStep => ("seam_step", Warning),
            Self::SameSideEdges => ("same_side_edges", Note),
            Self::LevelsTooClose => ("levels_too_close", Warning),
            Self::BorderMismatch => ("border_mismatch", Warning),
            Self::LinkStartUnattached => ("link_start_unattached", Warning),
            Self::LinkEndUnattached => ("link_end_unattached", Warning),
            Self::LinkDropped => ("link_dropped", Warning),
            Self::LinkInvalid => ("link_invalid", Error),
            Self::OutOfRange => ("out_of_range", Error),
            Self::TooThin => ("too_thin", Warning),
            Self::TileFailed => ("tile_failed", Error),
            Self::TrianglesSkipped => ("triangles_skipped", Warning),
            Self::RegionIncomplete => ("region_incomplete", Warning),
            Self::SeedOffFloor => ("seed_off_floor", Warning),
            Self::GeometryUnreadable => ("geometry_unreadable", Error),
            Self::GeometryLeftOut => ("geometry_left_out", Warning),
            Self::NoFloor => ("no_floor", Warning),
            Self::FacesDown => ("faces_down", Warning),
            Self::NoSeedReaches => ("no_seed_reaches", Note),
        }
    }
}

/// What a diagnostic is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Element {
    /// An area, by the caller's id.
    Area(u64),
    /// A point of an area's outline.
    Point {
        /// The area's id.
        area: u64,
        /// Index into its outline.
        index: usize,
    },
    /// Authored link `settings.links[i]`.
    Link(usize),
    /// A level.
    Level(i8),
    /// Two levels, the lower first.
    Levels([i8; 2]),
    /// A tile column.
    Tile {
        /// Column.
        tile_x: i32,
        /// Row.
        tile_z: i32,
    },
    /// The settings.
    Settings,
    /// Mesh `meshes[i]` of a voxel bake.
    Mesh(usize),
    /// A file of geometry, by the caller's id.
    Geometry(u64),
}

/// One fault or remark, at its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// What kind; gives the severity.
    pub kind: DiagnosticKind,
    /// World (x, z) it happens at.
    pub place: [f64; 2],
    /// The floor it happens on.
    pub level: i8,
    /// What it is about.
    pub element: Element,
    /// The value found, in the kind's unit; NaN where there is none.
    pub measured: f64,
    /// The bound it breaks; NaN where there is none.
    pub limit: f64,
    /// One sentence with names and numbers.
    pub message: String,
}

impl Diagnostic {
    /// A tile that could not be made, and why.
    pub(crate) fn tile_failed(params: &NavMeshParams, (tile_x, tile_z): (i32, i32), why: &str) -> Self {
        let half = params.tile_size / 2.0;
        Self {
            kind: DiagnosticKind::TileFailed,
            place: [params.tile_origin_x(tile_x) + half, params.tile_origin_z(tile_z) + half],
            level: 0,
            element: Element::Tile { tile_x, tile_z },
            measured: f64::NAN,
            limit: f64::NAN,
            message: format!("tile ({tile_x}, {tile_z}) is left out: {why}"),
        }
    }
}

/// Worst first, then by kind, place, level and element.
pub(super) fn sort_diagnostics(diagnostics: &mut [Diagnostic]) {
    diagnostics.sort_by(|a, b| {
        let severity = b.kind.severity().cmp(&a.kind.severity());
        let place = || a.place[0].total_cmp(&b.place[0]).then(a.place[1].total_cmp(&b.place[1]));
        severity
            .then(a.kind.cmp(&b.kind))
            .then_with(place)
            .then(a.level.cmp(&b.level))
            .then(a.element.cmp(&b.element))
    });
}

/// What a bake says.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct BakeReport {
    /// Sorted: worst first, then kind, then place.
    pub diagnostics: Vec<Diagnostic>,
    /// Seams between levels: pieces in world coordinates, longest straight runs.
    pub seams: Vec<Seam>,
}

impl BakeReport {
    /// The report with more diagnostics, each in its place.
    #[must_use]
    pub fn with(mut self, more: impl IntoIterator<Item = Diagnostic>) -> Self {
        self.diagnostics.extend(more);
        sort_diagnostics(&mut self.diagnostics);
        self
    }
}

/// A part of an edge that two levels share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seam {
    /// Lower level, higher level.
    pub levels: [i8; 2],
    /// World (x, z); `from` before `to` in x, then z.
    pub from: [f64; 2],
    /// The other end.
    pub to: [f64; 2],
}

/// Tiles done, tiles in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it all")]
pub struct Progress {
    pub done: usize,
    pub total: usize,
}

/// What a voxel bake is at: a stage of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The stage's name, such as "contours".
    pub stage: &'static str,
    /// The tile's column and row.
    pub tile: [i32; 2],
}

/// How to bake; what comes out does not depend on it.
#[derive(Clone, Copy, Default)]
pub struct BakeOptions<'a> {
    /// Threads; 0 takes rayon's global pool.
    pub jobs: usize,
    /// Set to stop: the bake ends with [`BakeError::Stopped`], a flat one after the tiles in hand, a voxel one in the
    /// midst of its stages.
    pub stop: Option<&'a AtomicBool>,
    /// Called after each tile, from any thread.
    pub progress: Option<&'a (dyn Fn(Progress) + Sync)>,
    /// Called as each stage of each tile of a voxel bake begins, from any thread.
    pub step: Option<&'a (dyn Fn(Step) + Sync)>,
    /// Only these tile columns, inclusive: x0, z0, x1, z1. The report then holds what those tiles say; gaps, islands and
    /// areas that come to nothing take the whole map to tell.
    pub tiles: Option<[i32; 4]>,
}

impl BakeOptions<'_> {
    /// On the caller's thread, to the end, without a word.
    pub(crate) const ONE_JOB: BakeOptions<'static> =
        BakeOptions { jobs: 1, stop: None, progress: None, step: None, tiles: None };

    /// Whether a stop was asked for.
    #[must_use]
    pub fn stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(std::sync::atomic::Ordering::Relaxed))
    }
}

/// Why a bake gave no mesh at all.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BakeError {
    /// A setting is out of range, or the tiles do not fit the format.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A ceiling passed.
    #[error("{name} is {value}, the most is {limit}")]
    Limit {
        /// What.
        name: &'static str,
        /// How many or how much.
        value: String,
        /// The ceiling.
        limit: String,
    },
    /// A setting that this bake does not support.
    #[error("{0}")]
    Unsupported(String),
    /// The stop signal was set.
    #[error("the bake was stopped")]
    Stopped,
}
