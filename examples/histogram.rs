//! How often each byte occurs among 2²⁴: counted in shared memory per block, then added to the totals.

mod support;

use std::process::ExitCode;

use support::{Random, max_relative_error, size_or, verdict};
use threadwise::prelude::*;

const BINS: usize = 256;

#[kernel]
fn histogram(data: &[u8], totals: &[AtomicU32]) {
    let bins = shared!([AtomicU32; BINS]);
    let first = thread::thread_idx_x() as usize;
    let threads = thread::block_dim_x() as usize;
    for bin in bins.iter().skip(first).step_by(threads) {
        bin.store(0, Relaxed);
    }
    thread::sync_threads();

    let start = thread::index_1d().get();
    let stride = threads * thread::grid_dim_x() as usize;
    for &byte in data.iter().skip(start).step_by(stride) {
        bins[byte as usize].fetch_add(1, Relaxed);
    }
    thread::sync_threads();

    for (bin, total) in bins.iter().zip(totals).skip(first).step_by(threads) {
        total.fetch_add(bin.load(Relaxed), Relaxed);
    }
}

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let n = size_or(1 << 24);
    let mut random = Random::new();
    // The product of two even distributions is not even: the bins differ.
    let data: Vec<u8> = (0..n).map(|_| (random.next_f32() * random.next_f32() * 256.0) as u8).collect();

    let device = Device::new()?;
    let data_device = device.to_device(&data)?;
    let mut totals = device.zeros::<u32>(BINS)?;
    histogram(&data_device, &mut totals).grid(256).block(256).launch()?;
    let got = totals.to_host()?;

    let mut want = [0u32; BINS];
    data.iter().for_each(|&byte| want[usize::from(byte)] += 1);
    let error = max_relative_error(got.iter().zip(&want).map(|(&got, &want)| (f64::from(got), f64::from(want))));
    Ok(verdict(&device, error, 0.0))
}
