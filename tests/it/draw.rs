//! Shapes and the painters that need no window.

use navwright::draw::{Anchor, Canvas, Rgba, Role, Shape, Svg, Theme, View, convex_pieces, nice_step, paint};

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
    paint(&[line, ladder, hole], &view, Theme::Dark, &mut counts);
    assert!(counts.strokes.len() < 1000, "{} strokes", counts.strokes.len());
    assert!(counts.strokes.len() > 100 && counts.fills == 1);
}

#[test]
fn what_is_out_of_sight_is_not_painted() {
    let view = View { center: [0.0, 0.0], scale: 10.0, min: [0.0, 0.0], max: [800.0, 600.0] };
    let far = |x: f64| vec![[x, 0.0], [x + 1.0, 0.0], [x, 1.0]];
    let shape = |x| Shape::Convex { points: far(x), role: Role::Polygon(0) };
    let mut counts = Counts::default();
    paint(&[shape(0.0), shape(1000.0)], &view, Theme::Light, &mut counts);
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

#[test]
fn lines_keep_three_to_one_against_the_dark_canvas() {
    let back = luminance(Theme::Dark.background());
    let roles = [
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
    for role in roles {
        let front = luminance(Theme::Dark.style(role).stroke.unwrap().color);
        let contrast = (front.max(back) + 0.05) / (front.min(back) + 0.05);
        assert!(contrast >= 3.0, "{role:?}: {contrast:.2}");
    }
}
