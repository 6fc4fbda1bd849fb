//! The five kernels, in safe Rust with bounds checks on. `cuda/` has the same algorithms in CUDA C++.
//!
//! Where a loop is hot, the index is checked once before it: slices are cut into arrays of known size (`as_chunks`), which iterators
//! then walk without a check.

use threadwise::prelude::*;

/// Threads along each side of a block of [`decay`].
pub(crate) const DECAY_BLOCK: u32 = 16;
/// Threads of a block of [`saxpy`].
pub(crate) const SAXPY_BLOCK: u32 = 256;
/// Threads of a block of [`reduce`].
pub(crate) const REDUCE_BLOCK: u32 = 256;
/// Blocks of [`reduce`].
pub(crate) const REDUCE_GRID: u32 = 2048;
/// Side of the tiles of [`matmul`], and of its blocks.
pub(crate) const TILE: usize = 32;
/// Threads of a block of [`nbody`], and bodies of a tile.
pub(crate) const NBODY_BLOCK: usize = 256;

/// Threads of a whole [`reduce`]: each adds up every element that lies that far from its last.
const REDUCE_STRIDE: usize = (REDUCE_GRID * REDUCE_BLOCK) as usize;
/// Added to squared distances, so that a body does not pull itself apart.
pub(crate) const SOFTENING: f32 = 1e-3;

/// z[i, j] = exp(-alpha * (x[j]^2 + y[i]^2)).
#[kernel]
pub(crate) fn decay(x: &[f32], y: &[f32], mut z: DisjointSlice2D<f32>, alpha: f32) {
    let at = thread::index_2d();
    let (row, col) = (at.row(), at.col());
    // With `x[…]` and `y[…]` alone, whose failures differ, the loads wait for one check after the other: 6 % of the time here.
    if (col < x.len()) & (row < y.len())
        && let Some(out) = z.get_mut(at)
    {
        *out = (-alpha * (x[col] * x[col] + y[row] * y[row])).exp();
    }
}

/// y[i] += a * x[i].
#[kernel]
pub(crate) fn saxpy(x: &[f32], mut y: DisjointSlice<f32>, a: f32) {
    let at = thread::index_1d();
    if let Some(out) = y.get_mut(at) {
        *out += a * x[at.get()];
    }
}

/// The sum of `x`, one partial sum per block: launched over [`REDUCE_GRID`] blocks of [`REDUCE_BLOCK`] threads.
#[kernel]
pub(crate) fn reduce(x: &[f32], partial: &[AtomicF32]) {
    let at = thread::index_1d().get();
    let (rows, rest) = x.as_chunks::<REDUCE_STRIDE>();
    let mut own = rest.get(at).copied().unwrap_or(0.0);
    // By index: LLVM unrolls a loop of which it knows the count, so that several loads are under way.
    #[expect(clippy::needless_range_loop, reason = "see above")]
    for row in 0..rows.len() {
        own += rows[row][at];
    }

    let warps = shared!([f32; REDUCE_BLOCK as usize / 32]).write_per_warp(warp::sum(own)).sync();
    if thread::thread_idx_x() == 0 {
        partial[thread::block_idx_x() as usize].store(warps.iter().sum(), Relaxed);
    }
}

/// c = a b of n × n matrices, row-major; `n` is a multiple of [`TILE`].
#[kernel]
pub(crate) fn matmul(a: &[f32], b: &[f32], mut c: DisjointSlice2D<f32>, n: u32) {
    let n = n as usize;
    let at = thread::index_2d();
    let (x, y) = (thread::thread_idx_x() as usize, thread::thread_idx_y() as usize);
    let mut tile_a = shared!([[f32; TILE]; TILE]);
    let mut tile_b = shared!([[f32; TILE]; TILE]);
    let mut sum = 0.0;
    for tile in 0..n / TILE {
        let from_a = a[at.row() * n + tile * TILE + x];
        let from_b = b[(tile * TILE + y) * n + at.col()];
        let (rows, columns) = shared::sync((tile_a.write(from_a), tile_b.write(from_b)));
        for k in 0..TILE {
            sum += rows[y][k] * columns[k][x];
        }
        (tile_a, tile_b) = shared::sync((rows, columns));
    }
    if let Some(out) = c.get_mut(at) {
        *out = sum;
    }
}

/// A body: where it is, and its mass. Aligned, so that it is loaded at once.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy, threadwise::Pod)]
pub(crate) struct Body {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) z: f32,
    pub(crate) m: f32,
}

/// The acceleration of each body by all others; their number is a multiple of [`NBODY_BLOCK`].
#[kernel]
pub(crate) fn nbody(bodies: &[Body], mut acceleration: DisjointSlice<Body>) {
    let at = thread::index_1d();
    let me = bodies[at.get()];
    let mut tile = shared!([Body; NBODY_BLOCK]);
    let (mut ax, mut ay, mut az) = (0.0, 0.0, 0.0);
    let (tiles, _) = bodies.as_chunks::<NBODY_BLOCK>();
    for from in tiles {
        let others = tile.write(from[thread::thread_idx_x() as usize]).sync();
        for &Body { x, y, z, m } in others.iter() {
            let (dx, dy, dz) = (x - me.x, y - me.y, z - me.z);
            let inverse = 1.0 / (dx * dx + dy * dy + dz * dz + SOFTENING).sqrt();
            let pull = m * inverse * inverse * inverse;
            ax += pull * dx;
            ay += pull * dy;
            az += pull * dz;
        }
        tile = others.sync();
    }
    if let Some(out) = acceleration.get_mut(at) {
        *out = Body { x: ax, y: ay, z: az, m: 0.0 };
    }
}
