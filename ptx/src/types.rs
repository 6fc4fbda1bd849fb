//! Scalar types and state spaces.

/// What the bits of a scalar mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Untyped bits.
    Bits,
    /// Unsigned integer.
    Unsigned,
    /// Signed integer.
    Signed,
    /// IEEE float, or bfloat16.
    Float,
    /// Two 16-bit floats in 32 bits.
    Packed,
    /// Two 16-bit integers in 32 bits.
    Pair,
    /// A float format that only conversions and matrix products know.
    Alternate,
    /// Predicate.
    Predicate,
}

macro_rules! scalar_types {
    ($($name:ident $text:literal $bits:literal $kind:ident;)*) => {
        /// A fundamental type of PTX.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ScalarType {
            $(#[doc = concat!("`.", $text, "`")] $name,)*
        }

        impl ScalarType {
            /// The type that is written `text`, without its dot.
            pub fn from_text(text: &str) -> Option<Self> {
                match text {
                    $($text => Some(Self::$name),)*
                    _ => None,
                }
            }

            /// As it is written, without its dot.
            pub fn text(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }

            /// Size in bits; a predicate has 1.
            pub fn bits(self) -> u32 {
                match self {
                    $(Self::$name => $bits,)*
                }
            }

            /// What the bits mean.
            pub fn kind(self) -> Kind {
                match self {
                    $(Self::$name => Kind::$kind,)*
                }
            }
        }
    };
}

scalar_types! {
    B8 "b8" 8 Bits;
    B16 "b16" 16 Bits;
    B32 "b32" 32 Bits;
    B64 "b64" 64 Bits;
    B128 "b128" 128 Bits;
    U8 "u8" 8 Unsigned;
    U16 "u16" 16 Unsigned;
    U32 "u32" 32 Unsigned;
    U64 "u64" 64 Unsigned;
    S8 "s8" 8 Signed;
    S16 "s16" 16 Signed;
    S32 "s32" 32 Signed;
    S64 "s64" 64 Signed;
    F16 "f16" 16 Float;
    F16x2 "f16x2" 32 Packed;
    Bf16 "bf16" 16 Float;
    Bf16x2 "bf16x2" 32 Packed;
    U16x2 "u16x2" 32 Pair;
    S16x2 "s16x2" 32 Pair;
    E4m3x2 "e4m3x2" 16 Alternate;
    E5m2x2 "e5m2x2" 16 Alternate;
    Tf32 "tf32" 32 Alternate;
    F32 "f32" 32 Float;
    F64 "f64" 64 Float;
    Pred "pred" 1 Predicate;
}

impl ScalarType {
    /// Size in memory in bytes; a predicate cannot lie in memory and has 0.
    pub fn bytes(self) -> u32 {
        self.bits() / 8
    }
}

/// A state space that variables lie in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// `.global`
    Global,
    /// `.shared`
    Shared,
    /// `.const`
    Const,
    /// `.local`
    Local,
    /// `.param`
    Param,
}

impl Space {
    /// The space that is written `text`, without its dot.
    pub fn from_text(text: &str) -> Option<Self> {
        match text {
            "global" => Some(Self::Global),
            "shared" => Some(Self::Shared),
            "const" => Some(Self::Const),
            "local" => Some(Self::Local),
            "param" => Some(Self::Param),
            _ => None,
        }
    }

    /// As it is written, without its dot.
    pub fn text(self) -> &'static str {
        match self {
            Self::Global => "global",
            Self::Shared => "shared",
            Self::Const => "const",
            Self::Local => "local",
            Self::Param => "param",
        }
    }
}
