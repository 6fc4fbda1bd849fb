//! The same five kernels in Rust and in CUDA C++, timed in one process, on the same buffers and with the same events.
//!
//! `threadwise-bench --cubins DIR` takes the CUDA C++ kernels from `DIR/NAME.cubin`, where `run.sh` puts them. Without a CUDA device, or with
//! `--check`, the kernels run once at a small size and are compared with the host's own result in double precision.

mod cases;
mod check;
mod kernels;
mod measure;
mod options;
mod peer;
mod report;

use std::process::ExitCode;

use threadwise::Device;

use crate::options::Options;
use crate::peer::Peer;

type Result<T, E = Box<dyn std::error::Error>> = std::result::Result<T, E>;

fn main() -> Result<ExitCode> {
    let options = Options::parse(std::env::args().skip(1))?;
    let device = Device::new()?;
    println!("device: {device}");
    let peer = if device.is_simulator() { None } else { Peer::load(&options.cubins)? };
    if options.check || device.is_simulator() {
        return check::run(&device, peer.as_ref(), &options);
    }
    println!("driver: {}", report::driver_version());
    if peer.is_none() {
        println!("no cubins in {}: only threadwise is measured", options.cubins.display());
    }
    let rows = measure::run(&device, peer.as_ref(), &options)?;
    report::print(&rows);
    if let Some(file) = &options.json {
        report::write_json(file, &device, &rows, &options)?;
    }
    Ok(ExitCode::SUCCESS)
}
