//! Writes PTX.

use crate::error::{Diagnostic, Fault};
use crate::llvm::{Machine, Module};
use crate::pipeline::Target;
use crate::wire::Image;

/// The least PTX ISA version that knows each architecture (PTX ISA, "Release Notes"): the older the version, the more drivers take it.
const VERSIONS: &[(u32, u32)] = &[
    (70, 60), (72, 61), (75, 63), (80, 70), (86, 71), (87, 74), (89, 78), (90, 80), (100, 86), (101, 86), (103, 88),
    (120, 87), (121, 88),
];

/// A target machine for each of `archs`.
pub(crate) fn machines(archs: &[String]) -> Result<Vec<Target>, Vec<Diagnostic>> {
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
    Ok(Image { arch: target.arch.clone(), ptx })
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn architectures_have_versions_and_others_do_not() {
        assert_eq!(version("sm_75"), Some(63));
        assert_eq!(version("sm_90a"), Some(80));
        assert_eq!(version("sm_42"), None);
        assert_eq!(version("compute_75"), None);
    }
}
