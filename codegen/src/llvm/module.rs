//! Modules: parsing, linking, running passes, and their symbols.

use std::ffi::c_char;
use std::ptr::null_mut;

use super::constant::Data;
use super::context::Context;
use super::ffi::{Ref, copy_bytes, take_message};
use super::target::Machine;
use super::value::{Function, Global, Instruction, Linkage, SourcePlace, Type, Value, c_string};

/// A module of LLVM IR.
pub(crate) struct Module<'c> {
    raw: Ref,
    pub(crate) context: &'c Context,
}

impl Drop for Module<'_> {
    fn drop(&mut self) {
        if !self.raw.is_null() {
            llvm!(LLVMDisposeModule(self.raw));
        }
    }
}

fn buffer(bytes: &[u8], name: &str) -> Ref {
    llvm!(LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes.as_ptr().cast(), bytes.len(), c_string(name).as_ptr()))
}

impl<'c> Module<'c> {
    /// A module with nothing in it.
    pub(crate) fn empty(context: &'c Context, name: &str) -> Self {
        Module { raw: llvm!(LLVMModuleCreateWithNameInContext(c_string(name).as_ptr(), context.raw)), context }
    }

    /// Parses bitcode or the text of LLVM IR.
    pub(crate) fn parse(context: &'c Context, bytes: &[u8], name: &str) -> Result<Self, String> {
        let (mut raw, mut message) = (null_mut(), null_mut());
        let failed = llvm!(LLVMParseIRInContext(context.raw, buffer(bytes, name), &raw mut raw, &raw mut message));
        if failed != 0 {
            return Err(format!("{name}: {}", take_message(message)));
        }
        Ok(Module { raw, context })
    }

    /// Reads bitcode such that a function's body is read when linking first needs it.
    pub(crate) fn parse_lazily(context: &'c Context, bytes: &[u8], name: &str) -> Result<Self, String> {
        let mut raw = null_mut();
        let failed = llvm!(LLVMGetBitcodeModuleInContext2(context.raw, buffer(bytes, name), &raw mut raw));
        if failed != 0 {
            return Err(format!("{name}: {}", context.take_errors().join("; ")));
        }
        Ok(Module { raw, context })
    }

    /// Drops line tables, also of functions that are read later.
    pub(crate) fn strip_debug_info(&self) {
        llvm!(LLVMStripModuleDebugInfo(self.raw));
    }

    pub(crate) fn duplicate(&self) -> Self {
        Module { raw: llvm!(LLVMCloneModule(self.raw)), context: self.context }
    }

    pub(crate) fn print(&self) -> String {
        take_message(llvm!(LLVMPrintModuleToString(self.raw)))
    }

    /// What LLVM's verifier finds wrong.
    pub(crate) fn verify(&self) -> Result<(), String> {
        const RETURN_STATUS: i32 = 2;
        let mut message = null_mut();
        let broken = llvm!(LLVMVerifyModule(self.raw, RETURN_STATUS, &raw mut message));
        let message = take_message(message);
        if broken != 0 { Err(message) } else { Ok(()) }
    }

    /// Sets triple and data layout to the machine's.
    pub(crate) fn retarget(&self, machine: &Machine) {
        llvm!(LLVMSetTarget(self.raw, c_string(machine.triple()).as_ptr()));
        llvm!(LLVMSetDataLayout(self.raw, c_string(machine.layout()).as_ptr()));
    }

    /// Links `from` into this module, which consumes it.
    pub(crate) fn link(&self, mut from: Module<'c>) -> Result<(), String> {
        let raw = std::mem::replace(&mut from.raw, null_mut());
        if (llvm!(LLVMLinkModules2(self.raw, raw))) != 0 {
            return Err(self.context.take_errors().join("; "));
        }
        Ok(())
    }

    /// Links only what of `from` is referenced, directly or through what comes with it; what `offered` refuses only through that.
    pub(crate) fn link_needed(&self, from: Module<'c>, offered: impl Fn(&str) -> bool) -> Result<(), String> {
        for symbol in from.symbols() {
            if symbol.is_declaration() || symbol.is_local() || symbol.is_appending() {
                continue;
            }
            // The linker takes `linkonce` symbols only where something refers to them; internal ones cannot be referred to from here.
            symbol.set_linkage(if offered(&symbol.name()) { Linkage::LinkOnceOdr } else { Linkage::Internal });
        }
        from.delete_appending();
        self.link(from)
    }

    /// Deletes LLVM's own arrays: what was to be kept (`llvm.used`) and run at start (`llvm.global_ctors`) on the host.
    pub(crate) fn delete_appending(&self) {
        for global in self.globals() {
            if global.value().is_appending() {
                global.delete();
            }
        }
    }

