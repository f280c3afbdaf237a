//! Why the fingerprint is another one: said for some seconds after it has changed.

use std::time::{Duration, Instant};

use super::words::many;
use crate::format::NavSettings;
use crate::project::{AgentClass, Document};

/// How long the reason is said.
const SAID_FOR: Duration = Duration::from_secs(5);
/// Most changes that are named.
const MOST: usize = 2;

/// What the fingerprint was made of when it was looked at last.
#[derive(Debug, Default)]
pub struct FingerprintWatch {
    seen: Option<(Document, NavSettings)>,
    said: Option<(Instant, String)>,
}

impl FingerprintWatch {
    /// Looks whether the fingerprint of a class's mesh is another one, and why.
    pub(super) fn refresh(&mut self, document: &Document, class: &AgentClass) {
        if self.seen.as_ref().is_some_and(|(seen, _)| seen.ptr_eq(document)) {
            return;
        }
        let settings = document.bake_settings(class);
        if let Some((_, before)) = &self.seen
            && *before != settings
        {
            self.said = Some((Instant::now(), reason(before, &settings)));
        }
        self.seen = Some((document.clone(), settings));
    }

    /// Why the fingerprint has changed just now, and how long this is still to be said.
    #[must_use]
    pub fn reason(&self) -> Option<(&str, Duration)> {
        let (since, text) = self.said.as_ref()?;
        let left = SAID_FOR.checked_sub(since.elapsed())?;
        Some((text, left))
    }
}

/// "agent radius 0.3 › 0.35": the panels' font has no arrow.
fn reason(before: &NavSettings, after: &NavSettings) -> String {
    let fields = |settings: &NavSettings| {
        let params = settings.to_params().ok();
        let block = params.map(|params| params.fields()).into_iter().flatten();
        let block = block.filter(|field| field.name != "settings_digest");
        block.chain(settings.digest_fields()).collect::<Vec<_>>()
    };
    let pairs = fields(before).into_iter().zip(fields(after)).filter(|(old, new)| old.bits != new.bits);
    let mut changes: Vec<String> = pairs
        .map(|(old, new)| format!("{} {} › {}", new.name.replace('_', " "), old.text, new.text))
        .collect();
    match (before.links.len(), after.links.len()) {
        (old, new) if new > old => changes.push(format!("{} added", many(new - old, "link"))),
        (old, new) if new < old => changes.push(format!("{} removed", many(old - new, "link"))),
        _ if before.links != after.links => {
            let changed = before.links.iter().zip(&after.links).filter(|(old, new)| old != new).count();
            changes.push(format!("{} changed", many(changed, "link")));
        }
        _ => {}
    }
    let rest = changes.len().saturating_sub(MOST);
    changes.truncate(MOST);
    if rest > 0 {
        changes.push(format!("{rest} more"));
    }
    changes.join(", ")
}
