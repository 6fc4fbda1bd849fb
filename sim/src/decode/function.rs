//! Bodies of functions: statements, operands and labels.

use std::collections::{HashMap, HashSet};

use threadwise_ptx::{Flag, Function, Instruction, Number, Opcode, Operand, Position, ScalarType, Space, Statement, Variable};

use super::scope::{Scope, Symbol, unknown, width};
use super::{Decoder, MAX_FRAME_BYTES, check_size, function_address};
use crate::code::unary::Unary32;
use crate::code::{Clock, Op, Place, Slot, Special, WORDS64, Width};
use crate::error::LoadError;

/// What waits for the place of a label.
enum Fixup {
    /// The operation branches there.
    Branch(usize),
    /// An entry of a table of targets.
    Table(usize, usize),
}

struct Pending {
    label: String,
    at: Position,
    fixup: Fixup,
}

/// Labels of one pair of braces.
#[derive(Default)]
struct Labels {
    known: HashMap<String, u32>,
    pending: Vec<Pending>,
    targets: HashMap<String, Vec<String>>,
}

/// A function being decoded.
pub(crate) struct FunctionDecoder<'d> {
    pub(crate) module: &'d mut Decoder,
    pub(crate) scope: Scope,
    pub(crate) index: usize,
    pub(crate) entry: bool,
    frame: u32,
    labels: Vec<Labels>,
    /// Registers that are other names of what is there anyway; see [`fold`](super::fold).
    folded: HashSet<String>,
    at: Position,
    place: u32,
}

pub(crate) fn decode(module: &mut Decoder, function: &Function, body: &[Statement]) -> Result<(), LoadError> {
    let Some(&Symbol::Function(index)) = module.symbols.get(&function.name) else {
        return Err(LoadError::new(function.at, &function.name, "a function without entry in the table"));
    };
    let info = &mut module.out.code.functions[index as usize];
    info.start = module.out.code.ops.len() as u32;
    let (parameters, results, frame) = (info.parameters.clone(), info.results.clone(), info.frame);
    let mut decoder = FunctionDecoder {
        module,
        scope: Scope::new(),
        index: index as usize,
        entry: function.entry,
        frame,
        labels: vec![Labels::default()],
        folded: HashSet::new(),
        at: function.at,
        place: u32::MAX,
    };
    for (variable, &(offset, bytes)) in function.parameters.iter().zip(&parameters) {
        let symbol = if function.entry { Symbol::Parameter { offset } } else { Symbol::Frame { offset, bytes } };
        decoder.scope.insert(&variable.name, symbol);
    }
    for (variable, &(offset, bytes)) in function.returns.iter().zip(&results) {
        decoder.scope.insert(&variable.name, Symbol::Frame { offset, bytes });
    }
    decoder.folded = decoder.fold(function, body)?;
    decoder.statements(body)?;
    // Running off the end returns.
    decoder.emit(Op::Return);
    decoder.leave_labels()?;
    let (registers, frame) = (decoder.scope.registers, decoder.frame);
    let info = &mut module.out.code.functions[index as usize];
    info.registers = registers;
    info.frame = frame;
    Ok(())
}

