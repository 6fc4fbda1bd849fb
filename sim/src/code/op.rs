//! Operations of decoded code and the places of their operands.

use threadwise_ptx::Space;

use super::binary::{Binary32, Binary64, Join, Shift64};
use super::compare::{Compare32, Compare64, Logic};
use super::convert::Convert;
use super::directed::Directed;
use super::float::Rounding;
use super::small::Small;
use super::ternary::{Field64, MadWide, Quaternary32, Quaternary64, Select64, Ternary32, Ternary64};
use super::unary::{Narrow, Unary32, Unary64, Widen};

/// Where the lanes of an operand lie, in words of 64 bits: the upper two bits say in which region, the others at which offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Slot(pub(crate) u32);

impl Slot {
    /// Registers of the current frame.
    pub(crate) const REGISTERS: u32 = 0;
    /// Constants of the kernel, the same in all lanes.
    pub(crate) const CONSTANTS: u32 = 1;
    /// Special registers of the warp.
    pub(crate) const SPECIALS: u32 = 2;
    /// Parameters of the launch, the same in all lanes.
    pub(crate) const PARAMETERS: u32 = 3;

    pub(crate) fn new(region: u32, offset: u32) -> Slot {
        Slot(region << 30 | offset)
    }

    #[inline(always)]
    pub(crate) fn region(self) -> usize {
        (self.0 >> 30) as usize
    }

    #[inline(always)]
    pub(crate) fn offset(self) -> usize {
        (self.0 & 0x3fff_ffff) as usize
    }
}

/// Words of a register in all lanes.
pub(crate) const WORDS32: u32 = 16;
/// Words of a register in all lanes.
pub(crate) const WORDS64: u32 = 32;
/// Words of a predicate in all lanes.
pub(crate) const WORDS_PREDICATE: u32 = 1;

/// Indices of special registers, each of which has [`WORDS64`] words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Special {
    TidX,
    TidY,
    TidZ,
    NtidX,
    NtidY,
    NtidZ,
    CtaidX,
    CtaidY,
    CtaidZ,
    NctaidX,
    NctaidY,
    NctaidZ,
    Laneid,
    Warpid,
    Nwarpid,
    LanemaskEq,
    LanemaskLt,
    LanemaskLe,
    LanemaskGt,
    LanemaskGe,
    Smid,
    Nsmid,
    Gridid,
    DynamicSmemSize,
    TotalSmemSize,
}

/// How many there are.
pub(crate) const SPECIALS: usize = Special::TotalSmemSize as usize + 1;

/// A clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clock {
    /// `%clock`, `%clock64`: instructions of the warp.
    Cycles,
    /// `%clock_hi`
    CyclesHigh,
    /// `%globaltimer`: nanoseconds.
    Nanoseconds,
    /// `%globaltimer_lo`
    NanosecondsLow,
    /// `%globaltimer_hi`
    NanosecondsHigh,
}

/// An operation with the condition code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Carry {
    Add,
    Sub,
    MadLo,
    MadHiU,
    MadHiS,
}

