//! Device memory with a type and a length.

mod shaped;
mod view;

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Bound, RangeBounds};
use std::sync::Arc;

use threadwise_device::{DeviceCopy, Zeroable};

use crate::device::Device;
use crate::error::{Error, Result};
use crate::order::{Access, Allocation, Covered};

pub use shaped::{DeviceBuffer2D, DeviceBuffer3D};
pub use view::{DevicePointer, DeviceSlice, DeviceSliceMut};

/// Alignment of every allocation; types that need more get a larger allocation.
const ALLOCATION_ALIGN: usize = 256;

/// `len` elements of `T` in the memory of a device. What a kernel takes as `&[T]` or `DisjointSlice<T>`.
///
/// The memory is freed behind all work that uses it, when the buffer and the views of it are gone.
pub struct DeviceBuffer<T: DeviceCopy> {
    allocation: Arc<Allocation>,
    /// Bytes from the beginning of the allocation.
    offset: usize,
    len: usize,
    element: PhantomData<T>,
}

impl<T: DeviceCopy> DeviceBuffer<T> {
    /// A buffer on `device` with a copy of `values`.
    ///
    /// # Errors
    /// When the device has no room, or the driver fails.
    pub fn from_host(device: &Device, values: &[T]) -> Result<Self> {
        let mut buffer = Self::unwritten(device, values.len())?;
        buffer.copy_from(values)?;
        Ok(buffer)
    }

    /// A buffer of `len` elements on `device`, all bits zero.
    ///
    /// # Errors
    /// When the device has no room, or the driver fails.
    pub fn zeroed(device: &Device, len: usize) -> Result<Self>
    where
        T: Zeroable,
    {
        let buffer = Self::unwritten(device, len)?;
        if let Some(memory) = buffer.memory() {
            let mut order = device.order();
            let stream = buffer.allocation.stream();
            buffer.allocation.prepare(&mut order, &stream, Access::Write)?;
            // SAFETY: these are the buffer's bytes.
            unsafe { memory.fill(stream.raw(), buffer.offset, 0, buffer.bytes()) }?;
        }
        Ok(buffer)
    }

    /// Memory that the caller writes before anyone can read it.
    fn unwritten(device: &Device, len: usize) -> Result<Self> {
        let too_large = || Error::TooLarge { len: len.to_string(), element_bytes: size_of::<T>() };
        let bytes = len.checked_mul(size_of::<T>()).filter(|&bytes| bytes <= isize::MAX as usize).ok_or_else(too_large)?;
        let extra = if bytes > 0 && align_of::<T>() > ALLOCATION_ALIGN { align_of::<T>() } else { 0 };
        let allocation = Allocation::new(device, bytes + extra)?;
        let address = allocation.memory().map_or(0, |memory| memory.address());
        let offset = (address.next_multiple_of(align_of::<T>() as u64) - address) as usize;
        Ok(DeviceBuffer { allocation: Arc::new(allocation), offset, len, element: PhantomData })
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The device.
    pub fn device(&self) -> &Device {
        self.allocation.device()
    }

    /// The elements. Waits for the work that writes them.
    ///
    /// # Errors
    /// [`Error::Panic`] when a kernel panicked before, when the host has no room, or what the driver says went wrong.
    pub fn to_host(&self) -> Result<Vec<T>> {
        let mut values = Vec::new();
        values.try_reserve_exact(self.len).map_err(|_| Error::OutOfHostMemory { bytes: self.bytes() })?;
        // SAFETY: the vector has room for `len` elements.
        unsafe { self.read(values.as_mut_ptr()) }?;
        // SAFETY: all `len` elements were written, with values that the host or a kernel wrote as `T`.
        unsafe { values.set_len(self.len) };
        Ok(values)
    }

    /// The elements; another name of [`DeviceBuffer::to_host`].
    ///
    /// # Errors
    /// As for [`DeviceBuffer::to_host`].
    pub fn to_host_vec(&self) -> Result<Vec<T>> {
        self.to_host()
    }

    /// Copies the elements to `values`. Waits for the work that writes them.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] when `values` has another length; otherwise as for [`DeviceBuffer::to_host`].
    pub fn read_into(&self, values: &mut [T]) -> Result<()> {
        self.expect_len("reading it", values.len())?;
        // SAFETY: the slice has `len` elements.
        unsafe { self.read(values.as_mut_ptr()) }
    }

    /// Overwrites the elements by `values`.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] when `values` has another length, or what the driver says went wrong.
    pub fn copy_from(&mut self, values: &[T]) -> Result<()> {
        self.expect_len("copying from the host", values.len())?;
        let Some(memory) = self.memory() else { return Ok(()) };
        let mut order = self.device().order();
        let stream = self.allocation.stream();
        self.allocation.prepare(&mut order, &stream, Access::Write)?;
        // SAFETY: the slice is readable for as long as the call takes, and both sides have `len` elements.
        unsafe { memory.write(stream.raw(), self.offset, values.as_ptr().cast(), self.bytes()) }
    }

    /// Overwrites the elements by those of another buffer of the same device.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] when `other` has another length, [`Error::DeviceMismatch`] when it is on another device, or what the
    /// driver says went wrong.
    pub fn copy_from_device(&mut self, other: &DeviceBuffer<T>) -> Result<()> {
        self.expect_len("copying from another buffer", other.len)?;
        self.device().expect_same(other.device(), "the source of the copy")?;
        let (Some(memory), Some(from)) = (self.memory(), other.memory()) else { return Ok(()) };
        if Arc::ptr_eq(&self.allocation, &other.allocation) && self.offset.abs_diff(other.offset) < self.bytes() {
            return Err(Error::OverlappingCopy);
        }
        let mut order = self.device().order();
        let stream = self.allocation.stream();
        other.allocation.prepare(&mut order, &stream, Access::Read)?;
        self.allocation.prepare(&mut order, &stream, Access::Write)?;
        // SAFETY: both ranges are their buffers' bytes and of equal length, and were found not to overlap.
        unsafe { memory.copy_from(stream.raw(), self.offset, from, other.offset, self.bytes()) }
    }

    /// The elements in `range`, as a buffer.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] when the range is not within the buffer.
    pub fn slice(&self, range: impl RangeBounds<usize>) -> Result<DeviceSlice<'_, T>> {
        Ok(DeviceSlice::new(self.part(range)?))
    }

