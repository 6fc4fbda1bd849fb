//! Loaded modules and kernels of a device: each once, whichever thread asks first.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use threadwise_abi::symbols::{IMPORT_PREFIX, STATIC_PREFIX};

use crate::backend;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::limits::KernelLimits;
use crate::registry::{self, Location, ModuleBlob};

/// A module on a device.
pub(crate) struct LoadedModule {
    blob: &'static ModuleBlob,
    raw: backend::Module,
}

impl LoadedModule {
    /// Loads `blob`, whose imports `address` finds.
    fn load(device: &Device, blob: &'static ModuleBlob, mut address: impl FnMut(&'static str) -> Result<u64>) -> Result<LoadedModule> {
        let raw = device.raw().load(blob)?;
        for symbol in blob.statics.iter().filter(|one| one.imported).map(|one| one.symbol) {
            let address = address(symbol)?.to_ne_bytes();
            let holder = raw.variable(&symbol.replacen(STATIC_PREFIX, IMPORT_PREFIX, 1), address.len())?;
            // SAFETY: the variable has room for an address, as was checked when it was found.
            unsafe { holder.write(device.default_raw_stream().raw(), 0, address.as_ptr(), address.len()) }?;
        }
        Ok(LoadedModule { blob, raw })
    }

    pub(crate) fn raw(&self) -> &backend::Module {
        &self.raw
    }

    /// The name of the kernel of that index.
    pub(crate) fn kernel_name(&self, index: usize) -> Option<&'static str> {
        self.blob.kernels.get(index).map(|kernel| kernel.name)
    }
}

/// A kernel on a device.
pub(crate) struct LoadedKernel {
    module: Arc<LoadedModule>,
    location: Location,
    function: backend::Function,
    limits: KernelLimits,
}

impl LoadedKernel {
    fn load(module: Arc<LoadedModule>, location: Location) -> Result<LoadedKernel> {
        let function = module.raw.function(location.blob().entry)?;
        let bounds = match location.blob().max_threads {
            0 => u32::MAX,
            bound => bound,
        };
        let limits = KernelLimits { max_threads: function.max_threads().min(bounds), static_shared: function.static_shared_bytes() };
        Ok(LoadedKernel { module, location, function, limits })
    }

    pub(crate) fn module(&self) -> &Arc<LoadedModule> {
        &self.module
    }

    /// Index in its module's table.
    pub(crate) fn index(&self) -> usize {
        self.location.kernel
    }

    pub(crate) fn location(&self) -> Location {
        self.location
    }

    pub(crate) fn function(&self) -> &backend::Function {
        &self.function
    }

    pub(crate) fn limits(&self) -> KernelLimits {
        self.limits
    }
}

/// What is loaded on a device.
#[derive(Default)]
pub(crate) struct Modules {
    kernels: RwLock<HashMap<[u8; 16], Arc<LoadedKernel>>>,
    /// Locked while loading, so that nothing is loaded twice.
    modules: Mutex<ByBlob>,
}

impl Modules {
    /// The kernel of that identity on `device`, whose modules these are. `name` and `place` are for the message when there is no code.
    pub(crate) fn kernel(&self, device: &Device, id: [u8; 16], name: &str, place: &str) -> Result<Arc<LoadedKernel>> {
        if let Some(kernel) = self.loaded(id) {
            return Ok(kernel);
        }
        let location = registry::find(id).ok_or_else(|| Error::NoDeviceCode { kernel: name.to_owned(), place: place.to_owned() })?;
        let mut modules = self.modules.lock().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have been faster.
        if let Some(kernel) = self.loaded(id) {
            return Ok(kernel);
        }
        let module = load(&mut modules, device, location.module)?;
        let kernel = Arc::new(LoadedKernel::load(module, location)?);
        self.kernels.write().unwrap_or_else(PoisonError::into_inner).insert(id, Arc::clone(&kernel));
        Ok(kernel)
    }

    /// The `#[device] static` of that symbol, with the module that has it. `name` is for the message when there is none.
    pub(crate) fn variable(&self, device: &Device, symbol: &str, name: &str, bytes: usize) -> Result<(Arc<LoadedModule>, backend::Memory)> {
        let blob = registry::owner(symbol).ok_or_else(|| Error::NoDeviceStatic { name: name.to_owned() })?;
        let mut modules = self.modules.lock().unwrap_or_else(PoisonError::into_inner);
        let module = load(&mut modules, device, blob)?;
        let memory = module.raw.variable(symbol, bytes)?;
        Ok((module, memory))
    }

    fn loaded(&self, id: [u8; 16]) -> Option<Arc<LoadedKernel>> {
        self.kernels.read().unwrap_or_else(PoisonError::into_inner).get(&id).cloned()
    }
}

/// By address of the blob.
type ByBlob = HashMap<usize, Arc<LoadedModule>>;

/// The module of `blob`, loaded if it is not yet, and before it those whose statics it uses. Crates do not depend on each other in circles.
fn load(modules: &mut ByBlob, device: &Device, blob: &'static ModuleBlob) -> Result<Arc<LoadedModule>> {
    let key = std::ptr::from_ref(blob).addr();
    if let Some(module) = modules.get(&key) {
        return Ok(Arc::clone(module));
    }
    let module = LoadedModule::load(device, blob, |symbol| {
        let owner = registry::owner(symbol).ok_or_else(|| Error::NoDeviceStatic { name: readable(symbol).to_owned() })?;
        load(modules, device, owner)?.raw.address(symbol)
    })?;
    let module = Arc::new(module);
    modules.insert(key, Arc::clone(&module));
    Ok(module)
}

/// The static's name in its symbol, which has a hash before it.
fn readable(symbol: &str) -> &str {
    symbol.strip_prefix(STATIC_PREFIX).and_then(|rest| rest.split_once('_')).map_or(symbol, |(_, name)| name)
}
