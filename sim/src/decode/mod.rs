//! PTX to decoded code.

mod arithmetic;
mod compare;
mod control;
mod float;
mod fold;
mod function;
mod matrix;
mod memory;
mod mov;
mod scope;
mod small;

use std::collections::{BTreeSet, HashMap};

use threadwise_ptx::{Function, Initial, Item, Linkage, Module, Position, Space, Variable};

use crate::code::table::LANES;
use crate::code::{Code, FunctionInfo, Slot, WORDS_PREDICATE, Width};
use crate::error::LoadError;
use crate::memory::{FUNCTION_STRIDE, FUNCTION_WINDOW};

use scope::Symbol;

/// A shared variable.
#[derive(Clone, Debug)]
pub(crate) struct SharedVariable {
    pub(crate) bytes: u64,
    pub(crate) align: u32,
    /// `.extern`: begins where the others end, its size is given at the launch.
    pub(crate) dynamic: bool,
}

/// What a function uses.
#[derive(Clone, Debug, Default)]
pub(crate) struct Uses {
    pub(crate) shared: BTreeSet<usize>,
    pub(crate) functions: BTreeSet<u32>,
    /// Calls through registers: anything may be called.
    pub(crate) indirect: bool,
}

/// A constant whose value depends on the kernel: the address of a shared variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Relocation {
    pub(crate) slot: Slot,
    pub(crate) width: Width,
    pub(crate) shared: usize,
    pub(crate) addend: i64,
}

/// A kernel of a module, before its shared memory is laid out.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) function: u32,
    pub(crate) parameter_bytes: usize,
    /// `.maxntid` or `.reqntid`.
    pub(crate) max_threads: Option<u32>,
}

/// A global or constant variable with its address.
#[derive(Clone, Debug)]
pub(crate) struct Global {
    pub(crate) name: String,
    pub(crate) address: u64,
    pub(crate) bytes: u64,
    pub(crate) initial: Vec<u8>,
}

/// A decoded module.
#[derive(Debug, Default)]
pub(crate) struct Decoded {
    pub(crate) code: Code,
    pub(crate) entries: Vec<Entry>,
    pub(crate) globals: Vec<Global>,
    pub(crate) shared: Vec<SharedVariable>,
    pub(crate) uses: Vec<Uses>,
    pub(crate) relocations: Vec<Relocation>,
}

/// Work in progress.
pub(crate) struct Decoder {
    pub(crate) out: Decoded,
    symbols: HashMap<String, Symbol>,
    /// Functions that are declared only.
    declared: HashMap<String, Position>,
    constants: HashMap<(u32, u64), Slot>,
    shared_constants: HashMap<(u32, usize, i64), Slot>,
}

/// Decodes a module; `allocate` gives each global variable its address.
pub(crate) fn decode(module: &Module, mut allocate: impl FnMut(&Variable) -> Result<u64, LoadError>) -> Result<Decoded, LoadError> {
    let mut decoder = Decoder {
        out: Decoded::default(),
        symbols: HashMap::new(),
        declared: HashMap::new(),
        constants: HashMap::new(),
        shared_constants: HashMap::new(),
    };
    let mut variables = Vec::new();
    for item in &module.items {
        match item {
            Item::Variable(variable) => variables.push(variable),
            Item::Function(function) => decoder.declare(function)?,
            Item::File { index, name } => decoder.out.code.files.push((*index, name.clone())),
            Item::Pragma(_) => {}
        }
    }
    for variable in &variables {
        decoder.variable(variable, &mut allocate)?;
    }
    for variable in &variables {
        decoder.initialize(variable)?;
    }
    for item in &module.items {
        if let Item::Function(function) = item
            && let Some(body) = &function.body
        {
            function::decode(&mut decoder, function, body)?;
        }
    }
    Ok(decoder.out)
}

/// Bytes of a thread's own memory, and of the parameters of a function: what GPUs have.
pub(crate) const MAX_FRAME_BYTES: u64 = 512 * 1024;
/// Bytes of shared memory of a block, static and dynamic: that of compute capability 9.0.
pub(crate) const MAX_SHARED_BYTES: u64 = 227 * 1024;
/// The largest alignment of a variable: that of allocations, and of frames.
pub(crate) const MAX_ALIGNMENT: u32 = 256;

