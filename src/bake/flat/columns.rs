//! The tile columns that a drawing touches, what is kept of each, and which of them an edit reaches.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

use super::frame::Frame;
use super::outline::{Drawing, Outline, Ring};
use super::remarks::{ClearedParts, Gap};
use super::survey::Survey;
use crate::bake::limits::MAX_TILES;
use crate::bake::{AreaKind, BakeError, FlatInput, Surface};
use crate::format::Tile;
use crate::geom::grid::{IntBox, IntPoint};

/// Row (z) and column (x) of a tile column; they are baked and stored in this order.
pub(crate) type ColumnAt = (i32, i32);

/// One tile column, and what is known of it.
#[derive(Debug, Default)]
pub(crate) struct Column {
    /// Rings whose bounds, grown by a step, meet it; ascending.
    pub(crate) listed: Vec<u32>,
    /// Whether what it is made from may have changed since it was surveyed.
    pub(crate) is_stale: bool,
    /// The rings of its input, by owner number.
    pub(crate) rings: Vec<u32>,
    /// Whether clearance may remove something else from it than when it was baked.
    pub(crate) is_reached: bool,
    /// Digest of what clearance removed when it was baked.
    pub(crate) cleared_key: [u8; 32],
    /// The parts of its levels, with what clearance left of them.
    pub(crate) parts: Option<ClearedParts>,
    /// Digest of its input.
    pub(crate) key: [u8; 32],
    pub(crate) survey: Option<Survey>,
    /// Digest of what it depends on besides its input, when it was baked; zeroes where that is nothing.
    pub(crate) settled_key: [u8; 32],
    /// Its layers without authored links, lowest first, once baked.
    pub(crate) layers: Option<Result<Vec<Tile>, String>>,
    /// Gaps between its rim and those of later columns.
    pub(crate) rim_gaps: Vec<(ColumnAt, Gap)>,
}

/// All columns that some walk area's bounds meet.
pub(crate) type Columns = BTreeMap<ColumnAt, Column>;

/// How the rings of one drawing became those of the next.
#[derive(Debug, Default)]
pub(crate) struct Change {
    /// Old ring → new ring, if it is still there; ascending.
    new_of_old: Vec<Option<u32>>,
    /// New rings that were not there, or whose bounds or kind may differ; ascending.
    fresh: Vec<u32>,
    /// Those of them that were there, with their bounds before.
    moved: Vec<(u32, IntBox)>,
    /// Where anything changed.
    dirty: Vec<IntBox>,
}

impl Change {
    /// From no rings to all of a drawing's.
    pub(crate) fn from_nothing(drawing: &Drawing) -> Self {
        Self { fresh: (0..drawing.rings.len() as u32).collect(), ..Self::default() }
    }

    /// Whether rings have other numbers now.
    pub(crate) fn renumbers(&self) -> bool {
        (0..).zip(&self.new_of_old).any(|(old, &new)| new != Some(old))
    }
}

/// Old area → new area for areas that keep their id and order, found in one pass over both lists.
pub(crate) fn match_areas(old: &FlatInput, new: &FlatInput) -> Vec<Option<usize>> {
    let (old, new) = (&old.areas, &new.areas);
    let ahead = old.iter().zip(new).take_while(|(a, b)| a.id == b.id).count();
    let rest = old.len().min(new.len()) - ahead;
    let behind = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a.id == b.id).count();
    let mut places: BTreeMap<u64, usize> = BTreeMap::new();
    for (index, area) in new.iter().enumerate().take(new.len() - behind).skip(ahead) {
        places.entry(area.id).or_insert(index);
    }
    let mut next = ahead;
    (0..old.len())
        .map(|index| {
            if index < ahead {
                return Some(index);
            }
            if index >= old.len() - behind {
                return Some(new.len() - (old.len() - index));
            }
            let place = places.get(&old[index].id).copied().filter(|&place| place >= next)?;
            next = place + 1;
            Some(place)
        })
        .collect()
}

