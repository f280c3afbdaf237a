//! Plots of a mesh: its polygons and edges by size, its tile columns, its borders.

use std::collections::BTreeMap;

use super::figure::{Bar, Body, Cell, Figure, time};
use crate::draw::{Role, Shape};
use crate::editor::timings::Timings;
use crate::editor::words::{many, number};
use crate::format::{LinkKind, NO_SIDE, Tile, TileRef, TiledNavMesh};
use crate::geom::plane::{distance, signed_area};

/// Bars of a doubling.
const PER_DOUBLING: f64 = 2.0;
/// Most things that a click lights up.
const MOST_LIT: usize = 2_000;
/// Nothing below this has a place on a logarithm's axis.
const LEAST: f64 = 1e-6;

/// A thing with a size, and what shows it on the canvas.
type Sized = (f64, Vec<[f64; 2]>, bool);

fn polygons(mesh: &TiledNavMesh) -> impl Iterator<Item = (TileRef, &Tile, usize)> {
    mesh.tiles()
        .flat_map(|(tile_ref, tile)| (0..tile.polygons.len()).map(move |index| (tile_ref, tile, index)))
}

/// A polygon's corners from above.
fn outline(mesh: &TiledNavMesh, tile: &Tile, index: usize) -> Vec<[f64; 2]> {
    let corner = |edge: usize| {
        let vertex = tile.vertices[tile.edge_vertices[edge] as usize];
        let [x, _, z] = tile.point_in_world(mesh.params(), vertex);
        [x, z]
    };
    tile.polygons[index].edges().map(corner).collect()
}

pub(super) fn sizes(mesh: &TiledNavMesh) -> Option<Figure> {
    let all = polygons(mesh).map(|(_, tile, index)| {
        let outline = outline(mesh, tile, index);
        (signed_area(&outline).abs(), outline, true)
    });
    histogram(all, "polygon", "size, squares", None)
}

pub(super) fn widths(mesh: &TiledNavMesh, radius: f64) -> Option<Figure> {
    let all = polygons(mesh).map(|(_, tile, index)| {
        let outline = outline(mesh, tile, index);
        (width(&outline), outline, true)
    });
    histogram(all, "polygon", "least width, squares", mark(radius))
}

pub(super) fn edges(mesh: &TiledNavMesh, radius: f64) -> Option<Figure> {
    let all = polygons(mesh).flat_map(|(_, tile, index)| {
        let outline = outline(mesh, tile, index);
        let count = outline.len();
        let edges = (0..count).map(move |at| [outline[at], outline[(at + 1) % count]]);
        edges.map(|[a, b]| (distance(a, b), vec![a, b], false)).collect::<Vec<_>>()
    });
    histogram(all, "edge", "length, squares", mark(radius))
}

fn mark(radius: f64) -> Option<(f64, String)> {
    (radius > LEAST).then(|| (radius.log2(), format!("agent radius {}", number(radius))))
}

/// The least distance between two parallel lines with the polygon between them; it is found at one of its edges.
fn width(outline: &[[f64; 2]]) -> f64 {
    let count = outline.len();
    let at_edge = (0..count).map(|at| {
        let (a, b) = (outline[at], outline[(at + 1) % count]);
        let (along, length) = ([b[0] - a[0], b[1] - a[1]], distance(a, b));
        let away = |p: &[f64; 2]| ((p[0] - a[0]) * along[1] - (p[1] - a[1]) * along[0]).abs() / length;
        outline.iter().map(away).fold(0.0, f64::max)
    });
    at_edge.filter(|width| width.is_finite()).fold(f64::INFINITY, f64::min)
}

/// Bars of half a doubling each.
fn histogram(
    all: impl Iterator<Item = Sized>,
    name: &str,
    x: &'static str,
    mark: Option<(f64, String)>,
) -> Option<Figure> {
    let mut bins: BTreeMap<i32, (usize, Vec<Shape>)> = BTreeMap::new();
    for (size, points, closed) in all.filter(|(size, ..)| size.is_finite()) {
        #[allow(clippy::cast_possible_truncation, reason = "a logarithm")]
        let bin = (size.max(LEAST).log2() * PER_DOUBLING).floor() as i32;
        let (count, lights) = bins.entry(bin).or_default();
        *count += 1;
        if lights.len() < MOST_LIT {
            lights.push(Shape::Polyline { points, closed, role: Role::Hover });
        }
    }
    if bins.is_empty() {
        return None;
    }
    let bars = bins.into_iter().map(|(bin, (count, lights))| {
        let sides = [bin, bin + 1].map(|bin| f64::from(bin) / PER_DOUBLING);
        let [from, to] = sides.map(|side| number(side.exp2()));
        let words = format!("{} of {from} to {to}", many(count, name));
        Bar { sides, parts: vec![count as f64], words, lights, tile: None }
    });
    let body = Body::Bars { series: vec![format!("{name}s")], bars: bars.collect(), mark };
    Some(Figure { x, y: "how many", log: true, body })
}

