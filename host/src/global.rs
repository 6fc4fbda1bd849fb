//! Statics of device code, read and written from the host.

use std::fmt;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::sync::Arc;

use threadwise_device::{DeviceStatic, Writable};

use crate::backend;
use crate::device::Device;
use crate::error::Result;
use crate::module::LoadedModule;
use crate::order::Covered;

/// A `#[device] static` on one device: what [`Device::global`] gives.
///
/// Each device has a variable of its own, with the initial value that the source gives it; the host's static of that name is another
/// variable. Reading and writing waits for everything that was launched on the device before, on all streams, since any kernel may use the
/// static; what is launched later sees what was written.
pub struct GlobalRef<S: DeviceStatic> {
    device: Device,
    memory: backend::Memory,
    /// The variable lives as long as its module.
    _module: Arc<LoadedModule>,
    name: PhantomData<fn() -> S>,
}

impl<S: DeviceStatic> GlobalRef<S> {
    pub(crate) fn of(device: &Device) -> Result<Self> {
        let (module, memory) = device.modules().variable(device, S::SYMBOL, S::NAME, size_of::<S::Value>())?;
        Ok(GlobalRef { device: device.clone(), memory, _module: module, name: PhantomData })
    }

    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// The value now.
    ///
    /// # Errors
    /// [`Error::Panic`](crate::Error::Panic) when a kernel panicked before, or what the driver says went wrong.
    pub fn read(&self) -> Result<S::Value> {
        let mut value = MaybeUninit::uninit();
        // SAFETY: there is room for a value.
        unsafe { self.copy_to(value.as_mut_ptr()) }?;
        // SAFETY: all its bytes were written, with a value that the source, the host or a kernel gave the static.
        Ok(unsafe { value.assume_init() })
    }

    /// Copies the value to `to`: as [`GlobalRef::read`], for arrays too large for the stack.
    ///
    /// # Errors
    /// As for [`GlobalRef::read`].
    pub fn read_into(&self, to: &mut S::Value) -> Result<()> {
        // SAFETY: there is room for a value.
        unsafe { self.copy_to(to) }
    }

    /// Sets the value.
    ///
    /// # Errors
    /// [`Error::Panic`](crate::Error::Panic) when a kernel panicked before; the value is set all the same. Otherwise what the driver says
    /// went wrong.
    pub fn write(&self, value: &S::Value) -> Result<()>
    where
        S::Kind: Writable,
    {
        let mut order = self.device.order();
        self.device.raw().synchronize()?;
        let stream = self.device.default_raw_stream().raw();
        // SAFETY: a reference can be read for the size of its type, and the static has that size.
        unsafe { self.memory.write(stream, 0, std::ptr::from_ref(value).cast(), size_of::<S::Value>()) }?;
        order.check_panics(Covered::Device)
    }

    /// Holds the device's order, so that nothing is launched while the value is copied.
    ///
    /// # Safety
    /// `to` must be valid for writing a value.
    unsafe fn copy_to(&self, to: *mut S::Value) -> Result<()> {
        let mut order = self.device.order();
        self.device.raw().synchronize()?;
        let stream = self.device.default_raw_stream().raw();
        // SAFETY: as the caller vouches, and the static has that size.
        unsafe { self.memory.read(stream, 0, to.cast(), size_of::<S::Value>()) }?;
        order.check_panics(Covered::Device)
    }
}

impl<S: DeviceStatic> fmt::Debug for GlobalRef<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GlobalRef({}, {})", S::NAME, self.device)
    }
}
