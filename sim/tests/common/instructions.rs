//! The instructions that are compared with hardware: every opcode with its types and modifiers.

use super::operands::Kind;

/// An instruction, `%d` its result and `%a`, `%b`, `%c` its operands.
pub(crate) struct Case {
    pub(crate) text: String,
    pub(crate) result: Kind,
    pub(crate) operands: Vec<Kind>,
    /// By how much results may differ.
    pub(crate) tolerance: Tolerance,
}

/// By how much results may differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Tolerance {
    /// Equal bits.
    Exact,
    /// Units in the last place.
    Ulps(u32),
    /// Singles by their difference.
    Absolute(f32),
}

const I16: Kind = Kind::Bits(16);
const I32: Kind = Kind::Bits(32);
const I64: Kind = Kind::Bits(64);

/// The kind of a type's values.
fn kind(ty: &str) -> Kind {
    match ty {
        "pred" => Kind::Predicate,
        "f16" => Kind::F16,
        "f16x2" => Kind::F16x2,
        "bf16" => Kind::Bf16,
        "bf16x2" => Kind::Bf16x2,
        "f32" => Kind::F32,
        "f64" => Kind::F64,
        "u16x2" | "s16x2" | "tf32" => I32,
        "u8" | "s8" | "e4m3x2" | "e5m2x2" => I16,
        other => Kind::Bits(other[1..].parse().expect("a type with a width")),
    }
}

#[derive(Default)]
struct Cases(Vec<Case>);

impl Cases {
    fn add(&mut self, text: impl Into<String>, result: Kind, operands: &[Kind]) {
        self.0.push(Case { text: text.into(), result, operands: operands.to_vec(), tolerance: Tolerance::Exact });
    }

    /// `opcode.type` with that many operands of the type, its result too.
    fn same(&mut self, opcodes: &[&str], types: &[&str], count: usize) {
        for opcode in opcodes {
            for ty in types {
                self.add(format!("{opcode}.{ty} %d, {};", &"%a, %b, %c"[..4 * count - 2]), kind(ty), &vec![kind(ty); count]);
            }
        }
    }

    fn approximate(&mut self, opcodes: &[&str], operand: Kind, count: usize, ulps: u32) {
        self.within(opcodes, operand, count, Tolerance::Ulps(ulps));
    }

    fn within(&mut self, opcodes: &[&str], operand: Kind, count: usize, tolerance: Tolerance) {
        for opcode in opcodes {
            let ty = if operand.bits() == 64 { Kind::F64 } else { Kind::Bits(operand.bits()) };
            let text = format!("{opcode} %d, {};", &"%a, %b, %c"[..4 * count - 2]);
            self.0.push(Case { text, result: ty, operands: vec![operand; count], tolerance });
        }
    }
}

const ALL: [&str; 6] = ["u16", "s16", "u32", "s32", "u64", "s64"];
const SIGNED: [&str; 3] = ["s16", "s32", "s64"];

/// All cases.
pub(crate) fn cases() -> Vec<Case> {
    let mut cases = Cases::default();
    integers(&mut cases);
    products(&mut cases);
    bits(&mut cases);
    carries(&mut cases);
    comparisons(&mut cases);
    floats(&mut cases);
    halves(&mut cases);
    functions(&mut cases);
    conversions(&mut cases);
    packed_conversions(&mut cases);
    atomics(&mut cases);
    cases.0
}

fn integers(c: &mut Cases) {
    c.same(&["add", "sub", "min", "max"], &ALL, 2);
    c.same(&["add", "min", "max"], &["u16x2", "s16x2"], 2);
    c.same(&["add.sat", "sub.sat", "min.relu", "max.relu"], &["s32"], 2);
    c.same(&["min.relu", "max.relu"], &["s16x2"], 2);
    c.same(&["abs", "neg"], &SIGNED, 1);
    c.same(&["sad"], &ALL, 3);
    for ty in ALL {
        for op in ["div", "rem"] {
            c.add(format!("{op}.{ty} %d, %a, %b;"), kind(ty), &[kind(ty), Kind::Divisor(kind(ty).bits())]);
        }
    }
    for (op, types) in [("dp4a", [".u32.u32", ".u32.s32", ".s32.u32", ".s32.s32"])] {
        for types in types {
            c.add(format!("{op}{types} %d, %a, %b, %c;"), I32, &[I32; 3]);
            c.add(format!("dp2a.lo{types} %d, %a, %b, %c;"), I32, &[I32; 3]);
            c.add(format!("dp2a.hi{types} %d, %a, %b, %c;"), I32, &[I32; 3]);
        }
    }
    for types in ["u32.u32.u32", "s32.s32.s32"] {
        c.add(format!("vabsdiff4.{types} %d, %a, %b, %c;"), I32, &[I32; 3]);
        c.add(format!("vabsdiff4.{types}.add %d, %a, %b, %c;"), I32, &[I32; 3]);
    }
}

