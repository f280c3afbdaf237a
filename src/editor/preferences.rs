//! What is the user's, not the map's: theme, scale, panels, recent files. Kept in the user's settings folder.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::export::What;
use super::keymap::Keymap;
use super::layout::Layout;
use super::overlays::Overlays;
use super::state::{Seen, Shown};
use super::style;
use super::worker::Mode;
use super::workspace::Workspaces;
use crate::draw::{Colors, OwnColors, Sight};
use crate::project::{ClassId, write_whole};

/// Most files that are remembered.
const MOST_RECENT: usize = 10;
/// Most projects whose way of baking is remembered.
const MOST_BAKES: usize = 100;
/// The interface's scale, per cent.
pub const SCALES: [u16; 10] = [75, 90, 100, 110, 125, 150, 175, 200, 250, 300];

/// Dark or light.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum Look {
    #[default]
    Dark,
    Light,
    System,
}

/// Which colours the canvas has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum Preset {
    #[default]
    Standard,
    HighContrast,
    Own,
}

/// The user's own colours, as they are kept: red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[allow(missing_docs, reason = "the names say it all")]
pub struct Own {
    pub walk: [u8; 3],
    pub hole: [u8; 3],
    pub other_levels: [u8; 3],
    pub stitched: [u8; 3],
    pub unstitched: [u8; 3],
    pub link: [u8; 3],
    pub path: [u8; 3],
}

impl Default for Own {
    fn default() -> Self {
        let OwnColors { walk, hole, other_levels, stitched, unstitched, link, path } = OwnColors::default();
        Self { walk, hole, other_levels, stitched, unstitched, link, path }
    }
}

/// The user's choices.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[allow(missing_docs, reason = "the names say it all")]
pub struct Preferences {
    pub look: Look,
    /// The colours of the canvas.
    pub preset: Preset,
    /// The user's own colours, whether in use or not.
    pub own: Own,
    /// Whose eyes the canvas is seen with, in this session.
    #[serde(skip)]
    pub sight: Sight,
    /// The interface's scale on top of the screen's own, per cent.
    pub scale: u16,
    /// Files opened or saved, the last one first.
    pub recent: Vec<PathBuf>,
    pub outline: bool,
    pub properties: bool,
    pub issues: bool,
    pub history: bool,
    pub rulers: bool,
    pub grid: bool,
    pub overlays: Overlays,
    /// Which of the canvas and the 3D view.
    pub views: Seen,
    /// Where panels are, if they were moved.
    pub layout: Option<Layout>,
    /// Layouts by name.
    pub workspaces: Workspaces,
    /// Keys that are not the list's own.
    pub keys: Keymap,
    /// Whether nothing glides or fades.
    pub reduced_motion: bool,
    /// Whether saving exports too, where the map was exported before.
    pub export_on_save: bool,
    /// Whether the start page is shown instead of the sample, where no file is named.
    pub start_page: bool,
    /// Whether the tour was seen, or skipped.
    pub tour_seen: bool,
    /// Where each project was exported last, the last one first.
    pub exports: Vec<LastExport>,
    /// How projects are baked where that was picked, the last one first.
    pub bakes: Vec<Baking>,
}

/// How a project is baked, which is the user's business and not the map's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Baking {
    /// The project.
    pub project: PathBuf,
    /// Flat or by voxels; none for what its geometry asks for.
    pub mode: Option<Mode>,
    /// Whether every change is baked.
    pub live: bool,
}

/// Where a project was exported last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastExport {
    /// The project.
    pub project: PathBuf,
    /// The mesh.
    pub mesh: PathBuf,
    /// The agent class; none for all of them.
    pub class: Option<u64>,
}

impl Default for Preferences {
    fn default() -> Self {
        let Shown { outline, properties, issues, history, rulers, grid, overlays, views, .. } =
            Shown::default();
        let (look, recent) = (Look::default(), Vec::new());
        Self {
            look,
            preset: Preset::default(),
            own: Own::default(),
            sight: Sight::default(),
            scale: 100,
            recent,
            outline,
            properties,
            issues,
            history,
            rulers,
            grid,
            overlays,
            views,
            layout: None,
            workspaces: Workspaces::default(),
            keys: Keymap::default(),
            reduced_motion: false,
            export_on_save: false,
            start_page: false,
            tour_seen: false,
            exports: Vec::new(),
            bakes: Vec::new(),
        }
    }
}

