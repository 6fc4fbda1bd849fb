//! What the PTX of a kernel must and must not hold.

use threadwise::__private::MODULES;
use threadwise::prelude::*;

/// The PTX of this crate.
fn ptx() -> &'static str {
    let module = MODULES.iter().find(|m| m.krate == "ptx_checks").expect("this crate has kernels");
    module.images.first().expect("an image").ptx
}

/// The body of one entry.
fn entry(name: &str) -> &'static str {
    let from = ptx().find(&format!(".entry {name}(")).unwrap_or_else(|| panic!("no entry {name}"));
    let body = &ptx()[from..];
    &body[..body.find("\n}").expect("an end")]
}

#[kernel]
fn saxpy(x: &[f32], mut y: DisjointSlice<f32>, a: f32) {
    let at = thread::index_1d();
    if let Some(y) = y.get_mut(at) {
        *y += a * x[at.get()];
    }
}

#[test]
fn loads_from_shared_slices_go_through_the_read_only_cache() {
    assert!(entry("saxpy").contains("ld.global.nc.b32"), "{}", entry("saxpy"));
}

#[test]
fn written_views_are_global_and_not_read_only() {
    let body = entry("saxpy");
    assert!(body.contains("st.global.b32") && body.contains("ld.global.b32"), "{body}");
    assert!(!body.contains("\tld.b32") && !body.contains("\tst.b32"), "generic access in {body}");
}

#[test]
fn multiply_and_add_are_fused_by_default() {
    assert!(entry("saxpy").contains("fma.rn.f32"));
}

#[kernel(fma = false)]
fn saxpy_apart(x: &[f32], mut y: DisjointSlice<f32>, a: f32) {
    let at = thread::index_1d();
    if let Some(y) = y.get_mut(at) {
        *y += a * x[at.get()];
    }
}

#[test]
fn multiply_and_add_stay_apart_where_asked() {
    let body = entry("saxpy_apart");
    assert!(!body.contains("fma") && body.contains("mul.rn.f32") && body.contains("add.rn.f32"), "{body}");
}

#[test]
fn kernel_of_f32_has_no_f64() {
    assert!(!entry("saxpy").contains("f64"));
}

#[test]
fn source_lines_are_named() {
    assert!(ptx().contains(".file") && ptx().contains("ptx_checks.rs"));
    assert!(entry("saxpy").contains(".loc"));
}

#[test]
fn line_tables_do_not_switch_optimization_off() {
    let target = ptx().lines().find(|l| l.starts_with(".target")).expect("a target");
    assert!(!target.contains("debug"), "{target}");
}

#[kernel(max_threads = 128, min_blocks = 2)]
fn bounded(mut y: DisjointSlice<u32>) {
    if let Some(y) = y.get_mut(thread::index_1d()) {
        *y = 1;
    }
}

#[test]
fn launch_bounds_are_directives() {
    let from = ptx().find(".entry bounded(").expect("the entry");
    let head = &ptx()[from..from + ptx()[from..].find('{').expect("a body")];
    assert!(head.contains(".maxntid 128") && head.contains(".minnctapersm 2"), "{head}");
}

#[derive(Clone, Copy, DeviceCopy)]
#[repr(C, align(16))]
struct Body {
    x: f32,
    y: f32,
    z: f32,
    m: f32,
}

#[kernel]
fn masses(bodies: &[Body], mut out: DisjointSlice<f32>) {
    let at = thread::index_1d();
    if let Some(out) = out.get_mut(at) {
        let Body { x, y, z, m } = bodies[at.get()];
        *out = x * y + z * m;
    }
}

#[test]
fn aligned_structs_are_loaded_at_once() {
    assert!(entry("masses").contains("ld.global.nc.v4.b32"), "{}", entry("masses"));
}

#[kernel]
fn through_shared(x: &[f32], mut out: DisjointSlice<f32>) {
    let at = thread::index_1d();
    let slots = shared!([f32; 64]).write(x[at.get()]).sync();
    let value = slots[63 - thread::thread_idx_x() as usize];
    if let Some(out) = out.get_mut(at) {
        *out = value;
    }
}

#[test]
fn shared_arrays_lie_in_shared_memory() {
    let body = entry("through_shared");
    assert!(body.contains("st.shared.b32") && body.contains("ld.shared.b32") && body.contains("bar.sync"), "{body}");
}

#[kernel]
fn counting(bins: &[AtomicU32], sum: &[AtomicF32]) {
    bins[0].fetch_add(1, Relaxed);
    sum[0].fetch_add(1.0, Relaxed);
}

#[test]
fn atomics_are_instructions_on_global_memory() {
    let body = entry("counting");
    let has = |what: &str| body.lines().any(|l| (l.contains("atom.") || l.contains("red.")) && l.contains("global") && l.contains(what));
    assert!(has("add.u32") && has("add.f32"), "{body}");
}

#[kernel]
fn functions(x: &[f32], mut out: DisjointSlice<f32>) {
    let at = thread::index_1d();
    if let Some(out) = out.get_mut(at) {
        let x = x[at.get()];
        *out = x.sin() + x.tan() + x.powf(1.5) + x.hypot(2.0) + x % 0.7;
    }
}

#[test]
fn nothing_but_the_device_runtime_is_left_outside() {
    for line in ptx().lines().filter(|l| l.starts_with(".extern .func")) {
        assert!(["malloc", "free", "vprintf"].iter().any(|f| line.contains(f)), "{line}");
    }
}

#[test]
fn kernels_need_no_local_memory_for_a_bounds_check() {
    assert!(!entry("saxpy").contains(".local"));
}

#[kernel]
fn quotients(x: &[f32], mut out: DisjointSlice<f32>) {
    let at = thread::index_1d();
    if let Some(out) = out.get_mut(at) {
        *out = 3.0 / x[at.get()];
    }
}

#[test]
fn divisions_round_to_nearest() {
    assert!(entry("quotients").contains("div.rn.f32"), "{}", entry("quotients"));
}
