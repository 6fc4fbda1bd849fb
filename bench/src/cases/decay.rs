use threadwise::{Device, DeviceBuffer, DeviceBuffer2D};

use super::{Case, Scale};
use crate::Result;
use crate::kernels::{self, DECAY_BLOCK};
use crate::peer::{Argument, PeerLaunch};

const ALPHA: f32 = 0.5;

/// z = exp(-alpha (x² + y²)) over [-3, 3]².
pub(super) struct Decay {
    n: usize,
    axis: Vec<f32>,
    x: DeviceBuffer<f32>,
    y: DeviceBuffer<f32>,
    z: DeviceBuffer2D<f32>,
}

impl Decay {
    pub(super) fn new(device: &Device, scale: Scale) -> Result<Self> {
        let n = match scale {
            Scale::Small => 100,
            Scale::Large => 16384,
        };
        let axis: Vec<f32> = (0..n).map(|i| -3.0 + 6.0 * i as f32 / (n - 1) as f32).collect();
        let (x, y) = (device.to_device(&axis)?, device.to_device(&axis)?);
        Ok(Decay { n, axis, x, y, z: device.zeros_2d(n, n)? })
    }

    fn blocks(&self) -> u32 {
        (self.n as u32).div_ceil(DECAY_BLOCK)
    }
}

impl Case for Decay {
    fn size(&self) -> String {
        format!("{0} x {0} f32", self.n)
    }

    fn reset(&mut self) -> Result<()> {
        self.z = self.z.device().zeros_2d(self.n, self.n)?;
        Ok(())
    }

    fn launch(&mut self) -> Result<()> {
        let blocks = self.blocks();
        let launch = kernels::decay(&self.x, &self.y, &mut self.z, ALPHA);
        Ok(launch.grid((blocks, blocks)).block((DECAY_BLOCK, DECAY_BLOCK)).launch()?)
    }

    fn peer_launch(&self) -> PeerLaunch {
        PeerLaunch {
            kernel: "decay",
            grid: (self.blocks(), self.blocks(), 1),
            block: (DECAY_BLOCK, DECAY_BLOCK, 1),
            arguments: vec![
                Argument::Pointer(self.x.as_pointer().address()),
                Argument::Pointer(self.y.as_pointer().address()),
                Argument::Pointer(self.z.as_pointer().address()),
                Argument::Size(self.n),
                Argument::Size(self.n),
                Argument::Float(ALPHA),
            ],
        }
    }

    fn output(&self) -> Result<Vec<f32>> {
        Ok(self.z.to_host()?)
    }

    fn reference(&self) -> Vec<f64> {
        let square = |v: f32| f64::from(v) * f64::from(v);
        let value = |k: usize| (-f64::from(ALPHA) * (square(self.axis[k % self.n]) + square(self.axis[k / self.n]))).exp();
        (0..self.n * self.n).map(value).collect()
    }

    fn tolerance(&self) -> f64 {
        1e-6
    }
}
