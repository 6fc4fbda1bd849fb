//! What can go wrong in lowering, and whose fault it is.

/// Whose fault a [`Diagnostic`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The kernel asks for something that cannot be on a GPU.
    User,
    /// The kernel asks for something that could be, but is not supported.
    Unsupported,
    /// A tool or file outside of threadwise is missing or unfit.
    Tool,
    /// A defect of threadwise.
    Internal,
}

/// Why lowering failed, for one kernel or for the whole crate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Whose fault it is.
    pub fault: Fault,
    /// `file:line:column` of the kernel as its descriptor gives it; `None` when the whole crate is concerned, or the instance of a kernel
    /// of another crate.
    pub kernel: Option<String>,
    /// The message: what is wrong, where, and what to do.
    pub message: String,
}

impl Diagnostic {
    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Diagnostic { fault: Fault::Internal, kernel: None, message: message.into() }
    }

    pub(crate) fn tool(message: impl Into<String>) -> Self {
        Diagnostic { fault: Fault::Tool, kernel: None, message: message.into() }
    }
}
