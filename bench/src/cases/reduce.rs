use threadwise::{Device, DeviceBuffer};

use super::{Case, Scale, random};
use crate::Result;
use crate::kernels::{self, REDUCE_BLOCK, REDUCE_GRID};
use crate::peer::{Argument, PeerLaunch};

/// Partial sums, one per block.
pub(super) struct Reduce {
    n: usize,
    x: DeviceBuffer<f32>,
    partial: DeviceBuffer<f32>,
}

impl Reduce {
    pub(super) fn new(device: &Device, scale: Scale) -> Result<Self> {
        let n = match scale {
            // Two elements for some threads, one for the others.
            Scale::Small => (REDUCE_GRID * REDUCE_BLOCK) as usize * 3 / 2 + 77,
            Scale::Large => 1 << 28,
        };
        let x = device.to_device(&random(3, n))?;
        Ok(Reduce { n, x, partial: device.zeros(REDUCE_GRID as usize)? })
    }
}

impl Case for Reduce {
    fn size(&self) -> String {
        format!("{} f32", self.n)
    }

    fn reset(&mut self) -> Result<()> {
        Ok(self.partial.copy_from(&[0.0; REDUCE_GRID as usize])?)
    }

    fn launch(&mut self) -> Result<()> {
        Ok(kernels::reduce(&self.x, &mut self.partial).grid(REDUCE_GRID).block(REDUCE_BLOCK).launch()?)
    }

    fn peer_launch(&self) -> PeerLaunch {
        PeerLaunch {
            kernel: "reduce",
            grid: (REDUCE_GRID, 1, 1),
            block: (REDUCE_BLOCK, 1, 1),
            arguments: vec![
                Argument::Pointer(self.x.as_pointer().address()),
                Argument::Size(self.n),
                Argument::Pointer(self.partial.as_pointer().address()),
            ],
        }
    }

    fn output(&self) -> Result<Vec<f32>> {
        Ok(self.partial.to_host()?)
    }

    fn reference(&self) -> Vec<f64> {
        let mut sums = vec![0.0; REDUCE_GRID as usize];
        for (i, x) in random(3, self.n).into_iter().enumerate() {
            sums[i / REDUCE_BLOCK as usize % REDUCE_GRID as usize] += f64::from(x);
        }
        sums
    }

    fn tolerance(&self) -> f64 {
        1e-6
    }
}
