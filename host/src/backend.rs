//! The CUDA driver or the simulator: one enum per kind of object, so that the rest of the crate does not care which it is.

use crate::device::MemoryInfo;
use crate::error::{Error, Result};
use crate::limits::{Config, DeviceLimit, Limits};
use crate::panic::Snapshot;
use crate::registry::ModuleBlob;
use crate::{cuda, sim};

/// Objects of one device are of one kind, and what meets is of one device: anything else is a bug here.
fn mixed() -> Error {
    Error::Internal("objects of a CUDA device and a simulator met".to_owned())
}

/// A device.
pub(crate) enum Device {
    Cuda(&'static cuda::device::Device),
    Sim(sim::device::Device),
}

impl Device {
    pub(crate) fn limits(&self) -> Limits {
        match self {
            Device::Cuda(device) => device.limits(),
            Device::Sim(device) => device.limits(),
        }
    }

    pub(crate) fn memory_info(&self) -> Result<MemoryInfo> {
        match self {
            Device::Cuda(device) => device.memory_info(),
            Device::Sim(device) => Ok(device.memory_info()),
        }
    }

    pub(crate) fn limit(&self, limit: DeviceLimit) -> Result<usize> {
        match self {
            Device::Cuda(device) => device.limit(limit),
            Device::Sim(device) => Ok(device.limit(limit)),
        }
    }

    pub(crate) fn set_limit(&self, limit: DeviceLimit, bytes: usize) -> Result<()> {
        match self {
            Device::Cuda(device) => device.set_limit(limit, bytes),
            Device::Sim(device) => device.set_limit(limit, bytes),
        }
    }

    pub(crate) fn synchronize(&self) -> Result<()> {
        match self {
            Device::Cuda(device) => device.synchronize(),
            Device::Sim(_) => Ok(()),
        }
    }

    pub(crate) fn new_stream(&self) -> Result<Stream> {
        match self {
            Device::Cuda(device) => cuda::stream::Stream::new(device).map(Stream::Cuda),
            Device::Sim(_) => Ok(Stream::Sim),
        }
    }

    /// Allocates `bytes > 0` bytes for later work on `stream`.
    pub(crate) fn allocate(&self, stream: &Stream, bytes: usize) -> Result<Memory> {
        match (self, stream) {
            (Device::Cuda(_), Stream::Cuda(stream)) => cuda::memory::Memory::allocate(stream, bytes).map(Memory::Cuda),
            (Device::Sim(device), Stream::Sim) => sim::memory::Memory::allocate(device, bytes).map(Memory::Sim),
            (Device::Cuda(_), Stream::Sim) | (Device::Sim(_), Stream::Cuda(_)) => Err(mixed()),
        }
    }

    pub(crate) fn load(&self, blob: &'static ModuleBlob) -> Result<Module> {
        match self {
            Device::Cuda(device) => cuda::module::Module::load(device, blob).map(Module::Cuda),
            Device::Sim(device) => sim::module::Module::load(device, blob).map(Module::Sim),
        }
    }
}

/// A queue of work.
pub(crate) enum Stream {
    Cuda(cuda::stream::Stream),
    Sim,
}

impl Stream {
    pub(crate) fn synchronize(&self) -> Result<()> {
        match self {
            Stream::Cuda(stream) => stream.synchronize(),
            Stream::Sim => Ok(()),
        }
    }

    /// Makes later work of this stream wait for all work enqueued on `other` so far.
    pub(crate) fn wait_for(&self, other: &Stream) -> Result<()> {
        match (self, other) {
            (Stream::Cuda(stream), Stream::Cuda(other)) => stream.wait_for(other),
            (Stream::Sim, Stream::Sim) => Ok(()),
            (Stream::Cuda(_), Stream::Sim) | (Stream::Sim, Stream::Cuda(_)) => Err(mixed()),
        }
    }

    /// Makes later work of this stream wait for `event`.
    pub(crate) fn wait(&self, event: &Event) -> Result<()> {
        match (self, event) {
            (Stream::Cuda(stream), Event::Cuda(event)) => stream.wait(event),
            // A simulator's event has happened already.
            (_, Event::Sim(_)) => Ok(()),
            (Stream::Sim, Event::Cuda(event)) => event.synchronize(),
        }
    }

