//! Panics of kernels, as the host finds them.

use std::fmt;
use std::mem::offset_of;

use threadwise_abi::{Dim3, MESSAGE_CAPACITY, PanicKind, PanicRecord, RECORD_COMPLETE};

mod details;

pub use details::PanicDetails;
pub(crate) use details::{DetailFields, Details};

/// A panic of a kernel, or a failed expectation: the first one since the host last looked. The threads that panicked ended, the others ran
/// on; the device and its memory remain usable.
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
    /// Line, from 1; 0 when the place is not known.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// The message.
    pub message: String,
    /// How many threads panicked. An expectation that fails counts each time.
    pub threads: u32,
    /// Whether the thread ended there. After a failed `expect_eq!` it goes on.
    pub ended: bool,
    /// Which threads panicked, where the launch asked for it: see [`Launch::launch_detailed`](crate::Launch::launch_detailed).
    pub details: Option<Box<PanicDetails>>,
}

impl fmt::Display for KernelPanic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let KernelPanic { kernel, block, thread, file, line, column, message, threads, ended, details: _ } = self;
        let (what, others) = if *ended { ("panicked", "thread") } else { ("did not do as expected", "failure") };
        write!(f, "kernel `{kernel}` {what} in block {block}, thread {thread}")?;
        if *line != 0 {
            write!(f, " at {file}:{line}:{column}")?;
        }
        write!(f, ": {message}")?;
        match threads.saturating_sub(1) {
            0 => Ok(()),
            1 => write!(f, " (and 1 more {others})"),
            more => write!(f, " (and {more} more {others}s)"),
        }
    }
}

impl std::error::Error for KernelPanic {}

/// Bytes of a [`PanicRecord`].
pub(crate) const RECORD_BYTES: usize = size_of::<PanicRecord>();

/// The most bytes that a text of the device is read for: a damaged length must not allocate.
const MAX_TEXT: usize = 64 * 1024;

/// A copy of a panic record, with the texts that it refers to.
pub(crate) struct Snapshot {
    record: RecordBytes,
    file: String,
    text: String,
    details: Option<Details>,
}

impl Snapshot {
    /// From the bytes of a record; `None` when it is not complete. `read` reads so many bytes at an address of the device.
    pub(crate) fn new(record: [u8; RECORD_BYTES], read: &dyn Fn(u64, usize) -> Option<Vec<u8>>) -> Option<Self> {
        let record = RecordBytes(record);
        if record.word(offset_of!(PanicRecord, state)) != RECORD_COMPLETE {
            return None;
        }
        let len = |at: usize| usize::try_from(record.long(at)).unwrap_or(MAX_TEXT).min(MAX_TEXT);
        let fixed = |address: u64, len: usize| match len {
            0 => Some(String::new()),
            _ => read(address, len).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
        };
        let file = fixed(record.long(offset_of!(PanicRecord, file)), len(offset_of!(PanicRecord, file_len)));
        let text_len = len(offset_of!(PanicRecord, text_len));
        let text = match record.long(offset_of!(PanicRecord, text)) {
            0 => Some(record.buffer(text_len)),
            address => fixed(address, text_len),
        };
        let (file, text) = (file.unwrap_or_else(|| "<unreadable>".into()), text.unwrap_or_else(|| "<unreadable>".into()));
        let details = Details::read(&record, read);
        Some(Snapshot { record, file, text, details })
    }

    /// Index of the kernel in its module's table; `None` when several kernels share the function that panicked.
    pub(crate) fn kernel(&self) -> Option<usize> {
        let kernel = self.record.word(offset_of!(PanicRecord, kernel));
        if kernel == u32::MAX { None } else { usize::try_from(kernel).ok() }
    }

    /// The panic, of the kernel or kernels of that name.
    pub(crate) fn decode(self, kernel: String) -> KernelPanic {
        let message = self.message();
        KernelPanic {
            details: self.details.map(|details| Box::new(details.decode(&kernel))),
            kernel,
            block: self.record.dim(offset_of!(PanicRecord, block)),
            thread: self.record.dim(offset_of!(PanicRecord, thread)),
            line: self.record.word(offset_of!(PanicRecord, line)),
            column: self.record.word(offset_of!(PanicRecord, column)),
            message,
            threads: self.record.word(offset_of!(PanicRecord, count)),
            ended: PanicKind::from_u32(self.record.word(offset_of!(PanicRecord, kind))) != Some(PanicKind::Expectation),
            file: self.file,
        }
    }

    fn message(&self) -> String {
        let text = &self.text;
        let value = |i: usize| self.record.long(offset_of!(PanicRecord, values) + 8 * i);
        match PanicKind::from_u32(self.record.word(offset_of!(PanicRecord, kind))) {
            Some(PanicKind::Message | PanicKind::Expectation) => text.clone(),
            Some(PanicKind::Bounds) => format!("index out of bounds: the len is {} but the index is {}", value(1), value(0)),
            Some(PanicKind::Unformatted) => format!("{text}… (the dev profile shows the values)"),
            Some(PanicKind::Misaligned) => {
                format!("misaligned pointer dereference: address {:#x} is not a multiple of {:#x}", value(0), value(1))
            }
            Some(PanicKind::OutOfMemory) => {
                format!("memory allocation of {} bytes failed; `Device::set_heap_size` gives kernels more", value(0))
            }
            None => format!("unknown kind of panic: {text}"),
        }
    }
}