fn products(c: &mut Cases) {
    for ty in ALL {
        let bits = kind(ty).bits();
        for half in ["lo", "hi"] {
            c.add(format!("mul.{half}.{ty} %d, %a, %b;"), kind(ty), &[kind(ty); 2]);
            c.add(format!("mad.{half}.{ty} %d, %a, %b, %c;"), kind(ty), &[kind(ty); 3]);
        }
        if bits < 64 {
            let wide = Kind::Bits(2 * bits);
            c.add(format!("mul.wide.{ty} %d, %a, %b;"), wide, &[kind(ty); 2]);
            c.add(format!("mad.wide.{ty} %d, %a, %b, %c;"), wide, &[kind(ty), kind(ty), wide]);
        }
    }
    c.same(&["mul24.lo", "mul24.hi"], &["u32", "s32"], 2);
    c.same(&["mad24.lo", "mad24.hi"], &["u32", "s32"], 3);
    c.same(&["mad.hi.sat", "mad24.hi.sat"], &["s32"], 3);
}

fn bits(c: &mut Cases) {
    c.same(&["and", "or", "xor"], &["pred", "b16", "b32", "b64"], 2);
    c.same(&["not"], &["pred", "b16", "b32", "b64"], 1);
    c.same(&["cnot"], &["b16", "b32", "b64"], 1);
    c.same(&["brev"], &["b32", "b64"], 1);
    for ty in ["b32", "b64"] {
        for op in ["popc", "clz"] {
            c.add(format!("{op}.{ty} %d, %a;"), I32, &[kind(ty)]);
        }
        c.add(
            format!("{{ .reg .b32 p, q; and.b32 p, %c, 255; shr.b32 q, %c, 8; and.b32 q, q, 63; bfi.{ty} %d, %a, %b, p, q; }}"),
            kind(ty),
            &[kind(ty), kind(ty), I32],
        );
    }
    for ty in ["u32", "s32", "u64", "s64"] {
        c.add(format!("bfind.{ty} %d, %a;"), I32, &[kind(ty)]);
        c.add(format!("bfind.shiftamt.{ty} %d, %a;"), I32, &[kind(ty)]);
        c.add(format!("bfe.{ty} %d, %a, %b, %c;"), kind(ty), &[kind(ty), Kind::Place, Kind::Place]);
    }
    for mode in ["clamp", "wrap"] {
        c.add(format!("bmsk.{mode}.b32 %d, %a, %b;"), I32, &[Kind::Place; 2]);
        c.add(format!("szext.{mode}.u32 %d, %a, %b;"), I32, &[I32, Kind::Place]);
        c.add(format!("szext.{mode}.s32 %d, %a, %b;"), I32, &[I32, Kind::Place]);
        for side in ["l", "r"] {
            c.add(format!("shf.{side}.{mode}.b32 %d, %a, %b, %c;"), I32, &[I32, I32, Kind::Place]);
        }
    }
    for ty in ["b16", "b32", "b64"] {
        c.add(format!("shl.{ty} %d, %a, %b;"), kind(ty), &[kind(ty), Kind::Place]);
    }
    for ty in ALL.into_iter().chain(["b16", "b32", "b64"]) {
        c.add(format!("shr.{ty} %d, %a, %b;"), kind(ty), &[kind(ty), Kind::Place]);
    }
    for mode in ["", ".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16"] {
        c.add(format!("prmt.b32{mode} %d, %a, %b, %c;"), I32, &[I32; 3]);
    }
    for table in ["0x00", "0x1d", "0x80", "0xe8", "0x96", "0xca", "0xff", "0x6a", "0xf8", "0x01"] {
        c.add(format!("lop3.b32 %d, %a, %b, %c, {table};"), I32, &[I32; 3]);
    }
    c.add("fns.b32 %d, %a, %b, %c;", I32, &[I32, Kind::Place, I32]);
}

