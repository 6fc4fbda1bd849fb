//! The table of instructions that are compared with hardware, and the operands they are given.

/// Instructions with the kinds of result and operands: `%d` is the result, `%a`, `%b` and `%c` are operands. A result of kind `p` is a
/// predicate.
pub(crate) const CASES: &[(&str, &str)] = &[
    ("add.s32 %d, %a, %b;", "i32 i32 i32"),
    ("add.sat.s32 %d, %a, %b;", "i32 i32 i32"),
    ("sub.sat.s32 %d, %a, %b;", "i32 i32 i32"),
    ("sub.s32 %d, %a, %b;", "i32 i32 i32"),
    ("add.s16 %d, %a, %b;", "i16 i16 i16"),
    ("sub.s16 %d, %a, %b;", "i16 i16 i16"),
    ("add.s64 %d, %a, %b;", "i64 i64 i64"),
    ("sub.s64 %d, %a, %b;", "i64 i64 i64"),
    ("mul.lo.s16 %d, %a, %b;", "i16 i16 i16"),
    ("mul.hi.s16 %d, %a, %b;", "i16 i16 i16"),
    ("mul.hi.u16 %d, %a, %b;", "i16 i16 i16"),
    ("mul.wide.s16 %d, %a, %b;", "i32 i16 i16"),
    ("mul.wide.u16 %d, %a, %b;", "i32 i16 i16"),
    ("mul.lo.s32 %d, %a, %b;", "i32 i32 i32"),
    ("mul.hi.s32 %d, %a, %b;", "i32 i32 i32"),
    ("mul.hi.u32 %d, %a, %b;", "i32 i32 i32"),
    ("mul.wide.s32 %d, %a, %b;", "i64 i32 i32"),
    ("mul.wide.u32 %d, %a, %b;", "i64 i32 i32"),
    ("mul.lo.s64 %d, %a, %b;", "i64 i64 i64"),
    ("mul.hi.s64 %d, %a, %b;", "i64 i64 i64"),
    ("mul.hi.u64 %d, %a, %b;", "i64 i64 i64"),
    ("mad.lo.s32 %d, %a, %b, %c;", "i32 i32 i32 i32"),
    ("mad.hi.s32 %d, %a, %b, %c;", "i32 i32 i32 i32"),
    ("mad.hi.u32 %d, %a, %b, %c;", "i32 i32 i32 i32"),
    ("mad.hi.sat.s32 %d, %a, %b, %c;", "i32 i32 i32 i32"),
    ("mad.wide.s32 %d, %a, %b, %c;", "i64 i32 i32 i64"),
    ("mad.wide.u32 %d, %a, %b, %c;", "i64 i32 i32 i64"),
    ("mad.lo.s64 %d, %a, %b, %c;", "i64 i64 i64 i64"),
    ("mad.hi.u64 %d, %a, %b, %c;", "i64 i64 i64 i64"),
    ("mad.lo.s16 %d, %a, %b, %c;", "i16 i16 i16 i16"),
    ("mad.wide.s16 %d, %a, %b, %c;", "i32 i16 i16 i32"),
    ("{ .reg .b32 t; add.cc.u32 t, %a, %b; addc.u32 %d, %c, 0; }", "i32 i32 i32 i32"),
    ("{ .reg .b32 t; sub.cc.u32 t, %a, %b; subc.u32 %d, %c, 0; }", "i32 i32 i32 i32"),
    ("{ .reg .b32 t; add.cc.u32 t, %a, %b; addc.cc.u32 t, %c, %a; addc.u32 %d, %b, %c; }", "i32 i32 i32 i32"),
    ("{ .reg .b32 t; sub.cc.u32 t, %a, %b; subc.cc.u32 t, %c, %a; subc.u32 %d, %b, %c; }", "i32 i32 i32 i32"),
    ("{ .reg .b64 t; add.cc.u64 t, %a, %b; addc.u64 %d, %c, 0; }", "i64 i64 i64 i64"),
    ("{ .reg .b64 t; sub.cc.u64 t, %a, %b; subc.u64 %d, %c, 0; }", "i64 i64 i64 i64"),
    ("{ .reg .b32 t; mad.lo.cc.u32 t, %a, %b, %c; madc.hi.u32 %d, %a, %b, 0; }", "i32 i32 i32 i32"),
    ("{ .reg .b64 t; mad.lo.cc.u64 t, %a, %b, %c; madc.hi.u64 %d, %a, %b, %c; }", "i64 i64 i64 i64"),
    ("div.s32 %d, %a, %b;", "i32 i32 z32"),
    ("div.u32 %d, %a, %b;", "i32 i32 z32"),
    ("rem.s32 %d, %a, %b;", "i32 i32 z32"),
    ("rem.u32 %d, %a, %b;", "i32 i32 z32"),
    ("div.s64 %d, %a, %b;", "i64 i64 z64"),
    ("div.u64 %d, %a, %b;", "i64 i64 z64"),
    ("rem.s64 %d, %a, %b;", "i64 i64 z64"),
    ("rem.u64 %d, %a, %b;", "i64 i64 z64"),
    ("div.s16 %d, %a, %b;", "i16 i16 z16"),
    ("rem.u16 %d, %a, %b;", "i16 i16 z16"),
    ("min.s32 %d, %a, %b;", "i32 i32 i32"),
    ("max.u32 %d, %a, %b;", "i32 i32 i32"),
    ("min.u64 %d, %a, %b;", "i64 i64 i64"),
    ("max.s64 %d, %a, %b;", "i64 i64 i64"),
    ("min.s16 %d, %a, %b;", "i16 i16 i16"),
    ("max.u16 %d, %a, %b;", "i16 i16 i16"),
    ("and.b32 %d, %a, %b;", "i32 i32 i32"),
    ("or.b64 %d, %a, %b;", "i64 i64 i64"),
    ("xor.b16 %d, %a, %b;", "i16 i16 i16"),
    ("not.b16 %d, %a;", "i16 i16"),
    ("not.b64 %d, %a;", "i64 i64"),
    ("cnot.b32 %d, %a;", "i32 i32"),
    ("neg.s16 %d, %a;", "i16 i16"),
    ("neg.s32 %d, %a;", "i32 i32"),
    ("neg.s64 %d, %a;", "i64 i64"),
    ("abs.s16 %d, %a;", "i16 i16"),
    ("abs.s32 %d, %a;", "i32 i32"),
    ("abs.s64 %d, %a;", "i64 i64"),
    ("popc.b32 %d, %a;", "i32 i32"),
    ("popc.b64 %d, %a;", "i32 i64"),
    ("clz.b32 %d, %a;", "i32 i32"),
    ("clz.b64 %d, %a;", "i32 i64"),
    ("brev.b32 %d, %a;", "i32 i32"),
    ("brev.b64 %d, %a;", "i64 i64"),
    ("bfind.u32 %d, %a;", "i32 i32"),
    ("bfind.s32 %d, %a;", "i32 i32"),
    ("bfind.shiftamt.u32 %d, %a;", "i32 i32"),
    ("bfind.shiftamt.s64 %d, %a;", "i32 i64"),
    ("bfind.u64 %d, %a;", "i32 i64"),
    ("shl.b16 %d, %a, %b;", "i16 i16 n32"),
    ("shr.u16 %d, %a, %b;", "i16 i16 n32"),
    ("shr.s16 %d, %a, %b;", "i16 i16 n32"),
    ("shl.b32 %d, %a, %b;", "i32 i32 n32"),
    ("shr.u32 %d, %a, %b;", "i32 i32 n32"),
    ("shr.s32 %d, %a, %b;", "i32 i32 n32"),
    ("shl.b64 %d, %a, %b;", "i64 i64 n32"),
    ("shr.u64 %d, %a, %b;", "i64 i64 n32"),
    ("shr.s64 %d, %a, %b;", "i64 i64 n32"),
    ("shf.l.wrap.b32 %d, %a, %b, %c;", "i32 i32 i32 n32"),
    ("shf.l.clamp.b32 %d, %a, %b, %c;", "i32 i32 i32 n32"),
    ("shf.r.wrap.b32 %d, %a, %b, %c;", "i32 i32 i32 n32"),
    ("shf.r.clamp.b32 %d, %a, %b, %c;", "i32 i32 i32 n32"),
    ("bfe.u32 %d, %a, %b, %c;", "i32 i32 n32 n32"),
    ("bfe.s32 %d, %a, %b, %c;", "i32 i32 n32 n32"),
    ("bfe.u64 %d, %a, %b, %c;", "i64 i64 n32 n32"),
    ("bfe.s64 %d, %a, %b, %c;", "i64 i64 n32 n32"),
    ("bfi.b32 %d, %a, 0x5a5a5a5a, %b, %c;", "i32 i32 n32 n32"),
    ("bfi.b64 %d, %a, 0x5a5a5a5a5a5a5a5a, %b, %c;", "i64 i64 n32 n32"),
    ("prmt.b32 %d, %a, %b, %c;", "i32 i32 i32 i32"),
    ("prmt.b32.f4e %d, %a, %b, %c;", "i32 i32 i32 n32"),
    ("prmt.b32.b4e %d, %a, %b, %c;", "i32 i32 i32 n32"),
    ("prmt.b32.rc8 %d, %a, %b, %c;", "i32 i32 i32 n32"),
    ("prmt.b32.ecl %d, %a, %b, %c;", "i32 i32 i32 n32"),
    ("prmt.b32.ecr %d, %a, %b, %c;", "i32 i32 i32 n32"),
    ("prmt.b32.rc16 %d, %a, %b, %c;", "i32 i32 i32 n32"),
    ("lop3.b32 %d, %a, %b, %c, 0xe8;", "i32 i32 i32 i32"),
    ("lop3.b32 %d, %a, %b, %c, 0x1b;", "i32 i32 i32 i32"),
    ("sad.u32 %d, %a, %b, %c;", "i32 i32 i32 i32"),
    ("sad.s32 %d, %a, %b, %c;", "i32 i32 i32 i32"),
    ("bmsk.clamp.b32 %d, %a, %b;", "i32 n32 n32"),
    ("bmsk.wrap.b32 %d, %a, %b;", "i32 n32 n32"),
    ("slct.b32.s32 %d, %a, %b, %c;", "i32 i32 i32 i32"),
    ("slct.b64.f32 %d, %a, %b, %c;", "i64 i64 i64 f32"),
    ("setp.lt.s16 %d, %a, %b;", "p i16 i16"),
    ("setp.ge.u16 %d, %a, %b;", "p i16 i16"),
    ("setp.lt.s32 %d, %a, %b;", "p i32 i32"),
    ("setp.hi.u32 %d, %a, %b;", "p i32 i32"),
    ("setp.le.u64 %d, %a, %b;", "p i64 i64"),
    ("setp.gt.s64 %d, %a, %b;", "p i64 i64"),
    ("setp.eq.f32 %d, %a, %b;", "p f32 f32"),
    ("setp.ne.f32 %d, %a, %b;", "p f32 f32"),
    ("setp.lt.f32 %d, %a, %b;", "p f32 f32"),
    ("setp.le.ftz.f32 %d, %a, %b;", "p f32 f32"),
    ("setp.equ.f32 %d, %a, %b;", "p f32 f32"),
    ("setp.neu.f32 %d, %a, %b;", "p f32 f32"),
    ("setp.ltu.f32 %d, %a, %b;", "p f32 f32"),
    ("setp.leu.f64 %d, %a, %b;", "p f64 f64"),
    ("setp.gtu.f64 %d, %a, %b;", "p f64 f64"),
    ("setp.geu.f64 %d, %a, %b;", "p f64 f64"),
    ("setp.num.f32 %d, %a, %b;", "p f32 f32"),
    ("setp.nan.f64 %d, %a, %b;", "p f64 f64"),
    ("set.lt.u32.f32 %d, %a, %b;", "i32 f32 f32"),
    ("set.gt.f32.s32 %d, %a, %b;", "i32 i32 i32"),
    ("testp.finite.f32 %d, %a;", "p f32"),
    ("testp.normal.f32 %d, %a;", "p f32"),
    ("testp.subnormal.f64 %d, %a;", "p f64"),
    ("testp.notanumber.f64 %d, %a;", "p f64"),
    ("testp.infinite.f64 %d, %a;", "p f64"),
    ("add.rn.f32 %d, %a, %b;", "f32 f32 f32"),
    ("add.rz.f32 %d, %a, %b;", "f32 f32 f32"),
    ("add.rm.f32 %d, %a, %b;", "f32 f32 f32"),
    ("add.rp.f32 %d, %a, %b;", "f32 f32 f32"),
    ("add.ftz.f32 %d, %a, %b;", "f32 f32 f32"),
    ("add.sat.f32 %d, %a, %b;", "f32 f32 f32"),
    ("sub.rn.f32 %d, %a, %b;", "f32 f32 f32"),
    ("sub.rm.f32 %d, %a, %b;", "f32 f32 f32"),
    ("mul.rn.f32 %d, %a, %b;", "f32 f32 f32"),
    ("mul.rz.f32 %d, %a, %b;", "f32 f32 f32"),
    ("mul.rp.f32 %d, %a, %b;", "f32 f32 f32"),
    ("mul.ftz.f32 %d, %a, %b;", "f32 f32 f32"),
    ("mul.sat.f32 %d, %a, %b;", "f32 f32 f32"),
    ("fma.rn.f32 %d, %a, %b, %c;", "f32 f32 f32 f32"),
    ("fma.rz.f32 %d, %a, %b, %c;", "f32 f32 f32 f32"),
    ("fma.rm.f32 %d, %a, %b, %c;", "f32 f32 f32 f32"),
    ("fma.rp.f32 %d, %a, %b, %c;", "f32 f32 f32 f32"),
    ("fma.rn.ftz.sat.f32 %d, %a, %b, %c;", "f32 f32 f32 f32"),
    ("div.rn.f32 %d, %a, %b;", "f32 f32 f32"),
    ("div.rz.f32 %d, %a, %b;", "f32 f32 f32"),
    ("div.rp.f32 %d, %a, %b;", "f32 f32 f32"),
    ("rcp.rn.f32 %d, %a;", "f32 f32"),
    ("rcp.rm.f32 %d, %a;", "f32 f32"),
    ("sqrt.rn.f32 %d, %a;", "f32 f32"),
    ("sqrt.rz.f32 %d, %a;", "f32 f32"),
    ("sqrt.rp.f32 %d, %a;", "f32 f32"),
    ("min.f32 %d, %a, %b;", "f32 f32 f32"),
    ("max.f32 %d, %a, %b;", "f32 f32 f32"),
    ("min.NaN.f32 %d, %a, %b;", "f32 f32 f32"),
    ("max.NaN.f32 %d, %a, %b;", "f32 f32 f32"),
    ("min.ftz.f32 %d, %a, %b;", "f32 f32 f32"),
    ("neg.f32 %d, %a;", "f32 f32"),
    ("abs.f32 %d, %a;", "f32 f32"),
    ("neg.ftz.f32 %d, %a;", "f32 f32"),
    ("copysign.f32 %d, %a, %b;", "f32 f32 f32"),
    ("add.rn.f64 %d, %a, %b;", "f64 f64 f64"),
    ("add.rz.f64 %d, %a, %b;", "f64 f64 f64"),
    ("sub.rp.f64 %d, %a, %b;", "f64 f64 f64"),
    ("mul.rn.f64 %d, %a, %b;", "f64 f64 f64"),
    ("mul.rm.f64 %d, %a, %b;", "f64 f64 f64"),
    ("fma.rn.f64 %d, %a, %b, %c;", "f64 f64 f64 f64"),
    ("fma.rz.f64 %d, %a, %b, %c;", "f64 f64 f64 f64"),
    ("fma.rp.f64 %d, %a, %b, %c;", "f64 f64 f64 f64"),
    ("div.rn.f64 %d, %a, %b;", "f64 f64 f64"),
    ("div.rm.f64 %d, %a, %b;", "f64 f64 f64"),
    ("rcp.rn.f64 %d, %a;", "f64 f64"),
    ("sqrt.rn.f64 %d, %a;", "f64 f64"),
    ("sqrt.rm.f64 %d, %a;", "f64 f64"),
    ("min.f64 %d, %a, %b;", "f64 f64 f64"),
    ("max.f64 %d, %a, %b;", "f64 f64 f64"),
    ("neg.f64 %d, %a;", "f64 f64"),
    ("abs.f64 %d, %a;", "f64 f64"),
    ("copysign.f64 %d, %a, %b;", "f64 f64 f64"),
    ("add.f16 %d, %a, %b;", "f16 f16 f16"),
    ("sub.f16 %d, %a, %b;", "f16 f16 f16"),
    ("mul.f16 %d, %a, %b;", "f16 f16 f16"),
    ("fma.rn.f16 %d, %a, %b, %c;", "f16 f16 f16 f16"),
    ("min.f16 %d, %a, %b;", "f16 f16 f16"),
    ("max.f16 %d, %a, %b;", "f16 f16 f16"),
    ("neg.f16 %d, %a;", "f16 f16"),
    ("abs.f16 %d, %a;", "f16 f16"),
    ("setp.lt.f16 %d, %a, %b;", "p f16 f16"),
    ("setp.neu.f16 %d, %a, %b;", "p f16 f16"),
    ("cvt.s8.s32 %d, %a;", "i32 i32"),
    ("cvt.u8.s32 %d, %a;", "i32 i32"),
    ("cvt.sat.s8.s32 %d, %a;", "i32 i32"),
    ("cvt.sat.u8.s32 %d, %a;", "i32 i32"),
    ("cvt.sat.u16.s32 %d, %a;", "i16 i32"),
    ("cvt.sat.s16.u64 %d, %a;", "i16 i64"),
    ("cvt.s16.s8 %d, %a;", "i16 i16"),
    ("cvt.u16.u8 %d, %a;", "i16 i16"),
    ("cvt.s32.s8 %d, %a;", "i32 i32"),
    ("cvt.u32.u8 %d, %a;", "i32 i32"),
    ("cvt.s32.s16 %d, %a;", "i32 i16"),
    ("cvt.u32.u16 %d, %a;", "i32 i16"),
    ("cvt.u16.u32 %d, %a;", "i16 i32"),
    ("cvt.s64.s8 %d, %a;", "i64 i64"),
    ("cvt.s64.s16 %d, %a;", "i64 i16"),
    ("cvt.s64.s32 %d, %a;", "i64 i32"),
    ("cvt.u64.u32 %d, %a;", "i64 i32"),
    ("cvt.u32.u64 %d, %a;", "i32 i64"),
    ("cvt.u16.u64 %d, %a;", "i16 i64"),
    ("cvt.sat.s32.s64 %d, %a;", "i32 i64"),
    ("cvt.sat.u32.s64 %d, %a;", "i32 i64"),
    ("cvt.rzi.s32.f32 %d, %a;", "i32 f32"),
    ("cvt.rni.s32.f32 %d, %a;", "i32 f32"),
    ("cvt.rmi.s32.f32 %d, %a;", "i32 f32"),
    ("cvt.rpi.u32.f32 %d, %a;", "i32 f32"),
    ("cvt.rzi.u32.f32 %d, %a;", "i32 f32"),
    ("cvt.rzi.ftz.u32.f32 %d, %a;", "i32 f32"),
    ("cvt.rzi.s64.f32 %d, %a;", "i64 f32"),
    ("cvt.rzi.u64.f32 %d, %a;", "i64 f32"),
    ("cvt.rzi.s16.f32 %d, %a;", "i16 f32"),
    ("cvt.rzi.u16.f32 %d, %a;", "i16 f32"),
    ("cvt.rzi.s8.f32 %d, %a;", "i32 f32"),
    ("cvt.rzi.u8.f32 %d, %a;", "i32 f32"),
    ("cvt.rzi.s32.f64 %d, %a;", "i32 f64"),
    ("cvt.rzi.u32.f64 %d, %a;", "i32 f64"),
    ("cvt.rzi.s64.f64 %d, %a;", "i64 f64"),
    ("cvt.rni.u64.f64 %d, %a;", "i64 f64"),
    ("cvt.rzi.u16.f64 %d, %a;", "i16 f64"),
    ("cvt.rn.f32.s32 %d, %a;", "f32 i32"),
    ("cvt.rz.f32.s32 %d, %a;", "f32 i32"),
    ("cvt.rp.f32.u32 %d, %a;", "f32 i32"),
    ("cvt.rn.f32.u32 %d, %a;", "f32 i32"),
    ("cvt.rn.f32.s64 %d, %a;", "f32 i64"),
    ("cvt.rn.f32.u64 %d, %a;", "f32 i64"),
    ("cvt.rm.f32.s64 %d, %a;", "f32 i64"),
    ("cvt.rn.f32.s16 %d, %a;", "f32 i16"),
    ("cvt.rn.f32.u8 %d, %a;", "f32 i16"),
    ("cvt.rn.f64.s32 %d, %a;", "f64 i32"),
    ("cvt.rn.f64.u32 %d, %a;", "f64 i32"),
    ("cvt.rn.f64.s64 %d, %a;", "f64 i64"),
    ("cvt.rn.f64.u64 %d, %a;", "f64 i64"),
    ("cvt.rz.f64.u64 %d, %a;", "f64 i64"),
    ("cvt.f64.f32 %d, %a;", "f64 f32"),
    ("cvt.rn.f32.f64 %d, %a;", "f32 f64"),
    ("cvt.rz.f32.f64 %d, %a;", "f32 f64"),
    ("cvt.rp.f32.f64 %d, %a;", "f32 f64"),
    ("cvt.rn.sat.f32.f64 %d, %a;", "f32 f64"),
    ("cvt.rni.f32.f32 %d, %a;", "f32 f32"),
    ("cvt.rzi.f32.f32 %d, %a;", "f32 f32"),
    ("cvt.rmi.f32.f32 %d, %a;", "f32 f32"),
    ("cvt.rpi.f64.f64 %d, %a;", "f64 f64"),
    ("cvt.sat.f32.f32 %d, %a;", "f32 f32"),
    ("cvt.ftz.f32.f32 %d, %a;", "f32 f32"),
    ("cvt.f32.f16 %d, %a;", "f32 f16"),
    ("cvt.f64.f16 %d, %a;", "f64 f16"),
    ("cvt.rn.f16.f32 %d, %a;", "f16 f32"),
    ("cvt.rz.f16.f32 %d, %a;", "f16 f32"),
    ("cvt.rn.f16.f64 %d, %a;", "f16 f64"),
    ("cvt.rn.f16.s32 %d, %a;", "f16 i32"),
    ("cvt.rzi.s32.f16 %d, %a;", "i32 f16"),
    ("cvt.rn.bf16.f32 %d, %a;", "f16 f32"),
];

