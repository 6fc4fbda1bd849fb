//! The kernels of the program: which crate has their code, by the identity of the instance.

use std::any::TypeId;
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
    /// Bytes of the `TypeId` of the instance.
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

type Index = RwLock<HashMap<[u8; 16], Location>>;

fn index() -> &'static Index {
    static INDEX: OnceLock<Index> = OnceLock::new();
    INDEX.get_or_init(|| {
        let mut map = HashMap::new();
        MODULES.iter().for_each(|module| enter(&mut map, module));
        RwLock::new(map)
    })
}

/// An instance that two crates made is in both; either copy will do, so the first is kept.
fn enter(map: &mut HashMap<[u8; 16], Location>, module: &'static ModuleBlob) {
    for kernel in 0..module.kernels.len() {
        map.entry(module.kernels[kernel].id).or_insert(Location { module, kernel });
    }
}

/// Adds device code that was made while the program runs, as tests do. Code from `cargo build` is in [`MODULES`] already.
pub fn register(module: &'static ModuleBlob) {
    enter(&mut index().write().unwrap_or_else(PoisonError::into_inner), module);
}

/// Where the instance with that identity is.
pub(crate) fn find(id: [u8; 16]) -> Option<Location> {
    index().read().unwrap_or_else(PoisonError::into_inner).get(&id).copied()
}

/// The bytes of `K`'s `TypeId`, as lowering reads them from a descriptor.
pub fn type_id_bytes<K: 'static>() -> [u8; 16] {
    const { assert!(size_of::<TypeId>() == 16) };
    // SAFETY: a `TypeId` is 16 bytes of plain data in every program that runs; lowering reads the same bytes from the bitcode.
    unsafe { std::mem::transmute::<TypeId, [u8; 16]>(TypeId::of::<K>()) }
}

/// Keeps the descriptor of a kernel's instance in the device pass's bitcode, where lowering finds it. Does nothing when it runs.
#[inline(never)]
pub fn instantiate(_: &'static threadwise_abi::KernelDescriptor) {}

#[cfg(test)]
mod tests {
    use super::*;

    struct Known;
    struct Unknown;
    struct Twice;

    fn module(krate: &'static str, id: [u8; 16]) -> &'static ModuleBlob {
        let kernel = KernelBlob { id, name: "k", place: "a.rs:1:1", entry: "k", components: &[], max_threads: 0 };
        Box::leak(Box::new(ModuleBlob { krate, images: &[], kernels: Box::leak(Box::new([kernel])) }))
    }

    #[test]
    fn type_id_bytes_are_the_identity() {
        assert_eq!(type_id_bytes::<Known>(), type_id_bytes::<Known>());
        assert_ne!(type_id_bytes::<Known>(), type_id_bytes::<Unknown>());
    }

    #[test]
    fn registered_kernel_is_found_and_another_is_not() {
        register(module("one", type_id_bytes::<Known>()));
        assert_eq!(find(type_id_bytes::<Known>()).unwrap().module.krate, "one");
        assert!(find(type_id_bytes::<Unknown>()).is_none());
    }

    #[test]
    fn first_of_two_crates_with_one_instance_is_kept() {
        register(module("first", type_id_bytes::<Twice>()));
        register(module("second", type_id_bytes::<Twice>()));
        assert_eq!(find(type_id_bytes::<Twice>()).unwrap().module.krate, "first");
    }
}
