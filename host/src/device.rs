//! Devices.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use threadwise_device::{DeviceCopy, DeviceStatic, Zeroable};

use crate::backend;
use crate::buffer::{DeviceBuffer, DeviceBuffer2D, DeviceBuffer3D};
use crate::cuda;
use crate::error::{Error, Result};
use crate::global::GlobalRef;
use crate::limits::{DeviceLimit, Limits};
use crate::module::Modules;
use crate::order::{Covered, Order, RawStream};
use crate::sim;
use crate::stream::Stream;

/// Environment variable that chooses the device of [`Device::new`].
const VARIABLE: &str = "THREADWISE_DEVICE";

/// A CUDA device or a simulator. Clones are handles of the same device, and may be used from any thread.
#[derive(Clone)]
pub struct Device {
    inner: Arc<Inner>,
}

struct Inner {
    id: u64,
    raw: backend::Device,
    name: String,
    /// Number of the CUDA device; `None` for a simulator.
    ordinal: Option<usize>,
    default_stream: Arc<RawStream>,
    order: Mutex<Order>,
    modules: Modules,
}

impl Drop for Inner {
    /// Says what nobody asked for: a panic of a kernel that no synchronization came to report. Handles of CUDA devices are kept for good, so
    /// this is for simulators.
    fn drop(&mut self) {
        let order = self.order.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = order.check_panics(Covered::Device) {
            eprintln!("threadwise: nothing synchronized with {} after this: {error}", self.name);
        }
    }
}

/// How much memory a device has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryInfo {
    /// Bytes that can still be allocated.
    pub free: u64,
    /// Bytes in all.
    pub total: u64,
}

/// What `THREADWISE_DEVICE` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    Automatic,
    Simulator,
    Cuda(usize),
}

impl Choice {
    fn parse(value: &str) -> Result<Choice> {
        match value {
            "" => Ok(Choice::Automatic),
            "sim" => Ok(Choice::Simulator),
            "cuda" => Ok(Choice::Cuda(0)),
            other => {
                let ordinal = other.strip_prefix("cuda:").and_then(|digits| digits.parse().ok());
                ordinal.map(Choice::Cuda).ok_or_else(|| Error::BadDeviceVariable { value: other.to_owned() })
            }
        }
    }
}

impl Device {
    /// The first CUDA device, or a new simulator where there is none. The environment variable `THREADWISE_DEVICE` overrides this: `sim`,
    /// `cuda`, or `cuda:1` and so on.
    ///
    /// # Errors
    /// When the variable names no device, when the CUDA device it names cannot be had, or when there is a CUDA driver that does not work:
    /// then the program does not silently run on the simulator.
    pub fn new() -> Result<Device> {
        let value = std::env::var_os(VARIABLE).unwrap_or_default();
        match Choice::parse(&value.to_string_lossy())? {
            Choice::Simulator => Device::simulator(),
            Choice::Cuda(ordinal) => Device::cuda(ordinal),
            Choice::Automatic => match cuda::device::count() {
                Ok(_) => Device::cuda(0),
                Err(absence) if absence.ordinary => Device::simulator(),
                Err(absence) => Err(Error::NoCudaDevice { reason: absence.reason }),
            },
        }
    }

    /// The CUDA device of that ordinal, counted from 0. All handles of one ordinal are the same device.
    ///
    /// # Errors
    /// When there is no such device.
    pub fn cuda(ordinal: usize) -> Result<Device> {
        static OPEN: Mutex<Vec<Device>> = Mutex::new(Vec::new());
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(device) = open.iter().find(|device| device.inner.ordinal == Some(ordinal)) {
            return Ok(device.clone());
        }
        let raw = cuda::device::Device::open(ordinal)?;
        let device = Device::from_raw(backend::Device::Cuda(raw), raw.name().to_owned(), Some(ordinal))?;
        open.push(device.clone());
        Ok(device)
    }