/// One operation of a warp. `d` is the result, `a`, `b` … are the operands.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    Unary32 {
        op: Unary32,
        d: Slot,
        a: Slot,
    },
    Unary64 {
        op: Unary64,
        d: Slot,
        a: Slot,
    },
    Widen {
        op: Widen,
        d: Slot,
        a: Slot,
    },
    Narrow {
        op: Narrow,
        d: Slot,
        a: Slot,
    },
    Binary32 {
        op: Binary32,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    Binary64 {
        op: Binary64,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    Shift64 {
        op: Shift64,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    Join {
        op: Join,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    Ternary32 {
        op: Ternary32,
        d: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
    },
    Ternary64 {
        op: Ternary64,
        d: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
    },
    MadWide {
        op: MadWide,
        d: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
    },
    Field64 {
        op: Field64,
        d: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
    },
    Select64 {
        op: Select64,
        d: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
    },
    Quaternary32 {
        op: Quaternary32,
        d: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
        e: Slot,
    },
    Quaternary64 {
        op: Quaternary64,
        d: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
        e: Slot,
    },
    Compare32 {
        op: Compare32,
        negate: bool,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    Compare64 {
        op: Compare64,
        negate: bool,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    Logic {
        op: Logic,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    Selp32 {
        d: Slot,
        a: Slot,
        b: Slot,
        p: Slot,
    },
    Selp64 {
        d: Slot,
        a: Slot,
        b: Slot,
        p: Slot,
    },
    /// With the condition code: `input` reads it, `output` sets it.
    Carry32 {
        op: Carry,
        input: bool,
        output: bool,
        d: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
    },
    Carry64 {
        op: Carry,
        input: bool,
        output: bool,
        d: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
    },
    Directed32 {
        op: Directed,
        rounding: Rounding,
        d: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
    },
    Directed64 {
        op: Directed,
        rounding: Rounding,
        d: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
    },
    /// `convert` is an index into the table of conversions.
    Convert {
        convert: u32,
        d: Slot,
        wide_d: bool,
        a: Slot,
        wide_a: bool,
    },
    /// `small` is an index into the table of operations on 16-bit floats.
    Small {
        small: u32,
        d: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
    },
    Clock {
        clock: Clock,
        wide: bool,
        d: Slot,
    },
    /// Address in local space of a place in the frame.
    FrameAddress {
        d: Slot,
        offset: u32,
    },
    /// Address of shared, local or parameter space to generic (`to_generic`) or back.
    Window {
        space: Space,
        to_generic: bool,
        d: Slot,
        a: Slot,
    },
    Isspacep {
        space: Space,
        d: Slot,
        a: Slot,
    },
    /// `access` is an index into the table of accesses.
    Load {
        access: u32,
    },
    Store {
        access: u32,
    },
    /// `atomic` is an index into the table of atomics.
    Atomic {
        atomic: u32,
    },
    Fence,
    Branch {
        target: u32,
    },
    BranchIf {
        p: Slot,
        negate: bool,
        target: u32,
    },
    /// `table` is an index into the table of targets.
    BranchIndexed {
        index: Slot,
        table: u32,
    },
    /// `call` is an index into the table of calls.
    Call {
        call: u32,
    },
    Return,
    Exit,
    Trap,
    /// Lets others run.
    Yield,
    Activemask {
        d: Slot,
    },
    /// `collective` is an index into the table of collectives.
    Collective {
        collective: u32,
    },
    /// `barrier` is an index into the table of barriers.
    Barrier {
        barrier: u32,
    },
}

/// What an access addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Address {
    /// 64-bit register plus offset.
    Wide(Slot),
    /// 32-bit register plus offset.
    Short(Slot),
    /// The frame of the thread plus offset.
    Frame,
    /// The parameters of the kernel plus offset.
    Parameters,
}

/// Order of a memory access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Relaxed,
    Acquire,
    Release,
    AcquireRelease,
}

/// A load or a store.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    /// State space; generic when none.
    pub(crate) space: Option<Space>,
    pub(crate) address: Address,
    pub(crate) offset: i64,
    /// Bytes of an element: 1, 2, 4 or 8.
    pub(crate) bytes: u32,
    /// Elements: 1, 2 or 4.
    pub(crate) count: u32,
    /// Loads narrower than their register extend the sign.
    pub(crate) signed: bool,
    pub(crate) order: Order,
    /// Volatile or atomic: a loop around it may wait for another thread.
    pub(crate) polls: bool,
    /// Registers of the elements and whether each has 64 bits.
    pub(crate) data: [(Slot, Width); 4],
    /// Index of the cached allocation.
    pub(crate) site: u32,
}

/// Width of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    Predicate,
    Bits16,
    Bits32,
    Bits64,
}

/// What an atomic does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AtomicOp {
    Add,
    And,
    Or,
    Xor,
    MinU,
    MaxU,
    MinS,
    MaxS,
    Exch,
    Cas,
    Inc,
    Dec,
    AddF32,
    AddF64,
    /// 16-bit floats, one or two.
    AddSmall {
        bfloat: bool,
        packed: bool,
    },
}

/// `atom` or `red`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Atomic {
    pub(crate) op: AtomicOp,
    /// Where it is, and the register of the old value (`data[0]`, when `wanted`).
    pub(crate) access: Access,
    pub(crate) wanted: bool,
    pub(crate) operand: Slot,
    pub(crate) second: Slot,
}

/// What is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Callee {
    /// Index of the function.
    Function(u32),
    /// Register that holds its address.
    Indirect(Slot),
    /// `malloc` of the device runtime.
    Malloc,
    /// `free` of the device runtime.
    Free,
    /// `vprintf` of the device runtime; `site` is the index of a cached allocation.
    Print { site: u32 },
}

/// A call.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) callee: Callee,
    /// Offset in the frame and size of each argument.
    pub(crate) arguments: Vec<(u32, u32)>,
    /// Offset in the frame and size of each result.
    pub(crate) results: Vec<(u32, u32)>,
}

