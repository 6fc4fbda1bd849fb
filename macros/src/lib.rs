//! The macros of threadwise: `#[kernel]`, `#[kernel_test]`, `#[launch_bounds]`, `#[device]` and `#[derive(DeviceCopy)]`.
//!
//! Each macro is parse → check → expand. The first `#[kernel]` of a crate also runs the *device pass* (`pass`): rustc once more over the
//! same crate, whose bitcode is lowered to PTX in a third process and embedded in the crate.

mod check;
mod derive;
mod expand;
mod function;
mod kernel_test;
mod parse;
mod pass;

use proc_macro::TokenStream;

/// Makes a function a GPU kernel.
///
/// The function's parameters become the parameters of a *launch constructor* of the same name, which takes what lies on the host:
///
/// | in the kernel | at the launch |
/// |---|---|
/// | `&[T]`, `&[AtomicU32]` … | `&DeviceBuffer<T>` |
/// | `DisjointSlice<T>` and its 2-D and 3-D kin | `&mut DeviceBuffer<T>` and its kin |
/// | a `DeviceCopy` value | the value |
/// | `*const T`, `*mut T` (`unsafe fn` only) | a device pointer |
///
/// Options: `fma = false` keeps `a * b + c` two roundings; `max_threads = 256` and `min_blocks = 2` bound the registers of the kernel, as
/// `#[launch_bounds(256, 2)]` does; `crate = path` names the threadwise crate where it is not `::threadwise`.
#[proc_macro_attribute]
pub fn kernel(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::kernel(options.into(), item.into()).into()
}

/// `#[launch_bounds(threads)]` or `#[launch_bounds(threads, blocks)]` beside `#[kernel]`: the most threads of a block, and how many blocks
/// should fit a multiprocessor at once.
#[proc_macro_attribute]
pub fn launch_bounds(bounds: TokenStream, item: TokenStream) -> TokenStream {
    function::launch_bounds_first(bounds.into(), item.into()).into()
}

/// Makes a function a test whose body runs once per thread, as a kernel: on the simulator, and on the GPU where there is one.
///
/// ```ignore
/// #[kernel_test(block = 32)]
/// fn lanes_sum_to_496() {
///     assert_eq!(warp::sum(warp::lane()), 496);
/// }
/// ```
///
/// It is an ordinary `#[test]` of that name: `cargo test` and its filters, `#[ignore]` and an editor's buttons know it. A thread that panics
/// fails it, and the report says which threads did, where, and with what values.
///
/// Options: `grid` and `block` are `x`, `(x, y)` or `(x, y, z)`, by default one block of 32 threads; `shared_bytes` is the dynamic shared
/// memory of a block; `devices(sim)` or `devices(cuda)` keeps the test to one kind of device; `should_panic(expected = "…")` wants a thread to
/// panic; and those of `#[kernel]`.
///
/// A test with parameters takes their values from `#[case(…)]` or `#[case::name(…)]` below the attribute, or from `#[values(…)]` on a
/// parameter, where a range of integer literals stands for each of its numbers. Each case is a test of its own, in a module of the function's name. A parameter `&[T]` is
/// given an array, slice or vector.
#[proc_macro_attribute]
pub fn kernel_test(options: TokenStream, item: TokenStream) -> TokenStream {
    kernel_test::expand(options.into(), item.into()).into()
}

/// Marks a function that kernels of other crates call: its body is made available to them.
///
/// On a `static`, makes it one variable of each device for the kernels of all crates, and its name also that of a type by which the host
/// reaches it: `device.global::<COUNTER>()`. Its type is an atomic of threadwise, an array of them, or `DeviceCopy`; kernels can write it when
/// it is an atomic or `static mut`. Its value on the host is another variable and plays no part. Kernels can use a `static` without the
/// attribute too, and then each crate's device code has a copy of its own, which the host cannot reach.
#[proc_macro_attribute]
pub fn device(options: TokenStream, item: TokenStream) -> TokenStream {
    function::device(options.into(), item.into()).into()
}

/// Implements `DeviceCopy` for a struct or enum all of whose fields are `DeviceCopy`.
#[proc_macro_derive(DeviceCopy)]
pub fn derive_device_copy(item: TokenStream) -> TokenStream {
    derive::derive(derive::Property::DeviceCopy, item.into()).into()
}

/// Implements `Zeroable` for a `DeviceCopy` struct all of whose fields are `Zeroable`: a buffer of it can start out zeroed.
#[proc_macro_derive(Zeroable)]
pub fn derive_zeroable(item: TokenStream) -> TokenStream {
    derive::derive(derive::Property::Zeroable, item.into()).into()
}

/// Implements `Pod` and `Zeroable` for a `DeviceCopy` struct all of whose fields are `Pod`: shared memory can hold it.
#[proc_macro_derive(Pod)]
pub fn derive_pod(item: TokenStream) -> TokenStream {
    derive::derive(derive::Property::Pod, item.into()).into()
}

/// Makes device code for the generic kernels of other crates that this crate launches. Stands once in a crate that has no `#[kernel]` of its
/// own, or only such that are not generic.
#[proc_macro]
pub fn instances(_: TokenStream) -> TokenStream {
    expand::instances().into()
}

/// What the lowering process runs: the compiler over a file that holds nothing but this.
#[doc(hidden)]
#[proc_macro]
pub fn __lower(_: TokenStream) -> TokenStream {
    pass::lower::serve();
    TokenStream::new()
}
