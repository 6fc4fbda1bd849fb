//! Tests of kernels: what `#[kernel_test]` runs.
//!
//! A test's kernel runs once per device that is wanted, each time on a device of its own where that is a simulator. A thread that panics
//! fails the test, and the report says which threads did, where, and with what values.

mod devices;
mod report;
mod run;

pub use devices::DeviceKind;
pub use run::{Test, run, to_device};
