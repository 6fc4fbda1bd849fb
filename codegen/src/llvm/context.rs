//! A context, and the errors LLVM reports into it.

use std::ffi::c_void;
use std::sync::Mutex;

use super::ffi::{Ref, api, take_message};

/// An LLVM context: owns all types, constants and modules made in it.
pub(crate) struct Context {
    pub(super) raw: Ref,
    errors: Box<Mutex<Vec<String>>>,
}

/// Severities of `LLVMDiagnosticSeverity`.
const ERROR: u32 = 0;

extern "C" fn on_diagnostic(info: Ref, errors: *mut c_void) {
    if (llvm!(LLVMGetDiagInfoSeverity(info))) != ERROR {
        return;
    }
    let message = take_message(llvm!(LLVMGetDiagInfoDescription(info)));
    // SAFETY: the pointer is that of the box in `Context`, which outlives the raw context.
    let errors = unsafe { &*errors.cast::<Mutex<Vec<String>>>() };
    if let Ok(mut errors) = errors.lock() {
        errors.push(message);
    }
}

impl Context {
    pub(crate) fn new() -> Self {
        let errors = Box::new(Mutex::new(Vec::new()));
        let raw = llvm!(LLVMContextCreate());
        let sink = std::ptr::from_ref(errors.as_ref()).cast_mut().cast::<c_void>();
        // Without a handler of ours LLVM prints the error and exits the process.
        llvm!(LLVMContextSetDiagnosticHandler(raw, on_diagnostic, sink));
        Context { raw, errors }
    }

    /// The errors reported since the last call.
    pub(crate) fn take_errors(&self) -> Vec<String> {
        self.errors.lock().map(|mut errors| std::mem::take(&mut *errors)).unwrap_or_default()
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        let _ = api();
        llvm!(LLVMContextDispose(self.raw));
    }
}
