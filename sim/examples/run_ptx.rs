//! Runs a kernel of a PTX file on the simulator.
//!
//! ```text
//! run_ptx FILE.ptx                                   lists the kernels
//! run_ptx FILE.ptx KERNEL GRID BLOCK [ARGUMENT]...   runs one
//! ```
//!
//! GRID and BLOCK are extents such as `4096` or `16x16`; a `shared=BYTES` among the arguments sets dynamic shared memory. The others are
//! parameters in order, each at its natural alignment:
//!
//! | argument | parameter |
//! |---|---|
//! | `f32:1.5`, `f64:1.5`, `u8:3`, `u16:3`, `u32:3`, `u64:3` | a scalar |
//! | `zeros:BYTES` | pointer to that many zero bytes |
//! | `ramp:COUNT` | pointer to the `f32`s 0, 1/COUNT, 2/COUNT … |
//! | `iota:COUNT` | pointer to the `u32`s 0, 1, 2 … |
//!
//! The first eight words of each buffer are printed afterwards, as hexadecimal numbers and as floats.

use std::error::Error;
use std::time::Instant;

use threadwise_abi::Dim3;
use threadwise_sim::{LaunchConfig, Simulator};

fn extent(text: &str) -> Result<Dim3, Box<dyn Error>> {
    let mut sizes = [1; 3];
    for (size, part) in sizes.iter_mut().zip(text.split('x')) {
        *size = part.parse()?;
    }
    Ok(Dim3::new(sizes[0], sizes[1], sizes[2]))
}

/// Bytes of a parameter, and the buffer that it points to.
fn argument(device: &Simulator, text: &str) -> Result<(Vec<u8>, Option<u64>), Box<dyn Error>> {
    let (kind, value) = text.split_once(':').ok_or_else(|| format!("`{text}` is no argument"))?;
    let buffer = |bytes: &[u8]| -> Result<_, Box<dyn Error>> {
        let address = device.allocate(bytes.len() as u64)?;
        device.write(address, bytes)?;
        Ok((address.to_le_bytes().to_vec(), Some(address)))
    };
    Ok(match kind {
        "f32" => (value.parse::<f32>()?.to_le_bytes().to_vec(), None),
        "f64" => (value.parse::<f64>()?.to_le_bytes().to_vec(), None),
        "u8" => (value.parse::<u8>()?.to_le_bytes().to_vec(), None),
        "u16" => (value.parse::<u16>()?.to_le_bytes().to_vec(), None),
        "u32" => (value.parse::<u32>()?.to_le_bytes().to_vec(), None),
        "u64" => (value.parse::<u64>()?.to_le_bytes().to_vec(), None),
        "zeros" => {
            let address = device.allocate(value.parse()?)?;
            (address.to_le_bytes().to_vec(), Some(address))
        }
        "ramp" => {
            let count: u32 = value.parse()?;
            buffer(&(0..count).flat_map(|i| (i as f32 / count as f32).to_le_bytes()).collect::<Vec<_>>())?
        }
        "iota" => buffer(&(0..value.parse::<u32>()?).flat_map(u32::to_le_bytes).collect::<Vec<_>>())?,
        _ => return Err(format!("`{kind}` is no kind of argument").into()),
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let device = Simulator::new();
    let (file, rest) = args.split_first().ok_or("usage: run_ptx FILE.ptx [KERNEL GRID BLOCK [ARGUMENT]...]")?;
    let module = device.load(&std::fs::read_to_string(file)?)?;
    let [name, grid, block, arguments @ ..] = rest else {
        for name in module.kernel_names() {
            println!("{name}");
        }
        return Ok(());
    };
    let kernel = module.kernel(name).ok_or_else(|| format!("{file} has no kernel `{name}`"))?;
    let mut config = LaunchConfig { grid: extent(grid)?, block: extent(block)?, shared_bytes: 0 };
    let (mut parameters, mut buffers) = (Vec::new(), Vec::new());
    for text in arguments {
        if let Some(bytes) = text.strip_prefix("shared=") {
            config.shared_bytes = bytes.parse()?;
            continue;
        }
        let (bytes, address) = argument(&device, text)?;
        parameters.resize(parameters.len().next_multiple_of(bytes.len()), 0);
        parameters.extend(bytes);
        buffers.extend(address.map(|address| (text, address)));
    }
    parameters.resize(kernel.parameter_bytes().max(parameters.len()), 0);
    let start = Instant::now();
    let report = device.launch(&kernel, &config, &parameters)?;
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{} threads, {} instructions in {seconds:.3} s: {:.0} million instructions per second",
        report.threads,
        report.thread_instructions,
        report.thread_instructions as f64 / seconds / 1e6
    );
    for (text, address) in buffers {
        let mut words = Vec::new();
        let mut bytes = [0; 4];
        for i in 0..8 {
            if device.read(address + 4 * i, &mut bytes).is_err() {
                break;
            }
            words.push(u32::from_le_bytes(bytes));
        }
        let floats: Vec<f32> = words.iter().map(|&word| f32::from_bits(word)).collect();
        println!("{text}: {words:x?} {floats:?}");
    }
    Ok(())
}
