//! Kernels whose PTX (`kernels_sm_75.ptx`, `kernels_sm_90.ptx`) the simulator runs; the tests run the same functions natively as the oracle.
#![allow(
    clippy::missing_safety_doc,
    unreachable_pub,
    clippy::undocumented_unsafe_blocks,
    clippy::multiple_unsafe_ops_per_block,
    reason = "one contract for all kernels: every pointer leads to as many elements as there are threads"
)]
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering::*};
unsafe extern "C" {
    safe fn tid_x() -> u32;
    safe fn ctaid_x() -> u32;
    safe fn ntid_x() -> u32;
    safe fn bar();
    safe fn shfl_xor(v: u32, d: u32) -> u32;
    safe fn ballot(p: bool) -> u32;
}
fn id() -> usize {
    (ctaid_x() * ntid_x() + tid_x()) as usize
}
trait Shape {
    fn area(&self) -> f32;
    fn sides(&self) -> u32;
}
struct Square(f32);
struct Circle(f32);
impl Shape for Square {
    fn area(&self) -> f32 {
        self.0 * self.0
    }
    fn sides(&self) -> u32 {
        4
    }
}
impl Shape for Circle {
    fn area(&self) -> f32 {
        3.0 * self.0 * self.0
    }
    fn sides(&self) -> u32 {
        0
    }
}
#[unsafe(export_name = "kernel_dynamic")]
pub unsafe extern "C" fn dynamic(out: *mut f32) {
    let t = tid_x();
    let (a, b) = (Square(t as f32), Circle(t as f32));
    let list: [&dyn Shape; 2] = [core::hint::black_box(&a), core::hint::black_box(&b)];
    let s = list[(t % 2) as usize];
    unsafe {
        *out.add(id()) = s.area() + s.sides() as f32;
    }
}
#[inline(never)]
fn fib(n: u32) -> u32 {
    if n < 2 { n } else { fib(n - 1) + fib(n - 2) }
}
#[unsafe(export_name = "kernel_fibonacci")]
pub unsafe extern "C" fn fibonacci(out: *mut u32) {
    unsafe {
        *out.add(id()) = fib(tid_x() % 13);
    }
}
#[unsafe(export_name = "kernel_sort")]
pub unsafe extern "C" fn sort(data: *mut u32, n: usize) {
    let s = unsafe { core::slice::from_raw_parts_mut(data.add(id() * n), n) };
    for i in 1..n {
        let mut j = i;
        while j > 0 && s[j - 1] > s[j] {
            s.swap(j, j - 1);
            j -= 1;
        }
    }
}
#[unsafe(export_name = "kernel_wide")]
pub unsafe extern "C" fn wide(out: *mut u128, a: u64) {
    let t = id() as u128;
    unsafe {
        *out.add(id()) = (a as u128 * (t + 3) * 0x1_0000_0001_u128) / (t + 1) % 1_000_000_007_000_000_009;
    }
}
#[unsafe(export_name = "kernel_narrow")]
pub unsafe extern "C" fn narrow(out: *mut i64, bytes: *const i8, shorts: *const u16) {
    let i = id();
    unsafe {
        let b = *bytes.add(i);
        let s = *shorts.add(i);
        *out.add(i) = (b.wrapping_mul(7) as i64)
            ^ ((s.rotate_left(3) as i64) << 8)
            ^ ((b as f32 as u8 as i64) << 32)
            ^ (((s as f64 * 1.5) as i16 as i64) << 40);
    }
}
#[unsafe(export_name = "kernel_collatz")]
pub unsafe extern "C" fn collatz(out: *mut u32) {
    let mut n = id() as u64 + 1;
    let mut steps = 0;
    while n != 1 {
        n = if n & 1 == 0 { n / 2 } else { 3 * n + 1 };
        steps += 1;
    }
    unsafe {
        *out.add(id()) = steps;
    }
}
#[unsafe(export_name = "kernel_match")]
pub unsafe extern "C" fn matches(out: *mut u32, x: *const u32) {
    let i = id();
    let v = unsafe { *x.add(i) };
    let r = match v % 9 {
        0 => v ^ 1,
        1 => v.count_ones(),
        2 => v.leading_zeros(),
        3 => v.swap_bytes(),
        4 => v.rotate_right(v & 31),
        5 => v.wrapping_mul(v),
        6 => v.reverse_bits(),
        7 => v / 3,
        _ => 77,
    };
    unsafe {
        *out.add(i) = r;
    }
}
#[unsafe(export_name = "kernel_histogram")]
pub unsafe extern "C" fn histogram(bins: *const AtomicU32, total: *const AtomicU64, x: *const u32, n: usize) {
    let i = id();
    if i < n {
        unsafe {
            (*bins.add((*x.add(i) % 16) as usize)).fetch_add(1, Relaxed);
            (*total).fetch_add(*x.add(i) as u64, Relaxed);
        }
    }
}
#[unsafe(export_name = "kernel_reduce")]
pub unsafe extern "C" fn reduce(out: *mut u32) {
    let mut v = id() as u32;
    let mut d = 16;
    while d > 0 {
        v = v.wrapping_add(shfl_xor(v, d));
        d /= 2;
    }
    bar();
    let odd = ballot(tid_x().is_multiple_of(3));
    unsafe {
        *out.add(id()) = v ^ odd;
    }
}
#[unsafe(export_name = "kernel_floats")]
pub unsafe extern "C" fn floats(out: *mut f32, x: *const f32) {
    let i = id();
    unsafe {
        let v = *x.add(i);
        *out.add(i) = v.min(2.0).abs().max(0.25).copysign(v)
            + v.floor() * v.fract()
            + v.clamp(-1.0, 1.0) / (1.0 + v * v)
            + (v as f64 * 0.1) as f32
            + v.round_ties_even()
            + if v.is_sign_negative() { 1.0 } else { v.recip() };
    }
}
#[unsafe(export_name = "kernel_casts")]
pub unsafe extern "C" fn casts(out: *mut u64, x: *const f32) {
    let i = id();
    unsafe {
        let v = *x.add(i);
        let o = out.add(12 * i);
        *o = v as i8 as u64;
        *o.add(1) = v as u8 as u64;
        *o.add(2) = v as i16 as u64;
        *o.add(3) = v as u16 as u64;
        *o.add(4) = v as i32 as u64;
        *o.add(5) = v as u32 as u64;
        *o.add(6) = v as i64 as u64;
        *o.add(7) = v as u64;
        let w = v as f64;
        *o.add(8) = w as i32 as u64;
        *o.add(9) = w as u32 as u64;
        *o.add(10) = w as i64 as u64;
        *o.add(11) = w as u64;
    }
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Body {
    x: f32,
    y: f32,
    z: f32,
    m: f32,
}
#[unsafe(export_name = "kernel_bodies")]
pub unsafe extern "C" fn bodies(out: *mut Body, b: *const Body, n: usize) {
    let i = id();
    unsafe {
        let me = *b.add(i);
        let mut a = Body { x: 0.0, y: 0.0, z: 0.0, m: me.m };
        for j in 0..n {
            let o = *b.add(j);
            let (dx, dy, dz) = (o.x - me.x, o.y - me.y, o.z - me.z);
            let r = dx * dx + dy * dy + dz * dz + 0.01;
            let w = o.m / r;
            a.x += dx * w;
            a.y += dy * w;
            a.z += dz * w;
        }
        *out.add(i) = a;
    }
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Large {
    a: [u64; 5],
    b: u8,
}
#[inline(never)]
extern "C" fn by_value(mut x: Large, i: usize) -> Large {
    x.a[i % 5] ^= core::hint::black_box(&x).a[(i + 1) % 5].wrapping_add(u64::from(x.b));
    x.b = x.b.wrapping_add(200);
    x
}
#[unsafe(export_name = "kernel_by_value")]
pub unsafe extern "C" fn large(out: *mut u64) {
    let i = id();
    let mut x = Large { a: [i as u64, 2, 3, 4, 5], b: i as u8 };
    for round in 0..4 {
        x = by_value(x, i + round);
    }
    unsafe { *out.add(i) = x.a.iter().fold(u64::from(x.b), |sum, v| sum.wrapping_mul(31).wrapping_add(*v)) };
}
#[inline(never)]
fn triple(x: u32) -> u32 {
    x.wrapping_mul(3)
}
#[inline(never)]
fn square(x: u32) -> u32 {
    x.wrapping_mul(x)
}
#[inline(never)]
fn mixed(x: u32) -> u32 {
    x.rotate_left(7) ^ 0x5bd1
}
static TABLE: [fn(u32) -> u32; 3] = [triple, square, mixed];
static PRIMES: [u16; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
#[unsafe(export_name = "kernel_pointers")]
pub unsafe extern "C" fn pointers(out: *mut u32) {
    let i = id();
    let first = core::hint::black_box(&TABLE)[i % 3](i as u32);
    unsafe { *out.add(i) = TABLE[(i / 3) % 3](first).wrapping_add(u32::from(PRIMES[i % 12])) };
}
#[unsafe(export_name = "kernel_state")]
pub unsafe extern "C" fn state(out: *mut u32) {
    let i = id() as u32;
    let (mut state, mut value) = (i % 7, i);
    for step in 0..20 {
        state = match state {
            0 => {
                value = value.wrapping_add(step);
                3
            }
            1 => {
                value ^= value << 3;
                5
            }
            2 => {
                value = value.wrapping_mul(5);
                (value >> 3) % 7
            }
            3 => {
                value = value.wrapping_sub(7);
                1
            }
            4 => {
                value = !value;
                2
            }
            5 => {
                value = value.saturating_sub(step * 1000);
                6
            }
            _ => {
                value = value.rotate_left(step);
                value % 5
            }
        };
    }
    unsafe { *out.add(id()) = value };
}
#[unsafe(export_name = "kernel_doubles")]
pub unsafe extern "C" fn doubles(out: *mut f64, x: *const f32) {
    let i = id();
    unsafe {
        let v = f64::from(*x.add(i));
        *out.add(i) =
            if v.is_finite() { (v * v + 1.0).recip() - v.abs().min(3.5) + (v as i64 % 7) as f64 + v.trunc().max(-1e6) } else { v };
    }
}
#[unsafe(export_name = "kernel_small_atomics")]
pub unsafe extern "C" fn small_atomics(
    bytes: *const core::sync::atomic::AtomicU8,
    words: *const core::sync::atomic::AtomicU16,
    out: *mut u32,
) {
    let i = id();
    unsafe {
        (*bytes.add(i % 4)).fetch_add(3, Relaxed);
        (*words.add(i % 2)).fetch_max(i as u16, Relaxed);
        let won = (*out.cast::<AtomicU32>().add(i % 5)).compare_exchange(0, 9, SeqCst, Relaxed).is_ok();
        if won {
            (*out.cast::<AtomicU32>().add(5)).fetch_sub(1, AcqRel);
        }
    }
}
