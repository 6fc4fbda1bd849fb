//! How a failed test reads.

mod map;
mod source;

use std::fmt::Write;

use threadwise_abi::WARP_SIZE;
use threadwise_host::{Dim3, KernelPanic};

/// Panics that are shown for one place in the source.
const SHOWN_THREADS: usize = 3;
/// Places that are shown.
const SHOWN_PLACES: usize = 4;

/// The report of a panic: how many threads, then each place in the source with the first threads that panicked there, then the map of all.
pub(crate) fn of_panic(panic: &KernelPanic) -> String {
    let Some(details) = &panic.details else { return panic.to_string() };
    let mut panics: Vec<&KernelPanic> = std::iter::once(panic).chain(&details.others).collect();
    panics.sort_by_key(|panic| place_of(panic, details.grid, details.block));

    let threads = details.failed.len();
    let failed = details.failed.iter().filter(|&&failed| failed).count();
    let (verb, noun) = if panics.iter().all(|panic| panic.ended) { ("panicked", "panics") } else { ("failed", "failures") };
    let mut text = format!(
        "{failed} of {threads} thread{} {verb}\n  kernel `{}`, grid {}, block {}\n",
        if threads == 1 { "" } else { "s" },
        panic.kernel,
        details.grid,
        details.block
    );
    let places = by_place(&panics);
    for place in places.iter().take(SHOWN_PLACES) {
        text.push('\n');
        write_place(&mut text, place, details.block);
    }
    if let Some(more) = places.len().checked_sub(SHOWN_PLACES).filter(|&more| more > 0) {
        let _ = writeln!(text, "\n… and at {more} more place{}", plural(more));
    }
    let all = (panic.threads as usize).max(failed);
    if panics.len() < all {
        let _ = writeln!(text, "\n{} of the {all} {noun} were kept.", panics.len());
    }
    text.push('\n');
    text.push_str(map::draw(&details.failed, details.grid, details.block).trim_end());
    text
}

fn plural(n: usize) -> &'static str {
    if n == 1 { "" } else { "s" }
}

/// Where in the launch a thread is: by block, then by thread.
fn place_of(panic: &KernelPanic, grid: Dim3, block: Dim3) -> (u64, u64) {
    (linear(panic.block, grid), linear(panic.thread, block))
}

fn linear(at: Dim3, size: Dim3) -> u64 {
    u64::from(at.x) + u64::from(size.x) * (u64::from(at.y) + u64::from(size.y) * u64::from(at.z))
}

/// The panics of each line and column, in the order of their first thread.
fn by_place<'p>(panics: &[&'p KernelPanic]) -> Vec<Vec<&'p KernelPanic>> {
    let mut places: Vec<Vec<&KernelPanic>> = Vec::new();
    for &panic in panics {
        let same =
            |place: &&mut Vec<&KernelPanic>| (&place[0].file, place[0].line, place[0].column) == (&panic.file, panic.line, panic.column);
        match places.iter_mut().find(same) {
            Some(place) => place.push(panic),
            None => places.push(vec![panic]),
        }
    }
    places
}

/// One place as rustc shows one: what it says, the line of the source, and the threads as notes.
fn write_place(text: &mut String, panics: &[&KernelPanic], block: Dim3) {
    let first = panics[0];
    let title = |panic: &KernelPanic| panic.message.lines().next().unwrap_or_default().to_owned();
    // Messages with the thread's own values begin differently in each thread.
    let common = panics.iter().all(|panic| title(panic) == title(first));
    let _ = writeln!(text, "error: {}", title(first));
    let gutter = source::write(text, &first.file, first.line, first.column);
    for panic in panics.iter().take(SHOWN_THREADS) {
        let thread = linear(panic.thread, block) as u32;
        let (warp, lane) = (thread / WARP_SIZE, thread % WARP_SIZE);
        let _ = write!(text, "{gutter} = block {}, thread {} (warp {warp}, lane {lane})", panic.block, panic.thread);
        let mut lines = panic.message.lines();
        if common {
            lines.next();
        }
        let lines: Vec<&str> = lines.collect();
        text.push_str(if lines.is_empty() { "\n" } else { ":\n" });
        for line in lines {
            let _ = writeln!(text, "{gutter}   {line}");
        }
    }
    if let Some(more) = panics.len().checked_sub(SHOWN_THREADS).filter(|&more| more > 0) {
        let _ = writeln!(text, "{gutter} = … and {more} more thread{}", plural(more));
    }
}
