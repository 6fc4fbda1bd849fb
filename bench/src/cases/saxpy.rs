use threadwise::{Device, DeviceBuffer};

use super::{Case, Scale, random};
use crate::Result;
use crate::kernels::{self, SAXPY_BLOCK};
use crate::peer::{Argument, PeerLaunch};

const A: f32 = 1.234;

/// y += a x.
pub(super) struct Saxpy {
    n: usize,
    x: DeviceBuffer<f32>,
    y: DeviceBuffer<f32>,
    first_y: DeviceBuffer<f32>,
}

impl Saxpy {
    pub(super) fn new(device: &Device, scale: Scale) -> Result<Self> {
        let n = match scale {
            Scale::Small => 10_001,
            Scale::Large => 1 << 28,
        };
        let x = device.to_device(&random(1, n))?;
        let first_y = device.to_device(&random(2, n))?;
        let mut y = device.zeros(n)?;
        y.copy_from_device(&first_y)?;
        Ok(Saxpy { n, x, y, first_y })
    }

    fn blocks(&self) -> u32 {
        (self.n as u32).div_ceil(SAXPY_BLOCK)
    }
}

impl Case for Saxpy {
    fn size(&self) -> String {
        format!("{} f32", self.n)
    }

    fn reset(&mut self) -> Result<()> {
        Ok(self.y.copy_from_device(&self.first_y)?)
    }

    fn launch(&mut self) -> Result<()> {
        let blocks = self.blocks();
        Ok(kernels::saxpy(&self.x, &mut self.y, A).grid(blocks).block(SAXPY_BLOCK).launch()?)
    }

    fn peer_launch(&self) -> PeerLaunch {
        PeerLaunch {
            kernel: "saxpy",
            grid: (self.blocks(), 1, 1),
            block: (SAXPY_BLOCK, 1, 1),
            arguments: vec![
                Argument::Pointer(self.x.as_pointer().address()),
                Argument::Pointer(self.y.as_pointer().address()),
                Argument::Size(self.n),
                Argument::Float(A),
            ],
        }
    }

    fn output(&self) -> Result<Vec<f32>> {
        Ok(self.y.to_host()?)
    }

    fn reference(&self) -> Vec<f64> {
        let value = |(x, y): (f32, f32)| f64::from(A) * f64::from(x) + f64::from(y);
        random(1, self.n).into_iter().zip(random(2, self.n)).map(value).collect()
    }

    fn tolerance(&self) -> f64 {
        1.2e-7
    }
}
