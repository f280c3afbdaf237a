//! What can be asked on the command line, and the help texts.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};

use super::output::count;

/// Navigation-mesh editor and baker.
///
/// Without a command it opens the editor on FILE, or on a sample map. The commands need no display and are made
/// for scripts: results go to standard output, complaints and progress to standard error.
#[derive(Debug, Parser)]
#[command(name = "navwright", version, args_conflicts_with_subcommands = true, after_help = AFTER_HELP)]
pub struct Cli {
    /// Map to open in the editor: a project (.nav.ron), map text, or geometry (OBJ, glTF).
    pub file: Option<PathBuf>,
    /// What to do instead of opening the editor.
    #[command(subcommand)]
    pub verb: Option<Verb>,
}

const AFTER_HELP: &str = "\
Exit codes: 0 done; 1 done, but with a finding (an error in the map, an empty mesh, a failed check, an invalid file, no
complete path); 2 wrong usage, or a file that cannot be read or written.

Example: navwright bake arena.nav.ron -o arena.onnm && navwright path arena.onnm 2,3 40,30 --json";

/// The commands.
#[derive(Debug, Subcommand)]
#[allow(missing_docs, reason = "each is described by its arguments, which is where the help text comes from")]
pub enum Verb {
    Bake(BakeArgs),
    Inspect(InspectArgs),
    Validate(ValidateArgs),
    Path(PathArgs),
    Render(RenderArgs),
    Diff(DiffArgs),
    Stitch(StitchArgs),
    Convert(ConvertArgs),
    Merge(MergeArgs),
    Check(CheckArgs),
}

/// What is to be said of a first word that is neither a command, nor a file, nor an option, with the program's name before it;
/// `None` if it is one of them.
#[must_use]
pub fn unknown_command(words: impl IntoIterator<Item = OsString>) -> Option<String> {
    let first = words.into_iter().nth(1)?;
    let command = Cli::command();
    let mut names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
    names.push("help");
    let is_option = first.as_encoded_bytes().starts_with(b"-");
    if is_option || names.iter().any(|name| first == *name) || Path::new(&first).exists() {
        return None;
    }
    let name = Path::new(&first).display();
    Some(format!(
        "there is no file {name}, and no command of that name; the commands are {}; see navwright --help",
        names.join(", ")
    ))
}

#[derive(Debug, Default, Args)]
#[allow(missing_docs, reason = "words here would replace the help text of the command that holds it")]
pub struct SetArgs {
    /// Override a setting of the map, such as cell_size=0.3 or tile_size=9.6; may be repeated.
    #[arg(long = "set", value_name = "NAME=VALUE", allow_hyphen_values = true)]
    pub set: Vec<String>,
}

#[derive(Debug, Default, Args)]
#[allow(missing_docs, reason = "words here would replace the help text of the command that holds it")]
pub struct ClassArgs {
    /// Agent class, by name or counted from 0; in a world file (.onnw) counted from 0.
    #[arg(long, value_name = "NAME|N")]
    pub class: Option<String>,
}

/// Bake a map and write the mesh that a game loads.
///
/// A map with several agent classes gives a mesh for each, as one .onnw, or one of them (--class), as .onnm.
/// Prints what came out and every diagnostic with its place. The file is written whole or not at all, also when the
/// map has errors, nothing of it can be walked on, or a pinned check fails (exit code 1): what could be baked is in
/// it. Equal maps give equal bytes, whatever --jobs is.
#[derive(Debug, Args)]
pub struct BakeArgs {
    /// Project (.nav.ron), map text (`nav walk …` lines), or geometry (OBJ, glTF); decided by its content.
    #[arg(value_name = "PROJECT")]
    pub project: PathBuf,
    /// Where to write: a name that ends in .onnw gets a world of meshes, one in .onnm a single mesh.
    #[arg(short, long, value_name = "OUT.onnm|OUT.onnw")]
    pub output: PathBuf,
    #[allow(missing_docs, reason = "described by its fields")]
    #[command(flatten)]
    pub source: SourceArgs,
    #[allow(missing_docs, reason = "described by its fields")]
    #[command(flatten)]
    pub class: ClassArgs,
    /// Threads to bake with; 0 takes one for each processor.
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(..=1024))]
    pub jobs: u32,
    /// Bake only these tiles: columns X0..X1 and rows Z0..Z1, both ends included.
    #[arg(long, value_name = "X0,Z0..X1,Z1", allow_hyphen_values = true, value_parser = tile_range)]
    pub tiles: Option<TileRange>,
    #[allow(missing_docs, reason = "described by its fields")]
    #[command(flatten)]
    pub set: SetArgs,
    /// Print the result as JSON.
    #[arg(long)]
    pub json: bool,
}

