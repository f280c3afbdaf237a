//! The one list of what a user can do: menus, keys and the help of `F1` read it.

use egui::{Key, KeyboardShortcut, Modifiers};

use super::overlays::Overlay;
use super::shown::Seen;
use super::tools::ToolKind;

/// Something to do that is no mouse gesture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is described in the list below")]
pub enum Action {
    New,
    Open,
    Save,
    SaveAs,
    Import,
    FindGeometry,
    Export,
    ExportAs,
    ExportPicture,
    ExportOutlines,
    PlotNumbers,
    PlotPicture,
    ExportOnSave,
    Recover,
    StartPage,
    ImportPicture,
    CompareBuild,
    Quit,
    Undo,
    Redo,
    Cut,
    Copy,
    Paste,
    PasteInPlace,
    Duplicate,
    Delete,
    Rename,
    PinCheck,
    SelectAll,
    SelectSameKind,
    SelectTouching,
    RotateLeft,
    RotateRight,
    MirrorX,
    MirrorZ,
    MoveLater,
    MoveEarlier,
    JoinPoints,
    Separate,
    Simplify,
    Preferences,
    LightOrDark,
    ScaleUp,
    ScaleDown,
    OpenRecent(u8),
    Escape,
    Finish,
    StepBack,
    Nudge(Step, bool),
    NextThing,
    PreviousThing,
    Put,
    LevelUp,
    LevelDown,
    NextFloor,
    PreviousFloor,
    SelectionUp,
    SelectionDown,
    AddLevelAbove,
    AddLevelBelow,
    RemoveLevel,
    BakeNow,
    LiveBake,
    NextStage,
    PreviousStage,
    VoxelBake,
    CancelBake,
    AddClass,
    RemoveClass,
    ClassUp,
    ClassDown,
    NextClass,
    OtherLevels,
    Grid,
    Overlay(Overlay),
    DefaultOverlays,
    Rulers,
    FrameAll,
    FrameSelection,
    NextIssue,
    PreviousIssue,
    Outline,
    Properties,
    Issues,
    CanvasOnly,
    /// Canvas, split, 3D: the next one.
    Views,
    /// One of them.
    See(Seen),
    ResetView,
    CutAbove,
    /// Turns the 3D view.
    Turn(Step),
    /// Brings it nearer, or farther.
    Nearer(bool),
    /// Pulls its levels apart, or together.
    Apart(bool),
    History,
    /// A layout by its place among those that everybody has.
    Layout(u8),
    /// One of the user's own, by its place among them.
    OwnLayout(u8),
    SaveLayout,
    RemoveLayout,
    ResetLayout,
    Keys,
    Signs,
    Tour,
    Sample(u8),
    Palette,
    Find,
    GoTo,
    Tool(ToolKind),
}

/// A direction of an arrow key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum Step {
    Left,
    Right,
    Up,
    Down,
}

/// Where an action is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum Group {
    File,
    Edit,
    Level,
    Bake,
    View,
    Help,
    Tools,
    /// Keys only, in no menu.
    Canvas,
}

/// A row of the list.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// What it does.
    pub action: Action,
    /// Its name in menus.
    pub name: &'static str,
    /// One sentence.
    pub help: &'static str,
    /// Where it is listed.
    pub group: Group,
    /// Keys, the first of which menus show, unless the user bound others ([`keymap`](super::keymap)).
    pub keys: &'static [KeyboardShortcut],
    /// Whether a menu draws a line above it.
    pub rule: bool,
}

const NONE: Modifiers = Modifiers::NONE;
const SHIFT: Modifiers = Modifiers::SHIFT;
const CTRL: Modifiers = Modifiers::COMMAND;
const ALT: Modifiers = Modifiers::ALT;
const CTRL_SHIFT: Modifiers = Modifiers { shift: true, ..Modifiers::COMMAND };

const fn key(modifiers: Modifiers, key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(modifiers, key)
}

macro_rules! entries {
    ($($group:ident { $($rule:literal $action:expr, $name:literal, $help:literal, [$($keys:expr),*];)* })*) => {
        &[$($(Entry {
            action: $action, name: $name, help: $help, group: Group::$group, keys: &[$($keys),*], rule: !$rule.is_empty(),
        }),*),*]
    };
}

