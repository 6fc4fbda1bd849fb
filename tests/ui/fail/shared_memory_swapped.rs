use threadwise::prelude::*;

#[kernel]
fn swapped(x: &[f32], mut y: DisjointSlice<f32>) {
    let (mut a, mut b) = (shared!([f32; 64]), shared!([f32; 64]));
    if thread::thread_idx_x() % 2 == 0 {
        std::mem::swap(&mut a, &mut b);
    }
    let (a, b) = (a.write(x[0]).sync(), b.write(x[1]).sync());
    if let Some(out) = y.get_mut(thread::index_1d()) {
        *out = a[0] + b[0];
    }
}

fn main() {}
