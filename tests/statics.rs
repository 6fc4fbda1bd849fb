//! `#[device] static`s: written by kernels, read and written by the host, one variable for all crates; each fact on the device at hand.

use threadwise::prelude::*;

#[device]
static VISITS: AtomicU32 = AtomicU32::new(5);

#[device]
static BINS: [AtomicU64; 4] = [const { AtomicU64::new(0) }; 4];

#[device]
static mut SCALE: f32 = 2.0;

#[device]
static WEIGHTS: [f32; 4] = [0.5, 1.5, 2.5, 3.5];

/// Larger than constant memory.
#[device]
static LARGE: [u32; 20_000] = ascending();

const fn ascending<const N: usize>() -> [u32; N] {
    let mut all = [0; N];
    let mut i = 0;
    while i < N {
        all[i] = i as u32;
        i += 1;
    }
    all
}

/// Without the attribute: a copy of the device code's own.
static PLAIN: [u32; 3] = [7, 8, 9];

#[kernel]
fn count(n: u32) {
    VISITS.fetch_add(n, Relaxed);
    let t = thread::index_1d().get();
    BINS[t % 4].fetch_add(t as u64, Relaxed);
}

#[kernel]
fn look_up(mut out: DisjointSlice<f32>) {
    let at = thread::index_1d();
    if let Some(out) = out.get_mut(at) {
        let i = at.get();
        // SAFETY: nobody writes it while the kernel runs.
        let scale = unsafe { SCALE };
        *out = WEIGHTS[i % 4] * scale + (LARGE[i * 1000] + PLAIN[i % 3]) as f32;
    }
}

fn looked_up(gpu: &Device, scale: f32) -> Vec<f32> {
    let mut out = gpu.zeros(20).unwrap();
    look_up(&mut out).over(20).launch().unwrap();
    let expected: Vec<f32> = (0..20).map(|i| WEIGHTS[i % 4] * scale + (i * 1000) as f32 + (7 + i % 3) as f32).collect();
    let found = out.to_host().unwrap();
    assert_eq!(found, expected);
    found
}

#[test]
fn an_atomic_is_read_and_written_by_the_host() {
    let gpu = Device::simulator().unwrap();
    let visits = gpu.global::<VISITS>().unwrap();
    assert_eq!(visits.read().unwrap(), 5);
    count(2).over(100).block(32).on(&gpu.default_stream()).launch().unwrap();
    // 4 blocks of 32.
    assert_eq!(visits.read().unwrap(), 5 + 2 * 128);
    visits.write(&1000).unwrap();
    count(1).over(32).block(32).on(&gpu.default_stream()).launch().unwrap();
    assert_eq!(visits.read().unwrap(), 1032);
}

#[test]
fn an_array_of_atomics_is_one_static() {
    let gpu = Device::simulator().unwrap();
    count(0).over(64).block(32).on(&gpu.default_stream()).launch().unwrap();
    let expected: [u64; 4] = std::array::from_fn(|bin| (0..64).filter(|t| t % 4 == bin as u64).sum());
    assert_eq!(gpu.global::<BINS>().unwrap().read().unwrap(), expected);
}

#[test]
fn a_mutable_static_is_read_and_written_by_the_host() {
    let gpu = Device::simulator().unwrap();
    let scale = gpu.global::<SCALE>().unwrap();
    assert_eq!(scale.read().unwrap(), 2.0);
    let before = looked_up(&gpu, 2.0);
    scale.write(&-3.0).unwrap();
    assert_ne!(looked_up(&gpu, -3.0), before);
}

#[test]
fn immutable_statics_can_be_read_by_the_host() {
    let gpu = Device::simulator().unwrap();
    assert_eq!(gpu.global::<WEIGHTS>().unwrap().read().unwrap(), WEIGHTS);
    let mut all = [0; 20_000];
    gpu.global::<LARGE>().unwrap().read_into(&mut all).unwrap();
    assert_eq!(all, LARGE);
}

#[test]
fn each_device_has_variables_of_its_own() {
    let (a, b) = (Device::simulator().unwrap(), Device::simulator().unwrap());
    a.global::<VISITS>().unwrap().write(&1).unwrap();
    count(1).over(32).block(32).on(&b.default_stream()).launch().unwrap();
    assert_eq!(a.global::<VISITS>().unwrap().read().unwrap(), 1);
    assert_eq!(b.global::<VISITS>().unwrap().read().unwrap(), 5 + 32);
    assert_eq!(VISITS.load_on_host(), 5);
}

/// The host's variable, which no kernel touches.
trait OnHost {
    fn load_on_host(&self) -> u32;
}

impl OnHost for AtomicU32 {
    fn load_on_host(&self) -> u32 {
        // SAFETY: an atomic of threadwise has the layout of its value, and only this thread looks at the host's.
        unsafe { std::ptr::from_ref(self).cast::<u32>().read() }
    }
}

fn ptx() -> &'static str {
    let module = threadwise::MODULES.iter().find(|module| module.krate == "statics").unwrap();
    module.images[0].ptx
}

/// The line that declares the variable whose name ends so.
fn declaration(name: &str) -> &'static str {
    let is_it = |line: &&str| line.contains(".align") && line.split(['[', ' ', ';']).any(|word| word.contains(name));
    ptx().lines().find(is_it).unwrap_or_else(|| panic!("no {name} in\n{}", ptx()))
}

#[test]
fn immutable_statics_are_in_constant_memory_where_they_fit() {
    assert!(declaration("_WEIGHTS").starts_with(".visible .const "), "{}", declaration("_WEIGHTS"));
    assert!(declaration("_LARGE").starts_with(".visible .global "), "{}", declaration("_LARGE"));
    assert!(declaration("_VISITS").starts_with(".visible .global "), "{}", declaration("_VISITS"));
    assert!(declaration("_SCALE").starts_with(".visible .global "), "{}", declaration("_SCALE"));
    assert!(declaration("PLAIN").starts_with(".const "), "{}", declaration("PLAIN"));
    assert!(ptx().contains("ld.const."), "{}", ptx());
}
