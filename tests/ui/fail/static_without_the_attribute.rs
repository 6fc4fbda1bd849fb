use threadwise::prelude::*;

static PLAIN: AtomicU32 = AtomicU32::new(0);

#[device]
static IMMUTABLE: [f32; 2] = [1.0, 2.0];

struct Host(std::sync::Mutex<u32>);

#[device]
static OF_THE_HOST: Host = Host(std::sync::Mutex::new(0));

#[device]
#[unsafe(no_mangle)]
static NAMED: u32 = 1;

fn main() -> threadwise::Result<()> {
    let gpu = Device::new()?;
    gpu.global::<PLAIN>()?;
    gpu.global::<IMMUTABLE>()?.write(&[0.0; 2])?;
    Ok(())
}
