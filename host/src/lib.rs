//! Devices, memory, streams and typed launches, over the CUDA driver or the simulator.
//!
//! [`Device`] is where everything begins; [`DeviceBuffer`] is its memory. Functions that `#[kernel]` makes return a [`Launch`]. A panic of
//! a kernel is an [`Error::Panic`] at the next synchronization, and a fault that the simulator finds is an [`Error::Fault`].

mod backend;
mod buffer;
mod bytes;
mod cuda;
mod device;
mod error;
mod fault;
mod global;
mod image;
mod launch;
mod limits;
mod module;
mod order;
mod packer;
mod panic;
mod registry;
mod sim;
mod stream;

pub use buffer::{DeviceBuffer, DeviceBuffer2D, DeviceBuffer3D, DevicePointer, DeviceSlice, DeviceSliceMut};
pub use device::{Device, MemoryInfo};
pub use error::{Error, LaunchProblem, Result};
pub use fault::{FaultKind, KernelFault, SourcePlace};
pub use global::GlobalRef;
pub use launch::extent::{Dimensions, Extent, Extents, Shape};
pub use launch::{Launch, LaunchConfig};
pub use limits::DeviceLimit;
pub use panic::{KernelPanic, PanicDetails};
pub use registry::{ImageBlob, KernelBlob, MODULES, ModuleBlob, StaticBlob};
pub use stream::{Event, Stream};
pub use threadwise_abi::Dim3;

/// For the code that macros generate. Nothing here is a public interface.
#[doc(hidden)]
pub mod __private {
    pub use crate::launch::Launch;
    pub use crate::packer::{Arg, HostKind, Packer};
    pub use crate::registry::{ImageBlob, KernelBlob, MODULES, ModuleBlob, StaticBlob, instantiate, register};
    pub use linkme;
    pub use threadwise_abi as abi;
    pub use threadwise_device as device;
}
