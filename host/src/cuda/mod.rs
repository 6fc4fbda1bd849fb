//! The CUDA driver. Its handles stay in this folder; each has an owning type.
//!
//! Every entry point makes the device's primary context current first: calls come from any thread, and other libraries in the process may
//! have changed it. Devices live as long as the process, so nothing here outlives its context.

pub(crate) mod device;
mod error;
pub(crate) mod launch;
pub(crate) mod memory;
pub(crate) mod module;
pub(crate) mod stream;
