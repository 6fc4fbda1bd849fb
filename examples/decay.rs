//! The field z = exp(-alpha (x² + y²)) over [-3, 3]², one thread per element; writes `decay.png`.

mod support;

use std::process::ExitCode;
use std::time::Instant;

use support::{colour, linspace, max_relative_error, size_or, verdict, write_png};
use threadwise::prelude::*;

/// z[i, j] = exp(-alpha * (x[j]^2 + y[i]^2)), one thread per element.
#[kernel]
fn decay(x: &[f32], y: &[f32], mut z: DisjointSlice2D<f32>, alpha: f32) {
    let at = thread::index_2d();
    if let Some(out) = z.get_mut(at) {
        let (i, j) = (at.row(), at.col());
        *out = (-alpha * (x[j] * x[j] + y[i] * y[i])).exp();
    }
}

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    const ALPHA: f32 = 0.5;
    let n = size_or(4096);
    let blocks = u32::try_from(n.div_ceil(16))?;

    let device = Device::new()?;
    let axis = linspace(-3.0, 3.0, n);
    let (x, y) = (device.to_device(&axis)?, device.to_device(&axis)?);
    let mut z = device.zeros_2d::<f32>(n, n)?;
    let start = Instant::now();
    decay(&x, &y, &mut z, ALPHA).grid((blocks, blocks)).block((16, 16)).launch()?;
    device.synchronize()?;
    println!("{n} x {n} in {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
    let z = z.to_host()?;

    let square = |v: f32| f64::from(v) * f64::from(v);
    let error = max_relative_error(z.iter().enumerate().map(|(k, &got)| {
        let want = (-f64::from(ALPHA) * (square(axis[k % n]) + square(axis[k / n]))).exp();
        (f64::from(got), want)
    }));
    let rgb: Vec<u8> = z.iter().flat_map(|&v| colour(v)).collect();
    write_png("decay.png", n, n, &rgb)?;
    Ok(verdict(&device, error, 1e-6))
}
