//! Keys that the user binds, and layouts by name.

use egui::{Event, Key, Modifiers, PointerButton, Role};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use navwright::editor::App;
use navwright::editor::action::Action;
use navwright::editor::preferences::Preferences;
use navwright::editor::safety::Home;
use navwright::editor::tools::ToolKind;

use super::drive::{Window, button, click, ctrl, key, open, open_at_home};

fn home(folder: &tempfile::TempDir) -> Home {
    Home { preferences: folder.path().join("preferences.ron"), recovery: folder.path().join("recovery") }
}

fn press(window: &mut Window, label: &str) {
    window.get_by_role_and_label(Role::Button, label).click();
    window.run_steps(3);
}

fn perform(window: &mut Window, action: Action) {
    let context = window.ctx.clone();
    window.state_mut().perform(action, &context);
    window.run_steps(4);
}

fn tool(window: &Window) -> ToolKind {
    window.state().state.tools.kind()
}

fn bind(window: &mut Window, row: &str, to: Key) {
    press(window, row);
    key(window, to);
}

#[test]
fn a_key_is_bound_shown_kept_and_reset() {
    let folder = tempfile::tempdir().unwrap();
    let home = home(&folder);
    let mut window = open_at_home(None, Some(&home));
    key(&mut window, Key::F1);
    bind(&mut window, "Keys of Walk area: W", Key::G);
    assert_eq!(tool(&window), ToolKind::Select, "keys for a binding do nothing else");
    window.get_by_label("Keys of Walk area: G");
    // Esc ends waiting, not the dialog.
    press(&mut window, "Keys of Hole: H");
    key(&mut window, Key::Escape);
    window.get_by_label("Keys of Hole: H");
    key(&mut window, Key::Escape);
    assert!(window.query_by_label("Keys of Hole: H").is_none());
    key(&mut window, Key::W);
    assert_eq!(tool(&window), ToolKind::Select);
    key(&mut window, Key::G);
    assert_eq!(tool(&window), ToolKind::Walk);
    drop(window);
    // Kept, shown in the tooltip and in the palette, and reset.
    let mut window = open_at_home(None, Some(&home));
    key(&mut window, Key::G);
    assert_eq!(tool(&window), ToolKind::Walk);
    let context = window.ctx.clone();
    let found = navwright::editor::finder::commands(&context, "walk area", &window.state().state);
    assert_eq!(found[0].beside, "G");
    key(&mut window, Key::F1);
    press(&mut window, "Reset keys of Walk area");
    window.get_by_label("Keys of Walk area: W");
    drop(window);
    assert_eq!(Preferences::load(&home.preferences).0.keys, Preferences::default().keys);
}

#[test]
fn a_clash_is_marked_and_does_not_block() {
    let mut window = open();
    key(&mut window, Key::F1);
    bind(&mut window, "Keys of Walk area: W", Key::H);
    assert_eq!(window.get_all_by_label("also Hole").count(), 1);
    assert_eq!(window.get_all_by_label("also Walk area").count(), 1);
    bind(&mut window, "Keys of Hole: H", Key::U);
    assert!(window.query_by_label("also Hole").is_none());
    window.get_by_label("Keys of Hole: U");
    press(&mut window, "Reset all keys");
    window.get_by_label("Keys of Hole: H");
    // The filter finds by name and by key.
    window.get_by_label("Filter keys").focus();
    window.step();
    window.event(Event::Text("ctrl+z".to_owned()));
    window.run_steps(3);
    assert!(window.query_by_label("Keys of Undo: Ctrl+Z").is_some());
    assert!(window.query_by_label("Keys of Hole: H").is_none());
}

#[test]
fn keys_typed_in_a_field_never_reach_the_canvas() {
    let mut window = open();
    let areas = window.state().state.document().areas.len();
    window.get_by_label("Outline: meadow").click();
    window.run_steps(2);
    window.get_by_label("Filter outline").focus();
    window.step();
    for key in [Key::W, Key::Delete, Key::B, Key::ArrowLeft, Key::Backspace, Key::Num2, Key::J] {
        window.key_press(key);
        window.step();
    }
    ctrl(&mut window, Key::D);
    let state = &window.state().state;
    assert_eq!(
        (tool(&window), state.document().areas.len(), state.edited()),
        (ToolKind::Select, areas, false)
    );
    assert!(state.shown.overlays.mesh);
    // The first click back on the canvas already acts.
    window.state_mut().state.take_tool(ToolKind::Walk);
    click(&mut window, [-4.0, -2.0]);
    assert_eq!(window.state().state.tools.draft().len(), 1);
}

