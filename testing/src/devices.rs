//! On which devices a test runs.

use std::sync::{Mutex, MutexGuard, PoisonError};

use threadwise_host::Device;

/// Environment variable that says on which devices kernel tests run.
pub(crate) const VARIABLE: &str = "THREADWISE_TEST_DEVICE";

/// Every kind.
pub(crate) const ALL: &[DeviceKind] = &[DeviceKind::Sim, DeviceKind::Cuda];

/// A kind of device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceKind {
    /// The simulator.
    Sim,
    /// The first CUDA device.
    Cuda,
}

impl DeviceKind {
    /// As messages name it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            DeviceKind::Sim => "the simulator",
            DeviceKind::Cuda => "the GPU",
        }
    }
}

/// A device for one test.
pub(crate) struct Lease {
    pub(crate) device: Device,
    /// Tests of one process take turns on the GPU, so that a panic or fault is told apart from another test's.
    _turn: Option<MutexGuard<'static, ()>>,
}

impl Lease {
    /// A simulator of the test's own, or the GPU alone.
    pub(crate) fn new(kind: DeviceKind) -> threadwise_host::Result<Lease> {
        static GPU: Mutex<()> = Mutex::new(());
        match kind {
            DeviceKind::Sim => Ok(Lease { device: Device::simulator()?, _turn: None }),
            DeviceKind::Cuda => {
                let turn = GPU.lock().unwrap_or_else(PoisonError::into_inner);
                Ok(Lease { device: Device::cuda(0)?, _turn: Some(turn) })
            }
        }
    }
}

/// What the variable asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    /// The simulator, and the GPU where there is one.
    Automatic,
    Only(DeviceKind),
    Both,
}

impl Wish {
    fn parse(value: &str) -> Result<Wish, String> {
        match value {
            "" => Ok(Wish::Automatic),
            "sim" => Ok(Wish::Only(DeviceKind::Sim)),
            "cuda" => Ok(Wish::Only(DeviceKind::Cuda)),
            "both" => Ok(Wish::Both),
            other => Err(format!("{VARIABLE} is `{other}`; it can be `sim`, `cuda` or `both`")),
        }
    }

    /// The devices of this wish among those that a test allows.
    fn among(self, allowed: &[DeviceKind], has_gpu: impl FnOnce() -> bool) -> Vec<DeviceKind> {
        let wanted: &[DeviceKind] = match self {
            Wish::Automatic if has_gpu() => &[DeviceKind::Sim, DeviceKind::Cuda],
            Wish::Automatic => &[DeviceKind::Sim],
            Wish::Only(DeviceKind::Sim) => &[DeviceKind::Sim],
            Wish::Only(DeviceKind::Cuda) => &[DeviceKind::Cuda],
            Wish::Both => &[DeviceKind::Sim, DeviceKind::Cuda],
        };
        wanted.iter().copied().filter(|kind| allowed.contains(kind)).collect()
    }
}

/// The devices on which a test runs that allows those of `allowed`. None means that it is skipped.
///
/// # Errors
/// When the environment variable has a value that means nothing.
pub(crate) fn wanted(allowed: &[DeviceKind]) -> Result<Vec<DeviceKind>, String> {
    let value = std::env::var_os(VARIABLE).unwrap_or_default();
    Ok(Wish::parse(&value.to_string_lossy())?.among(allowed, || Device::cuda(0).is_ok()))
}

#[cfg(test)]
mod tests {
    use super::DeviceKind::{Cuda, Sim};
    use super::*;

    #[test]
    fn unset_variable_means_every_device_there_is() {
        assert_eq!(Wish::Automatic.among(&[Sim, Cuda], || true), [Sim, Cuda]);
        assert_eq!(Wish::Automatic.among(&[Sim, Cuda], || false), [Sim]);
    }

    #[test]
    fn device_that_a_test_does_not_allow_is_left_out() {
        assert_eq!(Wish::Both.among(&[Sim], || true), [Sim]);
        assert_eq!(Wish::Only(Cuda).among(&[Sim], || true), []);
    }

    #[test]
    fn value_that_means_nothing_is_quoted() {
        assert_eq!(Wish::parse("both"), Ok(Wish::Both));
        assert!(Wish::parse("gpu").unwrap_err().contains("`gpu`"));
    }
}
