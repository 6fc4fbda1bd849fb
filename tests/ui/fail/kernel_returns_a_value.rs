use threadwise::prelude::*;

#[kernel]
fn first(x: &[f32]) -> f32 {
    x[0]
}

fn main() {
    let gpu = Device::new().unwrap();
    let x = gpu.to_device(&[1.0]).unwrap();
    first(&x).over(1).launch().unwrap();
}
