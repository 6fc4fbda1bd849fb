use threadwise::prelude::*;

#[kernel]
fn scale(x: &[f32], mut y: DisjointSlice<f32>, a: f32) {
    let at = thread::index_1d();
    if let Some(y) = y.get_mut(at) {
        *y = a * x[at.get()];
    }
}

fn launch(x: &DeviceBuffer<f32>, y: &mut DeviceBuffer<f32>) -> threadwise::Result<()> {
    scale(x, y).over(100).launch()?;
    Ok(())
}

fn main() {}
