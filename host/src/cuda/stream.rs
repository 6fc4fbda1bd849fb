//! Streams and events of the CUDA driver.

use cudarc::driver::result::{event, stream};
use cudarc::driver::sys::{self, CUevent_flags, CUevent_wait_flags};

use super::device::Device;
use super::error::{check, check_code};
use crate::error::{Error, Result};

/// A stream that does not wait for the legacy default stream.
pub(crate) struct Stream {
    device: &'static Device,
    raw: sys::CUstream,
    /// Recorded again at each hand-over to another stream: a wait refers to the latest recording at the time it is enqueued.
    hand_over: Event,
}

// SAFETY: a stream may be used from any thread.
unsafe impl Send for Stream {}
// SAFETY: the driver synchronizes its calls.
unsafe impl Sync for Stream {}

impl Stream {
    pub(crate) fn new(device: &'static Device) -> Result<Self> {
        let hand_over = Event::create(device, CUevent_flags::CU_EVENT_DISABLE_TIMING)?;
        let raw = check(stream::create(stream::StreamKind::NonBlocking), "creating a stream")?;
        Ok(Stream { device, raw, hand_over })
    }

    pub(super) fn raw(&self) -> sys::CUstream {
        self.raw
    }

    pub(super) fn device(&self) -> &'static Device {
        self.device
    }

    /// Waits until everything enqueued so far is done.
    pub(crate) fn synchronize(&self) -> Result<()> {
        self.device.make_current()?;
        // SAFETY: the stream is alive.
        check(unsafe { stream::synchronize(self.raw) }, "waiting for a stream")
    }

    /// Makes later work of this stream wait for all work enqueued on `other` so far. The caller holds the device's order lock, so that no
    /// other thread records the same event in between.
    pub(crate) fn wait_for(&self, other: &Stream) -> Result<()> {
        other.hand_over.record(other)?;
        self.wait(&other.hand_over)
    }

    /// Makes later work of this stream wait for `event`, which may be another device's.
    pub(crate) fn wait(&self, event: &Event) -> Result<()> {
        self.device.make_current()?;
        // SAFETY: stream and event are alive.
        let waited = unsafe { stream::wait_event(self.raw, event.raw, CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT) };
        check(waited, "making a stream wait for an event")
    }

    /// A new event after everything enqueued so far.
    pub(crate) fn record(&self) -> Result<Event> {
        let event = Event::create(self.device, CUevent_flags::CU_EVENT_DEFAULT)?;
        event.record(self)?;
        Ok(event)
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // Work still enqueued runs on: the driver frees the stream when it is done. An error here is one of an earlier launch, and any
        // synchronization reports it.
        if self.device.make_current().is_ok() {
            // SAFETY: the stream is alive, and nothing uses it after this.
            let _ = unsafe { stream::destroy(self.raw) };
        }
    }
}

/// An event of the driver.
pub(crate) struct Event {
    device: &'static Device,
    raw: sys::CUevent,
}

// SAFETY: an event may be used from any thread.
unsafe impl Send for Event {}
// SAFETY: the driver synchronizes its calls.
unsafe impl Sync for Event {}

impl Event {
    fn create(device: &'static Device, flags: CUevent_flags) -> Result<Self> {
        device.make_current()?;
        Ok(Event { device, raw: check(event::create(flags), "creating an event")? })
    }

    fn record(&self, stream: &Stream) -> Result<()> {
        self.device.make_current()?;
        // SAFETY: event and stream are alive and of one context.
        check(unsafe { event::record(self.raw, stream.raw) }, "recording an event")
    }

    /// Waits until the event has happened.
    pub(crate) fn synchronize(&self) -> Result<()> {
        self.device.make_current()?;
        // SAFETY: the event is alive.
        check(unsafe { event::synchronize(self.raw) }, "waiting for an event")
    }

    /// Milliseconds from this event to `end`, which have both happened.
    pub(crate) fn milliseconds_until(&self, end: &Event) -> Result<f64> {
        type ElapsedTime = unsafe extern "C" fn(*mut f32, sys::CUevent, sys::CUevent) -> sys::CUresult;
        self.device.make_current()?;
        // cudarc's own function wants the second version, which drivers before 12.8 lack, and panics without it; the two agree.
        // SAFETY: a stream exists, so the library is there.
        let library = unsafe { sys::culib() };
        // SAFETY: this is the function's type, according to cuda.h.
        let newer = unsafe { library.get::<ElapsedTime>(b"cuEventElapsedTime_v2") };
        // SAFETY: as above.
        let function = newer.or_else(|_| unsafe { library.get::<ElapsedTime>(b"cuEventElapsedTime") });
        let function = function.map_err(|error| Error::Internal(format!("the driver has no cuEventElapsedTime: {error}")))?;
        let mut milliseconds = 0.0;
        // SAFETY: both events are alive and were recorded with timing.
        check_code(unsafe { function(&mut milliseconds, self.raw, end.raw) }, "measuring the time between events")?;
        Ok(f64::from(milliseconds))
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        if self.device.make_current().is_ok() {
            // SAFETY: the event is alive, and nothing uses it after this; waits already enqueued keep what they need.
            let _ = unsafe { event::destroy(self.raw) };
        }
    }
}
