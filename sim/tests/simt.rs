//! How threads of a warp and of a block go together.

mod common;

use common::{buffer_u32, config, kernel, per_thread, read_u32, run, words};
use threadwise_sim::{LaunchConfig, Simulator};

fn lanes(f: impl Fn(u32) -> u32) -> Vec<u32> {
    (0..32).map(f).collect()
}

#[test]
fn divergent_loops_meet_again() {
    // Each lane loops as often as its index says; then all vote.
    let body = "
	mov.u32 %r3, 0;
$loop:
	setp.ge.u32 %p1, %r3, %r1;
	@%p1 bra $after;
	add.u32 %r3, %r3, 1;
	bra $loop;
$after:
	activemask.b32 %r4;
	xor.b32 %r2, %r4, %r3;";
    assert_eq!(run(&per_thread("", body), 1, 32, 32).unwrap(), lanes(|i| u32::MAX ^ i));
}

#[test]
fn a_cold_block_behind_the_meeting_point_does_not_split_a_shuffle() {
    let body = "
	setp.eq.u32 %p1, %r1, 5;
	@%p1 bra $cold;
$join:
	shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1;
	bra $end;
$cold:
	add.u32 %r1, %r1, 0;
	bra $join;
$end:";
    assert_eq!(run(&per_thread("", body), 1, 32, 32).unwrap(), lanes(|i| i ^ 1));
}

#[test]
fn guards_apply_to_any_instruction() {
    let body = "
	setp.lt.u32 %p1, %r1, 10;
	@%p1 mov.u32 %r2, 1;
	@!%p1 mov.u32 %r2, 2;";
    assert_eq!(run(&per_thread("", body), 1, 32, 32).unwrap(), lanes(|i| if i < 10 { 1 } else { 2 }));
}

#[test]
fn a_spin_lock_within_a_warp_is_released() {
    let body = "
$again:
	atom.shared.cas.b32 %r3, [lock], 0, 1;
	setp.ne.u32 %p1, %r3, 0;
	@%p1 bra $again;
	ld.shared.u32 %r4, [count];
	add.u32 %r4, %r4, 1;
	st.shared.u32 [count], %r4;
	mov.u32 %r2, %r4;
	atom.shared.exch.b32 %r5, [lock], 0;";
    let declarations = ".shared .align 4 .u32 lock;\n.shared .align 4 .u32 count;";
    let mut turns = run(&per_thread(declarations, body), 1, 32, 32).unwrap();
    turns.sort_unstable();
    assert_eq!(turns, lanes(|i| i + 1));
}

#[test]
fn a_warp_that_waits_for_another_lets_it_run() {
    let body = "
	setp.lt.u32 %p1, %r1, 32;
	@!%p1 bra $signal;
$wait:
	ld.volatile.shared.u32 %r2, [flag];
	setp.eq.u32 %p2, %r2, 0;
	@%p2 bra $wait;
	bra $end;
$signal:
	st.volatile.shared.u32 [flag], 7;
$end:";
    let result = run(&per_thread(".shared .align 4 .u32 flag;", body), 1, 64, 64).unwrap();
    assert_eq!(result[..32], [7; 32]);
}

#[test]
fn barriers_order_shared_memory() {
    let body = "
	mul.wide.u32 %rd4, %r1, 4;
	mov.u64 %rd5, tile;
	add.s64 %rd6, %rd5, %rd4;
	st.shared.u32 [%rd6], %r1;
	bar.sync 0;
	xor.b32 %r3, %r1, 127;
	mul.wide.u32 %rd7, %r3, 4;
	add.s64 %rd8, %rd5, %rd7;
	ld.shared.u32 %r2, [%rd8];";
    let result = run(&per_thread(".shared .align 4 .b8 tile[512];", body), 1, 128, 128).unwrap();
    assert_eq!(result, (0..128).map(|i| i ^ 127).collect::<Vec<_>>());
}

#[test]
fn ended_threads_count_as_arrived() {
    let body = "
	setp.ge.u32 %p1, %r1, 40;
	@%p1 bra $wait;
	exit;
$wait:
	bar.sync 0;
	mov.u32 %r2, 1;";
    let result = run(&per_thread("", body), 1, 128, 128).unwrap();
    assert_eq!(result.iter().sum::<u32>(), 88);
}

