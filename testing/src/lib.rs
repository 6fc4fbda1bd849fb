//! Tests of kernels: what `#[kernel_test]` runs.
//!
//! A test's kernel runs once per device that is wanted, each time on a device of its own where that is a simulator. A thread that panics
//! fails the test, and the report says which threads did, where, and with what values.

mod against;
mod compare;
mod devices;
mod report;
mod run;
mod snapshot;

pub use against::{Check, Inputs, check_against};
pub use compare::{Apart, Closeness, Number, close_slices};
pub use devices::DeviceKind;
pub use run::{Test, run, to_device};
pub use snapshot::{SnapshotPlace, snapshot, snapshot_close};
