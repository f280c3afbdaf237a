//! The tree of levels, areas, links and checks; selects both ways with the canvas.

use std::rc::Rc;

use egui::{
    Align2, AtomExt as _, Button, FontFamily, FontId, RichText, ScrollArea, Sense, TextEdit, Ui, vec2,
};
use egui_material_icons::icons::{
    ICON_CROP_FREE, ICON_DEPLOYED_CODE, ICON_IMAGE, ICON_LAYERS, ICON_LOCK, ICON_LOCK_OPEN, ICON_PENTAGON,
    ICON_ROUTE, ICON_SWAP_CALLS, ICON_VISIBILITY, ICON_VISIBILITY_OFF, ICON_WARNING,
};
use egui_material_icons::{FONT_FAMILY, MaterialIcon};

use super::checks;
use crate::bake::AreaKind;
use crate::draw::Role;
use crate::editor::canvas::pick::Item;
use crate::editor::state::{Frame, Selection, State};
use crate::editor::style;
use crate::project::{Area, AreaId, CheckId, Command, Document, Geometry, Level, Link, PathCheck};

const ROW: f32 = 22.0;
/// Breadth of the eye and the lock.
const MARK: f32 = 18.0;

/// A line of the tree.
#[derive(Clone, Debug)]
enum Row {
    Level { number: i8, name: String, count: usize, marked: Marked },
    Thing { item: Item, name: String, kind: Kind },
    Links { count: usize },
    Geometry { count: usize },
    Checks { count: usize },
    Check { id: CheckId, name: String },
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Walk,
    Hole,
    Link,
    Picture,
    Geometry,
}

/// Whose name is being changed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Named {
    Thing(Item),
    Level(i8),
    Check(CheckId),
}

/// Whether all things of a row are hidden, and whether all are locked.
#[derive(Clone, Copy, Debug, Default)]
struct Marked {
    hidden: bool,
    locked: bool,
}

impl Marked {
    fn of(state: &State, items: impl Iterator<Item = Item> + Clone) -> Self {
        let any = items.clone().next().is_some();
        let marks = &state.marks;
        Self {
            hidden: any && items.clone().all(|item| marks.is_hidden(item)),
            locked: any && items.clone().all(|item| marks.is_locked(item)),
        }
    }
}

/// The lines of the tree, and the drawing, marks and filter that they are made for.
#[derive(Debug, Default)]
struct Rows {
    key: Option<(u64, u64, String)>,
    rows: Rc<[Row]>,
}

impl Rows {
    fn of(&mut self, state: &State, filter: &str) -> Rc<[Row]> {
        let (generation, marks) = (state.generation, state.marks.edition);
        let same =
            self.key.as_ref().is_some_and(|key| (key.0, key.1) == (generation, marks) && key.2 == filter);
        if !same {
            self.rows = rows(state, &filter.to_lowercase()).into();
            self.key = Some((generation, marks, filter.to_owned()));
        }
        Rc::clone(&self.rows)
    }
}

/// What the panel remembers from frame to frame.
#[derive(Debug, Default)]
pub struct Memory {
    /// The text of the filter box.
    filter: String,
    rows: Rows,
    /// The selection that was scrolled to.
    seen: Selection,
    /// A name that is being changed, as it is typed, and whether its field has had the keyboard.
    renaming: Option<(Named, String, bool)>,
}

impl Memory {
    /// Begins to change the name of what is selected: a check, the only thing, else the current level.
    pub fn rename(&mut self, state: &State) {
        let document = state.document();
        let named = match (state.shown_check(), state.selection.only()) {
            (Some(check), _) => Some((Named::Check(check.id), check.name.clone())),
            (None, Some(item)) => name_of(document, item).map(|name| (Named::Thing(item), name)),
            (None, None) => {
                document.level(state.level).map(|level| (Named::Level(state.level), level.name.clone()))
            }
        };
        self.renaming = named.map(|(named, name)| (named, name, false));
        self.filter.clear();
    }

    /// Leaves the name as it was. Whether one was being changed.
    pub fn cancel_rename(&mut self) -> bool {
        self.renaming.take().is_some()
    }
}

