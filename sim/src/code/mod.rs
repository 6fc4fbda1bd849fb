//! Decoded code: what the simulator runs.

pub(crate) mod binary;
pub(crate) mod compare;
pub(crate) mod convert;
pub(crate) mod directed;
pub(crate) mod float;
mod op;
pub(crate) mod small;
pub(crate) mod table;
pub(crate) mod ternary;
pub(crate) mod unary;

pub(crate) use op::*;
