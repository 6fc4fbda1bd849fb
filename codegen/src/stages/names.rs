//! What stands in for what: math of LLVM and C, panics of core, the allocator of alloc, and which of LLVM's intrinsics NVPTX can do.

use crate::llvm::Opcode;

/// The name as Rust code spells it, without hashes.
pub fn demangle(symbol: &str) -> String {
    format!("{:#}", rustc_demangle::demangle(symbol))
}

/// Which functions of the runtime stand in for panics: as core's path, with formatting, without.
const PANICS: &[(&str, &str, &str)] = &[
    ("core::panicking::panic_fmt", "__threadwise_panic_fmt", "__threadwise_panic_fmt_static"),
    ("core::panicking::panic", "__threadwise_panic_str", "__threadwise_panic_str"),
    ("core::panicking::panic_nounwind", "__threadwise_panic_precondition", "__threadwise_panic_precondition"),
    ("core::panicking::panic_bounds_check", "__threadwise_panic_bounds", "__threadwise_panic_bounds"),
    ("core::panicking::panic_misaligned_pointer_dereference", "__threadwise_panic_misaligned", "__threadwise_panic_misaligned"),
    ("core::panicking::panic_null_pointer_dereference", "__threadwise_panic_null", "__threadwise_panic_null"),
    ("core::panicking::panic_explicit", "__threadwise_panic_explicit", "__threadwise_panic_explicit"),
    ("core::panicking::assert_failed_inner", "__threadwise_panic_assert", "__threadwise_panic_assert_static"),
    ("core::panicking::panic_cannot_unwind", "__threadwise_panic_no_unwind", "__threadwise_panic_no_unwind"),
    ("core::panicking::panic_in_cleanup", "__threadwise_panic_no_unwind", "__threadwise_panic_no_unwind"),
    ("core::option::unwrap_failed", "__threadwise_panic_unwrap_none", "__threadwise_panic_unwrap_none"),
    ("core::option::expect_failed", "__threadwise_panic_str", "__threadwise_panic_str"),
    ("core::result::unwrap_failed", "__threadwise_panic_result", "__threadwise_panic_result_static"),
    ("core::slice::index::slice_index_fail", "__threadwise_panic_range", "__threadwise_panic_range"),
    ("core::cell::panic_already_borrowed", "__threadwise_panic_borrowed", "__threadwise_panic_borrowed"),
    ("core::cell::panic_already_mutably_borrowed", "__threadwise_panic_borrowed", "__threadwise_panic_borrowed"),
    ("__rustc::rust_begin_unwind", "__threadwise_panic_handler", "__threadwise_panic_handler"),
    ("alloc::raw_vec::handle_error", "__threadwise_panic_reserve", "__threadwise_panic_reserve"),
    (EXPECT_FAILED, "__threadwise_expect", "__threadwise_expect_static"),
    ("alloc::alloc::handle_alloc_error", "__threadwise_panic_alloc", "__threadwise_panic_alloc"),
];

/// The device crate's own: a failed expectation, of which the thread does not end.
pub(crate) const EXPECT_FAILED: &str = "__threadwise_expect_failed";

/// The allocator's shims, by demangled name: their hash differs from toolchain to toolchain.
const ALLOCATOR: &[(&str, &str)] = &[
    ("__rustc::__rust_alloc", "__threadwise_alloc"),
    ("__rustc::__rust_alloc_zeroed", "__threadwise_alloc_zeroed"),
    ("__rustc::__rust_dealloc", "__threadwise_dealloc"),
    ("__rustc::__rust_realloc", "__threadwise_realloc"),
    ("__rustc::__rust_no_alloc_shim_is_unstable_v2", "__threadwise_no_alloc_shim"),
];

/// The panics with a fixed message, all called `core::panicking::panic_const::panic_const_…`.
const FIXED: &[&str] = &[
    "div_by_zero",
    "rem_by_zero",
    "add_overflow",
    "sub_overflow",
    "mul_overflow",
    "div_overflow",
    "rem_overflow",
    "neg_overflow",
    "shr_overflow",
    "shl_overflow",
];

/// Functions of C's math library for which the runtime has an equal, under their name for f64.
const MATH: &[&str] = &[
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cos", "cosh", "erf", "erfc", "exp", "exp10", "exp2", "expm1",
    "fmod", "hypot", "log", "log10", "log1p", "log2", "pow", "powi", "round", "sin", "sinh", "tan", "tanh",
];

/// The runtime's function for `symbol`, if there is one.
pub(crate) fn replacement(symbol: &str, full_messages: bool) -> Option<String> {
    math(symbol).or_else(|| {
        let path = demangle(symbol);
        let panic = PANICS.iter().find(|(of, ..)| *of == path);
        if let Some((_, formatted, fixed)) = panic {
            return Some((*(if full_messages { formatted } else { fixed })).to_owned());
        }
        if let Some(kind) = path.strip_prefix("core::panicking::panic_const::panic_const_") {
            return FIXED.contains(&kind).then(|| format!("__threadwise_panic_const_{kind}"));
        }
        if !full_messages && path.starts_with("core::panicking::assert_failed::<") {
            return Some("__threadwise_panic_assert_instance".to_owned());
        }
        ALLOCATOR.iter().find(|(of, _)| *of == path).map(|(_, by)| (*by).to_owned())
    })
}

