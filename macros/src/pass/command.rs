//! The command line of the rustc that we run in, and the one of the device pass that it becomes.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

/// Long options of rustc that take a value, joined by `=` or as the next argument.
const LONG_WITH_VALUE: &[&str] = &[
    "allow",
    "cap-lints",
    "cfg",
    "check-cfg",
    "codegen",
    "color",
    "crate-name",
    "crate-type",
    "deny",
    "diagnostic-width",
    "edition",
    "emit",
    "env-set",
    "error-format",
    "explain",
    "extern",
    "forbid",
    "force-warn",
    "json",
    "out-dir",
    "print",
    "remap-path-prefix",
    "remap-path-scope",
    "sysroot",
    "target",
    "unpretty",
    "warn",
];

/// Options that the device pass sets itself or has no use for. `codegen` options are kept by [`KEPT_CODEGEN`] only.
const DROPPED: &[&str] = &[
    "O",
    "cap-lints",
    "codegen",
    "color",
    "diagnostic-width",
    "emit",
    "error-format",
    "g",
    "json",
    "o",
    "out-dir",
    "print",
    "v",
    "verbose",
];

/// What decides how symbols and type identities come out; all other `-C` options are about the host's machine code.
const KEPT_CODEGEN: &[&str] = &["metadata", "symbol-mangling-version"];

/// Beginnings of `-Z` options about output, profiling, instrumentation and the host's machine code.
const DROPPED_UNSTABLE: &[&str] = &[
    "binary-dep-depinfo",
    "branch-protection",
    "build-sdylib",
    "cf-protection",
    "checksum-hash-algorithm",
    "codegen-backend",
    "debug-info-for-profiling",
    "default-visibility",
    "dump",
    "dylib-lto",
    "emit",
    "embed-source",
    "external-clangrt",
    "incremental",
    "inline-llvm",
    "instrument",
    "llvm",
    "location-detail",
    "mir-opt-level",
    "next-solver-stats",
    "no-parallel-backend",
    "panic-abort-tests",
    "panic_abort_tests",
    "plt",
    "pre-link",
    "print",
    "profile",
    "remark",
    "sanitizer",
    "self-profile",
    "share-generics",
    "small-data-threshold",
    "split",
    "stack-protector",
    "terminal-urls",
    "thinlto",
    "time",
    "track-diagnostics",
    "treat-err-as-bug",
    "tune-cpu",
    "unpretty",
    "virtual-function-elimination",
];

/// One option with its value, or one positional argument.
struct Argument {
    /// Without dashes, short names replaced by long ones where there are both; empty for a positional argument.
    name: String,
    value: OsString,
    /// As given.
    tokens: Vec<OsString>,
}

impl Argument {
    fn text(&self) -> &str {
        self.value.to_str().unwrap_or_default()
    }
}

/// A parsed command line of rustc.
pub(crate) struct CommandLine(Vec<Argument>);

impl CommandLine {
    /// Parses the arguments that follow the program's name, `@file` ones replaced by the lines of the file.
    ///
    /// # Errors
    /// When such a file cannot be read.
    pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> io::Result<Self> {
        let mut tokens = Vec::new();
        for argument in arguments {
            match argument.to_str().and_then(|a| a.strip_prefix('@')) {
                Some(file) => tokens.extend(std::fs::read_to_string(file)?.lines().map(OsString::from)),
                None => tokens.push(argument),
            }
        }
        let mut tokens = tokens.into_iter();
        let mut list = Vec::new();
        while let Some(token) = tokens.next() {
            list.push(argument(token, &mut tokens));
        }
        Ok(CommandLine(list))
    }

    fn all(&self, name: &'static str) -> impl DoubleEndedIterator<Item = &Argument> {
        self.0.iter().filter(move |a| a.name == name)
    }

    fn last(&self, name: &'static str) -> Option<&OsStr> {
        self.all(name).next_back().map(|a| a.value.as_os_str())
    }

    /// The last `-C name[=value]`; `Some("")` when it has no value.
    fn codegen(&self, name: &str) -> Option<&str> {
        self.all("codegen").rev().find_map(|a| {
            let (key, value) = a.text().split_once('=').unwrap_or((a.text(), ""));
            (key.replace('_', "-") == name).then_some(value)
        })
    }

    fn unstable(&self, beginning: &str) -> bool {
        self.all("Z").any(|a| a.text().replace('_', "-").starts_with(beginning))
    }