#[test]
fn barriers_with_a_count_wait_for_that_many() {
    let body = "
	setp.ge.u32 %p1, %r1, 64;
	@%p1 bra $end;
	barrier.sync 3, 64;
	mov.u32 %r2, 1;
$end:";
    assert_eq!(run(&per_thread("", body), 1, 128, 128).unwrap().iter().sum::<u32>(), 64);
}

#[test]
fn barrier_reductions_count_and_vote() {
    let body = "
	setp.lt.u32 %p1, %r1, 5;
	bar.red.popc.u32 %r3, 0, %p1;
	bar.red.and.pred %p2, 0, %p1;
	bar.red.or.pred %p3, 0, %p1;
	selp.u32 %r4, 100, 0, %p2;
	selp.u32 %r5, 1000, 0, %p3;
	add.u32 %r2, %r3, %r4;
	add.u32 %r2, %r2, %r5;";
    assert_eq!(run(&per_thread("", body), 1, 96, 96).unwrap(), vec![1005; 96]);
}

#[test]
fn shuffles_take_their_lane_or_their_own() {
    for (instruction, expected) in [
        ("shfl.sync.up.b32 %r2|%p1, %r1, 3, 0, -1", lanes(|i| if i >= 3 { i - 3 } else { i + 1000 })),
        ("shfl.sync.down.b32 %r2|%p1, %r1, 3, 31, -1", lanes(|i| if i < 29 { i + 3 } else { i + 1000 })),
        ("shfl.sync.bfly.b32 %r2|%p1, %r1, 5, 31, -1", lanes(|i| i ^ 5)),
        ("shfl.sync.idx.b32 %r2|%p1, %r1, 9, 31, -1", lanes(|_| 9)),
        // Segments of eight lanes.
        ("shfl.sync.down.b32 %r2|%p1, %r1, 1, 0x1807, -1", lanes(|i| if i % 8 < 7 { i + 1 } else { i + 1000 })),
    ] {
        let body = format!("\t{instruction};\n\t@!%p1 add.u32 %r2, %r2, 1000;");
        assert_eq!(run(&per_thread("", &body), 1, 32, 32).unwrap(), expected, "{instruction}");
    }
}

#[test]
fn votes_matches_and_reductions() {
    let three = |i: u32| i % 3;
    let equal = |i: u32| (0..32).filter(|&j| three(j) == three(i)).fold(0u32, |m, j| m | 1 << j);
    for (instruction, expected) in [
        ("vote.sync.ballot.b32 %r2, %p1, -1", lanes(|_| 0x3ff)),
        ("vote.sync.any.pred %p2, %p1, -1;\n\tselp.u32 %r2, 1, 0, %p2", lanes(|_| 1)),
        ("vote.sync.all.pred %p2, !%p1, -1;\n\tselp.u32 %r2, 1, 0, %p2", lanes(|_| 0)),
        ("vote.sync.uni.pred %p2, %p1, -1;\n\tselp.u32 %r2, 1, 0, %p2", lanes(|_| 0)),
        ("rem.u32 %r3, %r1, 3;\n\tmatch.any.sync.b32 %r2, %r3, -1", lanes(equal)),
        ("match.all.sync.b32 %r2|%p2, 4, -1", lanes(|_| u32::MAX)),
        ("redux.sync.add.s32 %r2, %r1, -1", lanes(|_| 496)),
        ("sub.u32 %r3, %r1, 4;\n\tredux.sync.min.s32 %r2, %r3, -1", lanes(|_| -4i32 as u32)),
    ] {
        let body = format!("\tsetp.lt.u32 %p1, %r1, 10;\n\t{instruction};");
        assert_eq!(run(&per_thread("", &body), 1, 32, 32).unwrap(), expected, "{instruction}");
    }
}

#[test]
fn halves_of_a_warp_may_vote_apart() {
    let body = "
	setp.lt.u32 %p1, %r1, 16;
	selp.b32 %r3, 0xffff, 0xffff0000, %p1;
	setp.eq.u32 %p2, %r1, %r1;
	vote.sync.ballot.b32 %r2, %p2, %r3;";
    assert_eq!(run(&per_thread("", body), 1, 32, 32).unwrap(), lanes(|i| if i < 16 { 0xffff } else { 0xffff_0000 }));
}

