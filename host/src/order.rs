//! The order of work on several streams, and which kernels may still have a panic to report.
//!
//! Each allocation knows the stream that wrote it last and the streams that have read it since. When another stream comes along, it is
//! made to wait for everything those have enqueued so far. As long as one stream is used, all comparisons come out equal and the driver is
//! not called.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::backend;
use crate::device::Device;
use crate::error::Result;
use crate::module::{LoadedKernel, LoadedModule};

/// A stream, shared by the handles of it and the allocations that it used last.
pub(crate) struct RawStream {
    id: u64,
    raw: backend::Stream,
}

impl RawStream {
    pub(crate) fn new(raw: backend::Stream) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        RawStream { id: NEXT.fetch_add(1, Ordering::Relaxed), raw }
    }

    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    pub(crate) fn raw(&self) -> &backend::Stream {
        &self.raw
    }
}

/// What is ordered under a device's lock. Whoever enqueues work that uses allocations holds it from the first [`Allocation::prepare`] until
/// the work is enqueued: otherwise another thread could order its work behind a stream that the work has not reached yet.
#[derive(Default)]
pub(crate) struct Order {
    /// Kernels launched on each stream since that stream was last waited for, each once.
    launched: Vec<Launched>,
}

struct Launched {
    stream: u64,
    module: Arc<LoadedModule>,
    kernel: usize,
}

/// The launches that a synchronization covers: they are done, and have nothing more to report.
#[derive(Clone, Copy)]
pub(crate) enum Covered {
    /// Those on all streams.
    Device,
    /// Those on the stream of that id.
    Stream(u64),
    /// Not known which: those before an event.
    Some,
}

impl Covered {
    fn includes(self, launched: &Launched) -> bool {
        match self {
            Covered::Device => true,
            Covered::Stream(id) => launched.stream == id,
            Covered::Some => false,
        }
    }
}

impl Order {
    /// Remembers a launch.
    pub(crate) fn note(&mut self, stream: &RawStream, kernel: &LoadedKernel) {
        let known = |l: &Launched| l.stream == stream.id && l.kernel == kernel.index() && Arc::ptr_eq(&l.module, kernel.module());
        // The latest is most likely to be launched again.
        if !self.launched.iter().rev().any(known) {
            self.launched.push(Launched { stream: stream.id, module: Arc::clone(kernel.module()), kernel: kernel.index() });
        }
    }

    /// Looks for a panic of any kernel that may have run since the last time. The record is the module's, so this may be one of another
    /// stream: earlier than that stream's own synchronization, but never later.
    pub(crate) fn check_panics(&mut self, covered: Covered) -> Result<()> {
        for (i, launched) in self.launched.iter().enumerate() {
            let module = &launched.module;
            if self.launched[..i].iter().any(|before| Arc::ptr_eq(&before.module, module)) {
                continue;
            }
            if let Some(snapshot) = module.raw().take_panic()? {
                let kernel = snapshot.kernel().and_then(|k| module.kernel_name(k).map(str::to_owned));
                let panic = snapshot.decode(kernel.unwrap_or_else(|| self.names(module)));
                let module = Arc::clone(module);
                // Other modules are looked at again by the next synchronization.
                self.launched.retain(|l| !(covered.includes(l) && Arc::ptr_eq(&l.module, &module)));
                return Err(panic.into());
            }
        }
        self.launched.retain(|l| !covered.includes(l));
        Ok(())
    }

    /// The kernels of `module` that may have run.
    fn names(&self, module: &Arc<LoadedModule>) -> String {
        let of_module = self.launched.iter().filter(|l| Arc::ptr_eq(&l.module, module));
        let mut names: Vec<&str> = of_module.filter_map(|l| module.kernel_name(l.kernel)).collect();
        names.sort_unstable();
        names.dedup();
        names.join(", ")
    }
}

/// How work uses an allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Only reads it.
    Read,
    /// Reads and writes it, and nothing else uses it at the same time.
    Write,
}

/// Device memory, freed when the last buffer or view of it is gone.
pub(crate) struct Allocation {
    device: Device,
    /// `None` for no bytes at all, and while it is being freed.
    memory: Option<backend::Memory>,
    usage: Mutex<Usage>,
}

struct Usage {
    /// The stream that wrote last, or for which the memory was allocated.
    writer: Arc<RawStream>,
    /// Other streams that have read since.
    readers: Vec<Arc<RawStream>>,
}

