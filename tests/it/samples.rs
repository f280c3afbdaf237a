//! The samples in `assets/`: canonical, drawn on tenths, and joined where they mean to be and nowhere else.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::overlay::Overlay;
use i_overlay::core::overlay_rule::OverlayRule;
use i_overlay::i_float::int::point::IntPoint;
use navwright::bake::{AreaKind, BakeOptions, Surface, bake_mesh};
use navwright::interop::navwalk::MapText;
use navwright::project::file::encode;
use navwright::project::{self, Document, open_text};

fn asset(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join(name)
}

fn text(name: &str) -> String {
    fs::read_to_string(asset(name)).unwrap()
}

fn document(name: &str) -> Document {
    project::open(&asset(name)).unwrap().document
}

type Point = [i64; 2];

fn tenths(point: [f64; 2]) -> Point {
    point.map(|value| {
        let tenths = (value * 10.0).round();
        assert_eq!(tenths / 10.0, value, "drawn on tenths");
        tenths as i64
    })
}

/// Walk areas joined and holes cut, by another engine, in tenths; the inside of each edge lies on one same side.
fn edges(document: &Document, level: i8) -> Vec<[Point; 2]> {
    let rings = |kind| -> Vec<Vec<IntPoint<i64>>> {
        let areas = document.areas.iter().filter(|area| area.level == level && area.kind == kind);
        areas
            .map(|area| {
                let mut ring: Vec<_> = area.points.iter().map(|&point| tenths(point)).collect();
                let next = ring.iter().cycle().skip(1);
                let twice: i64 = ring.iter().zip(next).map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum();
                if twice < 0 {
                    ring.reverse();
                }
                ring.into_iter().map(|[x, z]| IntPoint::new(x, z)).collect()
            })
            .collect()
    };
    let (walks, holes) = (rings(AreaKind::Walk), rings(AreaKind::Hole));
    let shapes =
        Overlay::from_subj_and_clip(&walks, &holes).overlay(OverlayRule::Difference, FillRule::NonZero);
    let edges_of = |ring: &Vec<IntPoint<i64>>| -> Vec<_> {
        let next = ring.iter().cycle().skip(1);
        ring.iter().zip(next).map(|(a, b)| [[a.x, a.y], [b.x, b.y]]).collect()
    };
    shapes.iter().flatten().flat_map(edges_of).collect()
}

/// The part that two edges share: its length's square in tenths, and whether their insides are on opposite sides.
fn shared([a, b]: [Point; 2], [c, d]: [Point; 2]) -> Option<(i64, bool)> {
    let along = [b[0] - a[0], b[1] - a[1]];
    let from_a = |p: Point| [p[0] - a[0], p[1] - a[1]];
    let off = |p: Point| along[0] * from_a(p)[1] - along[1] * from_a(p)[0];
    let at = |p: Point| along[0] * from_a(p)[0] + along[1] * from_a(p)[1];
    if off(c) != 0 || off(d) != 0 {
        return None;
    }
    let whole = at(b);
    let (low, high) = (at(c).min(at(d)).max(0), at(c).max(at(d)).min(whole));
    // `at` measures in lengths of the edge: divided by its square root it is a length.
    (low < high).then(|| ((high - low) * (high - low) / whole, at(d) < at(c)))
}

/// For each pair of levels the squares of the seams' lengths, in tenths.
fn seams(document: &Document) -> BTreeMap<(i8, i8), Vec<i64>> {
    let levels: BTreeSet<_> = document.areas.iter().map(|area| area.level).collect();
    let edges: Vec<_> = levels.iter().map(|&level| (level, edges(document, level))).collect();
    let mut seams = BTreeMap::<_, Vec<_>>::new();
    for (index, (low, lower)) in edges.iter().enumerate() {
        for (high, upper) in &edges[index + 1..] {
            for (&one, &other) in lower.iter().flat_map(|one| upper.iter().map(move |other| (one, other))) {
                if let Some((square, opposite)) = shared(one, other) {
                    assert!(opposite, "{low} and {high} have their insides on the same side of {one:?}");
                    seams.entry((*low, *high)).or_default().push(square);
                }
            }
        }
    }
    seams.values_mut().for_each(|lengths| lengths.sort_unstable());
    seams
}

