//! The link that an island's note offers: near in space, as an agent jumps or drops, onto the largest part.

use std::collections::BTreeSet;

use navwright::bake::{BakeOptions, Diagnostic, DiagnosticKind, bake_mesh, bake_voxel_mesh};
use navwright::format::{NavMesh, PolyRef, TiledNavMesh};
use navwright::project::fix::{Fix, FixAct, FixContext, IslandMemory, advice, fixes};
use navwright::project::{
    self, Command, Document, Link, LinkId, Spot, floor_of, floors_over, load_geometry, open_text, voxel_input,
};
use navwright::query::{Islands, PathScratch, QueryFilter, islands};

use crate::project::{after, link};
use crate::support::shared;

const FLOOR: &str = "nav walk 0 0 0 20 0 20 20 0 20\n";

fn square(level: i8, [x0, z0, x1, z1]: [f64; 4]) -> String {
    format!("nav walk {level} {x0} {z0} {x1} {z0} {x1} {z1} {x0} {z1}\n")
}

/// A map whose levels are 3 apart, for an agent of height 2 and climb 0.5; its drawing alone is baked.
fn flat(document: &Document) -> (NavMesh, Vec<Diagnostic>) {
    let settings = document.bake_settings(&document.classes[0]);
    let (mesh, report) = bake_mesh(&document.flat_input(), &settings, &BakeOptions::default()).unwrap();
    (mesh, report.diagnostics)
}

fn notes(found: &[Diagnostic]) -> Vec<&Diagnostic> {
    found.iter().filter(|found| found.kind == DiagnosticKind::Island).collect()
}

fn offered(document: &Document, mesh: &NavMesh, note: &Diagnostic) -> Option<(Fix, Link)> {
    let context = FixContext { document, class: &document.classes[0], mesh: Some(&mesh.mesh) };
    let fix = fixes(&context, note).into_iter().find(|fix| fix.name.starts_with("Add a link"))?;
    let FixAct::Change(Command::AddLinks(links)) = &fix.act else { panic!("{fix:?}") };
    let link = links[0].clone();
    Some((fix, link))
}

/// The floor that an end means, and its height.
fn floor(document: &Document, mesh: &TiledNavMesh, spot: &Spot) -> (PolyRef, f64) {
    let (filter, mut scratch) = (QueryFilter::default(), PathScratch::default());
    let found = floor_of(document, mesh, spot, 0.5, &filter, &mut scratch).unwrap().unwrap();
    (found.polygon, found.position[1])
}

fn all(mesh: &TiledNavMesh) -> Islands {
    islands(mesh, &QueryFilter::default())
}

/// How far it leads on the plan, and upwards, after a look that its ends stand where they say.
fn measured(document: &Document, mesh: &NavMesh, link: &Link) -> (f64, f64) {
    let run = (link.start[0] - link.end[0]).hypot(link.start[1] - link.end[1]);
    let [start, end] = [link.start_spot(), link.end_spot()].map(|spot| floor(document, &mesh.mesh, &spot));
    (run, end.1 - start.1)
}

