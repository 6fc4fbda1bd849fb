//! The syntax tree.

use crate::opcode::{Flag, Modifier, Opcode};
use crate::types::{ScalarType, Space};

/// A place in the text, both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Position {
    /// Line.
    pub line: u32,
    /// Column in characters.
    pub column: u32,
}

/// A PTX module.
#[derive(Clone, Debug, PartialEq)]
pub struct Module {
    /// `.version`, major and minor.
    pub version: (u32, u32),
    /// `.target`: architecture and options.
    pub target: Vec<String>,
    /// `.address_size`, 64 when not given.
    pub address_size: u32,
    /// Everything else, in order.
    pub items: Vec<Item>,
}

/// What stands at the top of a module.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A variable of the module.
    Variable(Variable),
    /// A function or entry, or the declaration of one.
    Function(Function),
    /// `.file index "name"`.
    File {
        /// The number that `.loc` uses.
        index: u32,
        /// Path of the source file.
        name: String,
    },
    /// `.pragma`.
    Pragma(String),
}

/// Who sees a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linkage {
    /// This module only.
    Internal,
    /// `.extern`: defined elsewhere.
    Extern,
    /// `.visible`
    Visible,
    /// `.weak`
    Weak,
    /// `.common`
    Common,
}

/// A variable, parameter or member of the parameter list of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Who sees it.
    pub linkage: Linkage,
    /// Where it lies.
    pub space: Space,
    /// `.align`, when given.
    pub align: Option<u32>,
    /// `.v2` or `.v4` elements: 2 or 4, otherwise 1.
    pub vector: u32,
    /// Type of an element.
    pub ty: ScalarType,
    /// `.ptr`, with its space and alignment.
    pub pointer: Option<PointerHint>,
    /// Name; `_` in prototypes.
    pub name: String,
    /// Extents of an array; an unsized one has 0.
    pub extents: Vec<u64>,
    /// Initial value, flat; missing elements are zero.
    pub initializer: Vec<Initial>,
    /// Where it stands.
    pub at: Position,
}

impl Variable {
    /// Size in bytes.
    pub fn bytes(&self) -> u64 {
        let one = u64::from(self.ty.bytes()) * u64::from(self.vector);
        self.extents.iter().fold(one, |bytes, &extent| bytes.saturating_mul(extent))
    }

    /// Alignment in bytes: the one given or the natural one.
    pub fn alignment(&self) -> u32 {
        self.align.unwrap_or_else(|| self.ty.bytes().max(1) * self.vector)
    }
}

/// `.ptr` of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointerHint {
    /// What it points into.
    pub space: Option<Space>,
    /// Alignment of what it points to.
    pub align: Option<u32>,
}

/// One element of an initializer.
#[derive(Clone, Debug, PartialEq)]
pub enum Initial {
    /// A number as bits of the element's type.
    Number(Number),
    /// An address, or one byte of it.
    Address {
        /// `mask(...)`: which byte of the address the element holds.
        mask: Option<u64>,
        /// `generic(...)`: a generic address.
        generic: bool,
        /// Variable or function.
        symbol: String,
        /// Added to the address.
        offset: i64,
    },
}

/// A literal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// Integer; unsigned values beyond `i64::MAX` are in range.
    Integer(i128),
    /// `0f…`: bits of an `f32`.
    Single(u32),
    /// `0d…` or decimal: bits of an `f64`.
    Double(u64),
}

impl Number {
    /// The bits that the literal has as a value of type `ty`.
    pub fn bits(self, ty: ScalarType) -> u64 {
        let bits = match (self, ty) {
            (Number::Integer(v), ScalarType::F32) => u64::from((v as f32).to_bits()),
            (Number::Integer(v), ScalarType::F64) => (v as f64).to_bits(),
            (Number::Integer(v), _) => v as u64,
            (Number::Single(b), ScalarType::F64) => f64::from(f32::from_bits(b)).to_bits(),
            (Number::Single(b), _) => u64::from(b),
            (Number::Double(b), ScalarType::F32) => u64::from((f64::from_bits(b) as f32).to_bits()),
            (Number::Double(b), _) => b,
        };
        match ty.bits() {
            64.. => bits,
            narrow => bits & ((1 << narrow) - 1),
        }
    }
}

/// A `.func` or `.entry`.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Who sees it.
    pub linkage: Linkage,
    /// `.entry`: a kernel.
    pub entry: bool,
    /// Return parameters.
    pub returns: Vec<Variable>,
    /// Name.
    pub name: String,
    /// Parameters.
    pub parameters: Vec<Variable>,
    /// `.noreturn`
    pub noreturn: bool,
    /// Launch bounds and the like.
    pub directives: Vec<Directive>,
    /// Body; a declaration has none.
    pub body: Option<Vec<Statement>>,
    /// Where it stands.
    pub at: Position,
}

