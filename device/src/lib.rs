//! What threadwise kernels call: thread and block indices, warps, shared memory, atomics, and the views through which kernels reach
//! device memory.
//!
//! Everything here is compiled into kernels through rustc's own metadata, with no separate device build. The few operations that are GPU
//! instructions are the functions of `intrinsics`, which lowering replaces; called on the host they panic and say so.

#![cfg_attr(not(test), no_std)]

pub mod assert;
pub mod atomic;
mod copy;
mod intrinsics;
mod param;
pub mod shared;
mod statics;
pub mod thread;
mod view;
pub mod warp;

pub use copy::{DeviceCopy, Element, Pod, Zeroable};
pub use param::{ByValue, Closure, KernelParam, dim, kind};
pub use shared::{DynamicShared, SharedArray, SharedTile};
pub use statics::{DeviceStatic, Writable};
pub use view::{DisjointSlice, DisjointSlice2D, DisjointSlice3D};
