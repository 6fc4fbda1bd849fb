//! Access to host buffers that several blocks may race on: relaxed atomics of the size of the access.

use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

/// An unsigned integer that memory is accessed by.
pub(crate) trait Cell: Copy {
    /// Reads.
    ///
    /// # Safety
    /// `at` is aligned and points into a live buffer of atomics.
    unsafe fn load(at: *mut u8) -> Self;

    /// Writes.
    ///
    /// # Safety
    /// As for `load`.
    unsafe fn store(at: *mut u8, value: Self);

    /// Replaces what is there by `f` of it, atomically, and returns what was there.
    ///
    /// # Safety
    /// As for `load`.
    unsafe fn update(at: *mut u8, f: impl Fn(Self) -> Self) -> Self;
}

macro_rules! cell {
    ($value:ty, $atomic:ty) => {
        impl Cell for $value {
            #[inline(always)]
            unsafe fn load(at: *mut u8) -> Self {
                // SAFETY: the caller vouches for alignment and liveness, and such buffers are only accessed through atomics.
                let cell = unsafe { <$atomic>::from_ptr(at.cast()) };
                cell.load(Ordering::Relaxed)
            }

            #[inline(always)]
            unsafe fn store(at: *mut u8, value: Self) {
                // SAFETY: as in `load`.
                let cell = unsafe { <$atomic>::from_ptr(at.cast()) };
                cell.store(value, Ordering::Relaxed);
            }

            #[inline(always)]
            unsafe fn update(at: *mut u8, f: impl Fn(Self) -> Self) -> Self {
                // SAFETY: as in `load`.
                let cell = unsafe { <$atomic>::from_ptr(at.cast()) };
                let mut old = cell.load(Ordering::Relaxed);
                loop {
                    match cell.compare_exchange_weak(old, f(old), Ordering::SeqCst, Ordering::Relaxed) {
                        Ok(_) => return old,
                        Err(now) => old = now,
                    }
                }
            }
        }
    };
}

cell!(u8, AtomicU8);
cell!(u16, AtomicU16);
cell!(u32, AtomicU32);
cell!(u64, AtomicU64);