    /// The elements in `range`, as a buffer that can be written.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] when the range is not within the buffer.
    pub fn slice_mut(&mut self, range: impl RangeBounds<usize>) -> Result<DeviceSliceMut<'_, T>> {
        Ok(DeviceSliceMut::new(self.part(range)?))
    }

    /// The address, for kernels that take `*const T` or `*mut T` and so are `unsafe`. Whoever passes it sees to it that the buffer is still
    /// there when the kernel runs, and that work on other streams is ordered.
    pub fn as_pointer(&self) -> DevicePointer<T> {
        DevicePointer::new(self.address(), self.device().id())
    }

    /// The same memory as a row-major matrix.
    ///
    /// # Errors
    /// [`Error::ShapeMismatch`] when the buffer does not have `rows * cols` elements.
    pub fn into_2d(self, rows: usize, cols: usize) -> Result<DeviceBuffer2D<T>> {
        DeviceBuffer2D::from_flat(self, rows, cols)
    }

    /// The same memory as a volume of `planes` row-major matrices.
    ///
    /// # Errors
    /// [`Error::ShapeMismatch`] when the buffer does not have `planes * rows * cols` elements.
    pub fn into_3d(self, planes: usize, rows: usize, cols: usize) -> Result<DeviceBuffer3D<T>> {
        DeviceBuffer3D::from_flat(self, planes, rows, cols)
    }

    /// The address of the first element; of no elements, one that is aligned and not null, as a slice wants.
    pub(crate) fn address(&self) -> u64 {
        match self.allocation.memory() {
            Some(memory) => memory.address() + self.offset as u64,
            None => align_of::<T>() as u64,
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        // No overflow: checked when the buffer was made.
        self.len * size_of::<T>()
    }

    pub(crate) fn allocation(&self) -> &Arc<Allocation> {
        &self.allocation
    }

    /// The memory, unless there are no bytes in it.
    fn memory(&self) -> Option<&crate::backend::Memory> {
        self.allocation.memory().filter(|_| self.bytes() > 0)
    }

    fn expect_len(&self, what: &'static str, other: usize) -> Result<()> {
        if self.len == other { Ok(()) } else { Err(Error::LengthMismatch { what, device: self.len, other }) }
    }

    fn part(&self, range: impl RangeBounds<usize>) -> Result<DeviceBuffer<T>> {
        let start = match range.start_bound() {
            Bound::Included(&start) => Some(start),
            Bound::Excluded(&before) => before.checked_add(1),
            Bound::Unbounded => Some(0),
        };
        let end = match range.end_bound() {
            Bound::Included(&last) => last.checked_add(1),
            Bound::Excluded(&end) => Some(end),
            Bound::Unbounded => Some(self.len),
        };
        let (start, end) = (start.unwrap_or(usize::MAX), end.unwrap_or(usize::MAX));
        if start > end || end > self.len {
            return Err(Error::OutOfRange { start, end, len: self.len });
        }
        let (allocation, offset) = (Arc::clone(&self.allocation), self.offset + start * size_of::<T>());
        Ok(DeviceBuffer { allocation, offset, len: end - start, element: PhantomData })
    }

    /// Copies the elements to `to`, then looks for panics.
    ///
    /// # Safety
    /// `to` must be valid for writing `len` elements.
    unsafe fn read(&self, to: *mut T) -> Result<()> {
        let stream = self.allocation.stream();
        if let Some(memory) = self.memory() {
            let mut order = Some(self.device().order());
            if let Some(order) = order.as_deref_mut() {
                self.allocation.prepare(order, &stream, Access::Read)?;
            }
            // The copy takes a while, and other threads should be able to launch meanwhile. Nothing can write the elements now, unless a
            // view of them was swapped out of its borrow, and that would be another owner.
            if Arc::strong_count(&self.allocation) == 1 {
                order = None;
            }
            // SAFETY: the caller vouches for `to`, and these are the buffer's bytes.
            unsafe { memory.read(stream.raw(), self.offset, to.cast(), self.bytes()) }?;
            drop(order);
        }
        self.device().order().check_panics(Covered::Stream(stream.id()))
    }
}

impl<T: DeviceCopy> fmt::Debug for DeviceBuffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DeviceBuffer<{}>({} elements, {})", std::any::type_name::<T>(), self.len, self.device())
    }
}
