//! From the bitcode of a Rust crate to PTX.
//!
//! [`lower`] runs in a process of its own, because LLVM ends the whole process on what it cannot select. The caller writes a [`Request`]
//! to a file, starts that process, and reads the [`Response`] it left.

pub mod archive;
mod error;
mod llvm;
mod pipeline;
mod stages;
mod wire;

pub use error::{Diagnostic, Fault};
pub use pipeline::lower;
pub use stages::demangle;
pub use wire::{Image, KernelInfo, Libraries, Request, Response, StaticInfo, WireError};
