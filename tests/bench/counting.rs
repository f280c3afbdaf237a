//! An allocator that counts, for benches that measure memory.
#![allow(unsafe_code, reason = "an allocator is unsafe to write; this one hands every call on as it came")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts the bytes that are held, and the most that were.
pub(crate) struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let held = HELD.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(held, Ordering::Relaxed);
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Bytes held now.
#[allow(dead_code, reason = "not every bench asks for it")]
pub(crate) fn held() -> usize {
    HELD.load(Ordering::Relaxed)
}

/// The most bytes held while `work` ran beyond those held before.
#[allow(dead_code, reason = "not every bench asks for it")]
pub(crate) fn peak_of<T>(work: impl FnOnce() -> T) -> usize {
    let before = held();
    PEAK.store(before, Ordering::Relaxed);
    drop(work());
    PEAK.load(Ordering::Relaxed).saturating_sub(before)
}

/// How often memory was asked for while `work` ran.
#[allow(dead_code, reason = "not every bench asks for it")]
pub(crate) fn allocations_of<T>(work: impl FnOnce() -> T) -> usize {
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    drop(work());
    ALLOCATIONS.load(Ordering::Relaxed) - before
}
