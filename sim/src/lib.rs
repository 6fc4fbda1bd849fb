//! A simulator that runs PTX on the CPU and finds the faults.
//!
//! [`Simulator`] is one simulated device: it has memory, loads PTX as [`Module`]s and launches their kernels. A kernel that does something
//! undefined gives a [`Fault`] that names kernel, block, thread, line of the PTX and, where the PTX tells, line of the source.
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
mod simulator;

pub use error::{LoadError, MemoryError};
pub use fault::{AccessKind, Allocation, Fault, FaultKind, MemorySpace, SourcePlace};
pub use module::{Kernel, Module};
pub use simulator::{LaunchConfig, LaunchReport, Simulator};
