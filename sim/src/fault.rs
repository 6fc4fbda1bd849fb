//! Faults: what a kernel did that no GPU defines.

use std::fmt;

use threadwise_abi::Dim3;

/// A thread did something undefined; the launch stopped there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kernel's entry.
    pub kernel: String,
    /// Block of the thread.
    pub block: Dim3,
    /// The thread in its block.
    pub thread: Dim3,
    /// Line of the PTX, from 1; 0 when no instruction is to blame.
    pub ptx_line: u32,
    /// Place in the source, where the PTX tells.
    pub place: Option<SourcePlace>,
    /// What happened.
    pub kind: FaultKind,
}

/// A place in the source that the PTX was made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcePlace {
    /// Path of the file.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1; 0 when unknown.
    pub column: u32,
}

/// How memory was accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    /// A load.
    Read,
    /// A store.
    Write,
    /// An atomic.
    Atomic,
}

/// State space of a memory access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemorySpace {
    /// Global and constant memory.
    Global,
    /// Shared memory of the block.
    Shared,
    /// Memory of the thread.
    Local,
    /// Parameters of the kernel.
    Parameters,
}

/// A range of global memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allocation {
    /// First address.
    pub address: u64,
    /// Size in bytes.
    pub bytes: u64,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// An access outside of every allocation, or outside of the memory of its state space.
    OutOfBounds {
        /// Where it was meant to go.
        space: MemorySpace,
        /// First address.
        address: u64,
        /// Bytes.
        bytes: u32,
        /// Load, store or atomic.
        access: AccessKind,
        /// Global memory: the allocation closest to the address. Other spaces: their whole extent.
        nearest: Option<Allocation>,
    },
    /// An access to memory that was freed.
    UseAfterFree {
        /// First address.
        address: u64,
        /// Bytes.
        bytes: u32,
        /// Load, store or atomic.
        access: AccessKind,
        /// What was there.
        freed: Allocation,
    },
    /// An address that is no multiple of what is accessed.
    Misaligned {
        /// The address.
        address: u64,
        /// What it should be a multiple of.
        alignment: u32,
        /// Load, store or atomic.
        access: AccessKind,
    },
    /// An access through a null pointer, or close to it.
    Null {
        /// The address.
        address: u64,
        /// Load, store or atomic.
        access: AccessKind,
    },
    /// Threads of a warp wait at different barriers, which must be reached together.
    BarrierDivergence {
        /// Line of the PTX of the other barrier.
        other_line: u32,
    },
    /// No thread can go on: a barrier waits for threads that will never reach it.
    BarrierDeadlock {
        /// Number of the barrier.
        barrier: u32,
        /// Threads that wait there.
        arrived: u32,
        /// Threads it waits for in all.
        expected: u32,
    },
    /// A barrier with a number above 15, or with a number of threads that is no multiple of 32.
    BadBarrier {
        /// Number of the barrier.
        barrier: u32,
        /// Threads.
        threads: u32,
    },
    /// A warp operation waits for lanes that will never reach it.
    WarpDeadlock {
        /// Lanes of its mask.
        mask: u32,
        /// Lanes that are there.
        present: u32,
    },
    /// A lane executes a warp operation whose mask leaves the lane out.
    BadMask {
        /// The mask.
        mask: u32,
        /// The lane.
        lane: u32,
    },
    /// A shuffle reads from a lane that the mask leaves out.
    InactiveLane {
        /// The mask.
        mask: u32,
        /// The lane read from.
        source: u32,
    },
    /// A warp operation counts on a lane that has returned from the kernel, or that the block does not have.
    EndedLane {
        /// The lanes that the operation is for.
        mask: u32,
        /// One that is not there.
        lane: u32,
    },
    /// `trap`.
    Trap,
    /// Too deep a recursion, or too large local variables.
    StackOverflow {
        /// Bytes that a thread may use.
        limit: u32,
    },
    /// An indirect call of something that is no function, or one with other parameters.
    BadCall {
        /// The address.
        address: u64,
    },
    /// An index beyond the table of an indexed branch.
    BadBranch {
        /// The index.
        index: u32,
        /// Targets.
        targets: u32,
    },
    /// The device runtime's `free` of something that its `malloc` did not give.
    BadFree {
        /// The address.
        address: u64,
    },
    /// `printf` with a conversion that it does not have.
    BadFormat {
        /// The conversion, such as `%n`.
        conversion: String,
    },
    /// The launch itself is impossible.
    InvalidLaunch {
        /// Why.
        reason: String,
    },
}

