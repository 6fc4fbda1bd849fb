use threadwise::prelude::*;

type Output = *mut f32;

#[kernel]
fn scatter(y: Output) {
    unsafe { *y = 1.0 };
}

fn main() {}
