// Distances are around the eye: clip = (right . q * fx, up . q * fy, near, forward . q), so that depth is near / distance,
// 1 at the near plane and 0 infinitely far away.
struct Globals {
    right: vec4<f32>,      // w: pixels across of a square one square away, by half the width
    up: vec4<f32>,         // w: the same upward
    forward: vec4<f32>,    // w: near
    screen: vec4<f32>,     // width and height in pixels, pixels of a point, distance where haze begins
    ground: vec4<f32>,     // the colour behind everything; w: height over the eye above which things without a level are cut
    sky: vec4<f32>,
    light: vec4<f32>,      // direction to the light; w: how bright what it does not reach
    grid: vec4<f32>,       // place of a grid crossing around the eye, its step
    grid_minor: vec4<f32>,
    grid_major: vec4<f32>,
    grid_axis: vec4<f32>,
    grid_far: vec4<f32>,   // x and z of the world's axes around the eye; how far it is seen
    grid_more: vec4<f32>,  // number of the crossing modulo 5 on both axes; whether everything is cut by height
    levels: array<vec4<f32>, 256>, // lift, strength, shown
};
struct Draw {
    offset: vec4<f32>,     // the solid's origin around the eye; w: whether faces are seen from their front alone
    tint: vec4<f32>,       // a colour and how much of it
};
@group(0) @binding(0) var<uniform> globals: Globals;
@group(1) @binding(0) var<uniform> draw: Draw;

fn clip(q: vec3<f32>) -> vec4<f32> {
    return vec4<f32>(
        dot(globals.right.xyz, q) * globals.right.w,
        dot(globals.up.xyz, q) * globals.up.w,
        globals.forward.w,
        dot(globals.forward.xyz, q),
    );
}

const NOWHERE = vec4<f32>(0.0, 0.0, -1.0, 1.0);

struct Face {
    @builtin(position) position: vec4<f32>,
    @location(0) color: vec4<f32>,
    @location(1) q: vec3<f32>,
    @location(2) @interpolate(flat) turn: vec4<f32>, // direction or hatch; w: strength
    @location(3) @interpolate(flat) cut: f32,
};

@vertex fn face(@location(0) at: vec3<f32>, @location(1) turn: vec4<i32>, @location(2) color: vec4<f32>) -> Face {
    let level = globals.levels[turn.w + 128];
    let q = at + draw.offset.xyz + vec3<f32>(0.0, level.x, 0.0);
    var out: Face;
    out.position = select(NOWHERE, clip(q), level.z > 0.5);
    out.color = color;
    out.q = q;
    out.turn = vec4<f32>(vec3<f32>(turn.xyz) / 127.0, level.y);
    out.cut = select(1e30, globals.ground.w, turn.w == -128 || globals.grid_more.z > 0.5);
    return out;
}

@vertex fn voxel(
    @builtin(vertex_index) index: u32,
    @location(0) low: vec3<f32>,
    @location(1) size: vec2<f32>,
    @location(2) color: vec4<f32>,
) -> Face {
    let side = index / 6u;
    let corner = array<u32, 6>(0u, 1u, 2u, 2u, 1u, 3u)[index % 6u];
    let u = f32(corner & 1u);
    let v = f32(corner >> 1u);
    var p = vec3<f32>(u, 1.0, v);
    var n = vec3<f32>(0.0, 1.0, 0.0);
    if side == 1u { p = vec3<f32>(0.0, v, u); n = vec3<f32>(-1.0, 0.0, 0.0); }
    if side == 2u { p = vec3<f32>(1.0, v, u); n = vec3<f32>(1.0, 0.0, 0.0); }
    if side == 3u { p = vec3<f32>(u, v, 0.0); n = vec3<f32>(0.0, 0.0, -1.0); }
    if side == 4u { p = vec3<f32>(u, v, 1.0); n = vec3<f32>(0.0, 0.0, 1.0); }
    // A little smaller than their cells, so that each is seen.
    let inner = vec3<f32>(0.5 + (p.x - 0.5) * 0.94, p.y, 0.5 + (p.z - 0.5) * 0.94);
    let q = low + inner * size.xyx + draw.offset.xyz;
    var out: Face;
    out.position = clip(q);
    out.color = color;
    out.q = q;
    out.turn = vec4<f32>(n, 1.0);
    out.cut = globals.ground.w;
    return out;
}

fn hazed(color: vec3<f32>, q: vec3<f32>, strength: f32) -> vec3<f32> {
    let far = length(q) / globals.screen.w;
    let haze = 1.0 - exp(-max(far - 1.0, 0.0) * 0.55);
    return mix(mix(globals.ground.rgb, color, strength), globals.ground.rgb, clamp(haze, 0.0, 0.8));
}

