//! Which types may cross between host and device.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use crate::atomic::{AtomicF32, AtomicF64, AtomicI32, AtomicU32, AtomicU64};
use crate::param::kind;

/// A value that means the same on host and device: it can be copied bit by bit and holds no reference or host pointer.
///
/// Use `#[derive(DeviceCopy)]` for structs and enums of your own.
///
/// # Safety
/// The type must not contain references, pointers into host memory, or anything whose validity depends on the process it was made in.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be copied between host and device",
    label = "`DeviceCopy` is not implemented for `{Self}`",
    note = "add `#[derive(Clone, Copy, DeviceCopy)]` to `{Self}`; it may hold integers, floats, `bool`, `char`, arrays, tuples and other `DeviceCopy` types, but no references"
)]
pub unsafe trait DeviceCopy: Copy + 'static {}

/// A [`DeviceCopy`] type for which all bits zero is a value, so that a buffer can start out zeroed.
///
/// # Safety
/// The all-zero bit pattern must be a valid value of the type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no all-zero value",
    note = "add `#[derive(threadwise::Zeroable)]` to `{Self}` if it is a struct of yours",
    note = "use `Device::to_device` with values of your own instead of `Device::zeros`"
)]
pub unsafe trait Zeroable: DeviceCopy {}

/// A [`DeviceCopy`] type for which every bit pattern is a value; what shared memory may hold, since it starts out with arbitrary bits.
///
/// # Safety
/// Every bit pattern must be a valid value of the type.
#[diagnostic::on_unimplemented(
    message = "shared memory cannot hold `{Self}`: it starts out with arbitrary bits, and not all of them are a `{Self}`",
    note = "add `#[derive(threadwise::Pod)]` to `{Self}` if it is a struct of yours with fields that take every bit pattern"
)]
pub unsafe trait Pod: Zeroable {}

/// What the elements of a `&[T]` kernel parameter and `#[device] static`s can be: any [`DeviceCopy`] type, an atomic, or an array of atomics.
///
/// # Safety
/// `Self` must have the size and alignment of `Plain`, and every value of `Plain` must be one of `Self`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be in memory that kernels reach",
    label = "`{Self}` is neither `DeviceCopy` nor an atomic of threadwise",
    note = "add `#[derive(Clone, Copy, DeviceCopy)]` to `{Self}`"
)]
pub unsafe trait Element: 'static {
    /// What the host reads and writes.
    type Plain: DeviceCopy;
    /// What the host passes for `&[Self]`: a shared buffer, or for atomics, which the kernel writes, an exclusive one.
    type Kind;
}

// SAFETY: `Plain` is the type itself.
unsafe impl<T: DeviceCopy> Element for T {
    type Plain = T;
    type Kind = kind::Shared<T>;
}

macro_rules! atomic_elements {
    ($($atomic:ty: $plain:ty),*) => {$(
        // SAFETY: the atomics are `repr(transparent)` cells of the plain type.
        unsafe impl Element for $atomic {
            type Plain = $plain;
            type Kind = kind::Disjoint<$plain>;
        }
        // SAFETY: arrays of those cells.
        unsafe impl<const N: usize> Element for [$atomic; N] {
            type Plain = [$plain; N];
            type Kind = kind::Disjoint<[$plain; N]>;
        }
        // SAFETY: arrays of those cells.
        unsafe impl<const N: usize, const M: usize> Element for [[$atomic; N]; M] {
            type Plain = [[$plain; N]; M];
            type Kind = kind::Disjoint<[[$plain; N]; M]>;
        }
    )*};
}
atomic_elements!(AtomicU32: u32, AtomicI32: i32, AtomicU64: u64, AtomicF32: f32, AtomicF64: f64);

macro_rules! plain {
    ($($t:ty),*) => {$(
        // SAFETY: numbers hold no references.
        unsafe impl DeviceCopy for $t {}
        // SAFETY: zero is a number.
        unsafe impl Zeroable for $t {}
        // SAFETY: all bit patterns are numbers.
        unsafe impl Pod for $t {}
    )*};
}
plain!(u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize, f32, f64);

// SAFETY: holds no references.
unsafe impl DeviceCopy for bool {}
// SAFETY: zero is `false`.
unsafe impl Zeroable for bool {}
// SAFETY: holds no references.
unsafe impl DeviceCopy for char {}
// SAFETY: zero is `'\0'`.
unsafe impl Zeroable for char {}
// SAFETY: no data.
unsafe impl DeviceCopy for () {}
// SAFETY: no data.
unsafe impl<T: 'static> DeviceCopy for PhantomData<T> {}
// SAFETY: an array holds what its elements hold.
unsafe impl<T: DeviceCopy, const N: usize> DeviceCopy for [T; N] {}
// SAFETY: an array of zeros is zero in all bits.
unsafe impl<T: Zeroable, const N: usize> Zeroable for [T; N] {}
// SAFETY: elements of an array lie without padding.
unsafe impl<T: Pod, const N: usize> Pod for [T; N] {}
// SAFETY: an option adds at most a tag.
unsafe impl<T: DeviceCopy> DeviceCopy for Option<T> {}
// SAFETY: as its payload, or nothing.
unsafe impl<T: DeviceCopy> DeviceCopy for MaybeUninit<T> {}

macro_rules! tuples {
    ($(($($t:ident),+)),*) => {$(
        // SAFETY: a tuple holds what its fields hold; host and device share one layout, since both come from one compilation target.
        unsafe impl<$($t: DeviceCopy),+> DeviceCopy for ($($t,)+) {}
        // SAFETY: a tuple of zeros is zero in all bits.
        unsafe impl<$($t: Zeroable),+> Zeroable for ($($t,)+) {}
    )*};
}
tuples!((A), (A, B), (A, B, C), (A, B, C, D), (A, B, C, D, E), (A, B, C, D, E, F));
