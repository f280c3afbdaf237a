//! Random drawings: the joined area against an independent engine, and what must not change a byte.

use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::overlay_rule::OverlayRule;
use i_overlay::core::single::SingleIntOverlay;
use i_overlay::i_float::int::point::IntPoint;
use i_overlay::i_shape::int::shape::IntShapes;
use navwright::bake::flat::{FlatBaker, join_levels};
use navwright::bake::{
    AreaKind, BakeOptions, BakeReport, FlatArea, FlatInput, FlatLevel, Surface, bake_mesh,
};
use navwright::format::{LinkKind, NavMesh, NavSettings, RawTile};

use crate::support::Random;

/// What a soup is made of; each breaks a different kind of builder.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Soup {
    /// Rectangles on a coarse grid: everything is collinear with something.
    Rectangles,
    /// Octagon-like outlines with corners on a coarse grid: slanted edges overlap in parts.
    Octilinear,
    /// Few points anywhere on thousandths, crossing themselves at will.
    Tangles,
    /// Long triangles a few thousandths thin.
    Slivers,
}

pub(crate) const SOUPS: [Soup; 4] = [Soup::Rectangles, Soup::Octilinear, Soup::Tangles, Soup::Slivers];

/// Areas in thousandths around `middle` (in squares).
pub(crate) fn soup(
    random: &mut Random,
    kind: Soup,
    count: usize,
    levels: u64,
    middle: [i64; 2],
) -> Vec<(AreaKind, i8, Vec<[i64; 2]>)> {
    let mut areas = Vec::with_capacity(count);
    for _ in 0..count {
        let walk = random.below(3) > 0;
        let level = random.below(levels) as i8 - (levels / 2) as i8;
        let mut near = |size: u64, step: i64| random.below(size) as i64 * step;
        let points: Vec<[i64; 2]> = match kind {
            Soup::Rectangles => {
                let (x, z, w, h) =
                    (near(12, 1000), near(12, 1000), near(6, 1000) + 1000, near(6, 1000) + 1000);
                vec![[x, z], [x + w, z], [x + w, z + h], [x, z + h]]
            }
            Soup::Octilinear => {
                let (x, z, r) = (near(12, 1000), near(12, 1000), near(3, 1000) + 1000);
                let ring = [[r, 0], [r, r], [0, r], [-r, r], [-r, 0], [-r, -r], [0, -r], [r, -r]];
                let first = near(8, 1) as usize;
                let kept = (0..8).filter(|i| !(first + i).is_multiple_of(3) || i % 2 == 0);
                kept.map(|i| [x + ring[i][0], z + ring[i][1]]).collect()
            }
            Soup::Tangles => (0..4 + near(5, 1)).map(|_| [near(12_000, 1), near(12_000, 1)]).collect(),
            Soup::Slivers => {
                let (x, z) = (near(12_000, 1), near(12_000, 1));
                let (dx, dz) = (near(9000, 1) - 4500, near(9000, 1) - 4500);
                vec![[x, z], [x + dx, z + dz], [x + dx + near(5, 1) - 2, z + dz + near(5, 1) - 2]]
            }
        };
        let points = points.into_iter().map(|[x, z]| [x + middle[0] * 1000, z + middle[1] * 1000]).collect();
        areas.push((if walk { AreaKind::Walk } else { AreaKind::Hole }, level, points));
    }
    areas
}

pub(crate) fn input_of(areas: &[(AreaKind, i8, Vec<[i64; 2]>)]) -> FlatInput {
    let areas = areas.iter().enumerate().map(|(index, (kind, level, points))| FlatArea {
        id: index as u64 + 1,
        name: format!("area {}", index + 1),
        kind: *kind,
        level: *level,
        outline: points.iter().map(|p| p.map(|v| v as f64 / 1000.0)).collect(),
        area_type: None,
        flags: None,
        surface: Surface::Level,
    });
    FlatInput { levels: Vec::new(), areas: areas.collect() }
}

