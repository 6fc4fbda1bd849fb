//! Panics of kernels, as the host finds them.

use std::fmt;
use std::mem::offset_of;

use threadwise_abi::{Dim3, MESSAGE_CAPACITY, PanicKind, PanicRecord, RECORD_COMPLETE};

/// A panic of a kernel: the first thread that panicked since the host last looked. The threads that panicked ended, the others ran on;
/// the device and its memory remain usable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelPanic {
    /// The kernel. Several names, separated by commas, when the function that panicked is shared and several kernels ran.
    pub kernel: String,
    /// Block of the thread.
    pub block: Dim3,
    /// The thread in its block.
    pub thread: Dim3,
    /// Source file.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// The message.
    pub message: String,
    /// How many threads panicked.
    pub threads: u32,
}

impl fmt::Display for KernelPanic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let KernelPanic { kernel, block, thread, file, line, column, message, threads } = self;
        write!(f, "kernel `{kernel}` panicked in block {block}, thread {thread} at {file}:{line}:{column}: {message}")?;
        match threads.saturating_sub(1) {
            0 => Ok(()),
            1 => write!(f, " (and 1 more thread)"),
            more => write!(f, " (and {more} more threads)"),
        }
    }
}

impl std::error::Error for KernelPanic {}

/// Bytes of a [`PanicRecord`].
pub(crate) const RECORD_BYTES: usize = size_of::<PanicRecord>();

/// A copy of a panic record's bytes.
pub(crate) struct Snapshot([u8; RECORD_BYTES]);

impl Snapshot {
    pub(crate) fn new(bytes: [u8; RECORD_BYTES]) -> Self {
        Snapshot(bytes)
    }

    /// Whether the record can be read: no thread is still writing it.
    pub(crate) fn is_complete(&self) -> bool {
        self.word(offset_of!(PanicRecord, state)) == RECORD_COMPLETE
    }

    /// Index of the kernel in its module's table; `None` when several kernels share the function that panicked.
    pub(crate) fn kernel(&self) -> Option<usize> {
        usize::try_from(self.word(offset_of!(PanicRecord, kernel))).ok().filter(|&k| k != u32::MAX as usize)
    }

    /// The panic, of the kernel or kernels of that name.
    pub(crate) fn decode(&self, kernel: String) -> KernelPanic {
        KernelPanic {
            kernel,
            block: self.dim(offset_of!(PanicRecord, block)),
            thread: self.dim(offset_of!(PanicRecord, thread)),
            file: self.text(offset_of!(PanicRecord, file), offset_of!(PanicRecord, file_len), 256),
            line: self.word(offset_of!(PanicRecord, line)),
            column: self.word(offset_of!(PanicRecord, column)),
            message: self.message(),
            threads: self.word(offset_of!(PanicRecord, count)),
        }
    }

    fn message(&self) -> String {
        let text = || self.text(offset_of!(PanicRecord, text), offset_of!(PanicRecord, text_len), MESSAGE_CAPACITY);
        let value = |i: usize| self.long(offset_of!(PanicRecord, values) + 8 * i);
        match PanicKind::from_u32(self.word(offset_of!(PanicRecord, kind))) {
            Some(PanicKind::Message) => text(),
            Some(PanicKind::Bounds) => format!("index out of bounds: the len is {} but the index is {}", value(1), value(0)),
            Some(PanicKind::Unformatted) => format!("{}… (the dev profile shows the values)", text()),
            Some(PanicKind::Misaligned) => {
                format!("misaligned pointer dereference: address {:#x} is not a multiple of {:#x}", value(0), value(1))
            }
            None => format!("unknown kind of panic: {}", text()),
        }
    }

    fn bytes<const N: usize>(&self, at: usize) -> [u8; N] {
        let mut bytes = [0; N];
        bytes.copy_from_slice(&self.0[at..at + N]);
        bytes
    }