impl Allocation {
    pub(crate) fn new(device: &Device, bytes: usize) -> Result<Allocation> {
        let stream = device.default_raw_stream();
        let memory = if bytes == 0 { None } else { Some(device.raw().allocate(stream.raw(), bytes)?) };
        let usage = Mutex::new(Usage { writer: Arc::clone(stream), readers: Vec::new() });
        Ok(Allocation { device: device.clone(), memory, usage })
    }

    pub(crate) fn device(&self) -> &Device {
        &self.device
    }

    pub(crate) fn memory(&self) -> Option<&backend::Memory> {
        self.memory.as_ref()
    }

    /// The stream on which the allocation can be used without waiting for another.
    pub(crate) fn stream(&self) -> Arc<RawStream> {
        Arc::clone(&self.usage.lock().unwrap_or_else(PoisonError::into_inner).writer)
    }

    /// Orders the next work of `stream`, which uses this allocation, behind all that it has to wait for. `_order` is the proof that the
    /// device's order is locked.
    pub(crate) fn prepare(&self, _order: &mut Order, stream: &Arc<RawStream>, access: Access) -> Result<()> {
        let mut usage = self.usage.lock().unwrap_or_else(PoisonError::into_inner);
        usage.next(stream, access, |producer| stream.raw.wait_for(&producer.raw))
    }
}

impl Usage {
    /// Enters the next use, by `stream`. `wait` makes that stream wait for all work of another.
    fn next(&mut self, stream: &Arc<RawStream>, access: Access, mut wait: impl FnMut(&RawStream) -> Result<()>) -> Result<()> {
        match access {
            Access::Read => {
                if self.writer.id != stream.id && !self.readers.iter().any(|reader| reader.id == stream.id) {
                    wait(&self.writer)?;
                    self.readers.push(Arc::clone(stream));
                }
            }
            Access::Write => {
                if self.writer.id != stream.id {
                    wait(&self.writer)?;
                    self.writer = Arc::clone(stream);
                }
                while let Some(reader) = self.readers.last() {
                    if reader.id != stream.id {
                        wait(reader)?;
                    }
                    self.readers.pop();
                }
            }
        }
        Ok(())
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        let Some(memory) = self.memory.take() else { return };
        let mut order = self.device.order();
        let stream = self.stream();
        // After a failure of the driver the context is lost with all its memory, and the error is on its way to the user already.
        if self.prepare(&mut order, &stream, Access::Write).is_ok() {
            let _ = memory.free(stream.raw());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn streams<const N: usize>() -> [Arc<RawStream>; N] {
        std::array::from_fn(|_| Arc::new(RawStream::new(backend::Stream::Sim)))
    }

    /// For each use in turn (stream, access), the streams that it waits for.
    fn waits<const N: usize>(uses: &[(usize, Access)]) -> Vec<Vec<usize>> {
        let streams = streams::<N>();
        let mut usage = Usage { writer: Arc::clone(&streams[0]), readers: Vec::new() };
        let one = |&(stream, access): &(usize, Access)| {
            let mut waited = Vec::new();
            let wait = |producer: &RawStream| {
                waited.push(streams.iter().position(|s| s.id == producer.id).unwrap());
                Ok(())
            };
            usage.next(&streams[stream], access, wait).unwrap();
            waited.sort_unstable();
            waited
        };
        uses.iter().map(one).collect()
    }

    const READ: Access = Access::Read;
    const WRITE: Access = Access::Write;

    #[test]
    fn one_stream_waits_for_nothing() {
        assert_eq!(waits::<1>(&[(0, WRITE), (0, READ), (0, WRITE), (0, READ)]), [[0usize; 0]; 4]);
    }

    #[test]
    fn reader_waits_for_the_writer_once() {
        assert_eq!(waits::<2>(&[(1, READ), (1, READ)]), [vec![0], vec![]]);
    }

    #[test]
    fn readers_do_not_wait_for_each_other() {
        assert_eq!(waits::<3>(&[(1, READ), (2, READ), (0, READ)]), [vec![0], vec![0], vec![]]);
    }

    #[test]
    fn writer_waits_for_all_readers_and_the_last_writer() {
        assert_eq!(waits::<4>(&[(1, READ), (2, READ), (3, WRITE), (3, WRITE)]), [vec![0], vec![0], vec![0, 1, 2], vec![]]);
    }

    #[test]
    fn old_writer_waits_for_readers_on_other_streams() {
        assert_eq!(waits::<2>(&[(1, READ), (0, WRITE), (1, READ)]), [vec![0], vec![1], vec![0]]);
    }
}