/// The area of one level in square thousandths by i_overlay, with thousandths split 2^20 times. Each ring is resolved
/// by itself first, as the rule says.
fn independent_area(areas: &[(AreaKind, i8, Vec<[i64; 2]>)], level: i8, middle: [i64; 2]) -> f64 {
    const SPLIT: i64 = 1 << 20;
    let resolve = |points: &[[i64; 2]]| -> IntShapes<i64> {
        let ring: Vec<IntPoint<i64>> = points
            .iter()
            .map(|[x, z]| IntPoint::new((x - middle[0] * 1000) * SPLIT, (z - middle[1] * 1000) * SPLIT))
            .collect();
        let nothing: Vec<IntPoint<i64>> = Vec::new();
        ring.overlay(&nothing, OverlayRule::Subject, FillRule::NonZero)
    };
    let all = |kind: AreaKind| -> IntShapes<i64> {
        let rings = areas.iter().filter(|(k, l, _)| *k == kind && *l == level);
        rings.flat_map(|(_, _, points)| resolve(points)).collect()
    };
    let nothing: IntShapes<i64> = Vec::new();
    let union = |shapes: IntShapes<i64>| shapes.overlay(&nothing, OverlayRule::Subject, FillRule::NonZero);
    let rest = union(all(AreaKind::Walk)).overlay(
        &union(all(AreaKind::Hole)),
        OverlayRule::Difference,
        FillRule::NonZero,
    );
    let mut doubled = 0_i128;
    for ring in rest.iter().flatten() {
        for (i, a) in ring.iter().enumerate() {
            let b = ring[(i + 1) % ring.len()];
            doubled += i128::from(a.x) * i128::from(b.y) - i128::from(a.y) * i128::from(b.x);
        }
    }
    doubled.abs() as f64 / 2.0 / (SPLIT as f64 * SPLIT as f64)
}

#[test]
fn joined_areas_equal_an_independent_engine() {
    for (number, kind) in SOUPS.into_iter().enumerate() {
        for seed in 0..40 {
            let mut random = Random(seed * 4 + number as u64);
            let middle = if seed % 4 == 3 { [-2_000_000, 2_000_000] } else { [0, 0] };
            let areas = soup(&mut random, kind, 3 + seed as usize, 2, middle);
            let joined = join_levels(&input_of(&areas), &NavSettings::default()).unwrap();
            for level in &joined.levels {
                let right = independent_area(&areas, level.level, middle) / 1e6;
                // The engine rounds crossings to 2^-20 thousandths: at most that along each edge.
                let tolerance = areas.len() as f64 * 20.0 * 12.0 * 1e-9 * 4.0;
                assert!(
                    (level.area - right).abs() <= tolerance,
                    "{kind:?}, SEED={seed}, level {}: area {} for {right}",
                    level.level,
                    level.area
                );
            }
        }
    }
}

/// Soups side by side, each reaching into the next: thousands of areas.
fn field(random: &mut Random, kind: Soup, side: i64, middle: [i64; 2]) -> Vec<(AreaKind, i8, Vec<[i64; 2]>)> {
    let at = |i: i64| [middle[0] + (i % side - side / 2) * 11, middle[1] + (i / side - side / 2) * 11];
    (0..side * side).flat_map(|i| soup(random, kind, 20, 2, at(i))).collect()
}

