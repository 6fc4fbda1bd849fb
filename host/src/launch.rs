//! Launches: what the functions that `#[kernel]` makes return.

pub(crate) mod extent;
mod shape;

use std::marker::PhantomData;
use std::sync::Arc;

use threadwise_abi::{Dim3, KernelId};
use threadwise_device::KernelParam;

use crate::device::Device;
use crate::error::{Error, LaunchProblem, Result};
use crate::limits::Config;
use crate::module::LoadedKernel;
use crate::packer::{Arg, HostKind, Packer};
use crate::stream::Stream;
use extent::{Dimensions, Extent, Shape};
use shape::Geometry;

/// Threads of a block of [`LaunchConfig::for_num_elems`].
const CONFIG_BLOCK: u32 = 256;

/// Grid, block and dynamic shared memory of a launch, for [`Launch::config`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LaunchConfig {
    /// Blocks of the grid.
    pub grid_dim: Dim3,
    /// Threads of a block.
    pub block_dim: Dim3,
    /// Bytes of dynamic shared memory of a block.
    pub shared_mem_bytes: u32,
}

impl LaunchConfig {
    /// As many blocks of 256 threads as give `n` threads or slightly more.
    pub const fn for_num_elems(n: u32) -> Self {
        LaunchConfig { grid_dim: Dim3::new(n.div_ceil(CONFIG_BLOCK), 1, 1), block_dim: Dim3::new(CONFIG_BLOCK, 1, 1), shared_mem_bytes: 0 }
    }
}

/// A kernel with its arguments, not yet launched. `D` is the dimensionality of the kernel's index.
///
/// Say over what with [`over`](Launch::over), or with [`grid`](Launch::grid) and [`block`](Launch::block); then call
/// [`launch`](Launch::launch).
#[must_use = "a launch does nothing until `.launch()` is called"]
pub struct Launch<'a, D> {
    name: &'static str,
    place: &'static str,
    id: [u8; 16],
    packer: Packer<'a>,
    geometry: Geometry,
    stream: Option<Stream>,
    dimensions: PhantomData<D>,
}

impl<'a, D> Launch<'a, D> {
    /// For the code that `#[kernel]` generates: a launch of the kernel instance `id`.
    #[doc(hidden)]
    pub fn __new(id: KernelId, name: &'static str, place: &'static str) -> Self {
        let (id, packer, geometry) = (id.bytes(), Packer::default(), Geometry::default());
        Launch { name, place, id, packer, geometry, stream: None, dimensions: PhantomData }
    }

    /// For the code that `#[kernel]` generates: adds the next argument.
    #[doc(hidden)]
    pub fn __argument<P: KernelParam>(mut self, arg: Arg<'a, P>) -> Self
    where
        P::Kind: HostKind,
    {
        self.packer.argument::<P::Kind>(arg);
        self
    }

    /// At least one thread for each index below `extent`: a number, `(rows, cols)` or `(planes, rows, cols)`. The block is chosen so that
    /// the kernel fills the device, unless [`block`](Launch::block) is given too; the grid follows from it. Over nothing, the launch does
    /// nothing.
    pub fn over<E: Extent<D>>(mut self, extent: E) -> Self {
        self.geometry.over(extent.extents());
        self
    }

    /// Blocks of the grid: `x`, `(x, y)` or `(x, y, z)`.
    pub fn grid<S: Shape<D>>(mut self, grid: S) -> Self {
        self.geometry.grid = Some(grid.dim());
        self
    }

    /// Threads of a block: `x`, `(x, y)` or `(x, y, z)`.
    pub fn block<S: Shape<D>>(mut self, block: S) -> Self {
        self.geometry.block = Some(block.dim());
        self
    }

    /// Grid, block and shared memory in one. That they suit the dimensionality of the kernel is checked at the launch.
    pub fn config(mut self, config: LaunchConfig) -> Self {
        self.geometry.grid = Some(config.grid_dim);
        self.geometry.block = Some(config.block_dim);
        self.geometry.shared_bytes = config.shared_mem_bytes;
        self
    }

    /// Bytes of dynamic shared memory of a block.
    pub fn shared_bytes(mut self, bytes: u32) -> Self {
        self.geometry.shared_bytes = bytes;
        self
    }

    /// The stream to launch on, instead of the default stream of the device that the arguments are on.
    pub fn on(mut self, stream: &Stream) -> Self {
        self.stream = Some(stream.clone());
        self
    }
}

impl<D: Dimensions> Launch<'_, D> {
    /// Launches. On a CUDA device this returns as soon as the launch is enqueued; on the simulator, when the kernel is done.
    ///
    /// A panic of the kernel is reported by the next call that waits for the device, on either: `synchronize` of device, stream or event,
    /// and the copies to the host.
    ///
    /// # Errors
    /// [`Error::Launch`] when grid, block, shared memory or arguments are not possible, [`Error::DeviceMismatch`] when the arguments are
    /// on several devices, [`Error::NoDeviceCode`] when the program has no device code for the kernel, [`Error::Fault`] when the simulator
    /// stopped the kernel, or what the driver says went wrong.
    pub fn launch(self) -> Result<()> {
        let device = self.device()?;
        let kernel = self.kernel(&device)?;
        match self.resolve(&device, &kernel)? {
            Some(config) => self.enqueue(&device, &kernel, &config),
            None => Ok(()),
        }
    }