/// How to bake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    /// From the drawn areas, exactly.
    Flat,
    /// From imported geometry and the drawn areas, by voxels, as Recast does.
    Voxel,
}

/// What to bake of a map, and how geometry lies.
#[derive(Debug, Default, Args)]
#[allow(missing_docs, reason = "words here would replace the help text of the command that holds it")]
pub struct SourceArgs {
    /// How to bake: from the drawn areas alone, or from geometry and the drawn areas. Without it a map that has
    /// geometry, or is a geometry file, is baked by voxels, as in the editor, and any other flat.
    #[arg(long, value_enum)]
    pub mode: Option<Mode>,
    #[allow(missing_docs, reason = "described by its fields")]
    #[command(flatten)]
    pub placement: PlacementArgs,
}

/// How geometry lies in the world.
#[derive(Debug, Default, Args)]
#[allow(missing_docs, reason = "words here would replace the help text of the command that holds it")]
pub struct PlacementArgs {
    /// Which axis of a geometry file points up.
    #[arg(long, value_enum)]
    pub up: Option<Up>,
    /// Turn the triangles of a geometry file over, so that what faces down faces up.
    #[arg(long)]
    pub flip: bool,
    /// World units a unit of a geometry file, such as 0.01 for centimetres.
    #[arg(long, value_name = "FACTOR", allow_hyphen_values = true, value_parser = number)]
    pub scale: Option<f64>,
    /// Degrees to turn a geometry file round the vertical, from +x towards +z.
    #[arg(long, value_name = "DEGREES", allow_hyphen_values = true, value_parser = number)]
    pub turn: Option<f64>,
    /// Where a geometry file's origin lies in the world.
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = offset)]
    pub offset: Option<Offset>,
}

impl PlacementArgs {
    /// The first argument that is given.
    pub(super) fn first_given(&self) -> Option<&'static str> {
        let given = [
            ("--up", self.up.is_some()),
            ("--flip", self.flip),
            ("--scale", self.scale.is_some()),
            ("--turn", self.turn.is_some()),
            ("--offset", self.offset.is_some()),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(name, _)| name)
    }
}

/// An axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum Up {
    Y,
    Z,
}

/// World x, y, z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Offset(pub [f64; 3]);

fn offset(text: &str) -> Result<Offset, String> {
    let numbers = text.split(',').map(number).collect::<Result<Vec<f64>, String>>()?;
    let three = <[f64; 3]>::try_from(numbers);
    three
        .map(Offset)
        .map_err(|numbers| format!("it has {}; an offset is X,Y,Z", count(numbers.len(), "number")))
}

/// Tile columns and rows, inclusive: x0, z0, x1, z1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TileRange(pub [i32; 4]);

/// Say what is in a file.
///
/// Knows baked meshes (ONNM, ONPM), one of Detour's (MSET), worlds of agent classes (ONNW), snapshots (ONPS), projects
/// (.nav.ron), map text and geometry (OBJ, glTF); what it is is decided by its content.
#[derive(Debug, Args)]
pub struct InspectArgs {
    /// File to look into.
    pub file: PathBuf,
    /// Print the result as JSON.
    #[arg(long)]
    pub json: bool,
}

/// Check files against every rule of their format.
///
/// Names the first rule that a file breaks, and where. Exit code 1 if one of them is invalid.
#[derive(Debug, Args)]
pub struct ValidateArgs {
    /// Files to check: baked meshes (ONNM, ONNW, ONPM), snapshots (ONPS), Detour's meshes (MSET), projects, map text or
    /// geometry (OBJ, glTF).
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Print the result as JSON, an entry for each file.
    #[arg(long)]
    pub json: bool,
}

