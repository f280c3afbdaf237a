//! What each stage of a bake made of a tile, as shapes: what it left, and by itself what it took away.

use std::collections::{BTreeMap, BTreeSet};

use super::{Anchor, Role, Shape};
use crate::bake::AreaKind;
use crate::bake::flat::{ColumnStages, StageEdge};
use crate::bake::voxel::{FloorState, StageFloor, StageOutline, TileStages};
use crate::format::{NO_SIDE, NavMeshParams, Tile, TiledNavMesh};

/// Most triangles of imported geometry that are drawn of a tile.
const MOST_TRIANGLES: usize = 20_000;

/// A stage with its picture.
#[derive(Clone, Debug, PartialEq)]
pub struct StagePicture {
    /// Its name, such as "erosion".
    pub name: &'static str,
    /// What it does, in a sentence.
    pub help: &'static str,
    /// How many things it made, and what they are called.
    pub count: usize,
    /// What is counted.
    pub unit: &'static str,
    /// The memory that holds them; `None` where it is made in one with another stage.
    pub bytes: Option<usize>,
    /// How long it took; `None` as `untimed` says.
    pub secs: Option<f64>,
    /// Why there is no time.
    pub untimed: &'static str,
    /// What there is after it.
    pub shapes: Vec<Shape>,
    /// What it took away.
    pub removed: Vec<Shape>,
    /// How many things it took away.
    pub removed_count: usize,
}

impl StagePicture {
    /// Adds another tile's.
    pub fn join(&mut self, other: Self) {
        self.count += other.count;
        self.removed_count += other.removed_count;
        self.bytes = self.bytes.zip(other.bytes).map(|(a, b)| a + b);
        self.secs = self.secs.zip(other.secs).map(|(a, b)| a + b);
        self.shapes.extend(other.shapes);
        self.removed.extend(other.removed);
    }
}