/// The map, which note is asked of by the island's x, and what comes of it: whether it leads both ways, the gap between
/// the floors, and the rise from start to end; or nothing.
type Case = (&'static str, String, f64, Option<(bool, f64, f64)>);

fn cases() -> Vec<Case> {
    let islet = |level, square_of| format!("{FLOOR}{}", square(level, square_of));
    vec![
        ("a gap of 2", islet(0, [22.0, 5.0, 26.0, 9.0]), 24.0, Some((true, 2.0, 0.0))),
        ("a gap of twice the height", islet(0, [23.9, 5.0, 26.0, 9.0]), 24.95, Some((true, 3.9, 0.0))),
        ("a gap too wide to jump", islet(0, [24.1, 5.0, 26.0, 9.0]), 25.05, None),
        // 3 higher is more than the climb: down only, from the upper floor.
        ("a ledge", islet(1, [22.0, 5.0, 26.0, 9.0]), 24.0, Some((false, 2.0, -3.0))),
        // The largest part lies above.
        (
            "a pit",
            format!("{}{}", square(1, [0.0, 0.0, 20.0, 20.0]), square(0, [22.0, 5.0, 26.0, 9.0])),
            24.0,
            Some((false, 2.0, -3.0)),
        ),
        // 6 down is too deep, however near it is on the plan.
        ("a tower", islet(2, [20.5, 5.0, 26.0, 9.0]), 23.25, None),
        // Over the floor: two cells of 0.25 ahead of the rim, so as not to fall through its own floor.
        ("a gallery", islet(1, [5.0, 5.0, 9.0, 9.0]), 7.0, Some((false, 0.5, -3.0))),
        // The floor fills the hole below but for 0.4 all round: nowhere to land within it, and beyond it the floor is.
        (
            "a nearer island that is not the largest",
            format!("{FLOOR}{}{}", square(0, [23.0, 0.0, 30.0, 9.0]), square(0, [20.5, 12.0, 21.5, 13.0])),
            26.5,
            Some((true, 3.0, 0.0)),
        ),
        (
            "an island that only another one is near",
            format!("{FLOOR}{}{}", square(0, [23.0, 0.0, 30.0, 9.0]), square(0, [30.5, 2.0, 31.5, 3.0])),
            31.0,
            None,
        ),
    ]
}

#[test]
fn the_link_leads_over_the_narrowest_gap_that_an_agent_takes() {
    for (name, map, x, wanted) in cases() {
        let document = open_text(&map, "map").unwrap().document;
        let (mesh, found) = flat(&document);
        let note = notes(&found).into_iter().find(|note| (note.place[0] - x).abs() < 0.1);
        let note = note.unwrap_or_else(|| panic!("{name}: {found:#?}"));
        let Some((both_ways, gap, rise)) = wanted else {
            assert_eq!(offered(&document, &mesh, note).map(|(_, link)| link), None, "{name}");
            continue;
        };
        let (fix, link) = offered(&document, &mesh, note).unwrap_or_else(|| panic!("{name}: none"));
        assert_eq!(link.bidirectional, both_ways, "{name}: {link:?}");
        assert_eq!(fix.name, if both_ways { "Add a link" } else { "Add a link down" }, "{name}");
        let (run, risen) = measured(&document, &mesh, &link);
        // Each end stands up to 0.3 inside its floor, and the nearest places of two floors face each other.
        assert!(gap - 1e-6 <= run && run <= gap + 0.65, "{name}: {run} of {gap}, {link:?}");
        assert!((risen - rise).abs() < 1e-6, "{name}: {risen}, {link:?}");
        joins(name, &document, note, &link);
    }
}

/// The same islands: where no link is offered it is said how they lie to the largest part.
#[test]
fn where_no_link_is_offered_it_is_said_why() {
    let said = [
        ("a gap too wide to jump", "gap 4.1 wide"),
        ("a tower", "gap 0.5 wide, step 6 up"),
        ("an island that only another one is near", "gap 10.5 wide"),
    ];
    let mut memory = IslandMemory::default();
    for (name, map, x, wanted) in cases() {
        let document = open_text(&map, "map").unwrap().document;
        let (mesh, found) = flat(&document);
        let note = notes(&found).into_iter().find(|note| (note.place[0] - x).abs() < 0.1).unwrap();
        let context = FixContext { document: &document, class: &document.classes[0], mesh: Some(&mesh.mesh) };
        let advice = advice(&context, note, &mut memory);
        let why = said.iter().find(|(of, _)| *of == name).map(|(_, why)| *why);
        assert_eq!(why.is_some(), wanted.is_none(), "{name}");
        let why = why.map(|why| format!("no link an agent can take: nearest {why}"));
        assert_eq!(advice.remark, why, "{name}");
        // What is kept of one mesh is nothing for another.
        assert_eq!(advice.fixes.len(), fixes(&context, note).len(), "{name}");
    }
}

/// With the link the island and the largest part are one, and the note is gone.
fn joins(name: &str, document: &Document, note: &Diagnostic, link: &Link) {
    let joined = after(document, [Command::AddLinks(vec![link.clone()])]);
    let (mesh, found) = flat(&joined);
    let left = found.iter().find(|found| found.kind == note.kind && found.place == note.place);
    assert_eq!(left, None, "{name}");
    let ends = [link.start_spot(), link.end_spot()].map(|spot| floor(&joined, &mesh.mesh, &spot).0);
    let all = all(&mesh.mesh);
    assert_eq!(all.of(ends[0]), all.of(ends[1]), "{name}");
    let main = floor(&joined, &mesh.mesh, &Spot { at: [10.0, 10.0], level: note_level(document), y: None }).0;
    assert_eq!(all.of(ends[0]), all.of(main), "{name}: not to the largest part");
}

/// The level of the map's largest floor, which is drawn first.
fn note_level(document: &Document) -> i8 {
    document.areas[0].level
}

/// A tower whose foot stands nearer on the plan belongs to the largest part too, and is not jumped up.
#[test]
fn a_wall_that_is_near_on_the_plan_alone_is_not_jumped_up() {
    let map = format!("{FLOOR}{}{}", square(4, [20.5, 0.0, 22.8, 20.0]), square(0, [23.0, 5.0, 27.0, 9.0]));
    let document = open_text(&map, "map").unwrap().document;
    let mut lift = Link { bidirectional: true, ..link(9) };
    lift = lift.starting_at(Spot { at: [19.0, 15.0], level: 0, y: None });
    lift = lift.ending_at(Spot { at: [21.5, 15.0], level: 4, y: None });
    let document = after(&document, [Command::AddLinks(vec![lift])]);
    let (mesh, found) = flat(&document);
    let (_, link) = offered(&document, &mesh, notes(&found)[0]).unwrap();
    let (run, rise) = measured(&document, &mesh, &link);
    assert!(link.bidirectional && rise.abs() < 1e-6 && (3.0..3.65).contains(&run), "{run} {rise} {link:?}");
}

/// Corners of a mesh's polygons, in the world, by island.
fn corners(mesh: &TiledNavMesh, all: &Islands) -> Vec<Vec<[f64; 3]>> {
    let mut found = vec![Vec::new(); all.count()];
    for (reference, tile) in mesh.tiles() {
        for (index, polygon) in (0..).zip(&tile.polygons) {
            let Some(island) = all.of(reference.polygon(index)) else { continue };
            let corner = |&vertex: &u32| tile.point_in_world(mesh.params(), tile.vertices[vertex as usize]);
            found[island as usize].extend(tile.edge_vertices[polygon.edges()].iter().map(corner));
        }
    }
    found
}

/// Every island of a real map: what is offered is a jump or a drop that joins it to the largest part, and where two
/// corners lie near enough to be jumped over, one at least as short is offered.
#[test]
fn every_link_on_nav_test_is_a_jump_or_a_drop_that_joins_the_largest_part() {
    let Some(file) = shared("data/recast/nav_test.obj") else { return };
    let document = project::open(&file).unwrap().document;
    let meshes = load_geometry(&document, file.parent().unwrap()).unwrap().meshes;
    let bake = |document: &Document| {
        let settings = document.bake_settings(&document.classes[0]);
        let (input, _) = voxel_input(document, &settings, meshes.clone()).unwrap();
        let (mesh, report) = bake_voxel_mesh(&input, &settings, &BakeOptions::default()).unwrap();
        (mesh, report.diagnostics)
    };
    let (mesh, found) = bake(&document);
    let all = all(&mesh.mesh);
    let corners = corners(&mesh.mesh, &all);
    // The largest is the ground.
    let main = floor(&document, &mesh.mesh, &Spot { at: [-20.0, -20.0], level: 0, y: Some(-2.2) }).0;
    let main = all.of(main).unwrap();
    let (climb, reach) = (0.5, 4.0);
    let (mut links, mut joined) = (Vec::new(), BTreeSet::new());
    for (reference, tile) in mesh.mesh.tiles() {
        for (index, polygon) in (0..).zip(&tile.polygons) {
            let Some(island) = all.of(reference.polygon(index)).filter(|&island| island != main) else {
                continue;
            };
            let ring: Vec<[f64; 3]> = tile.edge_vertices[polygon.edges()]
                .iter()
                .map(|&vertex| tile.point_in_world(mesh.mesh.params(), tile.vertices[vertex as usize]))
                .collect();
            let place = [0, 2].map(|k| ring.iter().map(|corner| corner[k]).sum::<f64>() / ring.len() as f64);
            let (filter, mut scratch) = (QueryFilter::default(), PathScratch::default());
            let over = floors_over(&mesh.mesh, place, Some(0), &filter, &mut scratch).unwrap();
            let others: BTreeSet<u32> = over.iter().filter_map(|floor| all.of(floor.polygon)).collect();
            if others.iter().any(|&other| other != island && other != main) || joined.contains(&island) {
                continue; // Which of them is meant is not said by the place.
            }
            let note = Diagnostic { place, ..notes(&found)[0].clone() };
            let gaps = corners[island as usize].iter().flat_map(|a| {
                corners[main as usize]
                    .iter()
                    .filter(|b| (a[1] - b[1]).abs() < climb - 0.3)
                    .map(move |b| (a[0] - b[0]).hypot(a[2] - b[2]))
            });
            let least = gaps.fold(f64::INFINITY, f64::min);
            let Some((_, link)) = offered(&document, &mesh, &note) else {
                assert!(least > reach, "island {island}: {least} and no link");
                continue;
            };
            let (run, rise) = measured(&document, &mesh, &link);
            assert!(run <= reach + 0.65, "{run} {link:?}");
            let allowed = if link.bidirectional { -climb..=climb } else { -reach - 0.7..=-climb + 0.3 };
            assert!(allowed.contains(&rise), "{rise} {link:?}");
            if link.bidirectional {
                assert!(run <= least + 0.65, "{run} for {least}: {link:?}");
            }
            let ends = [link.start_spot(), link.end_spot()];
            let ends = ends.map(|spot| all.of(floor(&document, &mesh.mesh, &spot).0).unwrap());
            assert_eq!(BTreeSet::from(ends), BTreeSet::from([island, main]), "{link:?}");
            joined.insert(island);
            links.push(Link { id: LinkId(links.len() as u64 + 1), user_id: links.len() as u32 + 1, ..link });
        }
    }
    assert!(links.len() > 3, "{links:?}");
    let number = links.len();
    let (mesh, _) = bake(&after(&document, [Command::AddLinks(links)]));
    assert_eq!(self::all(&mesh.mesh).count(), all.count() - number);
}
