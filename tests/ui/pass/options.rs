use threadwise::prelude::*;

#[kernel(fma = false, max_threads = 256, min_blocks = 2)]
fn all() {}

#[kernel]
#[launch_bounds(1024)]
fn threads() {}

#[launch_bounds(256, 2)]
#[kernel]
fn above() {}

#[kernel(crate = ::threadwise)]
fn named_crate() {}

fn main() {}
