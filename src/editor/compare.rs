//! Compare with a build: why the mesh on screen and the one in a file differ, or that they do not.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use crate::compare::{Build, Comparison};
use crate::format::{NavMesh, NavMeshParams, NavSettings, NavWorld, TiledNavMesh};
use crate::project::{AgentClass, Document};

/// Most bytes of a file that is read.
const MAX_BYTES: u64 = 1 << 30;

/// What a comparison said.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The answer in a sentence.
    pub verdict: String,
    /// Whether there is any difference.
    pub different: bool,
    /// Both sides and all differences, a line each.
    pub text: String,
}

/// What a file is compared with.
#[derive(Clone, Copy, Debug)]
pub struct OnScreen<'a> {
    /// What the map is called.
    pub name: &'a str,
    /// The map.
    pub document: &'a Document,
    /// The class whose mesh is shown.
    pub class: &'a AgentClass,
    /// Its mesh, unless that is older than the drawing.
    pub mesh: Option<&'a TiledNavMesh>,
}

/// A mesh from a file, with its settings if the file has them.
struct Other {
    params: NavMeshParams,
    settings: Option<NavSettings>,
    mesh: TiledNavMesh,
}

/// Compares the shown class's mesh with a file's.
///
/// # Errors
/// A sentence with the file and the reason: it cannot be read, it is no mesh, or there is no fresh mesh to compare.
pub fn compare(path: &Path, shown: &OnScreen<'_>) -> Result<Compared, String> {
    let name = path.display().to_string();
    let other = read(path, shown).map_err(|reason| format!("{name}: {reason}"))?;
    let Some(mesh) = shown.mesh else {
        return Err("The drawing is not baked yet; try again when it is".to_owned());
    };
    let settings = shown.document.bake_settings(shown.class).normalized();
    let mine = Build { params: mesh.params(), settings: Some(&settings), mesh: Some(mesh) };
    let theirs = Build { params: &other.params, settings: other.settings.as_ref(), mesh: Some(&other.mesh) };
    let comparison = Comparison::of(&mine, &theirs);
    let same_print = mine.params.fingerprint() == theirs.params.fingerprint();
    let verdict = match (same_print, comparison.is_different()) {
        (_, false) => "No difference: settings, links and tiles are the same.",
        (true, true) => {
            "The fingerprint is the same, so settings and links agree; tiles differ, so areas, imported geometry or the \
             builder's version do."
        }
        (false, _) => "The fingerprints differ: the tiles of one do not fit to those of the other.",
    };
    let text = format!("A  {} (on screen)\nB  {name}\n{}", shown.name, comparison.lines(&mine, &theirs));
    let different = comparison.is_different();
    Ok(Compared { verdict: verdict.to_owned(), different, text })
}

/// The file's mesh; of a world, that of the shown class's place among the classes.
fn read(path: &Path, on_screen: &OnScreen<'_>) -> Result<Other, String> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| error.to_string())?;
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(format!("more than {MAX_BYTES} bytes"));
    }
    let with =
        |mesh: NavMesh| Other { params: *mesh.mesh.params(), settings: Some(mesh.settings), mesh: mesh.mesh };
    let fail = |error: crate::format::FormatError| error.to_string();
    match bytes.get(..4) {
        Some(b"ONNM") => NavMesh::from_bytes(&bytes).map(with).map_err(fail),
        Some(b"ONNW") => {
            let classes = NavWorld::from_bytes(&bytes).map_err(fail)?.into_classes();
            let shown = on_screen.class.id;
            let index = on_screen.document.classes.iter().position(|class| class.id == shown).unwrap_or(0);
            let count = classes.len();
            let class = classes.into_iter().nth(index);
            class.map(with).ok_or_else(|| format!("it has {count} agent classes, {} is shown", index + 1))
        }
        Some(b"ONPM") => {
            let mesh = TiledNavMesh::from_bytes(&bytes).map_err(fail)?;
            Ok(Other { params: *mesh.params(), settings: None, mesh })
        }
        _ => Err("it is no baked mesh (ONNM, ONNW or ONPM)".to_owned()),
    }
}