/// Approximate instructions, and by how many units in the last place they may differ from hardware where both are normal.
pub(crate) const APPROXIMATE: &[(&str, &str, u32)] = &[
    ("rcp.approx.f32 %d, %a;", "f32 f32", 1),
    ("rsqrt.approx.f32 %d, %a;", "f32 f32", 2),
    ("sqrt.approx.f32 %d, %a;", "f32 f32", 2),
    ("div.full.f32 %d, %a, %b;", "f32 f32 f32", 2),
    ("ex2.approx.f32 %d, %a;", "f32 e32", 2),
    ("lg2.approx.f32 %d, %a;", "f32 g32", 4),
];

/// Values of an operand of that kind.
pub(crate) fn values(kind: &str) -> Vec<u64> {
    let ints = |bits: u32| -> Vec<u64> {
        let mask = u64::MAX >> (64 - bits);
        let half = 1u64 << (bits - 1);
        [0, 1, 2, 3, 7, mask, mask - 1, half, half - 1, half + 1, 0x55, 0x80, 0xff, 0x7f, 0x1234_5678_9abc_def0, 0xfedc_ba98_7654_3210]
            .into_iter()
            .map(|v| v & mask)
            .collect()
    };
    match kind {
        "i16" => ints(16),
        "i32" => [ints(32), vec![0x8000, 0xffff, 0x1_0000, 16_777_217, 2_147_483_583]].concat(),
        "i64" => [ints(64), vec![0xffff_ffff, 1 << 32, 0x8000_0000, (1 << 53) + 1, (1 << 63) - 513, u64::MAX - 1024]].concat(),
        "z16" | "z32" | "z64" => ints(kind[1..].parse().expect("a width")).into_iter().filter(|&v| v != 0).collect(),
        "n32" => vec![0, 1, 5, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 255, 256, 0xffff_ffff],
        "f32" => [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            1.5,
            2.5,
            -2.5,
            0.1,
            -7.3,
            3.0,
            255.5,
            65504.0,
            65520.0,
            2_147_483_648.0,
            4_294_967_296.0,
            -2_147_483_904.0,
            9.3e18,
            1.9e19,
            1e-40,
            -1e-45,
            f32::MIN_POSITIVE,
            f32::MAX,
            f32::MIN,
            f32::INFINITY,
            f32::NEG_INFINITY,
            6e-8,
            16_777_216.0,
            1.000_000_1,
        ]
        .into_iter()
        .map(|v| u64::from(v.to_bits()))
        .chain([0x7fc0_0000, 0x7f80_0001, 0xffc1_2345])
        .collect(),
        "f64" => [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            1.5,
            -2.5,
            0.1,
            -7.3,
            3.0,
            65519.999,
            2_147_483_647.5,
            4_294_967_295.5,
            9.3e18,
            1.9e19,
            -9.3e18,
            1e-310,
            -5e-324,
            f64::MIN_POSITIVE,
            f64::MAX,
            f64::MIN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            1e-40,
            3.4e38,
            3.5e38,
            1.000_000_059_604_644_8,
        ]
        .into_iter()
        .map(f64::to_bits)
        .chain([0x7ff8_0000_0000_0000, 0x7ff0_0000_0000_0001, 0xfff8_1234_5678_9abc])
        .collect(),
        "f16" => vec![
            0, 0x8000, 0x3c00, 0xbc00, 0x3800, 0x3555, 0x4900, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x0001, 0x8001, 0x03ff, 0x0400, 0x3c01,
            0x7e00, 0x7c01, 0xfe55, 0x6800,
        ],
        "e32" => [0.0f32, 1.0, -1.0, 0.5, 10.25, -20.75, 126.9, -125.0, 0.001, 3.3].into_iter().map(|v| u64::from(v.to_bits())).collect(),
        "g32" => [1.5f32, 3.0, 0.1, 1e10, 1e-10, 8.0, 100.0].into_iter().map(|v| u64::from(v.to_bits())).collect(),
        other => panic!("no kind of operand: {other}"),
    }
}

