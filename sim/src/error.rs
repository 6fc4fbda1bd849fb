//! Errors outside of kernels.

use threadwise_ptx::Position;

/// A host access to simulated memory that is not possible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MemoryError {
    /// The range lies in no live allocation.
    #[error("{bytes} bytes at {address:#x} lie in no live allocation")]
    OutOfBounds {
        /// First address.
        address: u64,
        /// Bytes.
        bytes: u64,
    },
    /// Freed twice, or never allocated.
    #[error("{address:#x} is not the start of a live allocation")]
    NotAllocated {
        /// The address.
        address: u64,
    },
    /// The size of the heap cannot change any more.
    #[error("a kernel has allocated already; set the size of the heap before that")]
    HeapInUse,
    /// Too large.
    #[error("{bytes} bytes of simulated memory are not available")]
    OutOfMemory {
        /// Bytes.
        bytes: u64,
    },
}

/// PTX that the simulator cannot load. It never runs what it does not know.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("PTX line {line}: {reason}{}", if text.is_empty() { String::new() } else { format!(" in `{text}`") })]
pub struct LoadError {
    /// Line of the PTX, from 1.
    pub line: u32,
    /// The instruction or declaration; empty when the message says it already.
    pub text: String,
    /// What is wrong.
    pub reason: String,
}

impl LoadError {
    pub(crate) fn new(at: Position, text: impl Into<String>, reason: impl Into<String>) -> LoadError {
        LoadError { line: at.line, text: text.into(), reason: reason.into() }
    }
}

impl From<threadwise_ptx::Error> for LoadError {
    fn from(error: threadwise_ptx::Error) -> LoadError {
        let reason = format!("column {}: found {}, expected {}", error.at.column, error.found, error.expected);
        LoadError { line: error.at.line, text: String::new(), reason }
    }
}
