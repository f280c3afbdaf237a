//! Batches on a wgpu device: buffers made once for each batch, one draw call for each that is in sight.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use eframe::egui_wgpu::{Callback, CallbackResources, CallbackTrait, RenderState, ScreenDescriptor, wgpu};
use egui::{PaintCallbackInfo, Rect, Shape};

use super::batch::{Batch, Placed, VERTEX_BYTES};

/// A vertex comes with its place on the canvas: x and y in -1..=1 are `place.xy + place.zw * vertex`.
const SHADER: &str = "
struct Out { @builtin(position) at: vec4<f32>, @location(0) color: vec4<f32> };

@vertex fn place(@location(0) at: vec2<f32>, @location(1) color: vec4<f32>, @location(2) place: vec4<f32>) -> Out {
    return Out(vec4<f32>(place.xy + place.zw * at, 0.0, 1.0), color);
}

@fragment fn as_it_is(in: Out) -> @location(0) vec4<f32> { return in.color; }

// For targets that turn linear colours into sRGB by themselves.
@fragment fn linear(in: Out) -> @location(0) vec4<f32> {
    let low = in.color.rgb / 12.92;
    let high = pow((in.color.rgb + vec3<f32>(0.055)) / 1.055, vec3<f32>(2.4));
    return vec4<f32>(select(high, low, in.color.rgb <= vec3<f32>(0.04045)), in.color.a);
}
";
/// Bytes of a place: four 32-bit floats.
const PLACE_BYTES: usize = 16;

/// What a frame shows of the batches, as one callback.
pub(super) struct Layer {
    number: usize,
    rect: Rect,
    placed: Vec<Placed>,
}

/// The pipeline and all buffers.
struct Device {
    pipeline: wgpu::RenderPipeline,
    batches: HashMap<u64, Buffers>,
    /// Per layer of a frame, the places of its batches.
    places: Vec<Option<wgpu::Buffer>>,
}

struct Buffers {
    of: Weak<Batch>,
    vertices: wgpu::Buffer,
    indices: wgpu::Buffer,
    count: u32,
}

/// Makes the pipeline, once for a window.
pub fn install(state: &RenderState) {
    let device = &state.device;
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("batch"),
        source: wgpu::ShaderSource::Wgsl(SHADER.into()),
    });
    let blend = |src_factor, dst_factor| wgpu::BlendComponent {
        src_factor,
        dst_factor,
        operation: wgpu::BlendOperation::Add,
    };
    let target = wgpu::ColorTargetState {
        format: state.target_format,
        blend: Some(wgpu::BlendState {
            color: blend(wgpu::BlendFactor::One, wgpu::BlendFactor::OneMinusSrcAlpha),
            alpha: blend(wgpu::BlendFactor::OneMinusDstAlpha, wgpu::BlendFactor::One),
        }),
        write_mask: wgpu::ColorWrites::ALL,
    };
    let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("batch"),
        layout: None,
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("place"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: &[
                Some(wgpu::VertexBufferLayout {
                    array_stride: VERTEX_BYTES as u64,
                    step_mode: wgpu::VertexStepMode::Vertex,
                    attributes: &wgpu::vertex_attr_array![0 => Float32x2, 1 => Unorm8x4],
                }),
                Some(wgpu::VertexBufferLayout {
                    array_stride: PLACE_BYTES as u64,
                    step_mode: wgpu::VertexStepMode::Instance,
                    attributes: &wgpu::vertex_attr_array![2 => Float32x4],
                }),
            ],
        },
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some(if state.target_format.is_srgb() { "linear" } else { "as_it_is" }),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            targets: &[Some(target)],
        }),
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: None,
        multisample: wgpu::MultisampleState::default(),
        multiview_mask: None,
        cache: None,
    });
    let device = Device { pipeline, batches: HashMap::new(), places: Vec::new() };
    state.renderer.write().callback_resources.insert(device);
}

impl Layer {
    pub(super) fn shape(number: usize, rect: Rect, placed: Vec<Placed>) -> Shape {
        Shape::Callback(Callback::new_paint_callback(rect, Self { number, rect, placed }))
    }

    /// For each batch, its place on the canvas as the shader reads it.
    fn place_bytes(&self) -> Vec<u8> {
        let [width, height] = [self.rect.width().max(1.0), self.rect.height().max(1.0)];
        let mut bytes = Vec::with_capacity(PLACE_BYTES * self.placed.len());
        for Placed { offset, scale, .. } in &self.placed {
            let x = 2.0 * (offset[0] - self.rect.min.x) / width - 1.0;
            let y = 1.0 - 2.0 * (offset[1] - self.rect.min.y) / height;
            for value in [x, y, 2.0 * scale / width, -2.0 * scale / height] {
                bytes.extend_from_slice(&value.to_ne_bytes());
            }
        }
        bytes
    }
}

impl CallbackTrait for Layer {
    fn prepare(
        &self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        _screen: &ScreenDescriptor,
        _encoder: &mut wgpu::CommandEncoder,
        resources: &mut CallbackResources,
    ) -> Vec<wgpu::CommandBuffer> {
        let Some(kept) = resources.get_mut::<Device>() else { return Vec::new() };
        if self.number == 0 {
            kept.batches.retain(|_, buffers| buffers.of.strong_count() > 0);
        }
        let filled = |label, bytes: &[u8], usage| {
            let buffer = device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: (bytes.len() as u64).next_multiple_of(wgpu::COPY_BUFFER_ALIGNMENT),
                usage: usage | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            });
            queue.write_buffer(&buffer, 0, bytes);
            buffer
        };
        for Placed { batch, .. } in &self.placed {
            kept.batches.entry(batch.id).or_insert_with(|| Buffers {
                of: Arc::downgrade(batch),
                vertices: filled("batch vertices", &batch.vertex_bytes(), wgpu::BufferUsages::VERTEX),
                indices: filled("batch indices", &batch.index_bytes(), wgpu::BufferUsages::INDEX),
                count: batch.index_count(),
            });
        }
        if kept.places.len() <= self.number {
            kept.places.resize(self.number + 1, None);
        }
        let bytes = self.place_bytes();
        match &kept.places[self.number] {
            Some(buffer) if buffer.size() >= bytes.len() as u64 => queue.write_buffer(buffer, 0, &bytes),
            _ => {
                // Some room, so that panning does not make a new one whenever another batch comes in sight.
                let mut roomy = bytes;
                roomy.resize(2 * roomy.len(), 0);
                kept.places[self.number] = Some(filled("batch places", &roomy, wgpu::BufferUsages::VERTEX));
            }
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
        let Some(Some(places)) = kept.places.get(self.number) else { return };
        pass.set_pipeline(&kept.pipeline);
        for (index, Placed { batch, .. }) in self.placed.iter().enumerate() {
            let Some(buffers) = kept.batches.get(&batch.id) else { continue };
            let from = (index * PLACE_BYTES) as u64;
            pass.set_vertex_buffer(0, buffers.vertices.slice(..));
            pass.set_vertex_buffer(1, places.slice(from..from + PLACE_BYTES as u64));
            pass.set_index_buffer(buffers.indices.slice(..), wgpu::IndexFormat::Uint32);
            pass.draw_indexed(0..buffers.count, 0, 0..1);
        }
    }
}
