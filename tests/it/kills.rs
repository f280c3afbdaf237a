//! Saving that is killed at random moments: on the disk is a whole old or a whole new file, and it opens.

use std::fs;
use std::path::Path;
use std::process::{Command as Process, Stdio};
use std::time::{Duration, Instant};

use navwright::project::autosave::{Recovery, keep, leftovers};
use navwright::project::file::{decode, encode, load, save};
use navwright::project::{Area, AreaId, Command, Document, apply};

use crate::project::area;
use crate::support::Random;

/// Where the child saves; only it has this.
const FOLDER: &str = "NAVWRIGHT_TEST_KILLED_IN";

/// A map of some 100 kB; `side` tells the two apart.
fn map(side: u64) -> Document {
    let areas = (0..400)
        .map(|id| Area { points: vec![[0.0, 0.0], [side as f64 + 0.1, 0.5], [4.0, id as f64]], ..area(id) });
    apply(&Document::default(), &Command::AddAreas(areas.collect())).unwrap()
}

/// Not a test by itself: saves one map over the other until it is killed. It is run by the test below.
#[test]
#[ignore = "the child of the test below"]
fn saves_until_killed() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let folder = Path::new(&folder);
    let (maps, path) = ([map(0), map(1)], folder.join("map.nav.ron"));
    let recovery = Recovery::start(&folder.join("recovery")).unwrap();
    for round in 0.. {
        save(&maps[round % 2], &path).unwrap();
        keep(recovery.file(), &maps[(round + 1) % 2], Some(&path), None).unwrap();
        fs::write(folder.join("begun"), "").unwrap();
    }
}

#[test]
fn two_hundred_kills_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("map.nav.ron");
    let texts = [0, 1].map(|side| encode(&map(side)));
    let whole = |path: &Path| {
        let text = fs::read_to_string(path).unwrap();
        assert!(texts.contains(&text), "{}: {} bytes of {}", path.display(), text.len(), texts[0].len());
        decode(&text, "map").unwrap();
        text
    };
    let mut random = Random(0x51_6B_11);
    let (mut found, mut half_done) = ([0, 0], 0);
    for kill in 0..200 {
        fs::remove_file(folder.path().join("begun")).ok();
        let mut child = Process::new(std::env::current_exe().unwrap())
            .args(["kills::saves_until_killed", "--exact", "--ignored", "--test-threads", "1"])
            .env(FOLDER, folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let start = Instant::now();
        while !folder.path().join("begun").exists() {
            assert!(start.elapsed() < Duration::from_secs(60), "kill {kill}: the child does not save");
            std::thread::sleep(Duration::from_micros(200));
        }
        std::thread::sleep(Duration::from_micros(random.below(12_000)));
        child.kill().unwrap();
        child.wait().unwrap();

        let text = whole(&path);
        found[usize::from(text == texts[1])] += 1;
        assert_eq!(encode(&load(&path).unwrap()), text);
        let backup = path.with_file_name("map.nav.ron.bak");
        if backup.exists() {
            whole(&backup);
        }
        // What it kept for recovery is whole too, and so offered.
        for leftover in leftovers(&folder.path().join("recovery")) {
            let document = leftover.document().unwrap();
            assert!(texts.contains(&encode(&document)));
            assert_eq!(leftover.origin.as_deref(), Some(path.as_path()));
            leftover.discard();
        }
        // What a killed save leaves beside the file does no harm to the next one.
        let left = fs::read_dir(folder.path()).unwrap();
        half_done += left
            .filter(|entry| entry.as_ref().unwrap().path().extension().is_some_and(|x| x == "tmp"))
            .count();
        let next = apply(&load(&path).unwrap(), &Command::RemoveAreas(vec![AreaId(7)])).unwrap();
        save(&next, &path).unwrap();
        assert_eq!(load(&path).unwrap(), next);
        save(&map(kill % 2), &path).unwrap();
    }
    assert!(found[0] > 10 && found[1] > 10, "kills came at one moment only: {found:?}");
    assert!(half_done > 0, "no kill came in the middle of a save");
}
