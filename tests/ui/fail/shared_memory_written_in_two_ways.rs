use threadwise::prelude::*;

#[kernel]
fn mixed(x: &[f32], mut y: DisjointSlice<f32>) {
    let slots = shared!([f32; 64]);
    let slots = if thread::thread_idx_x() < 32 { slots.write(x[0]) } else { slots.write_per_warp(x[1]) };
    let slots = slots.sync();
    if let Some(out) = y.get_mut(thread::index_1d()) {
        *out = slots[0];
    }
}

fn main() {}
