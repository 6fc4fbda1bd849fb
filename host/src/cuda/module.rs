//! PTX modules loaded by the CUDA driver, and the panic record that each may have.

use std::ffi::{CString, c_void};
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};

use cudarc::driver::DriverError;
use cudarc::driver::result;
use cudarc::driver::sys::{self, CUjit_option as Option_, CUresult};
use threadwise_abi::{PanicRecord, RECORD_COMPLETE, RECORD_FREE, symbols};

use super::device::Device;
use super::error::{check, check_code, driver_error};
use super::launch::Function;
use super::memory::Memory;
use crate::error::{Error, Result};
use crate::image;
use crate::panic::{DetailFields, RECORD_BYTES, Snapshot};
use crate::registry::ModuleBlob;

/// Bytes for what the driver's compiler has to say about PTX it refuses.
const LOG_BYTES: usize = 16 * 1024;

/// A loaded module.
pub(crate) struct Module {
    device: &'static Device,
    raw: sys::CUmodule,
    record: Option<Record>,
}

// SAFETY: a module may be used from any thread.
unsafe impl Send for Module {}
// SAFETY: the driver synchronizes its calls.
unsafe impl Sync for Module {}

impl Module {
    /// Loads the image of `blob` that suits the device.
    pub(crate) fn load(device: &'static Device, blob: &'static ModuleBlob) -> Result<Module> {
        let name =
            || format!("{} (CUDA device {}, sm_{}{})", device.name(), device.ordinal(), device.capability().0, device.capability().1);
        let failed = |log: String| Error::Load { krate: blob.krate.to_owned(), device: name(), log };
        let image = image::choose(blob.images, device.capability()).map_err(failed)?;
        let ptx = CString::new(image.ptx).map_err(|_| failed("its PTX contains a zero byte".into()))?;
        device.make_current()?;
        let raw = load_ptx(&ptx).map_err(failed)?;
        let mut module = Module { device, raw, record: None };
        module.record = module.connect_record()?;
        Ok(module)
    }

    /// The kernel with that entry.
    pub(crate) fn function(&self, entry: &str) -> Result<Function> {
        let name = CString::new(entry).map_err(|_| Error::Internal(format!("entry `{entry:?}` contains a zero byte")))?;
        self.device.make_current()?;
        // SAFETY: the module is loaded.
        let raw = check(unsafe { result::module::get_function(self.raw, name) }, format_args!("looking up kernel entry `{entry}`"))?;
        // SAFETY: the function is of a module that is loaded for as long as the owner of `Function` keeps it.
        unsafe { Function::new(self.device, raw) }
    }

    /// The variable of that symbol and its size in bytes, if there is one.
    pub(crate) fn variable(&self, symbol: &str) -> Result<Option<(Memory, usize)>> {
        self.device.make_current()?;
        let name = CString::new(symbol).map_err(|_| Error::Internal(format!("symbol `{symbol:?}` contains a zero byte")))?;
        // SAFETY: the module is loaded.
        match unsafe { result::module::get_global(self.raw, name) } {
            Ok((address, bytes)) => Ok(Some((Memory::of_module(self.device, address), bytes))),
            Err(DriverError(CUresult::CUDA_ERROR_NOT_FOUND)) => Ok(None),
            Err(error) => Err(driver_error(error, format_args!("looking up the variable `{symbol}`"))),
        }
    }

    /// Takes the panic out of the module's record, if there is a complete one.
    pub(crate) fn take_panic(&self) -> Result<Option<Snapshot>> {
        let Some(record) = &self.record else { return Ok(None) };
        self.device.make_current()?;
        Ok(record.take())
    }

    /// Has the panics of the next launches kept in detail, for so many threads and with so many records beside the first; or not. No kernel
    /// of the module may be running.
    pub(crate) fn set_details(&self, wanted: Option<(usize, u32)>) -> Result<()> {
        let Some(record) = &self.record else { return Ok(()) };
        self.device.make_current()?;
        record.set_details(wanted)
    }

    fn connect_record(&self) -> Result<Option<Record>> {
        let Some((variable, bytes)) = self.variable(symbols::PANIC_RECORD)? else { return Ok(None) };
        if bytes != size_of::<sys::CUdeviceptr>() {
            return Err(Error::Internal(format!("{} has {bytes} bytes instead of 8", symbols::PANIC_RECORD)));
        }
        let record = Record::allocate()?;
        let address = record.memory.device_address()?;
        // SAFETY: the variable has room for an address.
        check(unsafe { result::memcpy_htod_sync(variable.address(), &[address]) }, "connecting the panic record")?;
        // A synchronous copy from pageable memory may return when the bytes are staged, and our streams do not wait for the default one.
        // SAFETY: the null stream always exists.
        check(unsafe { result::stream::synchronize(result::stream::null()) }, "connecting the panic record")?;
        Ok(Some(record))
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        // Only a module that failed half-way is ever dropped: the others live as long as their device.
        if self.device.make_current().is_ok() {
            // SAFETY: the module is loaded, and no function of it was launched.
            let _ = unsafe { result::module::unload(self.raw) };
        }
    }
}

