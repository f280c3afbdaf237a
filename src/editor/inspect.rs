//! What is at a place, and why nothing can walk there: the answer of the Inspect tool, as facts in words.

use super::asked::{Asked, Fact};
use super::canvas::edge::Edge;
use super::canvas::pick::{self, Item, Pick, contains, distance, edges, nearest_on_segment};
use super::state::State;
use super::tools::gesture::joined_points;
use super::words::{self, many};
use super::worker::Mode;
use crate::bake::AreaKind;
use crate::format::TiledNavMesh;
use crate::project::{Area, Document, Spot, farthest_above, floor_of, floors_over};
use crate::query::{NavPlace, PathScratch, QueryFilter, closest_nav_point, islands};

/// How far beside an edge it is tested what lies there, in squares.
const BESIDE: f64 = 0.001;
/// A place this near the mesh lies on it: corners of the mesh are 32-bit numbers.
const ON_MESH: f64 = 1e-4;
/// Most facts of one kind.
const MOST: usize = 12;

impl State {
    /// Asks what is at a place of the current level.
    pub fn ask(&mut self, place: [f64; 2]) {
        if self.shown.overlays.stage
            && let Some(tile) = self.tile_at(place)
        {
            self.pick_stage_tile(tile);
        }
        let y = self.aim.and_then(|aim| aim.y).filter(|_| self.document().stacks_floors());
        self.asked = Some(Asked { place, level: self.level, y, facts: Vec::new(), key: (0, 0) });
        self.refresh_asked();
    }

    /// Asks about another floor at the same place.
    pub fn ask_floor(&mut self, y: f64) {
        if let Some(asked) = &mut self.asked {
            (asked.y, asked.key) = (Some(y), (0, 0));
        }
        self.refresh_asked();
    }

    /// Answers again if the drawing or the mesh is another one.
    pub(super) fn refresh_asked(&mut self) {
        let key = (self.generation, self.bake.shown_generation);
        let Some(asked) = self.asked.as_ref().filter(|asked| asked.key != key) else { return };
        let Asked { place, level, y, .. } = *asked;
        let facts = facts(self, Spot { at: place, level, y });
        self.asked = Some(Asked { place, level, y, facts, key });
    }

    /// The answer as text, a line a fact.
    #[must_use]
    pub fn asked_text(&self) -> Option<String> {
        let asked = self.asked.as_ref()?;
        let lines = asked.facts.iter().map(|fact| format!("{}: {}\n", fact.about, fact.text));
        let probe = self.probe.found.as_ref().filter(|(place, _)| *place == asked.place);
        let seen = probe.and_then(|(_, found)| found.as_ref().ok()).map(|probe| self.seen_column(probe));
        let spans = seen.map(|probe| probe.spans).unwrap_or_default();
        let spans = spans.iter().rev().map(|span| format!("Voxels: {}\n", words::span(span)));
        Some(lines.chain(spans).collect())
    }
}

/// All things of the current level at a place, topmost first, each once.
#[must_use]
pub fn things_at(state: &State, place: [f64; 2]) -> Vec<Item> {
    let pixel = 1.0 / state.camera.scale;
    let mut items: Vec<Item> = Vec::new();
    for pick in pick::all_at(state.document(), state.level, place, pixel, &|_| false) {
        if !items.contains(&pick.item()) {
            items.push(pick.item());
        }
    }
    let geometry =
        state.geometry.at(place, state.ground_cut(), &|id| !state.marks.is_hidden(Item::Geometry(id)));
    items.extend(geometry.map(Item::Geometry));
    let pictures = pick::pictures_at(state.document(), &state.picture_sizes, state.level, place, pixel);
    items.extend(pictures.map(|(id, _)| Item::Picture(id)));
    items
}

/// A thing in one line.
#[must_use]
pub fn thing_words(document: &Document, item: Item) -> String {
    match item {
        Item::Picture(id) => document.picture(id).map_or_else(String::new, |picture| {
            format!("{} (reference picture, level {})", picture.name(), picture.level)
        }),
        Item::Geometry(id) => document
            .geometry(id)
            .map_or_else(String::new, |item| format!("{} (geometry, level {})", item.name(), item.level)),
        Item::Area(id) => document.area(id).map_or_else(String::new, |area| area_words(area)),
        Item::Link(id) => document.link(id).map_or_else(String::new, |link| {
            let way = if link.bidirectional { "both ways" } else { "one way" };
            let length = words::number(distance(link.start, link.end));
            let levels = format!("level {} › {}", link.start_level, link.end_level);
            format!("{} (link, {levels}, {length} squares, {way}, radius {})", link.name, link.radius)
        }),
    }
}

