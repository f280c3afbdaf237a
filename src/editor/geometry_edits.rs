//! The map's geometry: how high it is cut off, its files taken in, and found again when the project is saved elsewhere.

use std::path::Path;
use std::sync::Arc;

use super::canvas::pick::Item;
use super::geometry::Source;
use super::state::{Frame, Selection, State, Tone};
use super::words::many;
use crate::project::relative::relative;
use crate::project::{Command, Geometry, GeometryId, new_id};

/// The part of a path before its last name, with the `/`.
fn folder_of(path: &str) -> &str {
    path.rfind('/').map_or("", |end| &path[..=end])
}

/// What a file that cannot be read is told by.
const UNREAD: &str = "Geometry cannot be read: ";
/// The cut's height over the level's floor, as a part of the agent's height.
const CUT: f64 = 0.6;

impl State {
    /// World height above which the canvas shows nothing of the geometry.
    #[must_use]
    pub fn ground_cut(&self) -> f64 {
        let document = self.document();
        let over = self.geometry_cut.unwrap_or_else(|| self.usual_cut());
        document.settings.height + document.elevation(self.level) + over
    }

    /// How high over the level's floor that is unless it is set: below most door frames, above most tables.
    #[must_use]
    pub fn usual_cut(&self) -> f64 {
        CUT * f64::from(self.class().height)
    }

    /// What the map's geometry is to be read for now.
    pub(super) fn geometry_source(&self) -> Source {
        Source {
            geometry: Arc::clone(&self.document().geometry),
            folder: self.folder(),
            bundled: self.bundled,
        }
    }

    /// Whether the geometry at hand is that of the document as it is.
    #[must_use]
    pub fn geometry_is_current(&self) -> bool {
        self.geometry.is_current(&self.geometry_source())
    }

    /// Takes a file of geometry in on the current level, as it stands in the file. A map without a file of its own takes
    /// the geometry's folder for where its paths lead on from, until it is saved.
    ///
    /// # Errors
    /// Why it cannot be one of this project's. What is wrong with the file itself is told by [`Self::geometry`] when it
    /// was read.
    pub fn import_geometry(&mut self, path: &Path) -> Result<(), String> {
        let whole = std::path::absolute(path).map_err(|error| format!("{}: {error}", path.display()))?;
        if self.folder().is_none() {
            self.base = whole.parent().map(Path::to_owned);
        }
        let folder = self.folder().unwrap_or_default();
        let relative = relative(&folder.join("map"), &whole)
            .ok_or_else(|| format!("{} cannot be reached from the project's folder", path.display()))?;
        let document = self.history.document();
        let id = std::iter::repeat_with(|| GeometryId(new_id())).find(|&id| document.geometry(id).is_none());
        let id = id.unwrap_or(GeometryId(0));
        let item = Geometry { level: self.level, ..Geometry::new(id, &relative) };
        let name = format!("Import {}", item.name());
        self.history.commit(&name, &Command::SetGeometry(item)).map_err(|error| error.to_string())?;
        self.changed();
        self.select(Selection::item(Item::Geometry(id)));
        self.frame_geometry = true;
        self.placing = Some(id);
        Ok(())
    }

    /// Another file for an item, which lies as the one before: a path from the project's folder, or a whole one. Other
    /// files that are missing from the same folder, or from one below it, and are found beside it go along.
    ///
    /// # Errors
    /// Why it cannot be one of this project's.
    pub(super) fn find_geometry(&mut self, id: GeometryId, path: &str) -> Result<(), String> {
        let folder = self.folder().unwrap_or_default();
        let plain = path.trim().replace('\\', "/");
        let path = relative(&folder.join("map"), &folder.join(&plain))
            .ok_or_else(|| format!("{path} cannot be reached from the project's folder"))?;
        let document = self.document();
        let Some(item) = document.geometry(id).cloned() else { return Ok(()) };
        // What was missing is shown whole when it is there.
        let was_missing = self.missing_geometry().any(|item| item.id == id);
        let moved = self.missing_geometry().filter_map(|other| {
            let rest = other.path.strip_prefix(folder_of(&item.path))?;
            let path = format!("{}{rest}", folder_of(&path));
            let is_there = other.id != id && folder.join(&path).is_file();
            is_there.then(|| Command::SetGeometry(Geometry { path, ..(**other).clone() }))
        });
        let mut commands: Vec<Command> = moved.collect();
        let name = match commands.len() {
            0 => format!("Find {}", item.name()),
            others => format!("Find {} and {}", item.name(), many(others, "file")),
        };
        commands.push(Command::SetGeometry(Geometry { path, ..(*item).clone() }));
        self.frame_geometry |= was_missing;
        self.commit(&name, &Command::Several(commands));
        Ok(())
    }

