//! Crowds: agents on meshes built by hand, and on a real map.

mod oracle;

use navwright::bake::{AreaKind, BakeOptions, FlatArea, FlatInput, Surface, bake_mesh};
use navwright::crowd::{
    AgentId, AgentParams, AgentState, AgentTarget, Crowd, CrowdError, CrowdSettings, WorldCrowd,
};
use navwright::format::{AuthoredLink, NavMesh, NavSettings, NavWorld, TilePosition, TiledNavMesh};
use navwright::query::{PathScratch, QueryFilter, closest_nav_point, random_point};

use crate::counting::allocations_of;

fn area(id: u64, level: i8, kind: AreaKind, x: [f64; 2], z: [f64; 2]) -> FlatArea {
    FlatArea {
        id,
        name: String::new(),
        kind,
        level,
        outline: vec![[x[0], z[0]], [x[1], z[0]], [x[1], z[1]], [x[0], z[1]]],
        area_type: None,
        flags: None,
        surface: Surface::Level,
    }
}

/// Rectangles to walk on (x from, x to, z from, z to), less some.
fn bake(walks: &[[f64; 4]], holes: &[[f64; 4]], settings: &NavSettings) -> TiledNavMesh {
    let walk = walks.iter().map(|w| (AreaKind::Walk, w));
    let hole = holes.iter().map(|h| (AreaKind::Hole, h));
    let areas = walk.chain(hole).enumerate();
    let areas = areas.map(|(id, (kind, r))| area(id as u64 + 1, 0, kind, [r[0], r[1]], [r[2], r[3]]));
    let input = FlatInput { areas: areas.collect(), ..FlatInput::default() };
    bake_mesh(&input, settings, &BakeOptions::default()).unwrap().0.mesh
}

fn floor(walks: &[[f64; 4]], holes: &[[f64; 4]]) -> TiledNavMesh {
    bake(walks, holes, &NavSettings { tile_size: 16.0, ..NavSettings::default() })
}

fn to(position: [f64; 2]) -> AgentTarget {
    AgentTarget::Place { position, level: None }
}

fn crowd() -> Crowd {
    Crowd::new(CrowdSettings::default()).unwrap()
}

fn add(crowd: &mut Crowd, mesh: &TiledNavMesh, at: [f64; 2], target: AgentTarget) -> AgentId {
    let id = crowd.add_agent(mesh, AgentParams::default(), at, None).unwrap();
    crowd.set_target(id, target).unwrap();
    id
}

/// Steps the crowd, and sees after each step that everybody is on the mesh. Returns the steps until `done`.
fn run(crowd: &mut Crowd, mesh: &TiledNavMesh, most: u32, mut done: impl FnMut(&Crowd) -> bool) -> u32 {
    let (filter, mut scratch) = (QueryFilter::default(), PathScratch::default());
    for step in 0..most {
        if done(crowd) {
            return step;
        }
        crowd.step(mesh);
        for (id, agent) in crowd.agents() {
            if matches!(agent.state(), AgentState::OnLink { .. } | AgentState::OffMesh) {
                continue;
            }
            let [x, _, z] = agent.position();
            let place = closest_nav_point(mesh, [x, z], None, 0.0, &filter, &mut scratch).unwrap();
            assert!(place.is_some(), "{id:?} is off the mesh at {x}, {z} in step {step}");
        }
    }
    panic!(
        "not done after {most} steps: {:?}",
        crowd.agents().map(|(_, a)| (a.state(), a.position())).collect::<Vec<_>>()
    );
}

fn all_are(crowd: &Crowd, state: AgentState) -> bool {
    crowd.agents().all(|(_, agent)| agent.state() == state)
}

fn distance(a: [f64; 3], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[2] - b[1])
}

