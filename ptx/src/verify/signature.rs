//! Which operands each instruction takes.

use crate::ast::Instruction;
use crate::error::Error;
use crate::opcode::{Flag, Opcode};
use crate::types::{Kind, ScalarType};

/// How wide a register may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    /// As its type.
    Exact,
    /// As its type or wider: memory accesses and conversions.
    AtLeast,
}

/// What an operand is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Result(ScalarType, Width),
    Value(ScalarType, Width),
    /// A value that may be left out.
    Optional((ScalarType, Width)),
    Memory,
    Label,
    Targets,
}

fn result(ty: ScalarType) -> Role {
    Role::Result(ty, Width::Exact)
}

fn value(ty: ScalarType) -> Role {
    Role::Value(ty, Width::Exact)
}

fn optional(ty: ScalarType) -> Role {
    Role::Optional((ty, Width::Exact))
}

/// The type that `.wide` makes of it.
fn doubled(ty: ScalarType) -> Option<ScalarType> {
    Some(match ty {
        ScalarType::U16 => ScalarType::U32,
        ScalarType::S16 => ScalarType::S32,
        ScalarType::U32 => ScalarType::U64,
        ScalarType::S32 => ScalarType::S64,
        _ => return None,
    })
}

/// The operands of an instruction other than `call`.
pub(super) fn of(ins: &Instruction) -> Result<Vec<Role>, Error> {
    let missing = |what: &str| Error::new(ins.at, format!("`{}`", ins.mnemonic()), what);
    let first = ins.types().next();
    let ty = first.ok_or_else(|| missing("a type"));
    let second = ins.types().nth(1).ok_or_else(|| missing("two types"));
    let (u32, b32, pred) = (ScalarType::U32, ScalarType::B32, ScalarType::Pred);
    Ok(match ins.opcode {
        Opcode::Abs | Opcode::Neg | Opcode::Not | Opcode::Cnot | Opcode::Brev => vec![result(ty.clone()?), value(ty?)],
        Opcode::Rcp | Opcode::Sqrt | Opcode::Rsqrt | Opcode::Sin | Opcode::Cos | Opcode::Lg2 | Opcode::Ex2 | Opcode::Tanh => {
            let ty = ty?;
            if ty.kind() != Kind::Float && ty.kind() != Kind::Packed {
                return Err(missing("a float type"));
            }
            vec![result(ty), value(ty)]
        }
        Opcode::Clz | Opcode::Popc | Opcode::Bfind => vec![result(u32), value(ty?)],
        Opcode::Add
        | Opcode::Addc
        | Opcode::Sub
        | Opcode::Subc
        | Opcode::Div
        | Opcode::Rem
        | Opcode::Min
        | Opcode::Max
        | Opcode::And
        | Opcode::Or
        | Opcode::Xor
        | Opcode::Copysign => {
            let ty = ty?;
            vec![result(ty), value(ty), value(ty)]
        }
        Opcode::Mul => {
            let ty = ty?;
            let product = if ins.has(Flag::Wide) { doubled(ty).ok_or_else(|| missing("a type of 16 or 32 bits"))? } else { ty };
            vec![result(product), value(ty), value(ty)]
        }
        Opcode::Mad | Opcode::Madc => {
            let ty = ty?;
            let product = if ins.has(Flag::Wide) { doubled(ty).ok_or_else(|| missing("a type of 16 or 32 bits"))? } else { ty };
            vec![result(product), value(ty), value(ty), value(product)]
        }
        Opcode::Mul24 => {
            let ty = ty?;
            vec![result(ty), value(ty), value(ty)]
        }
        Opcode::Fma | Opcode::Sad | Opcode::Mad24 => {
            let ty = ty?;
            vec![result(ty), value(ty), value(ty), value(ty)]
        }
        Opcode::Shl | Opcode::Shr => {
            let ty = ty?;
            vec![result(ty), value(ty), value(u32)]
        }
        Opcode::Dp4a | Opcode::Dp2a | Opcode::Vabsdiff4 | Opcode::Fns => vec![result(b32), value(b32), value(b32), value(b32)],
        Opcode::Szext => vec![result(b32), value(b32), value(b32)],
        Opcode::Shf | Opcode::Prmt => vec![result(b32), value(b32), value(b32), value(b32)],
        Opcode::Bmsk => vec![result(b32), value(b32), value(b32)],
        Opcode::Bfe => {
            let ty = ty?;
            vec![result(ty), value(ty), value(u32), value(u32)]
        }
        Opcode::Bfi => {
            let ty = ty?;
            vec![result(ty), value(ty), value(ty), value(u32), value(u32)]
        }
        Opcode::Lop3 => vec![result(b32), value(b32), value(b32), value(b32), value(u32)],
        Opcode::Setp => {
            let ty = ty?;
            vec![result(pred), value(ty), value(ty), optional(pred)]
        }
        Opcode::Set => {
            let from = second?;
            vec![result(ty?), value(from), value(from), optional(pred)]
        }
        Opcode::Selp => {
            let ty = ty?;
            vec![result(ty), value(ty), value(ty), value(pred)]
        }
        Opcode::Slct => {
            let ty = ty?;
            vec![result(ty), value(ty), value(ty), value(second?)]
        }
        Opcode::Testp => vec![result(pred), value(ty?)],
        Opcode::Mov | Opcode::Cvta => {
            let ty = ty?;
            vec![result(ty), value(ty)]
        }
        Opcode::Cvt if ins.has(Flag::Pack) => vec![result(b32), value(ScalarType::S32), value(ScalarType::S32), optional(b32)],
        Opcode::Cvt
            if matches!(ty.clone()?.kind(), Kind::Packed | Kind::Alternate)
                && second.clone()? == ScalarType::F32
                && ins.operands.len() == 3 =>
        {
            vec![result(ty?), value(ScalarType::F32), value(ScalarType::F32)]
        }
        Opcode::Cvt => vec![Role::Result(ty?, Width::AtLeast), Role::Value(second?, Width::AtLeast)],
        Opcode::Isspacep => vec![result(pred), value(ScalarType::B64)],
        Opcode::Ld | Opcode::Ldu => vec![Role::Result(ty?, Width::AtLeast), Role::Memory],
        Opcode::St => vec![Role::Memory, Role::Value(ty?, Width::AtLeast)],
        Opcode::Atom => {
            let ty = ty?;
            vec![result(ty), Role::Memory, value(ty), optional(ty)]
        }
        Opcode::Red => vec![Role::Memory, value(ty?)],
        Opcode::Prefetch | Opcode::Prefetchu => vec![Role::Memory],
        Opcode::Discard | Opcode::Applypriority => vec![Role::Memory, value(u32)],
        Opcode::Pmevent | Opcode::Setmaxnreg => vec![value(u32)],
        Opcode::Griddepcontrol => Vec::new(),
        Opcode::Cp => return copies(ins),
        Opcode::Mbarrier => return mbarrier(ins),
        Opcode::Ldmatrix => vec![result(b32), Role::Memory],
        Opcode::Stmatrix => vec![Role::Memory, value(b32)],
        Opcode::Mma => vec![result(b32), value(b32), value(b32), value(b32)],
        Opcode::Wmma if ins.has(Flag::Load) => vec![result(b32), Role::Memory, optional(u32)],
        Opcode::Wmma if ins.has(Flag::Store) => vec![Role::Memory, value(b32), optional(u32)],
        Opcode::Wmma => vec![result(b32), value(b32), value(b32), value(b32)],
        Opcode::Bra => vec![Role::Label],
        Opcode::Brx => vec![value(u32), Role::Targets],
        Opcode::Call | Opcode::Ret | Opcode::Exit | Opcode::Trap | Opcode::Brkpt | Opcode::Membar | Opcode::Fence => Vec::new(),
        Opcode::Nanosleep => vec![value(u32)],
        Opcode::Bar if ins.has(Flag::Warp) => vec![value(b32)],
        Opcode::Bar | Opcode::Barrier => {
            if !ins.has(Flag::Red) {
                vec![value(u32), optional(u32)]
            } else {
                // The number of threads in the middle may be left out.
                let d = if ins.has(Flag::Popc) { result(u32) } else { result(pred) };
                let middle = if ins.operands.len() == 4 { vec![value(u32)] } else { Vec::new() };
                [vec![d, value(u32)], middle, vec![value(pred)]].concat()
            }
        }
        Opcode::Activemask => vec![result(b32)],
        Opcode::Shfl => vec![result(b32), value(b32), value(b32), value(b32), optional(b32)],
        Opcode::Vote => {
            let d = if ins.has(Flag::Ballot) { result(b32) } else { result(pred) };
            vec![d, value(pred), optional(b32)]
        }
        Opcode::Match => vec![result(b32), value(ty?), value(b32)],
        Opcode::Redux => {
            let ty = ty?;
            vec![result(ty), value(ty), value(b32)]
        }
        Opcode::Elect => vec![result(b32), value(b32)],
    })
}

