//! Kernels that nvcc compiled, launched through the driver on a stream of their own.

use std::ffi::{CString, c_void};
use std::path::Path;

use cudarc::driver::result::{self, event, module, stream};
use cudarc::driver::sys;

use crate::Result;
use crate::cases::NAMES;

/// A parameter of a kernel.
pub(crate) enum Argument {
    /// An address in device memory.
    Pointer(u64),
    /// A `size_t`.
    Size(usize),
    /// An `unsigned`.
    Unsigned(u32),
    /// A `float`.
    Float(f32),
}

/// A launch of the kernel of a case.
pub(crate) struct PeerLaunch {
    pub(crate) kernel: &'static str,
    pub(crate) grid: (u32, u32, u32),
    pub(crate) block: (u32, u32, u32),
    pub(crate) arguments: Vec<Argument>,
}

/// The CUDA C++ kernels, loaded into the context that threadwise uses. They stay loaded until the process ends.
pub(crate) struct Peer {
    stream: sys::CUstream,
    functions: Vec<(&'static str, sys::CUfunction)>,
}

impl Peer {
    /// Loads `NAME.cubin` of each case; `None` when the first is missing. A device must be open on this thread.
    pub(crate) fn load(folder: &Path) -> Result<Option<Peer>> {
        if !folder.join(format!("{}.cubin", NAMES[0])).exists() {
            return Ok(None);
        }
        let mut functions = Vec::new();
        for name in NAMES {
            let file = folder.join(format!("{name}.cubin"));
            let cubin = std::fs::read(&file).map_err(|e| format!("{}: {e}", file.display()))?;
            // SAFETY: the driver reads as many bytes as the cubin's own headers say, which nvcc wrote.
            let module = unsafe { module::load_data(cubin.as_ptr().cast()) }?;
            // SAFETY: the module was just loaded, and is never unloaded.
            let function = unsafe { module::get_function(module, CString::new(name)?) }?;
            functions.push((name, function));
        }
        Ok(Some(Peer { stream: stream::create(stream::StreamKind::NonBlocking)?, functions }))
    }

    /// Enqueues a launch.
    ///
    /// # Safety
    /// The arguments must be those of the kernel in type and order, the pointers valid for what it reads and writes, and nothing else may
    /// use that memory until [`Peer::synchronize`].
    pub(crate) unsafe fn launch(&self, launch: &PeerLaunch) -> Result<()> {
        let known = self.functions.iter().find(|(name, _)| *name == launch.kernel);
        let (_, function) = known.ok_or_else(|| format!("no CUDA C++ kernel {}", launch.kernel))?;
        let mut parameters: Vec<*mut c_void> = launch
            .arguments
            .iter()
            .map(|argument| match argument {
                Argument::Pointer(value) => std::ptr::from_ref(value).cast_mut().cast(),
                Argument::Size(value) => std::ptr::from_ref(value).cast_mut().cast(),
                Argument::Unsigned(value) => std::ptr::from_ref(value).cast_mut().cast(),
                Argument::Float(value) => std::ptr::from_ref(value).cast_mut().cast(),
            })
            .collect();
        // SAFETY: the function's module is loaded, the driver only reads the parameters, and the rest is the caller's promise.
        Ok(unsafe { result::launch_kernel(*function, launch.grid, launch.block, 0, self.stream, &mut parameters) }?)
    }

    /// Waits for all launches.
    pub(crate) fn synchronize(&self) -> Result<()> {
        // SAFETY: the stream is alive.
        Ok(unsafe { stream::synchronize(self.stream) }?)
    }

    /// An event after everything enqueued so far.
    pub(crate) fn record(&self) -> Result<PeerEvent> {
        let event = PeerEvent(event::create(sys::CUevent_flags::CU_EVENT_DEFAULT)?);
        // SAFETY: event and stream are alive.
        unsafe { event::record(event.0, self.stream) }?;
        Ok(event)
    }
}

/// A point in the work of the stream.
pub(crate) struct PeerEvent(sys::CUevent);

impl PeerEvent {
    /// GPU time from this event to `end`, which is waited for, in milliseconds.
    pub(crate) fn elapsed(&self, end: &PeerEvent) -> Result<f64> {
        // SAFETY: the event is alive.
        unsafe { event::synchronize(end.0) }?;
        // SAFETY: both events are alive and were recorded on one stream.
        Ok(f64::from(unsafe { event::elapsed(self.0, end.0) }?))
    }
}

impl Drop for PeerEvent {
    fn drop(&mut self) {
        // SAFETY: the event is alive, and nothing uses it after this. An error would be one of an earlier launch, reported there.
        let _ = unsafe { event::destroy(self.0) };
    }
}
