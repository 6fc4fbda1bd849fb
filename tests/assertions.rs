//! Assertions beyond core's, in kernels: each passes where it holds, and says what it found where not.

use threadwise::prelude::*;

#[kernel_test]
fn near_floats_are_close() {
    let x = warp::lane() as f32;
    assert_close!(x, x.next_up(), ulps = 1);
    assert_close!(x * 1.000_01, x, rel = 1e-4, "lane {x}");
    assert_close!(1e-9_f64, 0.0, rel = 1e-6, abs = 1e-8);
}

#[kernel_test(should_panic(
    expected = "assertion `left ≈ right` failed: lane 5\n  left: 5.0\n right: 5.000001\n apart: 2 ulps; allowed: ulps = 1"
))]
#[cfg_attr(not(debug_assertions), ignore = "release builds leave the values out")]
fn floats_that_are_not_close_are_shown_with_their_distance() {
    let lane = warp::lane();
    let x = lane as f32;
    let other = if lane == 5 { x.next_up().next_up() } else { x };
    assert_close!(x, other, ulps = 1, "lane {lane}");
}

#[kernel_test(grid = 2, block = 70)]
fn uniform_values_are_uniform_in_partial_warps_too() {
    assert_uniform!(warp::index_in_block());
    assert_uniform!(f64::from(thread::block_idx_x()) / 3.0, block);
    assert_uniform!(thread::block_idx_x() == 1, block);
    for i in 0..3_i64 {
        assert_uniform!(-i, block);
    }
}

#[kernel_test(should_panic(expected = "`warp::lane() / 31` is the same in all threads of the warp\n first: 0\n  here: 1"))]
#[cfg_attr(not(debug_assertions), ignore = "release builds leave the values out")]
fn value_that_differs_in_one_lane_is_not_uniform() {
    assert_uniform!(warp::lane() / 31);
}

#[kernel_test(block = 96, should_panic(expected = "is the same in all threads of the block\n first: 'a'\n  here: 'b'"))]
#[cfg_attr(not(debug_assertions), ignore = "release builds leave the values out")]
fn value_that_differs_in_one_warp_is_not_uniform_in_the_block() {
    let c = if warp::index_in_block() == 2 { 'b' } else { 'a' };
    assert_uniform!(c);
    assert_uniform!(c, block);
}

#[kernel_test(block = 64)]
fn threads_that_have_ended_do_not_count() {
    if thread::thread_idx_x() < 7 {
        return;
    }
    assert_uniform!(warp::lane() > 40);
    assert_uniform!(7_u8, block);
    assert_all!(thread::thread_idx_x() >= 7, block);
    assert_any!(thread::thread_idx_x() == 7, block);
    assert_all!(thread::thread_idx_x() >= 7);
}

#[kernel_test(block = 100)]
fn conditions_hold_in_all_and_in_any() {
    let i = thread::thread_idx_x();
    assert_all!(i < 100);
    assert_all!(i < 100, block);
    assert_any!(i % 32 == 3);
    assert_any!(i == 99, block);
}

#[kernel_test(
    block = 64,
    should_panic(expected = "`thread::thread_idx_x() < 40` in all threads of the warp; it holds in 8 of 32\n  here: ")
)]
#[cfg_attr(not(debug_assertions), ignore = "release builds leave the values out")]
fn condition_that_fails_in_some_lanes_ends_the_warp() {
    assert_all!(thread::thread_idx_x() < 40);
}

#[kernel_test(block = 64, should_panic(expected = "in all threads of the block; it holds in 40 of 64\n  here: "))]
#[cfg_attr(not(debug_assertions), ignore = "release builds leave the values out")]
fn condition_that_fails_in_some_threads_ends_the_block() {
    assert_all!(thread::thread_idx_x() < 40, block);
}

#[kernel_test(
    block = 64,
    should_panic(expected = "`thread::thread_idx_x() == 70` in any thread of the block; it holds in 0 of 64\n  here: false")
)]
#[cfg_attr(not(debug_assertions), ignore = "release builds leave the values out")]
fn condition_that_holds_nowhere() {
    assert_any!(thread::thread_idx_x() == 70, block);
}

#[kernel_test(block = 64, should_panic(expected = "in any thread of the warp; it holds in 0 of 32"))]
#[cfg_attr(not(debug_assertions), ignore = "release builds leave the values out")]
fn condition_that_holds_in_another_warp() {
    assert_any!(thread::thread_idx_x() == 50);
}

#[kernel_test(should_panic(expected = "expectation `left == right` failed: once more\n  left: 3\n right: 4"))]
#[cfg_attr(not(debug_assertions), ignore = "release builds leave the values out")]
fn failed_expectation_fails_the_test() {
    expect_eq!(warp::lane() / 32 + 3, 4, "once {}", "more");
}

/// Writes a 1 after expectations that fail in every other thread.
#[kernel]
fn expects(mut out: DisjointSlice<u32>) {
    let at = thread::index_1d();
    let i = at.get();
    expect_eq!(i % 2, 0);
    expect_eq!(i % 2, 0, "thread {i}");
    if let Some(out) = out.get_mut(at) {
        *out = 1;
    }
}

#[test]
fn thread_goes_on_after_a_failed_expectation_and_each_failure_counts() {
    let device = Device::simulator().unwrap();
    let mut out = device.zeros::<u32>(64).unwrap();
    let error = expects(&mut out).grid(1).block(64).launch_detailed(100).unwrap_err();
    let Error::Panic(panic) = error else { panic!("expected failures, got {error}") };
    assert!(!panic.ended && panic.message.starts_with("expectation `left == right` failed"), "{panic}");
    assert_eq!(panic.threads, 64);
    let details = panic.details.as_ref().unwrap();
    assert_eq!(details.others.len(), 63);
    assert!(details.failed.iter().enumerate().all(|(i, &failed)| failed == (i % 2 == 1)));
    assert!(panic.to_string().contains("(and 63 more failures)"), "{panic}");
    assert_eq!(out.to_host().unwrap(), [1; 64]);
}

/// Not in kernels alone.
#[test]
#[should_panic(expected = "allowed: rel = 1e-3 abs = 0.0")]
fn close_works_on_the_host() {
    assert_close!(1.0, 1.01, rel = 1e-3, abs = 0.0);
}