#[test]
fn alone_an_agent_takes_the_shortest_way_at_full_speed() {
    let mesh = floor(&[[0.0, 60.0, 0.0, 20.0]], &[[20.0, 24.0, 0.0, 16.0]]);
    let mut crowd = crowd();
    let id = add(&mut crowd, &mesh, [2.0, 2.0], to([50.0, 2.0]));
    let steps = run(&mut crowd, &mesh, 1000, |crowd| all_are(crowd, AgentState::Arrived));
    assert!(distance(crowd.agent(id).unwrap().position(), [50.0, 2.0]) <= 1e-3);
    // Over (20, 16) and (24, 16): at 3.5 a second and 30 steps a second, with 0.35 s to speed up and as much to brake.
    let length = 18.0_f64.hypot(14.0) + 4.0 + 26.0_f64.hypot(14.0);
    let least = (length / 3.5 * 30.0) as u32;
    assert!(least <= steps && steps < least + 45, "{steps} steps for {length}");
}

#[test]
fn on_a_free_straight_line_an_agent_keeps_its_speed() {
    let mesh = floor(&[[0.0, 200.0, 0.0, 4.0]], &[]);
    let mut crowd = crowd();
    let id = add(&mut crowd, &mesh, [2.0, 2.0], to([195.0, 2.0]));
    for _ in 0..30 {
        crowd.step(&mesh);
    }
    for _ in 0..1000 {
        let before = crowd.agent(id).unwrap().position();
        crowd.step(&mesh);
        let after = crowd.agent(id).unwrap().position();
        assert!((after[0] - before[0] - 3.5 / 30.0).abs() < 1e-9 && after[2] == 2.0, "{before:?} {after:?}");
    }
}

#[test]
fn two_agents_pass_each_other_without_touching() {
    let mesh = floor(&[[0.0, 40.0, 0.0, 10.0]], &[]);
    let mut crowd = crowd();
    let a = add(&mut crowd, &mesh, [5.0, 5.0], to([35.0, 5.0]));
    let b = add(&mut crowd, &mesh, [35.0, 5.0], to([5.0, 5.0]));
    let mut nearest = f64::INFINITY;
    run(&mut crowd, &mesh, 600, |crowd| {
        let [a, b] = [a, b].map(|id| crowd.agent(id).unwrap().position());
        nearest = nearest.min(distance(a, [b[0], b[2]]));
        all_are(crowd, AgentState::Arrived)
    });
    assert!(nearest > 0.95, "they came as near as {nearest}; both radii are 1");
}

#[test]
fn two_agents_that_meet_where_only_one_fits_get_through() {
    // Known fault 13: the centres may be 0.75 apart at most, across; both radii are 1.
    for length in [8.0, 30.0] {
        let mesh = floor(
            &[[0.0, 8.0, 0.0, 8.0], [8.0, 8.0 + length, 3.6, 4.35], [8.0 + length, 16.0 + length, 0.0, 8.0]],
            &[],
        );
        let mut crowd = crowd();
        let ends = ([2.0, 4.0], [14.0 + length, 4.0]);
        let a = add(&mut crowd, &mesh, ends.0, to(ends.1));
        let b = add(&mut crowd, &mesh, ends.1, to(ends.0));
        run(&mut crowd, &mesh, 1800, |crowd| all_are(crowd, AgentState::Arrived));
        assert!(distance(crowd.agent(a).unwrap().position(), ends.1) < 1.0);
        assert!(distance(crowd.agent(b).unwrap().position(), ends.0) < 1.0);
    }
}

#[test]
fn a_target_under_a_ledge_is_not_slid_towards() {
    // A deck of level 1 over floor of level 0, not joined: known fault 13.
    let areas = vec![
        area(1, 0, AreaKind::Walk, [0.0, 20.0], [0.0, 20.0]),
        area(2, 1, AreaKind::Walk, [5.0, 15.0], [5.0, 15.0]),
    ];
    let input = FlatInput { areas, ..FlatInput::default() };
    let settings = NavSettings { tile_size: 32.0, ..NavSettings::default() };
    let mesh = bake_mesh(&input, &settings, &BakeOptions::default()).unwrap().0.mesh;
    let mut crowd = crowd();
    let id = crowd.add_agent(&mesh, AgentParams::default(), [10.0, 10.0], Some(1)).unwrap();
    crowd.set_target(id, AgentTarget::Place { position: [10.0, 2.0], level: Some(0) }).unwrap();
    run(&mut crowd, &mesh, 300, |crowd| all_are(crowd, AgentState::ArrivedShort));
    let rest = crowd.agent(id).unwrap().position();
    assert!(distance(rest, [10.0, 5.0]) < 1e-2 && rest[1] == 3.0, "{rest:?}");
    for _ in 0..100 {
        crowd.step(&mesh);
    }
    assert_eq!(crowd.agent(id).unwrap().position(), rest);
}

