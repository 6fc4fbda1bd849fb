//! Moves and conversions.

use threadwise_ptx::{Flag, Instruction, Kind, Operand, ScalarType, Space};

use super::float::rounding;
use super::function::FunctionDecoder;
use super::scope::Symbol;
use crate::code::binary::{Binary32, Join};
use crate::code::compare::Logic;
use crate::code::convert::Convert;
use crate::code::float::Rounding;
use crate::code::unary::{Narrow, Unary32, Unary64, Widen};
use crate::code::{Op, Slot, Width};
use crate::error::LoadError;

impl FunctionDecoder<'_> {
    pub(super) fn mov(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        self.check_count(ins, 2)?;
        let ty = self.ty(ins)?;
        match (self.operand(ins, 0)?, self.operand(ins, 1)?) {
            (Operand::Vector(parts), _) => self.unpack(ins, ty, parts),
            (_, Operand::Vector(parts)) => self.pack(ins, ty, parts),
            (_, _) => {
                let (d, a) = (self.result(ins, ty)?, self.value(ins, 1, ty)?);
                self.copy(self.width(ins, ty)?, d, a);
                Ok(())
            }
        }
    }

    pub(super) fn copy(&mut self, width: Width, d: Slot, a: Slot) {
        self.emit(match width {
            Width::Predicate => Op::Logic { op: Logic::Copy, d, a, b: a },
            Width::Bits16 | Width::Bits32 => Op::Unary32 { op: Unary32::Copy, d, a },
            Width::Bits64 => Op::Unary64 { op: Unary64::Copy, d, a },
        });
    }

    /// `mov.b64 {a, b}, c`
    fn unpack(&mut self, ins: &Instruction, ty: ScalarType, parts: &[Operand]) -> Result<(), LoadError> {
        let a = self.value(ins, 1, ty)?;
        match (ty.bits(), parts) {
            (64, [low, high]) => {
                for (part, op) in [(low, Narrow::Low), (high, Narrow::High)] {
                    let d = self.destination(ins, part, Width::Bits32)?;
                    self.emit(Op::Narrow { op, d, a });
                }
            }
            (64, [_, _, _, _]) => {
                let halves = [self.scope.temporary(Width::Bits32), self.scope.temporary(Width::Bits32)];
                self.emit(Op::Narrow { op: Narrow::Low, d: halves[0], a });
                self.emit(Op::Narrow { op: Narrow::High, d: halves[1], a });
                self.unpack32(ins, halves[0], &parts[..2])?;
                self.unpack32(ins, halves[1], &parts[2..])?;
            }
            (32, [_, _]) => self.unpack32(ins, a, parts)?,
            _ => return self.unsupported(ins),
        }
        Ok(())
    }

    fn unpack32(&mut self, ins: &Instruction, a: Slot, parts: &[Operand]) -> Result<(), LoadError> {
        for (part, op) in parts.iter().zip([Unary32::Zext16, Unary32::High16]) {
            let d = self.destination(ins, part, Width::Bits16)?;
            self.emit(Op::Unary32 { op, d, a });
        }
        Ok(())
    }

    /// `mov.b64 c, {a, b}`
    fn pack(&mut self, ins: &Instruction, ty: ScalarType, parts: &[Operand]) -> Result<(), LoadError> {
        let d = self.result(ins, ty)?;
        match (ty.bits(), parts) {
            (64, [low, high]) => {
                let (a, b) = (self.source(ins, low, ScalarType::B32)?, self.source(ins, high, ScalarType::B32)?);
                self.emit(Op::Join { op: Join::Pack, d, a, b });
            }
            (64, [_, _, _, _]) => {
                let halves = [self.scope.temporary(Width::Bits32), self.scope.temporary(Width::Bits32)];
                self.pack32(ins, halves[0], &parts[..2])?;
                self.pack32(ins, halves[1], &parts[2..])?;
                self.emit(Op::Join { op: Join::Pack, d, a: halves[0], b: halves[1] });
            }
            (32, [_, _]) => self.pack32(ins, d, parts)?,
            (16, [low, high]) => {
                let (a, b) = (self.source(ins, low, ScalarType::B8)?, self.source(ins, high, ScalarType::B8)?);
                self.emit(Op::Binary32 { op: Binary32::Pack8, d, a, b });
            }
            _ => return self.unsupported(ins),
        }
        Ok(())
    }

    fn pack32(&mut self, ins: &Instruction, d: Slot, parts: &[Operand]) -> Result<(), LoadError> {
        let (a, b) = (self.source(ins, &parts[0], ScalarType::B16)?, self.source(ins, &parts[1], ScalarType::B16)?);
        self.emit(Op::Binary32 { op: Binary32::Pack16, d, a, b });
        Ok(())
    }

    pub(super) fn cvt(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        if ins.has(Flag::Pack) {
            return self.cvt_pack(ins);
        }
        let (to, from) = (self.ty(ins)?, self.second_ty(ins)?);
        let whole = |ty: ScalarType| matches!(ty.kind(), Kind::Packed | Kind::Alternate) && ty != ScalarType::Tf32;
        if whole(to) || whole(from) {
            return self.cvt_pair(ins, to, from);
        }
        self.check_count(ins, 2)?;
        for ty in [to, from] {
            if matches!(ty.kind(), Kind::Pair | Kind::Predicate) || ty.bits() > 64 || from == ScalarType::Tf32 {
                return self.unsupported(ins);
            }
        }
        // Registers may be wider than the types.
        let operand = self.operand(ins, 1)?;
        let (a, a_width) = match self.any_register(ins, operand) {
            Some(found) => found,
            None => (self.source(ins, operand, from)?, self.width(ins, from)?),
        };
        let result = self.operand(ins, 0)?;
        let (d, d_width) = match self.any_register(ins, result) {
            Some(found) => found,
            None => (self.result(ins, to)?, self.width(ins, to)?),
        };
        let fits = |width: Width, ty: ScalarType| match width {
            Width::Predicate => false,
            Width::Bits16 => ty.bits() <= 16,
            Width::Bits32 => ty.bits() <= 32,
            Width::Bits64 => true,
        };
        if !fits(a_width, from) || !fits(d_width, to) {
            return self.error(ins, "a register is narrower than its type");
        }
        if let Some(op) = direct(ins, to, from, (d_width, d), (a_width, a)) {
            self.emit(op);
            return Ok(());
        }
        let index = self.conversion(ins, to, from);
        let (wide_d, wide_a) = (d_width == Width::Bits64, a_width == Width::Bits64);
        self.emit(Op::Convert { convert: index, d, wide_d, a, wide_a });
        // A 16-bit register holds its value zero-extended.
        if d_width == Width::Bits16 {
            self.emit(Op::Unary32 { op: Unary32::Zext16, d, a: d });
        }
        Ok(())
    }

    /// Index of a conversion in the table.
    fn conversion(&mut self, ins: &Instruction, to: ScalarType, from: ScalarType) -> u32 {
        let floats = to.kind() == Kind::Float && from.kind() == Kind::Float;
        let integral = floats && [Flag::Rni, Flag::Rzi, Flag::Rmi, Flag::Rpi].into_iter().any(|f| ins.has(f));
        let convert = Convert {
            to,
            from,
            rounding: rounding(ins),
            integral,
            saturate: ins.has(Flag::Sat),
            flush: ins.has(Flag::Ftz),
            relu: ins.has(Flag::Relu),
            finite: ins.has(Flag::Satfinite),
            away: ins.has(Flag::Rna),
        };
        let converts = &mut self.module.out.code.converts;
        let index = converts.iter().position(|c| *c == convert).unwrap_or_else(|| {
            converts.push(convert);
            converts.len() - 1
        });
        index as u32
    }

    /// To or from two floats in one register: from two singles, the first to the upper half, or each half by itself.
    fn cvt_pair(&mut self, ins: &Instruction, to: ScalarType, from: ScalarType) -> Result<(), LoadError> {
        use ScalarType as T;
        let one = |ty: ScalarType| match ty {
            T::F16x2 => T::F16,
            T::Bf16x2 => T::Bf16,
            other => other,
        };
        let bytes = |ty: ScalarType| matches!(ty, T::E4m3x2 | T::E5m2x2);
        let [low, high] = match (to, from) {
            (T::F16x2 | T::Bf16x2 | T::E4m3x2 | T::E5m2x2, T::F32) => {
                self.check_count(ins, 3)?;
                [self.value(ins, 2, from)?, self.value(ins, 1, from)?]
            }
            (T::E4m3x2 | T::E5m2x2, T::F16x2) | (T::F16x2, T::E4m3x2 | T::E5m2x2) => {
                self.check_count(ins, 2)?;
                let a = self.value(ins, 1, from)?;
                let halves = if bytes(from) { [Unary32::Zext8, Unary32::High8] } else { [Unary32::Zext16, Unary32::High16] };
                halves.map(|half| self.unary32(half, a))
            }
            _ => return self.unsupported(ins),
        };
        let d = self.result(ins, to)?;
        let convert = self.conversion(ins, one(to), one(from));
        let halves = [low, high].map(|a| {
            let d = self.scope.temporary(Width::Bits32);
            self.emit(Op::Convert { convert, d, wide_d: false, a, wide_a: false });
            d
        });
        let op = if bytes(to) { Binary32::Pack8 } else { Binary32::Pack16 };
        self.emit(Op::Binary32 { op, d, a: halves[0], b: halves[1] });
        Ok(())
    }

    /// `cvt.pack.sat`: two integers to 16 or 8 bits each, the first to the upper; above 8 bits what is left of a third operand.
    fn cvt_pack(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        let (to, from) = (self.ty(ins)?, self.second_ty(ins)?);
        if from != ScalarType::S32 || !ins.has(Flag::Sat) {
            return self.unsupported(ins);
        }
        let (a, b) = (self.value(ins, 1, from)?, self.value(ins, 2, from)?);
        let d = self.result(ins, ScalarType::B32)?;
        let convert = self.conversion(ins, to, from);
        let [a, b] = [a, b].map(|a| {
            let d = self.scope.temporary(Width::Bits32);
            self.emit(Op::Convert { convert, d, wide_d: false, a, wide_a: false });
            d
        });
        match to {
            ScalarType::U16 | ScalarType::S16 => {
                self.check_count(ins, 3)?;
                self.emit(Op::Binary32 { op: Binary32::Pack16, d, a: b, b: a });
            }
            ScalarType::U8 | ScalarType::S8 => {
                let pair = self.scope.temporary(Width::Bits32);
                self.emit(Op::Binary32 { op: Binary32::Pack8, d: pair, a: b, b: a });
                let upper = if ins.operands.len() == 4 { self.value(ins, 3, ScalarType::B32)? } else { self.constant32(0) };
                self.emit(Op::Binary32 { op: Binary32::Pack16, d, a: pair, b: upper });
            }
            _ => return self.unsupported(ins),
        }
        Ok(())
    }

    /// `cvta` and `cvta.to`
    pub(super) fn cvta(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        self.check_count(ins, 2)?;
        let Some(space) = ins.space() else { return self.unsupported(ins) };
        let ty = self.ty(ins)?;
        if ty.bits() != 64 {
            return self.unsupported(ins);
        }
        let space = self.actual_space(ins, space)?;
        let (d, a) = (self.result(ins, ty)?, self.value(ins, 1, ty)?);
        self.emit(Op::Window { space, to_generic: !ins.has(Flag::To), d, a });
        Ok(())
    }

    /// Parameters of functions lie in the thread's own memory.
    pub(super) fn actual_space(&self, ins: &Instruction, space: Space) -> Result<Space, LoadError> {
        if let Some(Operand::Name { name, .. }) = ins.operands.get(1)
            && let Ok(symbol) = self.symbol(ins, name)
        {
            match (symbol, space) {
                (Symbol::Frame { .. }, Space::Param) => return Ok(Space::Local),
                (Symbol::Parameter { .. }, Space::Local) => return Ok(Space::Param),
                _ => {}
            }
        }
        Ok(if space == Space::Param && !self.entry { Space::Local } else { space })
    }

    pub(super) fn isspacep(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        self.check_count(ins, 2)?;
        let Some(space) = ins.space() else { return self.unsupported(ins) };
        let (d, a) = (self.result(ins, ScalarType::Pred)?, self.value(ins, 1, ScalarType::B64)?);
        self.emit(Op::Isspacep { space, d, a });
        Ok(())
    }
}

