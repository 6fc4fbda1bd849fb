//! `#[kernel_test]`: bodies that run once per thread and assert.

use threadwise::prelude::*;

#[kernel_test(block = 32)]
fn lanes_sum_to_496() {
    assert_eq!(warp::sum(warp::lane()), 496);
}

#[kernel_test(grid = (2, 3), block = (8, 4, 2))]
fn grid_and_block_are_those_of_the_attribute() {
    assert_eq!((thread::grid_dim_x(), thread::grid_dim_y(), thread::grid_dim_z()), (2, 3, 1));
    assert_eq!((thread::block_dim_x(), thread::block_dim_y(), thread::block_dim_z()), (8, 4, 2));
}

#[kernel_test(shared_bytes = 128)]
fn shared_memory_has_the_size_asked_for() {
    let slots = DynamicShared::<u32>::new();
    let last = slots.fill_with(|i| i as u32).sync()[31];
    assert_eq!(last, 31);
}

#[kernel_test(block = 64, should_panic(expected = "right: 7"))]
#[cfg_attr(not(debug_assertions), ignore = "release builds leave the values out")]
fn failed_assertion_shows_both_values() {
    assert_eq!(thread::thread_idx_x() / 100, 7);
}

#[kernel_test]
#[should_panic(expected = "index out of bounds")]
fn index_out_of_bounds_is_a_panic() {
    let x = [1u32, 2, 3];
    assert!(x[thread::thread_idx_x() as usize] > 0);
}

#[kernel_test]
#[ignore = "shows that the attribute is kept"]
fn ignored() {
    panic!("ignored tests do not run");
}

#[kernel_test]
#[case(1, 2, 3)]
#[case::with_zero(0, 5, 5)]
fn adds(a: u32, b: u32, sum: u32) {
    assert_eq!(a + b, sum);
}

#[kernel_test]
fn quotient_times_divisor_is_near(#[values(-1, 0, 7)] a: i32, #[values(2..5)] b: i32) {
    assert!((a / b * b - a).abs() < b);
}

#[kernel_test(block = 4)]
#[case([3, 1, 2, 0], 6)]
#[case(vec![1; 4], 4)]
fn slices_are_buffers(x: &[u32], sum: u32) {
    assert_eq!(x.iter().sum::<u32>(), sum);
    assert!(x[thread::thread_idx_x() as usize] < 4);
}
