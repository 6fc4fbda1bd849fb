use threadwise::{Device, DeviceBuffer};

use super::{Case, Scale, random};
use crate::Result;
use crate::kernels::{self, Body, NBODY_BLOCK, SOFTENING};
use crate::peer::{Argument, PeerLaunch};

const NOWHERE: Body = Body { x: 0.0, y: 0.0, z: 0.0, m: 0.0 };

/// The acceleration of each body by all others.
pub(super) struct NBody {
    n: usize,
    bodies: DeviceBuffer<Body>,
    acceleration: DeviceBuffer<Body>,
}

/// Bodies in a cube, each of mass below 1.
fn bodies(n: usize) -> Vec<Body> {
    random(6, 4 * n).as_chunks().0.iter().map(|&[x, y, z, m]| Body { x, y, z, m }).collect()
}

impl NBody {
    pub(super) fn new(device: &Device, scale: Scale) -> Result<Self> {
        let n = match scale {
            Scale::Small => 2 * NBODY_BLOCK,
            Scale::Large => 65_536,
        };
        Ok(NBody { n, bodies: device.to_device(&bodies(n))?, acceleration: device.to_device(&vec![NOWHERE; n])? })
    }

    fn blocks(&self) -> u32 {
        (self.n / NBODY_BLOCK) as u32
    }
}

impl Case for NBody {
    fn size(&self) -> String {
        format!("{} bodies", self.n)
    }

    fn reset(&mut self) -> Result<()> {
        Ok(self.acceleration.copy_from(&vec![NOWHERE; self.n])?)
    }

    fn launch(&mut self) -> Result<()> {
        let blocks = self.blocks();
        Ok(kernels::nbody(&self.bodies, &mut self.acceleration).grid(blocks).block(NBODY_BLOCK as u32).launch()?)
    }

    fn peer_launch(&self) -> PeerLaunch {
        PeerLaunch {
            kernel: "nbody",
            grid: (self.blocks(), 1, 1),
            block: (NBODY_BLOCK as u32, 1, 1),
            arguments: vec![
                Argument::Pointer(self.bodies.as_pointer().address()),
                Argument::Pointer(self.acceleration.as_pointer().address()),
                Argument::Size(self.n),
            ],
        }
    }

    fn output(&self) -> Result<Vec<f32>> {
        Ok(self.acceleration.to_host()?.into_iter().flat_map(|a| [a.x, a.y, a.z]).collect())
    }

    fn reference(&self) -> Vec<f64> {
        let bodies = bodies(self.n);
        let pull = |me: &Body| {
            bodies.iter().fold([0.0; 3], |sum, other| {
                let apart = [other.x - me.x, other.y - me.y, other.z - me.z].map(f64::from);
                let square: f64 = apart.iter().map(|d| d * d).sum::<f64>() + f64::from(SOFTENING);
                let factor = f64::from(other.m) / (square * square.sqrt());
                std::array::from_fn(|i| sum[i] + factor * apart[i])
            })
        };
        bodies.iter().flat_map(pull).collect()
    }

    fn tolerance(&self) -> f64 {
        1e-5
    }
}
