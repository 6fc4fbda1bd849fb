//! Results of simulator calls as ours.

use std::fmt::Display;

use crate::error::{Error, Result};

/// The simulator refuses memory operations only if the bookkeeping here is wrong.
pub(super) fn check<T>(result: Result<T, impl Display>, what: &str) -> Result<T> {
    result.map_err(|error| Error::Internal(format!("the simulator says while {what}: {error}")))
}
