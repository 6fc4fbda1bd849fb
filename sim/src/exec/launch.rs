//! A launch: blocks in parallel.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use threadwise_abi::{Dim3, MAX_BLOCK_DIM_XY, MAX_BLOCK_DIM_Z, MAX_GRID_DIM_X, MAX_GRID_DIM_YZ, MAX_THREADS_PER_BLOCK};

use super::block::{Block, BlockStop};
use super::context::{BARRIERS, Context};
use crate::code::Code;
use crate::decode::MAX_SHARED_BYTES;
use crate::fault::{Fault, FaultKind, SourcePlace};
use crate::memory::{GlobalMemory, Region};
use crate::output::{Output, Printed};
use crate::{LaunchConfig, LaunchReport};

/// What a launch runs.
pub(crate) struct Program<'l> {
    pub(crate) code: &'l Code,
    pub(crate) name: &'l str,
    pub(crate) function: u32,
    pub(crate) constants: &'l Arc<[u64]>,
    /// Where dynamic shared memory begins.
    pub(crate) static_shared: u32,
    pub(crate) local_bytes: u32,
    pub(crate) max_threads: Option<u32>,
    pub(crate) parameter_bytes: usize,
}

fn invalid(program: &Program<'_>, reason: String) -> Fault {
    let zero = Dim3::new(0, 0, 0);
    let kind = FaultKind::InvalidLaunch { reason };
    Fault { kernel: program.name.to_owned(), block: zero, thread: zero, ptx_line: 0, place: None, kind }
}

fn check(program: &Program<'_>, config: &LaunchConfig, parameters: &[u8]) -> Result<(), Fault> {
    let (grid, block) = (config.grid, config.block);
    let reason = if grid.count() == 0 || block.count() == 0 {
        format!("grid {grid} of blocks {block} has no threads")
    } else if block.x > MAX_BLOCK_DIM_XY || block.y > MAX_BLOCK_DIM_XY || block.z > MAX_BLOCK_DIM_Z {
        format!("block {block} is larger than ({MAX_BLOCK_DIM_XY}, {MAX_BLOCK_DIM_XY}, {MAX_BLOCK_DIM_Z})")
    } else if block.count() > u64::from(MAX_THREADS_PER_BLOCK) {
        format!("block {block} has {} threads, at most {MAX_THREADS_PER_BLOCK} are possible", block.count())
    } else if grid.x > MAX_GRID_DIM_X || grid.y > MAX_GRID_DIM_YZ || grid.z > MAX_GRID_DIM_YZ {
        format!("grid {grid} is larger than ({MAX_GRID_DIM_X}, {MAX_GRID_DIM_YZ}, {MAX_GRID_DIM_YZ})")
    } else if let Some(bound) = program.max_threads.filter(|&bound| block.count() > u64::from(bound)) {
        format!("block {block} has more threads than the launch bound {bound}")
    } else if u64::from(program.static_shared) + u64::from(config.shared_bytes) > MAX_SHARED_BYTES {
        format!("{} and {} bytes of shared memory are more than {MAX_SHARED_BYTES}", program.static_shared, config.shared_bytes)
    } else if parameters.len() != program.parameter_bytes {
        format!("{} bytes of parameters are given, the kernel takes {}", parameters.len(), program.parameter_bytes)
    } else {
        return Ok(());
    };
    Err(invalid(program, reason))
}

/// Runs a kernel to its end.
pub(crate) fn launch(
    program: &Program<'_>,
    memory: &GlobalMemory,
    output: &Output,
    config: &LaunchConfig,
    parameters: &[u8],
) -> Result<LaunchReport, Fault> {
    check(program, config, parameters)?;
    let blocks = config.grid.count();
    let workers = (rayon::current_num_threads() as u64).min(blocks) as usize;
    let state = State {
        next: AtomicU64::new(0),
        stop: AtomicBool::new(false),
        fault: Mutex::new(None),
        lane_steps: AtomicU64::new(0),
        started: Instant::now(),
        printed: Printed::default(),
    };
    if workers <= 1 {
        work(program, memory, config, parameters, &state, 0, 1);
    } else {
        let state = &state;
        rayon::scope(|scope| {
            for worker in 0..workers {
                scope.spawn(move |_| work(program, memory, config, parameters, state, worker, workers));
            }
        });
    }
    let fault = state.fault.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    state.printed.write(fault.as_ref().map_or(u64::MAX, |&(block, _)| block), output);
    match fault {
        Some((_, fault)) => Err(fault),
        None => Ok(LaunchReport { threads: blocks * config.block.count(), thread_instructions: state.lane_steps.into_inner() }),
    }
}

