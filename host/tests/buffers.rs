//! Device memory. Runs on the device that `THREADWISE_DEVICE` names, as `Device::new` does.

use threadwise_host::{Device, Error};

fn device() -> Device {
    Device::new().unwrap()
}

#[test]
fn values_come_back_as_they_went() {
    let gpu = device();
    for len in [0usize, 1, 31, 32, 33, 255, 256, 257, 1024, 100_000] {
        let values: Vec<u32> = (0..len as u32).map(|i| i.wrapping_mul(0x9e37_79b9)).collect();
        let buffer = gpu.to_device(&values).unwrap();
        assert_eq!((buffer.len(), buffer.is_empty()), (len, len == 0));
        assert_eq!(buffer.to_host().unwrap(), values);
    }
}

#[test]
fn elements_with_padding_and_without_size_come_back() {
    let gpu = device();
    let padded = [(1u8, 2u64), (3, u64::MAX)];
    assert_eq!(gpu.to_device(&padded).unwrap().to_host().unwrap(), padded);
    let units = gpu.to_device(&[(); 5]).unwrap();
    assert_eq!(units.to_host().unwrap().len(), 5);
    assert_eq!(units.slice(1..3).unwrap().len(), 2);
}

#[test]
fn zeros_are_zero_after_the_memory_was_used() {
    let gpu = device();
    for _ in 0..3 {
        drop(gpu.to_device(&[u64::MAX; 1000]).unwrap());
        assert_eq!(gpu.zeros::<u64>(1000).unwrap().to_host().unwrap(), [0; 1000]);
    }
}

#[test]
fn copies_replace_all_elements() {
    let gpu = device();
    let mut a = gpu.to_device(&[1, 2, 3]).unwrap();
    let b = gpu.to_device(&[4, 5, 6]).unwrap();
    a.copy_from(&[7, 8, 9]).unwrap();
    assert_eq!(a.to_host().unwrap(), [7, 8, 9]);
    a.copy_from_device(&b).unwrap();
    let mut host = [0; 3];
    a.read_into(&mut host).unwrap();
    assert_eq!(host, [4, 5, 6]);
}

#[test]
fn wrong_length_is_an_error_that_names_both() {
    let gpu = device();
    let mut a = gpu.to_device(&[1, 2, 3]).unwrap();
    let b = gpu.to_device(&[1, 2]).unwrap();
    for error in [a.copy_from(&[1, 2]).unwrap_err(), a.copy_from_device(&b).unwrap_err(), a.read_into(&mut [0, 0]).unwrap_err()] {
        assert!(matches!(error, Error::LengthMismatch { device: 3, other: 2, .. }), "{error}");
        assert!(error.to_string().contains("has 3 elements") && error.to_string().contains("has 2"), "{error}");
    }
}

#[test]
fn slices_are_parts() {
    let gpu = device();
    let mut a = gpu.to_device(&[0, 1, 2, 3, 4, 5]).unwrap();
    assert_eq!(a.slice(2..4).unwrap().to_host().unwrap(), [2, 3]);
    assert_eq!(a.slice(..).unwrap().len(), 6);
    assert_eq!(a.slice(4..=5).unwrap().to_host().unwrap(), [4, 5]);
    assert!(a.slice(6..).unwrap().is_empty());
    assert_eq!(a.slice(1..).unwrap().slice(1..3).unwrap().to_host().unwrap(), [2, 3]);
    a.slice_mut(1..3).unwrap().copy_from(&[10, 20]).unwrap();
    assert_eq!(a.to_host().unwrap(), [0, 10, 20, 3, 4, 5]);
}

#[test]
fn slice_beyond_the_end_is_an_error() {
    let gpu = device();
    let mut a = gpu.to_device(&[0u8; 4]).unwrap();
    for error in [
        a.slice(2..5).unwrap_err(),
        a.slice(5..).unwrap_err(),
        a.slice(..=usize::MAX).unwrap_err(),
        a.slice(std::ops::Range { start: 3, end: 2 }).unwrap_err(),
    ] {
        assert!(matches!(error, Error::OutOfRange { len: 4, .. }), "{error}");
    }
    assert!(matches!(a.slice_mut(0..5), Err(Error::OutOfRange { start: 0, end: 5, len: 4 })));
}

#[test]
fn slice_outlives_nothing_it_needs() {
    let gpu = device();
    let mut kept = gpu.zeros::<i32>(0).unwrap();
    {
        let mut whole = gpu.to_device(&[1, 2, 3, 4]).unwrap();
        // A part can be swapped out of its borrow: it keeps the memory.
        std::mem::swap(&mut *whole.slice_mut(1..3).unwrap(), &mut kept);
        assert!(matches!(whole.slice_mut(1..3).unwrap().copy_from_device(&kept), Err(Error::OverlappingCopy)));
    }
    assert_eq!(kept.to_host().unwrap(), [2, 3]);
}

