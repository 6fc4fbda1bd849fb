//! Parsing and printing.

use threadwise_ptx::{Initial, Item, Modifier, Number, Opcode, Operand, ScalarType, Statement, parse, verify};

const HEADER: &str = ".version 7.8\n.target sm_80\n.address_size 64\n";

/// A module with everything that the grammar knows.
const ALL: &str = r#"
.version 8.5
.target sm_90, debug
.address_size 64
	// .globl	kernel
.file 1 "src/lib.rs"
.file 2 "other.rs", 1700000000, 42
.extern .func (.param .b64 r) malloc(.param .b64 n);
.func helper(.param .b32 helper_0) .noreturn;
.global .align 1 .b8 text[5] = {104, 0x65, 0154, 0b1101100, 111};
.global .align 8 .u64 table[3] = {generic(text)+2, helper, text+1};
.visible .global .align 1 .b8 bytes[2] = {0xFF(generic(text)), 0xFF00(generic(text)+4)};
.weak .global .align 4 .f32 half = 0f3F000000;
.const .align 8 .f64 third[2] = {0d3FD5555555555555, 0.25};
.extern .shared .align 16 .b8 dynamic[];
.func (.param .align 8 .b8 ret[16]) pair(.param .align 8 .b8 a[16], .param .b32 b)
{
	ret;
}
.visible .entry kernel(
	.param .u64 .ptr .global .align 4 p0,
	.param .u64 .ptr .align 1 p1,
	.param .align 8 .b8 p2[24]
)
.maxntid 256, 1, 1
.minnctapersm 2
{
	.local .align 8 .b8 	__local_depot0[32];
	.reg .b64 	%SP, %SPL;
	.reg .pred 	%p<5>;
	.reg .b16 	%rs<4>;
	.reg .b32 	%r<9>;
	.reg .b64 	%rd<9>;
	.loc	1 3 7
	.loc 1 4 1, function_name $L__info_string0+4, inlined_at 1 3 7
	mov.b64 	%SPL, __local_depot0;
	cvta.local.u64 	%SP, %SPL;
	ld.param.b64 	%rd1, [p0];
	ld.global.nc.L1::no_allocate.v4.b32 	{%r1, %r2, %r3, _}, [%rd1+-16];
	mov.b32 	%r4, {%rs1, %rs2};
	setp.lt.and.f32 	%p1|%p2, %r1, 0f3F800000, !%p3;
	@!%p1 bra 	$L__BB0_2;
	mov.u32 	%r5, %tid.x;
	fma.rn.f32 %r6, %r1, 0f3FB8AA3B, -1.5;
	{ // callseq 0, 0
	.param .align 8 .b8 param0[16];
	.param .b32 param1;
	.param .align 8 .b8 retval0[16];
	st.param.v2.b64 	[param0], {%rd1, 7};
	call.uni (retval0), pair, (param0, param1);
	prototype_0 : .callprototype (.param .align 8 .b8 _[16]) _ (.param .align 8 .b8 _[16], .param .b32 _);
	call (retval0), %rd1, (param0, param1), prototype_0;
	} // callseq 0
$L__BB0_2:
	/* targets
	   of a switch */
	$L_brx_0: .branchtargets
		$L__BB0_2,
		$L__BB0_3;
	brx.idx 	%r5, $L_brx_0;
$L__BB0_3:
	.pragma "nounroll";
	shfl.sync.down.b32 	%r7|%p4, %r5, 1, 31, -1;
	prmt.b32 	%r8, %r7, 0, 0x7770U;
	atom.acquire.sys.cas.b32 	%r8, [%rd1], 0, 1;
	st.shared::cta.b32 [dynamic+4], %r8;
	bar.sync 	0;
	ret;
}
	.section	.debug_info
	{
.b32 3858
.b8 2 // {
.b64 .debug_abbrev+4, $L__tmp0
	}
	.section	.debug_macinfo	{	}
"#;

#[test]
fn everything_parses_verifies_and_prints_the_same() {
    let module = parse(ALL).unwrap();
    verify(&module).unwrap();
    let printed = module.to_string();
    let again = parse(&printed).unwrap_or_else(|error| panic!("{error}\n{printed}"));
    verify(&again).unwrap();
    assert_eq!(again.to_string(), printed);
}

/// Instructions of the first function that has a body.
fn instructions(text: &str) -> Vec<threadwise_ptx::Instruction> {
    let module = parse(&format!("{HEADER}.entry k() {{ {text} }}")).unwrap();
    let Item::Function(function) = &module.items[0] else { panic!("no function") };
    let instruction = |statement: &Statement| match statement {
        Statement::Instruction(instruction) => Some(instruction.clone()),
        _ => None,
    };
    function.body.iter().flatten().filter_map(instruction).collect()
}