#[test]
fn layouts_change_by_one_click_and_keep_what_was_changed() {
    let folder = tempfile::tempdir().unwrap();
    let home = home(&folder);
    let mut window = open_at_home(None, Some(&home));
    let canvas = |window: &Window| window.state().canvas().0;
    let draw = canvas(&window);
    press(&mut window, "Layout Debug");
    let debug = canvas(&window);
    assert!(debug.height() < draw.height() - 50.0 && debug.min.x < draw.min.x - 50.0, "{draw} {debug}");
    press(&mut window, "Layout Bake");
    assert!(window.query_by_label("Filter outline").is_none());
    window.get_by_role_and_label(Role::Button, "Bake now");
    press(&mut window, "Layout Draw");
    assert!((canvas(&window).width() - draw.width()).abs() < 2.0);
    // A change belongs to the layout in use.
    perform(&mut window, Action::Outline);
    press(&mut window, "Layout Debug");
    assert!((canvas(&window).width() - debug.width()).abs() < 2.0);
    press(&mut window, "Layout Draw");
    assert!(window.query_by_label("Filter outline").is_none(), "the Outline is still hidden");
    // Under a name of one's own.
    perform(&mut window, Action::SaveLayout);
    window.event(Event::Text("wide".to_owned()));
    window.run_steps(2);
    press(&mut window, "Save");
    perform(&mut window, Action::Layout(0));
    perform(&mut window, Action::ResetLayout);
    window.get_by_label("Filter outline");
    drop(window);
    let mut window = open_at_home(None, Some(&home));
    press(&mut window, "View");
    window.get_by_label("Layout: wide").click();
    window.run_steps(4);
    assert!(window.query_by_label("Filter outline").is_none());
    perform(&mut window, Action::RemoveLayout);
    window.get_by_label("Filter outline");
    assert_eq!(window.state().preferences.workspaces.names().count(), 3);
}

#[test]
fn side_panels_are_icons_in_a_narrow_window() {
    let app = App::at_home(&egui::Context::default(), None, false, None);
    let build = Harness::builder().with_size(egui::vec2(1024.0, 640.0));
    let build = build.with_context_setup(navwright::editor::style::apply);
    let frame = |ui: &mut egui::Ui, app: &mut App| {
        app.logic(ui.ctx());
        app.ui(ui);
    };
    let mut window = build.build_ui_state(frame, app);
    window.run_steps(4);
    let breadth = window.state().canvas().0.width();
    assert!(breadth > 900.0, "{breadth}");
    assert!(window.query_by_label("Filter outline").is_none());
    press(&mut window, "Open Outline");
    window.get_by_label("Filter outline");
    press(&mut window, "Open Properties");
    assert!(window.query_by_label("Filter outline").is_none(), "one at a time");
    press(&mut window, "Close Properties");
    assert!((window.state().canvas().0.width() - breadth).abs() < 1.0);
    // Nothing runs out of the window.
    let at = window.get_by_role_and_label(Role::Button, "Export").rect();
    assert!(at.max.x <= 1024.0, "{at}");
    button(&window, egui::pos2(1.0, 1.0), PointerButton::Primary, false);
    window.key_press_modifiers(Modifiers::NONE, Key::F11);
    window.run_steps(3);
    assert!(window.query_by_label("Open Outline").is_none());
}

#[test]
fn gestures_are_listed_and_found() {
    let mut window = open();
    key(&mut window, Key::F1);
    // What the specification's table of tools has, left and right button.
    for gesture in ["Right click on a link", "Test: drag S or E", "Alt + click", "Hold", "2.5 during a drag"]
    {
        assert!(window.query_by_label(gesture).is_some(), "{gesture}");
    }
    window.get_by_label("Filter keys").focus();
    window.step();
    window.event(Event::Text("measure clears".to_owned()));
    window.run_steps(3);
    assert!(window.query_by_label("Measure: right click").is_some());
    assert!(window.query_by_label("Hold").is_none());
}
