//! Velocities that hit nobody: optimal reciprocal collision avoidance.
//!
//! Each neighbour forbids half of the plane of velocities: those that would come too near within a time, both sharing
//! the change that it takes. Each wall forbids those that would pass it within the step. Of what is left the velocity
//! nearest to the wanted one is taken; where nothing is left, the one that breaks the neighbours' lines the least.
//!
//! Source: van den Berg, Guy, Lin and Manocha 2011; the linear programs after de Berg et al., chapter 4. The crate
//! `dodgy_2d`, which does the same in f32, draws a random number where two agents stand at one point and allocates for
//! every agent, so a replay could not be equal to the bit; tests compare the two.

use super::neighbors::MOST_NEIGHBORS;

/// Allowed is what lies left of the line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Line {
    point: [f64; 2],
    /// Of length 1.
    along: [f64; 2],
}

/// Walls that an agent heeds, at most.
const MOST_WALLS: usize = 12;
const MOST_LINES: usize = MOST_NEIGHBORS + MOST_WALLS;

/// The lines that an agent keeps to: walls first, which are never broken, then neighbours.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines {
    list: [Line; MOST_LINES],
    walls: usize,
    count: usize,
}

/// Two agents as one of them sees the other: position and velocity of the other against its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    /// From the agent to the other one.
    pub(super) offset: [f64; 2],
    pub(super) velocity: [f64; 2],
    pub(super) other_velocity: [f64; 2],
    /// Both radii.
    pub(super) radius: f64,
    /// The part of the change that falls to the agent, 0 to 1.
    pub(super) share: f64,
    /// Seconds to look ahead, and seconds of a step.
    pub(super) horizon: f64,
    pub(super) step: f64,
    /// Where to if both stand at one point; the other one's is the opposite.
    pub(super) way_out: [f64; 2],
}

impl Lines {
    pub(super) const NONE: Self =
        Self { list: [Line { point: [0.0; 2], along: [1.0, 0.0] }; MOST_LINES], walls: 0, count: 0 };

    /// A wall at a distance (from the agent to it) that must not be passed within a step. `normal`: from the wall to
    /// the floor, of length 1. To be added before all neighbours.
    pub(super) fn add_wall(&mut self, distance: f64, normal: [f64; 2], step: f64) {
        if self.walls < MOST_WALLS {
            let speed = -distance.max(0.0) / step;
            let point = [normal[0] * speed, normal[1] * speed];
            self.list[self.count] = Line { point, along: [normal[1], -normal[0]] };
            (self.walls, self.count) = (self.walls + 1, self.count + 1);
        }
    }

    pub(super) fn add_neighbor(&mut self, meeting: &Meeting) {
        if self.count < MOST_LINES {
            self.list[self.count] = line_of(meeting);
            self.count += 1;
        }
    }

    /// The velocity of at most `max_speed` to take.
    pub(super) fn best(&self, preferred: [f64; 2], max_speed: f64) -> [f64; 2] {
        let lines = &self.list[..self.count];
        let goal = Goal::Point(preferred);
        match nearest(lines, max_speed, goal) {
            Ok(velocity) => velocity,
            Err((broken, velocity)) => least_broken(lines, self.walls, broken, max_speed, velocity),
        }
    }
}

fn line_of(meeting: &Meeting) -> Line {
    let Meeting { offset, velocity, other_velocity, radius, .. } = *meeting;
    let relative = minus(velocity, other_velocity);
    let (distance, reach) = (dot(offset, offset), radius * radius);
    let (along, change);
    if distance > reach {
        // What hits within the horizon: a cone with its tip at 0, cut off by a disc.
        let from_disc = minus(relative, scaled(offset, 1.0 / meeting.horizon));
        let inward = dot(from_disc, offset);
        if inward < 0.0 && inward * inward > reach * dot(from_disc, from_disc) {
            let size = length(from_disc);
            let out = scaled(from_disc, 1.0 / size);
            along = [out[1], -out[0]];
            change = scaled(out, radius / meeting.horizon - size);
        } else {
            let leg = (distance - reach).sqrt();
            along = if cross(offset, from_disc) > 0.0 {
                let leg_left = [offset[0] * leg - offset[1] * radius, offset[0] * radius + offset[1] * leg];
                scaled(leg_left, 1.0 / distance)
            } else {
                let leg_right = [offset[0] * leg + offset[1] * radius, offset[1] * leg - offset[0] * radius];
                scaled(leg_right, -1.0 / distance)
            };
            change = minus(scaled(along, dot(relative, along)), relative);
        }
    } else {
        // Too near already: out of it within a step.
        let from_disc = minus(relative, scaled(offset, 1.0 / meeting.step));
        let size = length(from_disc);
        let out = if size > 1e-9 { scaled(from_disc, 1.0 / size) } else { meeting.way_out };
        along = [out[1], -out[0]];
        change = scaled(out, radius / meeting.step - size);
    }
    Line { point: plus(velocity, scaled(change, meeting.share)), along }
}

/// What to come near to: a velocity, or as far as possible along a direction.
#[derive(Clone, Copy)]
enum Goal {
    Point([f64; 2]),
    Direction([f64; 2]),
}

