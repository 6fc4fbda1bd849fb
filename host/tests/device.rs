//! Which device a program gets. Each case is a process of its own, because the environment is the process's.

use std::process::Command;

use threadwise_host::{Device, Error};

/// Marks the process that a case starts.
const CHILD: &str = "THREADWISE_TEST_CHILD";

/// What `Device::new` gives when the variable has that value.
fn device_for(value: &str) -> String {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "child", "--nocapture"]).env(CHILD, "1").env("THREADWISE_DEVICE", value);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn child() {
    if std::env::var_os(CHILD).is_some() {
        match Device::new() {
            Ok(device) => println!("device: {device}, simulator: {}", device.is_simulator()),
            Err(error) => println!("error: {error}"),
        }
    }
}

#[test]
fn variable_chooses_the_simulator() {
    assert!(device_for("sim").contains("simulator: true"));
}

#[test]
fn variable_with_a_bad_value_is_an_error_that_lists_the_good_ones() {
    let output = device_for("gpu0");
    assert!(output.contains("error: THREADWISE_DEVICE is `gpu0`") && output.contains("`cuda:N`"), "{output}");
}

#[test]
fn cuda_device_that_does_not_exist_is_an_error_with_the_cure() {
    let output = device_for("cuda:4096");
    assert!(output.contains("error: no CUDA device: ") && output.contains("THREADWISE_DEVICE=sim"), "{output}");
}

#[test]
fn cuda_device_is_one_device_or_a_clear_error() {
    match Device::cuda(0) {
        Ok(device) => {
            assert!(!device.is_simulator() && device.to_string().ends_with("(CUDA device 0)"));
            assert_eq!(device, Device::cuda(0).unwrap());
        }
        Err(error) => assert!(matches!(error, Error::NoCudaDevice { .. }), "{error}"),
    }
}

#[test]
fn simulator_is_a_new_device_each_time() {
    let (one, two) = (Device::simulator().unwrap(), Device::simulator().unwrap());
    assert!(one.is_simulator() && one.name() == "simulator");
    assert_ne!(one, two);
    assert_ne!(one.to_string(), two.to_string());
    one.synchronize().unwrap();
    one.new_stream().unwrap().synchronize().unwrap();
}