#[test]
fn thousands_of_outlines_out_at_the_edge_of_the_world_bake_whole() {
    let settings = NavSettings { tile_size: 16.0, ..NavSettings::default() };
    for (number, kind) in SOUPS.into_iter().enumerate() {
        let mut random = Random(7000 + number as u64);
        // The corner of the world: coordinates reach 2 097 151.
        let middle = [[2_097_151 - 70, -2_097_151 + 70], [0, 0]][number % 2];
        let areas = field(&mut random, kind, 10, middle);
        assert!(areas.len() == 2000, "{} areas", areas.len());
        let input = input_of(&areas);
        let joined = join_levels(&input, &settings).unwrap();
        for level in &joined.levels {
            let right = independent_area(&areas, level.level, middle) / 1e6;
            let tolerance = areas.len() as f64 * 20.0 * 12.0 * 1e-9 * 4.0;
            assert!((level.area - right).abs() <= tolerance, "{kind:?}: {} for {right}", level.area);
        }
        let (mesh, report) = bake(&input, &settings, 0);
        let failed: Vec<_> = report.diagnostics.iter().filter(|d| d.kind.name() == "tile_failed").collect();
        assert!(failed.is_empty(), "{kind:?}: {failed:?}");
        let perimeter: f64 = joined
            .levels
            .iter()
            .flat_map(|l| &l.outlines)
            .map(|[a, b]| (a[0] - b[0]).hypot(a[1] - b[1]))
            .sum();
        let right: f64 = joined.levels.iter().map(|level| level.area).sum();
        let doubled: i128 = mesh.mesh.tiles().map(|(_, tile)| doubled_tile_area(tile, 20)).sum();
        let found = doubled as f64 / 2.0 / 4_f64.powi(20);
        assert!(
            (found - right).abs() <= (perimeter + 1.0) * 2_f64.powi(-20),
            "{kind:?}: area {found} for {right}"
        );
    }
}

#[test]
fn cells_of_a_ten_thousandth_bake_like_large_ones() {
    // All lengths a thousandth of the others': a micrometre is what a thousandth was.
    let settings = NavSettings { tile_size: f64::from(0.004_f32), cell_size: 1e-4, ..NavSettings::default() };
    for (number, kind) in SOUPS.into_iter().enumerate() {
        let mut random = Random(8000 + number as u64);
        let areas = soup(&mut random, kind, 30, 2, [0, 0]);
        let mut input = input_of(&areas);
        input.areas.iter_mut().flat_map(|area| &mut area.outline).for_each(|p| *p = p.map(|v| v / 1000.0));
        // Heights too: a tile of such cells is 1.6 high at most.
        input.levels =
            [-1, 0].map(|number| FlatLevel { number, elevation: f64::from(number) * 0.003 }).into();
        let joined = join_levels(&input, &settings).unwrap();
        // Points are taken to the drawing's grid of 1/(16000·2^10) here: half a step along each outline, and the
        // same again for the tiles' own, finer grid.
        let perimeter: f64 = input
            .areas
            .iter()
            .map(|area| {
                let points = &area.outline;
                (0..points.len())
                    .map(|i| {
                        let (a, b) = (points[i], points[(i + 1) % points.len()]);
                        (a[0] - b[0]).hypot(a[1] - b[1])
                    })
                    .sum::<f64>()
            })
            .sum();
        let step = 1.0 / 16_384_000.0;
        let (mesh, report) = bake(&input, &settings, 0);
        assert!(report.diagnostics.iter().all(|d| d.kind.name() != "tile_failed"), "{kind:?}");
        let mut right = 0.0;
        for level in &joined.levels {
            let area = independent_area(&areas, level.level, [0, 0]) / 1e12;
            assert!((level.area - area).abs() <= perimeter * step, "{kind:?}: {} for {area}", level.area);
            right += level.area;
        }
        let bits = mesh.mesh.params().tile_size.log2().abs().ceil() as i32 + 23;
        let doubled: i128 = mesh.mesh.tiles().map(|(_, tile)| doubled_tile_area(tile, bits + 3)).sum();
        let found = doubled as f64 / 2.0 / 4_f64.powi(bits + 3);
        assert!((found - right).abs() <= perimeter * step, "{kind:?}: area {found} for {right}");
    }
}

fn small_tiles() -> NavSettings {
    NavSettings { tile_size: 4.0, ..NavSettings::default() }
}

fn bake(input: &FlatInput, settings: &NavSettings, jobs: usize) -> (NavMesh, BakeReport) {
    bake_mesh(input, settings, &BakeOptions { jobs, ..BakeOptions::default() }).unwrap()
}