fn name_of(document: &Document, item: Item) -> Option<String> {
    match item {
        Item::Area(id) => document.area(id).map(|area| area.name.clone()),
        Item::Link(id) => document.link(id).map(|link| link.name.clone()),
        Item::Geometry(id) => document.geometry(id).map(|item| item.name().to_owned()),
        // A picture is called as its file is.
        Item::Picture(_) => None,
    }
}

/// Shows the panel.
pub fn show(ui: &mut Ui, state: &mut State, memory: &mut Memory) {
    let box_response = ui.add(
        TextEdit::singleline(&mut memory.filter).hint_text("Filter by name").desired_width(f32::INFINITY),
    );
    box_response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Filter outline"));
    ui.add_space(2.0);
    let rows = memory.rows.of(state, &memory.filter);
    ui.spacing_mut().item_spacing.y = 1.0;
    let mut area = ScrollArea::vertical().id_salt("outline-rows").auto_shrink(false);
    if memory.seen != state.selection {
        memory.seen = state.selection.clone();
        area = scroll_to(ui, area, &rows, state);
    }
    area.show_rows(ui, ROW, rows.len(), |ui, range| {
        for row in &rows[range] {
            show_row(ui, state, memory, row);
        }
    });
}

fn rows(state: &State, filter: &str) -> Vec<Row> {
    let document = state.document();
    let wanted = |name: &str| filter.is_empty() || name.to_lowercase().contains(filter);
    let mut rows = Vec::new();
    for level in document.levels.iter().rev() {
        let areas = document.areas.iter().filter(|area| area.level == level.number && wanted(&area.name));
        let things: Vec<Row> = areas
            .map(|area| Row::Thing {
                item: Item::Area(area.id),
                name: area.name.clone(),
                kind: if area.kind == AreaKind::Walk { Kind::Walk } else { Kind::Hole },
            })
            .collect();
        rows.push(Row::Level {
            number: level.number,
            name: level.name.clone(),
            count: things.len(),
            marked: Marked::of(state, items_of(document, level.number)),
        });
        rows.extend(things);
        let pictures = document.pictures.iter().filter(|picture| picture.level == level.number);
        rows.extend(pictures.filter(|picture| wanted(picture.name())).map(|picture| Row::Thing {
            item: Item::Picture(picture.id),
            name: picture.name().to_owned(),
            kind: Kind::Picture,
        }));
    }
    let links = document.links.iter().filter(|link| wanted(&link.name));
    let links: Vec<Row> = links
        .map(|link| Row::Thing { item: Item::Link(link.id), name: link.name.clone(), kind: Kind::Link })
        .collect();
    if !links.is_empty() {
        rows.push(Row::Links { count: links.len() });
        rows.extend(links);
    }
    let geometry = document.geometry.iter().filter(|item| wanted(item.name()));
    let mut geometry: Vec<Row> = geometry
        .map(|item| Row::Thing {
            item: Item::Geometry(item.id),
            name: item.name().to_owned(),
            kind: Kind::Geometry,
        })
        .collect();
    if !geometry.is_empty() {
        rows.push(Row::Geometry { count: geometry.len() });
        rows.append(&mut geometry);
    }
    let mut checks: Vec<&PathCheck> =
        document.checks.iter().map(|check| &**check).filter(|check| wanted(&check.name)).collect();
    checks.sort_by(|a, b| a.name.cmp(&b.name).then(a.id.cmp(&b.id)));
    if !checks.is_empty() {
        rows.push(Row::Checks { count: checks.len() });
        rows.extend(checks.into_iter().map(|check| Row::Check { id: check.id, name: check.name.clone() }));
    }
    rows
}

/// Scrolls to the only selected thing, a third of the way down, unless it is in sight already.
fn scroll_to(ui: &Ui, area: ScrollArea, rows: &[Row], state: &State) -> ScrollArea {
    let Some(only) = state.selection.only() else { return area };
    let found = rows.iter().position(|row| matches!(row, Row::Thing { item, .. } if *item == only));
    let Some(index) = found else { return area };
    let at = (ROW + ui.spacing().item_spacing.y) * index as f32;
    let id = ui.make_persistent_id("outline-rows");
    let before = egui::scroll_area::State::load(ui.ctx(), id).map_or(0.0, |state| state.unclamped_offset().y);
    let height = ui.available_height();
    if before <= at && at + ROW <= before + height {
        area
    } else {
        area.vertical_scroll_offset((at - height / 3.0).max(0.0))
    }
}

