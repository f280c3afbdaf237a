//! A whole map as one picture: floors from the lowest up, then what connects them, with rulers and a legend.

use std::collections::BTreeSet;

use super::colors::Rgba;
use super::relief::{bounds_of_geometry, relief_shapes};
use super::storeys::Storeys;
use super::theme::Theme;
use super::{
    Anchor, Canvas, MeshShapes, Role, Shape, Sign, View, area_shapes, bounds, grid_shapes, issue_shapes,
    mesh_shapes, nice_step, paint, path_shapes,
};
use crate::bake::{AreaKind, Diagnostic, FlatArea, FlatInput, TriangleMesh};
use crate::format::TiledNavMesh;
use crate::query::NavPath;

/// What to show on a picture.
#[derive(Clone, Copy, Debug, Default)]
pub struct Contents<'a> {
    /// The line on top.
    pub title: &'a str,
    /// The smaller line under it.
    pub subtitle: &'a str,
    /// Drawn areas.
    pub input: Option<&'a FlatInput>,
    /// Imported geometry, shaded under all else; left out where it has more than [`MOST_RELIEF`](super::MOST_RELIEF)
    /// triangles.
    pub geometry: &'a [TriangleMesh],
    /// The mesh.
    pub mesh: Option<&'a TiledNavMesh>,
    /// A path through the mesh.
    pub path: Option<&'a NavPath>,
    /// Badges.
    pub issues: &'a [Diagnostic],
}

/// A map laid out for painting at any size.
#[derive(Clone, Debug)]
pub struct Picture {
    title: String,
    subtitle: String,
    theme: Theme,
    shapes: Vec<Shape>,
    /// Where floors of one level lie over each other.
    storeys: Option<Storeys>,
    bounds: [[f64; 2]; 2],
}

const TOP: f32 = 52.0;
const LEFT: f32 = 50.0;
const BOTTOM: f32 = 34.0;
const RIGHT: f32 = 176.0;

impl Picture {
    /// Lays out contents.
    #[must_use]
    pub fn new(contents: &Contents<'_>, theme: Theme) -> Self {
        let mesh = contents.mesh.map(mesh_shapes).unwrap_or_default();
        let areas = contents.input.map_or(&[][..], |input| &input.areas);
        let bounds = bounds_of(areas, &mesh, contents.geometry);
        let mut shapes = relief_shapes(contents.geometry, bounds);
        shapes.extend(rims_within(&mesh.rims, bounds));
        let storeys = contents.mesh.and_then(Storeys::of);
        match (storeys, contents.mesh) {
            (Some(storeys), Some(of)) => {
                let holes = areas.iter().filter(|area| area.kind == AreaKind::Hole);
                shapes.extend(holes.flat_map(|area| area_shapes(area, None)));
                shapes.extend(storeys.mesh_shapes(of));
            }
            _ => shapes.extend(floors(areas, &mesh)),
        }
        for list in [mesh.borders, mesh.seams, mesh.links] {
            shapes.extend(list);
        }
        if let (Some(mesh), Some(path)) = (contents.mesh, contents.path) {
            shapes.extend(path_shapes(mesh, path));
        }
        // A number that all floors have tells none from another.
        if storeys.is_none() || mesh.fills.len() > 1 {
            shapes.extend(mesh.labels);
        }
        shapes.extend(issue_shapes(contents.issues, None));
        let [title, subtitle] = [contents.title, contents.subtitle].map(str::to_owned);
        Self { title, subtitle, theme, shapes, storeys, bounds }
    }

    /// A size of `width` pixels in which the map fills its frame, between a third and one and a half times as high.
    #[must_use]
    pub fn natural_size(&self, width: f32) -> [f32; 2] {
        let inner = (width - LEFT - RIGHT).max(1.0);
        let [low, high] = self.bounds;
        #[allow(clippy::cast_possible_truncation, reason = "a ratio, for showing")]
        let ratio = ((high[1] - low[1]) / (high[0] - low[0])) as f32;
        let height = TOP + BOTTOM + inner * ratio;
        [width, height.clamp(width / 3.0, width * 1.5).round()]
    }

    /// Paints everything on a canvas of `size` pixels whose background is the theme's.
    pub fn paint(&self, size: [f32; 2], canvas: &mut dyn Canvas) {
        let view = View::fit(self.bounds, [LEFT, TOP], [size[0] - RIGHT, size[1] - BOTTOM]);
        paint(&grid_shapes(&view), &view, self.theme, canvas);
        paint(&self.shapes, &view, self.theme, canvas);
        self.rulers(&view, canvas);
        canvas.text([LEFT, 20.0], &self.title, 16.0, Anchor::Left, self.color(Role::Label));
        canvas.text([LEFT, 39.0], &self.subtitle, 11.0, Anchor::Left, self.color(Role::Ruler));
        self.legend([size[0] - RIGHT + 20.0, TOP + 8.0], canvas);
    }

