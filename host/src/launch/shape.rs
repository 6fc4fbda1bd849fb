//! From what a launch was given to grid and block.

use threadwise_abi::{Dim3, MAX_BLOCK_DIM_Z, MAX_GRID_DIM_X, MAX_GRID_DIM_YZ, MAX_THREADS_PER_BLOCK, WARP_SIZE};

use super::extent::Extents;
use crate::error::{LaunchProblem, Result};
use crate::limits::Config;

/// What a launch was given.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Geometry {
    extents: Option<Extents>,
    pub(crate) grid: Option<Dim3>,
    pub(crate) block: Option<Dim3>,
    pub(crate) shared_bytes: u32,
}

impl Geometry {
    pub(crate) fn over(&mut self, extents: Extents) {
        self.extents = Some(extents);
    }

    /// Grid and block for a kernel of so many dimensions and at most so many threads per block; `None` when there is nothing to do.
    /// `suggest` finds a good number of threads up to a limit; its failure is the outer error.
    pub(crate) fn resolve(
        &self,
        dimensions: u32,
        max_threads: u32,
        suggest: impl FnOnce(u32) -> Result<u32>,
    ) -> Result<Result<Option<Config>, LaunchProblem>> {
        let block = match self.block {
            Some(block) => Some(block),
            None => match self.extents {
                Some(extents) if !extents.is_empty() => {
                    let max = max_threads.clamp(1, MAX_THREADS_PER_BLOCK);
                    Some(pick_block(extents, suggest(max)?.clamp(1, max), max))
                }
                Some(_) | None => None,
            },
        };
        Ok(self.with_block(dimensions, block))
    }

    fn with_block(&self, dimensions: u32, block: Option<Dim3>) -> Result<Option<Config>, LaunchProblem> {
        for (what, value) in [("grid", self.grid), ("block", self.block)] {
            check_dimensions(what, value, dimensions)?;
        }
        let (grid, block) = match (self.extents, self.grid, block) {
            (Some(_), Some(_), _) => return Err(LaunchProblem::ExtentAndGrid),
            (Some(extents), None, _) if extents.is_empty() => return Ok(None),
            (Some(extents), None, Some(block)) => (extents.grid(block)?, block),
            (None, Some(grid), Some(block)) => (grid, block),
            (None, Some(_), None) => return Err(LaunchProblem::NoBlock),
            (None, None, Some(_)) => return Err(LaunchProblem::NoGrid),
            (None | Some(_), None, None) => return Err(LaunchProblem::NoExtent),
        };
        Ok(Some(Config { grid, block, shared_bytes: self.shared_bytes }))
    }
}

/// A zero extent, or more dimensions than the kernel has.
fn check_dimensions(what: &'static str, value: Option<Dim3>, dimensions: u32) -> Result<(), LaunchProblem> {
    let Some(value) = value else { return Ok(()) };
    if value.count() == 0 {
        return Err(LaunchProblem::ZeroSize { what, value });
    }
    if (dimensions < 2 && value.y > 1) || (dimensions < 3 && value.z > 1) {
        return Err(LaunchProblem::TooManyDimensions { what, value, dimensions });
    }
    Ok(())
}

impl Extents {
    fn is_empty(&self) -> bool {
        self.x == 0 || self.y == 0 || self.z == 0
    }

    /// The grid of blocks that covers the extents.
    fn grid(&self, block: Dim3) -> Result<Dim3, LaunchProblem> {
        let blocks = |axis, extent: usize, block: u32, limit: u32| {
            let blocks = extent.div_ceil(block as usize);
            match u32::try_from(blocks) {
                Ok(fit) if fit <= limit => Ok(fit),
                Ok(_) | Err(_) => Err(LaunchProblem::TooManyBlocks { axis, extent, block, blocks, limit }),
            }
        };
        Ok(Dim3::new(
            blocks('x', self.x, block.x, MAX_GRID_DIM_X)?,
            blocks('y', self.y, block.y, MAX_GRID_DIM_YZ)?,
            blocks('z', self.z, block.z, MAX_GRID_DIM_YZ)?,
        ))
    }
}

