//! Integer arithmetic and bits.

use threadwise_ptx::{Flag, Instruction, Kind, Opcode, ScalarType};

use super::function::FunctionDecoder;
use crate::code::binary::{Binary32, Binary64, Join, Shift64};
use crate::code::compare::Logic;
use crate::code::ternary::{Field64, MadWide, Quaternary32, Quaternary64, Ternary32, Ternary64};
use crate::code::unary::{Narrow, Unary32, Unary64};
use crate::code::{Carry, Op, Slot, Width};
use crate::error::LoadError;

/// An operation on 32 bits or on 64.
enum Either<N, W> {
    Narrow(N),
    Wide(W),
}
use Either::{Narrow as N, Wide as W};

impl FunctionDecoder<'_> {
    pub(super) fn unary(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        let ty = self.ty(ins)?;
        if ty.kind() == Kind::Float || ty.kind() == Kind::Packed {
            return self.float_sign(ins);
        }
        self.check_count(ins, 2)?;
        if ty == ScalarType::Pred && ins.opcode == Opcode::Not {
            let (d, a) = (self.result(ins, ty)?, self.value(ins, 1, ty)?);
            self.emit(Op::Logic { op: Logic::Not, d, a, b: a });
            return Ok(());
        }
        let a = self.value(ins, 1, ty)?;
        let signed = ty.kind() == Kind::Signed;
        let narrow = match (ins.opcode, ty.bits()) {
            (Opcode::Clz, 64) => Some(Narrow::Clz),
            (Opcode::Popc, 64) => Some(Narrow::Popc),
            (Opcode::Bfind, 64) => Some(match (signed, ins.has(Flag::Shiftamt)) {
                (false, false) => Narrow::FindU,
                (false, true) => Narrow::FindUShift,
                (true, false) => Narrow::FindS,
                (true, true) => Narrow::FindSShift,
            }),
            _ => None,
        };
        if let Some(op) = narrow {
            let d = self.result(ins, ScalarType::U32)?;
            self.emit(Op::Narrow { op, d, a });
            return Ok(());
        }
        let op = match (ins.opcode, ty.bits()) {
            (Opcode::Not, 16) => N(Unary32::Not16),
            (Opcode::Not, 32) => N(Unary32::Not),
            (Opcode::Not, 64) => W(Unary64::Not),
            (Opcode::Neg, 16) => N(Unary32::Neg16),
            (Opcode::Neg, 32) => N(Unary32::Neg),
            (Opcode::Neg, 64) => W(Unary64::Neg),
            (Opcode::Abs, 16) => N(Unary32::Abs16),
            (Opcode::Abs, 32) => N(Unary32::Abs),
            (Opcode::Abs, 64) => W(Unary64::Abs),
            (Opcode::Cnot, 16 | 32) => N(Unary32::LogicalNot),
            (Opcode::Cnot, 64) => W(Unary64::LogicalNot),
            (Opcode::Clz, 32) => N(Unary32::Clz),
            (Opcode::Popc, 32) => N(Unary32::Popc),
            (Opcode::Brev, 32) => N(Unary32::Brev),
            (Opcode::Brev, 64) => W(Unary64::Brev),
            (Opcode::Bfind, 32) => N(match (signed, ins.has(Flag::Shiftamt)) {
                (false, false) => Unary32::FindU,
                (false, true) => Unary32::FindUShift,
                (true, false) => Unary32::FindS,
                (true, true) => Unary32::FindSShift,
            }),
            _ => return self.unsupported(ins),
        };
        let d = self.result(ins, ty)?;
        self.emit(match op {
            N(op) => Op::Unary32 { op, d, a },
            W(op) => Op::Unary64 { op, d, a },
        });
        Ok(())
    }

    fn emit_binary(&mut self, op: Either<Binary32, Binary64>, d: Slot, a: Slot, b: Slot) {
        self.emit(match op {
            N(op) => Op::Binary32 { op, d, a, b },
            W(op) => Op::Binary64 { op, d, a, b },
        });
    }

    /// `add`, `sub` and their forms with the condition code.
    pub(super) fn add(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        let ty = self.ty(ins)?;
        if ty.kind() == Kind::Float || ty.kind() == Kind::Packed {
            return self.float_binary(ins);
        }
        self.check_count(ins, 3)?;
        let (d, a, b) = (self.result(ins, ty)?, self.value(ins, 1, ty)?, self.value(ins, 2, ty)?);
        let adds = matches!(ins.opcode, Opcode::Add | Opcode::Addc);
        let input = matches!(ins.opcode, Opcode::Addc | Opcode::Subc);
        if input || ins.has(Flag::Cc) {
            let op = if adds { Carry::Add } else { Carry::Sub };
            return self.emit_carry(ins, ty, op, input, d, a, b, b);
        }
        let op = match (adds, ty.bits(), ins.has(Flag::Sat)) {
            (true, _, false) if ty.kind() == Kind::Pair => N(Binary32::AddX2),
            _ if ty.kind() == Kind::Pair => return self.unsupported(ins),
            (true, 32, true) => N(Binary32::AddSat),
            (false, 32, true) => N(Binary32::SubSat),
            (true, 16, false) => N(Binary32::Add16),
            (false, 16, false) => N(Binary32::Sub16),
            (true, 32, false) => N(Binary32::Add),
            (false, 32, false) => N(Binary32::Sub),
            (true, 64, false) => W(Binary64::Add),
            (false, 64, false) => W(Binary64::Sub),
            _ => return self.unsupported(ins),
        };
        self.emit_binary(op, d, a, b);
        Ok(())
    }

    #[allow(clippy::too_many_arguments, reason = "one operation has that many parts")]
    fn emit_carry(
        &mut self,
        ins: &Instruction,
        ty: ScalarType,
        op: Carry,
        input: bool,
        d: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
    ) -> Result<(), LoadError> {
        let output = ins.has(Flag::Cc);
        self.emit(match ty.bits() {
            32 => Op::Carry32 { op, input, output, d, a, b, c },
            64 => Op::Carry64 { op, input, output, d, a, b, c },
            _ => return self.unsupported(ins),
        });
        Ok(())
    }

    pub(super) fn multiply(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        let ty = self.ty(ins)?;
        if ty.kind() == Kind::Float || ty.kind() == Kind::Packed {
            return self.float_binary(ins);
        }
        self.check_count(ins, 3)?;
        let (a, b) = (self.value(ins, 1, ty)?, self.value(ins, 2, ty)?);
        let signed = ty.kind() == Kind::Signed;
        if ins.has(Flag::Wide) {
            if ty.bits() == 32 {
                let d = self.result(ins, ScalarType::B64)?;
                self.emit(Op::Join { op: if signed { Join::MulWideS } else { Join::MulWideU }, d, a, b });
                return Ok(());
            }
            if ty.bits() == 16 {
                let d = self.result(ins, ScalarType::B32)?;
                let op = if signed { Binary32::MulWideS16 } else { Binary32::MulWideU16 };
                self.emit(Op::Binary32 { op, d, a, b });
                return Ok(());
            }
            return self.unsupported(ins);
        }
        let op = match (ty.bits(), ins.has(Flag::Hi), signed) {
            (16, false, _) => N(Binary32::Mul16),
            (16, true, false) => N(Binary32::MulHiU16),
            (16, true, true) => N(Binary32::MulHiS16),
            (32, false, _) => N(Binary32::Mul),
            (32, true, false) => N(Binary32::MulHiU),
            (32, true, true) => N(Binary32::MulHiS),
            (64, false, _) => W(Binary64::Mul),
            (64, true, false) => W(Binary64::MulHiU),
            (64, true, true) => W(Binary64::MulHiS),
            _ => return self.unsupported(ins),
        };
        let d = self.result(ins, ty)?;
        self.emit_binary(op, d, a, b);
        Ok(())
    }

    pub(super) fn multiply_add(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        let ty = self.ty(ins)?;
        if ty.kind() == Kind::Float {
            return self.fma(ins);
        }
        self.check_count(ins, 4)?;
        let (a, b) = (self.value(ins, 1, ty)?, self.value(ins, 2, ty)?);
        let signed = ty.kind() == Kind::Signed;
        if ins.has(Flag::Wide) {
            if ty.bits() == 32 {
                let (d, c) = (self.result(ins, ScalarType::B64)?, self.value(ins, 3, ScalarType::B64)?);
                self.emit(Op::MadWide { op: if signed { MadWide::Signed } else { MadWide::Unsigned }, d, a, b, c });
                return Ok(());
            }
            if ty.bits() == 16 {
                let (d, c) = (self.result(ins, ScalarType::B32)?, self.value(ins, 3, ScalarType::B32)?);
                let op = if signed { Ternary32::MadWideS16 } else { Ternary32::MadWideU16 };
                self.emit(Op::Ternary32 { op, d, a, b, c });
                return Ok(());
            }
            return self.unsupported(ins);
        }
        let (d, c) = (self.result(ins, ty)?, self.value(ins, 3, ty)?);
        let input = ins.opcode == Opcode::Madc;
        if input || ins.has(Flag::Cc) {
            let op = match (ins.has(Flag::Hi), signed) {
                (false, _) => Carry::MadLo,
                (true, false) => Carry::MadHiU,
                (true, true) => Carry::MadHiS,
            };
            return self.emit_carry(ins, ty, op, input, d, a, b, c);
        }
        let op = match (ty.bits(), ins.has(Flag::Hi), signed, ins.has(Flag::Sat)) {
            (32, true, true, true) => N(Ternary32::MadHiSatS),
            (16, false, _, false) => N(Ternary32::MadLo16),
            (16, true, false, false) => N(Ternary32::MadHiU16),
            (16, true, true, false) => N(Ternary32::MadHiS16),
            (32, false, _, false) => N(Ternary32::MadLo),
            (32, true, false, false) => N(Ternary32::MadHiU),
            (32, true, true, false) => N(Ternary32::MadHiS),
            (64, false, _, false) => W(Ternary64::MadLo),
            (64, true, false, false) => W(Ternary64::MadHiU),
            (64, true, true, false) => W(Ternary64::MadHiS),
            _ => return self.unsupported(ins),
        };
        self.emit_ternary(op, d, a, b, c);
        Ok(())
    }

    fn emit_ternary(&mut self, op: Either<Ternary32, Ternary64>, d: Slot, a: Slot, b: Slot, c: Slot) {
        self.emit(match op {
            N(op) => Op::Ternary32 { op, d, a, b, c },
            W(op) => Op::Ternary64 { op, d, a, b, c },
        });
    }

    /// `div`, `rem`, `min`, `max`, `and`, `or`, `xor`.
    pub(super) fn binary(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        let ty = self.ty(ins)?;
        if ty.kind() == Kind::Float || ty.kind() == Kind::Packed {
            return self.float_binary(ins);
        }
        self.check_count(ins, 3)?;
        let (d, a, b) = (self.result(ins, ty)?, self.value(ins, 1, ty)?, self.value(ins, 2, ty)?);
        if ty == ScalarType::Pred {
            let op = match ins.opcode {
                Opcode::And => Logic::And,
                Opcode::Or => Logic::Or,
                Opcode::Xor => Logic::Xor,
                _ => return self.unsupported(ins),
            };
            self.emit(Op::Logic { op, d, a, b });
            return Ok(());
        }
        let signed = ty.kind() == Kind::Signed;
        let relu = ins.has(Flag::Relu);
        let op = match (ins.opcode, ty.bits(), signed) {
            (Opcode::Min | Opcode::Max, 32, _) if ty.kind() == Kind::Pair => N(match (ins.opcode, ty, relu) {
                (Opcode::Min, ScalarType::U16x2, false) => Binary32::MinUX2,
                (Opcode::Max, ScalarType::U16x2, false) => Binary32::MaxUX2,
                (Opcode::Min, ScalarType::S16x2, false) => Binary32::MinSX2,
                (Opcode::Max, ScalarType::S16x2, false) => Binary32::MaxSX2,
                (Opcode::Min, ScalarType::S16x2, true) => Binary32::MinReluSX2,
                (Opcode::Max, ScalarType::S16x2, true) => Binary32::MaxReluSX2,
                _ => return self.unsupported(ins),
            }),
            (Opcode::Min, 32, true) if relu => N(Binary32::MinReluS),
            (Opcode::Max, 32, true) if relu => N(Binary32::MaxReluS),
            (Opcode::And, 16 | 32, _) => N(Binary32::And),
            (Opcode::And, 64, _) => W(Binary64::And),
            (Opcode::Or, 16 | 32, _) => N(Binary32::Or),
            (Opcode::Or, 64, _) => W(Binary64::Or),
            (Opcode::Xor, 16 | 32, _) => N(Binary32::Xor),
            (Opcode::Xor, 64, _) => W(Binary64::Xor),
            (Opcode::Div, 16, false) => N(Binary32::DivU16),
            (Opcode::Div, 16, true) => N(Binary32::DivS16),
            (Opcode::Div, 32, false) => N(Binary32::DivU),
            (Opcode::Div, 32, true) => N(Binary32::DivS),
            (Opcode::Div, 64, false) => W(Binary64::DivU),
            (Opcode::Div, 64, true) => W(Binary64::DivS),
            (Opcode::Rem, 16, false) => N(Binary32::RemU16),
            (Opcode::Rem, 16, true) => N(Binary32::RemS16),
            (Opcode::Rem, 32, false) => N(Binary32::RemU),
            (Opcode::Rem, 32, true) => N(Binary32::RemS),
            (Opcode::Rem, 64, false) => W(Binary64::RemU),
            (Opcode::Rem, 64, true) => W(Binary64::RemS),
            (Opcode::Min, 16 | 32, false) => N(Binary32::MinU),
            (Opcode::Min, 16, true) => N(Binary32::MinS16),
            (Opcode::Min, 32, true) => N(Binary32::MinS),
            (Opcode::Min, 64, false) => W(Binary64::MinU),
            (Opcode::Min, 64, true) => W(Binary64::MinS),
            (Opcode::Max, 16 | 32, false) => N(Binary32::MaxU),
            (Opcode::Max, 16, true) => N(Binary32::MaxS16),
            (Opcode::Max, 32, true) => N(Binary32::MaxS),
            (Opcode::Max, 64, false) => W(Binary64::MaxU),
            (Opcode::Max, 64, true) => W(Binary64::MaxS),
            _ => return self.unsupported(ins),
        };
        self.emit_binary(op, d, a, b);
        Ok(())
    }

    pub(super) fn shift(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        let ty = self.ty(ins)?;
        self.check_count(ins, 3)?;
        let (d, a, b) = (self.result(ins, ty)?, self.value(ins, 1, ty)?, self.value(ins, 2, ScalarType::U32)?);
        let signed = ty.kind() == Kind::Signed;
        let op = match (ins.opcode, ty.bits(), signed) {
            (Opcode::Shl, 16, _) => N(Binary32::Shl16),
            (Opcode::Shl, 32, _) => N(Binary32::Shl),
            (Opcode::Shl, 64, _) => W(Shift64::Shl),
            (Opcode::Shr, 16, false) => N(Binary32::ShrU16),
            (Opcode::Shr, 16, true) => N(Binary32::ShrS16),
            (Opcode::Shr, 32, false) => N(Binary32::ShrU),
            (Opcode::Shr, 32, true) => N(Binary32::ShrS),
            (Opcode::Shr, 64, false) => W(Shift64::ShrU),
            (Opcode::Shr, 64, true) => W(Shift64::ShrS),
            _ => return self.unsupported(ins),
        };
        self.emit(match op {
            N(op) => Op::Binary32 { op, d, a, b },
            W(op) => Op::Shift64 { op, d, a, b },
        });
        Ok(())
    }

    /// Result register and width of an instruction on 32 or 64 bits.
    fn wide_result(&mut self, ins: &Instruction, operands: usize) -> Result<(ScalarType, Slot, bool), LoadError> {
        self.check_count(ins, operands)?;
        let ty = self.ty(ins)?;
        let d = self.result(ins, ty)?;
        match self.width(ins, ty)? {
            Width::Bits32 => Ok((ty, d, false)),
            Width::Bits64 => Ok((ty, d, true)),
            Width::Predicate | Width::Bits16 => self.unsupported(ins),
        }
    }

    pub(super) fn bmsk(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        let (_, d, wide) = self.wide_result(ins, 3)?;
        let (a, b) = (self.value(ins, 1, ScalarType::U32)?, self.value(ins, 2, ScalarType::U32)?);
        if wide {
            return self.unsupported(ins);
        }
        let op = if ins.has(Flag::Wrap) { Binary32::MaskWrap } else { Binary32::MaskClamp };
        self.emit(Op::Binary32 { op, d, a, b });
        Ok(())
    }

    /// `mul24` and `mad24`
    pub(super) fn product24(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        let ty = self.ty(ins)?;
        let (a, b, d) = (self.value(ins, 1, ty)?, self.value(ins, 2, ty)?, self.result(ins, ty)?);
        let (high, signed) = (ins.has(Flag::Hi), ty.kind() == Kind::Signed);
        if ty.bits() != 32 {
            return self.unsupported(ins);
        }
        if ins.opcode == Opcode::Mul24 {
            self.check_count(ins, 3)?;
            let op = match (high, signed) {
                (false, false) => Binary32::Mul24LoU,
                (true, false) => Binary32::Mul24HiU,
                (false, true) => Binary32::Mul24LoS,
                (true, true) => Binary32::Mul24HiS,
            };
            self.emit(Op::Binary32 { op, d, a, b });
            return Ok(());
        }
        self.check_count(ins, 4)?;
        let c = self.value(ins, 3, ty)?;
        let op = match (high, signed, ins.has(Flag::Sat)) {
            (false, false, _) => Ternary32::Mad24LoU,
            (true, false, _) => Ternary32::Mad24HiU,
            (false, true, _) => Ternary32::Mad24LoS,
            (true, true, false) => Ternary32::Mad24HiS,
            (true, true, true) => Ternary32::Mad24HiSatS,
        };
        self.emit(Op::Ternary32 { op, d, a, b, c });
        Ok(())
    }

    /// `dp4a`, `dp2a`, `vabsdiff4` and `fns`: three operands of 32 bits.
    pub(super) fn three_words(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        self.check_count(ins, 4)?;
        let word = ScalarType::B32;
        let (a, b, c) = (self.value(ins, 1, word)?, self.value(ins, 2, word)?, self.value(ins, 3, word)?);
        let d = self.result(ins, word)?;
        let signed: Vec<bool> = ins.types().map(|ty| ty.kind() == Kind::Signed).collect();
        use Ternary32 as T;
        let op = match (ins.opcode, &*signed, ins.has(Flag::Hi), ins.has(Flag::Add)) {
            (Opcode::Fns, ..) => T::Fns,
            (Opcode::Dp4a, [false, false], ..) => T::Dp4aUU,
            (Opcode::Dp4a, [false, true], ..) => T::Dp4aUS,
            (Opcode::Dp4a, [true, false], ..) => T::Dp4aSU,
            (Opcode::Dp4a, [true, true], ..) => T::Dp4aSS,
            (Opcode::Dp2a, [false, false], false, _) => T::Dp2aLoUU,
            (Opcode::Dp2a, [false, true], false, _) => T::Dp2aLoUS,
            (Opcode::Dp2a, [true, false], false, _) => T::Dp2aLoSU,
            (Opcode::Dp2a, [true, true], false, _) => T::Dp2aLoSS,
            (Opcode::Dp2a, [false, false], true, _) => T::Dp2aHiUU,
            (Opcode::Dp2a, [false, true], true, _) => T::Dp2aHiUS,
            (Opcode::Dp2a, [true, false], true, _) => T::Dp2aHiSU,
            (Opcode::Dp2a, [true, true], true, _) => T::Dp2aHiSS,
            (Opcode::Vabsdiff4, [false, false, false], _, false) => T::DifferenceU4,
            (Opcode::Vabsdiff4, [true, true, true], _, false) => T::DifferenceS4,
            (Opcode::Vabsdiff4, [false, false, false], _, true) => T::DifferenceAddU4,
            (Opcode::Vabsdiff4, [true, true, true], _, true) => T::DifferenceAddS4,
            _ => return self.unsupported(ins),
        };
        self.emit(Op::Ternary32 { op, d, a, b, c });
        Ok(())
    }

    pub(super) fn szext(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        self.check_count(ins, 3)?;
        let ty = self.ty(ins)?;
        let (a, b, d) = (self.value(ins, 1, ty)?, self.value(ins, 2, ScalarType::U32)?, self.result(ins, ty)?);
        let op = match (ins.has(Flag::Wrap), ty) {
            (false, ScalarType::U32) => Binary32::SzextClampU,
            (false, ScalarType::S32) => Binary32::SzextClampS,
            (true, ScalarType::U32) => Binary32::SzextWrapU,
            (true, ScalarType::S32) => Binary32::SzextWrapS,
            _ => return self.unsupported(ins),
        };
        self.emit(Op::Binary32 { op, d, a, b });
        Ok(())
    }

    pub(super) fn sad(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        self.check_count(ins, 4)?;
        let ty = self.ty(ins)?;
        let (a, b, c) = (self.value(ins, 1, ty)?, self.value(ins, 2, ty)?, self.value(ins, 3, ty)?);
        let d = self.result(ins, ty)?;
        if ty.bits() == 16 {
            let op = if ty.kind() == Kind::Signed { Ternary32::SadS16 } else { Ternary32::SadU16 };
            self.emit(Op::Ternary32 { op, d, a, b, c });
            return Ok(());
        }
        let wide = ty.bits() == 64;
        let op = match (wide, ty.kind() == Kind::Signed) {
            (false, false) => N(Ternary32::SadU),
            (false, true) => N(Ternary32::SadS),
            (true, false) => W(Ternary64::SadU),
            (true, true) => W(Ternary64::SadS),
        };
        self.emit_ternary(op, d, a, b, c);
        Ok(())
    }

    pub(super) fn bfe(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        let (ty, d, wide) = self.wide_result(ins, 4)?;
        let (a, b, c) = (self.value(ins, 1, ty)?, self.value(ins, 2, ScalarType::U32)?, self.value(ins, 3, ScalarType::U32)?);
        self.emit(match (wide, ty.kind() == Kind::Signed) {
            (false, false) => Op::Ternary32 { op: Ternary32::BfeU, d, a, b, c },
            (false, true) => Op::Ternary32 { op: Ternary32::BfeS, d, a, b, c },
            (true, false) => Op::Field64 { op: Field64::BfeU, d, a, b, c },
            (true, true) => Op::Field64 { op: Field64::BfeS, d, a, b, c },
        });
        Ok(())
    }

    pub(super) fn bfi(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        let (ty, d, wide) = self.wide_result(ins, 5)?;
        let (a, b) = (self.value(ins, 1, ty)?, self.value(ins, 2, ty)?);
        let (c, e) = (self.value(ins, 3, ScalarType::U32)?, self.value(ins, 4, ScalarType::U32)?);
        self.emit(if wide {
            Op::Quaternary64 { op: Quaternary64::Bfi, d, a, b, c, e }
        } else {
            Op::Quaternary32 { op: Quaternary32::Bfi, d, a, b, c, e }
        });
        Ok(())
    }

    pub(super) fn lop3(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        let (ty, d, wide) = self.wide_result(ins, 5)?;
        let (a, b, c) = (self.value(ins, 1, ty)?, self.value(ins, 2, ty)?, self.value(ins, 3, ty)?);
        let e = self.value(ins, 4, ScalarType::U32)?;
        if wide {
            return self.unsupported(ins);
        }
        self.emit(Op::Quaternary32 { op: Quaternary32::Lop3, d, a, b, c, e });
        Ok(())
    }

    /// `prmt` and `shf`: three operands of 32 bits.
    pub(super) fn permute(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        let (ty, d, wide) = self.wide_result(ins, 4)?;
        let op = if ins.opcode == Opcode::Prmt { prmt(ins) } else { shf(ins) };
        let (a, b, c) = (self.value(ins, 1, ty)?, self.value(ins, 2, ty)?, self.value(ins, 3, ScalarType::U32)?);
        if wide {
            return self.unsupported(ins);
        }
        self.emit(Op::Ternary32 { op, d, a, b, c });
        Ok(())
    }
}

fn prmt(ins: &Instruction) -> Ternary32 {
    let modes = [
        (Flag::F4e, Ternary32::PrmtF4e),
        (Flag::B4e, Ternary32::PrmtB4e),
        (Flag::Rc8, Ternary32::PrmtRc8),
        (Flag::Ecl, Ternary32::PrmtEcl),
        (Flag::Ecr, Ternary32::PrmtEcr),
        (Flag::Rc16, Ternary32::PrmtRc16),
    ];
    modes.into_iter().find(|&(flag, _)| ins.has(flag)).map_or(Ternary32::Prmt, |(_, op)| op)
}

fn shf(ins: &Instruction) -> Ternary32 {
    match (ins.has(Flag::L), ins.has(Flag::Wrap)) {
        (true, true) => Ternary32::ShfLWrap,
        (true, false) => Ternary32::ShfLClamp,
        (false, true) => Ternary32::ShfRWrap,
        (false, false) => Ternary32::ShfRClamp,
    }
}
