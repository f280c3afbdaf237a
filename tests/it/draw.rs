//! Shapes and the painters that need no window.

use std::collections::BTreeSet;

use navwright::bake::{AreaKind, BakeOptions, FlatArea, FlatInput, Surface, bake_mesh};
use navwright::draw::{
    Anchor, Canvas, Colors, IslandShapes, Lean, MeshShapes, OwnColors, Rgba, Role, Shape, Sight, Sign, Svg,
    Theme, View, convex_pieces, mesh_shapes, nice_step, paint, path_shapes,
};
use navwright::format::{AuthoredLink, NavMesh, NavSettings};
use navwright::query::{PathScratch, QueryFilter, find_nav_path, islands};

use crate::support::Random;

/// Twice the signed area of a closed outline.
fn twice_area(points: &[[f64; 2]]) -> f64 {
    let next = points.iter().cycle().skip(1);
    points.iter().zip(next).map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum()
}

fn sum_of_pieces(outline: &[[f64; 2]]) -> f64 {
    convex_pieces(outline).iter().map(|piece| 0.5 * twice_area(piece).abs()).sum()
}

#[test]
fn pieces_fill_the_outline_by_the_non_zero_rule() {
    // A bow-tie: two triangles of 1 × 2 / 2 each.
    assert!((sum_of_pieces(&[[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0]]) - 2.0).abs() < 1e-12);
    // A concave L: 4 × 4 without 2 × 2.
    let l = [[0.0, 0.0], [4.0, 0.0], [4.0, 2.0], [2.0, 2.0], [2.0, 4.0], [0.0, 4.0]];
    assert!((sum_of_pieces(&l) - 12.0).abs() < 1e-12);
    // A square walked twice is filled once.
    let square = [[0.0, 0.0], [3.0, 0.0], [3.0, 3.0], [0.0, 3.0]];
    let twice: Vec<[f64; 2]> = square.into_iter().chain(square).collect();
    assert!((sum_of_pieces(&twice) - 9.0).abs() < 1e-12);
    assert!(sum_of_pieces(&[]).abs() < 1e-12 && sum_of_pieces(&[[1.0, 1.0], [2.0, 2.0]]).abs() < 1e-12);
}

