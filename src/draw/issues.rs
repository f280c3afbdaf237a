//! Diagnostics at their places.

use super::{Role, Shape, Sign};
use crate::bake::{Diagnostic, Severity};

/// A badge for each diagnostic of `level` (`None`: of every level), worst on top.
#[must_use]
pub fn issue_shapes(diagnostics: &[Diagnostic], level: Option<i8>) -> Vec<Shape> {
    let shown = |diagnostic: &&Diagnostic| level.is_none_or(|level| diagnostic.level == level);
    let mut list: Vec<&Diagnostic> = diagnostics.iter().filter(shown).collect();
    list.sort_by_key(|diagnostic| diagnostic.kind.severity());
    list.into_iter().map(|diagnostic| issue_sign(diagnostic.place, diagnostic.kind.severity())).collect()
}

/// The badge of a severity at a place.
#[must_use]
pub fn issue_sign(at: [f64; 2], severity: Severity) -> Shape {
    let (role, sign) = match severity {
        Severity::Error => (Role::Error, Sign::Octagon),
        Severity::Warning => (Role::Warning, Sign::Triangle),
        Severity::Note => (Role::Note, Sign::Disc),
    };
    Shape::Marker { at, sign, role }
}
