//! Registers that need no operation to be filled: those that only name a parameter of the kernel, a special register, or one of these as a
//! global address. Compilers put such instructions at the head of every kernel.

use std::collections::{HashMap, HashSet};

use threadwise_ptx::{Flag, Function, Instruction, Opcode, Operand, Space, Statement};

use super::function::{FunctionDecoder, special};
use super::scope::{self, Symbol};
use crate::code::{Slot, WORDS64};
use crate::error::LoadError;

/// The register that an instruction sets, if it is a single one without guard.
fn set_register(ins: &Instruction) -> Option<&str> {
    match ins.operands.first() {
        Some(Operand::Name { name, offset: 0 }) if ins.guard.is_none() => Some(name),
        _ => None,
    }
}

/// Counts how often each name may be set; the first operand counts even where it is read.
fn count<'s>(statements: &'s [Statement], counts: &mut HashMap<&'s str, u32>) {
    let mut names = Vec::new();
    for statement in statements {
        match statement {
            Statement::Block(inner) => count(inner, counts),
            // A name declared again would hide the one that was meant.
            Statement::Registers(registers) => names.extend(registers.names.iter().map(|(name, _)| name.as_str())),
            Statement::Instruction(ins) => ins.operands.first().into_iter().for_each(|operand| operand_names(operand, &mut names)),
            Statement::Label { .. }
            | Statement::Loc(_)
            | Statement::Variable(_)
            | Statement::Targets { .. }
            | Statement::Prototype { .. }
            | Statement::Pragma(_) => {}
        }
    }
    names.into_iter().for_each(|name| *counts.entry(name).or_default() += 1);
}

fn operand_names<'s>(operand: &'s Operand, names: &mut Vec<&'s str>) {
    match operand {
        Operand::Name { name, .. } | Operand::Not(name) => names.push(name),
        Operand::Pair(a, b) => names.extend([a.as_str(), b.as_str()]),
        Operand::Vector(parts) | Operand::Arguments(parts) => parts.iter().for_each(|part| operand_names(part, names)),
        Operand::Number(_) | Operand::Address { .. } | Operand::Sink => {}
    }
}

impl FunctionDecoder<'_> {
    /// Declares the registers of the function's outermost braces and gives those that need no operation their slots; returns their names.
    pub(super) fn fold(&mut self, function: &Function, body: &[Statement]) -> Result<HashSet<String>, LoadError> {
        let mut counts = HashMap::new();
        count(body, &mut counts);
        for statement in body {
            if let Statement::Registers(registers) = statement {
                self.scope.declare(registers)?;
            }
        }
        let mut folded = HashSet::new();
        for statement in body {
            let Statement::Instruction(ins) = statement else { continue };
            let Some(name) = set_register(ins) else { continue };
            // Instructions that no operation replaces are decoded, and refused, in their turn.
            if counts.get(name) != Some(&1) || ins.operands.len() != 2 {
                continue;
            }
            let Some(Symbol::Register(_, width)) = self.scope.find(name) else { continue };
            let exact = ins.types().next().and_then(scope::width) == Some(width);
            if let Some(slot) = self.named(function, ins, &folded).filter(|_| exact) {
                self.scope.insert(name, Symbol::Register(slot, width));
                folded.insert(name.to_owned());
            }
        }
        Ok(folded)
    }

    /// The slot that the instruction only gives another name.
    fn named(&mut self, function: &Function, ins: &Instruction, folded: &HashSet<String>) -> Option<Slot> {
        match (ins.opcode, &ins.operands[1]) {
            (Opcode::Ld, Operand::Address { base: Some(base), offset }) if ins.space() == Some(Space::Param) && function.entry => {
                let Some(Symbol::Parameter { offset: start }) = self.scope.find(base) else { return None };
                self.parameter(ins, i64::from(start).checked_add(*offset)?)
            }
            (Opcode::Mov, Operand::Name { name, offset: 0 }) => {
                let found = special(name).filter(|&(_, width)| ins.types().next().and_then(scope::width) == Some(width));
                found.map(|(special, _)| Slot::new(Slot::SPECIALS, special as u32 * WORDS64)).or_else(|| self.folded(name, folded))
            }
            (Opcode::Cvta, Operand::Name { name, offset: 0 }) if ins.has(Flag::To) && ins.space() == Some(Space::Global) => {
                self.folded(name, folded)
            }
            _ => None,
        }
    }

    fn folded(&self, name: &str, folded: &HashSet<String>) -> Option<Slot> {
        match self.scope.find(name) {
            Some(Symbol::Register(slot, _)) if folded.contains(name) => Some(slot),
            _ => None,
        }
    }

    /// The slot of a parameter that lies wholly inside; a faulty access is left to the launch.
    fn parameter(&mut self, ins: &Instruction, offset: i64) -> Option<Slot> {
        let ty = ins.types().next()?;
        let (offset, bytes) = (u32::try_from(offset).ok()?, ty.bytes());
        let entry = self.module.out.entries.iter().find(|entry| entry.function as usize == self.index)?;
        let inside = u64::from(offset) + u64::from(bytes) <= entry.parameter_bytes as u64;
        let plain = ins.vector() == 1 && matches!(bytes, 4 | 8) && offset.is_multiple_of(bytes);
        let info = &mut self.module.out.code.functions[self.index];
        (inside && plain).then(|| info.parameter_slot(offset, bytes))
    }
}
