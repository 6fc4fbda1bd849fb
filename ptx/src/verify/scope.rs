//! Names and what they stand for.

use std::collections::HashMap;

use crate::ast::Registers;
use crate::types::ScalarType;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symbol {
    Register(ScalarType),
    Variable,
    Function,
    Label,
    Targets,
    Prototype,
}

#[derive(Default)]
struct Level {
    names: HashMap<String, Symbol>,
    /// Prefix, count and type of numbered registers.
    ranges: HashMap<String, (u32, ScalarType)>,
}

/// Names of the module and of nested braces.
#[derive(Default)]
pub(super) struct Names {
    module: Level,
    levels: Vec<Level>,
}

impl Names {
    pub(super) fn enter(&mut self) {
        self.levels.push(Level::default());
    }

    pub(super) fn leave(&mut self) {
        self.levels.pop();
    }

    fn innermost(&mut self) -> &mut Level {
        self.levels.last_mut().unwrap_or(&mut self.module)
    }

    pub(super) fn insert(&mut self, name: &str, symbol: Symbol) {
        self.innermost().names.insert(name.to_owned(), symbol);
    }

    pub(super) fn declare(&mut self, registers: &Registers) {
        for (name, count) in &registers.names {
            match count {
                Some(count) => {
                    self.innermost().ranges.insert(name.clone(), (*count, registers.ty));
                }
                None => self.insert(name, Symbol::Register(registers.ty)),
            }
        }
    }

    pub(super) fn is_declared_here(&self, name: &str) -> bool {
        self.levels.last().unwrap_or(&self.module).names.contains_key(name)
    }

    /// The innermost symbol of that name.
    pub(super) fn find(&self, name: &str) -> Option<Symbol> {
        let prefix = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let index = name.get(prefix.len()..).and_then(|digits| digits.parse::<u32>().ok());
        self.levels.iter().rev().chain([&self.module]).find_map(|level| {
            let numbered = || {
                let (count, ty) = level.ranges.get(prefix)?;
                (index? < *count).then_some(Symbol::Register(*ty))
            };
            level.names.get(name).copied().or_else(numbered)
        })
    }
}

/// Is it a special register, such as `%tid.x`?
pub(super) fn is_special(name: &str) -> bool {
    let base = name.split('.').next().unwrap_or(name);
    let known = [
        "%tid",
        "%ntid",
        "%ctaid",
        "%nctaid",
        "%laneid",
        "%warpid",
        "%nwarpid",
        "%smid",
        "%nsmid",
        "%gridid",
        "%clock",
        "%clock_hi",
        "%clock64",
        "%globaltimer",
        "%globaltimer_lo",
        "%globaltimer_hi",
        "%lanemask_eq",
        "%lanemask_lt",
        "%lanemask_le",
        "%lanemask_gt",
        "%lanemask_ge",
        "%dynamic_smem_size",
        "%total_smem_size",
    ];
    known.contains(&base)
}