/// Refuses variables that are too large or too strictly aligned for their space.
fn check_size(variable: &Variable, most: u64) -> Result<(), LoadError> {
    let reason = if variable.alignment() > MAX_ALIGNMENT {
        format!("an alignment above {MAX_ALIGNMENT}")
    } else if variable.bytes() > most {
        format!("a variable of more than {most} bytes")
    } else {
        return Ok(());
    };
    Err(LoadError::new(variable.at, &variable.name, reason))
}

/// Lays variables out one behind the other; returns offset and size of each, and the end.
fn layout(variables: &[Variable]) -> Result<(Vec<(u32, u32)>, u32), LoadError> {
    let mut end = 0u64;
    let mut places = Vec::with_capacity(variables.len());
    for variable in variables {
        check_size(variable, MAX_FRAME_BYTES)?;
        let offset = end.next_multiple_of(u64::from(variable.alignment()));
        end = offset + variable.bytes();
        if end > MAX_FRAME_BYTES {
            return Err(LoadError::new(variable.at, &variable.name, format!("more than {MAX_FRAME_BYTES} bytes of parameters")));
        }
        places.push((offset as u32, variable.bytes() as u32));
    }
    Ok((places, end as u32))
}

impl Decoder {
    fn declare(&mut self, function: &Function) -> Result<(), LoadError> {
        if function.body.is_none() {
            self.declared.insert(function.name.clone(), function.at);
            return Ok(());
        }
        let index = self.out.code.functions.len() as u32;
        let (parameters, end) = layout(&function.parameters)?;
        let (results, results_end) = layout(&function.returns)?;
        let base = end.next_multiple_of(MAX_ALIGNMENT);
        let results = results.into_iter().map(|(offset, bytes)| (offset + base, bytes)).collect();
        let info = FunctionInfo {
            entry: function.entry,
            start: u32::MAX,
            registers: 0,
            frame: if function.entry { 0 } else { base + results_end },
            parameters,
            results,
            uniform: Vec::new(),
        };
        self.out.code.functions.push(info);
        self.out.uses.push(Uses::default());
        if self.symbols.insert(function.name.clone(), Symbol::Function(index)).is_some() {
            return Err(LoadError::new(function.at, &function.name, "a second definition"));
        }
        if function.entry {
            let bound = |d: &threadwise_ptx::Directive| d.values.iter().fold(1u32, |product, &v| product.saturating_mul(v));
            let max_threads = function.directives.iter().filter(|d| d.name == "maxntid" || d.name == "reqntid").map(bound).min();
            self.out.entries.push(Entry { name: function.name.clone(), function: index, parameter_bytes: end as usize, max_threads });
        }
        Ok(())
    }

    fn variable(&mut self, variable: &Variable, allocate: &mut impl FnMut(&Variable) -> Result<u64, LoadError>) -> Result<(), LoadError> {
        check_size(variable, u64::MAX)?;
        let symbol = match variable.space {
            Space::Global | Space::Const => {
                if variable.linkage == Linkage::Extern {
                    return Err(LoadError::new(variable.at, &variable.name, "an external variable that no module defines"));
                }
                let address = allocate(variable)?;
                self.out.globals.push(Global { name: variable.name.clone(), address, bytes: variable.bytes(), initial: Vec::new() });
                Symbol::Global(address)
            }
            Space::Shared => self.shared_variable(variable)?,
            Space::Local | Space::Param => {
                return Err(LoadError::new(variable.at, &variable.name, "a variable of this space outside of a function"));
            }
        };
        self.symbols.insert(variable.name.clone(), symbol);
        Ok(())
    }

    fn shared_variable(&mut self, variable: &Variable) -> Result<Symbol, LoadError> {
        check_size(variable, MAX_SHARED_BYTES)?;
        let dynamic = variable.linkage == Linkage::Extern;
        let bytes = if dynamic { 0 } else { variable.bytes() };
        self.out.shared.push(SharedVariable { bytes, align: variable.alignment(), dynamic });
        Ok(Symbol::Shared(self.out.shared.len() - 1))
    }

