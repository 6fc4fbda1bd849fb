//! What a panic does in a kernel: the first thread to panic fills the panic record, every panicking thread ends itself.
//!
//! Lowering puts these functions in the place of core's: same parameters, the caller's location last. Those ending in `_static` stand in
//! for functions that format their message, in builds that leave formatting out.

use core::fmt::{self, Write};
use core::panic::Location;

use crate::record::{MESSAGE_CAPACITY, PanicKind, PanicRecord};

unsafe extern "C" {
    safe fn __threadwise_record() -> *mut PanicRecord;
    safe fn __threadwise_kernel() -> u32;
    /// Whether panics can be kept in detail: 1 or 0, as lowering puts it.
    safe fn __threadwise_details() -> u32;
    safe fn __threadwise_place() -> *const Place;
    safe fn __threadwise_claim(state: *mut u32) -> bool;
    safe fn __threadwise_publish(state: *mut u32);
    safe fn __threadwise_count(count: *mut u32, n: u32);
    safe fn __threadwise_take(next: *mut u32) -> u32;
    safe fn __threadwise_exit() -> !;
    safe fn __threadwise_activemask() -> u32;
    safe fn __threadwise_laneid() -> u32;
    safe fn __threadwise_tid_x() -> u32;
    safe fn __threadwise_tid_y() -> u32;
    safe fn __threadwise_tid_z() -> u32;
    safe fn __threadwise_ctaid_x() -> u32;
    safe fn __threadwise_ctaid_y() -> u32;
    safe fn __threadwise_ctaid_z() -> u32;
    safe fn __threadwise_ntid_x() -> u32;
    safe fn __threadwise_ntid_y() -> u32;
    safe fn __threadwise_ntid_z() -> u32;
    safe fn __threadwise_nctaid_x() -> u32;
    safe fn __threadwise_nctaid_y() -> u32;
}

/// A place in the source. That of a panic which core reports without one is where the code came from that lies in the user's function:
/// lowering finds it in the line table.
#[derive(Clone, Copy)]
#[repr(C)]
struct Place {
    file: *const u8,
    file_len: usize,
    line: u32,
    column: u32,
}

impl Place {
    #[inline(always)]
    fn of(at: &Location<'_>) -> Self {
        Place { file: at.file().as_ptr(), file_len: at.file().len(), line: at.line(), column: at.column() }
    }

    /// The place that lowering found; without line where it found none.
    #[inline(always)]
    fn found(at: *const Place) -> Self {
        if at.is_null() {
            return Place { file: core::ptr::null(), file_len: 0, line: 0, column: 0 };
        }
        // SAFETY: a constant that lowering made.
        unsafe { *at }
    }
}

/// Claims the record and fills all but the text. `None` when another thread has it, or the host set up none.
#[inline(always)]
fn claim(kind: PanicKind, a: usize, b: usize, at: Place, kernel: u32) -> Option<&'static mut PanicRecord> {
    let pointer = __threadwise_record();
    if pointer.is_null() {
        return None;
    }
    // One lane counts for its warp: the record may lie across the PCIe bus.
    let together = __threadwise_activemask();
    if __threadwise_laneid() == together.trailing_zeros() {
        // SAFETY: the host keeps the record for as long as the module is loaded.
        __threadwise_count(unsafe { &raw mut (*pointer).count }.cast(), together.count_ones());
    }
    // SAFETY: as above.
    let detailed = __threadwise_details() != 0 && unsafe { (*pointer).map_len } != 0;
    if detailed {
        mark(pointer);
    }
    let mut mine = pointer;
    // SAFETY: as above.
    if !__threadwise_claim(unsafe { &raw mut (*pointer).state }.cast()) {
        mine = if detailed { further(pointer) } else { core::ptr::null_mut() };
        if mine.is_null() {
            return None;
        }
    }
    // SAFETY: this thread alone claimed it.
    let record = unsafe { &mut *mine };
    record.kind = kind as u32;
    record.kernel = kernel;
    record.block = [__threadwise_ctaid_x(), __threadwise_ctaid_y(), __threadwise_ctaid_z()];
    record.thread = [__threadwise_tid_x(), __threadwise_tid_y(), __threadwise_tid_z()];
    record.line = at.line;
    record.column = at.column;
    record.values = [a as u64, b as u64];
    record.file = at.file as u64;
    record.file_len = at.file_len as u64;
    record.text = 0;
    record.text_len = 0;
    Some(record)
}