/// Find the path between two places of a mesh, or of a map, which is baked first.
///
/// Prints status, length and the corners with their levels; notes say where a place lies off the mesh, and which of
/// several floors over each other is taken. A place too far off the mesh to be meant has no path, as in a check. Exit
/// code 1 if the path is not complete.
#[derive(Debug, Args)]
pub struct PathArgs {
    /// Baked mesh (ONNM or ONPM), one of Detour's (MSET), a world of them (ONNW) with --class, or a project, map text or
    /// geometry.
    pub file: PathBuf,
    #[allow(missing_docs, reason = "described by its fields")]
    #[command(flatten)]
    pub class: ClassArgs,
    /// Where to start: X,Z (nearest level) or X,Z,LEVEL. Of several floors of that level a map's is the one nearest to the
    /// level's elevation, a baked mesh's the highest.
    #[arg(allow_hyphen_values = true, value_parser = place, required_unless_present = "pairs")]
    pub from: Option<Place>,
    /// Where to go: X,Z or X,Z,LEVEL.
    #[arg(allow_hyphen_values = true, value_parser = place, required_unless_present = "pairs")]
    pub to: Option<Place>,
    /// Places are X,Y,Z with the height; each is the place of the mesh nearest to it in space.
    #[arg(long)]
    pub xyz: bool,
    /// Ask many at once: six numbers a line (X Z LEVEL X Z LEVEL, with --xyz X Y Z X Y Z); - is standard input.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["from", "to"])]
    pub pairs: Option<PathBuf>,
    /// Say why there is no complete path: islands, what stands between in the order of the way (the barriers of which the
    /// least would have to change), and where else they come near, with numbers; and which polygons the path goes through.
    #[arg(long)]
    pub explain: bool,
    #[allow(missing_docs, reason = "described by its fields")]
    #[command(flatten)]
    pub source: SourceArgs,
    #[allow(missing_docs, reason = "described by its fields")]
    #[command(flatten)]
    pub set: SetArgs,
    /// Print the result as JSON; with --pairs, one object a line.
    #[arg(long)]
    pub json: bool,
}

/// Draw a map or a mesh as a picture, without a display.
///
/// A map is baked first, for its first agent class or the one of --class; its drawing and its diagnostics are then on
/// the picture too. Where floors of one level lie over each other they are shaded by height.
#[derive(Debug, Args)]
pub struct RenderArgs {
    /// Baked mesh (ONNM or ONPM), one of Detour's (MSET), world of meshes (ONNW), project, map text or geometry (OBJ,
    /// glTF).
    pub file: PathBuf,
    #[allow(missing_docs, reason = "described by its fields")]
    #[command(flatten)]
    pub class: ClassArgs,
    /// Picture to write; the name's ending says which kind.
    #[arg(short, long, value_name = "OUT.png|OUT.svg")]
    pub output: PathBuf,
    /// Width, or width and height, in pixels.
    #[arg(long, value_name = "W|WxH", default_value = "1600", value_parser = size)]
    pub size: Size,
    /// Background.
    #[arg(long, value_enum, default_value_t = Background::Dark)]
    pub theme: Background,
    /// Draw the path between two places, each X,Z or X,Z,LEVEL. Why it is not complete is said on standard error, with
    /// exit code 1; the picture is written all the same.
    #[arg(long, num_args = 2, value_names = ["FROM", "TO"], allow_hyphen_values = true, value_parser = place)]
    pub path: Option<Vec<Place>>,
    /// The places of --path are X,Y,Z with the height.
    #[arg(long, requires = "path")]
    pub xyz: bool,
    #[allow(missing_docs, reason = "described by its fields")]
    #[command(flatten)]
    pub source: SourceArgs,
    #[allow(missing_docs, reason = "described by its fields")]
    #[command(flatten)]
    pub set: SetArgs,
}