/// A performance directive of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive {
    /// Name without its dot, such as `maxntid`.
    pub name: String,
    /// Its numbers.
    pub values: Vec<u32>,
}

/// What stands in a body.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// `name:`
    Label {
        /// Name.
        name: String,
        /// Where it stands.
        at: Position,
    },
    /// `.loc`
    Loc(Loc),
    /// `.reg`
    Registers(Registers),
    /// `.local`, `.shared`, `.param` …
    Variable(Variable),
    /// `{ … }`
    Block(Vec<Statement>),
    /// An instruction.
    Instruction(Instruction),
    /// `name: .branchtargets …;` or `name: .calltargets …;`
    Targets {
        /// Name.
        name: String,
        /// `.calltargets`
        calls: bool,
        /// Labels or functions.
        targets: Vec<String>,
        /// Where it stands.
        at: Position,
    },
    /// `name: .callprototype …;`
    Prototype {
        /// Name.
        name: String,
        /// Return parameters.
        returns: Vec<Variable>,
        /// Parameters.
        parameters: Vec<Variable>,
        /// `.noreturn`
        noreturn: bool,
        /// Where it stands.
        at: Position,
    },
    /// `.pragma`
    Pragma(String),
}

/// `.loc file line column`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loc {
    /// Number of the file.
    pub file: u32,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1; 0 when unknown.
    pub column: u32,
    /// What was inlined here and where.
    pub inlined: Option<Inlined>,
}

/// The second half of a `.loc` in an inlined function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inlined {
    /// Label in `.debug_str` of the function's name.
    pub function: String,
    /// Offset from it.
    pub offset: i64,
    /// Place of the call.
    pub file: u32,
    /// Place of the call.
    pub line: u32,
    /// Place of the call.
    pub column: u32,
}

/// `.reg type names;`
#[derive(Clone, Debug, PartialEq)]
pub struct Registers {
    /// Type of each.
    pub ty: ScalarType,
    /// Names; with a count, `%r<3>` declares `%r0`, `%r1` and `%r2`.
    pub names: Vec<(String, Option<u32>)>,
    /// Where it stands.
    pub at: Position,
}

/// `@p` or `@!p` before an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    /// The predicate.
    pub register: String,
    /// `!`
    pub negated: bool,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Instruction {
    /// `@p`
    pub guard: Option<Guard>,
    /// Opcode.
    pub opcode: Opcode,
    /// Modifiers, in order.
    pub modifiers: Vec<Modifier>,
    /// Operands, in order.
    pub operands: Vec<Operand>,
    /// Where it stands.
    pub at: Position,
}

impl Instruction {
    /// Does it carry that modifier?
    pub fn has(&self, flag: Flag) -> bool {
        self.modifiers.contains(&Modifier::Flag(flag))
    }

    /// Types, in order.
    pub fn types(&self) -> impl Iterator<Item = ScalarType> {
        self.modifiers.iter().filter_map(|m| match m {
            Modifier::Type(t) => Some(*t),
            Modifier::Flag(_) => None,
        })
    }

    /// Modifiers other than types, in order.
    pub fn flags(&self) -> impl Iterator<Item = Flag> {
        self.modifiers.iter().filter_map(|m| match m {
            Modifier::Type(_) => None,
            Modifier::Flag(f) => Some(*f),
        })
    }

    /// The state space named first.
    pub fn space(&self) -> Option<Space> {
        self.flags().find_map(Flag::space)
    }

    /// Elements of a vector access: 1, 2 or 4.
    pub fn vector(&self) -> u32 {
        if self.has(Flag::V4) {
            4
        } else if self.has(Flag::V2) {
            2
        } else {
            1
        }
    }

    /// Opcode and modifiers as written.
    pub fn mnemonic(&self) -> String {
        self.modifiers.iter().fold(self.opcode.text().to_owned(), |text, m| text + "." + m.text())
    }
}

/// An operand.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// Register, special register (with its `.x`), variable, function, label or prototype, plus an offset.
    Name {
        /// The name.
        name: String,
        /// Added to an address.
        offset: i64,
    },
    /// `!p`
    Not(String),
    /// A literal.
    Number(Number),
    /// `{a, b}`
    Vector(Vec<Operand>),
    /// `[base+offset]`
    Address {
        /// Register or variable; without it the offset is the address.
        base: Option<String>,
        /// Added to it.
        offset: i64,
    },
    /// `a|b`: a result and a predicate.
    Pair(String, String),
    /// `(a, b)`: arguments of a call.
    Arguments(Vec<Operand>),
    /// `_`: result not wanted.
    Sink,
}
