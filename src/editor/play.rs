//! Walking on the baked mesh, as time goes by.

use super::state::{State, Tone};

impl State {
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
        let said = self.tools.play.advance(&baked.mesh.mesh, radius, seconds, &mut self.scratch);
        if let Some(said) = said {
            self.say(Tone::Hint, said);
        }
        self.tools.play.walks()
    }
}
