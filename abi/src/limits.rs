//! Limits of the CUDA programming model that hold on every GPU from compute capability 7.5 on
//! (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability").

/// Threads in a block, over all dimensions.
pub const MAX_THREADS_PER_BLOCK: u32 = 1024;
/// Threads along x and y of a block.
pub const MAX_BLOCK_DIM_XY: u32 = 1024;
/// Threads along z of a block.
pub const MAX_BLOCK_DIM_Z: u32 = 64;
/// Blocks along x of a grid.
pub const MAX_GRID_DIM_X: u32 = 0x7fff_ffff;
/// Blocks along y and z of a grid.
pub const MAX_GRID_DIM_YZ: u32 = 65_535;
/// Lanes in a warp.
pub const WARP_SIZE: u32 = 32;
/// Bytes of shared memory a block may use without an opt-in.
pub const MAX_SHARED_BYTES: u32 = 48 * 1024;
/// Bytes of kernel parameters, from PTX ISA 8.1 (CUDA 12.1) on.
pub const MAX_PARAMETER_BYTES: usize = 32_764;
/// Bytes of kernel parameters with any PTX ISA.
pub const SMALL_PARAMETER_BYTES: usize = 4096;
