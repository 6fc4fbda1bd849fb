//! Handles of functions, globals, instructions, constants and types.

use std::ffi::{CString, c_uint};
use std::marker::PhantomData;

use super::ffi::{Ref, copy_bytes, take_message};

/// A type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Type {
    pub(super) raw: Ref,
}

impl std::fmt::Display for Type {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&take_message(llvm!(LLVMPrintTypeToString(self.raw))))
    }
}

/// How a symbol takes part in linking (`LLVMLinkage`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Linkage {
    External = 0,
    LinkOnceOdr = 3,
    Internal = 8,
}

/// Instructions that lowering tells apart (`LLVMOpcode`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Opcode {
    UDiv = 14,
    SDiv = 15,
    URem = 17,
    SRem = 18,
    FRem = 19,
    Load = 27,
    GetElementPtr = 29,
    FPToUI = 33,
    FPToSI = 34,
    UIToFP = 35,
    SIToFP = 36,
}

impl Opcode {
    const ALL: [Opcode; 11] = [
        Opcode::UDiv,
        Opcode::SDiv,
        Opcode::URem,
        Opcode::SRem,
        Opcode::FRem,
        Opcode::Load,
        Opcode::GetElementPtr,
        Opcode::FPToUI,
        Opcode::FPToSI,
        Opcode::UIToFP,
        Opcode::SIToFP,
    ];
}

/// `LLVMIntToPtr`, as the opcode of a constant expression.
const INT_TO_PTR: c_uint = 40;
/// `LLVMAppendingLinkage`.
const APPENDING: c_uint = 7;
/// `LLVMPrivateLinkage`.
const PRIVATE: c_uint = 9;
/// `LLVMInternalLinkage`.
const INTERNAL: c_uint = 8;

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub(crate) struct $name<'c>(Ref, PhantomData<&'c ()>);

        impl<'c> $name<'c> {
            pub(super) fn from_raw(raw: Ref) -> Option<Self> {
                (!raw.is_null()).then_some($name(raw, PhantomData))
            }
        }

        impl std::fmt::Display for $name<'_> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&take_message(llvm!(LLVMPrintValueToString(self.0))))
            }
        }
    )*};
}

handles! {
    /// Any value.
    Value;
    /// A function, defined or declared.
    Function;
    /// A global variable.
    Global;
    /// An instruction.
    Instruction;
}

macro_rules! raw {
    ($($name:ident),*) => {$(
        impl $name<'_> {
            pub(super) fn raw(self) -> Ref {
                self.0
            }
        }
    )*};
}

raw!(Value, Function, Instruction);

macro_rules! values {
    ($($name:ident),*) => {$(
        impl<'c> $name<'c> {
            /// The same, as any value.
            pub(crate) fn value(self) -> Value<'c> {
                Value(self.0, PhantomData)
            }
        }
    )*};
}

values!(Function, Global, Instruction);