fn show_row(ui: &mut Ui, state: &mut State, memory: &mut Memory, row: &Row) {
    match row {
        Row::Level { number, name, count, marked } => {
            level_row(ui, state, memory, *number, name, *count, *marked);
        }
        Row::Links { count } => head_row(ui, ICON_SWAP_CALLS, "Links", *count),
        Row::Geometry { count } => head_row(ui, ICON_DEPLOYED_CODE, "Geometry", *count),
        Row::Checks { count } => head_row(ui, ICON_ROUTE, "Checks", *count),
        Row::Thing { item, name, kind } => thing_row(ui, state, memory, *item, name, *kind),
        Row::Check { id, name } => check_row(ui, state, memory, *id, name),
    }
}

fn head_row(ui: &mut Ui, icon: MaterialIcon, name: &str, count: usize) {
    let weak = style::of(ui.ctx()).weak;
    let text = (icon.rich_text().size(15.0).color(weak), RichText::new(name).color(weak).strong());
    let count = RichText::new(count.to_string()).small().color(weak);
    let button = Button::new(text).frame(false).right_text(count);
    ui.add(button.min_size(vec2(ui.available_width(), ROW)).sense(Sense::hover()));
}

fn level_row(
    ui: &mut Ui,
    state: &mut State,
    memory: &mut Memory,
    number: i8,
    name: &str,
    count: usize,
    marked: Marked,
) {
    if rename_field(ui, state, memory, Named::Level(number)) {
        return;
    }
    let current = number == state.level;
    let colors = style::of(ui.ctx());
    let color = if current { colors.strong } else { colors.weak };
    let title = if name == format!("level {number}") { String::new() } else { format!("  {name}") };
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        let text = (
            ICON_LAYERS.rich_text().size(15.0).color(color),
            RichText::new(format!("Level {number}{title}")).color(color).strong().atom_shrink(true),
        );
        let button = Button::new(text)
            .truncate()
            .fill(if current { colors.raised } else { egui::Color32::TRANSPARENT })
            .right_text(RichText::new(count.to_string()).small().color(colors.weak));
        let response = beside_marks(ui, button);
        let label = format!("Outline: level {number}");
        response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, current, label.clone()));
        let help = format!(
            "Elevation {}; F2 renames, all else is in Properties",
            state.document().elevation(number)
        );
        let response = response.on_hover_text(help);
        if response.clicked() {
            state.level = number;
        }
        if response.double_clicked() {
            memory.renaming = Some((Named::Level(number), name.to_owned(), false));
        }
        let any = items_of(state.document(), number).next().is_some();
        let change = marks(ui, any.then_some(marked), &format!("level {number}"));
        if change.is_some() {
            let items: Vec<Item> = items_of(state.document(), number).collect();
            mark(state, &items, change);
        }
    });
}

fn thing_row(ui: &mut Ui, state: &mut State, memory: &mut Memory, item: Item, name: &str, kind: Kind) {
    if rename_field(ui, state, memory, Named::Thing(item)) {
        return;
    }
    let (icon, role) = match kind {
        Kind::Walk => (ICON_PENTAGON, Role::Walk),
        Kind::Hole => (ICON_CROP_FREE, Role::Hole),
        Kind::Link => (ICON_SWAP_CALLS, Role::Link),
        Kind::Picture => (ICON_IMAGE, Role::LevelBelow),
        Kind::Geometry if is_broken(state, item) => (ICON_WARNING, Role::Warning),
        Kind::Geometry => (ICON_DEPLOYED_CODE, Role::LevelBelow),
    };
    let selected = state.selection.has(item);
    let dimmed = state.marks.is_hidden(item);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        ui.add_space(14.0);
        let icon = icon.rich_text().size(13.0).color(style::role_color(ui.ctx(), role));
        let mut word = RichText::new(name);
        if dimmed && !selected {
            word = word.color(style::of(ui.ctx()).weak).italics();
        }
        // The empty word on the right pushes the name to the left.
        let button = Button::selectable(selected, (icon, word.atom_shrink(true)))
            .truncate()
            .right_text("")
            .sense(Sense::click_and_drag());
        let response = beside_marks(ui, button);
        let label = format!("Outline: {name}");
        response
            .widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, selected, label.clone()));
        if let Item::Area(id) = item {
            drag(ui, state, &response, id);
        }
        if response.double_clicked() {
            state.frame_next = Some(Frame::Selection);
        } else if response.clicked() {
            if ui.input(|input| input.modifiers.command) {
                let mut selection = state.selection.clone();
                selection.toggle(item);
                state.select(selection);
            } else {
                state.go_to(item);
            }
        }
        let marked = Marked::of(state, std::iter::once(item));
        let change = marks(ui, Some(marked), name);
        mark(state, &[item], change);
    });
}

