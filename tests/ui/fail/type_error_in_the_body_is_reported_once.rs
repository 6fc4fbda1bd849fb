use threadwise::prelude::*;

#[kernel]
fn scale(mut y: DisjointSlice<f32>) {
    if let Some(y) = y.get_mut(thread::index_1d()) {
        *y = 1.0f64;
    }
}

fn main() {}
