//! Float arithmetic.

use threadwise_ptx::{Flag, Instruction, Opcode, ScalarType};

use super::function::FunctionDecoder;
use super::small::is_small;
use crate::code::binary::{Binary32, Binary64};
use crate::code::directed::Directed;
use crate::code::float::Rounding;
use crate::code::ternary::{Ternary32, Ternary64};
use crate::code::unary::{Unary32, Unary64};
use crate::code::{Op, Slot, Width};
use crate::error::LoadError;

/// How an instruction rounds; to nearest where it does not say.
pub(super) fn rounding(ins: &Instruction) -> Rounding {
    let known = [
        (Flag::Rz, Rounding::Zero),
        (Flag::Rm, Rounding::Down),
        (Flag::Rp, Rounding::Up),
        (Flag::Rzi, Rounding::Zero),
        (Flag::Rmi, Rounding::Down),
        (Flag::Rpi, Rounding::Up),
    ];
    known.into_iter().find(|&(flag, _)| ins.has(flag)).map_or(Rounding::Nearest, |(_, rounding)| rounding)
}

impl FunctionDecoder<'_> {
    /// The operand at `index`, flushed where the instruction says `.ftz`.
    fn float_value(&mut self, ins: &Instruction, index: usize, ty: ScalarType) -> Result<Slot, LoadError> {
        let a = self.value(ins, index, ty)?;
        if !ins.has(Flag::Ftz) || ty != ScalarType::F32 {
            return Ok(a);
        }
        let d = self.scope.temporary(Width::Bits32);
        self.emit(Op::Unary32 { op: Unary32::Flush, d, a });
        Ok(d)
    }

    /// `.ftz` and `.sat` of a result.
    fn finish(&mut self, ins: &Instruction, ty: ScalarType, d: Slot) -> Result<(), LoadError> {
        if ins.has(Flag::Ftz) && ty == ScalarType::F32 {
            self.emit(Op::Unary32 { op: Unary32::Flush, d, a: d });
        }
        if ins.has(Flag::Sat) {
            match ty {
                ScalarType::F32 => self.emit(Op::Unary32 { op: Unary32::SatF32, d, a: d }),
                ScalarType::F64 => self.emit(Op::Unary64 { op: Unary64::SatF64, d, a: d }),
                _ => return self.unsupported(ins),
            }
        }
        Ok(())
    }

    /// `neg` and `abs`.
    pub(super) fn float_sign(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        let ty = self.ty(ins)?;
        if is_small(ty) {
            return self.small(ins);
        }
        self.check_count(ins, 2)?;
        let (a, d) = (self.float_value(ins, 1, ty)?, self.result(ins, ty)?);
        self.emit(match (ins.opcode, ty) {
            (Opcode::Neg, ScalarType::F32) => Op::Unary32 { op: Unary32::NegF32, d, a },
            (Opcode::Abs, ScalarType::F32) => Op::Unary32 { op: Unary32::AbsF32, d, a },
            (Opcode::Neg, ScalarType::F64) => Op::Unary64 { op: Unary64::NegF64, d, a },
            (Opcode::Abs, ScalarType::F64) => Op::Unary64 { op: Unary64::AbsF64, d, a },
            _ => return self.unsupported(ins),
        });
        Ok(())
    }

    pub(super) fn float_binary(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        let ty = self.ty(ins)?;
        if is_small(ty) {
            return self.small(ins);
        }
        self.check_count(ins, 3)?;
        let (a, b) = (self.float_value(ins, 1, ty)?, self.float_value(ins, 2, ty)?);
        let d = self.result(ins, ty)?;
        let (nan, xorsign) = (ins.has(Flag::Nan), ins.has(Flag::Xorsign));
        let rounding = rounding(ins);
        if rounding != Rounding::Nearest {
            let op = match ins.opcode {
                Opcode::Add => Directed::Add,
                Opcode::Sub => Directed::Sub,
                Opcode::Mul => Directed::Mul,
                Opcode::Div => Directed::Div,
                _ => return self.unsupported(ins),
            };
            // The third operand is unused, any finite number will do.
            let zero = self.number(threadwise_ptx::Number::Integer(0), ty, self.width(ins, ty)?);
            self.emit_directed(ins, ty, op, d, [a, b, zero])?;
            return self.finish(ins, ty, d);
        }
        self.emit(match ty {
            ScalarType::F32 => {
                let op = match ins.opcode {
                    Opcode::Add => Binary32::AddF32,
                    Opcode::Sub => Binary32::SubF32,
                    Opcode::Mul => Binary32::MulF32,
                    Opcode::Div => Binary32::DivF32,
                    Opcode::Min if nan && xorsign => Binary32::MinNanXorsignF32,
                    Opcode::Max if nan && xorsign => Binary32::MaxNanXorsignF32,
                    Opcode::Min if xorsign => Binary32::MinXorsignF32,
                    Opcode::Max if xorsign => Binary32::MaxXorsignF32,
                    Opcode::Min if nan => Binary32::MinNanF32,
                    Opcode::Min => Binary32::MinF32,
                    Opcode::Max if nan => Binary32::MaxNanF32,
                    Opcode::Max => Binary32::MaxF32,
                    _ => return self.unsupported(ins),
                };
                Op::Binary32 { op, d, a, b }
            }
            ScalarType::F64 => {
                let op = match ins.opcode {
                    Opcode::Add => Binary64::AddF64,
                    Opcode::Sub => Binary64::SubF64,
                    Opcode::Mul => Binary64::MulF64,
                    Opcode::Div => Binary64::DivF64,
                    Opcode::Min if nan => Binary64::MinNanF64,
                    Opcode::Min => Binary64::MinF64,
                    Opcode::Max if nan => Binary64::MaxNanF64,
                    Opcode::Max => Binary64::MaxF64,
                    _ => return self.unsupported(ins),
                };
                Op::Binary64 { op, d, a, b }
            }
            _ => return self.unsupported(ins),
        });
        self.finish(ins, ty, d)
    }

    fn emit_directed(&mut self, ins: &Instruction, ty: ScalarType, op: Directed, d: Slot, operands: [Slot; 3]) -> Result<(), LoadError> {
        let rounding = rounding(ins);
        let [a, b, c] = operands;
        self.emit(match ty {
            ScalarType::F32 => Op::Directed32 { op, rounding, d, a, b, c },
            ScalarType::F64 => Op::Directed64 { op, rounding, d, a, b, c },
            _ => return self.unsupported(ins),
        });
        Ok(())
    }

    /// `fma` and the float forms of `mad`.
    pub(super) fn fma(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        let ty = self.ty(ins)?;
        if is_small(ty) {
            return self.small(ins);
        }
        self.check_count(ins, 4)?;
        let (a, b) = (self.float_value(ins, 1, ty)?, self.float_value(ins, 2, ty)?);
        let (c, d) = (self.float_value(ins, 3, ty)?, self.result(ins, ty)?);
        if rounding(ins) != Rounding::Nearest {
            self.emit_directed(ins, ty, Directed::Fma, d, [a, b, c])?;
            return self.finish(ins, ty, d);
        }
        self.emit(match ty {
            ScalarType::F32 => Op::Ternary32 { op: Ternary32::FmaF32, d, a, b, c },
            ScalarType::F64 => Op::Ternary64 { op: Ternary64::FmaF64, d, a, b, c },
            _ => return self.unsupported(ins),
        });
        self.finish(ins, ty, d)
    }

    pub(super) fn copysign(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        self.check_count(ins, 3)?;
        let ty = self.ty(ins)?;
        let (d, a, b) = (self.result(ins, ty)?, self.value(ins, 1, ty)?, self.value(ins, 2, ty)?);
        self.emit(match ty {
            ScalarType::F32 => Op::Binary32 { op: Binary32::CopysignF32, d, a, b },
            ScalarType::F64 => Op::Binary64 { op: Binary64::CopysignF64, d, a, b },
            _ => return self.unsupported(ins),
        });
        Ok(())
    }

    /// `rcp`, `sqrt`, `rsqrt`, `sin`, `cos`, `lg2`, `ex2`, `tanh`. The approximate ones are computed in double precision and rounded once.
    pub(super) fn float_function(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        let ty = self.ty(ins)?;
        if is_small(ty) {
            return self.small(ins);
        }
        self.check_count(ins, 2)?;
        let (a, d) = (self.float_value(ins, 1, ty)?, self.result(ins, ty)?);
        if rounding(ins) != Rounding::Nearest {
            let op = match ins.opcode {
                Opcode::Rcp => Directed::Rcp,
                Opcode::Sqrt => Directed::Sqrt,
                _ => return self.unsupported(ins),
            };
            self.emit_directed(ins, ty, op, d, [a, a, a])?;
            return self.finish(ins, ty, d);
        }
        self.emit(match ty {
            ScalarType::F32 => {
                let op = match ins.opcode {
                    Opcode::Rcp => Unary32::RcpF32,
                    Opcode::Sqrt => Unary32::SqrtF32,
                    Opcode::Rsqrt => Unary32::RsqrtF32,
                    Opcode::Sin => Unary32::SinF32,
                    Opcode::Cos => Unary32::CosF32,
                    Opcode::Lg2 => Unary32::Lg2F32,
                    Opcode::Ex2 => Unary32::Ex2F32,
                    Opcode::Tanh => Unary32::TanhF32,
                    _ => return self.unsupported(ins),
                };
                Op::Unary32 { op, d, a }
            }
            ScalarType::F64 => {
                let op = match ins.opcode {
                    Opcode::Rcp if ins.has(Flag::Approx) => Unary64::RcpHighF64,
                    Opcode::Rcp => Unary64::RcpF64,
                    Opcode::Sqrt => Unary64::SqrtF64,
                    Opcode::Rsqrt if ins.has(Flag::Ftz) => Unary64::RsqrtHighF64,
                    Opcode::Rsqrt => Unary64::RsqrtF64,
                    _ => return self.unsupported(ins),
                };
                Op::Unary64 { op, d, a }
            }
            _ => return self.unsupported(ins),
        });
        self.finish(ins, ty, d)
    }
}