    pub(crate) fn record(&self) -> Result<Event> {
        match self {
            Stream::Cuda(stream) => stream.record().map(Event::Cuda),
            Stream::Sim => Ok(Event::Sim(sim::stream::Event::now())),
        }
    }
}

/// A point in a stream.
pub(crate) enum Event {
    Cuda(cuda::stream::Event),
    Sim(sim::stream::Event),
}

impl Event {
    pub(crate) fn synchronize(&self) -> Result<()> {
        match self {
            Event::Cuda(event) => event.synchronize(),
            Event::Sim(_) => Ok(()),
        }
    }

    pub(crate) fn milliseconds_until(&self, end: &Event) -> Result<f64> {
        match (self, end) {
            (Event::Cuda(start), Event::Cuda(end)) => start.milliseconds_until(end),
            (Event::Sim(start), Event::Sim(end)) => Ok(start.milliseconds_until(end)),
            (Event::Cuda(_), Event::Sim(_)) | (Event::Sim(_), Event::Cuda(_)) => Err(mixed()),
        }
    }
}

/// An allocation of at least one byte.
pub(crate) enum Memory {
    Cuda(cuda::memory::Memory),
    Sim(sim::memory::Memory),
}

impl Memory {
    pub(crate) fn address(&self) -> u64 {
        match self {
            Memory::Cuda(memory) => memory.address(),
            Memory::Sim(memory) => memory.address(),
        }
    }

    /// Copies from the host; done when it returns.
    ///
    /// # Safety
    /// `from` must be valid for reading `bytes` bytes, and `offset + bytes` within the allocation.
    pub(crate) unsafe fn write(&self, stream: &Stream, offset: usize, from: *const u8, bytes: usize) -> Result<()> {
        match (self, stream) {
            // SAFETY: as the caller vouches.
            (Memory::Cuda(memory), Stream::Cuda(stream)) => unsafe { memory.write(stream, offset, from, bytes) },
            // SAFETY: as the caller vouches.
            (Memory::Sim(memory), Stream::Sim) => unsafe { memory.write(offset, from, bytes) },
            (Memory::Cuda(_), Stream::Sim) | (Memory::Sim(_), Stream::Cuda(_)) => Err(mixed()),
        }
    }

    /// Copies to the host; done when it returns.
    ///
    /// # Safety
    /// `to` must be valid for writing `bytes` bytes, and `offset + bytes` within the allocation.
    pub(crate) unsafe fn read(&self, stream: &Stream, offset: usize, to: *mut u8, bytes: usize) -> Result<()> {
        match (self, stream) {
            // SAFETY: as the caller vouches.
            (Memory::Cuda(memory), Stream::Cuda(stream)) => unsafe { memory.read(stream, offset, to, bytes) },
            // SAFETY: as the caller vouches.
            (Memory::Sim(memory), Stream::Sim) => unsafe { memory.read(offset, to, bytes) },
            (Memory::Cuda(_), Stream::Sim) | (Memory::Sim(_), Stream::Cuda(_)) => Err(mixed()),
        }
    }

    /// Sets bytes.
    ///
    /// # Safety
    /// `offset + bytes` must be within the allocation.
    pub(crate) unsafe fn fill(&self, stream: &Stream, offset: usize, value: u8, bytes: usize) -> Result<()> {
        match (self, stream) {
            // SAFETY: as the caller vouches.
            (Memory::Cuda(memory), Stream::Cuda(stream)) => unsafe { memory.fill(stream, offset, value, bytes) },
            (Memory::Sim(memory), Stream::Sim) => memory.fill(offset, value, bytes),
            (Memory::Cuda(_), Stream::Sim) | (Memory::Sim(_), Stream::Cuda(_)) => Err(mixed()),
        }
    }

    /// Copies within the device.
    ///
    /// # Safety
    /// Both ranges must be within their allocations and must not overlap.
    pub(crate) unsafe fn copy_from(&self, stream: &Stream, offset: usize, from: &Memory, from_offset: usize, bytes: usize) -> Result<()> {
        match (self, from, stream) {
            (Memory::Cuda(memory), Memory::Cuda(from), Stream::Cuda(stream)) => {
                // SAFETY: as the caller vouches.
                unsafe { memory.copy_from(stream, offset, from, from_offset, bytes) }
            }
            (Memory::Sim(memory), Memory::Sim(from), Stream::Sim) => memory.copy_from(offset, from, from_offset, bytes),
            (Memory::Cuda(_) | Memory::Sim(_), _, _) => Err(mixed()),
        }
    }

