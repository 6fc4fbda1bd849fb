//! PTX lexer, parser, types, verifier and printer.
//!
//! Covers what LLVM's NVPTX back end writes for kernels (PTX ISA 6.3 to 8.5, sm_75 to sm_90) plus the common rest of the ISA that inline
//! assembly uses. [`parse`] gives a [`Module`]; its `Display` prints PTX again; [`verify`] checks names, operand counts and types.

#![forbid(unsafe_code)]

mod ast;
mod error;
mod lexer;
mod opcode;
mod parser;
mod print;
mod types;
mod verify;

pub use ast::*;
pub use error::Error;
pub use opcode::{Flag, Modifier, Opcode};
pub use types::{Kind, ScalarType, Space};

/// Parses a PTX module.
pub fn parse(text: &str) -> Result<Module, Error> {
    let tokens = lexer::lex(text)?;
    parser::module(&tokens)
}

/// Checks that names resolve, that operands fit their instruction in number and type, and that branches stay in their function.
pub fn verify(module: &Module) -> Result<(), Error> {
    verify::module(module)
}
