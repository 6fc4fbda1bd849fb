//! Loads, stores and atomics.

use threadwise_ptx::{Flag, Instruction, Kind, Opcode, Operand, ScalarType, Space};

use super::function::FunctionDecoder;
use super::scope::Symbol;
use super::small::{is_bfloat, is_packed, is_small};
use crate::code::{Access, Address, Atomic, AtomicOp, Op, Order, Slot, Width};
use crate::error::LoadError;

impl FunctionDecoder<'_> {
    fn order(&self, ins: &Instruction) -> Order {
        if ins.has(Flag::AcqRel) {
            Order::AcquireRelease
        } else if ins.has(Flag::Acquire) {
            Order::Acquire
        } else if ins.has(Flag::Release) {
            Order::Release
        } else {
            Order::Relaxed
        }
    }

    /// Space and address of the operand at `index`.
    fn address(&mut self, ins: &Instruction, index: usize) -> Result<(Option<Space>, Address, i64), LoadError> {
        let mut space = ins.space();
        let (base, offset) = match self.operand(ins, index)? {
            Operand::Address { base, offset } => (base, *offset),
            operand => return self.error(ins, format!("`{operand}` is no address")),
        };
        let Some(base) = base else {
            let slot = self.number(threadwise_ptx::Number::Integer(0), ScalarType::B64, Width::Bits64);
            return Ok((space, Address::Wide(slot), offset));
        };
        let (address, offset) = match self.symbol(ins, base)? {
            Symbol::Register(slot, Width::Bits64) => {
                // A register that points to parameters of a function points into the thread's own memory.
                if space == Some(Space::Param) && !self.entry {
                    space = Some(Space::Local);
                }
                (Address::Wide(slot), offset)
            }
            Symbol::Register(slot, Width::Bits32) => (Address::Short(slot), offset),
            Symbol::Register(_, Width::Predicate | Width::Bits16) => return self.error(ins, "an address has 64 or 32 bits"),
            Symbol::Frame { offset: place, .. } => {
                space = Some(Space::Local);
                (Address::Frame, offset.wrapping_add(i64::from(place)))
            }
            Symbol::Parameter { offset: place } => {
                space = Some(Space::Param);
                (Address::Parameters, offset.wrapping_add(i64::from(place)))
            }
            symbol @ (Symbol::Shared(_) | Symbol::Global(_) | Symbol::Function(_)) => {
                if matches!(symbol, Symbol::Shared(_)) && space.is_none() {
                    return self.error(ins, "a shared variable in an access of another space");
                }
                (Address::Wide(self.address_of(ins, &symbol, offset, Width::Bits64)?), 0)
            }
        };
        Ok((space, address, offset))
    }

    pub(super) fn site(&mut self) -> u32 {
        let sites = &mut self.module.out.code.sites;
        *sites += 1;
        *sites - 1
    }

    /// The register of an element: any width from that of the type on.
    fn element(&mut self, ins: &Instruction, operand: &Operand, ty: ScalarType, stored: bool) -> Result<(Slot, Width), LoadError> {
        let least = self.width(ins, ty)?;
        match self.any_register(ins, operand) {
            Some((slot, width)) => {
                let fits = match (least, width) {
                    (Width::Predicate, _) | (_, Width::Predicate) => false,
                    (Width::Bits16, Width::Bits16 | Width::Bits32 | Width::Bits64) => true,
                    (Width::Bits32, Width::Bits32 | Width::Bits64) => true,
                    (Width::Bits64, Width::Bits64) => true,
                    (Width::Bits32 | Width::Bits64, Width::Bits16 | Width::Bits32) => false,
                };
                if fits { Ok((slot, width)) } else { self.error(ins, format!("`{operand}` does not fit the type")) }
            }
            None if stored => Ok((self.source(ins, operand, ty)?, least)),
            None => Ok((self.destination(ins, operand, least)?, least)),
        }
    }

    fn access(&mut self, ins: &Instruction, address: usize, data: usize, stored: bool) -> Result<Access, LoadError> {
        let ty = self.ty(ins)?;
        if ty.bits() < 8 || ty.bits() > 64 {
            return self.unsupported(ins);
        }
        let (space, address, offset) = self.address(ins, address)?;
        let count = ins.vector();
        let operands = match self.operand(ins, data)? {
            Operand::Vector(parts) => parts.as_slice(),
            one => std::slice::from_ref(one),
        };
        if operands.len() != count as usize {
            return self.error(ins, format!("{count} elements are expected"));
        }
        let mut registers = [(Slot(0), Width::Bits32); 4];
        for (register, operand) in registers.iter_mut().zip(operands) {
            *register = self.element(ins, operand, ty, stored)?;
        }
        Ok(Access {
            space,
            address,
            offset,
            bytes: ty.bytes(),
            count,
            signed: ty.kind() == Kind::Signed,
            order: self.order(ins),
            polls: [Flag::Volatile, Flag::Relaxed, Flag::Acquire, Flag::Mmio].into_iter().any(|flag| ins.has(flag)),
            data: registers,
            site: self.site(),
        })
    }

    pub(super) fn load(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        self.check_count(ins, 2)?;
        let access = self.access(ins, 1, 0, false)?;
        let accesses = &mut self.module.out.code.accesses;
        accesses.push(access);
        let index = accesses.len() as u32 - 1;
        self.emit(Op::Load { access: index });
        Ok(())
    }

    pub(super) fn store(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        self.check_count(ins, 2)?;
        let access = self.access(ins, 0, 1, true)?;
        if matches!(access.space, Some(Space::Const)) || access.address == Address::Parameters {
            return self.error(ins, "this space cannot be written");
        }
        let accesses = &mut self.module.out.code.accesses;
        accesses.push(access);
        let index = accesses.len() as u32 - 1;
        self.emit(Op::Store { access: index });
        Ok(())
    }

    /// `atom` and `red`
    pub(super) fn atomic(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        let ty = self.ty(ins)?;
        let wanted = ins.opcode == Opcode::Atom;
        let signed = ty.kind() == Kind::Signed;
        let flag = ins.flags().find(|flag| {
            use Flag as F;
            matches!(flag, F::Add | F::And | F::Or | F::Xor | F::Min | F::Max | F::Exch | F::Cas | F::Inc | F::Dec)
        });
        let op = match (flag, ty) {
            (Some(Flag::Add), ScalarType::F32) => AtomicOp::AddF32,
            (Some(Flag::Add), ScalarType::F64) => AtomicOp::AddF64,
            (Some(Flag::Add), ty) if is_small(ty) => AtomicOp::AddSmall { bfloat: is_bfloat(ty), packed: is_packed(ty) },
            (Some(Flag::Exch), _) => AtomicOp::Exch,
            (Some(Flag::Cas), _) => AtomicOp::Cas,
            (_, ScalarType::F32 | ScalarType::F64) => return self.unsupported(ins),
            (Some(Flag::Add), _) => AtomicOp::Add,
            (Some(Flag::And), _) => AtomicOp::And,
            (Some(Flag::Or), _) => AtomicOp::Or,
            (Some(Flag::Xor), _) => AtomicOp::Xor,
            (Some(Flag::Min), _) if signed => AtomicOp::MinS,
            (Some(Flag::Min), _) => AtomicOp::MinU,
            (Some(Flag::Max), _) if signed => AtomicOp::MaxS,
            (Some(Flag::Max), _) => AtomicOp::MaxU,
            (Some(Flag::Inc), ScalarType::U32) => AtomicOp::Inc,
            (Some(Flag::Dec), ScalarType::U32) => AtomicOp::Dec,
            _ => return self.unsupported(ins),
        };
        let small = matches!(op, AtomicOp::AddSmall { .. });
        let bits16 = ty.bits() == 16 && (small || op == AtomicOp::Cas);
        if !bits16 && ty.bits() != 32 && ty.bits() != 64 || is_small(ty) && !small || ins.vector() != 1 {
            return self.unsupported(ins);
        }
        let first = usize::from(wanted);
        self.check_count(ins, first + if op == AtomicOp::Cas { 3 } else { 2 })?;
        let (space, address, offset) = self.address(ins, first)?;
        if matches!(space, Some(Space::Const | Space::Param | Space::Local)) {
            return self.unsupported(ins);
        }
        let operand = self.value(ins, first + 1, ty)?;
        let second = if op == AtomicOp::Cas { self.value(ins, first + 2, ty)? } else { operand };
        let d = if wanted { self.result(ins, ty)? } else { operand };
        let width = self.width(ins, ty)?;
        let order = self.order(ins);
        let access = Access {
            space,
            address,
            offset,
            bytes: ty.bytes(),
            count: 1,
            signed: false,
            order,
            polls: true,
            data: [(d, width); 4],
            site: self.site(),
        };
        let atomics = &mut self.module.out.code.atomics;
        atomics.push(Atomic { op, access, wanted, operand, second });
        let index = atomics.len() as u32 - 1;
        self.emit(Op::Atomic { atomic: index });
        Ok(())
    }
}
