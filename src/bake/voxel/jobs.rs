//! Work on one thread or on several.

use rayon::prelude::*;

/// All results in order: on the caller's thread for one job, which starts none and keeps to the memory that is warm
/// there; else on the pool's, each item a job of its own: they are few and differ in size, and whoever is done takes the
/// next.
pub(crate) fn map_all<T: Send, R: Send>(
    items: Vec<T>,
    jobs: usize,
    make: impl Fn(T) -> R + Send + Sync,
) -> Vec<R> {
    if jobs == 1 {
        return items.into_iter().map(make).collect();
    }
    items.into_par_iter().with_max_len(1).map(make).collect()
}
