//! Atomics on device and shared memory, relaxed unless asked otherwise, with the whole device as scope.
//!
//! They are what many threads may write: `&[AtomicU32]` is a kernel parameter (the host passes a buffer of `u32`), and
//! `shared!([AtomicU32; 256])` is shared memory.

use core::cell::UnsafeCell;
pub use core::sync::atomic::Ordering;

use crate::intrinsics::*;

#[inline(always)]
fn ordered<T>(order: Ordering, operation: impl FnOnce() -> T) -> T {
    if order != Ordering::Relaxed && order != Ordering::Acquire {
        __threadwise_fence_device();
    }
    let result = operation();
    if order != Ordering::Relaxed && order != Ordering::Release {
        __threadwise_fence_device();
    }
    result
}

macro_rules! atomic {
    ($name:ident($value:ty), $bits:ty, $load:ident, $store:ident, $swap:ident,
     |$b:ident| $from:expr, |$v:ident| $to:expr; $($method:ident $intrinsic:ident $raw:ty: $doc:literal;)*) => {
        #[doc = concat!("An atomic `", stringify!($value), "` in device or shared memory.")]
        #[repr(transparent)]
        pub struct $name(UnsafeCell<$value>);

        // SAFETY: all access is atomic.
        unsafe impl Sync for $name {}

        impl $name {
            /// An atomic of that value, as for `#[device] static`s.
            pub const fn new(value: $value) -> Self {
                Self(UnsafeCell::new(value))
            }

            /// The value.
            #[inline(always)]
            pub fn load(&self, order: Ordering) -> $value {
                let $b = ordered(order, || $load(self.0.get().cast()));
                $from
            }

            /// Sets the value.
            #[inline(always)]
            pub fn store(&self, value: $value, order: Ordering) {
                let $v = value;
                ordered(order, || $store(self.0.get().cast(), $to))
            }

            /// Sets the value and returns the one before.
            #[inline(always)]
            pub fn swap(&self, value: $value, order: Ordering) -> $value {
                let $v = value;
                let $b = ordered(order, || $swap(self.0.get().cast(), $to));
                $from
            }

            $(
                #[doc = $doc]
                #[inline(always)]
                pub fn $method(&self, value: $value, order: Ordering) -> $value {
                    ordered(order, || $intrinsic(self.0.get().cast(), value as $raw) as $value)
                }
            )*
        }
    };
}

atomic! {
    AtomicU32(u32), u32, __threadwise_atomic_load_u32, __threadwise_atomic_store_u32, __threadwise_atomic_swap_u32, |b| b, |v| v;
    fetch_add __threadwise_atomic_add_u32 u32: "Adds `value`, wrapping, and returns the value before.";
    fetch_min __threadwise_atomic_min_u32 u32: "Takes the smaller of both and returns the value before.";
    fetch_max __threadwise_atomic_max_u32 u32: "Takes the larger of both and returns the value before.";
    fetch_and __threadwise_atomic_and_u32 u32: "Bitwise and; returns the value before.";
    fetch_or __threadwise_atomic_or_u32 u32: "Bitwise or; returns the value before.";
    fetch_xor __threadwise_atomic_xor_u32 u32: "Bitwise exclusive or; returns the value before.";
}
atomic! {
    AtomicI32(i32), u32, __threadwise_atomic_load_u32, __threadwise_atomic_store_u32, __threadwise_atomic_swap_u32,
    |b| b as i32, |v| v as u32;
    fetch_add __threadwise_atomic_add_u32 u32: "Adds `value`, wrapping, and returns the value before.";
    fetch_min __threadwise_atomic_min_i32 i32: "Takes the smaller of both and returns the value before.";
    fetch_max __threadwise_atomic_max_i32 i32: "Takes the larger of both and returns the value before.";
    fetch_and __threadwise_atomic_and_u32 u32: "Bitwise and; returns the value before.";
    fetch_or __threadwise_atomic_or_u32 u32: "Bitwise or; returns the value before.";
    fetch_xor __threadwise_atomic_xor_u32 u32: "Bitwise exclusive or; returns the value before.";
}
atomic! {
    AtomicU64(u64), u64, __threadwise_atomic_load_u64, __threadwise_atomic_store_u64, __threadwise_atomic_swap_u64, |b| b, |v| v;
    fetch_add __threadwise_atomic_add_u64 u64: "Adds `value`, wrapping, and returns the value before.";
    fetch_min __threadwise_atomic_min_u64 u64: "Takes the smaller of both and returns the value before.";
    fetch_max __threadwise_atomic_max_u64 u64: "Takes the larger of both and returns the value before.";
    fetch_and __threadwise_atomic_and_u64 u64: "Bitwise and; returns the value before.";
    fetch_or __threadwise_atomic_or_u64 u64: "Bitwise or; returns the value before.";
    fetch_xor __threadwise_atomic_xor_u64 u64: "Bitwise exclusive or; returns the value before.";
}
atomic! {
    AtomicF32(f32), u32, __threadwise_atomic_load_u32, __threadwise_atomic_store_u32, __threadwise_atomic_swap_u32,
    |b| f32::from_bits(b), |v| v.to_bits();
    fetch_add __threadwise_atomic_add_f32 f32: "Adds `value` and returns the value before. The order of additions, and so the rounding, varies.";
}
atomic! {
    AtomicF64(f64), u64, __threadwise_atomic_load_u64, __threadwise_atomic_store_u64, __threadwise_atomic_swap_u64,
    |b| f64::from_bits(b), |v| v.to_bits();
    fetch_add __threadwise_atomic_add_f64 f64: "Adds `value` and returns the value before. The order of additions, and so the rounding, varies.";
}

macro_rules! compare_exchange {
    ($($name:ident $value:ty: $cas:ident $bits:ty;)*) => {$(
        impl $name {
            /// Sets the value to `new` if it is `current`. Returns the value before, as `Ok` when it was set.
            ///
            /// # Errors
            /// The value found, when it was not `current`.
            #[inline(always)]
            pub fn compare_exchange(&self, current: $value, new: $value, order: Ordering) -> Result<$value, $value> {
                let found = ordered(order, || $cas(self.0.get().cast(), current as $bits, new as $bits)) as $value;
                if found == current { Ok(found) } else { Err(found) }
            }
        }
    )*};
}
compare_exchange! {
    AtomicU32 u32: __threadwise_atomic_cas_u32 u32;
    AtomicI32 i32: __threadwise_atomic_cas_u32 u32;
    AtomicU64 u64: __threadwise_atomic_cas_u64 u64;
}

/// The atomics of this module: they may lie in shared memory that all threads of a block reach at once.
///
/// # Safety
/// All access through `&self` must be atomic, and every bit pattern a value.
pub unsafe trait Atomic: Sync + 'static {}
// SAFETY: see the methods above.
unsafe impl Atomic for AtomicU32 {}
// SAFETY: see the methods above.
unsafe impl Atomic for AtomicI32 {}
// SAFETY: see the methods above.
unsafe impl Atomic for AtomicU64 {}
// SAFETY: see the methods above.
unsafe impl Atomic for AtomicF32 {}
// SAFETY: see the methods above.
unsafe impl Atomic for AtomicF64 {}