/// Say why two files differ: settings field by field, authored links, tiles; of two maps, what is drawn and imported.
///
/// Fields that differ come first, as decimals and as bits. Where one file has no settings but their digest, looks for
/// the single change of the other one's settings that explains it. Files of several agent classes are compared class by
/// class, or for the one of --class. Of two maps the areas, links, levels, checks and geometry are compared thing by
/// thing, geometry by its placement and the triangles in its files. Exit code 1 if the files differ.
#[derive(Debug, Args)]
pub struct DiffArgs {
    /// Baked mesh (ONNM or ONPM), one of Detour's (MSET), snapshot (ONPS), world of meshes (ONNW), project, map text or
    /// geometry (OBJ, glTF).
    #[arg(value_name = "A")]
    pub first: PathBuf,
    /// Another one.
    #[arg(value_name = "B")]
    pub second: PathBuf,
    #[allow(missing_docs, reason = "described by its fields")]
    #[command(flatten)]
    pub class: ClassArgs,
    /// Print the result as JSON.
    #[arg(long)]
    pub json: bool,
}

/// List what a baked mesh links over tile borders and off-mesh, and what it does not, with reasons.
///
/// A portal that faces tiles but links to none of them is listed with what was measured and the limit; so is each
/// off-mesh link with an end out of reach.
#[derive(Debug, Args)]
pub struct StitchArgs {
    /// Baked mesh (ONNM or ONPM), one of Detour's (MSET), or a world of meshes (ONNW) with --class.
    pub file: PathBuf,
    #[allow(missing_docs, reason = "described by its fields")]
    #[command(flatten)]
    pub class: ClassArgs,
    /// Say what every edge of the polygons at this place leads to (of the nearest one, if none is there).
    #[arg(long, value_name = "X,Z", allow_hyphen_values = true, value_parser = place)]
    pub at: Option<Place>,
    /// Print the result as JSON.
    #[arg(long)]
    pub json: bool,
}

/// Write a file in another format: meshes as meshes or triangles, maps as maps, geometry as geometry.
///
/// What IN is, is decided by its content; what OUT is, by its name or by --to. Whatever OUT cannot hold is named on
/// standard error. A map does not become a mesh here: bake it.
#[derive(Debug, Args)]
pub struct ConvertArgs {
    /// Baked mesh (ONNM, ONNW, ONPM), one of Detour's (MSET), project, map text, or geometry (OBJ, glTF).
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// File to write; the name's ending says which kind, if --to does not.
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
    /// Kind to write.
    #[arg(long, value_enum, value_name = "KIND")]
    pub to: Option<Kind>,
    #[allow(missing_docs, reason = "described by its fields")]
    #[command(flatten)]
    pub class: ClassArgs,
    #[allow(missing_docs, reason = "described by its fields")]
    #[command(flatten)]
    pub placement: PlacementArgs,
    /// Print the result as JSON.
    #[arg(long)]
    pub json: bool,
}

/// What can be written. A name that ends otherwise needs `--to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// Project (.nav.ron).
    Project,
    /// Map text, `nav walk …` lines (.nav, .txt).
    Map,
    /// Mesh with its settings, what games load (.onnm).
    Onnm,
    /// World of agent classes (.onnw).
    Onnw,
    /// Bare mesh (.onpm).
    Onpm,
    /// Snapshot of a mesh: slots and generations, tiles by content id (.onps).
    Onps,
    /// Detour's tiled mesh, for RecastDemo and engines with Detour (.mset, .bin).
    Mset,
    /// Triangles, a mesh's floors or geometry, as Wavefront OBJ (.obj).
    Obj,
    /// Triangles as binary glTF (.glb).
    Glb,
}

/// Join bakes of tile ranges (bake --tiles) into the bytes of a whole bake.
///
/// The parts must have one fingerprint; those of worlds (.onnw) are joined class by class. A tile that several parts
/// hold must be the same in all of them. A fingerprint is of settings alone: parts baked flat and by voxels are told
/// apart by the height detail of voxel tiles, and cannot be where detail_sample_distance is 0.
#[derive(Debug, Args)]
pub struct MergeArgs {
    /// Baked meshes to join (ONNM or ONPM), in any order, or worlds of them (ONNW).
    #[arg(required = true, value_name = "PART")]
    pub parts: Vec<PathBuf>,
    /// Where to write the joined mesh, which is of the parts' kind: .onnm, .onnw or .onpm.
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// Print the result as JSON.
    #[arg(long)]
    pub json: bool,
}

