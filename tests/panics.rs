//! A panic in a kernel is an error that says where and what; the device stays usable. Runs on the GPU where there is one.

use std::sync::{Mutex, MutexGuard, PoisonError};

use threadwise::prelude::*;

#[derive(Clone, Copy, DeviceCopy)]
#[repr(u32)]
enum Way {
    None,
    Bounds,
    Explicit,
    Unwrap,
    Expect,
    DivideByZero,
    RemainderByZero,
    Range,
    ResultUnwrap,
    Assert,
    Borrowed,
}

/// Thread `bad` goes `way`; the others write 1.
#[kernel]
fn fail(way: Way, bad: u32, x: &[u32], mut out: DisjointSlice<u32>) {
    let at = thread::index_1d();
    let i = at.get();
    let Some(slot) = out.get_mut(at) else { return };
    *slot = 1;
    if i != bad as usize {
        return;
    }
    let zero = x[0];
    *slot = match way {
        Way::None => 2,
        Way::Bounds => x[x.len() + 3],
        Way::Explicit => panic!("a plain message"),
        Way::Unwrap => x.get(1000).copied().unwrap(),
        Way::Expect => x.get(1000).copied().expect("an element"),
        Way::DivideByZero => 7 / zero,
        Way::RemainderByZero => 7 % zero,
        Way::Range => x[2..1000 + zero as usize].len() as u32,
        Way::ResultUnwrap => u32::try_from(-1 - i64::from(zero)).unwrap(),
        Way::Assert => {
            assert!(zero == 1, "zero is not one");
            0
        }
        Way::Borrowed => {
            let cell = std::cell::RefCell::new(zero);
            let held = cell.borrow_mut();
            let again = *cell.borrow();
            *held + again
        }
    };
}

const THREADS: usize = 1000;

/// Held by each test: on a GPU the record of panics belongs to the device, and who synchronizes first reads it.
static DEVICE: Mutex<()> = Mutex::new(());

fn turn() -> MutexGuard<'static, ()> {
    DEVICE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Lets thread 700 go `way` and returns the panic.
fn panic_of(device: &Device, way: Way) -> threadwise::KernelPanic {
    let x = device.to_device(&[0u32, 1, 2, 3]).unwrap();
    let mut out = device.zeros::<u32>(THREADS).unwrap();
    fail(way, 700, &x, &mut out).grid(4).block(256).launch().unwrap();
    match device.synchronize() {
        Err(Error::Panic(panic)) => *panic,
        other => panic!("expected a kernel's panic, got {other:?}"),
    }
}

fn check(way: Way, message: &str) {
    let _turn = turn();
    let device = Device::new().unwrap();
    let panic = panic_of(&device, way);
    assert_eq!(panic.message, message);
    assert!(panic.kernel.ends_with("fail"), "{}", panic.kernel);
    assert_eq!((panic.block, panic.thread), (Dim3::new(2, 0, 0), Dim3::new(700 - 512, 0, 0)));
    assert!(panic.line > 0 && panic.column > 0 && !panic.file.is_empty(), "{panic}");
    assert_eq!(panic.threads, 1);
}

/// What release builds leave out of messages that are put together at run time.
fn full() -> bool {
    cfg!(debug_assertions)
}

#[test]
fn index_out_of_bounds_names_index_length_and_place() {
    let _turn = turn();
    let device = Device::new().unwrap();
    let panic = panic_of(&device, Way::Bounds);
    assert_eq!(panic.message, "index out of bounds: the len is 4 but the index is 7");
    assert!(panic.file.ends_with("panics.rs"), "{}", panic.file);
    let source = include_str!("panics.rs");
    let line = source.lines().position(|l| l.contains("Way::Bounds => x[")).unwrap() + 1;
    assert_eq!(panic.line as usize, line);
}

#[test]
fn explicit_panic_keeps_its_message() {
    check(Way::Explicit, "a plain message");
}

#[test]
fn unwrap_of_none_says_so() {
    check(Way::Unwrap, "called `Option::unwrap()` on a `None` value");
}

#[test]
fn expect_keeps_its_message() {
    check(Way::Expect, "an element");
}

#[test]
fn division_by_zero_says_so() {
    check(Way::DivideByZero, "attempt to divide by zero");
}

