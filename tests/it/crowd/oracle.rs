//! Velocities against the crate `dodgy_2d`: two or three agents on a wide floor, one step.

use std::borrow::Cow;

use dodgy_2d::{AvoidanceOptions, Vec2};
use navwright::crowd::{AgentParams, AgentTarget, Crowd, CrowdSettings};

use crate::support::Random;

/// Whether two agents that keep their velocities come nearer than both radii within 2 seconds.
fn collide(offset: [f64; 2], relative: [f64; 2]) -> bool {
    (0..=2000).any(|k| {
        let t = f64::from(k) / 1000.0;
        (offset[0] + relative[0] * t).hypot(offset[1] + relative[1] * t) < 1.0
    })
}

/// Where an agent is, its velocity and the one it wants.
type Moving = ([f64; 2], [f64; 2], [f64; 2]);

#[test]
fn on_collision_courses_a_step_has_the_velocities_of_dodgy_2d() {
    let mesh = super::floor(&[[0.0, 200.0, 0.0, 200.0]], &[]);
    let mut random = Random(3);
    let (mut compared, mut changed) = (0, 0);
    for case in 0..4000 {
        let settings = CrowdSettings { step_secs: 0.1, avoid_secs: 2.0, ..CrowdSettings::default() };
        let mut crowd = Crowd::new(settings).unwrap();
        // So quick to speed up that nothing but avoidance counts.
        let params = AgentParams { max_acceleration: 1e4, max_speed: 3.0, ..AgentParams::default() };
        let mut agents = Vec::new();
        for _ in 0..2 + case % 2 {
            let at = [100.0 + random.unit() * 6.0, 100.0 + random.unit() * 6.0];
            let [wish, velocity] =
                [(); 2].map(|()| [(random.unit() - 0.5) * 4.0, (random.unit() - 0.5) * 4.0]);
            agents.push((at, velocity, wish));
        }
        // Off a collision course the crate lets each agent use all of the room, and the paper half of it; agents that
        // overlap are pushed apart too.
        let minus = |a: [f64; 2], b: [f64; 2]| [a[0] - b[0], a[1] - b[1]];
        let pairs = agents.iter().enumerate().flat_map(|(k, a)| agents[..k].iter().map(move |b| (a, b)));
        let fit = |(a, b): (&Moving, &Moving)| {
            let offset = minus(b.0, a.0);
            (1.05..6.5).contains(&offset[0].hypot(offset[1])) && collide(offset, minus(b.1, a.1))
        };
        if !pairs.into_iter().all(fit) {
            continue;
        }
        compared += 1;
        let mut ids = Vec::new();
        for (at, velocity, wish) in &agents {
            let id = crowd.add_agent(&mesh, params, *at, None).unwrap();
            crowd.set_target(id, AgentTarget::Velocity(*wish)).unwrap();
            crowd.set_velocity(id, *velocity).unwrap();
            ids.push(id);
        }
        crowd.step(&mesh);
        let vec = |v: [f64; 2]| Vec2::new(v[0] as f32, v[1] as f32);
        let theirs = |(at, velocity, _): &Moving| dodgy_2d::Agent {
            position: vec(minus(*at, [100.0; 2])),
            velocity: vec(*velocity),
            radius: 0.5,
            avoidance_responsibility: 1.0,
        };
        for (k, agent) in agents.iter().enumerate() {
            let others = agents.iter().enumerate().filter(|(other, _)| *other != k);
            // The nearest first, as ours are: where not all can be kept, the order counts.
            let mut others: Vec<_> = others.map(|(_, other)| theirs(other)).collect();
            let own = theirs(agent);
            others.sort_by(|a, b| {
                a.position.distance(own.position).total_cmp(&b.position.distance(own.position))
            });
            let others: Vec<_> = others.into_iter().map(Cow::Owned).collect();
            let options =
                AvoidanceOptions { obstacle_margin: 0.0, time_horizon: 2.0, obstacle_time_horizon: 0.1 };
            let right = own.compute_avoiding_velocity(&others, &[], vec(agent.2), 3.0, 0.1, &options);
            let ours = crowd.agent(ids[k]).unwrap().velocity();
            let off = minus(ours, [right.x.into(), right.y.into()]);
            assert!(off[0].hypot(off[1]) < 2e-3, "case {case}: {ours:?} instead of {right:?}");
            let change = minus(ours, agent.2);
            changed += u32::from(change[0].hypot(change[1]) > 1e-3);
        }
    }
    assert!(compared > 100 && changed > 100, "{compared}, {changed}");
}
