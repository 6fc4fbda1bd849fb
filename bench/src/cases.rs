//! The problems: buffers, launches of both sides, and the host's own result.

mod decay;
mod matmul;
mod nbody;
mod reduce;
mod saxpy;

use threadwise::Device;

use crate::Result;
use crate::peer::PeerLaunch;

/// The kernels, in the order of the table.
pub(crate) const NAMES: [&str; 5] = ["decay", "saxpy", "reduce", "matmul", "nbody"];

/// How large a problem is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scale {
    /// For the simulator and the comparison with the host.
    Small,
    /// For the clock.
    Large,
}

/// A problem with its buffers on the device, which both sides use.
pub(crate) trait Case {
    /// The problem's size in words.
    fn size(&self) -> String;
    /// Gives the output the values that a first launch finds.
    fn reset(&mut self) -> Result<()>;
    /// Enqueues a launch of the Rust kernel.
    fn launch(&mut self) -> Result<()>;
    /// The same launch of the CUDA C++ kernel.
    fn peer_launch(&self) -> PeerLaunch;
    /// What the last launch gave.
    fn output(&self) -> Result<Vec<f32>>;
    /// What a first launch should give.
    fn reference(&self) -> Vec<f64>;
    /// The largest difference from the reference, as a fraction of the reference's largest value.
    fn tolerance(&self) -> f64;
}

/// The problem of that name.
pub(crate) fn prepare(name: &str, device: &Device, scale: Scale) -> Result<Box<dyn Case>> {
    Ok(match name {
        "decay" => Box::new(decay::Decay::new(device, scale)?),
        "saxpy" => Box::new(saxpy::Saxpy::new(device, scale)?),
        "reduce" => Box::new(reduce::Reduce::new(device, scale)?),
        "matmul" => Box::new(matmul::Matmul::new(device, scale)?),
        "nbody" => Box::new(nbody::NBody::new(device, scale)?),
        _ => return Err(format!("there is no kernel {name}; there are {}", NAMES.join(", ")).into()),
    })
}

/// `n` numbers in [0, 1), the same for the same seed (Steele, Lea and Flood's splitmix64, upper 24 bits).
fn random(seed: u64, n: usize) -> Vec<f32> {
    let mut state = seed;
    std::iter::repeat_with(|| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 40) as f32 / (1 << 24) as f32
    })
    .take(n)
    .collect()
}
