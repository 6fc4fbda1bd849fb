use threadwise::prelude::*;

#[derive(Clone, Copy)]
struct Point {
    x: f32,
}

#[kernel]
fn shift(points: &[Point], mut y: DisjointSlice<f32>) {
    if let Some(y) = y.get_mut(thread::index_1d()) {
        *y += points[0].x;
    }
}

fn main() {}