    /// Runs passes, named as `opt -passes=` names them.
    pub(crate) fn run(&self, passes: &str, machine: &Machine) -> Result<(), String> {
        let options = llvm!(LLVMCreatePassBuilderOptions());
        let error = llvm!(LLVMRunPasses(self.raw, c_string(passes).as_ptr(), machine.raw, options));
        llvm!(LLVMDisposePassBuilderOptions(options));
        if error.is_null() {
            return Ok(());
        }
        let message = llvm!(LLVMGetErrorMessage(error));
        // SAFETY: LLVM's error messages are NUL-terminated.
        let text = unsafe { std::ffi::CStr::from_ptr(message) }.to_string_lossy().into_owned();
        llvm!(LLVMDisposeErrorMessage(message));
        Err(text)
    }

    /// The module as PTX.
    pub(crate) fn emit(&self, machine: &Machine) -> Result<String, String> {
        const ASSEMBLY: i32 = 0;
        let (mut message, mut buffer) = (null_mut::<c_char>(), null_mut());
        let failed = llvm!(LLVMTargetMachineEmitToMemoryBuffer(machine.raw, self.raw, ASSEMBLY, &raw mut message, &raw mut buffer));
        if failed != 0 {
            return Err(take_message(message));
        }
        let bytes = copy_bytes(llvm!(LLVMGetBufferStart(buffer)), llvm!(LLVMGetBufferSize(buffer)));
        llvm!(LLVMDisposeMemoryBuffer(buffer));
        let errors = self.context.take_errors();
        if errors.is_empty() { Ok(String::from_utf8_lossy(&bytes).into_owned()) } else { Err(errors.join("; ")) }
    }

