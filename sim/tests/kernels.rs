//! Kernels that LLVM made of Rust, against the same functions run natively.

mod common;
#[path = "data/kernels.rs"]
mod native;

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, AtomicU64};

use common::{buffer_f32, buffer_u32, config, read_u32, read_u64, words};
use threadwise_sim::Simulator;

thread_local! {
    static THREAD: Cell<(u32, u32, u32)> = const { Cell::new((0, 0, 1)) };
}

// What the kernels are linked with on the host. The operations between threads are never reached: their kernels have other oracles.
#[unsafe(no_mangle)]
extern "C" fn tid_x() -> u32 {
    THREAD.get().0
}
#[unsafe(no_mangle)]
extern "C" fn ctaid_x() -> u32 {
    THREAD.get().1
}
#[unsafe(no_mangle)]
extern "C" fn ntid_x() -> u32 {
    THREAD.get().2
}
#[unsafe(no_mangle)]
extern "C" fn bar() {}
#[unsafe(no_mangle)]
extern "C" fn shfl_xor(v: u32, _: u32) -> u32 {
    v
}
#[unsafe(no_mangle)]
extern "C" fn ballot(_: bool) -> u32 {
    0
}

const GRID: u32 = 3;
const BLOCK: u32 = 96;
const THREADS: usize = (GRID * BLOCK) as usize;

fn natively(mut kernel: impl FnMut()) {
    for block in 0..GRID {
        for thread in 0..BLOCK {
            THREAD.set((thread, block, BLOCK));
            kernel();
        }
    }
}

/// Runs a kernel of both files.
fn simulated(name: &str, mut prepare: impl FnMut(&Simulator) -> Vec<u64>, mut check: impl FnMut(&Simulator, &[u64])) {
    for ptx in [include_str!("data/kernels_sm_75.ptx"), include_str!("data/kernels_sm_90.ptx")] {
        let device = Simulator::new();
        let module = device.load(ptx).unwrap_or_else(|error| panic!("{error}"));
        let kernel = module.kernel(name).expect("the kernel");
        let parameters = prepare(&device);
        device.launch(&kernel, &config(GRID, BLOCK), &words(&parameters)).unwrap_or_else(|fault| panic!("{fault}"));
        check(&device, &parameters);
    }
}

fn numbers() -> Vec<u32> {
    (0..THREADS as u32).map(|i| i.wrapping_mul(2_654_435_761) ^ i << 7).collect()
}

fn floats() -> Vec<f32> {
    let edges = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        300.0,
        -300.0,
        1e10,
        -1e10,
        1e20,
        f32::MAX,
        f32::MIN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        0.5,
        2.5,
        1e-40,
        f32::NAN,
    ];
    (0..THREADS).map(|i| if i < edges.len() { edges[i] } else { (i as f32 - 100.0) * 0.37 }).collect()
}

/// A kernel whose only parameter is its output of 32-bit words.
fn plain(name: &str, kernel: unsafe extern "C" fn(*mut u32)) {
    let mut expected = vec![0u32; THREADS];
    // SAFETY: the kernel writes one word per thread.
    natively(|| unsafe { kernel(expected.as_mut_ptr()) });
    simulated(name, |d| vec![buffer_u32(d, &[0; THREADS])], |d, p| assert_eq!(read_u32(d, p[0], THREADS), expected));
}

#[test]
fn recursion() {
    plain("kernel_fibonacci", native::fibonacci);
}

#[test]
fn divergent_loops() {
    plain("kernel_collatz", native::collatz);
}

#[test]
fn dynamic_dispatch() {
    let mut expected = vec![0f32; THREADS];
    // SAFETY: the kernel writes one float per thread.
    natively(|| unsafe { native::dynamic(expected.as_mut_ptr()) });
    let bits: Vec<u32> = expected.iter().map(|v| v.to_bits()).collect();
    simulated("kernel_dynamic", |d| vec![buffer_u32(d, &[0; THREADS])], |d, p| assert_eq!(read_u32(d, p[0], THREADS), bits));
}

#[test]
fn sorting() {
    let data: Vec<u32> = (0..THREADS as u32 * 20).map(|i| i.wrapping_mul(2_654_435_761) >> 5).collect();
    let mut expected = data.clone();
    expected.chunks_mut(20).for_each(<[u32]>::sort_unstable);
    simulated("kernel_sort", |d| vec![buffer_u32(d, &data), 20], |d, p| assert_eq!(read_u32(d, p[0], data.len()), expected));
}