/// The velocity in the disc and left of all lines that is best; or the first line that cannot be kept, and the best for
/// those before it.
fn nearest(lines: &[Line], max_speed: f64, goal: Goal) -> Result<[f64; 2], (usize, [f64; 2])> {
    let mut best = match goal {
        Goal::Direction(direction) => scaled(direction, max_speed),
        Goal::Point(point) => {
            let size = length(point);
            if size > max_speed { scaled(point, max_speed / size) } else { point }
        }
    };
    for place in 0..lines.len() {
        let line = &lines[place];
        if cross(line.along, minus(line.point, best)) > 0.0 {
            match nearest_on(lines, place, max_speed, goal) {
                Some(on_line) => best = on_line,
                None => return Err((place, best)),
            }
        }
    }
    Ok(best)
}

/// The best velocity on a line, in the disc and left of the lines before it.
fn nearest_on(lines: &[Line], place: usize, max_speed: f64, goal: Goal) -> Option<[f64; 2]> {
    let line = &lines[place];
    let middle = dot(line.point, line.along);
    let inside = middle * middle + max_speed * max_speed - dot(line.point, line.point);
    if inside < 0.0 {
        return None;
    }
    let root = inside.sqrt();
    let (mut low, mut high) = (-middle - root, -middle + root);
    for other in &lines[..place] {
        let across = cross(line.along, other.along);
        let off = cross(other.along, minus(line.point, other.point));
        if across.abs() <= 1e-9 {
            if off < 0.0 {
                return None;
            }
            continue;
        }
        let at = off / across;
        if across > 0.0 {
            high = high.min(at);
        } else {
            low = low.max(at);
        }
        if low > high {
            return None;
        }
    }
    let at = match goal {
        Goal::Direction(direction) => {
            if dot(direction, line.along) > 0.0 {
                high
            } else {
                low
            }
        }
        Goal::Point(point) => dot(line.along, minus(point, line.point)).clamp(low, high),
    };
    Some(plus(line.point, scaled(line.along, at)))
}

/// Where not all lines can be kept: walls are, and the others are broken by as little as can be, all by the same.
fn least_broken(
    lines: &[Line],
    walls: usize,
    first_broken: usize,
    max_speed: f64,
    best_so_far: [f64; 2],
) -> [f64; 2] {
    let (mut best, mut breach) = (best_so_far, 0.0);
    let mut bisectors = [Line::default(); MOST_LINES];
    for place in first_broken.max(walls)..lines.len() {
        let line = &lines[place];
        if cross(line.along, minus(line.point, best)) <= breach {
            continue;
        }
        bisectors[..walls].copy_from_slice(&lines[..walls]);
        let mut count = walls;
        for other in &lines[walls..place] {
            let across = cross(line.along, other.along);
            let point = if across.abs() <= 1e-9 {
                if dot(line.along, other.along) > 0.0 {
                    continue;
                }
                scaled(plus(line.point, other.point), 0.5)
            } else {
                let at = cross(other.along, minus(line.point, other.point)) / across;
                plus(line.point, scaled(line.along, at))
            };
            let turn = minus(other.along, line.along);
            let size = length(turn);
            if size > 1e-12 {
                bisectors[count] = Line { point, along: scaled(turn, 1.0 / size) };
                count += 1;
            }
        }
        let inward = [-line.along[1], line.along[0]];
        // Where rounding leaves nothing, what was best stays.
        if let Ok(found) = nearest(&bisectors[..count], max_speed, Goal::Direction(inward)) {
            best = found;
        }
        breach = cross(line.along, minus(line.point, best));
    }
    best
}

pub(super) fn plus(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] + b[0], a[1] + b[1]]
}

pub(super) fn minus(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

pub(super) fn scaled(a: [f64; 2], factor: f64) -> [f64; 2] {
    [a[0] * factor, a[1] * factor]
}

pub(super) fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

pub(super) fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

pub(super) fn length(a: [f64; 2]) -> f64 {
    dot(a, a).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A velocity that every line allows and that is no worse than any of a fine grid.
    #[test]
    fn the_best_velocity_is_no_worse_than_any_of_a_grid() {
        let mut state = 7_u64;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64 * 2.0 - 1.0
        };
        let mut feasible = 0;
        for _ in 0..2000 {
            let mut lines = Lines::NONE;
            for _ in 0..4 {
                let offset = [random() * 4.0, random() * 4.0];
                lines.add_neighbor(&Meeting {
                    offset,
                    velocity: [random(), random()],
                    other_velocity: [random(), random()],
                    radius: 0.5,
                    share: 0.5,
                    horizon: 2.0,
                    step: 0.1,
                    way_out: [1.0, 0.0],
                });
            }
            let wanted = [random() * 2.0, random() * 2.0];
            let allowed = |velocity: [f64; 2], slack: f64| {
                lines.list[..lines.count]
                    .iter()
                    .all(|line| cross(line.along, minus(velocity, line.point)) >= -slack)
            };
            let best = lines.best(wanted, 1.5);
            assert!(length(best) <= 1.5 + 1e-9);
            let off = length(minus(best, wanted));
            let mut any = false;
            for x in -30..=30 {
                for z in -30..=30 {
                    let other = [f64::from(x) / 20.0, f64::from(z) / 20.0];
                    if length(other) <= 1.5 && allowed(other, 0.0) {
                        any = true;
                        assert!(length(minus(other, wanted)) >= off - 1e-6, "{other:?} beats {best:?}");
                    }
                }
            }
            if any {
                feasible += 1;
                assert!(allowed(best, 1e-6), "{best:?} is forbidden");
            }
        }
        assert!(feasible > 500, "{feasible}");
    }
}