impl Preferences {
    /// Reads the file; defaults where there is none, and with the reason where it cannot be read.
    #[must_use]
    pub fn load(path: &Path) -> (Self, Option<String>) {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return (Self::default(), None),
            Err(error) => return (Self::default(), Some(format!("{}: {error}", path.display()))),
        };
        match ron::from_str::<Self>(&text) {
            Ok(mut read) => {
                read.scale = read.scale.clamp(SCALES[0], SCALES[SCALES.len() - 1]);
                read.recent.truncate(MOST_RECENT);
                (read, None)
            }
            Err(error) => (Self::default(), Some(format!("{}:{error}", path.display()))),
        }
    }

    /// Writes the file, and the folder if it is missing.
    ///
    /// # Errors
    /// What the system says.
    pub fn save(&self, path: &Path) -> std::io::Result<()> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let text = ron::ser::to_string_pretty(self, ron::ser::PrettyConfig::default());
        write_whole(path, text.map_err(std::io::Error::other)?.as_bytes())
    }

    /// Puts a file in front of the recent ones.
    pub fn opened(&mut self, path: &Path) {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        self.recent.retain(|other| *other != path);
        self.recent.insert(0, path);
        self.recent.truncate(MOST_RECENT);
    }

    /// Takes a file off the recent ones.
    pub fn forget(&mut self, index: usize) {
        if index < self.recent.len() {
            self.recent.remove(index);
        }
    }

    /// Notes where a project was exported.
    pub fn exported(&mut self, project: &Path, (mesh, what): &(PathBuf, What)) {
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let class = match what {
            What::Class(id) => Some(id.0),
            What::World => None,
        };
        let export = LastExport { project: absolute(project), mesh: absolute(mesh), class };
        if self.exports.first() != Some(&export) {
            self.exports.retain(|other| other.project != export.project);
            self.exports.insert(0, export);
            self.exports.truncate(MOST_RECENT);
        }
    }

    /// Where a project was exported last, and what.
    #[must_use]
    pub fn export_of(&self, project: &Path) -> Option<(PathBuf, What)> {
        let project = std::path::absolute(project).unwrap_or_else(|_| project.to_owned());
        let found = self.exports.iter().find(|export| export.project == project)?;
        let what = found.class.map_or(What::World, |id| What::Class(ClassId(id)));
        Some((found.mesh.clone(), what))
    }

    /// Notes how a project is baked. What is as it is for every project needs no note.
    pub fn baked_by(&mut self, project: &Path, (mode, live): (Option<Mode>, bool)) {
        if self.baking_of(project) == (mode, live) {
            return;
        }
        let project = std::path::absolute(project).unwrap_or_else(|_| project.to_owned());
        self.bakes.retain(|other| other.project != project);
        if (mode, live) != (None, true) {
            self.bakes.insert(0, Baking { project, mode, live });
            self.bakes.truncate(MOST_BAKES);
        }
    }

    /// How a project was baked when it was open last: the way that was picked, and whether live.
    #[must_use]
    pub fn baking_of(&self, project: &Path) -> (Option<Mode>, bool) {
        let project = std::path::absolute(project).unwrap_or_else(|_| project.to_owned());
        let found = self.bakes.iter().find(|baking| baking.project == project);
        found.map_or((None, true), |baking| (baking.mode, baking.live))
    }

    /// The next larger (`true`) or smaller scale.
    pub fn step_scale(&mut self, larger: bool) {
        let next = if larger {
            SCALES.into_iter().find(|&scale| scale > self.scale)
        } else {
            SCALES.into_iter().rev().find(|&scale| scale < self.scale)
        };
        self.scale = next.unwrap_or(self.scale);
    }

    /// Takes the panels as they are shown.
    pub fn note(&mut self, shown: &Shown) {
        let Shown { outline, properties, issues, history, rulers, grid, overlays, views, .. } = *shown;
        let before = std::mem::take(self);
        *self = Self { outline, properties, issues, history, rulers, grid, overlays, views, ..before };
    }

    /// Shows the panels as they were.
    pub fn show(&self, shown: &mut Shown) {
        let Self { outline, properties, issues, history, rulers, grid, overlays, views, .. } = *self;
        *shown = Shown { outline, properties, issues, history, rulers, grid, overlays, views, ..*shown };
    }

    /// The colours of the canvas.
    #[must_use]
    pub fn colors(&self) -> Colors {
        let Own { walk, hole, other_levels, stitched, unstitched, link, path } = self.own;
        match self.preset {
            Preset::Standard => Colors::Standard,
            Preset::HighContrast => Colors::HighContrast,
            Preset::Own => {
                Colors::Own(OwnColors { walk, hole, other_levels, stitched, unstitched, link, path })
            }
        }
    }

    /// Sets theme and scale of a context.
    pub fn apply(&self, context: &egui::Context) {
        let theme = match self.look {
            Look::Dark => egui::ThemePreference::Dark,
            Look::Light => egui::ThemePreference::Light,
            Look::System => egui::ThemePreference::System,
        };
        if context.options(|options| options.theme_preference) != theme {
            context.set_theme(theme);
        }
        style::set_colors(context, self.colors(), self.sight);
        style::set_motion(context, self.reduced_motion);
        self.keys.install(context);
        let scale = f32::from(self.scale) / 100.0;
        if (context.zoom_factor() - scale).abs() > 1e-3 {
            context.set_zoom_factor(scale);
        }
    }
}
