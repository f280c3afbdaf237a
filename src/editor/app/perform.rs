//! What each action does: menus, keys, bars and the list of commands all end here.

use super::App;
use crate::editor::action::Action;
use crate::editor::canvas;
use crate::editor::dock;
use crate::editor::files::Next;
use crate::editor::finder::{Finder, Seek};
use crate::editor::naming::Naming;
use crate::editor::preferences::Look;
use crate::editor::purpose::Purpose;
use crate::editor::state::{self, OtherLevels, Seen, Tone};
use crate::editor::tools::{Event, Keys};
use crate::editor::transform::Transform;
use crate::editor::view3d::levels::MOST_EXPLODE;
use crate::editor::worker::Mode;
use crate::editor::workspace::{self, Workspaces};

impl App {
    /// Shows the canvas, the 3D view or both.
    fn see(&mut self, views: Seen) {
        self.state.shown.views = views;
        if views == Seen::Split {
            dock::part(&mut self.layout);
        }
    }

    /// Does what was picked in a menu, on a bar or by keys.
    pub fn perform(&mut self, action: Action, context: &egui::Context) {
        let state = &mut self.state;
        match action {
            Action::New => self.files.go_on(Next::New, state, context),
            Action::Open => self.files.go_on(Next::Open, state, context),
            Action::Save => self.save(None, context),
            Action::SaveAs => self.files.ask(Purpose::Save, state, context),
            Action::Export => self.files.export_again(state, context),
            Action::ExportAs => self.files.ask(Purpose::Export, state, context),
            Action::Import => self.files.ask(Purpose::Import, state, context),
            Action::FindGeometry => match state.geometry_to_find() {
                Some(id) => self.files.ask(Purpose::Find(id), state, context),
                None => {
                    state.say(Tone::Hint, "No file of geometry is missing; select one to name another file")
                }
            },
            Action::ExportPicture => self.files.ask(Purpose::Render, state, context),
            Action::ExportOutlines => self.files.ask(Purpose::Outlines, state, context),
            Action::PlotNumbers => self.files.ask(Purpose::PlotNumbers, state, context),
            Action::PlotPicture => self.files.ask(Purpose::PlotPicture, state, context),
            Action::ExportOnSave => self.preferences.export_on_save = !self.preferences.export_on_save,
            Action::CompareBuild => self.files.ask(Purpose::Compare, state, context),
            Action::StartPage => state.shown.start = true,
            Action::Recover => self.recover(),
            Action::ImportPicture => self.files.import_picture(state, context),
            Action::Quit => context.send_viewport_cmd(egui::ViewportCommand::Close),
            Action::Undo => state.undo(),
            Action::Redo => state.redo(),
            Action::Copy
                if state.selection.is_empty() || self.canvas.on_issues() || self.view3d.on_issues() =>
            {
                let card = self.canvas.card_text(state).or_else(|| self.view3d.card_text(state));
                match card.or_else(|| state.copied()) {
                    Some(text) => context.copy_text(text),
                    None => state.say(Tone::Hint, "Nothing is selected"),
                }
            }
            Action::Copy => {
                if let Some(text) = state.copied() {
                    context.copy_text(text);
                }
            }
            Action::Cut => {
                if let Some(text) = state.cut() {
                    context.copy_text(text);
                }
            }
            Action::Paste | Action::PasteInPlace => {
                self.paste_in_place = action == Action::PasteInPlace;
                context.send_viewport_cmd(egui::ViewportCommand::RequestPaste);
            }
            Action::SelectSameKind => state.select_same_kind(),
            Action::SelectTouching => state.select_touching(),
            Action::RotateLeft => state.transform(Transform::RotateLeft),
            Action::RotateRight => state.transform(Transform::RotateRight),
            Action::MirrorX => state.transform(Transform::MirrorX),
            Action::MirrorZ => state.transform(Transform::MirrorZ),
            Action::MoveLater => state.reorder(true),
            Action::MoveEarlier => state.reorder(false),
            Action::JoinPoints => state.join_points(),
            Action::Separate => state.separate(),
            Action::Simplify => state.simplify(state.tolerance),
            Action::SelectionUp => state.move_to_level(true),
            Action::SelectionDown => state.move_to_level(false),
            Action::Duplicate => state.duplicate(),
            Action::Delete => state.delete(),
            Action::Rename => {
                state.shown.outline = true;
                self.outline.rename(state);
            }
            Action::PinCheck => state.pin_check(),
            Action::SelectAll => state.select_all(),
            Action::Escape => {
                if self.tour.dismiss() {
                    self.preferences.tour_seen = true;
                    return;
                }
                // The field has lost the keyboard by then, so the key is the window's.
                if self.outline.cancel_rename() || self.canvas.close_card() {
                    return;
                }
                // What is in hand on the canvas comes first.
                if !state.in_hand() && state.bake_mode() == Mode::Voxel && state.cancel_bake() {
                    self.worker.cancel();
                } else {
                    state.escape();
                }
            }
            Action::Finish => state.finish(),
            Action::NextThing | Action::PreviousThing => {
                let forward = action == Action::NextThing;
                self.canvas.next_thing(context, state, forward);
            }
            Action::Put => {
                let modifiers = context.input(|input| input.modifiers);
                state.put_at_cross(canvas::keys(modifiers));
            }
            Action::StepBack => {
                state.tool_event(Event::StepBack, Keys::default());
            }
            Action::Nudge(step, whole) => state.arrow(step, whole),
            Action::LevelUp => state.climb(),
            Action::LevelDown => state.step_level(false),
            Action::NextFloor => state.next_floor(true),
            Action::PreviousFloor => state.next_floor(false),
            Action::AddLevelAbove => state.add_level(true),
            Action::AddLevelBelow => state.add_level(false),
            Action::RemoveLevel => state.remove_level(),
            Action::BakeNow => {
                if let Some(request) = state.bake_request(true) {
                    self.worker.submit(request);
                }
            }
            Action::CancelBake => {
                if state.cancel_bake() {
                    self.worker.cancel();
                }
            }
            Action::VoxelBake => {
                let voxel = state.bake_mode() == Mode::Voxel;
                state.pick_mode(if voxel { Mode::Flat } else { Mode::Voxel });
            }
            Action::NextStage | Action::PreviousStage => state.step_stage(action == Action::NextStage),
            Action::LiveBake => state.bake.live = !state.bake.live,
            Action::AddClass => state.add_class(),
            Action::RemoveClass => state.remove_class(),
            Action::ClassUp => state.move_class(true),
            Action::ClassDown => state.move_class(false),
            Action::NextClass => state.next_class(),
            Action::FrameAll => state.frame_next = Some(state::Frame::All),
            Action::FrameSelection => state.frame_next = Some(state::Frame::Selection),
            Action::NextIssue => state.step_issue(true),
            Action::PreviousIssue => state.step_issue(false),
            Action::Tool(kind) => state.take_tool(kind),
            Action::OtherLevels => {
                state.shown.others = match state.shown.others {
                    OtherLevels::Off => OtherLevels::Faint,
                    OtherLevels::Faint => OtherLevels::Full,
                    OtherLevels::Full => OtherLevels::Off,
                };
                let word = format!("Other levels: {:?}", state.shown.others).to_lowercase();
                state.say(Tone::Hint, word);
            }
            Action::Grid => state.shown.grid = !state.shown.grid,
            Action::Overlay(overlay) => state.turn_overlay(overlay),
            Action::DefaultOverlays => state.default_overlays(),
            Action::Rulers => state.shown.rulers = !state.shown.rulers,
            Action::Outline => state.shown.outline = !state.shown.outline,
            Action::Properties => state.shown.properties = !state.shown.properties,
            Action::Issues => state.shown.issues = !state.shown.issues,
            Action::CanvasOnly => state.shown.canvas_only = !state.shown.canvas_only,
            Action::Views => {
                let next = state.shown.views.next();
                self.see(next);
            }
            Action::See(views) => self.see(views),
            Action::ResetView => self.view3d.reset(context),
            Action::CutAbove => self.view3d.pull.clip = !self.view3d.pull.clip,
            Action::Turn(step) => {
                let [right, up] = step.direction();
                #[allow(clippy::cast_possible_truncation, reason = "whole numbers")]
                self.view3d.step(context, [right as f32, -up as f32, 0.0]);
            }
            Action::Apart(apart) => {
                let by = if apart { 0.5 } else { -0.5 };
                let pull = &mut self.view3d.pull;
                pull.explode = (pull.explode + by).clamp(0.0, MOST_EXPLODE);
            }
            Action::Nearer(near) => self.view3d.step(context, [0.0, 0.0, if near { 1.0 } else { -1.0 }]),
            Action::OpenRecent(index) => self.files.go_on(Next::Recent(index), state, context),
            Action::Preferences => state.shown.preferences = true,
            Action::LightOrDark => {
                let dark = context.theme() == egui::Theme::Dark;
                self.preferences.look = if dark { Look::Light } else { Look::Dark };
            }
            Action::ScaleUp => self.preferences.step_scale(true),
            Action::ScaleDown => self.preferences.step_scale(false),
            Action::History => state.shown.history = !state.shown.history,
            Action::Layout(index) => {
                let name = workspace::BUILT_IN.get(usize::from(index)).copied().unwrap_or_default();
                self.lay_out(name);
            }
            Action::OwnLayout(index) => {
                let names = self.preferences.workspaces.names();
                let own =
                    names.filter(|name| Workspaces::is_own(name)).nth(usize::from(index)).map(str::to_owned);
                if let Some(name) = own {
                    self.lay_out(&name);
                }
            }
            Action::SaveLayout => self.naming = Some(Naming::new("")),
            Action::RemoveLayout => {
                if Workspaces::is_own(&self.preferences.workspaces.current) {
                    let next = self.preferences.workspaces.reset();
                    self.put_up(&next);
                } else {
                    state.say(Tone::Hint, "This layout is there for everybody; it can be reset");
                }
            }
            Action::ResetLayout => {
                let next = self.preferences.workspaces.reset();
                self.put_up(&next);
            }
            Action::Palette => self.finder = Some(Finder::new(Seek::Command)),
            Action::Find => self.finder = Some(Finder::new(Seek::Thing)),
            Action::GoTo => self.finder = Some(Finder::new(Seek::Place)),
            Action::Keys | Action::Signs => {
                state.shown.keys = true;
                self.keys.show_signs(action == Action::Signs);
            }
            Action::Tour => {
                state.shown.start = false;
                self.tour.begin(state);
            }
            Action::Sample(index) => self.files.go_on(Next::Sample(index), state, context),
        }
    }
}
