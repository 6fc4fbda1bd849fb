//! Floats of 16 bits, one or two in a register.

use threadwise_ptx::{Flag, Instruction, Opcode, ScalarType};

use super::float::rounding;
use super::function::FunctionDecoder;
use crate::code::binary::Binary32;
use crate::code::compare::Logic;
use crate::code::float::Rounding;
use crate::code::small::{Small, SmallOp};
use crate::code::unary::Unary32;
use crate::code::{Op, Slot, Width};
use crate::error::LoadError;

/// Is it one of the types of this file?
pub(super) fn is_small(ty: ScalarType) -> bool {
    matches!(ty, ScalarType::F16 | ScalarType::F16x2 | ScalarType::Bf16 | ScalarType::Bf16x2)
}

/// Are they bfloats?
pub(super) fn is_bfloat(ty: ScalarType) -> bool {
    matches!(ty, ScalarType::Bf16 | ScalarType::Bf16x2)
}

/// Are there two in a register?
pub(super) fn is_packed(ty: ScalarType) -> bool {
    matches!(ty, ScalarType::F16x2 | ScalarType::Bf16x2)
}

impl FunctionDecoder<'_> {
    /// Arithmetic and functions.
    pub(super) fn small(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        let ty = self.ty(ins)?;
        let (op, operands) = match ins.opcode {
            Opcode::Neg => (SmallOp::Neg, 1),
            Opcode::Abs => (SmallOp::Abs, 1),
            Opcode::Ex2 => (SmallOp::Ex2, 1),
            Opcode::Tanh => (SmallOp::Tanh, 1),
            Opcode::Add => (SmallOp::Add, 2),
            Opcode::Sub => (SmallOp::Sub, 2),
            Opcode::Mul => (SmallOp::Mul, 2),
            Opcode::Min => (SmallOp::Min, 2),
            Opcode::Max => (SmallOp::Max, 2),
            Opcode::Fma => (SmallOp::Fma, 3),
            _ => return self.unsupported(ins),
        };
        if rounding(ins) != Rounding::Nearest {
            return self.unsupported(ins);
        }
        self.check_count(ins, operands + 1)?;
        let a = self.value(ins, 1, ty)?;
        let b = if operands > 1 { self.value(ins, 2, ty)? } else { a };
        let c = if operands > 2 { self.value(ins, 3, ty)? } else { a };
        let d = self.result(ins, ty)?;
        let small = Small {
            op,
            bfloat: is_bfloat(ty),
            packed: is_packed(ty),
            flush: ins.has(Flag::Ftz),
            saturate: ins.has(Flag::Sat),
            relu: ins.has(Flag::Relu),
            nan: ins.has(Flag::Nan),
            xorsign: ins.has(Flag::Xorsign),
        };
        let smalls = &mut self.module.out.code.smalls;
        let index = smalls.iter().position(|s| *s == small).unwrap_or_else(|| {
            smalls.push(small);
            smalls.len() - 1
        });
        self.emit(Op::Small { small: index as u32, d, a, b, c });
        Ok(())
    }

    pub(super) fn unary32(&mut self, op: Unary32, a: Slot) -> Slot {
        let d = self.scope.temporary(Width::Bits32);
        self.emit(Op::Unary32 { op, d, a });
        d
    }

    /// A 16-bit float as a single, and flushed where the instruction says so.
    pub(super) fn widened(&mut self, ins: &Instruction, ty: ScalarType, a: Slot) -> Slot {
        let a = if ins.has(Flag::Ftz) { self.unary32(Unary32::FlushF16, a) } else { a };
        self.unary32(if is_bfloat(ty) { Unary32::F32FromBf16 } else { Unary32::F32FromF16 }, a)
    }

    /// The comparisons of the lower and of the upper halves of two packed operands.
    pub(super) fn compare_packed(&mut self, ins: &Instruction, ty: ScalarType) -> Result<[Slot; 2], LoadError> {
        let (a, b) = (self.value(ins, 1, ty)?, self.value(ins, 2, ty)?);
        let one = if is_bfloat(ty) { ScalarType::Bf16 } else { ScalarType::F16 };
        let mut results = [a, b];
        for (result, half) in results.iter_mut().zip([Unary32::Zext16, Unary32::High16]) {
            let (a, b) = (self.unary32(half, a), self.unary32(half, b));
            *result = self.compare_slots(ins, one, a, b)?;
        }
        Ok(results)
    }

    /// `set` with operands of 16 bits, or a result of 16 bits.
    pub(super) fn set_small(&mut self, ins: &Instruction, to: ScalarType, from: ScalarType) -> Result<(), LoadError> {
        let packed = is_packed(from);
        let halves = if packed { self.compare_packed(ins, from)?.to_vec() } else { vec![self.compare(ins, from)?] };
        let d = self.result(ins, to)?;
        let one = match to {
            ScalarType::F16 | ScalarType::F16x2 => 0x3c00,
            ScalarType::Bf16 | ScalarType::Bf16x2 => 0x3f80,
            ScalarType::F32 if !packed => 1f32.to_bits(),
            ScalarType::U16 | ScalarType::S16 => 0xffff,
            ScalarType::U32 | ScalarType::S32 => {
                if packed {
                    0xffff
                } else {
                    u32::MAX
                }
            }
            _ => return self.unsupported(ins),
        };
        let (one, zero) = (self.constant32(one), self.constant32(0));
        let mut parts = Vec::new();
        for compared in halves {
            let (p, part) = (self.scope.temporary(Width::Predicate), self.scope.temporary(Width::Bits32));
            self.combine(ins, 3, compared, p)?;
            self.emit(Op::Selp32 { d: part, a: one, b: zero, p });
            parts.push(part);
        }
        self.emit(match *parts {
            [low, high] => Op::Binary32 { op: Binary32::Pack16, d, a: low, b: high },
            _ => Op::Unary32 { op: Unary32::Copy, d, a: parts[0] },
        });
        Ok(())
    }

    /// `setp` of packed operands: a predicate for each half.
    pub(super) fn setp_packed(&mut self, ins: &Instruction, ty: ScalarType) -> Result<(), LoadError> {
        let threadwise_ptx::Operand::Pair(p, q) = self.operand(ins, 0)? else { return self.unsupported(ins) };
        let (p, q) = (self.register(ins, p, Width::Predicate)?, self.register(ins, q, Width::Predicate)?);
        let halves = self.compare_packed(ins, ty)?;
        let first = self.scope.temporary(Width::Predicate);
        self.combine(ins, 3, halves[0], first)?;
        self.combine(ins, 3, halves[1], q)?;
        self.emit(Op::Logic { op: Logic::Copy, d: p, a: first, b: first });
        Ok(())
    }
}
