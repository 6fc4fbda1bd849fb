//! Loads and stores: addresses to host places with all checks, then the copies.

use std::sync::atomic::{Ordering, fence};

use threadwise_ptx::Space;

use super::context::{Context, Stop};
use super::warp::{Warp, bits};
use crate::code::table::{LANES, Lanes};
use crate::code::{Access, Address, Order, Slot, Width};
use crate::fault::{AccessKind, Allocation, FaultKind, MemorySpace};
use crate::memory::{Cell, LOCAL_WINDOW, NULL_END, PARAMETER_WINDOW, SHARED_WINDOW, WINDOW_BYTES};

/// Host places of the lanes of an access; only those of active lanes are valid.
pub(super) type Places = Lanes<*mut u8>;

impl Warp {
    /// Addresses of the lanes.
    #[inline(always)]
    fn addresses(&self, access: &Access) -> Lanes<u64> {
        let offset = access.offset as u64;
        match access.address {
            Address::Wide(slot) => {
                let base = self.registers.lanes64(slot);
                std::array::from_fn(|i| base[i].get().wrapping_add(offset))
            }
            Address::Short(slot) => self.registers.get32(slot).map(|a| u64::from(a).wrapping_add(offset)),
            Address::Frame => self.sp.map(|sp| u64::from(sp).wrapping_add(offset)),
            Address::Parameters => [offset; LANES],
        }
    }

    /// Host places of an access, all checks done.
    #[inline(always)]
    pub(super) fn places(&mut self, context: &mut Context<'_>, access: &Access, mask: u32, kind: AccessKind) -> Result<Places, Box<Stop>> {
        let addresses = self.addresses(access);
        let bytes = u64::from(access.bytes * access.count);
        let mut places = [std::ptr::null_mut(); LANES];
        match access.space {
            Some(Space::Global | Space::Const) | None => {
                context.refresh();
                let region = context.sites[access.site as usize];
                let last = region.bytes.wrapping_sub(bytes);
                let mut outside = u32::from(bytes > region.bytes).wrapping_neg();
                for i in 0..LANES {
                    let offset = addresses[i].wrapping_sub(region.start);
                    outside |= u32::from(offset > last || addresses[i] & (bytes - 1) != 0) << i;
                    places[i] = region.host.wrapping_add(offset as usize);
                }
                if outside & mask == 0 {
                    return Ok(places);
                }
                self.places_one_by_one(context, access, &addresses, mask, kind)
            }
            Some(Space::Shared) => {
                let last = context.shared_bytes.wrapping_sub(bytes);
                let mut outside = u32::from(bytes > context.shared_bytes).wrapping_neg();
                let host = context.shared.as_mut_ptr().cast::<u8>();
                for i in 0..LANES {
                    outside |= u32::from(addresses[i] > last || addresses[i] & (bytes - 1) != 0) << i;
                    places[i] = host.wrapping_add(addresses[i] as usize);
                }
                if outside & mask == 0 {
                    return Ok(places);
                }
                self.places_one_by_one(context, access, &addresses, mask, kind)
            }
            Some(Space::Local | Space::Param) => self.places_one_by_one(context, access, &addresses, mask, kind),
        }
    }

    #[inline(never)]
    fn places_one_by_one(
        &mut self,
        context: &mut Context<'_>,
        access: &Access,
        addresses: &Lanes<u64>,
        mask: u32,
        kind: AccessKind,
    ) -> Result<Places, Box<Stop>> {
        let mut places = [std::ptr::null_mut(); LANES];
        let bytes = access.bytes * access.count;
        for lane in bits(mask) {
            let address = addresses[lane];
            places[lane] = self.place(context, access, lane, address, bytes, kind).map_err(|kind| Stop::new(lane as u32, kind))?;
        }
        Ok(places)
    }

