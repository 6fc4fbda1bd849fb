use threadwise::prelude::*;

#[kernel_test(grid = (1, 2), block = (1, 2, 3), shared_bytes = 16, devices(sim, cuda), fma = false)]
fn options() {}

#[kernel_test]
#[should_panic(expected = "x")]
fn attribute() {
    panic!("x");
}

#[kernel_test]
#[case(1)]
#[case::two(2)]
fn cases(n: u32, #[values(0..2, 7)] m: u32) {
    assert!(n > m || m > 0);
}

fn main() {}
