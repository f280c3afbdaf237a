//! Opening the window: wgpu first, OpenGL if that fails, and words instead of a panic where there is no display.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::app::App;
use super::gpu;
use super::safety::Home;
use super::view3d;

/// Why there is no window.
#[derive(Debug, thiserror::Error)]
pub enum EditorError {
    /// Linux without X11 or Wayland.
    #[error("there is no display: neither DISPLAY nor WAYLAND_DISPLAY is set")]
    NoDisplay,
    /// The windowing library gave up, mostly for a missing library.
    #[error(
        "the window cannot be opened: {reason}. On Debian install: libx11-6 libx11-xcb1 libxcursor1 libxi6 \
         libxkbcommon-x11-0 libgl1 libegl1 and a graphics driver such as mesa-vulkan-drivers"
    )]
    Window {
        /// What it says.
        reason: String,
    },
    /// No renderer works.
    #[error(
        "no renderer works: {reason}. Install a graphics driver such as mesa-vulkan-drivers or libgl1-mesa-dri"
    )]
    Renderer {
        /// What each renderer says.
        reason: String,
    },
}

/// Opens the window on `path`, or on the sample map, and returns when it is closed.
///
/// # Errors
/// [`EditorError`] saying what is missing.
pub fn run(path: Option<&Path>) -> Result<(), EditorError> {
    if cfg!(target_os = "linux") && !has_display() {
        return Err(EditorError::NoDisplay);
    }
    let mut reasons = Vec::new();
    for renderer in [eframe::Renderer::Wgpu, eframe::Renderer::Glow] {
        match open(renderer, path.map(Path::to_owned))? {
            Ok(()) => return Ok(()),
            Err(error) => {
                log::warn!("{renderer}: {error}");
                reasons.push(format!("{renderer}: {error}"));
            }
        }
    }
    Err(EditorError::Renderer { reason: reasons.join("; ") })
}

/// One try. The outer error is a panic of the windowing library; trying again would not help.
fn open(renderer: eframe::Renderer, path: Option<PathBuf>) -> Result<Result<(), eframe::Error>, EditorError> {
    let options = eframe::NativeOptions {
        renderer,
        viewport: egui::ViewportBuilder::default()
            .with_app_id("navwright")
            .with_title("navwright")
            .with_inner_size([1280.0, 800.0])
            .with_min_inner_size([1024.0, 640.0]),
        ..Default::default()
    };
    let opened = Arc::new(AtomicBool::new(false));
    let has_opened = Arc::clone(&opened);
    let started = catch_unwind(AssertUnwindSafe(|| {
        eframe::run_native(
            "navwright",
            options,
            Box::new(move |creation| {
                has_opened.store(true, Ordering::Relaxed);
                let home = Home::of_user();
                let mut app = App::at_home(&creation.egui_ctx, path.as_deref(), true, home.as_ref());
                if let Some(state) = &creation.wgpu_render_state {
                    gpu::install(state);
                    app.use_gpu(gpu::Gpu::Buffers);
                    if !view3d::install(state) {
                        app.view3d.use_gpu(gpu::Gpu::Shapes);
                    }
                }
                Ok(Box::new(app))
            }),
        )
    }));
    started.map_err(|panic| {
        if opened.load(Ordering::Relaxed) {
            // Our own fault, not a missing library's.
            resume_unwind(panic);
        }
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        EditorError::Window { reason: text.unwrap_or_else(|| "no reason given".to_owned()) }
    })
}

fn has_display() -> bool {
    ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"]
        .iter()
        .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}
