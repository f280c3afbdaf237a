//! Map text: numbers, byte-identical rewriting, errors with their place, and what it cannot carry.

use std::fs;
use std::path::{Path, PathBuf};

use navwright::bake::{AreaKind, Surface};
use navwright::interop::navwalk::{MapText, thousandths};
use navwright::project::map_text::{document_from_map, map_from_document};
use navwright::project::{self, Command, FileKind, Level, apply};
use proptest::prelude::*;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/flat/maps").join(name)
}

#[test]
fn numbers_are_rounded_and_never_cut() {
    let cases = [
        (16.8, "16.800"),
        (f64::from(16.8_f32), "16.800"),
        (1.0 / 3.0, "0.333"),
        (2.0 / 3.0, "0.667"),
        (1e-7, "0.000"),
        (-1e-7, "0.000"),
        (-0.0, "0.000"),
        (0.0005, "0.001"),
        (-0.0005, "-0.001"),
        (-0.000_499, "0.000"),
        (2.0005, "2.001"),
        (1.0005, "1.001"),
        (-1.0005, "-1.001"),
        (0.9995, "1.000"),
        (9.9996, "10.000"),
        (0.1 + 0.2, "0.300"),
        (2_097_151.999, "2097151.999"),
        (2_097_151.999_6, "2097151.999"),
        (-2_097_151.999_6, "-2097151.999"),
        (f64::MIN_POSITIVE, "0.000"),
    ];
    for (value, text) in cases {
        assert_eq!(thousandths(value), text, "{value:?}");
    }
}

#[test]
fn canonical_text_comes_back_byte_for_byte() {
    let text = "# the yard\n\nnav walk 0 2.000 3.000 20.000 3.000 20.000 15.000 2.000 15.000\nnav hole -1 8.000 \
                -6.000 16.800 6.000 12.000 9.000 # a pond\nnav walk -128 0.000 0.000 1.000 0.000 0.000 1.000\n";
    let map = MapText::parse(text).unwrap();
    assert_eq!(map.to_string(), text);
    let areas: Vec<_> = map.areas().collect();
    assert_eq!(areas.len(), 3);
    assert_eq!((areas[1].kind, areas[1].level), (AreaKind::Hole, -1));
    assert_eq!(areas[1].points, [[8.0, -6.0], [16.8, 6.0], [12.0, 9.0]]);
    assert_eq!(areas[2].level, -128);
}

#[test]
fn loose_text_settles_with_the_first_writing() {
    let text = "\u{feff}  nav\twalk  +0 1 2 3.00049 4e0 -5.0005 .5  #  note  \r\n\r\n   # left\r\nnav hole 1 0 0 1 0 1 1";
    let once = MapText::parse(text).unwrap().to_string();
    let expected = "nav walk 0 1.000 2.000 3.000 4.000 -5.001 0.500 #  note\n\n# left\nnav hole 1 0.000 0.000 1.000 \
                    0.000 1.000 1.000\n";
    assert_eq!(once, expected);
    assert_eq!(MapText::parse(&once).unwrap().to_string(), once);
}

#[test]
fn faults_are_named_with_place_and_expectation() {
    let cases = [
        ("nav walk 0 0 0 1 0 1 one", 1, 22, "\"one\"", "a number, z of point 3"),
        ("\nnav wlak 0 0 0 1 0 1 1", 2, 5, "\"wlak\"", "walk or hole"),
        ("nav", 1, 4, "the end of the line", "walk or hole"),
        ("tile 3 4", 1, 1, "\"tile\"", "nav, # or a blank line"),
        ("nav walk 4294967295 0 0 1 0 1 1", 1, 10, "\"4294967295\"", "a level from -128 to 127"),
        ("nav walk", 1, 9, "the end of the line", "a level from -128 to 127"),
        ("nav walk 0 0 0 1 0", 1, 19, "the end of the line", "3 or more points, after 2"),
        ("nav walk 0 0 0 1 0 1", 1, 21, "the end of the line", "a number, z of point 3"),
        ("nav walk 0 0 0 1 nan 1 1", 1, 18, "\"nan\"", "z of point 2 strictly between -2097152 and 2097152"),
        (
            "nav walk 0 0 2097152 1 0 1 1",
            1,
            14,
            "\"2097152\"",
            "z of point 1 strictly between -2097152 and 2097152",
        ),
        (
            "nav walk 0 0 1e999 1 0 1 1",
            1,
            14,
            "\"1e999\"",
            "z of point 1 strictly between -2097152 and 2097152",
        ),
        ("nav walk 0 \u{1b}[2J", 1, 12, "\"\\u{1b}[2J\"", "a number, x of point 1"),
    ];
    for (text, line, column, found, expected) in cases {
        let error = MapText::parse(text).unwrap_err();
        let got = (error.line, error.column, error.found.as_str(), error.expected.as_str());
        assert_eq!(got, (line, column, found, expected), "{text:?}");
    }
}