#[test]
fn the_arena_joins_its_levels_by_the_bank_and_the_four_stairs_alone() {
    let expected = [
        ((-1, 0), vec![22 * 22]),
        ((0, 1), vec![26 * 26, 30 * 30]),
        ((1, 2), vec![20 * 20]),
        ((2, 3), vec![18 * 18]),
    ];
    assert_eq!(seams(&document("arena.nav.ron")), BTreeMap::from(expected));
}

#[test]
fn the_small_samples_join_by_their_stairs_alone() {
    assert_eq!(seams(&document("first_steps.nav.ron")), BTreeMap::from([((0, 1), vec![14 * 14])]));
    assert_eq!(seams(&document("stairs.nav")), BTreeMap::from([((0, 1), vec![20 * 20])]));
}

#[test]
fn the_arena_shows_every_feature() {
    let arena = document("arena.nav.ron");
    let levels: Vec<_> = arena.levels.iter().map(|level| level.number).collect();
    assert_eq!(levels, [-1, 0, 1, 2, 3]);
    let ramps = arena.areas.iter().filter(|area| area.surface == Surface::Ramp).count();
    assert_eq!(ramps, 5);
    for level in [0, 1, 2] {
        let is_hole =
            |area: &&std::sync::Arc<project::Area>| area.level == level && area.kind == AreaKind::Hole;
        assert!(arena.areas.iter().any(|area| is_hole(&area)), "level {level} has a hole");
    }
    assert!(arena.areas.iter().any(|area| area.level == -1 && area.area_type == Some(1)), "water has a type");
    let names: BTreeSet<_> = arena.areas.iter().map(|area| &area.name).collect();
    assert_eq!(names.len(), arena.areas.len(), "every area has a name of its own");
    assert!(arena.links.iter().any(|link| link.bidirectional && link.start_level == link.end_level));
    assert!(arena.links.iter().any(|link| !link.bidirectional && link.start_level > link.end_level));
}

#[test]
fn samples_are_canonical() {
    for name in ["arena.nav.ron", "first_steps.nav.ron", "hall.nav.ron"] {
        assert!(encode(&document(name)) == text(name), "{name}: opening and saving changes no byte");
    }
    assert_eq!(MapText::parse(&text("stairs.nav")).unwrap().to_string(), text("stairs.nav"));
}

#[test]
fn a_sample_cut_anywhere_is_an_error() {
    // Each cut parses all before it: every byte of the small one, a step that meets every kind of place in the large.
    for (name, step) in [("first_steps.nav.ron", 1), ("arena.nav.ron", 7)] {
        let text = text(name);
        assert!(text.is_ascii());
        for cut in (0..text.trim_end().len()).step_by(step) {
            assert!(open_text(&text[..cut], "p").is_err(), "{name} cut at {cut}");
        }
    }
}

#[test]
fn the_samples_bake_without_a_remark() {
    for name in ["arena.nav.ron", "first_steps.nav.ron"] {
        let document = document(name);
        let baked = bake_mesh(
            &document.flat_input(),
            &document.bake_settings(&document.classes[0]),
            &BakeOptions::default(),
        );
        let (mesh, report) = baked.unwrap();
        assert_eq!(report.diagnostics, [], "{name}");
        let tiles = mesh.mesh.tiles().count();
        assert!(tiles > 0, "{name}");
        let joined: BTreeSet<_> = report.seams.iter().map(|seam| (seam.levels[0], seam.levels[1])).collect();
        assert_eq!(joined, seams(&document).into_keys().collect(), "{name}");
    }
}