/// The doubled area of a tile's polygons in square binary steps of `bits`, exactly.
fn doubled_tile_area(tile: &RawTile, bits: i32) -> i128 {
    let steps = |v: f32| (f64::from(v) * 2_f64.powi(bits)) as i128;
    let mut doubled = 0;
    for polygon in &tile.polygons {
        let corners: Vec<[i128; 2]> = tile.edge_vertices[polygon.edges()]
            .iter()
            .map(|&v| tile.vertices[v as usize])
            .map(|v| [steps(v[0]), steps(v[2])])
            .collect();
        for (i, a) in corners.iter().enumerate() {
            let b = corners[(i + 1) % corners.len()];
            doubled += a[0] * b[1] - a[1] * b[0];
        }
    }
    doubled
}

#[test]
fn soups_bake_whole_and_every_border_joins() {
    for (number, kind) in SOUPS.into_iter().enumerate() {
        for seed in 0..12 {
            let mut random = Random(1000 + seed * 4 + number as u64);
            let areas = soup(&mut random, kind, 4 + seed as usize * 2, 3, [0, 0]);
            let input = input_of(&areas);
            let settings = small_tiles();
            let (mesh, report) = bake(&input, &settings, 0);
            let here = format!("{kind:?}, SEED={seed}");
            for diagnostic in &report.diagnostics {
                let name = diagnostic.kind.name();
                assert!(name != "tile_failed" && name != "border_mismatch", "{here}: {}", diagnostic.message);
            }
            // Half a step along the outline at most.
            let joined = join_levels(&input, &settings).unwrap();
            let perimeter: f64 = joined
                .levels
                .iter()
                .flat_map(|l| &l.outlines)
                .map(|[a, b]| (a[0] - b[0]).hypot(a[1] - b[1]))
                .sum();
            let right: f64 = joined.levels.iter().map(|level| level.area).sum();
            let bits = 22;
            let doubled: i128 = mesh.mesh.tiles().map(|(_, tile)| doubled_tile_area(tile, bits)).sum();
            let found = doubled as f64 / 2.0 / 4_f64.powi(bits);
            assert!(
                (found - right).abs() <= (perimeter + 1.0) * 2_f64.powi(-bits),
                "{here}: area {found} for {right}"
            );
            // Portals: every one is covered by links wholly, since both sides carry the same vertices.
            for (reference, tile) in mesh.mesh.tiles() {
                for (index, polygon) in tile.polygons.iter().enumerate() {
                    for (edge, at) in
                        polygon.edges().enumerate().filter(|&(_, at)| tile.edge_sides[at] != 255)
                    {
                        let links = mesh.mesh.links(reference.polygon(index as u32));
                        let whole = links.iter().any(|link| {
                            link.kind == LinkKind::Portal
                                && usize::from(link.edge) == edge
                                && (link.range_min, link.range_max) == (0, 255)
                        });
                        assert!(whole, "{here}: tile {:?}, edge {at} has no whole link", tile.position());
                    }
                }
            }
        }
    }
}

#[test]
fn threads_tile_ranges_and_drawing_order_change_no_byte() {
    for (number, kind) in SOUPS.into_iter().enumerate() {
        let mut random = Random(7 + number as u64);
        let areas = soup(&mut random, kind, 24, 3, [0, 0]);
        let input = input_of(&areas);
        let settings = small_tiles();
        let whole = bake(&input, &settings, 1).0;
        let bytes = whole.to_bytes().unwrap();
        assert_eq!(bytes, bake(&input, &settings, 2).0.to_bytes().unwrap(), "{kind:?}: 2 threads");
        assert_eq!(bytes, bake(&input, &settings, 8).0.to_bytes().unwrap(), "{kind:?}: 8 threads");

        let mut shuffled = input.clone();
        for area in &mut shuffled.areas {
            let first = random.below(area.outline.len() as u64) as usize;
            area.outline.rotate_left(first);
            if random.below(2) == 0 {
                area.outline.reverse();
            }
        }
        for i in (1..shuffled.areas.len()).rev() {
            let j = random.below(i as u64 + 1) as usize;
            shuffled.areas.swap(i, j);
        }
        assert_eq!(bytes, bake(&shuffled, &settings, 2).0.to_bytes().unwrap(), "{kind:?}: shuffled");

        for (_, tile) in whole.mesh.tiles() {
            let (x, z) = (tile.tile_x, tile.tile_z);
            let options = BakeOptions { tiles: Some([x, z, x, z]), ..BakeOptions::default() };
            let alone = bake_mesh(&input, &settings, &options).unwrap().0;
            let (_, same) = alone.mesh.tile_at(tile.position()).unwrap();
            assert_eq!(same.to_bytes(), tile.to_bytes(), "{kind:?}: tile {:?} alone", tile.position());
        }
    }
}