#[test]
fn opcodes_modifiers_and_operands_are_typed() {
    let found = &instructions("@!%p1 mad.wide.s32 %rd1, %r1, -4, %rd2;")[0];
    assert_eq!(found.opcode, Opcode::Mad);
    assert_eq!(found.types().collect::<Vec<_>>(), [ScalarType::S32]);
    assert_eq!(found.modifiers[1], Modifier::Type(ScalarType::S32));
    assert_eq!(found.operands[2], Operand::Number(Number::Integer(-4)));
    assert!(found.guard.as_ref().is_some_and(|guard| guard.negated));
    assert_eq!((found.at.line, found.at.column), (4, 20));
}

#[test]
fn numbers_have_the_bits_they_are_written_with() {
    let value = |text: &str, ty| match &instructions(&format!("mov.b64 %rd1, {text};"))[0].operands[1] {
        Operand::Number(number) => number.bits(ty),
        other => panic!("{other} is no number"),
    };
    assert_eq!(value("0f3F800000", ScalarType::F32), 0x3f80_0000);
    assert_eq!(value("0d3FF0000000000000", ScalarType::F64), 0x3ff0_0000_0000_0000);
    assert_eq!(value("1.5", ScalarType::F32), u64::from(1.5f32.to_bits()));
    assert_eq!(value("-1", ScalarType::B16), 0xffff);
    assert_eq!(value("0x5410U", ScalarType::B32), 0x5410);
    assert_eq!(value("017", ScalarType::B32), 15);
    assert_eq!(value("0b101", ScalarType::B32), 5);
    assert_eq!(value("18446744073709551615", ScalarType::B64), u64::MAX);
    assert_eq!(value("-9223372036854775808", ScalarType::B64), 1 << 63);
}

#[test]
fn initializers_keep_symbols_offsets_and_masks() {
    let module = parse(ALL).unwrap();
    let variable = module.items.iter().find_map(|item| match item {
        Item::Variable(variable) if variable.name == "bytes" => Some(variable),
        _ => None,
    });
    let expected = Initial::Address { mask: Some(0xff00), generic: true, symbol: "text".to_owned(), offset: 4 };
    assert_eq!(variable.unwrap().initializer[1], expected);
}

#[test]
fn errors_name_the_place_what_is_there_and_what_should_be() {
    for (text, line, column, found, expected) in [
        ("", 1, 1, "the end of the text", "`.version`"),
        (".version x", 1, 10, "`x`", "a version"),
        (".version 7.0\n.target sm_80\n.entry k() {\n  add.s32 %r1, %r2 %r3;\n}", 4, 20, "`%r3`", "`,` or `;`"),
        (".version 7.0\n.target sm_80\n.entry k() {\n  launch %r1;\n}", 4, 3, "`launch`", "an instruction that is known"),
        (".version 7.0\n.target sm_80\n.entry k() {\n  add.q9 %r1;\n}", 4, 6, "`.q9`", "a modifier of `add`"),
        (".version 7.0\n.target sm_80\n.entry k() {\n  ret;\n", 5, 1, "the end of the text", "`}`"),
        (".version 7.0\n.target sm_80\n.global .align 3 .b8 x;", 3, 16, "`3`", "a power of two"),
        (".version 7.0\n.target sm_80\n.global x;", 3, 9, "`x`", "the type of a variable"),
        (".version 7.0\n.target sm_80\n/* open", 3, 1, "a comment without end", "`*/`"),
        (".version 7.0\n.target sm_80\n.file 1 \"open", 3, 9, "\"open", "a closing"),
        (".version 7.0\n.target sm_80\n.global .f32 x = 0f12;", 3, 18, "`0f12`", "a number"),
        (".version 7.0\n.target sm_80\nü", 3, 1, "`ü`", "a variable, a function or an entry"),
    ] {
        let error = parse(text).unwrap_err();
        assert_eq!((error.at.line, error.at.column), (line, column), "{error}");
        assert!(error.found.contains(found) && error.expected.contains(expected), "{error}");
    }
}

#[test]
fn no_text_makes_the_parser_panic() {
    // Every prefix, and every text with one byte changed, gives a module or an error.
    for end in 0..ALL.len() {
        let _ = parse(&ALL[..end]).and_then(|module| verify(&module));
    }
    for at in 0..ALL.len() {
        for byte in [b' ', b'{', b'}', b'(', b'.', b'0', b'%', b'@', b'"', b'-'] {
            let mut bytes = ALL.as_bytes().to_vec();
            bytes[at] = byte;
            let text = String::from_utf8(bytes).expect("ASCII");
            let _ = parse(&text).and_then(|module| verify(&module));
        }
    }
    let deep = format!("{HEADER}.entry k() {}", "{".repeat(100_000));
    assert!(parse(&deep).unwrap_err().expected.contains("nested"));
}
