//! CUDA devices and their primary contexts.

use std::ffi::{c_int, c_void};
use std::sync::OnceLock;

use cudarc::driver::result::{self, mem_pool};
use cudarc::driver::sys::{self, CUdevice_attribute as Attribute, CUresult};

use super::error::{check, check_code, driver_error};
use crate::device::MemoryInfo;
use crate::error::{Error, Result};
use crate::limits::{DeviceLimit, Limits};

/// A CUDA device with its primary context retained. It is never released: one per ordinal lives until the process ends.
pub(crate) struct Device {
    ordinal: usize,
    context: sys::CUcontext,
    pool: Option<sys::CUmemoryPool>,
    name: String,
    capability: (u32, u32),
    limits: Limits,
}

// SAFETY: contexts and pools may be used from any thread.
unsafe impl Send for Device {}
// SAFETY: the driver synchronizes its calls.
unsafe impl Sync for Device {}

/// Why there is no CUDA device.
#[derive(Clone, Debug)]
pub(crate) struct Absence {
    /// In words.
    pub(crate) reason: String,
    /// Whether this is an ordinary machine without a GPU, not a broken installation.
    pub(crate) ordinary: bool,
}

/// Number of CUDA devices, at least one.
pub(crate) fn count() -> Result<usize, Absence> {
    static COUNT: OnceLock<Result<usize, Absence>> = OnceLock::new();
    COUNT.get_or_init(find_devices).clone()
}

fn find_devices() -> Result<usize, Absence> {
    // Every other function of cudarc panics when the library is missing.
    // SAFETY: the names looked for are those of the CUDA driver, whose initializers are sound.
    if !unsafe { sys::is_culib_present() } {
        return Err(Absence { reason: "the driver library (libcuda) is not installed".into(), ordinary: true });
    }
    let devices = result::init().and_then(|()| result::device::get_count());
    match devices {
        Ok(count) if count > 0 => Ok(count as usize),
        Ok(_) => Err(Absence { reason: "the driver sees no device".into(), ordinary: true }),
        Err(error) => {
            // The stub library is what a CUDA toolkit without a driver offers.
            let ordinary = matches!(error.0, CUresult::CUDA_ERROR_NO_DEVICE | CUresult::CUDA_ERROR_STUB_LIBRARY);
            Err(Absence { reason: driver_error(error, "starting the driver").to_string(), ordinary })
        }
    }
}

