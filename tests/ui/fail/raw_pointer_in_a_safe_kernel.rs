use threadwise::prelude::*;

#[kernel]
fn scatter(y: *mut f32) {
    unsafe { *y = 1.0 };
}

fn main() {}
