use threadwise::prelude::*;

#[kernel]
fn written(mut y: DisjointSlice<f32>, count: &[AtomicU32]) {
    if let Some(y) = y.get_mut(thread::index_1d()) {
        *y = 1.0;
        count[0].fetch_add(1, Ordering::Relaxed);
    }
}

fn main() {}
