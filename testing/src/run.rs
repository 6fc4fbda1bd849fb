//! One test from its devices to its verdict.

use threadwise_device::DeviceCopy;
use threadwise_host::{Device, DeviceBuffer, Error, Result};

use crate::devices::{self, DeviceKind, Lease};
use crate::report;

/// Panics kept beside the first: enough for all threads of a small test.
pub(crate) const RECORDS: u32 = 255;

/// A test of a kernel, as its attribute describes it.
#[derive(Clone, Copy, Debug)]
pub struct Test {
    /// Path of the test.
    pub name: &'static str,
    /// Devices on which it can run.
    pub devices: &'static [DeviceKind],
    /// What a panic of the kernel must contain, when the kernel has to panic.
    pub should_panic: Option<&'static str>,
}

/// Runs `test` on each device that is wanted. `launch` launches its kernel on a device, waits for it, and keeps so many panics.
///
/// # Panics
/// When the test fails; the message is the report.
#[track_caller]
pub fn run(test: &Test, launch: impl Fn(&Device, u32) -> Result<()>) {
    let kinds = devices::wanted(test.devices).unwrap_or_else(|problem| panic!("{problem}"));
    if kinds.is_empty() {
        let allowed: Vec<_> = test.devices.iter().map(|kind| kind.name()).collect();
        eprintln!("skipped: `{}` runs on {} only, and {} asks for another", test.name, allowed.join(" and "), devices::VARIABLE);
        return;
    }
    let failures: Vec<String> = kinds.iter().filter_map(|&kind| verdict(test, kind, &launch).err()).collect();
    if failures.is_empty() {
        return;
    }
    let passed = kinds.len() - failures.len();
    let elsewhere = if passed > 0 { "\non the other device the test passed" } else { "" };
    panic!("{}{elsewhere}", failures.join("\n\n"));
}

/// The report, when the test fails on a device of that kind.
fn verdict(test: &Test, kind: DeviceKind, launch: impl Fn(&Device, u32) -> Result<()>) -> std::result::Result<(), String> {
    let failed = |what: &str| format!("kernel test `{}` failed on {}: {what}", test.name, kind.name());
    let lease = Lease::new(kind).map_err(|error| failed(&error.to_string()))?;
    match (launch(&lease.device, RECORDS), test.should_panic) {
        (Ok(()), None) => Ok(()),
        (Ok(()), Some(_)) => Err(failed("the kernel did not panic, as it should")),
        (Err(Error::Panic(panic)), Some(expected)) if panic.message.contains(expected) => Ok(()),
        (Err(Error::Panic(panic)), Some(expected)) => {
            let wrong = format!("a panic should contain {expected:?}; the kernel panicked otherwise\n\n{}", report::of_panic(&panic));
            Err(failed(&wrong))
        }
        (Err(Error::Panic(panic)), None) => Err(failed(&report::of_panic(&panic))),
        (Err(error), _) => Err(failed(&error.to_string())),
    }
}

/// A buffer of the values of a case, for a parameter that is a slice.
///
/// # Errors
/// As for [`Device::to_device`].
pub fn to_device<T: DeviceCopy>(device: &Device, values: &(impl AsRef<[T]> + ?Sized)) -> Result<DeviceBuffer<T>> {
    device.to_device(values.as_ref())
}
