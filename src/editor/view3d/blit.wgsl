@group(0) @binding(0) var picture: texture_2d<f32>;
@group(0) @binding(1) var nearest: sampler;

struct Full {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec2<f32>,
};

@vertex fn full(@builtin(vertex_index) index: u32) -> Full {
    let uv = vec2<f32>(f32((index << 1u) & 2u), f32(index & 2u));
    return Full(vec4<f32>(uv.x * 2.0 - 1.0, 1.0 - uv.y * 2.0, 0.0, 1.0), uv);
}

@fragment fn as_it_is(in: Full) -> @location(0) vec4<f32> {
    return vec4<f32>(textureSampleLevel(picture, nearest, in.uv, 0.0).rgb, 1.0);
}

// For targets that turn linear colours into sRGB by themselves.
@fragment fn linear(in: Full) -> @location(0) vec4<f32> {
    let color = textureSampleLevel(picture, nearest, in.uv, 0.0).rgb;
    let high = pow((color + vec3<f32>(0.055)) / 1.055, vec3<f32>(2.4));
    return vec4<f32>(select(high, color / 12.92, color <= vec3<f32>(0.04045)), 1.0);
}
