//! The stages of lowering, in order.

use crate::wire::{Request, Response};

/// Lowers the crate that `request` names.
pub fn lower(request: &Request) -> Response {
    let _ = request;
    Response::Failed(vec![crate::error::Diagnostic::internal("lowering is not built yet")])
}
