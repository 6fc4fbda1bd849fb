//! Simulated memory: the address map, and global memory as allocations that are host buffers.

mod cell;
mod global;

pub(crate) use cell::Cell;
pub(crate) use global::{GlobalMemory, Region, View};

/// Addresses below are null pointers with an offset.
pub(crate) const NULL_END: u64 = 0x1000;
/// Size of each window of generic addresses.
pub(crate) const WINDOW_BYTES: u64 = 1 << 32;
/// Generic addresses of shared memory begin here.
pub(crate) const SHARED_WINDOW: u64 = 0x0001_0000_0000;
/// Generic addresses of the thread's own memory begin here.
pub(crate) const LOCAL_WINDOW: u64 = 0x0002_0000_0000;
/// Generic addresses of kernel parameters begin here.
pub(crate) const PARAMETER_WINDOW: u64 = 0x0003_0000_0000;
/// Addresses of functions begin here.
pub(crate) const FUNCTION_WINDOW: u64 = 0x0004_0000_0000;
/// Distance of function addresses.
pub(crate) const FUNCTION_STRIDE: u64 = 16;
/// Global memory begins here.
pub(crate) const GLOBAL_START: u64 = 0x7000_0000_0000;
