//! Launches of hand-written PTX. Runs on the device that `THREADWISE_DEVICE` names, as `Device::new` does.

mod common;

use common::{add, boom, bounded, broken, count, device, huge, misdescribed, mixed, number2d, scatter, unknown};
use threadwise_host::{Device, Dim3, Error, KernelPanic, LaunchConfig, LaunchProblem, Result};

/// The problem of a launch that must have one; its message names the kernel.
fn problem(result: Result<()>) -> LaunchProblem {
    match result.unwrap_err() {
        Error::Launch { kernel, problem } => {
            assert!(kernel.starts_with("tests::"));
            problem
        }
        other => panic!("{other}"),
    }
}

fn panic_of(result: Result<()>) -> KernelPanic {
    match result.unwrap_err() {
        Error::Panic(panic) => *panic,
        other => panic!("{other}"),
    }
}

#[test]
fn vectors_are_added_for_all_sizes_around_blocks() {
    let (gpu, _one) = device();
    for n in [0usize, 1, 31, 32, 33, 255, 256, 257, 1023, 1025, 10_000] {
        let a: Vec<f32> = (0..n).map(|i| i as f32).collect();
        let b: Vec<f32> = (0..n).map(|i| (n - i) as f32).collect();
        let (x, y) = (gpu.to_device(&a).unwrap(), gpu.to_device(&b).unwrap());
        let mut z = gpu.zeros::<f32>(n).unwrap();
        add(&x, &y, &mut z).over(n).launch().unwrap();
        assert_eq!(z.to_host().unwrap(), vec![n as f32; n]);
    }
}

