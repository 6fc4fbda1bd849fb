//! Helpers of the tests.
#![allow(dead_code, reason = "each test uses its part")]
#![allow(clippy::result_large_err, reason = "faults are what the tests are about")]

pub(crate) mod instructions;
pub(crate) mod operands;

use threadwise_abi::Dim3;
use threadwise_sim::{Fault, Kernel, LaunchConfig, LaunchReport, Simulator};

/// A module with this text behind its header.
pub(crate) fn module(body: &str) -> String {
    format!(".version 8.0\n.target sm_80\n.address_size 64\n{body}")
}

/// Loads a module of one kernel, `k`.
pub(crate) fn kernel(device: &Simulator, body: &str) -> Kernel {
    let module = device.load(&module(body)).unwrap_or_else(|error| panic!("{error}"));
    module.kernel("k").expect("the module has a kernel `k`")
}

pub(crate) fn config(grid: impl Into<Dim3>, block: impl Into<Dim3>) -> LaunchConfig {
    LaunchConfig { grid: grid.into(), block: block.into(), shared_bytes: 0 }
}

pub(crate) fn buffer_u32(device: &Simulator, values: &[u32]) -> u64 {
    let address = device.allocate(4 * values.len() as u64).expect("memory");
    device.write(address, &values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>()).expect("in bounds");
    address
}

pub(crate) fn buffer_f32(device: &Simulator, values: &[f32]) -> u64 {
    buffer_u32(device, &values.iter().map(|v| v.to_bits()).collect::<Vec<_>>())
}

pub(crate) fn read_u32(device: &Simulator, address: u64, count: usize) -> Vec<u32> {
    let mut bytes = vec![0; 4 * count];
    device.read(address, &mut bytes).expect("in bounds");
    bytes.as_chunks::<4>().0.iter().map(|&b| u32::from_le_bytes(b)).collect()
}

pub(crate) fn read_u64(device: &Simulator, address: u64, count: usize) -> Vec<u64> {
    let mut bytes = vec![0; 8 * count];
    device.read(address, &mut bytes).expect("in bounds");
    bytes.as_chunks::<8>().0.iter().map(|&b| u64::from_le_bytes(b)).collect()
}

pub(crate) fn read_f32(device: &Simulator, address: u64, count: usize) -> Vec<f32> {
    read_u32(device, address, count).into_iter().map(f32::from_bits).collect()
}

/// Parameters that are all 64 bits wide.
pub(crate) fn words(values: &[u64]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

/// Runs `k` with one output buffer of `count` words as its only parameter and returns the words.
pub(crate) fn run(body: &str, grid: impl Into<Dim3>, block: impl Into<Dim3>, count: usize) -> Result<Vec<u32>, Fault> {
    let device = Simulator::new();
    let kernel = kernel(&device, body);
    let out = buffer_u32(&device, &vec![0; count]);
    let _: LaunchReport = device.launch(&kernel, &config(grid, block), &words(&[out]))?;
    Ok(read_u32(&device, out, count))
}

/// A kernel of one block: `%r1` is the thread's index, `%rd1` the output, and what the body leaves in `%r2` is written to `out[index]`.
pub(crate) fn per_thread(declarations: &str, body: &str) -> String {
    format!(
        "{declarations}
.visible .entry k(.param .u64 out)
{{
	.reg .pred %p<20>;
	.reg .b16 %rs<20>;
	.reg .b32 %r<40>;
	.reg .b64 %rd<40>;
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, 0;
	ld.param.u64 %rd1, [out];
{body}
	mul.wide.u32 %rd2, %r1, 4;
	add.s64 %rd3, %rd1, %rd2;
	st.global.b32 [%rd3], %r2;
	ret;
}}"
    )
}