impl<'c> Value<'c> {
    pub(crate) fn as_function(self) -> Option<Function<'c>> {
        Function::from_raw(llvm!(LLVMIsAFunction(self.0)))
    }

    pub(crate) fn as_global(self) -> Option<Global<'c>> {
        Global::from_raw(llvm!(LLVMIsAGlobalVariable(self.0)))
    }

    pub(crate) fn as_instruction(self) -> Option<Instruction<'c>> {
        Instruction::from_raw(llvm!(LLVMIsAInstruction(self.0)))
    }

    pub(crate) fn type_of(self) -> Type {
        Type { raw: llvm!(LLVMTypeOf(self.0)) }
    }

    /// Name of a symbol.
    pub(crate) fn name(self) -> String {
        let mut length = 0;
        let start = llvm!(LLVMGetValueName2(self.0, &raw mut length));
        String::from_utf8_lossy(&copy_bytes(start, length)).into_owned()
    }

    pub(crate) fn set_name(self, name: &str) {
        llvm!(LLVMSetValueName2(self.0, name.as_ptr().cast(), name.len()));
    }

    pub(crate) fn is_declaration(self) -> bool {
        (llvm!(LLVMIsDeclaration(self.0))) != 0
    }

    /// Whether the symbol is seen in its module only.
    pub(crate) fn is_local(self) -> bool {
        matches!(llvm!(LLVMGetLinkage(self.0)), PRIVATE | INTERNAL)
    }

    /// Whether other modules can see the symbol.
    pub(crate) fn is_external(self) -> bool {
        (llvm!(LLVMGetLinkage(self.0))) == Linkage::External as c_uint
    }

    /// Whether the value is known before the code runs.
    pub(crate) fn is_constant(self) -> bool {
        (llvm!(LLVMIsConstant(self.0))) != 0
    }

    /// Whether the symbol is one of LLVM's own arrays, such as `llvm.used`.
    pub(crate) fn is_appending(self) -> bool {
        (llvm!(LLVMGetLinkage(self.0))) == APPENDING
    }

    /// Sets the linkage, and takes the symbol out of its comdat and visibility class, which mean nothing in PTX.
    pub(crate) fn set_linkage(self, linkage: Linkage) {
        if !self.is_declaration() && !(llvm!(LLVMGetComdat(self.0))).is_null() {
            llvm!(LLVMSetComdat(self.0, std::ptr::null_mut()));
        }
        llvm!(LLVMSetVisibility(self.0, 0));
        llvm!(LLVMSetDLLStorageClass(self.0, 0));
        llvm!(LLVMSetLinkage(self.0, linkage as c_uint));
    }

    pub(crate) fn replace_all_uses(self, with: Value<'c>) {
        llvm!(LLVMReplaceAllUsesWith(self.0, with.0));
    }

    /// Everything that uses this value: instructions and constants.
    pub(crate) fn users(self) -> Vec<Value<'c>> {
        let mut users = Vec::new();
        let mut next = llvm!(LLVMGetFirstUse(self.0));
        while !next.is_null() {
            users.extend(Value::from_raw(llvm!(LLVMGetUser(next))));
            next = llvm!(LLVMGetNextUse(next));
        }
        users
    }

    pub(crate) fn set_operand(self, i: usize, to: Value<'c>) {
        llvm!(LLVMSetOperand(self.0, i as c_uint, to.0));
    }

    pub(crate) fn operands(self) -> Vec<Value<'c>> {
        let count = llvm!(LLVMGetNumOperands(self.0));
        (0..count).filter_map(|i| Value::from_raw(llvm!(LLVMGetOperand(self.0, i as c_uint)))).collect()
    }

    /// The instructions that use this value, also through constant expressions.
    pub(crate) fn using_instructions(self) -> Vec<Instruction<'c>> {
        let mut found = Vec::new();
        let mut seen = std::collections::HashSet::new();
        let mut open = vec![self];
        while let Some(value) = open.pop() {
            for user in value.users() {
                if let Some(instruction) = user.as_instruction() {
                    found.push(instruction);
                } else if seen.insert(user) && user.as_function().is_none() {
                    open.push(user);
                }
            }
        }
        found
    }

    /// The calls of this function.
    pub(crate) fn calls(self) -> Vec<Instruction<'c>> {
        self.using_instructions().into_iter().filter(|i| i.called() == Some(self)).collect()
    }

    /// Whether this is a constant made of others: a struct, an array or an expression.
    pub(crate) fn is_constant_aggregate(self) -> bool {
        !(llvm!(LLVMIsAConstantExpr(self.0))).is_null()
            || !(llvm!(LLVMIsAConstantStruct(self.0))).is_null()
            || !(llvm!(LLVMIsAConstantArray(self.0))).is_null()
    }

    /// Whether it is read by code alone, and its address in no other constant.
    pub(crate) fn is_used_by_code_only(self) -> bool {
        let mut seen = std::collections::HashSet::new();
        let mut open = vec![self];
        while let Some(value) = open.pop() {
            for user in value.users() {
                if user.as_instruction().is_some() {
                    continue;
                }
                if llvm!(LLVMIsAConstantExpr(user.0)).is_null() {
                    return false;
                }
                if seen.insert(user) {
                    open.push(user);
                }
            }
        }
        true
    }

    pub(super) fn is_int_to_ptr(self) -> bool {
        !(llvm!(LLVMIsAConstantExpr(self.0))).is_null() && (llvm!(LLVMGetConstOpcode(self.0))) == INT_TO_PTR
    }
}

impl<'c> Function<'c> {
    /// The type of the function itself.
    pub(crate) fn signature(self) -> Type {
        Type { raw: llvm!(LLVMGlobalGetValueType(self.0)) }
    }

    pub(crate) fn parameter_count(self) -> usize {
        (llvm!(LLVMCountParams(self.0))) as usize
    }

