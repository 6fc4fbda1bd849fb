//! Calls and returns.

use super::context::{Context, Stop};
use super::interpret::Next;
use super::warp::{Frame, Warp, bits};
use crate::code::table::LANES;
use crate::code::{Call, Callee, FunctionInfo};
use crate::decode::MAX_ALIGNMENT;
use crate::fault::FaultKind;
use crate::memory::{FUNCTION_STRIDE, FUNCTION_WINDOW};

/// Words of registers that a warp may use, so that endless recursion ends.
const MAX_REGISTER_WORDS: u32 = 1 << 23;

impl Warp {
    /// Copies between the frames of two functions in a lane's own memory.
    fn copy_local(&mut self, lane: usize, from: u32, to: u32, bytes: u32) {
        let start = self.local_start(lane);
        let (from, to) = (start.wrapping_add(from as usize), start.wrapping_add(to as usize));
        // SAFETY: the decoder lays arguments and results out inside of frames, and frames are checked to lie in the lane's memory.
        unsafe { std::ptr::copy(from, to, bytes as usize) };
    }

    fn local_byte(&self, at: usize) -> u8 {
        self.local[at / 8].to_le_bytes()[at % 8]
    }

    fn set_local_byte(&mut self, at: usize, byte: u8) {
        let shift = at % 8 * 8;
        let word = &mut self.local[at / 8];
        *word = *word & !(0xff << shift) | u64::from(byte) << shift;
    }

    #[inline(never)]
    pub(super) fn call(&mut self, context: &mut Context<'_>, index: u32, mask: u32, at: u32) -> Result<Next, Box<Stop>> {
        let code = context.code;
        let call = &code.calls[index as usize];
        let (function, lanes) = match call.callee {
            Callee::Function(function) => (function, mask),
            Callee::Indirect(slot) => {
                let addresses = self.registers.get64(slot);
                let leader = mask.trailing_zeros();
                let address = addresses[leader as usize];
                let lanes = bits(mask).filter(|&lane| addresses[lane] == address).fold(0, |lanes, lane| lanes | 1 << lane);
                let bad = || Stop::new(leader, FaultKind::BadCall { address });
                let function = function_at(address).filter(|&f| (f as usize) < code.functions.len()).ok_or_else(bad)?;
                if !fits(call, &code.functions[function as usize]) {
                    return Err(bad());
                }
                (function, lanes)
            }
            Callee::Malloc => {
                self.malloc(context, call, mask);
                return Ok(Next::Continue);
            }
            Callee::Free => {
                self.free(context, call, mask)?;
                return Ok(Next::Continue);
            }
            Callee::Print { site } => {
                self.print(context, call, site, mask)?;
                return Ok(Next::Continue);
            }
        };
        self.enter_function(context, index, function, lanes, at)?;
        if lanes != mask {
            // The others call when these are back, or as soon as it is their turn.
            self.set_pc(mask & !lanes, at);
            return Ok(Next::Reschedule);
        }
        let lane = lanes.trailing_zeros() as usize;
        Ok(Next::Jump { pc: self.pc[lane], base: self.base[lane] })
    }

    fn enter_function(&mut self, context: &Context<'_>, index: u32, function: u32, lanes: u32, at: u32) -> Result<(), Box<Stop>> {
        let code = context.code;
        let call = &code.calls[index as usize];
        let callee = &code.functions[function as usize];
        let caller = function_of(&code.functions, at);
        let leader = lanes.trailing_zeros();
        let base = self.base[leader as usize] + caller.registers;
        let overflow = |lane: u32| Stop::new(lane, FaultKind::StackOverflow { limit: context.local_bytes });
        if base + callee.registers > MAX_REGISTER_WORDS {
            return Err(overflow(leader));
        }
        for lane in bits(lanes) {
            let sp = self.sp[lane] + caller.frame.next_multiple_of(MAX_ALIGNMENT);
            if sp + callee.frame > context.local_bytes {
                return Err(overflow(lane as u32));
            }
            let depth = self.depth[lane] as usize;
            if self.frames.len() <= depth {
                self.frames.push(Frame { pc: [0; LANES], base: [0; LANES], sp: [0; LANES], call: [0; LANES] });
            }
            let frame = &mut self.frames[depth];
            frame.pc[lane] = at + 1;
            frame.base[lane] = self.base[lane];
            frame.sp[lane] = self.sp[lane];
            frame.call[lane] = index;
            for (&(from, bytes), &(to, _)) in call.arguments.iter().zip(&callee.parameters) {
                self.copy_local(lane, self.sp[lane] + from, sp + to, bytes);
            }
            self.depth[lane] += 1;
            self.sp[lane] = sp;
            self.base[lane] = base;
            self.pc[lane] = callee.start;
        }
        self.registers.enter(base, callee.registers);
        Ok(())
    }