    /// The item whose file is to be found: the one that is selected, else the first that is missing.
    pub(super) fn geometry_to_find(&self) -> Option<GeometryId> {
        match self.selection.only() {
            Some(Item::Geometry(id)) => Some(id),
            _ => self.missing_geometry().next().map(|item| item.id),
        }
    }

    /// The geometry of a file that was opened by itself.
    fn opened_by_itself(&self) -> Option<GeometryId> {
        let document = self.document();
        let by_itself = self.file.is_none() && self.bundled.is_empty() && document.areas.is_empty();
        match &document.geometry[..] {
            [only] if by_itself => Some(only.id),
            _ => None,
        }
    }

    fn missing_geometry(&self) -> impl Iterator<Item = &Arc<Geometry>> {
        let is_missing =
            |item: &&Arc<Geometry>| self.geometry.get(item.id).is_some_and(|loaded| loaded.error.is_some());
        self.document().geometry.iter().filter(is_missing)
    }

    /// As the project is about to be saved in another folder, geometry gets its paths from there. What is not found from
    /// there keeps its path. Files that come with the program are written beside the project.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub(super) fn keep_geometry(&mut self, to: &Path) -> Result<(), String> {
        let folder = to.parent().unwrap_or(Path::new(""));
        for file in std::mem::take(&mut self.bundled) {
            let path = folder.join(file.name);
            if !path.exists() {
                std::fs::write(&path, file.text).map_err(|error| format!("{}: {error}", path.display()))?;
            }
        }
        let Some(from) = self.folder().filter(|from| from != folder) else { return Ok(()) };
        let moved = self.history.document().geometry.iter().filter_map(|item| {
            let path = relative(to, &from.join(&item.path)).filter(|path| *path != item.path)?;
            Some(Command::SetGeometry(Geometry { path, ..(**item).clone() }))
        });
        let moved: Vec<Command> = moved.collect();
        if !moved.is_empty() {
            self.commit("Find geometry from the new folder", &Command::Several(moved));
        }
        Ok(())
    }

    /// What was read is there: says what was left out or is wrong, and shows what was imported just now.
    pub(super) fn geometry_arrived(&mut self, is_first: bool) {
        let is_first = is_first && self.history.past().count() == 0;
        let imported = std::mem::take(&mut self.frame_geometry);
        if imported || is_first {
            self.frame_next = Some(Frame::All);
            self.placing = self.placing.or_else(|| self.opened_by_itself().filter(|_| is_first));
            let is_new = self.history.past().last().is_some_and(|step| step.starts_with("Import"));
            let told = self
                .geometry
                .items
                .iter()
                .filter(|loaded| self.selection.has(Item::Geometry(loaded.item.id)));
            let told: Vec<String> = told
                .filter(|loaded| loaded.error.is_none() && is_new)
                .map(|loaded| {
                    let rest = if loaded.left_out.is_empty() {
                        String::new()
                    } else {
                        format!("; {}", loaded.left_out)
                    };
                    format!("Imported {}: {}{rest}", loaded.item.name(), many(loaded.triangles, "triangle"))
                })
                .collect();
            if !told.is_empty() {
                self.say(Tone::Good, told.join(" · "));
            }
        }
        if self.bake.shown.is_some() && self.geometry.items.iter().any(|loaded| loaded.error.is_some()) {
            // A flat bake may have come before.
            self.geometry_changed();
        }
        let failed = self.geometry.items.iter().filter_map(|loaded| loaded.error.as_ref());
        let failed: Vec<&String> = failed.collect();
        if let [first, rest @ ..] = &failed[..] {
            let more = if rest.is_empty() { String::new() } else { format!(" (and {} more)", rest.len()) };
            self.say(Tone::Bad, format!("{UNREAD}{first}{more}"));
        } else if self.message.as_ref().is_some_and(|message| message.text.starts_with(UNREAD)) {
            self.message = None;
        }
    }
}