#[test]
fn grid_and_block_and_config_launch_the_same() {
    let (gpu, _one) = device();
    let x = gpu.to_device(&[1.0f32; 100]).unwrap();
    let run = |launch: fn(common::AddLaunch<'_>) -> Result<()>| {
        let mut z = gpu.zeros::<f32>(100).unwrap();
        launch(add(&x, &x, &mut z)).unwrap();
        z.to_host().unwrap()
    };
    assert_eq!(run(|l| l.grid(2).block(64).launch()), [2.0; 100]);
    assert_eq!(run(|l| l.config(LaunchConfig::for_num_elems(100)).launch()), [2.0; 100]);
    assert_eq!(run(|l| l.over(100).block(7).launch()), [2.0; 100]);
    // One block of 64 leaves the rest alone.
    assert_eq!(run(|l| l.grid(1).block(64).launch())[60..68], [2.0, 2.0, 2.0, 2.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn matrix_is_covered_row_by_row_and_takes_a_value() {
    let (gpu, _one) = device();
    for (rows, cols) in [(1, 1), (3, 5), (33, 65), (100, 1), (1, 100), (0, 7)] {
        let mut z = gpu.zeros_2d::<u32>(rows, cols).unwrap();
        number2d(&mut z, 5).over((rows, cols)).launch().unwrap();
        let expected: Vec<u32> = (0..rows * cols).map(|i| (i / cols * 1000 + i % cols + 5) as u32).collect();
        assert_eq!(z.to_host().unwrap(), expected);
    }
}

#[test]
fn views_of_a_buffer_are_arguments() {
    let (gpu, _one) = device();
    let x = gpu.to_device(&[1.0f32, 2.0, 3.0, 4.0]).unwrap();
    let mut z = gpu.zeros::<f32>(4).unwrap();
    add(&x.slice(0..2).unwrap(), &x.slice(2..4).unwrap(), &mut z.slice_mut(1..3).unwrap()).over(2).launch().unwrap();
    assert_eq!(z.to_host().unwrap(), [0.0, 4.0, 6.0, 0.0]);
}

#[test]
fn atomics_count_every_thread() {
    let (gpu, _one) = device();
    let mut counters = gpu.zeros::<u32>(1).unwrap();
    count(&mut counters).over(1000).block(100).launch().unwrap();
    count(&mut counters).grid((2, 3)).block((4, 5)).launch().unwrap();
    count(&mut counters).over((2, 3, 4)).block((4, 3, 2)).launch().unwrap();
    assert_eq!(counters.to_host().unwrap(), [1000 + 120 + 24]);
}

#[test]
fn streams_that_share_a_buffer_are_ordered() {
    let (gpu, _one) = device();
    let (one, two) = (gpu.new_stream().unwrap(), gpu.new_stream().unwrap());
    let n = 1 << 16;
    let x = gpu.to_device(&vec![1.0f32; n]).unwrap();
    let (mut a, mut b) = (gpu.zeros::<f32>(n).unwrap(), gpu.zeros::<f32>(n).unwrap());
    for _ in 0..20 {
        add(&x, &b, &mut a).over(n).on(&one).launch().unwrap();
        add(&x, &a, &mut b).over(n).on(&two).launch().unwrap();
    }
    assert_eq!(b.to_host().unwrap(), vec![40.0; n]);
    one.synchronize().unwrap();
    two.synchronize().unwrap();
}

#[test]
fn buffer_dropped_after_a_launch_is_freed_behind_it() {
    let (gpu, _one) = device();
    let stream = gpu.new_stream().unwrap();
    let n = 1 << 16;
    let mut z = gpu.zeros::<f32>(n).unwrap();
    let x = gpu.to_device(&vec![1.0f32; n]).unwrap();
    for _ in 0..50 {
        let y = gpu.to_device(&vec![2.0f32; n]).unwrap();
        add(&x, &y, &mut z).over(n).on(&stream).launch().unwrap();
        drop(y);
        // What takes the place of `y` must not be seen by the launch.
        drop(gpu.to_device(&vec![9.0f32; n]).unwrap());
    }
    assert_eq!(z.to_host().unwrap(), vec![3.0; n]);
}

#[test]
fn events_measure_and_order() {
    let (gpu, _one) = device();
    let (one, two) = (gpu.new_stream().unwrap(), gpu.new_stream().unwrap());
    let mut counters = gpu.zeros::<u32>(1).unwrap();
    let start = one.record().unwrap();
    count(&mut counters).over(10_000).block(100).on(&one).launch().unwrap();
    let end = one.record().unwrap();
    two.wait(&end).unwrap();
    count(&mut counters).over(10_000).block(100).on(&two).launch().unwrap();
    let milliseconds = start.elapsed(&end).unwrap();
    assert!(milliseconds > 0.0 && milliseconds < 60_000.0, "{milliseconds}");
    assert_eq!(counters.to_host().unwrap(), [20_000]);
}

#[test]
fn many_threads_launch_at_once() {
    let (gpu, _one) = device();
    std::thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                let stream = gpu.new_stream().unwrap();
                let mut counters = gpu.zeros::<u32>(1).unwrap();
                for i in 0..100 {
                    let launch = count(&mut counters).grid(1).block(32);
                    if i % 2 == 0 { launch.on(&stream).launch() } else { launch.launch() }.unwrap();
                }
                assert_eq!(counters.to_host().unwrap(), [100 * 32]);
            });
        }
    });
}

#[test]
fn panic_is_reported_by_the_next_synchronization_and_the_device_goes_on() {
    let (gpu, _one) = device();
    boom(&gpu, 1, common::BOOM).grid(2).block(32).launch().unwrap();
    let panic = panic_of(gpu.synchronize());
    assert_eq!(panic.kernel, "tests::boom");
    assert_eq!((panic.file.as_str(), panic.line, panic.column, panic.threads), ("src/boom.r", 12, 9, 64));
    assert_eq!(panic.message, "index out of bounds: the len is 10 but the index is 11");
    assert!(panic.block.x < 2 && panic.thread.x < 32);
    assert!(panic.to_string().ends_with("(and 63 more threads)"), "{panic}");
    gpu.synchronize().unwrap();
    // A fixed text stays on the device until the host reads it.
    boom(&gpu, 0, common::BOOM).grid(1).block(1).launch().unwrap();
    assert_eq!(panic_of(gpu.default_stream().synchronize()).message, "no banana");
    gpu.synchronize().unwrap();
}

#[test]
fn panic_is_reported_by_copies_to_the_host_and_events() {
    let (gpu, _one) = device();
    let buffer = gpu.to_device(&[1, 2]).unwrap();
    boom(&gpu, 0, common::BOOM).grid(1).block(1).launch().unwrap();
    assert!(matches!(buffer.to_host(), Err(Error::Panic(_))));
    assert_eq!(buffer.to_host().unwrap(), [1, 2]);
    boom(&gpu, 0, common::BOOM).grid(1).block(1).launch().unwrap();
    assert!(matches!(buffer.read_into(&mut [0; 2]), Err(Error::Panic(_))));
    boom(&gpu, 0, common::BOOM).grid(1).block(1).launch().unwrap();
    let event = gpu.default_stream().record().unwrap();
    assert!(matches!(event.synchronize(), Err(Error::Panic(_))));
    gpu.synchronize().unwrap();
}