    /// Returns from a function; from the kernel itself, lanes end.
    #[inline(never)]
    pub(super) fn ret(&mut self, context: &Context<'_>, mask: u32) -> Next {
        let code = context.code;
        let leader = mask.trailing_zeros() as usize;
        if self.depth[leader] == 0 {
            self.exit(mask);
            return Next::Reschedule;
        }
        // Lanes of a group are in the same function, though perhaps called from different places.
        let function = function_of(&code.functions, self.frame_function(mask));
        for lane in bits(mask) {
            let depth = self.depth[lane] as usize - 1;
            let frame = &self.frames[depth];
            let (pc, base, sp, call) = (frame.pc[lane], frame.base[lane], frame.sp[lane], frame.call[lane]);
            let call = &code.calls[call as usize];
            for (&(from, bytes), &(to, _)) in function.results.iter().zip(&call.results) {
                self.copy_local(lane, self.sp[lane] + from, sp + to, bytes);
            }
            self.depth[lane] = depth as u32;
            self.pc[lane] = pc;
            self.base[lane] = base;
            self.sp[lane] = sp;
        }
        let (pc, base) = (self.pc[leader], self.base[leader]);
        if bits(mask).all(|lane| self.pc[lane] == pc && self.base[lane] == base) { Next::Jump { pc, base } } else { Next::Reschedule }
    }

    /// An operation of the function that the lanes are in.
    fn frame_function(&self, mask: u32) -> u32 {
        self.pc[mask.trailing_zeros() as usize]
    }

    fn malloc(&mut self, context: &mut Context<'_>, call: &Call, mask: u32) {
        let (argument, result) = (call.arguments[0].0, call.results[0].0);
        for lane in bits(mask) {
            let sp = self.sp[lane];
            let bytes = self.local_word(lane, sp + argument);
            // A null pointer where there is no memory, as `malloc` gives.
            let address = context.memory.allocate_on_heap(bytes).unwrap_or(0);
            self.set_local_bytes(lane, sp + result, &address.to_le_bytes());
        }
    }

    fn free(&mut self, context: &mut Context<'_>, call: &Call, mask: u32) -> Result<(), Box<Stop>> {
        for lane in bits(mask) {
            let address = self.local_word(lane, self.sp[lane] + call.arguments[0].0);
            if address != 0 && context.memory.free_on_heap(address).is_err() {
                return Err(Stop::new(lane as u32, FaultKind::BadFree { address }));
            }
        }
        Ok(())
    }

    pub(super) fn local_word(&self, lane: usize, at: u32) -> u64 {
        let start = lane * self.local_stride + at as usize;
        u64::from_le_bytes(std::array::from_fn(|i| self.local_byte(start + i)))
    }

    pub(super) fn set_local_bytes(&mut self, lane: usize, at: u32, bytes: &[u8]) {
        let start = lane * self.local_stride + at as usize;
        for (i, &byte) in bytes.iter().enumerate() {
            self.set_local_byte(start + i, byte);
        }
    }
}

/// The function that the operation at `pc` belongs to.
pub(super) fn function_of(functions: &[FunctionInfo], pc: u32) -> &FunctionInfo {
    let after = functions.partition_point(|f| f.start <= pc);
    &functions[after.saturating_sub(1)]
}

fn function_at(address: u64) -> Option<u32> {
    let offset = address.checked_sub(FUNCTION_WINDOW + FUNCTION_STRIDE)?;
    (offset.is_multiple_of(FUNCTION_STRIDE)).then(|| u32::try_from(offset / FUNCTION_STRIDE).ok())?
}

/// Does the call pass what the function takes?
fn fits(call: &Call, function: &FunctionInfo) -> bool {
    let same = |a: &[(u32, u32)], b: &[(u32, u32)]| a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x.1 == y.1);
    !function.entry && same(&call.arguments, &function.parameters) && same(&call.results, &function.results)
}