impl fmt::Display for AccessKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AccessKind::Read => "read",
            AccessKind::Write => "write",
            AccessKind::Atomic => "atomic access",
        })
    }
}

impl fmt::Display for MemorySpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MemorySpace::Global => "global",
            MemorySpace::Shared => "shared",
            MemorySpace::Local => "local",
            MemorySpace::Parameters => "parameter",
        })
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FaultKind::OutOfBounds { space, address, bytes, access, nearest } => {
                write!(f, "out-of-bounds {access} of {bytes} bytes at {space} address {address:#x}")?;
                match (nearest, space) {
                    (Some(near), MemorySpace::Global) => {
                        let (start, size) = (near.address, near.bytes);
                        if *address >= start {
                            let past = address - start;
                            write!(f, "; the nearest allocation has {size} bytes from {start:#x}, so this is {past} bytes from its start")
                        } else {
                            let before = start - address;
                            write!(
                                f,
                                "; the nearest allocation has {size} bytes from {start:#x}, so this is {before} bytes before its start"
                            )
                        }
                    }
                    (Some(whole), MemorySpace::Shared | MemorySpace::Local | MemorySpace::Parameters) => {
                        write!(f, "; there are {} bytes", whole.bytes)
                    }
                    (None, _) => write!(f, "; there is no allocation"),
                }
            }
            FaultKind::UseAfterFree { address, bytes, access, freed } => {
                let (start, size) = (freed.address, freed.bytes);
                write!(f, "{access} of {bytes} bytes at {address:#x} after that memory was freed ({size} bytes from {start:#x})")
            }
            FaultKind::Misaligned { address, alignment, access } => {
                write!(f, "misaligned {access} at {address:#x}, which is no multiple of {alignment}")
            }
            FaultKind::Null { address, access } => write!(f, "{access} through a null pointer (address {address:#x})"),
            FaultKind::BarrierDivergence { other_line } => write!(
                f,
                "divergent barrier: other threads of the warp wait at the barrier of PTX line {other_line}, but all must reach the same one"
            ),
            FaultKind::BarrierDeadlock { barrier, arrived, expected } => {
                write!(f, "barrier {barrier} is never completed: {arrived} of {expected} threads wait there and no other thread will come")
            }
            FaultKind::BadBarrier { barrier, threads } => {
                write!(f, "barrier {barrier} with {threads} threads: numbers go up to 15 and threads are a multiple of 32")
            }
            FaultKind::WarpDeadlock { mask, present } => {
                write!(f, "a warp operation for the lanes {mask:#010x} is never completed: only {present:#010x} reach it")
            }
            FaultKind::BadMask { mask, lane } => {
                write!(f, "lane {lane} executes a warp operation whose mask {mask:#010x} leaves it out")
            }
            FaultKind::InactiveLane { mask, source } => {
                write!(f, "a shuffle reads from lane {source}, which its mask {mask:#010x} leaves out")
            }
            FaultKind::EndedLane { mask, lane } => write!(
                f,
                "a warp operation for the lanes {mask:#010x} needs lane {lane}, which has returned from the kernel or does not exist: launch whole \
                 warps (a multiple of 32 threads a block) and let all lanes come here"
            ),
            FaultKind::Trap => write!(f, "trap"),
            FaultKind::StackOverflow { limit } => write!(f, "stack overflow: a thread has {limit} bytes"),
            FaultKind::BadCall { address } => write!(f, "call of {address:#x}, which is no function of that signature"),
            FaultKind::BadBranch { index, targets } => write!(f, "indexed branch with index {index} into a table of {targets}"),
            FaultKind::BadFree { address } => write!(f, "free of {address:#x}, which is no live allocation of a kernel"),
            FaultKind::BadFormat { conversion } => write!(
                f,
                "`printf` has no conversion `{conversion}`: there are d i u o x X c s p f e g a, with flags, width and precision up to 4096, h l ll"
            ),
            FaultKind::InvalidLaunch { reason } => write!(f, "invalid launch: {reason}"),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault { kernel, block, thread, ptx_line, place, kind } = self;
        if let FaultKind::InvalidLaunch { .. } = kind {
            return write!(f, "kernel `{kernel}`: {kind}");
        }
        write!(f, "kernel `{kernel}` faulted in block {block}, thread {thread}")?;
        if let Some(SourcePlace { file, line, column }) = place {
            write!(f, " at {file}:{line}:{column}")?;
        }
        write!(f, " (PTX line {ptx_line}): {kind}")
    }
}

impl std::error::Error for Fault {}
