//! Assertions beyond those of core: nearly equal floats, what several threads have in common, and expectations that do not end the thread.
//!
//! `assert!`, `assert_eq!`, `assert_ne!` and `debug_assert!` of core work in kernels as they are. Where a message says what the operands
//! were, it does so in builds with debug assertions; other builds keep the text that is fixed.
//!
//! The assertions over a warp or block are met by all of its threads that have not ended, as a barrier is.

use core::fmt::{Arguments, Debug};
use core::panic::Location;

use crate::intrinsics::*;
use crate::thread;

/// Asserts that two floats are nearly equal: `ulps = 2` units in the last place, `rel = 1e-6` of the larger one, `abs = 1e-9`, or any of
/// several. Works on the host too.
///
/// Equal floats are near, so are 0 and -0; NaN is near nothing, and an infinity only itself. After the limits a message may follow, as in
/// `assert_eq!`.
///
/// ```
/// # use threadwise_device::assert_close;
/// assert_close!(0.1_f32 + 0.2, 0.3, ulps = 1);
/// assert_close!(1e-12, 0.0, rel = 1e-6, abs = 1e-9, "the residual");
/// ```
#[macro_export]
macro_rules! assert_close {
    ($left:expr, $right:expr, $($kind:ident = $limit:expr),+ $(,)?) => {
        $crate::assert_close!(@check $left, $right, [$($kind = $limit),+], ::core::option::Option::None)
    };
    ($left:expr, $right:expr, $($kind:ident = $limit:expr),+, $text:literal $($arguments:tt)*) => {
        $crate::assert_close!(
            @check $left, $right, [$($kind = $limit),+], ::core::option::Option::Some(::core::format_args!($text $($arguments)*))
        )
    };
    (@check $left:expr, $right:expr, [$($kind:ident = $limit:expr),+], $message:expr) => {
        match ($left, $right) {
            (left, right) => {
                if !$crate::assert::Near::new()$(.$kind($limit))+.holds(left, right) {
                    $crate::assert::not_near(left, right, ::core::concat!($(" ", ::core::stringify!($kind = $limit)),+), $message);
                }
            }
        }
    };
}

/// Asserts that a value is the same in all threads of the warp, or with `, block` of the block. Those in which it differs from that of
/// the first thread panic.
///
/// All threads of the warp or block that have not ended must come here. Values are numbers, `bool` and `char`, compared bit by bit.
///
/// ```
/// # use threadwise_device::{assert_uniform, thread};
/// # fn kernel(n: u32) {
/// assert_uniform!(n / 32);
/// assert_uniform!(thread::block_idx_x(), block);
/// # }
/// ```
#[macro_export]
macro_rules! assert_uniform {
    ($value:expr $(,)?) => {
        $crate::assert::uniform_in_warp($value, ::core::stringify!($value))
    };
    ($value:expr, warp $(,)?) => {
        $crate::assert::uniform_in_warp($value, ::core::stringify!($value))
    };
    ($value:expr, block $(,)?) => {
        $crate::assert::uniform_in_block($value, ::core::stringify!($value))
    };
}

/// Asserts that a condition holds in all threads of the warp, or with `, block` of the block. If it does not, all of them panic.
///
/// All threads of the warp or block that have not ended must come here.
///
/// ```
/// # use threadwise_device::{assert_all, thread};
/// # fn kernel(x: f32) {
/// assert_all!(x >= 0.0);
/// assert_all!(x < 1.0, block);
/// # }
/// ```
#[macro_export]
macro_rules! assert_all {
    ($condition:expr $(,)?) => {
        $crate::assert::all_in_warp($condition, ::core::stringify!($condition))
    };
    ($condition:expr, warp $(,)?) => {
        $crate::assert::all_in_warp($condition, ::core::stringify!($condition))
    };
    ($condition:expr, block $(,)?) => {
        $crate::assert::all_in_block($condition, ::core::stringify!($condition))
    };
}

/// Asserts that a condition holds in at least one thread of the warp, or with `, block` of the block. If it does not, all of them panic.
///
/// All threads of the warp or block that have not ended must come here.
///
/// ```
/// # use threadwise_device::assert_any;
/// # fn kernel(found: bool) {
/// assert_any!(found);
/// assert_any!(found, block);
/// # }
/// ```
#[macro_export]
macro_rules! assert_any {
    ($condition:expr $(,)?) => {
        $crate::assert::any_in_warp($condition, ::core::stringify!($condition))
    };
    ($condition:expr, warp $(,)?) => {
        $crate::assert::any_in_warp($condition, ::core::stringify!($condition))
    };
    ($condition:expr, block $(,)?) => {
        $crate::assert::any_in_block($condition, ::core::stringify!($condition))
    };
}

