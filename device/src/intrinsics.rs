//! The operations that are GPU instructions.
//!
//! Each is a function that is never inlined, so that kernels see only its declaration; lowering gives it a body from
//! `codegen/runtime/intrinsics.ll`. The body here is what a call on the host runs into.

use core::fmt::{Arguments, Debug};
use core::panic::Location;

macro_rules! intrinsics {
    ($($name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {$(
        #[unsafe(no_mangle)]
        #[inline(never)]
        #[allow(unused_variables, reason = "the host body ignores its arguments")]
        pub(crate) fn $name($($argument: $type),*) $(-> $result)? {
            on_host(stringify!($name))
        }
    )*};
}

#[cold]
#[inline(never)]
fn on_host(name: &str) -> ! {
    panic!("{name}: this operation exists in kernels only, but the host called it; launch the function as a `#[kernel]`")
}

intrinsics! {
    __threadwise_tid_x() -> u32;
    __threadwise_tid_y() -> u32;
    __threadwise_tid_z() -> u32;
    __threadwise_ctaid_x() -> u32;
    __threadwise_ctaid_y() -> u32;
    __threadwise_ctaid_z() -> u32;
    __threadwise_ntid_x() -> u32;
    __threadwise_ntid_y() -> u32;
    __threadwise_ntid_z() -> u32;
    __threadwise_nctaid_x() -> u32;
    __threadwise_nctaid_y() -> u32;
    __threadwise_nctaid_z() -> u32;
    __threadwise_laneid() -> u32;
    __threadwise_barrier();
    __threadwise_barrier_count(predicate: bool) -> u32;
    __threadwise_syncwarp(mask: u32);
    __threadwise_fence_block();
    __threadwise_fence_device();
    __threadwise_fence_system();
    __threadwise_shuffle_idx(mask: u32, value: u32, lane: u32) -> u32;
    __threadwise_shuffle_up(mask: u32, value: u32, delta: u32) -> u32;
    __threadwise_shuffle_down(mask: u32, value: u32, delta: u32) -> u32;
    __threadwise_shuffle_xor(mask: u32, value: u32, lanes: u32) -> u32;
    __threadwise_ballot(mask: u32, predicate: bool) -> u32;
    __threadwise_activemask() -> u32;
    __threadwise_shared_acquire(memory: *mut u8) -> *mut u8;
    __threadwise_dynamic_shared() -> *mut u8;
    __threadwise_dynamic_shared_bytes() -> u32;
    __threadwise_meeting() -> *mut u64;
    __threadwise_expect_failed(left: &dyn Debug, right: &dyn Debug, message: Option<Arguments<'_>>, at: &Location<'_>);
    __threadwise_atomic_load_u32(cell: *const u32) -> u32;
    __threadwise_atomic_load_u64(cell: *const u64) -> u64;
    __threadwise_atomic_store_u32(cell: *mut u32, value: u32);
    __threadwise_atomic_store_u64(cell: *mut u64, value: u64);
    __threadwise_atomic_add_u32(cell: *mut u32, value: u32) -> u32;
    __threadwise_atomic_add_u64(cell: *mut u64, value: u64) -> u64;
    __threadwise_atomic_add_f32(cell: *mut f32, value: f32) -> f32;
    __threadwise_atomic_add_f64(cell: *mut f64, value: f64) -> f64;
    __threadwise_atomic_min_u32(cell: *mut u32, value: u32) -> u32;
    __threadwise_atomic_max_u32(cell: *mut u32, value: u32) -> u32;
    __threadwise_atomic_min_i32(cell: *mut i32, value: i32) -> i32;
    __threadwise_atomic_max_i32(cell: *mut i32, value: i32) -> i32;
    __threadwise_atomic_min_u64(cell: *mut u64, value: u64) -> u64;
    __threadwise_atomic_max_u64(cell: *mut u64, value: u64) -> u64;
    __threadwise_atomic_and_u32(cell: *mut u32, value: u32) -> u32;
    __threadwise_atomic_or_u32(cell: *mut u32, value: u32) -> u32;
    __threadwise_atomic_xor_u32(cell: *mut u32, value: u32) -> u32;
    __threadwise_atomic_and_u64(cell: *mut u64, value: u64) -> u64;
    __threadwise_atomic_or_u64(cell: *mut u64, value: u64) -> u64;
    __threadwise_atomic_xor_u64(cell: *mut u64, value: u64) -> u64;
    __threadwise_atomic_swap_u32(cell: *mut u32, value: u32) -> u32;
    __threadwise_atomic_swap_u64(cell: *mut u64, value: u64) -> u64;
    __threadwise_atomic_cas_u32(cell: *mut u32, expected: u32, new: u32) -> u32;
    __threadwise_atomic_cas_u64(cell: *mut u64, expected: u64, new: u64) -> u64;
}
