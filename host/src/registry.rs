//! The kernels of the program: which crate has their code, by the identity of the instance.

use std::collections::HashMap;
use std::sync::{OnceLock, PoisonError, RwLock};

use threadwise_abi::Component;

/// The device code of one crate.
#[derive(Debug)]
pub struct ModuleBlob {
    /// Name of the crate.
    pub krate: &'static str,
    /// The same code for one or several architectures.
    pub images: &'static [ImageBlob],
    /// The kernels of each image. The index is what a panic record names.
    pub kernels: &'static [KernelBlob],
    /// The `#[device] static`s of each image.
    pub statics: &'static [StaticBlob],
}

/// Device code for one architecture and those after it.
#[derive(Debug)]
pub struct ImageBlob {
    /// Such as `sm_75`.
    pub arch: &'static str,
    /// The PTX module.
    pub ptx: &'static str,
}

/// One kernel instance.
#[derive(Debug)]
pub struct KernelBlob {
    /// Bytes of the instance's [`KernelId`](threadwise_abi::KernelId).
    pub id: [u8; 16],
    /// The kernel's path.
    pub name: &'static str,
    /// `file:line:column` of its name.
    pub place: &'static str,
    /// Name of the `.entry` in the PTX.
    pub entry: &'static str,
    /// Components of all parameters in order.
    pub components: &'static [Component],
    /// Upper bound of threads per block, 0 when not given.
    pub max_threads: u32,
}

/// A `#[device] static` that a module has or uses.
#[derive(Debug)]
pub struct StaticBlob {
    /// Its symbol.
    pub symbol: &'static str,
    /// Whether another module has it, and this one a variable for its address.
    pub imported: bool,
}

/// The device code of all crates that are linked into the program.
#[linkme::distributed_slice]
pub static MODULES: [ModuleBlob];

/// Where a kernel's code is.
#[derive(Clone, Copy)]
pub(crate) struct Location {
    pub(crate) module: &'static ModuleBlob,
    pub(crate) kernel: usize,
}

impl Location {
    pub(crate) fn blob(self) -> &'static KernelBlob {
        &self.module.kernels[self.kernel]
    }
}

/// What is where.
#[derive(Default)]
struct Index {
    kernels: HashMap<[u8; 16], Location>,
    statics: HashMap<&'static str, &'static ModuleBlob>,
}

fn index() -> &'static RwLock<Index> {
    static INDEX: OnceLock<RwLock<Index>> = OnceLock::new();
    INDEX.get_or_init(|| {
        let mut index = Index::default();
        MODULES.iter().for_each(|module| index.enter(module));
        RwLock::new(index)
    })
}

impl Index {
    /// An instance that two crates made is in both; either copy will do, so the first is kept.
    fn enter(&mut self, module: &'static ModuleBlob) {
        for kernel in 0..module.kernels.len() {
            self.kernels.entry(module.kernels[kernel].id).or_insert(Location { module, kernel });
        }
        for one in module.statics.iter().filter(|one| !one.imported) {
            self.statics.entry(one.symbol).or_insert(module);
        }
    }
}

/// Adds device code that was made while the program runs, as tests do. Code from `cargo build` is in [`MODULES`] already.
pub fn register(module: &'static ModuleBlob) {
    index().write().unwrap_or_else(PoisonError::into_inner).enter(module);
}

/// Where the instance with that identity is.
pub(crate) fn find(id: [u8; 16]) -> Option<Location> {
    index().read().unwrap_or_else(PoisonError::into_inner).kernels.get(&id).copied()
}

/// The module that has the static with that symbol.
pub(crate) fn owner(symbol: &str) -> Option<&'static ModuleBlob> {
    index().read().unwrap_or_else(PoisonError::into_inner).statics.get(symbol).copied()
}

/// Keeps the descriptor of a kernel's instance in the device pass's bitcode, where lowering finds it. Does nothing when it runs.
#[inline(never)]
pub fn instantiate(_: &'static threadwise_abi::KernelDescriptor) {}

#[cfg(test)]
mod tests {
    use threadwise_abi::KernelId;

    use super::*;

    struct Known;
    struct Unknown;
    struct Twice;

    fn module(krate: &'static str, id: [u8; 16]) -> &'static ModuleBlob {
        let kernel = KernelBlob { id, name: "k", place: "a.rs:1:1", entry: "k", components: &[], max_threads: 0 };
        Box::leak(Box::new(ModuleBlob { krate, images: &[], kernels: Box::leak(Box::new([kernel])), statics: &[] }))
    }

    #[test]
    fn type_id_bytes_are_the_identity() {
        assert_eq!(KernelId::instance::<Known>().bytes(), KernelId::instance::<Known>().bytes());
        assert_ne!(KernelId::instance::<Known>().bytes(), KernelId::instance::<Unknown>().bytes());
    }

    #[test]
    fn registered_kernel_is_found_and_another_is_not() {
        register(module("one", KernelId::instance::<Known>().bytes()));
        assert_eq!(find(KernelId::instance::<Known>().bytes()).unwrap().module.krate, "one");
        assert!(find(KernelId::instance::<Unknown>().bytes()).is_none());
    }

    #[test]
    fn first_of_two_crates_with_one_instance_is_kept() {
        register(module("first", KernelId::instance::<Twice>().bytes()));
        register(module("second", KernelId::instance::<Twice>().bytes()));
        assert_eq!(find(KernelId::instance::<Twice>().bytes()).unwrap().module.krate, "first");
    }
}