@fragment fn lit(in: Face) -> @location(0) vec4<f32> {
    if in.q.y > in.cut { discard; }
    let n = normalize(in.turn.xyz);
    if draw.offset.w > 0.5 && dot(n, in.q) > 0.0 { discard; }
    // A soft light from above and to the side; what looks up is as bright as its colour.
    let straight = max(dot(n, globals.light.xyz), 0.0) / globals.light.y;
    let above = 0.5 + 0.5 * n.y;
    let bright = globals.light.w + (1.0 - globals.light.w) * (0.75 * straight + 0.25 * above);
    // What alpha lacks says which way a face is hatched.
    let lean = i32((1.0 - in.color.a) * 255.0 + 0.5);
    let hatch = mix(1.0, 0.62, hatched(in.position.xy, lean));
    let tinted = mix(in.color.rgb * hatch, draw.tint.rgb, draw.tint.a);
    return vec4<f32>(hazed(tinted * min(bright, 1.12), in.q, in.turn.w), 1.0);
}

// How much of a pixel a hatch's line covers: lines on the screen, so that they are as far apart near and far.
fn hatched(position: vec2<f32>, lean: i32) -> f32 {
    if lean < 1 || lean > 4 { return 0.0; }
    let p = position / globals.screen.z;
    var along = p.x + p.y;
    if lean == 2 { along = p.x - p.y; }
    if lean == 3 { along = p.y; }
    if lean == 4 { along = p.x; }
    let period = select(11.3, 8.0, lean > 2);
    let line = abs(fract(along / period) - 0.5) * period;
    return smoothstep(1.3, 0.4, line);
}

@fragment fn sheet(in: Face) -> @location(0) vec4<f32> {
    if in.q.y > in.cut { discard; }
    let lean = i32(in.turn.x * 127.0 + 0.5);
    let alpha = mix(in.color.a, in.turn.y * 2.0, hatched(in.position.xy, lean));
    return vec4<f32>(hazed(in.color.rgb, in.q, 1.0), alpha * in.turn.w);
}

struct Line {
    @builtin(position) position: vec4<f32>,
    @location(0) color: vec4<f32>,
    @location(1) q: vec3<f32>,
    @location(2) along: f32,               // pixels from the line's beginning
    @location(3) @interpolate(flat) dash: vec2<f32>,
    @location(4) @interpolate(flat) cut: f32,
};

@vertex fn line(
    @builtin(vertex_index) index: u32,
    @location(0) a: vec3<f32>,
    @location(1) b: vec3<f32>,
    @location(2) color: vec4<f32>,
    @location(3) levels: vec4<i32>,
    @location(4) look: vec4<u32>,          // eighths of a point of width, dash, gap, how it fades far away
) -> Line {
    let la = globals.levels[levels.x + 128];
    let lb = globals.levels[levels.y + 128];
    var qa = a + draw.offset.xyz + vec3<f32>(0.0, la.x, 0.0);
    var qb = b + draw.offset.xyz + vec3<f32>(0.0, lb.x, 0.0);
    let near = globals.forward.w;
    let da = dot(globals.forward.xyz, qa) - near;
    let db = dot(globals.forward.xyz, qb) - near;
    var out: Line;
    out.position = NOWHERE;
    out.dash = vec2<f32>(look.yz) * globals.screen.z;
    out.cut = select(1e30, globals.ground.w, levels.x == -128 || globals.grid_more.z > 0.5);
    let strength = min(la.y, lb.y);
    out.color = vec4<f32>(color.rgb, color.a * mix(0.25, 1.0, strength));
    if (da < 0.0 && db < 0.0) || la.z < 0.5 || lb.z < 0.5 { return out; }
    if da < 0.0 { qa = mix(qa, qb, da / (da - db)); }
    if db < 0.0 { qb = mix(qb, qa, db / (db - da)); }
    let ca = clip(qa);
    let cb = clip(qb);
    let half_screen = globals.screen.xy * 0.5;
    let pa = ca.xy / ca.w * half_screen;
    let pb = cb.xy / cb.w * half_screen;
    let length_px = max(length(pb - pa), 1e-4);
    let dir = (pb - pa) / length_px;
    // Points of a square at the nearer end.
    let square = globals.up.w * half_screen.y / max(min(ca.w, cb.w), near) / globals.screen.z;
    if look.w == 1u { out.color.a = out.color.a * smoothstep(1.5, 7.0, square); }
    if look.w == 2u { out.color.a = out.color.a * mix(0.3, 1.0, smoothstep(2.0, 10.0, square)); }
    let half_width = max(f32(look.x) * globals.screen.z / 16.0, 0.5);
    // Corners: 0 1 2, 2 1 3; bit 0 is the end, bit 1 the side.
    var corner = index;
    if index >= 3u { corner = array<u32, 3>(2u, 1u, 3u)[index - 3u]; }
    let end = (corner & 1u) == 1u;
    let side = select(-1.0, 1.0, (corner & 2u) == 2u);
    // Ends reach half a width farther, so that corners close.
    let reach = select(-half_width, half_width, end) * 0.8;
    let base = select(ca, cb, end);
    let shift = vec2<f32>(-dir.y, dir.x) * side * half_width + dir * reach;
    out.position = vec4<f32>(base.xy + shift / half_screen * base.w, base.z * 1.0006, base.w);
    out.q = select(qa, qb, end);
    out.along = select(0.0, length_px, end) + reach;
    return out;
}