/// What changed from one drawing to the next on the same frame. `new_area`: old area → new area.
pub(crate) fn find_change(
    (old_input, old): (&FlatInput, &Drawing),
    (input, drawing): (&FlatInput, &Drawing),
    new_area: &[Option<usize>],
) -> Change {
    let mut ring_of_area = vec![None; input.areas.len()];
    for (ring, data) in (0..).zip(&drawing.rings) {
        ring_of_area[data.area] = Some(ring);
    }
    let mut change = Change::default();
    let mut was_there = vec![false; drawing.rings.len()];
    for data in &old.rings {
        let new = new_area[data.area].and_then(|area| ring_of_area[area]);
        change.new_of_old.push(new);
        let Some(ring) = new else {
            change.dirty.push(*data.bounds());
            continue;
        };
        was_there[ring as usize] = true;
        let now = &drawing.rings[ring as usize];
        let (before, after) = (&old_input.areas[data.area], &input.areas[now.area]);
        let like = (before.kind, before.level, &before.name, before.area_type, before.flags, &before.surface)
            == (after.kind, after.level, &after.name, after.area_type, after.flags, &after.surface);
        if like && data.is_same_outline(now) {
            continue;
        }
        change.fresh.push(ring);
        change.moved.push((ring, *data.bounds()));
        if like && before.surface == Surface::Level {
            change.dirty.push(changed_part(data.points(), now.points()));
        } else {
            change.dirty.extend([*data.bounds(), *now.bounds()]);
        }
    }
    for (ring, data) in (0..).zip(&drawing.rings).filter(|&(ring, _)| !was_there[ring as usize]) {
        change.fresh.push(ring);
        change.dirty.push(*data.bounds());
    }
    change.fresh.sort_unstable();
    change
}

/// A box around all edges that only one of two rings has, and so around all places where their windings differ.
fn changed_part(old: &[IntPoint], new: &[IntPoint]) -> IntBox {
    let shorter = old.len().min(new.len());
    let ahead = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let behind =
        old.iter().rev().zip(new.iter().rev()).take(shorter - ahead).take_while(|(a, b)| a == b).count();
    // One point more on either side, around the end of the list.
    let part = |points: &[IntPoint]| {
        let count = points.len();
        let first = (ahead + count - 1) % count;
        let length = (count - ahead - behind + 2).min(count);
        IntBox::around((0..length).map(|i| points[(first + i) % count]))
    };
    let (a, b) = (part(old), part(new));
    IntBox::around([a.low, a.high, b.low, b.high])
}

/// Brings the columns of the drawing before to this one: lists, stale marks, new and gone columns. `reach`: how far
/// from a changed column clearance changes others, in units; none without clearance.
///
/// # Errors
/// More columns than [`MAX_TILES`].
pub(crate) fn update_columns(
    columns: &mut Columns,
    drawing: &Drawing,
    change: &Change,
    reach: Option<i64>,
) -> Result<(), BakeError> {
    let renumber = |list: &mut Vec<u32>| {
        list.retain_mut(|ring| match change.new_of_old[*ring as usize] {
            Some(new) => {
                *ring = new;
                true
            }
            None => false,
        });
    };
    if change.renumbers() {
        for column in columns.values_mut() {
            renumber(&mut column.listed);
            renumber(&mut column.rings);
        }
    }
    let frame = &drawing.frame;
    for dirty in &change.dirty {
        let stale = ranges(frame, &dirty.grown(frame.step + 1));
        if let Some(reach) = reach {
            let corner = |x: i64, z: i64| IntPoint::new(x * frame.tile_units(), z * frame.tile_units());
            let (low, high) =
                (corner(*stale.0.start(), *stale.1.start()), corner(stale.0.end() + 1, stale.1.end() + 1));
            let reached = ranges(frame, &IntBox { low, high }.grown(reach));
            for_columns(columns, reached, |_, column| column.is_reached = true);
        }
        for_columns(columns, stale, |_, column| column.is_stale = true);
    }
    let walk = |ring: u32| Some(&drawing.rings[ring as usize]).filter(|ring| ring.kind == AreaKind::Walk);
    let mut added: Columns = Columns::new();
    for &ring in &change.fresh {
        let Some(data) = walk(ring) else { continue };
        for_new(columns, floor_ranges(frame, data), &mut added)?;
    }
    // Every ring may reach a new column, a fresh ring any column.
    list_rings(&mut added, drawing, 0..drawing.rings.len() as u32);
    relist(columns, drawing, change);
    columns.append(&mut added);
    columns.retain(|&at, column| {
        !column.is_stale
            || column.listed.iter().any(|&ring| {
                walk(ring).is_some_and(|data| {
                    let (xs, zs) = floor_ranges(frame, data);
                    zs.contains(&i64::from(at.0)) && xs.contains(&i64::from(at.1))
                })
            })
    });
    if columns.len() > MAX_TILES {
        return Err(too_many(columns.len() as u128));
    }
    Ok(())
}

type Ranges = (RangeInclusive<i64>, RangeInclusive<i64>);

/// The columns (xs, zs) whose closed squares a box meets, greater borders left to the next ones.
fn ranges(frame: &Frame, bounds: &IntBox) -> Ranges {
    let range = |low: i64, high: i64| frame.tile_of(low)..=frame.tile_of(high);
    (range(bounds.low.x, bounds.high.x), range(bounds.low.z, bounds.high.z))
}

/// The columns that a walk ring may put floor into.
fn floor_ranges(frame: &Frame, ring: &Ring) -> Ranges {
    let mut bounds = *ring.bounds();
    (bounds.high.x, bounds.high.z) = (bounds.high.x - 1, bounds.high.z - 1);
    ranges(frame, &bounds)
}

