//! The 32 threads that run together: lanes, shuffles, votes and reductions over a warp.
//!
//! All 32 lanes of the warp must take part in each operation (the mask is the full warp): blocks have a multiple of 32 threads, and no lane
//! returns early or goes another way. The simulator reports where that does not hold; on a GPU the result is undefined.

use core::ops::Add;

use crate::intrinsics::*;
use crate::thread;

/// All 32 lanes.
pub const FULL_MASK: u32 = u32::MAX;

/// The thread's index in its warp, 0 to 31.
#[inline(always)]
pub fn lane() -> u32 {
    __threadwise_laneid()
}

/// The warp's index in its block.
#[inline(always)]
pub fn index_in_block() -> u32 {
    thread::index_in_block() / 32
}

/// Waits for all lanes of the warp and makes their writes visible to each other.
#[inline(always)]
pub fn sync() {
    __threadwise_syncwarp(FULL_MASK);
}

/// One bit per lane: whether its `predicate` holds.
#[inline(always)]
pub fn ballot(predicate: bool) -> u32 {
    __threadwise_ballot(FULL_MASK, predicate)
}

/// Whether `predicate` holds in every lane.
#[inline(always)]
pub fn all(predicate: bool) -> bool {
    ballot(predicate) == FULL_MASK
}

/// Whether `predicate` holds in any lane.
#[inline(always)]
pub fn any(predicate: bool) -> bool {
    ballot(predicate) != 0
}

/// One bit per lane that runs this instruction together with the caller.
#[inline(always)]
pub fn active_mask() -> u32 {
    __threadwise_activemask()
}

mod sealed {
    pub trait Sealed {}
}

/// A value that lanes can exchange: `i32`, `u32`, `f32`, and the 64-bit ones in two halves.
pub trait Shuffle: Copy + sealed::Sealed {
    #[doc(hidden)]
    fn exchange(self, by: impl Fn(u32) -> u32) -> Self;
}

macro_rules! shuffle {
    ($($t:ty: |$v:ident, $by:ident| $body:expr;)*) => {$(
        impl sealed::Sealed for $t {}
        impl Shuffle for $t {
            #[inline(always)]
            fn exchange(self, $by: impl Fn(u32) -> u32) -> Self {
                let $v = self;
                $body
            }
        }
    )*};
}

shuffle! {
    u32: |v, by| by(v);
    i32: |v, by| by(v as u32) as i32;
    f32: |v, by| f32::from_bits(by(v.to_bits()));
    u64: |v, by| u64::from(by(v as u32)) | u64::from(by((v >> 32) as u32)) << 32;
    i64: |v, by| (v as u64).exchange(by) as i64;
    f64: |v, by| f64::from_bits(v.to_bits().exchange(by));
}

/// `value` of lane `source` (modulo 32).
#[inline(always)]
pub fn shuffle_idx<T: Shuffle>(value: T, source: u32) -> T {
    value.exchange(|half| __threadwise_shuffle_idx(FULL_MASK, half, source))
}

/// `value` of the lane `delta` below; lanes below `delta` keep their own.
#[inline(always)]
pub fn shuffle_up<T: Shuffle>(value: T, delta: u32) -> T {
    value.exchange(|half| __threadwise_shuffle_up(FULL_MASK, half, delta))
}

/// `value` of the lane `delta` above; lanes for which that would be past 31 keep their own.
#[inline(always)]
pub fn shuffle_down<T: Shuffle>(value: T, delta: u32) -> T {
    value.exchange(|half| __threadwise_shuffle_down(FULL_MASK, half, delta))
}

/// `value` of the lane whose index is this lane's, exclusive-or `lanes`.
#[inline(always)]
pub fn shuffle_xor<T: Shuffle>(value: T, lanes: u32) -> T {
    value.exchange(|half| __threadwise_shuffle_xor(FULL_MASK, half, lanes))
}

/// The sum of `value` over the warp, in every lane. Floats are added as a butterfly: over lanes 16, 8, 4, 2 and 1 apart.
#[inline(always)]
pub fn sum<T: Shuffle + Add<Output = T>>(value: T) -> T {
    reduce(value, |a, b| a + b)
}

/// `value` of all lanes combined by `combine`, which must be associative and commutative, in every lane.
#[inline(always)]
pub fn reduce<T: Shuffle>(value: T, combine: impl Fn(T, T) -> T) -> T {
    let mut total = value;
    let mut apart = 16;
    while apart > 0 {
        total = combine(total, shuffle_xor(total, apart));
        apart /= 2;
    }
    total
}
