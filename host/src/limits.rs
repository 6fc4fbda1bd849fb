//! What a device can launch, and whether a launch is within it.

use threadwise_abi::{Dim3, MAX_BLOCK_DIM_XY, MAX_BLOCK_DIM_Z, MAX_GRID_DIM_X, MAX_GRID_DIM_YZ, MAX_THREADS_PER_BLOCK};

use crate::error::LaunchProblem;

/// A size that the host sets for a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeviceLimit {
    /// What kernels allocate from.
    Heap,
    /// Each thread's memory for calls.
    Stack,
}

impl std::fmt::Display for DeviceLimit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            DeviceLimit::Heap => "a heap",
            DeviceLimit::Stack => "a stack",
        })
    }
}

/// A launch's grid, block and dynamic shared memory, checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Config {
    pub(crate) grid: Dim3,
    pub(crate) block: Dim3,
    pub(crate) shared_bytes: u32,
}

/// What the device can do. Extents are the same for all devices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    shared_bytes: u32,
}

/// What the kernel allows and needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KernelLimits {
    /// Threads per block.
    pub(crate) max_threads: u32,
    /// Bytes of static shared memory.
    pub(crate) static_shared: u32,
}

impl Limits {
    /// Those of a device whose blocks may use that much shared memory.
    pub(crate) fn with_shared_bytes(shared_bytes: u32) -> Self {
        Limits { shared_bytes }
    }

    /// Whether the launch is possible.
    pub(crate) fn check(self, kernel: KernelLimits, config: &Config) -> Result<(), LaunchProblem> {
        let Config { grid, block, shared_bytes } = *config;
        check_extents("block", block, Dim3::new(MAX_BLOCK_DIM_XY, MAX_BLOCK_DIM_XY, MAX_BLOCK_DIM_Z))?;
        check_extents("grid", grid, Dim3::new(MAX_GRID_DIM_X, MAX_GRID_DIM_YZ, MAX_GRID_DIM_YZ))?;
        let limit = kernel.max_threads.min(MAX_THREADS_PER_BLOCK);
        if block.count() > u64::from(limit) {
            let by_kernel = limit < MAX_THREADS_PER_BLOCK;
            return Err(LaunchProblem::BlockTooLarge { value: block, threads: block.count(), limit, by_kernel });
        }
        if u64::from(kernel.static_shared) + u64::from(shared_bytes) > u64::from(self.shared_bytes) {
            let (fixed, limit) = (kernel.static_shared, self.shared_bytes);
            return Err(LaunchProblem::SharedMemory { fixed, dynamic: shared_bytes, limit });
        }
        Ok(())
    }
}

fn check_extents(what: &'static str, value: Dim3, limits: Dim3) -> Result<(), LaunchProblem> {
    for (axis, extent, limit) in [('x', value.x, limits.x), ('y', value.y, limits.y), ('z', value.z, limits.z)] {
        if extent == 0 {
            return Err(LaunchProblem::ZeroSize { what, value });
        }
        if extent > limit {
            return Err(LaunchProblem::ExtentTooLarge { what, axis, value, extent: extent.into(), limit });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(grid: impl Into<Dim3>, block: impl Into<Dim3>, shared_bytes: u32) -> Result<(), LaunchProblem> {
        let kernel = KernelLimits { max_threads: 512, static_shared: 1024 };
        Limits::with_shared_bytes(48 * 1024).check(kernel, &Config { grid: grid.into(), block: block.into(), shared_bytes })
    }

    #[test]
    fn limits_themselves_are_allowed() {
        assert_eq!(check((MAX_GRID_DIM_X, 65_535, 65_535), (1, 512), 47 * 1024), Ok(()));
        assert_eq!(check(1, (2, 2, 64), 0), Ok(()));
    }

    #[test]
    fn one_more_than_each_limit_is_refused_by_name() {
        use LaunchProblem::{BlockTooLarge, ExtentTooLarge, SharedMemory, ZeroSize};
        assert!(matches!(check(MAX_GRID_DIM_X + 1, 1, 0), Err(ExtentTooLarge { what: "grid", axis: 'x', .. })));
        assert!(matches!(check((1, 65_536), 1, 0), Err(ExtentTooLarge { what: "grid", axis: 'y', limit: 65_535, .. })));
        assert!(matches!(check((1, 1, 65_536), 1, 0), Err(ExtentTooLarge { what: "grid", axis: 'z', .. })));
        assert!(matches!(check(1, (1, 1, 65), 0), Err(ExtentTooLarge { what: "block", axis: 'z', limit: 64, .. })));
        assert!(matches!(check(1, 1025, 0), Err(ExtentTooLarge { what: "block", axis: 'x', .. })));
        assert!(matches!(check(1, (27, 19), 0), Err(BlockTooLarge { threads: 513, limit: 512, by_kernel: true, .. })));
        assert!(matches!(check(1, 1, 47 * 1024 + 1), Err(SharedMemory { fixed: 1024, .. })));
        assert!(matches!(check(0, 1, 0), Err(ZeroSize { what: "grid", .. })));
        assert!(matches!(check(1, (1, 0), 0), Err(ZeroSize { what: "block", .. })));
    }
}
