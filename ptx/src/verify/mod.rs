//! Checks beyond the grammar: names resolve, operands fit their instruction, branches and calls go somewhere.

mod scope;
mod signature;

use crate::ast::{Function, Initial, Instruction, Item, Module, Operand, Position, Statement, Variable};
use crate::error::Error;
use crate::opcode::Opcode;
use crate::types::{Kind, ScalarType};

use scope::{Names, Symbol};
use signature::{Role, Width};

/// Checks a module.
pub(crate) fn module(module: &Module) -> Result<(), Error> {
    let mut names = Names::default();
    for item in &module.items {
        match item {
            Item::Variable(variable) => names.insert(&variable.name, Symbol::Variable),
            Item::Function(function) => names.insert(&function.name, Symbol::Function),
            Item::File { .. } | Item::Pragma(_) => {}
        }
    }
    for item in &module.items {
        match item {
            Item::Variable(variable) => initializer(variable, &names)?,
            Item::Function(function) => check_function(function, &mut names)?,
            Item::File { .. } | Item::Pragma(_) => {}
        }
    }
    Ok(())
}

fn initializer(variable: &Variable, names: &Names) -> Result<(), Error> {
    let bytes = variable.initializer.len() as u64 * u64::from(variable.ty.bytes());
    if bytes > variable.bytes() {
        return Err(Error::new(variable.at, format!("{bytes} bytes of initial values"), format!("at most {}", variable.bytes())));
    }
    for initial in &variable.initializer {
        if let Initial::Address { symbol, .. } = initial
            && names.find(symbol).is_none()
        {
            return Err(Error::new(variable.at, format!("`{symbol}`"), "a declared variable or function"));
        }
    }
    Ok(())
}

fn check_function(function: &Function, names: &mut Names) -> Result<(), Error> {
    let Some(body) = &function.body else { return Ok(()) };
    names.enter();
    for variable in function.parameters.iter().chain(&function.returns) {
        names.insert(&variable.name, Symbol::Variable);
    }
    check_block(body, names)?;
    names.leave();
    Ok(())
}

fn check_block(statements: &[Statement], names: &mut Names) -> Result<(), Error> {
    names.enter();
    for statement in statements {
        match statement {
            Statement::Label { name, at } => declare_once(names, name, *at, Symbol::Label)?,
            Statement::Targets { name, at, .. } => declare_once(names, name, *at, Symbol::Targets)?,
            Statement::Prototype { name, at, .. } => declare_once(names, name, *at, Symbol::Prototype)?,
            Statement::Loc(_)
            | Statement::Registers(_)
            | Statement::Variable(_)
            | Statement::Block(_)
            | Statement::Instruction(_)
            | Statement::Pragma(_) => {}
        }
    }
    for statement in statements {
        match statement {
            Statement::Registers(registers) => names.declare(registers),
            Statement::Variable(variable) => names.insert(&variable.name, Symbol::Variable),
            Statement::Block(inner) => check_block(inner, names)?,
            Statement::Instruction(instruction) => check_instruction(instruction, names)?,
            Statement::Targets { targets, calls, at, .. } => {
                let wanted = if *calls { Symbol::Function } else { Symbol::Label };
                for target in targets {
                    if names.find(target) != Some(wanted) {
                        return Err(Error::new(*at, format!("`{target}`"), if *calls { "a function" } else { "a label of the function" }));
                    }
                }
            }
            Statement::Label { .. } | Statement::Loc(_) | Statement::Prototype { .. } | Statement::Pragma(_) => {}
        }
    }
    names.leave();
    Ok(())
}

fn declare_once(names: &mut Names, name: &str, at: Position, symbol: Symbol) -> Result<(), Error> {
    if names.is_declared_here(name) {
        return Err(Error::new(at, format!("a second `{name}`"), "each label once"));
    }
    names.insert(name, symbol);
    Ok(())
}

fn check_instruction(ins: &Instruction, names: &Names) -> Result<(), Error> {
    if let Some(guard) = &ins.guard
        && names.find(&guard.register) != Some(Symbol::Register(ScalarType::Pred))
    {
        return Err(Error::new(ins.at, format!("guard `{}`", guard.register), "a declared predicate"));
    }
    if ins.opcode == Opcode::Call {
        return check_call(ins, names);
    }
    let roles = signature::of(ins)?;
    let least = roles.iter().filter(|role| !matches!(role, Role::Optional(_))).count();
    if ins.operands.len() < least || ins.operands.len() > roles.len() {
        let expected = if least == roles.len() { format!("{least}") } else { format!("{least} to {}", roles.len()) };
        return Err(Error::new(ins.at, format!("{} operands of `{}`", ins.operands.len(), ins.mnemonic()), expected));
    }
    ins.operands.iter().zip(&roles).try_for_each(|(operand, role)| check_operand(ins, operand, role, names))
}