    /// Frees the memory behind all work enqueued on `stream` so far.
    pub(crate) fn free(self, stream: &Stream) -> Result<()> {
        match (self, stream) {
            (Memory::Cuda(memory), Stream::Cuda(stream)) => memory.free(stream),
            (Memory::Sim(memory), Stream::Sim) => memory.free(),
            (Memory::Cuda(_), Stream::Sim) | (Memory::Sim(_), Stream::Cuda(_)) => Err(mixed()),
        }
    }
}

/// A loaded module.
pub(crate) enum Module {
    Cuda(cuda::module::Module),
    Sim(sim::module::Module),
}

impl Module {
    pub(crate) fn function(&self, entry: &str) -> Result<Function> {
        match self {
            Module::Cuda(module) => module.function(entry).map(Function::Cuda),
            Module::Sim(module) => module.function(entry).map(Function::Sim),
        }
    }

    /// The variable of that symbol, which must have `bytes` bytes. Nobody frees it.
    pub(crate) fn variable(&self, symbol: &str, bytes: usize) -> Result<Memory> {
        let (memory, found) = self.find(symbol)?;
        if found != bytes {
            return Err(Error::Internal(format!("{symbol} has {found} bytes instead of {bytes}")));
        }
        Ok(memory)
    }

    /// The address of the variable of that symbol.
    pub(crate) fn address(&self, symbol: &str) -> Result<u64> {
        Ok(self.find(symbol)?.0.address())
    }

    fn find(&self, symbol: &str) -> Result<(Memory, usize)> {
        let found = match self {
            Module::Cuda(module) => module.variable(symbol)?.map(|(memory, bytes)| (Memory::Cuda(memory), bytes)),
            Module::Sim(module) => module.variable(symbol).map(|(memory, bytes)| (Memory::Sim(memory), bytes)),
        };
        found.ok_or_else(|| Error::Internal(format!("the module has no variable {symbol}")))
    }

    /// Takes the panic out of the module's record, if there is a complete one.
    pub(crate) fn take_panic(&self) -> Result<Option<Snapshot>> {
        match self {
            Module::Cuda(module) => module.take_panic(),
            Module::Sim(module) => module.take_panic(),
        }
    }

    /// Has the panics of the next launches kept in detail, for so many threads and with so many records beside the first; or not. No kernel
    /// of the module may be running.
    pub(crate) fn set_details(&self, wanted: Option<(usize, u32)>) -> Result<()> {
        match self {
            Module::Cuda(module) => module.set_details(wanted),
            Module::Sim(module) => module.set_details(wanted),
        }
    }
}

/// A kernel of a loaded module.
pub(crate) enum Function {
    Cuda(cuda::launch::Function),
    Sim(sim::launch::Function),
}

impl Function {
    pub(crate) fn static_shared_bytes(&self) -> u32 {
        match self {
            Function::Cuda(function) => function.static_shared_bytes(),
            Function::Sim(function) => function.static_shared_bytes(),
        }
    }

    pub(crate) fn max_threads(&self) -> u32 {
        match self {
            Function::Cuda(function) => function.max_threads(),
            Function::Sim(function) => function.max_threads(),
        }
    }

    /// A good block size, at most `limit` threads.
    pub(crate) fn suggest_block(&self, shared_bytes: u32, limit: u32) -> Result<u32> {
        match self {
            Function::Cuda(function) => function.suggest_block(shared_bytes, limit),
            Function::Sim(function) => Ok(function.suggest_block(limit)),
        }
    }

    /// Enqueues a launch. `name` is the kernel's name in messages.
    ///
    /// # Safety
    /// `parameters` must be what the kernel takes, and all addresses in it valid until the launch is done.
    pub(crate) unsafe fn launch(&self, stream: &Stream, config: &Config, parameters: &[u8], name: &str) -> Result<()> {
        match (self, stream) {
            // SAFETY: as the caller vouches.
            (Function::Cuda(function), Stream::Cuda(stream)) => unsafe { function.launch(stream, config, parameters) },
            (Function::Sim(function), Stream::Sim) => function.launch(config, parameters, name),
            (Function::Cuda(_), Stream::Sim) | (Function::Sim(_), Stream::Cuda(_)) => Err(mixed()),
        }
    }
}