/// Expects two values to be equal. If they are not, that is recorded as `assert_eq!` does, but the thread goes on; when the kernel has
/// ended, the failure is reported as a panic is.
///
/// ```
/// # use threadwise_device::expect_eq;
/// # fn kernel(i: usize, x: &[u32]) {
/// expect_eq!(x[i], 2 * i as u32);
/// expect_eq!(x[i] % 2, 0, "element {i}");
/// # }
/// ```
#[macro_export]
macro_rules! expect_eq {
    ($left:expr, $right:expr $(,)?) => { $crate::expect_eq!(@check $left, $right, ::core::option::Option::None) };
    ($left:expr, $right:expr, $($message:tt)+) => {
        $crate::expect_eq!(@check $left, $right, ::core::option::Option::Some(::core::format_args!($($message)+)))
    };
    (@check $left:expr, $right:expr, $message:expr) => {
        match (&$left, &$right) {
            (left, right) => {
                if !(*left == *right) {
                    $crate::assert::unexpected(left, right, $message);
                }
            }
        }
    };
}

mod sealed {
    pub trait Sealed {}
}

/// A float that [`assert_close!`](crate::assert_close!) compares.
pub trait Float: Copy + Debug + sealed::Sealed {
    /// The same number, with more room.
    fn wide(self) -> f64;
    /// How many floats of the type lie between the two, plus one; 0 when they are equal. `u64::MAX` when one is NaN.
    fn ulps(self, other: Self) -> u64;
}

macro_rules! float {
    ($($float:ident $bits:ident;)*) => {$(
        impl sealed::Sealed for $float {}
        impl Float for $float {
            #[inline(always)]
            fn wide(self) -> f64 {
                f64::from(self)
            }

            #[inline(always)]
            fn ulps(self, other: Self) -> u64 {
                const SIGN: $bits = 1 << ($bits::BITS - 1);
                // Places on one line: negative floats before SIGN, positive ones after it, and both zeros on it.
                let place = |bits: $bits| if bits & SIGN == 0 { SIGN | bits } else { SIGN - (bits & !SIGN) };
                if self.is_nan() || other.is_nan() {
                    return u64::MAX;
                }
                u64::from(place(self.to_bits()).abs_diff(place(other.to_bits())))
            }
        }
    )*};
}

float! {
    f32 u32;
    f64 u64;
}

/// How near two floats have to be: within any of the limits that are set.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Near {
    ulps: u64,
    rel: f64,
    abs: f64,
}

impl Near {
    /// Equal.
    #[inline(always)]
    pub const fn new() -> Self {
        Near { ulps: 0, rel: 0.0, abs: 0.0 }
    }

    /// Or at most so many units in the last place apart.
    #[inline(always)]
    pub const fn ulps(self, ulps: u64) -> Self {
        Near { ulps, ..self }
    }

    /// Or apart by at most that part of the larger magnitude.
    #[inline(always)]
    pub const fn rel(self, rel: f64) -> Self {
        Near { rel, ..self }
    }

    /// Or apart by at most that much.
    #[inline(always)]
    pub const fn abs(self, abs: f64) -> Self {
        Near { abs, ..self }
    }

    /// How far apart `a` and `b` may be, units in the last place aside.
    #[inline(always)]
    pub fn within(&self, a: f64, b: f64) -> f64 {
        self.abs.max(self.rel * a.abs().max(b.abs()))
    }

    /// Whether the two are that near.
    #[inline(always)]
    pub fn holds<T: Float>(&self, left: T, right: T) -> bool {
        let (a, b) = (left.wide(), right.wide());
        if a == b {
            return true;
        }
        if !(a.is_finite() && b.is_finite()) {
            return false;
        }
        (a - b).abs() <= self.within(a, b) || (self.ulps > 0 && left.ulps(right) <= self.ulps)
    }
}

