//! One box for what is typed rather than looked for: commands (`Ctrl+P`), things (`Ctrl+F`), a place (`Ctrl+G`).

use egui::{Align2, AtomExt as _, Button, Key, RichText, ScrollArea, TextEdit, Ui, vec2};

use super::action::{Action, Group, LIST};
use super::canvas::pick::Item;
use super::dialogs;
use super::keymap::keys_text;
use super::possible::is_possible;
use super::state::{Frame, State, Tone};
use super::style;
use super::words;
use crate::bake::AreaKind;
use crate::project::{ClassId, Document};

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum Seek {
    Command,
    Thing,
    Place,
}

/// The open box.
#[derive(Clone, Debug)]
pub struct Finder {
    /// What is looked for.
    pub seek: Seek,
    /// What is typed.
    pub text: String,
    /// Which of the answers is picked.
    pub picked: usize,
    fresh: bool,
}

/// An answer: what it is called, what stands beside it, and what it does.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Its name.
    pub name: String,
    /// Its keys, or where it is.
    pub beside: String,
    /// One sentence more, if there is one.
    pub help: &'static str,
    /// Whether it can be done now.
    pub possible: bool,
    /// What it does.
    pub does: Does,
}

/// What an answer does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Does {
    /// An action of the list.
    Act(Action),
    /// Selects and shows a thing.
    Show(Item),
    /// Goes to a level.
    Level(i8),
    /// Shows the mesh of an agent class.
    Class(ClassId),
}

impl Finder {
    /// A new box.
    #[must_use]
    pub fn new(seek: Seek) -> Self {
        Self { seek, text: String::new(), picked: 0, fresh: true }
    }
}

/// Commands whose name, menu or sentence has every word that is typed; those whose name begins with it first.
#[must_use]
pub fn commands(context: &egui::Context, text: &str, state: &State) -> Vec<Answer> {
    let typed = text.trim().to_lowercase();
    let mut seen = Vec::new();
    let mut found: Vec<(u8, Answer)> = Vec::new();
    for entry in LIST {
        // A tool has a row in a menu and one of its own.
        if seen.contains(&entry.action) || matches!(entry.action, Action::Palette | Action::Escape) {
            continue;
        }
        let entry = LIST.iter().rfind(|other| other.action == entry.action).unwrap_or(entry);
        seen.push(entry.action);
        let name = entry.name.trim_end_matches('…').to_lowercase();
        let whole = format!("{name} {} {}", group_name(entry.group), entry.help).to_lowercase();
        if !typed.split_whitespace().all(|word| whole.contains(word)) {
            continue;
        }
        let rank = if name.starts_with(&typed) {
            0
        } else if typed.split_whitespace().all(|word| name.contains(word)) {
            1
        } else {
            2
        };
        let possible = is_possible(entry.action, state);
        let answer = Answer {
            name: format!("{}: {}", group_name(entry.group), entry.name),
            beside: keys_text(context, entry),
            help: entry.help,
            possible,
            does: Does::Act(entry.action),
        };
        found.push((rank, answer));
    }
    found.sort_by_key(|(rank, answer)| (*rank, !answer.possible));
    found.into_iter().map(|(_, answer)| answer).collect()
}

/// Things whose name, kind or level has every word that is typed.
#[must_use]
pub fn things(text: &str, document: &Document) -> Vec<Answer> {
    let typed = text.trim().to_lowercase();
    let fits = |whole: String| {
        let whole = whole.to_lowercase();
        typed.split_whitespace().all(|word| whole.contains(word))
    };
    let mut found = Vec::new();
    let mut add = |name: &str, beside: String, does: Does| {
        if fits(format!("{name} {beside}")) {
            found.push(Answer { name: name.to_owned(), beside, help: "", possible: true, does });
        }
    };
    for level in document.levels.iter().rev() {
        add(&level.name, format!("level {}", level.number), Does::Level(level.number));
    }
    for area in document.areas.iter() {
        let kind = if area.kind == AreaKind::Walk { "walk area" } else { "hole" };
        add(&area.name, format!("{kind}, level {}", area.level), Does::Show(Item::Area(area.id)));
    }
    for link in document.links.iter() {
        let beside = format!("link, level {} › {}", link.start_level, link.end_level);
        add(&link.name, beside, Does::Show(Item::Link(link.id)));
    }
    for picture in document.pictures.iter() {
        let beside = format!("reference picture, level {}", picture.level);
        add(picture.name(), beside, Does::Show(Item::Picture(picture.id)));
    }
    for item in document.geometry.iter() {
        let beside = format!("geometry, level {}", item.level);
        add(item.name(), beside, Does::Show(Item::Geometry(item.id)));
    }
    for class in document.classes.iter() {
        add(&class.name, "agent class".to_owned(), Does::Class(class.id));
    }
    found.sort_by_key(|answer| !answer.name.to_lowercase().starts_with(&typed));
    found
}

