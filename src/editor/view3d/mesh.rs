//! A baked tile as a solid: its polygons with their heights as plates, edges, borders, seams as upright panes, jumps.

use std::sync::Arc;

use super::look::{faded, floor, floor_at, line_of, mixed, over};
use super::solid::{Builder, Fade, Solid, Thing};
use super::space::{Vec3, between, sub};
use crate::draw::{AttachedLinks, IslandShapes, Rgba, Role, Storeys, Theme};
use crate::format::{LinkKind, NO_SIDE, OffMeshLink, Tile, TileRef, TiledNavMesh};

/// How thick plates are under their walls, in squares.
const PLATE: f64 = 0.25;
/// How high a jump's arc rises for its length, and at least, in squares.
const RISE: f64 = 0.28;
const LEAST_RISE: f64 = 0.5;
/// How much of its type's colour a floor has.
const TYPED: f32 = 0.55;
/// Steps of an arc.
const STEPS: u8 = 20;

/// What of a tile is drawn, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TileLook {
    /// Polygons and the edges between them.
    pub mesh: bool,
    /// The tile's rim.
    pub rim: bool,
    /// Borders and seams.
    pub borders: bool,
    /// Off-mesh links.
    pub jumps: bool,
    /// Polygons in the colours of their islands.
    pub islands: bool,
    /// How floors are shaded by height, where they lie over each other.
    pub storeys: Option<Storeys>,
    /// The colours.
    pub theme: Theme,
}

/// A tile as a solid; `None` for a stale reference or where nothing is drawn.
#[must_use]
pub fn tile_solid(
    mesh: &TiledNavMesh,
    tile_ref: TileRef,
    islands: &IslandShapes,
    attached: &AttachedLinks,
    types: &dyn Fn(u8) -> Option<[u8; 3]>,
    look: TileLook,
) -> Option<Arc<Solid>> {
    let tile = mesh.tile(tile_ref)?;
    let mut maker = Maker { mesh, tile_ref, tile, look, types, build: Builder::new(corner(mesh, tile)) };
    let count = u32::try_from(tile.polygons.len()).unwrap_or(u32::MAX);
    for index in 0..count {
        maker.polygon(index, islands);
    }
    if look.rim {
        maker.rim();
    }
    if look.jumps {
        for (index, link) in (0..).zip(&tile.links) {
            maker.jump(link, attached.has(tile_ref.slot(), index));
        }
    }
    maker.build.finish()
}

/// A tile's corner, where its local zero lies.
fn corner(mesh: &TiledNavMesh, tile: &Tile) -> Vec3 {
    tile.point_in_world(mesh.params(), [0.0; 3])
}

struct Maker<'a> {
    mesh: &'a TiledNavMesh,
    tile_ref: TileRef,
    tile: &'a Tile,
    look: TileLook,
    types: &'a dyn Fn(u8) -> Option<[u8; 3]>,
    build: Builder,
}

