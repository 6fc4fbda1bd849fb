//! The lowering process: a rustc of its own over one line that calls back into this library.
//!
//! LLVM ends the process on what it cannot select, so lowering runs neither in the user's rustc nor in the device pass. A program of
//! ours would have to be found, built or installed; rustc can already load this library, so it is the program.

use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, OnceLock};

use threadwise_codegen::{Diagnostic, Fault, Request, Response};

use super::work::WorkFolder;

/// Stack of the thread that lowers: instruction selection recurses as deep as expressions are.
const STACK_BYTES: usize = 64 << 20;

/// Tells the lowering process where it will find the request.
const REQUEST_ENV: &str = "THREADWISE_LOWERING_REQUEST";

/// A started lowering process. It starts up while the device pass runs, and waits for the end of its standard input; then it looks for
/// the request. Nothing is written to that pipe, so a process that died early cannot break it.
pub(super) struct Lowering {
    child: Option<Child>,
    request: PathBuf,
}

impl Lowering {
    pub(super) fn start(rustc: &Path, work: &WorkFolder) -> Result<Self, Diagnostic> {
        let library = this_library().map_err(super::tool)?;
        let request = work.path().join("request");
        let source = work.path().join("lower.rs");
        std::fs::write(&source, "#![no_std]\nthreadwise_macros::__lower!();\n").map_err(|e| cannot("write the source", &e))?;
        let mut library_argument = OsString::from("threadwise_macros=");
        library_argument.push(&library);
        let child = Command::new(rustc)
            .arg(&source)
            .args(["--crate-name=threadwise_lowering", "--crate-type=lib", "--edition=2024", "--emit=metadata", "--extern"])
            .arg(library_argument)
            .arg("-o")
            .arg(work.path().join("lower.rmeta"))
            .env(REQUEST_ENV, &request)
            .env(super::NO_CRASH_REPORT.0, super::NO_CRASH_REPORT.1)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| cannot("start the compiler", &e))?;
        Ok(Lowering { child: Some(child), request })
    }

    /// Hands the request over and waits for the answer.
    pub(super) fn finish(mut self, request: &Request) -> Response {
        self.answer(request).unwrap_or_else(|d| Response::Failed(vec![d]))
    }

    fn answer(&mut self, request: &Request) -> Result<Response, Diagnostic> {
        std::fs::write(&self.request, request.to_bytes()).map_err(|e| cannot("write the request", &e))?;
        let child = self.child.take().ok_or_else(|| super::tool("the lowering process has answered already".into()))?;
        // Closes its standard input first.
        let output = child.wait_with_output().map_err(|e| cannot("wait", &e))?;
        match std::fs::read(&request.response) {
            Ok(bytes) => Response::from_bytes(&bytes).map_err(|e| internal(e.to_string())),
            Err(_) => Err(death(output.status, &String::from_utf8_lossy(&output.stderr))),
        }
    }
}

impl Drop for Lowering {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            // Both fail only when it has ended already.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn internal(message: String) -> Diagnostic {
    Diagnostic { fault: Fault::Internal, kernel: None, message }
}

fn cannot(what: &str, e: &dyn std::fmt::Display) -> Diagnostic {
    super::tool(format!("cannot {what} for lowering: {e}"))
}

/// The lowering process ended without an answer: LLVM's last words say why.
fn death(status: ExitStatus, stderr: &str) -> Diagnostic {
    let llvm = stderr.lines().find_map(|line| line.split_once("LLVM ERROR: ")).map(|(_, message)| message.trim());
    let message = match llvm {
        Some(message) => format!("LLVM cannot make GPU code of this crate's kernels: {message}"),
        None => {
            let last: Vec<&str> = stderr.lines().rev().take(12).collect();
            let last = last.into_iter().rev().collect::<Vec<_>>().join("\n");
            format!("the lowering process ended with {status}\n{last}")
        }
    };
    internal(message)
}

/// What `__lower!` does: answers the request, and ends the process.
pub(crate) fn serve() {
    let path = std::env::var_os(REQUEST_ENV).expect("called by the device pass only");
    std::io::stdin().read_to_end(&mut Vec::new()).expect("standard input is a pipe");
    let Ok(bytes) = std::fs::read(path) else {
        // The device pass failed, or was interrupted: there is nothing to lower.
        std::process::exit(0);
    };
    let request = Request::from_bytes(&bytes).expect("written by the same library");
    // The compiler's own hook would call the panic a defect of rustc.
    let place = Arc::new(OnceLock::new());
    let hook = Arc::clone(&place);
    std::panic::set_hook(Box::new(move |info| {
        let _ = hook.set(info.to_string());
    }));
    let worker = std::thread::Builder::new().stack_size(STACK_BYTES).spawn({
        let request = request.clone();
        move || threadwise_codegen::lower(&request)
    });
    let panicked = |_| place.get().cloned().unwrap_or_default();
    let response = worker.map_err(|e| e.to_string()).and_then(|worker| worker.join().map_err(panicked));
    let response = response.unwrap_or_else(|message| Response::Failed(vec![internal(format!("lowering {message}"))]));
    // Under another name until it is whole: a process that dies in the middle has not answered.
    let partial = request.response.with_extension("partial");
    std::fs::write(&partial, response.to_bytes()).expect("the work folder can be written");
    std::fs::rename(&partial, &request.response).expect("the work folder can be written");
    // Nobody wants this crate's metadata.
    std::process::exit(0);
}

/// The file that this code was loaded from.
#[cfg(unix)]
fn this_library() -> Result<PathBuf, String> {
    use std::ffi::CStr;
    use std::mem::MaybeUninit;
    use std::os::unix::ffi::OsStrExt;

    let mut info = MaybeUninit::<libc::Dl_info>::uninit();
    let address: *const libc::c_void = (serve as fn() as *const ()).cast();
    // SAFETY: `dladdr` only looks the address up, and `info` is room for what it finds.
    let found = unsafe { libc::dladdr(address, info.as_mut_ptr()) };
    if found == 0 {
        return Err("the dynamic linker does not know the library of threadwise's macros".into());
    }
    // SAFETY: `dladdr` filled it, as its result says.
    let info = unsafe { info.assume_init() };
    // SAFETY: the name of a loaded object is a C string that lives as long as the object, which is running.
    let name = unsafe { CStr::from_ptr(info.dli_fname) };
    std::path::absolute(std::ffi::OsStr::from_bytes(name.to_bytes())).map_err(|e| e.to_string())
}

#[cfg(not(unix))]
fn this_library() -> Result<PathBuf, String> {
    Err("building kernels is supported on Linux and macOS only so far".into())
}
