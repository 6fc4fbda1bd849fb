use threadwise::prelude::*;

struct Model {
    a: f32,
}

impl Model {
    #[kernel]
    fn scale(&self, mut y: DisjointSlice<f32>) {
        if let Some(y) = y.get_mut(thread::index_1d()) {
            *y *= self.a;
        }
    }
}

fn main() {}
