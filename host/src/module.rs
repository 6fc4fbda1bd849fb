//! Loaded modules and kernels of a device: each once, whichever thread asks first.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

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
    /// By address of the blob. Locked while loading, so that nothing is loaded twice.
    modules: Mutex<HashMap<usize, Arc<LoadedModule>>>,
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
        let key = std::ptr::from_ref(location.module).addr();
        let module = match modules.get(&key) {
            Some(module) => Arc::clone(module),
            None => {
                let module = Arc::new(LoadedModule { blob: location.module, raw: device.raw().load(location.module)? });
                modules.insert(key, Arc::clone(&module));
                module
            }
        };
        let kernel = Arc::new(LoadedKernel::load(module, location)?);
        self.kernels.write().unwrap_or_else(PoisonError::into_inner).insert(id, Arc::clone(&kernel));
        Ok(kernel)
    }

    fn loaded(&self, id: [u8; 16]) -> Option<Arc<LoadedKernel>> {
        self.kernels.read().unwrap_or_else(PoisonError::into_inner).get(&id).cloned()
    }
}
