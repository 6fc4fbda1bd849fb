//! Lowers the bitcode of a Rust crate to PTX
