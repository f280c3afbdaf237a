//! Compare with a build: why the mesh on screen and the one in a file differ, or that they do not.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use egui::{Button, RichText, ScrollArea, vec2};

use super::dialogs::{modal, set_width, title};
use super::state::State;
use super::style;
use crate::compare::{Build, Comparison};
use crate::format::{NavMesh, NavMeshParams, NavSettings, NavWorld, TiledNavMesh};

/// Most bytes of a file that is read.
const MAX_BYTES: u64 = 1 << 30;

/// What a comparison said.
#[derive(Clone, Debug)]
pub struct Compared {
    verdict: String,
    different: bool,
    text: String,
}

/// A mesh from a file, with its settings if the file has them.
struct Other {
    params: NavMeshParams,
    settings: Option<NavSettings>,
    mesh: TiledNavMesh,
}

/// Compares the shown class's mesh with a file's; the answer is kept in the state until its window is closed.
///
/// # Errors
/// A sentence with the file and the reason: it cannot be read, it is no mesh, or there is no fresh mesh to compare.
pub fn compare(path: &Path, state: &mut State) -> Result<(), String> {
    let name = path.display().to_string();
    let other = read(path, state).map_err(|reason| format!("{name}: {reason}"))?;
    let Some(baked) = state.bake.shown.as_ref().filter(|_| state.fresh()) else {
        return Err("The drawing is not baked yet; try again when it is".to_owned());
    };
    let settings = state.document().bake_settings(state.class()).normalized();
    let mine =
        Build { params: baked.mesh.mesh.params(), settings: Some(&settings), mesh: Some(&baked.mesh.mesh) };
    let theirs = Build { params: &other.params, settings: other.settings.as_ref(), mesh: Some(&other.mesh) };
    let comparison = Comparison::of(&mine, &theirs);
    let same_print = mine.params.fingerprint() == theirs.params.fingerprint();
    let verdict = match (same_print, comparison.is_different()) {
        (_, false) => "No difference: settings, links and tiles are the same.",
        (true, true) => {
            "The fingerprint is the same, so settings and links agree; tiles differ, so areas, imported geometry or the \
             builder's version do."
        }
        (false, _) => "The fingerprints differ: the tiles of one do not fit to those of the other.",
    };
    let text = format!("A  {} (on screen)\nB  {name}\n{}", state.name, comparison.lines(&mine, &theirs));
    let different = comparison.is_different();
    state.compared = Some(Compared { verdict: verdict.to_owned(), different, text });
    Ok(())
}

/// The file's mesh; of a world, that of the shown class's place among the classes.
fn read(path: &Path, state: &State) -> Result<Other, String> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| error.to_string())?;
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(format!("more than {MAX_BYTES} bytes"));
    }
    let with =
        |mesh: NavMesh| Other { params: *mesh.mesh.params(), settings: Some(mesh.settings), mesh: mesh.mesh };
    let fail = |error: crate::format::FormatError| error.to_string();
    match bytes.get(..4) {
        Some(b"ONNM") => NavMesh::from_bytes(&bytes).map(with).map_err(fail),
        Some(b"ONNW") => {
            let classes = NavWorld::from_bytes(&bytes).map_err(fail)?.into_classes();
            let shown = state.class().id;
            let index = state.document().classes.iter().position(|class| class.id == shown).unwrap_or(0);
            let count = classes.len();
            let class = classes.into_iter().nth(index);
            class.map(with).ok_or_else(|| format!("it has {count} agent classes, {} is shown", index + 1))
        }
        Some(b"ONPM") => {
            let mesh = TiledNavMesh::from_bytes(&bytes).map_err(fail)?;
            Ok(Other { params: *mesh.params(), settings: None, mesh })
        }
        _ => Err("it is no baked mesh (ONNM, ONNW or ONPM)".to_owned()),
    }
}

/// The window with the answer, while there is one.
pub(super) fn show(context: &egui::Context, state: &mut State) {
    let Some(compared) = &state.compared else { return };
    let modal = modal(context, "compare").show(context, |ui| {
        set_width(ui, 780.0);
        title(ui, "Compare with a build");
        let colors = style::of(ui.ctx());
        let color = if compared.different { colors.strong } else { colors.good };
        ui.label(RichText::new(&compared.verdict).color(color));
        ui.add_space(6.0);
        let height = (ui.ctx().content_rect().height() - 220.0).max(120.0);
        ScrollArea::both().max_height(height).auto_shrink([false, true]).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 1.0;
            for line in compared.text.lines() {
                let marks = ["!", "changed:", "only in", "moved:", "different:"];
                let differs = marks.iter().any(|mark| line.trim_start().starts_with(mark));
                let color = if differs { colors.bad } else { colors.weak };
                let text = RichText::new(line).monospace().size(12.0).color(color);
                ui.add(egui::Label::new(text).extend());
            }
        });
        ui.add_space(8.0);
        let (mut close, mut copy) = (false, false);
        ui.horizontal(|ui| {
            copy = ui.button("Copy as text").on_hover_text("For a message to somebody else").clicked();
            close = ui.add(Button::new("Close").min_size(vec2(90.0, 26.0))).clicked();
        });
        if copy {
            ui.ctx().copy_text(compared.text.clone());
        }
        close
    });
    if modal.inner || modal.should_close() {
        state.compared = None;
    }
}
