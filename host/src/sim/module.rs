//! PTX modules loaded by the simulator, and the panic record that each may have.

use std::sync::{Mutex, PoisonError};

use threadwise_abi::symbols;

use super::device::Device;
use super::error::check;
use super::launch::Function;
use super::memory::Memory;
use crate::error::{Error, Result};
use crate::image;
use crate::panic::{DetailFields, RECORD_BYTES, Snapshot};
use crate::registry::ModuleBlob;

/// A loaded module.
pub(crate) struct Module {
    device: Device,
    raw: threadwise_sim::Module,
    record: Option<Record>,
}

impl Module {
    /// Loads the image of `blob` for the lowest architecture.
    pub(crate) fn load(device: &Device, blob: &'static ModuleBlob) -> Result<Module> {
        let failed = |log: String| Error::Load { krate: blob.krate.to_owned(), device: "the simulator".to_owned(), log };
        let image = image::lowest(blob.images).ok_or_else(|| failed("it was built for no architecture".to_owned()))?;
        let raw = device.simulator().load(image.ptx).map_err(|error| failed(error.to_string()))?;
        let record = match raw.global(symbols::PANIC_RECORD) {
            None => None,
            Some((variable, 8)) => Some(Record::connect(device, variable)?),
            Some((_, bytes)) => return Err(Error::Internal(format!("{} has {bytes} bytes instead of 8", symbols::PANIC_RECORD))),
        };
        Ok(Module { device: device.clone(), raw, record })
    }

    /// The kernel with that entry.
    pub(crate) fn function(&self, entry: &str) -> Result<Function> {
        let kernel = self.raw.kernel(entry).ok_or_else(|| Error::Internal(format!("the PTX has no entry `{entry}`")))?;
        Ok(Function::new(self.device.clone(), kernel))
    }

    /// The variable of that symbol and its size in bytes, if there is one.
    pub(crate) fn variable(&self, symbol: &str) -> Option<(Memory, usize)> {
        let (address, bytes) = self.raw.global(symbol)?;
        Some((Memory::of_module(&self.device, address, bytes), bytes as usize))
    }

    /// Takes the panic out of the module's record, if there is a complete one.
    pub(crate) fn take_panic(&self) -> Result<Option<Snapshot>> {
        self.record.as_ref().map_or(Ok(None), Record::take)
    }

    /// Has the panics of the next launches kept in detail, for so many threads and with so many records beside the first; or not.
    pub(crate) fn set_details(&self, wanted: Option<(usize, u32)>) -> Result<()> {
        self.record.as_ref().map_or(Ok(()), |record| record.set_details(wanted))
    }
}

/// A panic record in simulated memory. It lives as long as its device.
struct Record {
    device: Device,
    address: u64,
    /// Address of the memory for details, while there is some.
    details: Mutex<Option<u64>>,
}

impl Record {
    fn connect(device: &Device, variable: u64) -> Result<Record> {
        let address = device.simulator().allocate(RECORD_BYTES as u64);
        let record = Record { device: device.clone(), address: check(address, "allocating the panic record")?, details: Mutex::default() };
        record.clear()?;
        check(device.simulator().write(variable, &record.address.to_le_bytes()), "connecting the panic record")?;
        Ok(record)
    }

    fn clear(&self) -> Result<()> {
        check(self.device.simulator().fill(self.address, 0, RECORD_BYTES as u64), "clearing the panic record")
    }

    /// Takes the panic out of the record, if there is a complete one.
    fn take(&self) -> Result<Option<Snapshot>> {
        let mut bytes = [0; RECORD_BYTES];
        check(self.device.simulator().read(self.address, &mut bytes), "reading the panic record")?;
        let read = |address, len| {
            let mut text = vec![0; len];
            self.device.simulator().read(address, &mut text).ok().map(|()| text)
        };
        let Some(snapshot) = Snapshot::new(bytes, &read) else { return Ok(None) };
        self.clear()?;
        Ok(Some(snapshot))
    }

    fn set_details(&self, wanted: Option<(usize, u32)>) -> Result<()> {
        let simulator = self.device.simulator();
        let mut details = self.details.lock().unwrap_or_else(PoisonError::into_inner);
        let fields = match wanted {
            None => DetailFields::default(),
            Some((threads, records)) => {
                let address = simulator.allocate(DetailFields::room(threads, records) as u64);
                let address = check(address, "allocating the details of panics")?;
                if let Some(before) = details.replace(address) {
                    check(simulator.free(before), "freeing the details of panics")?;
                }
                DetailFields::at(address, threads, records)
            }
        };
        check(simulator.write(self.address + DetailFields::OFFSET as u64, &fields.bytes()), "connecting the details of panics")?;
        match details.take_if(|_| wanted.is_none()) {
            Some(address) => check(simulator.free(address), "freeing the details of panics"),
            None => Ok(()),
        }
    }
}
