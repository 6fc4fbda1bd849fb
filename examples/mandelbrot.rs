//! The Mandelbrot set, 2048 × 1536; writes `mandelbrot.png`.

mod support;

use std::process::ExitCode;
use std::time::Instant;

use support::{colour, max_relative_error, size_or, verdict, write_png};
use threadwise::prelude::*;

const LIMIT: u32 = 256;

/// Steps of z = z² + c until |z| > 2, `LIMIT` at the most.
fn escape_time(re: f32, im: f32) -> u32 {
    let (mut x, mut y) = (0.0f32, 0.0f32);
    let mut n = 0;
    while n < LIMIT && x * x + y * y <= 4.0 {
        (x, y) = (x * x - y * y + re, 2.0 * x * y + im);
        n += 1;
    }
    n
}

/// Without fused operations, so that the host computes the same to the last bit.
#[kernel(fma = false)]
fn mandelbrot(mut steps: DisjointSlice2D<u32>, left: f32, top: f32, pixel: f32) {
    let at = thread::index_2d();
    if let Some(out) = steps.get_mut(at) {
        *out = escape_time(left + pixel * at.col() as f32, top - pixel * at.row() as f32);
    }
}

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let width = size_or(2048);
    let height = width * 3 / 4;
    let (left, top) = (-2.2f32, 1.2f32);
    let pixel = 3.2 / width as f32;

    let device = Device::new()?;
    let mut steps = device.zeros_2d::<u32>(height, width)?;
    let start = Instant::now();
    mandelbrot(&mut steps, left, top, pixel).over((height, width)).launch()?;
    device.synchronize()?;
    println!("{width} x {height} in {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
    let steps = steps.to_host()?;

    let error = max_relative_error(steps.iter().enumerate().map(|(k, &got)| {
        let want = escape_time(left + pixel * (k % width) as f32, top - pixel * (k / width) as f32);
        (f64::from(got), f64::from(want))
    }));
    let shade = |n: u32| if n == LIMIT { [0; 3] } else { colour((n as f32 / LIMIT as f32).sqrt()) };
    let rgb: Vec<u8> = steps.iter().flat_map(|&n| shade(n)).collect();
    write_png("mandelbrot.png", width, height, &rgb)?;
    Ok(verdict(&device, error, 0.0))
}
