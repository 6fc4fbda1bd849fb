//! LLVM's C API, opened at run time, behind owning types.
//!
//! Handles are copies of LLVM's pointers, bound to the lifetime of their context. A handle of something that was deleted or replaced must
//! not be used again; the stages keep to that by collecting handles anew after each change.

macro_rules! llvm {
    ($function:ident($($argument:expr),* $(,)?)) => {{
        let function = $crate::llvm::ffi::api().$function;
        // SAFETY: the signature is the C header's, and every handle passed comes from LLVM and lives in a context that is still open.
        unsafe { function($($argument),*) }
    }};
}

mod attribute;
mod constant;
mod context;
mod ffi;
mod module;
mod rewrite;
mod target;
mod value;

pub(crate) use attribute::Attribute;
pub(crate) use constant::Data;
pub(crate) use context::Context;
pub(crate) use ffi::open;
pub(crate) use module::Module;
pub(crate) use target::{Machine, initialize};
pub(crate) use value::{Function, Global, Instruction, Linkage, Opcode, Value};
