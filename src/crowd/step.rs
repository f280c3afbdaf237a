//! One step of one agent: where it would go, what the others let it, and where it then is.
//!
//! An agent reads the others as they were before the step and changes itself only, so the order of agents, and how
//! many threads they are shared among, changes nothing.

use super::agent::{Agent, AgentState, AgentTarget, Patience};
use super::avoidance::{Lines, Meeting, cross, dot, length, minus, plus, scaled};
use super::neighbors::{Body, Neighbor, NeighborGrid, Neighbors};
use super::settings::CrowdSettings;
use crate::query::{Floor, LinkAhead, NavPlace, QueryFilter};

/// What a step goes by.
pub(super) struct Rules<'a> {
    pub(super) settings: &'a CrowdSettings,
    pub(super) floor: Floor<'a>,
    pub(super) filters: &'a [QueryFilter],
    pub(super) bodies: &'a [Body],
    pub(super) grid: &'a NeighborGrid,
}

/// Seconds between two looks whether an agent gets on, and the part of its speed that counts as progress.
const LOOK_SECS: f64 = 1.0;
const PROGRESS: f64 = 0.1;
/// Seconds for which the lesser of two agents that block each other backs off.
const BACK_SECS: f64 = 1.5;
/// Looks without progress after which agents that block each other squeeze past, and by how much they shrink with
/// each look, to how much at least.
const PATIENT_LOOKS: u32 = 3;
const SHRINK: f64 = 0.2;
const LEAST_SIZE: f64 = 0.3;
/// Seconds with the next corner out of sight after which an agent asks for a new path.
const BLIND_SECS: f64 = 0.25;