/// Instructions with the condition code: what the last one leaves.
fn carries(c: &mut Cases) {
    for ty in ["u32", "s32", "u64", "s64"] {
        let k = kind(ty);
        let t = format!(".reg .{ty} t;");
        for op in ["add", "sub"] {
            c.add(format!("{{ {t} {op}.cc.{ty} t, %a, %b; {op}c.{ty} %d, %c, 0; }}"), k, &[k; 3]);
            c.add(format!("{{ {t} {op}.cc.{ty} t, %a, %b; {op}c.cc.{ty} t, %c, %a; {op}c.{ty} %d, %b, %c; }}"), k, &[k; 3]);
        }
        for half in ["lo", "hi"] {
            c.add(format!("{{ {t} mad.{half}.cc.{ty} t, %a, %b, %c; addc.{ty} %d, %a, 0; }}"), k, &[k; 3]);
            c.add(format!("{{ {t} add.cc.{ty} t, %a, %b; madc.{half}.{ty} %d, %a, %b, %c; }}"), k, &[k; 3]);
            c.add(format!("{{ {t} add.cc.{ty} t, %a, %b; madc.{half}.cc.{ty} t, %a, %c, %b; addc.{ty} %d, t, %c; }}"), k, &[k; 3]);
        }
    }
}

fn comparisons(c: &mut Cases) {
    let orders = ["eq", "ne", "lt", "le", "gt", "ge"];
    let unordered = ["equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"];
    let compare = |c: &mut Cases, op: &str, ty: &str| {
        let k = kind(ty);
        c.add(format!("setp.{op}.{ty} %d, %a, %b;"), Kind::Predicate, &[k; 2]);
        if kind(ty).bits() >= 32 {
            for to in ["u32", "f32"] {
                c.add(format!("set.{op}.{to}.{ty} %d, %a, %b;"), I32, &[k; 2]);
            }
        }
    };
    for ty in ALL {
        orders.into_iter().for_each(|op| compare(c, op, ty));
    }
    for ty in ["u16", "u32", "u64"] {
        ["lo", "ls", "hi", "hs"].into_iter().for_each(|op| compare(c, op, ty));
    }
    for ty in ["b16", "b32", "b64"] {
        ["eq", "ne"].into_iter().for_each(|op| compare(c, op, ty));
    }
    for op in orders.into_iter().chain(unordered) {
        for ty in ["f16", "bf16", "f32", "f64"] {
            compare(c, op, ty);
        }
        for ty in ["f16", "f32"] {
            c.add(format!("setp.{op}.ftz.{ty} %d, %a, %b;"), Kind::Predicate, &[kind(ty); 2]);
        }
        c.add(format!("set.{op}.f16.f16 %d, %a, %b;"), I16, &[Kind::F16; 2]);
        c.add(format!("set.{op}.bf16.bf16 %d, %a, %b;"), I16, &[Kind::Bf16; 2]);
        for ty in ["f16x2", "bf16x2"] {
            c.add(format!("set.{op}.{ty}.{ty} %d, %a, %b;"), I32, &[kind(ty); 2]);
            c.add(format!("set.{op}.u32.{ty} %d, %a, %b;"), I32, &[kind(ty); 2]);
            let both = format!("{{ .reg .pred p, q; setp.{op}.{ty} p|q, %a, %b; selp.b32 %d, 1, 0, p; @q or.b32 %d, %d, 2; }}");
            c.add(both, I32, &[kind(ty); 2]);
        }
    }
    for logic in ["and", "or", "xor"] {
        let text = |ty: &str| {
            format!(
                "{{ .reg .pred p, q, r; setp.ne.b32 r, %c, 0; setp.lt.{logic}.{ty} p|q, %a, %b, r; xor.pred p, p, q; and.pred %d, p, r; }}"
            )
        };
        c.add(text("s32"), Kind::Predicate, &[I32, I32, I32]);
        c.add(text("f64"), Kind::Predicate, &[Kind::F64, Kind::F64, I32]);
        c.add(format!("{{ .reg .pred r; setp.ne.b32 r, %c, 0; set.le.{logic}.s32.u64 %d, %a, %b, !r; }}"), I32, &[I64, I64, I32]);
    }
    for ty in ["b16", "u16", "s16", "b32", "u32", "s32", "f32", "b64", "u64", "s64", "f64"] {
        c.add(format!("selp.{ty} %d, %a, %b, %c;"), kind(ty), &[kind(ty), kind(ty), Kind::Predicate]);
        c.add(format!("slct.{ty}.s32 %d, %a, %b, %c;"), kind(ty), &[kind(ty), kind(ty), I32]);
        c.add(format!("slct.{ty}.f32 %d, %a, %b, %c;"), kind(ty), &[kind(ty), kind(ty), Kind::F32]);
        c.add(format!("slct.ftz.{ty}.f32 %d, %a, %b, %c;"), kind(ty), &[kind(ty), kind(ty), Kind::F32]);
    }
    for test in ["finite", "infinite", "number", "notanumber", "normal", "subnormal"] {
        c.add(format!("testp.{test}.f32 %d, %a;"), Kind::Predicate, &[Kind::F32]);
        c.add(format!("testp.{test}.f64 %d, %a;"), Kind::Predicate, &[Kind::F64]);
    }
}

