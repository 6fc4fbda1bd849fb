//! The math library of the device: every float function that a kernel may call and that PTX has no instruction for.
//!
//! The build script of the codegen crate compiles this tree to LLVM bitcode, and lowering links what a kernel needs.
//! It is `no_std`, table-free but for the bits of 2/pi, and calls nothing but the four functions declared below, so
//! that no undefined symbol reaches PTX. Functions of `f32` stay in `f32` (two-float arithmetic where one is not
//! enough), since most GPUs run `f64` at a small fraction of the speed; only the rare reduction of huge angles does not.
//!
//! The error-free transformations here need exact IEEE operations: this code must not be compiled with `contract` or
//! any other fast-math flag. `docs/math.md` lists the measured accuracy of each function.
#![allow(unreachable_pub, reason = "the tree is a part of several crates: the device runtime and its host tests")]
#![allow(clippy::neg_cmp_op_on_partial_ord, reason = "`!(x < limit)` is how NaN takes the special path")]
#![allow(clippy::manual_range_contains, reason = "one or two comparisons of floats read better as such")]
#![allow(clippy::approx_constant, reason = "coefficients of polynomials may come near to known constants")]

mod coefficients;
pub mod erf;
pub mod exp;
mod exports;
pub mod fmod;
pub mod hyperbolic;
pub mod inverse_trig;
pub mod log;
pub mod pow;
mod reduce;
pub mod root;
mod support;
pub mod trig;

unsafe extern "C" {
    safe fn __threadwise_sqrt_f32(x: f32) -> f32;
    safe fn __threadwise_sqrt_f64(x: f64) -> f64;
    safe fn __threadwise_fma_f32(a: f32, b: f32, c: f32) -> f32;
    safe fn __threadwise_fma_f64(a: f64, b: f64, c: f64) -> f64;
}