#[test]
fn shaped_buffers_are_row_major() {
    let gpu = device();
    let a = gpu.to_device_2d(&[1, 2, 3, 4, 5, 6], 2, 3).unwrap();
    assert_eq!((a.rows(), a.cols(), a.shape(), a.len()), (2, 3, (2, 3), 6));
    assert_eq!(a.slice(a.cols()..).unwrap().to_host().unwrap(), [4, 5, 6]);
    let b = gpu.zeros_3d::<f64>(2, 3, 4).unwrap();
    assert_eq!((b.planes(), b.rows(), b.cols(), b.shape()), (2, 3, 4, (2, 3, 4)));
    assert_eq!(b.to_host().unwrap(), [0.0; 24]);
    let c = a.into_flat().into_2d(3, 2).unwrap();
    assert_eq!(c.shape(), (3, 2));
}

#[test]
fn wrong_shape_is_an_error_that_names_it() {
    let gpu = device();
    let error = gpu.to_device_2d(&[1, 2, 3], 2, 2).unwrap_err();
    assert!(matches!(error, Error::ShapeMismatch { len: 3, expected: 4, .. }));
    assert!(error.to_string().contains("2 x 2"), "{error}");
    assert!(gpu.to_device(&[1, 2, 3, 4, 5, 6]).unwrap().into_3d(1, 2, 2).is_err());
}

#[test]
fn sizes_beyond_the_address_space_are_errors() {
    let gpu = device();
    assert!(matches!(gpu.zeros::<u64>(usize::MAX / 4), Err(Error::TooLarge { element_bytes: 8, .. })));
    assert!(matches!(gpu.zeros_2d::<u8>(usize::MAX, 2), Err(Error::TooLarge { .. })));
    assert!(matches!(gpu.zeros_3d::<u8>(1 << 30, 1 << 30, 1 << 30), Err(Error::TooLarge { .. })));
}

#[test]
fn more_than_the_memory_is_an_error_and_the_device_goes_on() {
    let gpu = device();
    let error = gpu.zeros::<u8>(1 << 45).unwrap_err();
    assert!(matches!(error, Error::OutOfMemory { bytes } if bytes == 1 << 45), "{error}");
    assert_eq!(gpu.to_device(&[5]).unwrap().to_host().unwrap(), [5]);
}

#[test]
fn simulator_counts_what_is_free() {
    let gpu = Device::simulator().unwrap();
    let before = gpu.memory_info().unwrap();
    assert_eq!(before.free, before.total);
    let buffer = gpu.zeros::<u8>(1000).unwrap();
    assert_eq!(gpu.memory_info().unwrap().free, before.free - 1000);
    drop(buffer);
    assert_eq!(gpu.memory_info().unwrap(), before);
}

#[test]
fn copy_between_devices_is_refused() {
    let (one, two) = (Device::simulator().unwrap(), Device::simulator().unwrap());
    let mut a = one.to_device(&[1]).unwrap();
    let b = two.to_device(&[2]).unwrap();
    assert!(matches!(a.copy_from_device(&b), Err(Error::DeviceMismatch { .. })));
    assert_ne!(one, two);
    assert_eq!(one, one.clone());
}

#[test]
fn over_aligned_elements_are_aligned() {
    #[derive(Clone, Copy)]
    #[repr(align(1024))]
    struct Page(#[expect(dead_code, reason = "only the alignment matters")] u8);
    // SAFETY: a number and no references.
    unsafe impl threadwise_device::DeviceCopy for Page {}
    let buffer = device().to_device(&[Page(1), Page(2)]).unwrap();
    assert_eq!(buffer.as_pointer().address() % 1024, 0);
}

#[test]
fn buffers_can_be_made_and_dropped_by_many_threads() {
    let gpu = device();
    std::thread::scope(|scope| {
        for t in 0..16u32 {
            let gpu = &gpu;
            scope.spawn(move || {
                for i in 0..50 {
                    let values = vec![t * 1000 + i; 300];
                    assert_eq!(gpu.to_device(&values).unwrap().to_host().unwrap(), values);
                }
            });
        }
    });
}

#[test]
fn names_of_other_crates_work() {
    use threadwise_host::DeviceBuffer;
    let gpu = device();
    assert_eq!(DeviceBuffer::from_host(&gpu, &[1, 2]).unwrap().to_host_vec().unwrap(), [1, 2]);
    assert_eq!(DeviceBuffer::<i32>::zeroed(&gpu, 2).unwrap().to_host_vec().unwrap(), [0, 0]);
}
