use threadwise::prelude::*;

struct Model;

impl Model {
    #[kernel]
    fn scale(a: f32, mut y: DisjointSlice<f32>) {
        if let Some(y) = y.get_mut(thread::index_1d()) {
            *y *= a;
        }
    }
}

#[allow(dead_code)]
fn launch(y: &mut DeviceBuffer<f32>) -> threadwise::Result<()> {
    Model::scale(2.0, y).over(100).launch()?;
    Ok(())
}

fn main() {}
