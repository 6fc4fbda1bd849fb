//! The stages of lowering, in order.

use std::time::Instant;

use threadwise_abi::SMALL_PARAMETER_BYTES;

use crate::error::Diagnostic;
use crate::llvm::{self, Context, Machine, Module};
use crate::stages::{collect, contract, dependencies, emit, finish, link, optimize, resolve, retarget, statics, validate};
use crate::wire::{Image, Libraries, Request, Response};

/// Lowers the crate that `request` names.
pub fn lower(request: &Request) -> Response {
    run(request).unwrap_or_else(Response::Failed)
}

fn run(request: &Request) -> Result<Response, Vec<Diagnostic>> {
    llvm::open(&request.sysroot).map_err(|e| vec![Diagnostic::tool(e)])?;
    llvm::initialize();
    let context = Context::new();
    let mut machines = emit::machines(&request.archs, 0)?;
    let none = || vec![Diagnostic::internal("no architecture was asked for")];
    let mut trace = Trace::new(request);

    let any = &machines.first().ok_or_else(none)?.machine;
    let Some((module, kernels)) = collect::run(&context, request, any)? else { return Ok(Response::NeedsHostCode) };
    let parameter_bytes = kernels.iter().map(|k| threadwise_abi::parameter_bytes(&k.info.components)).max().unwrap_or(0);
    if parameter_bytes > SMALL_PARAMETER_BYTES {
        machines = emit::machines(&request.archs, parameter_bytes)?;
    }
    let first = machines.first().ok_or_else(none)?;
    trace.stage("collect", &module);
    contract::run(&module, &kernels);
    trace.stage("contract", &module);
    resolve::run(&module, request, &first.machine)?;
    trace.stage("resolve", &module);
    if request.libraries == Libraries::Unasked {
        let wanted = dependencies::wanted(&module);
        if !wanted.is_empty() {
            return Ok(Response::NeedsBodies(wanted));
        }
    }
    link::check(&module, &kernels, &request.libraries)?;
    let statics = statics::run(&module, &first.machine)?;
    validate::shared_memory(&module, &kernels, &first.machine)?;
    retarget::run(&module, &kernels)?;
    trace.stage("retarget", &module);

    let mut images = Vec::new();
    for target in &machines {
        let module = module.duplicate();
        module.retarget(&target.machine);
        optimize::run(&module, &target.machine)?;
        trace.stage("optimize", &module);
        finish::run(&module, &kernels)?;
        validate::run(&module, &kernels)?;
        trace.stage("validate", &module);
        let image = emit::run(&module, target)?;
        trace.ptx(&image);
        images.push(image);
    }
    Ok(Response::Lowered { images, kernels: kernels.into_iter().map(|k| k.info).collect(), statics })
}

/// Dumps the module after each stage and notes the time, where `THREADWISE_DUMP` asks for it.
struct Trace<'r> {
    request: &'r Request,
    number: usize,
    since: Instant,
    times: String,
}

impl<'r> Trace<'r> {
    fn new(request: &'r Request) -> Self {
        Trace { request, number: 0, since: Instant::now(), times: String::new() }
    }

    fn stage(&mut self, name: &str, module: &Module<'_>) {
        let Some(folder) = &self.request.dump else { return };
        self.number += 1;
        self.times.push_str(&format!("{:02}-{name} {:.1} ms\n", self.number, self.since.elapsed().as_secs_f64() * 1e3));
        // A dump is a courtesy: where it cannot be written, lowering goes on without.
        let _ = std::fs::create_dir_all(folder);
        let _ = std::fs::write(folder.join(format!("{:02}-{name}.ll", self.number)), module.print());
        let _ = std::fs::write(folder.join("times.txt"), &self.times);
        self.since = Instant::now();
    }

    fn ptx(&mut self, image: &Image) {
        let Some(folder) = &self.request.dump else { return };
        self.number += 1;
        self.times.push_str(&format!("{:02}-emit {:.1} ms\n", self.number, self.since.elapsed().as_secs_f64() * 1e3));
        let _ = std::fs::write(folder.join(format!("{:02}-emit-{}.ptx", self.number, image.arch)), &image.ptx);
        let _ = std::fs::write(folder.join("times.txt"), &self.times);
        self.since = Instant::now();
    }
}

/// An architecture to emit for.
pub(crate) struct Target {
    pub(crate) arch: String,
    pub(crate) machine: Machine,
}
