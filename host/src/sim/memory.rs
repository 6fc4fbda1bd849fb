//! Memory of a simulated device.

use super::device::Device;
use super::error::check;
use crate::bytes;
use crate::error::{Error, Result};

/// An allocation. As in `cuda`, its owner frees it.
pub(crate) struct Memory {
    device: Device,
    address: u64,
    bytes: u64,
}

impl Memory {
    /// Allocates `bytes > 0` bytes.
    pub(crate) fn allocate(device: &Device, bytes: usize) -> Result<Memory> {
        let bytes = bytes as u64;
        if !device.reserve(bytes) {
            return Err(Error::OutOfMemory { bytes });
        }
        match device.simulator().allocate(bytes) {
            Ok(address) => Ok(Memory { device: device.clone(), address, bytes }),
            Err(_) => {
                device.release(bytes);
                Err(Error::OutOfMemory { bytes })
            }
        }
    }

    /// A variable of a module, which lives as long as that.
    pub(super) fn of_module(device: &Device, address: u64, bytes: u64) -> Memory {
        Memory { device: device.clone(), address, bytes }
    }

    pub(crate) fn address(&self) -> u64 {
        self.address
    }

    /// Copies from the host.
    ///
    /// # Safety
    /// `from` must be valid for reading `bytes` bytes.
    pub(crate) unsafe fn write(&self, offset: usize, from: *const u8, bytes: usize) -> Result<()> {
        let mut staged = Vec::new();
        // SAFETY: the caller vouches for the source.
        unsafe { bytes::append(&mut staged, from, bytes) };
        check(self.device.simulator().write(self.address + offset as u64, &staged), "copying to the device")
    }

    /// Copies to the host.
    ///
    /// # Safety
    /// `to` must be valid for writing `bytes` bytes.
    pub(crate) unsafe fn read(&self, offset: usize, to: *mut u8, bytes: usize) -> Result<()> {
        let mut staged = vec![0; bytes];
        check(self.device.simulator().read(self.address + offset as u64, &mut staged), "copying to the host")?;
        // SAFETY: the caller vouches for the destination, and a fresh vector overlaps nothing.
        unsafe { std::ptr::copy_nonoverlapping(staged.as_ptr(), to, bytes) };
        Ok(())
    }

    /// Sets bytes.
    pub(crate) fn fill(&self, offset: usize, value: u8, bytes: usize) -> Result<()> {
        check(self.device.simulator().fill(self.address + offset as u64, value, bytes as u64), "filling device memory")
    }

    /// Copies within the device.
    pub(crate) fn copy_from(&self, offset: usize, from: &Memory, from_offset: usize, bytes: usize) -> Result<()> {
        let (from, to) = (from.address + from_offset as u64, self.address + offset as u64);
        check(self.device.simulator().copy(from, to, bytes as u64), "copying within the device")
    }

    /// Frees the memory.
    pub(crate) fn free(self) -> Result<()> {
        self.device.release(self.bytes);
        check(self.device.simulator().free(self.address), "freeing memory")
    }
}