#[test]
fn a_long_pause_scatters_nobody() {
    // Known fault 14: 100 standing agents, 5 seconds at once.
    let mesh = floor(&[[0.0, 40.0, 0.0, 40.0]], &[]);
    let mut crowd = crowd();
    for k in 0..100 {
        let at = [f64::from(k % 10) * 1.5 + 5.0, f64::from(k / 10) * 1.5 + 5.0];
        add(&mut crowd, &mesh, at, AgentTarget::Nothing);
    }
    let before: Vec<_> = crowd.agents().map(|(_, agent)| agent.position()).collect();
    assert_eq!(crowd.advance(&mesh, 5.0), CrowdSettings::default().max_steps);
    let after: Vec<_> = crowd.agents().map(|(_, agent)| agent.position()).collect();
    assert_eq!(before, after);
    assert_eq!(crowd.advance(&mesh, f64::NAN), 0);
    assert_eq!(crowd.advance(&mesh, -1.0), 0);
}

#[test]
fn frames_of_any_length_give_the_same_walk() {
    let mesh = floor(&[[0.0, 40.0, 0.0, 40.0]], &[[10.0, 30.0, 15.0, 25.0]]);
    let digest = |frames: &[f64]| {
        let mut crowd = Crowd::new(CrowdSettings { max_steps: 60, ..CrowdSettings::default() }).unwrap();
        for k in 0..12 {
            let at = [f64::from(k) * 3.0 + 2.0, 5.0];
            add(&mut crowd, &mesh, at, to([38.0 - at[0], 35.0]));
        }
        let steps: u32 = frames.iter().map(|frame| crowd.advance(&mesh, *frame)).sum();
        assert_eq!(steps, 240);
        crowd.state_digest()
    };
    let whole = digest(&[1.0; 8]);
    assert_eq!(whole, digest(&[1.0 / 30.0; 240]));
    assert_eq!(whole, digest(&[1.0 / 120.0; 960]));
    assert_eq!(whole, digest(&[0.5, 1.5, 0.1, 0.9, 1.9, 1.1, 0.7, 1.3]));
}

/// A room with pillars, and agents who all cross it.
fn busy(mesh: &TiledNavMesh, settings: CrowdSettings, count: u32) -> Crowd {
    let mut crowd = Crowd::new(settings).unwrap();
    let (filter, mut scratch) = (QueryFilter::default(), PathScratch::default());
    for k in 0..count {
        let [from, goal] = [2 * k, 2 * k + 1].map(|seed| {
            let place = random_point(mesh, seed.into(), &filter, &mut scratch).unwrap();
            [place.position[0], place.position[2]]
        });
        let params = AgentParams { separation: 0.3, priority: (k % 3) as u8, ..AgentParams::default() };
        let id = crowd.add_agent(mesh, params, from, None).unwrap();
        crowd.set_target(id, to(goal)).unwrap();
    }
    crowd
}

#[test]
fn threads_and_replays_change_nothing_to_the_bit() {
    let mesh = floor(&[[0.0, 60.0, 0.0, 60.0]], &[[20.0, 25.0, 10.0, 50.0], [35.0, 40.0, 0.0, 45.0]]);
    let mut one = busy(&mesh, CrowdSettings::default(), 150);
    one.start_record();
    let mut digests = Vec::new();
    for step in 0..200 {
        one.step(&mesh);
        if step == 50 {
            let id = one.agents().nth(7).unwrap().0;
            one.set_target(id, AgentTarget::Velocity([1.0, 0.5])).unwrap();
        }
        if step == 80 {
            let id = one.agents().nth(3).unwrap().0;
            one.remove_agent(id).unwrap();
            add(&mut one, &mesh, [3.0, 3.0], to([50.0, 50.0]));
        }
        digests.push(one.state_digest());
    }
    let record = one.take_record().unwrap();
    let again = record.replay(|_| &mesh).unwrap();
    assert_eq!(again.state_digest(), one.state_digest());
    for threads in [1, 2, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let settings = CrowdSettings { parallel: true, ..CrowdSettings::default() };
        let mut crowd = busy(&mesh, settings, 150);
        for digest in &digests[..50] {
            pool.install(|| crowd.step(&mesh));
            assert_eq!(crowd.state_digest(), *digest, "{threads} threads");
        }
    }
}