    fn color(&self, role: Role) -> Rgba {
        let style = self.theme.style(role);
        style.fill.unwrap_or(Rgba::hex(0x80_80_80, 100))
    }

    fn rulers(&self, view: &View, canvas: &mut dyn Canvas) {
        let style = self.theme.style(Role::Ruler);
        let (Some(stroke), ink) = (style.stroke, self.color(Role::Ruler)) else { return };
        let View { min, max, .. } = *view;
        let frame = [min, [max[0], min[1]], max, [min[0], max[1]]];
        canvas.stroke(&frame, true, stroke.color, stroke.width);
        let step = nice_step(64.0 / view.scale);
        let [low, high] = view.shown();
        for axis in 0..2 {
            let mut index = (low[axis] / step).ceil();
            while index * step <= high[axis] {
                let value = index * step;
                // Steps are round in decimals; what is left over is noise.
                let text = format!("{}", (value * 1e6).round() / 1e6 + 0.0);
                let pixel = view.pixel_from_world([value, value]);
                if axis == 0 {
                    canvas.stroke(&[[pixel[0], max[1]], [pixel[0], max[1] + 5.0]], false, stroke.color, 1.0);
                    canvas.text([pixel[0], max[1] + 15.0], &text, style.size, Anchor::Center, ink);
                } else {
                    canvas.stroke(&[[min[0] - 5.0, pixel[1]], [min[0], pixel[1]]], false, stroke.color, 1.0);
                    canvas.text([min[0] - 9.0, pixel[1]], &text, style.size, Anchor::Right, ink);
                }
                index += 1.0;
            }
        }
        canvas.text([max[0] + 8.0, max[1] + 15.0], "x", style.size, Anchor::Left, ink);
        canvas.text([min[0] - 9.0, min[1] - 10.0], "z", style.size, Anchor::Right, ink);
    }

    /// One line for each role that is on the picture.
    fn legend(&self, corner: [f32; 2], canvas: &mut dyn Canvas) {
        let used: BTreeSet<Role> = self.shapes.iter().map(Shape::role).collect();
        let rows = used.iter().filter_map(|&role| Some((role, meaning(role)?)));
        let mut rows: Vec<(Role, String)> = rows.collect();
        rows.extend(self.storeys.iter().flat_map(|storeys| heights(storeys, &used)));
        // Floors from the highest down, as they lie in the world; then the rest in its own order.
        rows.sort_by_key(|&(role, _)| match role {
            Role::Polygon(level) => (0, -i16::from(level)),
            Role::Height(part) => (0, -i16::from(part)),
            _ => (1, 0),
        });
        let ink = self.color(Role::Label);
        for (row, (role, text)) in rows.iter().enumerate() {
            #[allow(clippy::cast_precision_loss, reason = "a few dozen rows")]
            let y = corner[1] + 22.0 * row as f32;
            self.sample(*role, [corner[0], y], canvas);
            canvas.text([corner[0] + 42.0, y], text, 11.0, Anchor::Left, ink);
        }
    }

    /// A piece of a role as it looks on the map, 32 pixels wide.
    fn sample(&self, role: Role, at: [f32; 2], canvas: &mut dyn Canvas) {
        let view = View {
            center: [0.0; 2],
            scale: 1.0,
            min: [at[0], at[1] - 8.0],
            max: [at[0] + 32.0, at[1] + 8.0],
        };
        let frame = || vec![[-15.0, -7.0], [15.0, -7.0], [15.0, 7.0], [-15.0, 7.0]];
        let line = |closed| Shape::Polyline { points: vec![[-16.0, 0.0], [16.0, 0.0]], closed, role };
        let marker = |sign, x: f64| Shape::Marker { at: [x, 0.0], sign, role };
        let shapes = match role {
            Role::Polygon(_) | Role::Height(_) | Role::Corridor => {
                vec![Shape::Convex { points: frame(), role }]
            }
            Role::Walk | Role::Hole => vec![Shape::Area { outline: frame(), pieces: vec![frame()], role }],
            Role::Seam => vec![Shape::Ladder { from: [-16.0, 0.0], to: [16.0, 0.0], role }],
            Role::Link => vec![line(false), marker(Sign::ArrowHead([1.0, 0.0]), 16.0)],
            Role::LooseLink => {
                vec![line(false), marker(Sign::RingCross, -11.0), marker(Sign::RingCross, 11.0)]
            }
            Role::PathStart => vec![marker(Sign::DiscLetter('S'), 0.0)],
            Role::PathEnd => vec![marker(Sign::SquareLetter('E'), 0.0)],
            Role::LevelChange => vec![marker(Sign::DiscNumber(1), 0.0)],
            Role::Error => vec![marker(Sign::Octagon, 0.0)],
            Role::Warning => vec![marker(Sign::Triangle, 0.0)],
            Role::Note => vec![marker(Sign::Disc, 0.0)],
            _ => vec![line(false)],
        };
        paint(&shapes, &view, self.theme, canvas);
    }
}