    /// The host place of one lane.
    pub(super) fn place(
        &mut self,
        context: &mut Context<'_>,
        access: &Access,
        lane: usize,
        address: u64,
        bytes: u32,
        kind: AccessKind,
    ) -> Result<*mut u8, FaultKind> {
        if !address.is_multiple_of(u64::from(bytes)) {
            return Err(FaultKind::Misaligned { address, alignment: bytes, access: kind });
        }
        let in_window = |window: u64| address.wrapping_sub(window) < WINDOW_BYTES;
        let (space, offset) = match access.space {
            Some(Space::Global | Space::Const) => (MemorySpace::Global, address),
            Some(Space::Shared) => (MemorySpace::Shared, address),
            Some(Space::Local) => (MemorySpace::Local, address),
            Some(Space::Param) => (MemorySpace::Parameters, address),
            None if in_window(SHARED_WINDOW) => (MemorySpace::Shared, address - SHARED_WINDOW),
            None if in_window(LOCAL_WINDOW) => (MemorySpace::Local, address - LOCAL_WINDOW),
            None if in_window(PARAMETER_WINDOW) => (MemorySpace::Parameters, address - PARAMETER_WINDOW),
            None => (MemorySpace::Global, address),
        };
        let (start, size) = match space {
            MemorySpace::Global => return global_place(context, access, address, bytes, kind),
            MemorySpace::Shared => (context.shared.as_mut_ptr().cast::<u8>(), context.shared_bytes),
            MemorySpace::Local => (self.local_start(lane), u64::from(context.local_bytes)),
            MemorySpace::Parameters => (context.parameters.as_mut_ptr().cast::<u8>(), context.parameter_bytes),
        };
        if offset < size && u64::from(bytes) <= size - offset {
            return Ok(start.wrapping_add(offset as usize));
        }
        let nearest = Some(Allocation { address: 0, bytes: size });
        Err(FaultKind::OutOfBounds { space, address: offset, bytes, access: kind, nearest })
    }

    #[inline(always)]
    pub(super) fn load(&mut self, context: &mut Context<'_>, index: u32, mask: u32) -> Result<(), Box<Stop>> {
        let code = context.code;
        let access = &code.accesses[index as usize];
        if access.address == Address::Parameters {
            return self.load_parameter(context, access, mask);
        }
        let places = self.places(context, access, mask, AccessKind::Read)?;
        for element in 0..access.count {
            let skip = (element * access.bytes) as usize;
            let (d, width) = access.data[element as usize];
            match (access.bytes, width) {
                (4, Width::Bits32) => {
                    let mut out = [0; LANES];
                    for lane in bits(mask) {
                        // SAFETY: `places` checked bounds and alignment of active lanes.
                        out[lane] = unsafe { u32::load(places[lane].wrapping_add(skip)) };
                    }
                    self.registers.put32(d, &out, mask);
                }
                (8, _) => {
                    let mut out = [0; LANES];
                    for lane in bits(mask) {
                        // SAFETY: as above.
                        out[lane] = unsafe { u64::load(places[lane].wrapping_add(skip)) };
                    }
                    self.registers.put64(d, &out, mask);
                }
                _ => self.load_extended(access, &places, skip, (d, width), mask),
            }
        }
        if access.order == Order::Acquire {
            fence(Ordering::Acquire);
        }
        Ok(())
    }

    /// The same value for all lanes.
    fn load_parameter(&mut self, context: &mut Context<'_>, access: &Access, mask: u32) -> Result<(), Box<Stop>> {
        let first = 1 << mask.trailing_zeros();
        let addresses = [access.offset as u64; LANES];
        let places = self.places_one_by_one(context, access, &addresses, first, AccessKind::Read)?;
        let place = places[mask.trailing_zeros() as usize];
        for element in 0..access.count {
            let skip = (element * access.bytes) as usize;
            let (d, width) = access.data[element as usize];
            let value = read(access, place.wrapping_add(skip));
            self.put_extended(d, width, &[value; LANES], mask);
        }
        Ok(())
    }

    #[inline(never)]
    fn load_extended(&mut self, access: &Access, places: &Places, skip: usize, (d, width): (Slot, Width), mask: u32) {
        let mut out = [0; LANES];
        for lane in bits(mask) {
            out[lane] = read(access, places[lane].wrapping_add(skip));
        }
        self.put_extended(d, width, &out, mask);
    }