fn area_words(area: &Area) -> String {
    let kind = if area.kind == AreaKind::Walk { "walk area" } else { "hole" };
    let size = words::number((size(&area.points) * 100.0).round() / 100.0);
    format!("{} ({kind}, level {}, {} points, {size} squares)", area.name, area.level, area.points.len())
}

/// The area inside an outline that does not cross itself.
fn size(points: &[[f64; 2]]) -> f64 {
    let twice: f64 = edges(points).map(|(_, a, b)| a[0] * b[1] - b[0] * a[1]).sum();
    (0.5 * twice).abs()
}

fn facts(state: &mut State, spot: Spot) -> Vec<Fact> {
    let Spot { at: place, level, .. } = spot;
    let document = state.history.document().clone();
    let name = document.level(level).map_or("", |level| level.name.as_str()).to_owned();
    let elevation = words::number(document.elevation(level));
    let mut found = vec![Fact::new(
        "Place",
        format!("{} · level {level} {name}, elevation {elevation}", words::place(place)),
    )];
    let pixel = 1.0 / state.camera.scale;
    let picks = pick::all_at(&document, level, place, pixel, &|_| false);
    found.extend(picks.iter().filter_map(|&pick| part(&document, pick)));
    let things = things_at(state, place);
    found.extend(things.iter().take(MOST).map(|&item| {
        let about = match item {
            Item::Area(_) => "Area",
            Item::Link(_) => "Link",
            Item::Picture(_) => "Picture",
            Item::Geometry(_) => "Geometry",
        };
        Fact::of(about, thing_words(&document, item), item)
    }));
    mesh_facts(state, &document, spot, &mut found);
    let reach = 16.0 * pixel;
    let here = |at: [f64; 2], on: i8| on == level && distance(at, place) <= reach;
    let issues = state.issues().iter().filter(|issue| here(issue.place, issue.level)).take(MOST);
    found.extend(issues.map(|issue| Fact::new("Issue", issue.message.clone())));
    let radius = f64::from(state.class().radius);
    let walkable_mesh = found.iter().any(|fact| fact.about == "Polygon");
    // By voxels the column under the place says it.
    if !walkable_mesh && state.bake_mode() == Mode::Flat {
        found.push(Fact::reason(why_not(&document, place, level, radius)));
    }
    found
}

/// A point or an edge under the cursor.
fn part(document: &Document, pick: Pick) -> Option<Fact> {
    match pick {
        Pick::Point(id, index) => {
            let area = document.area(id)?;
            let at = *area.points.get(index)?;
            let others: Vec<String> = joined_points(document, at)
                .into_iter()
                .filter(|&point| point != (id, index))
                .filter_map(|(other, _)| document.area(other))
                .map(|other| format!("{}, level {}", other.name, other.level))
                .take(MOST)
                .collect();
            let joined = if others.is_empty() {
                String::new()
            } else {
                format!(", joined with {}", others.join("; "))
            };
            let text = format!("{} of {} at {}{joined}", index + 1, area.name, words::place(at));
            Some(Fact::of("Point", text, pick.item()))
        }
        Pick::Edge(id, index, _) => {
            let area = document.area(id)?;
            let (_, from, to) = edges(&area.points).nth(index)?;
            let angle = (to[1] - from[1]).atan2(to[0] - from[0]).to_degrees().round() + 0.0;
            let next = (index + 1) % area.points.len() + 1;
            let same = |a: [f64; 2], b: [f64; 2]| (a, b) == (from, to) || (a, b) == (to, from);
            let others: Vec<String> = document
                .areas
                .iter()
                .filter(|other| other.id != id && edges(&other.points).any(|(_, a, b)| same(a, b)))
                .map(|other| format!("{}, level {}", other.name, other.level))
                .take(MOST)
                .collect();
            let shared = if others.is_empty() {
                String::new()
            } else {
                format!(", shared with {}", others.join("; "))
            };
            let length = words::number(distance(from, to));
            let text =
                format!("{} to {next} of {}: {length} squares, {angle}°{shared}", index + 1, area.name);
            Some(Fact::of("Edge", text, pick.item()))
        }
        _ => None,
    }
}

