//! Values as bytes. A value may have padding, whose content is undefined to the compiler; here it becomes merely arbitrary.

use std::mem::MaybeUninit;

/// Appends the `bytes` bytes from `from` on.
///
/// # Safety
/// `from` must be valid for reading `bytes` bytes; they may be padding.
pub(crate) unsafe fn append(to: &mut Vec<u8>, from: *const u8, bytes: usize) {
    to.reserve(bytes);
    let old = to.len();
    let spare = to.spare_capacity_mut();
    // SAFETY: the caller vouches for the source, the spare capacity has that many bytes, and a fresh reservation overlaps nothing.
    unsafe { std::ptr::copy_nonoverlapping(from.cast::<MaybeUninit<u8>>(), spare.as_mut_ptr(), bytes) };
    freeze(spare.as_mut_ptr());
    // SAFETY: the capacity is there, and `freeze` made all bytes initialized.
    unsafe { to.set_len(old + bytes) };
}

/// Makes the bytes behind `memory` initialized: the compiler must assume that the (empty) assembly wrote them all.
#[inline(always)]
fn freeze(memory: *mut MaybeUninit<u8>) {
    // SAFETY: the template is empty; on the machine the bytes keep whatever they hold, which is one of the values they may take.
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64", target_arch = "loongarch64"))]
    unsafe {
        std::arch::asm!("/* {0} */", in(reg) memory, options(nostack, preserves_flags))
    };
    // Elsewhere the optimizer is kept from looking.
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64", target_arch = "loongarch64")))]
    std::hint::black_box(memory);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_with_padding_keeps_its_fields() {
        #[repr(C)]
        struct Padded(u8, u32);
        let value = Padded(7, 0x0102_0304);
        let mut bytes = vec![9];
        // SAFETY: the value is there to be read.
        unsafe { append(&mut bytes, (&raw const value).cast(), size_of::<Padded>()) };
        assert_eq!((bytes.len(), bytes[0], bytes[1]), (9, 9, 7));
        assert_eq!(bytes[5..9], 0x0102_0304u32.to_ne_bytes());
    }
}
