//! The 3D picture on a wgpu device: buffers made once for each solid, drawn into a picture of its own with depth, which
//! is then laid into the window. A frame that is like the last one is not drawn again.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use eframe::egui_wgpu::{Callback, CallbackResources, CallbackTrait, RenderState, ScreenDescriptor, wgpu};
use egui::{PaintCallbackInfo, Rect, Shape};

use super::frame::Frame;
use super::pipelines::{COLOR, Pipelines};
use super::solid::{Corner, Parts, Segment, Voxel};

/// Distance of two solids' numbers in their buffer, in bytes: what every device can do.
const DRAW_STRIDE: usize = 256;

/// Corners of a voxel's top and sides.
const VOXEL_CORNERS: u32 = 30;
/// The grid is drawn before this list of a solid's.
const GRID_BEFORE: usize = 3;

/// One of a solid's lists.
type List = fn(&Buffers) -> Option<&(wgpu::Buffer, u32)>;

/// All that lives on the device.
struct Device {
    pipelines: Pipelines,
    globals: wgpu::Buffer,
    globals_group: wgpu::BindGroup,
    draws: Option<Draws>,
    target: Option<Target>,
    solids: HashMap<u64, Buffers>,
    /// What was drawn last: the frame's numbers, and the solids.
    last: Option<Drawn>,
}

/// A frame's numbers, those of each draw, and the solids by id.
type Drawn = (Vec<u8>, Vec<[f32; 8]>, Vec<u64>);

struct Draws {
    buffer: wgpu::Buffer,
    group: wgpu::BindGroup,
}

struct Target {
    size: [u32; 2],
    /// What is drawn into, and what it is resolved to if it has several samples a pixel.
    color: wgpu::TextureView,
    resolved: Option<wgpu::TextureView>,
    depth: wgpu::TextureView,
    blit: wgpu::BindGroup,
}

/// A solid's lists: a buffer, and how many corners or lines are in it.
struct Buffers {
    of: Weak<Parts>,
    faces: Option<(wgpu::Buffer, u32)>,
    sheets: Option<(wgpu::Buffer, u32)>,
    lines: Option<(wgpu::Buffer, u32)>,
    boxes: Option<(wgpu::Buffer, u32)>,
    shines_through: bool,
}

/// Makes the pipelines, once for a window. Whether the device can do what they ask for.
pub fn install(state: &RenderState) -> bool {
    let scope = state.device.push_error_scope(wgpu::ErrorFilter::Validation);
    let pipelines = Pipelines::new(state);
    let mut refused = std::pin::pin!(scope.pop());
    let waiting = &mut std::task::Context::from_waker(std::task::Waker::noop());
    if let std::task::Poll::Ready(Some(error)) = refused.as_mut().poll(waiting) {
        log::warn!("no 3D view: {error}");
        return false;
    }
    let device = &state.device;
    let globals = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("3D globals"),
        size: super::pipelines::GLOBALS_BYTES,
        usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let globals_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("3D globals"),
        layout: &pipelines.globals_layout,
        entries: &[wgpu::BindGroupEntry { binding: 0, resource: globals.as_entire_binding() }],
    });
    let kept = Device {
        pipelines,
        globals,
        globals_group,
        draws: None,
        target: None,
        solids: HashMap::new(),
        last: None,
    };
    state.renderer.write().callback_resources.insert(kept);
    true
}

/// A shape that shows a frame.
pub fn shape(rect: Rect, frame: Frame) -> Shape {
    Shape::Callback(Callback::new_paint_callback(rect, Picture(frame)))
}

struct Picture(Frame);

impl CallbackTrait for Picture {
    fn prepare(
        &self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        _screen: &ScreenDescriptor,
        encoder: &mut wgpu::CommandEncoder,
        resources: &mut CallbackResources,
    ) -> Vec<wgpu::CommandBuffer> {
        let Some(kept) = resources.get_mut::<Device>() else { return Vec::new() };
        let frame = &self.0;
        kept.solids.retain(|_, buffers| buffers.of.strong_count() > 0);
        for solid in &frame.solids {
            kept.solids.entry(solid.parts.id).or_insert_with(|| Buffers::new(device, queue, &solid.parts));
        }
        let resized = kept.target.as_ref().is_none_or(|target| target.size != frame.size);
        if resized {
            kept.target = Some(Target::new(device, &kept.pipelines, frame.size));
        }
        let ids: Vec<u64> = frame.solids.iter().map(|solid| solid.parts.id).collect();
        let same = kept.last.as_ref().is_some_and(|(globals, draws, solids)| {
            *globals == frame.globals && *draws == frame.draws && *solids == ids
        });
        if resized || !same {
            kept.write(device, queue, frame);
            kept.draw(encoder, frame);
            kept.last = Some((frame.globals.clone(), frame.draws.clone(), ids));
        }
        Vec::new()
    }