@fragment fn stroke(in: Line) -> @location(0) vec4<f32> {
    if in.q.y > in.cut { discard; }
    if in.dash.y > 0.0 && in.along - floor(in.along / (in.dash.x + in.dash.y)) * (in.dash.x + in.dash.y) > in.dash.x { discard; }
    return vec4<f32>(hazed(in.color.rgb, in.q, 1.0), in.color.a);
}

@fragment fn hidden_stroke(in: Line) -> @location(0) vec4<f32> {
    if in.q.y > in.cut { discard; }
    return vec4<f32>(in.color.rgb, in.color.a * 0.3);
}

struct Ground {
    @builtin(position) position: vec4<f32>,
    @location(0) q: vec3<f32>,
};

@vertex fn plane(@builtin(vertex_index) index: u32) -> Ground {
    var corner = index;
    if index >= 3u { corner = array<u32, 3>(2u, 1u, 3u)[index - 3u]; }
    let far = globals.grid_far.z;
    let x = select(-far, far, (corner & 1u) == 1u);
    let z = select(-far, far, (corner & 2u) == 2u);
    let q = vec3<f32>(x, globals.grid.y, z);
    return Ground(clip(q), q);
}

// How much of a pixel lies on lines a step apart.
fn on_lines(p: vec2<f32>, breadth: vec2<f32>, width: f32) -> f32 {
    let away = abs(fract(p - 0.5) - 0.5) / max(breadth, vec2<f32>(1e-6));
    let line = clamp(vec2<f32>(width * 0.5 + 0.5) - away, vec2<f32>(0.0), vec2<f32>(1.0));
    // Lines nearer to each other than a few pixels melt away.
    let fade = clamp(vec2<f32>(1.0) - breadth * 3.0, vec2<f32>(0.0), vec2<f32>(1.0));
    return max(line.x * fade.x, line.y * fade.y);
}

@fragment fn grid(in: Ground) -> @location(0) vec4<f32> {
    let p = (in.q.xz - globals.grid.xz) / globals.grid.w;
    let breadth = fwidth(p);
    let minor = on_lines(p, breadth, globals.screen.z);
    let p5 = (p + globals.grid_more.xy) / 5.0;
    let major = on_lines(p5, breadth / 5.0, globals.screen.z);
    let to_axes = abs(in.q.xz - globals.grid_far.xy) / max(fwidth(in.q.xz), vec2<f32>(1e-6));
    let axis = clamp(globals.screen.z * 0.75 + 0.5 - min(to_axes.x, to_axes.y), 0.0, 1.0);
    var color = globals.grid_minor * vec4<f32>(1.0, 1.0, 1.0, minor);
    if major > 0.0 { color = mix(color, globals.grid_major, major); }
    if axis > 0.0 { color = mix(color, globals.grid_axis, axis); }
    let fade = clamp(1.0 - length(in.q.xz) / globals.grid_far.z, 0.0, 1.0);
    return vec4<f32>(color.rgb, color.a * fade * fade);
}

struct Full {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec2<f32>,
};

@vertex fn full(@builtin(vertex_index) index: u32) -> Full {
    let uv = vec2<f32>(f32((index << 1u) & 2u), f32(index & 2u));
    return Full(vec4<f32>(uv.x * 2.0 - 1.0, 1.0 - uv.y * 2.0, 0.0, 1.0), uv);
}

@fragment fn backdrop(in: Full) -> @location(0) vec4<f32> {
    // Where a pixel looks: up it fades to the sky.
    let x = (in.uv.x * 2.0 - 1.0) / globals.right.w;
    let y = (1.0 - in.uv.y * 2.0) / globals.up.w;
    let along = normalize(globals.forward.xyz + globals.right.xyz * x + globals.up.xyz * y);
    let part = smoothstep(-0.35, 0.45, along.y);
    return vec4<f32>(mix(globals.ground.rgb, globals.sky.rgb, part), 1.0);
}
