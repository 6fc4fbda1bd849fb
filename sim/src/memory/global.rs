//! Global memory. Addresses are never reused, so that a stale pointer is always recognized.

use std::alloc::Layout;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::{Cell, GLOBAL_START};
use crate::error::MemoryError;
use crate::fault::Allocation;

/// Allocations begin at multiples of this, as `cudaMalloc` gives them.
const ALIGNMENT: u64 = 256;
/// Unallocated bytes between allocations at least, so that running over an end is noticed.
const GUARD: u64 = 256;
/// The largest allocation.
const MAX_BYTES: u64 = 1 << 36;
/// Bytes that kernels can have allocated at a time, unless told otherwise: as CUDA's `CU_LIMIT_MALLOC_HEAP_SIZE`.
const DEFAULT_HEAP_BYTES: u64 = 8 << 20;
/// What an allocation of a kernel takes of the heap is a multiple of this.
const HEAP_GRAIN: u64 = 16;
/// Freed allocations that are remembered.
const MAX_FREED: usize = 1 << 16;

/// A host buffer.
#[derive(Debug)]
struct Buffer {
    words: Box<[AtomicU64]>,
    bytes: u64,
    /// Allocated by a kernel.
    by_kernel: bool,
}

impl Buffer {
    fn start(&self) -> *mut u8 {
        self.words.as_ptr().cast_mut().cast()
    }
}

#[derive(Debug, Default)]
struct Table {
    live: BTreeMap<u64, Arc<Buffer>>,
    freed: BTreeMap<u64, u64>,
    end: u64,
}

/// What kernels allocate from.
#[derive(Debug)]
struct Heap {
    limit: u64,
    used: u64,
    /// Whether a kernel ever allocated.
    begun: bool,
}

impl Default for Heap {
    fn default() -> Self {
        Heap { limit: DEFAULT_HEAP_BYTES, used: 0, begun: false }
    }
}

/// All allocations of a device.
#[derive(Debug, Default)]
pub(crate) struct GlobalMemory {
    table: RwLock<Table>,
    heap: Mutex<Heap>,
    /// Counts what was freed, so that views know when they hold too much. What was allocated is noticed when it is not found.
    generation: AtomicU64,
}

/// One allocation as the interpreter caches it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Region {
    pub(crate) start: u64,
    pub(crate) bytes: u64,
    pub(crate) host: *mut u8,
}

impl Region {
    /// A region without addresses.
    pub(crate) const NONE: Region = Region { start: 0, bytes: 0, host: std::ptr::null_mut() };

    /// The host's place of `bytes` bytes at `address`, if they are inside.
    #[inline(always)]
    pub(crate) fn find(&self, address: u64, bytes: u64) -> Option<*mut u8> {
        let offset = address.wrapping_sub(self.start);
        (offset < self.bytes && bytes <= self.bytes - offset).then(|| self.host.wrapping_add(offset as usize))
    }
}

/// A snapshot of the live allocations, which keeps their buffers alive.
#[derive(Debug, Default)]
pub(crate) struct View {
    generation: u64,
    buffers: Vec<(u64, Arc<Buffer>)>,
}

impl View {
    /// Was anything freed since?
    #[inline(always)]
    pub(crate) fn is_stale(&self, memory: &GlobalMemory) -> bool {
        self.generation != memory.generation.load(Ordering::Relaxed)
    }

    /// The allocation that holds `address`.
    pub(crate) fn region(&self, address: u64) -> Option<Region> {
        let after = self.buffers.partition_point(|&(start, _)| start <= address);
        let (start, buffer) = self.buffers.get(after.checked_sub(1)?)?;
        (address - start < buffer.bytes).then(|| Region { start: *start, bytes: buffer.bytes, host: buffer.start() })
    }
}

impl GlobalMemory {
    fn table(&self) -> RwLockReadGuard<'_, Table> {
        self.table.read().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn table_mut(&self) -> RwLockWriteGuard<'_, Table> {
        self.table.write().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn heap(&self) -> MutexGuard<'_, Heap> {
        self.heap.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Bytes that kernels can have allocated at a time.
    pub(crate) fn heap_bytes(&self) -> u64 {
        self.heap().limit
    }

