//! What comes back from the bake: the mesh, its issues, the path through it, and plots of them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::canvas::pick::Item;
use super::floors::Floors;
use super::plots::{Figure, Plotted};
use super::records::Record;
use super::selection::Selection;
use super::state::{Frame, State, Tone};
use super::worker::{Mode, Outcome, Request};
use crate::bake::Element;
use crate::draw::{Role, Shape};
use crate::project::{AreaId, GeometryId, LinkId, Spot, find_path};
use crate::query::PathStatus;

/// A voxel bake waits until nothing has changed for this long.
const SETTLE: Duration = Duration::from_millis(800);

impl State {
    /// How the map is baked: as it was picked; else by voxels if there is geometry.
    #[must_use]
    pub fn bake_mode(&self) -> Mode {
        let has_geometry = !self.history.document().geometry.is_empty();
        self.bake.picked_mode.unwrap_or(if has_geometry { Mode::Voxel } else { Mode::Flat })
    }

    /// Bakes the map in another way from now on.
    pub fn pick_mode(&mut self, mode: Mode) {
        self.set_picked_mode(Some(mode));
    }

    /// Bakes as it was picked, or as the map's geometry asks for, from now on.
    pub(super) fn set_picked_mode(&mut self, mode: Option<Mode>) {
        let before = self.bake_mode();
        self.bake.picked_mode = mode;
        if self.bake_mode() != before {
            self.generation += 1;
            // What changes is the way, and not in small steps: it need not settle.
            self.bake.changed = None;
        }
    }

    /// The request that is due, if any: the drawing changed and is baked live, or `now`. A voxel bake waits until
    /// nothing has changed for a while, and for the geometry's files.
    pub fn bake_request(&mut self, now: bool) -> Option<Request> {
        let mode = self.bake_mode();
        let wanted = std::mem::take(&mut self.complete_wanted) || now;
        let unsent = self.bake.sent_generation != self.generation;
        let up_to_date = self.fresh() || self.baking() && !unsent;
        let is_due = match mode {
            Mode::Flat => wanted || (self.bake.live || self.tools.kind().shows_bake()) && unsent,
            Mode::Voxel if !self.geometry_is_current() || self.history.in_gesture() => {
                // Not yet.
                self.complete_wanted = wanted;
                false
            }
            Mode::Voxel => {
                let settled = self.bake.live && unsent && self.settles_in().is_zero();
                now || wanted && !up_to_date || settled
            }
        };
        if !is_due {
            return None;
        }
        self.bake.sent_generation = self.generation;
        let last = self.history.past().last().map_or_else(|| "Opened".to_owned(), str::to_owned);
        self.bake.sent_for = Some(if self.history.in_gesture() { "A drag".to_owned() } else { last });
        self.bake.ticket += 1;
        self.bake.cancelled = false;
        Some(Request {
            generation: self.generation,
            ticket: self.bake.ticket,
            mode,
            geometry: self.geometry.clone(),
            document: self.history.document().clone(),
            class: Arc::clone(self.class()),
            dragging: self.history.in_gesture(),
            // By voxels a bake of what changed has the bytes of one of everything, and takes far less time.
            complete: wanted && (mode == Mode::Flat || up_to_date),
        })
    }

    /// How long nothing may change any more until a voxel bake is due by itself.
    fn settles_in(&self) -> Duration {
        match self.bake.changed {
            Some((generation, at)) if generation == self.generation => SETTLE.saturating_sub(at.elapsed()),
            // The first drawing, or another way: at once.
            _ => Duration::ZERO,
        }
    }

    /// When a voxel bake becomes due by itself, if one does.
    #[must_use]
    pub fn wakes_in(&self) -> Option<Duration> {
        let waits = self.bake_mode() == Mode::Voxel
            && self.bake.live
            && self.bake.sent_generation != self.generation
            && self.geometry_is_current()
            && !self.history.in_gesture();
        waits.then(|| self.settles_in())
    }

