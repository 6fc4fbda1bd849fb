//! Attributes of functions, parameters and calls.

use std::ffi::{c_char, c_uint};

use super::context::Context;
use super::ffi::Ref;
use super::value::{Function, Instruction, Type};

/// Index of the function itself among attribute positions.
const FUNCTION: c_uint = c_uint::MAX;

/// An attribute, made in a context.
#[derive(Clone, Copy)]
pub(crate) struct Attribute(Ref);

fn kind(name: &str) -> c_uint {
    llvm!(LLVMGetEnumAttributeKindForName(name.as_ptr().cast::<c_char>(), name.len()))
}

impl Attribute {
    /// `name`, or `name(value)`.
    pub(crate) fn named(context: &Context, name: &str, value: u64) -> Self {
        Attribute(llvm!(LLVMCreateEnumAttribute(context.raw, kind(name), value)))
    }

    /// `name(type)`, such as `byval([16 x i8])`.
    pub(crate) fn of_type(context: &Context, name: &str, of: Type) -> Self {
        Attribute(llvm!(LLVMCreateTypeAttribute(context.raw, kind(name), of.raw)))
    }

    /// `"name"="value"`.
    pub(crate) fn text(context: &Context, name: &str, value: &str) -> Self {
        Attribute(llvm!(LLVMCreateStringAttribute(
            context.raw,
            name.as_ptr().cast::<c_char>(),
            name.len() as c_uint,
            value.as_ptr().cast::<c_char>(),
            value.len() as c_uint,
        )))
    }
}

impl Function<'_> {
    pub(crate) fn add_attribute(self, attribute: Attribute) {
        llvm!(LLVMAddAttributeAtIndex(self.raw(), FUNCTION, attribute.0));
    }

    /// Adds to parameter `i`, from 0.
    pub(crate) fn add_parameter_attribute(self, i: usize, attribute: Attribute) {
        llvm!(LLVMAddAttributeAtIndex(self.raw(), i as c_uint + 1, attribute.0));
    }

    pub(crate) fn remove_attribute(self, name: &str) {
        llvm!(LLVMRemoveEnumAttributeAtIndex(self.raw(), FUNCTION, kind(name)));
    }

    pub(crate) fn has_text_attribute(self, name: &str) -> bool {
        let (start, length) = (name.as_ptr().cast::<c_char>(), name.len() as c_uint);
        !(llvm!(LLVMGetStringAttributeAtIndex(self.raw(), FUNCTION, start, length))).is_null()
    }

    pub(crate) fn remove_text_attribute(self, name: &str) {
        llvm!(LLVMRemoveStringAttributeAtIndex(self.raw(), FUNCTION, name.as_ptr().cast::<c_char>(), name.len() as c_uint));
    }
}

impl Instruction<'_> {
    /// Adds to the call itself.
    pub(crate) fn add_call_attribute(self, attribute: Attribute) {
        llvm!(LLVMAddCallSiteAttribute(self.raw(), FUNCTION, attribute.0));
    }

    /// Removes from the call itself.
    pub(crate) fn remove_call_attribute(self, name: &str) {
        llvm!(LLVMRemoveCallSiteEnumAttribute(self.raw(), FUNCTION, kind(name)));
    }
}