    /// Sets it; refused once a kernel has allocated.
    pub(crate) fn set_heap_bytes(&self, bytes: u64) -> Result<(), MemoryError> {
        let mut heap = self.heap();
        if heap.begun {
            return Err(MemoryError::HeapInUse);
        }
        heap.limit = bytes;
        Ok(())
    }

    /// An allocation of a kernel, from the heap; `None` when that has no room.
    pub(crate) fn allocate_on_heap(&self, bytes: u64) -> Option<u64> {
        let grains = bytes.checked_next_multiple_of(HEAP_GRAIN)?;
        {
            let mut heap = self.heap();
            heap.begun = true;
            heap.used = heap.used.checked_add(grains).filter(|&used| used <= heap.limit)?;
        }
        let address = self.allocate(bytes, true);
        if address.is_err() {
            self.heap().used -= grains;
        }
        address.ok()
    }

    /// Frees an allocation of a kernel.
    pub(crate) fn free_on_heap(&self, address: u64) -> Result<(), MemoryError> {
        let bytes = self.free(address, true)?;
        self.heap().used -= bytes.next_multiple_of(HEAP_GRAIN);
        Ok(())
    }

    /// Frees an allocation of the host.
    pub(crate) fn free_of_host(&self, address: u64) -> Result<(), MemoryError> {
        self.free(address, false).map(|_| ())
    }

    /// Allocates for the host.
    pub(crate) fn allocate_for_host(&self, bytes: u64) -> Result<u64, MemoryError> {
        self.allocate(bytes, false)
    }

    /// The allocations as they are now.
    pub(crate) fn view(&self) -> View {
        let table = self.table();
        let buffers = table.live.iter().map(|(&start, buffer)| (start, Arc::clone(buffer))).collect();
        View { generation: self.generation.load(Ordering::Relaxed), buffers }
    }

    fn allocate(&self, bytes: u64, by_kernel: bool) -> Result<u64, MemoryError> {
        let refused = MemoryError::OutOfMemory { bytes };
        if bytes > MAX_BYTES {
            return Err(refused);
        }
        let words = zeroed(bytes.div_ceil(8) as usize).ok_or(refused)?;
        let mut table = self.table_mut();
        let address = table.end.max(GLOBAL_START);
        let after = (address + bytes + GUARD).next_multiple_of(ALIGNMENT);
        table.end = after;
        table.live.insert(address, Arc::new(Buffer { words, bytes, by_kernel }));
        Ok(address)
    }

    /// Frees an allocation and returns its bytes.
    fn free(&self, address: u64, by_kernel: bool) -> Result<u64, MemoryError> {
        let mut table = self.table_mut();
        let bytes = match table.live.get(&address) {
            Some(buffer) if buffer.by_kernel == by_kernel => buffer.bytes,
            Some(_) | None => return Err(MemoryError::NotAllocated { address }),
        };
        table.live.remove(&address);
        table.freed.insert(address, bytes);
        if table.freed.len() > MAX_FREED {
            table.freed.pop_first();
        }
        self.generation.fetch_add(1, Ordering::Relaxed);
        Ok(bytes)
    }

    /// The freed allocation that held `address`.
    pub(crate) fn freed(&self, address: u64) -> Option<Allocation> {
        let table = self.table();
        let (&start, &bytes) = table.freed.range(..=address).next_back()?;
        (address - start < bytes).then_some(Allocation { address: start, bytes })
    }

    /// The live allocation nearest to `address`.
    pub(crate) fn nearest(&self, address: u64) -> Option<Allocation> {
        let table = self.table();
        let before = table.live.range(..=address).next_back().map(|(&a, b)| Allocation { address: a, bytes: b.bytes });
        let after = table.live.range(address..).next().map(|(&a, b)| Allocation { address: a, bytes: b.bytes });
        match (before, after) {
            (Some(b), Some(a)) => {
                let past = address.saturating_sub(b.address + b.bytes);
                Some(if past <= a.address - address { b } else { a })
            }
            (one, other) => one.or(other),
        }
    }

