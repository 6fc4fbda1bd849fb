//! Generic kernels are instantiated by their launches, closures and function items are arguments. Runs on the GPU where there is one.

use std::ops::{Add, Mul};

use threadwise::prelude::*;

#[kernel]
fn scale<T: DeviceCopy + Mul<Output = T>>(x: &[T], mut out: DisjointSlice<T>, by: T) {
    let at = thread::index_1d();
    if let Some(out) = out.get_mut(at) {
        *out = x[at.get()] * by;
    }
}

#[test]
fn one_kernel_runs_for_several_types() {
    let device = Device::new().unwrap();
    let x = device.to_device(&[1.5f32, 2.5]).unwrap();
    let mut out = device.zeros::<f32>(2).unwrap();
    scale(&x, &mut out, 2.0).over(2).launch().unwrap();
    assert_eq!(out.to_host().unwrap(), [3.0, 5.0]);

    let x = device.to_device(&[7i64, -8]).unwrap();
    let mut out = device.zeros::<i64>(2).unwrap();
    scale::<i64>(&x, &mut out, 1 << 40).over(2).launch().unwrap();
    assert_eq!(out.to_host().unwrap(), [7 << 40, -8 << 40]);
}

#[kernel]
fn chunk_sums<T, const N: usize>(x: &[T], mut out: DisjointSlice<T>)
where
    T: DeviceCopy + Add<Output = T> + Default,
{
    let at = thread::index_1d();
    if let Some(out) = out.get_mut(at) {
        *out = x.chunks(N).nth(at.get()).map_or(T::default(), |c| c.iter().fold(T::default(), |a, &b| a + b));
    }
}

#[test]
fn constants_tell_instances_apart() {
    let device = Device::new().unwrap();
    let x = device.to_device(&(1..=12u32).collect::<Vec<_>>()).unwrap();
    let mut out = device.zeros::<u32>(4).unwrap();
    chunk_sums::<u32, 3>(&x, &mut out).over(4).launch().unwrap();
    assert_eq!(out.to_host().unwrap(), [6, 15, 24, 33]);
    chunk_sums::<u32, 5>(&x, &mut out).over(4).launch().unwrap();
    assert_eq!(out.to_host().unwrap(), [15, 40, 23, 0]);
}

#[kernel]
fn map<A: DeviceCopy, B: DeviceCopy, F: Fn(A) -> B + Copy>(x: &[A], mut out: DisjointSlice<B>, f: F) {
    let at = thread::index_1d();
    if let Some(out) = out.get_mut(at) {
        *out = f(x[at.get()]);
    }
}

fn square(x: i32) -> i32 {
    x * x
}

#[test]
fn closures_capture_by_value() {
    let device = Device::new().unwrap();
    let x = device.to_device(&[1, 2, 3]).unwrap();
    let mut out = device.zeros::<i32>(3).unwrap();
    for (a, b) in [(2, 1), (-3, 10)] {
        let table = [b, b + 1, b + 2, b + 3];
        map(&x, &mut out, move |v: i32| a * v + table[v as usize]).over(3).launch().unwrap();
        assert_eq!(out.to_host().unwrap(), [a + b + 1, 2 * a + b + 2, 3 * a + b + 3]);
    }
    map(&x, &mut out, |v: i32| v - 1).over(3).launch().unwrap();
    assert_eq!(out.to_host().unwrap(), [0, 1, 2]);
    map(&x, &mut out, square).over(3).launch().unwrap();
    assert_eq!(out.to_host().unwrap(), [1, 4, 9]);
}

#[test]
fn closures_change_types() {
    let device = Device::new().unwrap();
    let x = device.to_device(&[1.5f32, -2.0]).unwrap();
    let mut out = device.zeros::<(f64, bool)>(2).unwrap();
    map(&x, &mut out, |v: f32| (f64::from(v) * 2.0, v > 0.0)).over(2).launch().unwrap();
    assert_eq!(out.to_host().unwrap(), [(3.0, true), (-4.0, false)]);
}

trait Rule {
    type State: DeviceCopy;
    const STEPS: u32;
    fn step(state: Self::State) -> Self::State;
}

struct Collatz;

impl Rule for Collatz {
    type State = u64;
    const STEPS: u32 = 20;
    fn step(state: u64) -> u64 {
        if state.is_multiple_of(2) { state / 2 } else { 3 * state + 1 }
    }
}

#[kernel]
fn iterate<R: Rule>(start: &[R::State], mut out: DisjointSlice<R::State>) {
    let at = thread::index_1d();
    if let Some(out) = out.get_mut(at) {
        *out = (0..R::STEPS).fold(start[at.get()], |state, _| R::step(state));
    }
}

#[test]
fn associated_types_and_constants_work() {
    let device = Device::new().unwrap();
    let start: Vec<u64> = (1..50).collect();
    let x = device.to_device(&start).unwrap();
    let mut out = device.zeros::<u64>(start.len()).unwrap();
    iterate::<Collatz>(&x, &mut out).over(start.len()).launch().unwrap();
    let want: Vec<u64> = start.iter().map(|&s| (0..20).fold(s, |s, _| Collatz::step(s))).collect();
    assert_eq!(out.to_host().unwrap(), want);
}
