//! Running decoded code.

mod access;
mod atomic;
mod block;
mod call;
mod collective;
mod context;
mod interpret;
mod launch;
mod print;
mod registers;
mod schedule;
mod warp;

pub(crate) use launch::{Program, launch};
