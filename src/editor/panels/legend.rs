//! Every sign on the canvas, drawn as the canvas draws it.

use egui::{RichText, ScrollArea, Sense, Ui, vec2};

use super::fields;
use crate::draw::{Anchor, Role, Shape, Sign, View, convex_pieces, paint};
use crate::editor::canvas::ink::Ink;
use crate::editor::style::{self, color32};

/// What each little scene shows, 4 × 2 squares large.
type Scene = (&'static str, fn() -> Vec<Shape>);

const AREAS: [Scene; 8] = [
    ("walk area: solid outline", || area(Role::Walk)),
    ("hole: hatched", || area(Role::Hole)),
    ("level below: solid, with its number", || other(Role::LevelBelow, "0")),
    ("level above: dashed, with its number", || other(Role::LevelAbove, "2")),
    ("area type: its own colour, hatch and words", typed),
    ("area being drawn; dashed: what closes it", draft),
    ("crossed segments: thick, a cross at the place", crossed),
    ("selected, with grips; thin: under the cursor", selected),
];

const MESH: [Scene; 13] = [
    ("polygons and their inner edges; thick: walls", mesh),
    ("border of two tiles", || vec![line(Role::TileBorder)]),
    ("stitched part of a border: double line", || vec![line(Role::TileBorder), border(Role::Portal)]),
    ("unstitched part of a border: dashes, ticks", || {
        vec![line(Role::TileBorder), border(Role::LonelyPortal)]
    }),
    ("seam: an edge part that two levels share", || vec![ladder(Role::Seam)]),
    ("mesh older than the drawing: hatched grey", || area(Role::Stale)),
    ("islands: colour, direction of hatch, number", islands),
    ("number of a level on its floor", || {
        vec![Shape::Text {
            at: [2.0, 1.0],
            text: "1".to_owned(),
            anchor: Anchor::Center,
            role: Role::LevelLabel,
        }]
    }),
    ("a tile that could not be baked", || area(Role::FailedTile)),
    ("a floor that a stage of the bake left", || area(Role::StageFloor)),
    ("what that stage took away", || area(Role::StageGone)),
    ("brighter: higher, or farther from walls", shades),
    ("floors over each other: the lighter, the higher", heights),
];

const WAYS: [Scene; 7] = [
    ("link: arc to its end, circles: reach", || link(Role::Link)),
    ("link that is not attached: crossed rings", || link(Role::LooseLink)),
    ("path: S disc to E square, over its polygons", path),
    ("path over a link; disc: the level it changes to", jump),
    ("ramp: arrow to its higher side, rise and slope", ramp),
    ("who walks, with the level; line: the trail", walker),
    ("… thick: slid on a wall; bar: stopped", slid),
];

const SIGNS: [Scene; 9] = [
    ("error: octagon; nothing is exported", || marker(Sign::Octagon, Role::Error)),
    ("warning: triangle", || marker(Sign::Triangle, Role::Warning)),
    ("note: disc", || marker(Sign::Disc, Role::Note)),
    ("where a click puts a point: on the grid", || marker(Sign::Plus, Role::Ghost)),
    ("… on another area's point", || marker(Sign::Ring, Role::Ghost)),
    ("… on another area's edge", || marker(Sign::Diamond, Role::Ghost)),
    ("number on a point: so many are joined", || badge(Role::Handle, "3")),
    ("number at a sign: so many stand here", || badge(Role::Warning, "2")),
    ("at the rim: there is more that way", rim),
];

const SCENE: egui::Vec2 = vec2(76.0, 34.0);

/// Shows all signs.
pub fn show(ui: &mut Ui) {
    let height = (ui.ctx().content_rect().height() - 220.0).clamp(200.0, 540.0);
    ScrollArea::vertical().min_scrolled_height(height).max_height(height).auto_shrink([false, false]).show(
        ui,
        |ui| {
            ui.columns(2, |columns| {
                section(&mut columns[0], "AREAS", &AREAS);
                section(&mut columns[0], "WAYS", &WAYS);
                section(&mut columns[1], "MESH", &MESH);
                section(&mut columns[1], "SIGNS", &SIGNS);
            });
        },
    );
    ui.label(
        RichText::new("Colour never says anything alone: each thing has a second sign.")
            .small()
            .color(style::of(ui.ctx()).weak),
    );
}

fn section(ui: &mut Ui, title: &str, scenes: &[Scene]) {
    fields::head(ui, title);
    for (meaning, shapes) in scenes {
        ui.horizontal(|ui| {
            let (rect, _) = ui.allocate_exact_size(SCENE, Sense::hover());
            let painter = ui.painter_at(rect);
            let theme = style::theme(ui.ctx());
            painter.rect_filled(rect, 3.0, color32(theme.background()));
            let view = View::fit([[-0.3, -0.3], [4.3, 2.3]], rect.min.into(), rect.max.into());
            let mut ink = Ink::new(ui.ctx());
            paint(&shapes(), &view, theme, &mut ink);
            painter.extend(ink.finish());
            ui.label(*meaning);
        });
    }
}

const BOX: [[f64; 2]; 4] = [[0.2, 0.2], [3.8, 0.2], [3.4, 1.8], [0.6, 1.8]];

fn area(role: Role) -> Vec<Shape> {
    vec![Shape::Area { outline: BOX.to_vec(), pieces: convex_pieces(&BOX), role }]
}

fn other(role: Role, number: &str) -> Vec<Shape> {
    let text =
        Shape::Text { at: [0.6, 1.2], text: number.to_owned(), anchor: Anchor::Left, role: Role::Ruler };
    vec![Shape::Polyline { points: BOX.to_vec(), closed: true, role }, text]
}

fn line(role: Role) -> Shape {
    Shape::Polyline { points: vec![[0.2, 1.0], [3.8, 1.0]], closed: false, role }
}

fn border(role: Role) -> Shape {
    Shape::Lines { segments: vec![[[0.2, 1.0], [3.8, 1.0]]], role }
}

fn ladder(role: Role) -> Shape {
    Shape::Ladder { from: [0.6, 1.0], to: [3.4, 1.0], role }
}

fn marker(sign: Sign, role: Role) -> Vec<Shape> {
    vec![Shape::Marker { at: [2.0, 1.0], sign, role }]
}

fn draft() -> Vec<Shape> {
    let handle = |at| Shape::Marker { at, sign: Sign::Square, role: Role::Handle };
    let mut shapes = vec![
        Shape::Polyline { points: BOX.to_vec(), closed: false, role: Role::Draft },
        Shape::Polyline { points: vec![BOX[3], BOX[0]], closed: false, role: Role::DraftClosing },
    ];
    shapes.extend(BOX.map(handle));
    shapes
}

fn selected() -> Vec<Shape> {
    let mut shapes = area(Role::Walk);
    shapes.push(Shape::Polyline { points: BOX.to_vec(), closed: true, role: Role::Selection });
    shapes.extend(BOX.map(|at| Shape::Marker { at, sign: Sign::Square, role: Role::Handle }));
    let inner = vec![[1.4, 0.6], [2.6, 0.6], [2.0, 1.5]];
    shapes.push(Shape::Polyline { points: inner, closed: true, role: Role::Hover });
    shapes
}

fn typed() -> Vec<Shape> {
    let mut shapes = area(Role::Typed([0xCC, 0x79, 0xA7]));
    shapes.push(words([2.0, 1.0], "mud", Role::Label));
    shapes
}

fn words(at: [f64; 2], text: &str, role: Role) -> Shape {
    Shape::Text { at, text: text.to_owned(), anchor: Anchor::Center, role }
}

fn crossed() -> Vec<Shape> {
    let points = [[0.4, 0.3], [3.6, 1.7], [3.6, 0.3], [0.4, 1.7]];
    let segments = vec![[points[0], points[1]], [points[2], points[3]]];
    vec![
        Shape::Polyline { points: points.to_vec(), closed: false, role: Role::Draft },
        Shape::Lines { segments, role: Role::DraftCrossing },
        Shape::Marker { at: [2.0, 1.0], sign: Sign::Cross, role: Role::DraftCrossing },
    ]
}

fn ramp() -> Vec<Shape> {
    let (from, to) = ([0.5, 1.4], [3.5, 1.4]);
    vec![
        Shape::Polyline { points: vec![from, to], closed: false, role: Role::Draft },
        Shape::Marker { at: to, sign: Sign::ArrowHead([1.0, 0.0]), role: Role::Label },
        words([2.0, 0.5], "+1, 14°", Role::Label),
    ]
}

fn walker() -> Vec<Shape> {
    let at = [3.0, 1.2];
    vec![
        Shape::Polyline { points: vec![[0.3, 0.4], [1.6, 0.6], at], closed: false, role: Role::Trail },
        Shape::Circle { center: at, radius: 0.7, role: Role::Walker },
        Shape::Marker { at, sign: Sign::Disc, role: Role::Badge },
        words(at, "0", Role::BadgeText),
    ]
}

fn slid() -> Vec<Shape> {
    vec![
        Shape::Polyline { points: vec![[0.3, 1.7], [1.2, 1.0]], closed: false, role: Role::Trail },
        Shape::Polyline { points: vec![[1.2, 1.0], [3.4, 1.0]], closed: false, role: Role::TrailSlid },
        Shape::Lines { segments: vec![[[3.4, 0.5], [3.4, 1.5]]], role: Role::TrailSlid },
    ]
}

/// A number beside a sign or a point.
fn badge(role: Role, number: &str) -> Vec<Shape> {
    let sign = if role == Role::Warning { Sign::Triangle } else { Sign::Square };
    let at = [2.7, 1.45];
    vec![
        Shape::Marker { at: [2.0, 0.9], sign, role },
        Shape::Marker { at, sign: Sign::Disc, role: Role::Badge },
        words(at, number, Role::BadgeText),
    ]
}

fn rim() -> Vec<Shape> {
    vec![
        Shape::Polyline { points: vec![[3.8, 0.0], [3.8, 2.0]], closed: false, role: Role::Ruler },
        Shape::Marker { at: [2.4, 1.0], sign: Sign::Triangle, role: Role::Warning },
        Shape::Marker { at: [3.6, 1.0], sign: Sign::ArrowHead([1.0, 0.0]), role: Role::Warning },
    ]
}

fn mesh() -> Vec<Shape> {
    let middle = [[2.0, 0.2], [2.0, 1.8]];
    vec![
        Shape::Convex { points: BOX.to_vec(), role: Role::Polygon(0) },
        Shape::Lines { segments: vec![middle], role: Role::InnerEdge },
        Shape::Polyline { points: BOX.to_vec(), closed: true, role: Role::Wall },
    ]
}

fn shades() -> Vec<Shape> {
    steps(Role::StageShade)
}

fn heights() -> Vec<Shape> {
    steps(Role::Height)
}

fn steps(role: fn(u8) -> Role) -> Vec<Shape> {
    let step = |index: u8| {
        let x = 0.2 + 0.9 * f64::from(index);
        let points = vec![[x, 0.2], [x + 0.9, 0.2], [x + 0.9, 1.8], [x, 1.8]];
        Shape::Convex { points, role: role(index * 85) }
    };
    (0..4).map(step).collect()
}

fn islands() -> Vec<Shape> {
    let half = |x: f64, role| Shape::Convex {
        points: vec![[x, 0.2], [x + 1.7, 0.2], [x + 1.7, 1.8], [x, 1.8]],
        role: Role::Island(role),
    };
    vec![half(0.2, 0), half(2.1, 1)]
}

fn arc() -> Vec<[f64; 2]> {
    (0..=12)
        .map(|step| {
            let part = f64::from(step) / 12.0;
            [0.7 + 2.6 * part, 0.6 + 3.6 * part * (1.0 - part)]
        })
        .collect()
}

fn link(role: Role) -> Vec<Shape> {
    let points = arc();
    let (start, before, end) = (points[0], points[points.len() - 2], points[points.len() - 1]);
    let circle = |center| Shape::Circle { center, radius: 0.5, role: Role::LinkRadius };
    let mut shapes = vec![circle(start), circle(end), Shape::Polyline { points, closed: false, role }];
    if role == Role::LooseLink {
        shapes.extend([start, end].map(|at| Shape::Marker { at, sign: Sign::RingCross, role }));
    } else {
        let direction = [end[0] - before[0], end[1] - before[1]];
        shapes.push(Shape::Marker { at: start, sign: Sign::Disc, role });
        shapes.push(Shape::Marker { at: end, sign: Sign::ArrowHead(direction), role });
    }
    shapes
}

fn path() -> Vec<Shape> {
    vec![
        Shape::Convex { points: BOX.to_vec(), role: Role::Corridor },
        Shape::Polyline { points: vec![[0.5, 0.6], [2.0, 1.5], [3.5, 0.7]], closed: false, role: Role::Path },
        Shape::Marker { at: [0.5, 0.6], sign: Sign::DiscLetter('S'), role: Role::PathStart },
        Shape::Marker { at: [3.5, 0.7], sign: Sign::SquareLetter('E'), role: Role::PathEnd },
    ]
}

fn jump() -> Vec<Shape> {
    let change = Shape::Marker { at: [3.3, 0.6], sign: Sign::DiscNumber(1), role: Role::LevelChange };
    vec![Shape::Polyline { points: arc(), closed: false, role: Role::PathJump }, change]
}
