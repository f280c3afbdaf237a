//! Plots: their numbers against the mesh they are of, the panel, and what is written.

use egui::Key;
use egui_kittest::kittest::Queryable as _;
use navwright::editor::action::Action;
use navwright::editor::plots::{Body, Figure, Kind, export};
use navwright::format::TiledNavMesh;

use super::drive::{Window, click, ctrl, key, open, open_file, settle, wait};
use super::table::run;

fn figure(window: &mut Window, kind: Kind) -> Figure {
    window.state_mut().state.plots.kind = kind;
    let figure = window.state_mut().state.figure();
    (*figure.unwrap_or_else(|| panic!("no figure of {kind:?}"))).clone()
}

fn mesh(window: &Window) -> &TiledNavMesh {
    &window.state().state.bake.shown.as_ref().unwrap().mesh.mesh
}

/// The sum of all parts of all bars, or of all cells.
fn sum(figure: &Figure) -> f64 {
    match &figure.body {
        Body::Bars { bars, .. } => bars.iter().flat_map(|bar| &bar.parts).sum(),
        Body::Heat(cells) => cells.iter().map(|cell| cell.value).sum(),
        Body::Course(_) => panic!("a way has no sum"),
    }
}

#[test]
fn bars_and_tiles_count_every_polygon_and_edge_once() {
    let mut window = open();
    let polygons = window.state().state.bake.shown.as_ref().unwrap().counts.polygons as f64;
    let corners: usize = mesh(&window)
        .tiles()
        .flat_map(|(_, tile)| &tile.polygons)
        .map(|polygon| usize::from(polygon.vertex_count))
        .sum();
    let bytes: usize = mesh(&window).tiles().map(|(_, tile)| tile.to_bytes().len()).sum();
    for kind in [Kind::Sizes, Kind::Corners, Kind::Widths, Kind::TilePolygons] {
        assert_eq!(sum(&figure(&mut window, kind)), polygons, "{kind:?}");
    }
    assert_eq!(
        sum(&figure(&mut window, Kind::Edges)),
        corners as f64,
        "a polygon has as many edges as corners"
    );
    assert_eq!(sum(&figure(&mut window, Kind::TileBytes)), bytes as f64);
    let Body::Bars { bars, .. } = figure(&mut window, Kind::Corners).body else { panic!() };
    let by_bars: f64 = bars.iter().map(|bar| 0.5 * (bar.sides[0] + bar.sides[1]) * bar.parts[0]).sum();
    assert_eq!(by_bars, corners as f64);
    assert!(bars.iter().all(|bar| bar.lights.len() as f64 == bar.parts[0]), "each lights its own polygons");
    // A flat bake takes no times of tiles.
    window.state_mut().state.plots.kind = Kind::TileTimes;
    assert!(window.state_mut().state.figure().is_none());
}

#[test]
fn borders_are_as_long_as_the_floor_over_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("map.nav");
    // Tiles are 32 squares wide: a floor 5 squares deep over the first border, and one over the corner of four tiles.
    std::fs::write(&path, "nav walk 0 28 2 28 7 36 7 36 2\nnav walk 0 60 60 60 68 68 68 68 60\n").unwrap();
    let mut window = open_file(Some(path));
    let Body::Bars { bars, series, .. } = figure(&mut window, Kind::Borders).body else { panic!() };
    assert_eq!(series, ["stitched", "not stitched"]);
    let expected = [([0, 0], 5.0), ([1, 0], 5.0), ([1, 1], 8.0), ([1, 2], 8.0), ([2, 1], 8.0), ([2, 2], 8.0)];
    assert_eq!(bars.len(), expected.len());
    for (bar, (tile, length)) in bars.iter().zip(expected) {
        assert_eq!(bar.tile, Some(tile));
        assert!(
            (bar.parts[0] - length).abs() < 1e-6 && bar.parts[1].abs() < 1e-6,
            "{tile:?}: {:?}",
            bar.parts
        );
    }
}

#[test]
fn each_bake_is_a_bar_that_says_what_was_edited() {
    let mut window = open();
    window.get_by_label("Outline: meadow").click();
    window.run_steps(2);
    key(&mut window, Key::ArrowRight);
    settle(&mut window);
    ctrl(&mut window, Key::Z);
    settle(&mut window);
    let Body::Bars { bars, series, .. } = figure(&mut window, Kind::Times).body else { panic!() };
    assert_eq!(bars.len(), 3);
    assert_eq!(series, ["flat bake"]);
    assert!(bars[0].words.contains("bake 1, after: Opened"), "{}", bars[0].words);
    assert!(bars[1].words.contains("after: Nudge"), "{}", bars[1].words);
    assert!(bars.iter().all(|bar| bar.parts[0] > 0.0));
    // The panel makes nothing anew while nothing changes.
    let made = window.state().state.plots.made;
    window.state_mut().state.figure();
    assert_eq!(window.state().state.plots.made, made);
}

