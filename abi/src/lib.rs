//! Names and layouts that the two sides of threadwise agree on.
//!
//! The *device* side (macros in the device pass, lowering, kernels) writes what this crate describes; the *host* side (launches, the
//! simulator) reads it. Whatever both must spell the same way is spelled here, once.

#![no_std]

mod dim;
mod kernel;
mod limits;
mod panic;
pub mod symbols;

pub use dim::Dim3;
pub use kernel::{
    Component, ComponentKind, DESCRIPTOR_MAGIC, INSTANCES_MAGIC, InstancesMark, KernelDescriptor, KernelFlags, KernelId, MAX_COMPONENTS,
    parameter_bytes,
};
pub use limits::*;
pub use panic::{MESSAGE_CAPACITY, PanicKind, PanicRecord, RECORD_CLAIMED, RECORD_COMPLETE, RECORD_FREE};

/// Source of the module that defines [`PanicRecord`], for the device runtime, which is compiled apart from any crate.
pub const PANIC_RECORD_SOURCE: &str = include_str!("panic.rs");