impl Rules<'_> {
    /// How far an agent looks for others, from its rim.
    pub(super) fn range(agent: &Agent, settings: &CrowdSettings) -> f64 {
        let params = &agent.params;
        params.radius + (params.max_speed * settings.avoid_secs).max(params.separation)
    }

    pub(super) fn step(&self, agent: &mut Agent, own: usize) {
        if agent.state == AgentState::OffMesh {
            return;
        }
        if let Some(link) = agent.link {
            return self.cross_link(agent, &link);
        }
        let filter = &self.filters[agent.params.filter];
        let reach = Self::range(agent, self.settings) + agent.params.radius;
        let near = self.grid.around(own, reach, self.bodies);
        agent.preferred = self.preferred(agent);
        let wanted = self.wanted(agent, own, &near);
        if wanted == [0.0; 2] && agent.velocity == [0.0; 2] && near.list().is_empty() {
            return self.look(agent, own, &near);
        }
        let velocity = self.free_velocity(agent, own, &near, wanted, filter);
        let step = self.settings.step_secs;
        let push = self.push_apart(agent, own, &near);
        let from = at(agent.position);
        let reach = plus(from, scaled(velocity, step));
        let target = plus(self.no_farther_than_corner(agent, reach), push);
        let straight = agent.corridor.in_sight() && push == [0.0; 2] && aims_at_corner(agent, target);
        let moved = agent.corridor.step_to(&self.floor, target, filter);
        let Some(moved) = moved else { return };
        agent.position = moved.position;
        // What others see is how it really moved; at the corner it still has its speed.
        agent.velocity = if moved.reached {
            velocity
        } else {
            scaled(minus(minus(at(moved.position), from), push), 1.0 / step)
        };
        let corner_near = 2.0 * agent.params.max_speed * step + 1e-3;
        let at_corner = remaining_to_corner(agent) <= corner_near;
        if !(straight && moved.reached) || at_corner {
            agent.corridor.look_ahead(&self.floor, filter, corner_near);
        }
        self.take_link(agent);
        self.look(agent, own, &near);
    }

    /// The velocity that leads along the path at full speed, braking at its end.
    fn preferred(&self, agent: &Agent) -> [f64; 2] {
        let params = &agent.params;
        match agent.target {
            AgentTarget::Nothing => [0.0; 2],
            AgentTarget::Velocity(velocity) => {
                let speed = length(velocity);
                if speed > params.max_speed { scaled(velocity, params.max_speed / speed) } else { velocity }
            }
            AgentTarget::Place { .. } if !agent.walks() => [0.0; 2],
            AgentTarget::Place { .. } => {
                let Some(corner) = agent.corridor.next_corner() else { return [0.0; 2] };
                let ahead = minus(at(corner.position), at(agent.position));
                let (distance, left) = (length(ahead), agent.corridor.remaining());
                if distance == 0.0 {
                    return [0.0; 2];
                }
                let braking = (2.0 * params.max_acceleration * left).sqrt() * 0.8;
                let last = left / self.settings.step_secs;
                scaled(ahead, params.max_speed.min(braking).min(last) / distance)
            }
        }
    }

    /// The preferred velocity, changed by good manners: backing off, making room, keeping apart.
    fn wanted(&self, agent: &mut Agent, own: usize, near: &Neighbors) -> [f64; 2] {
        let mut wanted = agent.preferred;
        let body = &self.bodies[own];
        if let Some(other) = self.blocker(agent, own, near) {
            let there = &self.bodies[other];
            let lesser = !agent.walks()
                || (body.priority, std::cmp::Reverse(own)) < (there.priority, std::cmp::Reverse(other));
            let patient = body.stalls < PATIENT_LOOKS;
            if lesser && patient && agent.patience.backing == 0 && there.stalls > 0 {
                agent.patience.backing = self.steps(BACK_SECS);
            }
            if agent.patience.backing > 0 {
                // Out of the other's way: along with it, and a bit aside so as not to stay before it.
                let (away, speed) = (there.preferred, length(there.preferred));
                let aside = [-away[1] * 0.3, away[0] * 0.3];
                if speed > 0.0 {
                    wanted = scaled(plus(away, aside), agent.params.max_speed / (speed * 1.05));
                }
            }
        }
        agent.patience.backing = agent.patience.backing.saturating_sub(1);
        plus(wanted, self.separation(agent, near))
    }

    /// The nearest neighbour that is at the agent and in the way of one of the two.
    fn blocker(&self, agent: &Agent, own: usize, near: &Neighbors) -> Option<usize> {
        let found = near.list().iter().find(|neighbor| {
            let there = &self.bodies[neighbor.body as usize];
            let touch = (agent.params.radius + there.radius) * 1.3 + 0.05;
            let offset = minus(at(there.position), at(agent.position));
            let ahead = dot(agent.preferred, offset) > 0.0;
            let faced = there.walks && dot(there.preferred, offset) < 0.0;
            neighbor.distance < touch * touch && faced && (ahead || !agent.walks())
        });
        let found = found.map(|neighbor| neighbor.body as usize);
        found.filter(|other| *other != own)
    }

    fn separation(&self, agent: &Agent, near: &Neighbors) -> [f64; 2] {
        let mut push = [0.0; 2];
        if agent.params.separation > 0.0 && (agent.walks() || !near.list().is_empty()) {
            for neighbor in near.list() {
                let there = &self.bodies[neighbor.body as usize];
                let distance = neighbor.distance.sqrt();
                let gap = distance - agent.params.radius - there.radius;
                if 0.0 < distance && gap < agent.params.separation {
                    let offset = minus(at(agent.position), at(there.position));
                    let part = 1.0 - gap.max(0.0) / agent.params.separation;
                    push = plus(push, scaled(offset, 0.5 * agent.params.max_speed * part * part / distance));
                }
            }
        }
        push
    }

    /// The velocity nearest to the wanted one that hits nobody, as far as the agent can change its own.
    fn free_velocity(
        &self,
        agent: &Agent,
        own: usize,
        near: &Neighbors,
        wanted: [f64; 2],
        filter: &QueryFilter,
    ) -> [f64; 2] {
        let (params, step) = (agent.params, self.settings.step_secs);
        let (from, polygon) = (at(agent.position), agent.corridor.place().polygon);
        let mut lines = Lines::NONE;
        if !near.list().is_empty() {
            let reach = params.max_speed * step * 1.5;
            self.floor.each_wall(polygon, from, reach, filter, |[a, b]| {
                let along = minus(b, a);
                let size = length(along);
                let run = dot(minus(from, a), along);
                // Round a wall's end one may go.
                if 0.0 < run && run < size * size {
                    let normal = [-along[1] / size, along[0] / size];
                    lines.add_wall(cross(along, minus(from, a)) / size, normal, step);
                }
            });
        }
        for neighbor in near.list() {
            let other = neighbor.body as usize;
            let there = &self.bodies[other];
            let place = (there.polygon, at(there.position));
            let share = self.share(own, other);
            // Who need not give way need not look, either.
            if share == 0.0 || !self.floor.joins(polygon, from, place, filter) {
                continue;
            }
            lines.add_neighbor(&Meeting {
                offset: minus(place.1, from),
                velocity: agent.velocity,
                other_velocity: there.velocity,
                radius: self.both_radii(own, other),
                share,
                horizon: self.settings.avoid_secs,
                step,
                way_out: way_out(own, other),
            });
        }
        let best = lines.best(wanted, params.max_speed);
        let change = minus(best, agent.velocity);
        let (size, most) = (length(change), params.max_acceleration * step);
        if size > most { plus(agent.velocity, scaled(change, most / size)) } else { best }
    }

    /// The distance that two agents keep; less for those that have blocked each other for long.
    fn both_radii(&self, own: usize, other: usize) -> f64 {
        let (a, b) = (&self.bodies[own], &self.bodies[other]);
        let looks = a.stalls.max(b.stalls).saturating_sub(PATIENT_LOOKS);
        (a.radius + b.radius) * (1.0 - SHRINK * f64::from(looks)).max(LEAST_SIZE)
    }

    fn share(&self, own: usize, other: usize) -> f64 {
        let (a, b) = (&self.bodies[own], &self.bodies[other]);
        match a.priority.cmp(&b.priority) {
            std::cmp::Ordering::Less => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Greater => 0.0,
        }
    }

    /// Half of what an agent overlaps others by, at most a fifth of its radius.
    fn push_apart(&self, agent: &Agent, own: usize, near: &Neighbors) -> [f64; 2] {
        let mut push = [0.0; 2];
        for neighbor in near.list() {
            let other = neighbor.body as usize;
            let reach = self.both_radii(own, other);
            if neighbor.distance >= reach * reach * (1.0 - 1e-6) {
                continue;
            }
            let distance = neighbor.distance.sqrt();
            let offset = minus(at(agent.position), at(self.bodies[other].position));
            let out = if distance > 1e-9 { scaled(offset, 1.0 / distance) } else { way_out(own, other) };
            push = plus(push, scaled(out, (reach - distance) * 0.5 * self.share(own, other)));
        }
        let (size, most) = (length(push), agent.params.radius * 0.2);
        if size > most { scaled(push, most / size) } else { push }
    }

    /// A step straight at the next corner ends there.
    fn no_farther_than_corner(&self, agent: &Agent, target: [f64; 2]) -> [f64; 2] {
        let Some(corner) = agent.corridor.next_corner().filter(|_| agent.walks()) else { return target };
        let from = at(agent.position);
        let (go, ahead) = (minus(target, from), minus(at(corner.position), from));
        let (run, way) = (dot(go, ahead), dot(ahead, ahead));
        let beside = cross(go, ahead).abs();
        if run >= way && beside <= 1e-6 * run { at(corner.position) } else { target }
    }

    fn take_link(&self, agent: &mut Agent) {
        let reach = (agent.params.max_speed * self.settings.step_secs).max(0.25 * agent.params.radius);
        if agent.walks()
            && let Some(link) = agent.corridor.link_ahead(reach)
        {
            agent.link = Some(link);
            agent.state = AgentState::OnLink { user_id: link.user_id, progress: 0.0 };
            agent.velocity = [0.0; 2];
        }
    }

    /// Goes on along a link, at full speed in a straight line.
    fn cross_link(&self, agent: &mut Agent, link: &LinkAhead) {
        let AgentState::OnLink { user_id, progress } = agent.state else { return };
        let way = [0, 1, 2].map(|axis| link.to[axis] - link.from[axis]);
        let size = (way[0] * way[0] + way[1] * way[1] + way[2] * way[2]).sqrt();
        let part = agent.params.max_speed * self.settings.step_secs / size.max(1e-9);
        let progress = progress + part;
        if progress < 1.0 {
            agent.state = AgentState::OnLink { user_id, progress };
            agent.position = [0, 1, 2].map(|axis| link.from[axis] + way[axis] * progress);
            return;
        }
        let filter = &self.filters[agent.params.filter];
        agent.link = None;
        agent.corridor.land();
        agent.position = link.to;
        agent.state = AgentState::Walking;
        agent.patience = Patience { remaining: agent.corridor.remaining(), ..Patience::default() };
        if !self.floor.is_open(agent.corridor.place().polygon, filter) {
            // The floor changed while it was in the air.
            let reach = agent.params.radius;
            match self.floor.place_in_box(link.to, [reach, agent.params.height, reach], filter) {
                Some(place) => {
                    agent.corridor.set_place(NavPlace { distance: 0.0, ..place });
                    agent.position = place.position;
                }
                None => agent.state = AgentState::OffMesh,
            }
        }
        // Its target may be another since it left.
        match agent.target {
            AgentTarget::Place { .. } => {
                agent.asks =
                    !agent.corridor.stands_on(&self.floor, filter) || agent.corridor.next_corner().is_none()
            }
            AgentTarget::Nothing => {
                agent.corridor.clear_path();
                agent.state = AgentState::Idle;
            }
            AgentTarget::Velocity(_) => agent.corridor.clear_path(),
        }
    }

    /// Whether the agent has arrived, sees where it goes, and gets on.
    fn look(&self, agent: &mut Agent, own: usize, near: &Neighbors) {
        if !agent.walks() || !matches!(agent.target, AgentTarget::Place { .. }) {
            return;
        }
        let left = agent.corridor.remaining();
        let ends = agent.corridor.path().points.len();
        if ends > 0 && left <= 1e-3 {
            return arrive(agent);
        }
        agent.patience.blind = if agent.corridor.in_sight() { 0 } else { agent.patience.blind + 1 };
        if agent.patience.blind == self.steps(BLIND_SECS) {
            agent.asks = true;
        }
        agent.patience.steps += 1;
        if agent.patience.steps < self.steps(LOOK_SECS) {
            return;
        }
        let expected = agent.params.max_speed * LOOK_SECS;
        let got_on = agent.patience.remaining - left >= PROGRESS * expected.min(agent.patience.remaining);
        agent.patience.steps = 0;
        agent.patience.remaining = left;
        let touches = |neighbor: &Neighbor| {
            let touch = (agent.params.radius + self.bodies[neighbor.body as usize].radius) * 1.3 + 0.05;
            neighbor.distance < touch * touch
        };
        if got_on {
            // Who squeezes past others stays small until it is past them.
            if agent.patience.stalls <= PATIENT_LOOKS || !near.list().iter().any(touches) {
                agent.patience.stalls = agent.patience.stalls.saturating_sub(2);
            }
            return;
        }
        // Others stand where it wants to be: near enough.
        let stands = |neighbor: &Neighbor| !self.bodies[neighbor.body as usize].walks;
        let crowded = near.list().iter().any(|neighbor| stands(neighbor) && touches(neighbor));
        agent.patience.stalls += 1;
        let body = &self.bodies[own];
        if crowded && left < 4.0 * body.radius + f64::from(agent.patience.stalls) * body.radius {
            return arrive(agent);
        }
        agent.asks = true;
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "seconds and steps are small")]
    fn steps(&self, secs: f64) -> u32 {
        (secs / self.settings.step_secs).ceil() as u32
    }
}

