//! The allocator of `alloc`, on the device's own, which knows no alignment above 16.

unsafe extern "C" {
    fn malloc(bytes: usize) -> *mut u8;
    fn free(start: *mut u8);
}

/// Alignment that the device's allocator gives.
const NATURAL: usize = 16;
/// Bytes before a block of greater alignment, where the start of its allocation is noted.
const NOTE: usize = size_of::<*mut u8>();

#[unsafe(no_mangle)]
unsafe fn __threadwise_alloc(size: usize, align: usize) -> *mut u8 {
    if align <= NATURAL {
        return unsafe { malloc(size) };
    }
    let Some(bytes) = size.checked_add(align) else { return core::ptr::null_mut() };
    let start = unsafe { malloc(bytes) };
    if start.is_null() {
        return start;
    }
    // `start` is a multiple of 16, and `align` one of 32: at least 16 bytes lie before the block.
    let block = start.wrapping_add(align - start.addr() % align);
    unsafe { block.wrapping_sub(NOTE).cast::<*mut u8>().write(start) };
    block
}

#[unsafe(no_mangle)]
unsafe fn __threadwise_alloc_zeroed(size: usize, align: usize) -> *mut u8 {
    let block = unsafe { __threadwise_alloc(size, align) };
    if !block.is_null() {
        unsafe { block.write_bytes(0, size) };
    }
    block
}

#[unsafe(no_mangle)]
unsafe fn __threadwise_dealloc(block: *mut u8, _size: usize, align: usize) {
    let start = if align <= NATURAL { block } else { unsafe { block.wrapping_sub(NOTE).cast::<*mut u8>().read() } };
    unsafe { free(start) };
}

#[unsafe(no_mangle)]
unsafe fn __threadwise_realloc(block: *mut u8, size: usize, align: usize, new: usize) -> *mut u8 {
    let moved = unsafe { __threadwise_alloc(new, align) };
    if !moved.is_null() {
        unsafe { moved.copy_from_nonoverlapping(block, size.min(new)) };
        unsafe { __threadwise_dealloc(block, size, align) };
    }
    moved
}