fn length(range: &RangeInclusive<i64>) -> u128 {
    (i128::from(*range.end()) - i128::from(*range.start()) + 1).max(0) as u128
}

fn too_many(count: u128) -> BakeError {
    BakeError::Limit { name: "number of tiles", value: count.to_string(), limit: MAX_TILES.to_string() }
}

/// Adds the columns of the ranges that are in neither map.
fn for_new(columns: &Columns, (xs, zs): Ranges, added: &mut Columns) -> Result<(), BakeError> {
    let count = length(&xs) * length(&zs);
    if count > MAX_TILES as u128 {
        return Err(too_many(count));
    }
    for z in zs {
        for x in xs.clone() {
            if let (Ok(z), Ok(x)) = (i32::try_from(z), i32::try_from(x))
                && !columns.contains_key(&(z, x))
            {
                let fresh = || Column { is_stale: true, is_reached: true, ..Column::default() };
                added.entry((z, x)).or_insert_with(fresh);
            }
        }
    }
    if added.len() > MAX_TILES { Err(too_many(added.len() as u128)) } else { Ok(()) }
}

/// Visits the columns in the ranges; walks the smaller of the two, the ranges or all columns.
fn for_columns(columns: &mut Columns, (xs, zs): Ranges, mut visit: impl FnMut(ColumnAt, &mut Column)) {
    let clamp = |v: i64| v.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32;
    if length(&xs) * length(&zs) > columns.len() as u128 {
        let rows = (clamp(*zs.start()), i32::MIN)..=(clamp(*zs.end()), i32::MAX);
        for (&at, column) in columns.range_mut(rows).filter(|(at, _)| xs.contains(&i64::from(at.1))) {
            visit(at, column);
        }
        return;
    }
    for z in zs {
        let row = (clamp(z), clamp(*xs.start()))..=(clamp(z), clamp(*xs.end()));
        columns.range_mut(row).for_each(|(&at, column)| visit(at, column));
    }
}

/// What a map holds of the columns whose squares a box meets.
pub(crate) fn in_box<'a, T>(map: &'a BTreeMap<ColumnAt, T>, frame: &Frame, bounds: &IntBox) -> Vec<&'a T> {
    let (xs, zs) = ranges(frame, bounds);
    let clamp = |v: i64| v.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32;
    if length(&zs) > map.len() as u128 {
        let rows = map.range((clamp(*zs.start()), i32::MIN)..=(clamp(*zs.end()), i32::MAX));
        return rows.filter(|(at, _)| xs.contains(&i64::from(at.1))).map(|(_, item)| item).collect();
    }
    let row = |z: i64| map.range((clamp(z), clamp(*xs.start()))..=(clamp(z), clamp(*xs.end())));
    zs.flat_map(row).map(|(_, item)| item).collect()
}

/// Puts rings, ascending, at the end of the lists of columns they reach.
fn list_rings(columns: &mut Columns, drawing: &Drawing, rings: std::ops::Range<u32>) {
    if columns.is_empty() {
        return;
    }
    for ring in rings {
        let reached = ranges(&drawing.frame, &reach_of(drawing, ring));
        for_columns(columns, reached, |_, column| column.listed.push(ring));
    }
}

/// Takes fresh rings off the lists of columns they were on, and puts them on those they reach.
fn relist(columns: &mut Columns, drawing: &Drawing, change: &Change) {
    for &(ring, before) in &change.moved {
        let left = ranges(&drawing.frame, &before.grown(drawing.frame.step + 1));
        for_columns(columns, left, |_, column| column.listed.retain(|&other| other != ring));
    }
    for &ring in &change.fresh {
        let reached = ranges(&drawing.frame, &reach_of(drawing, ring));
        for_columns(columns, reached, |_, column| {
            let at = column.listed.partition_point(|&other| other < ring);
            column.listed.insert(at, ring);
        });
    }
}

fn reach_of(drawing: &Drawing, ring: u32) -> IntBox {
    drawing.rings[ring as usize].bounds().grown(drawing.frame.step + 1)
}

/// The outlines of areas that did not change: new area → its old outline.
pub(crate) fn kept_outlines(
    old: (&FlatInput, &[Arc<Outline>]),
    input: &FlatInput,
    new_area: &[Option<usize>],
) -> Vec<Option<Arc<Outline>>> {
    let mut kept = vec![None; input.areas.len()];
    for (index, &new) in new_area.iter().enumerate() {
        let Some(new) = new else { continue };
        let (before, after) = (&old.0.areas[index], &input.areas[new]);
        // What an outline says of itself names the area.
        if before.outline == after.outline && before.level == after.level && before.name == after.name {
            kept[new] = Some(old.1[index].clone());
        }
    }
    kept
}
