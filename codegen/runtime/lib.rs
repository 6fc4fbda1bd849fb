//! The device runtime: compiled to bitcode by the build script, linked into kernels as far as they need it.

#![no_std]
#![allow(internal_features, unused, reason = "linked by name")]

mod alloc;
mod math;
mod panic;
#[path = "record.rs"]
mod record;
mod wide;