#[test]
fn pieces_of_random_stars_have_the_stars_area_and_are_convex() {
    for seed in 0..200 {
        let mut random = Random(seed);
        let count = 3 + random.below(20);
        let point = |index: u64, random: &mut Random| {
            let turn = std::f64::consts::TAU * (index as f64 + 0.9 * random.unit()) / count as f64;
            let radius = 1.0 + 9.0 * random.unit();
            [radius * turn.cos(), radius * turn.sin()]
        };
        let star: Vec<[f64; 2]> = (0..count).map(|index| point(index, &mut random)).collect();
        // Star-shaped around the origin only if no gap between neighbours reaches half a turn.
        let simple = (0..star.len()).all(|i| {
            let [a, b] = [star[i], star[(i + 1) % star.len()]];
            a[0] * b[1] - a[1] * b[0] > 0.0
        });
        if simple {
            let right = 0.5 * twice_area(&star);
            assert!((sum_of_pieces(&star) - right).abs() < 1e-9 * right, "SEED={seed}");
        }
        for piece in convex_pieces(&star) {
            let n = piece.len();
            let turn = |i: usize| {
                let [a, b, c] = [piece[i], piece[(i + 1) % n], piece[(i + 2) % n]];
                (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
            };
            assert!((0..n).all(|i| turn(i) > -1e-9), "SEED={seed}: {piece:?}");
        }
    }
}

#[test]
fn a_view_turns_world_to_pixels_and_back() {
    let view = View { center: [100.0, -40.0], scale: 8.0, min: [10.0, 20.0], max: [810.0, 620.0] };
    assert_eq!(view.pixel_from_world([100.0, -40.0]), [410.0, 320.0]);
    // x to the right, z up.
    assert_eq!(view.pixel_from_world([101.0, -39.0]), [418.0, 312.0]);
    assert_eq!(view.world_from_pixel([418.0, 312.0]), [101.0, -39.0]);
    let fit = View::fit([[0.0, 0.0], [20.0, 10.0]], [0.0, 0.0], [400.0, 400.0]);
    assert_eq!(fit.pixel_from_world([0.0, 0.0]), [0.0, 300.0]);
    assert_eq!(fit.pixel_from_world([20.0, 10.0]), [400.0, 100.0]);
}

#[test]
fn steps_are_one_two_or_five() {
    let cases = [(0.1, 0.1), (0.11, 0.2), (0.3, 0.5), (0.6, 1.0), (1.5, 2.0), (70.0, 100.0), (f64::NAN, 1.0)];
    for (least, step) in cases {
        assert!((nice_step(least) - step).abs() < 1e-12 * step, "{least}: {}", nice_step(least));
    }
}

/// Counts what a painter asks for.
#[derive(Default)]
struct Counts {
    fills: usize,
    strokes: Vec<Vec<[f32; 2]>>,
}

impl Canvas for Counts {
    fn fill(&mut self, _points: &[[f32; 2]], _color: Rgba) {
        self.fills += 1;
    }

    fn stroke(&mut self, points: &[[f32; 2]], _closed: bool, _color: Rgba, _width: f32) {
        self.strokes.push(points.to_vec());
    }

    fn text(&mut self, _at: [f32; 2], _text: &str, _size: f32, _anchor: Anchor, _color: Rgba) {}
}

#[test]
fn a_dashed_line_that_leaves_the_view_costs_no_more_than_the_view() {
    let view = View { center: [0.0, 0.0], scale: 1000.0, min: [0.0, 0.0], max: [800.0, 600.0] };
    let mut counts = Counts::default();
    let points = vec![[-2_000_000.0, 0.0], [2_000_000.0, 0.1]];
    let line = Shape::Polyline { points, closed: false, role: Role::LevelAbove };
    let ladder = Shape::Ladder { from: [-2_000_000.0, 0.0], to: [2_000_000.0, 0.0], role: Role::Seam };
    let outline = vec![[-2e6, -2e6], [2e6, -2e6], [2e6, 2e6], [-2e6, 2e6]];
    let hole = Shape::Area { pieces: vec![outline.clone()], outline, role: Role::Hole };
    paint(&[line, ladder, hole], &view, Theme::DARK, &mut counts);
    assert!(counts.strokes.len() < 1000, "{} strokes", counts.strokes.len());
    assert!(counts.strokes.len() > 100 && counts.fills == 1);
}

#[test]
fn what_is_out_of_sight_is_not_painted() {
    let view = View { center: [0.0, 0.0], scale: 10.0, min: [0.0, 0.0], max: [800.0, 600.0] };
    let far = |x: f64| vec![[x, 0.0], [x + 1.0, 0.0], [x, 1.0]];
    let shape = |x| Shape::Convex { points: far(x), role: Role::Polygon(0) };
    let mut counts = Counts::default();
    paint(&[shape(0.0), shape(1000.0)], &view, Theme::LIGHT, &mut counts);
    assert_eq!(counts.fills, 1);
}

#[test]
fn svg_texts_are_escaped() {
    let mut svg = Svg::new([10.0, 10.0], Rgba::hex(0, 100));
    svg.text([1.0, 1.0], "<a> & \"b\"\u{7}", 10.0, Anchor::Left, Rgba::hex(0, 100));
    let text = svg.finish();
    assert!(text.contains(">&lt;a&gt; &amp; &quot;b&quot; </text>"), "{text}");
}

/// Relative luminance as WCAG 2.1 defines it.
fn luminance(color: Rgba) -> f64 {
    let linear = |byte: u8| {
        let v = f64::from(byte) / 255.0;
        if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
    };
    let [r, g, b, _] = color.0;
    0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}

const LINES: [Role; 12] = [
    Role::Walk,
    Role::Hole,
    Role::LevelBelow,
    Role::LevelAbove,
    Role::Portal,
    Role::LonelyPortal,
    Role::Seam,
    Role::Link,
    Role::LooseLink,
    Role::Path,
    Role::Wall,
    Role::Selection,
];

fn contrast(a: Rgba, b: Rgba) -> f64 {
    let [a, b] = [a, b].map(luminance);
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn lines_keep_three_to_one_against_the_canvas() {
    let loud = OwnColors { walk: [250; 3], hole: [0, 0, 0], path: [30, 30, 200], ..OwnColors::default() };
    let dull = OwnColors { walk: [30; 3], hole: [240, 240, 245], link: [128; 3], ..OwnColors::default() };
    let all = [Colors::Standard, Colors::HighContrast, Colors::Own(loud), Colors::Own(dull)];
    for (colors, dark) in all.into_iter().flat_map(|colors| [(colors, true), (colors, false)]) {
        let theme = Theme { dark, colors, ..Theme::DARK };
        for role in LINES {
            let style = theme.style(role);
            let line = contrast(style.stroke.unwrap().color, theme.background());
            // On the light ground, and with colours of one's own, a rim may do it.
            let rim = style.casing.map_or(0.0, |casing| contrast(casing.color, theme.background()));
            let rim = if dark && colors == Colors::Standard { 0.0 } else { rim };
            assert!(line.max(rim) >= 3.0, "{role:?} of {theme:?}: {line:.2}, {rim:.2}");
        }
    }
}

#[test]
fn high_contrast_has_more_of_it() {
    for dark in [true, false] {
        let [plain, high] =
            [Colors::Standard, Colors::HighContrast].map(|colors| Theme { dark, colors, ..Theme::DARK });
        for role in [
            Role::Walk,
            Role::Hole,
            Role::LevelBelow,
            Role::Portal,
            Role::LonelyPortal,
            Role::Seam,
            Role::Link,
        ] {
            let of = |theme: Theme| contrast(theme.style(role).stroke.unwrap().color, theme.background());
            assert!(of(high) >= 4.5 && of(high) > of(plain), "{role:?}: {:.2} {:.2}", of(plain), of(high));
        }
    }
}

#[test]
fn other_eyes_leave_grey_alone_and_lose_what_they_lack() {
    let sights = [Sight::Protanopia, Sight::Deuteranopia, Sight::Tritanopia];
    // Each row of a matrix sums to one: what has no hue keeps having none.
    for sight in sights {
        for grey in 0..=255 {
            let [r, g, b, a] = sight.see(Rgba([grey, grey, grey, 77])).0;
            assert!([r, g, b].iter().all(|&v| v.abs_diff(grey) <= 1), "{sight:?} {grey}: {r} {g} {b}");
            assert_eq!(a, 77);
        }
    }
    let apart = |sight: Sight, a: [u8; 4], b: [u8; 4]| {
        let [a, b] = [a, b].map(|color| sight.see(Rgba(color)).0);
        (0..3).map(|i| f64::from(a[i].abs_diff(b[i])).powi(2)).sum::<f64>().sqrt()
    };
    // A red and a green of about the same luminance come together for those without red or green cones, and a blue and
    // a green for those without blue cones; either pair stays apart for the others.
    let (red, green) = ([190, 60, 60, 255], [60, 120, 60, 255]);
    for sight in [Sight::Protanopia, Sight::Deuteranopia] {
        assert!(apart(sight, red, green) < 0.6 * apart(Sight::Usual, red, green), "{sight:?}");
    }
    let (blue, teal) = ([60, 90, 200, 255], [60, 110, 110, 255]);
    assert!(apart(Sight::Tritanopia, blue, teal) < 0.6 * apart(Sight::Usual, blue, teal));
    assert_eq!(Sight::Usual.see(Rgba(red)).0, red);
    // Every colour of a theme goes through them.
    let theme = Theme { sight: Sight::Protanopia, ..Theme::DARK };
    let of = |theme: Theme| theme.style(Role::Hole).stroke.unwrap().color;
    assert_eq!(of(theme), Sight::Protanopia.see(of(Theme::DARK)));
}

/// A floor of 10 × 10 with a hole of 2 × 2 in its middle, and on level 1 a landing of 4 × 2 at its east side.
fn drawing() -> FlatInput {
    let area = |id, kind, level, [x0, z0]: [f64; 2], [x1, z1]: [f64; 2]| FlatArea {
        id,
        name: format!("area {id}"),
        kind,
        level,
        outline: vec![[x0, z0], [x1, z0], [x1, z1], [x0, z1]],
        area_type: None,
        flags: None,
        surface: Surface::Level,
    };
    let areas = vec![
        area(1, AreaKind::Walk, 0, [0.0, 0.0], [10.0, 10.0]),
        area(2, AreaKind::Hole, 0, [4.0, 4.0], [6.0, 6.0]),
        area(3, AreaKind::Walk, 1, [10.0, 2.0], [14.0, 4.0]),
    ];
    FlatInput { areas, ..FlatInput::default() }
}

fn baked(settings: &NavSettings) -> NavMesh {
    bake_mesh(&drawing(), settings, &BakeOptions::default()).unwrap().0
}

fn count_of(shapes: &[Shape], role: Role) -> usize {
    shapes.iter().filter(|shape| shape.role() == role).count()
}

#[test]
fn a_seam_is_one_ladder_where_the_levels_meet() {
    for tile_size in [32.0, 3.0] {
        let mesh = baked(&NavSettings { tile_size, ..NavSettings::default() });
        let MeshShapes { fills, seams, labels, .. } = mesh_shapes(&mesh.mesh);
        assert_eq!(fills.keys().copied().collect::<Vec<_>>(), [0, 1]);
        let polygons: usize = mesh.mesh.tiles().map(|(_, tile)| tile.polygons.len()).sum();
        assert_eq!(fills.values().map(Vec::len).sum::<usize>(), polygons);
        let mut ends = Vec::new();
        for seam in &seams {
            let Shape::Ladder { from, to, role: Role::Seam } = seam else { panic!("{seam:?}") };
            ends.push((*from, *to));
        }
        // Tiles of 3 cut it at z = 3; one tile leaves it whole.
        let right = if tile_size > 3.0 {
            vec![([10.0, 2.0], [10.0, 4.0])]
        } else {
            vec![([10.0, 2.0], [10.0, 3.0]), ([10.0, 3.0], [10.0, 4.0])]
        };
        ends.sort_by(|a, b| a.0[1].total_cmp(&b.0[1]));
        assert_eq!(ends, right);
        let mut words: Vec<&str> = Vec::new();
        for label in &labels {
            let Shape::Text { text, .. } = label else { panic!("{label:?}") };
            words.push(text);
        }
        words.sort_unstable();
        assert_eq!(words, ["0", "1"], "a number for each connected part of a floor");
    }
}

/// What is stroked, as directions of lines.
#[derive(Default)]
struct Directions(Vec<[f32; 2]>);

impl Canvas for Directions {
    fn fill(&mut self, _points: &[[f32; 2]], _color: Rgba) {}

    fn stroke(&mut self, points: &[[f32; 2]], _closed: bool, _color: Rgba, _width: f32) {
        let [a, b] = [points[0], points[points.len() - 1]];
        self.0.push([b[0] - a[0], b[1] - a[1]]);
    }

    fn text(&mut self, _at: [f32; 2], _text: &str, _size: f32, _anchor: Anchor, _color: Rgba) {}
}

#[test]
fn islands_have_a_number_and_a_look_of_their_own() {
    let mut input = drawing();
    // Moved away from the floor, the landing is an island of its own.
    input.areas[2].outline.iter_mut().for_each(|point| point[0] += 4.0);
    let settings = NavSettings { tile_size: 4.0, ..NavSettings::default() };
    let mesh = bake_mesh(&input, &settings, &BakeOptions::default()).unwrap().0.mesh;
    let found = islands(&mesh, &QueryFilter::default());
    assert_eq!(found.count(), 2);
    let drawn = IslandShapes::of(&mesh, found.clone());
    let mut roles = [BTreeSet::new(), BTreeSet::new()];
    for (tile_ref, tile) in mesh.tiles() {
        let of_level = [0, 1].map(|level| drawn.tile(&mesh, tile_ref, level));
        assert_eq!(of_level.iter().map(Vec::len).sum::<usize>(), tile.polygons.len());
        for (roles, shapes) in roles.iter_mut().zip(&of_level) {
            roles.extend(shapes.iter().map(Shape::role));
        }
    }
    let [floor, landing] = &roles;
    assert_eq!((floor.len(), landing.len()), (1, 1), "each level is one island here: {roles:?}");
    assert!(floor.is_disjoint(landing));
    let mut words: Vec<(i8, &str)> = Vec::new();
    for (level, label) in &drawn.labels {
        let Shape::Text { text, .. } = label else { panic!("{label:?}") };
        words.push((*level, text));
    }
    words.sort_unstable_by_key(|(_, text)| *text);
    let mut levels = [words[0].0, words[1].0];
    levels.sort_unstable();
    assert_eq!((words[0].1, words[1].1, levels), ("island 1", "island 2", [0, 1]));
}

#[test]
fn hatches_go_the_way_their_style_says() {
    let view = View { center: [0.0; 2], scale: 10.0, min: [0.0; 2], max: [100.0; 2] };
    let square = vec![[-3.0, -3.0], [3.0, -3.0], [3.0, 3.0], [-3.0, 3.0]];
    for number in 0..28 {
        let role = Role::Island(number);
        let mut canvas = Directions::default();
        paint(&[Shape::Convex { points: square.clone(), role }], &view, Theme::DARK, &mut canvas);
        // Pixels go down: up to the right has unlike signs.
        let right: fn([f32; 2]) -> bool = match Theme::DARK.style(role).lean {
            Lean::Right => |[x, y]| (x + y).abs() < 1e-3,
            Lean::Left => |[x, y]| (x - y).abs() < 1e-3,
            Lean::Level => |[_, y]| y.abs() < 1e-3,
            Lean::Upright => |[x, _]| x.abs() < 1e-3,
            Lean::Crossed => |[x, y]| (x.abs() - y.abs()).abs() < 1e-3,
        };
        assert!(canvas.0.len() >= 8, "{number}: {}", canvas.0.len());
        assert!(canvas.0.iter().all(|&line| right(line)), "{number}: {:?}", canvas.0);
        for other in 0..number {
            let [one, two] = [role, Role::Island(other)].map(|role| Theme::DARK.style(role));
            assert!(one.fill != two.fill || one.lean != two.lean, "{number} looks like {other}");
        }
    }
}

#[test]
fn stitched_borders_are_drawn_once_and_whole() {
    let mesh = baked(&NavSettings { tile_size: 4.0, ..NavSettings::default() });
    let shapes = mesh_shapes(&mesh.mesh);
    let mut length = 0.0;
    for shape in &shapes.borders {
        assert_eq!(shape.role(), Role::Portal, "no border is left unstitched");
        let Shape::Lines { segments, .. } = shape else { panic!("{shape:?}") };
        length += segments.iter().map(|[a, b]| (b[0] - a[0]).hypot(b[1] - a[1])).sum::<f64>();
    }
    // x = 4 and z = 4: 10 each without the hole's 2; x = 8 and z = 8: 10 each; x = 12 across the landing: 2.
    assert!((length - 38.0).abs() < 1e-9, "{length}");
}

#[test]
fn links_are_arcs_with_arrow_heads_and_say_whether_they_are_attached() {
    let link = |end: [f64; 3], bidirectional| AuthoredLink {
        start: [1.0, 0.0, 1.0],
        end,
        radius: 0.5,
        bidirectional,
        area: 0,
        flags: 1,
        user_id: 7,
    };
    let links =
        vec![link([9.0, 0.0, 9.0], true), link([9.0, 0.0, 1.0], false), link([20.0, 0.0, 20.0], false)];
    let mesh = baked(&NavSettings { links, ..NavSettings::default() });
    let shapes = mesh_shapes(&mesh.mesh).links;
    let mut heads = 0;
    for shape in &shapes {
        heads += usize::from(matches!(shape, Shape::Marker { sign: Sign::ArrowHead(_), .. }));
    }
    assert_eq!(heads, 2 + 1 + 1, "both ends of the first, the end of the others");
    let arcs = |role| {
        let is_arc = |shape: &&Shape| matches!(shape, Shape::Polyline { .. }) && shape.role() == role;
        shapes.iter().filter(is_arc).count()
    };
    assert_eq!((arcs(Role::Link), arcs(Role::LooseLink)), (2, 1));
    assert_eq!(count_of(&shapes, Role::LinkRadius), 6);
}

#[test]
fn a_path_shows_its_ends_and_where_the_level_changes() {
    let mesh = baked(&NavSettings::default()).mesh;
    let (filter, mut scratch) = (QueryFilter::default(), PathScratch::default());
    let path = find_nav_path(&mesh, [1.0, 3.0], None, [13.0, 3.0], None, &filter, &mut scratch).unwrap();
    let shapes = path_shapes(&mesh, &path);
    let marker = |role| {
        let found = shapes.iter().find_map(|shape| match shape {
            Shape::Marker { at, sign, role: its } if *its == role => Some((*at, *sign)),
            _ => None,
        });
        found.unwrap()
    };
    assert_eq!(marker(Role::PathStart), ([1.0, 3.0], Sign::DiscLetter('S')));
    assert_eq!(marker(Role::PathEnd), ([13.0, 3.0], Sign::SquareLetter('E')));
    assert_eq!(marker(Role::LevelChange), ([10.0, 3.0], Sign::DiscNumber(1)));
    assert_eq!(count_of(&shapes, Role::Corridor), path.corridor.len());
}

#[cfg(feature = "cli")]
#[test]
fn pixels_have_the_colours_of_what_lies_there() {
    use navwright::draw::{Contents, Picture, Raster};
    let mesh = baked(&NavSettings::default());
    let contents = Contents { mesh: Some(&mesh.mesh), ..Contents::default() };
    for theme in [Theme::DARK, Theme::LIGHT] {
        let background = theme.background();
        let mut raster = Raster::new(640, 480, background).unwrap();
        Picture::new(&contents, theme).paint([640.0, 480.0], &mut raster);
        let mut seen = std::collections::BTreeMap::new();
        for (x, y) in (0..640).flat_map(|x| (0..480).map(move |y| (x, y))) {
            *seen.entry(raster.pixel(x, y).unwrap().0).or_insert(0_u32) += 1;
        }
        let share = |color: Rgba| {
            let near = |found: &[u8; 4]| found.iter().zip(color.0).all(|(a, b)| a.abs_diff(b) <= 2);
            seen.iter().filter(|(found, _)| near(found)).map(|(_, count)| count).sum::<u32>()
        };
        // A floor's colour as it comes out over the background.
        let floor = |level| {
            let fill = theme.style(Role::Polygon(level)).fill.unwrap();
            let mix = |over: u8, under: u8| {
                (f32::from(over) * fill.opacity() + f32::from(under) * (1.0 - fill.opacity())).round() as u8
            };
            let [r, g, b] = [0, 1, 2].map(|channel| mix(fill.0[channel], background.0[channel]));
            Rgba([r, g, b, 255])
        };
        let (ground, landing) = (share(floor(0)), share(floor(1)));
        assert!(landing > 300, "{theme:?}: {landing} pixels of the landing");
        // 96 to 8 square units, less lines, signs and the grid that shines through.
        let ratio = f64::from(ground) / f64::from(landing);
        assert!(6.0 < ratio && ratio < 18.0, "{theme:?}: {ground} to {landing}");
    }
    assert!(Raster::new(0, 10, Theme::DARK.background()).is_none());
    assert!(Raster::new(20_000, 10, Theme::DARK.background()).is_none());
}