/// "X, Z" or "X, Z, LEVEL".
///
/// # Errors
/// A sentence that says what is there instead.
pub fn place(text: &str) -> Result<([f64; 2], Option<i8>), String> {
    let words =
        text.split(|letter: char| letter == ',' || letter.is_whitespace()).filter(|word| !word.is_empty());
    let numbers = words.map(|word| match word.parse::<f64>() {
        Ok(value) if value.abs() < crate::format::WORLD_BOUND => Ok(value),
        Ok(value) => Err(format!("{value} is not between -2097152 and 2097152")),
        Err(_) => Err(format!("\"{word}\" is not a number")),
    });
    match numbers.collect::<Result<Vec<f64>, String>>()?[..] {
        [x, z] => Ok(([x, z], None)),
        [x, z, level] => {
            #[allow(clippy::cast_possible_truncation, reason = "compared with what it came from")]
            let whole = level as i8;
            if f64::from(whole) == level {
                Ok(([x, z], Some(whole)))
            } else {
                Err(format!("{level} is no level; levels are whole numbers from -128 to 127"))
            }
        }
        _ => Err("A place is X, Z or X, Z, LEVEL".to_owned()),
    }
}

/// Shows the box; what was picked in it.
pub(super) fn show(context: &egui::Context, open: &mut Option<Finder>, state: &mut State) -> Option<Action> {
    let finder = open.as_mut()?;
    let answers = match finder.seek {
        Seek::Command => commands(context, &finder.text, state),
        Seek::Thing => things(&finder.text, state.document()),
        Seek::Place => Vec::new(),
    };
    let last = answers.len().saturating_sub(1);
    // Before the field sees them: it would move its cursor.
    context.input_mut(|input| {
        if input.consume_key(egui::Modifiers::NONE, Key::ArrowDown) {
            finder.picked = (finder.picked + 1).min(last);
        }
        if input.consume_key(egui::Modifiers::NONE, Key::ArrowUp) {
            finder.picked = finder.picked.saturating_sub(1);
        }
    });
    finder.picked = finder.picked.min(last);
    let area =
        egui::Modal::default_area(egui::Id::unique("finder")).anchor(Align2::CENTER_TOP, vec2(0.0, 84.0));
    let modal = dialogs::modal(context, "finder").area(area).show(context, |ui| {
        ui.set_width(520.0);
        let entered = field(ui, finder);
        if finder.seek == Seek::Place {
            let note = match place(&finder.text) {
                _ if finder.text.trim().is_empty() => "X, Z or X, Z, LEVEL, in squares".to_owned(),
                Ok(([x, z], level)) => {
                    let on = level.map(|level| format!(" on level {level}")).unwrap_or_default();
                    format!("Enter goes to {}{on}", words::place([x, z]))
                }
                Err(error) => error,
            };
            ui.label(RichText::new(note).color(style::of(ui.ctx()).weak));
            return (entered && go(state, &finder.text)).then_some(None);
        }
        let clicked = list(ui, finder, &answers);
        let chosen = clicked.or(entered.then_some(finder.picked)).and_then(|index| answers.get(index));
        chosen.filter(|answer| answer.possible).map(|answer| Some(answer.does))
    });
    if let Some(done) = modal.inner {
        *open = None;
        return done.and_then(|does| perform(does, state));
    }
    if modal.should_close() {
        *open = None;
    }
    None
}

