//! Reference pictures under the drawing: read and decoded on a thread, once; where a file is missing, its place says so.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use egui::{
    Align2, Color32, ColorImage, FontId, Painter, Pos2, Rect, TextureHandle, TextureOptions, pos2, vec2,
};
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};

use super::pick::PictureSizes;
use crate::bake::Severity;
use crate::draw::View;
use crate::editor::state::State;
use crate::editor::style;
use crate::project::{Document, Picture, PictureId};

/// Most bytes of a picture's file.
const MOST_BYTES: u64 = 128 << 20;
/// Most pixels of a picture.
const MOST_PIXELS: u64 = 100_000_000;
/// Most memory that decoding may take.
const MOST_MEMORY: u64 = 1 << 30;
/// Largest side that is shown; larger pictures are made smaller, whatever the graphics driver could take.
const LARGEST_SIDE: u32 = 4096;

/// The pictures that were read.
#[derive(Default)]
pub struct Pictures {
    kept: BTreeMap<PathBuf, Kept>,
}

impl std::fmt::Debug for Pictures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pictures({})", self.kept.len())
    }
}

enum Kept {
    Reading(Receiver<Result<Decoded, String>>),
    Ready { texture: TextureHandle, size: [u32; 2] },
    Failed(String),
}

/// A picture, perhaps smaller than its file has it.
struct Decoded {
    image: ColorImage,
    /// Pixels of the file.
    size: [u32; 2],
}

impl Pictures {
    /// Reads what is to be shown and is not read yet, and tells the state how large pictures are. `again`: also those that
    /// could not be read.
    pub fn update(&mut self, context: &egui::Context, state: &mut State) {
        let document = state.history.document();
        if document.pictures.is_empty() && self.kept.is_empty() {
            state.picture_sizes.clear();
            return;
        }
        if std::mem::take(&mut state.pictures_anew) {
            self.kept.clear();
        }
        let folder = state.file.as_deref().and_then(Path::parent);
        let wanted: BTreeMap<PictureId, PathBuf> = document
            .pictures
            .iter()
            .filter_map(|picture| Some((picture.id, folder?.join(&picture.path))))
            .collect();
        self.kept.retain(|path, _| wanted.values().any(|other| other == path));
        let mut sizes = PictureSizes::new();
        for picture in document.pictures.iter() {
            let Some(path) = wanted.get(&picture.id) else {
                sizes.insert(picture.id, Err("the project has no folder until it is saved".to_owned()));
                continue;
            };
            if picture.level != state.level && !self.kept.contains_key(path) {
                continue;
            }
            let kept = self.kept.entry(path.clone()).or_insert_with(|| read(path.clone(), context));
            kept.poll(context, picture.name());
            match kept {
                Kept::Reading(_) => {}
                Kept::Ready { size, .. } => drop(sizes.insert(picture.id, Ok(*size))),
                Kept::Failed(why) => drop(sizes.insert(picture.id, Err(why.clone()))),
            }
        }
        state.picture_sizes = sizes;
    }

    /// Paints the pictures of the level.
    pub fn paint(&self, painter: &Painter, state: &State, view: &View, canvas: Rect) {
        let folder = state.file.as_deref().and_then(Path::parent);
        for picture in pictures_of(state.document(), state.level) {
            let path = folder.map(|folder| folder.join(&picture.path));
            let at = |place: [f64; 2]| -> Pos2 { view.pixel_from_world(place).into() };
            match path.as_ref().and_then(|path| self.kept.get(path)) {
                Some(Kept::Ready { texture, size }) => {
                    let [low, high] = picture.bounds(*size);
                    let rect = Rect::from_two_pos(at(low), at(high));
                    if rect.intersects(canvas) {
                        let whole = Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0));
                        #[allow(clippy::cast_possible_truncation, reason = "0 to 1")]
                        let tint = Color32::WHITE.gamma_multiply(picture.opacity as f32);
                        painter.image(texture.id(), rect, whole, tint);
                    }
                }
                Some(Kept::Reading(_)) => {}
                Some(Kept::Failed(_)) | None => missing(painter, at(picture.offset), picture, state, canvas),
            }
        }
    }
}

/// The pictures under a level.
fn pictures_of(document: &Document, level: i8) -> impl Iterator<Item = &Picture> {
    document.pictures.iter().map(|picture| &**picture).filter(move |picture| picture.level == level)
}