    /// A new simulator, with memory of its own.
    ///
    /// # Errors
    /// None today; as for the other constructors, so that one can replace the other.
    pub fn simulator() -> Result<Device> {
        Device::from_raw(backend::Device::Sim(sim::device::Device::new()), "simulator".to_owned(), None)
    }

    fn from_raw(raw: backend::Device, name: String, ordinal: Option<usize>) -> Result<Device> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let default_stream = Arc::new(RawStream::new(raw.new_stream()?));
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        let (order, modules) = (Mutex::default(), Modules::default());
        Ok(Device { inner: Arc::new(Inner { id, raw, name, ordinal, default_stream, order, modules }) })
    }

    /// The name of the GPU, or `simulator`.
    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// Whether this is a simulator.
    pub fn is_simulator(&self) -> bool {
        self.inner.ordinal.is_none()
    }

    /// How much memory there is.
    ///
    /// # Errors
    /// When the driver fails.
    pub fn memory_info(&self) -> Result<MemoryInfo> {
        self.inner.raw.memory_info()
    }

    /// Bytes that kernels can have allocated at a time, with `Box`, `Vec` and their kin. 8 MiB unless it was set.
    ///
    /// # Errors
    /// When the driver fails.
    pub fn heap_size(&self) -> Result<usize> {
        self.inner.raw.limit(DeviceLimit::Heap)
    }

    /// Sets [`Device::heap_size`]. When the heap is full, the kernel that allocates panics.
    ///
    /// # Errors
    /// [`Error::HeapInUse`] after the first launch of a kernel that allocates, [`Error::LimitTooLarge`] when the device has not that much
    /// memory.
    pub fn set_heap_size(&self, bytes: usize) -> Result<()> {
        self.inner.raw.set_limit(DeviceLimit::Heap, bytes)
    }

    /// Bytes that each thread has for the frames of the functions it is in; recursion needs them. 1 KiB on CUDA devices unless it was set,
    /// 256 KiB on the simulator.
    ///
    /// # Errors
    /// When the driver fails.
    pub fn stack_size(&self) -> Result<usize> {
        self.inner.raw.limit(DeviceLimit::Stack)
    }

    /// Sets [`Device::stack_size`] for launches from now on. A CUDA device needs it for all threads that it can run at a time.
    ///
    /// # Errors
    /// [`Error::LimitTooLarge`] above 512 KiB, or when the device has not enough memory.
    pub fn set_stack_size(&self, bytes: usize) -> Result<()> {
        self.inner.raw.set_limit(DeviceLimit::Stack, bytes)
    }

    /// Waits until everything launched and copied so far is done, on all streams.
    ///
    /// # Errors
    /// [`Error::Panic`] when a kernel panicked, or what the driver says went wrong.
    pub fn synchronize(&self) -> Result<()> {
        self.inner.raw.synchronize()?;
        self.order().check_panics(Covered::Device)
    }

    /// A new stream. Work on different streams may run at the same time.
    ///
    /// # Errors
    /// When the driver fails.
    pub fn new_stream(&self) -> Result<Stream> {
        let raw = self.inner.raw.new_stream()?;
        Ok(Stream::new(self.clone(), Arc::new(RawStream::new(raw))))
    }

    /// The stream of all work for which no other is named.
    pub fn default_stream(&self) -> Stream {
        Stream::new(self.clone(), Arc::clone(&self.inner.default_stream))
    }

    /// A buffer with a copy of `values`.
    ///
    /// # Errors
    /// When the device has no room, or the driver fails.
    pub fn to_device<T: DeviceCopy>(&self, values: &[T]) -> Result<DeviceBuffer<T>> {
        DeviceBuffer::from_host(self, values)
    }

    /// A buffer of `len` elements, all bits zero.
    ///
    /// # Errors
    /// When the device has no room, or the driver fails.
    pub fn zeros<T: Zeroable>(&self, len: usize) -> Result<DeviceBuffer<T>> {
        DeviceBuffer::zeroed(self, len)
    }

    /// A row-major matrix with a copy of `values`.
    ///
    /// # Errors
    /// When `values` does not have `rows * cols` elements, or as for [`Device::to_device`].
    pub fn to_device_2d<T: DeviceCopy>(&self, values: &[T], rows: usize, cols: usize) -> Result<DeviceBuffer2D<T>> {
        DeviceBuffer2D::from_host(self, values, rows, cols)
    }

    /// A row-major matrix, all bits zero.
    ///
    /// # Errors
    /// When the device has no room, or the driver fails.
    pub fn zeros_2d<T: Zeroable>(&self, rows: usize, cols: usize) -> Result<DeviceBuffer2D<T>> {
        DeviceBuffer2D::zeroed(self, rows, cols)
    }

    /// A volume of `planes` row-major matrices with a copy of `values`.
    ///
    /// # Errors
    /// When `values` does not have `planes * rows * cols` elements, or as for [`Device::to_device`].
    pub fn to_device_3d<T: DeviceCopy>(&self, values: &[T], planes: usize, rows: usize, cols: usize) -> Result<DeviceBuffer3D<T>> {
        DeviceBuffer3D::from_host(self, values, planes, rows, cols)
    }

    /// A volume of `planes` row-major matrices, all bits zero.
    ///
    /// # Errors
    /// When the device has no room, or the driver fails.
    pub fn zeros_3d<T: Zeroable>(&self, planes: usize, rows: usize, cols: usize) -> Result<DeviceBuffer3D<T>> {
        DeviceBuffer3D::zeroed(self, planes, rows, cols)
    }

    /// This device's variable of the `#[device] static` whose name is `S`: `gpu.global::<COUNTER>()`.
    ///
    /// # Errors
    /// When the program has no device code with it, as after `cargo check`, or the code cannot be loaded.
    pub fn global<S: DeviceStatic>(&self) -> Result<GlobalRef<S>> {
        GlobalRef::of(self)
    }

    /// Identity of the device within the process.
    pub(crate) fn id(&self) -> u64 {
        self.inner.id
    }

    pub(crate) fn raw(&self) -> &backend::Device {
        &self.inner.raw
    }

    pub(crate) fn limits(&self) -> Limits {
        self.inner.raw.limits()
    }

    pub(crate) fn modules(&self) -> &Modules {
        &self.inner.modules
    }

    pub(crate) fn default_raw_stream(&self) -> &Arc<RawStream> {
        &self.inner.default_stream
    }

    /// The lock under which work is put into order: see [`Order`].
    pub(crate) fn order(&self) -> MutexGuard<'_, Order> {
        self.inner.order.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An error unless `other` is the same device; `what` is the object of `other`.
    pub(crate) fn expect_same(&self, other: &Device, what: impl fmt::Display) -> Result<()> {
        if self == other {
            return Ok(());
        }
        Err(Error::DeviceMismatch { what: what.to_string(), found: other.to_string(), expected: self.to_string() })
    }
}

/// Equal when both are the same device.
impl PartialEq for Device {
    fn eq(&self, other: &Device) -> bool {
        self.inner.id == other.inner.id
    }
}

impl Eq for Device {}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.inner.ordinal {
            Some(ordinal) => write!(f, "{} (CUDA device {ordinal})", self.inner.name),
            None => write!(f, "simulator {}", self.inner.id),
        }
    }
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Device({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variable_names_a_device() {
        assert_eq!(Choice::parse("").unwrap(), Choice::Automatic);
        assert_eq!(Choice::parse("sim").unwrap(), Choice::Simulator);
        assert_eq!(Choice::parse("cuda").unwrap(), Choice::Cuda(0));
        assert_eq!(Choice::parse("cuda:3").unwrap(), Choice::Cuda(3));
    }

    #[test]
    fn variable_with_another_value_is_an_error_that_quotes_it() {
        for bad in ["gpu", "cuda:", "cuda:x", "cuda:-1", "SIM", " "] {
            let error = Choice::parse(bad).unwrap_err();
            assert!(matches!(&error, Error::BadDeviceVariable { value } if value == bad), "{error}");
            assert!(error.to_string().contains(&format!("`{bad}`")));
        }
    }
}