/// The line that is typed into; whether `Enter` was pressed.
fn field(ui: &mut Ui, finder: &mut Finder) -> bool {
    let (name, hint) = match finder.seek {
        Seek::Command => ("Run a command", "Name of a command, menu or words of its help"),
        Seek::Thing => ("Find a thing", "Name, kind or level of an area, link or class"),
        Seek::Place => ("Go to a place", "12.5, 40 or 12.5, 40, 1"),
    };
    let before = finder.text.clone();
    let edit = TextEdit::singleline(&mut finder.text).hint_text(hint).desired_width(f32::INFINITY);
    let response = ui.add(edit.margin(egui::Margin::symmetric(8, 6)).font(egui::TextStyle::Heading));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, name));
    if std::mem::take(&mut finder.fresh) {
        response.request_focus();
    }
    if finder.text != before {
        finder.picked = 0;
    }
    response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter))
}

/// The answers; the one that was clicked.
fn list(ui: &mut Ui, finder: &Finder, answers: &[Answer]) -> Option<usize> {
    const ROW: f32 = 24.0;
    ui.add_space(4.0);
    if answers.is_empty() {
        ui.label(RichText::new("Nothing has these words.").color(style::of(ui.ctx()).weak));
        return None;
    }
    let mut clicked = None;
    ui.spacing_mut().item_spacing.y = 1.0;
    ScrollArea::vertical().max_height(12.0 * (ROW + 1.0)).auto_shrink([false, true]).show(ui, |ui| {
        for (index, answer) in answers.iter().enumerate().take(200) {
            let picked = index == finder.picked;
            let colors = style::of(ui.ctx());
            let beside_color = if picked { colors.on_accent } else { colors.weak };
            let beside = RichText::new(&answer.beside).small().color(beside_color);
            let button = Button::selectable(picked, RichText::new(&answer.name).atom_shrink(true))
                .truncate()
                .right_text(beside)
                .min_size(vec2(ui.available_width(), ROW));
            let response = ui.add_enabled(answer.possible, button);
            let label = answer.name.clone();
            response.widget_info(|| {
                egui::WidgetInfo::selected(egui::Role::Button, answer.possible, picked, label.clone())
            });
            if picked {
                response.scroll_to_me(None);
            }
            let response =
                if answer.help.is_empty() { response } else { response.on_hover_text(answer.help) };
            if response.clicked() {
                clicked = Some(index);
            }
        }
    });
    if let Some(answer) = answers.get(finder.picked).filter(|answer| !answer.help.is_empty()) {
        ui.add_space(4.0);
        ui.label(RichText::new(answer.help).size(11.5).color(style::of(ui.ctx()).weak));
    }
    clicked
}

/// What an answer does, but for actions, which are left to the caller.
fn perform(does: Does, state: &mut State) -> Option<Action> {
    match does {
        Does::Act(action) => return Some(action),
        Does::Show(item) => {
            state.go_to(item);
            state.frame_next = Some(Frame::Selection);
        }
        Does::Level(number) => state.level = number,
        Does::Class(id) => state.show_class(id),
    }
    None
}

/// Goes to a typed place; whether it is one.
fn go(state: &mut State, text: &str) -> bool {
    match place(text) {
        Ok((place, level)) => {
            if let Some(level) = level {
                if state.document().level(level).is_none() {
                    state.say(Tone::Hint, format!("There is no level {level}"));
                    return false;
                }
                state.level = level;
            }
            state.frame_next = Some(Frame::Center(place));
            state.cursor = Some(place);
            true
        }
        Err(_) => false,
    }
}

fn group_name(group: Group) -> &'static str {
    match group {
        Group::File => "File",
        Group::Edit => "Edit",
        Group::Level => "Level",
        Group::Bake => "Bake",
        Group::View => "View",
        Group::Help => "Help",
        Group::Tools => "Tool",
        Group::Canvas => "Canvas",
    }
}
