//! Which single change of known settings gives a digest that is all that is known of the others.

use crate::format::{AuthoredLink, NavSettings, Partition};

/// Most authored links for which leaving each one out is tried: each try hashes all of them.
const MAX_LINKS: usize = 1000;

/// A change that gives the digest.
#[derive(Clone, Debug, PartialEq)]
pub struct SingleChange {
    /// The setting, or "link N".
    pub name: String,
    /// What it is.
    pub from: String,
    /// What it would be.
    pub to: String,
}

/// Tries each setting at its default, at the numbers next to it and as the nearest f32, and each authored link left
/// out or rounded to f32; the first that gives `digest` is the answer.
#[must_use]
pub fn find_single_change(settings: &NavSettings, digest: u64) -> Option<SingleChange> {
    of_settings(settings, digest).or_else(|| of_links(settings, digest))
}

fn of_settings(settings: &NavSettings, digest: u64) -> Option<SingleChange> {
    let default = NavSettings::default();
    let mut trial = settings.clone();
    macro_rules! try_values {
        ($field:ident, $values:expr) => {
            for value in $values {
                trial.$field = value;
                if trial.digest() == digest {
                    return Some(difference(settings, &trial));
                }
            }
            trial.$field = settings.$field;
        };
    }
    try_values!(cell_height, wide(settings.cell_height, default.cell_height));
    try_values!(snap_bits, -1..=20);
    try_values!(partition, [Partition::Watershed, Partition::Monotone, Partition::Layers]);
    try_values!(min_region_area, whole(settings.min_region_area, default.min_region_area));
    try_values!(merge_region_area, whole(settings.merge_region_area, default.merge_region_area));
    try_values!(contour_max_error, single(settings.contour_max_error, default.contour_max_error));
    try_values!(max_edge_length, wide(settings.max_edge_length, default.max_edge_length));
    try_values!(
        detail_sample_distance,
        wide(settings.detail_sample_distance, default.detail_sample_distance)
    );
    try_values!(detail_max_error, wide(settings.detail_max_error, default.detail_max_error));
    try_values!(height, wide(settings.height, default.height));
    try_values!(area, 0..=63);
    try_values!(flags, 0..=0xFF);
    None
}

fn difference(settings: &NavSettings, trial: &NavSettings) -> SingleChange {
    let pairs = settings.digest_fields().into_iter().zip(trial.digest_fields());
    let mut changed = pairs.filter(|(own, other)| own.bits != other.bits);
    // A trial that changes nothing has the settings' own digest, which the caller has compared already.
    changed.next().map_or_else(
        || SingleChange { name: "nothing".to_owned(), from: String::new(), to: String::new() },
        |(own, other)| SingleChange { name: own.name.to_owned(), from: own.text, to: other.text },
    )
}

fn of_links(settings: &NavSettings, digest: u64) -> Option<SingleChange> {
    let change = |name: String, from: &str, to: &str| {
        Some(SingleChange { name, from: from.to_owned(), to: to.to_owned() })
    };
    let mut trial = settings.clone();
    trial.links.clear();
    if trial.digest() == digest {
        return change("links".to_owned(), &settings.links.len().to_string(), "none");
    }
    trial.links = settings.links.iter().map(in_single).collect();
    if trial.digest() == digest {
        return change("links".to_owned(), "as they are", "with every number rounded to f32");
    }
    if settings.links.len() > MAX_LINKS {
        return None;
    }
    for (index, link) in settings.links.iter().enumerate() {
        let name = || format!("link {}", index + 1);
        trial.links.clone_from(&settings.links);
        trial.links[index] = in_single(link);
        if trial.digest() == digest {
            return change(name(), "as it is", "with every number rounded to f32");
        }
        trial.links[index] = AuthoredLink { bidirectional: !link.bidirectional, ..*link };
        if trial.digest() == digest {
            let word = |both: bool| if both { "both ways" } else { "one way" };
            return change(name(), word(link.bidirectional), word(!link.bidirectional));
        }
        trial.links.remove(index);
        if trial.digest() == digest {
            return change(name(), "there", "left out");
        }
    }
    None
}

/// A link as it is after every number went through an f32.
fn in_single(link: &AuthoredLink) -> AuthoredLink {
    let round = |point: [f64; 3]| point.map(through_single);
    AuthoredLink {
        start: round(link.start),
        end: round(link.end),
        radius: through_single(link.radius),
        ..*link
    }
}

fn through_single(value: f64) -> f64 {
    #[allow(clippy::cast_possible_truncation, reason = "what a host that keeps f32 would have")]
    let single = value as f32;
    single.into()
}

/// The default and the value, each also as the nearest f32 and the f32 beside it, and the f64 beside it.
fn wide(value: f64, default: f64) -> Vec<f64> {
    let mut values = Vec::new();
    for value in [default, value] {
        #[allow(clippy::cast_possible_truncation, reason = "what a host that keeps f32 would have")]
        let single = value as f32;
        values.extend([value, single.into(), single.next_up().into(), single.next_down().into()]);
        values.extend([value.next_up(), value.next_down(), 0.0, -0.0]);
    }
    values
}

fn single(value: f32, default: f32) -> [f32; 6] {
    [default, default.next_up(), default.next_down(), value.next_up(), value.next_down(), 0.0]
}

fn whole(value: i32, default: i32) -> [i32; 4] {
    [default, value.saturating_add(1), value.saturating_sub(1), 0]
}
