//! Writes PTX.

use threadwise_abi::SMALL_PARAMETER_BYTES;

use crate::error::{Diagnostic, Fault};
use crate::llvm::{Machine, Module};
use crate::pipeline::Target;
use crate::wire::Image;

/// The least PTX ISA version that knows each architecture (PTX ISA, "Release Notes"): the older the version, the more drivers take it.
const VERSIONS: &[(u32, u32)] = &[
    (70, 60),
    (72, 61),
    (75, 63),
    (80, 70),
    (86, 71),
    (87, 74),
    (89, 78),
    (90, 80),
    (100, 86),
    (101, 86),
    (103, 88),
    (120, 87),
    (121, 88),
];

/// The first PTX ISA version that knows more than 4 KiB of kernel parameters.
const LARGE_PARAMETERS: u32 = 81;

/// A target machine for each of `archs`, such that it can have `parameter_bytes` bytes of parameters.
pub(crate) fn machines(archs: &[String], parameter_bytes: usize) -> Result<Vec<Target>, Vec<Diagnostic>> {
    let mut targets = Vec::new();
    for arch in archs {
        let version = version(arch).ok_or_else(|| {
            vec![Diagnostic {
                fault: Fault::User,
                kernel: None,
                message: format!(
                    "`{arch}` is no architecture that can be lowered to; known are {}",
                    VERSIONS.iter().map(|(sm, _)| format!("sm_{sm}")).collect::<Vec<_>>().join(", ")
                ),
            }]
        })?;
        let version = if parameter_bytes > SMALL_PARAMETER_BYTES { version.max(LARGE_PARAMETERS) } else { version };
        let machine = Machine::new(arch, &format!("+ptx{version}")).map_err(|e| vec![Diagnostic::tool(e)])?;
        targets.push(Target { arch: arch.clone(), machine });
    }
    Ok(targets)
}

fn version(arch: &str) -> Option<u32> {
    let number = arch.strip_prefix("sm_")?.trim_end_matches(['a', 'f']).parse::<u32>().ok()?;
    VERSIONS.iter().find(|(sm, _)| *sm == number).map(|(_, version)| *version)
}

pub(crate) fn run(module: &Module<'_>, target: &Target) -> Result<Image, Vec<Diagnostic>> {
    let ptx = module.emit(&target.machine).map_err(|e| vec![Diagnostic::internal(e)])?;
    Ok(Image { arch: target.arch.clone(), ptx: straighten(&ptx) })
}

/// Turns `@p bra next; bra other; next:` into `@!p bra other; next:`.
///
/// LLVM cannot negate the condition of a branch of NVPTX and writes two. ptxas takes that as a layout: it puts what `other` holds, often a
/// panic, in the middle of the hot code, which then jumps over it.
fn straighten(ptx: &str) -> String {
    let lines: Vec<&str> = ptx.lines().collect();
    let mut straight = String::with_capacity(ptx.len());
    let mut at = 0;
    while at < lines.len() {
        if let Some(negated) = negated_branch(&lines[at..]) {
            straight.push_str(&negated);
            at += 2;
        } else {
            straight.push_str(lines[at]);
            at += 1;
        }
        straight.push('\n');
    }
    straight
}

/// The one branch that the two at the beginning of `lines` amount to.
fn negated_branch(lines: &[&str]) -> Option<String> {
    let [first, second, rest @ ..] = lines else { return None };
    let (predicate, next) = first.strip_prefix("\t@")?.strip_suffix(';')?.split_once(" bra ")?;
    let other = second.strip_prefix("\tbra.uni ")?.strip_suffix(';')?.trim();
    let is_note = |line: &&&str| line.starts_with("\t.loc") || (line.starts_with("$L__tmp") && line.ends_with(':'));
    let label = rest.iter().find(|line| !is_note(line))?.strip_suffix(':')?;
    if label != next.trim() {
        return None;
    }
    let (not, register) = predicate.strip_prefix('!').map_or(("!", predicate), |register| ("", register));
    Some(format!("\t@{not}{register} bra \t{other};"))
}

#[cfg(test)]
mod tests {
    use super::{straighten, version};

    #[test]
    fn architectures_have_versions_and_others_do_not() {
        assert_eq!(version("sm_75"), Some(63));
        assert_eq!(version("sm_90a"), Some(80));
        assert_eq!(version("sm_42"), None);
        assert_eq!(version("compute_75"), None);
    }

    #[test]
    fn branch_around_a_branch_becomes_one() {
        let two = "\t@%p1 bra \t$L__BB0_3;\n\tbra.uni \t$L__BB0_6;\n\t.loc 1 2 3\n$L__BB0_3:\n\tret;\n";
        assert_eq!(straighten(two), "\t@!%p1 bra \t$L__BB0_6;\n\t.loc 1 2 3\n$L__BB0_3:\n\tret;\n");
        let negated = "\t@!%p1 bra \t$L__BB0_3;\n\tbra.uni \t$L__BB0_6;\n$L__BB0_3:\n";
        assert_eq!(straighten(negated), "\t@%p1 bra \t$L__BB0_6;\n$L__BB0_3:\n");
    }

    #[test]
    fn other_branches_stay() {
        for text in ["\t@%p1 bra \t$L__BB0_3;\n\tbra.uni \t$L__BB0_6;\n$L__BB0_4:\n", "\t@%p1 bra \t$L__BB0_3;\n\tret;\n$L__BB0_3:\n"] {
            assert_eq!(straighten(text), text);
        }
    }
}
