use threadwise::prelude::*;

#[kernel_test(blok = 32)]
fn unknown_option() {}

#[kernel_test(block = 0, grid = (1, 2, 3, 4))]
fn extents() {}

#[kernel_test(block = 1, block = 2)]
fn given_twice() {}

#[kernel_test(devices(gpu))]
fn unknown_device() {}

#[kernel_test(should_panic(message = "x"))]
fn expectation() {}

#[kernel_test]
#[test]
fn test_of_a_test() {}

#[kernel_test]
unsafe fn without_safety() {}

#[kernel_test]
fn generic<T>() {}

#[kernel_test]
fn value() -> u32 {
    1
}

fn main() {}
