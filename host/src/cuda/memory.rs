//! Device memory of the CUDA driver.

use std::ffi::c_void;

use cudarc::driver::result::{self, mem_pool};
use cudarc::driver::sys::{self, CUresult};

use super::device::Device;
use super::error::{check, check_code, driver_error};
use super::stream::Stream;
use crate::error::{Error, Result};

/// An allocation. It is not freed by a destructor: freeing has to be ordered behind the last use, which the owner knows.
pub(crate) struct Memory {
    device: &'static Device,
    address: sys::CUdeviceptr,
    /// Whether it came from the pool, and is allocated and freed in stream order.
    stream_ordered: bool,
}

impl Memory {
    /// Allocates `bytes > 0` bytes that later work on `stream` may use.
    pub(crate) fn allocate(stream: &Stream, bytes: usize) -> Result<Memory> {
        let device = stream.device();
        device.make_current()?;
        let mut allocated = try_allocate(device, stream, bytes);
        if matches!(&allocated, Err(error) if error.0 == CUresult::CUDA_ERROR_OUT_OF_MEMORY) {
            // What was freed on other streams can be had again once they are done.
            device.synchronize()?;
            if let Some(pool) = device.pool() {
                // SAFETY: the pool is never destroyed.
                check(unsafe { mem_pool::trim_to(pool, 0) }, "making room in the memory pool")?;
            }
            allocated = try_allocate(device, stream, bytes);
        }
        match allocated {
            Ok(address) => Ok(Memory { device, address, stream_ordered: device.pool().is_some() }),
            Err(error) if error.0 == CUresult::CUDA_ERROR_OUT_OF_MEMORY => Err(Error::OutOfMemory { bytes: bytes as u64 }),
            Err(error) => Err(driver_error(error, format_args!("allocating {bytes} bytes"))),
        }
    }

    /// A variable of a module, which lives as long as that.
    pub(super) fn of_module(device: &'static Device, address: sys::CUdeviceptr) -> Memory {
        Memory { device, address, stream_ordered: false }
    }

    pub(crate) fn address(&self) -> u64 {
        self.address
    }

    /// Copies from the host; done when it returns.
    ///
    /// # Safety
    /// `from` must be valid for reading `bytes` bytes, and `offset + bytes` within the allocation.
    pub(crate) unsafe fn write(&self, stream: &Stream, offset: usize, from: *const u8, bytes: usize) -> Result<()> {
        self.device.make_current()?;
        let to = self.address + offset as u64;
        // SAFETY: both sides are valid for `bytes` bytes, as the caller vouches.
        let code = unsafe { sys::cuMemcpyHtoDAsync_v2(to, from.cast::<c_void>(), bytes, stream.raw()) };
        check_code(code, "copying to the device")?;
        // The slice may lie in pinned memory, for which the copy would still be running while the caller changes or frees it.
        stream.synchronize()
    }

    /// Copies to the host; done when it returns.
    ///
    /// # Safety
    /// `to` must be valid for writing `bytes` bytes, and `offset + bytes` within the allocation.
    pub(crate) unsafe fn read(&self, stream: &Stream, offset: usize, to: *mut u8, bytes: usize) -> Result<()> {
        self.device.make_current()?;
        let from = self.address + offset as u64;
        // SAFETY: both sides are valid for `bytes` bytes, as the caller vouches.
        let code = unsafe { sys::cuMemcpyDtoHAsync_v2(to.cast::<c_void>(), from, bytes, stream.raw()) };
        let copied = check_code(code, "copying to the host");
        // Also after an error: nothing may write to the caller's memory once this returns.
        let waited = stream.synchronize();
        copied.and(waited)
    }

    /// Sets bytes.
    ///
    /// # Safety
    /// `offset + bytes` must be within the allocation.
    pub(crate) unsafe fn fill(&self, stream: &Stream, offset: usize, value: u8, bytes: usize) -> Result<()> {
        self.device.make_current()?;
        // SAFETY: the bytes are within the allocation, as the caller vouches.
        let filled = unsafe { result::memset_d8_async(self.address + offset as u64, value, bytes, stream.raw()) };
        check(filled, "filling device memory")
    }

    /// Copies within the device.
    ///
    /// # Safety
    /// Both ranges must be within their allocations and must not overlap.
    pub(crate) unsafe fn copy_from(&self, stream: &Stream, offset: usize, from: &Memory, from_offset: usize, bytes: usize) -> Result<()> {
        self.device.make_current()?;
        let (to, from) = (self.address + offset as u64, from.address + from_offset as u64);
        // SAFETY: both ranges are within their allocations, as the caller vouches.
        check(unsafe { result::memcpy_dtod_async(to, from, bytes, stream.raw()) }, "copying within the device")
    }

    /// Frees the memory behind all work enqueued on `stream` so far.
    pub(crate) fn free(self, stream: &Stream) -> Result<()> {
        self.device.make_current()?;
        if self.stream_ordered {
            // SAFETY: the memory came from a stream-ordered allocation, and nothing uses it after this.
            check(unsafe { result::free_async(self.address, stream.raw()) }, "freeing memory")
        } else {
            stream.synchronize()?;
            // SAFETY: the memory came from a plain allocation, and nothing uses it after this.
            check(unsafe { result::free_sync(self.address) }, "freeing memory")
        }
    }
}

fn try_allocate(device: &Device, stream: &Stream, bytes: usize) -> Result<sys::CUdeviceptr, cudarc::driver::DriverError> {
    match device.pool() {
        // SAFETY: pool and stream are alive; the memory is written before it is read.
        Some(pool) => unsafe { mem_pool::alloc_async(pool, bytes, stream.raw()) },
        // SAFETY: the context is current; the memory is written before it is read.
        None => unsafe { result::malloc_sync(bytes) },
    }
}
