//! The syntax tree as PTX again. Comments and debug sections are not kept.

use std::fmt::{Display, Formatter, Result};

use crate::ast::{Function, Initial, Instruction, Item, Linkage, Loc, Module, Number, Operand, Registers, Statement, Variable};

impl Display for Module {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        writeln!(f, ".version {}.{}\n.target {}", self.version.0, self.version.1, self.target.join(", "))?;
        writeln!(f, ".address_size {}\n", self.address_size)?;
        for item in &self.items {
            match item {
                Item::Variable(variable) => writeln!(f, "{variable};")?,
                Item::Function(function) => writeln!(f, "{function}")?,
                Item::File { index, name } => writeln!(f, ".file {index} \"{name}\"")?,
                Item::Pragma(text) => writeln!(f, ".pragma \"{text}\";")?,
            }
        }
        Ok(())
    }
}

impl Display for Linkage {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            Linkage::Internal => "",
            Linkage::Extern => ".extern ",
            Linkage::Visible => ".visible ",
            Linkage::Weak => ".weak ",
            Linkage::Common => ".common ",
        })
    }
}

impl Display for Variable {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}.{}", self.linkage, self.space.text())?;
        if let Some(align) = self.align {
            write!(f, " .align {align}")?;
        }
        if self.vector > 1 {
            write!(f, " .v{}", self.vector)?;
        }
        write!(f, " .{}", self.ty.text())?;
        if let Some(pointer) = self.pointer {
            write!(f, " .ptr")?;
            if let Some(space) = pointer.space {
                write!(f, " .{}", space.text())?;
            }
            if let Some(align) = pointer.align {
                write!(f, " .align {align}")?;
            }
        }
        write!(f, " {}", self.name)?;
        for &extent in &self.extents {
            if extent == 0 { write!(f, "[]")? } else { write!(f, "[{extent}]")? }
        }
        match (&*self.initializer, self.extents.is_empty() && self.vector == 1) {
            ([], _) => Ok(()),
            ([one], true) => write!(f, " = {one}"),
            (all, _) => write!(f, " = {{{}}}", list(all)),
        }
    }
}

impl Display for Initial {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Initial::Number(number) => write!(f, "{number}"),
            Initial::Address { mask, generic, symbol, offset } => {
                if let Some(mask) = mask {
                    write!(f, "0x{mask:X}(")?;
                }
                if *generic {
                    write!(f, "generic({symbol})")?
                } else {
                    write!(f, "{symbol}")?
                }
                write_offset(f, *offset)?;
                if mask.is_some() { write!(f, ")") } else { Ok(()) }
            }
        }
    }
}

impl Display for Number {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Number::Integer(v) => write!(f, "{v}"),
            Number::Single(bits) => write!(f, "0f{bits:08X}"),
            Number::Double(bits) => write!(f, "0d{bits:016X}"),
        }
    }
}

fn write_offset(f: &mut Formatter<'_>, offset: i64) -> Result {
    if offset == 0 { Ok(()) } else { write!(f, "{offset:+}") }
}

fn list<T: Display>(items: &[T]) -> String {
    items.iter().map(T::to_string).collect::<Vec<_>>().join(", ")
}

impl Display for Function {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}{}", self.linkage, if self.entry { ".entry " } else { ".func " })?;
        if !self.returns.is_empty() {
            write!(f, "({}) ", list(&self.returns))?;
        }
        write!(f, "{}({})", self.name, list(&self.parameters))?;
        if self.noreturn {
            write!(f, "\n.noreturn")?;
        }
        for directive in &self.directives {
            write!(f, "\n.{} {}", directive.name, list(&directive.values))?;
        }
        match &self.body {
            None => write!(f, ";"),
            Some(statements) => {
                writeln!(f, "\n{{")?;
                write_statements(f, statements)?;
                write!(f, "}}")
            }
        }
    }
}

fn write_statements(f: &mut Formatter<'_>, statements: &[Statement]) -> Result {
    statements.iter().try_for_each(|statement| writeln!(f, "{statement}"))
}

impl Display for Statement {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Statement::Label { name, .. } => write!(f, "{name}:"),
            Statement::Loc(loc) => write!(f, "\t{loc}"),
            Statement::Registers(registers) => write!(f, "\t{registers}"),
            Statement::Variable(variable) => write!(f, "\t{variable};"),
            Statement::Block(statements) => {
                writeln!(f, "\t{{")?;
                write_statements(f, statements)?;
                write!(f, "\t}}")
            }
            Statement::Instruction(instruction) => write!(f, "\t{instruction}"),
            Statement::Targets { name, calls, targets, .. } => {
                let directive = if *calls { "calltargets" } else { "branchtargets" };
                write!(f, "\t{name}: .{directive} {};", targets.join(", "))
            }
            Statement::Prototype { name, returns, parameters, noreturn, .. } => {
                write!(f, "\t{name}: .callprototype ")?;
                if !returns.is_empty() {
                    write!(f, "({}) ", list(returns))?;
                }
                write!(f, "_ ({}){};", list(parameters), if *noreturn { " .noreturn" } else { "" })
            }
            Statement::Pragma(text) => write!(f, "\t.pragma \"{text}\";"),
        }
    }
}

impl Display for Loc {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, ".loc {} {} {}", self.file, self.line, self.column)?;
        if let Some(inlined) = &self.inlined {
            write!(f, ", function_name {}", inlined.function)?;
            write_offset(f, inlined.offset)?;
            write!(f, ", inlined_at {} {} {}", inlined.file, inlined.line, inlined.column)?;
        }
        Ok(())
    }
}

impl Display for Registers {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let names: Vec<String> =
            self.names.iter().map(|(name, count)| count.map_or_else(|| name.clone(), |count| format!("{name}<{count}>"))).collect();
        write!(f, ".reg .{} {};", self.ty.text(), names.join(", "))
    }
}

impl Display for Instruction {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        if let Some(guard) = &self.guard {
            write!(f, "@{}{} ", if guard.negated { "!" } else { "" }, guard.register)?;
        }
        write!(f, "{}", self.mnemonic())?;
        if !self.operands.is_empty() {
            write!(f, " {}", list(&self.operands))?;
        }
        write!(f, ";")
    }
}

impl Display for Operand {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Operand::Name { name, offset } => {
                write!(f, "{name}")?;
                write_offset(f, *offset)
            }
            Operand::Not(name) => write!(f, "!{name}"),
            Operand::Number(number) => write!(f, "{number}"),
            Operand::Vector(operands) => write!(f, "{{{}}}", list(operands)),
            Operand::Address { base: None, offset } => write!(f, "[{offset}]"),
            Operand::Address { base: Some(base), offset } => {
                write!(f, "[{base}")?;
                write_offset(f, *offset)?;
                write!(f, "]")
            }
            Operand::Pair(first, second) => write!(f, "{first}|{second}"),
            Operand::Arguments(operands) => write!(f, "({})", list(operands)),
            Operand::Sink => write!(f, "_"),
        }
    }
}