    pub(crate) fn parameter(self, i: usize) -> Option<Value<'c>> {
        (i < self.parameter_count()).then(|| llvm!(LLVMGetParam(self.0, i as c_uint))).and_then(Value::from_raw)
    }

    /// Makes this an `.entry`.
    pub(crate) fn make_kernel(self) {
        const PTX_KERNEL: c_uint = 71;
        llvm!(LLVMSetFunctionCallConv(self.0, PTX_KERNEL));
    }

    pub(crate) fn has_personality(self) -> bool {
        (llvm!(LLVMHasPersonalityFn(self.0))) != 0
    }

    pub(crate) fn set_personality(self, personality: Value<'c>) {
        llvm!(LLVMSetPersonalityFn(self.0, personality.0));
    }

    pub(crate) fn delete(self) {
        llvm!(LLVMDeleteFunction(self.0));
    }

    fn blocks(self) -> Vec<Ref> {
        let mut blocks = Vec::new();
        let mut block = llvm!(LLVMGetFirstBasicBlock(self.0));
        while !block.is_null() {
            blocks.push(block);
            block = llvm!(LLVMGetNextBasicBlock(block));
        }
        blocks
    }

    pub(crate) fn instructions(self) -> Vec<Instruction<'c>> {
        let mut all = Vec::new();
        for block in self.blocks() {
            let mut instruction = llvm!(LLVMGetFirstInstruction(block));
            while let Some(found) = Instruction::from_raw(instruction) {
                all.push(found);
                instruction = llvm!(LLVMGetNextInstruction(instruction));
            }
        }
        all
    }
}

impl<'c> Global<'c> {
    pub(crate) fn value_type(self) -> Type {
        Type { raw: llvm!(LLVMGlobalGetValueType(self.0)) }
    }

    pub(crate) fn initializer(self) -> Option<Value<'c>> {
        Value::from_raw(llvm!(LLVMGetInitializer(self.0)))
    }

    pub(crate) fn set_initializer(self, value: Value<'c>) {
        llvm!(LLVMSetInitializer(self.0, value.0));
    }

    /// Whether its value never changes.
    pub(crate) fn is_immutable(self) -> bool {
        (llvm!(LLVMIsGlobalConstant(self.0))) != 0
    }

    pub(crate) fn set_immutable(self) {
        llvm!(LLVMSetGlobalConstant(self.0, 1));
    }

    /// Whether it is a variable with an address of its own, and not a constant that may be merged with equal ones.
    pub(crate) fn is_named(self) -> bool {
        (llvm!(LLVMGetUnnamedAddress(self.0))) == 0
    }

    pub(crate) fn is_thread_local(self) -> bool {
        (llvm!(LLVMIsThreadLocal(self.0))) != 0
    }

    pub(crate) fn section(self) -> String {
        let section = llvm!(LLVMGetSection(self.0));
        if section.is_null() {
            return String::new();
        }
        // SAFETY: LLVM keeps section names NUL-terminated.
        unsafe { std::ffi::CStr::from_ptr(section) }.to_string_lossy().into_owned()
    }

    pub(crate) fn set_section(self, section: &str) {
        llvm!(LLVMSetSection(self.0, c_string(section).as_ptr()));
    }

    pub(crate) fn clear_section(self) {
        llvm!(LLVMSetSection(self.0, c"".as_ptr()));
    }

    pub(crate) fn alignment(self) -> u32 {
        llvm!(LLVMGetAlignment(self.0))
    }

    pub(crate) fn set_alignment(self, bytes: u32) {
        llvm!(LLVMSetAlignment(self.0, bytes));
    }

    pub(crate) fn delete(self) {
        llvm!(LLVMDeleteGlobal(self.0));
    }
}