impl Maker<'_> {
    fn polygon(&mut self, index: u32, islands: &IslandShapes) {
        let polygon = &self.tile.polygons[index as usize];
        let level = polygon.level();
        let corners = corners(self.mesh, self.tile, index as usize);
        let theme = self.look.theme;
        let typed = (self.types)(polygon.area);
        let island = islands.island(self.tile_ref.polygon(index)).filter(|_| self.look.islands);
        let island = island.map(|island| theme.style(Role::Island(island)));
        self.build.lean = island.map_or(0, |style| style.lean as u8 + 1);
        let storeys = self.look.storeys;
        let color_at = |y: f64| {
            let plain =
                storeys.map_or_else(|| floor(theme, level), |storeys| floor_at(theme, storeys.shade(y)));
            let typed = typed.map_or(plain, |[r, g, b]| mixed(plain, Rgba([r, g, b, 255]), TYPED));
            island.and_then(|style| style.fill).map_or(typed, |fill| over(faded(fill, 0.75), typed))
        };
        let thing = Thing::Polygon(self.tile_ref.slot(), index);
        if self.look.mesh {
            for triangle in surface(self.mesh, self.tile, index as usize, &corners) {
                let colors = triangle.map(|[_, y, _]| color_at(y));
                self.build.shaded_face(triangle, None, level, colors, thing);
            }
        }
        self.build.lean = 0;
        let middle = corners.iter().fold([0.0; 3], |sum, corner| super::space::add(sum, *corner));
        let middle = super::space::scale(middle, 1.0 / corners.len() as f64);
        for (number, edge) in polygon.edges().enumerate() {
            let ends = [corners[number], corners[(number + 1) % corners.len()]];
            let neighbour = self.tile.edge_neighbours[edge] as usize;
            if self.tile.edge_sides[edge] != NO_SIDE {
                self.border(index, number, ends, self.tile.edge_sides[edge], level);
            } else if neighbour == 0 {
                if self.look.mesh {
                    self.wall(ends, middle, level, ends.map(|[_, y, _]| color_at(y)), thing);
                }
            } else if neighbour > index as usize + 1 {
                let other = self.tile.polygons.get(neighbour - 1).map_or(level, |other| other.level());
                if other != level {
                    self.seam(ends, [level, other]);
                } else if self.look.mesh {
                    self.line(ends, [level; 2], Role::InnerEdge);
                }
            }
        }
    }

    /// An edge that nobody can cross: a strong line, and the plate's side under it.
    fn wall(&mut self, [a, b]: [Vec3; 2], middle: Vec3, level: i8, [at_a, at_b]: [Rgba; 2], thing: Thing) {
        let down = |place: Vec3| [place[0], place[1] - PLATE, place[2]];
        let outward = sub(between(a, b, 0.5), middle);
        let outward = Some([outward[0], 0.0, outward[2]]);
        let sides = [([a, b, down(b)], [at_a, at_b, at_b]), ([a, down(b), down(a)], [at_a, at_b, at_a])];
        for (triangle, colors) in sides {
            self.build.shaded_face(triangle, outward, level, colors, thing);
        }
        self.line([a, b], [level; 2], Role::Wall);
    }

    /// An edge on the tile's border: where another tile's floor is joined, and where it is not.
    fn border(&mut self, index: u32, number: usize, ends: [Vec3; 2], side: u8, level: i8) {
        if !self.look.borders {
            return;
        }
        let links = self.mesh.links(self.tile_ref.polygon(index));
        let own = links.iter().filter(|link| link.kind == LinkKind::Portal);
        let own = own.filter(|link| usize::from(link.edge) == number);
        let mut covered: Vec<(u8, u8, i8)> = own
            .map(|link| {
                let other = self.mesh.polygon(link.to).map(|(tile, index)| tile.polygons[index].level());
                (link.range_min, link.range_max, other.unwrap_or(level))
            })
            .collect();
        covered.sort_unstable();
        let part = |from: u8, to: u8| [from, to].map(|at| between(ends[0], ends[1], f64::from(at) / 255.0));
        let mut reached = 0_u8;
        for (from, to, other) in covered {
            // Ranges are rounded outward to 255ths, so a real gap is wider than one of them.
            if from > reached.saturating_add(1) {
                self.line(part(reached, from), [level; 2], Role::LonelyPortal);
            }
            // A stitched border belongs to the tile on its lower side.
            if side < 2 && other != level {
                self.seam(part(from, to), [level, other]);
            } else if side < 2 {
                self.portal(part(from, to), level);
            }
            reached = reached.max(to);
        }
        if reached < 254 {
            self.line(part(reached, 255), [level; 2], Role::LonelyPortal);
        }
    }

    fn portal(&mut self, ends: [Vec3; 2], level: i8) {
        let color = line_of(self.look.theme, Role::Portal).1.color;
        self.build.pane(ends, self.climb(), [level; 2], faded(color, 0.16));
        self.line(ends, [level; 2], Role::Portal);
    }

    /// Where two levels meet: a pane from the lower one to the climb over the upper one, which spans the gap where they
    /// are pulled apart.
    fn seam(&mut self, ends: [Vec3; 2], levels: [i8; 2]) {
        if !self.look.borders {
            return;
        }
        let levels = [levels[0].min(levels[1]), levels[0].max(levels[1])];
        let (height, color) = (self.climb(), line_of(self.look.theme, Role::Seam).1.color);
        self.build.pane(ends, height, levels, faded(color, 0.3));
        self.line(ends, [levels[0]; 2], Role::Seam);
        let raised = ends.map(|[x, y, z]| [x, y + height, z]);
        self.line(raised, [levels[1]; 2], Role::Seam);
        for (below, above) in ends.into_iter().zip(raised) {
            self.line([below, above], levels, Role::Seam);
        }
    }

    fn climb(&self) -> f64 {
        f64::from(self.mesh.params().walkable_climb).max(0.05)
    }

    fn rim(&mut self) {
        let params = self.mesh.params();
        let [x0, x1] = [0, 1].map(|step| params.tile_origin_x(self.tile.tile_x.saturating_add(step)));
        let [z0, z1] = [0, 1].map(|step| params.tile_origin_z(self.tile.tile_z.saturating_add(step)));
        let lowest =
            self.tile.vertices.iter().map(|vertex| f64::from(vertex[1])).fold(f64::INFINITY, f64::min);
        let y = self.tile.origin_y + if lowest.is_finite() { lowest } else { 0.0 };
        let level = self.tile.polygons.first().map_or(0, |polygon| polygon.level());
        let corners = [[x0, y, z0], [x1, y, z0], [x1, y, z1], [x0, y, z1]];
        for at in 0..4 {
            self.line([corners[at], corners[(at + 1) % 4]], [level; 2], Role::TileBorder);
        }
    }

    fn jump(&mut self, link: &OffMeshLink, attached: bool) {
        let [from, to] = [link.start, link.end].map(|end| self.tile.point_in_world(self.mesh.params(), end));
        let levels = [from, to].map(|end| level_near(self.mesh, end));
        self.build.fade = Fade::Never;
        let jump = Jump { from, to, levels, radius: link.radius.into(), two_way: link.bidirectional };
        jump.build(&mut self.build, self.look.theme, if attached { Role::Link } else { Role::LooseLink });
    }

    fn line(&mut self, ends: [Vec3; 2], levels: [i8; 2], role: Role) {
        let (casing, stroke) = line_of(self.look.theme, role);
        self.build.fade = match role {
            Role::InnerEdge => Fade::Away,
            Role::Wall | Role::Portal | Role::LonelyPortal | Role::TileBorder => Fade::Faint,
            _ => Fade::Never,
        };
        self.build.line(ends, levels, casing, stroke);
    }
}