/// Which lane a shuffle reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shuffle {
    Up,
    Down,
    Bfly,
    Idx,
}

/// What `redux` computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reduction {
    Add,
    MinU,
    MaxU,
    MinS,
    MaxS,
    And,
    Or,
    Xor,
}

/// What the lanes of a mask do together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CollectiveOp {
    Shuffle(Shuffle),
    VoteAll,
    VoteAny,
    VoteUni,
    Ballot,
    MatchAny,
    MatchAll,
    Reduce(Reduction),
    Elect,
    /// `bar.warp.sync`
    Barrier,
}

/// A collective operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Collective {
    pub(crate) op: CollectiveOp,
    pub(crate) d: Option<Slot>,
    /// Predicate result.
    pub(crate) p: Option<Slot>,
    /// Value, 64 bits where `wide`; a predicate for votes.
    pub(crate) a: Slot,
    pub(crate) wide: bool,
    pub(crate) negate: bool,
    pub(crate) b: Slot,
    pub(crate) c: Slot,
    pub(crate) mask: Slot,
}

/// What a barrier computes from the predicates of its threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BarrierReduction {
    None,
    Popc,
    And,
    Or,
}

/// A barrier of the block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Barrier {
    pub(crate) id: Slot,
    /// Threads that take part; all of the block when none.
    pub(crate) threads: Option<Slot>,
    /// All threads of a warp must take part together.
    pub(crate) aligned: bool,
    /// Only counts, does not wait.
    pub(crate) arrive: bool,
    pub(crate) reduction: BarrierReduction,
    pub(crate) d: Slot,
    pub(crate) p: Slot,
    pub(crate) negate: bool,
}

/// A function.
#[derive(Clone, Debug)]
pub(crate) struct FunctionInfo {
    pub(crate) entry: bool,
    /// First operation.
    pub(crate) start: u32,
    /// Words of registers.
    pub(crate) registers: u32,
    /// Bytes of the frame: parameters, results, local variables, arguments of calls.
    pub(crate) frame: u32,
    /// Offset in the frame (in the parameter space for an entry) and size of each parameter.
    pub(crate) parameters: Vec<(u32, u32)>,
    /// Offset in the frame and size of each result.
    pub(crate) results: Vec<(u32, u32)>,
    /// Offset in the parameter space and size, 4 or 8 bytes, of what lies in [`Slot::PARAMETERS`], each in [`WORDS64`] words.
    pub(crate) uniform: Vec<(u32, u32)>,
}

impl FunctionInfo {
    /// The slot of a part of the parameter space.
    pub(crate) fn parameter_slot(&mut self, offset: u32, bytes: u32) -> Slot {
        let index = self.uniform.iter().position(|part| *part == (offset, bytes)).unwrap_or_else(|| {
            self.uniform.push((offset, bytes));
            self.uniform.len() - 1
        });
        Slot::new(Slot::PARAMETERS, index as u32 * WORDS64)
    }

    /// The words of all these slots for a launch with that parameter space.
    pub(crate) fn parameter_words(&self, space: &[u8]) -> Vec<u64> {
        let words = self.uniform.iter().map(|&(offset, bytes)| {
            let part = &space[offset as usize..(offset + bytes) as usize];
            let value = part.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte));
            if bytes == 4 { value | value << 32 } else { value }
        });
        words.flat_map(|word| [word; WORDS64 as usize]).collect()
    }
}

/// A place in the user's source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) file: u32,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// The code of a module.
#[derive(Debug, Default)]
pub(crate) struct Code {
    pub(crate) ops: Vec<Op>,
    /// Line of the PTX and index of the place (`u32::MAX` when unknown) of each operation.
    pub(crate) lines: Vec<(u32, u32)>,
    pub(crate) places: Vec<Place>,
    pub(crate) files: Vec<(u32, String)>,
    pub(crate) accesses: Vec<Access>,
    pub(crate) atomics: Vec<Atomic>,
    pub(crate) collectives: Vec<Collective>,
    pub(crate) barriers: Vec<Barrier>,
    pub(crate) calls: Vec<Call>,
    pub(crate) tables: Vec<Vec<u32>>,
    pub(crate) converts: Vec<Convert>,
    pub(crate) smalls: Vec<Small>,
    pub(crate) functions: Vec<FunctionInfo>,
    /// Words of the constants; see [`Slot::CONSTANTS`].
    pub(crate) constants: Vec<u64>,
    /// Sites that cache an allocation.
    pub(crate) sites: u32,
}