#[test]
fn atomics_of_many_blocks_add_up() {
    let body = ".visible .entry k(.param .u64 out)
{
	.reg .b32 %r<3>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [out];
	atom.global.add.u32 %r1, [%rd1], 1;
	red.relaxed.gpu.global.max.u32 [%rd1+4], %r1;
	atom.global.inc.u32 %r2, [%rd1+8], 9;
	ret;
}";
    // Increments that wrap at 9 have a period of ten.
    assert_eq!(run(body, 100, 100, 3).unwrap(), [10_000, 9_999, 0]);
}

#[test]
fn thread_and_block_indices_cover_three_dimensions() {
    let body = ".visible .entry k(.param .u64 out)
{
	.reg .b32 %r<20>;
	.reg .b64 %rd<5>;
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, %tid.y;
	mov.u32 %r3, %tid.z;
	mov.u32 %r4, %ntid.x;
	mov.u32 %r5, %ntid.y;
	mad.lo.u32 %r6, %r3, %r5, %r2;
	mad.lo.u32 %r7, %r6, %r4, %r1;
	mov.u32 %r8, %ctaid.z;
	mov.u32 %r9, %nctaid.y;
	mad.lo.u32 %r10, %r8, %r9, %ctaid.y;
	mad.lo.u32 %r11, %r10, %nctaid.x, %ctaid.x;
	mad.lo.u32 %r12, %r11, 30, %r7;
	ld.param.u64 %rd1, [out];
	mul.wide.u32 %rd2, %r12, 4;
	add.s64 %rd3, %rd1, %rd2;
	st.global.u32 [%rd3], %r12;
	ret;
}";
    assert_eq!(run(body, (2, 3, 2), (5, 3, 2), 360).unwrap(), (0..360).collect::<Vec<_>>());
}

#[test]
fn dynamic_shared_memory_follows_the_static() {
    let device = Simulator::new();
    let declarations = ".extern .shared .align 16 .b8 dynamic[];\n.shared .align 4 .b8 fixed[20];";
    let body = "
	mov.u64 %rd5, fixed;
	mov.u64 %rd6, dynamic;
	sub.s64 %rd7, %rd6, %rd5;
	cvt.u32.u64 %r2, %rd7;
	mov.u32 %r3, %dynamic_smem_size;
	st.shared.u32 [%rd6+60], %r3;
	ld.shared.u32 %r4, [dynamic+60];
	mad.lo.u32 %r2, %r4, 1000, %r2;";
    let kernel = kernel(&device, &per_thread(declarations, body));
    assert_eq!(kernel.static_shared_bytes(), 32);
    let out = buffer_u32(&device, &[0]);
    let config = LaunchConfig { shared_bytes: 64, ..config(1, 1) };
    device.launch(&kernel, &config, &words(&[out])).unwrap();
    assert_eq!(read_u32(&device, out, 1), [64_032]);
}

#[test]
fn generic_addresses_lead_to_every_space() {
    let declarations = ".shared .align 4 .u32 s;\n.global .align 4 .u32 g = 5;\n.const .align 4 .u32 c[2] = {6, 7};";
    let body = "
	.local .align 4 .b8 depot[8];
	mov.b64 %rd4, depot;
	cvta.local.u64 %rd5, %rd4;
	add.u32 %r3, %r1, 40;
	st.u32 [%rd5+4], %r3;
	ld.local.u32 %r4, [depot+4];
	mov.u64 %rd6, s;
	cvta.shared.u64 %rd7, %rd6;
	st.u32 [%rd7], 3;
	ld.shared.u32 %r5, [s];
	ld.u32 %r6, [g];
	ld.const.u32 %r7, [c+4];
	isspacep.shared %p1, %rd7;
	isspacep.local %p2, %rd7;
	selp.u32 %r8, 1000, 0, %p1;
	selp.u32 %r9, 10000, 0, %p2;
	add.u32 %r2, %r4, %r5;
	add.u32 %r2, %r2, %r6;
	add.u32 %r2, %r2, %r7;
	add.u32 %r2, %r2, %r8;
	add.u32 %r2, %r2, %r9;";
    assert_eq!(run(&per_thread(declarations, body), 1, 32, 32).unwrap(), lanes(|i| i + 40 + 3 + 5 + 7 + 1000));
}

