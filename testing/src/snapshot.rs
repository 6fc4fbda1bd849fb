//! Values against what was recorded of them.

use std::fmt::{Debug, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::compare::{Closeness, Number};

/// Lines of each side that are shown of a difference.
const MOST_LINES: usize = 12;

/// Asserts that a value is what was recorded of it: its `{:#?}`, in the file `tests/snapshots/MODULE__NAME.txt` of the package. `BLESS=1
/// cargo test` records it anew, and without a record the assertion fails.
///
/// With limits, as for [`assert_close_slice!`](crate::assert_close_slice!), the value is a slice of numbers, which are compared with the
/// recorded ones that way: for results that differ a little from machine to machine.
///
/// ```no_run
/// # use threadwise_testing::assert_snapshot;
/// # let histogram = vec![3_u32, 0, 7];
/// # let image = [0.5_f32];
/// assert_snapshot!("histogram", histogram);
/// assert_snapshot!("image", image, abs = 1e-6);
/// ```
#[macro_export]
macro_rules! assert_snapshot {
    ($name:expr, $value:expr $(,)?) => {
        $crate::snapshot(&$crate::SnapshotPlace::new(::core::env!("CARGO_MANIFEST_DIR"), ::core::module_path!(), $name), &$value)
    };
    ($name:expr, $value:expr, $($kind:ident = $limit:expr),+ $(,)?) => {
        $crate::snapshot_close(
            &$crate::SnapshotPlace::new(::core::env!("CARGO_MANIFEST_DIR"), ::core::module_path!(), $name),
            &$value,
            $crate::Closeness::new()$(.$kind($limit))+,
        )
    };
}

/// Where a snapshot lies.
#[derive(Clone, Debug)]
pub struct SnapshotPlace {
    file: PathBuf,
    name: String,
}

impl SnapshotPlace {
    /// Of a package that was built in the folder `package`.
    pub fn new(package: &str, module: &str, name: &str) -> Self {
        // A test binary that was carried elsewhere is told by cargo, or runs in its package.
        let folder = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        let folder = folder.or_else(|| Some(PathBuf::from(package)).filter(|folder| folder.is_dir())).unwrap_or_default();
        let plain = |c: char| if c.is_alphanumeric() || c == '-' || c == '_' { c } else { '_' };
        let stem: String = format!("{}__{name}", module.replace("::", "__")).chars().map(plain).collect();
        SnapshotPlace { file: folder.join("tests/snapshots").join(stem + ".txt"), name: name.to_owned() }
    }

    /// The recorded text; `None` when it was recorded just now.
    #[track_caller]
    fn recorded(&self, now: &str) -> Option<String> {
        if std::env::var_os("BLESS").is_some_and(|value| !value.is_empty() && value != "0") {
            if let Err(error) = write(&self.file, now) {
                panic!("snapshot `{}` cannot be written to `{}`: {error}", self.name, self.file.display());
            }
            return None;
        }
        match std::fs::read_to_string(&self.file) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                panic!("there is no snapshot `{}` yet: `BLESS=1 cargo test` records it in `{}`", self.name, self.file.display())
            }
            Err(error) => panic!("snapshot `{}` cannot be read from `{}`: {error}", self.name, self.file.display()),
        }
    }

    #[track_caller]
    fn fail(&self, what: &str) -> ! {
        panic!("snapshot `{}`: {what}\n\n`BLESS=1 cargo test` records it anew in `{}`", self.name, self.file.display())
    }
}

fn write(file: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(file, text)
}

fn text_of(value: &(impl Debug + ?Sized)) -> String {
    format!("{value:#?}\n")
}

/// What [`assert_snapshot!`] does without limits.
///
/// # Panics
/// When the value is not what was recorded, or nothing was.
#[track_caller]
pub fn snapshot(place: &SnapshotPlace, value: &(impl Debug + ?Sized)) {
    let now = text_of(value);
    let Some(before) = place.recorded(&now) else { return };
    // A checkout may have turned line ends.
    let before = before.replace("\r\n", "\n");
    if before != now {
        place.fail(&format!("the value differs from the recorded one\n{}", difference(&before, &now)));
    }
}

