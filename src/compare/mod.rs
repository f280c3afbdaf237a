//! Why two builds differ: parameters, settings, authored links, tiles.
//!
//! [`Build`] is what is known of a mesh or a map, [`Comparison`] what differs between two of them, with its parts in
//! [`LinkDiff`], [`TileDiff`] and [`find_single_change`].

mod links;
mod single_change;
mod tiles;

pub use links::LinkDiff;
pub use single_change::{SingleChange, find_single_change};
pub use tiles::TileDiff;

use crate::format::{AuthoredLink, Field, NavMeshParams, NavSettings, TiledNavMesh};

/// Values whose decimals agree in this many digits print the same for most programs.
const DIGITS: usize = 6;

/// What is known of one build.
#[derive(Clone, Copy, Debug)]
pub struct Build<'a> {
    /// What all its tiles share.
    pub params: &'a NavMeshParams,
    /// What it was built with, where that is known.
    pub settings: Option<&'a NavSettings>,
    /// Its tiles; `None` for a map or a snapshot.
    pub mesh: Option<&'a TiledNavMesh>,
}

/// A value on both sides.
#[derive(Clone, Debug)]
pub struct Row {
    /// In A.
    pub a: Field,
    /// In B.
    pub b: Field,
}

/// What differs between two builds, A and B; rows that differ come first.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The parameters.
    pub parameters: Vec<Row>,
    /// Where both sides have settings: the digest's, and the links.
    pub settings: Option<(Vec<Row>, LinkDiff)>,
    /// Where one side has none: whether the other's give its digest, or which single change of them does.
    pub bare: Option<Bare>,
    /// Where both sides have tiles.
    pub tiles: Option<TileDiff>,
}

/// What a digest tells of settings that are not there.
#[derive(Clone, Debug)]
pub enum Bare {
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

impl Comparison {
    /// Compares two builds.
    #[must_use]
    pub fn of(a: &Build<'_>, b: &Build<'_>) -> Self {
        let settings = a
            .settings
            .zip(b.settings)
            .map(|(a, b)| (rows(a.digest_fields(), b.digest_fields()), LinkDiff::of(&a.links, &b.links)));
        let bare = match (a.settings, b.settings) {
            (Some(_), Some(_)) => None,
            (Some(known), None) => Some(explain_bare(known, b.params.settings_digest)),
            (None, Some(known)) => Some(explain_bare(known, a.params.settings_digest)),
            (None, None) => Some(Bare::Both),
        };
        let tiles = a.mesh.zip(b.mesh).map(|(a, b)| TileDiff::of(a, b));
        Self { parameters: rows(a.params.fields(), b.params.fields()), settings, bare, tiles }
    }

    /// Whether anything differs.
    #[must_use]
    pub fn is_different(&self) -> bool {
        let differs = |rows: &[Row]| rows.iter().any(Row::differs);
        differs(&self.parameters)
            || self.settings.as_ref().is_some_and(|(rows, links)| differs(rows) || !links.is_empty())
            || self.tiles.as_ref().is_some_and(|tiles| !tiles.is_same())
    }

    /// All of it in lines; those of values that differ begin with `!`. `a` and `b`: what was compared.
    #[must_use]
    pub fn lines(&self, a: &Build<'_>, b: &Build<'_>) -> String {
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
            let links_of = |build: &Build<'_>| -> Vec<AuthoredLink> {
                build.settings.map_or_else(Vec::new, |settings| settings.links.clone())
            };
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

/// A line for each row that differs, and one for all others.
fn lines(rows: &[Row]) -> String {
    let mut text: String = rows.iter().filter(|row| row.differs()).map(Row::line).collect();
    let same = rows.iter().filter(|row| !row.differs()).count();
    if same > 0 {
        text += &format!("    the same in both      {same} of {}\n", rows.len());
    }
    text
}

impl Row {
    /// Whether the values differ in any bit.
    #[must_use]
    pub fn differs(&self) -> bool {
        self.a.bits != self.b.bits
    }

    /// Whether both values look alike where fewer digits are shown than a number has.
    #[must_use]
    pub fn prints_the_same(&self) -> bool {
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
        let remark = if self.prints_the_same() { ": prints the same, differs in the last bits" } else { "" };
        format!("  ! {:<23}{} in A, {} in B{remark}\n", a.name, value(a), value(b))
    }
}
