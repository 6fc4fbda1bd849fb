//! The verifier: each mistake beside its valid twin.

use threadwise_ptx::{Error, parse, verify};

fn check(body: &str) -> Result<(), Error> {
    let text = format!(
        ".version 8.0
.target sm_80
.address_size 64
.global .align 4 .u32 g;
.func (.param .b32 r) f(.param .b32 a) {{ ret; }}
.entry k(.param .u64 p) {{
.reg .pred %p<4>; .reg .b16 %rs<4>; .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .f32 %f<4>; .reg .s32 %s<4>;
{body}
ret;
}}"
    );
    verify(&parse(&text)?)
}

#[test]
fn mistakes_are_found_and_their_twins_are_not() {
    for (valid, wrong, found) in [
        ("add.s32 %r1, %r2, %r3;", "add.s32 %r1, %r2, %r4;", "%r4"),
        ("add.s32 %r1, %r2, 1;", "add.s32 %r1, %r2;", "2 operands"),
        ("add.s32 %r1, %r2, 1;", "add.s32 %r1, %r2, 1, 2;", "4 operands"),
        ("add.s64 %rd1, %rd2, 1;", "add.s64 %rd1, %r2, 1;", "%r2"),
        ("add.s32 %r1, %r2, 1;", "add.s32 5, %r2, 1;", "operand `5`"),
        ("add.f32 %f1, %f2, %r1;", "add.f32 %s1, %f2, %f2;", "%s1"),
        ("mul.wide.u32 %rd1, %r2, 4;", "mul.wide.u32 %r1, %r2, 4;", "%r1"),
        ("mul.wide.u32 %rd1, %r2, 4;", "mul.wide.u64 %rd1, %rd2, 4;", "mul.wide.u64"),
        ("shl.b64 %rd1, %rd2, %r1;", "shl.b64 %rd1, %rd2, %rd3;", "%rd3"),
        ("setp.lt.u32 %p1, %r1, 5;", "setp.lt.u32 %r1, %r1, 5;", "%r1"),
        ("setp.lt.and.u32 %p1|%p2, %r1, 5, !%p3;", "setp.lt.and.u32 %p1|%r2, %r1, 5, %p3;", "%p1|%r2"),
        ("selp.b32 %r1, 1, 0, %p1;", "selp.b32 %r1, 1, 0, %r2;", "%r2"),
        ("@%p1 ret;", "@%r1 ret;", "%r1"),
        ("$a: bra $a;", "bra $a;", "$a"),
        ("$a: ret;", "$a: ret; $a: ret;", "$a"),
        ("mov.u32 %r1, %tid.x;", "mov.u32 %r1, %tix.x;", "%tix.x"),
        ("mov.u64 %rd1, g;", "mov.u64 %rd1, h;", "h"),
        ("ld.global.b8 %rs1, [g];", "ld.global.b32 %rs1, [g];", "%rs1"),
        ("ld.global.v2.b32 {%r1, %r2}, [%rd1];", "ld.global.v2.b32 {%r1, %r9}, [%rd1];", "ld.global"),
        ("ld.global.b32 %r1, [%rd1+4];", "ld.global.b32 %r1, [%p1+4];", "%p1"),
        ("ld.param.u64 %rd1, [p];", "ld.param.u64 %rd1, [q];", "q"),
        ("cvt.u64.u32 %rd1, %r1;", "cvt.u64.u32 %rd1, %rs1;", "%rs1"),
        ("$t: .branchtargets $a; $a: brx.idx %r1, $t;", "$t: .branchtargets $b; $a: brx.idx %r1, $t;", "$b"),
        ("{ .param .b32 x; .param .b32 y; call.uni (y), f, (x); }", "{ .param .b32 x; .param .b32 y; call.uni (y), f, (z); }", "z"),
        ("{ .param .b32 y; .param .b32 x; call (y), f, (x); }", "{ .param .b32 y; .param .b32 x; call (y), g, (x); }", "g"),
        ("{ .reg .b32 t; mov.b32 t, 1; }", "{ .reg .b32 t; } mov.b32 t, 1;", "t"),
        ("sqrt.rn.f32 %f1, %f2;", "sqrt.rn.u32 %r1, %r2;", "sqrt"),
    ] {
        check(valid).unwrap_or_else(|error| panic!("{valid}: {error}"));
        let error = check(wrong).expect_err(wrong);
        assert!(error.found.contains(found), "{wrong}: {error}");
        assert_eq!(error.at.line, 8, "{wrong}: {error}");
    }
}

#[test]
fn initializers_refer_to_what_exists_and_fit() {
    let module = |variable: &str| parse(&format!(".version 8.0\n.target sm_80\n{variable}")).and_then(|module| verify(&module));
    module(".global .u64 a[2] = {generic(b), 1}; .global .u32 b;").unwrap();
    assert!(module(".global .u64 a[2] = {generic(c), 1};").unwrap_err().found.contains('c'));
    assert!(module(".global .u32 a[2] = {1, 2, 3};").unwrap_err().found.contains("12 bytes"));
}
