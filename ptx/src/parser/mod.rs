//! Tokens to the syntax tree.

mod declaration;
mod operand;
mod statement;

use crate::ast::{Item, Module, Number, Position};
use crate::error::Error;
use crate::lexer::{Token, TokenKind};

/// How deep braces may nest, so that no text exhausts the stack.
const MAX_DEPTH: u32 = 64;

pub(crate) struct Parser<'t> {
    tokens: &'t [Token<'t>],
    at: usize,
    depth: u32,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> &'t TokenKind<'t> {
        &self.token().kind
    }

    /// The next token; behind the end, the end again.
    fn token(&self) -> &'t Token<'t> {
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn after(&self) -> &'t TokenKind<'t> {
        &self.tokens[(self.at + 1).min(self.tokens.len() - 1)].kind
    }

    fn position(&self) -> Position {
        self.token().at
    }

    fn expected<T>(&self, what: impl Into<String>) -> Result<T, Error> {
        Err(Error::new(self.position(), self.token().describe(), what))
    }

    fn sign(&mut self, sign: char) -> Result<(), Error> {
        if self.take_sign(sign) { Ok(()) } else { self.expected(format!("`{sign}`")) }
    }

    fn take_sign(&mut self, sign: char) -> bool {
        let found = *self.peek() == TokenKind::Sign(sign);
        self.at += usize::from(found);
        found
    }

    fn take_dotted(&mut self, name: &str) -> bool {
        let found = matches!(self.peek(), TokenKind::Dotted(d) if *d == name);
        self.at += usize::from(found);
        found
    }

    fn word(&mut self, what: &str) -> Result<String, Error> {
        match self.peek() {
            TokenKind::Word(w) => {
                self.at += 1;
                Ok((*w).to_owned())
            }
            _ => self.expected(what),
        }
    }

    fn unsigned(&mut self, what: &str) -> Result<u32, Error> {
        let value = match self.peek() {
            TokenKind::Number(Number::Integer(v), _) => u32::try_from(*v).ok(),
            _ => None,
        };
        match value {
            Some(v) => {
                self.at += 1;
                Ok(v)
            }
            None => self.expected(what),
        }
    }

    /// `+4`, `-4`, `+-4` or nothing.
    fn offset(&mut self) -> Result<i64, Error> {
        let mut negative = false;
        let mut signs = 0;
        loop {
            if self.take_sign('-') {
                negative = !negative;
            } else if !self.take_sign('+') {
                break;
            }
            signs += 1;
        }
        if signs == 0 {
            return Ok(0);
        }
        match self.peek() {
            TokenKind::Number(Number::Integer(v), _) => {
                self.at += 1;
                let value = *v as i64;
                Ok(if negative { value.wrapping_neg() } else { value })
            }
            _ => self.expected("an offset"),
        }
    }

    fn text(&mut self) -> Result<String, Error> {
        match self.peek() {
            TokenKind::Text(t) => {
                self.at += 1;
                Ok((*t).to_owned())
            }
            _ => self.expected("a string"),
        }
    }

    /// Skips `{ … }`, braces matched.
    fn skip_braces(&mut self) -> Result<(), Error> {
        self.sign('{')?;
        let mut open = 1;
        while open > 0 {
            match self.peek() {
                TokenKind::Sign('{') => open += 1,
                TokenKind::Sign('}') => open -= 1,
                TokenKind::End => return self.expected("`}`"),
                TokenKind::Word(_) | TokenKind::Dotted(_) | TokenKind::Number(..) | TokenKind::Text(_) | TokenKind::Sign(_) => {}
            }
            self.at += 1;
        }
        Ok(())
    }

    /// `.pragma "…";`, its first word taken.
    fn pragma(&mut self) -> Result<String, Error> {
        let mut text = self.text()?;
        while self.take_sign(',') {
            text = text + "\", \"" + &self.text()?;
        }
        self.sign(';')?;
        Ok(text)
    }

    fn enter(&mut self) -> Result<(), Error> {
        self.depth += 1;
        if self.depth > MAX_DEPTH { self.expected(format!("at most {MAX_DEPTH} nested braces")) } else { Ok(()) }
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }
}

/// Parses a whole module.
pub(crate) fn module(tokens: &[Token<'_>]) -> Result<Module, Error> {
    let mut p = Parser { tokens, at: 0, depth: 0 };
    if !p.take_dotted("version") {
        return p.expected("`.version`");
    }
    let version = match p.peek() {
        TokenKind::Number(_, text) => text.split_once('.').and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?))),
        _ => None,
    };
    let Some(version) = version else { return p.expected("a version such as `6.3`") };
    p.at += 1;
    if !p.take_dotted("target") {
        return p.expected("`.target`");
    }
    let mut target = vec![p.word("an architecture such as `sm_75`")?];
    while p.take_sign(',') {
        target.push(p.word("an option of the target")?);
    }
    let mut module = Module { version, target, address_size: 64, items: Vec::new() };
    if p.take_dotted("address_size") {
        module.address_size = p.unsigned("32 or 64")?;
    }
    while *p.peek() != TokenKind::End {
        if let Some(item) = p.item()? {
            module.items.push(item);
        }
    }
    Ok(module)
}

impl Parser<'_> {
    /// One item of the module, nothing for what is skipped.
    fn item(&mut self) -> Result<Option<Item>, Error> {
        if self.take_dotted("section") {
            self.at += 1; // its name
            self.skip_braces()?;
            return Ok(None);
        }
        if self.take_dotted("file") {
            let index = self.unsigned("the number of a file")?;
            let name = self.text()?;
            while self.take_sign(',') {
                self.unsigned("time or size of the file")?;
            }
            return Ok(Some(Item::File { index, name }));
        }
        if self.take_dotted("pragma") {
            return Ok(Some(Item::Pragma(self.pragma()?)));
        }
        self.declaration().map(Some)
    }
}
