//! y += a x over 2²⁴ f32.

mod support;

use std::process::ExitCode;

use support::{Random, max_relative_error, size_or, verdict};
use threadwise::prelude::*;

#[kernel]
fn saxpy(x: &[f32], mut y: DisjointSlice<f32>, a: f32) {
    let at = thread::index_1d();
    if let Some(out) = y.get_mut(at) {
        *out += a * x[at.get()];
    }
}

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    const A: f32 = 1.234;
    let n = size_or(1 << 24);
    let mut random = Random::new();
    let x: Vec<f32> = (0..n).map(|_| random.next_f32()).collect();
    let y: Vec<f32> = (0..n).map(|_| random.next_f32()).collect();

    let device = Device::new()?;
    let x_device = device.to_device(&x)?;
    let mut y_device = device.to_device(&y)?;
    saxpy(&x_device, &mut y_device, A).over(n).launch()?;
    let got = y_device.to_host()?;

    let wanted = x.iter().zip(&y).map(|(&x, &y)| f64::from(A) * f64::from(x) + f64::from(y));
    let error = max_relative_error(got.iter().map(|&v| f64::from(v)).zip(wanted));
    Ok(verdict(&device, error, 1.2e-7))
}