/// Enters this thread into the launch's map.
#[cold]
#[inline(never)]
fn mark(record: *const PanicRecord) {
    let block = at([__threadwise_ctaid_x(), __threadwise_ctaid_y(), __threadwise_ctaid_z()], __threadwise_nctaid_x(), __threadwise_nctaid_y());
    let size = u64::from(__threadwise_ntid_x()) * u64::from(__threadwise_ntid_y()) * u64::from(__threadwise_ntid_z());
    let thread = at([__threadwise_tid_x(), __threadwise_tid_y(), __threadwise_tid_z()], __threadwise_ntid_x(), __threadwise_ntid_y());
    let index = block * size + thread;
    // SAFETY: the host keeps the record for as long as the module is loaded.
    let (map, len) = unsafe { ((*record).map, (*record).map_len) };
    if index < len {
        // SAFETY: the map has that many bytes, and this one is the thread's own.
        unsafe { *(map as *mut u8).add(index as usize) = 1 };
    }
}

/// The place of a block in its grid, or of a thread in its block.
#[inline(always)]
fn at([x, y, z]: [u32; 3], width: u32, height: u32) -> u64 {
    u64::from(x) + u64::from(width) * (u64::from(y) + u64::from(height) * u64::from(z))
}

/// A record of this thread's own beside the first; null when there is none left.
#[cold]
#[inline(never)]
fn further(first: *mut PanicRecord) -> *mut PanicRecord {
    // SAFETY: the host keeps the record for as long as the module is loaded.
    let index = __threadwise_take(unsafe { &raw mut (*first).taken }.cast());
    // SAFETY: as above.
    let (records, len) = unsafe { ((*first).further, (*first).further_len) };
    if index < len { (records as *mut PanicRecord).wrapping_add(index as usize) } else { core::ptr::null_mut() }
}

/// Publishes the claimed record.
#[inline(always)]
fn publish(record: Option<&'static mut PanicRecord>) {
    if let Some(record) = record {
        __threadwise_publish((&raw mut record.state).cast());
    }
}

/// Publishes the claimed record and ends the thread.
#[inline(always)]
fn finish(record: Option<&'static mut PanicRecord>) -> ! {
    publish(record);
    __threadwise_exit()
}

/// Text put together on the device, cut where the record's buffer ends.
struct Sink<'a>(&'a mut PanicRecord);

impl Sink<'_> {
    fn text(&mut self, text: &str) -> &mut Self {
        let mut i = 0;
        while i < text.len() && self.0.text_len < MESSAGE_CAPACITY as u64 {
            // SAFETY: `i` is below the text's length, `text_len` below the buffer's.
            unsafe { *self.0.buffer.as_mut_ptr().add(self.0.text_len as usize) = *text.as_ptr().add(i) };
            self.0.text_len += 1;
            i += 1;
        }
        self
    }

    fn number(&mut self, n: usize) -> &mut Self {
        if n >= 10 {
            self.number(n / 10);
        }
        let digit = [b'0' + (n % 10) as u8];
        // SAFETY: digits are ASCII.
        self.text(unsafe { str::from_utf8_unchecked(&digit) })
    }
}

impl Write for Sink<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.text(text);
        Ok(())
    }
}

// Few parameters each: what several panics of a kernel pass alike, ptxas computes on the way there, in the hot code.

#[cold]
#[inline(never)]
fn message(text: &'static str, at: &Location<'_>, kernel: u32) -> ! {
    let mut record = claim(PanicKind::Message, 0, 0, Place::of(at), kernel);
    if let Some(record) = &mut record {
        record.text = text.as_ptr() as u64;
        record.text_len = text.len() as u64;
    }
    finish(record)
}

#[cold]
#[inline(never)]
fn bounds(index: usize, len: usize, at: &Location<'_>, kernel: u32) -> ! {
    finish(claim(PanicKind::Bounds, index, len, Place::of(at), kernel))
}

#[cold]
#[inline(never)]
fn misaligned(address: usize, align: usize, at: &Location<'_>, kernel: u32) -> ! {
    finish(claim(PanicKind::Misaligned, address, align, Place::of(at), kernel))
}

#[cold]
#[inline(never)]
fn unformatted(at: &Location<'_>, kernel: u32) -> ! {
    finish(claim(PanicKind::Unformatted, 0, 0, Place::of(at), kernel))
}

#[cold]
#[inline(never)]
fn formatted(args: fmt::Arguments<'_>, at: &Location<'_>, kernel: u32) -> ! {
    let mut record = claim(PanicKind::Message, 0, 0, Place::of(at), kernel);
    if let Some(record) = &mut record {
        // A sink that cuts what does not fit never fails.
        let _ = fmt::write(&mut Sink(record), args);
    }
    finish(record)
}

