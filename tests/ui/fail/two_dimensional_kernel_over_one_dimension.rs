use threadwise::prelude::*;

#[kernel]
fn fill(mut z: DisjointSlice2D<f32>) {
    if let Some(z) = z.get_mut(thread::index_2d()) {
        *z = 1.0;
    }
}

fn launch(z: &mut DeviceBuffer2D<f32>) -> threadwise::Result<()> {
    fill(z).over(64).launch()?;
    Ok(())
}

fn main() {}
