use threadwise::prelude::*;

#[derive(Clone, Copy, DeviceCopy)]
struct Kernel(f32);

#[kernel]
fn entry(kernel: Kernel, mut descriptor: DisjointSlice<f32>, entry: f32) {
    let Kernel(a) = kernel;
    if let Some(module) = descriptor.get_mut(thread::index_1d()) {
        *module = a + entry;
    }
}

#[kernel]
fn r#loop(r#type: f32, p0_0: f32) {
    let _ = (r#type, p0_0);
}

fn main() {
    let _ = r#loop(1.0, 2.0);
}