impl FunctionDecoder<'_> {
    pub(crate) fn emit(&mut self, op: Op) {
        let code = &mut self.module.out.code;
        code.ops.push(op);
        code.lines.push((self.at.line, self.place));
    }

    /// Place of the next operation.
    pub(crate) fn here(&self) -> u32 {
        self.module.out.code.ops.len() as u32
    }

    fn statements(&mut self, statements: &[Statement]) -> Result<(), LoadError> {
        for statement in statements {
            match statement {
                Statement::Label { name, at } => {
                    let here = self.here();
                    if self.current_labels().known.insert(name.clone(), here).is_some() {
                        return Err(LoadError::new(*at, name, "a second label of that name"));
                    }
                }
                Statement::Loc(loc) => {
                    let place = Place { file: loc.file, line: loc.line, column: loc.column };
                    let places = &mut self.module.out.code.places;
                    if loc.line == 0 {
                        self.place = u32::MAX;
                    } else {
                        if places.last() != Some(&place) {
                            places.push(place);
                        }
                        self.place = places.len() as u32 - 1;
                    }
                }
                // Those of the outermost braces are declared already.
                Statement::Registers(registers) if self.labels.len() > 1 => self.scope.declare(registers)?,
                Statement::Variable(variable) => self.variable(variable)?,
                Statement::Block(inner) => {
                    self.scope.enter();
                    self.labels.push(Labels::default());
                    // Targets may be declared behind the branch that uses them.
                    self.collect_targets(inner);
                    self.statements(inner)?;
                    self.leave_labels()?;
                    self.scope.leave();
                }
                Statement::Instruction(instruction) => self.guarded(instruction)?,
                Statement::Targets { name, targets, .. } => {
                    self.current_labels().targets.insert(name.clone(), targets.clone());
                }
                Statement::Registers(_) | Statement::Prototype { .. } | Statement::Pragma(_) => {}
            }
        }
        Ok(())
    }

    fn collect_targets(&mut self, statements: &[Statement]) {
        for statement in statements {
            if let Statement::Targets { name, targets, .. } = statement {
                self.current_labels().targets.insert(name.clone(), targets.clone());
            }
        }
    }

    fn current_labels(&mut self) -> &mut Labels {
        if self.labels.is_empty() {
            self.labels.push(Labels::default());
        }
        let last = self.labels.len() - 1;
        &mut self.labels[last]
    }

    /// Resolves what waits for labels of the innermost braces; the rest waits for those outside.
    fn leave_labels(&mut self) -> Result<(), LoadError> {
        let Some(labels) = self.labels.pop() else { return Ok(()) };
        for pending in labels.pending {
            let Some(&target) = labels.known.get(&pending.label) else {
                match self.labels.last_mut() {
                    Some(outer) => outer.pending.push(pending),
                    None => return Err(unknown(pending.at, String::new(), &pending.label)),
                }
                continue;
            };
            match pending.fixup {
                Fixup::Branch(op) => self.set_target(op, target),
                Fixup::Table(table, entry) => self.module.out.code.tables[table][entry] = target,
            }
        }
        Ok(())
    }

    fn set_target(&mut self, op: usize, to: u32) {
        if let Op::Branch { target } | Op::BranchIf { target, .. } = &mut self.module.out.code.ops[op] {
            *target = to;
        }
    }

    /// The operation emitted next branches to that label.
    pub(crate) fn branch_to(&mut self, label: &str) {
        let op = self.here() as usize;
        let pending = Pending { label: label.to_owned(), at: self.at, fixup: Fixup::Branch(op) };
        self.current_labels().pending.push(pending);
    }

    /// A table of the targets declared as `name`.
    pub(crate) fn table(&mut self, name: &str) -> Option<u32> {
        let targets = self.labels.iter().rev().find_map(|l| l.targets.get(name)).cloned()?;
        let table = self.module.out.code.tables.len();
        self.module.out.code.tables.push(vec![0; targets.len()]);
        let at = self.at;
        let pending = targets.into_iter().enumerate().map(|(i, label)| Pending { label, at, fixup: Fixup::Table(table, i) });
        let pending: Vec<_> = pending.collect();
        self.current_labels().pending.extend(pending);
        Some(table as u32)
    }

    /// Bytes in the frame.
    fn reserve(&mut self, variable: &Variable) -> Result<Symbol, LoadError> {
        check_size(variable, MAX_FRAME_BYTES)?;
        let offset = u64::from(self.frame).next_multiple_of(u64::from(variable.alignment()));
        let end = offset + variable.bytes();
        if end > MAX_FRAME_BYTES {
            return Err(LoadError::new(variable.at, &variable.name, format!("more than {MAX_FRAME_BYTES} bytes of local variables")));
        }
        self.frame = end as u32;
        Ok(Symbol::Frame { offset: offset as u32, bytes: variable.bytes() as u32 })
    }

    fn variable(&mut self, variable: &Variable) -> Result<(), LoadError> {
        let symbol = match variable.space {
            Space::Local | Space::Param => self.reserve(variable)?,
            Space::Shared => self.module.shared_variable(variable)?,
            Space::Global | Space::Const => {
                return Err(LoadError::new(variable.at, &variable.name, "a variable of this space inside of a function"));
            }
        };
        self.scope.insert(&variable.name, symbol);
        Ok(())
    }

    /// An instruction with a guard other than a branch is jumped over where the guard is false.
    fn guarded(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        self.at = ins.at;
        let Some(guard) = &ins.guard else {
            return match ins.operands.first() {
                Some(Operand::Name { name, .. }) if self.folded.contains(name) => Ok(()),
                _ => self.instruction(ins),
            };
        };
        let p = self.register(ins, &guard.register, Width::Predicate)?;
        if ins.opcode == Opcode::Bra {
            return self.branch(ins, Some((p, guard.negated)));
        }
        let over = self.here() as usize;
        self.emit(Op::BranchIf { p, negate: !guard.negated, target: 0 });
        self.instruction(ins)?;
        let after = self.here();
        self.set_target(over, after);
        Ok(())
    }

    /// An error about that instruction.
    pub(crate) fn error<T>(&self, ins: &Instruction, reason: impl Into<String>) -> Result<T, LoadError> {
        Err(LoadError::new(ins.at, ins.to_string(), reason))
    }

    /// An instruction whose modifiers do not go together, or do what is not simulated.
    pub(crate) fn unsupported<T>(&self, ins: &Instruction) -> Result<T, LoadError> {
        self.error(ins, "this form of the instruction is not supported")
    }

    /// The first type.
    pub(crate) fn ty(&self, ins: &Instruction) -> Result<ScalarType, LoadError> {
        match ins.types().next() {
            Some(ty) => Ok(ty),
            None => self.error(ins, "the type is missing"),
        }
    }

    /// The second type.
    pub(crate) fn second_ty(&self, ins: &Instruction) -> Result<ScalarType, LoadError> {
        match ins.types().nth(1) {
            Some(ty) => Ok(ty),
            None => self.error(ins, "the second type is missing"),
        }
    }

    pub(crate) fn width(&self, ins: &Instruction, ty: ScalarType) -> Result<Width, LoadError> {
        match width(ty) {
            Some(width) => Ok(width),
            None => self.error(ins, format!("`.{}` is not supported", ty.text())),
        }
    }

    /// The operand at `index`.
    pub(crate) fn operand<'i>(&self, ins: &'i Instruction, index: usize) -> Result<&'i Operand, LoadError> {
        match ins.operands.get(index) {
            Some(operand) => Ok(operand),
            None => self.error(ins, format!("operand {} is missing", index + 1)),
        }
    }

    pub(crate) fn check_count(&self, ins: &Instruction, count: usize) -> Result<(), LoadError> {
        if ins.operands.len() == count {
            Ok(())
        } else {
            self.error(ins, format!("{count} operands are expected, {} are given", ins.operands.len()))
        }
    }

    /// What a name stands for.
    pub(crate) fn symbol(&self, ins: &Instruction, name: &str) -> Result<Symbol, LoadError> {
        match self.scope.find(name).or_else(|| self.module.symbols.get(name).cloned()) {
            Some(symbol) => Ok(symbol),
            None => Err(self.module.undefined(ins.at, &ins.to_string(), name)),
        }
    }

    /// A register of that width.
    pub(crate) fn register(&self, ins: &Instruction, name: &str, width: Width) -> Result<Slot, LoadError> {
        match self.symbol(ins, name)? {
            Symbol::Register(slot, found) if found == width => Ok(slot),
            Symbol::Register(..) => self.error(ins, format!("`{name}` has another width than its place in the instruction")),
            Symbol::Frame { .. } | Symbol::Parameter { .. } | Symbol::Shared(_) | Symbol::Global(_) | Symbol::Function(_) => {
                self.error(ins, format!("`{name}` is no register"))
            }
        }
    }

    /// A register of any width.
    pub(crate) fn any_register(&self, ins: &Instruction, operand: &Operand) -> Option<(Slot, Width)> {
        match operand {
            Operand::Name { name, offset: 0 } => match self.symbol(ins, name) {
                Ok(Symbol::Register(slot, width)) => Some((slot, width)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The result register.
    pub(crate) fn destination(&mut self, ins: &Instruction, operand: &Operand, width: Width) -> Result<Slot, LoadError> {
        match operand {
            Operand::Name { name, offset: 0 } => self.register(ins, name, width),
            Operand::Sink => Ok(self.scope.temporary(width)),
            Operand::Name { .. }
            | Operand::Not(_)
            | Operand::Number(_)
            | Operand::Vector(_)
            | Operand::Address { .. }
            | Operand::Pair(..)
            | Operand::Arguments(_) => self.error(ins, format!("`{operand}` cannot hold a result")),
        }
    }

    /// The result register, first operand.
    pub(crate) fn result(&mut self, ins: &Instruction, ty: ScalarType) -> Result<Slot, LoadError> {
        let width = self.width(ins, ty)?;
        let operand = self.operand(ins, 0)?;
        self.destination(ins, operand, width)
    }

    /// The operand at `index` as a value of type `ty`.
    pub(crate) fn value(&mut self, ins: &Instruction, index: usize, ty: ScalarType) -> Result<Slot, LoadError> {
        let operand = self.operand(ins, index)?;
        self.source(ins, operand, ty)
    }

    /// A value of type `ty`.
    pub(crate) fn source(&mut self, ins: &Instruction, operand: &Operand, ty: ScalarType) -> Result<Slot, LoadError> {
        let width = self.width(ins, ty)?;
        match operand {
            Operand::Number(number) => Ok(self.number(*number, ty, width)),
            Operand::Name { name, offset } => {
                if let Some(special) = self.special(name, width) {
                    return Ok(special);
                }
                match self.symbol(ins, name)? {
                    Symbol::Register(..) if *offset == 0 => self.register(ins, name, width),
                    Symbol::Register(..) => self.error(ins, "a register with an offset is no value"),
                    symbol => self.address_of(ins, &symbol, *offset, width),
                }
            }
            Operand::Not(name) if width == Width::Predicate => {
                let a = self.register(ins, name, width)?;
                let d = self.scope.temporary(Width::Predicate);
                self.emit(Op::Logic { op: crate::code::compare::Logic::Not, d, a, b: a });
                Ok(d)
            }
            Operand::Not(_) | Operand::Vector(_) | Operand::Address { .. } | Operand::Pair(..) | Operand::Arguments(_) | Operand::Sink => {
                self.error(ins, format!("`{operand}` is no value"))
            }
        }
    }

    pub(crate) fn number(&mut self, number: Number, ty: ScalarType, width: Width) -> Slot {
        let bits = if width == Width::Predicate {
            let truth = number.bits(ScalarType::B64) & 1;
            truth * u64::from(u32::MAX)
        } else {
            number.bits(ty)
        };
        self.module.constant(width, bits)
    }

    /// A 32-bit constant.
    pub(crate) fn constant32(&mut self, bits: u32) -> Slot {
        self.module.constant(Width::Bits32, u64::from(bits))
    }

    /// The address of a variable in its space.
    pub(crate) fn address_of(&mut self, ins: &Instruction, symbol: &Symbol, offset: i64, width: Width) -> Result<Slot, LoadError> {
        if width != Width::Bits64 && width != Width::Bits32 {
            return self.error(ins, "an address has 64 or 32 bits");
        }
        Ok(match symbol {
            Symbol::Register(slot, _) => *slot,
            Symbol::Frame { offset: base, .. } => {
                let d = self.scope.temporary(Width::Bits64);
                self.emit(Op::FrameAddress { d, offset: base.wrapping_add(offset as u32) });
                if width == Width::Bits64 {
                    d
                } else {
                    let low = self.scope.temporary(Width::Bits32);
                    self.emit(Op::Narrow { op: crate::code::unary::Narrow::Low, d: low, a: d });
                    low
                }
            }
            Symbol::Parameter { offset: base } => self.module.constant(width, i64::from(*base).wrapping_add(offset) as u64),
            Symbol::Shared(shared) => {
                self.module.out.uses[self.index].shared.insert(*shared);
                self.module.shared_constant(width, *shared, offset)
            }
            Symbol::Global(address) => self.module.constant(width, address.wrapping_add(offset as u64)),
            Symbol::Function(index) => {
                self.module.out.uses[self.index].functions.insert(*index);
                self.module.constant(width, function_address(*index).wrapping_add(offset as u64))
            }
        })
    }

    /// A special register.
    fn special(&mut self, name: &str, width: Width) -> Option<Slot> {
        let clock = match name {
            "%clock" => Some((Clock::Cycles, Width::Bits32)),
            "%clock_hi" => Some((Clock::CyclesHigh, Width::Bits32)),
            "%clock64" => Some((Clock::Cycles, Width::Bits64)),
            "%globaltimer" => Some((Clock::Nanoseconds, Width::Bits64)),
            "%globaltimer_lo" => Some((Clock::NanosecondsLow, Width::Bits32)),
            "%globaltimer_hi" => Some((Clock::NanosecondsHigh, Width::Bits32)),
            _ => None,
        };
        if let Some((clock, has)) = clock {
            let d = self.scope.temporary(has);
            self.emit(Op::Clock { clock, wide: has == Width::Bits64, d });
            return (has == width).then_some(d);
        }
        let (special, has) = special(name)?;
        let slot = Slot::new(Slot::SPECIALS, special as u32 * WORDS64);
        if has == width {
            return Some(slot);
        }
        // The 16-bit forms of old PTX.
        (width == Width::Bits16 && has == Width::Bits32).then(|| {
            let d = self.scope.temporary(Width::Bits16);
            self.emit(Op::Unary32 { op: Unary32::Zext16, d, a: slot });
            d
        })
    }

    fn instruction(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        match ins.opcode {
            Opcode::Abs | Opcode::Neg | Opcode::Not | Opcode::Cnot | Opcode::Clz | Opcode::Popc | Opcode::Brev | Opcode::Bfind => {
                self.unary(ins)
            }
            Opcode::Add | Opcode::Addc | Opcode::Sub | Opcode::Subc => self.add(ins),
            Opcode::Mul => self.multiply(ins),
            Opcode::Mad | Opcode::Madc => self.multiply_add(ins),
            Opcode::Div | Opcode::Rem | Opcode::Min | Opcode::Max | Opcode::And | Opcode::Or | Opcode::Xor => self.binary(ins),
            Opcode::Shl | Opcode::Shr => self.shift(ins),
            Opcode::Bmsk => self.bmsk(ins),
            Opcode::Sad => self.sad(ins),
            Opcode::Mul24 | Opcode::Mad24 => self.product24(ins),
            Opcode::Dp2a | Opcode::Dp4a | Opcode::Fns | Opcode::Vabsdiff4 => self.three_words(ins),
            Opcode::Szext => self.szext(ins),
            Opcode::Cp => self.copy_async(ins),
            Opcode::Mbarrier => self.mbarrier(ins),
            Opcode::Ldmatrix | Opcode::Stmatrix => self.move_matrix(ins),
            Opcode::Mma => self.mma(ins),
            Opcode::Wmma => self.wmma(ins),
            // Hints.
            Opcode::Applypriority | Opcode::Discard | Opcode::Griddepcontrol | Opcode::Pmevent | Opcode::Prefetchu | Opcode::Setmaxnreg => {
                Ok(())
            }
            Opcode::Bfe => self.bfe(ins),
            Opcode::Bfi => self.bfi(ins),
            Opcode::Lop3 => self.lop3(ins),
            Opcode::Shf | Opcode::Prmt => self.permute(ins),
            Opcode::Fma => self.fma(ins),
            Opcode::Copysign => self.copysign(ins),
            Opcode::Rcp | Opcode::Sqrt | Opcode::Rsqrt | Opcode::Sin | Opcode::Cos | Opcode::Lg2 | Opcode::Ex2 | Opcode::Tanh => {
                self.float_function(ins)
            }
            Opcode::Setp => self.setp(ins),
            Opcode::Set => self.set(ins),
            Opcode::Selp => self.selp(ins),
            Opcode::Slct => self.slct(ins),
            Opcode::Testp => self.testp(ins),
            Opcode::Mov => self.mov(ins),
            Opcode::Cvt => self.cvt(ins),
            Opcode::Cvta => self.cvta(ins),
            Opcode::Isspacep => self.isspacep(ins),
            Opcode::Ld | Opcode::Ldu => self.load(ins),
            Opcode::St => self.store(ins),
            Opcode::Atom | Opcode::Red => self.atomic(ins),
            Opcode::Prefetch => Ok(()),
            Opcode::Membar | Opcode::Fence => {
                self.emit(Op::Fence);
                Ok(())
            }
            Opcode::Bra => self.branch(ins, None),
            Opcode::Brx => self.branch_indexed(ins),
            Opcode::Call => self.call(ins),
            Opcode::Ret => {
                self.emit(Op::Return);
                Ok(())
            }
            Opcode::Exit => {
                self.emit(Op::Exit);
                Ok(())
            }
            Opcode::Trap | Opcode::Brkpt => {
                self.emit(Op::Trap);
                Ok(())
            }
            Opcode::Nanosleep => {
                self.emit(Op::Yield);
                Ok(())
            }
            Opcode::Bar if ins.has(Flag::Warp) => self.warp_barrier(ins),
            Opcode::Bar | Opcode::Barrier => self.barrier(ins),
            Opcode::Shfl => self.shuffle(ins),
            Opcode::Vote => self.vote(ins),
            Opcode::Match => self.matching(ins),
            Opcode::Redux => self.redux(ins),
            Opcode::Elect => self.elect(ins),
            Opcode::Activemask => {
                self.check_count(ins, 1)?;
                let d = self.result(ins, ScalarType::B32)?;
                self.emit(Op::Activemask { d });
                Ok(())
            }
        }
    }
}

/// The special register of that name which does not change while a block runs, and how wide it is.
pub(super) fn special(name: &str) -> Option<(Special, Width)> {
    let special = match name {
        "%tid.x" => Special::TidX,
        "%tid.y" => Special::TidY,
        "%tid.z" => Special::TidZ,
        "%ntid.x" => Special::NtidX,
        "%ntid.y" => Special::NtidY,
        "%ntid.z" => Special::NtidZ,
        "%ctaid.x" => Special::CtaidX,
        "%ctaid.y" => Special::CtaidY,
        "%ctaid.z" => Special::CtaidZ,
        "%nctaid.x" => Special::NctaidX,
        "%nctaid.y" => Special::NctaidY,
        "%nctaid.z" => Special::NctaidZ,
        "%laneid" => Special::Laneid,
        "%warpid" => Special::Warpid,
        "%nwarpid" => Special::Nwarpid,
        "%lanemask_eq" => Special::LanemaskEq,
        "%lanemask_lt" => Special::LanemaskLt,
        "%lanemask_le" => Special::LanemaskLe,
        "%lanemask_gt" => Special::LanemaskGt,
        "%lanemask_ge" => Special::LanemaskGe,
        "%smid" => Special::Smid,
        "%nsmid" => Special::Nsmid,
        "%gridid" => Special::Gridid,
        "%dynamic_smem_size" => Special::DynamicSmemSize,
        "%total_smem_size" => Special::TotalSmemSize,
        _ => return None,
    };
    Some((special, if special == Special::Gridid { Width::Bits64 } else { Width::Bits32 }))
}