#[test]
fn remainder_by_zero_says_so() {
    check(Way::RemainderByZero, "attempt to calculate the remainder with a divisor of zero");
}

#[test]
fn range_out_of_bounds_says_which() {
    check(Way::Range, "range end index 1000 out of range for slice of length 4");
}

#[test]
fn unwrap_of_an_error_shows_it_where_messages_are_formatted() {
    let text = "called `Result::unwrap()` on an `Err` value";
    check(Way::ResultUnwrap, &if full() { format!("{text}: {:?}", u32::try_from(-1i64).unwrap_err()) } else { text.to_owned() });
}

#[test]
fn failed_assertion_keeps_its_message() {
    check(Way::Assert, "zero is not one");
}

#[test]
fn borrowing_twice_is_a_panic() {
    let _turn = turn();
    let device = Device::new().unwrap();
    assert!(panic_of(&device, Way::Borrowed).message.contains("borrowed"));
}

#[test]
fn device_stays_usable_and_the_other_threads_finish() {
    let _turn = turn();
    let device = Device::new().unwrap();
    let x = device.to_device(&[0u32]).unwrap();
    let mut out = device.zeros::<u32>(THREADS).unwrap();
    fail(Way::Explicit, 5, &x, &mut out).over(THREADS).launch().unwrap();
    assert!(matches!(out.to_host(), Err(Error::Panic(_))));
    // The panic was reported; what the others wrote is there.
    let values = out.to_host().unwrap();
    assert!(values.iter().all(|&v| v == 1));
    fail(Way::None, 5, &x, &mut out).over(THREADS).launch().unwrap();
    let values = out.to_host().unwrap();
    assert_eq!((values[5], values[6]), (2, 1));
}

#[kernel]
fn all_fail(x: &[u32], mut out: DisjointSlice<u32>) {
    let at = thread::index_1d();
    if let Some(slot) = out.get_mut(at) {
        *slot = x[at.get() + 1];
    }
}

#[test]
fn all_panicking_threads_are_counted() {
    let _turn = turn();
    let device = Device::new().unwrap();
    let x = device.zeros::<u32>(1).unwrap();
    let mut out = device.zeros::<u32>(THREADS).unwrap();
    all_fail(&x, &mut out).over(THREADS).launch().unwrap();
    let Err(Error::Panic(panic)) = device.synchronize() else { panic!("no panic") };
    assert_eq!(panic.threads as usize, THREADS);
    assert!(panic.kernel.ends_with("all_fail"));
}

#[kernel]
fn fail_before_barrier(bad: u32, mut out: DisjointSlice<u32>) {
    let at = thread::index_1d();
    let slots = shared!([u32; 256]);
    assert!(thread::thread_idx_x() != bad);
    let sum: u32 = slots.write(1).sync().iter().take(8).sum();
    if let Some(out) = out.get_mut(at) {
        *out = sum;
    }
}

#[test]
fn panic_before_a_barrier_does_not_hang_the_block() {
    let _turn = turn();
    let device = Device::new().unwrap();
    let mut out = device.zeros::<u32>(256).unwrap();
    fail_before_barrier(100, &mut out).grid(1).block(256).launch().unwrap();
    assert!(matches!(device.synchronize(), Err(Error::Panic(_))));
    let values = out.to_host().unwrap();
    assert!(values.iter().enumerate().all(|(i, &v)| v == if i == 100 { 0 } else { 8 }), "{values:?}");
}

/// What the program says that forgets to synchronize, in a process of its own: it is this test with a variable set.
#[test]
fn panic_that_nobody_asked_for_is_printed() {
    const INNER: &str = "THREADWISE_TEST_UNHEARD";
    if std::env::var_os(INNER).is_some() {
        let device = Device::simulator().unwrap();
        let x = device.to_device(&[0]).unwrap();
        let mut out = device.zeros::<u32>(32).unwrap();
        fail(Way::Explicit, 3, &x, &mut out).over(32).launch().unwrap();
        return;
    }
    let program = std::env::current_exe().unwrap();
    let test = ["--exact", "panic_that_nobody_asked_for_is_printed", "--nocapture"];
    let output = std::process::Command::new(program).args(test).env(INNER, "1").output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && stderr.contains("nothing synchronized") && stderr.contains("a plain message"), "{stderr}");
}