/// Whether an item's file is missing or broken.
fn is_broken(state: &State, item: Item) -> bool {
    let Item::Geometry(id) = item else { return false };
    state.geometry.get(id).is_some_and(|loaded| loaded.error.is_some())
}

fn check_row(ui: &mut Ui, state: &mut State, memory: &mut Memory, id: CheckId, name: &str) {
    if rename_field(ui, state, memory, Named::Check(id)) {
        return;
    }
    let standing = state.standing(id);
    let (sign, color) = checks::sign(ui.ctx(), standing);
    let selected = state.shown_check().is_some_and(|check| check.id == id);
    ui.horizontal(|ui| {
        ui.add_space(14.0);
        let color = if selected { style::of(ui.ctx()).on_accent } else { color };
        let text = (RichText::new(sign).color(color).strong(), RichText::new(name).atom_shrink(true));
        let button = Button::selectable(selected, text)
            .truncate()
            .right_text("")
            .min_size(vec2(ui.available_width(), ROW));
        let response = ui.add(button);
        let word = format!("{standing:?}").to_lowercase();
        let label = format!("Check: {name}: {word}");
        response
            .widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, selected, label.clone()));
        let answer = state.check_answer(id).map_or("not asked yet", |answer| &answer.message).to_owned();
        if response.on_hover_text(answer).clicked() {
            state.go_to_check(id);
        }
    });
}

/// A row's button, which leaves room for its eye and its lock however long its words are.
fn beside_marks(ui: &mut Ui, button: Button<'_>) -> egui::Response {
    let size = vec2((ui.available_width() - 2.0 * MARK).max(MARK), ROW);
    ui.allocate_ui(size, |ui| {
        ui.set_max_width(size.x);
        ui.add(button.min_size(size))
    })
    .inner
}

/// The areas of a level.
fn items_of(document: &Document, level: i8) -> impl Iterator<Item = Item> + Clone {
    document.areas.iter().filter(move |area| area.level == level).map(|area| Item::Area(area.id))
}

/// What was clicked of a row's eye and lock.
#[derive(Clone, Copy, Debug)]
enum Change {
    Hide(bool),
    Lock(bool),
}

/// The eye and the lock of things, faint while nothing is marked; `None` for a row without things.
fn marks(ui: &mut Ui, marked: Option<Marked>, name: &str) -> Option<Change> {
    let Marked { hidden, locked } = marked.unwrap_or_default();
    // Painted by hand: there are two for each row, and a button costs as much as the row's name.
    let mark = |ui: &mut Ui, icon: MaterialIcon, on: bool, label: String, help: &str| {
        let sense = if marked.is_some() { Sense::click() } else { Sense::hover() };
        let (rect, response) = ui.allocate_exact_size(vec2(MARK, ROW - 2.0), sense);
        response.widget_info(|| {
            egui::WidgetInfo::selected(egui::Role::CheckBox, marked.is_some(), on, label.clone())
        });
        let colors = style::of(ui.ctx());
        if response.hovered() && marked.is_some() {
            ui.painter().rect_filled(rect, 3.0, colors.raised);
        }
        if response.has_focus() {
            let stroke = egui::Stroke::new(1.0, colors.accent);
            ui.painter().rect_stroke(rect, 3.0, stroke, egui::StrokeKind::Inside);
        }
        let color = if on { colors.strong } else { colors.weak.gamma_multiply(0.55) };
        let font = FontId::new(12.5, FontFamily::Name(FONT_FAMILY.into()));
        ui.painter().text(rect.center(), Align2::CENTER_CENTER, icon.codepoint, font, color);
        response.on_hover_text(help).clicked()
    };
    let eye = if hidden { ICON_VISIBILITY_OFF } else { ICON_VISIBILITY };
    let help = "Not drawn, but baked all the same; until the map is closed";
    let hide = mark(ui, eye, hidden, format!("Hide {name}"), help);
    let lock = if locked { ICON_LOCK } else { ICON_LOCK_OPEN };
    let help = "The mouse passes over it; until the map is closed";
    let lock = mark(ui, lock, locked, format!("Lock {name}"), help);
    hide.then_some(Change::Hide(!hidden)).or(lock.then_some(Change::Lock(!locked)))
}

