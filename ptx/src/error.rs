//! What is wrong with a PTX text, and where.

use crate::ast::Position;

/// PTX that does not parse or verify.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("PTX line {}, column {}: found {found}, expected {expected}", .at.line, .at.column)]
pub struct Error {
    /// Where.
    pub at: Position,
    /// What stands there.
    pub found: String,
    /// What should stand there.
    pub expected: String,
}

impl Error {
    pub(crate) fn new(at: Position, found: impl Into<String>, expected: impl Into<String>) -> Self {
        Error { at, found: found.into(), expected: expected.into() }
    }
}
