//! A simulated device.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use threadwise_sim::Simulator;

use crate::device::MemoryInfo;
use crate::limits::Limits;

/// Bytes that allocations of one simulated device may have together, so that a wrong size is an error and not an exhausted machine.
const TOTAL_BYTES: u64 = 1 << 36;

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
        MemoryInfo { free: TOTAL_BYTES - self.used.load(Ordering::Relaxed), total: TOTAL_BYTES }
    }

    /// Sets `bytes` aside; false when there are not that many left.
    pub(super) fn reserve(&self, bytes: u64) -> bool {
        let add = |used: u64| used.checked_add(bytes).filter(|&sum| sum <= TOTAL_BYTES);
        self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add).is_ok()
    }

    /// Gives back what [`Device::reserve`] set aside.
    pub(super) fn release(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }
}