const ROUNDINGS: [&str; 4] = ["rn", "rz", "rm", "rp"];

fn floats(c: &mut Cases) {
    c.same(&["add", "sub", "mul"], &["f32", "f64"], 2);
    c.same(&["add.ftz", "sub.ftz", "mul.ftz", "add.sat", "sub.ftz.sat", "mul.sat"], &["f32"], 2);
    for r in ROUNDINGS {
        for op in ["add", "sub", "mul", "div"] {
            c.same(&[&format!("{op}.{r}")], &["f32", "f64"], 2);
            c.same(&[&format!("{op}.{r}.ftz")], &["f32"], 2);
            if op != "div" {
                c.same(&[&format!("{op}.{r}.sat"), &format!("{op}.{r}.ftz.sat")], &["f32"], 2);
            }
        }
        c.same(&[&format!("fma.{r}")], &["f32", "f64"], 3);
        c.same(&[&format!("mad.{r}")], &["f32", "f64"], 3);
        c.same(&[&format!("fma.{r}.ftz"), &format!("fma.{r}.sat"), &format!("fma.{r}.ftz.sat")], &["f32"], 3);
        c.same(&[&format!("rcp.{r}"), &format!("sqrt.{r}")], &["f32", "f64"], 1);
        c.same(&[&format!("rcp.{r}.ftz"), &format!("sqrt.{r}.ftz")], &["f32"], 1);
    }
    c.same(&["neg", "abs"], &["f32", "f64"], 1);
    c.same(&["neg.ftz", "abs.ftz"], &["f32"], 1);
    c.same(&["min", "max"], &["f32", "f64"], 2);
    for op in ["min", "max"] {
        for more in [".ftz", ".NaN", ".ftz.NaN", ".xorsign.abs", ".NaN.xorsign.abs", ".ftz.NaN.xorsign.abs"] {
            c.same(&[&format!("{op}{more}")], &["f32"], 2);
        }
    }
    c.same(&["copysign"], &["f32", "f64"], 2);
}

