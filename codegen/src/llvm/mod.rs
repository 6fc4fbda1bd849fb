//! The C API of LLVM.
