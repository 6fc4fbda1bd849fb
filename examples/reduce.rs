//! The sum of 2²⁴ f32: over each warp by shuffles, over the block through shared memory, over the blocks by a second launch.

mod support;

use std::process::ExitCode;

use support::{Random, max_relative_error, size_or, verdict};
use threadwise::prelude::*;

const BLOCK: u32 = 256;

/// Sums `x` to one value per block. Each thread first adds up every (grid size)th element.
#[kernel]
fn sum_blocks(x: &[f32], mut partial: DisjointSlice<f32>) {
    let at = thread::index_1d();
    let stride = thread::grid_dim_x() as usize * thread::block_dim_x() as usize;
    let own: f32 = x.iter().skip(at.get()).step_by(stride).sum();

    let warps = shared!([f32; 32]).write_per_warp(warp::sum(own)).sync();
    let used = thread::block_dim_x().div_ceil(32);
    let lane = warp::lane();
    let mine = if lane < used { warps[lane as usize] } else { 0.0 };
    let total = warp::sum(mine);
    // Thread 0 of each block holds the block's slot: the view has one slot per thread, its own.
    if let Some(out) = partial.get_mut(at)
        && thread::thread_idx_x() == 0
    {
        *out = total;
    }
}

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let n = size_or(1 << 24);
    let mut random = Random::new();
    let x: Vec<f32> = (0..n).map(|_| random.next_f32()).collect();

    let device = Device::new()?;
    let x_device = device.to_device(&x)?;
    let blocks = 512;
    let mut partial = device.zeros::<f32>((blocks * BLOCK) as usize)?;
    sum_blocks(&x_device, &mut partial).grid(blocks).block(BLOCK).launch()?;
    // Unused slots are zero, so that the partial sums can be summed by the same kernel as they lie.
    let mut total = device.zeros::<f32>(BLOCK as usize)?;
    sum_blocks(&partial, &mut total).grid(1).block(BLOCK).launch()?;
    let got = f64::from(total.to_host()?[0]);

    let want: f64 = x.iter().map(|&v| f64::from(v)).sum();
    println!("sum: {got} (reference {want})");
    Ok(verdict(&device, max_relative_error(std::iter::once((got, want))), 1e-6))
}
