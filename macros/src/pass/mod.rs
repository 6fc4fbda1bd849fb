//! The device pass: once per rustc process, the crate is compiled again to bitcode, which is lowered to PTX.

mod arch;
mod command;
mod dependencies;
pub(crate) mod lower;
mod report;
mod work;

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use threadwise_abi::symbols::DEVICE_PASS_ENV;
use threadwise_codegen::{Diagnostic, Fault, Image, KernelInfo, Libraries, Request, Response, StaticInfo};

use self::command::CommandLine;
use self::lower::Lowering;
use self::work::WorkFolder;

/// Environment variables that change what is embedded: cargo rebuilds the crate when one of them changes.
pub(crate) const TRACKED_VARIABLES: &[&str] = &["THREADWISE_ARCH", "THREADWISE_DUMP", "THREADWISE_LLVM"];

/// Keeps the compilers that we start from leaving `rustc-ice-*.txt` in the user's folder; what they say is in our message.
const NO_CRASH_REPORT: (&str, &str) = ("RUSTC_ICE", "0");

/// What the device pass of this crate gave.
pub(crate) enum Outcome {
    /// There is no device code: none is needed here, or the crate does not compile, which rustc will say.
    Nothing,
    /// Device code for all kernels.
    Lowered { krate: String, images: Vec<Image>, kernels: Vec<KernelInfo>, statics: Vec<StaticInfo> },
    /// Errors of kernels and of the crate as a whole.
    Failed(Vec<Diagnostic>),
}

/// Whether this is the rustc of a device pass.
pub(crate) fn is_device_pass() -> bool {
    std::env::var_os(DEVICE_PASS_ENV).is_some()
}

/// Whether `#[test]` functions are compiled: by `rustc --test`, and for all that an editor's macro server knows.
pub(crate) fn makes_tests() -> bool {
    static TESTS: OnceLock<bool> = OnceLock::new();
    *TESTS.get_or_init(|| {
        let is_compiler = |stem: &std::ffi::OsStr| stem == "rustc" || stem == "clippy-driver";
        let compiles = std::env::current_exe().is_ok_and(|exe| exe.file_stem().is_some_and(is_compiler));
        !compiles || CommandLine::parse(std::env::args_os().skip(1)).is_ok_and(|command| command.is_test())
    })
}

/// The outcome for this crate; the first call runs the pass. `true` for the first caller only, which embeds what concerns the whole crate.
pub(crate) fn outcome() -> (&'static Outcome, bool) {
    static OUTCOME: OnceLock<Outcome> = OnceLock::new();
    static CLAIMED: AtomicBool = AtomicBool::new(false);
    let outcome = OUTCOME.get_or_init(|| run().unwrap_or_else(|diagnostic| Outcome::Failed(vec![diagnostic])));
    (outcome, !CLAIMED.swap(true, Ordering::Relaxed))
}

fn tool(message: String) -> Diagnostic {
    Diagnostic { fault: Fault::Tool, kernel: None, message }
}

fn run() -> Result<Outcome, Diagnostic> {
    let rustc = std::env::current_exe().map_err(|e| tool(format!("cannot find the running compiler: {e}")))?;
    // Not in clippy-driver, rustdoc, an editor's macro server: they make no program.
    if rustc.file_stem().is_none_or(|name| name != "rustc") {
        return Ok(Outcome::Nothing);
    }
    let arguments = std::env::args_os().skip(1);
    let command = CommandLine::parse(arguments).map_err(|e| tool(format!("cannot read the arguments of the compiler: {e}")))?;
    if !command.makes_code() {
        return Ok(Outcome::Nothing);
    }
    let archs = arch::chosen().map_err(|message| Diagnostic { fault: Fault::User, kernel: None, message })?;
    let work = WorkFolder::create(&command).map_err(|e| tool(format!("cannot make a folder for device code: {e}")))?;

    let pass = Pass { rustc: &rustc, command: &command, archs: &archs, work: &work };
    // The code of a program's `main` is most of the work, and only generic kernels need it.
    let skim = command.is_program();
    match pass.run(!skim)? {
        Some(outcome) => Ok(outcome),
        None => Ok(pass.run(true)?.unwrap_or(Outcome::Nothing)),
    }
}