#[test]
fn everybody_in_a_busy_room_arrives_and_hardly_anybody_is_walked_into() {
    let mesh = floor(&[[0.0, 60.0, 0.0, 60.0]], &[[20.0, 25.0, 10.0, 50.0], [35.0, 40.0, 0.0, 45.0]]);
    let mut crowd = busy(&mesh, CrowdSettings::default(), 100);
    let (mut pairs, mut deep) = (0_u64, 0_u64);
    run(&mut crowd, &mesh, 3000, |crowd| {
        let agents: Vec<_> = crowd.agents().map(|(_, agent)| agent.position()).collect();
        for (k, a) in agents.iter().enumerate() {
            for b in &agents[..k] {
                let gap = distance(*a, [b[0], b[2]]);
                pairs += u64::from(gap < 2.0);
                deep += u64::from(gap < 0.7);
            }
        }
        all_are(crowd, AgentState::Arrived)
    });
    assert!(deep * 20 < pairs, "{deep} of {pairs} near pairs overlap by a third and more");
}

#[test]
fn a_link_is_crossed_with_progress() {
    let links = vec![AuthoredLink {
        start: [9.0, 0.0, 5.0],
        end: [14.0, 0.0, 5.0],
        radius: 0.5,
        bidirectional: false,
        area: 0,
        flags: 1,
        user_id: 42,
    }];
    let settings = NavSettings { tile_size: 32.0, links, ..NavSettings::default() };
    let mesh = bake(&[[0.0, 10.0, 0.0, 10.0], [13.0, 23.0, 0.0, 10.0]], &[], &settings);
    let mut crowd = crowd();
    let id = add(&mut crowd, &mesh, [2.0, 2.0], to([20.0, 8.0]));
    let mut seen = Vec::new();
    run(&mut crowd, &mesh, 600, |crowd| {
        let agent = crowd.agent(id).unwrap();
        if let AgentState::OnLink { user_id, progress } = agent.state() {
            assert_eq!(user_id, 42);
            seen.push((progress, agent.position()[0]));
        }
        agent.state() == AgentState::Arrived
    });
    // 5 units at 3.5 a second and 30 steps a second: 43 steps.
    assert!((40..46).contains(&seen.len()), "{}", seen.len());
    assert!(seen.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1));
    assert!((9.0..=14.0).contains(&seen[10].1));
    // And not back.
    crowd.set_target(id, to([2.0, 2.0])).unwrap();
    run(&mut crowd, &mesh, 600, |crowd| all_are(crowd, AgentState::ArrivedShort));
}

#[test]
fn tiles_that_go_and_come_back_stop_nobody_for_good() {
    let mut mesh = floor(&[[0.0, 64.0, 0.0, 12.0]], &[]);
    let middle = TilePosition { tile_x: 2, tile_z: 0, layer: 0 };
    let mut crowd = crowd();
    let walker = add(&mut crowd, &mesh, [4.0, 6.0], to([60.0, 6.0]));
    let stander = add(&mut crowd, &mesh, [40.0, 3.0], AgentTarget::Nothing);
    for _ in 0..30 {
        crowd.step(&mesh);
    }
    let tile = mesh.remove_tile(middle).unwrap();
    run(&mut crowd, &mesh, 600, |crowd| crowd.agent(walker).unwrap().state() == AgentState::ArrivedShort);
    assert!(distance(crowd.agent(walker).unwrap().position(), [32.0, 6.0]) < 1e-2);
    assert_eq!(crowd.agent(stander).unwrap().state(), AgentState::OffMesh);
    assert_eq!(crowd.agent(stander).unwrap().position(), [40.0, 0.0, 3.0]);
    mesh.add_tile(tile).unwrap();
    run(&mut crowd, &mesh, 600, |crowd| crowd.agent(walker).unwrap().state() == AgentState::Arrived);
    assert_eq!(crowd.agent(stander).unwrap().state(), AgentState::Idle);
}

