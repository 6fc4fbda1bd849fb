use threadwise::prelude::*;

#[kernel]
fn slice(y: &mut [f32]) {
    y[0] = 1.0;
}

#[kernel]
fn single(y: &mut f32) {
    *y = 1.0;
}

#[kernel]
fn shared(y: &f32) {
    let _ = y;
}

fn main() {}