/// What the crate's `-C metadata` says: it tells two versions of one crate apart.
pub(crate) fn crate_salt() -> &'static str {
    static SALT: OnceLock<String> = OnceLock::new();
    SALT.get_or_init(|| {
        let command = CommandLine::parse(std::env::args_os().skip(1)).ok();
        command.map(|command| command.metadata()).unwrap_or_default()
    })
}

/// A device pass and the lowering of what it leaves.
struct Pass<'a> {
    rustc: &'a Path,
    command: &'a CommandLine,
    archs: &'a [String],
    work: &'a WorkFolder,
}

impl Pass<'_> {
    /// `None` where the pass has to run with the crate's host code.
    fn run(&self, host_code: bool) -> Result<Option<Outcome>, Diagnostic> {
        let Pass { rustc, command, archs, work } = *self;
        let lowering = Lowering::start(rustc, work)?;
        let bitcode = work.path().join(format!("{}.bc", command.crate_name()));
        let output = Command::new(rustc)
            .args(work.arguments(command.device_pass(&bitcode, work.path(), host_code)))
            .env(DEVICE_PASS_ENV, "1")
            .env(NO_CRASH_REPORT.0, NO_CRASH_REPORT.1)
            .stdin(Stdio::null())
            .output()
            .map_err(|e| tool(format!("cannot start `{}` for the device pass: {e}", rustc.display())))?;
        if !output.status.success() {
            let stderr = String::from_utf8_lossy(&output.stderr);
            let log = work.keep_log(&stderr);
            return Ok(Some(match report::only_in_device_pass(&stderr) {
                Some(message) => Outcome::Failed(vec![report::diagnostic(message, output.status, &log)]),
                None => Outcome::Nothing,
            }));
        }

        let sysroot = command.sysroot().or_else(|| Some(rustc.parent()?.parent()?.to_owned()));
        let mut request = Request {
            krate: command.crate_name(),
            bitcode,
            sysroot: sysroot.ok_or_else(|| tool(format!("`{}` lies in no sysroot", rustc.display())))?,
            host: command.target().unwrap_or(env!("THREADWISE_HOST")).into(),
            archs: archs.to_vec(),
            full_messages: command.debug_assertions(),
            panic_details: command.debug_assertions() || command.is_test(),
            host_code,
            libraries: Libraries::Unasked,
            dump: std::env::var_os("THREADWISE_DUMP").map(Into::into),
            response: work.path().join("response"),
        };
        let mut response = lowering.finish(&request);
        if let Response::NeedsBodies(symbols) = &response {
            request.libraries = match dependencies::bitcode(rustc, command, symbols) {
                Ok(files) => Libraries::Bitcode(files),
                Err(reason) => Libraries::Missing(reason),
            };
            forget(&request.response)?;
            response = Lowering::start(rustc, work)?.finish(&request);
        }
        match response {
            Response::Lowered { images, kernels, statics } => {
                work.forget_failures();
                Ok(Some(Outcome::Lowered { krate: command.crate_name(), images, kernels, statics }))
            }
            Response::NeedsHostCode => {
                forget(&request.response)?;
                Ok(None)
            }
            Response::NeedsBodies(_) => {
                Err(Diagnostic { fault: Fault::Internal, kernel: None, message: "lowering asked twice for bodies".into() })
            }
            Response::Failed(diagnostics) => Ok(Some(Outcome::Failed(with_inputs(diagnostics, &request, work)))),
        }
    }
}

/// Removes a response: the next request must not be answered by it.
fn forget(response: &Path) -> Result<(), Diagnostic> {
    std::fs::remove_file(response).map_err(|e| tool(format!("cannot clear the folder for device code: {e}")))
}

/// Keeps the bitcode when the failure may be a defect of threadwise, and says where.
fn with_inputs(mut diagnostics: Vec<Diagnostic>, request: &Request, work: &WorkFolder) -> Vec<Diagnostic> {
    let ours = |d: &Diagnostic| d.fault == Fault::Internal;
    if diagnostics.iter().any(ours)
        && let Some(kept) = work.keep(&request.bitcode)
    {
        let kept = kept.display();
        let plea = format!("\nthis is a defect of threadwise; please report it with the crate's bitcode, kept in `{kept}`");
        diagnostics.iter_mut().filter(|d| ours(d)).for_each(|d| d.message.push_str(&plea));
    }
    diagnostics
}