    pub(crate) fn functions(&self) -> Vec<Function<'c>> {
        let mut all = Vec::new();
        let mut next = llvm!(LLVMGetFirstFunction(self.raw));
        while let Some(function) = Function::from_raw(next) {
            all.push(function);
            next = llvm!(LLVMGetNextFunction(next));
        }
        all
    }

    pub(crate) fn globals(&self) -> Vec<Global<'c>> {
        let mut all = Vec::new();
        let mut next = llvm!(LLVMGetFirstGlobal(self.raw));
        while let Some(global) = Global::from_raw(next) {
            all.push(global);
            next = llvm!(LLVMGetNextGlobal(next));
        }
        all
    }

    fn aliases(&self) -> Vec<Value<'c>> {
        let mut all = Vec::new();
        let mut next = llvm!(LLVMGetFirstGlobalAlias(self.raw));
        while let Some(alias) = Value::from_raw(next) {
            all.push(alias);
            next = llvm!(LLVMGetNextGlobalAlias(next));
        }
        all
    }

    /// Functions, variables and aliases.
    pub(crate) fn symbols(&self) -> Vec<Value<'c>> {
        let functions = self.functions().into_iter().map(Function::value);
        let globals = self.globals().into_iter().map(Global::value);
        functions.chain(globals).chain(self.aliases()).collect()
    }

    /// Replaces aliases by what they stand for; PTX has none for variables and few for functions.
    pub(crate) fn resolve_aliases(&self) {
        for alias in self.aliases() {
            if let Some(target) = Value::from_raw(llvm!(LLVMAliasGetAliasee(alias.raw()))) {
                alias.replace_all_uses(target);
            }
        }
    }

    pub(crate) fn function(&self, name: &str) -> Option<Function<'c>> {
        Function::from_raw(llvm!(LLVMGetNamedFunction(self.raw, c_string(name).as_ptr())))
    }

    /// The function of this name, declared with `signature` where it is not there yet.
    pub(crate) fn declare(&self, name: &str, signature: Type) -> Option<Function<'c>> {
        self.function(name).or_else(|| Function::from_raw(llvm!(LLVMAddFunction(self.raw, c_string(name).as_ptr(), signature.raw))))
    }

    /// A new variable of type `of` in address space `space`.
    pub(crate) fn add_global(&self, name: &str, of: Type, space: u32) -> Option<Global<'c>> {
        Global::from_raw(llvm!(LLVMAddGlobalInAddressSpace(self.raw, of.raw, c_string(name).as_ptr(), space)))
    }

    /// The memory image of a global's initializer.
    pub(crate) fn data(&self, global: Global<'c>) -> Option<Data<'c>> {
        Data::of(global, llvm!(LLVMGetModuleDataLayout(self.raw)))
    }

    /// Replaces `global` by the same variable in address space `space`, whose uses go through a cast, and which has its name, value,
    /// alignment and linkage.
    pub(crate) fn change_space(&self, global: Global<'c>, space: u32) -> Option<Global<'c>> {
        let name = global.value().name();
        let moved = self.add_global("moved", global.value_type(), space)?;
        moved.set_initializer(global.initializer()?);
        moved.set_alignment(global.alignment());
        moved.value().set_linkage(if global.value().is_local() { Linkage::Internal } else { Linkage::External });
        if global.is_immutable() {
            moved.set_immutable();
        }
        global.value().replace_all_uses(self.cast_to_generic(moved.value())?);
        global.delete();
        moved.value().set_name(&name);
        Some(moved)
    }

    /// `pointer` to another address space, as a constant.
    fn cast_to_generic(&self, pointer: Value<'c>) -> Option<Value<'c>> {
        Value::from_raw(llvm!(LLVMConstAddrSpaceCast(pointer.raw(), self.pointer_type().raw)))
    }

    pub(crate) fn pointer_type(&self) -> Type {
        Type { raw: llvm!(LLVMPointerTypeInContext(self.context.raw, 0)) }
    }

    /// `[n x i8]`.
    pub(crate) fn bytes_type(&self, n: u64) -> Type {
        let byte = llvm!(LLVMInt8TypeInContext(self.context.raw));
        Type { raw: llvm!(LLVMArrayType2(byte, n)) }
    }

    pub(crate) fn null(&self, of: Type) -> Option<Value<'c>> {
        Value::from_raw(llvm!(LLVMConstNull(of.raw)))
    }

    pub(crate) fn undefined(&self, of: Type) -> Option<Value<'c>> {
        Value::from_raw(llvm!(LLVMGetUndef(of.raw)))
    }

    pub(crate) fn u32(&self, value: u32) -> Option<Value<'c>> {
        let int = llvm!(LLVMInt32TypeInContext(self.context.raw));
        Value::from_raw(llvm!(LLVMConstInt(int, u64::from(value), 0)))
    }

    /// A constant of a file's name, its length, line and column, as the runtime's `Place` has them.
    pub(crate) fn place_constant(&self, place: &SourcePlace) -> Option<Value<'c>> {
        let context = self.context.raw;
        let text = llvm!(LLVMConstStringInContext2(context, place.file.as_ptr().cast(), place.file.len(), 1));
        let file = self.constant("place.file", Value::from_raw(text)?)?;
        let (int, long) = (llvm!(LLVMInt32TypeInContext(context)), llvm!(LLVMInt64TypeInContext(context)));
        let mut fields = [
            file.raw(),
            llvm!(LLVMConstInt(long, place.file.len() as u64, 0)),
            llvm!(LLVMConstInt(int, u64::from(place.line), 0)),
            llvm!(LLVMConstInt(int, u64::from(place.column), 0)),
        ];
        let fields = llvm!(LLVMConstStructInContext(context, fields.as_mut_ptr(), fields.len() as u32, 0));
        self.constant("place", Value::from_raw(fields)?)
    }

    /// The address of an unnamed constant with that value.
    fn constant(&self, name: &str, value: Value<'c>) -> Option<Value<'c>> {
        let global = self.add_global(name, value.type_of(), 0)?;
        global.set_initializer(value);
        global.set_immutable();
        global.value().set_linkage(Linkage::Internal);
        Some(global.value())
    }

    /// `fn(parameters) -> result`.
    pub(crate) fn signature(&self, parameters: &[Type], result: Type) -> Type {
        let mut parameters: Vec<Ref> = parameters.iter().map(|p| p.raw).collect();
        Type { raw: llvm!(LLVMFunctionType(result.raw, parameters.as_mut_ptr(), parameters.len() as u32, 0)) }
    }

    /// Replaces `instruction` by a call of `function` with its operands.
    pub(crate) fn replace_by_call(&self, instruction: Instruction<'c>, function: Function<'c>) {
        let mut operands: Vec<Ref> = instruction.value().operands().iter().map(|v| v.raw()).collect();
        let builder = llvm!(LLVMCreateBuilderInContext(self.context.raw));
        llvm!(LLVMPositionBuilderBefore(builder, instruction.raw()));
        let call = llvm!(LLVMBuildCall2(
            builder,
            function.signature().raw,
            function.raw(),
            operands.as_mut_ptr(),
            operands.len() as u32,
            c"".as_ptr()
        ));
        llvm!(LLVMDisposeBuilder(builder));
        if let Some(call) = Value::from_raw(call) {
            instruction.value().replace_all_uses(call);
            instruction.erase();
        }
    }

    /// Assembly outside of functions (`global_asm!`), and its removal.
    pub(crate) fn take_assembly(&self) -> String {
        let mut length = 0;
        let start = llvm!(LLVMGetModuleInlineAsm(self.raw, &raw mut length));
        let text = String::from_utf8_lossy(&copy_bytes(start, length)).into_owned();
        llvm!(LLVMSetModuleInlineAsm2(self.raw, c"".as_ptr(), 0));
        text
    }
}