/// What a stage cost.
enum Cost {
    /// What the note of this name says.
    Of(&'static str),
    /// It is done in one with the next stage, which says it; it made so many things.
    WithNext(usize),
}

/// The stages of a voxel bake of one tile. `cut`: world height above which nothing is shown, so that one sees what lies
/// under roofs.
#[must_use]
pub fn voxel_stages(stages: &TileStages, params: &NavMeshParams, cut: f64) -> Vec<StagePicture> {
    let view = VoxelView { stages, cut };
    let mut pictures = Vec::new();
    let mut add = |name: &'static str, cost: Cost, unit, help, shapes, removed: (Vec<Shape>, usize)| {
        let (note, count) = match cost {
            Cost::Of(name) => (stages.notes.iter().find(|note| note.stage == name), 0),
            Cost::WithNext(count) => (None, count),
        };
        pictures.push(StagePicture {
            name,
            help,
            count: note.map_or(count, |note| note.count),
            unit,
            bytes: note.map(|note| note.bytes),
            secs: note.map(|note| note.time_secs),
            untimed: "timed with the next stage",
            shapes,
            removed: removed.0,
            removed_count: removed.1,
        });
    };
    let nothing = || (Vec::new(), 0);
    let alive =
        |dead: &[FloorState]| view.cells(|floor| (!dead.contains(&floor.state)).then_some(Role::StageFloor));
    let gone = |state: FloorState| {
        let count = stages.floors.iter().filter(|floor| floor.state == state).count();
        (view.cells(|floor| (floor.state == state).then_some(Role::StageGone)), count)
    };
    use FloorState as F;
    let help = "Triangles that meet the tile with its border; those too steep are hatched";
    add("geometry", Cost::Of("geometry"), "triangles", help, view.triangles(), nothing());
    let help = "Solid stretches of each column of cells, brighter where they are higher";
    add("solid spans", Cost::Of("solid"), "spans", help, view.heights(), nothing());
    let help = "Surfaces steeper than the slope";
    let count = |keep: &dyn Fn(&StageFloor) -> bool| stages.floors.iter().filter(|floor| keep(floor)).count();
    let steep = |floor: &StageFloor| floor.state == F::Steep || floor.is_low_obstacle;
    let of_slope = |wanted: bool, role: Role| view.cells(|floor| (steep(floor) == wanted).then_some(role));
    let taken = (of_slope(true, Role::StageGone), count(&steep));
    let flat_enough = count(&|floor| !steep(floor));
    add("slope", Cost::WithNext(flat_enough), "floors", help, of_slope(false, Role::StageFloor), taken);
    // Nothing is taken away here: by itself one sees what is given back.
    let help = "Steep surfaces no higher than the climb over the floor below them are stepped upon; the difference shows them";
    let low = |floor: &StageFloor| floor.is_low_obstacle;
    let given_back = view.cells(|floor| low(floor).then_some(Role::StageFloor));
    add("low obstacles", Cost::WithNext(count(&low)), "steps", help, alive(&[F::Steep]), (given_back, 0));
    let help = "Floors with less head room than the agent's height";
    add(
        "head room",
        Cost::Of("filters"),
        "floors",
        help,
        alive(&[F::Steep, F::LowCeiling]),
        gone(F::LowCeiling),
    );
    let dead = [F::Steep, F::LowCeiling, F::Ledge];
    let help = "Floors beside a drop higher than the climb";
    add("ledges", Cost::Of("ledges"), "floors", help, alive(&dead), gone(F::Ledge));
    let help = "Floors linked with their neighbours; brighter farther from walls and ledges";
    add(
        "compact",
        Cost::Of("compact"),
        "floors",
        help,
        view.shades(|floor| (!dead.contains(&floor.state)).then_some(floor.to_edge)),
        nothing(),
    );
    let dead = [F::Steep, F::LowCeiling, F::Ledge, F::NearEdge];
    let help = "Floors nearer to a wall or ledge than the agent's radius";
    add("eroded", Cost::Of("erosion"), "floors", help, alive(&dead), gone(F::NearEdge));
    let dead = [F::Steep, F::LowCeiling, F::Ledge, F::NearEdge, F::InHole];
    let help = "Drawn areas give their types, drawn holes take floors away";
    let marked = view.cells(|floor| {
        (!dead.contains(&floor.state)).then_some(match floor.area_type {
            0 => Role::StageFloor,
            kind => Role::Island(kind.into()),
        })
    });
    add("area marks", Cost::Of("marks"), "floors", help, marked, gone(F::InHole));
    let help = "Islands smaller than the least region area";
    let kept = |floor: &StageFloor| matches!(floor.state, F::Walkable | F::OtherTile);
    let rest = view.cells(|floor| kept(floor).then_some(Role::StageFloor));
    add("islands", Cost::Of("islands"), "floors", help, rest, gone(F::SmallIsland));
    let help = "How far floors are from the edge of their area; watershed partition only";
    let distance = view.shades(|floor| kept(floor).then_some(floor.distance));
    add("distance", Cost::WithNext(count(&kept)), "floors", help, distance, nothing());
    let help = "Floors in one piece without holes; what lies over the border is another tile's";
    let regions = view.cells(|floor| (floor.region != 0).then_some(Role::Island(floor.region)));
    add("regions", Cost::Of("regions"), "regions", help, regions, gone(F::OtherTile));
    let help = "Outlines of the regions along the sides of cells";
    add(
        "raw contours",
        Cost::Of("contours"),
        "outlines",
        help,
        view.outlines(&stages.contours, Role::Wall),
        nothing(),
    );
    let help = "The outlines with the fewest corners within the contour error";
    let raw = view.outlines(&stages.contours, Role::StageGone);
    let corners =
        |outlines: &[StageOutline]| outlines.iter().map(|outline| outline.corners.len()).sum::<usize>();
    let fewer = corners(&stages.contours).saturating_sub(corners(&stages.simplified));
    let simple = view.outlines(&stages.simplified, Role::Wall);
    add(
        "simplified contours",
        Cost::WithNext(stages.simplified.len()),
        "outlines",
        help,
        simple.clone(),
        (raw, fewer),
    );
    let help = "Convex polygons";
    let polygons: Vec<Shape> = stages.tiles.iter().flat_map(|tile| polygons(tile, params)).collect();
    add("polygons", Cost::Of("polygons"), "polygons", help, polygons.clone(), nothing());
    let help = "Triangles that follow the floor's heights inside each polygon";
    let details = stages.tiles.iter().flat_map(|tile| details(tile, params));
    add(
        "detail",
        Cost::Of("detail"),
        "points",
        help,
        polygons.iter().cloned().chain(details).collect(),
        nothing(),
    );
    let help = "Tiles of the format: polygons with borders to other tiles, in layers";
    let portals = stages.tiles.iter().flat_map(|tile| portals(tile, params));
    add(
        "tiles and links",
        Cost::Of("tiles"),
        "tiles",
        help,
        polygons.iter().cloned().chain(portals).collect(),
        nothing(),
    );
    pictures
}