/// Does to things what was clicked.
fn mark(state: &mut State, items: &[Item], change: Option<Change>) {
    match change {
        Some(Change::Hide(hidden)) => state.set_hidden(items, hidden),
        Some(Change::Lock(locked)) => state.set_locked(items, locked),
        None => {}
    }
}

/// The field in place of a row whose name is being changed. Whether this is that row.
fn rename_field(ui: &mut Ui, state: &mut State, memory: &mut Memory, row: Named) -> bool {
    let Some((named, text, focused)) = memory.renaming.as_mut().filter(|(named, ..)| *named == row) else {
        return false;
    };
    let id = egui::Id::unique("outline-rename");
    let field = TextEdit::singleline(text).id(id).desired_width(f32::INFINITY).char_limit(200);
    let response = ui.add(field);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "New name"));
    if !*focused {
        *focused = true;
        response.request_focus();
        let mut edit = egui::text_edit::TextEditState::load(ui.ctx(), id).unwrap_or_default();
        let end = egui::text::CCursor::new(text.chars().count());
        edit.cursor.set_char_range(Some(egui::text::CCursorRange::two(egui::text::CCursor::new(0), end)));
        edit.store(ui.ctx(), id);
        return true;
    }
    if response.lost_focus() {
        let (named, name) = (*named, std::mem::take(text));
        memory.renaming = None;
        rename(state, named, name);
    }
    true
}

fn rename(state: &mut State, named: Named, name: String) {
    let document = state.document();
    let command = match named {
        Named::Thing(Item::Area(id)) => document
            .area(id)
            .filter(|area| area.name != name)
            .map(|area| Command::SetAreas(vec![Area { name: name.clone(), ..(**area).clone() }])),
        Named::Thing(Item::Link(id)) => document
            .link(id)
            .filter(|link| link.name != name)
            .map(|link| Command::SetLinks(vec![Link { name: name.clone(), ..(**link).clone() }])),
        Named::Thing(Item::Picture(_)) => None,
        Named::Thing(Item::Geometry(id)) => document
            .geometry(id)
            .filter(|item| item.name() != name)
            .map(|item| Command::SetGeometry(Geometry { name: name.clone(), ..(**item).clone() })),
        Named::Level(number) => document
            .level(number)
            .filter(|level| level.name != name)
            .map(|level| Command::SetLevel(Level { name: name.clone(), ..(**level).clone() })),
        Named::Check(id) => document
            .check(id)
            .filter(|check| check.name != name)
            .map(|check| Command::SetCheck(PathCheck { name: name.clone(), ..(**check).clone() })),
    };
    if let Some(command) = command {
        state.commit(&format!("Rename to {name}"), &command);
    }
}

/// An area's row is dragged to another place of the order: above or below another row of its level.
fn drag(ui: &Ui, state: &mut State, response: &egui::Response, id: AreaId) {
    response.dnd_set_drag_payload(id);
    let Some(pointer) = ui.input(|input| input.pointer.interact_pos()) else { return };
    let below = pointer.y > response.rect.center().y;
    if let Some(dragged) = response.dnd_hover_payload::<AreaId>()
        && *dragged != id
    {
        let y = if below { response.rect.max.y } else { response.rect.min.y };
        ui.painter().hline(response.rect.x_range(), y, egui::Stroke::new(2.0, style::of(ui.ctx()).accent));
    }
    let Some(dragged) = response.dnd_release_payload::<AreaId>().filter(|dragged| **dragged != id) else {
        return;
    };
    state.put_beside(*dragged, id, below);
}
