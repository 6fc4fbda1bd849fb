//! Registers of a warp.

use std::cell::Cell;
use std::sync::Arc;

use crate::code::table::{LANES, Lanes, Out};
use crate::code::{SPECIALS, Slot, Special, WORDS64};

/// Registers, constants, special registers and kernel parameters of a warp.
///
/// Invariant: `bases` point to `words` at the frame in use, to `constants`, `specials` and `parameters`; every slot of the code in use lies
/// inside, as the decoder hands out slots below the number of registers of a function, [`Registers::enter`] makes room for those, and the
/// tables of constants, special registers and parameters have all slots that the decoder made.
pub(crate) struct Registers {
    words: Vec<u64>,
    specials: Vec<u64>,
    constants: Arc<[u64]>,
    parameters: Arc<[u64]>,
    bases: [*mut u64; 4],
}

// SAFETY: the pointers lead into the vectors that the value owns, or into the shared constants, which are only read.
unsafe impl Send for Registers {}

impl Registers {
    pub(crate) fn new(constants: Arc<[u64]>, parameters: Arc<[u64]>) -> Registers {
        let specials = vec![0; SPECIALS * WORDS64 as usize];
        let mut registers = Registers { words: Vec::new(), specials, constants, parameters, bases: [std::ptr::null_mut(); 4] };
        registers.bases[Slot::CONSTANTS as usize] = registers.constants.as_ptr().cast_mut();
        registers.bases[Slot::SPECIALS as usize] = registers.specials.as_mut_ptr();
        registers.bases[Slot::PARAMETERS as usize] = registers.parameters.as_ptr().cast_mut();
        registers
    }

    /// Makes the frame at `base` with `words` words the one in use.
    pub(crate) fn enter(&mut self, base: u32, words: u32) {
        let end = (base + words) as usize;
        if self.words.len() < end {
            self.words.resize(end.next_power_of_two(), 0);
        }
        self.bases[Slot::REGISTERS as usize] = self.words.as_mut_ptr().wrapping_add(base as usize);
    }

    #[inline(always)]
    fn place(&self, slot: Slot) -> *mut u64 {
        self.bases[slot.region()].wrapping_add(slot.offset())
    }

    /// The lanes of an operand of 32 bits; only those of registers are ever set.
    #[inline(always)]
    pub(crate) fn lanes32(&self, slot: Slot) -> &Lanes<Cell<u32>> {
        // SAFETY: a slot of 32 bits a lane has the size of the array and lies inside by the invariant of the type.
        unsafe { &*self.place(slot).cast::<Lanes<Cell<u32>>>() }
    }

    /// The lanes of an operand of 64 bits; only those of registers are ever set.
    #[inline(always)]
    pub(crate) fn lanes64(&self, slot: Slot) -> &Lanes<Cell<u64>> {
        // SAFETY: a slot of 64 bits a lane has the size of the array and lies inside by the invariant of the type.
        unsafe { &*self.place(slot).cast::<Lanes<Cell<u64>>>() }
    }

    /// The values of an operand of 32 bits.
    #[inline(always)]
    pub(crate) fn get32(&self, slot: Slot) -> Lanes<u32> {
        let lanes = self.lanes32(slot);
        std::array::from_fn(|i| lanes[i].get())
    }

    /// The values of an operand of 64 bits.
    #[inline(always)]
    pub(crate) fn get64(&self, slot: Slot) -> Lanes<u64> {
        let lanes = self.lanes64(slot);
        std::array::from_fn(|i| lanes[i].get())
    }

    /// A predicate: one bit per lane.
    #[inline(always)]
    pub(crate) fn get_mask(&self, slot: Slot) -> u32 {
        // SAFETY: a slot of a predicate is one word and lies inside by the invariant of the type.
        let word = unsafe { *self.place(slot) };
        word as u32
    }

    /// A result of 32 bits in the lanes of `mask`.
    #[inline(always)]
    pub(crate) fn out32(&self, slot: Slot, mask: u32) -> Out<'_, u32> {
        Out { lanes: self.lanes32(slot), mask }
    }

    /// A result of 64 bits in the lanes of `mask`.
    #[inline(always)]
    pub(crate) fn out64(&self, slot: Slot, mask: u32) -> Out<'_, u64> {
        Out { lanes: self.lanes64(slot), mask }
    }

    #[inline(always)]
    pub(crate) fn put32(&mut self, slot: Slot, values: &Lanes<u32>, mask: u32) {
        self.out32(slot, mask).put(|i| values[i]);
    }

    #[inline(always)]
    pub(crate) fn put64(&mut self, slot: Slot, values: &Lanes<u64>, mask: u32) {
        self.out64(slot, mask).put(|i| values[i]);
    }

    #[inline(always)]
    pub(crate) fn put_mask(&mut self, slot: Slot, values: u32, mask: u32) {
        let merged = self.get_mask(slot) & !mask | values & mask;
        // SAFETY: as in `get_mask`; results are registers, which `self` owns.
        unsafe { *self.place(slot) = u64::from(merged) };
    }

    /// A word of a slot in the frame at `base`, which need not be the one in use.
    fn word(&self, base: u32, slot: Slot, index: usize) -> u64 {
        let at = slot.offset() + index;
        match slot.region() as u32 {
            Slot::REGISTERS => self.words[base as usize + at],
            Slot::CONSTANTS => self.constants[at],
            Slot::PARAMETERS => self.parameters[at],
            _ => self.specials[at],
        }
    }

    /// One lane of a slot of 32 bits in the frame at `base`.
    pub(crate) fn peek32(&self, base: u32, slot: Slot, lane: usize) -> u32 {
        (self.word(base, slot, lane / 2) >> (lane % 2 * 32)) as u32
    }

    /// One lane of a predicate in the frame at `base`.
    pub(crate) fn peek_mask(&self, base: u32, slot: Slot, lane: usize) -> bool {
        self.word(base, slot, 0) >> lane & 1 != 0
    }

    /// Sets a special register.
    pub(crate) fn set_special(&mut self, special: Special, value: impl Fn(u32) -> u32) {
        let start = special as usize * WORDS64 as usize;
        for (i, word) in self.specials[start..start + LANES / 2].iter_mut().enumerate() {
            let lane = 2 * i as u32;
            *word = u64::from(value(lane)) | u64::from(value(lane + 1)) << 32;
        }
    }

    /// Sets a special register of 64 bits.
    pub(crate) fn set_special64(&mut self, special: Special, value: u64) {
        let start = special as usize * WORDS64 as usize;
        self.specials[start..start + LANES].fill(value);
    }
}