#[test]
fn the_lesser_agent_gives_way_alone() {
    let mesh = floor(&[[0.0, 40.0, 0.0, 20.0]], &[]);
    let mut crowd = crowd();
    let king = AgentParams { priority: 200, ..AgentParams::default() };
    let king = crowd.add_agent(&mesh, king, [5.0, 10.0], None).unwrap();
    crowd.set_target(king, to([35.0, 10.0])).unwrap();
    let other = add(&mut crowd, &mesh, [35.0, 10.01], to([5.0, 10.01]));
    let (mut off, mut strayed) = (0.0_f64, 0.0_f64);
    run(&mut crowd, &mesh, 600, |crowd| {
        off = off.max((crowd.agent(king).unwrap().position()[2] - 10.0).abs());
        strayed = strayed.max((crowd.agent(other).unwrap().position()[2] - 10.01).abs());
        all_are(crowd, AgentState::Arrived)
    });
    assert!(off < 0.05 && strayed > 0.8, "{off} and {strayed}");
}

#[test]
fn classes_walk_side_by_side_and_avoid_one_another() {
    let input = FlatInput {
        areas: vec![area(1, 0, AreaKind::Walk, [0.0, 40.0], [0.0, 12.0])],
        ..FlatInput::default()
    };
    let classes = [0.4_f32, 1.2].map(|agent_radius| {
        let settings = NavSettings { tile_size: 64.0, agent_radius, ..NavSettings::default() };
        let mesh: NavMesh = bake_mesh(&input, &settings, &BakeOptions::default()).unwrap().0;
        mesh
    });
    let world = NavWorld::new(classes.to_vec()).unwrap();
    let mut crowds = WorldCrowd::new(2, CrowdSettings::default()).unwrap();
    let small = crowds.crowd_mut(0).unwrap();
    let params = AgentParams { radius: 0.4, ..AgentParams::default() };
    let a = small.add_agent(&world.classes()[0].mesh, params, [3.0, 6.0], None).unwrap();
    small.set_target(a, to([37.0, 6.0])).unwrap();
    let large = crowds.crowd_mut(1).unwrap();
    let params = AgentParams { radius: 1.2, ..AgentParams::default() };
    let b = large.add_agent(&world.classes()[1].mesh, params, [37.0, 6.0], None).unwrap();
    large.set_target(b, to([3.0, 6.0])).unwrap();
    let mut nearest = f64::INFINITY;
    for _ in 0..500 {
        crowds.step(&world);
        let at = crowds.crowd(0).unwrap().agent(a).unwrap().position();
        let other = crowds.crowd(1).unwrap().agent(b).unwrap().position();
        nearest = nearest.min(distance(at, [other[0], other[2]]));
    }
    assert!(nearest > 1.5, "as near as {nearest}; both radii are 1.6");
    assert_eq!(crowds.crowd(0).unwrap().agent(a).unwrap().state(), AgentState::Arrived);
    assert_eq!(crowds.crowd(1).unwrap().agent(b).unwrap().state(), AgentState::Arrived);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let mesh = floor(&[[0.0, 10.0, 0.0, 10.0]], &[]);
    let mut crowd = crowd();
    let bad = AgentParams { radius: f64::NAN, ..AgentParams::default() };
    let error = crowd.add_agent(&mesh, bad, [5.0, 5.0], None).unwrap_err();
    assert!(error.to_string().contains("agent radius is NaN"), "{error}");
    let bad = AgentParams { filter: 3, ..AgentParams::default() };
    let error = crowd.add_agent(&mesh, bad, [5.0, 5.0], None).unwrap_err();
    assert_eq!(error, CrowdError::NoFilter { filter: 3, count: 1 });
    let error = crowd.add_agent(&mesh, AgentParams::default(), [50.0, 5.0], None).unwrap_err();
    assert!(matches!(error, CrowdError::OffMesh { .. }), "{error}");
    let id = add(&mut crowd, &mesh, [5.0, 5.0], AgentTarget::Nothing);
    assert!(crowd.set_target(id, to([f64::INFINITY, 0.0])).is_err());
    crowd.set_target(id, to([5000.0, 5000.0])).unwrap();
    crowd.step(&mesh);
    assert_eq!(crowd.agent(id).unwrap().state(), AgentState::NoPath);
    crowd.remove_agent(id).unwrap();
    assert_eq!(crowd.remove_agent(id), Err(CrowdError::NoAgent(id)));
    assert!(Crowd::new(CrowdSettings { step_secs: 0.0, ..CrowdSettings::default() }).is_err());
}

