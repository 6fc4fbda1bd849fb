//! The stages of lowering, a file each.

pub(crate) mod collect;
pub(crate) mod contract;
pub(crate) mod dependencies;
pub(crate) mod emit;
pub(crate) mod finish;
pub(crate) mod graph;
pub(crate) mod host_cpu;
pub(crate) mod link;
pub(crate) mod names;
pub(crate) mod optimize;
pub(crate) mod resolve;
pub(crate) mod retarget;
pub(crate) mod standard;
pub(crate) mod statics;
pub(crate) mod validate;

pub use names::demangle;
