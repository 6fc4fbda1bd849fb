//! How much memory the host has. Systems that overcommit grant any allocation, and end the process when it is used.

use std::path::Path;
use std::sync::OnceLock;

/// What a simulated device has where the host does not say.
const UNKNOWN: u64 = 1 << 36;
/// Allocations up to this size are not worth asking the system each time.
const SMALL: u64 = 64 << 20;

/// Bytes that simulated devices may have: the host's memory, or what its control group may use of it.
pub(super) fn total() -> u64 {
    static TOTAL: OnceLock<u64> = OnceLock::new();
    *TOTAL.get_or_init(|| match (meminfo("MemTotal:"), group_limit()) {
        (Some(host), Some(group)) => host.min(group),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => UNKNOWN,
    })
}

/// Whether the host has that much to spare now, as far as it says.
pub(super) fn is_available(bytes: u64) -> bool {
    bytes <= SMALL || meminfo("MemAvailable:").is_none_or(|available| bytes <= available)
}

/// A line of `/proc/meminfo`, in bytes.
fn meminfo(key: &str) -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    parse(&text, key)
}

fn parse(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// The limit of the process's control group, version 2 or 1.
fn group_limit() -> Option<u64> {
    ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]
        .iter()
        .find_map(|path| std::fs::read_to_string(Path::new(path)).ok())
        .and_then(|text| text.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_meminfo_is_in_bytes() {
        let text = "MemTotal:       16315776 kB\nMemFree:         123 kB\nMemAvailable:    2048 kB\n";
        assert_eq!(parse(text, "MemTotal:"), Some(16_315_776 * 1024));
        assert_eq!(parse(text, "MemAvailable:"), Some(2 << 20));
        assert_eq!(parse(text, "Swap:"), None);
        assert_eq!(parse("MemTotal: lots", "MemTotal:"), None);
    }

    #[test]
    fn a_small_allocation_is_available_and_one_beyond_any_host_is_not() {
        assert!(is_available(1));
        assert!(total() > 0);
        if cfg!(target_os = "linux") {
            assert!(!is_available(u64::MAX));
        }
    }
}