    /// Whether this rustc makes machine code from a source file, so that kernels need device code: neither `cargo check` and its kind, nor a
    /// mere question, nor a program on standard input, which cannot be read twice.
    pub(crate) fn makes_code(&self) -> bool {
        let mut kinds = self.all("emit").flat_map(|a| a.text().split(',')).peekable();
        let links = kinds.peek().is_none() || kinds.any(|kind| kind == "link" || kind.starts_with("link="));
        // These two are told beside an ordinary compilation.
        let asks = self.all("print").any(|a| !matches!(a.text(), "native-static-libs" | "link-args"));
        let from_file = self.source().is_some_and(|source| source != "-");
        let is_macro = self.all("crate-type").any(|a| a.text() == "proc-macro");
        links && !asks && from_file && !is_macro && !self.unstable("unpretty") && !self.unstable("no-codegen")
    }

    fn source(&self) -> Option<&OsStr> {
        self.0.iter().find(|a| a.name.is_empty()).map(|a| a.value.as_os_str())
    }

    /// Name of the crate; rustc takes it from the source file where it is not given.
    pub(crate) fn crate_name(&self) -> String {
        let given = self.last("crate-name").map(|name| name.to_string_lossy().into_owned());
        given.unwrap_or_else(|| {
            let stem = self.source().map(Path::new).and_then(Path::file_stem).unwrap_or(OsStr::new("crate"));
            stem.to_string_lossy().replace('-', "_")
        })
    }

    /// What tells this compilation's files from others of the same crate.
    pub(crate) fn extra_filename(&self) -> &str {
        self.codegen("extra-filename").unwrap_or_default()
    }

    /// The folder that the compilation writes to, when the command line names one.
    pub(crate) fn out_dir(&self) -> Option<PathBuf> {
        let file = self.last("o").map(Path::new);
        let beside = file.and_then(Path::parent).filter(|folder| !folder.as_os_str().is_empty());
        self.last("out-dir").map(Path::new).or(beside).map(PathBuf::from)
    }

    /// The name of the folder that cargo has for the profile, such as `debug`.
    pub(crate) fn profile_folder(&self) -> Option<String> {
        Some(self.out_dir()?.parent()?.file_name()?.to_str()?.to_owned())
    }

    /// Rust libraries in the folders that are searched for dependencies.
    pub(crate) fn libraries(&self) -> Vec<PathBuf> {
        let folders = self.all("L").filter_map(|a| a.value.to_str()).map(|l| l.strip_prefix("dependency=").unwrap_or(l));
        let files = folders.filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten().map(|entry| entry.path());
        files.filter(|path| path.extension() == Some(OsStr::new("rlib"))).collect()
    }

    /// Names of the crates that this one names as its dependencies.
    pub(crate) fn dependencies(&self) -> Vec<String> {
        // With options in front: `noprelude:name=path`.
        let names = self.all("extern").filter_map(|a| a.text().split('=').next());
        names.map(|name| name.rsplit(':').next().unwrap_or(name).to_owned()).collect()
    }

    /// The `--cfg` options, as they would be given again.
    pub(crate) fn cfgs(&self) -> Vec<String> {
        self.all("cfg").map(|a| format!("--cfg={}", a.text())).collect()
    }

    /// The target triple, when it is not the host's.
    pub(crate) fn target(&self) -> Option<&str> {
        self.last("target").and_then(OsStr::to_str)
    }

    /// The sysroot, when the command line names one.
    pub(crate) fn sysroot(&self) -> Option<PathBuf> {
        self.last("sysroot").map(PathBuf::from)
    }

    /// Whether `cfg(debug_assertions)` is on.
    pub(crate) fn debug_assertions(&self) -> bool {
        self.codegen("debug-assertions").map_or_else(|| self.unoptimized(), is_on)
    }

    fn overflow_checks(&self) -> bool {
        self.codegen("overflow-checks").map_or_else(|| self.debug_assertions(), is_on)
    }

    fn unoptimized(&self) -> bool {
        let last = self.0.iter().rev().find(|a| a.name == "O" || (a.name == "codegen" && opt_level(a).is_some()));
        last.is_none_or(|a| a.name != "O" && opt_level(a) == Some("0"))
    }

    /// Whether this makes a test harness.
    pub(crate) fn is_test(&self) -> bool {
        self.all("test").next().is_some()
    }

    /// Whether this makes a program that starts at a `main` of its own, not at the test harness's.
    pub(crate) fn is_program(&self) -> bool {
        // Without `--crate-type`, rustc makes a program.
        let types: Vec<&str> = self.all("crate-type").filter_map(|a| a.value.to_str()).collect();
        !self.is_test() && types.iter().all(|ty| *ty == "bin")
    }

    /// Everything that `-C metadata` gives.
    pub(crate) fn metadata(&self) -> String {
        let values = self.all("codegen").filter_map(|a| a.value.to_str()?.strip_prefix("metadata=").map(str::to_owned));
        values.collect::<Vec<_>>().join(",")
    }

