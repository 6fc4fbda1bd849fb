//! What a panicking thread leaves for the host.

use core::sync::atomic::AtomicU32;

/// Bytes of formatted message that fit a [`PanicRecord`]; longer messages are cut.
pub const MESSAGE_CAPACITY: usize = 1024;

/// `state`: no thread has panicked.
pub const RECORD_FREE: u32 = 0;
/// `state`: a thread is writing its panic.
pub const RECORD_CLAIMED: u32 = 1;
/// `state`: the record can be read.
pub const RECORD_COMPLETE: u32 = 2;

/// What `text` and `values` of a [`PanicRecord`] mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum PanicKind {
    /// `text` is the message.
    Message = 0,
    /// Index out of bounds: `values` are index and length.
    Bounds = 1,
    /// `text` is the beginning of the message, whose formatted parts were left out in a release build.
    Unformatted = 2,
    /// `values[0]` is an address that is not a multiple of `values[1]`.
    Misaligned = 3,
    /// `values[0]` bytes could not be allocated.
    OutOfMemory = 4,
    /// `text` is the message of a failed expectation: the thread went on.
    Expectation = 5,
}

impl PanicKind {
    /// The kind that `value` stands for.
    pub const fn from_u32(value: u32) -> Option<Self> {
        match value {
            0 => Some(Self::Message),
            1 => Some(Self::Bounds),
            2 => Some(Self::Unformatted),
            3 => Some(Self::Misaligned),
            4 => Some(Self::OutOfMemory),
            5 => Some(Self::Expectation),
            _ => None,
        }
    }
}

/// The first panic since the host last looked. It lies in memory that host and device both reach: the first thread to panic claims it,
/// fills it and publishes it; later ones only count themselves, and fill one of the `further` records where the launch asked for those.
///
/// Fixed text is not copied: its device address is stored, and the host reads it from there. That keeps the panic path short, and kernels
/// need no more registers for it than for a plain call.
#[repr(C)]
pub struct PanicRecord {
    /// [`RECORD_FREE`], [`RECORD_CLAIMED`] or [`RECORD_COMPLETE`].
    pub state: AtomicU32,
    /// Threads that panicked, and expectations that failed.
    pub count: AtomicU32,
    /// A [`PanicKind`].
    pub kind: u32,
    /// Index of the kernel in its module's table, `u32::MAX` when several kernels share the function that panicked.
    pub kernel: u32,
    /// Block of the thread: x, y, z.
    pub block: [u32; 3],
    /// Thread within its block: x, y, z.
    pub thread: [u32; 3],
    /// Line, from 1; 0 when the place is not known.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// See `kind`.
    pub values: [u64; 2],
    /// Device address of the source file's name, UTF-8.
    pub file: u64,
    /// Bytes of the source file's name.
    pub file_len: u64,
    /// Device address of the text, UTF-8; 0 when the text is in `buffer`.
    pub text: u64,
    /// Bytes of the text.
    pub text_len: u64,
    /// Text that was formatted on the device.
    pub buffer: [u8; MESSAGE_CAPACITY],
    /// Device address of one byte per thread of the launch, in order of blocks and of threads in a block: 1 when it panicked.
    pub map: u64,
    /// Bytes of the map; 0 when the launch wants no details.
    pub map_len: u64,
    /// Device address of records for the panics after the first.
    pub further: u64,
    /// How many records those are.
    pub further_len: u32,
    /// How many of them were asked for.
    pub taken: AtomicU32,
}
