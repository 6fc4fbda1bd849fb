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
    Abs "abs" Activemask "activemask" Add "add" Addc "addc" And "and" Atom "atom" Bar "bar" Barrier "barrier" Bfe "bfe" Bfi "bfi"
    Bfind "bfind" Bmsk "bmsk" Bra "bra" Brev "brev" Brkpt "brkpt" Brx "brx" Call "call" Clz "clz" Cnot "cnot" Copysign "copysign" Cos "cos"
    Cvt "cvt" Cvta "cvta" Div "div" Elect "elect" Ex2 "ex2" Exit "exit" Fence "fence" Fma "fma" Isspacep "isspacep" Ld "ld" Ldu "ldu"
    Lg2 "lg2" Lop3 "lop3" Mad "mad" Madc "madc" Match "match" Max "max" Membar "membar" Min "min" Mov "mov" Mul "mul"
    Nanosleep "nanosleep" Neg "neg" Not "not" Or "or" Popc "popc" Prefetch "prefetch" Prmt "prmt" Rcp "rcp" Red "red" Redux "redux"
    Rem "rem" Ret "ret" Rsqrt "rsqrt" Sad "sad" Selp "selp" Set "set" Setp "setp" Shf "shf" Shfl "shfl" Shl "shl" Shr "shr" Sin "sin"
    Slct "slct" Sqrt "sqrt" St "st" Sub "sub" Subc "subc" Tanh "tanh" Testp "testp" Trap "trap" Vote "vote" Xor "xor"
}

words! {
    /// A modifier other than a type.
    Flag, ".":
    // Rounding and arithmetic
    Rn "rn" Rz "rz" Rm "rm" Rp "rp" Rni "rni" Rzi "rzi" Rmi "rmi" Rpi "rpi" Ftz "ftz" Sat "sat" Approx "approx" Full "full"
    Lo "lo" Hi "hi" Wide "wide" Cc "cc" Nan "NaN"
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
    // Bit fields
    F4e "f4e" B4e "b4e" Rc8 "rc8" Ecl "ecl" Ecr "ecr" Rc16 "rc16" L "l" R "r" Wrap "wrap" Clamp "clamp" Shiftamt "shiftamt"
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
