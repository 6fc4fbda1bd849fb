//! GPU kernels as ordinary Rust functions: no toolkit, no nightly, one dependency.
//!
//! A function with `#[kernel]` runs once per thread on the GPU, or on the built-in simulator where there is no GPU. Called on the host it
//! makes a [`Launch`].
//!
//! ```no_run
//! use threadwise::prelude::*;
//!
//! /// y[i] += a * x[i], one thread per element.
//! #[kernel]
//! fn saxpy(x: &[f32], mut y: DisjointSlice<f32>, a: f32) {
//!     let at = thread::index_1d();
//!     if let Some(out) = y.get_mut(at) {
//!         *out += a * x[at.get()];
//!     }
//! }
//!
//! fn main() -> threadwise::Result<()> {
//!     let gpu = Device::new()?;
//!     let x = gpu.to_device(&[1.0; 1000])?;
//!     let mut y = gpu.zeros(1000)?;
//!     saxpy(&x, &mut y, 2.0).over(1000).launch()?;
//!     assert_eq!(y.to_host()?, [2.0; 1000]);
//!     Ok(())
//! }
//! ```
//!
//! What kernels call is in [`thread`], [`warp`], [`atomic`] and [`shared`](mod@shared); what the host calls begins with [`Device`].

// The macros name this crate `::threadwise`, also in its own examples and tests.
extern crate self as threadwise;

pub use threadwise_device::{
    DeviceCopy, DeviceStatic, DisjointSlice, DisjointSlice2D, DisjointSlice3D, DynamicShared, Element, KernelParam, Pod, SharedArray,
    SharedTile, Zeroable, assert, assert_all, assert_any, assert_close, assert_uniform, atomic, dim, expect_eq, kind, shared, thread, warp,
};
pub use threadwise_host::*;
pub use threadwise_macros::{DeviceCopy, Pod, Zeroable, device, instances, kernel, kernel_test, launch_bounds};
pub use threadwise_testing::{self as testing, assert_close_slice, assert_snapshot};

/// Everything that a program with kernels needs, for `use threadwise::prelude::*`.
pub mod prelude {
    pub use crate::atomic::{
        AtomicF32, AtomicF64, AtomicI32, AtomicU32, AtomicU64,
        Ordering::{self, Relaxed},
    };
    pub use crate::thread::sync_threads;
    pub use crate::{
        Device, DeviceBuffer, DeviceBuffer2D, DeviceBuffer3D, DeviceCopy, DevicePointer, DeviceSlice, DeviceSliceMut, Dim3, DisjointSlice,
        DisjointSlice2D, DisjointSlice3D, DynamicShared, Error, Event, GlobalRef, Launch, LaunchConfig, Result, SharedArray, SharedTile,
        Stream, assert_all, assert_any, assert_close, assert_close_slice, assert_snapshot, assert_uniform, device, expect_eq, kernel,
        kernel_test, launch_bounds, shared, thread, warp,
    };
}

/// What the code that macros generate names. Nothing here is a public interface.
#[doc(hidden)]
pub mod __private {
    pub use linkme;
    pub use threadwise_abi as abi;
    pub use threadwise_device as device;
    pub use threadwise_host::__private::{Arg, instantiate};
    pub use threadwise_host::{ImageBlob, KernelBlob, Launch, MODULES, ModuleBlob, StaticBlob};
}
