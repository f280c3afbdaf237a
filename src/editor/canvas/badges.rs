//! Issues at their places: one badge for those within 16 pixels, and arrows at the rim for what is out of sight.

use std::collections::BTreeMap;

use egui::{Align2, FontId, Painter, Pos2, Rect, Vec2, vec2};

use super::ink::Ink;
use super::scene::{Key, Picture, Stamp};
use crate::bake::Severity;
use crate::draw::{self, Anchor, Canvas as _, Role, Shape, Sign, View};
use crate::editor::state::State;
use crate::editor::style::{self, color32};
use crate::editor::tools::ToolKind;
use crate::editor::words;

/// Badges nearer to each other than this become one, in pixels.
const STACK: f64 = 16.0;
/// A badge with another one nearer than this shows no number: it would lie on the other, in pixels.
const ROOM: f64 = 26.0;
/// How near a badge the cursor is on it, in points.
pub const REACH: f32 = 10.0;
/// How far arrows stand from the rim, and how near to each other they become one, in points.
const RIM: f32 = 15.0;
const ARROWS_APART: f32 = 46.0;
/// Most issues that are sorted into badges.
const MOST: usize = 4000;

/// Issues that lie at one place of the screen, the worst first.
#[derive(Clone, Debug)]
pub struct Badge {
    /// Where the worst one is, in the world.
    pub place: [f64; 2],
    /// Their places among all issues.
    pub issues: Vec<usize>,
    severity: Severity,
    /// Whether there is room for a number beside it.
    roomy: bool,
}

/// Issues out of sight in one direction.
#[derive(Clone, Debug)]
pub struct RimArrow {
    /// The worst one's place among all issues.
    pub worst: usize,
    at: Pos2,
    /// To where it points, of length 1.
    toward: Vec2,
    severity: Severity,
    count: usize,
}

/// What is drawn of the issues. They are sorted into badges when issues, level or zoom change; panning only moves them.
#[derive(Debug, Default)]
pub struct Badges {
    key: Option<(u64, u64, Option<i8>)>,
    edition: u64,
    badges: Vec<Badge>,
    bounds: Option<[[f64; 2]; 2]>,
    arrows: Vec<RimArrow>,
    view: Option<(View, Rect)>,
}

impl Badges {
    /// Brings badges and arrows up to date: those of the current level, with the Test tool of all levels.
    pub fn update(&mut self, state: &State, view: &View, rect: Rect) {
        let level = (state.tools.kind() != ToolKind::Test).then_some(state.level);
        let key = Some((state.issue_view.edition, view.scale.to_bits(), level));
        if self.key != key {
            self.key = key;
            self.edition += 1;
            self.badges = stacks(state, view.scale, level);
            self.bounds = bounds(&self.badges);
        }
        self.view = Some((*view, rect));
        self.arrows.clear();
        for badge in &self.badges {
            let to = Pos2::from(view.pixel_from_world(badge.place));
            if !rect.contains(to) {
                point(&mut self.arrows, rect, to, badge);
            }
        }
    }

    /// The badge under the cursor, and where it is on the screen.
    #[must_use]
    pub fn badge_at(&self, pointer: Pos2) -> Option<(Pos2, &Badge)> {
        let (view, rect) = self.view.as_ref()?;
        let placed = self.badges.iter().map(|badge| (Pos2::from(view.pixel_from_world(badge.place)), badge));
        let near = placed.filter(|(at, _)| rect.contains(*at) && at.distance(pointer) <= REACH);
        near.min_by(|(a, _), (b, _)| a.distance(pointer).total_cmp(&b.distance(pointer)))
    }

    /// The arrow under the cursor.
    #[must_use]
    pub fn arrow_at(&self, pointer: Pos2) -> Option<&RimArrow> {
        self.arrows.iter().find(|arrow| arrow.at.distance(pointer) <= 14.0)
    }