fn check_operand(ins: &Instruction, operand: &Operand, role: &Role, names: &Names) -> Result<(), Error> {
    let wrong = |expected: String| Err(Error::new(ins.at, format!("operand `{operand}` of `{}`", ins.mnemonic()), expected));
    match role {
        Role::Label | Role::Targets => {
            let (symbol, what) = if *role == Role::Label { (Symbol::Label, "a label") } else { (Symbol::Targets, "`.branchtargets`") };
            match operand {
                Operand::Name { name, offset: 0 } if names.find(name) == Some(symbol) => Ok(()),
                _ => wrong(format!("{what} of the function")),
            }
        }
        Role::Memory => match operand {
            Operand::Address { base: None, .. } => Ok(()),
            Operand::Address { base: Some(name), .. } => match names.find(name) {
                Some(Symbol::Register(ty)) if ty.bits() == 64 || ty.bits() == 32 => Ok(()),
                Some(Symbol::Variable | Symbol::Function) => Ok(()),
                _ => wrong("the address of a declared register or variable".to_owned()),
            },
            _ => wrong("an address in brackets".to_owned()),
        },
        Role::Result(ty, width) => check_value(operand, *ty, *width, true, names).or_else(wrong),
        Role::Value(ty, width) | Role::Optional((ty, width)) => check_value(operand, *ty, *width, false, names).or_else(wrong),
    }
}

/// Does the operand fit the type? If not, what would.
fn check_value(operand: &Operand, ty: ScalarType, width: Width, result: bool, names: &Names) -> Result<(), String> {
    let what = if result { "register" } else { "value" };
    let expected = || format!("a declared {what} of type `.{}`", ty.text());
    let register = |name: &str, ty: ScalarType| match names.find(name) {
        Some(Symbol::Register(found)) if fits(found, ty, width) => Ok(()),
        Some(Symbol::Variable | Symbol::Function) if !result && ty.bits() >= 32 => Ok(()),
        _ if !result && scope::is_special(name) => Ok(()),
        _ => Err(expected()),
    };
    match operand {
        Operand::Name { name, offset } if *offset == 0 || !result => register(name, ty),
        Operand::Not(name) if !result => register(name, ScalarType::Pred),
        Operand::Number(_) if !result => Ok(()),
        Operand::Sink if result => Ok(()),
        Operand::Pair(first, second) if result => {
            let skip = |name: &str| name == "_";
            if !skip(first) {
                register(first, ty)?;
            }
            if skip(second) { Ok(()) } else { register(second, ScalarType::Pred) }
        }
        // Elements of a vector: of a memory access each has the type, of a move each has a part of it.
        Operand::Vector(elements) => elements.iter().try_for_each(|element| match element {
            Operand::Name { name, .. } => match names.find(name) {
                Some(Symbol::Register(_)) => Ok(()),
                _ if !result && scope::is_special(name) => Ok(()),
                _ => Err(format!("declared registers instead of `{name}`")),
            },
            Operand::Number(_) if !result => Ok(()),
            Operand::Sink if result => Ok(()),
            _ => Err("registers".to_owned()),
        }),
        Operand::Name { .. }
        | Operand::Not(_)
        | Operand::Number(_)
        | Operand::Sink
        | Operand::Pair(..)
        | Operand::Address { .. }
        | Operand::Arguments(_) => Err(expected()),
    }
}

/// May a register of type `register` be used as a `ty`?
fn fits(register: ScalarType, ty: ScalarType, width: Width) -> bool {
    // There are no 8-bit registers: 8 bits lie in wider ones.
    let bits = ty.bits().max(if ty.kind() == Kind::Predicate { 1 } else { 16 });
    let (predicate, expected) = (register.kind() == Kind::Predicate, ty.kind() == Kind::Predicate);
    let size = match width {
        Width::Exact => register.bits() == bits || (ty.bits() == 8 && register.bits() >= 8),
        Width::AtLeast => register.bits() >= ty.bits(),
    };
    let integer = |kind: Kind| matches!(kind, Kind::Unsigned | Kind::Signed);
    let mixed = (register.kind() == Kind::Float && integer(ty.kind())) || (integer(register.kind()) && ty.kind() == Kind::Float);
    size && predicate == expected && !mixed
}

fn check_call(ins: &Instruction, names: &Names) -> Result<(), Error> {
    let wrong = |operand: &Operand, expected: &str| Err(Error::new(ins.at, format!("operand `{operand}` of `call`"), expected));
    let mut called = false;
    for operand in &ins.operands {
        match operand {
            Operand::Arguments(arguments) => {
                for argument in arguments {
                    let known = match argument {
                        Operand::Name { name, .. } => names.find(name).is_some(),
                        Operand::Number(_) | Operand::Sink => true,
                        _ => false,
                    };
                    if !known {
                        return wrong(argument, "a declared `.param` variable");
                    }
                }
            }
            Operand::Name { name, offset: 0 } => match (called, names.find(name)) {
                (false, Some(Symbol::Function | Symbol::Register(_))) => called = true,
                (true, Some(Symbol::Prototype | Symbol::Targets)) => {}
                (false, _) => return wrong(operand, "a declared function or a register"),
                (true, _) => return wrong(operand, "a prototype"),
            },
            _ => return wrong(operand, "a function, its arguments or a prototype"),
        }
    }
    if called { Ok(()) } else { Err(Error::new(ins.at, "`call`", "a function")) }
}