fn halves(c: &mut Cases) {
    for ty in ["f16", "f16x2"] {
        for op in ["add", "sub", "mul"] {
            for more in ["", ".rn", ".ftz", ".sat", ".ftz.sat", ".rn.ftz"] {
                c.same(&[&format!("{op}{more}")], &[ty], 2);
            }
        }
        for more in ["", ".ftz", ".sat", ".ftz.sat", ".relu", ".ftz.relu"] {
            c.same(&[&format!("fma.rn{more}")], &[ty], 3);
        }
        c.same(&["neg", "abs", "neg.ftz", "abs.ftz"], &[ty], 1);
    }
    for ty in ["bf16", "bf16x2"] {
        c.same(&["add", "sub", "mul", "add.rn", "sub.rn", "mul.rn"], &[ty], 2);
        c.same(&["fma.rn", "fma.rn.relu"], &[ty], 3);
        c.same(&["neg", "abs"], &[ty], 1);
    }
    for ty in ["f16", "f16x2", "bf16", "bf16x2"] {
        for op in ["min", "max"] {
            for more in ["", ".NaN", ".xorsign.abs", ".NaN.xorsign.abs"] {
                c.same(&[&format!("{op}{more}")], &[ty], 2);
            }
        }
    }
    for ty in ["f16", "f16x2"] {
        c.same(&["min.ftz", "max.ftz", "min.ftz.NaN", "max.ftz.NaN", "max.ftz.xorsign.abs"], &[ty], 2);
    }
}

/// Functions that hardware computes approximately.
fn functions(c: &mut Cases) {
    c.approximate(&["rcp.approx.f32", "rcp.approx.ftz.f32"], Kind::F32, 1, 1);
    c.approximate(&["rsqrt.approx.f32", "rsqrt.approx.ftz.f32", "sqrt.approx.f32", "sqrt.approx.ftz.f32"], Kind::F32, 1, 2);
    c.approximate(&["div.approx.f32", "div.approx.ftz.f32", "div.full.f32", "div.full.ftz.f32"], Kind::Moderate, 2, 2);
    c.approximate(&["rcp.approx.ftz.f64", "rsqrt.approx.ftz.f64"], Kind::F64, 1, 1);
    c.approximate(&["rsqrt.approx.f64"], Kind::F64, 1, 1);
    c.approximate(&["ex2.approx.f32", "ex2.approx.ftz.f32"], Kind::Exponent, 1, 2);
    c.approximate(&["lg2.approx.f32", "lg2.approx.ftz.f32"], Kind::Positive, 1, 4);
    let circular = ["sin.approx.f32", "sin.approx.ftz.f32", "cos.approx.f32", "cos.approx.ftz.f32"];
    c.within(&circular, Kind::Moderate, 1, Tolerance::Absolute(1e-6));
    c.approximate(&["tanh.approx.f32"], Kind::Moderate, 1, 4096);
    c.approximate(&["ex2.approx.f16", "tanh.approx.f16"], Kind::Moderate16, 1, 1);
    c.approximate(&["ex2.approx.f16x2", "tanh.approx.f16x2"], Kind::Moderate16x2, 1, 1);
    c.approximate(&["ex2.approx.ftz.bf16", "tanh.approx.bf16"], Kind::ModerateBf16, 1, 1);
    c.approximate(&["ex2.approx.ftz.bf16x2", "tanh.approx.bf16x2"], Kind::ModerateBf16x2, 1, 1);
}

fn conversions(c: &mut Cases) {
    let integers = ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"];
    let floats = ["f16", "bf16", "f32", "f64"];
    let whole = ["rni", "rzi", "rmi", "rpi"];
    let mut add = |text: String, to: &str, from: &str| {
        let operand = if kind(from).bits() == 16 && from.len() == 2 { I16 } else { kind(from) };
        c.add(format!("cvt{text}.{to}.{from} %d, %a;"), kind(to), &[operand]);
    };
    for to in integers {
        for from in integers {
            add(String::new(), to, from);
            // Only where something may not fit.
            let (to_bits, from_bits) = (&to[1..], &from[1..]);
            let narrows = to_bits.parse::<u32>().ok() < from_bits.parse().ok();
            if narrows || (to.starts_with('u') && from.starts_with('s')) || (to_bits == from_bits && to != from) {
                add(".sat".to_owned(), to, from);
            }
        }
        for from in floats {
            if from == "bf16" && to.ends_with('8') {
                continue;
            }
            for r in whole {
                add(format!(".{r}"), to, from);
                if from != "bf16" {
                    add(format!(".{r}.sat"), to, from);
                }
                if from == "f32" {
                    add(format!(".{r}.ftz"), to, from);
                }
            }
        }
    }
    for to in floats {
        for from in integers {
            if to == "bf16" && from.ends_with('8') {
                continue;
            }
            for r in ROUNDINGS {
                add(format!(".{r}"), to, from);
                if r == "rn" && to != "bf16" {
                    add(format!(".{r}.sat"), to, from);
                }
            }
        }
        for from in floats {
            let narrows = kind(to).bits() < kind(from).bits() || (to != from && kind(from).bits() == 16 && kind(to).bits() == 16);
            let modes: &[&str] = if narrows {
                &ROUNDINGS
            } else if to == from {
                &whole
            } else {
                &[]
            };
            for r in modes {
                add(format!(".{r}"), to, from);
            }
            let plain = if narrows { ".rn" } else { "" };
            if !narrows {
                add(String::new(), to, from);
            }
            if to != "bf16" && from != "bf16" {
                add(format!("{plain}.sat"), to, from);
            }
            if (to == "f32" || from == "f32") && to != "bf16" && from != "bf16" {
                add(format!("{plain}.ftz"), to, from);
                add(format!("{plain}.ftz.sat"), to, from);
            }
        }
    }
}

