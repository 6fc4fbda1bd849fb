//! Conway's game of life on a torus: a glider is back where it started after 4n steps, and a random board goes the way the host says.

mod support;

use std::process::ExitCode;

use support::{Random, max_relative_error, size_or, verdict};
use threadwise::prelude::*;

/// The next state of a cell: alive with three living neighbours, or with two if it lives.
fn next(alive: u8, neighbours: u8) -> u8 {
    u8::from(neighbours == 3 || alive == 1 && neighbours == 2)
}

#[kernel]
fn step(board: &[u8], mut after: DisjointSlice2D<u8>) {
    let at = thread::index_2d();
    let (rows, cols) = (after.rows(), after.cols());
    if let Some(out) = after.get_mut(at) {
        let (row, col) = (at.row(), at.col());
        let mut neighbours = 0;
        for down in [rows - 1, 0, 1] {
            for right in [cols - 1, 0, 1] {
                if (down, right) != (0, 0) {
                    neighbours += board[(row + down) % rows * cols + (col + right) % cols];
                }
            }
        }
        *out = next(board[row * cols + col], neighbours);
    }
}

/// Plays `steps` steps from `board`, n × n, on `device`.
fn play(device: &Device, board: &[u8], n: usize, steps: usize) -> threadwise::Result<Vec<u8>> {
    let mut now = device.to_device_2d(board, n, n)?;
    let mut after = device.zeros_2d::<u8>(n, n)?;
    for _ in 0..steps {
        step(&now, &mut after).over((n, n)).launch()?;
        std::mem::swap(&mut now, &mut after);
    }
    now.to_host()
}

/// One step on the host, cell by cell from its neighbours' coordinates.
fn step_on_host(board: &[u8], n: usize) -> Vec<u8> {
    let cell = |row: i64, col: i64| board[row.rem_euclid(n as i64) as usize * n + col.rem_euclid(n as i64) as usize];
    let around = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];
    (0..(n * n) as i64)
        .map(|k| {
            let (row, col) = (k / n as i64, k % n as i64);
            next(cell(row, col), around.iter().map(|&(down, right)| cell(row + down, col + right)).sum())
        })
        .collect()
}

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let n = size_or(64).max(8);
    let device = Device::new()?;

    let mut glider = vec![0u8; n * n];
    for (row, col) in [(0, 1), (1, 2), (2, 0), (2, 1), (2, 2)] {
        glider[row * n + col] = 1;
    }
    let back = play(&device, &glider, n, 4 * n)?;
    println!("glider after {} steps: {}", 4 * n, if back == glider { "back" } else { "lost" });

    let mut random = Random::new();
    let board: Vec<u8> = (0..n * n).map(|_| (random.next_u32() >> 31) as u8).collect();
    let got = play(&device, &board, n, 20)?;
    let want = (0..20).fold(board, |board, _| step_on_host(&board, n));

    let pairs = back.iter().zip(&glider).chain(got.iter().zip(&want));
    let error = max_relative_error(pairs.map(|(&got, &want)| (f64::from(got), f64::from(want))));
    Ok(verdict(&device, error, 0.0))
}
