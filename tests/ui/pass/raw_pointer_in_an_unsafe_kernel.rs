use threadwise::prelude::*;

type Output = *mut f32;

/// # Safety
/// `y` and `z` must point to one element each.
#[kernel]
unsafe fn scatter(y: *mut f32, z: Output) {
    // SAFETY: the caller says so.
    unsafe { *y = 1.0 };
    // SAFETY: the caller says so.
    unsafe { *z = 1.0 };
}

fn main() {}
