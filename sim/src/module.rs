//! Loaded modules and their kernels.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::code::Code;
use crate::decode::{self, Decoded, Entry, Global, write_constant};
use crate::error::LoadError;
use crate::exec::Program;
use crate::memory::GlobalMemory;

/// A loaded module. Clones are the same module; when the last handle and the last kernel are gone, its variables are freed.
#[derive(Clone, Debug)]
pub struct Module {
    inner: Arc<Inner>,
}

/// A kernel of a module.
#[derive(Clone, Debug)]
pub struct Kernel {
    module: Arc<Inner>,
    index: usize,
}

#[derive(Debug)]
struct Inner {
    memory: Arc<GlobalMemory>,
    code: Code,
    globals: Vec<Global>,
    kernels: Vec<Laid>,
}

/// A kernel with its shared memory laid out.
#[derive(Debug)]
struct Laid {
    entry: Entry,
    constants: Arc<[u64]>,
    static_shared: u32,
    /// Bytes of its own frame.
    frame: u32,
    /// Whether functions call functions, so that a thread needs a stack.
    has_calls: bool,
}

impl Drop for Inner {
    fn drop(&mut self) {
        for global in &self.globals {
            // A variable that was freed by hand is gone already.
            let _ = self.memory.free_of_host(global.address);
        }
    }
}

impl Module {
    pub(crate) fn load(memory: &Arc<GlobalMemory>, ptx: &str) -> Result<Module, LoadError> {
        let parsed = threadwise_ptx::parse(ptx)?;
        threadwise_ptx::verify(&parsed)?;
        let mut allocated = Vec::new();
        let decoded = decode::decode(&parsed, |variable| {
            let address = memory
                .allocate_for_host(variable.bytes())
                .map_err(|error| LoadError::new(variable.at, &variable.name, error.to_string()))?;
            allocated.push(address);
            Ok(address)
        });
        let decoded = decoded.inspect_err(|_| {
            for &address in &allocated {
                // They were allocated just now.
                let _ = memory.free_of_host(address);
            }
        })?;
        for global in &decoded.globals {
            if let Err(error) = memory.write(global.address, &global.initial) {
                return Err(LoadError { line: 0, text: global.name.clone(), reason: error.to_string() });
            }
        }
        let kernels = decoded.entries.iter().map(|entry| lay_out(&decoded, entry)).collect();
        let inner = Inner { memory: Arc::clone(memory), code: decoded.code, globals: decoded.globals, kernels };
        Ok(Module { inner: Arc::new(inner) })
    }

    /// The kernel of that name.
    pub fn kernel(&self, name: &str) -> Option<Kernel> {
        let index = self.inner.kernels.iter().position(|kernel| kernel.entry.name == name)?;
        Some(Kernel { module: Arc::clone(&self.inner), index })
    }

    /// Names of all kernels, in order.
    pub fn kernel_names(&self) -> impl Iterator<Item = &str> {
        self.inner.kernels.iter().map(|kernel| kernel.entry.name.as_str())
    }

    /// Address and size in bytes of a global or constant variable.
    pub fn global(&self, name: &str) -> Option<(u64, u64)> {
        self.inner.globals.iter().find(|global| global.name == name).map(|global| (global.address, global.bytes))
    }
}

/// Functions that a kernel can reach.
fn reachable(decoded: &Decoded, from: u32) -> BTreeSet<u32> {
    let mut found = BTreeSet::from([from]);
    let mut todo = vec![from];
    while let Some(function) = todo.pop() {
        let uses = &decoded.uses[function as usize];
        let all = 0..decoded.code.functions.len() as u32;
        let next: Vec<u32> = if uses.indirect { all.collect() } else { uses.functions.iter().copied().collect() };
        todo.extend(next.into_iter().filter(|&f| (f == from || !decoded.code.functions[f as usize].entry) && found.insert(f)));
    }
    found
}

fn lay_out(decoded: &Decoded, entry: &Entry) -> Laid {
    let functions = reachable(decoded, entry.function);
    let used: BTreeSet<usize> = functions.iter().flat_map(|&f| decoded.uses[f as usize].shared.iter().copied()).collect();
    let mut offsets = vec![0u64; decoded.shared.len()];
    let mut end = 0u64;
    for dynamic in [false, true] {
        for &index in used.iter().filter(|&&index| decoded.shared[index].dynamic == dynamic) {
            end = end.next_multiple_of(u64::from(decoded.shared[index].align));
            offsets[index] = end;
            end += decoded.shared[index].bytes;
        }
        // All dynamic variables begin at the same place: they have no size.
    }
    let mut constants = decoded.code.constants.clone();
    for relocation in &decoded.relocations {
        let value = offsets[relocation.shared].wrapping_add(relocation.addend as u64);
        write_constant(&mut constants, relocation.slot, relocation.width, value, false);
    }
    let frame = decoded.code.functions[entry.function as usize].frame;
    let has_calls = decoded.uses[entry.function as usize].indirect || functions.len() > 1;
    Laid { entry: entry.clone(), constants: constants.into(), static_shared: end.min(u64::from(u32::MAX)) as u32, frame, has_calls }
}

impl Kernel {
    fn laid(&self) -> &Laid {
        &self.module.kernels[self.index]
    }

    /// Name of its entry.
    pub fn name(&self) -> &str {
        &self.laid().entry.name
    }

    /// Size of its parameter space.
    pub fn parameter_bytes(&self) -> usize {
        self.laid().entry.parameter_bytes
    }

    /// Shared memory that it declares.
    pub fn static_shared_bytes(&self) -> u32 {
        self.laid().static_shared
    }

    /// The most threads of a block, by launch bounds.
    pub fn max_threads(&self) -> Option<u32> {
        self.laid().entry.max_threads
    }

    /// What a launch runs, with `stack` bytes for each thread's calls.
    pub(crate) fn program(&self, stack: u32) -> Program<'_> {
        let laid = self.laid();
        Program {
            code: &self.module.code,
            name: &laid.entry.name,
            function: laid.entry.function,
            constants: &laid.constants,
            static_shared: laid.static_shared,
            local_bytes: if laid.has_calls { laid.frame.saturating_add(stack) } else { laid.frame },
            max_threads: laid.entry.max_threads,
            parameter_bytes: laid.entry.parameter_bytes,
        }
    }
}