/// A polygon's corners in the world.
#[must_use]
pub fn corners(mesh: &TiledNavMesh, tile: &Tile, polygon: usize) -> Vec<Vec3> {
    let vertex = |edge: usize| tile.vertices[tile.edge_vertices[edge] as usize];
    tile.polygons[polygon].edges().map(|edge| tile.point_in_world(mesh.params(), vertex(edge))).collect()
}

/// A polygon's surface: the triangles of its detail mesh, or the fan from its first corner.
fn surface(mesh: &TiledNavMesh, tile: &Tile, polygon: usize, corners: &[Vec3]) -> Vec<[Vec3; 3]> {
    let detail = tile.detail_meshes.get(polygon).filter(|detail| detail.triangle_count > 0);
    let Some(detail) = detail else {
        return (2..corners.len()).map(|at| [corners[0], corners[at - 1], corners[at]]).collect();
    };
    let triangles = detail.triangle_base as usize..(detail.triangle_base + detail.triangle_count) as usize;
    let place = |index: u16| {
        let index = usize::from(index);
        corners.get(index).copied().unwrap_or_else(|| {
            let extra = detail.vertex_base as usize + index - corners.len();
            tile.point_in_world(mesh.params(), tile.detail_vertices[extra])
        })
    };
    tile.detail_triangles[triangles].iter().map(|triangle| triangle.indices.map(place)).collect()
}

/// The level of the floor nearest to a place, in height first.
fn level_near(mesh: &TiledNavMesh, place: Vec3) -> i8 {
    let mut best = (f64::INFINITY, 0);
    let column = mesh.params().world_to_tile(place[0], place[2]);
    for (_, tile) in column.into_iter().flat_map(|(x, z)| mesh.column(x, z)) {
        for (index, polygon) in tile.polygons.iter().enumerate() {
            let corners = corners(mesh, tile, index);
            let flat: Vec<[f64; 2]> = corners.iter().map(|corner| [corner[0], corner[2]]).collect();
            let beside = if crate::geom::plane::contains(&flat, [place[0], place[2]]) { 0.0 } else { 100.0 };
            let nearest =
                corners.iter().map(|corner| (corner[1] - place[1]).abs()).fold(f64::INFINITY, f64::min);
            if nearest + beside < best.0 {
                best = (nearest + beside, polygon.level());
            }
        }
    }
    best.1
}

/// A jump from one place to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jump {
    /// Where it starts.
    pub from: Vec3,
    /// Where it ends.
    pub to: Vec3,
    /// The levels of both.
    pub levels: [i8; 2],
    /// The reach of its ends.
    pub radius: f64,
    /// Whether it can be taken from its end too.
    pub two_way: bool,
}

