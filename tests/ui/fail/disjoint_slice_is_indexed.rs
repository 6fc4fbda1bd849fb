use threadwise::prelude::*;

#[kernel]
fn double(x: &[f32], mut y: DisjointSlice<f32>) {
    let i = thread::index_1d().get();
    y[i] = 2.0 * x[i];
}

fn main() {}