#[test]
fn panic_in_a_shared_function_names_all_kernels_that_ran() {
    let (gpu, _one) = device();
    gpu.synchronize().unwrap();
    let mut counters = gpu.zeros::<u32>(1).unwrap();
    count(&mut counters).grid(1).block(1).launch().unwrap();
    boom(&gpu, 0, u32::MAX).grid(1).block(1).launch().unwrap();
    assert_eq!(panic_of(gpu.synchronize()).kernel, "tests::boom, tests::count");
    boom(&gpu, 0, u32::MAX).grid(1).block(1).launch().unwrap();
    assert_eq!(panic_of(gpu.synchronize()).kernel, "tests::boom");
}

#[test]
fn fault_of_the_simulator_is_an_error_of_the_launch() {
    let gpu = Device::simulator().unwrap();
    let x = gpu.to_device(&[1u32]).unwrap();
    // SAFETY: the simulator finds that the address is far beyond the buffer, and stores nothing.
    let launch = unsafe { scatter(x.as_pointer().wrapping_offset(1 << 30)) };
    let error = launch.on(&gpu.default_stream()).grid(1).block(1).launch().unwrap_err();
    let Error::Fault(fault) = error else { panic!("{error}") };
    assert_eq!((fault.kernel.as_str(), fault.block, fault.thread), ("tests::scatter", Dim3::new(0, 0, 0), Dim3::new(0, 0, 0)));
    assert!(fault.to_string().starts_with("kernel `tests::scatter` faulted in block (0, 0, 0), thread (0, 0, 0) at "), "{fault}");
    assert_eq!(x.to_host().unwrap(), [1]);
}

#[test]
fn pointer_argument_is_an_address() {
    let (gpu, _one) = device();
    let x = gpu.to_device(&[1u32, 2, 3]).unwrap();
    // SAFETY: the address is that of the second element.
    let launch = unsafe { scatter(x.as_pointer().wrapping_offset(1)) };
    launch.on(&gpu.default_stream()).grid(1).block(1).launch().unwrap();
    assert_eq!(x.to_host().unwrap(), [1, 7, 3]);
}

#[test]
fn impossible_launches_are_named() {
    use LaunchProblem as P;
    let (gpu, _one) = device();
    let stream = gpu.default_stream();
    let mut c = gpu.zeros::<u32>(1).unwrap();
    assert_eq!(problem(count(&mut c).launch()), P::NoExtent);
    assert_eq!(problem(count(&mut c).grid(1).launch()), P::NoBlock);
    assert_eq!(problem(count(&mut c).block(1).launch()), P::NoGrid);
    assert_eq!(problem(count(&mut c).over(1).grid(1).launch()), P::ExtentAndGrid);
    assert!(matches!(problem(count(&mut c).grid(0).block(1).launch()), P::ZeroSize { what: "grid", .. }));
    assert!(matches!(problem(count(&mut c).grid(1).block((4, 0)).launch()), P::ZeroSize { what: "block", .. }));
    assert!(matches!(problem(count(&mut c).grid(1).block((32, 33)).launch()), P::BlockTooLarge { threads: 1056, limit: 1024, .. }));
    assert!(matches!(problem(count(&mut c).grid(1).block((1, 1, 65)).launch()), P::ExtentTooLarge { what: "block", axis: 'z', .. }));
    assert!(matches!(problem(count(&mut c).grid((1, 65_536)).block(1).launch()), P::ExtentTooLarge { what: "grid", axis: 'y', .. }));
    assert!(matches!(problem(count(&mut c).over(1).shared_bytes(1 << 20).launch()), P::SharedMemory { dynamic: 1_048_576, .. }));
    let bound = problem(bounded().on(&stream).grid(1).block(65).launch());
    assert!(matches!(bound, P::BlockTooLarge { limit: 64, by_kernel: true, .. }), "{bound}");
    assert_eq!(problem(bounded().grid(1).block(1).launch()), P::NoDevice);
    bounded().on(&stream).over(1000).launch().unwrap();
    let huge = problem(huge().on(&stream).over(1).launch());
    assert!(matches!(huge, P::ParametersTooLarge { bytes: 40_000, limit: 32_764 }), "{huge}");
    gpu.synchronize().unwrap();
}

