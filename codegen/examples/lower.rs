//! Lowers a bitcode file by hand: `lower IN.bc OUT.ptx [ARCH] [release]`. A developer's tool; builds do this by themselves.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use threadwise_codegen::{Libraries, Request, Response, lower};

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let (Some(bitcode), Some(output)) = (args.next(), args.next()) else {
        eprintln!("usage: lower IN.bc OUT.ptx [ARCH] [release]");
        return ExitCode::FAILURE;
    };
    let rest: Vec<String> = args.collect();
    let arch = rest.iter().find(|a| a.starts_with("sm_")).cloned().unwrap_or_else(|| "sm_75".to_owned());
    let request = Request {
        krate: String::new(),
        bitcode: bitcode.into(),
        sysroot: PathBuf::from(rustc(&["--print", "sysroot"])),
        host: rustc(&["--print", "host-tuple"]),
        archs: vec![arch],
        full_messages: !rest.iter().any(|a| a == "release"),
        panic_details: false,
        host_code: true,
        libraries: Libraries::Missing("this tool builds none".to_owned()),
        dump: std::env::var_os("THREADWISE_DUMP").map(PathBuf::from),
        response: PathBuf::new(),
    };
    match lower(&request) {
        Response::Lowered { images, kernels, statics: _ } => {
            for kernel in kernels {
                println!("{} ({}) -> {}", kernel.name, kernel.place, kernel.entry);
            }
            for image in images {
                if let Err(error) = std::fs::write(&output, image.ptx) {
                    eprintln!("cannot write {output}: {error}");
                    return ExitCode::FAILURE;
                }
            }
            ExitCode::SUCCESS
        }
        Response::NeedsHostCode | Response::NeedsBodies(_) => {
            eprintln!("more was asked for than there is");
            ExitCode::FAILURE
        }
        Response::Failed(diagnostics) => {
            for d in diagnostics {
                eprintln!("{:?}: {}", d.fault, d.message);
            }
            ExitCode::FAILURE
        }
    }
}

fn rustc(args: &[&str]) -> String {
    Command::new("rustc").args(args).output().map(|o| String::from_utf8_lossy(&o.stdout).trim().to_owned()).unwrap_or_default()
}
