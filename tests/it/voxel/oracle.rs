//! Against Recast and Detour on the meshes of `data/recast`, at the settings stated there.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use navwright::bake::{BakeOptions, VoxelInput, bake_voxel_mesh};
use navwright::format::{NavMesh, NavSettings, Partition};
use navwright::interop::obj::import_obj;
use navwright::query::{
    Landmarks, NavPath, PathScratch, PathStatus, QueryFilter, USUAL_LANDMARKS, find_nav_path,
    find_nav_path_into, find_path_between, nearest_in_box,
};
use serde_json::Value;

use super::{area_of, components, input_of, open_portals, polygon_at};
use crate::support::shared;

/// A bake of Recast's: its result file, and ours of the same input at the same settings.
struct Case {
    name: String,
    recast: Value,
    ours: NavMesh,
    failures: Vec<String>,
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn triple(value: &Value) -> [f64; 3] {
    std::array::from_fn(|axis| number(&value[axis]))
}

fn oracle_files() -> Option<(PathBuf, Vec<String>)> {
    let folder = shared("data/recast")?;
    let mut names: Vec<String> = fs::read_dir(folder.join("oracle"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        // The others are no bakes, or the same bake asked with fewer nodes.
        .filter(|name| !name.contains("optimal") && !name.contains("nodes2048") && name != "summary.json")
        .collect();
    names.sort();
    Some((folder, names))
}

/// The settings that a result file states.
fn settings_of(recast: &Value) -> NavSettings {
    let config = &recast["config"];
    let cell_size = number(&config["cell_size"]);
    let (low, high) = (triple(&recast["mesh"]["bounds_min"]), triple(&recast["mesh"]["bounds_max"]));
    let cells = match config["tiled"].as_bool().unwrap() {
        true => number(&config["tile_size_cells"]),
        // One tile around everything.
        false => [0, 2]
            .map(|axis| ((high[axis] - low[axis]) / cell_size).ceil() + 1.0)
            .into_iter()
            .fold(0.0, f64::max),
    };
    let squared = |name: &str| (number(&config[name]) * number(&config[name])) as i32;
    NavSettings {
        origin: low,
        tile_size: f64::from((cells * cell_size) as f32),
        cell_size,
        cell_height: number(&config["cell_height"]),
        partition: match config["partition"].as_str().unwrap() {
            "watershed" => Partition::Watershed,
            "monotone" => Partition::Monotone,
            _ => Partition::Layers,
        },
        min_region_area: squared("region_min_size"),
        merge_region_area: squared("region_merge_size"),
        contour_max_error: number(&config["edge_max_error"]) as f32,
        max_edge_length: number(&config["edge_max_len"]),
        max_verts_per_poly: number(&config["verts_per_poly"]) as u16,
        detail_sample_distance: number(&config["derived"]["detail_sample_dist_wu"]),
        detail_max_error: number(&config["derived"]["detail_sample_max_error_wu"]),
        walkable_climb: number(&config["agent_max_climb"]) as f32,
        agent_radius: number(&config["agent_radius"]) as f32,
        agent_height: number(&config["agent_height"]) as f32,
        agent_max_slope: number(&config["agent_max_slope_deg"]) as f32,
        ..NavSettings::default()
    }
}

fn input_from(folder: &Path, recast: &Value) -> VoxelInput {
    let file = recast["mesh"]["file"].as_str().unwrap();
    let import = import_obj(&fs::read(folder.join(file)).unwrap(), file).unwrap();
    assert_eq!((import.degenerate_faces, import.bad_coordinates), (0, 0), "{file}");
    assert_eq!(import.mesh.triangles.len() as f64, number(&recast["mesh"]["triangles"]), "{file}");
    input_of(vec![import.mesh])
}

impl Case {
    fn new(folder: &Path, name: &str) -> Self {
        let text = fs::read_to_string(folder.join("oracle").join(name)).unwrap();
        let recast: Value = serde_json::from_str(&text).unwrap();
        let (input, settings) = (input_from(folder, &recast), settings_of(&recast));
        let (ours, report) = bake_voxel_mesh(&input, &settings, &BakeOptions::default()).unwrap();
        let mut case = Self { name: name.to_owned(), recast, ours, failures: Vec::new() };
        case.check(super::complaints(&report).is_empty(), || format!("{:?}", report.diagnostics));
        case
    }

    fn check(&mut self, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            self.failures.push(format!("{}: {}", self.name, what()));
        }
    }

    fn check_area(&mut self) {
        let (found, expected) = (area_of(&self.ours), number(&self.recast["navmesh"]["walkable_area_xz_m2"]));
        let off = (found / expected - 1.0).abs();
        self.check(off <= 0.02, || format!("walkable area {found}, Recast's is {expected}"));
    }

    fn check_borders(&mut self) {
        let open = open_portals(&self.ours);
        self.check(open.is_empty(), || format!("{} portals lead nowhere: {:?}", open.len(), open.first()));
    }

    /// Whether the ends of each pair lie on one island, as Detour's flood fill says it: through the same polygons.
    fn reached(&self) -> Vec<bool> {
        let islands = components(&self.ours);
        let island =
            |point: &Value| polygon_at(&self.ours, triple(point)).and_then(|polygon| islands.of(polygon));
        let pairs = self.recast["results"].as_array().unwrap();
        pairs
            .iter()
            .map(|pair| {
                let (start, end) = (island(&pair["start"]), island(&pair["end"]));
                start.is_some() && start == end
            })
            .collect()
    }

    /// Known fault 3: a search for a far target stops half way for want of nodes and says nothing. Detour reaches 171 of
    /// these pairs with 2 048 nodes, 440 with 65 535; here all ends on one island are reached, and no others.
    fn check_that_no_path_stops_half_way(&mut self) {
        let (filter, mut scratch, mut path) =
            (QueryFilter::default(), PathScratch::default(), NavPath::default());
        let islands = components(&self.ours);
        let (mut complete, mut failures) = (0, Vec::new());
        for pair in self.recast["results"].as_array().unwrap() {
            let mut place = |end: &str| {
                let at = triple(&pair[end]);
                nearest_in_box(&self.ours.mesh, at, [2.0, 4.0, 2.0], &filter, &mut scratch).unwrap().unwrap()
            };
            let (start, end) = (place("start"), place("end"));
            find_path_between(&self.ours.mesh, &start, &end, &filter, &mut scratch, &mut path).unwrap();
            let reached = path.status == PathStatus::Complete;
            complete += u32::from(reached);
            let joined = islands.of(start.polygon) == islands.of(end.polygon);
            if path.limit_reached || reached != joined {
                failures.push(format!("{}: pair {}: {:?}", self.name, pair["i"], path.status));
            }
        }
        self.check(complete >= 440, || format!("{complete} pairs reached"));
        self.failures.append(&mut failures);
    }

    /// Known fault 1: over corners of tiles 5 km from the origin Detour's path takes 4 corners and 30.4 m.
    fn check_that_tile_corners_bend_nothing(&mut self) {
        let (start, end) = ([5050.0, 5088.0], [5042.0, 5071.0]);
        let (filter, mut scratch) = (QueryFilter::default(), PathScratch::default());
        let path = find_nav_path(&self.ours.mesh, start, None, end, None, &filter, &mut scratch).unwrap();
        let straight = 8.0_f64.hypot(17.0);
        let right = path.status == PathStatus::Complete && path.length <= straight * 1.02;
        self.check(right, || format!("{} instead of {straight}: {:?}", path.length, path.points));
    }

    fn recast_reached(&self) -> Vec<bool> {
        let pairs = self.recast["results"].as_array().unwrap();
        pairs.iter().map(|pair| pair["reached"].as_bool().unwrap()).collect()
    }
}

#[test]
fn area_and_reachability_are_those_of_recast() {
    let Some((folder, names)) = oracle_files() else { return };
    let mut failures = Vec::new();
    // Per mesh: what the default configurations say of each pair, theirs and ours.
    type Answers = (String, Vec<bool>, Vec<bool>);
    let mut by_mesh: BTreeMap<String, Vec<Answers>> = BTreeMap::new();
    for name in &names {
        let mut case = Case::new(&folder, name);
        case.check_area();
        case.check_borders();
        match name.as_str() {
            "boxes512_ts64_watershed.json" => case.check_that_no_path_stops_half_way(),
            "undulating_ts32_watershed.json" => case.check_that_tile_corners_bend_nothing(),
            _ => {}
        }
        let mesh = case.recast["mesh"]["file"].as_str().unwrap().to_owned();
        if case.recast["config"]["variant"] == "default" {
            let row = (name.clone(), case.recast_reached(), case.reached());
            by_mesh.entry(mesh).or_default().push(row);
        }
        failures.append(&mut case.failures);
    }
    assert_eq!(by_mesh.len(), 4);
    for rows in by_mesh.values() {
        for pair in 0..500 {
            let theirs = rows[0].1[pair];
            if rows.iter().all(|(_, recast, _)| recast[pair] == theirs) {
                let differ = rows.iter().filter(|(_, _, ours)| ours[pair] != theirs);
                failures
                    .extend(differ.map(|(name, ..)| format!("{name}: pair {pair}: Recast says {theirs}")));
            }
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

/// On the meshes without floors above floors, where a place in plan says it all; each as one tile, as Detour had it.
#[test]
fn paths_are_no_longer_than_detours_and_no_shorter_than_can_be() {
    let Some((folder, _)) = oracle_files() else { return };
    for mesh in ["undulating", "boxes512"] {
        let read = |name: String| -> Value {
            serde_json::from_str(&fs::read_to_string(folder.join("oracle").join(name)).unwrap()).unwrap()
        };
        let mut recast = read(format!("{mesh}_ts128_watershed.json"));
        recast["config"]["tiled"] = Value::Bool(false);
        let input = input_from(&folder, &recast);
        let (ours, _) = bake_voxel_mesh(&input, &settings_of(&recast), &BakeOptions::default()).unwrap();
        let (mut ratios, mut scratch) = (Vec::new(), PathScratch::default());
        let mut prepared = PathScratch::default();
        prepared.use_landmarks(Some(Arc::new(Landmarks::find(&ours.mesh, USUAL_LANDMARKS))));
        for pair in read(format!("{mesh}_solo_optimal_lengths.json")).as_array().unwrap() {
            if pair["optimal_len_xz"].is_null() {
                continue;
            }
            let ends = ["start_xz", "end_xz"].map(|end| [0, 1].map(|axis| number(&pair[end][axis])));
            let (detour, optimal) = (number(&pair["detour_len_xz"]), number(&pair["optimal_len_xz"]));
            let filter = QueryFilter::default();
            let path =
                find_nav_path(&ours.mesh, ends[0], None, ends[1], None, &filter, &mut scratch).unwrap();
            assert_eq!(path.status, PathStatus::Complete, "{mesh} pair {}: {}", pair["i"], path.reason);
            // An end off our mesh was moved onto it, which may save that much.
            let moved = path.start_moved + path.end_moved;
            let least = 0.99 * optimal - moved;
            assert!(path.length >= least, "{mesh} pair {}: {} of {optimal}", pair["i"], path.length);
            let (start, end) = ((ends[0], None), (ends[1], None));
            let mut other = NavPath::default();
            find_nav_path_into(&ours.mesh, start, end, &filter, &mut prepared, &mut other).unwrap();
            let off = (other.length - path.length).abs();
            assert!(off <= 1e-9 * path.length, "{mesh} pair {}: {off} off with landmarks", pair["i"]);
            if detour > 1.0 {
                ratios.push(path.length / detour);
            }
        }
        let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
        assert!(ratios.len() > 400, "{mesh}: {} pairs", ratios.len());
        assert!(mean <= 1.02, "{mesh}: {mean} times Detour's length in the mean");
    }
}
