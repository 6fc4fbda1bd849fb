use threadwise::prelude::*;

#[kernel]
fn plain() {}

#[kernel]
pub fn public() {}

#[kernel]
unsafe fn trusting() {}

mod inner {
    use super::*;

    #[kernel]
    pub(crate) fn nested() {}
}

fn main() {
    let _ = (plain(), public(), inner::nested());
    // SAFETY: the kernel does nothing.
    let _ = unsafe { trusting() };
}