/// What the seeds left of one tile, which takes the whole map to tell: `mesh` is what the bake made of it.
#[must_use]
pub fn seeds_stage(stages: &TileStages, mesh: &TiledNavMesh) -> StagePicture {
    let params = mesh.params();
    let key = |tile: &Tile, polygon: usize| -> Vec<[u64; 3]> {
        corners(tile, params, polygon).into_iter().map(|corner| corner.map(f64::to_bits)).collect()
    };
    let columns: BTreeSet<(i32, i32)> = stages.tiles.iter().map(|tile| (tile.tile_x, tile.tile_z)).collect();
    let there = || columns.iter().flat_map(|&(x, z)| mesh.column(x, z)).map(|(_, tile)| tile);
    let kept: BTreeSet<Vec<[u64; 3]>> =
        there().flat_map(|tile| (0..tile.polygons.len()).map(move |polygon| key(tile, polygon))).collect();
    let (mut removed, mut removed_count) = (Vec::new(), 0);
    for tile in &stages.tiles {
        for polygon in (0..tile.polygons.len()).filter(|&polygon| !kept.contains(&key(tile, polygon))) {
            let points = corners(tile, params, polygon).into_iter().map(flat).collect();
            removed.push(Shape::Convex { points, role: Role::StageGone });
            removed_count += 1;
        }
    }
    StagePicture {
        name: "seeds reached",
        help: "Polygons that no seed can be walked to from are left out",
        count: kept.len(),
        unit: "polygons",
        bytes: None,
        secs: None,
        untimed: "told by the bake of the whole map",
        shapes: there().flat_map(|tile| polygons(tile, params)).collect(),
        removed,
        removed_count,
    }
}

/// A tile's voxels from above.
struct VoxelView<'a> {
    stages: &'a TileStages,
    cut: f64,
}