fn math(symbol: &str) -> Option<String> {
    if let Some(types) = symbol.strip_prefix("llvm.fptoui.sat.i128.").or_else(|| symbol.strip_prefix("llvm.fptosi.sat.i128.")) {
        let sign = if symbol.contains("fptoui") { "u" } else { "i" };
        return matches!(types, "f32" | "f64").then(|| format!("__threadwise_{types}_to_{sign}128"));
    }
    if let Some(intrinsic) = symbol.strip_prefix("llvm.") {
        let mut parts = intrinsic.split('.');
        let (name, of) = (parts.next()?, parts.next()?);
        // NVPTX rounds half away from zero by itself.
        let ours = MATH.contains(&name) && name != "round" && matches!(of, "f32" | "f64");
        return ours.then(|| format!("__threadwise_{name}_{of}"));
    }
    if MATH.contains(&symbol) {
        return Some(format!("__threadwise_{symbol}_f64"));
    }
    let single = symbol.strip_suffix('f')?;
    MATH.contains(&single).then(|| format!("__threadwise_{single}_f32"))
}

/// The runtime's function for an operation from type `from` to type `to`, if NVPTX cannot do it itself.
pub(crate) fn operation(opcode: Opcode, from: &str, to: &str) -> Option<String> {
    let float = |ty: &str| match ty {
        "float" => Some("f32"),
        "double" => Some("f64"),
        _ => None,
    };
    let wide = "i128";
    match opcode {
        Opcode::FRem => Some(format!("__threadwise_fmod_{}", float(to)?)),
        Opcode::UDiv if to == wide => Some("__threadwise_div_u128".to_owned()),
        Opcode::URem if to == wide => Some("__threadwise_rem_u128".to_owned()),
        Opcode::SDiv if to == wide => Some("__threadwise_div_i128".to_owned()),
        Opcode::SRem if to == wide => Some("__threadwise_rem_i128".to_owned()),
        Opcode::UIToFP if from == wide => Some(format!("__threadwise_u128_to_{}", float(to)?)),
        Opcode::SIToFP if from == wide => Some(format!("__threadwise_i128_to_{}", float(to)?)),
        Opcode::FPToUI if to == wide => Some(format!("__threadwise_{}_to_u128", float(from)?)),
        Opcode::FPToSI if to == wide => Some(format!("__threadwise_{}_to_i128", float(from)?)),
        Opcode::UDiv
        | Opcode::URem
        | Opcode::SDiv
        | Opcode::SRem
        | Opcode::UIToFP
        | Opcode::SIToFP
        | Opcode::FPToUI
        | Opcode::FPToSI
        | Opcode::Load
        | Opcode::GetElementPtr => None,
    }
}

/// Which arguments of a `_static` panic function hold what would have been formatted, as a range of argument numbers.
pub(crate) fn formatted_arguments(function: &str) -> std::ops::Range<usize> {
    match function {
        "__threadwise_panic_fmt_static" => 0..2,
        "__threadwise_panic_result_static" => 2..4,
        "__threadwise_panic_assert_static" => 1..7,
        "__threadwise_panic_assert_instance" => 3..5,
        "__threadwise_expect_static" => 0..6,
        _ => 0..0,
    }
}

/// Symbols that may stay undefined: the CUDA device runtime's, and what lowering itself replaces at the end.
pub(crate) const PROVIDED: &[&str] = &["malloc", "free", "vprintf", KERNEL_INDEX, PANIC_PLACE, SHARED_ACQUIRE];

/// Marks the runtime's own functions, as an attribute.
pub(crate) const RUNTIME_MARK: &str = "threadwise-runtime";
/// Stands for the index of the kernel that runs.
pub(crate) const KERNEL_INDEX: &str = "__threadwise_kernel";
/// Stands for whether panics can be kept in detail.
pub(crate) const PANIC_DETAILS: &str = "__threadwise_details";
/// Stands for the place of the user's code that it was inlined into.
pub(crate) const PANIC_PLACE: &str = "__threadwise_place";
/// Marks where a thread takes hold of shared memory.
pub(crate) const SHARED_ACQUIRE: &str = "__threadwise_shared_acquire";

/// Intrinsics of LLVM that NVPTX selects or expands (by their name up to the types).
const INTRINSICS: &[&str] = &[
    "abs",
    "allow.runtime.check",
    "allow.ubsan.check",
    "annotation",
    "assume",
    "bitreverse",
    "bswap",
    "canonicalize",
    "ceil",
    "copysign",
    "ctlz",
    "ctpop",
    "cttz",
    "dbg",
    "donothing",
    "expect",
    "experimental.noalias.scope.decl",
    "fabs",
    "fake.use",
    "floor",
    "fma",
    "fmuladd",
    "fptosi.sat",
    "fptoui.sat",
    "fshl",
    "fshr",
    "invariant",
    "is.constant",
    "is.fpclass",
    "launder.invariant.group",
    "lifetime",
    "masked",
    "maximum",
    "maximumnum",
    "maxnum",
    "memcpy",
    "memmove",
    "memset",
    "minimum",
    "minimumnum",
    "minnum",
    "nearbyint",
    "nvvm",
    "objectsize",
    "ptrmask",
    "rint",
    "round",
    "roundeven",
    "sadd.sat",
    "sadd.with.overflow",
    "scmp",
    "smax",
    "smin",
    "smul.with.overflow",
    "sqrt",
    "sshl.sat",
    "ssub.sat",
    "ssub.with.overflow",
    "strip.invariant.group",
    "trap",
    "trunc",
    "uadd.sat",
    "uadd.with.overflow",
    "ubsantrap",
    "ucmp",
    "umax",
    "umin",
    "umul.with.overflow",
    "ushl.sat",
    "usub.sat",
    "usub.with.overflow",
    "vector",
];

/// Whether NVPTX can do `symbol`, an intrinsic of LLVM.
pub(crate) fn is_selectable(symbol: &str) -> bool {
    let Some(name) = symbol.strip_prefix("llvm.") else { return false };
    INTRINSICS.iter().any(|known| name == *known || name.strip_prefix(known).is_some_and(|rest| rest.starts_with('.')))
}