impl Jump {
    /// The line through the air.
    #[must_use]
    pub fn arc(&self) -> Vec<Vec3> {
        let flat = (self.to[0] - self.from[0]).hypot(self.to[2] - self.from[2]);
        let rise = (RISE * flat).max(LEAST_RISE);
        let at = |step: u8| {
            let part = f64::from(step) / f64::from(STEPS);
            let mut place = between(self.from, self.to, part);
            place[1] += 4.0 * rise * part * (1.0 - part);
            place
        };
        (0..=STEPS).map(at).collect()
    }

    /// The level that counts along the arc: the first half is that of the start.
    #[must_use]
    pub fn level(&self, step: usize) -> i8 {
        self.levels[usize::from(step * 2 > usize::from(STEPS))]
    }

    /// Draws the arc with heads, and the reach of its ends.
    pub fn build(&self, build: &mut Builder, theme: Theme, role: Role) {
        let (casing, stroke) = line_of(theme, role);
        let arc = self.arc();
        for (step, ends) in arc.windows(2).enumerate() {
            let levels = [self.level(step), self.level(step + 1)];
            build.line([ends[0], ends[1]], levels, casing, stroke);
        }
        let solid = crate::draw::Stroke { dash: None, ..stroke };
        let count = arc.len();
        self.head(build, [arc[count - 3], arc[count - 1]], self.levels[1], solid);
        if self.two_way {
            self.head(build, [arc[2], arc[0]], self.levels[0], solid);
        }
        let (casing, stroke) = line_of(theme, Role::LinkRadius);
        for (center, level) in [self.from, self.to].into_iter().zip(self.levels) {
            let around = |step: u8| {
                let (sin, cos) = (f64::from(step) / 24.0 * std::f64::consts::TAU).sin_cos();
                [center[0] + self.radius * cos, center[1], center[2] + self.radius * sin]
            };
            for step in 0..24 {
                build.line([around(step), around(step + 1)], [level; 2], casing, stroke);
            }
        }
    }

    /// Two barbs of an arrow head.
    fn head(&self, build: &mut Builder, [before, tip]: [Vec3; 2], level: i8, stroke: crate::draw::Stroke) {
        let back = super::space::unit(sub(before, tip));
        let side = super::space::unit(super::space::cross(back, [0.0, 1.0, 0.0]));
        let size = 0.35_f64.min(0.25 * super::space::length(sub(self.to, self.from)).max(0.2));
        for by in [0.55, -0.55] {
            let barb =
                super::space::add(super::space::scale(back, size), super::space::scale(side, by * size));
            build.line([tip, super::space::add(tip, barb)], [level; 2], None, stroke);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::bake::{AreaKind, BakeOptions, FlatArea, FlatInput, Surface, bake_mesh};
    use crate::format::NavSettings;
    use crate::query::islands;

    #[test]
    fn islands_are_told_by_their_hatch_and_not_by_colour_alone() {
        let floor = |id: u64, x: f64| FlatArea {
            id,
            name: id.to_string(),
            kind: AreaKind::Walk,
            level: 0,
            outline: vec![[x, 0.0], [x + 4.0, 0.0], [x + 4.0, 4.0], [x, 4.0]],
            area_type: None,
            flags: None,
            surface: Surface::Level,
        };
        let input = FlatInput { areas: vec![floor(1, 1.0), floor(2, 10.0)], ..FlatInput::default() };
        let (baked, _) = bake_mesh(&input, &NavSettings::default(), &BakeOptions::default()).unwrap();
        let mesh = &baked.mesh;
        let shapes = IslandShapes::of(mesh, islands(mesh, &crate::query::QueryFilter::default()));
        let leans = |islands: bool| -> BTreeSet<u8> {
            let look = TileLook {
                mesh: true,
                rim: false,
                borders: false,
                jumps: false,
                islands,
                storeys: None,
                theme: Theme::DARK,
            };
            let attached = AttachedLinks::of(mesh);
            let solids = mesh
                .tiles()
                .filter_map(|(tile_ref, _)| tile_solid(mesh, tile_ref, &shapes, &attached, &|_| None, look));
            let solids: Vec<_> = solids.collect();
            // The plates' upper sides.
            let tops =
                solids.iter().flat_map(|solid| &solid.parts.faces).filter(|corner| corner.turn[1] > 120);
            tops.map(|corner| u8::MAX - corner.color.0[3]).collect()
        };
        assert_eq!(leans(false), BTreeSet::from([0]));
        assert_eq!(leans(true).len(), 2);
        assert!(!leans(true).contains(&0));
    }
}
