//! The simulator behind the same interface as the CUDA driver. Everything is done when the call returns, so streams have nothing to wait
//! for.

pub(crate) mod device;
mod error;
mod host_memory;
pub(crate) mod launch;
pub(crate) mod memory;
pub(crate) mod module;
pub(crate) mod stream;
