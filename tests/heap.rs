//! Memory that kernels allocate: how much there is, and what happens when there is no more.

use threadwise::Error;
use threadwise::prelude::*;

/// Allocates so many bytes, and says whether all of them could be written and read.
#[kernel]
fn fill(bytes: usize, mut ok: DisjointSlice<bool>) {
    let Some(ok) = ok.get_mut(thread::index_1d()) else { return };
    let mut memory = Vec::with_capacity(bytes);
    for i in 0..bytes {
        memory.push(i as u8);
    }
    *ok = memory.iter().enumerate().all(|(i, &byte)| byte == i as u8);
}

#[repr(align(128))]
struct Aligned([u8; 128]);

/// Each thread boxes a value of great alignment, and says whether its address has it.
#[kernel]
fn align(mut ok: DisjointSlice<bool>) {
    let at = thread::index_1d();
    let i = at.get();
    let Some(ok) = ok.get_mut(at) else { return };
    let one = Box::new(Aligned([i as u8; 128]));
    let other = Box::new(Aligned([1; 128]));
    let address = (&raw const *one).addr();
    *ok = address.is_multiple_of(128) && one.0[127] == i as u8 && other.0[0] == 1;
}

/// Boxes so many arrays without giving them back.
#[kernel]
fn leak(count: usize) {
    for i in 0..count {
        let array = Box::leak(Box::new([0u64; 128]));
        // SAFETY: an element of the array. What is not looked at need not be allocated.
        unsafe { (&raw mut array[0]).write_volatile(i as u64) };
    }
}

/// Takes so many bytes at once.
#[kernel]
fn take(bytes: usize) {
    let mut memory = Vec::<u8>::with_capacity(bytes);
    // SAFETY: there is room for a byte.
    unsafe { memory.as_mut_ptr().write_volatile(1) };
}

fn run_fill(gpu: &Device, bytes: usize) -> Result<bool> {
    let mut ok = gpu.to_device(&[false])?;
    fill(bytes, &mut ok).over(1).launch()?;
    Ok(ok.to_host()?[0])
}

#[test]
fn the_heap_has_8_mib_unless_told_otherwise() {
    let gpu = Device::simulator().unwrap();
    assert_eq!(gpu.heap_size().unwrap(), 8 << 20);
    assert!(run_fill(&gpu, 100_000).unwrap());
    assert!(matches!(gpu.set_heap_size(1 << 20), Err(Error::HeapInUse)));
}

#[test]
fn an_allocation_beyond_the_heap_is_a_panic_with_its_size_and_place() {
    let gpu = Device::simulator().unwrap();
    gpu.set_heap_size(64 << 10).unwrap();
    assert!(run_fill(&gpu, 60_000).unwrap());
    let Err(Error::Panic(panic)) = run_fill(&gpu, 70_000) else { panic!("no panic") };
    assert!(panic.message.starts_with("memory allocation of 70000 bytes failed"), "{panic}");
    assert_eq!((panic.file.as_str(), panic.line), ("tests/heap.rs", 10), "{panic}");
    // The next launch is as good as before.
    assert!(run_fill(&gpu, 60_000).unwrap());
}

#[test]
fn a_capacity_beyond_the_address_space_is_a_panic() {
    let gpu = Device::simulator().unwrap();
    let Err(Error::Panic(panic)) = run_fill(&gpu, usize::MAX) else { panic!("no panic") };
    assert_eq!((panic.message.as_str(), panic.line), ("capacity overflow", 10), "{panic}");
}

#[test]
fn boxes_beyond_the_heap_are_a_panic_with_the_place() {
    let gpu = Device::simulator().unwrap();
    gpu.set_heap_size(64 << 10).unwrap();
    leak(63).over(1).block(1).on(&gpu.default_stream()).launch().unwrap();
    gpu.synchronize().unwrap();
    leak(2).over(1).block(1).on(&gpu.default_stream()).launch().unwrap();
    let Err(Error::Panic(panic)) = gpu.synchronize() else { panic!("no panic") };
    assert!(panic.message.starts_with("memory allocation of 1024 bytes failed"), "{panic}");
    assert_eq!((panic.file.as_str(), panic.line), ("tests/heap.rs", 36), "{panic}");
}

#[test]
fn a_larger_heap_holds_more() {
    let gpu = Device::simulator().unwrap();
    let run = |gpu: &Device| take(9 << 20).over(1).block(1).on(&gpu.default_stream()).launch().and_then(|()| gpu.synchronize());
    assert!(matches!(run(&gpu), Err(Error::Panic(_))));
    let gpu = Device::simulator().unwrap();
    gpu.set_heap_size(10 << 20).unwrap();
    run(&gpu).unwrap();
}

#[test]
fn boxes_have_the_alignment_of_their_type_and_are_given_back() {
    let gpu = Device::simulator().unwrap();
    gpu.set_heap_size(64 << 10).unwrap();
    let mut ok = gpu.to_device(&[false; 32]).unwrap();
    for _ in 0..10 {
        align(&mut ok).over(32).launch().unwrap();
        assert_eq!(ok.to_host().unwrap(), [true; 32]);
    }
}

#[test]
fn the_stack_has_a_size_too() {
    let gpu = Device::simulator().unwrap();
    gpu.set_stack_size(16 << 10).unwrap();
    assert_eq!(gpu.stack_size().unwrap(), 16 << 10);
    assert!(matches!(gpu.set_stack_size(1 << 30), Err(Error::LimitTooLarge { bytes, .. }) if bytes == 1 << 30));
}

#[test]
fn a_buffer_that_the_host_cannot_back_is_out_of_memory() {
    let gpu = Device::simulator().unwrap();
    let total = gpu.memory_info().unwrap().total;
    assert!(matches!(gpu.zeros::<u8>(total as usize + 1), Err(Error::OutOfMemory { .. })));
    assert!(matches!(gpu.zeros::<u8>(1 << 50), Err(Error::OutOfMemory { .. })));
    assert_eq!(gpu.memory_info().unwrap().free, total);
}