/// A block of about `threads` threads, at most `max`, for those extents: a warp wide where the extents allow, so that the threads of a warp
/// touch neighbouring elements of a row, and no longer along an axis than there are elements.
fn pick_block(extents: Extents, threads: u32, max: u32) -> Dim3 {
    if extents.dimensions == 1 {
        return Dim3::new(threads, 1, 1);
    }
    let fitting = |extent: usize| u32::try_from(extent).ok().and_then(u32::checked_next_power_of_two).unwrap_or(u32::MAX);
    let x = WARP_SIZE.min(threads).min(fitting(extents.x));
    let preferred_y = if extents.dimensions == 2 { u32::MAX } else { 8 };
    let mut y = (threads / x).min(preferred_y).min(fitting(extents.y));
    let mut z = (threads / (x * y)).min(fitting(extents.z)).min(MAX_BLOCK_DIM_Z);
    let x = x.max((threads / (y * z)).min(fitting(extents.x)));
    // The grid is short along y and z: very long extents there need all the threads.
    if extents.y.div_ceil(y as usize) > MAX_GRID_DIM_YZ as usize {
        y = max / (x * z);
    }
    if extents.z.div_ceil(z as usize) > MAX_GRID_DIM_YZ as usize {
        z = (max / (x * y)).min(MAX_BLOCK_DIM_Z);
    }
    Dim3::new(x, y, z)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extents(z: usize, y: usize, x: usize, dimensions: u32) -> Extents {
        Extents { x, y, z, dimensions }
    }

    fn over(extents: Extents) -> Result<Option<Config>, LaunchProblem> {
        let mut geometry = Geometry::default();
        geometry.over(extents);
        geometry.resolve(3, 1024, |_| Ok(256)).unwrap()
    }

    #[test]
    fn line_is_covered_by_blocks_of_the_suggested_size() {
        let config = over(extents(1, 1, 1000, 1)).unwrap().unwrap();
        assert_eq!((config.grid, config.block), (Dim3::new(4, 1, 1), Dim3::new(256, 1, 1)));
    }

    #[test]
    fn matrix_gets_a_block_as_wide_as_a_warp() {
        let config = over(extents(1, 4096, 4096, 2)).unwrap().unwrap();
        assert_eq!((config.grid, config.block), (Dim3::new(128, 512, 1), Dim3::new(32, 8, 1)));
    }

    #[test]
    fn flat_and_narrow_matrices_still_get_whole_blocks() {
        assert_eq!(over(extents(1, 1, 100_000, 2)).unwrap().unwrap().block, Dim3::new(256, 1, 1));
        assert_eq!(over(extents(1, 100_000, 1, 2)).unwrap().unwrap().block, Dim3::new(1, 256, 1));
    }

    #[test]
    fn volume_gets_a_block_within_the_limits() {
        assert_eq!(over(extents(64, 64, 64, 3)).unwrap().unwrap().block, Dim3::new(32, 8, 1));
        assert_eq!(over(extents(1000, 1, 1, 3)).unwrap().unwrap().block, Dim3::new(1, 1, 64));
    }

    #[test]
    fn every_extent_is_covered() {
        for z in [1usize, 2, 63, 65] {
            for y in [1usize, 7, 8, 9, 70_000] {
                for x in [1usize, 31, 32, 33, 1025] {
                    let config = over(extents(z, y, x, 3)).unwrap().unwrap();
                    let (grid, block) = (config.grid, config.block);
                    assert!(block.count() <= 1024 && block.count() > 0, "{block}");
                    for (extent, blocks, threads) in [(x, grid.x, block.x), (y, grid.y, block.y), (z, grid.z, block.z)] {
                        let covered = blocks as usize * threads as usize;
                        assert!(covered >= extent && covered - extent < threads as usize, "{extent} by {blocks} of {threads}");
                    }
                }
            }
        }
    }

    #[test]
    fn very_many_rows_get_a_taller_block() {
        let config = over(extents(1, 60_000_000, 1, 2)).unwrap().unwrap();
        assert!(config.grid.y <= 65_535, "{}", config.grid);
        let problem = over(extents(1, 70_000_000, 1, 2)).unwrap_err();
        assert!(matches!(problem, LaunchProblem::TooManyBlocks { axis: 'y', .. }), "{problem}");
    }

    #[test]
    fn nothing_is_a_launch_of_nothing() {
        assert_eq!(over(extents(1, 1, 0, 1)), Ok(None));
        assert_eq!(over(extents(1, 0, 5, 2)), Ok(None));
    }

    #[test]
    fn what_is_missing_or_too_much_is_named() {
        let resolve = |over: Option<Extents>, grid: Option<u32>, block: Option<u32>| {
            let (grid, block) = (grid.map(Dim3::from), block.map(Dim3::from));
            Geometry { extents: over, grid, block, shared_bytes: 0 }.resolve(1, 1024, |_| Ok(256)).unwrap()
        };
        let some = Some(extents(1, 1, 5, 1));
        assert_eq!(resolve(None, None, None), Err(LaunchProblem::NoExtent));
        assert_eq!(resolve(None, Some(1), None), Err(LaunchProblem::NoBlock));
        assert_eq!(resolve(None, None, Some(1)), Err(LaunchProblem::NoGrid));
        assert_eq!(resolve(some, Some(1), None), Err(LaunchProblem::ExtentAndGrid));
        assert_eq!(resolve(some, None, Some(2)).unwrap().unwrap().grid, Dim3::new(3, 1, 1));
        assert!(matches!(resolve(some, None, Some(0)), Err(LaunchProblem::ZeroSize { what: "block", .. })));
    }

    #[test]
    fn second_dimension_of_a_one_dimensional_kernel_is_refused() {
        let geometry = Geometry { extents: None, grid: Some(1.into()), block: Some((16, 16).into()), shared_bytes: 0 };
        let problem = geometry.resolve(1, 1024, Ok).unwrap().unwrap_err();
        assert!(matches!(problem, LaunchProblem::TooManyDimensions { what: "block", dimensions: 1, .. }));
        assert!(geometry.resolve(2, 1024, Ok).unwrap().is_ok());
    }
}
