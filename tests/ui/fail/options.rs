use threadwise::prelude::*;

#[kernel(fast = true)]
fn unknown() {}

#[kernel(max_threads = 2048)]
fn too_many() {}

#[kernel(max_threads = 0, max_threads = 32)]
fn twice() {}

#[kernel(min_blocks = 2)]
fn alone() {}

#[kernel(fma)]
fn no_value() {}

#[kernel]
#[launch_bounds]
fn no_bounds() {}

#[kernel]
#[launch_bounds(1, 2, 3)]
fn three_bounds() {}

#[launch_bounds(32)]
fn no_kernel() {}

#[kernel]
#[unsafe(no_mangle)]
fn symbol() {}

fn main() {}
