//! The NVPTX target machine.

use std::ptr::null_mut;

use super::ffi::{Ref, take_message};
use super::value::c_string;

/// Makes the NVPTX back end known.
pub(crate) fn initialize() {
    // LLVM 22 takes `sext(!c)` apart as if it were `sext(c)` plus a constant when it splits addresses, and reads from the wrong place.
    let options = [c"threadwise".as_ptr(), c"-disable-separate-const-offset-from-gep".as_ptr()];
    llvm!(LLVMParseCommandLineOptions(options.len() as std::ffi::c_int, options.as_ptr(), std::ptr::null()));
    llvm!(LLVMInitializeNVPTXTarget());
    llvm!(LLVMInitializeNVPTXTargetInfo());
    llvm!(LLVMInitializeNVPTXTargetMC());
    llvm!(LLVMInitializeNVPTXAsmPrinter());
}

const TRIPLE: &str = "nvptx64-nvidia-cuda";

/// NVPTX for one architecture.
pub(crate) struct Machine {
    pub(super) raw: Ref,
    layout: String,
}

impl Machine {
    /// For `arch` such as `sm_75`, with `features` such as `+ptx63`.
    pub(crate) fn new(arch: &str, features: &str) -> Result<Self, String> {
        const AGGRESSIVE: i32 = 3;
        const DEFAULT: i32 = 0;
        let (mut target, mut message) = (null_mut(), null_mut());
        let triple = c_string(TRIPLE);
        if (llvm!(LLVMGetTargetFromTriple(triple.as_ptr(), &raw mut target, &raw mut message))) != 0 {
            return Err(take_message(message));
        }
        let raw = llvm!(LLVMCreateTargetMachine(
            target,
            triple.as_ptr(),
            c_string(arch).as_ptr(),
            c_string(features).as_ptr(),
            AGGRESSIVE,
            DEFAULT,
            DEFAULT
        ));
        if raw.is_null() {
            return Err(format!("LLVM has no target machine for {arch}"));
        }
        let data = llvm!(LLVMCreateTargetDataLayout(raw));
        let layout = take_message(llvm!(LLVMCopyStringRepOfTargetData(data)));
        llvm!(LLVMDisposeTargetData(data));
        Ok(Machine { raw, layout })
    }

    pub(crate) fn triple(&self) -> &str {
        TRIPLE
    }

    pub(crate) fn layout(&self) -> &str {
        &self.layout
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        llvm!(LLVMDisposeTargetMachine(self.raw));
    }
}