#[test]
fn device_memory_is_allocated_and_freed() {
    let declarations = ".extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 p);";
    let body = "
	{ .param .b64 n; .param .b64 r; st.param.b64 [n], 64; call.uni (r), malloc, (n); ld.param.b64 %rd9, [r]; }
	st.u32 [%rd9+60], %r1;
	ld.u32 %r2, [%rd9+60];
	{ .param .b64 p; st.param.b64 [p], %rd9; call.uni free, (p); }";
    assert_eq!(run(&per_thread(declarations, body), 1, 32, 32).unwrap(), lanes(|i| i));
}

#[test]
fn initializers_hold_addresses_and_their_bytes() {
    let device = Simulator::new();
    let module = device
        .load(&common::module(
            ".global .align 8 .u64 table[3] = {generic(word)+4, 9, k};
.global .align 1 .b8 bytes[8] = {0xFF(generic(word)), 0xFF00(generic(word)), 0xFF0000(generic(word)), 0xFF000000(generic(word)), 1, 2};
.global .align 4 .u32 word = 77;
.visible .entry k() { ret; }",
        ))
        .unwrap();
    let (table, size) = module.global("table").unwrap();
    let (word, _) = module.global("word").unwrap();
    assert_eq!(size, 24);
    assert_eq!(common::read_u64(&device, table, 2), [word + 4, 9]);
    let (bytes, _) = module.global("bytes").unwrap();
    assert_eq!(read_u32(&device, bytes, 2), [word as u32, 0x0201]);
    drop(module);
    assert!(device.read(word, &mut [0; 4]).is_err());
}

#[test]
fn results_do_not_depend_on_the_run() {
    let body = "
	mul.lo.u32 %r3, %r1, 0x9e3779b9;
	and.b32 %r4, %r3, 63;
$loop:
	mad.lo.u32 %r2, %r2, 31, %r4;
	sub.u32 %r4, %r4, 1;
	setp.gt.s32 %p1, %r4, 0;
	@%p1 bra $loop;";
    let first = run(&per_thread("", body), 1, 256, 256).unwrap();
    for _ in 0..5 {
        assert_eq!(run(&per_thread("", body), 1, 256, 256).unwrap(), first);
    }
}

#[test]
fn a_spin_lock_of_many_blocks_protects_a_plain_counter() {
    let body = ".visible .entry k(.param .u64 out)
{
	.reg .pred %p<3>;
	.reg .b32 %r<5>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [out];
$again:
	atom.acquire.gpu.global.cas.b32 %r1, [%rd1], 0, 1;
	setp.ne.u32 %p1, %r1, 0;
	@%p1 bra $again;
	ld.global.u32 %r2, [%rd1+4];
	add.u32 %r2, %r2, 1;
	st.global.u32 [%rd1+4], %r2;
	fence.acq_rel.gpu;
	st.release.gpu.global.u32 [%rd1], 0;
	ret;
}";
    assert_eq!(run(body, 40, 48, 2).unwrap(), [0, 40 * 48]);
}

#[test]
fn blocks_may_wait_for_earlier_blocks() {
    // Each block adds its index to the sum of the block before it.
    let body = ".visible .entry k(.param .u64 out)
{
	.reg .pred %p<3>;
	.reg .b32 %r<6>;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd1, [out];
	mov.u32 %r1, %ctaid.x;
	mov.u32 %r3, 0;
	mul.wide.u32 %rd2, %r1, 4;
	add.s64 %rd3, %rd1, %rd2;
	setp.eq.u32 %p1, %r1, 0;
	@%p1 bra $first;
$wait:
	ld.acquire.gpu.global.u32 %r3, [%rd3+-4];
	setp.eq.u32 %p2, %r3, 0;
	@%p2 bra $wait;
$first:
	add.u32 %r4, %r3, %r1;
	max.u32 %r4, %r4, 1;
	st.release.gpu.global.u32 [%rd3], %r4;
	ret;
}";
    let sums = run(body, 200, 1, 200).unwrap();
    assert_eq!((sums[1], sums[2], sums[199]), (2, 4, 199 * 200 / 2 + 1));
}