#[cold]
#[inline(never)]
fn range(start: usize, end: usize, len: usize, at: &Location<'_>, kernel: u32) -> ! {
    let mut record = claim(PanicKind::Message, 0, 0, Place::of(at), kernel);
    if let Some(record) = &mut record {
        let mut sink = Sink(record);
        if start > len {
            sink.text("range start index ").number(start).text(" out of range for slice of length ").number(len);
        } else if end > len {
            sink.text("range end index ").number(end).text(" out of range for slice of length ").number(len);
        } else {
            sink.text("slice index starts at ").number(start).text(" but ends at ").number(end);
        }
    }
    finish(record)
}

#[unsafe(no_mangle)]
#[inline(always)]
fn __threadwise_panic_bounds(index: usize, len: usize, at: &Location<'_>) -> ! {
    bounds(index, len, at, __threadwise_kernel())
}

#[unsafe(no_mangle)]
#[inline(always)]
fn __threadwise_panic_misaligned(align: usize, address: usize, at: &Location<'_>) -> ! {
    misaligned(address, align, at, __threadwise_kernel())
}

#[unsafe(no_mangle)]
#[inline(always)]
fn __threadwise_panic_range(start: usize, end: usize, len: usize, at: &Location<'_>) -> ! {
    range(start, end, len, at, __threadwise_kernel())
}

#[unsafe(no_mangle)]
#[inline(always)]
fn __threadwise_panic_str(text: &'static str, at: &Location<'_>) -> ! {
    message(text, at, __threadwise_kernel())
}

#[unsafe(no_mangle)]
#[inline(always)]
fn __threadwise_panic_fmt(args: fmt::Arguments<'_>, at: &Location<'_>) -> ! {
    match args.as_str() {
        Some(text) => message(text, at, __threadwise_kernel()),
        None => formatted(args, at, __threadwise_kernel()),
    }
}

#[unsafe(no_mangle)]
#[inline(always)]
fn __threadwise_panic_fmt_static(args: fmt::Arguments<'_>, at: &Location<'_>) -> ! {
    match args.as_str() {
        Some(text) => message(text, at, __threadwise_kernel()),
        None => unformatted(at, __threadwise_kernel()),
    }
}

#[unsafe(no_mangle)]
#[inline(always)]
fn __threadwise_panic_unformatted(at: &Location<'_>) -> ! {
    unformatted(at, __threadwise_kernel())
}

#[unsafe(no_mangle)]
#[inline(always)]
fn __threadwise_panic_result(text: &str, error: &dyn fmt::Debug, at: &Location<'_>) -> ! {
    formatted(format_args!("{text}: {error:?}"), at, __threadwise_kernel())
}

#[unsafe(no_mangle)]
#[inline(always)]
fn __threadwise_panic_result_static(text: &'static str, _: &dyn fmt::Debug, at: &Location<'_>) -> ! {
    message(text, at, __threadwise_kernel())
}

const fn comparison(kind: u8) -> &'static str {
    match kind {
        0 => "assertion `left == right` failed",
        1 => "assertion `left != right` failed",
        _ => "assertion `left matches right` failed",
    }
}

#[unsafe(no_mangle)]
#[inline(always)]
fn __threadwise_panic_assert(
    kind: u8,
    left: &dyn fmt::Debug,
    right: &dyn fmt::Debug,
    args: Option<fmt::Arguments<'_>>,
    at: &Location<'_>,
) -> ! {
    let what = comparison(kind);
    match args {
        Some(args) => formatted(
            format_args!("{what}: {args}\n  left: {left:?}\n right: {right:?}"),
            at,
            __threadwise_kernel(),
        ),
        None => formatted(format_args!("{what}\n  left: {left:?}\n right: {right:?}"), at, __threadwise_kernel()),
    }
}

#[unsafe(no_mangle)]
#[inline(always)]
fn __threadwise_panic_assert_static(
    kind: u8,
    _: &dyn fmt::Debug,
    _: &dyn fmt::Debug,
    _: Option<fmt::Arguments<'_>>,
    at: &Location<'_>,
) -> ! {
    message(comparison(kind), at, __threadwise_kernel())
}

/// For an instance of the generic function before the above, which takes its operands by reference.
#[unsafe(no_mangle)]
#[inline(always)]
fn __threadwise_panic_assert_instance(
    kind: u8,
    _: &u8,
    _: &u8,
    _: Option<fmt::Arguments<'_>>,
    at: &Location<'_>,
) -> ! {
    message(comparison(kind), at, __threadwise_kernel())
}

macro_rules! fixed {
    ($($name:ident $text:literal;)*) => {$(
        #[unsafe(no_mangle)]
        #[inline(always)]
        fn $name(at: &Location<'_>) -> ! {
            message($text, at, __threadwise_kernel())
        }
    )*};
}