fn mesh_facts(state: &mut State, document: &Document, spot: Spot, found: &mut Vec<Fact>) {
    let Spot { at: place, level, .. } = spot;
    let Some(baked) = state.bake.shown.clone() else {
        found.push(Fact::new("Mesh", "not baked yet"));
        return;
    };
    if !state.fresh() {
        found.push(Fact::new("Mesh", "older than the drawing: what follows may have changed"));
    }
    let mesh = &baked.mesh.mesh;
    if document.stacks_floors() {
        return stacked_facts(state, document, mesh, spot, found);
    }
    let near = |level, reach, scratch: &mut PathScratch| {
        closest_nav_point(mesh, place, level, reach, &QueryFilter::default(), scratch).ok().flatten()
    };
    if let Some(on) = near(Some(level), ON_MESH, &mut state.scratch) {
        found.extend(polygon(mesh, &on));
    } else if let Some(off) = near(Some(level), f64::INFINITY, &mut state.scratch) {
        let at = words::place([off.position[0], off.position[2]]);
        found.push(Fact::new("Nearest floor", format!("{} away, at {at}", words::number(off.distance))));
    }
    for other in document.levels.iter().map(|entry| entry.number).filter(|&number| number != level) {
        if let Some(on) = near(Some(other), ON_MESH, &mut state.scratch) {
            let side = if other > level { "Above" } else { "Below" };
            let height = words::number(on.position[1]);
            found.push(Fact::new(side, format!("floor of level {other} at height {height}")));
        }
    }
}

/// The floor that is meant, and those above and below it, where floors of one level can lie over each other.
fn stacked_facts(
    state: &mut State,
    document: &Document,
    mesh: &TiledNavMesh,
    spot: Spot,
    found: &mut Vec<Fact>,
) {
    let (filter, scratch) = (QueryFilter::default(), &mut state.scratch);
    let meant = floor_of(document, mesh, &spot, f64::INFINITY, &filter, scratch).ok().flatten();
    let rise = |floor: &NavPlace| spot.y.map_or(0.0, |y| floor.position[1] - y);
    let here =
        |floor: &NavPlace| floor.distance <= ON_MESH && rise(floor).abs() <= farthest_above(mesh.params());
    let height = meant.map_or_else(|| document.height_of(spot.level), |floor| floor.position[1]);
    match meant {
        Some(floor) if here(&floor) => found.extend(polygon(mesh, &floor)),
        Some(floor) => {
            let [x, y, z] = floor.position;
            let (away, at, height) = (words::number(floor.distance), words::place([x, z]), words::number(y));
            found.push(Fact::new("Nearest floor", format!("{away} away, at {at}, height {height}")));
        }
        None => {}
    }
    let over = floors_over(mesh, spot.at, None, &filter, scratch).unwrap_or_default();
    let others = over.iter().filter(|floor| meant.is_none_or(|meant| meant.polygon != floor.polygon));
    for other in others.take(MOST) {
        let [_, y, _] = other.position;
        let side = if y > height { "Above" } else { "Below" };
        let text = format!("floor of level {} at height {}", other.level, words::number(y));
        found.push(Fact { floor: Some(y), ..Fact::new(side, text) });
    }
}

fn polygon(mesh: &TiledNavMesh, on: &NavPlace) -> Vec<Fact> {
    let Some((tile, index)) = mesh.polygon(on.polygon) else { return Vec::new() };
    let polygon = &tile.polygons[index];
    let islands = islands(mesh, &QueryFilter::default());
    let island = islands.of(on.polygon).map_or_else(String::new, |island| {
        let (of, polygons) = (islands.count(), islands.polygon_count(island));
        format!("{} of {of}, {}", island + 1, many(polygons as usize, "polygon"))
    });
    let corner = |edge: usize| tile.vertices[tile.edge_vertices[edge] as usize];
    let corners: Vec<[f64; 2]> =
        polygon.edges().map(corner).map(|[x, _, z]| [f64::from(x), f64::from(z)]).collect();
    let size = words::number((size(&corners) * 100.0).round() / 100.0);
    let (x, z, layer) = (tile.tile_x, tile.tile_z, tile.layer);
    let place = format!("{index} of tile ({x}, {z}), layer {layer}");
    let text = format!(
        "{place}: {} corners, {size} squares, area type {}, flags {}, height {}",
        polygon.vertex_count,
        polygon.area,
        polygon.flags & 0xFF,
        words::number(on.position[1])
    );
    vec![Fact::new("Polygon", text), Fact::new("Island", island)]
}

