//! The simulated device.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use threadwise_abi::Dim3;

use crate::error::{LoadError, MemoryError};
use crate::exec;
use crate::fault::Fault;
use crate::memory::GlobalMemory;
use crate::module::{Kernel, Module};
use crate::output::Output;

/// A simulated device. Clones are the same device.
#[derive(Clone, Debug)]
pub struct Simulator {
    memory: Arc<GlobalMemory>,
    stack_bytes: Arc<AtomicU32>,
    output: Arc<Output>,
}

impl Default for Simulator {
    fn default() -> Self {
        Simulator { memory: Arc::default(), stack_bytes: Arc::new(AtomicU32::new(DEFAULT_STACK_BYTES)), output: Arc::default() }
    }
}

/// Bytes of a thread's memory for calls, unless told otherwise.
const DEFAULT_STACK_BYTES: u32 = 256 * 1024;

/// Extents of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaunchConfig {
    /// Blocks.
    pub grid: Dim3,
    /// Threads of a block.
    pub block: Dim3,
    /// Bytes of dynamic shared memory.
    pub shared_bytes: u32,
}

/// What a launch did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaunchReport {
    /// Threads.
    pub threads: u64,
    /// Operations of all threads together.
    pub thread_instructions: u64,
}

impl Simulator {
    /// A new device with empty memory.
    pub fn new() -> Self {
        Self::default()
    }

    /// Allocates zeroed global memory and returns its address, a multiple of 256 that no other allocation ever had. An allocation of zero
    /// bytes has an address too.
    ///
    /// # Errors
    /// More than 64 GiB, or more than the host can allocate.
    pub fn allocate(&self, bytes: u64) -> Result<u64, MemoryError> {
        self.memory.allocate_for_host(bytes)
    }

    /// Frees an allocation.
    ///
    /// # Errors
    /// `address` is not the start of a live allocation.
    pub fn free(&self, address: u64) -> Result<(), MemoryError> {
        self.memory.free_of_host(address)
    }

    /// Bytes that kernels can have allocated with `malloc` at a time: 8 MiB at first.
    pub fn heap_bytes(&self) -> u64 {
        self.memory.heap_bytes()
    }

    /// Sets it. Where there is no room, `malloc` gives a null pointer.
    ///
    /// # Errors
    /// A kernel has allocated already.
    pub fn set_heap_bytes(&self, bytes: u64) -> Result<(), MemoryError> {
        self.memory.set_heap_bytes(bytes)
    }

    /// Bytes of each thread's memory for the frames of the functions that it is in: 256 KiB at first.
    pub fn stack_bytes(&self) -> u32 {
        self.stack_bytes.load(Ordering::Relaxed)
    }

    /// Sets it, for launches from now on.
    pub fn set_stack_bytes(&self, bytes: u32) {
        self.stack_bytes.store(bytes, Ordering::Relaxed);
    }

    /// Sets where the text goes that kernels print with `vprintf`, as `printf` of CUDA C++ and `print` of Numba do: the host's standard output
    /// unless told otherwise. `sink` is called at the end of each launch with the text of each block that printed, in order of blocks; of a
    /// launch 16 MiB are kept.
    pub fn set_output(&self, sink: impl Fn(&[u8]) + Send + Sync + 'static) {
        self.output.set(Arc::new(sink));
    }

    /// Writes global memory.
    ///
    /// # Errors
    /// The range lies in no live allocation.
    pub fn write(&self, address: u64, bytes: &[u8]) -> Result<(), MemoryError> {
        self.memory.write(address, bytes)
    }

    /// Reads global memory.
    ///
    /// # Errors
    /// The range lies in no live allocation.
    pub fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), MemoryError> {
        self.memory.read(address, bytes)
    }

    /// Sets bytes of global memory.
    ///
    /// # Errors
    /// The range lies in no live allocation.
    pub fn fill(&self, address: u64, value: u8, bytes: u64) -> Result<(), MemoryError> {
        self.memory.fill(address, value, bytes)
    }

    /// Copies within global memory; the ranges may overlap.
    ///
    /// # Errors
    /// A range lies in no live allocation.
    pub fn copy(&self, from: u64, to: u64, bytes: u64) -> Result<(), MemoryError> {
        self.memory.copy(from, to, bytes)
    }

    /// Loads a module: parses, verifies and decodes the PTX and initializes its variables.
    ///
    /// # Errors
    /// PTX that is wrong, or that the simulator does not know.
    pub fn load(&self, ptx: &str) -> Result<Module, LoadError> {
        Module::load(&self.memory, ptx)
    }

    /// Runs a kernel and returns when it has ended. `parameters` is the parameter space: each parameter at its natural alignment, in order.
    ///
    /// # Errors
    /// An impossible launch, or a fault of the kernel; what the kernel wrote until then stays.
    pub fn launch(&self, kernel: &Kernel, config: &LaunchConfig, parameters: &[u8]) -> Result<LaunchReport, Fault> {
        exec::launch(&kernel.program(self.stack_bytes()), &self.memory, &self.output, config, parameters)
    }
}
