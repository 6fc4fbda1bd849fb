//! Reads the bytes of constants, as they will lie in memory.

use std::collections::BTreeMap;

use super::ffi::{Ref, copy_bytes};
use super::value::{Global, Value};

/// The memory image of a constant: bytes, and at which offsets there are addresses of what.
pub(crate) struct Data<'c> {
    bytes: Vec<u8>,
    addresses: BTreeMap<usize, Value<'c>>,
}

impl<'c> Data<'c> {
    /// The image of `global`'s initializer.
    pub(super) fn of(global: Global<'c>, layout: Ref) -> Option<Self> {
        let size = llvm!(LLVMABISizeOfType(layout, global.value_type().raw));
        let mut data = Data { bytes: vec![0; usize::try_from(size).ok()?], addresses: BTreeMap::new() };
        data.place(global.initializer()?, 0, layout);
        Some(data)
    }

    fn place(&mut self, value: Value<'c>, at: usize, layout: Ref) {
        let raw = value.raw();
        let type_ = value.type_of().raw;
        if !(llvm!(LLVMIsAConstantInt(raw))).is_null() {
            self.integer(llvm!(LLVMConstIntGetZExtValue(raw)), at, llvm!(LLVMABISizeOfType(layout, type_)));
        } else if value.is_int_to_ptr() {
            if let Some(&integer) = value.operands().first() {
                self.place(integer, at, layout);
            }
        } else if !(llvm!(LLVMIsAConstantDataSequential(raw))).is_null() {
            let mut length = 0;
            let start = llvm!(LLVMGetRawDataValues(raw, &raw mut length));
            self.put(at, &copy_bytes(start, length));
        } else if !(llvm!(LLVMIsAConstantStruct(raw))).is_null() {
            for (i, element) in value.operands().into_iter().enumerate() {
                let offset = llvm!(LLVMOffsetOfElement(layout, type_, i as u32));
                self.place(element, at + offset as usize, layout);
            }
        } else if !(llvm!(LLVMIsAConstantArray(raw))).is_null() {
            let mut offset = at;
            for element in value.operands() {
                self.place(element, offset, layout);
                offset += (llvm!(LLVMABISizeOfType(layout, element.type_of().raw))) as usize;
            }
        } else if !(llvm!(LLVMIsAGlobalValue(raw))).is_null() {
            self.addresses.insert(at, value);
        }
        // What remains is zero, null or undefined: zero bytes, which are there already.
    }

    fn integer(&mut self, value: u64, at: usize, size: u64) {
        let bytes = value.to_le_bytes();
        self.put(at, &bytes[..(size as usize).min(bytes.len())]);
    }

    fn put(&mut self, at: usize, bytes: &[u8]) {
        if let Some(to) = self.bytes.get_mut(at..at + bytes.len()) {
            to.copy_from_slice(bytes);
        }
    }

    pub(crate) fn bytes(&self, at: usize, length: usize) -> Option<&[u8]> {
        self.bytes.get(at..at.checked_add(length)?)
    }

    pub(crate) fn u32(&self, at: usize) -> Option<u32> {
        Some(u32::from_le_bytes(self.bytes(at, 4)?.try_into().ok()?))
    }

    pub(crate) fn u64(&self, at: usize) -> Option<u64> {
        Some(u64::from_le_bytes(self.bytes(at, 8)?.try_into().ok()?))
    }

    /// Bytes in all.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether there are addresses in it.
    pub(crate) fn has_addresses(&self) -> bool {
        !self.addresses.is_empty()
    }

    /// What the address at this offset points to.
    pub(crate) fn address(&self, at: usize) -> Option<Value<'c>> {
        self.addresses.get(&at).copied()
    }
}