    /// Launches, waits for the kernel to end, and finds out which of its threads panicked: the details of the
    /// [`KernelPanic`](crate::KernelPanic) have a map of them, and up to `records` panics beside the first. For tests: it costs a byte for
    /// each thread, about a kilobyte for each record, and waits for everything on the device first. Kernels of a crate that was built
    /// neither in the dev profile nor as a test keep no details.
    ///
    /// # Errors
    /// As for [`launch`](Launch::launch), and [`Error::Panic`] when threads of the kernel panicked.
    pub fn launch_detailed(self, records: u32) -> Result<()> {
        let device = self.device()?;
        device.synchronize()?;
        let kernel = self.kernel(&device)?;
        let Some(config) = self.resolve(&device, &kernel)? else { return Ok(()) };
        let threads = usize::try_from(config.grid.count() * config.block.count()).unwrap_or(usize::MAX);
        let module = kernel.module().raw();
        module.set_details(Some((threads, records)))?;
        let ended = self.enqueue(&device, &kernel, &config).and_then(|()| device.synchronize());
        module.set_details(None)?;
        ended.map_err(|error| with_extents(error, &config))
    }

    fn kernel(&self, device: &Device) -> Result<Arc<LoadedKernel>> {
        let kernel = device.modules().kernel(device, self.id, self.name, self.place)?;
        self.packer.check_layout(kernel.location().blob())?;
        self.packer.check_size().map_err(|problem| self.problem(problem))?;
        self.packer.check_overlap().map_err(|problem| self.problem(problem))?;
        Ok(kernel)
    }

    fn enqueue(&self, device: &Device, kernel: &LoadedKernel, config: &Config) -> Result<()> {
        let stream = self.stream.clone().unwrap_or_else(|| device.default_stream());
        let mut order = device.order();
        for (allocation, access) in self.packer.uses() {
            allocation.prepare(&mut order, stream.raw(), access)?;
        }
        order.note(stream.raw(), kernel);
        // SAFETY: the components were compared with the entry's, the buffers are borrowed now and freed behind the launch later, and
        // whoever passed a `DevicePointer` did so to an `unsafe` kernel.
        unsafe { kernel.function().launch(stream.raw().raw(), config, self.packer.bytes(), self.name) }
    }

    /// The device that the launch is on.
    fn device(&self) -> Result<Device> {
        let device = match (&self.stream, self.packer.device()) {
            (Some(stream), _) => stream.device().clone(),
            (None, Some(device)) => device.clone(),
            (None, None) => return Err(self.problem(LaunchProblem::NoDevice)),
        };
        self.packer.check_device(&device)?;
        Ok(device)
    }

    /// Grid and block; `None` when there is nothing to do.
    fn resolve(&self, device: &Device, kernel: &Arc<LoadedKernel>) -> Result<Option<Config>> {
        let limits = kernel.limits();
        let suggest = |max: u32| kernel.function().suggest_block(self.geometry.shared_bytes, max);
        // The most shared memory is checked first: no block size can be suggested beyond it.
        let probe = Config { grid: Dim3::new(1, 1, 1), block: Dim3::new(1, 1, 1), shared_bytes: self.geometry.shared_bytes };
        device.limits().check(limits, &probe).map_err(|problem| self.problem(problem))?;
        let planned = self.geometry.resolve(D::COUNT, limits.max_threads, suggest)?;
        let Some(config) = planned.map_err(|problem| self.problem(problem))? else { return Ok(None) };
        device.limits().check(limits, &config).map_err(|problem| self.problem(problem))?;
        Ok(Some(config))
    }

    fn problem(&self, problem: LaunchProblem) -> Error {
        Error::Launch { kernel: self.name.to_owned(), problem }
    }
}

/// Details of a panic of a launch of that size.
fn with_extents(mut error: Error, config: &Config) -> Error {
    if let Error::Panic(panic) = &mut error
        && let Some(details) = &mut panic.details
    {
        (details.grid, details.block) = (config.grid, config.block);
    }
    error
}
