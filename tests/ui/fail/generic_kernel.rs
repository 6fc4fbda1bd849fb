use threadwise::prelude::*;

#[kernel]
fn of_types<T: DeviceCopy>(x: &[T]) {
    let _ = x;
}

#[kernel]
fn of_values<const N: usize>(x: &[f32]) {
    let _ = x;
}

#[kernel]
fn of_anything(x: impl DeviceCopy) {
    let _ = x;
}

fn main() {
    let gpu = Device::new().unwrap();
    let x = gpu.to_device(&[1.0f32]).unwrap();
    of_types(&x).over(1).launch().unwrap();
}
