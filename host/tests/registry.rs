//! The distributed slice of device code, as the macros write to it.

use threadwise_host::__private::linkme;
use threadwise_host::{ImageBlob, KernelBlob, MODULES, ModuleBlob};

#[linkme::distributed_slice(MODULES)]
#[linkme(crate = linkme)]
static MODULE: ModuleBlob = ModuleBlob {
    krate: "registry",
    images: &[ImageBlob { arch: "sm_75", ptx: ".version 6.3\n.target sm_75\n.address_size 64\n" }],
    kernels: &[KernelBlob { id: *b"0123456789abcdef", name: "a::b", place: "src/a.rs:1:1", entry: "b", components: &[], max_threads: 0 }],
    statics: &[],
};

#[test]
fn module_of_a_linked_crate_is_in_the_slice() {
    let found: Vec<&str> = MODULES.iter().map(|module| module.krate).collect();
    assert_eq!(found, ["registry"]);
}