    /// Draws the badges, the worst on top, as one patch that is only moved while they stay.
    pub fn paint(&self, picture: &mut Picture<'_>) {
        let stamp = Stamp::Numbers([self.edition, 0, 0, 0]);
        picture.patch(Key::Badges, self.bounds, stamp, |view, ink| {
            let mut sorted: Vec<&Badge> = self.badges.iter().filter(|badge| is_near(badge, view)).collect();
            sorted.sort_by_key(|badge| badge.severity);
            for badge in &sorted {
                paint_badge(badge, view, ink);
            }
        });
    }

    /// Draws the arrows at the rim.
    pub fn paint_arrows(&self, painter: &Painter) {
        for arrow in &self.arrows {
            let (side, tip) = (arrow.toward.rot90(), arrow.at + arrow.toward * 12.0);
            let base = arrow.at + arrow.toward * 3.0;
            let color = style::severity_color(painter.ctx(), arrow.severity);
            let line = egui::Stroke::new(1.0, color32(draw::Rgba::hex(0x00_00_00, 100)));
            let corners = vec![tip, base + side * 7.0, base - side * 7.0];
            painter.add(egui::Shape::convex_polygon(corners, color, line));
            // The sign and the number stand inside, away from the rim.
            let inside = arrow.at - arrow.toward * 7.0;
            painter.circle_filled(inside, 8.5, style::of(painter.ctx()).plate);
            let font = FontId::proportional(13.0);
            painter.text(inside, Align2::CENTER_CENTER, words::sign(arrow.severity), font, color);
            if arrow.count > 1 {
                count(painter, inside + vec2(9.0, -9.0), arrow.count);
            }
        }
    }
}

/// Sorts issues into badges at a zoom, worst first, on a grid of pixels that is fixed to the world, so that panning
/// regroups nothing.
fn stacks(state: &State, scale: f64, level: Option<i8>) -> Vec<Badge> {
    let all = state.issues();
    let mut badges: Vec<Badge> = Vec::new();
    let mut cells: BTreeMap<(i64, i64), Vec<usize>> = BTreeMap::new();
    #[allow(clippy::cast_possible_truncation, reason = "a cast saturates, and cells far out may be one")]
    let cell = |place: [f64; 2], size: f64| {
        let [x, z] = place.map(|value| (value * scale / size).floor() as i64);
        (x, z)
    };
    let around = |(x, z): (i64, i64)| {
        (-1..=1).flat_map(move |dx| (-1..=1).map(move |dz| (x.saturating_add(dx), z.saturating_add(dz))))
    };
    let apart = |a: [f64; 2], b: [f64; 2]| scale * (a[0] - b[0]).hypot(a[1] - b[1]);
    for &index in state.shown_issues().iter().take(MOST) {
        let Some(issue) = all.get(index).filter(|issue| level.is_none_or(|level| issue.level == level))
        else {
            continue;
        };
        let place = issue.place;
        if !place.iter().all(|value| value.is_finite()) {
            continue;
        }
        let here = cell(place, STACK);
        let near = around(here).filter_map(|cell| cells.get(&cell)).flatten().copied();
        match near.filter(|&badge| apart(badges[badge].place, place) < STACK).min() {
            Some(badge) => badges[badge].issues.push(index),
            None => {
                cells.entry(here).or_default().push(badges.len());
                let severity = issue.kind.severity();
                badges.push(Badge { place, issues: vec![index], severity, roomy: true });
            }
        }
    }
    let mut cells: BTreeMap<(i64, i64), Vec<usize>> = BTreeMap::new();
    for (index, badge) in badges.iter().enumerate() {
        cells.entry(cell(badge.place, ROOM)).or_default().push(index);
    }
    for index in 0..badges.len() {
        let place = badges[index].place;
        let mut near = around(cell(place, ROOM)).filter_map(|cell| cells.get(&cell)).flatten();
        badges[index].roomy = !near.any(|&other| other != index && apart(badges[other].place, place) < ROOM);
    }
    badges
}