    /// Initial bytes of a global variable.
    fn initialize(&mut self, variable: &Variable) -> Result<(), LoadError> {
        if variable.initializer.is_empty() {
            return Ok(());
        }
        let size = variable.ty.bytes() as usize;
        let mut bytes = Vec::with_capacity(variable.initializer.len() * size);
        for element in &variable.initializer {
            let value = match element {
                Initial::Number(number) => number.bits(variable.ty),
                Initial::Address { mask, generic: _, symbol, offset } => {
                    let address = match self.symbols.get(symbol) {
                        Some(Symbol::Global(address)) => *address,
                        Some(Symbol::Function(index)) => function_address(*index),
                        Some(Symbol::Shared(_) | Symbol::Register(..) | Symbol::Frame { .. } | Symbol::Parameter { .. }) => {
                            return Err(LoadError::new(variable.at, symbol, "an address that is not known when loading"));
                        }
                        None => return Err(self.undefined(variable.at, &variable.name, symbol)),
                    };
                    let address = address.wrapping_add(*offset as u64);
                    match mask {
                        None => address,
                        Some(mask) => (address & mask) >> mask.trailing_zeros().min(63),
                    }
                }
            };
            bytes.extend_from_slice(&value.to_le_bytes()[..size]);
        }
        if bytes.len() as u64 > variable.bytes() {
            return Err(LoadError::new(variable.at, &variable.name, "more initial values than elements"));
        }
        if let Some(global) = self.out.globals.iter_mut().find(|g| g.name == variable.name) {
            global.initial = bytes;
        }
        Ok(())
    }

    /// The error of a symbol that is not defined.
    fn undefined(&self, at: Position, text: &str, symbol: &str) -> LoadError {
        let reason = if self.declared.contains_key(symbol) {
            format!("`{symbol}` is declared but not defined, and the simulator does not provide it")
        } else {
            format!("`{symbol}` is not declared")
        };
        LoadError::new(at, text, reason)
    }

    /// The slot of a constant that all lanes share.
    fn constant(&mut self, width: Width, bits: u64) -> Slot {
        let key = (width_key(width), bits);
        if let Some(&slot) = self.constants.get(&key) {
            return slot;
        }
        let slot = self.constant_words(width, bits);
        self.constants.insert(key, slot);
        slot
    }

    fn constant_words(&mut self, width: Width, bits: u64) -> Slot {
        let constants = &mut self.out.code.constants;
        let slot = Slot::new(Slot::CONSTANTS, constants.len() as u32);
        write_constant(constants, slot, width, bits, true);
        slot
    }

    /// The slot of the address of a shared variable.
    fn shared_constant(&mut self, width: Width, shared: usize, addend: i64) -> Slot {
        let key = (width_key(width), shared, addend);
        if let Some(&slot) = self.shared_constants.get(&key) {
            return slot;
        }
        let slot = self.constant_words(width, 0);
        self.out.relocations.push(Relocation { slot, width, shared, addend });
        self.shared_constants.insert(key, slot);
        slot
    }
}

fn width_key(width: Width) -> u32 {
    match width {
        Width::Predicate => 1,
        Width::Bits16 => 16,
        Width::Bits32 => 32,
        Width::Bits64 => 64,
    }
}

/// Writes a constant into the table, at its end if `append`.
pub(crate) fn write_constant(constants: &mut Vec<u64>, slot: Slot, width: Width, bits: u64, append: bool) {
    let low = bits & 0xffff_ffff;
    let (word, words) = match width {
        Width::Predicate => (low, WORDS_PREDICATE as usize),
        Width::Bits16 | Width::Bits32 => (low | low << 32, LANES / 2),
        Width::Bits64 => (bits, LANES),
    };
    if append {
        constants.resize(constants.len() + words, word);
    } else {
        constants[slot.offset()..slot.offset() + words].fill(word);
    }
}

/// The address of a function.
pub(crate) fn function_address(index: u32) -> u64 {
    FUNCTION_WINDOW + FUNCTION_STRIDE * (u64::from(index) + 1)
}
