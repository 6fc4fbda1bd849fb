//! Operands.

use super::Parser;
use crate::ast::{Number, Operand};
use crate::error::Error;
use crate::lexer::TokenKind;

impl Parser<'_> {
    /// A literal with its sign.
    pub(super) fn number(&mut self) -> Result<Number, Error> {
        let negative = self.take_sign('-');
        match self.peek() {
            TokenKind::Number(number, _) => {
                self.at += 1;
                Ok(match (number, negative) {
                    (number, false) => *number,
                    (Number::Integer(v), true) => Number::Integer(-v),
                    (Number::Single(b), true) => Number::Single(b ^ 1 << 31),
                    (Number::Double(b), true) => Number::Double(b ^ 1 << 63),
                })
            }
            _ => self.expected("a number"),
        }
    }

    /// Register, special register, variable, function or label, with `.x` where it has one.
    fn name(&mut self) -> Result<String, Error> {
        let mut name = self.word("a name")?;
        if let TokenKind::Dotted(component) = self.peek()
            && name.starts_with('%')
        {
            name = name + "." + component;
            self.at += 1;
        }
        Ok(name)
    }

    pub(super) fn operand(&mut self) -> Result<Operand, Error> {
        match self.peek() {
            TokenKind::Word("_") => {
                self.at += 1;
                Ok(Operand::Sink)
            }
            TokenKind::Word(_) => {
                let name = self.name()?;
                if self.take_sign('|') {
                    return Ok(Operand::Pair(name, self.name()?));
                }
                Ok(Operand::Name { name, offset: self.offset()? })
            }
            TokenKind::Number(..) | TokenKind::Sign('-') => self.number().map(Operand::Number),
            TokenKind::Sign('!') => {
                self.at += 1;
                self.name().map(Operand::Not)
            }
            TokenKind::Sign('[') => {
                self.at += 1;
                let operand = match self.peek() {
                    TokenKind::Word(_) => {
                        let base = Some(self.name()?);
                        Operand::Address { base, offset: self.offset()? }
                    }
                    _ => match self.number()? {
                        Number::Integer(v) => Operand::Address { base: None, offset: v as i64 },
                        Number::Single(_) | Number::Double(_) => return self.expected("an integer address"),
                    },
                };
                self.sign(']')?;
                Ok(operand)
            }
            TokenKind::Sign('{') => self.list('}').map(Operand::Vector),
            TokenKind::Sign('(') => self.list(')').map(Operand::Arguments),
            TokenKind::Dotted(_) | TokenKind::Text(_) | TokenKind::Sign(_) | TokenKind::End => self.expected("an operand"),
        }
    }

    fn list(&mut self, close: char) -> Result<Vec<Operand>, Error> {
        self.at += 1;
        self.enter()?;
        let mut operands = Vec::new();
        while !self.take_sign(close) {
            if !operands.is_empty() {
                self.sign(',')?;
            }
            operands.push(self.operand()?);
        }
        self.leave();
        Ok(operands)
    }
}