impl Device {
    /// Opens the device of that ordinal, for as long as the process lives: the caller keeps it and does not ask again.
    pub(crate) fn open(ordinal: usize) -> Result<&'static Device> {
        let count = count().map_err(|absence| Error::NoCudaDevice { reason: absence.reason })?;
        if ordinal >= count {
            return Err(Error::NoCudaDevice { reason: format!("device {ordinal} was asked for, and there are {count}, counted from 0") });
        }
        let device = check(result::device::get(ordinal as c_int), format_args!("opening device {ordinal}"))?;
        let name = check(result::device::get_name(device), "asking for the device's name")?;
        let attribute = |attribute: Attribute| {
            // SAFETY: `device` is a device of this driver.
            unsafe { result::device::get_attribute(device, attribute) }
        };
        let capability = (
            check(attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR), "asking for the compute capability")? as u32,
            check(attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR), "asking for the compute capability")? as u32,
        );
        let shared =
            check(attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN), "asking for the size of shared memory")?
                as u32;
        // Drivers before 11.2 do not know the attribute, and have none of the functions.
        let has_pools = attribute(Attribute::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED).is_ok_and(|yes| yes != 0);
        // SAFETY: `device` is a device of this driver.
        let context = check(unsafe { result::primary_ctx::retain(device) }, "creating the device's context")?;
        let mut opened = Device { ordinal, context, pool: None, name, capability, limits: Limits::with_shared_bytes(shared) };
        opened.make_current()?;
        if has_pools {
            opened.pool = Some(create_pool(ordinal)?);
        }
        Ok(Box::leak(Box::new(opened)))
    }

    /// Makes the context current for the calling thread.
    pub(super) fn make_current(&self) -> Result<()> {
        // SAFETY: the context is retained for as long as the process lives.
        check(unsafe { result::ctx::set_current(self.context) }, "selecting the device")
    }

    pub(crate) fn ordinal(&self) -> usize {
        self.ordinal
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Compute capability: major and minor.
    pub(super) fn capability(&self) -> (u32, u32) {
        self.capability
    }

    pub(crate) fn limits(&self) -> Limits {
        self.limits
    }

    /// The pool that allocations come from, if the device has stream-ordered allocation.
    pub(super) fn pool(&self) -> Option<sys::CUmemoryPool> {
        self.pool
    }

    /// Waits for all work of the context.
    pub(crate) fn synchronize(&self) -> Result<()> {
        self.make_current()?;
        check(result::ctx::synchronize(), "waiting for the device")
    }

    /// A limit of the context, in bytes.
    pub(crate) fn limit(&self, limit: DeviceLimit) -> Result<usize> {
        self.make_current()?;
        let mut bytes = 0;
        // SAFETY: the context is current, and `bytes` is room for the answer.
        let code = unsafe { sys::cuCtxGetLimit(&mut bytes, raw_limit(limit)) };
        check_code(code, format_args!("asking for {limit}"))?;
        Ok(bytes)
    }

    /// Sets a limit of the context.
    pub(crate) fn set_limit(&self, limit: DeviceLimit, bytes: usize) -> Result<()> {
        self.make_current()?;
        // SAFETY: the context is current.
        let code = unsafe { sys::cuCtxSetLimit(raw_limit(limit), bytes) };
        match code {
            CUresult::CUDA_ERROR_INVALID_VALUE if limit == DeviceLimit::Heap => Err(Error::HeapInUse),
            CUresult::CUDA_ERROR_INVALID_VALUE | CUresult::CUDA_ERROR_OUT_OF_MEMORY => Err(Error::LimitTooLarge { limit, bytes }),
            code => check_code(code, format_args!("setting {limit}")),
        }
    }

    pub(crate) fn memory_info(&self) -> Result<MemoryInfo> {
        self.make_current()?;
        let (free, total) = check(result::mem_get_info(), "asking for free memory")?;
        let cached = match self.pool {
            None => 0,
            Some(pool) => {
                let reserved = pool_bytes(pool, sys::CUmemPool_attribute::CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT)?;
                reserved.saturating_sub(pool_bytes(pool, sys::CUmemPool_attribute::CU_MEMPOOL_ATTR_USED_MEM_CURRENT)?)
            }
        };
        Ok(MemoryInfo { free: free as u64 + cached, total: total as u64 })
    }
}

fn raw_limit(limit: DeviceLimit) -> sys::CUlimit {
    match limit {
        DeviceLimit::Heap => sys::CUlimit::CU_LIMIT_MALLOC_HEAP_SIZE,
        DeviceLimit::Stack => sys::CUlimit::CU_LIMIT_STACK_SIZE,
    }
}

/// A pool of our own, which keeps freed memory for the next allocation. The device's default pool returns it to the system at each
/// synchronization unless told otherwise, and it belongs to the whole process.
fn create_pool(ordinal: usize) -> Result<sys::CUmemoryPool> {
    let properties = sys::CUmemPoolProps {
        allocType: sys::CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED,
        handleTypes: sys::CUmemAllocationHandleType::CU_MEM_HANDLE_TYPE_NONE,
        location: sys::CUmemLocation { type_: sys::CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE, id: ordinal as c_int },
        win32SecurityAttributes: std::ptr::null_mut(),
        maxSize: 0,
        usage: 0,
        reserved: [0; 54],
    };
    // SAFETY: the properties are those of a pool of device memory.
    let pool = check(unsafe { mem_pool::create(&properties) }, "creating the memory pool")?;
    let mut threshold = u64::MAX;
    let value = (&raw mut threshold).cast::<c_void>();
    let attribute = sys::CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
    // SAFETY: this attribute is a 64-bit number.
    check(unsafe { mem_pool::set_attribute(pool, attribute, value) }, "setting up the memory pool")?;
    Ok(pool)
}

fn pool_bytes(pool: sys::CUmemoryPool, attribute: sys::CUmemPool_attribute) -> Result<u64> {
    let mut bytes = 0u64;
    // SAFETY: the attributes asked for here are 64-bit numbers.
    check(unsafe { mem_pool::get_attribute(pool, attribute, (&raw mut bytes).cast::<c_void>()) }, "asking for the pool's size")?;
    Ok(bytes)
}
