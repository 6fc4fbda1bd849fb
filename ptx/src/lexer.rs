//! Text to tokens.

use crate::ast::{Number, Position};
use crate::error::Error;

/// What a token is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TokenKind<'a> {
    /// An identifier, `%` and `$` included.
    Word(&'a str),
    /// `.name`, without the dot; `::` may be inside.
    Dotted(&'a str),
    /// A number, and its text.
    Number(Number, &'a str),
    /// `"…"`, without the quotes.
    Text(&'a str),
    /// Any other character.
    Sign(char),
    /// End of the text.
    End,
}

/// A token and where it begins.
#[derive(Clone, Debug)]
pub(crate) struct Token<'a> {
    pub(crate) kind: TokenKind<'a>,
    pub(crate) at: Position,
}

impl Token<'_> {
    /// For messages.
    pub(crate) fn describe(&self) -> String {
        match &self.kind {
            TokenKind::Word(w) => format!("`{w}`"),
            TokenKind::Dotted(d) => format!("`.{d}`"),
            TokenKind::Number(_, text) => format!("`{text}`"),
            TokenKind::Text(t) => format!("\"{t}\""),
            TokenKind::Sign(c) => format!("`{c}`"),
            TokenKind::End => "the end of the text".to_owned(),
        }
    }
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    line: u32,
    /// Start of the line, moved forward with the columns that were counted.
    counted: usize,
    /// Characters of the line before `counted`.
    columns: u32,
}

/// All tokens, the last of which is `End`.
pub(crate) fn lex(text: &str) -> Result<Vec<Token<'_>>, Error> {
    let mut lexer = Lexer { text, at: 0, line: 1, counted: 0, columns: 0 };
    let mut tokens = Vec::with_capacity(text.len() / 5);
    loop {
        let token = lexer.token()?;
        let end = token.kind == TokenKind::End;
        tokens.push(token);
        if end {
            return Ok(tokens);
        }
    }
}

fn is_word(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_' || c == b'$' || c == b'%'
}

impl<'a> Lexer<'a> {
    fn peek(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    fn position(&mut self) -> Position {
        self.columns += self.text.get(self.counted..self.at).map_or(0, |t| t.chars().count()) as u32;
        self.counted = self.at;
        Position { line: self.line, column: self.columns + 1 }
    }

    /// A line begins at `start`.
    fn new_line(&mut self, start: usize) {
        self.line += 1;
        self.counted = start;
        self.columns = 0;
    }

    fn take_while(&mut self, keep: impl Fn(u8) -> bool) -> &'a str {
        let start = self.at;
        while self.at < self.text.len() && keep(self.peek(0)) {
            self.at += 1;
        }
        self.text.get(start..self.at).unwrap_or("")
    }

    /// Skips white space and comments.
    fn skip(&mut self) -> Result<(), Error> {
        while self.at < self.text.len() {
            match (self.peek(0), self.peek(1)) {
                (b'\n', _) => {
                    self.at += 1;
                    self.new_line(self.at);
                }
                (b' ' | b'\t' | b'\r', _) => self.at += 1,
                (b'/', b'/') => {
                    self.take_while(|c| c != b'\n');
                }
                (b'/', b'*') => {
                    let start = self.position();
                    self.at += 2;
                    while (self.peek(0), self.peek(1)) != (b'*', b'/') {
                        if self.at >= self.text.len() {
                            return Err(Error::new(start, "a comment without end", "`*/`"));
                        }
                        if self.peek(0) == b'\n' {
                            self.new_line(self.at + 1);
                        }
                        self.at += 1;
                    }
                    self.at += 2;
                }
                _ => break,
            }
        }
        Ok(())
    }

    fn token(&mut self) -> Result<Token<'a>, Error> {
        self.skip()?;
        let at = self.position();
        // NUL inside the text is an ordinary unexpected character.
        if self.at >= self.text.len() {
            return Ok(Token { kind: TokenKind::End, at });
        }
        let kind = match self.peek(0) {
            b'0'..=b'9' => self.number(at)?,
            b'.' if is_word(self.peek(1)) => {
                self.at += 1;
                let start = self.at;
                self.take_while(is_word);
                while self.peek(0) == b':' && self.peek(1) == b':' && is_word(self.peek(2)) {
                    self.at += 2;
                    self.take_while(is_word);
                }
                TokenKind::Dotted(self.text.get(start..self.at).unwrap_or(""))
            }
            b'"' => {
                self.at += 1;
                let text = self.take_while(|c| c != b'"' && c != b'\n');
                if self.peek(0) != b'"' {
                    return Err(Error::new(at, format!("\"{text}"), "a closing `\"`"));
                }
                self.at += 1;
                TokenKind::Text(text)
            }
            c if is_word(c) => TokenKind::Word(self.take_while(is_word)),
            _ => {
                let sign = self.text.get(self.at..).and_then(|t| t.chars().next()).unwrap_or('\u{fffd}');
                self.at += sign.len_utf8();
                TokenKind::Sign(sign)
            }
        };
        Ok(Token { kind, at })
    }

    fn number(&mut self, at: Position) -> Result<TokenKind<'a>, Error> {
        let start = self.at;
        self.take_while(|c| c.is_ascii_alphanumeric());
        if self.peek(0) == b'.' && self.peek(1).is_ascii_digit() {
            self.at += 1;
            self.take_while(|c| c.is_ascii_alphanumeric());
            if matches!(self.text.as_bytes().get(self.at - 1), Some(b'e' | b'E')) && matches!(self.peek(0), b'+' | b'-') {
                self.at += 1;
                self.take_while(|c| c.is_ascii_digit());
            }
        }
        let text = self.text.get(start..self.at).unwrap_or("");
        let value = parse_number(text).ok_or_else(|| Error::new(at, format!("`{text}`"), "a number"))?;
        Ok(TokenKind::Number(value, text))
    }
}

fn parse_number(text: &str) -> Option<Number> {
    let radix = |digits: &str, radix| u64::from_str_radix(digits, radix).ok().map(|v| Number::Integer(i128::from(v)));
    if let Some(bits) = text.strip_prefix("0f").or(text.strip_prefix("0F")) {
        return (bits.len() == 8).then(|| u32::from_str_radix(bits, 16).ok().map(Number::Single))?;
    }
    if let Some(bits) = text.strip_prefix("0d").or(text.strip_prefix("0D")) {
        return (bits.len() == 16).then(|| u64::from_str_radix(bits, 16).ok().map(Number::Double))?;
    }
    if text.contains('.') {
        return text.parse::<f64>().ok().map(|v| Number::Double(v.to_bits()));
    }
    let digits = text.strip_suffix('U').unwrap_or(text);
    if let Some(hex) = digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        radix(hex, 16)
    } else if let Some(binary) = digits.strip_prefix("0b").or(digits.strip_prefix("0B")) {
        radix(binary, 2)
    } else if digits.len() > 1 && digits.starts_with('0') {
        radix(digits, 8)
    } else {
        radix(digits, 10)
    }
}