/// What [`assert_close!`](crate::assert_close!) ends in.
#[doc(hidden)]
#[cold]
#[inline(never)]
#[track_caller]
pub fn not_near<T: Float>(left: T, right: T, limits: &str, message: Option<Arguments<'_>>) -> ! {
    let ulps = left.ulps(right);
    match message {
        Some(message) => {
            panic!("assertion `left ≈ right` failed: {message}\n  left: {left:?}\n right: {right:?}\n apart: {ulps} ulps; allowed:{limits}")
        }
        None => panic!("assertion `left ≈ right` failed\n  left: {left:?}\n right: {right:?}\n apart: {ulps} ulps; allowed:{limits}"),
    }
}

/// What [`expect_eq!`](crate::expect_eq!) leads to.
#[doc(hidden)]
#[inline(always)]
#[track_caller]
pub fn unexpected(left: &dyn Debug, right: &dyn Debug, message: Option<Arguments<'_>>) {
    __threadwise_expect_failed(left, right, message, Location::caller());
}

/// A value that [`assert_uniform!`](crate::assert_uniform!) compares across threads.
pub trait Word: Copy + Debug + sealed::Sealed {
    /// Its bits.
    #[doc(hidden)]
    fn bits(self) -> u64;
    /// The value of those bits.
    #[doc(hidden)]
    fn of_bits(bits: u64) -> Self;
}

macro_rules! word {
    ($($t:ty: |$v:ident| $to:expr, |$bits:ident| $of:expr;)*) => {$(
        impl Word for $t {
            #[inline(always)]
            fn bits(self) -> u64 {
                let $v = self;
                $to
            }

            #[inline(always)]
            fn of_bits($bits: u64) -> Self {
                $of
            }
        }
    )*};
}

macro_rules! integers {
    ($($t:ty)*) => {$(
        impl sealed::Sealed for $t {}
        word! { $t: |v| v as u64, |bits| bits as $t; }
    )*};
}

integers!(u8 i8 u16 i16 u32 i32 u64 i64 usize isize);
impl sealed::Sealed for bool {}
impl sealed::Sealed for char {}
word! {
    bool: |v| u64::from(v), |bits| bits != 0;
    char: |v| u64::from(v as u32), |bits| char::from_u32(bits as u32).unwrap_or(char::REPLACEMENT_CHARACTER);
    f32: |v| u64::from(v.to_bits()), |bits| f32::from_bits(bits as u32);
    f64: |v| v.to_bits(), |bits| f64::from_bits(bits);
}

/// The lanes of the warp that have a thread which has not ended, once all of them are here.
#[inline(always)]
fn lanes() -> u32 {
    let behind = thread::block_size() - (thread::index_in_block() & !31);
    __threadwise_syncwarp(if behind < 32 { (1 << behind) - 1 } else { u32::MAX });
    __threadwise_activemask()
}

/// `bits` of the first thread of the block that has not ended.
#[inline(always)]
fn first_of_block(bits: u64) -> u64 {
    let me = thread::index_in_block();
    let slots = __threadwise_meeting();
    let (value, owner) = (slots, slots.wrapping_add(1).cast::<u32>());
    __threadwise_atomic_store_u32(owner, u32::MAX);
    __threadwise_barrier();
    __threadwise_atomic_min_u32(owner, me);
    __threadwise_barrier();
    if __threadwise_atomic_load_u32(owner) == me {
        __threadwise_atomic_store_u64(value, bits);
    }
    __threadwise_barrier();
    let first = __threadwise_atomic_load_u64(value);
    // The next use begins by writing.
    __threadwise_barrier();
    first
}

#[doc(hidden)]
#[inline(always)]
#[track_caller]
pub fn uniform_in_warp<T: Word>(value: T, text: &str) {
    let mask = lanes();
    let bits = value.bits();
    let of_first = |half: u64| u64::from(__threadwise_shuffle_idx(mask, half as u32, mask.trailing_zeros()));
    let first = of_first(bits) | of_first(bits >> 32) << 32;
    if first != bits {
        not_uniform(T::of_bits(first), value, text, "warp");
    }
}

