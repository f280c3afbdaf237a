//! Plots over time and along a way: the last bakes, the height along the tested path.

use super::figure::{Bar, Body, Figure, Place, time};
use crate::editor::records::Records;
use crate::editor::words::many;
use crate::editor::worker::Mode;
use crate::format::TiledNavMesh;
use crate::geom::plane::distance;
use crate::query::{NavPath, PathScratch, QueryFilter, closest_nav_point};

/// Places along a path at which its height is looked up.
const SAMPLES: f64 = 240.0;
/// How far beside the path's line its floor may lie, in squares.
const BESIDE: f64 = 0.5;

pub(super) fn times(records: &Records) -> Option<Figure> {
    let mut series: Vec<String> = Vec::new();
    for (stage, _) in records.all().flat_map(|(_, record)| &record.stages) {
        if !series.iter().any(|known| known == stage) {
            series.push((*stage).to_owned());
        }
    }
    let bars = records.all().map(|(number, record)| {
        let of = |name: &String| record.stages.iter().find(|(stage, _)| stage == name).map_or(0.0, |at| at.1);
        let parts: Vec<f64> = series.iter().map(|name| of(name) * 1e3).collect();
        let tiles = match record.mode {
            Mode::Flat => String::new(),
            Mode::Voxel => format!(", {}", many(record.tiles, "tile column")),
        };
        let stages = record.stages.iter().map(|(stage, secs)| format!("\n{stage} {}", time(*secs)));
        let words = format!(
            "bake {number}, after: {}\n{}{tiles}{}",
            record.edited,
            time(record.secs),
            stages.collect::<String>()
        );
        let middle = number as f64;
        Bar { sides: [middle - 0.4, middle + 0.4], parts, words, lights: Vec::new(), tile: None }
    });
    let bars: Vec<Bar> = bars.collect();
    let shown = !bars.is_empty();
    let body = Body::Bars { series, bars, mark: None };
    shown.then_some(Figure { x: "bakes of this map", y: "ms on all threads", log: false, body })
}

pub(super) fn path(path: &NavPath, mesh: &TiledNavMesh) -> Option<Figure> {
    let (mut scratch, filter) = (PathScratch::default(), QueryFilter::default());
    let step = (path.length / SAMPLES).max(0.02);
    let mut places: Vec<Place> = Vec::new();
    let mut along = 0.0;
    for pair in path.points.windows(2) {
        let [from, to] = [pair[0].position, pair[1].position];
        let (a, b) = ([from[0], from[2]], [to[0], to[2]]);
        let (length, jumps) = (distance(a, b), pair[0].link.is_some());
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 240 and a few")]
        let parts = if jumps { 1 } else { ((length / step).ceil() as u32).max(1) };
        for number in 0..parts {
            let part = f64::from(number) / f64::from(parts);
            let place = [0, 1].map(|axis| a[axis] + (b[axis] - a[axis]) * part);
            let level = pair[0].level;
            let mut height = from[1] + (to[1] - from[1]) * part;
            if number > 0 {
                let found = closest_nav_point(mesh, place, Some(level), BESIDE, &filter, &mut scratch);
                height = found.ok().flatten().map_or(height, |found| found.position[1]);
            }
            let along = along + length * part;
            places.push(Place { place, along, height, level, jumps, steepest: false });
        }
        along += length;
    }
    let last = path.points.last()?;
    let [x, height, z] = last.position;
    let end = Place { place: [x, z], along, height, level: last.level, jumps: false, steepest: false };
    places.push(end);
    steepest(&mut places);
    (places.len() > 1).then_some(Figure {
        x: "along the path, squares",
        y: "height",
        log: false,
        body: Body::Course(places),
    })
}

/// Marks where it goes up or down most, of what is walked.
fn steepest(places: &mut [Place]) {
    let slope = |at: usize| {
        let (a, b) = (&places[at], &places[at + 1]);
        let run = b.along - a.along;
        if a.jumps || run < 1e-6 { 0.0 } else { ((b.height - a.height) / run).abs() }
    };
    let most = (0..places.len().saturating_sub(1)).map(slope).fold(0.0, f64::max);
    if most < 1e-6 {
        return;
    }
    let marked: Vec<usize> = (0..places.len() - 1).filter(|&at| slope(at) >= most * (1.0 - 1e-6)).collect();
    for at in marked {
        places[at].steepest = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_steepest_walked_part_is_marked_and_jumps_are_not_walked() {
        let at = |along: f64, height: f64, jumps: bool| Place {
            place: [along, 0.0],
            along,
            height,
            level: 0,
            jumps,
            steepest: false,
        };
        let mut places = [
            at(0.0, 0.0, false),
            at(2.0, 0.5, false),
            at(3.0, 1.5, true),
            at(4.0, 9.0, false),
            at(6.0, 8.0, false),
        ];
        steepest(&mut places);
        assert_eq!(places.map(|place| place.steepest), [false, true, false, false, false]);
    }
}
