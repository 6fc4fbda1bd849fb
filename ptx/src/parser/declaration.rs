//! Variables and functions.

use super::Parser;
use crate::ast::{Directive, Function, Initial, Item, Linkage, Number, PointerHint, Variable};
use crate::error::Error;
use crate::lexer::TokenKind;
use crate::types::{ScalarType, Space};

/// Directives that may stand between the parameters of a kernel and its body.
const DIRECTIVES: [&str; 8] =
    ["maxntid", "minnctapersm", "reqntid", "maxnreg", "maxnctapersm", "explicitcluster", "reqnctapercluster", "maxclusterrank"];

impl Parser<'_> {
    /// A variable, function or entry of the module.
    pub(super) fn declaration(&mut self) -> Result<Item, Error> {
        let linkage = self.linkage();
        if self.take_dotted("entry") {
            self.function(linkage, true).map(Item::Function)
        } else if self.take_dotted("func") {
            self.function(linkage, false).map(Item::Function)
        } else {
            let variable = self.variable(linkage, "a variable, a function or an entry")?;
            self.sign(';')?;
            Ok(Item::Variable(variable))
        }
    }

    fn linkage(&mut self) -> Linkage {
        let known = [("extern", Linkage::Extern), ("visible", Linkage::Visible), ("weak", Linkage::Weak), ("common", Linkage::Common)];
        known.into_iter().find(|(name, _)| self.take_dotted(name)).map_or(Linkage::Internal, |(_, linkage)| linkage)
    }

    fn function(&mut self, linkage: Linkage, entry: bool) -> Result<Function, Error> {
        let at = self.position();
        let returns = if *self.peek() == TokenKind::Sign('(') { self.parameters()? } else { Vec::new() };
        let name = self.word("the name of a function")?;
        let parameters = if *self.peek() == TokenKind::Sign('(') { self.parameters()? } else { Vec::new() };
        let mut function = Function { linkage, entry, returns, name, parameters, noreturn: false, directives: Vec::new(), body: None, at };
        loop {
            if self.take_dotted("noreturn") {
                function.noreturn = true;
            } else if let Some(name) = DIRECTIVES.into_iter().find(|d| self.take_dotted(d)) {
                let mut values = Vec::new();
                if let TokenKind::Number(..) = self.peek() {
                    values.push(self.unsigned("a number")?);
                    while self.take_sign(',') {
                        values.push(self.unsigned("a number")?);
                    }
                }
                function.directives.push(Directive { name: name.to_owned(), values });
            } else {
                break;
            }
        }
        if !self.take_sign(';') {
            function.body = Some(self.body()?);
        }
        Ok(function)
    }

    /// `(parameter, …)`
    pub(super) fn parameters(&mut self) -> Result<Vec<Variable>, Error> {
        self.sign('(')?;
        let mut parameters = Vec::new();
        while !self.take_sign(')') {
            if !parameters.is_empty() {
                self.sign(',')?;
            }
            // `.reg` parameters of older ABIs are passed like `.param` ones.
            parameters.push(self.variable(Linkage::Internal, "a parameter or `)`")?);
        }
        Ok(parameters)
    }

    /// `.space .align n .v2 .type name[n] = value`, without the semicolon.
    pub(super) fn variable(&mut self, linkage: Linkage, what: &str) -> Result<Variable, Error> {
        let at = self.position();
        let space = match self.peek() {
            TokenKind::Dotted(d) => Space::from_text(d),
            _ => None,
        };
        let Some(space) = space else { return self.expected(what) };
        self.at += 1;
        let mut variable = Variable {
            linkage,
            space,
            align: None,
            vector: 1,
            ty: ScalarType::B8,
            pointer: None,
            name: String::new(),
            extents: Vec::new(),
            initializer: Vec::new(),
            at,
        };
        let mut ty = None;
        while let TokenKind::Dotted(word) = self.peek() {
            match *word {
                "align" => {
                    self.at += 1;
                    let align = self.alignment()?;
                    match &mut variable.pointer {
                        Some(pointer) => pointer.align = Some(align),
                        None => variable.align = Some(align),
                    }
                    continue;
                }
                "attribute" => {
                    self.at += 1;
                    self.sign('(')?;
                    while !self.take_sign(')') {
                        if *self.peek() == TokenKind::End {
                            return self.expected("`)`");
                        }
                        self.at += 1;
                    }
                    continue;
                }
                "v2" => variable.vector = 2,
                "v4" => variable.vector = 4,
                "ptr" => variable.pointer = Some(PointerHint { space: None, align: None }),
                other => match (ScalarType::from_text(other), Space::from_text(other), &mut variable.pointer) {
                    (Some(found), _, _) => ty = Some(found),
                    (None, Some(space), Some(pointer)) => pointer.space = Some(space),
                    (None, _, _) => return self.expected("a type or an attribute of a variable"),
                },
            }
            self.at += 1;
        }
        let Some(ty) = ty else { return self.expected("the type of a variable") };
        variable.ty = ty;
        variable.name = self.word("the name of a variable")?;
        while self.take_sign('[') {
            let extent = match self.peek() {
                TokenKind::Number(Number::Integer(v), _) => u64::try_from(*v).ok().filter(|&v| v < 1 << 48),
                TokenKind::Sign(']') => {
                    variable.extents.push(0);
                    self.at += 1;
                    continue;
                }
                _ => None,
            };
            let Some(extent) = extent else { return self.expected("the extent of an array") };
            self.at += 1;
            variable.extents.push(extent);
            self.sign(']')?;
        }
        if self.take_sign('=') {
            self.initializer(&mut variable.initializer)?;
        }
        Ok(variable)
    }

    fn alignment(&mut self) -> Result<u32, Error> {
        let place = self.at;
        let align = self.unsigned("an alignment")?;
        if align.is_power_of_two() {
            Ok(align)
        } else {
            self.at = place;
            self.expected("an alignment that is a power of two")
        }
    }

    fn initializer(&mut self, into: &mut Vec<Initial>) -> Result<(), Error> {
        if !self.take_sign('{') {
            into.push(self.initial()?);
            return Ok(());
        }
        self.enter()?;
        let mut first = true;
        while !self.take_sign('}') {
            if !first {
                self.sign(',')?;
            }
            first = false;
            self.initializer(into)?;
        }
        self.leave();
        Ok(())
    }

    fn initial(&mut self) -> Result<Initial, Error> {
        let mask = match (self.peek(), self.after()) {
            (TokenKind::Number(Number::Integer(v), _), TokenKind::Sign('(')) => {
                self.at += 2;
                Some(*v as u64)
            }
            _ => None,
        };
        let value = match self.peek() {
            TokenKind::Word(_) => self.address(mask)?,
            _ if mask.is_some() => return self.expected("a symbol"),
            _ => Initial::Number(self.number()?),
        };
        if mask.is_some() {
            self.sign(')')?;
        }
        Ok(value)
    }

    fn address(&mut self, mask: Option<u64>) -> Result<Initial, Error> {
        let word = self.word("a symbol")?;
        let generic = word == "generic" && self.take_sign('(');
        let symbol = if generic { self.word("a symbol")? } else { word };
        let inside = self.offset()?;
        if generic {
            self.sign(')')?;
        }
        let offset = inside.wrapping_add(self.offset()?);
        Ok(Initial::Address { mask, generic, symbol, offset })
    }
}