pub(super) fn corners(mesh: &TiledNavMesh) -> Option<Figure> {
    let mut bins: BTreeMap<u8, (usize, Vec<Shape>)> = BTreeMap::new();
    for (_, tile, index) in polygons(mesh) {
        let (count, lights) = bins.entry(tile.polygons[index].vertex_count).or_default();
        *count += 1;
        if lights.len() < MOST_LIT {
            let points = outline(mesh, tile, index);
            lights.push(Shape::Polyline { points, closed: true, role: Role::Hover });
        }
    }
    if bins.is_empty() {
        return None;
    }
    let bars = bins.into_iter().map(|(corners, (count, lights))| {
        let middle = f64::from(corners);
        let words = format!("{} with {corners} corners", many(count, "polygon"));
        Bar { sides: [middle - 0.5, middle + 0.5], parts: vec![count as f64], words, lights, tile: None }
    });
    let body = Body::Bars { series: vec!["polygons".to_owned()], bars: bars.collect(), mark: None };
    Some(Figure { x: "corners", y: "how many", log: false, body })
}

/// The tiles of each column together.
fn by_column(mesh: &TiledNavMesh, of: impl Fn(TileRef, &Tile) -> f64) -> BTreeMap<[i32; 2], f64> {
    let mut columns: BTreeMap<[i32; 2], f64> = BTreeMap::new();
    for (tile_ref, tile) in mesh.tiles() {
        *columns.entry([tile.tile_x, tile.tile_z]).or_default() += of(tile_ref, tile);
    }
    columns
}

fn heat(columns: &BTreeMap<[i32; 2], f64>, words: impl Fn(f64) -> String) -> Option<Figure> {
    let cell = |(&tile, &value): (&[i32; 2], &f64)| Cell { tile, value, words: words(value) };
    let cells: Vec<Cell> = columns.iter().map(cell).collect();
    let body = Body::Heat(cells);
    (!columns.is_empty()).then_some(Figure { x: "tile x", y: "tile z", log: false, body })
}

pub(super) fn tile_polygons(mesh: &TiledNavMesh) -> Option<Figure> {
    heat(&by_column(mesh, |_, tile| tile.polygons.len() as f64), number)
}

pub(super) fn tile_bytes(mesh: &TiledNavMesh) -> Option<Figure> {
    let words = |bytes: f64| {
        if bytes < 10_000.0 { format!("{bytes} B") } else { format!("{:.0} kB", bytes / 1000.0) }
    };
    heat(&by_column(mesh, |_, tile| tile.to_bytes().len() as f64), words)
}

pub(super) fn tile_times(timings: &Timings) -> Option<Figure> {
    heat(&timings.tiles, time)
}

/// How much of an edge links over its border cover, 0 to 1.
fn covered(mesh: &TiledNavMesh, tile_ref: TileRef, index: usize, edge: usize) -> f64 {
    #[allow(clippy::cast_possible_truncation, reason = "tiles count polygons in 32 bits")]
    let links = mesh.links(tile_ref.polygon(index as u32)).iter();
    let own = links.filter(|link| link.kind == LinkKind::Portal && usize::from(link.edge) == edge);
    let mut parts: Vec<(u8, u8)> = own.map(|link| (link.range_min, link.range_max)).collect();
    parts.sort_unstable();
    let (mut reached, mut sum) = (0_u8, 0_u32);
    for (from, to) in parts {
        let from = from.max(reached);
        sum += u32::from(to.saturating_sub(from));
        reached = reached.max(to);
    }
    f64::from(sum) / 255.0
}

pub(super) fn borders(mesh: &TiledNavMesh) -> Option<Figure> {
    // Stitched and not, in squares.
    let mut columns: BTreeMap<[i32; 2], [f64; 2]> = BTreeMap::new();
    for (tile_ref, tile, index) in polygons(mesh) {
        let outline = outline(mesh, tile, index);
        for (number, edge) in tile.polygons[index].edges().enumerate() {
            if tile.edge_sides[edge] == NO_SIDE {
                continue;
            }
            let length = distance(outline[number], outline[(number + 1) % outline.len()]);
            let part = covered(mesh, tile_ref, index, number);
            let sums = columns.entry([tile.tile_x, tile.tile_z]).or_default();
            sums[0] += length * part;
            sums[1] += length * (1.0 - part);
        }
    }
    if columns.is_empty() {
        return None;
    }
    let bars = columns.into_iter().enumerate().map(|(place, (tile, [stitched, loose]))| {
        let [x, z] = tile;
        let whole = number(stitched + loose);
        let words = format!("tile {x}, {z}: stitched {} of {whole}", number(stitched));
        let sides = [place as f64 + 0.6, place as f64 + 1.4];
        Bar { sides, parts: vec![stitched, loose], words, lights: Vec::new(), tile: Some(tile) }
    });
    let series = vec!["stitched".to_owned(), "not stitched".to_owned()];
    let body = Body::Bars { series, bars: bars.collect(), mark: None };
    Some(Figure { x: "tiles", y: "border, squares", log: false, body })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_width_of_a_polygon_is_that_of_its_narrowest_passage() {
        let square = [[0.0, 0.0], [4.0, 0.0], [4.0, 1.0], [0.0, 1.0]];
        assert!((width(&square) - 1.0).abs() < 1e-12);
        // Right-angled with legs 3 and 4: the height over its longest side is 3 · 4 / 5.
        let triangle = [[0.0, 0.0], [3.0, 0.0], [0.0, 4.0]];
        assert!((width(&triangle) - 2.4).abs() < 1e-12);
    }
}
