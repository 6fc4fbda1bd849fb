//! Puts a value that is known at run time in the place of a variable's address.

use super::ffi::Ref;
use super::module::Module;
use super::value::{Global, Instruction, Type, Value};

/// `LLVMGetElementPtr`, `LLVMTrunc` to `LLVMAddrSpaceCast`, as opcodes of constant expressions.
const GET_ELEMENT_PTR: u32 = 29;
const CASTS: [u32; 4] = [30, 39, 40, 60];

impl<'c> Module<'c> {
    /// Makes code read the address of `variable` from `holder`. What is left of its uses are other constants.
    pub(crate) fn load_address(&self, variable: Global<'c>, holder: Global<'c>) {
        for function in self.functions() {
            let Some(first) = function.instructions().first().copied() else { continue };
            let rewriter = Rewriter::before(first, variable.value(), self);
            let mut loaded = None;
            for instruction in function.instructions() {
                for (i, operand) in instruction.value().operands().into_iter().enumerate() {
                    if !rewriter.mentions(operand) {
                        continue;
                    }
                    let address = *loaded.get_or_insert_with(|| rewriter.load(self.pointer_type(), holder.value()));
                    if let Some(operand) = address.and_then(|address| rewriter.rebuild(operand, address)) {
                        instruction.value().set_operand(i, operand);
                    }
                }
            }
        }
    }
}

/// Builds instructions at the beginning of a function, which all of it comes after.
struct Rewriter<'c> {
    builder: Ref,
    variable: Value<'c>,
}

impl Drop for Rewriter<'_> {
    fn drop(&mut self) {
        llvm!(LLVMDisposeBuilder(self.builder));
    }
}

impl<'c> Rewriter<'c> {
    fn before(first: Instruction<'c>, variable: Value<'c>, module: &Module<'c>) -> Self {
        let builder = llvm!(LLVMCreateBuilderInContext(module.context.raw));
        llvm!(LLVMPositionBuilderBefore(builder, first.raw()));
        Rewriter { builder, variable }
    }

    /// Whether `operand` is the variable's address or computed from it.
    fn mentions(&self, operand: Value<'c>) -> bool {
        operand == self.variable || (is_expression(operand) && operand.operands().into_iter().any(|o| self.mentions(o)))
    }

    fn load(&self, of: Type, from: Value<'c>) -> Option<Value<'c>> {
        Value::from_raw(llvm!(LLVMBuildLoad2(self.builder, of.raw, from.raw(), c"".as_ptr())))
    }

    /// `operand`, computed from `address` instead of the variable. `None` for expressions of other kinds.
    fn rebuild(&self, operand: Value<'c>, address: Value<'c>) -> Option<Value<'c>> {
        if operand == self.variable {
            return Some(address);
        }
        if !self.mentions(operand) {
            return Some(operand);
        }
        let operands: Option<Vec<Value<'c>>> = operand.operands().into_iter().map(|o| self.rebuild(o, address)).collect();
        let operands = operands?;
        let (first, rest) = operands.split_first()?;
        let opcode = llvm!(LLVMGetConstOpcode(operand.raw()));
        if opcode == GET_ELEMENT_PTR {
            let of = llvm!(LLVMGetGEPSourceElementType(operand.raw()));
            let mut indices: Vec<Ref> = rest.iter().map(|i| i.raw()).collect();
            let count = indices.len() as u32;
            return Value::from_raw(llvm!(LLVMBuildGEP2(self.builder, of, first.raw(), indices.as_mut_ptr(), count, c"".as_ptr())));
        }
        if CASTS.contains(&opcode) {
            return Value::from_raw(llvm!(LLVMBuildCast(self.builder, opcode, first.raw(), operand.type_of().raw, c"".as_ptr())));
        }
        None
    }
}

fn is_expression(value: Value<'_>) -> bool {
    !(llvm!(LLVMIsAConstantExpr(value.raw()))).is_null()
}