/// What the workers of a launch share.
struct State {
    /// The next block. Blocks start in order, so that those which wait for earlier ones make progress.
    next: AtomicU64,
    stop: AtomicBool,
    /// The fault of the lowest block so far.
    fault: Mutex<Option<(u64, Fault)>>,
    lane_steps: AtomicU64,
    started: Instant,
    printed: Printed,
}

fn work(
    program: &Program<'_>,
    memory: &GlobalMemory,
    config: &LaunchConfig,
    parameters: &[u8],
    state: &State,
    worker: usize,
    workers: usize,
) {
    let shared_bytes = u64::from(program.static_shared) + u64::from(config.shared_bytes);
    let mut words = vec![0; parameters.len().div_ceil(8)];
    for (i, &byte) in parameters.iter().enumerate() {
        words[i / 8] |= u64::from(byte) << (i % 8 * 8);
    }
    let entry = &program.code.functions[program.function as usize];
    let mut context = Context {
        code: program.code,
        entry,
        uniform: entry.parameter_words(parameters).into(),
        memory,
        view: memory.view(),
        sites: vec![Region::NONE; program.code.sites as usize],
        parameters: words,
        parameter_bytes: parameters.len() as u64,
        shared: vec![0; shared_bytes.div_ceil(8) as usize],
        shared_bytes,
        local_bytes: program.local_bytes,
        started: state.started,
        arrived: [0; BARRIERS],
        printed: Vec::new(),
        print_lost: 0,
    };
    let mut block = Block::new(&context, program.constants, config.block, config.grid, worker, workers, config.shared_bytes);
    let blocks = config.grid.count();
    while !state.stop.load(Ordering::Relaxed) {
        let index = state.next.fetch_add(1, Ordering::Relaxed);
        if index >= blocks {
            break;
        }
        let (x, y) = (u64::from(config.grid.x), u64::from(config.grid.y));
        let at = Dim3::new((index % x) as u32, (index / x % y) as u32, (index / x / y) as u32);
        let outcome = block.run(&mut context, at);
        state.printed.add(index, &context.printed, context.print_lost);
        (context.printed, context.print_lost) = (Vec::new(), 0);
        if let Err(stop) = outcome {
            state.stop.store(true, Ordering::Relaxed);
            let fault = describe(program, config, &block, at, stop);
            let mut first = state.fault.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            if first.as_ref().is_none_or(|(other, _)| index < *other) {
                *first = Some((index, fault));
            }
        }
    }
    let steps = block.warps.iter().map(|warp| warp.lane_steps).sum();
    state.lane_steps.fetch_add(steps, Ordering::Relaxed);
}

fn describe(program: &Program<'_>, config: &LaunchConfig, block: &Block, at: Dim3, stop: BlockStop) -> Fault {
    let code = program.code;
    let warp = &block.warps[stop.warp];
    let lane = stop.stop.lane;
    let index = warp.first_thread + lane;
    let size = config.block;
    let (ptx_line, place) = code.lines.get(warp.pc[lane as usize] as usize).copied().unwrap_or((0, u32::MAX));
    let place = code.places.get(place as usize).map(|place| SourcePlace {
        file: code.files.iter().find(|(file, _)| *file == place.file).map_or_else(String::new, |(_, name)| name.clone()),
        line: place.line,
        column: place.column,
    });
    Fault {
        kernel: program.name.to_owned(),
        block: at,
        thread: Dim3::new(index % size.x, index / size.x % size.y, index / size.x / size.y),
        ptx_line,
        place,
        kind: stop.stop.kind,
    }
}
