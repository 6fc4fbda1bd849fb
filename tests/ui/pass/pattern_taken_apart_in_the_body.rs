use threadwise::prelude::*;

#[kernel(fma = false)]
fn right(ab: (f32, f32), _: u32, mut y: DisjointSlice<f32>) {
    let (a, b) = ab;
    if let Some(y) = y.get_mut(thread::index_1d()) {
        *y = a + b;
    }
}

fn main() {}
