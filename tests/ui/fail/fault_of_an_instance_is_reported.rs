use threadwise::prelude::*;

fn at_least_four<const N: usize>() {
    const { assert!(N >= 4, "N is too small") };
}

#[kernel]
fn instance() {
    at_least_four::<3>();
}

fn main() {}
