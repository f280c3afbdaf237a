//! Every case of `fixtures/flat/cases` (worked out by hand and with exact fractions): the joined drawing exactly, the
//! tiles to half a binary step along the outline, the paths between the shortest length and 1.7 times it.

use std::path::{Path, PathBuf};

use navwright::bake::flat::join_levels;
use navwright::bake::{AreaKind, BakeOptions, FlatArea, FlatInput, FlatLevel, Surface, bake_mesh};
use navwright::format::{NavMesh, NavSettings};
use navwright::query::{PathScratch, PathStatus, QueryFilter, find_nav_path};
use serde_json::Value;

fn cases() -> Vec<(String, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/flat/cases");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    assert!(files.len() >= 50, "the cases are missing");
    files
        .into_iter()
        .map(|file| {
            let name = file.file_stem().unwrap().to_string_lossy().into_owned();
            (name, serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap())
        })
        .collect()
}

fn decimal(value: &Value) -> f64 {
    value.as_str().unwrap().parse().unwrap()
}

fn point(value: &Value) -> [f64; 2] {
    [decimal(&value[0]), decimal(&value[1])]
}

fn input_of(case: &Value) -> FlatInput {
    let areas = case["areas"].as_array().unwrap().iter().enumerate().map(|(index, area)| FlatArea {
        id: index as u64 + 1,
        name: format!("area {}", index + 1),
        kind: if area["kind"] == "walk" { AreaKind::Walk } else { AreaKind::Hole },
        level: area["level"].as_i64().unwrap() as i8,
        outline: area["points"].as_array().unwrap().iter().map(point).collect(),
        area_type: None,
        flags: None,
        surface: Surface::Level,
    });
    FlatInput { levels: Vec::new(), areas: areas.collect() }
}

/// "17/4" or "2.125" as (numerator, denominator).
fn fraction(text: &str) -> (i128, i128) {
    if let Some((numerator, denominator)) = text.split_once('/') {
        return (numerator.parse().unwrap(), denominator.parse().unwrap());
    }
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    (format!("{whole}{decimals}").parse().unwrap(), 10_i128.pow(decimals.len() as u32))
}

/// Settings of three tile grids that the cases are baked with: no borders, many borders, borders off the decimal grid.
fn grids() -> [NavSettings; 4] {
    let with = |tile_size: f64, origin: [f64; 3]| NavSettings { tile_size, origin, ..NavSettings::default() };
    [
        with(1024.0, [-256.0, 0.0, -256.0]),
        with(4.0, [0.0; 3]),
        with(f64::from(9.6_f32), [-0.7, 0.0, 0.1]),
        with(f64::from(0.7_f32), [0.0, 0.0, 0.0]),
    ]
}

#[test]
fn the_joined_drawing_is_exact() {
    let mut wrong = Vec::new();
    for (name, case) in cases() {
        let expect = &case["expect"];
        let joined = join_levels(&input_of(&case), &NavSettings::default()).unwrap();
        let mut check = |what: String, good: bool| {
            if !good {
                wrong.push(format!("{name}: {what}"));
            }
        };
        for (level, wanted) in expect["levels"].as_object().unwrap() {
            let level: i8 = level.parse().unwrap();
            let (numerator, denominator) = fraction(wanted["area"].as_str().unwrap());
            let area = numerator as f64 / denominator as f64;
            let Some(found) = joined.levels.iter().find(|found| found.level == level) else {
                check(format!("level {level} is missing"), numerator == 0);
                continue;
            };
            let tolerance: f64 = decimal(&expect["area_tolerance"]);
            check(
                format!("level {level}: area {} for {area}", found.area),
                (found.area - area).abs() <= tolerance + 1e-9,
            );
            if expect["on_thousandth_grid"] == true {
                let exact = found.doubled_area_units.map(|doubled| {
                    let square = (joined.units_per_square as i128) * (joined.units_per_square as i128);
                    doubled * denominator == 2 * square * numerator
                });
                check(
                    format!("level {level}: area is not exact: {:?}", found.doubled_area_units),
                    exact == Some(true),
                );
            }
            for (what, count) in [("components", found.components), ("holes", found.holes)] {
                let right = wanted[what].as_u64().unwrap() as usize;
                check(format!("level {level}: {count} {what} for {right}"), count == right);
            }
        }
        let wanted = expect["components_over_seams"].as_u64().unwrap() as usize;
        check(
            format!("{} components over seams for {wanted}", joined.components),
            joined.components == wanted,
        );
        let mut seams: Vec<String> =
            joined.seams.iter().map(|s| format!("{:?} {:?} {:?}", s.levels, s.from, s.to)).collect();
        let mut right: Vec<String> = expect["seams"]
            .as_array()
            .unwrap()
            .iter()
            .map(|seam| {
                let levels: [i8; 2] = [0, 1].map(|i| seam["levels"][i].as_i64().unwrap() as i8);
                format!("{levels:?} {:?} {:?}", point(&seam["from"]), point(&seam["to"]))
            })
            .collect();
        seams.sort();
        right.sort();
        check(format!("seams {seams:?} for {right:?}"), seams == right);
    }
    assert!(wrong.is_empty(), "{} faults:\n{}", wrong.len(), wrong.join("\n"));
}

