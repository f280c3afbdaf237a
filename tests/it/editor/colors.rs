//! The canvas's colours among the preferences.

use egui::{Key, Role as Part};
use egui_kittest::kittest::Queryable as _;
use navwright::draw::{Colors, Role, Sight};
use navwright::editor::preferences::{Own, Preferences, Preset};
use navwright::editor::safety::Home;
use navwright::editor::style;

use super::drive::{Window, ctrl, key, open_at_home};

fn home(folder: &tempfile::TempDir) -> Home {
    Home { preferences: folder.path().join("preferences.ron"), recovery: folder.path().join("recovery") }
}

fn choose(window: &mut Window, row: &str, value: &str) {
    ctrl(window, Key::Comma);
    window.get_by_role_and_label(Part::ComboBox, row).click();
    window.run_steps(3);
    window.get_by_role_and_label(Part::Button, value).click();
    window.run_steps(3);
    key(window, Key::Escape);
    key(window, Key::Escape);
}

#[test]
fn a_set_of_colours_is_chosen_and_kept_and_other_eyes_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let home = home(&folder);
    let mut window = open_at_home(None, Some(&home));
    let made = window.state().canvas().1;
    choose(&mut window, "Canvas colours", "High contrast");
    choose(&mut window, "Seen with", "Protanopia (no red)");
    window.run_steps(6);
    let theme = style::theme(&window.ctx);
    assert_eq!((theme.colors, theme.sight), (Colors::HighContrast, Sight::Protanopia));
    assert!(window.state().canvas().1 > made, "the picture is made anew");
    drop(window);
    let window = open_at_home(None, Some(&home));
    let theme = style::theme(&window.ctx);
    assert_eq!((theme.colors, theme.sight), (Colors::HighContrast, Sight::Usual));
}

#[test]
fn own_colours_are_drawn_and_hostile_ones_refused() {
    let folder = tempfile::tempdir().unwrap();
    let home = home(&folder);
    let own = Own { hole: [1, 2, 3], ..Own::default() };
    let preferences = Preferences { preset: Preset::Own, own, ..Preferences::default() };
    preferences.save(&home.preferences).unwrap();
    let window = open_at_home(None, Some(&home));
    let style = style::theme(&window.ctx).style(Role::Hole);
    assert_eq!(style.stroke.unwrap().color.0, [1, 2, 3, 255]);
    assert!(style.casing.is_some(), "nearly black on dark gets a rim");
    drop(window);
    for wrong in ["(300, 0, 0)", "(-1, 0, 0)", "(1, 2)", "\"red\"", "(1.5, 0, 0)"] {
        std::fs::write(&home.preferences, format!("(preset: Own, own: (hole: {wrong}))")).unwrap();
        let (read, why) = Preferences::load(&home.preferences);
        assert_eq!(read, Preferences::default(), "{wrong}");
        assert!(why.unwrap().contains("preferences.ron:1"), "{wrong}: says where");
    }
}