fn arrive(agent: &mut Agent) {
    agent.state = if agent.short { AgentState::ArrivedShort } else { AgentState::Arrived };
    (agent.velocity, agent.preferred) = ([0.0; 2], [0.0; 2]);
    agent.patience = Patience::default();
}

/// Where to from somebody who stands at the same point: each pair its own way, and the two opposite ways.
fn way_out(own: usize, other: usize) -> [f64; 2] {
    let low = own.min(other) as f64;
    // The golden angle spreads directions well. Sine and cosine are rounded alike everywhere: by a short series.
    let turn = (low * 0.618_033_988_749_895).fract() - 0.5;
    let (x, z) = (1.0 - 8.0 * turn * turn, 4.0 * turn * (1.0 - 2.0 * turn.abs()));
    let size = (x * x + z * z).sqrt();
    let sign = if own < other { 1.0 } else { -1.0 };
    if size > 0.0 { [sign * x / size, sign * z / size] } else { [sign, 0.0] }
}

fn at(position: [f64; 3]) -> [f64; 2] {
    [position[0], position[2]]
}

fn remaining_to_corner(agent: &Agent) -> f64 {
    agent
        .corridor
        .next_corner()
        .map_or(f64::INFINITY, |corner| length(minus(at(corner.position), at(agent.position))))
}

/// Whether a step leads along the straight line to the next corner.
fn aims_at_corner(agent: &Agent, target: [f64; 2]) -> bool {
    let Some(corner) = agent.corridor.next_corner() else { return true };
    let from = at(agent.position);
    let (go, ahead) = (minus(target, from), minus(at(corner.position), from));
    cross(go, ahead).abs() <= 1e-12 * length(ahead)
        && dot(go, ahead) >= 0.0
        && dot(go, ahead) <= dot(ahead, ahead)
}
