//! Kernels against functions of the host and against what was recorded.

use std::panic::{AssertUnwindSafe, catch_unwind};

use threadwise::prelude::*;
use threadwise::testing::check_against;

#[kernel]
fn squares(x: &[f32], mut out: DisjointSlice<f32>) {
    let at = thread::index_1d();
    if let Some(out) = out.get_mut(at) {
        *out = x[at.get()] * x[at.get()];
    }
}

/// y = a x + y, except for one element that is off.
#[kernel]
fn saxpy(x: &[f32], mut y: DisjointSlice<f32>, a: f32, wrong: u32) {
    let at = thread::index_1d();
    let i = at.get();
    if let Some(y) = y.get_mut(at) {
        *y += a * x[i];
        if i == wrong as usize {
            *y += 1.0;
        }
    }
}

#[kernel]
fn weighted(a: &[i32], b: &[u8], mut out: DisjointSlice<i64>) {
    let at = thread::index_1d();
    if let Some(out) = out.get_mut(at) {
        *out = i64::from(a[at.get()]) * i64::from(b[at.get()]);
    }
}

fn message(check: impl FnOnce()) -> String {
    let payload = catch_unwind(AssertUnwindSafe(check)).expect_err("the check fails");
    payload.downcast_ref::<String>().expect("a message with values").clone()
}

#[test]
fn kernel_that_does_as_its_reference_passes() {
    let x: Vec<f32> = (0..1000).map(|i| i as f32 / 7.0).collect();
    check_against(|x, out| squares(x, out), |i, x: &[f32]| x[i] * x[i], &x[..]).run();
    let y = vec![0.5_f32; 1000];
    check_against(|x, y| saxpy(x, y, 2.0, 5000), |i, x: &[f32]| 2.0 * x[i] + 0.5, &x[..]).initial(&y).ulps(1).run();
}

#[test]
fn kernel_of_several_inputs_has_them_as_a_tuple() {
    let a: Vec<i32> = (-100..100).collect();
    let b: Vec<u8> = (0..200).collect();
    let reference = |i: usize, (a, b): (&[i32], &[u8])| i64::from(a[i]) * i64::from(b[i]);
    check_against(|(a, b), out| weighted(a, b, out), reference, (&a[..], &b[..])).run();
}

#[test]
fn wrong_element_is_reported() {
    let x = [1.0_f32; 300];
    let said = message(|| check_against(|x, y| saxpy(x, y, 2.0, 77), |i, x: &[f32]| 2.0 * x[i], &x[..]).rel(1e-6).run());
    assert!(
        said.starts_with("the kernel does not do as its reference on the simulator: assertion `got ≈ want` failed: 1 of 300"),
        "{said}"
    );
    assert!(said.contains(" *       77  3.0   2.0      1  0.333333  4194304"), "{said}");
}

#[test]
fn kernel_that_panics_is_reported() {
    let said = message(|| check_against(|x, out| squares(x, out), |_, _: &[f32]| 0.0, &[1.0_f32; 10][..]).over(12).run());
    assert!(said.contains("2 of 256 threads panicked") && said.contains("the len is 10 but the index is 10"), "{said}");
}

#[test]
fn result_is_as_recorded() {
    let gpu = Device::simulator().unwrap();
    let x = gpu.to_device(&[1.0_f32, 1.5, -2.0, 1e-3]).unwrap();
    let mut out = gpu.zeros(4).unwrap();
    squares(&x, &mut out).over(4).launch().unwrap();
    let out = out.to_host().unwrap();
    assert_snapshot!("squares", out);
    assert_snapshot!("squares", out, rel = 1e-6);
    assert_close_slice!(out, [1.0, 2.25, 4.0, 1e-6], ulps = 1);
}
