//! What can go wrong on the host, and what to do about it.

use threadwise_abi::Dim3;

use crate::fault::KernelFault;
use crate::limits::DeviceLimit;
use crate::panic::KernelPanic;

/// `Result` with [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong. The message says what to do about it where there is something to do.
///
/// `Debug` is the message too: it is what `main` prints of the error it returns, and what `unwrap` shows.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No usable CUDA device where one was asked for.
    #[error("no CUDA device: {reason}; set THREADWISE_DEVICE=sim, or use Device::simulator(), to run on the simulator")]
    NoCudaDevice {
        /// What was found instead.
        reason: String,
    },
    /// The environment variable `THREADWISE_DEVICE` has a value that means nothing.
    #[error("THREADWISE_DEVICE is `{value}`, which names no device; use `sim`, `cuda` or `cuda:N`, such as `cuda:1`")]
    BadDeviceVariable {
        /// Its value.
        value: String,
    },
    /// A call of the CUDA driver failed.
    #[error("{name} ({code}) from the CUDA driver while {what}{}", driver_cure(*.code))]
    Driver {
        /// The driver's error code (`CUresult`).
        code: u32,
        /// Name of the code, such as `CUDA_ERROR_INVALID_VALUE`.
        name: String,
        /// What was being done.
        what: String,
    },
    /// The device has no room for an allocation.
    #[error("out of device memory: {bytes} bytes do not fit; drop buffers that are no longer needed or work in smaller pieces")]
    OutOfMemory {
        /// Bytes asked for.
        bytes: u64,
    },
    /// The size of the heap was set after a kernel had used it.
    #[error(
        "the size of the device's heap can only be set before the first launch of a kernel that allocates; set it right after `Device::new`"
    )]
    HeapInUse,
    /// The device cannot have that much heap or stack.
    #[error("{limit} of {bytes} bytes is more than the device can have; choose a smaller one")]
    LimitTooLarge {
        /// What was set.
        limit: DeviceLimit,
        /// Bytes asked for.
        bytes: usize,
    },
    /// The host has no room for a copy.
    #[error("out of host memory: {bytes} bytes for a copy of a device buffer do not fit; read it in parts with `slice`")]
    OutOfHostMemory {
        /// Bytes needed.
        bytes: usize,
    },
    /// A buffer would be larger than the address space.
    #[error("a buffer of {len} elements of {element_bytes} bytes is larger than the address space")]
    TooLarge {
        /// Elements, as text because the count itself may not fit a number (`rows x cols`).
        len: String,
        /// Bytes of one element.
        element_bytes: usize,
    },
    /// Two lengths that must be equal are not.
    #[error("length mismatch while {what}: the device buffer has {device} elements and the other side has {other}")]
    LengthMismatch {
        /// What was being done.
        what: &'static str,
        /// Length of the device buffer.
        device: usize,
        /// Length of the slice or buffer it was to be copied from or to.
        other: usize,
    },
    /// The number of elements is not the product of the extents.
    #[error("{len} elements do not make a buffer of shape {shape}, which has {expected}")]
    ShapeMismatch {
        /// Elements given.
        len: usize,
        /// The shape, such as `3 x 4`.
        shape: String,
        /// Elements that the shape has.
        expected: usize,
    },
    /// A range that is not within a buffer.
    #[error("range {start}..{end} is out of bounds for a device buffer of {len} elements")]
    OutOfRange {
        /// First index.
        start: usize,
        /// One past the last index.
        end: usize,
        /// Length of the buffer.
        len: usize,
    },
    /// A copy between two parts of one buffer that overlap.
    #[error("the source and the destination of a copy overlap; copy through a third buffer")]
    OverlappingCopy,
    /// Objects of two devices met.
    #[error("{what} is on {found}, but this is about {expected}; all buffers and the stream of a launch or copy must belong to one device")]
    DeviceMismatch {
        /// Which object.
        what: String,
        /// Its device.
        found: String,
        /// The device of the others.
        expected: String,
    },
    /// The program contains no device code for a kernel.
    #[error(
        "there is no device code for kernel `{kernel}` ({place}): `cargo check`, rustdoc and doctests build none, and a crate's device code is only there \
         when the crate is linked into the program; use `cargo build` or `cargo run`, and refer to an item of the crate that has the kernel; for a generic kernel of another crate, put \
         `threadwise::instances!();` into the crate that launches it"
    )]
    NoDeviceCode {
        /// The kernel.
        kernel: String,
        /// `file:line:column` of the kernel.
        place: String,
    },
    /// The program contains no device code with a `#[device] static`.
    #[error(
        "there is no device code with the static `{name}`: `cargo check`, rustdoc and doctests build none; use `cargo build` or `cargo run`"
    )]
    NoDeviceStatic {
        /// The static.
        name: String,
    },
    /// Device code could not be loaded.
    #[error("the device code of crate `{krate}` could not be loaded on {device}: {log}")]
    Load {
        /// The crate it was built from.
        krate: String,
        /// The device.
        device: String,
        /// What the driver's compiler or the simulator said.
        log: String,
    },
    /// A launch was not possible as asked for.
    #[error("kernel `{kernel}` cannot be launched: {problem}")]
    Launch {
        /// The kernel.
        kernel: String,
        /// Why.
        problem: LaunchProblem,
    },
    /// A thread of a kernel panicked.
    #[error(transparent)]
    Panic(Box<KernelPanic>),
    /// The simulator stopped a kernel that did something no GPU defines.
    #[error(transparent)]
    Fault(Box<KernelFault>),
    /// The two halves of threadwise disagree: a bug of threadwise.
    #[error("internal error of threadwise: {0}; please report it")]
    Internal(String),
}