/// Loads PTX, or returns what the driver's compiler said.
fn load_ptx(ptx: &CString) -> Result<sys::CUmodule, String> {
    let mut log = vec![0u8; LOG_BYTES];
    // Line information lets profilers and compute-sanitizer name Rust lines; it changes no code.
    let mut options = [Option_::CU_JIT_ERROR_LOG_BUFFER, Option_::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, Option_::CU_JIT_GENERATE_LINE_INFO];
    // The driver takes numbers in the place of pointers.
    let mut values = [log.as_mut_ptr().cast::<c_void>(), std::ptr::without_provenance_mut(LOG_BYTES), std::ptr::without_provenance_mut(1)];
    let mut module = std::ptr::null_mut();
    // SAFETY: the image ends with a zero byte, and the options have values of their kinds that outlive the call.
    let code = unsafe {
        sys::cuModuleLoadDataEx(&mut module, ptx.as_ptr().cast(), options.len() as u32, options.as_mut_ptr(), values.as_mut_ptr())
    };
    check_code(code, "compiling PTX").map_err(|error| {
        let text = log.split(|&byte| byte == 0).next().unwrap_or_default();
        let text = String::from_utf8_lossy(text);
        if text.trim().is_empty() { error.to_string() } else { format!("{error}\n{}", text.trim_end()) }
    })?;
    Ok(module)
}

/// Pinned host memory that all devices reach.
struct Pinned {
    pointer: *mut u8,
    bytes: usize,
}

// SAFETY: it is only memory.
unsafe impl Send for Pinned {}

impl Pinned {
    /// Memory of `bytes > 0` zeroed bytes.
    fn zeroed(bytes: usize) -> Result<Pinned> {
        let flags = sys::CU_MEMHOSTALLOC_PORTABLE | sys::CU_MEMHOSTALLOC_DEVICEMAP;
        // SAFETY: a context is current.
        let pointer = check(unsafe { result::malloc_host(bytes, flags) }, "allocating the panic record")?;
        let pinned = Pinned { pointer: pointer.cast(), bytes };
        pinned.clear();
        Ok(pinned)
    }

    fn clear(&self) {
        // SAFETY: that many bytes were allocated.
        unsafe { self.pointer.write_bytes(0, self.bytes) };
    }

    fn device_address(&self) -> Result<sys::CUdeviceptr> {
        let mut address = 0;
        // SAFETY: the memory was allocated as mapped.
        let code = unsafe { sys::cuMemHostGetDevicePointer_v2(&mut address, self.pointer.cast(), 0) };
        check_code(code, "mapping the panic record")?;
        Ok(address)
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        // SAFETY: the memory came from the driver; whoever drops it knows that no kernel uses it any more.
        let _ = unsafe { result::free_host(self.pointer.cast()) };
    }
}

/// A panic record. It is dropped only when loading failed half-way, before any launch.
struct Record {
    memory: Pinned,
    /// Memory for details, kept for the next launch that asks for them.
    details: Mutex<Option<Pinned>>,
}

// SAFETY: the record is reached through atomics and raw copies only, from any thread.
unsafe impl Send for Record {}
// SAFETY: as above.
unsafe impl Sync for Record {}

impl Record {
    fn allocate() -> Result<Record> {
        Ok(Record { memory: Pinned::zeroed(RECORD_BYTES)?, details: Mutex::default() })
    }

    fn pointer(&self) -> *mut PanicRecord {
        self.memory.pointer.cast()
    }

    fn set_details(&self, wanted: Option<(usize, u32)>) -> Result<()> {
        let mut details = self.details.lock().unwrap_or_else(PoisonError::into_inner);
        let fields = match wanted {
            None => DetailFields::default(),
            Some((threads, records)) => {
                let room = DetailFields::room(threads, records);
                let memory = match details.take().filter(|memory| memory.bytes >= room) {
                    Some(memory) => memory,
                    None => Pinned::zeroed(room)?,
                };
                memory.clear();
                DetailFields::at(details.insert(memory).device_address()?, threads, records)
            }
        };
        let bytes = fields.bytes();
        // SAFETY: the fields lie within the record.
        let to = unsafe { self.memory.pointer.add(DetailFields::OFFSET) };
        // SAFETY: the fields lie within the record, which no kernel uses now.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len()) };
        Ok(())
    }

    /// Takes the panic out of the record, if there is a complete one.
    fn take(&self) -> Option<Snapshot> {
        // SAFETY: the record is alive, and both sides access its state atomically.
        let state = unsafe { &(*self.pointer()).state };
        if state.load(Ordering::Acquire) != RECORD_COMPLETE {
            return None;
        }
        let mut bytes = [0; RECORD_BYTES];
        // SAFETY: the record is complete, so that only its counter can change under the copy, and any value of that will do.
        unsafe { std::ptr::copy_nonoverlapping(self.memory.pointer, bytes.as_mut_ptr(), RECORD_BYTES) };
        let snapshot = Snapshot::new(bytes, &read_text);
        // SAFETY: the record is alive, and both sides access its counter atomically.
        let count = unsafe { &(*self.pointer()).count };
        count.store(0, Ordering::Relaxed);
        state.store(RECORD_FREE, Ordering::Release);
        snapshot
    }
}

/// Bytes of a constant of a loaded module.
fn read_text(address: u64, len: usize) -> Option<Vec<u8>> {
    let mut text = vec![0u8; len];
    // SAFETY: the destination has room; the driver refuses an address that is none of the device's.
    unsafe { result::memcpy_dtoh_sync(&mut text, address) }.ok().map(|()| text)
}