/// Conversions that are one operation.
fn direct(ins: &Instruction, to: ScalarType, from: ScalarType, (dw, d): (Width, Slot), (aw, a): (Width, Slot)) -> Option<Op> {
    use ScalarType as T;
    if [Flag::Sat, Flag::Ftz, Flag::Relu, Flag::Satfinite].into_iter().any(|flag| ins.has(flag)) {
        return None;
    }
    let exact_widths = |ty: ScalarType, width: Width| super::scope::width(ty) == Some(width);
    if !exact_widths(from, aw) || !exact_widths(to, dw) {
        return None;
    }
    let nearest = rounding(ins) == Rounding::Nearest;
    let plain = ins.flags().next().is_none();
    let towards_zero = ins.has(Flag::Rzi);
    let widen = |op| Some(Op::Widen { op, d, a });
    let narrow = |op| Some(Op::Narrow { op, d, a });
    let unary = |op| Some(Op::Unary32 { op, d, a });
    match (to, from) {
        (T::U64 | T::S64, T::U32) => widen(Widen::Zext),
        (T::U64 | T::S64, T::S32) => widen(Widen::Sext),
        (T::U64 | T::S64, T::U16) => widen(Widen::Zext16),
        (T::U64 | T::S64, T::S16) => widen(Widen::Sext16),
        (T::U32 | T::S32, T::U64 | T::S64) => narrow(Narrow::Low),
        (T::U16 | T::S16, T::U64 | T::S64) => narrow(Narrow::Low16),
        (T::U16 | T::S16, T::U32 | T::S32) => unary(Unary32::Zext16),
        (T::U32 | T::S32, T::U16) => unary(Unary32::Zext16),
        (T::U32 | T::S32, T::S16) => unary(Unary32::Sext16),
        (T::U32 | T::S32, T::U32 | T::S32) => unary(Unary32::Copy),
        (T::S16 | T::U16, T::S8) => unary(Unary32::Sext8To16),
        (T::S16 | T::U16, T::U8) => unary(Unary32::Zext8),
        (T::F32, T::S32) if nearest => unary(Unary32::F32FromS32),
        (T::F32, T::U32) if nearest => unary(Unary32::F32FromU32),
        (T::S32, T::F32) if towards_zero => unary(Unary32::S32FromF32),
        (T::U32, T::F32) if towards_zero => unary(Unary32::U32FromF32),
        (T::F32, T::F32) if plain => unary(Unary32::Copy),
        (T::F64, T::F64) if plain => Some(Op::Unary64 { op: Unary64::Copy, d, a }),
        (T::F32, T::Bf16) => unary(Unary32::F32FromBf16),
        (T::F32, T::F16) => unary(Unary32::F32FromF16),
        (T::F64, T::F32) => widen(Widen::F64FromF32),
        (T::F64, T::S32) => widen(Widen::F64FromS32),
        (T::F64, T::U32) => widen(Widen::F64FromU32),
        (T::F32, T::F64) if nearest => narrow(Narrow::F32FromF64),
        _ => None,
    }
}
