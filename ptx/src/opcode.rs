//! Tables of opcodes and of the modifiers that follow them.

use crate::types::{ScalarType, Space};

macro_rules! words {
    ($(#[doc = $about:literal])* $table:ident, $prefix:literal: $($name:ident $text:literal)*) => {
        $(#[doc = $about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $table {
            $(#[doc = concat!("`", $prefix, $text, "`")] $name,)*
        }

        impl $table {
            /// What is written `text`; a modifier without its dot.
            pub fn from_text(text: &str) -> Option<Self> {
                match text {
                    $($text => Some(Self::$name),)*
                    _ => None,
                }
            }

            /// As it is written; a modifier without its dot.
            pub fn text(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }
        }
    };
}

words! {
    /// The first word of an instruction.
    Opcode, "":
    Abs "abs" Activemask "activemask" Add "add" Addc "addc" And "and" Applypriority "applypriority" Atom "atom" Bar "bar"
    Barrier "barrier" Bfe "bfe" Bfi "bfi" Bfind "bfind" Bmsk "bmsk" Bra "bra" Brev "brev" Brkpt "brkpt" Brx "brx" Call "call" Clz "clz"
    Cnot "cnot" Copysign "copysign" Cos "cos" Cp "cp" Cvt "cvt" Cvta "cvta" Discard "discard" Div "div" Dp2a "dp2a" Dp4a "dp4a"
    Elect "elect" Ex2 "ex2" Exit "exit" Fence "fence" Fma "fma" Fns "fns" Griddepcontrol "griddepcontrol" Isspacep "isspacep" Ld "ld"
    Ldmatrix "ldmatrix" Ldu "ldu" Lg2 "lg2" Lop3 "lop3" Mad "mad" Mad24 "mad24" Madc "madc" Match "match" Max "max" Mbarrier "mbarrier"
    Membar "membar" Min "min" Mma "mma" Mov "mov" Mul "mul" Mul24 "mul24" Nanosleep "nanosleep" Neg "neg" Not "not" Or "or"
    Pmevent "pmevent" Popc "popc" Prefetch "prefetch" Prefetchu "prefetchu" Prmt "prmt" Rcp "rcp" Red "red" Redux "redux" Rem "rem"
    Ret "ret" Rsqrt "rsqrt" Sad "sad" Selp "selp" Set "set" Setmaxnreg "setmaxnreg" Setp "setp" Shf "shf" Shfl "shfl" Shl "shl" Shr "shr"
    Sin "sin" Slct "slct" Sqrt "sqrt" St "st" Stmatrix "stmatrix" Sub "sub" Subc "subc" Szext "szext" Tanh "tanh" Testp "testp" Trap "trap"
    Vabsdiff4 "vabsdiff4" Vote "vote" Wmma "wmma" Xor "xor"
}

words! {
    /// A modifier other than a type.
    Flag, ".":
    // Rounding and arithmetic
    Rn "rn" Rz "rz" Rm "rm" Rp "rp" Rni "rni" Rzi "rzi" Rmi "rmi" Rpi "rpi" Ftz "ftz" Sat "sat" Approx "approx" Full "full"
    Lo "lo" Hi "hi" Wide "wide" Cc "cc" Nan "NaN" Rna "rna" Relu "relu" Satfinite "satfinite" Xorsign "xorsign" Abs "abs" Pack "pack"
    // Comparison and predicates
    Eq "eq" Ne "ne" Lt "lt" Le "le" Gt "gt" Ge "ge" Ls "ls" Hs "hs" Equ "equ" Neu "neu" Ltu "ltu" Leu "leu" Gtu "gtu" Geu "geu"
    Num "num" NanTest "nan" And "and" Or "or" Xor "xor" Popc "popc" Finite "finite" Infinite "infinite" Number "number"
    NotANumber "notanumber" Normal "normal" Subnormal "subnormal"
    // Spaces
    Global "global" Shared "shared" SharedCta "shared::cta" Const "const" Local "local" Param "param" ParamEntry "param::entry"
    ParamFunc "param::func" To "to"
    // Control flow
    Uni "uni" Idx "idx"
    // Memory
    V2 "v2" V4 "v4" Nc "nc" Volatile "volatile" Relaxed "relaxed" Acquire "acquire" Release "release" AcqRel "acq_rel" Sc "sc"
    Weak "weak" Mmio "mmio" Cta "cta" Cluster "cluster" Gpu "gpu" Gl "gl" Sys "sys" Ca "ca" Cg "cg" Cs "cs" Lu "lu" Cv "cv" Wb "wb" Wt "wt"
    L1 "L1" L2 "L2" EvictNormal "L1::evict_normal" EvictUnchanged "L1::evict_unchanged" EvictFirst "L1::evict_first"
    EvictLast "L1::evict_last" NoAllocate "L1::no_allocate" L2B64 "L2::64B" L2B128 "L2::128B" L2B256 "L2::256B"
    // Atomics
    Add "add" Inc "inc" Dec "dec" Min "min" Max "max" Exch "exch" Cas "cas" Noftz "noftz"
    // Warp and block
    Sync "sync" Aligned "aligned" Arrive "arrive" Red "red" Warp "warp" All "all" Any "any" Ballot "ballot" Up "up" Down "down" Bfly "bfly"
    // Asynchronous copies and barriers in memory
    Async "async" CommitGroup "commit_group" WaitGroup "wait_group" WaitAll "wait_all" Mbarrier "mbarrier" Noinc "noinc" Init "init"
    Inval "inval" ArriveDrop "arrive_drop" TestWait "test_wait" TryWait "try_wait" PendingCount "pending_count" Parity "parity"
    NoComplete "noComplete" L2Hint "L2::cache_hint" Proxy "proxy" Alias "alias" MbarrierInit "mbarrier_init" LaunchDependents "launch_dependents"
    Wait "wait"
    // Matrices
    Row "row" Col "col" MatrixA "a" MatrixB "b" MatrixC "c" MatrixD "d" Load "load" Store "store" MmaStep "mma" Trans "trans" X1 "x1" X2 "x2" X4 "x4"
    M8n8 "m8n8" M8n8k4 "m8n8k4" M8n8k16 "m8n8k16" M16n8k4 "m16n8k4" M16n8k8 "m16n8k8" M16n8k16 "m16n8k16" M16n8k32 "m16n8k32"
    M16n16k16 "m16n16k16" M32n8k16 "m32n8k16" M8n32k16 "m8n32k16"
    // Bit fields
    F4e "f4e" B4e "b4e" Rc8 "rc8" Ecl "ecl" Ecr "ecr" Rc16 "rc16" L "l" R "r" Wrap "wrap" Clamp "clamp" Shiftamt "shiftamt"
}

/// Instructions that are known by name only, and what they are.
const REFUSED: &[(&str, &str)] = &[
    ("wgmma", "matrix products of warp groups"),
    ("tcgen05", "tensor memory"),
    ("tensormap", "tensor copies"),
    ("multimem", "multicast memory"),
    ("tex", "textures"),
    ("tld4", "textures"),
    ("txq", "textures"),
    ("istypep", "textures"),
    ("suld", "surfaces"),
    ("sust", "surfaces"),
    ("sured", "surfaces"),
    ("suq", "surfaces"),
    ("mapa", "clusters"),
    ("getctarank", "clusters"),
    ("clusterlaunchcontrol", "clusters"),
    ("createpolicy", "cache policies"),
    ("movmatrix", "moves of matrices"),
    ("alloca", "allocation on the stack"),
    ("stacksave", "allocation on the stack"),
    ("stackrestore", "allocation on the stack"),
];

/// What an instruction that is not supported belongs to.
pub(crate) fn refused(text: &str) -> Option<&'static str> {
    REFUSED.iter().find(|(name, _)| *name == text).map(|&(_, what)| what)
}

impl Flag {
    /// The state space that the modifier names.
    pub fn space(self) -> Option<Space> {
        match self {
            Flag::SharedCta => Some(Space::Shared),
            Flag::ParamEntry | Flag::ParamFunc => Some(Space::Param),
            other => Space::from_text(other.text()),
        }
    }
}

/// A modifier of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Modifier {
    /// A type, such as `.u32`.
    Type(ScalarType),
    /// Anything else.
    Flag(Flag),
}

impl Modifier {
    /// The modifier that is written `text`, without its dot.
    pub fn from_text(text: &str) -> Option<Self> {
        ScalarType::from_text(text).map(Modifier::Type).or_else(|| Flag::from_text(text).map(Modifier::Flag))
    }

    /// As it is written, without its dot.
    pub fn text(self) -> &'static str {
        match self {
            Modifier::Type(t) => t.text(),
            Modifier::Flag(f) => f.text(),
        }
    }
}
