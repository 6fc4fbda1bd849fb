use threadwise::prelude::*;

fn first<T: Copy>(x: &[T]) -> T {
    x[0]
}

#[kernel]
fn of_lifetimes<'a>(x: &'a [f32], mut y: DisjointSlice<f32>) {
    let x: &'a [f32] = x;
    if let Some(y) = y.get_mut(thread::index_1d()) {
        *y = first(x);
    }
}

fn main() {}