fixed! {
    __threadwise_panic_unwrap_none "called `Option::unwrap()` on a `None` value";
    __threadwise_panic_explicit "explicit panic";
    __threadwise_panic_null "null pointer dereference occurred";
    __threadwise_panic_borrowed "RefCell already borrowed";
    __threadwise_panic_const_div_by_zero "attempt to divide by zero";
    __threadwise_panic_const_rem_by_zero "attempt to calculate the remainder with a divisor of zero";
    __threadwise_panic_const_add_overflow "attempt to add with overflow";
    __threadwise_panic_const_sub_overflow "attempt to subtract with overflow";
    __threadwise_panic_const_mul_overflow "attempt to multiply with overflow";
    __threadwise_panic_const_div_overflow "attempt to divide with overflow";
    __threadwise_panic_const_rem_overflow "attempt to calculate the remainder with overflow";
    __threadwise_panic_const_neg_overflow "attempt to negate with overflow";
    __threadwise_panic_const_shr_overflow "attempt to shift right with overflow";
    __threadwise_panic_const_shl_overflow "attempt to shift left with overflow";
}

#[cold]
#[inline(never)]
fn found(text: &'static str, at: *const Place, kernel: u32) -> ! {
    let mut record = claim(PanicKind::Message, 0, 0, Place::found(at), kernel);
    if let Some(record) = &mut record {
        record.text = text.as_ptr() as u64;
        record.text_len = text.len() as u64;
    }
    finish(record)
}

#[cold]
#[inline(never)]
fn out_of_memory(bytes: usize, at: *const Place, kernel: u32) -> ! {
    finish(claim(PanicKind::OutOfMemory, bytes, 0, Place::found(at), kernel))
}

#[unsafe(no_mangle)]
#[inline(always)]
fn __threadwise_panic_alloc(_align: usize, bytes: usize) -> ! {
    out_of_memory(bytes, __threadwise_place(), __threadwise_kernel())
}

/// Of a collection: its `TryReserveError` is a layout, or for a capacity beyond the address space an alignment of 0.
#[unsafe(no_mangle)]
#[inline(always)]
fn __threadwise_panic_reserve(align: usize, bytes: usize) -> ! {
    match align {
        0 => found("capacity overflow", __threadwise_place(), __threadwise_kernel()),
        _ => out_of_memory(bytes, __threadwise_place(), __threadwise_kernel()),
    }
}

/// A broken precondition of an unsafe function of core, which does not say where.
#[unsafe(no_mangle)]
#[inline(always)]
fn __threadwise_panic_precondition(text: &'static str) -> ! {
    found(text, __threadwise_place(), __threadwise_kernel())
}

#[unsafe(no_mangle)]
#[inline(always)]
fn __threadwise_panic_no_unwind() -> ! {
    found("panic in a function that cannot unwind", __threadwise_place(), __threadwise_kernel())
}

#[unsafe(no_mangle)]
#[inline(always)]
fn __threadwise_panic_handler(_info: *const u8) -> ! {
    found("panic", __threadwise_place(), __threadwise_kernel())
}

const EXPECTATION: &str = "expectation `left == right` failed";

#[cold]
#[inline(never)]
fn expectation(args: fmt::Arguments<'_>, at: &Location<'_>, kernel: u32) {
    let mut record = claim(PanicKind::Expectation, 0, 0, Place::of(at), kernel);
    if let Some(record) = &mut record {
        // A sink that cuts what does not fit never fails.
        let _ = fmt::write(&mut Sink(record), args);
    }
    publish(record);
}

#[unsafe(no_mangle)]
#[inline(always)]
fn __threadwise_expect(left: &dyn fmt::Debug, right: &dyn fmt::Debug, args: Option<fmt::Arguments<'_>>, at: &Location<'_>) {
    match args {
        Some(args) => expectation(
            format_args!("{EXPECTATION}: {args}\n  left: {left:?}\n right: {right:?}"),
            at,
            __threadwise_kernel(),
        ),
        None => expectation(format_args!("{EXPECTATION}\n  left: {left:?}\n right: {right:?}"), at, __threadwise_kernel()),
    }
}

#[cold]
#[inline(never)]
fn expectation_static(at: &Location<'_>, kernel: u32) {
    let mut record = claim(PanicKind::Expectation, 0, 0, Place::of(at), kernel);
    if let Some(record) = &mut record {
        record.text = EXPECTATION.as_ptr() as u64;
        record.text_len = EXPECTATION.len() as u64;
    }
    publish(record);
}

#[unsafe(no_mangle)]
#[inline(always)]
fn __threadwise_expect_static(_: &dyn fmt::Debug, _: &dyn fmt::Debug, _: Option<fmt::Arguments<'_>>, at: &Location<'_>) {
    expectation_static(at, __threadwise_kernel());
}
