//! `diff`: why two files differ.

use std::path::Path;

use anyhow::bail;
use serde_json::{Map, Value, json};

use super::args::DiffArgs;
use super::class;
use super::diff_links::LinkDiff;
use super::diff_tiles::TileDiff;
use super::load::{Content, load};
use super::output::{Exit, json_text, print};
use super::single_change::{SingleChange, find_single_change};
use crate::format::{Field, NavMesh, NavMeshParams, NavSettings, TiledNavMesh};

/// Values whose decimals agree in this many digits print the same for most programs.
const DIGITS: usize = 6;

/// What a file says of one build.
struct Side {
    params: NavMeshParams,
    settings: Option<NavSettings>,
    /// `None` for a map.
    mesh: Option<TiledNavMesh>,
}

pub(super) fn run(args: &DiffArgs) -> anyhow::Result<Exit> {
    let class = args.class.class.as_deref();
    let (a, b) = (sides(&args.first, class)?, sides(&args.second, class)?);
    if a.len().min(b.len()) == 1 && a.len() != b.len() {
        let (many, few) =
            if b.len() == 1 { (&args.first, &args.second) } else { (&args.second, &args.first) };
        let number = a.len().max(b.len());
        bail!("{} has {number} agent classes, {} one; say which with --class", many.display(), few.display())
    }
    let mut different = a.len() != b.len();
    let mut classes = Vec::new();
    let mut text = format!("A  {}\nB  {}\n", args.first.display(), args.second.display());
    if different {
        text += &format!("A has {} agent classes, B {}\n", a.len(), b.len());
    }
    let single = a.len() == 1 && b.len() == 1;
    for (index, (a, b)) in a.iter().zip(&b).enumerate() {
        let diff = Diff::of(a, b);
        different |= diff.is_different();
        if !single {
            text += &format!("class {index}\n");
        }
        text += &diff.lines(a, b);
        classes.push(diff.as_json(a, b));
    }
    if args.json {
        let mut map = if single { classes.remove(0) } else { Map::new() };
        map.insert("different".to_owned(), json!(different));
        if !single {
            map.insert("classes".to_owned(), classes.into_iter().map(Value::Object).collect());
        }
        text = json_text(&Value::Object(map))?;
    } else if !different {
        text += "no difference\n";
    }
    print(&text)?;
    Ok(Exit::finding(different))
}

/// A file's builds: one, or one for each agent class. `class` takes one where there are several.
fn sides(path: &Path, class: Option<&str>) -> anyhow::Result<Vec<Side>> {
    Ok(match load(path)? {
        Content::Mesh { settings, mesh, .. } => {
            vec![Side {
                params: *mesh.params(),
                settings: settings.map(|settings| *settings),
                mesh: Some(*mesh),
            }]
        }
        Content::World { world, .. } => {
            let side = |class: NavMesh| Side {
                params: *class.mesh.params(),
                settings: Some(class.settings),
                mesh: Some(class.mesh),
            };
            match class {
                Some(_) => vec![side(class::of_world(*world, class, path)?)],
                None => world.into_classes().into_iter().map(side).collect(),
            }
        }
        Content::Snapshot { snapshot, .. } => {
            vec![Side { params: snapshot.params, settings: None, mesh: None }]
        }
        Content::Map(opened) => {
            let document = &opened.document;
            let settings = match class::of_map(document, class, path)? {
                Some(class) => vec![document.bake_settings(class)],
                None => document.world_settings(),
            };
            let side = |settings: NavSettings| -> anyhow::Result<Side> {
                let settings = settings.normalized();
                Ok(Side { params: settings.to_params()?, settings: Some(settings), mesh: None })
            };
            settings.into_iter().map(side).collect::<anyhow::Result<_>>()?
        }
    })
}

/// A value on both sides.
struct Row {
    a: Field,
    b: Field,
}

struct Diff {
    parameters: Vec<Row>,
    /// Where both sides have settings: the digest's, and the links.
    settings: Option<(Vec<Row>, LinkDiff)>,
    /// Where one side has none: whether the other's give its digest, or which single change of them does.
    bare: Option<Bare>,
    /// Where both sides have tiles.
    tiles: Option<TileDiff>,
}

/// What a digest tells of settings that are not there.
enum Bare {
    /// They are those of the other side.
    Same,
    /// They are those of the other side but for this.
    But(SingleChange),
    /// More differs, or something else.
    Unknown,
    /// There are none: the parameters were made by hand.
    ByHand,
    /// Neither side has settings.
    Both,
}

impl Diff {
    fn of(a: &Side, b: &Side) -> Self {
        let settings = a
            .settings
            .as_ref()
            .zip(b.settings.as_ref())
            .map(|(a, b)| (rows(a.digest_fields(), b.digest_fields()), LinkDiff::of(&a.links, &b.links)));
        let bare = match (&a.settings, &b.settings) {
            (Some(_), Some(_)) => None,
            (Some(known), None) => Some(explain_bare(known, b.params.settings_digest)),
            (None, Some(known)) => Some(explain_bare(known, a.params.settings_digest)),
            (None, None) => Some(Bare::Both),
        };
        let tiles = a.mesh.as_ref().zip(b.mesh.as_ref()).map(|(a, b)| TileDiff::of(a, b));
        Self { parameters: rows(a.params.fields(), b.params.fields()), settings, bare, tiles }
    }

    fn is_different(&self) -> bool {
        let differs = |rows: &[Row]| rows.iter().any(Row::differs);
        differs(&self.parameters)
            || self.settings.as_ref().is_some_and(|(rows, links)| differs(rows) || !links.is_empty())
            || self.tiles.as_ref().is_some_and(|tiles| !tiles.is_same())
    }

