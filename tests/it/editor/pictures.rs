//! Reference pictures: taken in, moved, found again, and refused where they cannot be shown.

use std::path::Path;

use egui::Role;
use egui_kittest::kittest::Queryable as _;
use navwright::editor::action::Action;
use navwright::editor::canvas::pick::Item;
use navwright::editor::canvas::pictures::size_of;
use navwright::editor::state::Selection;
use navwright::project::{Command, Picture, PictureId, apply, file};

use super::drive::{Window, open_file, wait};
use super::table::run;

/// A picture of 64 × 32 pixels.
fn paint(path: &Path) {
    let mut picture = tiny_skia::Pixmap::new(64, 32).unwrap();
    picture.fill(tiny_skia::Color::from_rgba8(200, 120, 40, 255));
    std::fs::write(path, picture.encode_png().unwrap()).unwrap();
}

/// A project in a folder of its own, with a picture beside it that is not taken in yet.
fn project(folder: &Path) -> Window {
    std::fs::create_dir_all(folder.join("art")).unwrap();
    paint(&folder.join("art/plan.png"));
    let document = navwright::project::open_text("nav walk 0 0 0 4 0 4 4 0 4\n", "map").unwrap().document;
    file::save(&document, &folder.join("map.nav.ron")).unwrap();
    let mut window = open_file(Some(folder.join("map.nav.ron")));
    window.state_mut().state.camera.center = [10.0, 5.0];
    window.state_mut().state.camera.scale = 20.0;
    window.run_steps(2);
    window
}

fn import(window: &mut Window, path: &str) {
    let context = window.ctx.clone();
    window.state_mut().perform(Action::ImportPicture, &context);
    window.state_mut().files.field.as_mut().unwrap().text = path.to_owned();
    let app = window.state_mut();
    app.files.accept_field(&mut app.state, &context);
    window.run_steps(2);
}

fn pictures(window: &Window) -> Vec<Picture> {
    window.state().state.document().pictures.iter().map(|picture| (**picture).clone()).collect()
}

#[test]
fn a_picture_is_one_step_and_kept_as_a_relative_path_only() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = project(folder.path());
    let before = file::encode(window.state().state.document());
    import(&mut window, &folder.path().join("art/plan.png").display().to_string());
    let [picture] = &pictures(&window)[..] else { panic!("{:?}", window.state().files.field) };
    assert_eq!((picture.path.as_str(), picture.level), ("art/plan.png", 0));
    // 64 pixels are at most 32 squares: half a square each, in the middle of the view.
    assert_eq!((picture.squares_per_pixel, picture.offset), (0.5, [-6.0, -3.0]));
    let after = file::encode(window.state().state.document());
    assert!(after.contains("path: \"art/plan.png\"") && !after.contains(&*folder.path().to_string_lossy()));
    assert_eq!(window.state().state.history.past().count(), 1);
    run(&mut window, "undo");
    assert_eq!(file::encode(window.state().state.document()), before);
    run(&mut window, "redo");
    assert_eq!(file::encode(window.state().state.document()), after);
    // What is written is read back to the same bytes.
    let read = file::decode(&after, "map").unwrap();
    assert_eq!(file::encode(&read), after);
    assert_eq!(read, *window.state().state.document());
}

#[test]
fn a_picture_is_seen_by_everybody_and_moved_by_a_drag_while_it_is_selected() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = project(folder.path());
    import(&mut window, &folder.path().join("art/plan.png").display().to_string());
    let id = pictures(&window)[0].id;
    wait(&mut window, "the picture", |app| app.state.picture_sizes.get(&id) == Some(&Ok([64, 32])));
    window.get_by_role_and_label(Role::Image, "plan.png (reference picture, level 0)");
    window.get_by_label("REFERENCE PICTURE");
    // It lies from (-6, -3) to (26, 13). Where nothing lies on it, a drag moves it.
    run(&mut window, "V drag 20 8 21.02 8.04");
    assert_eq!(pictures(&window)[0].offset, [-5.0, -3.0]);
    // On the area the area moves; on the rim the picture.
    run(&mut window, "drag -5 6 -5 7");
    assert_eq!(pictures(&window)[0].offset, [-5.0, -2.0]);
    run(&mut window, "right-key");
    assert_eq!(pictures(&window)[0].offset, [-4.9, -2.0]);
    assert_eq!(window.state().state.history.past().count(), 4);
    // Not selected, it is ground to draw on.
    run(&mut window, "esc drag 20 8 24 9");
    assert_eq!(pictures(&window)[0].offset, [-4.9, -2.0]);
    window.state_mut().state.select(Selection::item(Item::Picture(id)));
    run(&mut window, "del");
    assert!(pictures(&window).is_empty());
    run(&mut window, "undo undo undo undo undo");
    assert!(window.state().state.document().ptr_eq(&window.state().state.saved));
}

#[test]
fn a_missing_picture_says_so_and_is_found_when_it_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = project(folder.path());
    import(&mut window, &folder.path().join("art/plan.png").display().to_string());
    let id = pictures(&window)[0].id;
    wait(&mut window, "the picture", |app| app.state.picture_sizes.get(&id) == Some(&Ok([64, 32])));
    std::fs::remove_file(folder.path().join("art/plan.png")).unwrap();
    window.get_by_label("Read again").click();
    wait(&mut window, "the fault", |app| matches!(app.state.picture_sizes.get(&id), Some(Err(_))));
    assert!(window.query_by_label_contains("Not shown: ").is_some());
    paint(&folder.path().join("art/plan.png"));
    window.get_by_label("Read again").click();
    wait(&mut window, "the picture", |app| app.state.picture_sizes.get(&id) == Some(&Ok([64, 32])));
}