#[test]
fn a_voxel_bake_is_stacked_by_stage_and_timed_by_tile() {
    let mut window = open_file(Some(crate::support::root().join("assets/hall.nav.ron")));
    let Body::Bars { bars, series, .. } = figure(&mut window, Kind::Times).body else { panic!() };
    for stage in ["filters", "regions", "contours"] {
        assert!(series.iter().any(|name| name == stage), "{stage} in {series:?}");
    }
    // All threads together take no less than the longest of them and no more than two of them all the time.
    let (total, record) = (bars[0].parts.iter().sum::<f64>(), window.state().state.bake.records.all().next());
    assert!(total > 0.0 && record.is_some());
    let Body::Heat(cells) = figure(&mut window, Kind::TileTimes).body else { panic!() };
    let mut columns: Vec<[i32; 2]> =
        mesh(&window).tiles().map(|(_, tile)| [tile.tile_x, tile.tile_z]).collect();
    columns.sort_unstable();
    columns.dedup();
    let mut timed: Vec<[i32; 2]> = cells.iter().map(|cell| cell.tile).collect();
    timed.sort_unstable();
    assert_eq!(timed, columns);
    assert!((cells.iter().map(|cell| cell.value * 1e3).sum::<f64>() - total).abs() < 0.01 * total);
    // A click goes to the tile: stages are those of it.
    window.state_mut().state.pick_plotted(Vec::new(), Some([1, 0]));
    assert_eq!(window.state().state.stage.tile, Some([1, 0]));
    assert_eq!(window.state().state.plots.lit.len(), 1);
}

#[test]
fn the_height_along_a_path_begins_and_ends_where_it_does() {
    let mut window = open();
    run(&mut window, "T");
    settle(&mut window);
    click(&mut window, [13.0, 12.0]);
    window.state_mut().state.level = 1;
    click(&mut window, [40.0, 24.0]);
    wait(&mut window, "the path", |app| app.state.path.as_ref().is_some_and(|path| path.points.len() > 1));
    let path = window.state().state.path.clone().unwrap();
    let Body::Course(places) = figure(&mut window, Kind::Path).body else { panic!() };
    let (first, last) = (places.first().unwrap(), places.last().unwrap());
    assert_eq!(first.height, path.points[0].position[1]);
    assert_eq!(last.height, path.points.last().unwrap().position[1]);
    assert!(
        (last.along - path.length).abs() < 1e-3 * path.length.max(1.0),
        "{} of {}",
        last.along,
        path.length
    );
    assert!(places.windows(2).all(|pair| pair[0].along <= pair[1].along));
}

#[test]
fn the_panel_shows_a_plot_and_writes_its_numbers_and_its_picture() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = open();
    window.get_by_label("Plots").click();
    window.run_steps(3);
    window.get_by_label("Plot: Bake time, 1 bar");
    window.state_mut().state.plots.kind = Kind::TilePolygons;
    window.run_steps(3);
    window.get_by_label_contains("Plot: Polygons per tile, ");
    let Body::Heat(cells) = figure(&mut window, Kind::TilePolygons).body else { panic!() };
    let context = window.ctx.clone();
    for (action, name) in [(Action::PlotNumbers, "tiles.csv"), (Action::PlotPicture, "tiles.png")] {
        window.state_mut().perform(action, &context);
        window.state_mut().files.field.as_mut().unwrap().text =
            folder.path().join(name).display().to_string();
        let app = window.state_mut();
        app.files.accept_field(&mut app.state, &context);
        assert!(window.state().files.field.is_none());
    }
    let text = std::fs::read_to_string(folder.path().join("tiles.csv")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines[0], lines.len()), ("tile x,tile z,value,words", cells.len() + 1));
    let cell = &cells[0];
    assert_eq!(lines[1], format!("{},{},{},{}", cell.tile[0], cell.tile[1], cell.value, cell.words));
    let picture = tiny_skia::Pixmap::load_png(folder.path().join("tiles.png")).unwrap();
    assert_eq!((picture.width(), picture.height()), (1200, 720));
    let colors: std::collections::BTreeSet<[u8; 3]> =
        picture.pixels().iter().map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]).collect();
    assert!(colors.len() > 3, "there is something in it");
}

#[test]
fn words_with_commas_and_quotes_stay_one_value() {
    let bar = navwright::editor::plots::Bar {
        sides: [0.0, 1.0],
        parts: vec![2.0],
        words: "after: Move \"a, b\"\n2 ms".to_owned(),
        lights: Vec::new(),
        tile: None,
    };
    let body = Body::Bars { series: vec!["flat bake".to_owned()], bars: vec![bar], mark: None };
    let text = export::csv(&Figure { x: "bakes", y: "ms", log: false, body });
    assert_eq!(text, "bakes from,bakes to,flat bake,words\r\n0,1,2,\"after: Move \"\"a, b\"\"; 2 ms\"\r\n");
}
