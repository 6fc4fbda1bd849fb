//! Symbol and section names.

/// Prefix of the functions in the device crate that lowering replaces by bodies from its intrinsics table.
pub const INTRINSIC_PREFIX: &str = "__threadwise_";
/// Link section of a `static` that lives in the shared memory of a block.
pub const SHARED_SECTION: &str = ".threadwise.shared";
/// Device variable of type `*mut PanicRecord`; the host stores the record's address there when it loads a module.
pub const PANIC_RECORD: &str = "__threadwise_panic_record";
/// Environment variable that tells the macros to expand to their device form.
pub const DEVICE_PASS_ENV: &str = "THREADWISE_DEVICE_PASS";
/// Prefix of the symbol of a `#[device] static`, by which host, kernels of any crate and PTX know it.
pub const STATIC_PREFIX: &str = "__threadwise_static_";
/// Prefix of the device variable that holds the address of another module's `#[device] static`, in the place of [`STATIC_PREFIX`]; the host
/// stores the address there when it loads the module.
pub const IMPORT_PREFIX: &str = "__threadwise_import_";
