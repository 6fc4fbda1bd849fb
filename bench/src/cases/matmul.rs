use threadwise::{Device, DeviceBuffer, DeviceBuffer2D};

use super::{Case, Scale, random};
use crate::Result;
use crate::kernels::{self, TILE};
use crate::peer::{Argument, PeerLaunch};

/// c = a b.
pub(super) struct Matmul {
    n: usize,
    a: DeviceBuffer<f32>,
    b: DeviceBuffer<f32>,
    c: DeviceBuffer2D<f32>,
}

impl Matmul {
    pub(super) fn new(device: &Device, scale: Scale) -> Result<Self> {
        let n = match scale {
            Scale::Small => 2 * TILE,
            Scale::Large => 4096,
        };
        let (a, b) = (device.to_device(&random(4, n * n))?, device.to_device(&random(5, n * n))?);
        Ok(Matmul { n, a, b, c: device.zeros_2d(n, n)? })
    }

    fn tiles(&self) -> u32 {
        (self.n / TILE) as u32
    }
}

impl Case for Matmul {
    fn size(&self) -> String {
        format!("{0} x {0} f32", self.n)
    }

    fn reset(&mut self) -> Result<()> {
        self.c = self.c.device().zeros_2d(self.n, self.n)?;
        Ok(())
    }

    fn launch(&mut self) -> Result<()> {
        let (tiles, side) = (self.tiles(), TILE as u32);
        let launch = kernels::matmul(&self.a, &self.b, &mut self.c, self.n as u32);
        Ok(launch.grid((tiles, tiles)).block((side, side)).launch()?)
    }

    fn peer_launch(&self) -> PeerLaunch {
        PeerLaunch {
            kernel: "matmul",
            grid: (self.tiles(), self.tiles(), 1),
            block: (TILE as u32, TILE as u32, 1),
            arguments: vec![
                Argument::Pointer(self.a.as_pointer().address()),
                Argument::Pointer(self.b.as_pointer().address()),
                Argument::Pointer(self.c.as_pointer().address()),
                Argument::Unsigned(self.n as u32),
            ],
        }
    }

    fn output(&self) -> Result<Vec<f32>> {
        Ok(self.c.to_host()?)
    }

    fn reference(&self) -> Vec<f64> {
        let n = self.n;
        let (a, b) = (random(4, n * n), random(5, n * n));
        let value = |i: usize, j: usize| (0..n).map(|k| f64::from(a[i * n + k]) * f64::from(b[k * n + j])).sum();
        (0..n * n).map(|at| value(at / n, at % n)).collect()
    }

    fn tolerance(&self) -> f64 {
        1e-6
    }
}
