//! Streams and events of a simulated device: everything enqueued is done already.

use std::time::Instant;

/// An event: the time at which it happened.
pub(crate) struct Event(Instant);

impl Event {
    pub(crate) fn now() -> Event {
        Event(Instant::now())
    }

    /// Milliseconds of wall time from this event to `end`, negative if `end` was first.
    pub(crate) fn milliseconds_until(&self, end: &Event) -> f64 {
        let forwards = end.0.saturating_duration_since(self.0).as_secs_f64();
        let backwards = self.0.saturating_duration_since(end.0).as_secs_f64();
        (forwards - backwards) * 1e3
    }
}