/// Marks where a picture that cannot be shown would lie.
fn missing(painter: &Painter, at: Pos2, picture: &Picture, state: &State, canvas: Rect) {
    let Some(Err(why)) = state.picture_sizes.get(&picture.id) else { return };
    let color = style::severity_color(painter.ctx(), Severity::Warning);
    let line = egui::Stroke::new(2.0, color);
    let corner = [at - vec2(0.0, 44.0), at, at + vec2(44.0, 0.0)];
    painter.line(corner.to_vec(), line);
    let cross = egui_material_icons::icons::ICON_CLOSE.codepoint;
    let text = format!("{cross} {}: {why}", picture.name());
    let strong = style::of(painter.ctx()).strong;
    let galley = painter.layout(text, FontId::proportional(12.5), strong, 320.0);
    // Beside the corner, but within the canvas while the corner is.
    let beside = at + vec2(8.0, -8.0 - galley.size().y);
    let place = if canvas.contains(at) {
        pos2(beside.x.min(canvas.max.x - galley.size().x - 8.0), beside.y.max(canvas.min.y + 8.0))
    } else {
        beside
    };
    let plate = Align2::LEFT_TOP.anchor_size(place, galley.size()).expand(5.0);
    painter.rect_filled(plate, 4.0, style::of(painter.ctx()).plate);
    painter.galley(place, galley, strong);
}

impl Kept {
    /// Takes in what was read.
    fn poll(&mut self, context: &egui::Context, name: &str) {
        let Self::Reading(receiver) = self else { return };
        *self = match receiver.try_recv() {
            Ok(Ok(Decoded { image, size })) => {
                let texture = context.load_texture(name, image, TextureOptions::LINEAR);
                Self::Ready { texture, size }
            }
            Ok(Err(why)) => Self::Failed(why),
            Err(TryRecvError::Empty) => return,
            Err(TryRecvError::Disconnected) => Self::Failed("it cannot be read".to_owned()),
        };
    }
}

/// Reads a picture on a thread of its own.
fn read(path: PathBuf, context: &egui::Context) -> Kept {
    let (sender, receiver) = channel();
    let wake = context.clone();
    let side = context.input(|input| input.max_texture_side);
    let side = u32::try_from(side).unwrap_or(LARGEST_SIDE).min(LARGEST_SIDE);
    let spawned = std::thread::Builder::new().name("picture".to_owned()).spawn(move || {
        let decoded = std::panic::catch_unwind(|| decode(&path, side));
        // The window may be gone by now; then nobody needs the answer.
        drop(sender.send(decoded.unwrap_or_else(|_| Err("its decoder broke down".to_owned()))));
        wake.request_repaint();
    });
    match spawned {
        Ok(_) => Kept::Reading(receiver),
        Err(error) => Kept::Failed(error.to_string()),
    }
}

fn decode(path: &Path, side: u32) -> Result<Decoded, String> {
    let bytes = bytes_of(path)?;
    let decoder = decoder(&bytes)?;
    let (width, height) = decoder.dimensions();
    let image = DynamicImage::from_decoder(decoder).map_err(|error| error.to_string())?;
    let image = if width.max(height) > side { image.thumbnail(side, side) } else { image };
    let image = image.into_rgba8();
    let size = [image.width() as usize, image.height() as usize];
    let image = ColorImage::from_rgba_unmultiplied(size, image.as_raw());
    Ok(Decoded { image, size: [width, height] })
}

/// The number of pixels of a picture's file.
///
/// # Errors
/// Why it is no picture that can be shown.
pub fn size_of(path: &Path) -> Result<[u32; 2], String> {
    let bytes = bytes_of(path)?;
    let (width, height) = decoder(&bytes)?.dimensions();
    Ok([width, height])
}

fn bytes_of(path: &Path) -> Result<Vec<u8>, String> {
    // A folder or a pipe under a picture's name would never end.
    let about = std::fs::metadata(path).map_err(|error| error.to_string())?;
    if !about.is_file() {
        return Err("it is no file".to_owned());
    }
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(format!("it has more than {MOST_BYTES} bytes"));
    }
    Ok(bytes)
}

/// A decoder of PNG or JPEG, whatever the file's name, that refuses to take too much memory.
fn decoder(bytes: &[u8]) -> Result<impl ImageDecoder + '_, String> {
    let reader =
        ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|error| error.to_string())?;
    if !matches!(reader.format(), Some(ImageFormat::Png | ImageFormat::Jpeg)) {
        return Err("it is neither PNG nor JPEG".to_owned());
    }
    let mut reader = reader;
    let mut limits = Limits::default();
    limits.max_alloc = Some(MOST_MEMORY);
    reader.limits(limits);
    let decoder = reader.into_decoder().map_err(|error| error.to_string())?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > MOST_PIXELS {
        return Err(format!("it has {width} × {height} pixels, at most {MOST_PIXELS} are shown"));
    }
    Ok(decoder)
}