    /// The arguments of the device pass, which leaves the crate's bitcode in the file `bitcode` and its other files in `folder`.
    /// Without `host_code`, a program is compiled as a C library: only what has a symbol of its own is then alive, as kernels have, but neither
    /// `main` nor what only it reaches; and unlike a Rust library it carries no MIR for other crates, which takes as long as all kernels do.
    pub(crate) fn device_pass(&self, bitcode: &Path, folder: &Path, host_code: bool) -> Vec<OsString> {
        let kept = |a: &&Argument| is_kept(a) && (host_code || a.name != "crate-type");
        let mut arguments: Vec<OsString> = self.0.iter().filter(kept).flat_map(|a| a.tokens.iter().cloned()).collect();
        if !host_code {
            arguments.push("--crate-type=cdylib".into());
        }
        let mut emit = OsString::from("--emit=llvm-bc=");
        emit.push(bitcode);
        let mut out_dir = OsString::from("--out-dir=");
        out_dir.push(folder);
        arguments.extend([emit, out_dir]);
        let on = |on: bool| if on { "on" } else { "off" };
        arguments.extend(
            [
                "--cap-lints=allow",
                "-Copt-level=3",
                "-Cno-prepopulate-passes",
                "-Ccodegen-units=1",
                // Kernels name Rust lines in faults and profilers.
                "-Cdebuginfo=line-directives-only",
                // The test harness refuses `abort`.
                if self.is_test() { "-Cpanic=unwind" } else { "-Cpanic=abort" },
                &format!("-Cdebug-assertions={}", on(self.debug_assertions())),
                &format!("-Coverflow-checks={}", on(self.overflow_checks())),
            ]
            .map(OsString::from),
        );
        arguments
    }
}

fn opt_level(argument: &Argument) -> Option<&str> {
    let (key, value) = argument.text().split_once('=')?;
    (key.replace('_', "-") == "opt-level").then_some(value)
}

/// As rustc reads its switches: a bare name means on.
fn is_on(value: &str) -> bool {
    !matches!(value, "n" | "no" | "off" | "false")
}

fn is_kept(argument: &Argument) -> bool {
    let key = || argument.text().split('=').next().unwrap_or_default().replace('_', "-");
    match argument.name.as_str() {
        "codegen" => KEPT_CODEGEN.contains(&key().as_str()),
        "Z" => !DROPPED_UNSTABLE.iter().any(|dropped| key().starts_with(dropped)),
        name => !DROPPED.contains(&name),
    }
}

fn argument(token: OsString, rest: &mut impl Iterator<Item = OsString>) -> Argument {
    let bytes = token.as_encoded_bytes();
    if bytes == b"-" || !bytes.starts_with(b"-") {
        return Argument { name: String::new(), value: token.clone(), tokens: vec![token] };
    }
    if let Some(long) = bytes.strip_prefix(b"--") {
        let end = long.iter().position(|&b| b == b'=');
        let name = String::from_utf8_lossy(&long[..end.unwrap_or(long.len())]).into_owned();
        return match end {
            Some(end) => Argument { name, value: tail(&token, 2 + end + 1), tokens: vec![token] },
            None if LONG_WITH_VALUE.contains(&name.as_str()) => separate(name, token, rest),
            None => Argument { name, value: OsString::new(), tokens: vec![token] },
        };
    }
    let name = match bytes[1] {
        b'C' => "codegen",
        b'A' => "allow",
        b'W' => "warn",
        b'D' => "deny",
        b'F' => "forbid",
        b'L' => "L",
        b'l' => "l",
        b'Z' => "Z",
        b'o' => "o",
        // The short switches: -O, -g, -v, -V, -h.
        other => return Argument { name: char::from(other).to_string(), value: OsString::new(), tokens: vec![token] },
    };
    if bytes.len() > 2 {
        Argument { name: name.into(), value: tail(&token, 2), tokens: vec![token] }
    } else {
        separate(name.into(), token, rest)
    }
}

fn separate(name: String, token: OsString, rest: &mut impl Iterator<Item = OsString>) -> Argument {
    let value = rest.next();
    let tokens = std::iter::once(token).chain(value.clone()).collect();
    Argument { name, value: value.unwrap_or_default(), tokens }
}

/// `token` from byte `at` on, which lies behind an ASCII character.
fn tail(token: &OsStr, at: usize) -> OsString {
    let bytes = token.as_encoded_bytes()[at..].to_vec();
    // SAFETY: these bytes come from an `OsStr`, cut behind an ASCII character.
    unsafe { OsString::from_encoded_bytes_unchecked(bytes) }
}

#[cfg(test)]
#[path = "command_tests.rs"]
mod tests;
