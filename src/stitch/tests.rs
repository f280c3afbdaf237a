//! What piles of border edges and polygons cost, in nodes, edges and polygons looked at: a hostile file must not
//! make stitching take the product of its counts.

use super::border_edge::{BorderEdge, border_edges};
use super::border_tree::BorderTree;
use super::polygon_tree::PolygonTree;
use crate::format::{NO_SIDE, NavMeshParams, Polygon, RawTile, Tile, TileRef};

const SIZE: f32 = 16.0;
const FEW: u16 = 2_000;
const MANY: u16 = 16_000;
/// Looks per item may grow by this much from `FEW` to `MANY` items: the logarithm grows 1.3-fold, a square root
/// 2.8-fold, a product 8-fold.
const GROWTH: f64 = 2.0;

type End = (f32, f32);
type Corners = [[f32; 3]; 3];

fn params() -> NavMeshParams {
    NavMeshParams {
        origin: [0.0; 3],
        tile_size: SIZE.into(),
        cell_size: 0.25,
        max_verts_per_poly: 6,
        walkable_climb: 0.5,
        agent_radius: 0.5,
        agent_height: 2.0,
        agent_max_slope: 45.0,
        settings_digest: 0,
    }
}

/// A tile of triangles whose first edges are portals on a side, or no portals.
fn tile_of(triangles: impl Iterator<Item = Corners>, side: u8) -> Tile {
    let mut tile = RawTile::default();
    for (index, corners) in (0..).map(|index: u32| 3 * index).zip(triangles) {
        tile.vertices.extend(corners);
        tile.edge_vertices.extend([index, index + 1, index + 2]);
        tile.edge_neighbours.extend([0; 3]);
        tile.edge_sides.extend([side, NO_SIDE, NO_SIDE]);
        tile.polygons.push(Polygon { first_edge: index, vertex_count: 3, area: 0, flags: 1 });
    }
    tile.validate(&params()).unwrap()
}

/// Portal edges on side +X (0) or −X (2) with these ends (coordinate, height), lower one first.
fn edges_of(ends: impl Iterator<Item = (End, End)>, side: u8) -> Vec<BorderEdge> {
    let triangle = |((u0, h0), (u1, h1)): (End, End)| {
        let middle = u0.midpoint(u1);
        if side == 0 {
            [[SIZE, h0, u0], [SIZE, h1, u1], [SIZE - 1.0, h0, middle]]
        } else {
            [[0.0, h1, u1], [0.0, h0, u0], [1.0, h0, middle]]
        }
    };
    border_edges(TileRef::new(1, 0), &tile_of(ends.map(triangle), side), side).collect()
}

fn per_item(looks: u64, count: u16) -> f64 {
    f64::from(u32::try_from(looks).unwrap()) / f64::from(count)
}

fn assert_growth(what: &str, [few, many]: [f64; 2]) {
    assert!(many <= GROWTH * few, "{what}: {few} looks per item at {FEW} items, {many} at {MANY}");
}

