//! A type parameter must be `DeviceCopy` to be a parameter or an element, and `impl Trait` cannot tell instances apart.

use threadwise::prelude::*;

#[kernel]
fn unbounded<T: Copy + 'static>(x: &[T], mut y: DisjointSlice<u32>) {
    if let Some(y) = y.get_mut(thread::index_1d()) {
        *y = x.len() as u32;
    }
}

#[kernel]
fn implicit(x: impl Copy, mut y: DisjointSlice<u32>) {
    let _ = x;
    if let Some(y) = y.get_mut(thread::index_1d()) {
        *y = 1;
    }
}

fn main() {}
