//! Checks beyond the grammar.

use crate::ast::Module;
use crate::error::Error;

pub(crate) fn module(_module: &Module) -> Result<(), Error> {
    Ok(())
}
