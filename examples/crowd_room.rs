//! A crowd leaves a room through one door: bakes the room, fills it with agents, and prints how many are out.
//!
//! ```sh
//! cargo run --release --no-default-features --example crowd_room -- 200
//! ```
#![allow(clippy::print_stdout, reason = "an example shows what it found")]

use std::error::Error;

use navwright::bake::{AreaKind, BakeOptions, FlatArea, FlatInput, Surface, bake_mesh};
use navwright::crowd::{AgentParams, AgentState, AgentTarget, Crowd, CrowdSettings};
use navwright::format::NavSettings;

fn area(id: u64, x: [f64; 2], z: [f64; 2]) -> FlatArea {
    FlatArea {
        id,
        name: String::new(),
        kind: AreaKind::Walk,
        level: 0,
        outline: vec![[x[0], z[0]], [x[1], z[0]], [x[1], z[1]], [x[0], z[1]]],
        area_type: None,
        flags: None,
        surface: Surface::Level,
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let count: u32 = std::env::args().nth(1).map_or(Ok(100), |text| text.parse())?;
    // A room of 30 by 30, a door 3 wide, and a hall behind it.
    let areas = vec![
        area(1, [0.0, 30.0], [0.0, 30.0]),
        area(2, [30.0, 31.0], [13.5, 16.5]),
        area(3, [31.0, 60.0], [0.0, 30.0]),
    ];
    let input = FlatInput { areas, ..FlatInput::default() };
    // The mesh keeps the agents' radius from the walls, so the crowd need not.
    let settings = NavSettings { tile_size: 16.0, agent_radius: 0.4, ..NavSettings::default() };
    let mesh = bake_mesh(&input, &settings, &BakeOptions::default())?.0.mesh;

    let mut crowd = Crowd::new(CrowdSettings::default())?;
    let params = AgentParams { radius: 0.4, ..AgentParams::default() };
    for k in 0..count {
        let row = f64::from(k / 25);
        let at = [1.0 + f64::from(k % 25) * 1.1, 1.0 + row * 1.1];
        let id = crowd.add_agent(&mesh, params, at, None)?;
        let position = [34.0 + f64::from(k % 20) * 1.2, 2.0 + f64::from(k / 20) * 1.2];
        crowd.set_target(id, AgentTarget::Place { position, level: None })?;
    }
    for second in 1..=120 {
        // A game calls this with the time since its last frame; the crowd makes fixed steps of it.
        for _ in 0..60 {
            crowd.advance(&mesh, 1.0 / 60.0);
        }
        let out = crowd.agents().filter(|(_, agent)| agent.position()[0] > 31.0).count();
        let there = crowd.agents().filter(|(_, agent)| agent.state() == AgentState::Arrived).count();
        if second % 5 == 0 {
            println!("{second:>4} s: {out} of {count} are out, {there} stand where they wanted to");
        }
        if there == count as usize {
            println!("all there after {second} s; digest {:016x}", crowd.state_digest());
            break;
        }
    }
    Ok(())
}