/// The bytes of a record.
struct RecordBytes([u8; RECORD_BYTES]);

impl RecordBytes {
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

    /// The first `len` bytes of the text formatted on the device. A character cut in half at the end of the buffer is left out.
    fn buffer(&self, len: usize) -> String {
        let at = offset_of!(PanicRecord, buffer);
        let text = String::from_utf8_lossy(&self.0[at..at + len.min(MESSAGE_CAPACITY)]);
        let cut = if len >= MESSAGE_CAPACITY { text.trim_end_matches(char::REPLACEMENT_CHARACTER) } else { &text };
        cut.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the tests' device has a file name, and where a message.
    const FILE: u64 = 0x7000;
    const TEXT: u64 = 0x8000;

    fn device(address: u64, len: usize) -> Option<Vec<u8>> {
        let text: &[u8] = match address {
            FILE => b"src/main.rs",
            TEXT => b"no such cell",
            _ => return None,
        };
        Some(text[..len].to_vec())
    }

    fn record(kind: PanicKind, text: u64, buffer: &[u8], values: [u64; 2]) -> [u8; RECORD_BYTES] {
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
        put(offset_of!(PanicRecord, file), &FILE.to_ne_bytes());
        put(offset_of!(PanicRecord, file_len), &11u64.to_ne_bytes());
        put(offset_of!(PanicRecord, text), &text.to_ne_bytes());
        put(offset_of!(PanicRecord, text_len), &(if text == 0 { buffer.len() as u64 } else { 12 }).to_ne_bytes());
        put(offset_of!(PanicRecord, buffer), &buffer[..buffer.len().min(MESSAGE_CAPACITY)]);
        bytes
    }

    fn decoded(kind: PanicKind, text: u64, buffer: &[u8], values: [u64; 2]) -> KernelPanic {
        Snapshot::new(record(kind, text, buffer, values), &device).unwrap().decode("decay".into())
    }

    #[test]
    fn index_out_of_bounds_reads_like_rusts_own_message() {
        assert_eq!(
            decoded(PanicKind::Bounds, 0, b"", [11, 10]).to_string(),
            "kernel `decay` panicked in block (3, 0, 0), thread (17, 0, 0) at src/main.rs:12:9: \
             index out of bounds: the len is 10 but the index is 11 (and 31 more threads)"
        );
    }

    #[test]
    fn formatted_message_is_taken_from_the_record() {
        assert_eq!(decoded(PanicKind::Message, 0, "größer".as_bytes(), [0; 2]).message, "größer");
    }

    #[test]
    fn fixed_message_is_read_from_the_device() {
        assert_eq!(decoded(PanicKind::Message, TEXT, b"", [0; 2]).message, "no such cell");
        assert!(decoded(PanicKind::Unformatted, TEXT, b"", [0; 2]).message.starts_with("no such cell…"));
    }

    #[test]
    fn text_at_a_bad_address_does_not_hide_the_panic() {
        let panic = decoded(PanicKind::Message, 0x9000, b"", [0; 2]);
        assert_eq!((panic.message.as_str(), panic.line), ("<unreadable>", 12));
    }

    #[test]
    fn message_longer_than_the_record_is_cut_at_a_character() {
        let mut long = vec![b'x'; MESSAGE_CAPACITY - 1];
        long.extend("ö and more".bytes());
        assert_eq!(decoded(PanicKind::Message, 0, &long, [0; 2]).message, "x".repeat(MESSAGE_CAPACITY - 1));
    }

    #[test]
    fn misaligned_names_address_and_alignment() {
        let message = decoded(PanicKind::Misaligned, 0, b"", [0x1003, 4]).message;
        assert!(message.contains("0x1003 is not a multiple of 0x4"), "{message}");
    }

    #[test]
    fn count_of_other_threads_is_left_out_for_one_and_singular_for_two() {
        let mut panic = decoded(PanicKind::Message, 0, b"x", [0; 2]);
        panic.threads = 1;
        assert!(panic.to_string().ends_with(": x"));
        panic.threads = 2;
        assert!(panic.to_string().ends_with(": x (and 1 more thread)"));
    }

    #[test]
    fn failed_expectation_is_told_from_a_panic() {
        let panic = decoded(PanicKind::Expectation, 0, b"left is not right", [0; 2]);
        assert!(!panic.ended);
        assert_eq!(
            panic.to_string(),
            "kernel `decay` did not do as expected in block (3, 0, 0), thread (17, 0, 0) at src/main.rs:12:9: \
             left is not right (and 31 more failures)"
        );
    }

    #[test]
    fn claimed_record_is_not_read() {
        let mut bytes = record(PanicKind::Message, 0, b"x", [0; 2]);
        bytes[offset_of!(PanicRecord, state)] = threadwise_abi::RECORD_CLAIMED as u8;
        assert!(Snapshot::new(bytes, &device).is_none());
    }
}
