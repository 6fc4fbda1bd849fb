//! Launches through the CUDA driver.

use std::collections::HashMap;
use std::ffi::{c_int, c_void};
use std::sync::{Mutex, PoisonError};

use cudarc::driver::result::{function, occupancy};
use cudarc::driver::sys::{self, CUfunction_attribute as Attribute};

use super::device::Device;
use super::error::{check, check_code};
use super::stream::Stream;
use crate::error::Result;
use crate::limits::Config;

/// Threads of the block that is preferred when it occupies the device as well as any other: small blocks leave shorter tails.
const PREFERRED_BLOCK: u32 = 256;

/// Codes of the `extra` argument of a launch (cuda.h: `CU_LAUNCH_PARAM_*`), which take the place of pointers.
const PARAM_END: *mut c_void = sys::CU_LAUNCH_PARAM_END_AS_INT as usize as *mut c_void;
const PARAM_BUFFER_POINTER: *mut c_void = sys::CU_LAUNCH_PARAM_BUFFER_POINTER_AS_INT as usize as *mut c_void;
const PARAM_BUFFER_SIZE: *mut c_void = sys::CU_LAUNCH_PARAM_BUFFER_SIZE_AS_INT as usize as *mut c_void;

/// A kernel of a loaded module.
pub(crate) struct Function {
    device: &'static Device,
    raw: sys::CUfunction,
    static_shared: u32,
    max_threads: u32,
    /// The most dynamic shared memory that launches were allowed so far.
    allowed_shared: Mutex<u32>,
    /// Block sizes found, by bytes of dynamic shared memory.
    blocks: Mutex<HashMap<u32, u32>>,
}

// SAFETY: a function may be used from any thread.
unsafe impl Send for Function {}
// SAFETY: the driver synchronizes its calls.
unsafe impl Sync for Function {}

impl Function {
    /// # Safety
    /// `raw` must be a function of a module that outlives the result.
    pub(super) unsafe fn new(device: &'static Device, raw: sys::CUfunction) -> Result<Function> {
        let attribute = |attribute: Attribute| {
            // SAFETY: the function is of a loaded module.
            check(unsafe { function::get_function_attribute(raw, attribute) }, "asking for the kernel's resources")
        };
        Ok(Function {
            device,
            raw,
            static_shared: attribute(Attribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)? as u32,
            max_threads: attribute(Attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)? as u32,
            allowed_shared: Mutex::new(attribute(Attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)? as u32),
            blocks: Mutex::default(),
        })
    }

    pub(crate) fn static_shared_bytes(&self) -> u32 {
        self.static_shared
    }

    /// The most threads a block can have, by launch bounds and registers.
    pub(crate) fn max_threads(&self) -> u32 {
        self.max_threads
    }

    /// A block size with which the kernel fills the device, at most `limit` threads.
    pub(crate) fn suggest_block(&self, shared_bytes: u32, limit: u32) -> Result<u32> {
        let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&block) = blocks.get(&shared_bytes) {
            return Ok(block.min(limit));
        }
        self.device.make_current()?;
        self.allow_shared(shared_bytes)?;
        // SAFETY: the function is of a loaded module.
        let suggested = unsafe { occupancy::max_potential_block_size(self.raw, None, shared_bytes as usize, limit as c_int) };
        let (_, suggested) = check(suggested, "choosing a block size")?;
        let suggested = (suggested.max(1) as u32).min(limit);
        let block = if suggested > PREFERRED_BLOCK
            && self.resident_threads(PREFERRED_BLOCK, shared_bytes)? >= self.resident_threads(suggested, shared_bytes)?
        {
            PREFERRED_BLOCK
        } else {
            suggested
        };
        blocks.insert(shared_bytes, block);
        Ok(block)
    }

    /// Threads that one multiprocessor holds at once.
    fn resident_threads(&self, block: u32, shared_bytes: u32) -> Result<u32> {
        // SAFETY: the function is of a loaded module.
        let blocks = unsafe { occupancy::max_active_block_per_multiprocessor(self.raw, block as c_int, shared_bytes as usize) };
        Ok(check(blocks, "asking for the occupancy")?.max(0) as u32 * block)
    }

    /// Beyond 48 KiB dynamic shared memory has to be asked for per kernel.
    fn allow_shared(&self, bytes: u32) -> Result<()> {
        let mut allowed = self.allowed_shared.lock().unwrap_or_else(PoisonError::into_inner);
        if bytes > *allowed {
            let attribute = Attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
            // SAFETY: the function is of a loaded module.
            let set = unsafe { function::set_function_attribute(self.raw, attribute, bytes as c_int) };
            check(set, "asking for more shared memory")?;
            *allowed = bytes;
        }
        Ok(())
    }

    /// Enqueues a launch.
    ///
    /// # Safety
    /// `parameters` must be what the kernel takes, and all addresses in it valid until the launch is done.
    pub(crate) unsafe fn launch(&self, stream: &Stream, config: &Config, parameters: &[u8]) -> Result<()> {
        self.device.make_current()?;
        self.allow_shared(config.shared_bytes)?;
        let mut size = parameters.len();
        let mut extra = [
            PARAM_BUFFER_POINTER,
            parameters.as_ptr().cast_mut().cast::<c_void>(),
            PARAM_BUFFER_SIZE,
            (&raw mut size).cast::<c_void>(),
            PARAM_END,
        ];
        let extra = if parameters.is_empty() { std::ptr::null_mut() } else { extra.as_mut_ptr() };
        let (grid, block) = (config.grid, config.block);
        // SAFETY: function and stream are alive and of one context; the driver copies the parameters before it returns.
        let code = unsafe {
            sys::cuLaunchKernel(
                self.raw,
                grid.x,
                grid.y,
                grid.z,
                block.x,
                block.y,
                block.z,
                config.shared_bytes,
                stream.raw(),
                std::ptr::null_mut(),
                extra,
            )
        };
        check_code(code, "launching the kernel")
    }
}
