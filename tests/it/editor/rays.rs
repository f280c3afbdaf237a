//! The 3D view's eye and its rays as numbers.

use egui::{Rect, pos2, vec2};
use navwright::editor::view3d::camera::{Lens, Orbit};
use navwright::editor::view3d::levels::lifts;
use navwright::editor::view3d::space::{Ray, Vec3, add, cross, dot, length, sub, unit};
use proptest::prelude::*;

const RECT: Rect = Rect { min: pos2(10.0, 20.0), max: pos2(810.0, 620.0) };

fn eyes() -> impl Strategy<Value = Orbit> {
    let place = -2000.0..2000.0_f64;
    ([place.clone(), -50.0..50.0, place], 0.5..3000.0_f64, 0.0..6.3_f64, -1.55..1.57_f64)
        .prop_map(|(target, distance, yaw, pitch)| Orbit { target, distance, yaw, pitch })
}

fn pixels() -> impl Strategy<Value = [f64; 2]> {
    [10.0..810.0_f64, 20.0..620.0_f64]
}

/// How far a place lies beside a ray.
fn beside(ray: &Ray, place: Vec3) -> f64 {
    length(cross(ray.along, sub(place, ray.from)))
}

proptest! {
    #[test]
    fn a_pixel_s_ray_passes_through_what_is_seen_there(eye in eyes(), pixel in pixels(), away in 0.01..100.0_f64) {
        let lens = eye.lens(RECT);
        let place = lens.ray(pixel).at(away * eye.distance);
        prop_assume!(lens.depth(place) > lens.near);
        let seen = lens.pixel(place).unwrap();
        prop_assert!((seen[0] - pixel[0]).hypot(seen[1] - pixel[1]) < 1e-5, "{seen:?} {pixel:?}");
        // And the other way round: from a place to its pixel to the ray through it.
        prop_assert!(beside(&lens.ray(seen), place) < 1e-7 * (1.0 + eye.distance * away + 2000.0));
    }

    #[test]
    fn the_axes_of_an_eye_are_square_to_each_other_and_not_mirrored(eye in eyes()) {
        let Lens { right, up, forward, .. } = eye.lens(RECT);
        for (a, b) in [(right, up), (up, forward), (forward, right)] {
            prop_assert!(dot(a, b).abs() < 1e-12);
        }
        // Seen from above x runs to the right and z up, as on the canvas: forward (down) is up x right there.
        prop_assert!(length(sub(cross(forward, right), up)) < 1e-12);
        prop_assert!(up[1] >= -1e-12, "heads are up");
    }

    #[test]
    fn zooming_keeps_what_is_under_the_mouse(eye in eyes(), pixel in pixels(), away in 0.2..3.0_f64, factor in 0.3..3.0_f64) {
        let place = eye.lens(RECT).ray(pixel).at(away * eye.distance);
        let mut nearer = eye;
        nearer.zoom(factor, place);
        let seen = nearer.lens(RECT).pixel(place);
        prop_assume!(seen.is_some());
        let seen = seen.unwrap();
        prop_assert!((seen[0] - pixel[0]).hypot(seen[1] - pixel[1]) < 1e-4, "{seen:?} {pixel:?}");
    }

    #[test]
    fn panning_keeps_what_is_in_hand(eye in eyes(), from in pixels(), to in pixels(), away in 0.2..3.0_f64) {
        let lens = eye.lens(RECT);
        let place = lens.ray(from).at(away * eye.distance);
        prop_assume!(lens.depth(place) > lens.near);
        let mut moved = eye;
        let delta = vec2((to[0] - from[0]) as f32, (to[1] - from[1]) as f32);
        moved.pan(delta, lens.depth(place), &lens);
        let seen = moved.lens(RECT).pixel(place).unwrap();
        prop_assert!((seen[0] - to[0]).hypot(seen[1] - to[1]) < 1e-2, "{seen:?} {to:?}");
    }

    #[test]
    fn a_framed_box_is_seen_whole_and_fills_the_picture(eye in eyes(), low in [-500.0..500.0_f64, -20.0..20.0, -500.0..500.0], size in [0.0..300.0_f64, 0.0..30.0, 0.0..300.0]) {
        let high = add(low, size);
        let mut framed = eye;
        framed.frame(&[[low, high]], RECT);
        let lens = framed.lens(RECT);
        let inner = RECT.shrink(20.0);
        let mut widest = 0.0_f64;
        for corner in 0..8 {
            let place = [0, 1, 2].map(|axis| if corner >> axis & 1 == 0 { low[axis] } else { high[axis] });
            let [x, y] = lens.pixel(place).unwrap();
            prop_assert!(inner.contains(pos2(x as f32, y as f32)), "{place:?} at {x}, {y}");
            widest = widest.max((x - 410.0).abs() / 380.0).max((y - 320.0).abs() / 280.0);
        }
        // Some corner lies near the rim, but for boxes so small that one would bump into them.
        prop_assert!(widest > 0.9 || framed.distance <= 3.0, "{widest}");
    }

    #[test]
    fn framed_boxes_are_seen_whole_and_in_the_middle(eye in eyes(), boxes in proptest::collection::vec(([-300.0..300.0_f64, -20.0..20.0, -300.0..300.0], [5.0..200.0_f64, 0.0..30.0, 5.0..200.0]), 1..6)) {
        let boxes: Vec<[Vec3; 2]> = boxes.into_iter().map(|(low, size)| [low, add(low, size)]).collect();
        let mut framed = eye;
        framed.frame(&boxes, RECT);
        let lens = framed.lens(RECT);
        // Left, right, top, bottom: how much room is left beside the margin.
        let mut room = [f64::INFINITY; 4];
        for [low, high] in &boxes {
            for corner in 0..8 {
                let place = [0, 1, 2].map(|axis| if corner >> axis & 1 == 0 { low[axis] } else { high[axis] });
                let [x, y] = lens.pixel(place).unwrap();
                let sides = [x - 30.0, 790.0 - x, y - 40.0, 600.0 - y];
                (0..4).for_each(|side| room[side] = room[side].min(sides[side]));
            }
        }
        prop_assert!(room.iter().all(|room| *room > -1e-6), "{room:?}");
        // One cannot go nearer: two opposite sides are reached.
        let reached = |a: usize, b: usize| room[a].max(room[b]) < 1e-3;
        prop_assert!(reached(0, 1) || reached(2, 3) || framed.distance <= 3.0, "{room:?}");
    }

    #[test]
    fn a_ray_meets_a_triangle_as_by_the_sides_of_its_edges(corners in [[-5.0..5.0_f64, -5.0..5.0, -5.0..5.0], [-5.0..5.0, -5.0..5.0, -5.0..5.0], [-5.0..5.0, -5.0..5.0, -5.0..5.0]], from in [-9.0..9.0_f64, -9.0..9.0, -9.0..9.0], to in [-4.0..4.0_f64, -4.0..4.0, -4.0..4.0]) {
        let ray = Ray { from, along: unit(sub(to, from)) };
        let (expected, margin) = by_volumes(&ray, corners);
        prop_assume!(margin > 1e-7);
        match (ray.triangle(corners), expected) {
            (Some(found), Some(expected)) => prop_assert!((found - expected).abs() < 1e-6 * (1.0 + expected), "{found} {expected}"),
            (found, expected) => prop_assert_eq!(found, expected),
        }
    }

    #[test]
    fn pulled_apart_levels_keep_their_order_and_their_gaps_grow(heights in proptest::collection::vec(-20.0..20.0_f64, 1..8), explode in 0.0..4.0_f64) {
        let floors: Vec<(i8, f64)> = (-2_i8..).zip(heights).collect();
        let lifted = lifts(&floors, explode);
        prop_assert_eq!(lifted.len(), floors.len());
        let height = |level: i8| floors.iter().find(|(number, _)| *number == level).unwrap().1;
        let fixed = if floors.iter().any(|(level, _)| *level == 0) { 0 } else { lifted[0].0 };
        prop_assert_eq!(lifted.iter().find(|(level, _)| *level == fixed).unwrap().1, 0.0);
        for pair in lifted.windows(2) {
            let gap = height(pair[1].0) - height(pair[0].0);
            prop_assert!(gap >= 0.0, "in the order of their heights");
            let shown = gap + pair[1].1 - pair[0].1;
            prop_assert!(shown >= gap * (1.0 + explode) - 1e-9, "{shown} {gap}");
            prop_assert!(explode > 0.0 || shown == gap);
        }
    }
}

/// Where a ray meets a triangle, by the signs of the volumes that it spans with the edges, and the plane's equation; and
/// how far from undecided that is.
pub(super) fn by_volumes(ray: &Ray, [a, b, c]: [Vec3; 3]) -> (Option<f64>, f64) {
    let volume = |p: Vec3, q: Vec3| dot(ray.along, cross(sub(p, ray.from), sub(q, ray.from)));
    let sides = [volume(a, b), volume(b, c), volume(c, a)];
    let normal = cross(sub(b, a), sub(c, a));
    let distance = dot(normal, sub(a, ray.from)) / dot(normal, ray.along);
    let margin = sides.iter().map(|side| side.abs()).fold(f64::INFINITY, f64::min).min(distance.abs());
    let same = sides.iter().all(|side| *side > 0.0) || sides.iter().all(|side| *side < 0.0);
    ((same && distance > 0.0).then_some(distance), margin)
}
