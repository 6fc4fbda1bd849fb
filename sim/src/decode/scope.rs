//! Names of a function: registers, variables in the frame, shared variables, labels.

use std::collections::HashMap;

use threadwise_ptx::{Position, Registers, ScalarType};

use crate::code::{Slot, WORDS_PREDICATE, WORDS32, WORDS64, Width};
use crate::error::LoadError;

/// What a name stands for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Symbol {
    /// A register.
    Register(Slot, Width),
    /// Bytes in the frame of the function.
    Frame { offset: u32, bytes: u32 },
    /// Bytes in the parameter space of the kernel.
    Parameter { offset: u32 },
    /// Index of a shared variable of the module.
    Shared(usize),
    /// Address in global memory.
    Global(u64),
    /// Index of a function.
    Function(u32),
}

/// Registers `%r0` … of one declaration.
struct Range {
    count: u32,
    first: u32,
    words: u32,
    width: Width,
}

#[derive(Default)]
struct Level {
    names: HashMap<String, Symbol>,
    ranges: HashMap<String, Range>,
}

/// The names of nested braces.
pub(crate) struct Scope {
    levels: Vec<Level>,
    /// Words of registers so far.
    pub(crate) registers: u32,
}

/// How wide a register of that type is.
pub(crate) fn width(ty: ScalarType) -> Option<Width> {
    match ty.bits() {
        1 => Some(Width::Predicate),
        8 | 16 => Some(Width::Bits16),
        32 => Some(Width::Bits32),
        64 => Some(Width::Bits64),
        _ => None,
    }
}

/// Words of a register of that width.
pub(crate) fn words(width: Width) -> u32 {
    match width {
        Width::Predicate => WORDS_PREDICATE,
        Width::Bits16 | Width::Bits32 => WORDS32,
        Width::Bits64 => WORDS64,
    }
}

impl Scope {
    pub(crate) fn new() -> Scope {
        Scope { levels: vec![Level::default()], registers: 0 }
    }

    pub(crate) fn enter(&mut self) {
        self.levels.push(Level::default());
    }

    pub(crate) fn leave(&mut self) {
        self.levels.pop();
    }

    fn level(&mut self) -> &mut Level {
        if self.levels.is_empty() {
            self.levels.push(Level::default());
        }
        let last = self.levels.len() - 1;
        &mut self.levels[last]
    }

    pub(crate) fn insert(&mut self, name: &str, symbol: Symbol) {
        self.level().names.insert(name.to_owned(), symbol);
    }

    /// A register without name.
    pub(crate) fn temporary(&mut self, width: Width) -> Slot {
        let slot = Slot::new(Slot::REGISTERS, self.registers);
        self.registers += words(width);
        slot
    }

    pub(crate) fn declare(&mut self, registers: &Registers) -> Result<(), LoadError> {
        let Some(width) = width(registers.ty) else {
            return Err(LoadError::new(registers.at, registers.to_string(), "128-bit registers are not supported"));
        };
        let words = words(width);
        for (name, count) in &registers.names {
            let total = u64::from(count.unwrap_or(1)) * u64::from(words);
            if u64::from(self.registers) + total >= 1 << 28 {
                return Err(LoadError::new(registers.at, registers.to_string(), "too many registers"));
            }
            let first = self.registers;
            self.registers += total as u32;
            match count {
                Some(count) => {
                    self.level().ranges.insert(name.clone(), Range { count: *count, first, words, width });
                }
                None => self.insert(name, Symbol::Register(Slot::new(Slot::REGISTERS, first), width)),
            }
        }
        Ok(())
    }

    /// The innermost symbol of that name.
    pub(crate) fn find(&self, name: &str) -> Option<Symbol> {
        let prefix = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let index = name[prefix.len()..].parse::<u32>().ok();
        self.levels.iter().rev().find_map(|level| {
            if let Some(symbol) = level.names.get(name) {
                return Some(symbol.clone());
            }
            let (range, index) = (level.ranges.get(prefix)?, index?);
            let slot = Slot::new(Slot::REGISTERS, range.first + range.words * index);
            (index < range.count).then_some(Symbol::Register(slot, range.width))
        })
    }
}

/// The error of a name that nothing declares.
pub(crate) fn unknown(at: Position, text: String, name: &str) -> LoadError {
    LoadError::new(at, text, format!("`{name}` is not declared"))
}