impl<'c> Instruction<'c> {
    /// The function called, when this is a call or invoke.
    pub(crate) fn called(self) -> Option<Value<'c>> {
        let is_call = !(llvm!(LLVMIsACallInst(self.0))).is_null() || !(llvm!(LLVMIsAInvokeInst(self.0))).is_null();
        is_call.then(|| llvm!(LLVMGetCalledValue(self.0))).and_then(Value::from_raw)
    }

    /// Text of the inline assembly that this calls.
    pub(crate) fn inline_asm(self) -> Option<String> {
        let called = self.called()?;
        if (llvm!(LLVMIsAInlineAsm(called.0))).is_null() {
            return None;
        }
        let mut length = 0;
        let start = llvm!(LLVMGetInlineAsmAsmString(called.0, &raw mut length));
        Some(String::from_utf8_lossy(&copy_bytes(start, length)).into_owned())
    }

    pub(crate) fn is(self, opcode: Opcode) -> bool {
        (llvm!(LLVMGetInstructionOpcode(self.0))) == opcode as c_uint
    }

    /// What it does, if lowering tells it apart.
    pub(crate) fn opcode(self) -> Option<Opcode> {
        let number = llvm!(LLVMGetInstructionOpcode(self.0));
        Opcode::ALL.into_iter().find(|opcode| *opcode as c_uint == number)
    }

    pub(crate) fn erase(self) {
        llvm!(LLVMInstructionEraseFromParent(self.0));
    }

    /// The function that this is in.
    pub(crate) fn function(self) -> Option<Function<'c>> {
        let block = llvm!(LLVMGetInstructionParent(self.0));
        Function::from_raw(llvm!(LLVMGetBasicBlockParent(block)))
    }

    /// Whether control can come back here: the instruction's block lies on a cycle.
    pub(crate) fn is_in_loop(self) -> bool {
        let home = llvm!(LLVMGetInstructionParent(self.0));
        let mut seen = std::collections::HashSet::new();
        let mut open = vec![home];
        while let Some(block) = open.pop() {
            let last = llvm!(LLVMGetBasicBlockTerminator(block));
            if last.is_null() {
                continue;
            }
            for i in 0..llvm!(LLVMGetNumSuccessors(last)) {
                let next = llvm!(LLVMGetSuccessor(last, i));
                if next == home {
                    return true;
                }
                if seen.insert(next) {
                    open.push(next);
                }
            }
        }
        false
    }

    /// Allows `a * b + c` to be fused, where the instruction is of floating point.
    pub(crate) fn allow_contraction(self) {
        const CONTRACT: c_uint = 1 << 5;
        if (llvm!(LLVMCanValueUseFastMathFlags(self.0))) != 0 {
            let flags = llvm!(LLVMGetFastMathFlags(self.0));
            llvm!(LLVMSetFastMathFlags(self.0, flags | CONTRACT));
        }
    }

    /// `file:line:column` in the source of the function that this is in, also when it was inlined from elsewhere. `None` without a line
    /// table.
    pub(crate) fn place(self) -> Option<String> {
        let SourcePlace { file, line, column, .. } = self.places().pop()?;
        Some(format!("{file}:{line}:{column}"))
    }

    /// The innermost place that is not in the standard library.
    pub(crate) fn user_place(self) -> Option<SourcePlace> {
        self.places().into_iter().find(|place| !place.is_std)
    }

    /// Where it comes from, then where that was inlined, and so on outwards.
    fn places(self) -> Vec<SourcePlace> {
        let mut places = Vec::new();
        let mut location = llvm!(LLVMInstructionGetDebugLoc(self.0));
        while !location.is_null() {
            places.extend(SourcePlace::of(location));
            location = llvm!(LLVMDILocationGetInlinedAt(location));
        }
        places
    }
}

/// A place in the line table.
pub(crate) struct SourcePlace {
    pub(crate) file: String,
    /// From 1.
    pub(crate) line: u32,
    /// From 1.
    pub(crate) column: u32,
    is_std: bool,
}

impl SourcePlace {
    fn of(location: Ref) -> Option<Self> {
        let scope = llvm!(LLVMDILocationGetScope(location));
        let source = llvm!(LLVMDIScopeGetFile(scope));
        if source.is_null() {
            return None;
        }
        let mut length: c_uint = 0;
        let start = llvm!(LLVMDIFileGetFilename(source, &raw mut length));
        let file = String::from_utf8_lossy(&copy_bytes(start, length as usize)).into_owned();
        let start = llvm!(LLVMDIFileGetDirectory(source, &raw mut length));
        // rustc's name for the folder of the standard library's source.
        let is_std = copy_bytes(start, length as usize).starts_with(b"/rustc/") || file.starts_with("/rustc/");
        let (line, column) = (llvm!(LLVMDILocationGetLine(location)), llvm!(LLVMDILocationGetColumn(location)));
        (line != 0 && !file.is_empty()).then_some(SourcePlace { file, line, column, is_std })
    }
}

/// `name` for a C function; interior NULs, which no symbol has, end it.
pub(super) fn c_string(name: &str) -> CString {
    let end = name.find('\0').unwrap_or(name.len());
    CString::new(&name[..end]).unwrap_or_default()
}
