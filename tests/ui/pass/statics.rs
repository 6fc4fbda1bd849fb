use threadwise::prelude::*;

#[device]
static HITS: AtomicU32 = AtomicU32::new(0);

#[device]
pub(crate) static mut SCALE: f32 = 1.0;

#[device]
static WEIGHTS: [f32; 2] = [1.0, 2.0];

fn main() -> threadwise::Result<()> {
    let gpu = Device::simulator()?;
    let hits: GlobalRef<HITS> = gpu.global()?;
    hits.write(&7)?;
    gpu.global::<SCALE>()?.write(&2.0)?;
    assert_eq!((hits.read()?, gpu.global::<SCALE>()?.read()?), (7, 2.0));
    assert_eq!(gpu.global::<WEIGHTS>()?.read()?, WEIGHTS);
    Ok(())
}