    fn paint(
        &self,
        _info: PaintCallbackInfo,
        pass: &mut wgpu::RenderPass<'static>,
        resources: &CallbackResources,
    ) {
        let Some(kept) = resources.get::<Device>() else { return };
        let Some(target) = &kept.target else { return };
        pass.set_pipeline(&kept.pipelines.blit);
        pass.set_bind_group(0, &target.blit, &[]);
        pass.draw(0..3, 0..1);
    }
}

impl Device {
    /// Hands the frame's numbers over.
    fn write(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, frame: &Frame) {
        queue.write_buffer(&self.globals, 0, &frame.globals);
        let needed = (frame.draws.len().max(1) * DRAW_STRIDE) as u64;
        if self.draws.as_ref().is_none_or(|draws| draws.buffer.size() < needed) {
            // Some room, so that a few more solids do not make another one.
            self.draws = Some(Draws::new(device, &self.pipelines, needed.next_power_of_two()));
        }
        let mut bytes = vec![0; frame.draws.len() * DRAW_STRIDE];
        for (draw, place) in frame.draws.iter().zip(bytes.chunks_exact_mut(DRAW_STRIDE)) {
            for (value, four) in draw.iter().zip(place.chunks_exact_mut(4)) {
                four.copy_from_slice(&value.to_ne_bytes());
            }
        }
        if let Some(draws) = &self.draws {
            queue.write_buffer(&draws.buffer, 0, &bytes);
        }
    }

    fn draw(&self, encoder: &mut wgpu::CommandEncoder, frame: &Frame) {
        let (Some(target), Some(draws)) = (&self.target, &self.draws) else { return };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("3D"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &target.color,
                depth_slice: None,
                resolve_target: target.resolved.as_ref(),
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                    store: wgpu::StoreOp::Store,
                },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &target.depth,
                // Infinitely far away is 0.
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(0.0),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        let pipelines = &self.pipelines;
        pass.set_bind_group(0, &self.globals_group, &[]);
        pass.set_bind_group(1, &draws.group, &[0]);
        pass.set_pipeline(&pipelines.backdrop);
        pass.draw(0..3, 0..1);
        let lists: [(&wgpu::RenderPipeline, List, Option<u32>); 5] = [
            (&pipelines.faces, |buffers| buffers.faces.as_ref(), None),
            (&pipelines.voxels, |buffers| buffers.boxes.as_ref(), Some(VOXEL_CORNERS)),
            (&pipelines.sheets, |buffers| buffers.sheets.as_ref(), None),
            (&pipelines.lines, |buffers| buffers.lines.as_ref(), Some(6)),
            (
                &pipelines.hidden_lines,
                |buffers| buffers.lines.as_ref().filter(|_| buffers.shines_through),
                Some(6),
            ),
        ];
        for (step, (pipeline, list, corners)) in lists.into_iter().enumerate() {
            if step == GRID_BEFORE && frame.grid {
                pass.set_pipeline(&pipelines.grid);
                pass.set_bind_group(1, &draws.group, &[0]);
                pass.draw(0..6, 0..1);
            }
            pass.set_pipeline(pipeline);
            for (place, solid) in (0_u32..).zip(&frame.solids) {
                let Some((buffer, count)) = self.solids.get(&solid.parts.id).and_then(list) else { continue };
                pass.set_bind_group(1, &draws.group, &[place * DRAW_STRIDE as u32]);
                pass.set_vertex_buffer(0, buffer.slice(..));
                match corners {
                    Some(corners) => pass.draw(0..corners, 0..*count),
                    None => pass.draw(0..*count, 0..1),
                }
            }
        }
    }
}

