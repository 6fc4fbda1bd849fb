//! Bodies of functions.

use super::Parser;
use crate::ast::{Guard, Inlined, Instruction, Linkage, Loc, Position, Registers, Statement};
use crate::error::Error;
use crate::lexer::TokenKind;
use crate::opcode::{Modifier, Opcode, refused};
use crate::types::{ScalarType, Space};

impl Parser<'_> {
    /// `{ … }`
    pub(super) fn body(&mut self) -> Result<Vec<Statement>, Error> {
        self.sign('{')?;
        self.enter()?;
        let mut statements = Vec::new();
        while !self.take_sign('}') {
            if !self.take_sign(';') {
                statements.push(self.statement()?);
            }
        }
        self.leave();
        Ok(statements)
    }

    fn statement(&mut self) -> Result<Statement, Error> {
        let at = self.position();
        match self.peek() {
            TokenKind::Sign('{') => self.body().map(Statement::Block),
            TokenKind::Sign('@') => self.instruction().map(Statement::Instruction),
            TokenKind::Word(name) if *self.after() == TokenKind::Sign(':') => {
                self.at += 2;
                self.labelled((*name).to_owned(), at)
            }
            TokenKind::Word(_) => self.instruction().map(Statement::Instruction),
            TokenKind::Dotted("loc") => {
                self.at += 1;
                self.loc().map(Statement::Loc)
            }
            TokenKind::Dotted("pragma") => {
                self.at += 1;
                self.pragma().map(Statement::Pragma)
            }
            TokenKind::Dotted("reg") => {
                self.at += 1;
                self.registers(at).map(Statement::Registers)
            }
            TokenKind::Dotted(d) if Space::from_text(d).is_some() || *d == "extern" => {
                let linkage = if self.take_dotted("extern") { Linkage::Extern } else { Linkage::Internal };
                let variable = self.variable(linkage, "a variable")?;
                self.sign(';')?;
                Ok(Statement::Variable(variable))
            }
            TokenKind::Dotted(_) | TokenKind::Number(..) | TokenKind::Text(_) | TokenKind::Sign(_) | TokenKind::End => {
                self.expected("an instruction, a declaration or `}`")
            }
        }
    }

    /// What follows `name:`.
    fn labelled(&mut self, name: String, at: Position) -> Result<Statement, Error> {
        let calls = self.take_dotted("calltargets");
        if calls || self.take_dotted("branchtargets") {
            let mut targets = vec![self.word("a target")?];
            while self.take_sign(',') {
                targets.push(self.word("a target")?);
            }
            self.sign(';')?;
            return Ok(Statement::Targets { name, calls, targets, at });
        }
        if self.take_dotted("callprototype") {
            let returns = if *self.peek() == TokenKind::Sign('(') { self.parameters()? } else { Vec::new() };
            self.word("`_`")?;
            let parameters = if *self.peek() == TokenKind::Sign('(') { self.parameters()? } else { Vec::new() };
            let noreturn = self.take_dotted("noreturn");
            self.sign(';')?;
            return Ok(Statement::Prototype { name, returns, parameters, noreturn, at });
        }
        Ok(Statement::Label { name, at })
    }

    fn loc(&mut self) -> Result<Loc, Error> {
        let file = self.unsigned("the number of a file")?;
        let line = self.unsigned("a line")?;
        let column = self.unsigned("a column")?;
        let mut loc = Loc { file, line, column, inlined: None };
        if self.take_sign(',') {
            if self.word("`function_name`")? != "function_name" {
                self.at -= 1;
                return self.expected("`function_name`");
            }
            let function = self.word("a label")?;
            let offset = self.offset()?;
            self.sign(',')?;
            self.word("`inlined_at`")?;
            let file = self.unsigned("the number of a file")?;
            let line = self.unsigned("a line")?;
            let column = self.unsigned("a column")?;
            loc.inlined = Some(Inlined { function, offset, file, line, column });
        }
        Ok(loc)
    }

    fn registers(&mut self, at: Position) -> Result<Registers, Error> {
        let ty = match self.peek() {
            TokenKind::Dotted(d) => ScalarType::from_text(d),
            _ => None,
        };
        let Some(ty) = ty else { return self.expected("the type of a register") };
        self.at += 1;
        let mut names = Vec::new();
        loop {
            let name = self.word("the name of a register")?;
            let mut count = None;
            if self.take_sign('<') {
                count = Some(self.unsigned("a number of registers")?);
                self.sign('>')?;
            }
            names.push((name, count));
            if !self.take_sign(',') {
                break;
            }
        }
        self.sign(';')?;
        Ok(Registers { ty, names, at })
    }

    fn instruction(&mut self) -> Result<Instruction, Error> {
        let guard = if self.take_sign('@') {
            let negated = self.take_sign('!');
            Some(Guard { register: self.word("a predicate")?, negated })
        } else {
            None
        };
        let at = self.position();
        let opcode = match self.peek() {
            TokenKind::Word(w) => match (Opcode::from_text(w), refused(w)) {
                (None, Some(what)) => return self.expected(format!("an instruction that is supported: {what} are not")),
                (opcode, _) => opcode,
            },
            _ => None,
        };
        let Some(opcode) = opcode else { return self.expected("an instruction that is known") };
        self.at += 1;
        let mut modifiers = Vec::new();
        while let TokenKind::Dotted(text) = self.peek() {
            let Some(modifier) = Modifier::from_text(text) else {
                return self.expected(format!("a modifier of `{}` that is known", opcode.text()));
            };
            modifiers.push(modifier);
            self.at += 1;
        }
        let mut operands = Vec::new();
        if !self.take_sign(';') {
            operands.push(self.operand()?);
            while !self.take_sign(';') {
                if !self.take_sign(',') {
                    return self.expected("`,` or `;`");
                }
                operands.push(self.operand()?);
            }
        }
        Ok(Instruction { guard, opcode, modifiers, operands, at })
    }
}