#[test]
fn moving_the_map_by_whole_tiles_changes_no_local_byte() {
    let mut random = Random(99);
    for kind in SOUPS {
        let areas = soup(&mut random, kind, 20, 2, [0, 0]);
        let settings = NavSettings { origin: [0.5, 0.0, -3.25], ..small_tiles() };
        let moved: Vec<_> = areas
            .iter()
            .map(|(kind, level, points)| {
                (*kind, *level, points.iter().map(|p| [p[0] + 400_000, p[1] - 80_000]).collect())
            })
            .collect();
        let (here, there) =
            (bake(&input_of(&areas), &settings, 0).0, bake(&input_of(&moved), &settings, 0).0);
        let shift =
            |tile: &RawTile| RawTile { tile_x: tile.tile_x + 100, tile_z: tile.tile_z - 20, ..tile.clone() };
        let here: Vec<RawTile> = here.mesh.tiles().map(|(_, tile)| shift(tile)).collect();
        let there: Vec<RawTile> = there.mesh.tiles().map(|(_, tile)| (**tile).clone()).collect();
        assert!(here == there, "{kind:?}");
    }
}

#[test]
fn baking_again_after_edits_gives_the_bytes_of_a_fresh_bake() {
    for (number, kind) in SOUPS.into_iter().enumerate() {
        let mut random = Random(400 + number as u64);
        let mut areas = soup(&mut random, kind, 16, 3, [0, 0]);
        let mut baker = FlatBaker::default();
        let mut settings = small_tiles();
        for step in 0..14 {
            match random.below(7) {
                0 => areas.extend(soup(&mut random, kind, 1, 3, [0, 0])),
                1 => drop(areas.remove(random.below(areas.len() as u64) as usize)),
                2 => {
                    let to = random.below(areas.len() as u64) as usize;
                    let area = areas.remove(random.below(areas.len() as u64) as usize);
                    areas.insert(to.min(areas.len()), area);
                }
                3 => settings.max_edge_length += 1.0,
                // Walls far from a tile reach into it, or no more.
                4 if step % 2 == 0 => settings.agent_radius = [0.0, 0.05, 0.4, 5.0][random.below(4) as usize],
                _ => {
                    let area = random.below(areas.len() as u64) as usize;
                    let point = random.below(areas[area].2.len() as u64) as usize;
                    areas[area].2[point] = [random.below(12_000) as i64, random.below(12_000) as i64];
                }
            }
            let mut input = input_of(&areas);
            // Surfaces, labels and elevations too.
            for (index, area) in input.areas.iter_mut().enumerate() {
                area.area_type = Some((index % 3) as u8);
                if index % 4 == 1 {
                    area.surface = Surface::Ramp;
                }
            }
            input.levels.push(FlatLevel { number: 0, elevation: random.below(2) as f64 * 0.25 });
            let again = baker.bake(&input, &settings, &BakeOptions::default()).unwrap();
            let fresh = bake_mesh(&input, &settings, &BakeOptions::default()).unwrap();
            assert_eq!(again.0.to_bytes(), fresh.0.to_bytes(), "{kind:?}, step {step}");
            // NaN is no number, so that diagnostics are compared as text.
            assert_eq!(format!("{:?}", again.1), format!("{:?}", fresh.1), "{kind:?}, step {step}");
        }
    }
}
