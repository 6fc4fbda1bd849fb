//! c = a + b over a million f64.

mod support;

use std::process::ExitCode;

use support::{Random, max_relative_error, size_or, verdict};
use threadwise::prelude::*;

#[kernel]
fn vector_add(a: &[f64], b: &[f64], mut c: DisjointSlice<f64>) {
    let at = thread::index_1d();
    if let Some(out) = c.get_mut(at) {
        *out = a[at.get()] + b[at.get()];
    }
}

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let n = size_or(1_000_000);
    let mut random = Random::new();
    let a: Vec<f64> = (0..n).map(|_| f64::from(random.next_f32())).collect();
    let b: Vec<f64> = (0..n).map(|_| f64::from(random.next_f32())).collect();

    let device = Device::new()?;
    let (a_device, b_device) = (device.to_device(&a)?, device.to_device(&b)?);
    let mut c = device.zeros::<f64>(n)?;
    vector_add(&a_device, &b_device, &mut c).over(n).launch()?;
    let c = c.to_host()?;

    let error = max_relative_error(c.iter().zip(a.iter().zip(&b)).map(|(&got, (a, b))| (got, a + b)));
    Ok(verdict(&device, error, 0.0))
}
