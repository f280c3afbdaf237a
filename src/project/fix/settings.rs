//! Values beyond what a bake can hold: coordinates, and settings for which there is no mesh at all.

use super::act::{Fix, FixContext, change, number};
use crate::bake::flat::join_levels;
use crate::bake::{
    BakeError, BakeOptions, Diagnostic, DiagnosticKind, FlatInput, VoxelInput, bake_mesh, bake_voxel_mesh,
};
use crate::format::{FormatError, NavSettings};
use crate::project::{AgentClass, Area, Command, Document, issue_area};

/// Cells of a tile that is taken where the map's own size does not do: that of the default settings.
const CELLS_A_TILE: f64 = 128.0;
/// The farthest, in tiles, that an area may reach to be repaired.
const MOST_TILES: f64 = 100_000.0;

/// Lets corners lie on the finest grid there is.
pub(super) fn finest_grid(document: &Document) -> Option<Fix> {
    if document.settings.snap_bits < 0 {
        return None;
    }
    let settings = NavSettings { snap_bits: -1, ..(*document.settings).clone() };
    let help = "Corners then lie on the finest grid that the tiles can hold";
    Some(change("Set snap bits to automatic", help, Command::SetSettings(Box::new(settings))))
}

/// Brings an area's coordinates inside what these settings can hold.
pub(super) fn set_to_limit(context: &FixContext<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let document = context.document;
    let area = issue_area(document, diagnostic)?;
    let settings = document.bake_settings(context.class);
    let within = |limit: f64| {
        let clamped = |value: f64| value.clamp(-limit, limit);
        let points = area.points.iter().map(|point| point.map(clamped)).collect();
        Area { points, ..(**area).clone() }
    };
    let faults = |area: &Area| {
        let input = FlatInput { areas: vec![crate::project::flat_area(area)], ..FlatInput::default() };
        join_levels(&input, &settings).ok().map(|joined| joined.diagnostics)
    };
    let is_out = |limit: f64| {
        let found = faults(&within(limit));
        found.is_none_or(|found| found.iter().any(|fault| fault.kind == DiagnosticKind::OutOfRange))
    };
    let (mut low, mut high) =
        (0.0, area.points.iter().flatten().fold(0.0, |most: f64, value| most.max(value.abs())));
    if !is_out(high) {
        return None;
    }
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if is_out(middle) { high = middle } else { low = middle }
    }
    let limit = (low * 1000.0).floor() / 1000.0;
    let repaired = within(limit);
    // What would still be a map of millions of tiles is not repaired.
    let tiles = repaired.points.iter().flatten().fold(0.0, |most: f64, value| most.max(value.abs()))
        / settings.tile_size;
    if tiles > MOST_TILES {
        return None;
    }
    // An area that is clamped to nothing is not repaired.
    faults(&repaired).filter(Vec::is_empty)?;
    let name = format!("Set to the limit, ±{}", number(limit));
    let help = "Coordinates beyond what these settings can hold are brought to the bound";
    Some(change(name, help, Command::SetAreas(vec![repaired])))
}

/// What can be done about a bake that gave no mesh at all: the setting that it names is set to what it allows.
#[must_use]
pub fn fixes_of_failure(document: &Document, class: &AgentClass, failure: &BakeError) -> Vec<Fix> {
    let words = match failure {
        BakeError::Format(FormatError::OutOfRange { name, .. }) | BakeError::Unsupported(name) => {
            name.clone()
        }
        BakeError::Limit { name, .. } => (*name).to_owned(),
        _ => failure.to_string(),
    };
    let shared = &*document.settings;
    let judge = Judge::of(document, class);
    let mut found = Vec::new();
    let mut offer = |name: String, settings: NavSettings| {
        let command = Command::SetSettings(Box::new(settings.clone()));
        if settings != *shared && judge.bakes(&class.settings(&settings)) {
            found.push(change(name, "The bake says that this is what it can do", command));
        }
    };
    if words.contains("snap_bits") {
        offer("Set snap bits to automatic".to_owned(), NavSettings { snap_bits: -1, ..shared.clone() });
    }
    if words.contains("flags") {
        let flags = shared.flags & 0xFF;
        offer(format!("Set flags to {flags}"), NavSettings { flags, ..shared.clone() });
    }
    if words.contains("tile_size") || words.contains("cell_size") {
        let most = 8192.0 * shared.cell_size;
        #[allow(clippy::cast_possible_truncation, reason = "a tile size is the nearest single")]
        let sizes = [
            shared.tile_size.min(most),
            shared.tile_size.ceil(),
            32.0,
            CELLS_A_TILE * shared.cell_size,
            most,
        ]
        .map(|size| f64::from(size as f32));
        if let Some(&size) = sizes.iter().find(|&&tile_size| {
            tile_size != shared.tile_size
                && judge.bakes(&class.settings(&NavSettings { tile_size, ..shared.clone() }))
        }) {
            let name = format!("Set tile size to {}", number(size));
            offer(name, NavSettings { tile_size: size, ..shared.clone() });
        }
    }
    if words.contains("agent_radius") {
        // The bound is told in words: halve until it bakes.
        let radii = std::iter::successors(Some(class.radius / 2.0), |radius| Some(radius / 2.0)).take(200);
        let with = |radius: f32| AgentClass { radius, ..class.clone() };
        let good = radii.into_iter().find(|&radius| judge.bakes(&with(radius).settings(shared)));
        if let Some(radius) = good.map(|radius| if radius > 100.0 { 100.0 } else { radius }) {
            let name = format!("Set the radius of {} to {radius}", class.name);
            found.push(change(name, "A radius that the bake can keep", Command::SetClass(with(radius))));
        }
    }
    found
}

/// Tells whether settings bake, in the mode whose bake failed.
struct Judge {
    /// What only a voxel bake asks for, if that is what failed or what the map's geometry asks for.
    voxel: Option<VoxelInput>,
}

impl Judge {
    /// Where a flat bake of an empty map does well with the settings as they are, it was none that failed.
    fn of(document: &Document, class: &AgentClass) -> Self {
        let is_voxel = !document.geometry.is_empty() || bakes_flat(&class.settings(&document.settings));
        let ledge_radius = document.voxel.ledge_radius;
        Self { voxel: is_voxel.then(|| VoxelInput { ledge_radius, ..VoxelInput::default() }) }
    }

    /// Whether an empty map bakes with these settings.
    fn bakes(&self, settings: &NavSettings) -> bool {
        let options = BakeOptions::default();
        bakes_flat(settings)
            && self.voxel.as_ref().is_none_or(|input| bake_voxel_mesh(input, settings, &options).is_ok())
    }
}

fn bakes_flat(settings: &NavSettings) -> bool {
    bake_mesh(&FlatInput::default(), settings, &BakeOptions::default()).is_ok()
}
