//! Files dropped on the window.

use std::path::Path;

use super::files::{compare_file, import, open_path};
use super::state::{State, Tone};

/// Takes in what was dropped in this frame: geometry, pictures and map text become part of the map, a
/// project is opened, a baked mesh is compared with the one on screen.
pub(super) fn take(context: &egui::Context, state: &mut State) {
    let dropped = context.input(|input| input.raw.dropped_files.clone());
    for file in dropped {
        if let Err(error) = take_file(file.path(), state) {
            state.say(Tone::Bad, error);
        }
    }
}

fn take_file(path: &Path, state: &mut State) -> Result<(), String> {
    let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
    match ending.to_str() {
        Some("png" | "jpg" | "jpeg") => state.import_picture(path),
        Some("ron") if state.edited() => {
            Err(format!("{}: what is open is not saved; save it, then drop the project again", shown(path)))
        }
        Some("ron") => open_path(path, state),
        Some("onnm" | "onnw" | "onpm") => compare_file(path, state),
        _ => import(path, state),
    }
}

fn shown(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}
