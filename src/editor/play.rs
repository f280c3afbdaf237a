//! Walking on the baked mesh, as time goes by.

use super::state::{State, Tone};

/// Longest time that a walker goes on in one frame, in seconds.
const LONGEST_STEP: f32 = 0.25;

impl State {
    /// Lets the walker go on for as long as the last frame took, and asks for another one while it walks.
    pub fn play_in(&mut self, ui: &egui::Ui) {
        let seconds = f64::from(ui.input(|input| input.stable_dt).min(LONGEST_STEP));
        if self.play_on(seconds) {
            ui.ctx().request_repaint();
        }
    }

    /// Lets the walker of the Play tool go on for some seconds. Whether it goes on after that.
    pub fn play_on(&mut self, seconds: f64) -> bool {
        if !self.tools.play.walks() {
            return false;
        }
        let radius = f64::from(self.class().radius);
        let Some(baked) = &self.bake.shown else {
            self.tools.play.clear();
            self.say(Tone::Hint, "There is no mesh to walk on yet: B bakes");
            return false;
        };
        let (document, mesh) = (self.history.document(), &baked.mesh.mesh);
        let said = self.tools.play.advance(document, mesh, radius, seconds, &mut self.scratch);
        if let Some(said) = said {
            self.say(Tone::Hint, said);
        }
        self.tools.play.walks()
    }
}