    /// Takes in what the worker has done.
    pub fn baked(&mut self, outcome: Outcome) {
        // Of another map, or done a moment after it was called off.
        let is_late = outcome.ticket == self.bake.ticket && self.bake.cancelled;
        if outcome.ticket <= self.bake.since_ticket || is_late {
            return;
        }
        if outcome.ticket == self.bake.ticket {
            self.bake.answered = outcome.ticket;
        }
        match outcome.result {
            Ok(baked) => {
                self.bake.took = outcome.took;
                let edited =
                    if outcome.ticket == self.bake.ticket { self.bake.sent_for.clone() } else { None };
                self.bake.records.push(Record {
                    edited: edited.unwrap_or_else(|| "an earlier edit".to_owned()),
                    mode: baked.mode,
                    secs: outcome.took.as_secs_f64(),
                    stages: baked.timings.stages.clone(),
                    tiles: baked.fresh_tiles,
                });
                self.bake.shown = Some(baked);
                self.bake.shown_generation = outcome.generation;
                self.bake.failure = None;
                self.issue = None;
            }
            // The mesh before stays, marked stale.
            Err(failure) if failure.is_stop() => {}
            Err(failure) => {
                self.bake.took = outcome.took;
                self.bake.failure = Some(failure);
            }
        }
    }

    /// The bake in hand is not waited for any more. Whether there was one; the worker is to be told.
    pub fn cancel_bake(&mut self) -> bool {
        let was = self.baking();
        self.bake.answered = self.bake.ticket;
        self.bake.progress = None;
        if was {
            self.bake.cancelled = true;
            self.say(Tone::Hint, "The bake was cancelled; the mesh before stays");
        }
        was
    }

    /// Whether the worker has something to do.
    #[must_use]
    pub fn baking(&self) -> bool {
        self.bake.ticket != self.bake.answered
    }

    /// Keeps what follows from other things up to date: staleness and the path.
    pub fn refresh(&mut self) {
        match self.bake.changed {
            Some((generation, _)) if generation == self.generation => {}
            // What is there at first has not changed.
            None => {
                self.bake.changed =
                    Some((self.generation, Instant::now().checked_sub(SETTLE).unwrap_or_else(Instant::now)))
            }
            Some(_) => self.bake.changed = Some((self.generation, Instant::now())),
        }
        self.refresh_issues();
        self.refresh_marks();
        let class = Arc::clone(self.class());
        self.fingerprint.refresh(self.history.document(), &class);
        let fresh = self.fresh();
        match (fresh, self.bake.stale_since) {
            (true, _) => self.bake.stale_since = None,
            (false, None) => self.bake.stale_since = Some(Instant::now()),
            (false, Some(_)) => {}
        }
        self.refresh_asked();
        self.refresh_floors();
        let test = &self.tools.test;
        let (Some(start), Some(end), Some(baked)) = (test.start, test.end, &self.bake.shown) else {
            (self.path, self.path_off) = (None, None);
            self.path_key = None;
            return self.refresh_why();
        };
        let key = (start, end, self.bake.shown_generation);
        if self.path_key == Some(key) {
            return self.refresh_why();
        }
        let document = self.history.document();
        let (filter, ends) = (document.filter(), [&start.spot(), &end.spot()]);
        let found = find_path(document, &baked.mesh.mesh, ends, &filter, &mut self.scratch);
        self.path_key = Some(key);
        match found {
            Ok(found) => {
                self.path_off = found.off().map(str::to_owned);
                self.path = Some(found.path);
            }
            Err(error) => {
                (self.path, self.path_off) = (None, None);
                self.say(Tone::Bad, error.to_string());
            }
        }
        self.refresh_why();
    }

    fn refresh_floors(&mut self) {
        let test = &self.tools.test;
        let (ends, shown) = ([test.start, test.end], self.bake.shown_generation);
        if self.floors_key != Some((ends, shown)) {
            self.floors_key = Some((ends, shown));
            self.test_floors =
                ends.map(|marker| marker.map(|marker| self.floors_at(marker.spot())).unwrap_or_default());
        }
    }