/// Why nothing can walk at a place, as the flat bake has it.
fn why_not(document: &Document, place: [f64; 2], level: i8, radius: f64) -> String {
    let inside = |kind: AreaKind| {
        document
            .areas
            .iter()
            .rev()
            .find(|area| area.level == level && area.kind == kind && contains(&area.points, place))
    };
    if inside(AreaKind::Walk).is_none() {
        return match nearest_edge(document, place, level) {
            Some((away, area)) => {
                format!("outside every area of level {level}; {} is {} away", area.name, words::number(away))
            }
            None => format!("outside every area: level {level} has none"),
        };
    }
    if let Some(hole) = inside(AreaKind::Hole) {
        let name = &hole.name;
        return if name.starts_with("hole") {
            format!("inside {name}")
        } else {
            format!("inside the hole \"{name}\"")
        };
    }
    match nearest_wall(document, place, level) {
        Some((away, wall)) if away <= radius => format!(
            "nearer to a wall than the agent's radius: {} from the wall at {}, radius {}",
            words::number(away),
            words::place(wall),
            words::number(radius)
        ),
        Some((away, _)) if radius > 0.0 => format!(
            "no room for an agent of radius {}: the nearest wall of this level is {} away",
            words::number(radius),
            words::number(away)
        ),
        _ => "the bake left it out; see Issues".to_owned(),
    }
}

fn nearest_edge(document: &Document, place: [f64; 2], level: i8) -> Option<(f64, &Area)> {
    let areas = document.areas.iter().filter(|area| area.level == level && area.kind == AreaKind::Walk);
    let away = |area: &Area| {
        let all = edges(&area.points).map(|(_, from, to)| Edge { from, to }.distance(place));
        all.fold(f64::INFINITY, f64::min)
    };
    areas.map(|area| (away(area), &**area)).min_by(|a, b| a.0.total_cmp(&b.0))
}

/// The nearest place on an outline of the level where the floor ends, and how far it is: one side can be walked, the
/// other cannot, and no other level goes on there.
fn nearest_wall(document: &Document, place: [f64; 2], level: i8) -> Option<(f64, [f64; 2])> {
    let walkable = |at: [f64; 2]| {
        let here = |area: &&std::sync::Arc<Area>| area.level == level && contains(&area.points, at);
        let mut holes = document.areas.iter().filter(here).filter(|area| area.kind == AreaKind::Hole);
        let mut floors = document.areas.iter().filter(here).filter(|area| area.kind == AreaKind::Walk);
        floors.next().is_some() && holes.next().is_none()
    };
    let seam = |at: [f64; 2]| {
        let others = document.areas.iter().filter(|area| area.level != level && area.kind == AreaKind::Walk);
        others
            .flat_map(|area| edges(&area.points))
            .any(|(_, from, to)| Edge { from, to }.distance(at) <= BESIDE)
    };
    let areas = document.areas.iter().filter(|area| area.level == level);
    let mut places: Vec<(f64, [f64; 2], [f64; 2])> = areas
        .flat_map(|area| edges(&area.points).map(|(_, from, to)| (from, to)).collect::<Vec<_>>())
        .filter(|(from, to)| from != to)
        .map(|(from, to)| {
            let on = nearest_on_segment(from, to, place);
            let length = distance(from, to);
            let across = [-(to[1] - from[1]) / length, (to[0] - from[0]) / length];
            (distance(on, place), on, across)
        })
        .collect();
    places.sort_by(|a, b| a.0.total_cmp(&b.0));
    let ends = |&(_, on, across): &(f64, [f64; 2], [f64; 2])| {
        let side = |sign: f64| walkable([0, 1].map(|axis| on[axis] + sign * BESIDE * across[axis]));
        side(1.0) != side(-1.0) && !seam(on)
    };
    places.into_iter().find(ends).map(|(away, on, _)| (away, on))
}