#[test]
fn saved_elsewhere_a_project_still_finds_its_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = project(folder.path());
    import(&mut window, &folder.path().join("art/plan.png").display().to_string());
    std::fs::create_dir_all(folder.path().join("deep/er")).unwrap();
    let context = window.ctx.clone();
    window.state_mut().perform(Action::SaveAs, &context);
    let to = folder.path().join("deep/er/copy.nav.ron");
    window.state_mut().files.field.as_mut().unwrap().text = to.display().to_string();
    let app = window.state_mut();
    app.files.accept_field(&mut app.state, &context);
    assert_eq!(file::load(&to).unwrap().pictures[0].path, "../../art/plan.png");
}

#[test]
fn a_project_without_a_folder_is_saved_first() {
    let mut window = super::drive::open();
    let context = window.ctx.clone();
    window.state_mut().perform(Action::ImportPicture, &context);
    let field = window.state().files.field.clone().unwrap();
    assert_eq!(field.purpose, navwright::editor::purpose::Purpose::Save);
    assert!(
        window
            .state_mut()
            .state
            .import_picture(Path::new("plan.png"))
            .unwrap_err()
            .contains("save the project")
    );
}

#[test]
fn hostile_files_are_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.png");
    let fault = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        size_of(&path).unwrap_err()
    };
    assert_eq!(size_of(folder.path()).unwrap_err(), "it is no file");
    assert!(size_of(&folder.path().join("none.png")).is_err());
    assert_eq!(fault(b"nav walk 0 0 0 1 0 1 1"), "it is neither PNG nor JPEG");
    assert_eq!(fault(b"GIF89a\x01\x00\x01\x00\x00\x00\x00;"), "it is neither PNG nor JPEG");
    assert!(!fault(b"\x89PNG\r\n\x1a\n").is_empty(), "a head alone");
    // A head that claims 60 000 × 60 000 pixels: refused before there is memory for them.
    let mut huge = tiny_skia::Pixmap::new(1, 1).unwrap().encode_png().unwrap();
    huge[16..20].copy_from_slice(&60_000_u32.to_be_bytes());
    huge[20..24].copy_from_slice(&60_000_u32.to_be_bytes());
    let checksum = crc(&huge[12..29]);
    huge[29..33].copy_from_slice(&checksum.to_be_bytes());
    let text = fault(&huge);
    assert!(text.contains("60000 × 60000 pixels") || text.contains("imit"), "{text}");
}

/// The checksum of PNG's chunks (RFC 1952's polynomial).
fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0_u32, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ (0xEDB8_8320 * (crc & 1)))
    })
}

#[test]
fn values_out_of_range_are_refused_by_commands_and_by_the_file() {
    let good = Picture {
        id: PictureId(7),
        path: "art/plan.png".to_owned(),
        level: 2,
        offset: [-0.0, 1.5],
        squares_per_pixel: 0.125,
        opacity: 0.5,
    };
    let document =
        apply(&navwright::project::Document::default(), &Command::SetPicture(good.clone())).unwrap();
    assert!(document.level(2).is_some(), "its level comes into being with it");
    let text = file::encode(&document);
    assert!(text.contains("offset: (0, 1.5)"), "{text}");
    assert_eq!(file::decode(&text, "map").unwrap(), document);
    assert!(apply(&document, &Command::RemoveLevel(2)).is_err(), "the level is in use");
    let bad = [
        (
            Picture { path: "/etc/plan.png".to_owned(), ..good.clone() },
            "must lead on from the project's folder",
        ),
        (
            Picture { path: "C:/plan.png".to_owned(), ..good.clone() },
            "must lead on from the project's folder",
        ),
        (Picture { path: "art\\plan.png".to_owned(), ..good.clone() }, "must be written with /"),
        (Picture { path: String::new(), ..good.clone() }, "must be 1 to 1000 bytes long"),
        (Picture { offset: [f64::NAN, 0.0], ..good.clone() }, "must lie strictly between"),
        (Picture { squares_per_pixel: 0.0, ..good.clone() }, "must be 0.000001 to 1000"),
        (Picture { opacity: 1.5, ..good.clone() }, "must be 0 to 1"),
    ];
    for (picture, bound) in bad {
        let error = apply(&document, &Command::SetPicture(picture)).unwrap_err().to_string();
        assert!(error.contains(bound), "{error}");
    }
    let faults = [
        ("art/plan.png", "/etc/plan.png", "must lead on from the project's folder"),
        ("opacity: 0.5", "opacity: -1", "must be 0 to 1"),
        ("squares_per_pixel: 0.125", "squares_per_pixel: 1e9", "must be 0.000001 to 1000"),
        ("level: 2,\n            offset", "level: 2, tint: 3,\n            offset", "tint"),
    ];
    for (from, to, bound) in faults {
        assert!(text.contains(from), "{from} in {text}");
        let error = file::decode(&text.replace(from, to), "map").unwrap_err().to_string();
        assert!(error.contains(bound), "{error}");
    }
    assert!(apply(&document, &Command::RemovePictures(vec![PictureId(8)])).is_err());
    let without = apply(&document, &Command::RemovePictures(vec![PictureId(7)])).unwrap();
    assert!(!file::encode(&without).contains("pictures"), "a map without pictures has no such section");
}
