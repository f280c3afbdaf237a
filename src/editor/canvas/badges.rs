//! Issues at their places: one badge for those within 16 pixels, and arrows at the rim for what is out of sight.

use std::collections::BTreeMap;

use egui::{Align2, FontId, Painter, Pos2, Rect, Vec2, pos2, vec2};

use super::ink::{Ink, color32};
use crate::bake::Severity;
use crate::draw::{self, Role, Shape, Sign, View};
use crate::editor::panels::words;
use crate::editor::state::State;
use crate::editor::style;
use crate::editor::tools::ToolKind;

/// Badges nearer to each other than this become one, in points.
const STACK: f32 = 16.0;
/// How near a badge the cursor is on it, in points.
pub const REACH: f32 = 10.0;
/// How far arrows stand from the rim, and how near to each other they become one, in points.
const RIM: f32 = 15.0;
const ARROWS_APART: f32 = 46.0;
/// Most issues that are sorted into badges in a frame.
const MOST: usize = 4000;

/// Issues at one place of the screen, the worst first.
#[derive(Clone, Debug)]
pub struct Badge {
    /// Where the worst one is.
    pub at: Pos2,
    /// Their places among all issues.
    pub issues: Vec<usize>,
}

/// Issues out of sight in one direction, the worst first.
#[derive(Clone, Debug)]
pub struct RimArrow {
    /// Where the arrow is.
    pub at: Pos2,
    /// To where it points, of length 1.
    pub toward: Vec2,
    /// Their places among all issues.
    pub issues: Vec<usize>,
}

/// What is drawn of the issues in one frame.
#[derive(Clone, Debug, Default)]
pub struct Badges {
    /// In sight.
    pub badges: Vec<Badge>,
    /// Out of sight.
    pub arrows: Vec<RimArrow>,
}

impl Badges {
    /// Sorts the issues of the current level (with the Test tool, of all levels) into badges and arrows.
    #[must_use]
    pub fn of(state: &State, view: &View, rect: Rect) -> Self {
        let test = state.tools.kind() == ToolKind::Test;
        let all = state.issues();
        let mut found = Self::default();
        let mut cells: BTreeMap<(i32, i32), Vec<usize>> = BTreeMap::new();
        for &index in state.shown_issues().iter().take(MOST) {
            let Some(issue) = all.get(index).filter(|issue| test || issue.level == state.level) else {
                continue;
            };
            if !issue.place.iter().all(|value| value.is_finite()) {
                continue;
            }
            let at: Pos2 = view.pixel_from_world(issue.place).into();
            if rect.contains(at) {
                found.stack(&mut cells, at, index);
            } else {
                found.point(rect, at, index);
            }
        }
        found
    }

    fn stack(&mut self, cells: &mut BTreeMap<(i32, i32), Vec<usize>>, at: Pos2, index: usize) {
        #[allow(clippy::cast_possible_truncation, reason = "pixels on the screen")]
        let cell = ((at.x / STACK).floor() as i32, (at.y / STACK).floor() as i32);
        let around = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (cell.0 + dx, cell.1 + dy)));
        let near = around.filter_map(|cell| cells.get(&cell)).flatten().copied();
        let near = near.filter(|&badge| self.badges[badge].at.distance(at) < STACK).min();
        match near {
            Some(badge) => self.badges[badge].issues.push(index),
            None => {
                cells.entry(cell).or_default().push(self.badges.len());
                self.badges.push(Badge { at, issues: vec![index] });
            }
        }
    }

    fn point(&mut self, rect: Rect, to: Pos2, index: usize) {
        let inner = rect.shrink(RIM);
        let (middle, half) = (rect.center(), inner.size() * 0.5);
        let away = to - middle;
        let share = (away.x.abs() / half.x).max(away.y.abs() / half.y).max(1e-6);
        let at = middle + away / share;
        match self.arrows.iter_mut().find(|arrow| arrow.at.distance(at) < ARROWS_APART) {
            Some(arrow) => arrow.issues.push(index),
            None => self.arrows.push(RimArrow { at, toward: away.normalized(), issues: vec![index] }),
        }
    }

    /// The badge under the cursor.
    #[must_use]
    pub fn badge_at(&self, pointer: Pos2) -> Option<&Badge> {
        let near = self.badges.iter().filter(|badge| badge.at.distance(pointer) <= REACH);
        near.min_by(|a, b| a.at.distance(pointer).total_cmp(&b.at.distance(pointer)))
    }

    /// The arrow under the cursor.
    #[must_use]
    pub fn arrow_at(&self, pointer: Pos2) -> Option<&RimArrow> {
        self.arrows.iter().find(|arrow| arrow.at.distance(pointer) <= 14.0)
    }

    /// Draws them, worst on top.
    pub fn paint(&self, painter: &Painter, state: &State, view: &View) {
        let all = state.issues();
        let severity = |issues: &[usize]| {
            issues
                .first()
                .and_then(|&index| all.get(index))
                .map_or(Severity::Note, |issue| issue.kind.severity())
        };
        let mut badges: Vec<&Badge> = self.badges.iter().collect();
        badges.sort_by_key(|badge| severity(&badge.issues));
        let mut ink = Ink::new(painter.ctx());
        let marker = |badge: &&Badge| {
            let (role, sign) = sign_of(severity(&badge.issues));
            Shape::Marker { at: view.world_from_pixel(badge.at.into()), sign, role }
        };
        draw::paint(&badges.iter().map(marker).collect::<Vec<_>>(), view, ink.theme, &mut ink);
        painter.extend(ink.finish());
        for badge in badges.iter().filter(|badge| badge.issues.len() > 1) {
            count(painter, badge.at + vec2(10.0, -9.0), badge.issues.len());
        }
        for arrow in &self.arrows {
            let worst = severity(&arrow.issues);
            let (side, tip) = (arrow.toward.rot90(), arrow.at + arrow.toward * 12.0);
            let base = arrow.at + arrow.toward * 3.0;
            let color = style::severity_color(painter.ctx(), worst);
            let line = egui::Stroke::new(1.0, color32(draw::Rgba::hex(0x00_00_00, 100)));
            let corners = vec![tip, base + side * 7.0, base - side * 7.0];
            painter.add(egui::Shape::convex_polygon(corners, color, line));
            // The sign and the number stand inside, away from the rim.
            let inside = arrow.at - arrow.toward * 7.0;
            painter.circle_filled(inside, 8.5, style::of(painter.ctx()).plate);
            let font = FontId::proportional(13.0);
            painter.text(inside, Align2::CENTER_CENTER, words::sign(worst), font, color);
            if arrow.issues.len() > 1 {
                count(painter, inside + vec2(9.0, -9.0), arrow.issues.len());
            }
        }
    }
}

fn sign_of(severity: Severity) -> (Role, Sign) {
    match severity {
        Severity::Error => (Role::Error, Sign::Octagon),
        Severity::Warning => (Role::Warning, Sign::Triangle),
        Severity::Note => (Role::Note, Sign::Disc),
    }
}

/// How many, on a plate.
fn count(painter: &Painter, at: Pos2, number: usize) {
    let colors = style::of(painter.ctx());
    let text = if number > 99 { "99+".to_owned() } else { number.to_string() };
    let galley = painter.layout_no_wrap(text, FontId::proportional(10.5), colors.strong);
    let size = vec2((galley.size().x + 6.0).max(14.0), 13.0);
    let plate = Rect::from_center_size(at, size);
    painter.rect_filled(plate, 6.5, colors.plate);
    painter.galley(pos2(at.x, at.y) - galley.size() * 0.5, galley, colors.strong);
}
