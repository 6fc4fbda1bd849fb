//! A simulated device.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use threadwise_sim::Simulator;

use super::host_memory;
use crate::device::MemoryInfo;
use crate::error::{Error, Result};
use crate::limits::{DeviceLimit, Limits};

/// The most bytes of a thread's stack, as on GPUs ("Maximum amount of local memory per thread", CUDA C++ Programming Guide).
const MAX_STACK_BYTES: u32 = 512 * 1024;

/// Bytes of shared memory per block: what the largest GPUs offer (compute capability 9.0 and 10.0).
const SHARED_BYTES: u32 = 227 * 1024;

/// One simulator. Clones are the same device.
#[derive(Clone)]
pub(crate) struct Device {
    simulator: Simulator,
    used: Arc<AtomicU64>,
}

impl Device {
    pub(crate) fn new() -> Device {
        Device { simulator: Simulator::new(), used: Arc::default() }
    }

    pub(super) fn simulator(&self) -> &Simulator {
        &self.simulator
    }

    pub(crate) fn limits(&self) -> Limits {
        Limits::with_shared_bytes(SHARED_BYTES)
    }

    pub(crate) fn memory_info(&self) -> MemoryInfo {
        let total = host_memory::total();
        MemoryInfo { free: total.saturating_sub(self.used.load(Ordering::Relaxed)), total }
    }

    pub(crate) fn limit(&self, limit: DeviceLimit) -> usize {
        match limit {
            DeviceLimit::Heap => self.simulator.heap_bytes() as usize,
            DeviceLimit::Stack => self.simulator.stack_bytes() as usize,
        }
    }

    pub(crate) fn set_limit(&self, limit: DeviceLimit, bytes: usize) -> Result<()> {
        match limit {
            DeviceLimit::Heap if bytes as u64 > host_memory::total() => Err(Error::LimitTooLarge { limit, bytes }),
            DeviceLimit::Heap => self.simulator.set_heap_bytes(bytes as u64).map_err(|_| Error::HeapInUse),
            DeviceLimit::Stack => {
                let small = u32::try_from(bytes).ok().filter(|&bytes| bytes <= MAX_STACK_BYTES);
                self.simulator.set_stack_bytes(small.ok_or(Error::LimitTooLarge { limit, bytes })?);
                Ok(())
            }
        }
    }

    /// Sets `bytes` aside; false when the host does not have that many left, so that a wrong size is an error and not an exhausted machine.
    pub(super) fn reserve(&self, bytes: u64) -> bool {
        let total = host_memory::total();
        let add = |used: u64| used.checked_add(bytes).filter(|&sum| sum <= total);
        host_memory::is_available(bytes) && self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add).is_ok()
    }

    /// Gives back what [`Device::reserve`] set aside.
    pub(super) fn release(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }
}
