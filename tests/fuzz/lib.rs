//! What the targets share: checksums put right, so that a mutated file is read past them, and a watch over
//! allocations.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use navwright::format::{NavMeshParams, Snapshot, TiledNavMesh};
use sha2::{Digest, Sha256};

/// Counts what this thread holds, and the most it held since [`peak_of`] began.
struct Watch;

thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

fn count(change: isize) {
    // A thread that ends may free after its counters are gone.
    let _gone = HELD.try_with(|held| {
        held.set(held.get() + change);
        PEAK.try_with(|peak| peak.set(peak.get().max(held.get())))
    });
}

// SAFETY: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Watch {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static WATCH: Watch = Watch;

/// Bytes that any reader may hold besides its multiple of the input.
const SLACK: usize = 64 << 10;

/// Runs a reader; it must never hold more than `times` its input.
pub fn bounded<T>(input: usize, times: usize, read: impl FnOnce() -> T) -> T {
    let before = HELD.get();
    PEAK.set(before);
    let done = read();
    let most = usize::try_from(PEAK.get() - before).unwrap_or(0);
    assert!(most <= times * input + SLACK, "{most} bytes held for an input of {input}");
    done
}

/// The parameters that the `tile` target reads against: those of the vectors' tiles, but for 16 corners.
pub fn tile_params() -> NavMeshParams {
    NavMeshParams {
        origin: [0.0; 3],
        tile_size: 16.0,
        cell_size: 0.25,
        max_verts_per_poly: 16,
        walkable_climb: 0.5,
        agent_radius: 0.5,
        agent_height: 2.0,
        agent_max_slope: 45.0,
        settings_digest: 0,
    }
}

fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    let four = bytes.get(at..at + 4)?;
    Some(u32::from_le_bytes(four.try_into().ok()?) as usize)
}

/// Writes the fingerprint of these parameters into a tile.
pub fn repair_tile(tile: &mut [u8], block: &[u8]) {
    if let Some(place) = tile.get_mut(8..24) {
        place.copy_from_slice(&Sha256::digest([&b"ONFP\x02\x00"[..], block].concat())[..16]);
    }
}

/// Writes the fingerprint of a mesh's parameters into each of its tiles.
pub fn repair_mesh(mesh: &mut [u8]) {
    let Some(block) = mesh.get(8..76).map(<[u8]>::to_vec) else { return };
    let mut at = 80;
    while let Some(length) = u32_at(mesh, at + 4) {
        at += 8;
        let end = (at + length).min(mesh.len());
        repair_tile(&mut mesh[at..end], &block);
        at = end;
    }
}

/// Writes the parameters that an envelope's settings give into its mesh, then repairs that.
pub fn repair_envelope(envelope: &mut [u8]) {
    let Some(links) = u32_at(envelope, 132) else { return };
    let mesh = 136 + 64 * links + 4;
    if envelope.len() < mesh + 76 {
        return;
    }
    let mut digest = b"ONSD".to_vec();
    // cell_height … merge_region_area, contour_max_error, the lengths and height, area, flags, links.
    for range in [48..72, 72..76, 80..112, 78..79, 128..130, 132..136 + 64 * links] {
        digest.extend_from_slice(&envelope[range]);
    }
    let digest = Sha256::digest(&digest);
    let mut block = Vec::new();
    for range in [8..48, 76..78] {
        block.extend_from_slice(&envelope[range]);
    }
    block.extend_from_slice(&[0; 2]);
    block.extend_from_slice(&envelope[112..128]);
    block.extend_from_slice(&digest[..8]);
    envelope[mesh + 8..mesh + 76].copy_from_slice(&block);
    repair_mesh(&mut envelope[mesh..]);
}

/// Repairs each envelope of a world.
pub fn repair_world(world: &mut [u8]) {
    let mut at = 12;
    while let Some(length) = u32_at(world, at) {
        at += 4;
        let end = (at + length).min(world.len());
        repair_envelope(&mut world[at..end]);
        at = end;
    }
}

/// What must hold for any mesh that was read: edits that take a tile out and put it back leave its links.
pub fn exercise(mesh: &TiledNavMesh) {
    let mut again = mesh.clone();
    let Some((_, tile)) = mesh.tiles().next() else { return };
    let tile = tile.clone();
    let links = |mesh: &TiledNavMesh| {
        navwright::format::collect_debug(mesh).links.iter().map(|link| (link.from.slot(), link.link.kind)).collect::<Vec<_>>()
    };
    let before = links(mesh);
    again.replace_tile(tile).expect("a tile may take its own place");
    assert_eq!(links(&again), before, "links after a tile was replaced by itself");
    assert_eq!(Snapshot::of(mesh).slots.len(), mesh.slots().len());
}