impl VoxelView<'_> {
    fn world(&self, x: f64, z: f64) -> [f64; 2] {
        let TileStages { origin, cell_size, .. } = self.stages;
        [origin[0] + x * cell_size, origin[2] + z * cell_size]
    }

    fn is_below(&self, y: f64) -> bool {
        self.stages.origin[1] + y * self.stages.cell_height <= self.cut
    }

    /// The highest floor below the cut of each cell that has a role, cells of one role joined to rectangles.
    fn cells(&self, role: impl Fn(&StageFloor) -> Option<Role>) -> Vec<Shape> {
        let mut top: BTreeMap<(i32, i32), (i32, Role)> = BTreeMap::new();
        for floor in self.stages.floors.iter().filter(|floor| self.is_below(floor.y.into())) {
            let Some(role) = role(floor) else { continue };
            let entry = top.entry((floor.z, floor.x)).or_insert((floor.y, role));
            if floor.y >= entry.0 {
                *entry = (floor.y, role);
            }
        }
        // Runs along x, and those of the row before that go on.
        let mut shapes = Vec::new();
        let mut open: BTreeMap<(i32, i32, Role), i32> = BTreeMap::new();
        let mut cells = top.into_iter().peekable();
        let mut row = None;
        let mut runs: Vec<(i32, i32, Role)> = Vec::new();
        loop {
            let cell = cells.next();
            let ends_row = cell.is_none_or(|((z, _), _)| row != Some(z));
            if let (true, Some(z)) = (ends_row, row) {
                let mut next = BTreeMap::new();
                for run in runs.drain(..) {
                    next.insert(run, open.remove(&run).unwrap_or(z));
                }
                let ended = std::mem::replace(&mut open, next);
                shapes.extend(ended.into_iter().map(|(run, from)| self.rectangle(run, from, z)));
                if cell.is_none_or(|((next, _), _)| next != z + 1) {
                    let ended = std::mem::take(&mut open);
                    shapes.extend(ended.into_iter().map(|(run, from)| self.rectangle(run, from, z + 1)));
                }
            }
            let Some(((z, x), (_, role))) = cell else { return shapes };
            row = Some(z);
            match runs.last_mut() {
                Some((_, end, of)) if *end == x && *of == role => *end += 1,
                _ => runs.push((x, x + 1, role)),
            }
        }
    }

    fn rectangle(&self, (x0, x1, role): (i32, i32, Role), z0: i32, z1: i32) -> Shape {
        let at = |x: i32, z: i32| self.world(x.into(), z.into());
        Shape::Convex { points: vec![at(x0, z0), at(x1, z0), at(x1, z1), at(x0, z1)], role }
    }

    /// Floors by a number each: the brighter the greater.
    fn shades(&self, value: impl Fn(&StageFloor) -> Option<u16>) -> Vec<Shape> {
        let most = self.stages.floors.iter().filter_map(&value).max().unwrap_or(0).max(1);
        // In steps, so that cells join to rectangles.
        let shade = |value: u16| (u32::from(value) * 15 / u32::from(most) * 17) as u8;
        self.cells(|floor| value(floor).map(|value| Role::StageShade(shade(value))))
    }

    fn heights(&self) -> Vec<Shape> {
        let heights = self.stages.floors.iter().map(|floor| floor.y).filter(|&y| self.is_below(y.into()));
        let (least, most) =
            heights.fold((i32::MAX, i32::MIN), |(least, most), y| (least.min(y), most.max(y)));
        self.cells(|floor| {
            let part = f64::from(floor.y - least) / f64::from(most - least).max(1.0);
            #[allow(clippy::cast_possible_truncation, reason = "0 to 15")]
            let shade = (part * 15.0).round() as u8 * 17;
            Some(Role::StageShade(shade))
        })
    }

    /// From below, so that what is seen from above lies on top.
    fn triangles(&self) -> Vec<Shape> {
        let geometry = self.stages.geometry.iter();
        let shown = geometry.filter(|(corners, _)| corners.iter().any(|[_, y, _]| self.is_below(*y)));
        let top = |corners: &[[f64; 3]; 3]| corners.iter().map(|corner| corner[1]).fold(f64::MIN, f64::max);
        let mut shown: Vec<_> = shown.collect();
        shown.sort_by(|(a, _), (b, _)| top(a).total_cmp(&top(b)));
        let most = shown.len().saturating_sub(MOST_TRIANGLES);
        let shapes = shown.into_iter().skip(most).flat_map(|(corners, walkable)| {
            let points: Vec<[f64; 2]> = corners.iter().map(|&[x, _, z]| self.world(x, z)).collect();
            let role = if *walkable { Role::StageFloor } else { Role::StageGone };
            let line = Shape::Polyline { points: points.clone(), closed: true, role: Role::InnerEdge };
            [Shape::Convex { points, role }, line]
        });
        shapes.collect()
    }

    fn outlines(&self, outlines: &[StageOutline], role: Role) -> Vec<Shape> {
        let line = |outline: &StageOutline| {
            let points = outline.corners.iter().map(|&[x, _, z]| self.world(x.into(), z.into())).collect();
            Shape::Polyline { points, closed: true, role }
        };
        outlines.iter().map(line).collect()
    }
}

fn corners(tile: &Tile, params: &NavMeshParams, polygon: usize) -> Vec<[f64; 3]> {
    let edges = tile.polygons[polygon].edges();
    edges.map(|edge| tile.point_in_world(params, tile.vertices[tile.edge_vertices[edge] as usize])).collect()
}

fn flat([x, _, z]: [f64; 3]) -> [f64; 2] {
    [x, z]
}