/// `cp.async` in its forms.
fn copies(ins: &Instruction) -> Result<Vec<Role>, Error> {
    let u32 = ScalarType::U32;
    if ins.has(Flag::CommitGroup) || ins.has(Flag::WaitAll) {
        return Ok(Vec::new());
    }
    if ins.has(Flag::WaitGroup) {
        return Ok(vec![value(u32)]);
    }
    if ins.has(Flag::Mbarrier) {
        return Ok(vec![Role::Memory]);
    }
    // Bytes, bytes of the source, cache policy.
    Ok(vec![Role::Memory, Role::Memory, value(u32), optional(u32), optional(ScalarType::B64)])
}

/// `mbarrier` in its forms.
fn mbarrier(ins: &Instruction) -> Result<Vec<Role>, Error> {
    let (u32, b64, pred) = (ScalarType::U32, ScalarType::B64, ScalarType::Pred);
    if ins.has(Flag::Init) {
        return Ok(vec![Role::Memory, value(u32)]);
    }
    if ins.has(Flag::Inval) {
        return Ok(vec![Role::Memory]);
    }
    if ins.has(Flag::PendingCount) {
        return Ok(vec![result(u32), value(b64)]);
    }
    if ins.has(Flag::TestWait) || ins.has(Flag::TryWait) {
        let state = if ins.has(Flag::Parity) { u32 } else { b64 };
        return Ok(vec![result(pred), Role::Memory, value(state), optional(u32)]);
    }
    if ins.has(Flag::Arrive) || ins.has(Flag::ArriveDrop) {
        return Ok(vec![result(b64), Role::Memory, optional(u32)]);
    }
    Err(Error::new(ins.at, format!("`{}`", ins.mnemonic()), "a form of `mbarrier` that is supported"))
}
