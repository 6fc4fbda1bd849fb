//! What a failed device pass says that the user's own compilation will not say.

use std::path::Path;
use std::process::ExitStatus;

use threadwise_codegen::{Diagnostic, Fault};

/// The errors in `stderr`, when all of them arise in the device pass alone: faults found while a kernel is instantiated, which the host
/// never does; errors without a place in the source, which are about the command line or the compiler. `None` when there is one that
/// the user's own compilation reports as well, with the user's own error format.
pub(super) fn only_in_device_pass(stderr: &str) -> Option<String> {
    let mut blocks: Vec<Vec<&str>> = Vec::new();
    let mut inside = false;
    for line in stderr.lines() {
        let starts_block = !line.is_empty() && !line.starts_with([' ', '\t']) && line.contains(':') && !line.starts_with("note:");
        if line.starts_with("error") || line.starts_with("thread 'rustc' panicked") {
            inside = !line.starts_with("error: aborting due to");
            if inside {
                blocks.push(Vec::new());
            }
        } else if starts_block && (line.starts_with("warning") || line.starts_with("For more information")) {
            inside = false;
        }
        if inside {
            blocks.last_mut()?.push(line);
        }
    }
    let reported_by_user = |block: &Vec<&str>| {
        let has_place = block.iter().any(|line| line.trim_start().starts_with("--> "));
        let late = block.iter().any(|line| line.contains("while instantiating") || line.contains("erroneous constant encountered"));
        let crash = block[0].starts_with("thread 'rustc'") || block[0].starts_with("error: internal compiler error");
        has_place && !late && !crash
    };
    if blocks.iter().any(reported_by_user) {
        return None;
    }
    Some(blocks.iter().map(|block| block.join("\n").trim_end().to_owned()).collect::<Vec<_>>().join("\n\n"))
}

/// The error that says so.
pub(super) fn diagnostic(message: String, status: ExitStatus, log: &Path) -> Diagnostic {
    if message.is_empty() {
        let message = format!("the compiler of the device pass ended with {status}; its output is in `{}`", log.display());
        return Diagnostic { fault: Fault::Tool, kernel: None, message };
    }
    let message = format!("the kernels of this crate do not compile for the GPU\n\n{message}");
    Diagnostic { fault: Fault::User, kernel: None, message }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_the_source_is_left_to_the_users_compiler() {
        let stderr = "error[E0308]: mismatched types\n --> src/main.rs:3:5\n  |\n3 |     1\n\nerror: aborting due to 1 previous error\n";
        assert_eq!(only_in_device_pass(stderr), None);
    }

    #[test]
    fn a_fault_of_an_instance_is_reported() {
        for note in ["the above error was encountered while instantiating `fn f::<u8>`", "erroneous constant encountered"] {
            let late =
                format!("error[E0080]: evaluation panicked: too large\n --> src/main.rs:3:5\n  |\nnote: {note}\n --> src/main.rs:3:1\n");
            check_late(&late);
        }
    }

    fn check_late(late: &str) {
        let stderr = format!(
            "{late}\nerror: aborting due to 1 previous error\n\nFor more information about this error, try `rustc --explain E0080`.\n"
        );
        assert_eq!(only_in_device_pass(&stderr).unwrap(), late.trim_end());
        let both = format!("{stderr}error[E0308]: mismatched types\n --> src/main.rs:9:5\n");
        assert_eq!(only_in_device_pass(&both), None);
    }

    #[test]
    fn a_fault_of_the_command_line_or_the_compiler_is_reported() {
        assert_eq!(only_in_device_pass("error: unknown option\n\n").unwrap(), "error: unknown option");
        let crash = "thread 'rustc' panicked at compiler/x.rs:1:1:\nboom\n  --> src/main.rs:1:1\n";
        assert!(only_in_device_pass(crash).unwrap().contains("boom"));
        assert_eq!(only_in_device_pass(""), Some(String::new()));
    }
}
