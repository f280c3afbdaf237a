//! What `path --explain` says: barriers in words and as JSON.

use serde_json::{Value, json};

use super::output::{count, decimal};
use crate::query::{Barrier, BarrierKind, EndNote, PathExplanation};
use crate::stitch::{EndExplanation, LinkExplanation, PortalMiss};

/// A line for each end and each barrier: those one after another that stand between, then those that lie elsewhere.
pub(super) fn barrier_lines(told: &PathExplanation) -> String {
    let mut text = String::new();
    for (name, note) in [("start", &told.start), ("end", &told.end)] {
        if let Some(EndNote { island, polygon_count, island_count, .. }) = note {
            let polygons = count(*polygon_count as usize, "polygon");
            text += &format!("{name} on island {} of {island_count} ({polygons})\n", u64::from(*island) + 1);
        }
    }
    if let Some(hit) = &told.straight_stop {
        let [x, y, z] = hit.position.map(|value| decimal(value, 3));
        text += &format!("straight on from the start one gets to {x} {z} (height {y})\n");
    }
    let several = told.barriers.len();
    for (number, barrier) in (1..).zip(&told.barriers) {
        if several > 1 {
            text += &format!("barrier {number} of {several}, ");
        }
        text += &barrier_line(barrier);
    }
    for barrier in &told.instead {
        text += &format!("elsewhere, {}", barrier_line(barrier));
    }
    text
}

fn barrier_line(barrier: &Barrier) -> String {
    let [x, y, z] = barrier.from.position.map(|value| decimal(value, 3));
    let [to_x, to_y, to_z] = barrier.to.position.map(|value| decimal(value, 3));
    let words = words(barrier);
    format!("between {x} {z} (height {y}) and {to_x} {to_z} (height {to_y}): {words}\n")
}

fn words(barrier: &Barrier) -> String {
    let number = |value: f64| decimal(value, 3);
    match &barrier.kind {
        BarrierKind::Wall => "a wall".to_owned(),
        BarrierKind::Gap { width } if *width == 0.0 => {
            format!("they touch at a corner only{}", rise_words(barrier))
        }
        BarrierKind::Gap { width } => format!("{} without floor{}", number(*width), rise_words(barrier)),
        BarrierKind::Step { height, climb } => {
            format!("a step of {}, and at most {} is climbed", number(*height), number(*climb))
        }
        BarrierKind::Portal { miss } => match miss {
            PortalMiss::Height { difference, climb, .. } => format!(
                "tile borders that differ in height by {}, and at most {} is climbed",
                number(*difference),
                number(*climb)
            ),
            PortalMiss::NoOverlap { gap, .. } => {
                format!("tile borders that miss each other by {}", number(*gap))
            }
            PortalMiss::NoColumn => "the end of the world".to_owned(),
            PortalMiss::NoTile { tile_x, tile_z } => format!("no tile at column {tile_x}, {tile_z}"),
            PortalMiss::NoPortal { tile_x, tile_z } => {
                format!("a tile at column {tile_x}, {tile_z} without an open border here")
            }
        },
        BarrierKind::Unattached { user_id, link } => {
            format!("link {user_id}, which {}", unattached(link))
        }
        BarrierKind::OneWay { user_id } => format!("link {user_id}, which leads the other way only"),
        BarrierKind::ClosedLink { user_id } => format!("link {user_id}, which is switched off"),
        BarrierKind::ClosedPolygon { polygon, area, flags } => format!(
            "polygon {}:{} of area {area} with flags {flags:#04x}, which is closed",
            polygon.slot(),
            polygon.polygon()
        ),
    }
}

/// ", and 7.1 up": how much higher the other side is, where that is more than nothing.
fn rise_words(barrier: &Barrier) -> String {
    let way = if barrier.rise < 0.0 { "down" } else { "up" };
    match decimal(barrier.rise.abs(), 3) {
        none if none == "0" => String::new(),
        rise => format!(", and {rise} {way}"),
    }
}

fn unattached(link: &LinkExplanation) -> String {
    let end = |name: &str, end: &EndExplanation| match end {
        EndExplanation::Attached(_) => None,
        EndExplanation::NoTile => Some(format!("has no tile at its {name}")),
        EndExplanation::OutOfReach { nearest, radius, climb } => Some(format!(
            "at its {name} is {} from the floor and {} above or below it; {} and {} are allowed",
            decimal(nearest.distance, 3),
            decimal(nearest.dy, 3),
            decimal(*radius, 3),
            decimal(*climb, 3)
        )),
    };
    let both = [end("start", &link.start), end("end", &link.end)];
    both.into_iter().flatten().collect::<Vec<_>>().join(" and ")
}

/// The same as numbers.
pub(super) fn explanation_json(told: &PathExplanation) -> Value {
    let island = |note: &Option<EndNote>| {
        // Counted from 1, as in all words about them.
        note.as_ref().map(|note| {
            json!({
                "island": u64::from(note.island) + 1,
                "islands": note.island_count,
                "polygons": note.polygon_count,
            })
        })
    };
    json!({
        "start": island(&told.start),
        "end": island(&told.end),
        "straight_stop": told.straight_stop.as_ref().map(|hit| json!(hit.position)),
        "barriers": barriers_json(&told.barriers),
        "instead": barriers_json(&told.instead),
    })
}

fn barriers_json(barriers: &[Barrier]) -> Vec<Value> {
    let barriers = barriers.iter().map(|barrier| {
        let place = |at: [f64; 3]| json!({ "x": at[0], "y": at[1], "z": at[2] });
        let mut value = json!({
            "from": place(barrier.from.position),
            "to": place(barrier.to.position),
            "distance": barrier.distance,
            "rise": barrier.rise,
            "words": words(barrier),
        });
        let (kind, numbers) = kind_json(&barrier.kind);
        value["kind"] = kind.into();
        for (name, number) in numbers {
            value[name] = number;
        }
        value
    });
    barriers.collect()
}

fn kind_json(kind: &BarrierKind) -> (&'static str, Vec<(&'static str, Value)>) {
    match kind {
        BarrierKind::Wall => ("wall", vec![]),
        BarrierKind::Gap { width } => ("gap", vec![("width", json!(width))]),
        BarrierKind::Step { height, climb } => {
            ("step", vec![("height", json!(height)), ("climb", json!(climb))])
        }
        BarrierKind::Portal { miss } => match miss {
            PortalMiss::Height { difference, climb, .. } => {
                ("portal", vec![("height", json!(difference)), ("climb", json!(climb))])
            }
            PortalMiss::NoOverlap { gap, .. } => ("portal", vec![("gap", json!(gap))]),
            _ => ("portal", vec![]),
        },
        BarrierKind::Unattached { user_id, .. } => ("unattached_link", vec![("link", json!(user_id))]),
        BarrierKind::OneWay { user_id } => ("one_way_link", vec![("link", json!(user_id))]),
        BarrierKind::ClosedLink { user_id } => ("closed_link", vec![("link", json!(user_id))]),
        BarrierKind::ClosedPolygon { polygon, area, flags } => (
            "closed_polygon",
            vec![
                ("polygon", json!(format!("{:016x}", polygon.bits()))),
                ("area", json!(area)),
                ("flags", json!(flags)),
            ],
        ),
    }
}