/// Adds what lies out of sight to the arrow that points there.
fn point(arrows: &mut Vec<RimArrow>, rect: Rect, to: Pos2, badge: &Badge) {
    let inner = rect.shrink(RIM);
    let (middle, half) = (rect.center(), inner.size() * 0.5);
    let away = to - middle;
    let share = (away.x.abs() / half.x).max(away.y.abs() / half.y).max(1e-6);
    let at = middle + away / share;
    match arrows.iter_mut().find(|arrow| arrow.at.distance(at) < ARROWS_APART) {
        Some(arrow) => arrow.count += badge.issues.len(),
        None => arrows.push(RimArrow {
            worst: badge.issues.first().copied().unwrap_or(0),
            at,
            toward: away.normalized(),
            severity: badge.severity,
            count: badge.issues.len(),
        }),
    }
}

/// The box of all badges.
fn bounds(badges: &[Badge]) -> Option<[[f64; 2]; 2]> {
    let first = badges.first()?.place;
    Some(badges.iter().fold([first, first], |[low, high], badge| {
        let [x, z] = badge.place;
        [[low[0].min(x), low[1].min(z)], [high[0].max(x), high[1].max(z)]]
    }))
}

fn is_near(badge: &Badge, view: &View) -> bool {
    let [x, y] = view.pixel_from_world(badge.place);
    let reach = 40.0;
    (view.min[0] - reach..=view.max[0] + reach).contains(&x)
        && (view.min[1] - reach..=view.max[1] + reach).contains(&y)
}

fn paint_badge(badge: &Badge, view: &View, ink: &mut Ink) {
    let (role, sign) = match badge.severity {
        Severity::Error => (Role::Error, Sign::Octagon),
        Severity::Warning => (Role::Warning, Sign::Triangle),
        Severity::Note => (Role::Note, Sign::Disc),
    };
    let theme = ink.theme;
    let stack = badge.issues.len() > 1;
    let marker = Shape::Marker { at: badge.place, sign, role };
    if stack && !badge.roomy {
        // Another one behind it tells that there are several.
        let offset = [2.5 / view.scale, -2.5 / view.scale];
        let behind = [badge.place[0] + offset[0], badge.place[1] + offset[1]];
        draw::paint(&[Shape::Marker { at: behind, sign, role }], view, theme, ink);
    }
    draw::paint(&[marker], view, theme, ink);
    if stack && badge.roomy {
        let [x, y] = view.pixel_from_world(badge.place);
        let text = number(badge.issues.len());
        #[allow(clippy::cast_precision_loss, reason = "at most three letters")]
        let half = (6.2 * text.len() as f32 + 6.0).max(14.0) * 0.5 - 6.5;
        let middle = [x + 10.0, y - 9.0];
        let round = |turn: f32| {
            let side = if turn.cos() < 0.0 { -half } else { half };
            [middle[0] + side + 6.5 * turn.cos(), middle[1] + 6.5 * turn.sin()]
        };
        #[allow(clippy::cast_precision_loss, reason = "small numbers")]
        let plate: Vec<[f32; 2]> =
            (0..16).map(|step| round((step as f32 + 0.5) * std::f32::consts::TAU / 16.0)).collect();
        let style = theme.style(Role::Badge);
        if let Some(color) = style.fill {
            ink.fill(&plate, color);
        }
        if let Some(line) = style.stroke {
            ink.stroke(&plate, true, line.color, 1.0);
        }
        if let Some(color) = theme.style(Role::BadgeText).fill {
            ink.text(middle, &text, 8.75, Anchor::Center, color);
        }
    }
}

fn number(count: usize) -> String {
    if count > 99 { "99+".to_owned() } else { count.to_string() }
}

/// How many, on a plate.
fn count(painter: &Painter, at: Pos2, count: usize) {
    let colors = style::of(painter.ctx());
    let galley = painter.layout_no_wrap(number(count), FontId::proportional(10.5), colors.strong);
    let size = vec2((galley.size().x + 6.0).max(14.0), 13.0);
    painter.rect_filled(Rect::from_center_size(at, size), 6.5, colors.plate);
    painter.galley(at - galley.size() * 0.5, galley, colors.strong);
}
