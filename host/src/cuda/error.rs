//! Results of driver calls as ours.

use std::fmt::Display;

use cudarc::driver::DriverError;
use cudarc::driver::sys::CUresult;

use crate::error::{Error, Result};

/// What the driver's result is to the user; `what` completes "while …".
pub(super) fn check<T>(result: Result<T, DriverError>, what: impl Display) -> Result<T> {
    result.map_err(|error| driver_error(error, what))
}

/// As [`check`], for calls that return the bare code.
pub(super) fn check_code(code: CUresult, what: impl Display) -> Result<()> {
    check(code.result(), what)
}

/// The driver's error with its name.
pub(super) fn driver_error(error: DriverError, what: impl Display) -> Error {
    let name = match error.error_name() {
        Ok(name) => name.to_string_lossy().into_owned(),
        Err(_) => "unknown error".to_owned(),
    };
    Error::Driver { code: error.0 as u32, name, what: what.to_string() }
}
