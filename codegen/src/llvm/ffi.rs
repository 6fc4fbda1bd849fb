//! The functions of LLVM's C API that lowering uses, found at run time in the libLLVM that the compiler itself ships with.
//!
//! Signatures after `llvm-c/*.h` of LLVM 22. Nothing outside this folder sees a raw pointer.

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

pub(super) type Ref = *mut c_void;
pub(super) type Bool = c_int;
pub(super) type DiagnosticHandler = extern "C" fn(Ref, *mut c_void);

macro_rules! api {
    ($(fn $name:ident($($argument:ty),*) $(-> $result:ty)?;)*) => {
        #[allow(non_snake_case, reason = "LLVM's own names")]
        pub(super) struct Api {
            $(pub(super) $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
            _library: libloading::Library,
        }

        impl Api {
            fn load(library: libloading::Library) -> Result<Self, libloading::Error> {
                Ok(Api {
                    $(
                        // SAFETY: the type is that of the C header.
                        $name: *unsafe { library.get(concat!(stringify!($name), "\0").as_bytes()) }?,
                    )*
                    _library: library,
                })
            }
        }
    };
}

api! {
    fn LLVMInitializeNVPTXTarget();
    fn LLVMInitializeNVPTXTargetInfo();
    fn LLVMInitializeNVPTXTargetMC();
    fn LLVMInitializeNVPTXAsmPrinter();
    fn LLVMParseCommandLineOptions(c_int, *const *const c_char, *const c_char);
    fn LLVMDisposeMessage(*mut c_char);
    fn LLVMContextCreate() -> Ref;
    fn LLVMContextDispose(Ref);
    fn LLVMContextSetDiagnosticHandler(Ref, DiagnosticHandler, *mut c_void);
    fn LLVMGetDiagInfoDescription(Ref) -> *mut c_char;
    fn LLVMGetDiagInfoSeverity(Ref) -> c_uint;
    fn LLVMCreateMemoryBufferWithMemoryRangeCopy(*const c_char, usize, *const c_char) -> Ref;
    fn LLVMGetBufferStart(Ref) -> *const c_char;
    fn LLVMGetBufferSize(Ref) -> usize;
    fn LLVMDisposeMemoryBuffer(Ref);
    fn LLVMParseIRInContext(Ref, Ref, *mut Ref, *mut *mut c_char) -> Bool;
    fn LLVMGetBitcodeModuleInContext2(Ref, Ref, *mut Ref) -> Bool;
    fn LLVMStripModuleDebugInfo(Ref) -> Bool;
    fn LLVMModuleCreateWithNameInContext(*const c_char, Ref) -> Ref;
    fn LLVMCloneModule(Ref) -> Ref;
    fn LLVMDisposeModule(Ref);
    fn LLVMSetTarget(Ref, *const c_char);
    fn LLVMSetDataLayout(Ref, *const c_char);
    fn LLVMLinkModules2(Ref, Ref) -> Bool;
    fn LLVMPrintModuleToString(Ref) -> *mut c_char;
    fn LLVMVerifyModule(Ref, c_int, *mut *mut c_char) -> Bool;
    fn LLVMGetModuleInlineAsm(Ref, *mut usize) -> *const c_char;
    fn LLVMSetModuleInlineAsm2(Ref, *const c_char, usize);
    fn LLVMGetFirstFunction(Ref) -> Ref;
    fn LLVMGetNextFunction(Ref) -> Ref;
    fn LLVMGetNamedFunction(Ref, *const c_char) -> Ref;
    fn LLVMAddFunction(Ref, *const c_char, Ref) -> Ref;
    fn LLVMDeleteFunction(Ref);
    fn LLVMGetFirstGlobal(Ref) -> Ref;
    fn LLVMGetNextGlobal(Ref) -> Ref;
    fn LLVMAddGlobalInAddressSpace(Ref, Ref, *const c_char, c_uint) -> Ref;
    fn LLVMDeleteGlobal(Ref);
    fn LLVMGetInitializer(Ref) -> Ref;
    fn LLVMSetInitializer(Ref, Ref);
    fn LLVMIsThreadLocal(Ref) -> Bool;
    fn LLVMIsGlobalConstant(Ref) -> Bool;
    fn LLVMSetGlobalConstant(Ref, Bool);
    fn LLVMGetUnnamedAddress(Ref) -> c_uint;
    fn LLVMGetFirstGlobalAlias(Ref) -> Ref;
    fn LLVMGetNextGlobalAlias(Ref) -> Ref;
    fn LLVMAliasGetAliasee(Ref) -> Ref;
    fn LLVMGetValueName2(Ref, *mut usize) -> *const c_char;
    fn LLVMSetValueName2(Ref, *const c_char, usize);
    fn LLVMIsDeclaration(Ref) -> Bool;
    fn LLVMIsConstant(Ref) -> Bool;
    fn LLVMGetStringAttributeAtIndex(Ref, c_uint, *const c_char, c_uint) -> Ref;
    fn LLVMGetLinkage(Ref) -> c_uint;
    fn LLVMSetLinkage(Ref, c_uint);
    fn LLVMSetVisibility(Ref, c_uint);
    fn LLVMSetDLLStorageClass(Ref, c_uint);
    fn LLVMGetComdat(Ref) -> Ref;
    fn LLVMSetComdat(Ref, Ref);
    fn LLVMGetSection(Ref) -> *const c_char;
    fn LLVMSetSection(Ref, *const c_char);
    fn LLVMGetAlignment(Ref) -> c_uint;
    fn LLVMSetAlignment(Ref, c_uint);
    fn LLVMGlobalGetValueType(Ref) -> Ref;
    fn LLVMSetFunctionCallConv(Ref, c_uint);
    fn LLVMHasPersonalityFn(Ref) -> Bool;
    fn LLVMSetPersonalityFn(Ref, Ref);
    fn LLVMCountParams(Ref) -> c_uint;
    fn LLVMGetParam(Ref, c_uint) -> Ref;
    fn LLVMReplaceAllUsesWith(Ref, Ref);
    fn LLVMGetFirstUse(Ref) -> Ref;
    fn LLVMGetNextUse(Ref) -> Ref;
    fn LLVMGetUser(Ref) -> Ref;
    fn LLVMTypeOf(Ref) -> Ref;
    fn LLVMPrintTypeToString(Ref) -> *mut c_char;
    fn LLVMPrintValueToString(Ref) -> *mut c_char;
    fn LLVMPointerTypeInContext(Ref, c_uint) -> Ref;
    fn LLVMInt8TypeInContext(Ref) -> Ref;
    fn LLVMInt32TypeInContext(Ref) -> Ref;
    fn LLVMArrayType2(Ref, u64) -> Ref;
    fn LLVMFunctionType(Ref, *mut Ref, c_uint, Bool) -> Ref;
    fn LLVMConstNull(Ref) -> Ref;
    fn LLVMConstInt(Ref, u64, Bool) -> Ref;
    fn LLVMGetUndef(Ref) -> Ref;
    fn LLVMInt64TypeInContext(Ref) -> Ref;
    fn LLVMConstStringInContext2(Ref, *const c_char, usize, Bool) -> Ref;
    fn LLVMConstStructInContext(Ref, *mut Ref, c_uint, Bool) -> Ref;
    fn LLVMConstAddrSpaceCast(Ref, Ref) -> Ref;
    fn LLVMIsAConstantInt(Ref) -> Ref;
    fn LLVMIsAConstantExpr(Ref) -> Ref;
    fn LLVMIsAConstantDataSequential(Ref) -> Ref;
    fn LLVMIsAConstantStruct(Ref) -> Ref;
    fn LLVMIsAConstantArray(Ref) -> Ref;
    fn LLVMIsAGlobalValue(Ref) -> Ref;
    fn LLVMIsAFunction(Ref) -> Ref;
    fn LLVMIsAGlobalVariable(Ref) -> Ref;
    fn LLVMIsAInstruction(Ref) -> Ref;
    fn LLVMIsACallInst(Ref) -> Ref;
    fn LLVMIsAInvokeInst(Ref) -> Ref;
    fn LLVMIsAInlineAsm(Ref) -> Ref;
    fn LLVMConstIntGetZExtValue(Ref) -> u64;
    fn LLVMGetConstOpcode(Ref) -> c_uint;
    fn LLVMGetRawDataValues(Ref, *mut usize) -> *const c_char;
    fn LLVMGetNumOperands(Ref) -> c_int;
    fn LLVMGetOperand(Ref, c_uint) -> Ref;
    fn LLVMSetOperand(Ref, c_uint, Ref);
    fn LLVMABISizeOfType(Ref, Ref) -> u64;
    fn LLVMOffsetOfElement(Ref, Ref, c_uint) -> u64;
    fn LLVMGetModuleDataLayout(Ref) -> Ref;
    fn LLVMGetFirstBasicBlock(Ref) -> Ref;
    fn LLVMGetNextBasicBlock(Ref) -> Ref;
    fn LLVMGetFirstInstruction(Ref) -> Ref;
    fn LLVMGetNextInstruction(Ref) -> Ref;
    fn LLVMGetBasicBlockTerminator(Ref) -> Ref;
    fn LLVMGetNumSuccessors(Ref) -> c_uint;
    fn LLVMGetSuccessor(Ref, c_uint) -> Ref;
    fn LLVMGetInstructionParent(Ref) -> Ref;
    fn LLVMGetBasicBlockParent(Ref) -> Ref;
    fn LLVMGetInstructionOpcode(Ref) -> c_uint;
    fn LLVMInstructionEraseFromParent(Ref);
    fn LLVMGetCalledValue(Ref) -> Ref;
    fn LLVMGetInlineAsmAsmString(Ref, *mut usize) -> *const c_char;
    fn LLVMCanValueUseFastMathFlags(Ref) -> Bool;
    fn LLVMGetFastMathFlags(Ref) -> c_uint;
    fn LLVMSetFastMathFlags(Ref, c_uint);
    fn LLVMInstructionGetDebugLoc(Ref) -> Ref;
    fn LLVMDILocationGetInlinedAt(Ref) -> Ref;
    fn LLVMDILocationGetLine(Ref) -> c_uint;
    fn LLVMDILocationGetColumn(Ref) -> c_uint;
    fn LLVMDILocationGetScope(Ref) -> Ref;
    fn LLVMDIScopeGetFile(Ref) -> Ref;
    fn LLVMDIFileGetFilename(Ref, *mut c_uint) -> *const c_char;
    fn LLVMDIFileGetDirectory(Ref, *mut c_uint) -> *const c_char;
    fn LLVMCreateBuilderInContext(Ref) -> Ref;
    fn LLVMDisposeBuilder(Ref);
    fn LLVMPositionBuilderBefore(Ref, Ref);
    fn LLVMBuildLoad2(Ref, Ref, Ref, *const c_char) -> Ref;
    fn LLVMBuildGEP2(Ref, Ref, Ref, *mut Ref, c_uint, *const c_char) -> Ref;
    fn LLVMBuildCast(Ref, c_uint, Ref, Ref, *const c_char) -> Ref;
    fn LLVMGetGEPSourceElementType(Ref) -> Ref;
    fn LLVMBuildCall2(Ref, Ref, Ref, *mut Ref, c_uint, *const c_char) -> Ref;
    fn LLVMGetEnumAttributeKindForName(*const c_char, usize) -> c_uint;
    fn LLVMCreateEnumAttribute(Ref, c_uint, u64) -> Ref;
    fn LLVMCreateTypeAttribute(Ref, c_uint, Ref) -> Ref;
    fn LLVMCreateStringAttribute(Ref, *const c_char, c_uint, *const c_char, c_uint) -> Ref;
    fn LLVMAddAttributeAtIndex(Ref, c_uint, Ref);
    fn LLVMAddCallSiteAttribute(Ref, c_uint, Ref);
    fn LLVMRemoveCallSiteEnumAttribute(Ref, c_uint, c_uint);
    fn LLVMRemoveEnumAttributeAtIndex(Ref, c_uint, c_uint);
    fn LLVMRemoveStringAttributeAtIndex(Ref, c_uint, *const c_char, c_uint);
    fn LLVMGetTargetFromTriple(*const c_char, *mut Ref, *mut *mut c_char) -> Bool;
    fn LLVMCreateTargetMachine(Ref, *const c_char, *const c_char, *const c_char, c_int, c_int, c_int) -> Ref;
    fn LLVMDisposeTargetMachine(Ref);
    fn LLVMCreateTargetDataLayout(Ref) -> Ref;
    fn LLVMCopyStringRepOfTargetData(Ref) -> *mut c_char;
    fn LLVMDisposeTargetData(Ref);
    fn LLVMTargetMachineEmitToMemoryBuffer(Ref, Ref, c_int, *mut *mut c_char, *mut Ref) -> Bool;
    fn LLVMCreatePassBuilderOptions() -> Ref;
    fn LLVMDisposePassBuilderOptions(Ref);
    fn LLVMRunPasses(Ref, *const c_char, Ref, Ref) -> Ref;
    fn LLVMGetErrorMessage(Ref) -> *mut c_char;
    fn LLVMDisposeErrorMessage(*mut c_char);
}

static API: OnceLock<Api> = OnceLock::new();

/// Opens the libLLVM of `sysroot`, or the one `THREADWISE_LLVM` names, once per process.
pub(crate) fn open(sysroot: &Path) -> Result<(), String> {
    if API.get().is_some() {
        return Ok(());
    }
    let path = locate(sysroot)?;
    // SAFETY: loading libLLVM runs its static initializers only; in the compiler's process it is loaded already.
    let library = unsafe { libloading::Library::new(&path) }
        .map_err(|e| format!("cannot load {}: {e}; set THREADWISE_LLVM to the LLVM library of this rustc", path.display()))?;
    let api = Api::load(library).map_err(|e| format!("{} lacks a function of LLVM's C API: {e}", path.display()))?;
    API.get_or_init(|| api);
    Ok(())
}

fn locate(sysroot: &Path) -> Result<PathBuf, String> {
    if let Some(path) = std::env::var_os("THREADWISE_LLVM") {
        return Ok(path.into());
    }
    let folders = [sysroot.join("lib"), sysroot.join("bin")];
    for folder in &folders {
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        let mut found: Vec<PathBuf> = entries.flatten().map(|e| e.path()).filter(|p| is_llvm(p)).collect();
        found.sort();
        if let Some(path) = found.pop() {
            return Ok(path);
        }
    }
    Err(format!(
        "no LLVM library (libLLVM.so.*, libLLVM.dylib) in {}; set THREADWISE_LLVM to the one this rustc was built with",
        folders[0].display()
    ))
}

fn is_llvm(path: &Path) -> bool {
    let name = path.file_name().and_then(|n| n.to_str()).unwrap_or("");
    name.starts_with("libLLVM") && (name.contains(".so") || name.ends_with(".dylib")) || name == "LLVM.dll"
}

/// The opened library.
pub(super) fn api() -> &'static Api {
    API.get().expect("`open` comes before every other call of this folder")
}

/// A string that LLVM allocated, copied and freed.
pub(super) fn take_message(message: *mut c_char) -> String {
    if message.is_null() {
        return String::new();
    }
    // SAFETY: LLVM hands out NUL-terminated messages.
    let text = unsafe { std::ffi::CStr::from_ptr(message) }.to_string_lossy().into_owned();
    // SAFETY: the message is LLVM's and not used again.
    unsafe { (api().LLVMDisposeMessage)(message) };
    text
}

/// `length` bytes that LLVM owns, copied.
pub(super) fn copy_bytes(start: *const c_char, length: usize) -> Vec<u8> {
    if start.is_null() || length == 0 {
        return Vec::new();
    }
    // SAFETY: LLVM gave pointer and length together, and the copy is made before anything changes.
    unsafe { std::slice::from_raw_parts(start.cast::<u8>(), length) }.to_vec()
}
