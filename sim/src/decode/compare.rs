//! Comparisons and selections.

use threadwise_ptx::{Flag, Instruction, Kind, Operand, ScalarType};

use super::function::FunctionDecoder;
use super::small::is_small;
use crate::code::compare::{Compare32, Compare64, Logic};
use crate::code::ternary::Select64;
use crate::code::ternary::Ternary32;
use crate::code::unary::Unary32;
use crate::code::{Op, Slot, Width};
use crate::error::LoadError;

/// The comparison of an instruction: the first of its modifiers that is one.
fn comparison(ins: &Instruction) -> Option<Flag> {
    ins.flags().next().filter(|flag| {
        use Flag as F;
        matches!(
            flag,
            F::Eq
                | F::Ne
                | F::Lt
                | F::Le
                | F::Gt
                | F::Ge
                | F::Lo
                | F::Ls
                | F::Hi
                | F::Hs
                | F::Equ
                | F::Neu
                | F::Ltu
                | F::Leu
                | F::Gtu
                | F::Geu
                | F::Num
                | F::NanTest
        )
    })
}

/// The operations on 32 and on 64 bits, and whether their result is negated.
fn select(flag: Flag, ty: ScalarType) -> Option<(Compare32, Compare64, bool)> {
    use Compare32 as N;
    use Compare64 as W;
    if ty.kind() == Kind::Float {
        return Some(match flag {
            Flag::Eq => (N::EqF, W::EqF, false),
            Flag::Ne => (N::NeF, W::NeF, false),
            Flag::Lt => (N::LtF, W::LtF, false),
            Flag::Le => (N::LeF, W::LeF, false),
            Flag::Gt => (N::GtF, W::GtF, false),
            Flag::Ge => (N::GeF, W::GeF, false),
            // Unordered ones are true for NaN: the opposite of the opposite comparison.
            Flag::Equ => (N::NeF, W::NeF, true),
            Flag::Neu => (N::EqF, W::EqF, true),
            Flag::Ltu => (N::GeF, W::GeF, true),
            Flag::Leu => (N::GtF, W::GtF, true),
            Flag::Gtu => (N::LeF, W::LeF, true),
            Flag::Geu => (N::LtF, W::LtF, true),
            Flag::Num => (N::NumF, W::NumF, false),
            Flag::NanTest => (N::NumF, W::NumF, true),
            _ => return None,
        });
    }
    let signed = ty.kind() == Kind::Signed;
    let short = ty.bits() == 16;
    Some(match flag {
        Flag::Eq => (N::Eq, W::Eq, false),
        Flag::Ne => (N::Ne, W::Ne, false),
        Flag::Lt if signed => (if short { N::LtS16 } else { N::LtS }, W::LtS, false),
        Flag::Le if signed => (if short { N::LeS16 } else { N::LeS }, W::LeS, false),
        Flag::Gt if signed => (if short { N::GtS16 } else { N::GtS }, W::GtS, false),
        Flag::Ge if signed => (if short { N::GeS16 } else { N::GeS }, W::GeS, false),
        Flag::Lt | Flag::Lo => (N::LtU, W::LtU, false),
        Flag::Le | Flag::Ls => (N::LeU, W::LeU, false),
        Flag::Gt | Flag::Hi => (N::GtU, W::GtU, false),
        Flag::Ge | Flag::Hs => (N::GeU, W::GeU, false),
        _ => return None,
    })
}