fn packed_conversions(c: &mut Cases) {
    for r in ["rn", "rz"] {
        for more in ["", ".relu", ".satfinite", ".relu.satfinite"] {
            for to in ["f16", "bf16"] {
                c.add(format!("cvt.{r}{more}.{to}.f32 %d, %a;"), I16, &[Kind::F32]);
                c.add(format!("cvt.{r}{more}.{to}x2.f32 %d, %a, %b;"), I32, &[Kind::F32; 2]);
            }
            if !more.contains("satfinite") {
                c.add(format!("cvt.{r}{more}.tf32.f32 %d, %a;"), I32, &[Kind::F32]);
            }
        }
    }
    c.add("cvt.rna.tf32.f32 %d, %a;", I32, &[Kind::F32]);
    c.add("cvt.rna.satfinite.tf32.f32 %d, %a;", I32, &[Kind::F32]);
    for to in ["e4m3x2", "e5m2x2"] {
        for more in ["", ".relu"] {
            c.add(format!("cvt.rn.satfinite{more}.{to}.f32 %d, %a, %b;"), I16, &[Kind::F32; 2]);
            c.add(format!("cvt.rn.satfinite{more}.{to}.f16x2 %d, %a;"), I16, &[Kind::F16x2]);
            c.add(format!("cvt.rn{more}.f16x2.{to} %d, %a;"), I32, &[I16]);
        }
    }
    for to in ["u16", "s16"] {
        c.add(format!("cvt.pack.sat.{to}.s32 %d, %a, %b;"), I32, &[I32; 2]);
    }
    for to in ["u8", "s8"] {
        c.add(format!("cvt.pack.sat.{to}.s32.b32 %d, %a, %b, %c;"), I32, &[I32; 3]);
    }
}

/// What an atomic leaves in memory.
fn atomics(c: &mut Cases) {
    let mut add = |op: &str, ty: &str, operand: &str, operands: &[Kind]| {
        let k = kind(ty);
        let b = k.bits();
        for space in ["", ".global"] {
            let text = format!("st.global.b{b} [%rd6], %a; atom{space}.{op}.{ty} %d, [%rd6], {operand}; ld.global.b{b} %d, [%rd6];");
            c.add(text, Kind::Bits(b), operands);
        }
    };
    for ty in ["u32", "s32", "u64", "f32", "f64"] {
        add("add", ty, "%b", &[kind(ty); 2]);
    }
    for ty in ["f16", "f16x2", "bf16", "bf16x2"] {
        add("add.noftz", ty, "%b", &[kind(ty); 2]);
    }
    for ty in ["u32", "s32", "u64", "s64"] {
        add("min", ty, "%b", &[kind(ty); 2]);
        add("max", ty, "%b", &[kind(ty); 2]);
    }
    add("inc", "u32", "%b", &[I32; 2]);
    add("dec", "u32", "%b", &[I32; 2]);
    for ty in ["b32", "b64"] {
        for op in ["and", "or", "xor", "exch"] {
            add(op, ty, "%b", &[kind(ty); 2]);
        }
    }
    for ty in ["b16", "b32", "b64"] {
        add("cas", ty, "%b, %c", &[kind(ty); 3]);
    }
}
