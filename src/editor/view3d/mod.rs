//! The map in space: the baked mesh and the drawing at their heights, orbited and flown through, with the tools of the
//! canvas.
//!
//! Reading order: [`space`] (vectors and rays), [`camera`] (the eye), [`levels`] (how levels are pulled apart and cut
//! off), [`solid`] (faces, sheets and lines that never change), `look`, [`mesh`] and [`drawn`] (what becomes solids),
//! [`stage`] (the stages of a bake), [`pieces`] (imported geometry), [`scene`] (which are kept), [`pick`] (what is under the mouse), [`projector`] (places as they are seen), [`overlay`] with `badges` and `heights` (what is laid over), [`frame`],
//! `pipelines` and [`device`] (how it comes to the screen), `nodes` (for screen readers), `motion`, `hold`, `input`,
//! `strip` and [`View3d`], which joins them.

mod badges;
pub mod camera;
pub mod device;
pub mod drawn;
pub mod frame;
mod heights;
mod hold;
mod input;
pub mod levels;
mod look;
pub mod mesh;
mod motion;
mod nodes;
pub mod overlay;
mod pane;
pub mod pick;
pub mod pieces;
mod pipelines;
pub mod projector;
pub mod scene;
pub mod solid;
pub mod space;
pub mod stage;
mod strip;

pub use device::install;
pub use motion::take_keys;
pub use pane::View3d;
