//! Statics that host and kernels share by name.

use crate::copy::DeviceCopy;
use crate::param::kind;

/// The type that goes with a `#[device] static`, by which the host reaches it.
///
/// # Safety
/// `SYMBOL` must be the symbol of a static of the size and alignment of `Value`, every value of which is one of `Value`, and that changes
/// only when `Kind` is [`Writable`].
#[diagnostic::on_unimplemented(message = "`{Self}` is not the name of a `#[device] static`", note = "put `#[device]` on the static")]
pub unsafe trait DeviceStatic: 'static {
    /// What the host reads and writes.
    type Value: DeviceCopy;
    /// Whether it can change, as for the parameters of kernels; see [`kind`].
    type Kind;
    /// Its symbol, in the program and in device code.
    const SYMBOL: &'static str;
    /// Its path, for messages.
    const NAME: &'static str;
}

/// Kinds of static that change while the program runs: atomics, and `static mut`.
#[diagnostic::on_unimplemented(
    message = "this static never changes: its value is part of the kernels' code",
    label = "an immutable static cannot be written",
    note = "make it an atomic or a `static mut`, or pass the value as a parameter of the kernel"
)]
pub trait Writable {}

impl<T> Writable for kind::Disjoint<T> {}