    /// The buffer with `bytes` bytes at `address`, and the offset in it.
    fn range(&self, address: u64, bytes: u64) -> Result<(Arc<Buffer>, usize), MemoryError> {
        let table = self.table();
        let found = table.live.range(..=address).next_back().filter(|(start, buffer)| {
            let offset = address - *start;
            offset <= buffer.bytes && bytes <= buffer.bytes - offset
        });
        match found {
            Some((start, buffer)) => Ok((Arc::clone(buffer), (address - start) as usize)),
            None => Err(MemoryError::OutOfBounds { address, bytes }),
        }
    }

    pub(crate) fn write(&self, address: u64, bytes: &[u8]) -> Result<(), MemoryError> {
        let (buffer, offset) = self.range(address, bytes.len() as u64)?;
        let at = |i: usize| buffer.start().wrapping_add(offset + i);
        let head = bytes.len().min(offset.wrapping_neg() % 8);
        let (words, tail) = bytes[head..].as_chunks::<8>();
        for (i, &byte) in bytes[..head].iter().enumerate() {
            // SAFETY: inside of the buffer, which `buffer` keeps alive.
            unsafe { u8::store(at(i), byte) };
        }
        for (i, &word) in words.iter().enumerate() {
            // SAFETY: inside of the buffer; `head` bytes after `offset` is a multiple of 8.
            unsafe { u64::store(at(head + 8 * i), u64::from_ne_bytes(word)) };
        }
        for (i, &byte) in tail.iter().enumerate() {
            // SAFETY: inside of the buffer.
            unsafe { u8::store(at(bytes.len() - tail.len() + i), byte) };
        }
        Ok(())
    }

    pub(crate) fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), MemoryError> {
        let (buffer, offset) = self.range(address, bytes.len() as u64)?;
        let at = |i: usize| buffer.start().wrapping_add(offset + i);
        let len = bytes.len();
        let head = len.min(offset.wrapping_neg() % 8);
        let (first, rest) = bytes.split_at_mut(head);
        let (words, tail) = rest.as_chunks_mut::<8>();
        for (i, byte) in first.iter_mut().enumerate() {
            // SAFETY: inside of the buffer, which `buffer` keeps alive.
            *byte = unsafe { u8::load(at(i)) };
        }
        for (i, word) in words.iter_mut().enumerate() {
            // SAFETY: inside of the buffer; `head` bytes after `offset` is a multiple of 8.
            let value = unsafe { u64::load(at(head + 8 * i)) };
            *word = value.to_ne_bytes();
        }
        let tail_start = len - tail.len();
        for (i, byte) in tail.iter_mut().enumerate() {
            // SAFETY: inside of the buffer.
            *byte = unsafe { u8::load(at(tail_start + i)) };
        }
        Ok(())
    }

    pub(crate) fn fill(&self, address: u64, value: u8, bytes: u64) -> Result<(), MemoryError> {
        self.range(address, bytes)?;
        let chunk = vec![value; (bytes as usize).min(1 << 16)];
        let mut done = 0;
        while done < bytes {
            let now = (bytes - done).min(chunk.len() as u64);
            self.write(address + done, &chunk[..now as usize])?;
            done += now;
        }
        Ok(())
    }

    pub(crate) fn copy(&self, from: u64, to: u64, bytes: u64) -> Result<(), MemoryError> {
        self.range(from, bytes)?;
        self.range(to, bytes)?;
        let mut chunk = vec![0; (bytes as usize).min(1 << 16)];
        let mut done = 0;
        while done < bytes {
            let now = (bytes - done).min(chunk.len() as u64);
            // Overlapping ranges: from the end when the destination is behind the source.
            let at = if to > from { bytes - done - now } else { done };
            self.read(from + at, &mut chunk[..now as usize])?;
            self.write(to + at, &chunk[..now as usize])?;
            done += now;
        }
        Ok(())
    }
}

/// So many zeros; `None` when the host has no room for them.
fn zeroed(words: usize) -> Option<Box<[AtomicU64]>> {
    if words == 0 {
        return Some(Box::default());
    }
    let layout = Layout::array::<AtomicU64>(words).ok()?;
    // SAFETY: the layout has a size.
    let start = unsafe { std::alloc::alloc_zeroed(layout) }.cast::<AtomicU64>();
    if start.is_null() {
        return None;
    }
    // SAFETY: the allocation is the box's layout, and all bits zero are a valid `AtomicU64`.
    Some(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(start, words)) })
}
