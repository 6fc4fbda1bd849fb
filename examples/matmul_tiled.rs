//! C = A B of two square matrices, in 32 × 32 tiles through shared memory.

mod support;

use std::process::ExitCode;
use std::time::Instant;

use support::{Random, max_relative_error, size_or, verdict};
use threadwise::prelude::*;

const TILE: usize = 32;

/// `a` and `b` are n × n, row-major; `n` is a multiple of the tile.
#[kernel]
fn matmul_tiled(a: &[f32], b: &[f32], mut c: DisjointSlice2D<f32>, n: u32) {
    let n = n as usize;
    let at = thread::index_2d();
    let (x, y) = (thread::thread_idx_x() as usize, thread::thread_idx_y() as usize);
    let mut tile_a = shared!([[f32; TILE]; TILE]);
    let mut tile_b = shared!([[f32; TILE]; TILE]);
    let mut sum = 0.0;
    for tile in 0..n / TILE {
        let from_a = a[at.row() * n + tile * TILE + x];
        let from_b = b[(tile * TILE + y) * n + at.col()];
        let (row, column) = shared::sync((tile_a.write(from_a), tile_b.write(from_b)));
        for k in 0..TILE {
            sum += row[y][k] * column[k][x];
        }
        (tile_a, tile_b) = shared::sync((row, column));
    }
    if let Some(out) = c.get_mut(at) {
        *out = sum;
    }
}

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let n = size_or(1024).next_multiple_of(TILE);
    let mut random = Random::new();
    let a: Vec<f32> = (0..n * n).map(|_| random.next_f32()).collect();
    let b: Vec<f32> = (0..n * n).map(|_| random.next_f32()).collect();

    let device = Device::new()?;
    let (a_device, b_device) = (device.to_device(&a)?, device.to_device(&b)?);
    let mut c = device.zeros_2d::<f32>(n, n)?;
    let tiles = u32::try_from(n / TILE)?;
    let start = Instant::now();
    matmul_tiled(&a_device, &b_device, &mut c, u32::try_from(n)?).grid((tiles, tiles)).block((32, 32)).launch()?;
    device.synchronize()?;
    println!("{n} x {n} in {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
    let c = c.to_host()?;

    let mut error = 0.0f64;
    let mut row = vec![0.0f64; n];
    for i in 0..n {
        row.fill(0.0);
        for k in 0..n {
            let factor = f64::from(a[i * n + k]);
            row.iter_mut().zip(&b[k * n..][..n]).for_each(|(sum, &b)| *sum += factor * f64::from(b));
        }
        let got = c[i * n..][..n].iter().map(|&v| f64::from(v));
        error = error.max(max_relative_error(got.zip(row.iter().copied())));
    }
    Ok(verdict(&device, error, 1e-5))
}