#[test]
fn a_warm_crowd_no_longer_grows() {
    let mesh = floor(&[[0.0, 60.0, 0.0, 60.0]], &[[20.0, 25.0, 10.0, 50.0], [35.0, 40.0, 0.0, 45.0]]);
    let mut crowd = busy(&mesh, CrowdSettings::default(), 60);
    let ids: Vec<_> = crowd.agents().map(|(id, _)| id).collect();
    let corners = [[5.0, 5.0], [55.0, 55.0], [5.0, 55.0], [55.0, 5.0]];
    let mut sizes = Vec::new();
    for round in 0..12_usize {
        for (k, id) in ids.iter().enumerate() {
            crowd.set_target(*id, to(corners[(k + round) % 4])).unwrap();
        }
        for _ in 0..100 {
            crowd.step(&mesh);
        }
        sizes.push(crowd.memory_bytes());
    }
    assert!(sizes[11] <= sizes[8] + sizes[8] / 50, "{sizes:?}");
}

#[test]
fn a_warm_crowd_allocates_nothing() {
    let mesh = floor(&[[0.0, 60.0, 0.0, 60.0]], &[[20.0, 25.0, 10.0, 50.0], [35.0, 40.0, 0.0, 45.0]]);
    let mut crowd = busy(&mesh, CrowdSettings::default(), 60);
    let walls = QueryFilter { closed_links: vec![3, 5], ..QueryFilter::default() };
    crowd.set_filter(0, walls).unwrap();
    let ids: Vec<_> = crowd.agents().map(|(id, _)| id).collect();
    let corners = [[5.0, 5.0], [55.0, 55.0], [5.0, 55.0], [55.0, 5.0]];
    // Round and round, also while others are on their way, with paths asked for in all of it.
    let round = |crowd: &mut Crowd, round: usize| {
        for (k, id) in ids.iter().enumerate() {
            crowd.set_target(*id, to(corners[(k + round) % 4])).unwrap();
        }
        for _ in 0..150 {
            crowd.step(&mesh);
        }
    };
    (0..8).for_each(|number| round(&mut crowd, number));
    let allocations = allocations_of(|| (8..12).for_each(|number| round(&mut crowd, number)));
    assert_eq!(allocations, 0, "in 600 steps");
}

#[test]
fn an_agent_that_becomes_faster_gets_on_faster_also_when_played_again() {
    let mesh = floor(&[[0.0, 100.0, 0.0, 10.0]], &[]);
    let mut crowd = crowd();
    let id = add(&mut crowd, &mesh, [5.0, 5.0], to([95.0, 5.0]));
    crowd.start_record();
    let metres_a_second = |crowd: &mut Crowd| {
        (0..30).for_each(|_| crowd.step(&mesh));
        let start = crowd.agent(id).unwrap().position()[0];
        (0..30).for_each(|_| crowd.step(&mesh));
        crowd.agent(id).unwrap().position()[0] - start
    };
    let walk = metres_a_second(&mut crowd);
    assert!((walk - 3.5).abs() < 1e-6, "{walk}");
    crowd.set_params(id, AgentParams { max_speed: 7.0, ..AgentParams::default() }).unwrap();
    let run = metres_a_second(&mut crowd);
    assert!((run - 7.0).abs() < 1e-6, "{run}");
    let bad = AgentParams { max_speed: -1.0, ..AgentParams::default() };
    assert!(matches!(crowd.set_params(id, bad), Err(CrowdError::Params { .. })));
    let again = crowd.take_record().unwrap().replay(|_| &mesh).unwrap();
    assert_eq!(again.state_digest(), crowd.state_digest());
    crowd.remove_agent(id).unwrap();
    assert_eq!(crowd.set_params(id, AgentParams::default()), Err(CrowdError::NoAgent(id)));
}
