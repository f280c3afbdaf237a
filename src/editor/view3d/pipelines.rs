//! The pipelines of the 3D picture: lit faces, sheets, lines before and behind, the grid, the backdrop, and the copy into
//! the window.

use std::num::NonZeroU64;

use eframe::egui_wgpu::{RenderState, wgpu};

/// The picture's format: colours as the theme has them.
pub(super) const COLOR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
/// Depth is near / distance, so that floating point has digits where they are needed, near and far.
pub(super) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
/// Bytes of what the shader reads of all: 13 vectors, then one for each of 256 levels.
pub(super) const GLOBALS_BYTES: u64 = 16 * (13 + 256);
/// Bytes of what it reads of a solid.
pub(super) const DRAW_BYTES: u64 = 32;
/// Samples a pixel, where the device can.
const SAMPLES: u32 = 4;
/// Bytes of a corner, of a line, of a voxel.
const CORNER_BYTES: u64 = 20;
const SEGMENT_BYTES: u64 = 36;
const VOXEL_BYTES: u64 = 24;

pub(super) struct Pipelines {
    pub(super) samples: u32,
    pub(super) globals_layout: wgpu::BindGroupLayout,
    pub(super) draws_layout: wgpu::BindGroupLayout,
    pub(super) blit_layout: wgpu::BindGroupLayout,
    pub(super) sampler: wgpu::Sampler,
    pub(super) backdrop: wgpu::RenderPipeline,
    pub(super) faces: wgpu::RenderPipeline,
    pub(super) voxels: wgpu::RenderPipeline,
    pub(super) sheets: wgpu::RenderPipeline,
    pub(super) grid: wgpu::RenderPipeline,
    pub(super) lines: wgpu::RenderPipeline,
    pub(super) hidden_lines: wgpu::RenderPipeline,
    pub(super) blit: wgpu::RenderPipeline,
}

/// What tells the pipelines of the picture apart.
struct Kind<'a> {
    name: &'a str,
    vertex: &'a str,
    fragment: &'a str,
    buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    blend: bool,
    writes_depth: bool,
    compare: wgpu::CompareFunction,
    /// How far surfaces are moved back, so that what lies on them is seen.
    back: i32,
}

