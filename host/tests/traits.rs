//! Which types may cross threads.

use threadwise_host::{
    Device, DeviceBuffer, DeviceBuffer2D, DeviceBuffer3D, DevicePointer, DeviceSlice, DeviceSliceMut, Error, Event, KernelFault,
    KernelPanic, LaunchConfig, LaunchProblem, MemoryInfo, Stream,
};

fn assert_send_sync<T: Send + Sync>() {}

#[test]
fn all_public_types_are_send_and_sync() {
    assert_send_sync::<Device>();
    assert_send_sync::<Stream>();
    assert_send_sync::<Event>();
    assert_send_sync::<DeviceBuffer<f32>>();
    assert_send_sync::<DeviceBuffer2D<f32>>();
    assert_send_sync::<DeviceBuffer3D<f32>>();
    assert_send_sync::<DeviceSlice<'static, f32>>();
    assert_send_sync::<DeviceSliceMut<'static, f32>>();
    assert_send_sync::<DevicePointer<f32>>();
    assert_send_sync::<Error>();
    assert_send_sync::<KernelPanic>();
    assert_send_sync::<KernelFault>();
    assert_send_sync::<LaunchConfig>();
    assert_send_sync::<LaunchProblem>();
    assert_send_sync::<MemoryInfo>();
}

#[test]
fn error_is_a_standard_error_that_main_can_return() {
    fn boxed(error: Error) -> Box<dyn std::error::Error + Send + Sync + 'static> {
        error.into()
    }
    let error = Device::simulator().unwrap().to_device(&[1, 2, 3]).unwrap().slice(2..5).unwrap_err();
    assert!(boxed(error).to_string().contains("2..5"));
}