    /// The floors of the shown mesh over a place, where they can lie over each other.
    #[must_use]
    pub fn floors_at(&mut self, spot: Spot) -> Floors {
        let Some(baked) = &self.bake.shown else { return Floors::default() };
        Floors::at(self.history.document(), &baked.mesh.mesh, spot, &mut self.scratch)
    }

    /// Whether there is a path between the places that were asked for, and not only between floors near them.
    #[must_use]
    pub fn path_exists(&self) -> bool {
        let complete = self.path.as_ref().is_some_and(|path| path.status == PathStatus::Complete);
        complete && self.path_off.is_none()
    }

    /// Selects an issue's element and goes to its place.
    pub fn go_to_issue(&mut self, index: usize) {
        let Some(issue) = self.issues().get(index).cloned() else { return };
        self.issue = Some(index);
        self.level = issue.level;
        let links: Vec<LinkId> = self.history.document().links.iter().map(|link| link.id).collect();
        match issue.element {
            Element::Area(id) => self.select(Selection::area(AreaId(id))),
            Element::Point { area, index } => self.select(Selection::point(AreaId(area), index)),
            Element::Link(index) => {
                let found = links.get(index).map(|&id| Selection::link(id));
                self.select(found.unwrap_or_default());
            }
            Element::Level(_) | Element::Levels(_) | Element::Tile { .. } | Element::Settings => {}
            Element::Geometry(id) => self.select(Selection::item(Item::Geometry(GeometryId(id)))),
            Element::Mesh(index) => {
                let meshes = self.geometry.items.iter();
                let mut items = meshes.flat_map(|loaded| loaded.meshes.iter().map(|_| loaded.item.id));
                let found = items.nth(index).map(|id| Selection::item(Item::Geometry(id)));
                self.select(found.unwrap_or_default());
            }
        }
        if issue.place.iter().all(|value| value.is_finite()) {
            self.frame_next = Some(Frame::Place(issue.place));
        }
    }

    /// Goes to the next (`true`) or previous issue.
    pub fn step_issue(&mut self, forward: bool) {
        let listed = self.listed_issues();
        let count = listed.len();
        if count == 0 {
            return self.say(Tone::Hint, "No issues");
        }
        let now = self.issue.and_then(|now| listed.iter().position(|&index| index == now));
        let next = match now {
            None => 0,
            Some(now) if forward => (now + 1) % count,
            Some(now) => (now + count - 1) % count,
        };
        let (index, text) = (listed[next], format!("Issue {} of {count}", next + 1));
        self.go_to_issue(index);
        let message = self.issues().get(index).map(|issue| issue.message.clone()).unwrap_or_default();
        self.say(Tone::Hint, format!("{text}: {message}"));
    }

    /// The figure of the plot that is looked at; `None` where there is nothing.
    pub fn figure(&mut self) -> Option<Arc<Figure>> {
        let radius = self.class().radius;
        let (baked, records) = (self.bake.shown.as_ref(), &self.bake.records);
        self.plots.figure(&Plotted { baked, records, path: self.path.as_ref(), radius })
    }

    /// Does what a click on a bar or a tile does: lights it up, and goes to its tile.
    pub fn pick_plotted(&mut self, lights: Vec<Shape>, tile: Option<[i32; 2]>) {
        self.plots.lit = lights;
        let Some(tile) = tile else { return };
        self.pick_stage_tile(tile);
        let Some(baked) = &self.bake.shown else { return };
        let params = baked.mesh.mesh.params();
        let [x0, x1] = [tile[0], tile[0].saturating_add(1)].map(|x| params.tile_origin_x(x));
        let [z0, z1] = [tile[1], tile[1].saturating_add(1)].map(|z| params.tile_origin_z(z));
        let points = vec![[x0, z0], [x1, z0], [x1, z1], [x0, z1]];
        self.plots.lit.push(Shape::Polyline { points, closed: true, role: Role::Hover });
        self.frame_next = Some(Frame::Place([0.5 * (x0 + x1), 0.5 * (z0 + z1)]));
    }
}