/// Operands of one instruction, three words each: all combinations of two, a fixed sample of the combinations of three.
pub(crate) fn inputs(kinds: &str) -> Vec<[u64; 3]> {
    let columns: Vec<Vec<u64>> = kinds.split(' ').skip(1).map(values).collect();
    match &*columns {
        [a] => a.iter().map(|&a| [a, 0, 0]).collect(),
        [a, b] => a.iter().flat_map(|&a| b.iter().map(move |&b| [a, b, 0])).collect(),
        [a, b, c] => {
            let mut state = 1u64;
            let mut pick = |from: &[u64]| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                from[(state >> 33) as usize % from.len()]
            };
            (0..400).map(|_| [pick(a), pick(b), pick(c)]).collect()
        }
        other => panic!("{} operands", other.len()),
    }
}

/// The kernel `k<index>`, which gives each thread its operands and stores its result as a word.
pub(crate) fn kernel(index: usize, text: &str, kinds: &str) -> String {
    let kinds: Vec<&str> = kinds.split(' ').collect();
    let bits = |kind: &str| kind[1..].parse::<u32>().expect("a width");
    let mut registers = String::new();
    let mut loads = String::new();
    for (i, (kind, name)) in kinds[1..].iter().zip(["a", "b", "c"]).enumerate() {
        registers += &format!("\t.reg .b{} %{name};\n", bits(kind));
        loads += &format!("\tld.global.b{} %{name}, [%rd5+{}];\n", bits(kind), 8 * i);
    }
    let (result, store) = match kinds[0] {
        "p" => ("\t.reg .pred %d;\n".to_owned(), "\tselp.b64 %rd7, 1, 0, %d;\n".to_owned()),
        kind if bits(kind) == 64 => ("\t.reg .b64 %d;\n".to_owned(), "\tmov.b64 %rd7, %d;\n".to_owned()),
        kind => (format!("\t.reg .b{} %d;\n", bits(kind)), format!("\tcvt.u64.u{} %rd7, %d;\n", bits(kind))),
    };
    format!(
        ".visible .entry k{index}(.param .u64 in, .param .u64 out, .param .u32 n)
{{
	.reg .pred %p<2>;
	.reg .b32 %r<6>;
	.reg .b64 %rd<8>;
{registers}{result}	mov.u32 %r1, %ctaid.x;
	mov.u32 %r2, %ntid.x;
	mov.u32 %r3, %tid.x;
	mad.lo.s32 %r4, %r1, %r2, %r3;
	ld.param.u32 %r5, [n];
	setp.ge.u32 %p1, %r4, %r5;
	@%p1 bra $done;
	ld.param.u64 %rd1, [in];
	ld.param.u64 %rd2, [out];
	mul.wide.u32 %rd4, %r4, 24;
	add.s64 %rd5, %rd1, %rd4;
	mul.wide.u32 %rd3, %r4, 8;
	add.s64 %rd6, %rd2, %rd3;
{loads}	{text}
{store}	st.global.b64 [%rd6], %rd7;
$done:
	ret;
}}
"
    )
}