#[test]
fn one_dimensional_kernel_refuses_a_config_with_two() {
    let (gpu, _one) = device();
    let x = gpu.to_device(&[1.0f32]).unwrap();
    let mut z = gpu.zeros::<f32>(1).unwrap();
    let config = LaunchConfig { grid_dim: Dim3::new(1, 1, 1), block_dim: Dim3::new(8, 8, 1), shared_mem_bytes: 0 };
    let found = problem(add(&x, &x, &mut z).config(config).launch());
    assert!(matches!(found, LaunchProblem::TooManyDimensions { what: "block", dimensions: 1, .. }));
}

#[test]
fn written_argument_that_overlaps_another_is_refused() {
    let (gpu, _one) = device();
    let x = gpu.to_device(&[1.0f32; 8]).unwrap();
    let mut whole = gpu.zeros::<f32>(8).unwrap();
    let mut part = gpu.zeros::<f32>(0).unwrap();
    std::mem::swap(&mut *whole.slice_mut(4..8).unwrap(), &mut part);
    let found = problem(add(&x, &part, &mut whole).over(4).launch());
    assert_eq!(found, LaunchProblem::Overlap { first: 2, second: 3 });
    add(&x, &part, &mut whole.slice_mut(0..4).unwrap()).over(4).launch().unwrap();
}

#[test]
fn atomics_beside_plain_values_are_two_buffers() {
    let (gpu, _one) = device();
    let (mut a, b) = (gpu.zeros::<u32>(4).unwrap(), gpu.zeros::<u32>(4).unwrap());
    mixed(&mut a, &b).over(1).launch().unwrap();
    let mut part = gpu.zeros::<u32>(0).unwrap();
    std::mem::swap(&mut *a.slice_mut(..2).unwrap(), &mut part);
    assert_eq!(problem(mixed(&mut part, &a).over(1).launch()), LaunchProblem::Overlap { first: 1, second: 2 });
    mixed(&mut part, &a.slice(2..).unwrap()).over(1).launch().unwrap();
}

#[test]
fn arguments_of_two_devices_are_refused() {
    let (one, two) = (Device::simulator().unwrap(), Device::simulator().unwrap());
    let (x, y) = (one.to_device(&[1.0f32]).unwrap(), two.to_device(&[1.0f32]).unwrap());
    let mut z = one.zeros::<f32>(1).unwrap();
    let error = add(&x, &y, &mut z).over(1).launch().unwrap_err();
    assert!(matches!(&error, Error::DeviceMismatch { what, .. } if what == "argument 2"), "{error}");
    let error = add(&x, &x, &mut z).over(1).on(&two.default_stream()).launch().unwrap_err();
    assert!(matches!(&error, Error::DeviceMismatch { what, .. } if what == "argument 1"), "{error}");
}

#[test]
fn kernel_without_device_code_is_named_with_the_cure() {
    let (gpu, _one) = device();
    let error = unknown().on(&gpu.default_stream()).over(1).launch().unwrap_err();
    assert!(matches!(&error, Error::NoDeviceCode { kernel, .. } if kernel == "tests::unknown"));
    assert!(error.to_string().contains("cargo check") && error.to_string().contains("tests/common/mod.rs:1:1"), "{error}");
}

#[test]
fn code_that_does_not_load_is_named_with_the_log() {
    let (gpu, _one) = device();
    let error = broken().on(&gpu.default_stream()).over(1).launch().unwrap_err();
    assert!(matches!(&error, Error::Load { krate, log, .. } if krate == "broken" && !log.is_empty()), "{error}");
}

#[test]
fn arguments_that_the_entry_does_not_take_are_an_internal_error() {
    let (gpu, _one) = device();
    let error = misdescribed().on(&gpu.default_stream()).over(1).launch().unwrap_err();
    assert!(matches!(error, Error::Internal(_)), "{error}");
}