#[test]
fn piles_of_border_edges_cost_no_more_than_their_links() {
    type Ends = fn(f32, f32) -> (End, End);
    type Case = (&'static str, Ends, Ends, fn(u16) -> u64);
    let flat: Ends = |k, _| ((0.0, k * 0.125), (SIZE, k * 0.125));
    let between: Ends = |k, _| ((0.0, k * 0.125 + 0.0625), (SIZE, k * 0.125 + 0.0625));
    let slope: Ends = |k, _| ((0.0, k * 0.125 - 1900.0), (SIZE, k * 0.125));
    let slope_between: Ends =
        |k, _| ((k / 65536.0, k * 0.125 - 1899.9375), (SIZE - k / 65536.0, k * 0.125 + 0.0625));
    let fan: Ends = |k, _| ((0.0, 0.0), (SIZE, k * 0.125));
    let fan_between: Ends = |k, _| ((k / 8192.0, 0.03125), (SIZE, k * 0.125 + 0.0625));
    let crossing: Ends = |k, count| ((k / 65536.0, k * 0.125), (SIZE, (count - k) * 0.125));
    let climb = 0.015_625;
    // Heights in between are four climbs off at an end. Of the crossing edges only the level one, in the middle,
    // stays with one flat edge.
    let cases: [Case; 5] = [
        ("heights", flat, between, |_| 0),
        ("slopes", slope, slope_between, |_| 0),
        ("fans", fan, fan_between, |_| 0),
        ("crossings", flat, crossing, |_| 1),
        ("equal heights", flat, flat, u64::from),
    ];
    for (what, own, facing, pairs) in cases {
        let growth = [FEW, MANY].map(|count| {
            let ends = |ends: Ends| (0..count).map(move |k| ends(k.into(), count.into()));
            let tree = BorderTree::new(edges_of(ends(facing), 2));
            let (mut found, mut visits, mut looks) = (0, 0, 0);
            for edge in edges_of(ends(own), 0) {
                let visit = |index| {
                    visits += 1;
                    found += u64::from(edge.overlap(tree.edge(index), climb).is_some());
                };
                tree.for_each_near_counted(&edge, climb, visit, || looks += 1);
            }
            assert_eq!(found, pairs(count), "{what}");
            per_item(visits + looks, count)
        });
        assert_growth(what, growth);
    }
}

/// 0 inside the triangle, else the squared distance to its outline, in X/Z.
fn distance2(corners: &Corners, [x, _, z]: [f64; 3]) -> f64 {
    let corners = corners.map(|corner| corner.map(f64::from));
    let (mut inside, mut least) = (true, f64::INFINITY);
    for (k, a) in corners.iter().enumerate() {
        let b = corners[(k + 1) % 3];
        let (ex, ez, wx, wz) = (b[0] - a[0], b[2] - a[2], x - a[0], z - a[2]);
        inside &= ex * wz - ez * wx >= 0.0;
        let t = ((wx * ex + wz * ez) / (ex * ex + ez * ez)).clamp(0.0, 1.0);
        let (dx, dz) = (x - (a[0] + ex * t), z - (a[2] + ez * t));
        least = least.min(dx * dx + dz * dz);
    }
    if inside { 0.0 } else { least }
}

#[test]
fn piles_of_polygons_and_points_cost_no_product() {
    type Triangle = fn(f32, f32) -> Corners;
    let apart: Triangle = |k, _| {
        let (x, z) = ((k / 200.0).floor() * 0.0625, (k % 200.0) * 0.0625);
        [[x, 0.0, z], [x + 0.03125, 0.0, z], [x, 0.0, z + 0.03125]]
    };
    let stacked: Triangle = |_, _| [[0.0, 0.0, 0.0], [SIZE, 0.0, 0.0], [0.0, 0.0, SIZE]];
    let slivers: Triangle = |k, count| {
        let x = 6.4 * k / count;
        [[x, 0.0, 0.0], [x + 4.0001, 0.0, 12.0], [x + 4.0, 0.0, 12.0]]
    };
    let almost_stacked: Triangle = |k, _| {
        let (dx, dz) = ((k * 0.754_877_7) % 1.0 * 0.01, (k * 0.569_840_3) % 1.0 * 0.01);
        [[1.0 + dx, 0.0, 2.0 + dz], [9.0 + dx, 0.0, 1.0 + dz], [5.0 + dx, 0.0, 6.0 + dz]]
    };
    let ring: Triangle = |k, count| {
        let at = |turn: f32, radius: f32| {
            let (sin, cos) = (turn / count * std::f32::consts::TAU).sin_cos();
            [8.0 + radius * cos, 0.0, 8.0 + radius * sin]
        };
        [at(k, 4.0), at(k - 0.5, 4.5), at(k + 0.5, 4.5)]
    };
    let scattered = |k: f32| [(k * 0.754_877_7 * SIZE) % SIZE, 0.0, (k * 0.569_840_3 * SIZE) % SIZE];
    let cases: [(&str, Triangle, f64); 6] = [
        ("apart", apart, 100.0),
        ("stacked", stacked, 100.0),
        ("slivers", slivers, 100.0),
        ("slivers, small radius", slivers, 0.25),
        ("almost stacked", almost_stacked, 100.0),
        ("ring", ring, 100.0),
    ];
    let params = params();
    for (what, corners, radius) in cases {
        let growth = [FEW, MANY].map(|count| {
            let triangles: Vec<Corners> = (0..count).map(|k| corners(k.into(), count.into())).collect();
            let (tile, owner) = (tile_of(triangles.iter().copied(), NO_SIDE), TileRef::new(1, 0));
            let tree = PolygonTree::new(&params, vec![(owner, &tile)]);
            let mut looks = 0;
            for k in 0..count {
                let point = scattered(k.into()).map(f64::from);
                let found = tree.attach_counted(point, radius, 0.5, || looks += 1).map(|near| near.polygon);
                // Looking at every polygon for every point would be the product itself.
                if k % (count / 50) != 0 {
                    continue;
                }
                let mut best = None;
                for (corners, index) in triangles.iter().zip(0..) {
                    let distance2 = distance2(corners, point);
                    if distance2 <= radius * radius && best.is_none_or(|(least, _)| distance2 < least) {
                        best = Some((distance2, owner.polygon(index)));
                    }
                }
                assert_eq!(found, best.map(|(_, polygon)| polygon), "{what}, point {k}");
            }
            per_item(looks, count)
        });
        assert_growth(what, growth);
    }
}
