//! A mesh of a million triangles in the window: what reading it takes on its thread, the longest frame while it is read,
//! shown and looked at, and how soon a running voxel bake of it ends when it is called off.

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use navwright::draw::Rgba;
use navwright::editor::App;
use navwright::editor::action::Action;
use navwright::editor::footprint::Footprint;
use navwright::editor::view3d::pieces::pieces;
use navwright::editor::view3d::solid::Key;
use navwright::project::{Command, Document, Geometry, GeometryId, apply, placed, read_geometry};

use super::{Way, Window};

/// Squares of a side; each is two triangles.
const SIDE: usize = 708;
/// When a bake is called off, in ms after it began.
const CALLED_OFF: [u64; 9] = [2, 20, 60, 120, 250, 400, 600, 900, 1300];

pub(super) fn run() {
    let folder = std::env::temp_dir().join(format!("navwright-frame-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the mesh");
    let path = folder.join("hills.obj");
    std::fs::write(&path, hills()).expect("a mesh");
    reading(&path);
    window(&folder);
    std::fs::remove_dir_all(&folder).ok();
}

/// Hills, with steps between some squares, half a square each.
fn hills() -> String {
    let mut text = String::new();
    for (x, z) in (0..=SIDE).flat_map(|z| (0..=SIDE).map(move |x| (x, z))) {
        let (u, v) = (x as f64 * 0.5, z as f64 * 0.5);
        let step = if (x / 24 + z / 24) % 5 == 0 { 1.5 } else { 0.0 };
        let y = 2.0 * (u * 0.11).sin() * (v * 0.07).cos() + step;
        writeln!(text, "v {u} {y:.4} {v}").expect("memory");
    }
    let vertex = |x: usize, z: usize| 1 + x + z * (SIDE + 1);
    for (x, z) in (0..SIDE).flat_map(|z| (0..SIDE).map(move |x| (x, z))) {
        let [a, b, c, d] = [vertex(x, z), vertex(x, z + 1), vertex(x + 1, z + 1), vertex(x + 1, z)];
        writeln!(text, "f {a} {b} {c}\nf {a} {c} {d}").expect("memory");
    }
    text
}

/// A step by itself, in processor time of its thread.
fn timed<T>(name: &str, act: impl FnOnce() -> T) -> T {
    let start = ThreadTime::now();
    let done = act();
    println!("{name:<44} {:>9.1} ms", start.elapsed().as_secs_f64() * 1e3);
    done
}

fn reading(path: &Path) {
    println!("on threads of their own, processor time:");
    let raw = timed("read the file", || read_geometry(path).expect("an OBJ file"));
    let item = Geometry::new(GeometryId(1), "hills.obj");
    let meshes: Vec<_> =
        timed("put in place", || raw.meshes.iter().map(|mesh| placed(mesh, &item)).collect());
    let (low, high) = ([0.0, -4.0, 0.0], [SIDE as f64 * 0.5, 4.0, SIDE as f64 * 0.5]);
    black_box(timed("sorted by place", || Footprint::new(&meshes, Some([low, high]))));
    let colors = [Rgba([200, 200, 200, 255]); 2];
    black_box(timed("cut into pieces for 3D", || pieces(&meshes, [low, high], GeometryId(1), colors)));
}

/// Frames until something is so, or for a minute; how long that took by the clock, and the longest frame's processor time.
fn until(window: &mut Window, name: &str, done: impl Fn(&App) -> bool) {
    let (start, mut longest, mut count) = (Instant::now(), 0.0_f64, 0);
    while !done(&window.app) && start.elapsed() < Duration::from_secs(60) {
        longest = longest.max(window.frame());
        count += 1;
        std::thread::sleep(Duration::from_millis(4));
    }
    let took = start.elapsed().as_secs_f64() * 1e3;
    println!("{name:<44} {took:>9.0} ms, {count:>4} frames, the longest {longest:>6.2} ms");
}

/// Frames while something is done.
fn during(window: &mut Window, name: &str, way: Way) {
    let mut times = window.times(way);
    times.sort_by(f64::total_cmp);
    let (median, longest) = (times[times.len() / 2], times[times.len() - 1]);
    println!("{name:<44} median {median:>6.2} ms,             the longest {longest:>6.2} ms");
}

fn window(folder: &Path) {
    println!("in the window, processor time of frames:");
    let item = Geometry::new(GeometryId(1), "hills.obj");
    let document = apply(&Document::default(), &Command::SetGeometry(item)).expect("a map");
    let mut window = Window::open(Document::default());
    window.app.state.replace(document, None);
    window.app.state.base = Some(folder.to_owned());
    window.app.state.bake.live = false;
    until(&mut window, "read", |app| app.state.geometry_is_current());
    let made = window.app.relief_made();
    until(&mut window, "shaded", |app| app.relief_made() > made);
    during(&mut window, "dragged on the canvas", Way::Pan);
    for zoom in [1.5, 2.0, 0.3, 4.0] {
        window.app.state.camera.scale *= zoom;
        // Until no part of the picture has come for a while.
        let seen = std::cell::Cell::new((window.app.relief_made(), Instant::now()));
        until(&mut window, &format!("shaded again, zoomed by {zoom}"), |app| {
            if app.relief_made() != seen.get().0 {
                seen.set((app.relief_made(), Instant::now()));
            }
            seen.get().1.elapsed() > Duration::from_millis(400)
        });
    }
    let pieces =
        |app: &App| app.view3d.scene.solids().filter(|(key, _)| matches!(key, Key::Geometry(..))).count();
    window.app.state.shown.views = navwright::editor::state::Seen::Solid;
    until(&mut window, "in 3D", |app| pieces(app) > 0);
    let shown = std::cell::Cell::new((0, 0));
    until(&mut window, "in 3D, all of it", |app| {
        let (before, same) = shown.get();
        let now = pieces(app);
        shown.set((now, if now == before { same + 1 } else { 0 }));
        same > 5
    });
    during(&mut window, "orbited", Way::Orbit);
    during(&mut window, "pointed at in 3D", Way::Point);
    bakes(&mut window);
}

/// A bake to its end, then some that are called off.
fn bakes(window: &mut Window) {
    let context = window.context.clone();
    window.app.perform(Action::BakeNow, &context);
    until(window, "baked by voxels", |app| app.state.fresh() && !app.state.baking());
    for after in CALLED_OFF {
        // Another drawing each time, so that there is something to bake.
        let mut item = (*window.app.state.document().geometry[0]).clone();
        item.offset[0] += 0.013;
        window.app.state.commit("Move", &Command::SetGeometry(item));
        while !window.app.state.geometry_is_current() {
            window.frame();
            std::thread::sleep(Duration::from_millis(2));
        }
        window.app.perform(Action::BakeNow, &context);
        let begun = Instant::now();
        let mut longest = 0.0_f64;
        while begun.elapsed() < Duration::from_millis(after) {
            longest = longest.max(window.frame());
            std::thread::sleep(Duration::from_millis(1));
        }
        let stage =
            window.app.state.bake.progress.map_or_else(|| "over".to_owned(), |progress| progress.words());
        let called = Instant::now();
        window.app.perform(Action::CancelBake, &context);
        while window.app.bakes() {
            std::thread::sleep(Duration::from_micros(200));
        }
        let answered = called.elapsed().as_secs_f64() * 1e3;
        println!(
            "called off after {after:>4} ms ({stage:<36}): over {answered:>6.1} ms later; the longest frame {longest:>6.2} ms"
        );
    }
}