/// The walkable area per level of a baked mesh.
fn mesh_area(mesh: &NavMesh, level: i8) -> f64 {
    let mut area = 0.0;
    for (_, tile) in mesh.mesh.tiles() {
        for polygon in tile.polygons.iter().filter(|polygon| polygon.level() == level) {
            let corners: Vec<[f64; 2]> = tile.edge_vertices[polygon.edges()]
                .iter()
                .map(|&v| tile.vertices[v as usize])
                .map(|v| [f64::from(v[0]), f64::from(v[2])])
                .collect();
            for i in 1..corners.len() - 1 {
                let (o, a, b) = (corners[0], corners[i], corners[i + 1]);
                area += ((a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])) / 2.0;
            }
        }
    }
    area
}

#[test]
fn tiles_have_the_stated_areas_connections_and_paths() {
    let mut wrong = Vec::new();
    for (name, case) in cases() {
        let expect = &case["expect"];
        let input = input_of(&case);
        // Levels at one height, so that no border joins or parts them by height.
        let levels =
            input.areas.iter().map(|area| FlatLevel { number: area.level, elevation: 0.0 }).collect();
        let flat = FlatInput { levels, areas: input.areas.clone() };
        let bounds = input
            .areas
            .iter()
            .flat_map(|area| &area.outline)
            .fold(1.0_f64, |far, p| far.max(p[0].abs()).max(p[1].abs()));
        let joined = join_levels(&input, &NavSettings::default()).unwrap();
        for (grid, settings) in grids().into_iter().enumerate() {
            if bounds / settings.tile_size > 300.0 || name == "tiny_cells" && grid != 0 {
                continue;
            }
            let mut check = |what: String, good: bool| {
                if !good {
                    wrong.push(format!("{name}, tile size {}: {what}", settings.tile_size));
                }
            };
            // Levels apart in height where they must not join at borders.
            let mut given = flat.clone();
            given.levels.iter_mut().for_each(|level| level.elevation = f64::from(level.number) * 3.0);
            let settings = NavSettings { walkable_climb: 0.5, ..settings };
            let (mesh, report) = bake_mesh(&given, &settings, &BakeOptions::default()).unwrap();
            for diagnostic in &report.diagnostics {
                let kind = diagnostic.kind.name();
                check(diagnostic.message.clone(), kind != "tile_failed" && kind != "out_of_range");
            }
            for (level, wanted) in expect["levels"].as_object().unwrap() {
                let (numerator, denominator) = fraction(wanted["area"].as_str().unwrap());
                let area = numerator as f64 / denominator as f64;
                let found = mesh_area(&mesh, level.parse().unwrap());
                // Half a binary step along the outline, and along tile borders once more at most.
                let step = settings.tile_size.log2().ceil().exp2() / f64::from(1 << 24);
                let level: i8 = level.parse().unwrap();
                let outline = joined
                    .levels
                    .iter()
                    .filter(|joined| joined.level == level)
                    .flat_map(|joined| &joined.outlines);
                let perimeter: f64 = outline.map(|[a, b]| (a[0] - b[0]).hypot(a[1] - b[1])).sum();
                let tolerance = decimal(&expect["area_tolerance"]) + step * (perimeter + 1.0);
                check(format!("level {level}: area {found} for {area}"), (found - area).abs() <= tolerance);
            }
            let mut scratch = PathScratch::default();
            let mut path = |a: &Value, b: &Value| {
                let level = |end: &Value| Some(end["level"].as_i64().unwrap() as i8);
                let (from, to) = (point(&a["point"]), point(&b["point"]));
                find_nav_path(&mesh.mesh, from, level(a), to, level(b), &QueryFilter::default(), &mut scratch)
                    .unwrap()
            };
            for pair in expect["connected"].as_array().unwrap() {
                let found = path(&pair["a"], &pair["b"]);
                check(
                    format!("no path {} → {}: {}", pair["a"], pair["b"], found.reason),
                    found.status == PathStatus::Complete,
                );
            }
            for pair in expect["not_connected"].as_array().unwrap() {
                let found = path(&pair["a"], &pair["b"]);
                check(format!("a path {} → {}", pair["a"], pair["b"]), found.status != PathStatus::Complete);
            }
            for wanted in expect["paths"].as_array().unwrap() {
                let found = path(&wanted["a"], &wanted["b"]);
                let length = wanted["length"].as_f64().unwrap();
                let tolerance =
                    expect["length_tolerance"].as_f64().unwrap() + 1e-5 * found.points.len() as f64;
                let good = found.status == PathStatus::Complete
                    && length - tolerance <= found.length
                    && found.length <= length * 1.7 + tolerance;
                check(
                    format!(
                        "path {} → {} is {} ({:?} {}) for {length}",
                        wanted["a"], wanted["b"], found.length, found.status, found.reason
                    ),
                    good,
                );
            }
        }
    }
    assert!(wrong.is_empty(), "{} faults:\n{}", wrong.len(), wrong.join("\n"));
}
