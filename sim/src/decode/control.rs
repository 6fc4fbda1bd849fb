//! Branches, calls, barriers and collectives.

use threadwise_ptx::{Flag, Instruction, Opcode, Operand, ScalarType};

use super::function::FunctionDecoder;
use super::scope::Symbol;
use crate::code::{Barrier, BarrierReduction, Call, Callee, Collective, CollectiveOp, Op, Reduction, Shuffle, Slot, Width};
use crate::error::LoadError;

impl FunctionDecoder<'_> {
    pub(super) fn branch(&mut self, ins: &Instruction, guard: Option<(Slot, bool)>) -> Result<(), LoadError> {
        self.check_count(ins, 1)?;
        let Operand::Name { name, offset: 0 } = self.operand(ins, 0)? else {
            return self.error(ins, "a label is expected");
        };
        self.branch_to(name);
        self.emit(match guard {
            None => Op::Branch { target: 0 },
            Some((p, negate)) => Op::BranchIf { p, negate, target: 0 },
        });
        Ok(())
    }

    pub(super) fn branch_indexed(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        self.check_count(ins, 2)?;
        let index = self.value(ins, 0, ScalarType::U32)?;
        let Operand::Name { name, offset: 0 } = self.operand(ins, 1)? else {
            return self.error(ins, "a list of targets is expected");
        };
        let Some(table) = self.table(name) else {
            return self.error(ins, format!("`{name}` is not declared as `.branchtargets`"));
        };
        self.emit(Op::BranchIndexed { index, table });
        Ok(())
    }

    /// Places of the arguments or results of a call.
    fn places(&self, ins: &Instruction, operand: &Operand) -> Result<Vec<(u32, u32)>, LoadError> {
        let Operand::Arguments(arguments) = operand else { return Ok(Vec::new()) };
        let mut places = Vec::new();
        for argument in arguments {
            let Operand::Name { name, offset: 0 } = argument else {
                return self.error(ins, format!("`{argument}` is no `.param` variable"));
            };
            match self.symbol(ins, name)? {
                Symbol::Frame { offset, bytes } => places.push((offset, bytes)),
                _ => return self.error(ins, format!("`{name}` is no `.param` variable")),
            }
        }
        Ok(places)
    }

    /// `call (results), function, (arguments), prototype`
    pub(super) fn call(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        let (results, rest) = match &*ins.operands {
            [first @ Operand::Arguments(_), rest @ ..] => (self.places(ins, first)?, rest),
            rest => (Vec::new(), rest),
        };
        let (target, rest) = match rest {
            [Operand::Name { name, offset: 0 }, rest @ ..] => (name, rest),
            _ => return self.error(ins, "a function is expected"),
        };
        let arguments = match rest {
            [first @ Operand::Arguments(_), ..] => self.places(ins, first)?,
            _ => Vec::new(),
        };
        let bytes = |places: &[(u32, u32)]| places.iter().map(|&(_, bytes)| bytes).collect::<Vec<_>>();
        let known = self.scope.find(target).or_else(|| self.module.symbols.get(target.as_str()).cloned());
        let callee = match (known, target.as_str()) {
            (Some(Symbol::Register(slot, Width::Bits64)), _) => {
                self.module.out.uses[self.index].indirect = true;
                Callee::Indirect(slot)
            }
            (Some(Symbol::Function(index)), _) => {
                let info = &self.module.out.code.functions[index as usize];
                if info.entry || bytes(&info.parameters) != bytes(&arguments) || bytes(&info.results) != bytes(&results) {
                    return self.error(ins, format!("`{target}` has another signature"));
                }
                self.module.out.uses[self.index].functions.insert(index);
                Callee::Function(index)
            }
            (Some(_), _) => return self.error(ins, format!("`{target}` is no function")),
            (None, "malloc") if bytes(&arguments) == [8] && bytes(&results) == [8] => Callee::Malloc,
            (None, "free") if bytes(&arguments) == [8] && results.is_empty() => Callee::Free,
            (None, "vprintf") if bytes(&arguments) == [8, 8] && matches!(*bytes(&results), [] | [4]) => Callee::Print { site: self.site() },
            (None, _) => return Err(self.module.undefined(ins.at, &ins.to_string(), target)),
        };
        let calls = &mut self.module.out.code.calls;
        calls.push(Call { callee, arguments, results });
        let call = calls.len() as u32 - 1;
        self.emit(Op::Call { call });
        Ok(())
    }

    /// `bar` and `barrier`, except for `bar.warp`.
    pub(super) fn barrier(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        let reduction = match (ins.has(Flag::Red), ins.has(Flag::Popc), ins.has(Flag::And), ins.has(Flag::Or)) {
            (false, ..) => BarrierReduction::None,
            (true, true, ..) => BarrierReduction::Popc,
            (true, false, true, _) => BarrierReduction::And,
            (true, false, false, true) => BarrierReduction::Or,
            (true, false, false, false) => return self.unsupported(ins),
        };
        if ins.has(Flag::Cluster) {
            return self.unsupported(ins);
        }
        let word = ScalarType::U32;
        let mut operands = &*ins.operands;
        let zero = self.constant32(0);
        let mut barrier = Barrier {
            id: zero,
            threads: None,
            aligned: ins.opcode == Opcode::Bar || ins.has(Flag::Aligned),
            arrive: ins.has(Flag::Arrive),
            reduction,
            d: zero,
            p: zero,
            negate: false,
        };
        if reduction != BarrierReduction::None {
            let ([first, middle @ .., last], true) = (operands, operands.len() >= 3) else { return self.unsupported(ins) };
            let width = if reduction == BarrierReduction::Popc { Width::Bits32 } else { Width::Predicate };
            barrier.d = self.destination(ins, first, width)?;
            (barrier.p, barrier.negate) = match last {
                Operand::Not(name) => (self.register(ins, name, Width::Predicate)?, true),
                operand => (self.source(ins, operand, ScalarType::Pred)?, false),
            };
            operands = middle;
        }
        match operands {
            [id] => barrier.id = self.source(ins, id, word)?,
            [id, threads] => {
                barrier.id = self.source(ins, id, word)?;
                barrier.threads = Some(self.source(ins, threads, word)?);
            }
            _ => return self.unsupported(ins),
        }
        if barrier.arrive && barrier.threads.is_none() {
            return self.unsupported(ins);
        }
        let barriers = &mut self.module.out.code.barriers;
        barriers.push(barrier);
        let index = barriers.len() as u32 - 1;
        self.emit(Op::Barrier { barrier: index });
        Ok(())
    }

    /// The result and the predicate of `d|p`.
    fn pair(&mut self, ins: &Instruction, width: Width) -> Result<(Option<Slot>, Option<Slot>), LoadError> {
        Ok(match self.operand(ins, 0)? {
            Operand::Pair(d, p) => {
                let d = if d == "_" { self.scope.temporary(width) } else { self.register(ins, d, width)? };
                let p = if p == "_" { None } else { Some(self.register(ins, p, Width::Predicate)?) };
                (Some(d), p)
            }
            operand => (Some(self.destination(ins, operand, width)?), None),
        })
    }

    /// A collective that does nothing yet; its operands are checked in number.
    fn new_collective(&mut self, ins: &Instruction, operands: usize) -> Result<Collective, LoadError> {
        if !ins.has(Flag::Sync) {
            return self.error(ins, "only the `.sync` form is supported");
        }
        self.check_count(ins, operands)?;
        let zero = self.constant32(0);
        let op = CollectiveOp::Barrier;
        Ok(Collective { op, d: None, p: None, a: zero, wide: false, negate: false, b: zero, c: zero, mask: zero })
    }

    fn emit_collective(&mut self, c: Collective) {
        let collectives = &mut self.module.out.code.collectives;
        collectives.push(c);
        let collective = collectives.len() as u32 - 1;
        self.emit(Op::Collective { collective });
    }

    pub(super) fn shuffle(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        let mut c = self.new_collective(ins, 5)?;
        let known = [(Flag::Up, Shuffle::Up), (Flag::Down, Shuffle::Down), (Flag::Bfly, Shuffle::Bfly), (Flag::Idx, Shuffle::Idx)];
        let Some((_, shuffle)) = known.into_iter().find(|&(flag, _)| ins.has(flag)) else { return self.unsupported(ins) };
        c.op = CollectiveOp::Shuffle(shuffle);
        (c.d, c.p) = self.pair(ins, Width::Bits32)?;
        let word = ScalarType::B32;
        (c.a, c.b) = (self.value(ins, 1, word)?, self.value(ins, 2, word)?);
        (c.c, c.mask) = (self.value(ins, 3, word)?, self.value(ins, 4, word)?);
        self.emit_collective(c);
        Ok(())
    }

    pub(super) fn vote(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        let mut c = self.new_collective(ins, 3)?;
        let known = [
            (Flag::All, CollectiveOp::VoteAll),
            (Flag::Any, CollectiveOp::VoteAny),
            (Flag::Uni, CollectiveOp::VoteUni),
            (Flag::Ballot, CollectiveOp::Ballot),
        ];
        let Some((_, op)) = known.into_iter().find(|&(flag, _)| ins.has(flag)) else { return self.unsupported(ins) };
        c.op = op;
        if op == CollectiveOp::Ballot {
            c.d = Some(self.result(ins, ScalarType::B32)?);
        } else {
            c.p = Some(self.result(ins, ScalarType::Pred)?);
        }
        (c.a, c.negate) = match self.operand(ins, 1)? {
            Operand::Not(name) => (self.register(ins, name, Width::Predicate)?, true),
            operand => (self.source(ins, operand, ScalarType::Pred)?, false),
        };
        c.mask = self.value(ins, 2, ScalarType::B32)?;
        self.emit_collective(c);
        Ok(())
    }

    /// `match`
    pub(super) fn matching(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        let mut c = self.new_collective(ins, 3)?;
        let ty = self.ty(ins)?;
        if ty.bits() < 32 {
            return self.unsupported(ins);
        }
        c.wide = ty.bits() == 64;
        c.op = if ins.has(Flag::All) { CollectiveOp::MatchAll } else { CollectiveOp::MatchAny };
        (c.d, c.p) = self.pair(ins, Width::Bits32)?;
        (c.a, c.mask) = (self.value(ins, 1, ty)?, self.value(ins, 2, ScalarType::B32)?);
        self.emit_collective(c);
        Ok(())
    }

    pub(super) fn redux(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        let mut c = self.new_collective(ins, 3)?;
        let ty = self.ty(ins)?;
        let signed = ty == ScalarType::S32;
        if ty.bits() != 32 || ty == ScalarType::F32 {
            return self.unsupported(ins);
        }
        let known = [
            (Flag::Add, Reduction::Add),
            (Flag::Min, if signed { Reduction::MinS } else { Reduction::MinU }),
            (Flag::Max, if signed { Reduction::MaxS } else { Reduction::MaxU }),
            (Flag::And, Reduction::And),
            (Flag::Or, Reduction::Or),
            (Flag::Xor, Reduction::Xor),
        ];
        let Some((_, reduction)) = known.into_iter().find(|&(flag, _)| ins.has(flag)) else { return self.unsupported(ins) };
        c.op = CollectiveOp::Reduce(reduction);
        c.d = Some(self.result(ins, ty)?);
        (c.a, c.mask) = (self.value(ins, 1, ty)?, self.value(ins, 2, ScalarType::B32)?);
        self.emit_collective(c);
        Ok(())
    }

    pub(super) fn elect(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        let mut c = self.new_collective(ins, 2)?;
        c.op = CollectiveOp::Elect;
        (c.d, c.p) = self.pair(ins, Width::Bits32)?;
        c.mask = self.value(ins, 1, ScalarType::B32)?;
        self.emit_collective(c);
        Ok(())
    }

    /// `bar.warp.sync`
    pub(super) fn warp_barrier(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        let mut c = self.new_collective(ins, 1)?;
        c.mask = self.value(ins, 0, ScalarType::B32)?;
        self.emit_collective(c);
        Ok(())
    }
}