    fn lines(&self, a: &Side, b: &Side) -> String {
        let (print_a, print_b) = (a.params.fingerprint(), b.params.fingerprint());
        let mut text = if print_a == print_b {
            format!("fingerprint      the same, {print_a}\n")
        } else {
            format!("fingerprint      {print_a} in A, {print_b} in B\n")
        };
        text += "parameters\n";
        text += &lines(&self.parameters);
        if let Some((rows, links)) = &self.settings {
            text += "settings behind the digest\n";
            text += &lines(rows);
            let links_of = |side: &Side| side.settings.as_ref().map_or_else(Vec::new, |s| s.links.clone());
            let (a, b) = (links_of(a), links_of(b));
            if links.is_empty() {
                text += &format!("authored links   the same, {}\n", a.len());
            } else {
                text += &format!("authored links   {} in A, {} in B\n", a.len(), b.len());
                text += &links.lines(&a, &b);
            }
        }
        if let Some(bare) = &self.bare {
            text += &bare_lines(bare, a.settings.is_some());
        }
        match &self.tiles {
            Some(tiles) => text += &tiles.lines(),
            None => text += "tiles            not compared: a map or a snapshot has none\n",
        }
        text
    }

    fn as_json(&self, a: &Side, b: &Side) -> Map<String, Value> {
        let side = |side: &Side| {
            json!({
                "fingerprint": side.params.fingerprint().to_string(),
                "settings_digest": format!("{:016x}", side.params.settings_digest),
            })
        };
        let rows = |rows: &[Row]| rows.iter().map(Row::as_json).collect::<Value>();
        let change = self.bare.as_ref().and_then(|bare| match bare {
            Bare::But(change) => Some(json!({"name": change.name, "from": change.from, "to": change.to})),
            _ => None,
        });
        let value = json!({
            "a": side(a),
            "b": side(b),
            "parameters": rows(&self.parameters),
            "settings": self.settings.as_ref().map(|(settings, _)| rows(settings)),
            "links": self.settings.as_ref().map(|(_, links)| links.as_json()),
            "single_change": change,
            "tiles": self.tiles.as_ref().map(TileDiff::as_json),
        });
        match value {
            Value::Object(map) => map,
            _ => Map::new(),
        }
    }
}

fn explain_bare(known: &NavSettings, digest: u64) -> Bare {
    // The file that has settings may hold bits that its own parameters have normalized.
    if known.digest() == digest || known.clone().normalized().digest() == digest {
        return Bare::Same;
    }
    if digest == 0 {
        return Bare::ByHand;
    }
    find_single_change(known, digest).map_or(Bare::Unknown, Bare::But)
}

fn bare_lines(bare: &Bare, known_is_a: bool) -> String {
    let (known, other) = if known_is_a { ("A", "B") } else { ("B", "A") };
    match bare {
        Bare::Same => {
            format!("settings         {other} has only their digest, which is that of {known}'s settings\n")
        }
        Bare::But(SingleChange { name, from, to }) => format!(
            "settings         {other} has only their digest; it is that of {known}'s settings with one change:\n  \
             {name}: {from} in {known}, {to} in {other}\n"
        ),
        Bare::ByHand => {
            format!(
                "settings         {other} has none: its digest is 0, which parameters made by hand have\n"
            )
        }
        Bare::Unknown => format!(
            "settings         {other} has only their digest; no single change of {known}'s settings that was tried \
             gives it (defaults, neighbouring numbers, f32 roundings, a link left out)\n"
        ),
        Bare::Both => "settings         neither file has them, only their digests\n".to_owned(),
    }
}

fn rows<const N: usize>(a: [Field; N], b: [Field; N]) -> Vec<Row> {
    let mut rows: Vec<Row> = a.into_iter().zip(b).map(|(a, b)| Row { a, b }).collect();
    rows.sort_by_key(|row| !row.differs());
    rows
}

fn lines(rows: &[Row]) -> String {
    rows.iter().map(Row::line).collect()
}

impl Row {
    fn differs(&self) -> bool {
        self.a.bits != self.b.bits
    }

    /// Whether both values look alike where fewer digits are shown than a number has.
    fn prints_the_same(&self) -> bool {
        let short = |field: &Field| field.text.parse::<f64>().ok().map(|value| format!("{value:.DIGITS$e}"));
        let fraction = self.a.text.contains('.') || self.b.text.contains('.');
        self.differs() && fraction && short(&self.a) == short(&self.b)
    }

    fn line(&self) -> String {
        let Self { a, b } = self;
        let value = |field: &Field| {
            let bits = format!("0x{:0width$x}", field.bits, width = 2 * field.bytes);
            if field.text == bits { bits } else { format!("{} ({bits})", field.text) }
        };
        if !self.differs() {
            return format!("    {:<23}{}\n", a.name, value(a));
        }
        let remark = if self.prints_the_same() { ": prints the same, differs in the last bits" } else { "" };
        format!("  ! {:<23}{} in A, {} in B{remark}\n", a.name, value(a), value(b))
    }

    fn as_json(&self) -> Value {
        let bits = |field: &Field| format!("{:0width$x}", field.bits, width = 2 * field.bytes);
        json!({
            "name": self.a.name,
            "a": self.a.text,
            "b": self.b.text,
            "a_bits": bits(&self.a),
            "b_bits": bits(&self.b),
            "differs": self.differs(),
            "prints_the_same": self.prints_the_same(),
        })
    }
}