#[test]
fn wide_integers() {
    let mut expected = vec![0u128; THREADS];
    // SAFETY: the kernel writes one number per thread.
    natively(|| unsafe { native::wide(expected.as_mut_ptr(), 0x0123_4567_89ab_cdef) });
    let halves: Vec<u64> = expected.iter().flat_map(|&v| [v as u64, (v >> 64) as u64]).collect();
    let prepare = |d: &Simulator| vec![d.allocate(16 * THREADS as u64).expect("memory"), 0x0123_4567_89ab_cdef];
    simulated("kernel_wide", prepare, |d, p| assert_eq!(read_u64(d, p[0], 2 * THREADS), halves));
}

#[test]
fn narrow_integers() {
    let bytes: Vec<i8> = (0..THREADS).map(|i| (i * 37) as i8).collect();
    let shorts: Vec<u16> = (0..THREADS).map(|i| (i * 3571) as u16).collect();
    let mut expected = vec![0i64; THREADS];
    // SAFETY: the kernel reads and writes one element per thread.
    natively(|| unsafe { native::narrow(expected.as_mut_ptr(), bytes.as_ptr(), shorts.as_ptr()) });
    let expected: Vec<u64> = expected.iter().map(|&v| v as u64).collect();
    let prepare = |d: &Simulator| {
        let (b, s) = (d.allocate(THREADS as u64).expect("memory"), d.allocate(2 * THREADS as u64).expect("memory"));
        d.write(b, &bytes.iter().map(|&v| v as u8).collect::<Vec<_>>()).expect("in bounds");
        d.write(s, &shorts.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>()).expect("in bounds");
        vec![d.allocate(8 * THREADS as u64).expect("memory"), b, s]
    };
    simulated("kernel_narrow", prepare, |d, p| assert_eq!(read_u64(d, p[0], THREADS), expected));
}

#[test]
fn switches() {
    let x = numbers();
    let mut expected = vec![0u32; THREADS];
    // SAFETY: the kernel reads and writes one element per thread.
    natively(|| unsafe { native::matches(expected.as_mut_ptr(), x.as_ptr()) });
    let prepare = |d: &Simulator| vec![buffer_u32(d, &[0; THREADS]), buffer_u32(d, &x)];
    simulated("kernel_match", prepare, |d, p| assert_eq!(read_u32(d, p[0], THREADS), expected));
}

#[test]
fn atomics() {
    let x = numbers();
    let bins: Vec<AtomicU32> = (0..16).map(|_| AtomicU32::new(0)).collect();
    let total = AtomicU64::new(0);
    // SAFETY: the kernel reads one element per thread, and there are 16 bins.
    natively(|| unsafe { native::histogram(bins.as_ptr(), &total, x.as_ptr(), x.len()) });
    let bins: Vec<u32> = bins.into_iter().map(AtomicU32::into_inner).collect();
    let prepare = |d: &Simulator| vec![buffer_u32(d, &[0; 16]), buffer_u32(d, &[0, 0]), buffer_u32(d, &x), THREADS as u64];
    simulated("kernel_histogram", prepare, |d, p| {
        assert_eq!(read_u32(d, p[0], 16), bins);
        assert_eq!(read_u64(d, p[1], 1), [total.load(std::sync::atomic::Ordering::Relaxed)]);
    });
}

#[test]
fn shuffles_and_ballots() {
    let expected: Vec<u32> = (0..THREADS as u32)
        .map(|i| {
            let first = i / 32 * 32;
            let sum: u32 = (first..first + 32).sum();
            let votes = (0..32).filter(|lane| (first % BLOCK + lane).is_multiple_of(3)).fold(0u32, |votes, lane| votes | 1 << lane);
            sum ^ votes
        })
        .collect();
    simulated("kernel_reduce", |d| vec![buffer_u32(d, &[0; THREADS])], |d, p| assert_eq!(read_u32(d, p[0], THREADS), expected));
}

