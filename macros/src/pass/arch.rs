//! For which GPU architectures a crate is built.

use std::path::Path;

/// What is built when nothing is asked for: PTX that every GPU from Turing on takes.
const DEFAULT: &str = "sm_75";
const OLDEST: u32 = 75;

/// The architectures from `THREADWISE_ARCH`, from `[package.metadata.threadwise]` of the crate, or the default.
pub(super) fn chosen() -> Result<Vec<String>, String> {
    if let Ok(list) = std::env::var("THREADWISE_ARCH") {
        return checked(list.split(',').map(str::trim).filter(|arch| !arch.is_empty()), "THREADWISE_ARCH");
    }
    let from_manifest = std::env::var_os("CARGO_MANIFEST_DIR").map(|folder| of_manifest(&Path::new(&folder).join("Cargo.toml")));
    match from_manifest.transpose()?.flatten() {
        Some(list) => checked(list.iter().map(String::as_str), "`arch` of [package.metadata.threadwise] in Cargo.toml"),
        None => Ok(vec![DEFAULT.into()]),
    }
}

fn checked<'a>(list: impl Iterator<Item = &'a str>, origin: &str) -> Result<Vec<String>, String> {
    let mut archs: Vec<String> = Vec::new();
    for arch in list {
        if !is_arch(arch) {
            return Err(format!(
                "{origin} names `{arch}`, which is no GPU architecture that threadwise builds for: expected `sm_{OLDEST}` or later, such as \
                 `sm_80`, `sm_90a`, `sm_100f`"
            ));
        }
        if !archs.iter().any(|known| known == arch) {
            archs.push(arch.into());
        }
    }
    if archs.is_empty() { Err(format!("{origin} names no GPU architecture")) } else { Ok(archs) }
}

fn is_arch(arch: &str) -> bool {
    let Some(number) = arch.strip_prefix("sm_") else { return false };
    let digits = number.strip_suffix(['a', 'f']).unwrap_or(number);
    digits.bytes().all(|b| b.is_ascii_digit()) && digits.len() <= 3 && digits.parse::<u32>().is_ok_and(|n| n >= OLDEST)
}

fn of_manifest(manifest: &Path) -> Result<Option<Vec<String>>, String> {
    match std::fs::read_to_string(manifest) {
        // Most manifests say nothing to us: spare the parse.
        Ok(text) if text.contains("metadata") => of_text(&text),
        // Cargo has read the manifest; where it is gone since, nothing is asked for.
        Ok(_) | Err(_) => Ok(None),
    }
}

fn of_text(text: &str) -> Result<Option<Vec<String>>, String> {
    let document = toml::de::DeTable::parse(text).map_err(|e| format!("Cargo.toml: {e}"))?;
    let mut value = None;
    let mut table = Some(document.get_ref());
    for key in ["package", "metadata", "threadwise", "arch"] {
        value = table.and_then(|t| t.get(key)).map(|v| v.get_ref());
        table = value.and_then(|v| v.as_table());
    }
    let Some(value) = value else { return Ok(None) };
    let malformed = || "`arch` of [package.metadata.threadwise] in Cargo.toml is a list such as [\"sm_80\", \"sm_90\"]".to_owned();
    let list = value.as_array().ok_or_else(malformed)?;
    list.iter().map(|item| item.get_ref().as_str().map(str::to_owned).ok_or_else(malformed)).collect::<Result<_, _>>().map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn architectures_from_turing_on_are_accepted() {
        for good in ["sm_75", "sm_80", "sm_90a", "sm_100f", "sm_120"] {
            assert!(is_arch(good), "{good}");
        }
        for bad in ["", "sm_", "sm_70", "sm_5", "75", "sm_90b", "sm_9000", "compute_80", "sm_a", "SM_80", "sm_+80"] {
            assert!(!is_arch(bad), "{bad}");
        }
    }

    #[test]
    fn a_bad_value_is_named() {
        assert!(checked(["sm_80", "gfx90"].into_iter(), "X").unwrap_err().contains("`gfx90`"));
        assert!(checked([].into_iter(), "X").is_err());
        assert_eq!(checked(["sm_80", "sm_90", "sm_80"].into_iter(), "X").unwrap(), ["sm_80", "sm_90"]);
    }

    #[test]
    fn the_manifest_is_read() {
        let text = "[package]\nname = \"x\"\n[package.metadata.threadwise]\narch = [\n  \"sm_80\", # Ampere\n  \"sm_90a\",\n]\n";
        assert_eq!(of_text(text).unwrap().unwrap(), ["sm_80", "sm_90a"]);
        assert_eq!(of_text("[package]\nmetadata.threadwise.arch = ['sm_86']").unwrap().unwrap(), ["sm_86"]);
        assert_eq!(of_text("[package.metadata.docs.rs]\nall-features = true").unwrap(), None);
        assert!(of_text("[package.metadata.threadwise]\narch = \"sm_80\"").is_err());
        assert!(of_text("[package.metadata.threadwise]\narch = [80]").is_err());
    }
}
