//! What kernels do beyond arithmetic and ordinary memory: printing, asynchronous copies, barriers in memory, matrices.

mod common;

#[path = "features/print.rs"]
mod print;