impl std::fmt::Debug for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

/// Why a launch was not possible.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LaunchProblem {
    /// An extent of the grid or block is zero.
    #[error("zero-size {what} {value}; every extent must be at least 1 (`.over(..)` skips launches over nothing by itself)")]
    ZeroSize {
        /// `grid` or `block`.
        what: &'static str,
        /// Its extents.
        value: Dim3,
    },
    /// One extent of the grid or block is beyond the limit.
    #[error("{what} {value} has {extent} along {axis}, and the limit is {limit}; use more {other} instead, or launch in pieces", other = if *.what == "grid" { "threads per block" } else { "blocks" })]
    ExtentTooLarge {
        /// `grid` or `block`.
        what: &'static str,
        /// `x`, `y` or `z`.
        axis: char,
        /// All its extents.
        value: Dim3,
        /// The one too large.
        extent: u64,
        /// The most that is possible.
        limit: u32,
    },
    /// So many elements that the grid has no room for the blocks.
    #[error(
        "{extent} threads along {axis} need {blocks} blocks of {block}, and the limit is {limit}; launch over pieces, or over fewer threads that loop"
    )]
    TooManyBlocks {
        /// `x`, `y` or `z`.
        axis: char,
        /// Threads asked for along the axis.
        extent: usize,
        /// Threads of a block along the axis.
        block: u32,
        /// Blocks that this needs.
        blocks: usize,
        /// The most that is possible.
        limit: u32,
    },
    /// The block has more threads than a block can have.
    #[error("block {value} has {threads} threads, and the limit is {limit}{}; use a smaller block and a larger grid", if *.by_kernel { " for this kernel (its launch bounds or registers)" } else { "" })]
    BlockTooLarge {
        /// The block.
        value: Dim3,
        /// Its threads.
        threads: u64,
        /// The most that is possible.
        limit: u32,
        /// Whether the kernel itself sets the limit, by launch bounds or register use.
        by_kernel: bool,
    },
    /// More shared memory than the device has.
    #[error(
        "{fixed} bytes of static and {dynamic} bytes of dynamic shared memory per block are more than the {limit} bytes of this device; use smaller tiles"
    )]
    SharedMemory {
        /// Bytes the kernel has statically.
        fixed: u32,
        /// Bytes asked for at the launch.
        dynamic: u32,
        /// The most that is possible.
        limit: u32,
    },
    /// The launch has more dimensions than the kernel's indices distinguish.
    #[error(
        "{what} {value} has more than {dimensions} dimension(s), and the kernel's index is {dimensions}-dimensional, so threads would share elements; set the other extents to 1"
    )]
    TooManyDimensions {
        /// `grid` or `block`.
        what: &'static str,
        /// Its extents.
        value: Dim3,
        /// Dimensions that the kernel has.
        dimensions: u32,
    },
    /// Neither extent nor grid and block.
    #[error("no extent; say `.over(n)`, or `.grid(..)` and `.block(..)`")]
    NoExtent,
    /// A grid without a block.
    #[error("a grid but no block; add `.block(..)`, or replace `.grid(..)` by `.over(n)`")]
    NoBlock,
    /// A block without a grid.
    #[error("a block but no grid; add `.grid(..)`, or `.over(n)` to have the grid computed")]
    NoGrid,
    /// An extent and a grid.
    #[error("both `.over(..)` and `.grid(..)`; `.over(..)` computes the grid, so leave one of them out")]
    ExtentAndGrid,
    /// Which device?
    #[error("none of its arguments is on a device; say where with `.on(&stream)`, such as `.on(&gpu.default_stream())`")]
    NoDevice,
    /// More parameters than a launch can take.
    #[error("its parameters take {bytes} bytes, and the limit is {limit}; pass large values in a buffer")]
    ParametersTooLarge {
        /// Bytes of all parameters.
        bytes: usize,
        /// The most that is possible.
        limit: usize,
    },
    /// Two arguments overlap and at least one of them is written.
    #[error(
        "arguments {first} and {second} are parts of one buffer that overlap, and one of them is written while the other is in use; use disjoint parts or a copy"
    )]
    Overlap {
        /// Position of one, from 1.
        first: usize,
        /// Position of the other, from 1.
        second: usize,
    },
}

/// What to do about driver errors that users meet.
fn driver_cure(code: u32) -> &'static str {
    match code {
        // 700, 716 to 719 lose the context: every later call returns the same code.
        700 | 715 | 716 | 717 | 718 | 719 => {
            "; a kernel did something undefined and the CUDA context is lost: run the program with THREADWISE_DEVICE=sim to find the place"
        }
        222 => "; the driver is older than the PTX: update the driver",
        803 => "; the driver's library and kernel module have different versions: reboot, or reinstall the driver",
        _ => "",
    }
}

impl From<KernelPanic> for Error {
    fn from(panic: KernelPanic) -> Self {
        Error::Panic(Box::new(panic))
    }
}

impl From<KernelFault> for Error {
    fn from(fault: KernelFault) -> Self {
        Error::Fault(Box::new(fault))
    }
}
