use threadwise::prelude::*;
use threadwise::shared::{Reader, Writer};

fn staged<B>(slots: SharedArray<f32, 64, Writer, B>, value: f32) -> SharedArray<f32, 64, Reader, B> {
    slots.write(value).sync()
}

fn tile_sum<B>(tile: &SharedTile<f32, 8, 8, Reader, B>) -> f32 {
    tile.iter().flatten().sum()
}

#[kernel]
fn through(x: &[f32], mut y: DisjointSlice<f32>) {
    let slots = staged(shared!([f32; 64]), x[0]);
    let tile = shared!([[f32; 8]; 8]).write(1.0).sync();
    if let Some(out) = y.get_mut(thread::index_1d()) {
        *out = slots[0] + tile_sum(&tile);
    }
}

fn main() {}
