//! Kernels in hand-written PTX, with what `#[kernel]` would generate for them.

#![allow(dead_code, reason = "each test file uses some of these")]

use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use threadwise_abi::{Component, KernelId};
use threadwise_device::atomic::AtomicU32;
use threadwise_device::{DisjointSlice, DisjointSlice2D, KernelParam, dim};
use threadwise_host::__private::{Arg, register};
use threadwise_host::{Device, DeviceBuffer, DeviceBuffer2D, DevicePointer, ImageBlob, KernelBlob, Launch, ModuleBlob};

pub(crate) const PTX: &str = include_str!("kernels.ptx");

/// The device that `THREADWISE_DEVICE` names, for one test at a time: a panic on a CUDA device is reported to whoever looks first.
pub(crate) fn device() -> (Device, MutexGuard<'static, ()>) {
    static ONE: Mutex<()> = Mutex::new(());
    let guard = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    (Device::new().unwrap(), guard)
}

/// Identities of the kernels.
mod id {
    pub(crate) enum Add {}
    pub(crate) enum Number2d {}
    pub(crate) enum Count {}
    pub(crate) enum Mixed {}
    pub(crate) enum Scatter {}
    pub(crate) enum Bounded {}
    pub(crate) enum Boom {}
    pub(crate) enum Unknown {}
    pub(crate) enum Misdescribed {}
    pub(crate) enum Huge {}
    pub(crate) enum Broken {}
}

/// Index of `boom` in the module's table.
pub(crate) const BOOM: u32 = 6;

fn parameter<P: KernelParam>() -> &'static [Component] {
    P::COMPONENTS
}

fn kernel(id: [u8; 16], entry: &'static str, parameters: &[&'static [Component]]) -> KernelBlob {
    let components = Vec::leak(parameters.concat());
    let name = String::leak(format!("tests::{entry}"));
    KernelBlob { id, name, place: "tests/common/mod.rs:1:1", entry, components, max_threads: 0 }
}

fn add_module(krate: &'static str, ptx: &'static str, kernels: Vec<KernelBlob>) {
    let images = Vec::leak(vec![ImageBlob { arch: "sm_75", ptx }]);
    register(Box::leak(Box::new(ModuleBlob { krate, images, kernels: Vec::leak(kernels), statics: &[] })));
}

/// Enters the kernels into the registry, as linking does for those of `cargo build`.
fn enter() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let shared = parameter::<&'static [f32]>();
        let counters = parameter::<&'static [AtomicU32]>();
        let kernels = vec![
            kernel(KernelId::instance::<id::Add>().bytes(), "vec_add", &[shared, shared, parameter::<DisjointSlice<f32>>()]),
            kernel(KernelId::instance::<id::Number2d>().bytes(), "number2d", &[parameter::<DisjointSlice2D<u32>>(), parameter::<u32>()]),
            kernel(KernelId::instance::<id::Count>().bytes(), "count", &[counters]),
            kernel(KernelId::instance::<id::Mixed>().bytes(), "mixed", &[counters, parameter::<&'static [u32]>()]),
            kernel(KernelId::instance::<id::Scatter>().bytes(), "scatter", &[parameter::<*mut u32>()]),
            KernelBlob { max_threads: 64, ..kernel(KernelId::instance::<id::Bounded>().bytes(), "bounded", &[]) },
            kernel(KernelId::instance::<id::Boom>().bytes(), "boom", &[parameter::<u32>(), parameter::<u32>()]),
            kernel(KernelId::instance::<id::Misdescribed>().bytes(), "bounded", &[parameter::<u64>()]),
            kernel(KernelId::instance::<id::Huge>().bytes(), "bounded", &[parameter::<[u64; 5000]>()]),
        ];
        add_module("tests", PTX, kernels);
        add_module(
            "broken",
            ".version 6.3\n.target sm_75\nnonsense;\n",
            vec![kernel(KernelId::instance::<id::Broken>().bytes(), "x", &[])],
        );
    });
}

fn new<K: 'static, D>(name: &'static str) -> Launch<'static, D> {
    enter();
    Launch::__new(KernelId::instance::<K>(), name, "tests/common/mod.rs:1:1")
}

/// A launch of [`add`].
pub(crate) type AddLaunch<'a> = Launch<'a, dim::One>;

pub(crate) fn add<'a>(x: Arg<'a, &'static [f32]>, y: Arg<'a, &'static [f32]>, z: Arg<'a, DisjointSlice<f32>>) -> AddLaunch<'a> {
    new::<id::Add, _>("tests::vec_add").__argument::<&'static [f32]>(x).__argument::<&'static [f32]>(y).__argument::<DisjointSlice<f32>>(z)
}

pub(crate) fn number2d(z: &mut DeviceBuffer2D<u32>, value: u32) -> Launch<'_, dim::Two> {
    new::<id::Number2d, _>("tests::number2d").__argument::<DisjointSlice2D<u32>>(z).__argument::<u32>(value)
}

pub(crate) fn count(counters: &mut DeviceBuffer<u32>) -> Launch<'_, dim::Any> {
    new::<id::Count, _>("tests::count").__argument::<&'static [AtomicU32]>(counters)
}

pub(crate) fn mixed<'a>(counters: &'a mut DeviceBuffer<u32>, values: &'a DeviceBuffer<u32>) -> Launch<'a, dim::Any> {
    new::<id::Mixed, _>("tests::mixed").__argument::<&'static [AtomicU32]>(counters).__argument::<&'static [u32]>(values)
}

/// # Safety
/// `to` must be valid for a write.
pub(crate) unsafe fn scatter(to: DevicePointer<u32>) -> Launch<'static, dim::Any> {
    new::<id::Scatter, _>("tests::scatter").__argument::<*mut u32>(to)
}

pub(crate) fn bounded() -> Launch<'static, dim::Any> {
    new::<id::Bounded, _>("tests::bounded")
}

pub(crate) fn boom(gpu: &Device, how: u32, kernel: u32) -> Launch<'static, dim::Any> {
    let launch = new::<id::Boom, _>("tests::boom").__argument::<u32>(how).__argument::<u32>(kernel);
    launch.on(&gpu.default_stream())
}

pub(crate) fn unknown() -> Launch<'static, dim::Any> {
    new::<id::Unknown, _>("tests::unknown")
}

/// Passes `u32` where the table says `u64`.
pub(crate) fn misdescribed() -> Launch<'static, dim::Any> {
    new::<id::Misdescribed, _>("tests::misdescribed").__argument::<u32>(1)
}

pub(crate) fn huge() -> Launch<'static, dim::Any> {
    new::<id::Huge, _>("tests::huge").__argument::<[u64; 5000]>([0; 5000])
}

pub(crate) fn broken() -> Launch<'static, dim::Any> {
    new::<id::Broken, _>("tests::broken")
}