/// Counts by `grep -c`; the files are in canonical form.
#[test]
fn large_maps_read_and_rewrite_byte_for_byte() {
    for (name, walks, holes) in [("town.nav", 480, 260), ("walls200.nav", 1, 200), ("walls2000.nav", 1, 2000)]
    {
        let path = fixture(name);
        let text = fs::read_to_string(&path).unwrap();
        let map = MapText::parse(&text).unwrap();
        let count = |kind| map.areas().filter(|area| area.kind == kind).count();
        assert_eq!((count(AreaKind::Walk), count(AreaKind::Hole)), (walks, holes), "{name}");
        assert_eq!(map.to_string(), text, "{name}");

        let opened = project::open(&path).unwrap();
        assert_eq!(opened.kind, FileKind::MapText);
        assert_eq!(opened.document, document_from_map(&map));
        let (back, notes) = map_from_document(&opened.document);
        assert!(back.areas().eq(map.areas()), "{name}");
        assert_eq!(notes, Vec::<String>::new(), "{name}");
    }
}

#[test]
fn levels_of_a_map_have_entries() {
    let map = MapText::parse("nav walk -2 0 0 1 0 1 1\nnav walk 3 0 0 1 0 1 1").unwrap();
    let document = document_from_map(&map);
    let levels: Vec<_> = document.levels.iter().map(|level| (level.number, level.elevation)).collect();
    assert_eq!(levels, [(-2, -6.0), (0, 0.0), (3, 9.0)]);
}

#[test]
fn what_map_text_cannot_carry_is_said() {
    let map = MapText::parse("nav walk 0 0 0 1 0 1 1\nnav walk 0 0 0 1 0 1 1").unwrap();
    let document = document_from_map(&map);
    let mut first = (*document.areas[0]).clone();
    first.name = "yard".to_owned();
    first.surface = Surface::Ramp;
    first.points[1][0] = 1.0 / 3.0;
    let level = Level { elevation: 1.5, ..Level::new(0) };
    let command = Command::Several(vec![Command::SetAreas(vec![first]), Command::SetLevel(level)]);
    let (_, notes) = map_from_document(&apply(&document, &command).unwrap());
    let expected = [
        "1 area name is left out",
        "1 area's ramp or heights is left out",
        "1 level's name or elevation is left out",
        "1 coordinate is rounded to a thousandth",
    ];
    assert_eq!(notes, expected);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// Against the rule itself: within half a thousandth, and settled after one writing.
    #[test]
    fn any_number_is_within_half_a_thousandth_and_stays(value in -2_097_151.9..2_097_151.9) {
        let once = thousandths(value);
        let read: f64 = once.parse().unwrap();
        prop_assert!((read - value).abs() <= 0.000_5 + 1e-9);
        prop_assert_eq!(thousandths(read), once);
    }

    /// A decimal with four places, rounded in integers.
    #[test]
    fn four_places_round_half_away_from_zero(tenths in -20_000_000_000_i64..20_000_000_000) {
        let value: f64 = format!("{tenths}e-4").parse().unwrap();
        let right = (tenths.abs() + 5) / 10;
        let sign = if tenths < 0 && right > 0 { "-" } else { "" };
        prop_assert_eq!(thousandths(value), format!("{sign}{}.{:03}", right / 1000, right % 1000));
    }

    #[test]
    fn hostile_text_is_read_or_refused(text in "(nav|walk|hole|#|[ \t\r\n]|[0-9.e-]{1,5}|.){0,60}") {
        if let Ok(map) = MapText::parse(&text) {
            let once = map.to_string();
            prop_assert_eq!(MapText::parse(&once).unwrap().to_string(), once);
        }
    }
}
