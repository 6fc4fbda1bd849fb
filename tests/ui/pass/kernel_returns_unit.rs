use threadwise::prelude::*;

#[kernel]
fn first(x: &[f32], mut y: DisjointSlice<f32>) -> () {
    if let Some(y) = y.get_mut(thread::index_1d()) {
        *y = x[0];
    }
}

fn main() {}