fn polygons(tile: &Tile, params: &NavMeshParams) -> Vec<Shape> {
    let mut shapes = Vec::new();
    for (index, polygon) in tile.polygons.iter().enumerate() {
        let points: Vec<[f64; 2]> = corners(tile, params, index).into_iter().map(flat).collect();
        shapes.push(Shape::Convex { points: points.clone(), role: Role::Polygon(polygon.level()) });
        shapes.push(Shape::Polyline { points, closed: true, role: Role::InnerEdge });
    }
    shapes
}

fn details(tile: &Tile, params: &NavMeshParams) -> Vec<Shape> {
    let mut segments = Vec::new();
    for (index, mesh) in tile.detail_meshes.iter().enumerate().take(tile.polygons.len()) {
        let mut points: Vec<[f64; 2]> = corners(tile, params, index).into_iter().map(flat).collect();
        let own = mesh.vertex_base as usize..(mesh.vertex_base + mesh.vertex_count) as usize;
        let own = tile.detail_vertices.get(own).unwrap_or(&[]);
        points.extend(own.iter().map(|&vertex| flat(tile.point_in_world(params, vertex))));
        let range = mesh.triangle_base as usize..(mesh.triangle_base + mesh.triangle_count) as usize;
        for triangle in tile.detail_triangles.get(range).unwrap_or(&[]) {
            let at = triangle.indices.map(|index| points.get(usize::from(index)).copied());
            let [Some(a), Some(b), Some(c)] = at else { continue };
            segments.extend([[a, b], [b, c], [c, a]]);
        }
    }
    vec![Shape::Lines { segments, role: Role::StageDetail }]
}

fn portals(tile: &Tile, params: &NavMeshParams) -> Vec<Shape> {
    let mut shapes = Vec::new();
    for (index, polygon) in tile.polygons.iter().enumerate() {
        let points: Vec<[f64; 2]> = corners(tile, params, index).into_iter().map(flat).collect();
        for (at, _) in polygon.edges().enumerate().filter(|(_, edge)| tile.edge_sides[*edge] != NO_SIDE) {
            let points = vec![points[at], points[(at + 1) % points.len()]];
            shapes.push(Shape::Polyline { points, closed: false, role: Role::Portal });
        }
    }
    shapes
}

