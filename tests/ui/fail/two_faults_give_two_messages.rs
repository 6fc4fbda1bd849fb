use threadwise::prelude::*;

#[kernel(fma = 1)]
fn wrong((a, b): (f32, f32), y: &mut [f32]) {
    y[0] = a + b;
}

fn main() {}
