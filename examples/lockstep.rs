//! Lock step with rollback: a snapshot brings a mesh back exactly, references included.
//!
//! ```sh
//! cargo run --no-default-features --example lockstep
//! ```
//!
//! Two peers change their world alike; one of them guessed wrong, goes back to the last state that both agreed on,
//! and plays the right commands again.
#![allow(clippy::print_stdout, reason = "an example shows what it found")]

use std::error::Error;
use std::path::Path;

use navwright::bake::{BakeOptions, bake_mesh};
use navwright::format::{NavSettings, Snapshot, TilePosition, TiledNavMesh};
use navwright::project;
use navwright::stream::{TileLibrary, restore};

fn main() -> Result<(), Box<dyn Error>> {
    let world = arena_in_small_tiles()?;
    // Both peers hold all tiles that may ever stand in the world; a snapshot names them by content.
    let mut library = TileLibrary::new();
    library.add_mesh(&world);

    let (mut here, mut there) = (world.clone(), world.clone());
    let positions: Vec<TilePosition> = world.tiles().map(|(_, tile)| tile.position()).collect();
    here.remove_tile(positions[0])?;
    there.remove_tile(positions[0])?;
    let agreed = Snapshot::of(&here).to_bytes();
    println!("snapshot of {} tiles: {} bytes", here.tiles().count(), agreed.len());
    let kept = here.tile_at(positions[1]).ok_or("the second tile is there")?.0;

    // The right command takes one tile out; here another one was guessed.
    here.remove_tile(positions[1])?;
    there.remove_tile(positions[2])?;
    println!("before the rollback: {}", same(&here, &there));
    assert!(here.tile(kept).is_none(), "the guess made a reference stale");

    restore(&mut here, &Snapshot::from_bytes(&agreed)?, &library)?;
    assert!(here.tile(kept).is_some(), "slots and generations are those of then");
    here.remove_tile(positions[2])?;
    println!("after the rollback:  {}", same(&here, &there));

    // A peer without a tile cannot restore; its mesh stays as it was, and the error names what is missing.
    let before = here.to_bytes();
    let error = restore(&mut here, &Snapshot::from_bytes(&agreed)?, &TileLibrary::new());
    println!("without tiles: {}", error.err().ok_or("an empty library restores nothing")?);
    assert!(here.to_bytes() == before);
    Ok(())
}

/// Peers compare hashes of their states each turn; a snapshot is small enough to compare whole.
fn same(here: &TiledNavMesh, there: &TiledNavMesh) -> &'static str {
    if Snapshot::of(here) == Snapshot::of(there) { "in step" } else { "out of step" }
}

fn arena_in_small_tiles() -> Result<TiledNavMesh, Box<dyn Error>> {
    let map = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/arena.nav.ron");
    let document = project::open(&map)?.document;
    let settings = NavSettings { tile_size: 8.0, ..document.bake_settings(&document.classes[0]) };
    let (baked, _report) = bake_mesh(&document.flat_input(), &settings, &BakeOptions::default())?;
    Ok(baked.mesh)
}