impl Pipelines {
    pub(super) fn new(state: &RenderState) -> Self {
        let device = &state.device;
        let several = |format| {
            let features = state.adapter.get_texture_format_features(format);
            features.flags.sample_count_supported(SAMPLES)
        };
        let samples = if several(COLOR) && several(DEPTH) { SAMPLES } else { 1 };
        let uniform = |name, bytes, moved| {
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
                label: Some(name),
                entries: &[wgpu::BindGroupLayoutEntry {
                    binding: 0,
                    visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
                    ty: wgpu::BindingType::Buffer {
                        ty: wgpu::BufferBindingType::Uniform,
                        has_dynamic_offset: moved,
                        min_binding_size: NonZeroU64::new(bytes),
                    },
                    count: None,
                }],
            })
        };
        let globals_layout = uniform("3D globals", GLOBALS_BYTES, false);
        let draws_layout = uniform("3D solids' places", DRAW_BYTES, true);
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("3D"),
            bind_group_layouts: &[Some(&globals_layout), Some(&draws_layout)],
            immediate_size: 0,
        });
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("3D"),
            source: wgpu::ShaderSource::Wgsl(include_str!("shader.wgsl").into()),
        });
        let corners = [Some(wgpu::VertexBufferLayout {
            array_stride: CORNER_BYTES,
            step_mode: wgpu::VertexStepMode::Vertex,
            attributes: &wgpu::vertex_attr_array![0 => Float32x3, 1 => Sint8x4, 2 => Unorm8x4],
        })];
        let segments = [Some(wgpu::VertexBufferLayout {
            array_stride: SEGMENT_BYTES,
            step_mode: wgpu::VertexStepMode::Instance,
            attributes: &wgpu::vertex_attr_array![
                0 => Float32x3, 1 => Float32x3, 2 => Unorm8x4, 3 => Sint8x4, 4 => Uint8x4
            ],
        })];
        let voxels = [Some(wgpu::VertexBufferLayout {
            array_stride: VOXEL_BYTES,
            step_mode: wgpu::VertexStepMode::Instance,
            attributes: &wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x2, 2 => Unorm8x4],
        })];
        let made = |kind: Kind<'_>| made(device, &layout, &module, samples, kind);
        let (before, behind) = (wgpu::CompareFunction::GreaterEqual, wgpu::CompareFunction::Less);
        let plain = Kind {
            name: "3D backdrop",
            vertex: "full",
            fragment: "backdrop",
            buffers: &[],
            blend: false,
            writes_depth: false,
            compare: wgpu::CompareFunction::Always,
            back: 0,
        };
        let (blit, blit_layout) = blit(state);
        Self {
            samples,
            backdrop: made(Kind { ..plain }),
            faces: made(Kind {
                name: "3D faces",
                vertex: "face",
                fragment: "lit",
                buffers: &corners,
                writes_depth: true,
                compare: before,
                back: 2,
                ..plain
            }),
            voxels: made(Kind {
                name: "3D voxels",
                vertex: "voxel",
                fragment: "lit",
                buffers: &voxels,
                writes_depth: true,
                compare: before,
                back: 2,
                ..plain
            }),
            sheets: made(Kind {
                name: "3D sheets",
                vertex: "face",
                fragment: "sheet",
                buffers: &corners,
                blend: true,
                compare: before,
                back: 3,
                ..plain
            }),
            grid: made(Kind {
                name: "3D grid",
                vertex: "plane",
                fragment: "grid",
                blend: true,
                compare: before,
                back: 1,
                ..plain
            }),
            lines: made(Kind {
                name: "3D lines",
                vertex: "line",
                fragment: "stroke",
                buffers: &segments,
                blend: true,
                compare: before,
                ..plain
            }),
            hidden_lines: made(Kind {
                name: "3D hidden lines",
                vertex: "line",
                fragment: "hidden_stroke",
                buffers: &segments,
                blend: true,
                compare: behind,
                ..plain
            }),
            blit,
            blit_layout,
            sampler: device.create_sampler(&wgpu::SamplerDescriptor::default()),
            globals_layout,
            draws_layout,
        }
    }
}

fn made(
    device: &wgpu::Device,
    layout: &wgpu::PipelineLayout,
    module: &wgpu::ShaderModule,
    samples: u32,
    kind: Kind<'_>,
) -> wgpu::RenderPipeline {
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(kind.name),
        layout: Some(layout),
        vertex: wgpu::VertexState {
            module,
            entry_point: Some(kind.vertex),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: kind.buffers,
        },
        fragment: Some(wgpu::FragmentState {
            module,
            entry_point: Some(kind.fragment),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            targets: &[Some(wgpu::ColorTargetState {
                format: COLOR,
                blend: kind.blend.then_some(wgpu::BlendState::ALPHA_BLENDING),
                write_mask: wgpu::ColorWrites::ALL,
            })],
        }),
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: Some(wgpu::DepthStencilState {
            format: DEPTH,
            depth_write_enabled: Some(kind.writes_depth),
            depth_compare: Some(kind.compare),
            stencil: wgpu::StencilState::default(),
            // Farther away is nearer to 0.
            #[allow(clippy::cast_precision_loss, reason = "a small number")]
            bias: wgpu::DepthBiasState {
                constant: -8 * kind.back,
                slope_scale: -0.9 * kind.back as f32,
                clamp: 0.0,
            },
        }),
        multisample: wgpu::MultisampleState { count: samples, ..Default::default() },
        multiview_mask: None,
        cache: None,
    })
}

/// The pipeline that lays the picture into the window's own pass, which has no depth and one sample a pixel.
fn blit(state: &RenderState) -> (wgpu::RenderPipeline, wgpu::BindGroupLayout) {
    let device = &state.device;
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("3D picture"),
        source: wgpu::ShaderSource::Wgsl(include_str!("blit.wgsl").into()),
    });
    let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("3D picture"),
        layout: None,
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("full"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: &[],
        },
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some(if state.target_format.is_srgb() { "linear" } else { "as_it_is" }),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            targets: &[Some(state.target_format.into())],
        }),
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: None,
        multisample: wgpu::MultisampleState::default(),
        multiview_mask: None,
        cache: None,
    });
    let layout = pipeline.get_bind_group_layout(0);
    (pipeline, layout)
}
