//! Which threads of a launch panicked, and what those after the first had to say.

use std::mem::offset_of;

use threadwise_abi::{Dim3, PanicRecord};

use super::{KernelPanic, RECORD_BYTES, RecordBytes, Snapshot};

/// What [`Launch::launch_detailed`](crate::Launch::launch_detailed) finds out beside the first panic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PanicDetails {
    /// Blocks of the launch.
    pub grid: Dim3,
    /// Threads of a block.
    pub block: Dim3,
    /// For each thread, in order of blocks and of threads in a block, x fastest: whether it panicked.
    pub failed: Vec<bool>,
    /// Further panics, in no order, as many as were asked for.
    pub others: Vec<KernelPanic>,
}

/// Details as they lie on the device.
pub(crate) struct Details {
    map: Vec<u8>,
    further: Vec<Snapshot>,
}

impl Details {
    /// What belongs to a record; `None` when the launch asked for nothing, or its kernel was built without.
    pub(super) fn read(record: &RecordBytes, read: &dyn Fn(u64, usize) -> Option<Vec<u8>>) -> Option<Self> {
        let map_len = usize::try_from(record.long(offset_of!(PanicRecord, map_len))).ok().filter(|&len| len > 0)?;
        let map = read(record.long(offset_of!(PanicRecord, map)), map_len).filter(|map| map.contains(&1))?;
        let taken = record.word(offset_of!(PanicRecord, taken)).min(record.word(offset_of!(PanicRecord, further_len)));
        let bytes = match taken {
            0 => Vec::new(),
            _ => read(record.long(offset_of!(PanicRecord, further)), taken as usize * RECORD_BYTES)?,
        };
        let (records, _) = bytes.as_chunks::<RECORD_BYTES>();
        Some(Details { map, further: records.iter().filter_map(|&record| Snapshot::new(record, read)).collect() })
    }

    pub(super) fn decode(self, kernel: &str) -> PanicDetails {
        // The launch knows its extents.
        let none = Dim3::new(0, 0, 0);
        let others = self.further.into_iter().map(|further| KernelPanic { threads: 1, ..further.decode(kernel.to_owned()) }).collect();
        PanicDetails { grid: none, block: none, failed: self.map.into_iter().map(|byte| byte != 0).collect(), others }
    }
}

/// The fields of a record that say where details go.
#[derive(Clone, Copy, Default)]
pub(crate) struct DetailFields {
    map: u64,
    map_len: u64,
    further: u64,
    further_len: u32,
}

impl DetailFields {
    /// Where they begin in a record.
    pub(crate) const OFFSET: usize = offset_of!(PanicRecord, map);
    /// How many bytes they take, the count of records in use included.
    pub(crate) const BYTES: usize = offset_of!(PanicRecord, taken) + 4 - Self::OFFSET;

    /// Bytes of device memory for the map of `threads` threads and `records` further records, at a multiple of 8.
    pub(crate) fn room(threads: usize, records: u32) -> usize {
        records as usize * RECORD_BYTES + threads
    }

    /// With that room, zeroed, at `address`.
    pub(crate) fn at(address: u64, threads: usize, records: u32) -> Self {
        let map = address + records as u64 * RECORD_BYTES as u64;
        DetailFields { map, map_len: threads as u64, further: address, further_len: records }
    }

    /// As they lie in a record of which no further record is in use.
    pub(crate) fn bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        let mut put = |at: usize, new: &[u8]| bytes[at - Self::OFFSET..][..new.len()].copy_from_slice(new);
        put(offset_of!(PanicRecord, map), &self.map.to_ne_bytes());
        put(offset_of!(PanicRecord, map_len), &self.map_len.to_ne_bytes());
        put(offset_of!(PanicRecord, further), &self.further.to_ne_bytes());
        put(offset_of!(PanicRecord, further_len), &self.further_len.to_ne_bytes());
        bytes
    }
}