#[test]
fn float_functions() {
    // Products and sums may be fused on the device: the bound is that of a few roundings.
    let x = floats();
    let mut expected = vec![0f32; THREADS];
    // SAFETY: the kernel reads and writes one element per thread.
    natively(|| unsafe { native::floats(expected.as_mut_ptr(), x.as_ptr()) });
    let prepare = |d: &Simulator| vec![buffer_u32(d, &[0; THREADS]), buffer_f32(d, &x)];
    simulated("kernel_floats", prepare, |d, p| {
        for (i, result) in common::read_f32(d, p[0], THREADS).into_iter().enumerate() {
            let (scale, wanted) = (1.0 + x[i].abs() + expected[i].abs(), expected[i]);
            let same = result == wanted || (result.is_nan() && wanted.is_nan()) || (result - wanted).abs() <= 1e-6 * scale;
            assert!(same, "{} gives {result} instead of {wanted}", x[i]);
        }
    });
}

#[test]
fn casts_saturate() {
    let x = floats();
    let mut expected = vec![0u64; 12 * THREADS];
    // SAFETY: the kernel reads one element and writes twelve per thread.
    natively(|| unsafe { native::casts(expected.as_mut_ptr(), x.as_ptr()) });
    let prepare = |d: &Simulator| vec![d.allocate(96 * THREADS as u64).expect("memory"), buffer_f32(d, &x)];
    simulated("kernel_casts", prepare, |d, p| {
        for (i, (result, wanted)) in read_u64(d, p[0], 12 * THREADS).into_iter().zip(&expected).enumerate() {
            assert_eq!(result, *wanted, "cast {} of {}", i % 12, x[i / 12]);
        }
    });
}

#[test]
fn vector_accesses() {
    let x: Vec<f32> = (0..4 * THREADS).map(|i| ((i * 29) % 101) as f32 * 0.25).collect();
    let mut expected = vec![0f32; 4 * THREADS];
    // SAFETY: the kernel reads 40 bodies of four floats and one of its own, and writes one.
    natively(|| unsafe { native::bodies(expected.as_mut_ptr().cast(), x.as_ptr().cast(), 40) });
    let prepare = |d: &Simulator| vec![buffer_u32(d, &[0; 4 * THREADS]), buffer_f32(d, &x), 40];
    simulated("kernel_bodies", prepare, |d, p| {
        for (result, wanted) in common::read_f32(d, p[0], 4 * THREADS).into_iter().zip(&expected) {
            assert!((result - wanted).abs() <= 1e-4 * (1.0 + wanted.abs()), "{result} instead of {wanted}");
        }
    });
}

#[test]
fn aggregates_by_value() {
    let mut expected = vec![0u64; THREADS];
    // SAFETY: the kernel writes one number per thread.
    natively(|| unsafe { native::large(expected.as_mut_ptr()) });
    let prepare = |d: &Simulator| vec![d.allocate(8 * THREADS as u64).expect("memory")];
    simulated("kernel_by_value", prepare, |d, p| assert_eq!(read_u64(d, p[0], THREADS), expected));
}

#[test]
fn function_pointers_and_tables() {
    plain("kernel_pointers", native::pointers);
}

#[test]
fn jump_tables_in_loops() {
    plain("kernel_state", native::state);
}

#[test]
fn double_precision() {
    let x = floats();
    let mut expected = vec![0f64; THREADS];
    // SAFETY: the kernel reads and writes one element per thread.
    natively(|| unsafe { native::doubles(expected.as_mut_ptr(), x.as_ptr()) });
    let prepare = |d: &Simulator| vec![d.allocate(8 * THREADS as u64).expect("memory"), buffer_f32(d, &x)];
    simulated("kernel_doubles", prepare, |d, p| {
        for (result, wanted) in read_u64(d, p[0], THREADS).into_iter().map(f64::from_bits).zip(&expected) {
            let same = (result - wanted).abs() <= 1e-12 * (1.0 + wanted.abs()) || result.to_bits() == wanted.to_bits();
            assert!(same || result.is_nan() && wanted.is_nan(), "{result} instead of {wanted}");
        }
    });
}

#[test]
fn atomics_of_eight_and_sixteen_bits() {
    let prepare = |d: &Simulator| vec![buffer_u32(d, &[0]), buffer_u32(d, &[0]), buffer_u32(d, &[0; 6])];
    simulated("kernel_small_atomics", prepare, |d, p| {
        let threads = THREADS as u32;
        assert_eq!(read_u32(d, p[0], 1), [u32::from_le_bytes([(threads / 4 * 3) as u8; 4])]);
        assert_eq!(read_u32(d, p[1], 1), [(threads - 2) | (threads - 1) << 16]);
        assert_eq!(read_u32(d, p[2], 6), [9, 9, 9, 9, 9, u32::MAX - 4]);
    });
}
