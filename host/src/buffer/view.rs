//! Parts of buffers, and addresses.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use threadwise_device::DeviceCopy;

use super::DeviceBuffer;

/// A part of a [`DeviceBuffer`], which can be used like a buffer of its own.
#[derive(Debug)]
pub struct DeviceSlice<'a, T: DeviceCopy> {
    part: DeviceBuffer<T>,
    whole: PhantomData<&'a DeviceBuffer<T>>,
}

impl<T: DeviceCopy> DeviceSlice<'_, T> {
    pub(super) fn new(part: DeviceBuffer<T>) -> Self {
        DeviceSlice { part, whole: PhantomData }
    }
}

impl<T: DeviceCopy> Deref for DeviceSlice<'_, T> {
    type Target = DeviceBuffer<T>;

    fn deref(&self) -> &DeviceBuffer<T> {
        &self.part
    }
}

/// A part of a [`DeviceBuffer`] that can be written, and used like a buffer of its own.
///
/// Safe code can `swap` the part out and keep it beyond the borrow. It then shares ownership of the memory, and a launch or copy that would
/// write overlapping parts is refused.
#[derive(Debug)]
pub struct DeviceSliceMut<'a, T: DeviceCopy> {
    part: DeviceBuffer<T>,
    whole: PhantomData<&'a mut DeviceBuffer<T>>,
}

impl<T: DeviceCopy> DeviceSliceMut<'_, T> {
    pub(super) fn new(part: DeviceBuffer<T>) -> Self {
        DeviceSliceMut { part, whole: PhantomData }
    }
}

impl<T: DeviceCopy> Deref for DeviceSliceMut<'_, T> {
    type Target = DeviceBuffer<T>;

    fn deref(&self) -> &DeviceBuffer<T> {
        &self.part
    }
}

impl<T: DeviceCopy> DerefMut for DeviceSliceMut<'_, T> {
    fn deref_mut(&mut self) -> &mut DeviceBuffer<T> {
        &mut self.part
    }
}

/// An address of `T` in device memory: what `unsafe` kernels take as `*const T` or `*mut T`. It neither keeps the memory nor orders the
/// work that uses it.
pub struct DevicePointer<T> {
    address: u64,
    device: u64,
    target: PhantomData<fn() -> T>,
}

impl<T> DevicePointer<T> {
    pub(super) fn new(address: u64, device: u64) -> Self {
        DevicePointer { address, device, target: PhantomData }
    }

    /// The address as a number.
    pub fn address(self) -> u64 {
        self.address
    }

    /// The same address, seen as that of another type.
    pub fn cast<U>(self) -> DevicePointer<U> {
        DevicePointer::new(self.address, self.device)
    }

    /// The address `elements` elements further on; negative counts go back.
    pub fn wrapping_offset(self, elements: isize) -> Self {
        let bytes = (elements as i64).wrapping_mul(size_of::<T>() as i64);
        DevicePointer::new(self.address.wrapping_add_signed(bytes), self.device)
    }

    pub(crate) fn device_id(self) -> u64 {
        self.device
    }
}

impl<T> Clone for DevicePointer<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for DevicePointer<T> {}

impl<T> fmt::Debug for DevicePointer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DevicePointer<{}>({:#x})", std::any::type_name::<T>(), self.address)
    }
}
