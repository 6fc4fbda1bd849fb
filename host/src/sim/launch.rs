//! Launches on the simulator.

use super::device::Device;
use crate::error::{Error, Result};
use crate::fault::KernelFault;
use crate::limits::Config;

/// Threads of a block where nothing else is asked for.
const BLOCK: u32 = 256;

/// A kernel of a loaded module.
pub(crate) struct Function {
    device: Device,
    kernel: threadwise_sim::Kernel,
}

impl Function {
    pub(super) fn new(device: Device, kernel: threadwise_sim::Kernel) -> Function {
        Function { device, kernel }
    }

    pub(crate) fn static_shared_bytes(&self) -> u32 {
        self.kernel.static_shared_bytes()
    }

    /// The most threads a block can have, by launch bounds.
    pub(crate) fn max_threads(&self) -> u32 {
        self.kernel.max_threads().unwrap_or(u32::MAX)
    }

    /// A block size, at most `limit` threads.
    pub(crate) fn suggest_block(&self, limit: u32) -> u32 {
        BLOCK.min(limit)
    }

    /// Runs the kernel to its end. `name` is the kernel's name in messages.
    pub(crate) fn launch(&self, config: &Config, parameters: &[u8], name: &str) -> Result<()> {
        if parameters.len() != self.kernel.parameter_bytes() {
            let (given, expected) = (parameters.len(), self.kernel.parameter_bytes());
            return Err(Error::Internal(format!("kernel `{name}` takes {expected} bytes of parameters and was given {given}")));
        }
        let config = threadwise_sim::LaunchConfig { grid: config.grid, block: config.block, shared_bytes: config.shared_bytes };
        match self.device.simulator().launch(&self.kernel, &config, parameters) {
            Ok(_) => Ok(()),
            Err(fault) => Err(KernelFault::new(name, fault).into()),
        }
    }
}
