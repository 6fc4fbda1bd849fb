#![deny(unused_must_use)]
use threadwise::prelude::*;

#[kernel]
fn nothing() {}

fn main() {
    let _ = nothing();
}
