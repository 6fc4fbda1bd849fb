//! A simulator that runs PTX on the CPU and finds the faults.
//!
//! [`Simulator`] is one simulated device: it has memory, loads PTX as [`Module`]s and launches their kernels. A kernel that does something
//! undefined gives a [`Fault`] that names kernel, block, thread, line of the PTX and, where the PTX tells, line of the source.
//!
//! # What it does and where it differs from a GPU
//!
//! - Instructions give the bits that an H200 gives, NaNs included (`tests/instructions.rs`). `rcp`, `rsqrt`, `sqrt`, `div`, `ex2` and `lg2`
//!   with `.approx` or `.full` are rounded correctly instead: within the units in the last place that the test states. `sin`, `cos` and
//!   `tanh` likewise, but they are not compared with hardware yet.
//! - Threads of a warp run together where they can; a thread that loops waiting for another one of its warp, its block or an earlier block
//!   gets what it waits for. Blocks start in order, as many at a time as there are CPU threads; a block that waits for a *later* one may wait
//!   for ever, and so may a kernel that never ends.
//! - A shuffle that reads from a thread which has ended gives the reader's own value (a GPU gives anything).
//! - Memory that nobody wrote is zero. Registers that nobody wrote have any value.
//! - Float atomics of several blocks add up in any order, as on a GPU.
//! - Every thread has 256 KiB for calls; a fault of the lowest block that met one is reported.
//! - Not there yet, an error when loading: 128-bit registers, textures, asynchronous copies,
//!   matrix instructions, clusters.
//!
//! # How it works
//!
//! `decode` turns PTX into operations with resolved operands (`code`), `exec` runs them: a warp is the unit, registers are arrays of 32
//! lanes, an operation is one loop over lanes. Lanes keep their own place in the code; those at the same place run together
//! (`exec/schedule.rs`).
//!
//! ```
//! use threadwise_sim::{LaunchConfig, Simulator};
//!
//! let ptx = ".version 6.3\n.target sm_75\n.address_size 64\n\
//!     .visible .entry seven(.param .u64 out) { .reg .b64 %rd<2>; ld.param.b64 %rd1, [out]; st.global.b32 [%rd1], 7; ret; }";
//! let device = Simulator::new();
//! let out = device.allocate(4)?;
//! let kernel = device.load(ptx)?.kernel("seven").ok_or("no such kernel")?;
//! let config = LaunchConfig { grid: 1.into(), block: 1.into(), shared_bytes: 0 };
//! device.launch(&kernel, &config, &out.to_le_bytes())?;
//! let mut bytes = [0; 4];
//! device.read(out, &mut bytes)?;
//! assert_eq!(u32::from_le_bytes(bytes), 7);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![allow(clippy::result_large_err, reason = "a fault ends a launch: it is moved once, on no hot path")]

mod code;
mod decode;
mod error;
mod exec;
mod fault;
mod memory;
mod module;
mod output;
mod simulator;

pub use error::{LoadError, MemoryError};
pub use fault::{AccessKind, Allocation, Fault, FaultKind, MemorySpace, SourcePlace};
pub use module::{Kernel, Module};
pub use simulator::{LaunchConfig, LaunchReport, Simulator};