/// The lowest, the middle and the highest of the heights that are on the picture.
fn heights(storeys: &Storeys, used: &BTreeSet<Role>) -> Vec<(Role, String)> {
    let shades: Vec<u8> = used
        .iter()
        .filter_map(|role| match role {
            Role::Height(shade) => Some(*shade),
            _ => None,
        })
        .collect();
    let mut picked = match &shades[..] {
        [] => Vec::new(),
        all => vec![all[0], all[all.len() / 2], all[all.len() - 1]],
    };
    picked.dedup();
    let row = |shade: u8| (Role::Height(shade), format!("floor at {:.1}", storeys.height_of(shade)));
    picked.into_iter().map(row).collect()
}

/// The box of all that is drawn, with a little air; that of the geometry where nothing is.
fn bounds_of(areas: &[FlatArea], mesh: &MeshShapes, geometry: &[TriangleMesh]) -> [[f64; 2]; 2] {
    let areas: Vec<Shape> = areas
        .iter()
        .map(|area| Shape::Polyline { points: area.outline.clone(), closed: true, role: Role::Walk })
        .collect();
    let parts = mesh.fills.values().flatten().chain(&mesh.links).chain(&areas);
    let [low, high] = bounds(parts).or_else(|| bounds_of_geometry(geometry)).unwrap_or([[0.0; 2], [16.0; 2]]);
    let air = 0.03 * (high[0] - low[0]).max(high[1] - low[1]).max(1.0);
    [low.map(|v| v - air), high.map(|v| v + air)]
}

/// The rims of tiles inside the frame; where two tiles meet, one line.
fn rims_within(rims: &[Shape], [low, high]: [[f64; 2]; 2]) -> Vec<Shape> {
    let mut seen = BTreeSet::new();
    let mut segments = Vec::new();
    for rim in rims {
        let Shape::Polyline { points, .. } = rim else { continue };
        for (&a, &b) in points.iter().zip(points.iter().cycle().skip(1)) {
            let inside = |p: [f64; 2]| [0, 1].map(|axis| p[axis].clamp(low[axis], high[axis]));
            // Along its own axis a rim is cut to the frame; across it, a rim outside is left out.
            let across = usize::from(a[0] != b[0]);
            let mut ends = [a, b].map(inside);
            ends.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
            let is_shown = low[across] <= a[across] && a[across] <= high[across];
            if is_shown && seen.insert(ends.map(|end| end.map(f64::to_bits))) {
                segments.push(ends);
            }
        }
    }
    if segments.is_empty() { Vec::new() } else { vec![Shape::Lines { segments, role: Role::TileBorder }] }
}

/// Holes, then floors from the lowest up, each with its edges: what shows through a hole is what lies under it.
fn floors(areas: &[FlatArea], mesh: &MeshShapes) -> Vec<Shape> {
    let (walks, holes): (Vec<_>, Vec<_>) = areas.iter().partition(|area| area.kind == AreaKind::Walk);
    let mut levels: BTreeSet<i8> = mesh.fills.keys().copied().collect();
    levels.extend(walks.iter().map(|area| area.level));
    let mut shapes: Vec<Shape> = holes.into_iter().flat_map(|area| area_shapes(area, None)).collect();
    for level in levels {
        // Where there is a mesh it shows the floor itself, exactly.
        let is_drawn = |area: &&&FlatArea| area.level == level && !mesh.fills.contains_key(&level);
        shapes.extend(walks.iter().filter(is_drawn).flat_map(|area| area_shapes(area, None)));
        shapes.extend(mesh.fills.get(&level).into_iter().flatten().cloned());
        shapes.extend(mesh.edges.get(&level).into_iter().flatten().cloned());
    }
    shapes
}

/// What a role's line in the legend says; `None` for what explains itself.
fn meaning(role: Role) -> Option<String> {
    let text = match role {
        Role::Polygon(level) => return Some(format!("floor, level {level}")),
        Role::Walk => "walk area",
        Role::Hole => "hole",
        Role::Wall => "wall",
        Role::TileBorder => "tile",
        Role::Portal => "stitched border",
        Role::LonelyPortal => "unstitched border",
        Role::Seam => "seam of two levels",
        Role::Link => "off-mesh link",
        Role::LooseLink => "unattached link",
        Role::Corridor => "corridor",
        Role::Path => "path",
        Role::PathJump => "path over a link",
        Role::PathStart => "start",
        Role::PathEnd => "end",
        Role::LevelChange => "level changes",
        Role::Error => "error",
        Role::Warning => "warning",
        Role::Note => "note",
        _ => return None,
    };
    Some(text.to_owned())
}