/// Run the pinned checks of a map on a fresh bake.
///
/// A check is a path that must exist, perhaps at most so long, or must not; the editor pins them, the map keeps them,
/// and `bake` runs them too. The map is baked as `bake` bakes it: by voxels if it has geometry. Exit code 1 if one of
/// them fails.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Project (.nav.ron). Map text and geometry (OBJ, glTF) are read too, but hold no checks.
    #[arg(value_name = "PROJECT")]
    pub project: PathBuf,
    #[allow(missing_docs, reason = "described by its fields")]
    #[command(flatten)]
    pub source: SourceArgs,
    #[allow(missing_docs, reason = "described by its fields")]
    #[command(flatten)]
    pub class: ClassArgs,
    /// Threads to bake with; 0 takes one for each processor.
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(..=1024))]
    pub jobs: u32,
    #[allow(missing_docs, reason = "described by its fields")]
    #[command(flatten)]
    pub set: SetArgs,
    /// Print the result as JSON.
    #[arg(long)]
    pub json: bool,
}

/// The picture's background.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum Background {
    Dark,
    Light,
}

/// A picture's width and, where given, height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Pixels across.
    pub width: u32,
    /// Pixels down; `None` fits the map.
    pub height: Option<u32>,
}

/// Two or three numbers; what they mean depends on `--xyz`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// The first two numbers.
    pub first: [f64; 2],
    /// The third, if any.
    pub third: Option<f64>,
}

fn place(text: &str) -> Result<Place, String> {
    let numbers = text.split(',').map(number).collect::<Result<Vec<f64>, String>>()?;
    match numbers[..] {
        [a, b] => Ok(Place { first: [a, b], third: None }),
        [a, b, c] => Ok(Place { first: [a, b], third: Some(c) }),
        _ => {
            let numbers = count(numbers.len(), "number");
            Err(format!("it has {numbers}; a place is X,Z or X,Z,LEVEL (with --xyz X,Y,Z)"))
        }
    }
}

/// A finite number, or a sentence that says what is there instead.
pub(super) fn number(text: &str) -> Result<f64, String> {
    let text = text.trim();
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(format!("\"{}\" is not a number", text.escape_debug())),
    }
}

fn tile_range(text: &str) -> Result<TileRange, String> {
    let shape = "tiles are X0,Z0..X1,Z1, such as 0,0..3,3";
    let corner = |text: &str| -> Result<[i32; 2], String> {
        let (x, z) = text.split_once(',').ok_or(shape)?;
        let whole = |text: &str| {
            text.trim()
                .parse::<i32>()
                .map_err(|error| format!("\"{}\": {error}; {shape}", text.escape_debug()))
        };
        Ok([whole(x)?, whole(z)?])
    };
    let (low, high) = text.split_once("..").ok_or(shape)?;
    let ([x0, z0], [x1, z1]) = (corner(low)?, corner(high)?);
    if x0 > x1 || z0 > z1 {
        return Err(format!("{x0},{z0} does not lie before {x1},{z1}; {shape}"));
    }
    Ok(TileRange([x0, z0, x1, z1]))
}

fn size(text: &str) -> Result<Size, String> {
    let side = |text: &str| {
        let shape = "a size is W or WxH, such as 1600 or 1280x800";
        let value: u32 =
            text.parse().map_err(|error| format!("\"{}\": {error}; {shape}", text.escape_debug()))?;
        if (320..=16_384).contains(&value) {
            Ok(value)
        } else {
            Err(format!("{value} is not in 320..=16384"))
        }
    };
    match text.split_once('x') {
        None => Ok(Size { width: side(text)?, height: None }),
        Some((width, height)) => Ok(Size { width: side(width)?, height: Some(side(height)?) }),
    }
}
