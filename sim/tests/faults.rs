//! What a kernel does wrong is a value that says where.

mod common;

use common::{buffer_u32, config, kernel, module, per_thread, run, words};
use threadwise_abi::Dim3;
use threadwise_sim::{AccessKind, Allocation, FaultKind, LaunchConfig, MemorySpace, Simulator};

#[test]
fn out_of_bounds_names_the_allocation_the_thread_and_the_line() {
    let device = Simulator::new();
    let kernel = kernel(
        &device,
        ".file 1 \"src/main.rs\"
.visible .entry k(.param .u64 out)
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<5>;
	ld.param.u64 %rd1, [out];
	mad.lo.u32 %r1, %ctaid.x, %ntid.x, %tid.x;
	mul.wide.u32 %rd2, %r1, 4;
	add.s64 %rd3, %rd1, %rd2;
	.loc 1 12 9
	st.global.u32 [%rd3], %r1;
	ret;
}",
    );
    let out = buffer_u32(&device, &[0; 100]);
    let fault = device.launch(&kernel, &config(4, 32), &words(&[out])).unwrap_err();
    assert_eq!((fault.block, fault.thread, fault.ptx_line), (Dim3::new(3, 0, 0), Dim3::new(4, 0, 0), 14));
    let place = fault.place.clone().unwrap();
    assert_eq!((place.file.as_str(), place.line, place.column), ("src/main.rs", 12, 9));
    let nearest = Some(Allocation { address: out, bytes: 400 });
    let (space, access) = (MemorySpace::Global, AccessKind::Write);
    assert_eq!(fault.kind, FaultKind::OutOfBounds { space, address: out + 400, bytes: 4, access, nearest });
    let text = fault.to_string();
    assert!(
        text.starts_with("kernel `k` faulted in block (3, 0, 0), thread (4, 0, 0) at src/main.rs:12:9 (PTX line 14): out-of-bounds write"),
        "{text}"
    );
}

/// The fault of a kernel with that body.
fn fault_of(declarations: &str, body: &str) -> FaultKind {
    run(&per_thread(declarations, body), 1, 32, 32).unwrap_err().kind
}

#[test]
fn misaligned_and_null_accesses() {
    assert!(matches!(fault_of("", "ld.global.u32 %r2, [%rd1+2];"), FaultKind::Misaligned { alignment: 4, access: AccessKind::Read, .. }));
    assert!(matches!(fault_of("", "ld.global.v2.u32 {%r2, %r3}, [%rd1+4];"), FaultKind::Misaligned { alignment: 8, .. }));
    let null = "mov.u64 %rd4, 0; atom.add.u32 %r2, [%rd4+8], 1;";
    assert_eq!(fault_of("", null), FaultKind::Null { address: 8, access: AccessKind::Atomic });
}

#[test]
fn shared_local_and_parameter_accesses_are_bounded() {
    let shared = fault_of(".shared .align 4 .b8 s[64];", "mov.u64 %rd4, s; ld.shared.u32 %r2, [%rd4+64];");
    assert!(matches!(shared, FaultKind::OutOfBounds { space: MemorySpace::Shared, address: 64, .. }), "{shared}");
    let generic = fault_of(".shared .align 4 .b8 s[64];", "mov.u64 %rd4, s; cvta.shared.u64 %rd5, %rd4; st.u32 [%rd5+128], 1;");
    assert!(matches!(generic, FaultKind::OutOfBounds { space: MemorySpace::Shared, address: 128, .. }), "{generic}");
    let local = fault_of("", ".local .align 4 .b8 depot[8]; st.local.u32 [depot+16], 1;");
    assert!(matches!(local, FaultKind::OutOfBounds { space: MemorySpace::Local, .. }), "{local}");
    let parameter = fault_of("", "ld.param.u64 %rd4, [out+8];");
    assert!(matches!(parameter, FaultKind::OutOfBounds { space: MemorySpace::Parameters, address: 8, .. }), "{parameter}");
}

#[test]
fn freed_memory_is_recognized() {
    let device = Simulator::new();
    let kernel = kernel(&device, &per_thread("", ""));
    let out = buffer_u32(&device, &[0; 32]);
    device.free(out).unwrap();
    let fault = device.launch(&kernel, &config(1, 32), &words(&[out])).unwrap_err();
    assert!(matches!(fault.kind, FaultKind::UseAfterFree { freed: Allocation { bytes: 128, .. }, .. }), "{fault}");
    assert!(device.free(out).is_err());
}

#[test]
fn divergent_barriers() {
    let body = "
	setp.lt.u32 %p1, %r1, 16;
	@%p1 bra $other;
	bar.sync 0;
	bra $end;
$other:
	bar.sync 0;
$end:";
    assert!(matches!(fault_of("", body), FaultKind::BarrierDivergence { .. }));
}

#[test]
fn barriers_that_nobody_completes() {
    let body = "
	setp.lt.u32 %p1, %r1, 32;
	@%p1 bra $one;
	bar.sync 1;
	bra $end;
$one:
	bar.sync 2;
$end:";
    let fault = run(&per_thread("", body), 1, 64, 64).unwrap_err();
    assert_eq!(fault.kind, FaultKind::BarrierDeadlock { barrier: 1, arrived: 32, expected: 64 });
}