/// All of them, in the order of the menus.
pub const LIST: &[Entry] = entries! {
    File {
        "" Action::New, "New", "An empty map with the Walk tool ready.", [key(CTRL, Key::N)];
        "" Action::Open, "Open…", "A project (.nav.ron) or map text (nav walk … lines).", [key(CTRL, Key::O)];
        "-" Action::Save, "Save", "Writes the project; the old file is kept as .bak.", [key(CTRL, Key::S)];
        "" Action::SaveAs, "Save as…", "Writes the project under another name.", [key(CTRL_SHIFT, Key::S)];
        "-" Action::Import, "Import…", "Adds the areas and links of another map (project or map text), or geometry (OBJ, glTF, GLB), to this one.", [];
        "" Action::FindGeometry, "Find the geometry's file…", "Where a file of geometry is now that was moved: the selected one, or the first that is missing.", [];
        "-" Action::Export, "Export again", "Bakes completely, writes the mesh where the last export went, reads it back and compares.", [key(CTRL, Key::E)];
        "" Action::ExportAs, "Export as…", "The same under another name.", [key(CTRL_SHIFT, Key::E)];
        "" Action::ExportOnSave, "Export on save", "Saving exports too, where the map was exported before.", [];
        "" Action::ExportPicture, "Export a picture…", "The map as it is drawn, as PNG or SVG.", [];
        "" Action::ExportOutlines, "Export the mesh's outlines…", "Every polygon of the mesh as a line of map text, to look at with other programs.", [];
        "" Action::PlotNumbers, "Export the plot's numbers…", "What the Plots panel shows, as comma-separated values.", [];
        "" Action::PlotPicture, "Export the plot's picture…", "What the Plots panel shows, as PNG.", [];
        "" Action::CompareBuild, "Compare with build…", "Why the mesh on screen and one in a file (.onnm, .onnw) differ: settings, links, tiles.", [];
        "-" Action::StartPage, "Start page", "New, recent files, samples, and what was not saved.", [];
        "" Action::Recover, "Recover…", "What other sessions did not save.", [];
        "-" Action::ImportPicture, "Import picture…", "A PNG or JPEG to draw over, under this level; only its path and how it lies are kept.", [];
        "-" Action::Quit, "Quit", "Asks first if something is not saved.", [key(CTRL, Key::Q)];
    }
    Edit {
        "" Action::Undo, "Undo", "Takes the last step back.", [key(CTRL, Key::Z)];
        "" Action::Redo, "Redo", "Does the step again.", [key(CTRL_SHIFT, Key::Z), key(CTRL, Key::Y)];
        "-" Action::Cut, "Cut", "Copies the selection as text and removes it.", [key(CTRL, Key::X)];
        "" Action::Copy, "Copy", "Copies the selection as text, in the project's own form.", [key(CTRL, Key::C)];
        "" Action::Paste, "Paste", "Adds what was copied, or nav walk … lines, at the cursor on this level.", [key(CTRL, Key::V)];
        "" Action::PasteInPlace, "Paste in place", "The same where it was copied from, on this level.", [key(CTRL_SHIFT, Key::V)];
        "" Action::Duplicate, "Duplicate", "Copies the selection, one square to the right and down.", [key(CTRL, Key::D)];
        "" Action::Delete, "Delete", "Removes the selection.", [key(NONE, Key::Delete)];
        "" Action::Rename, "Rename", "Changes the name of what is selected, in the Outline.", [key(NONE, Key::F2)];
        "-" Action::SelectAll, "Select all", "Everything on this level.", [key(CTRL, Key::A)];
        "" Action::SelectSameKind, "Select same kind", "All walk areas, holes or links of this level, as those selected.", [];
        "" Action::SelectTouching, "Select touching", "Adds the areas that the selected ones touch, and on other levels those that share a point.", [];
        "-" Action::Find, "Find a thing…", "Areas, links, levels and agent classes by name.", [key(CTRL, Key::F)];
        "" Action::GoTo, "Go to a place…", "Typed coordinates in squares, and a level.", [key(CTRL, Key::G)];
        "-" Action::RotateLeft, "Rotate left", "A quarter turn against the clock, about the middle of the selection.", [key(CTRL, Key::OpenBracket)];
        "" Action::RotateRight, "Rotate right", "A quarter turn with the clock.", [key(CTRL, Key::CloseBracket)];
        "" Action::MirrorX, "Mirror left and right", "Left and right of the selection change places.", [];
        "" Action::MirrorZ, "Mirror up and down", "Up and down of the selection change places.", [];
        "-" Action::MoveLater, "Move later in order", "Where areas of other types or flags overlap, the later one wins.", [key(CTRL, Key::ArrowDown)];
        "" Action::MoveEarlier, "Move earlier in order", "One place earlier in the Outline.", [key(CTRL, Key::ArrowUp)];
        "-" Action::JoinPoints, "Join points", "Puts points of the selection within a tenth of a square of another area exactly onto it.", [key(NONE, Key::J)];
        "" Action::Separate, "Separate points", "Moves points that other areas share a tenth of a square into their own area.", [key(SHIFT, Key::J)];
        "" Action::Simplify, "Simplify", "Drops points that the outlines of the selected areas do not need.", [];
        "-" Action::Preferences, "Preferences…", "Theme, scale, keys, start page and export.", [key(CTRL, Key::Comma)];
    }
    Level {
        "" Action::LevelUp, "Level up", "Goes to the next level above; above the highest that is drawn on, a new one.", [key(NONE, Key::PageUp)];
        "" Action::LevelDown, "Level down", "Goes to the next level below.", [key(NONE, Key::PageDown)];
        "-" Action::NextFloor, "Next floor here", "Puts a place of the path test, or an end of the selected link, on the next of the floors over each other there: the one nearer to the cursor.", [key(NONE, Key::N)];
        "" Action::PreviousFloor, "Previous floor here", "The same downwards.", [key(SHIFT, Key::N)];
        "-" Action::SelectionUp, "Move selection up", "Takes the selection along to the next level above.", [key(CTRL, Key::PageUp)];
        "" Action::SelectionDown, "Move selection down", "Takes the selection along to the next level below.", [key(CTRL, Key::PageDown)];
        "-" Action::AddLevelAbove, "Add level above", "A new highest level.", [];
        "" Action::AddLevelBelow, "Add level below", "A new lowest level; numbers may be negative.", [];
        "" Action::RemoveLevel, "Remove level", "Removes this level if nothing stands on it.", [];
    }
    Bake {
        "" Action::Tool(ToolKind::Test), "Test the bake", "Shows the baked mesh; two clicks ask for a path.", [];
        "" Action::PinCheck, "Pin the path as a check", "Every bake then looks whether the answer is still the same.", [];
        "-" Action::BakeNow, "Bake now", "Bakes the whole map.", [key(NONE, Key::B)];
        "" Action::LiveBake, "Live bake", "Bakes after every change; by voxels, 0.8 s after the last one.", [key(SHIFT, Key::B)];
        "" Action::VoxelBake, "Voxel bake", "Bakes areas and imported geometry by voxels; off, the drawn areas alone.", [];
        "" Action::CancelBake, "Cancel the bake", "Stops it; the mesh before stays, marked stale. Esc does so too.", [];
        "-" Action::NextStage, "Next stage", "Shows the next stage of the bake of a tile (overlay 8).", [key(NONE, Key::Period)];
        "" Action::PreviousStage, "Previous stage", "Shows the previous stage.", [key(NONE, Key::Comma)];
        "-" Action::NextClass, "Next agent class", "Shows the mesh of the next agent class.", [key(NONE, Key::C)];
        "" Action::AddClass, "Add agent class", "A new class like the shown one; each class gets a mesh of its own.", [];
        "" Action::RemoveClass, "Remove agent class", "Removes the shown class; the last one stays.", [];
        "" Action::ClassUp, "Move agent class up", "Earlier in the order that a world file keeps.", [];
        "" Action::ClassDown, "Move agent class down", "Later in the order that a world file keeps.", [];
    }
    View {
        "" Action::FrameAll, "Frame all", "Shows the whole map.", [key(NONE, Key::Home)];
        "" Action::FrameSelection, "Frame selection", "Shows the selection.", [key(NONE, Key::F)];
        "-" Action::Views, "2D, split, 3D", "The canvas, both side by side, or the map in space.", [key(NONE, Key::F3)];
        "" Action::ResetView, "Reset the 3D view", "All of the map from the side that it was seen from first.", [key(SHIFT, Key::Home)];
        "" Action::CutAbove, "Cut above the level in 3D", "Hides everything above the current level in the 3D view.", [key(SHIFT, Key::O)];
        "-" Action::OtherLevels, "Other levels: off, faint, full", "How levels other than the current one are drawn.", [key(NONE, Key::O)];
        "-" Action::Overlay(Overlay::Areas), "Areas", "The drawn areas.", [key(NONE, Key::Num1)];
        "" Action::Overlay(Overlay::Mesh), "Mesh", "The baked polygons and their edges.", [key(NONE, Key::Num2)];
        "" Action::Overlay(Overlay::Links), "Links", "The drawn links.", [key(NONE, Key::Num3)];
        "" Action::Overlay(Overlay::Tiles), "Tiles", "The rims of the baked tiles.", [key(NONE, Key::Num4)];
        "" Action::Overlay(Overlay::Borders), "Borders", "Stitched and unstitched borders, and the seams of two levels.", [key(NONE, Key::Num5)];
        "" Action::Overlay(Overlay::Jumps), "Jumps", "The jumps that the mesh has, where Test, Play or Inspect shows it.", [key(NONE, Key::Num6)];
        "" Action::Overlay(Overlay::Islands), "Islands", "Polygons that can reach each other: one colour, hatch and number.", [key(NONE, Key::Num7)];
        "" Action::Overlay(Overlay::Stage), "Stage", "What a stage of the bake made of a tile: the Bake panel has the slider.", [key(NONE, Key::Num8)];
        "" Action::Overlay(Overlay::Labels), "Labels", "Numbers of levels, and the words at seams and ramps.", [key(NONE, Key::Num9)];
        "" Action::DefaultOverlays, "Overlays as at first", "All of them but the islands and the stage.", [key(NONE, Key::Num0)];
        "" Action::Grid, "Grid", "The drawing grid, in squares.", [];
        "" Action::Rulers, "Rulers", "Rulers in squares on two sides.", [];
        "-" Action::Outline, "Outline", "The panel with levels, areas and links.", [];
        "" Action::Properties, "Properties", "The panel with the values of the selection, or the settings.", [];
        "" Action::Issues, "Issues and bake", "The panel with what the bake found.", [];
        "" Action::History, "History", "The panel with the steps that were done.", [];
        "-" Action::Layout(0), "Layout: Draw", "The canvas with the Outline, the properties and what was found.", [];
        "" Action::Layout(1), "Layout: Debug", "What was found is large, with the bake and the history beside it.", [];
        "" Action::Layout(2), "Layout: Bake", "The settings and what comes of them.", [];
        "" Action::SaveLayout, "Save the layout as…", "Keeps where the panels are under a name.", [];
        "" Action::RemoveLayout, "Remove this layout", "Removes the layout in use, if it is one of your own.", [];
        "" Action::ResetLayout, "Reset this layout", "Puts all panels back to where they were at first.", [];
        "-" Action::LightOrDark, "Light or dark", "Changes the theme.", [];
        "" Action::ScaleUp, "Larger interface", "The next larger scale, up to 300 %.", [key(CTRL_SHIFT, Key::Plus), key(CTRL_SHIFT, Key::Equals)];
        "" Action::ScaleDown, "Smaller interface", "The next smaller scale, down to 75 %.", [key(CTRL_SHIFT, Key::Minus)];
        "-" Action::CanvasOnly, "Canvas only", "Hides and shows the panels.", [key(NONE, Key::F11)];
    }
    Help {
        "" Action::Palette, "Run a command…", "Every command by its name.", [key(CTRL, Key::P), key(CTRL_SHIFT, Key::P)];
        "" Action::Keys, "Keys", "All keys; each can be bound to another.", [key(NONE, Key::F1)];
        "" Action::Signs, "Signs", "What each sign on the canvas means.", [key(SHIFT, Key::F1)];
        "" Action::Tour, "Tour", "A few steps that point at what matters.", [];
        "-" Action::Sample(0), "Sample: arena", "Five levels with stairs, a bridge and leaps.", [];
        "" Action::Sample(1), "Sample: first steps", "A floor, a hole, a landing with stairs, a jump.", [];
        "" Action::Sample(2), "Sample: stairs", "Map text: a terrace and its stairs.", [];
        "" Action::Sample(3), "Sample: hall", "Imported geometry, baked by voxels.", [];
    }
    Tools {
        "" Action::Tool(ToolKind::Select), "Select", "Click picks, drag moves, drag on empty ground draws a box.", [key(NONE, Key::V)];
        "" Action::Tool(ToolKind::Walk), "Walk area", "Clicks add points, a click on the first point closes.", [key(NONE, Key::W)];
        "" Action::Tool(ToolKind::Hole), "Hole", "As Walk area; the hole is cut from the level's walk areas.", [key(NONE, Key::H)];
        "" Action::Tool(ToolKind::Link), "Link", "A jump or ladder: first click start, second click end.", [key(NONE, Key::K)];
        "" Action::Tool(ToolKind::Test), "Test the bake", "First click start, second click end of a path.", [key(NONE, Key::T)];
        "" Action::Tool(ToolKind::Play), "Play", "Walk on the mesh: hold left to step at the cursor, right click to go by path.", [key(NONE, Key::P)];
        "" Action::Tool(ToolKind::Inspect), "Inspect", "A click says what is here, and why nothing can walk here.", [key(NONE, Key::I)];
        "" Action::Tool(ToolKind::Measure), "Measure", "Drags give length, dx, dz and angle; closed ones an area.", [key(NONE, Key::M)];
    }
    Canvas {
        "" Action::Escape, "Cancel", "Cancels what is begun, then drops the selection, then takes the Select tool.", [key(NONE, Key::Escape)];
        "" Action::Finish, "Close the drawing", "As a click on the first point; ends a drag, puts a typed place; goes into the points of the selected area.", [key(NONE, Key::Enter)];
        "" Action::NextThing, "Next thing", "Selects the next area or link of this level, or the next point.", [key(NONE, Key::Tab)];
        "" Action::PreviousThing, "Previous thing", "Selects the previous one.", [key(SHIFT, Key::Tab)];
        "" Action::Put, "Put at the cross-hair", "A click where the arrow keys have moved the cross-hair.", [key(NONE, Key::Space)];
        "" Action::StepBack, "Last point back", "Takes the last point of the drawing back.", [key(NONE, Key::Backspace)];
        "" Action::Nudge(Step::Left, false), "Move left", "Moves the selection by a tenth of a square.", [key(NONE, Key::ArrowLeft)];
        "" Action::Nudge(Step::Right, false), "Move right", "Moves the selection by a tenth of a square.", [key(NONE, Key::ArrowRight)];
        "" Action::Nudge(Step::Up, false), "Move up", "Moves the selection by a tenth of a square.", [key(NONE, Key::ArrowUp)];
        "" Action::Nudge(Step::Down, false), "Move down", "Moves the selection by a tenth of a square.", [key(NONE, Key::ArrowDown)];
        "" Action::Nudge(Step::Left, true), "Move left by 1", "Moves the selection by a square.", [key(SHIFT, Key::ArrowLeft)];
        "" Action::Nudge(Step::Right, true), "Move right by 1", "Moves the selection by a square.", [key(SHIFT, Key::ArrowRight)];
        "" Action::Nudge(Step::Up, true), "Move up by 1", "Moves the selection by a square.", [key(SHIFT, Key::ArrowUp)];
        "" Action::Nudge(Step::Down, true), "Move down by 1", "Moves the selection by a square.", [key(SHIFT, Key::ArrowDown)];
        "" Action::Turn(Step::Left), "Turn 3D left", "Goes around the map to the right, so that it turns to the left.", [key(ALT, Key::ArrowLeft)];
        "" Action::Turn(Step::Right), "Turn 3D right", "Goes around the map to the left.", [key(ALT, Key::ArrowRight)];
        "" Action::Turn(Step::Up), "Tilt 3D up", "Looks at the map from farther below.", [key(ALT, Key::ArrowUp)];
        "" Action::Turn(Step::Down), "Tilt 3D down", "Looks at the map from farther above.", [key(ALT, Key::ArrowDown)];
        "" Action::Nearer(true), "3D nearer", "Goes nearer to what is looked at.", [key(ALT, Key::PageUp)];
        "" Action::Nearer(false), "3D farther", "Goes farther away from what is looked at.", [key(ALT, Key::PageDown)];
        "" Action::Apart(true), "3D levels apart", "Pulls the levels in the 3D view apart by half of their distance.", [key(ALT, Key::Plus), key(ALT, Key::Equals)];
        "" Action::Apart(false), "3D levels together", "Brings them together again.", [key(ALT, Key::Minus)];
        "" Action::NextIssue, "Next issue", "Selects and shows the next issue.", [key(NONE, Key::F8)];
        "" Action::PreviousIssue, "Previous issue", "Selects and shows the previous issue.", [key(SHIFT, Key::F8)];
    }
};

impl Step {
    /// World (x, z), one square long; z is up.
    #[must_use]
    pub fn direction(self) -> [f64; 2] {
        match self {
            Self::Left => [-1.0, 0.0],
            Self::Right => [1.0, 0.0],
            Self::Up => [0.0, 1.0],
            Self::Down => [0.0, -1.0],
        }
    }
}

/// The row of an action.
#[must_use]
pub fn entry(action: Action) -> Option<&'static Entry> {
    LIST.iter().find(|entry| entry.action == action)
}
