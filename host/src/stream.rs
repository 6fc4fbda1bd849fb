//! Streams and events.

use std::fmt;
use std::sync::Arc;

use crate::backend;
use crate::device::Device;
use crate::error::Result;
use crate::order::{Covered, RawStream};

/// A queue of launches and copies that run one after the other. Clones are handles of the same stream.
///
/// Work that uses one buffer on several streams is ordered by itself: the later waits for the earlier. On the simulator a launch is done
/// when `.launch()` returns.
#[derive(Clone)]
pub struct Stream {
    device: Device,
    raw: Arc<RawStream>,
}

impl Stream {
    pub(crate) fn new(device: Device, raw: Arc<RawStream>) -> Self {
        Stream { device, raw }
    }

    /// The device of the stream.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Waits until everything enqueued on this stream so far is done.
    ///
    /// # Errors
    /// [`Error::Panic`](crate::Error::Panic) when a kernel panicked, or what the driver says went wrong.
    pub fn synchronize(&self) -> Result<()> {
        self.raw.raw().synchronize()?;
        self.device.order().check_panics(Covered::Stream(self.raw.id()))
    }

    /// An event that happens when everything enqueued on this stream so far is done.
    ///
    /// # Errors
    /// When the driver fails.
    pub fn record(&self) -> Result<Event> {
        Ok(Event { device: self.device.clone(), raw: self.raw.raw().record()? })
    }

    /// Makes everything enqueued on this stream from now on wait for `event`.
    ///
    /// # Errors
    /// When the driver fails.
    pub fn wait(&self, event: &Event) -> Result<()> {
        self.raw.raw().wait(&event.raw)
    }

    pub(crate) fn raw(&self) -> &Arc<RawStream> {
        &self.raw
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stream({}, {})", self.raw.id(), self.device)
    }
}

/// A point in the work of a stream.
pub struct Event {
    device: Device,
    raw: backend::Event,
}

impl Event {
    /// Waits until the event has happened.
    ///
    /// # Errors
    /// [`Error::Panic`](crate::Error::Panic) when a kernel panicked, or what the driver says went wrong.
    pub fn synchronize(&self) -> Result<()> {
        self.raw.synchronize()?;
        self.device.order().check_panics(Covered::Some)
    }

    /// Milliseconds from this event to `end`, which is waited for: GPU time on a CUDA device, wall time on the simulator.
    ///
    /// # Errors
    /// [`Error::DeviceMismatch`](crate::Error::DeviceMismatch) when the events are of two devices; otherwise as for
    /// [`Event::synchronize`].
    pub fn elapsed(&self, end: &Event) -> Result<f64> {
        self.device.expect_same(&end.device, "the second event")?;
        self.raw.synchronize()?;
        end.synchronize()?;
        self.raw.milliseconds_until(&end.raw)
    }
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Event({})", self.device)
    }
}