impl FunctionDecoder<'_> {
    /// The comparison itself, of the operands from index 1, into a new predicate.
    pub(super) fn compare(&mut self, ins: &Instruction, ty: ScalarType) -> Result<Slot, LoadError> {
        let (a, b) = (self.value(ins, 1, ty)?, self.value(ins, 2, ty)?);
        self.compare_slots(ins, ty, a, b)
    }

    pub(super) fn compare_slots(&mut self, ins: &Instruction, ty: ScalarType, mut a: Slot, mut b: Slot) -> Result<Slot, LoadError> {
        let Some((narrow, wide, negate)) = comparison(ins).and_then(|flag| select(flag, ty)) else {
            return self.unsupported(ins);
        };
        if is_small(ty) {
            (a, b) = (self.widened(ins, ty, a), self.widened(ins, ty, b));
        }
        if ins.has(Flag::Ftz) && ty == ScalarType::F32 {
            (a, b) = (self.unary32(Unary32::Flush, a), self.unary32(Unary32::Flush, b));
        }
        let d = self.scope.temporary(Width::Predicate);
        self.emit(match self.width(ins, ty)? {
            Width::Bits64 => Op::Compare64 { op: wide, negate, d, a, b },
            Width::Bits16 | Width::Bits32 => Op::Compare32 { op: narrow, negate, d, a, b },
            Width::Predicate => return self.unsupported(ins),
        });
        Ok(d)
    }

    /// Combines a comparison with the predicate at `index`, if there is one.
    pub(super) fn combine(&mut self, ins: &Instruction, index: usize, compared: Slot, d: Slot) -> Result<(), LoadError> {
        let logic = ins.flags().skip(1).find_map(|flag| match flag {
            Flag::And => Some(Logic::And),
            Flag::Or => Some(Logic::Or),
            Flag::Xor => Some(Logic::Xor),
            _ => None,
        });
        match logic {
            None => {
                self.check_count(ins, index)?;
                self.emit(Op::Logic { op: Logic::Copy, d, a: compared, b: compared });
            }
            Some(op) => {
                self.check_count(ins, index + 1)?;
                let b = self.value(ins, index, ScalarType::Pred)?;
                self.emit(Op::Logic { op, d, a: compared, b });
            }
        }
        Ok(())
    }

    pub(super) fn setp(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        let ty = self.ty(ins)?;
        if ty.kind() == Kind::Packed {
            return self.setp_packed(ins, ty);
        }
        let compared = self.compare(ins, ty)?;
        match self.operand(ins, 0)? {
            Operand::Pair(p, q) => {
                let (p, q) = (self.register(ins, p, Width::Predicate)?, self.register(ins, q, Width::Predicate)?);
                let (not, first) = (self.scope.temporary(Width::Predicate), self.scope.temporary(Width::Predicate));
                self.emit(Op::Logic { op: Logic::Not, d: not, a: compared, b: compared });
                // The third operand may be one of the results.
                self.combine(ins, 3, compared, first)?;
                self.combine(ins, 3, not, q)?;
                self.emit(Op::Logic { op: Logic::Copy, d: p, a: first, b: first });
                Ok(())
            }
            operand => {
                let d = self.destination(ins, operand, Width::Predicate)?;
                // The usual case compares straight into its result.
                if ins.operands.len() == 3
                    && let Some(Op::Compare32 { d: result, .. } | Op::Compare64 { d: result, .. }) = self.module.out.code.ops.last_mut()
                {
                    *result = d;
                    return Ok(());
                }
                self.combine(ins, 3, compared, d)
            }
        }
    }

    pub(super) fn set(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        let (to, from) = (self.ty(ins)?, self.second_ty(ins)?);
        if is_small(to) || is_small(from) {
            return self.set_small(ins, to, from);
        }
        let compared = self.compare(ins, from)?;
        let p = self.scope.temporary(Width::Predicate);
        self.combine(ins, 3, compared, p)?;
        let d = self.result(ins, to)?;
        let one = match to {
            ScalarType::F32 => self.constant32(1f32.to_bits()),
            ScalarType::B32 | ScalarType::U32 | ScalarType::S32 => self.constant32(u32::MAX),
            _ => return self.unsupported(ins),
        };
        let zero = self.constant32(0);
        self.emit(Op::Selp32 { d, a: one, b: zero, p });
        Ok(())
    }

    pub(super) fn selp(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        self.check_count(ins, 4)?;
        let ty = self.ty(ins)?;
        let (d, a, b) = (self.result(ins, ty)?, self.value(ins, 1, ty)?, self.value(ins, 2, ty)?);
        let p = self.value(ins, 3, ScalarType::Pred)?;
        self.emit(match self.width(ins, ty)? {
            Width::Bits64 => Op::Selp64 { d, a, b, p },
            Width::Bits16 | Width::Bits32 => Op::Selp32 { d, a, b, p },
            Width::Predicate => return self.unsupported(ins),
        });
        Ok(())
    }

    pub(super) fn slct(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        self.check_count(ins, 4)?;
        let (ty, by) = (self.ty(ins)?, self.second_ty(ins)?);
        let (d, a, b) = (self.result(ins, ty)?, self.value(ins, 1, ty)?, self.value(ins, 2, ty)?);
        let mut c = self.value(ins, 3, by)?;
        if ins.has(Flag::Ftz) && by == ScalarType::F32 {
            c = self.unary32(Unary32::Flush, c);
        }
        let float = match by {
            ScalarType::F32 => true,
            ScalarType::S32 => false,
            _ => return self.unsupported(ins),
        };
        self.emit(match (self.width(ins, ty)?, float) {
            (Width::Bits64, false) => Op::Select64 { op: Select64::Negative, d, a, b, c },
            (Width::Bits64, true) => Op::Select64 { op: Select64::NegativeF32, d, a, b, c },
            (Width::Bits16 | Width::Bits32, false) => Op::Ternary32 { op: Ternary32::SelectNegative, d, a, b, c },
            (Width::Bits16 | Width::Bits32, true) => Op::Ternary32 { op: Ternary32::SelectNegativeF32, d, a, b, c },
            (Width::Predicate, _) => return self.unsupported(ins),
        });
        Ok(())
    }

    pub(super) fn testp(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        self.check_count(ins, 2)?;
        let ty = self.ty(ins)?;
        let (d, a) = (self.result(ins, ScalarType::Pred)?, self.value(ins, 1, ty)?);
        use Compare32 as N;
        use Compare64 as W;
        let (narrow, wide, negate) = match ins.flags().next() {
            Some(Flag::Finite) => (N::Finite, W::Finite, false),
            Some(Flag::Infinite) => (N::Infinite, W::Infinite, false),
            Some(Flag::Number) => (N::Number, W::Number, false),
            Some(Flag::NotANumber) => (N::Number, W::Number, true),
            Some(Flag::Normal) => (N::Normal, W::Normal, false),
            Some(Flag::Subnormal) => (N::Subnormal, W::Subnormal, false),
            _ => return self.unsupported(ins),
        };
        self.emit(match ty {
            ScalarType::F32 => Op::Compare32 { op: narrow, negate, d, a, b: a },
            ScalarType::F64 => Op::Compare64 { op: wide, negate, d, a, b: a },
            _ => return self.unsupported(ins),
        });
        Ok(())
    }
}