/// What [`assert_snapshot!`] does with limits.
///
/// # Panics
/// When the numbers are not near those that were recorded, or none were.
#[track_caller]
pub fn snapshot_close<T: Number + FromStr>(place: &SnapshotPlace, value: &(impl AsRef<[T]> + ?Sized), closeness: Closeness) {
    let value = value.as_ref();
    let Some(before) = place.recorded(&text_of(value)) else { return };
    let Some(before) = numbers::<T>(&before) else { place.fail("the record is no list of such numbers") };
    if let Some(complaint) = closeness.complaint(value, &before) {
        place.fail(&complaint);
    }
}

/// The numbers of a slice as `{:#?}` writes them.
fn numbers<T: FromStr>(text: &str) -> Option<Vec<T>> {
    let inner = text.trim().strip_prefix('[')?.strip_suffix(']')?;
    inner.split(',').map(str::trim).filter(|part| !part.is_empty()).map(|part| part.parse().ok()).collect()
}

/// The lines in which the texts differ, from the first to the last such line.
fn difference(before: &str, now: &str) -> String {
    let (before, now): (Vec<&str>, Vec<&str>) = (before.lines().collect(), now.lines().collect());
    let same = before.iter().zip(&now).take_while(|(a, b)| a == b).count();
    let tail = before[same..].iter().rev().zip(now[same..].iter().rev()).take_while(|(a, b)| a == b).count();
    let mut text = format!("from line {} on:", same + 1);
    for (sign, lines) in [('-', &before[same..before.len() - tail]), ('+', &now[same..now.len() - tail])] {
        for line in lines.iter().take(MOST_LINES) {
            let _ = write!(text, "\n{sign} {line}");
        }
        if lines.len() > MOST_LINES {
            let _ = write!(text, "\n{sign} … and {} more lines", lines.len() - MOST_LINES);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A place in a folder of its own.
    fn place(name: &str) -> SnapshotPlace {
        let file = std::env::temp_dir().join(format!("threadwise-snapshot-{}-{name}.txt", std::process::id()));
        SnapshotPlace { file, name: name.to_owned() }
    }

    fn message(check: impl FnOnce() + std::panic::UnwindSafe) -> String {
        *std::panic::catch_unwind(check).unwrap_err().downcast::<String>().unwrap()
    }

    #[test]
    fn name_of_the_file_is_that_of_module_and_snapshot() {
        let place = SnapshotPlace::new("/nowhere", "app::image", "a b/c");
        assert!(place.file.ends_with("tests/snapshots/app__image__a_b_c.txt"), "{}", place.file.display());
    }

    #[test]
    fn value_is_compared_with_the_record() {
        let place = place("compared");
        std::fs::write(&place.file, text_of(&[1, 2, 3])).unwrap();
        snapshot(&place, &[1, 2, 3]);
        let said = message(|| snapshot(&place, &[1, 5, 3]));
        assert!(said.contains("from line 3 on:\n-     2,\n+     5,\n\n`BLESS=1 cargo test` records"), "{said}");
        std::fs::remove_file(&place.file).unwrap();
    }

    #[test]
    fn numbers_are_compared_within_limits() {
        let place = place("limits");
        std::fs::write(&place.file, text_of(&[1.0_f32, -2.5e-9, f32::INFINITY, f32::NAN])).unwrap();
        snapshot_close(&place, &[1.000_001, 0.0, f32::INFINITY, f32::NAN], Closeness::new().abs(1e-5));
        let said = message(|| snapshot_close(&place, &[1.1_f32, 0.0, f32::INFINITY, f32::NAN], Closeness::new().abs(1e-5)));
        assert!(said.contains("1 of 4 elements differ by more than abs 1e-5"), "{said}");
        std::fs::remove_file(&place.file).unwrap();
    }

    #[test]
    fn missing_record_names_the_cure() {
        let said = message(|| snapshot(&place("missing"), &1));
        assert!(said.contains("there is no snapshot `missing` yet: `BLESS=1 cargo test` records it"), "{said}");
    }
}