#[test]
fn warp_operations_want_their_lanes() {
    let outside = fault_of("", "shfl.sync.idx.b32 %r2, %r1, 20, 31, 0xffff;");
    assert_eq!(outside, FaultKind::BadMask { mask: 0xffff, lane: 16 });
    let inactive = "setp.ge.u32 %p1, %r1, 16; @%p1 bra $end; shfl.sync.idx.b32 %r2, %r1, 20, 31, 0xffff; $end:";
    assert_eq!(fault_of("", inactive), FaultKind::InactiveLane { mask: 0xffff, source: 20 });
    let never = "
	setp.ge.u32 %p1, %r1, 16;
	@%p1 bra $wait;
	shfl.sync.idx.b32 %r2, %r1, 0, 31, -1;
	bra $end;
$wait:
	bar.sync 0;
$end:";
    assert_eq!(fault_of("", never), FaultKind::WarpDeadlock { mask: u32::MAX, present: 0xffff });
}

#[test]
fn traps_and_bad_branches_and_calls() {
    assert_eq!(fault_of("", "trap;"), FaultKind::Trap);
    let branch = "$t: .branchtargets $a, $b; brx.idx %r1, $t; $a: $b:";
    assert_eq!(fault_of("", branch), FaultKind::BadBranch { index: 2, targets: 2 });
    let call = "mov.u64 %rd4, 64; p: .callprototype _ (); call %rd4, p;";
    assert_eq!(fault_of("", call), FaultKind::BadCall { address: 64 });
}

#[test]
fn endless_recursion() {
    let declarations = ".func f() { .local .align 8 .b8 depot[64]; .reg .b64 %rd<2>; mov.b64 %rd1, depot; call.uni f; ret; }";
    assert!(matches!(fault_of(declarations, "call.uni f;"), FaultKind::StackOverflow { .. }));
}

#[test]
fn impossible_launches() {
    let device = Simulator::new();
    let kernel = kernel(&device, ".visible .entry k(.param .u64 out) .maxntid 64 { ret; }");
    let reason = |config: LaunchConfig, parameters: &[u8]| device.launch(&kernel, &config, parameters).unwrap_err().to_string();
    assert!(reason(config(0, 32), &[0; 8]).contains("no threads"));
    assert!(reason(config(1, 2048), &[0; 8]).contains("larger than"));
    assert!(reason(config(1, 65), &[0; 8]).contains("launch bound 64"));
    assert!(reason(config(1, 32), &[0; 4]).contains("4 bytes of parameters"));
    assert!(reason(LaunchConfig { shared_bytes: 1 << 20, ..config(1, 32) }, &[0; 8]).contains("shared memory"));
    assert_eq!(device.launch(&kernel, &config(1, 64), &[0; 8]).unwrap().threads, 64);
}

#[test]
fn the_lowest_block_is_named() {
    let body = per_thread("", "setp.eq.u32 %p1, %r1, 7; @%p1 trap;");
    for _ in 0..5 {
        let fault = run(&body, 50, 32, 32).unwrap_err();
        assert_eq!((fault.block, fault.thread), (Dim3::new(0, 0, 0), Dim3::new(7, 0, 0)));
    }
}

#[test]
fn what_cannot_run_does_not_load() {
    let device = Simulator::new();
    for (body, line, needle) in [
        (".visible .entry k() {\n\tfrobnicate.u32 %r1;\n}", 5, "frobnicate"),
        (".visible .entry k() {\n\t.reg .b32 %r<2>;\n\tsub.u16x2 %r1, %r1, %r1;\n}", 6, "not supported"),
        (".extern .func f();\n.visible .entry k() {\n\tcall.uni f;\n}", 6, "`f` is declared but not defined"),
        (".visible .entry k() {\n\tbra $nowhere;\n}", 5, "$nowhere"),
        (".extern .global .u32 g;\n.visible .entry k() { ret; }", 4, "external variable"),
    ] {
        let error = device.load(&module(body)).unwrap_err();
        assert_eq!(error.line, line, "{error}");
        assert!(error.to_string().contains(needle), "{error}");
    }
}

#[test]
fn no_text_makes_loading_panic() {
    let text = module(
        ".global .align 8 .u64 table[2] = {generic(word)+4, f};
.global .align 4 .u32 word = 77;
.extern .shared .align 16 .b8 dynamic[];
.func (.param .b32 r) f(.param .align 8 .b8 a[16], .param .b32 b)
{
	.local .align 8 .b8 depot[32];
	.reg .b32 %r<5>;
	.reg .b64 %rd<3>;
	mov.b64 %rd1, depot;
	cvta.local.u64 %rd2, %rd1;
	ld.param.v2.b32 {%r1, %r2}, [a+8];
	shf.l.wrap.b32 %r3, %r1, %r2, 7;
	st.v2.b32 [%rd2+8], {%r3, %r1};
	st.param.b32 [r], %r3;
	ret;
}
.visible .entry k(.param .u64 p) .maxntid 64, 1
{
	.reg .pred %p<3>;
	.reg .b32 %r<5>;
	.reg .b64 %rd<3>;
	ld.param.u64 %rd1, [p];
	setp.lt.and.s32 %p1|%p2, %r1, 5, !%p2;
	@!%p1 bra $l;
	{ .param .align 8 .b8 x[16]; .param .b32 y; .param .b32 z; st.param.b64 [x+8], %rd1;
	call.uni (z), f, (x, y); }
	bar.red.popc.u32 %r2, 0, 64, %p1;
$l:
	shfl.sync.up.b32 %r1|%p1, %r2, 3, 0, -1;
	$t: .branchtargets $l, $m;
	brx.idx %r1, $t;
$m:
	cvt.rn.f16.f64 %r3, %rd2;
	ret;
}",
    );
    for at in 0..text.len() {
        for byte in *b" {(.09%@-_,;" {
            let mut bytes = text.as_bytes().to_vec();
            bytes[at] = byte;
            let changed = String::from_utf8(bytes).expect("ASCII");
            let _ = Simulator::new().load(&changed);
        }
    }
}