#[doc(hidden)]
#[inline(always)]
#[track_caller]
pub fn uniform_in_block<T: Word>(value: T, text: &str) {
    let first = first_of_block(value.bits());
    if first != value.bits() {
        not_uniform(T::of_bits(first), value, text, "block");
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn not_uniform<T: Word>(first: T, here: T, text: &str, scope: &str) -> ! {
    panic!("assertion failed: `{text}` is the same in all threads of the {scope}\n first: {first:?}\n  here: {here:?}")
}

/// How many threads there are, and in how many the condition holds.
#[inline(always)]
fn votes_of_warp(condition: bool) -> (u32, u32) {
    let mask = lanes();
    (mask.count_ones(), __threadwise_ballot(mask, condition).count_ones())
}

#[inline(always)]
fn votes_of_block(condition: bool) -> (u32, u32) {
    (__threadwise_barrier_count(true), __threadwise_barrier_count(condition))
}

macro_rules! votes {
    ($($name:ident $votes:ident $text:literal, |$threads:ident, $holding:ident| $passes:expr;)*) => {$(
        #[doc(hidden)]
        #[inline(always)]
        #[track_caller]
        pub fn $name(condition: bool, text: &str) {
            let ($threads, $holding) = $votes(condition);
            if !$passes {
                voted_down(condition, $threads, $holding, text, $text);
            }
        }
    )*};
}

votes! {
    all_in_warp votes_of_warp "in all threads of the warp", |threads, holding| threads == holding;
    all_in_block votes_of_block "in all threads of the block", |threads, holding| threads == holding;
    any_in_warp votes_of_warp "in any thread of the warp", |_threads, holding| holding > 0;
    any_in_block votes_of_block "in any thread of the block", |_threads, holding| holding > 0;
}

#[cold]
#[inline(never)]
#[track_caller]
fn voted_down(here: bool, threads: u32, holding: u32, text: &str, scope: &str) -> ! {
    panic!("assertion failed: `{text}` {scope}; it holds in {holding} of {threads}\n  here: {here}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ulps_count_the_floats_between() {
        assert_eq!(1.0_f32.ulps(1.0_f32.next_up()), 1);
        assert_eq!(1.0_f64.ulps(1.0_f64.next_down().next_down()), 2);
        assert_eq!(f32::from_bits(1).ulps(-f32::from_bits(1)), 2);
        assert_eq!((-0.0_f32).ulps(0.0), 0);
        assert_eq!(f64::MAX.ulps(f64::INFINITY), 1);
        assert_eq!(f32::NAN.ulps(f32::NAN), u64::MAX);
        assert_eq!(f64::NEG_INFINITY.ulps(f64::INFINITY), 2 * 0x7ff0_0000_0000_0000);
    }

    #[test]
    fn near_within_any_limit() {
        let near = Near::new().rel(1e-3).abs(1e-6);
        assert!(near.holds(1.0, 1.000_999));
        assert!(!near.holds(1.0, 1.001_1));
        assert!(near.holds(1e-7, -8e-7));
        assert!(!near.holds(1e-7, -1e-5));
        assert!(Near::new().ulps(1).holds(1.0_f32, 1.0_f32.next_up()));
        assert!(!Near::new().ulps(1).holds(1.0_f32, 1.0_f32.next_up().next_up()));
    }

    #[test]
    fn nan_is_near_nothing_and_infinity_near_itself_alone() {
        let all = Near::new().ulps(u64::MAX).rel(f64::INFINITY).abs(f64::INFINITY);
        assert!(!all.holds(f32::NAN, f32::NAN));
        assert!(!all.holds(f64::MAX, f64::INFINITY));
        assert!(all.holds(f32::INFINITY, f32::INFINITY));
        assert!(!all.holds(f32::INFINITY, f32::NEG_INFINITY));
        assert!(Near::new().holds(0.0, -0.0));
    }

    #[test]
    #[should_panic(
        expected = "assertion `left ≈ right` failed: sum 3\n  left: 1.0\n right: 1.5\n apart: 4194304 ulps; allowed: ulps = 2 rel = 0.1"
    )]
    fn message_has_operands_distance_and_limits() {
        assert_close!(1.0_f32, 1.5, ulps = 2, rel = 0.1, "sum {}", 3);
    }

    #[test]
    fn words_come_back_from_their_bits() {
        assert_eq!(i8::of_bits((-3_i8).bits()), -3);
        assert_eq!(char::of_bits('ß'.bits()), 'ß');
        assert_eq!(f64::of_bits((-0.0_f64).bits()).to_bits(), (-0.0_f64).to_bits());
        assert!(bool::of_bits(true.bits()));
    }
}