    fn word(&self, at: usize) -> u32 {
        u32::from_ne_bytes(self.bytes(at))
    }

    fn long(&self, at: usize) -> u64 {
        u64::from_ne_bytes(self.bytes(at))
    }

    fn dim(&self, at: usize) -> Dim3 {
        Dim3::new(self.word(at), self.word(at + 4), self.word(at + 8))
    }

    /// The text of `capacity` bytes at `at` of which the number at `len_at` are in use. A character cut in half at the end is left out.
    fn text(&self, at: usize, len_at: usize, capacity: usize) -> String {
        let len = (self.word(len_at) as usize).min(capacity);
        let text = String::from_utf8_lossy(&self.0[at..at + len]);
        let cut = if len == capacity { text.trim_end_matches(char::REPLACEMENT_CHARACTER) } else { &text };
        cut.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(kind: PanicKind, text: &[u8], values: [u64; 2]) -> Snapshot {
        let mut bytes = [0; RECORD_BYTES];
        let mut put = |at: usize, new: &[u8]| bytes[at..at + new.len()].copy_from_slice(new);
        put(offset_of!(PanicRecord, state), &RECORD_COMPLETE.to_ne_bytes());
        put(offset_of!(PanicRecord, count), &32u32.to_ne_bytes());
        put(offset_of!(PanicRecord, kind), &(kind as u32).to_ne_bytes());
        put(offset_of!(PanicRecord, block), &3u32.to_ne_bytes());
        put(offset_of!(PanicRecord, thread), &17u32.to_ne_bytes());
        put(offset_of!(PanicRecord, line), &12u32.to_ne_bytes());
        put(offset_of!(PanicRecord, column), &9u32.to_ne_bytes());
        put(offset_of!(PanicRecord, values), &values[0].to_ne_bytes());
        put(offset_of!(PanicRecord, values) + 8, &values[1].to_ne_bytes());
        put(offset_of!(PanicRecord, file_len), &11u32.to_ne_bytes());
        put(offset_of!(PanicRecord, file), b"src/main.rs");
        put(offset_of!(PanicRecord, text_len), &(text.len() as u32).to_ne_bytes());
        put(offset_of!(PanicRecord, text), &text[..text.len().min(MESSAGE_CAPACITY)]);
        Snapshot(bytes)
    }

    #[test]
    fn index_out_of_bounds_reads_like_rusts_own_message() {
        let panic = record(PanicKind::Bounds, b"", [11, 10]).decode("decay".into());
        assert_eq!(
            panic.to_string(),
            "kernel `decay` panicked in block (3, 0, 0), thread (17, 0, 0) at src/main.rs:12:9: \
             index out of bounds: the len is 10 but the index is 11 (and 31 more threads)"
        );
    }

    #[test]
    fn message_is_taken_as_it_is() {
        assert_eq!(record(PanicKind::Message, "größer".as_bytes(), [0; 2]).decode(String::new()).message, "größer");
    }

    #[test]
    fn message_longer_than_the_record_is_cut_at_a_character() {
        let mut long = vec![b'x'; MESSAGE_CAPACITY - 1];
        long.extend("ö and more".bytes());
        assert_eq!(record(PanicKind::Message, &long, [0; 2]).decode(String::new()).message, "x".repeat(MESSAGE_CAPACITY - 1));
    }

    #[test]
    fn misaligned_names_address_and_alignment() {
        let panic = record(PanicKind::Misaligned, b"", [0x1003, 4]).decode(String::new());
        assert!(panic.message.contains("0x1003 is not a multiple of 0x4"), "{}", panic.message);
    }

    #[test]
    fn claimed_record_is_not_complete() {
        let mut bytes = [0; RECORD_BYTES];
        bytes[offset_of!(PanicRecord, state)] = threadwise_abi::RECORD_CLAIMED as u8;
        assert!(!Snapshot(bytes).is_complete());
    }
}