    fn put_extended(&mut self, d: Slot, width: Width, values: &Lanes<u64>, mask: u32) {
        match width {
            Width::Bits64 => self.registers.put64(d, values, mask),
            Width::Bits32 => self.registers.put32(d, &values.map(|v| v as u32), mask),
            Width::Bits16 => self.registers.put32(d, &values.map(|v| v as u32 & 0xffff), mask),
            // The decoder refuses predicates in memory.
            Width::Predicate => {}
        }
    }

    #[inline(always)]
    pub(super) fn store(&mut self, context: &mut Context<'_>, index: u32, mask: u32) -> Result<(), Box<Stop>> {
        let code = context.code;
        let access = &code.accesses[index as usize];
        let places = self.places(context, access, mask, AccessKind::Write)?;
        if access.order == Order::Release {
            fence(Ordering::Release);
        }
        for element in 0..access.count {
            let skip = (element * access.bytes) as usize;
            let (a, width) = access.data[element as usize];
            match (access.bytes, width) {
                (4, Width::Bits32) => {
                    let values = self.registers.get32(a);
                    for lane in bits(mask) {
                        // SAFETY: `places` checked bounds and alignment of active lanes.
                        unsafe { u32::store(places[lane].wrapping_add(skip), values[lane]) };
                    }
                }
                (8, _) => {
                    let values = self.registers.get64(a);
                    for lane in bits(mask) {
                        // SAFETY: as above.
                        unsafe { u64::store(places[lane].wrapping_add(skip), values[lane]) };
                    }
                }
                _ => self.store_narrow(access, &places, skip, (a, width), mask),
            }
        }
        Ok(())
    }

    #[inline(never)]
    fn store_narrow(&mut self, access: &Access, places: &Places, skip: usize, (a, width): (Slot, Width), mask: u32) {
        let values: Lanes<u64> = match width {
            Width::Bits64 => self.registers.get64(a),
            Width::Bits16 | Width::Bits32 | Width::Predicate => self.registers.get32(a).map(u64::from),
        };
        for lane in bits(mask) {
            let place = places[lane].wrapping_add(skip);
            match access.bytes {
                // SAFETY: `places` checked bounds and alignment of active lanes.
                1 => unsafe { u8::store(place, values[lane] as u8) },
                // SAFETY: as above.
                2 => unsafe { u16::store(place, values[lane] as u16) },
                // SAFETY: as above.
                4 => unsafe { u32::store(place, values[lane] as u32) },
                // SAFETY: as above.
                _ => unsafe { u64::store(place, values[lane]) },
            }
        }
    }
}

/// Reads an element from a checked place and extends it to 64 bits.
fn read(access: &Access, place: *mut u8) -> u64 {
    match (access.bytes, access.signed) {
        (1, signed) => {
            // SAFETY: the caller checked the place for this access.
            let value = unsafe { u8::load(place) };
            if signed { value as i8 as i64 as u64 } else { u64::from(value) }
        }
        (2, signed) => {
            // SAFETY: as above.
            let value = unsafe { u16::load(place) };
            if signed { value as i16 as i64 as u64 } else { u64::from(value) }
        }
        (4, signed) => {
            // SAFETY: as above.
            let value = unsafe { u32::load(place) };
            if signed { value as i32 as i64 as u64 } else { u64::from(value) }
        }
        // SAFETY: as above.
        (_, _) => unsafe { u64::load(place) },
    }
}

/// A place in global memory, which the access remembers.
fn global_place(context: &mut Context<'_>, access: &Access, address: u64, bytes: u32, kind: AccessKind) -> Result<*mut u8, FaultKind> {
    let size = u64::from(bytes);
    if let Some(place) = context.sites[access.site as usize].find(address, size) {
        return Ok(place);
    }
    let region = context.view.region(address).or_else(|| {
        context.renew();
        context.view.region(address)
    });
    if let Some(region) = region {
        context.sites[access.site as usize] = region;
        if let Some(place) = region.find(address, size) {
            return Ok(place);
        }
    }
    if address < NULL_END {
        return Err(FaultKind::Null { address, access: kind });
    }
    if let Some(freed) = context.memory.freed(address) {
        return Err(FaultKind::UseAfterFree { address, bytes, access: kind, freed });
    }
    let nearest = context.memory.nearest(address);
    Err(FaultKind::OutOfBounds { space: MemorySpace::Global, address, bytes, access: kind, nearest })
}
