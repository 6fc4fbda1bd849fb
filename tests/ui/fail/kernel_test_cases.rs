use threadwise::prelude::*;

#[kernel_test]
fn parameter_without_values(n: u32) {
    assert!(n > 0);
}

#[kernel_test]
#[case(1, 2, 3)]
#[case(4)]
fn counts(a: u32, b: u32) {
    assert!(a < b);
}

#[kernel_test]
#[case(1)]
fn nothing_to_give(#[values(1, 2)] n: u32) {
    assert!(n > 0);
}

#[kernel_test]
fn ends(#[values(0..usize::MAX)] n: usize, #[values(0..100_000)] m: usize, #[values()] none: u32) {
    assert!(n > m);
}

#[kernel_test]
#[case::same(1)]
#[case::same(2)]
fn one_name(n: u32) {
    assert!(n > 0);
}

fn main() {}
