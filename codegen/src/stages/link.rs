//! Reports what kernels reach and cannot have: all at once, each with the chain of calls that leads there.

use std::borrow::Cow;

use super::collect::Kernel;
use super::dependencies::is_of_std;
use super::graph::Graph;
use super::names::{PROVIDED, RUNTIME_MARK, demangle, is_selectable};
use crate::error::{Diagnostic, Fault};
use crate::llvm::{Function, Module};
use crate::wire::Libraries;

pub(crate) fn check(module: &Module<'_>, kernels: &[Kernel], libraries: &Libraries) -> Result<(), Vec<Diagnostic>> {
    let graph = Graph::of(module);
    let mut faults = Vec::new();
    for kernel in kernels {
        let entry = kernel.function(module).map_err(|e| vec![e])?;
        let mut reached: Vec<Function<'_>> = graph.reachable(entry).into_iter().collect();
        reached.sort_by_key(|f| f.value().name());
        for function in reached {
            for problem in problems(&graph, function, libraries) {
                faults.push(report(kernel, &problem, graph.chain(entry, function, &kernel.info.name)));
            }
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

struct Problem {
    fault: Fault,
    what: String,
    cure: Cow<'static, str>,
    place: Option<String>,
}

/// What is wrong with reaching `function`.
fn problems(graph: &Graph<'_>, function: Function<'_>, libraries: &Libraries) -> Vec<Problem> {
    let name = function.value().name();
    if function.value().is_declaration() {
        return undefined(&name, libraries).into_iter().collect();
    }
    let mut found = Vec::new();
    for (variable, instruction) in graph.thread_locals(function) {
        found.push(Problem {
            fault: Fault::User,
            what: format!("the thread-local variable `{}`", demangle(variable)),
            cure: "thread-local variables are of the host; pass the value as a parameter of the kernel".into(),
            place: instruction.place(),
        });
    }
    if !function.has_text_attribute(RUNTIME_MARK) {
        for instruction in function.instructions() {
            if let Some(text) = instruction.inline_asm().filter(|text| !text.is_empty()) {
                found.push(Problem {
                    fault: Fault::User,
                    what: format!("inline assembly (`{}`)", text.lines().next().unwrap_or("").trim()),
                    cure: "`asm!` is assembly of the host's processor; write that step in Rust".into(),
                    place: instruction.place(),
                });
            }
        }
    }
    found
}

fn undefined(name: &str, libraries: &Libraries) -> Option<Problem> {
    // Thread-local variables are reported by name.
    if PROVIDED.contains(&name) || is_selectable(name) || name.starts_with("llvm.threadlocal.address") {
        return None;
    }
    if let Some(intrinsic) = name.strip_prefix("llvm.") {
        let host = ["x86.", "aarch64.", "arm."].iter().any(|prefix| intrinsic.starts_with(prefix));
        return Some(Problem {
            fault: if host { Fault::User } else { Fault::Unsupported },
            what: format!("`{name}`"),
            cure: if host {
                "this is an instruction of the host's processor; use portable Rust there".into()
            } else {
                "this operation of LLVM is not available on GPUs; write it out in Rust".into()
            },
            place: None,
        });
    }
    let path = demangle(name);
    let (fault, cure) = if is_of_std(&path) {
        let cure = "std's files, threads, time, environment and printing exist on the host only; do that before or after the launch";
        (Fault::User, cure.into())
    } else if path == name {
        (Fault::User, "this is a foreign (C) function, which has no device code; write it in Rust".into())
    } else {
        let reason = match libraries {
            Libraries::Missing(reason) => format!(", and building that crate for the GPU failed: {reason}"),
            Libraries::Bitcode(_) => ", and building that crate for the GPU gave other symbols than your build has".to_owned(),
            Libraries::Unasked => String::new(),
        };
        let cure = format!("its body is in another crate{reason}; mark it `#[threadwise::device]` or `#[inline]` there");
        (Fault::Unsupported, cure.into())
    };
    Some(Problem { fault, what: format!("`{path}`"), cure, place: None })
}

fn report(kernel: &Kernel, problem: &Problem, chain: Option<String>) -> Diagnostic {
    let mut message = format!(
        "kernel `{}` uses {}, which a GPU cannot run\n  kernel `{}` at {}",
        kernel.info.name, problem.what, kernel.info.name, kernel.info.place
    );
    if let Some(chain) = chain.filter(|c| !c.is_empty()) {
        message.push('\n');
        message.push_str(&chain);
    }
    if let Some(place) = &problem.place {
        message.push_str(&format!("\n  uses it at {place}"));
    }
    message.push_str(&format!("\n  cure: {}", problem.cure));
    Diagnostic { fault: problem.fault, kernel: kernel.error_place(), message }
}