/// The stages of a flat bake of one tile. `secs`: how long outlines, joining, seams, clearance and cutting took.
/// `level`: the one that is looked at; others are not shown.
#[must_use]
pub fn flat_stages(stages: &ColumnStages, secs: [f64; 5], level: i8) -> Vec<StagePicture> {
    let ColumnStages { outlines, joined, seams, clearance, cut, polygons } = stages;
    let mut pictures = Vec::new();
    let mut add = |name, count, unit, help, bytes, secs, shapes, removed: Vec<Shape>| {
        let removed_count = removed.len();
        let untimed = "kept from the bake";
        pictures.push(StagePicture {
            name,
            help,
            count,
            unit,
            bytes,
            secs,
            untimed,
            shapes,
            removed,
            removed_count,
        });
    };
    let drawn = outlines.iter().filter(|outline| outline.level == level).map(|outline| Shape::Polyline {
        points: outline.points.clone(),
        closed: true,
        role: if outline.kind == AreaKind::Walk { Role::Walk } else { Role::Hole },
    });
    let bytes = outlines.iter().map(|outline| size_of_val(&outline.points[..])).sum();
    let help = "Outlines that meet the tile, on the drawing's grid";
    add(
        "outlines",
        outlines.len(),
        "outlines",
        help,
        Some(bytes),
        Some(secs[0]),
        drawn.collect(),
        Vec::new(),
    );
    let help = "Areas joined and holes cut, exactly: where floors begin, end or change";
    let bytes = Some(size_of_val(&joined[..]));
    add(
        "joined and cut",
        joined.len(),
        "edges",
        help,
        bytes,
        Some(secs[1]),
        edges(joined, level),
        Vec::new(),
    );
    let ladders = seams.iter().filter(|seam| seam.levels.contains(&level));
    let ladders = ladders.map(|seam| Shape::Ladder { from: seam.from, to: seam.to, role: Role::Seam });
    let shown = edges(joined, level).into_iter().chain(ladders).collect();
    let help = "Edge parts that two levels share, where they join";
    add(
        "seams",
        seams.len(),
        "pieces",
        help,
        Some(size_of_val(&seams[..])),
        Some(secs[2]),
        shown,
        Vec::new(),
    );
    let cleared = if clearance.is_empty() { joined } else { clearance };
    let help = "What lies nearer to a wall than the agent's radius, taken off";
    let bytes = Some(size_of_val(&clearance[..]));
    let (shown, gone) = (edges(cleared, level), lost(joined, cleared, level));
    add("clearance", clearance.len(), "edges", help, bytes, Some(secs[3]), shown, gone);
    let help = "The tile's share, on the grid of the file; borders to other tiles are double";
    let bytes = Some(size_of_val(&cut[..]));
    add("cut into tiles", cut.len(), "edges", help, bytes, Some(secs[4]), edges(cut, level), Vec::new());
    let here = || polygons.iter().filter(|polygon| polygon.level == level);
    let ring = |polygon: &crate::bake::flat::StagePolygon| -> Vec<[f64; 2]> {
        polygon.corners.iter().copied().map(flat).collect()
    };
    let bytes: usize = polygons.iter().map(|polygon| size_of_val(&polygon.corners[..])).sum();
    let convex = |role: &dyn Fn(&crate::bake::flat::StagePolygon) -> Role| -> Vec<Shape> {
        let both = |polygon| {
            let line = Shape::Polyline { points: ring(polygon), closed: true, role: Role::InnerEdge };
            [Shape::Convex { points: ring(polygon), role: role(polygon) }, line]
        };
        here().flat_map(both).collect()
    };
    let help = "Convex polygons";
    add(
        "polygons",
        polygons.len(),
        "polygons",
        help,
        Some(bytes),
        None,
        convex(&|_| Role::Polygon(level)),
        Vec::new(),
    );
    let help = "The height of each corner";
    let mut heights = convex(&|_| Role::Polygon(level));
    let words: BTreeMap<[u64; 3], [f64; 3]> = here()
        .flat_map(|polygon| &polygon.corners)
        .map(|&corner| (corner.map(f64::to_bits), corner))
        .collect();
    heights.extend(words.values().map(|&[x, y, z]| Shape::Text {
        at: [x, z],
        text: format!("{y:.2}").trim_end_matches('0').trim_end_matches('.').to_owned(),
        anchor: Anchor::Center,
        role: Role::Label,
    }));
    add("heights", words.len(), "corners", help, None, None, heights, Vec::new());
    let layers: std::collections::BTreeSet<i32> = polygons.iter().map(|polygon| polygon.layer).collect();
    let help = "Layers of the tile: floors of one layer do not lie over each other";
    let shown = convex(&|polygon| Role::Island(polygon.layer.unsigned_abs() + 1));
    add("layers", layers.len(), "layers", help, None, None, shown, Vec::new());
    pictures
}

/// Edges of a level: walls, borders to other tiles, and lines within a floor.
fn edges(edges: &[StageEdge], level: i8) -> Vec<Shape> {
    let here = edges.iter().filter(|edge| edge.level == level);
    let line = |edge: &StageEdge| {
        let role = match (edge.is_portal, edge.left.is_some() && edge.right.is_some()) {
            (true, _) => Role::Portal,
            (false, true) => Role::InnerEdge,
            (false, false) => Role::Wall,
        };
        Shape::Polyline { points: vec![edge.from, edge.to], closed: false, role }
    };
    here.map(line).collect()
}

/// The walls that are no walls any more.
fn lost(before: &[StageEdge], after: &[StageEdge], level: i8) -> Vec<Shape> {
    let is_wall = |edge: &&StageEdge| edge.level == level && edge.left.is_some() != edge.right.is_some();
    let ends = |edge: &StageEdge| [edge.from, edge.to].map(|end| end.map(f64::to_bits));
    let kept: std::collections::BTreeSet<_> = after.iter().filter(is_wall).map(ends).collect();
    let gone = before.iter().filter(is_wall).filter(|edge| !kept.contains(&ends(edge)));
    gone.map(|edge| Shape::Polyline {
        points: vec![edge.from, edge.to],
        closed: false,
        role: Role::StageGone,
    })
    .collect()
}
