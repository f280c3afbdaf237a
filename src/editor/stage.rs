//! What the stage view asks: which tiles and which column are to be looked at closely, and what becomes of the answers.

use std::sync::Arc;

use super::stage_view::{Key, ProbeView};
use super::state::State;
use super::study::{Found, Look, Question};
use super::worker::Mode;
use crate::bake::voxel::VoxelProbe;
use crate::format::NavMesh;

/// Most tiles that are looked at together.
pub const MOST_TILES: usize = 64;

impl State {
    /// The tile whose stages are shown: the picked one, else that of the place that was asked about, else that in the middle
    /// of the canvas.
    #[must_use]
    pub fn stage_tile(&self) -> Option<[i32; 2]> {
        let asked = || self.asked.as_ref().map(|asked| asked.place);
        self.stage.tile.or_else(|| self.tile_at(asked().unwrap_or(self.camera.center)))
    }

    /// The tile at a place.
    #[must_use]
    pub fn tile_at(&self, [x, z]: [f64; 2]) -> Option<[i32; 2]> {
        let settings = self.document().bake_settings(self.class());
        settings.to_params().ok()?.world_to_tile(x, z).map(|(x, z)| [x, z])
    }

    /// Shows another tile's stages.
    pub fn pick_stage_tile(&mut self, tile: [i32; 2]) {
        self.stage.tile = Some(tile);
    }

    /// Goes to the next (`true`) or previous stage; shows stages if none were shown.
    pub fn step_stage(&mut self, forward: bool) {
        if !self.shown.overlays.stage {
            self.shown.overlays.stage = true;
            return;
        }
        let count = self.stage.stages.len().max(1);
        let index = self.stage.index.min(count - 1);
        self.stage.index = if forward { (index + 1) % count } else { (index + count - 1) % count };
    }

    /// The tile columns of the mesh, those next to one first; of very many only these.
    fn tiles_by_distance(&self, [x, z]: [i32; 2]) -> Vec<[i32; 2]> {
        let Some(baked) = &self.bake.shown else { return vec![[x, z]] };
        let columns = baked.mesh.mesh.tiles().map(|(_, tile)| [tile.tile_x, tile.tile_z]);
        let mut columns: Vec<[i32; 2]> = columns.chain([[x, z]]).collect();
        let away = |tile: &[i32; 2]| tile[0].abs_diff(x).max(tile[1].abs_diff(z));
        columns.sort_unstable_by_key(|tile| (away(tile), *tile));
        columns.dedup();
        columns.truncate(MOST_TILES);
        columns
    }

    /// The question that is due about stages, if any.
    fn stage_question(&self) -> Option<Question> {
        if !self.shown.overlays.stage || self.history.in_gesture() || self.shown.start {
            return None;
        }
        let [x, z] = self.stage_tile()?;
        let around = if self.stage.around { 1 } else { 0 };
        let tiles = (-around..=around).flat_map(|dz| (-around..=around).map(move |dx| [dx, dz]));
        let tiles = tiles.map(|[dx, dz]| [x.saturating_add(dx), z.saturating_add(dz)]);
        let tiles = if self.stage.all { self.tiles_by_distance([x, z]) } else { tiles.collect() };
        Some(Question::Stages { tiles, level: self.level, cut: self.ground_cut() })
    }

    /// A column with what the mesh on screen tells of it: whether a seed reaches it.
    #[must_use]
    pub fn seen_column(&self, column: &VoxelProbe) -> VoxelProbe {
        match self.bake.shown.as_ref().filter(|baked| baked.mode == Mode::Voxel) {
            Some(baked) => column.seen_in(&baked.mesh.mesh),
            None => column.clone(),
        }
    }

    /// What is to be looked at closely, if something is.
    pub(super) fn looks(&mut self) -> Vec<Look> {
        let mode = self.bake_mode();
        if mode == Mode::Voxel && !self.geometry_is_current() {
            return Vec::new();
        }
        let mut looks = Vec::new();
        let generation = self.generation;
        if let Some(question) = self.stage_question() {
            let seeded = self.seeded().map_or(0, |_| self.bake.shown_generation);
            let key = Key { generation, mode, seeded, question };
            if self.stage.asked.as_ref().is_none_or(|(asked, _)| *asked != key) {
                let number = self.next_look();
                looks.push(self.look(number, key.question.clone()));
                self.stage.asked = Some((key, number));
            }
        }
        match self.asked.as_ref().map(|asked| asked.place).filter(|_| mode == Mode::Voxel) {
            Some(place) => {
                let key = Key { generation, mode, seeded: 0, question: Question::Probe { place } };
                if self.probe.asked.as_ref().is_none_or(|(asked, _)| *asked != key) {
                    let number = self.next_look();
                    looks.push(self.look(number, key.question.clone()));
                    self.probe.asked = Some((key, number));
                }
            }
            None => self.probe = ProbeView::default(),
        }
        looks
    }

    fn next_look(&mut self) -> u64 {
        self.last_look += 1;
        self.last_look
    }

    fn look(&self, number: u64, question: Question) -> Look {
        let (document, class) = (self.document().clone(), std::sync::Arc::clone(self.class()));
        let (geometry, seeded) = (self.geometry.clone(), self.seeded());
        Look { number, document, class, mode: self.bake_mode(), geometry, seeded, question }
    }

    /// The mesh on screen, if it is what seeds left of the map as it is now.
    fn seeded(&self) -> Option<Arc<NavMesh>> {
        let shown = self.bake.shown.as_ref().filter(|baked| baked.mode == Mode::Voxel && self.fresh())?;
        (!self.document().voxel.seeds.is_empty()).then(|| Arc::clone(&shown.mesh))
    }

    /// Takes in what was found.
    pub(super) fn looked(&mut self, number: u64, found: Found) {
        match found {
            Found::Stages(found) => {
                if self.stage.asked.as_ref().is_some_and(|(_, asked)| *asked == number) {
                    let ((stages, voxels), failure) = match found {
                        Ok(found) => (found, None),
                        Err(why) => (Default::default(), Some(why)),
                    };
                    (self.stage.stages, self.stage.failure) = (stages, failure);
                    self.stage.voxels = Arc::new(voxels);
                    (self.stage.answered, self.stage.edition) = (number, number);
                }
            }
            Found::Probe(found) => {
                let Some((Key { question: Question::Probe { place }, .. }, asked)) = &self.probe.asked else {
                    return;
                };
                if *asked == number {
                    self.probe.found = Some((*place, found));
                }
            }
        }
    }
}
