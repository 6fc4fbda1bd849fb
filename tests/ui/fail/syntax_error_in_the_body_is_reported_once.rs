use threadwise::prelude::*;

#[kernel]
fn scale(mut y: DisjointSlice<f32>) {
    let at = thread::index_1d()
    if let Some(y) = y.get_mut(at) {
        *y = 1.0;
    }
}

fn main() {}
