//! Where the calling thread stands in its block and grid, and the barrier of its block.

use core::marker::PhantomData;

use crate::intrinsics::*;

macro_rules! registers {
    ($($name:ident $intrinsic:ident $doc:literal;)*) => {$(
        #[doc = $doc]
        #[inline(always)]
        pub fn $name() -> u32 {
            $intrinsic()
        }
    )*};
}

registers! {
    thread_idx_x __threadwise_tid_x "Index of the thread in its block along x.";
    thread_idx_y __threadwise_tid_y "Index of the thread in its block along y.";
    thread_idx_z __threadwise_tid_z "Index of the thread in its block along z.";
    block_idx_x __threadwise_ctaid_x "Index of the block in the grid along x.";
    block_idx_y __threadwise_ctaid_y "Index of the block in the grid along y.";
    block_idx_z __threadwise_ctaid_z "Index of the block in the grid along z.";
    block_dim_x __threadwise_ntid_x "Threads of the block along x.";
    block_dim_y __threadwise_ntid_y "Threads of the block along y.";
    block_dim_z __threadwise_ntid_z "Threads of the block along z.";
    grid_dim_x __threadwise_nctaid_x "Blocks of the grid along x.";
    grid_dim_y __threadwise_nctaid_y "Blocks of the grid along y.";
    grid_dim_z __threadwise_nctaid_z "Blocks of the grid along z.";
}

/// Index of the thread in its block over all dimensions, x fastest.
#[inline(always)]
pub fn index_in_block() -> u32 {
    thread_idx_x() + block_dim_x() * (thread_idx_y() + block_dim_y() * thread_idx_z())
}

/// Threads of the block.
#[inline(always)]
pub fn block_size() -> u32 {
    block_dim_x() * block_dim_y() * block_dim_z()
}

/// Makes a witness stay with its thread: it is neither `Send` nor `Sync`, so that no static can carry it to another.
type Here = PhantomData<*const ()>;

/// Index of the thread in a 1-D launch. A witness: no two threads of the launch have the same, and it cannot be made up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Index1D(usize, Here);

impl Index1D {
    /// The index as a number.
    #[inline(always)]
    pub fn get(self) -> usize {
        self.0
    }
}

/// Index of the thread in a 2-D launch: y counts rows, x columns. A witness, as [`Index1D`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Index2D {
    row: usize,
    col: usize,
    here: Here,
}

impl Index2D {
    /// Row (y).
    #[inline(always)]
    pub fn row(self) -> usize {
        self.row
    }

    /// Column (x).
    #[inline(always)]
    pub fn col(self) -> usize {
        self.col
    }
}

/// Index of the thread in a 3-D launch: z counts planes, y rows, x columns. A witness, as [`Index1D`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Index3D {
    plane: usize,
    row: usize,
    col: usize,
    here: Here,
}

impl Index3D {
    /// Plane (z).
    #[inline(always)]
    pub fn plane(self) -> usize {
        self.plane
    }

    /// Row (y).
    #[inline(always)]
    pub fn row(self) -> usize {
        self.row
    }

    /// Column (x).
    #[inline(always)]
    pub fn col(self) -> usize {
        self.col
    }
}

/// The thread's index over the whole 1-D launch: `block_idx_x * block_dim_x + thread_idx_x`.
#[inline(always)]
pub fn index_1d() -> Index1D {
    Index1D(along(block_idx_x(), block_dim_x(), thread_idx_x()), PhantomData)
}

/// The thread's row and column over the whole 2-D launch.
#[inline(always)]
pub fn index_2d() -> Index2D {
    Index2D {
        row: along(block_idx_y(), block_dim_y(), thread_idx_y()),
        col: along(block_idx_x(), block_dim_x(), thread_idx_x()),
        here: PhantomData,
    }
}

/// The thread's plane, row and column over the whole 3-D launch.
#[inline(always)]
pub fn index_3d() -> Index3D {
    Index3D {
        plane: along(block_idx_z(), block_dim_z(), thread_idx_z()),
        row: along(block_idx_y(), block_dim_y(), thread_idx_y()),
        col: along(block_idx_x(), block_dim_x(), thread_idx_x()),
        here: PhantomData,
    }
}

#[inline(always)]
fn along(block: u32, extent: u32, thread: u32) -> usize {
    // 2^31 blocks of 2^10 threads: the product needs 64 bits, and cannot overflow them.
    (block as usize).wrapping_mul(extent as usize).wrapping_add(thread as usize)
}

/// Waits until every thread of the block has come here (or has ended), and makes their writes visible to each other.
///
/// Every thread of the block must reach the same barriers in the same order; the simulator reports where they do not.
#[inline(always)]
pub fn sync_threads() {
    __threadwise_barrier();
}