impl Draws {
    fn new(device: &wgpu::Device, pipelines: &Pipelines, size: u64) -> Self {
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("3D solids' places"),
            size,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("3D solids' places"),
            layout: &pipelines.draws_layout,
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                    buffer: &buffer,
                    offset: 0,
                    size: std::num::NonZeroU64::new(super::pipelines::DRAW_BYTES),
                }),
            }],
        });
        Self { buffer, group }
    }
}

impl Target {
    fn new(device: &wgpu::Device, pipelines: &Pipelines, size: [u32; 2]) -> Self {
        let made = |label, format, samples, usage| {
            let texture = device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: samples,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage,
                view_formats: &[],
            });
            texture.create_view(&wgpu::TextureViewDescriptor::default())
        };
        let (drawn, read) = (wgpu::TextureUsages::RENDER_ATTACHMENT, wgpu::TextureUsages::TEXTURE_BINDING);
        let samples = pipelines.samples;
        let plain = made("3D picture", COLOR, 1, drawn | read);
        let depth = made("3D depth", super::pipelines::DEPTH, samples, drawn);
        let blit = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("3D picture"),
            layout: &pipelines.blit_layout,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(&plain) },
                wgpu::BindGroupEntry {
                    binding: 1,
                    resource: wgpu::BindingResource::Sampler(&pipelines.sampler),
                },
            ],
        });
        if samples > 1 {
            let color = made("3D samples", COLOR, samples, drawn);
            return Self { size, color, resolved: Some(plain), depth, blit };
        }
        Self { size, color: plain, resolved: None, depth, blit }
    }
}

impl Buffers {
    fn new(device: &wgpu::Device, queue: &wgpu::Queue, solid: &Arc<Parts>) -> Self {
        let filled = |label, bytes: Vec<u8>, count: usize| {
            let buffer = device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: bytes.len() as u64,
                usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            });
            queue.write_buffer(&buffer, 0, &bytes);
            (buffer, u32::try_from(count).unwrap_or(0))
        };
        let faces = (!solid.faces.is_empty())
            .then(|| filled("3D faces", corner_bytes(solid.faces.iter()), solid.faces.len()));
        let sheet_count = solid.sheets.len() + solid.panes.len();
        let sheets = (sheet_count > 0)
            .then(|| filled("3D sheets", corner_bytes(solid.sheets.iter().chain(&solid.panes)), sheet_count));
        let lines = (!solid.lines.is_empty())
            .then(|| filled("3D lines", segment_bytes(&solid.lines), solid.lines.len()));
        let boxes = (!solid.boxes.is_empty())
            .then(|| filled("3D voxels", voxel_bytes(&solid.boxes), solid.boxes.len()));
        Self { of: Arc::downgrade(solid), faces, sheets, lines, boxes, shines_through: solid.shines_through }
    }
}

fn corner_bytes<'a>(corners: impl Iterator<Item = &'a Corner>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(corners.size_hint().0 * 20);
    for corner in corners {
        let mut one = [0; 20];
        for (place, value) in one.chunks_exact_mut(4).zip(corner.at) {
            place.copy_from_slice(&value.to_ne_bytes());
        }
        one[12..16].copy_from_slice(&corner.turn.map(i8::cast_unsigned));
        one[16..].copy_from_slice(&corner.color.0);
        bytes.extend_from_slice(&one);
    }
    bytes
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "widths and dashes are a few pixels"
)]
fn segment_bytes(segments: &[Segment]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(segments.len() * 36);
    for segment in segments {
        segment.ends.iter().flatten().for_each(|value| bytes.extend_from_slice(&value.to_ne_bytes()));
        bytes.extend_from_slice(&segment.stroke.color.0);
        bytes.extend([segment.levels[0].cast_unsigned(), segment.levels[1].cast_unsigned(), 0, 0]);
        let [dash, gap] = segment.stroke.dash.unwrap_or_default();
        bytes.extend([
            (segment.stroke.width * 8.0).min(255.0) as u8,
            dash as u8,
            gap as u8,
            segment.fade as u8,
        ]);
    }
    bytes
}

fn voxel_bytes(voxels: &[Voxel]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(voxels.len() * 24);
    for voxel in voxels {
        voxel.low.iter().chain(&voxel.size).for_each(|value| bytes.extend_from_slice(&value.to_ne_bytes()));
        bytes.extend_from_slice(&voxel.color.0);
    }
    bytes
}
