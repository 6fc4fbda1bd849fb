//! The device code of a crate lies in its program.

use threadwise::__private::MODULES;
use threadwise::prelude::*;
use threadwise::{KernelBlob, ModuleBlob};

/// Options and a parameter of each kind.
#[kernel(max_threads = 128)]
fn outer(x: &[f32], mut y: DisjointSlice<f32>, a: f32, n: u8) {
    let at = thread::index_1d();
    if let Some(y) = y.get_mut(at) {
        *y = a * x[at.get()] + f32::from(n);
    }
}

macro_rules! kernels {
    ($($name:ident $t:ty),*) => {$(
        #[kernel]
        fn $name(mut y: DisjointSlice<$t>) {
            if let Some(y) = y.get_mut(thread::index_1d()) {
                *y += 1 as $t;
            }
        }
    )*};
}
kernels!(of_u32 u32, of_f64 f64);

mod inner {
    use threadwise::prelude::*;

    /// The name of another kernel, in another module.
    #[kernel]
    pub(super) fn outer() {}
}

fn module() -> &'static ModuleBlob {
    MODULES.iter().find(|module| module.krate == "embedded").expect("this crate has kernels")
}

fn kernel(name: &str) -> &'static KernelBlob {
    module().kernels.iter().find(|kernel| kernel.name == name).unwrap_or_else(|| panic!("no kernel {name}"))
}

#[test]
fn one_module_holds_all_kernels_of_the_crate() {
    assert_eq!(MODULES.iter().filter(|module| module.krate == "embedded").count(), 1);
    let mut names: Vec<&str> = module().kernels.iter().map(|kernel| kernel.name).collect();
    names.sort_unstable();
    assert_eq!(names, ["embedded::inner::outer", "embedded::local", "embedded::of_f64", "embedded::of_u32", "embedded::outer"]);
}

#[test]
fn a_kernel_in_a_function_is_found() {
    #[kernel]
    fn local() {}
    let _ = local();
    assert_eq!(kernel("embedded::local").components.len(), 0);
}

#[test]
fn places_and_parameters_are_those_of_the_source() {
    let outer = kernel("embedded::outer");
    assert_eq!(outer.place, format!("{}:9:4", file!()));
    assert_eq!(outer.max_threads, 128);
    let sizes: Vec<u32> = outer.components.iter().map(|component| component.size).collect();
    assert_eq!(sizes, [8, 8, 8, 8, 4, 1]);
}

#[test]
fn identities_differ() {
    let mut ids: Vec<[u8; 16]> = module().kernels.iter().map(|kernel| kernel.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), module().kernels.len());
}

#[test]
fn every_kernel_is_an_entry_of_each_image() {
    for image in module().images {
        for kernel in module().kernels {
            assert!(image.ptx.contains(&format!(".entry {}(", kernel.entry)), "{} in {}", kernel.entry, image.arch);
        }
    }
}
