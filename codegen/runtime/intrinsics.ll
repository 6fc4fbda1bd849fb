; Bodies of the functions that `device/src/intrinsics.rs` declares and of what the runtime needs: one line each where one does.
; Instructions after the PTX ISA; intrinsics after LLVM's NVPTXUsage.
target triple = "nvptx64-nvidia-cuda"

; Special registers
define i32 @__threadwise_tid_x() alwaysinline { %v = call i32 @llvm.nvvm.read.ptx.sreg.tid.x() ret i32 %v }
define i32 @__threadwise_tid_y() alwaysinline { %v = call i32 @llvm.nvvm.read.ptx.sreg.tid.y() ret i32 %v }
define i32 @__threadwise_tid_z() alwaysinline { %v = call i32 @llvm.nvvm.read.ptx.sreg.tid.z() ret i32 %v }
define i32 @__threadwise_ctaid_x() alwaysinline { %v = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() ret i32 %v }
define i32 @__threadwise_ctaid_y() alwaysinline { %v = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() ret i32 %v }
define i32 @__threadwise_ctaid_z() alwaysinline { %v = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z() ret i32 %v }
define i32 @__threadwise_ntid_x() alwaysinline { %v = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x() ret i32 %v }
define i32 @__threadwise_ntid_y() alwaysinline { %v = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y() ret i32 %v }
define i32 @__threadwise_ntid_z() alwaysinline { %v = call i32 @llvm.nvvm.read.ptx.sreg.ntid.z() ret i32 %v }
define i32 @__threadwise_nctaid_x() alwaysinline { %v = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() ret i32 %v }
define i32 @__threadwise_nctaid_y() alwaysinline { %v = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y() ret i32 %v }
define i32 @__threadwise_nctaid_z() alwaysinline { %v = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.z() ret i32 %v }
define i32 @__threadwise_laneid() alwaysinline { %v = call i32 @llvm.nvvm.read.ptx.sreg.laneid() ret i32 %v }
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()

; Barriers and fences
define void @__threadwise_barrier() alwaysinline convergent { call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0) ret void }
define i32 @__threadwise_barrier_count(i1 %p) alwaysinline convergent { %r = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 %p) ret i32 %r }
define void @__threadwise_syncwarp(i32 %mask) alwaysinline convergent { call void @llvm.nvvm.bar.warp.sync(i32 %mask) ret void }
define void @__threadwise_fence_block() alwaysinline { fence syncscope("block") seq_cst ret void }
define void @__threadwise_fence_device() alwaysinline { fence syncscope("device") seq_cst ret void }
define void @__threadwise_fence_system() alwaysinline { fence seq_cst ret void }
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) convergent
declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32, i1) convergent
declare void @llvm.nvvm.bar.warp.sync(i32) convergent

; Warp
define i32 @__threadwise_shuffle_idx(i32 %mask, i32 %v, i32 %lane) alwaysinline convergent { %r = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %mask, i32 %v, i32 %lane, i32 31) ret i32 %r }
define i32 @__threadwise_shuffle_up(i32 %mask, i32 %v, i32 %delta) alwaysinline convergent { %r = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 %mask, i32 %v, i32 %delta, i32 0) ret i32 %r }
define i32 @__threadwise_shuffle_down(i32 %mask, i32 %v, i32 %delta) alwaysinline convergent { %r = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %v, i32 %delta, i32 31) ret i32 %r }
define i32 @__threadwise_shuffle_xor(i32 %mask, i32 %v, i32 %lanes) alwaysinline convergent { %r = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 %mask, i32 %v, i32 %lanes, i32 31) ret i32 %r }
define i32 @__threadwise_ballot(i32 %mask, i1 %p) alwaysinline convergent { %r = call i32 @llvm.nvvm.vote.ballot.sync(i32 %mask, i1 %p) ret i32 %r }
define i32 @__threadwise_activemask() alwaysinline convergent { %r = call i32 @llvm.nvvm.activemask() ret i32 %r }
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32) convergent
declare i32 @llvm.nvvm.shfl.sync.up.i32(i32, i32, i32, i32) convergent
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32) convergent
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32) convergent
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1) convergent
declare i32 @llvm.nvvm.activemask() convergent

; Shared memory
@__threadwise_dynamic = external addrspace(3) global [0 x i8], align 16
define ptr @__threadwise_dynamic_shared() alwaysinline { ret ptr addrspacecast (ptr addrspace(3) @__threadwise_dynamic to ptr) }
; Two words in which the threads of a block find out about each other, in assertions
@__threadwise_meeting_place = internal addrspace(3) global [2 x i64] undef, align 8
define ptr @__threadwise_meeting() alwaysinline { ret ptr addrspacecast (ptr addrspace(3) @__threadwise_meeting_place to ptr) }
define i32 @__threadwise_dynamic_shared_bytes() alwaysinline { %v = call i32 asm "mov.u32 $0, %dynamic_smem_size;", "=r"() ret i32 %v }

; Atomics
define i32 @__threadwise_atomic_add_u32(ptr %cell, i32 %value) alwaysinline { %old = atomicrmw add ptr %cell, i32 %value syncscope("device") monotonic ret i32 %old }
define i64 @__threadwise_atomic_add_u64(ptr %cell, i64 %value) alwaysinline { %old = atomicrmw add ptr %cell, i64 %value syncscope("device") monotonic ret i64 %old }
define i32 @__threadwise_atomic_and_u32(ptr %cell, i32 %value) alwaysinline { %old = atomicrmw and ptr %cell, i32 %value syncscope("device") monotonic ret i32 %old }
define i64 @__threadwise_atomic_and_u64(ptr %cell, i64 %value) alwaysinline { %old = atomicrmw and ptr %cell, i64 %value syncscope("device") monotonic ret i64 %old }
define i32 @__threadwise_atomic_or_u32(ptr %cell, i32 %value) alwaysinline { %old = atomicrmw or ptr %cell, i32 %value syncscope("device") monotonic ret i32 %old }
define i64 @__threadwise_atomic_or_u64(ptr %cell, i64 %value) alwaysinline { %old = atomicrmw or ptr %cell, i64 %value syncscope("device") monotonic ret i64 %old }
define i32 @__threadwise_atomic_xor_u32(ptr %cell, i32 %value) alwaysinline { %old = atomicrmw xor ptr %cell, i32 %value syncscope("device") monotonic ret i32 %old }
define i64 @__threadwise_atomic_xor_u64(ptr %cell, i64 %value) alwaysinline { %old = atomicrmw xor ptr %cell, i64 %value syncscope("device") monotonic ret i64 %old }
define i32 @__threadwise_atomic_min_u32(ptr %cell, i32 %value) alwaysinline { %old = atomicrmw umin ptr %cell, i32 %value syncscope("device") monotonic ret i32 %old }
define i64 @__threadwise_atomic_min_u64(ptr %cell, i64 %value) alwaysinline { %old = atomicrmw umin ptr %cell, i64 %value syncscope("device") monotonic ret i64 %old }
define i32 @__threadwise_atomic_max_u32(ptr %cell, i32 %value) alwaysinline { %old = atomicrmw umax ptr %cell, i32 %value syncscope("device") monotonic ret i32 %old }
define i64 @__threadwise_atomic_max_u64(ptr %cell, i64 %value) alwaysinline { %old = atomicrmw umax ptr %cell, i64 %value syncscope("device") monotonic ret i64 %old }
define i32 @__threadwise_atomic_min_i32(ptr %cell, i32 %value) alwaysinline { %old = atomicrmw min ptr %cell, i32 %value syncscope("device") monotonic ret i32 %old }
define i32 @__threadwise_atomic_max_i32(ptr %cell, i32 %value) alwaysinline { %old = atomicrmw max ptr %cell, i32 %value syncscope("device") monotonic ret i32 %old }
define i32 @__threadwise_atomic_swap_u32(ptr %cell, i32 %value) alwaysinline { %old = atomicrmw xchg ptr %cell, i32 %value syncscope("device") monotonic ret i32 %old }
define i64 @__threadwise_atomic_swap_u64(ptr %cell, i64 %value) alwaysinline { %old = atomicrmw xchg ptr %cell, i64 %value syncscope("device") monotonic ret i64 %old }
define float @__threadwise_atomic_add_f32(ptr %cell, float %value) alwaysinline { %old = atomicrmw fadd ptr %cell, float %value syncscope("device") monotonic ret float %old }
define double @__threadwise_atomic_add_f64(ptr %cell, double %value) alwaysinline { %old = atomicrmw fadd ptr %cell, double %value syncscope("device") monotonic ret double %old }
define i32 @__threadwise_atomic_load_u32(ptr %cell) alwaysinline { %v = load atomic i32, ptr %cell syncscope("device") monotonic, align 4 ret i32 %v }
define void @__threadwise_atomic_store_u32(ptr %cell, i32 %value) alwaysinline { store atomic i32 %value, ptr %cell syncscope("device") monotonic, align 4 ret void }
define i32 @__threadwise_atomic_cas_u32(ptr %cell, i32 %expected, i32 %new) alwaysinline { %r = cmpxchg ptr %cell, i32 %expected, i32 %new syncscope("device") monotonic monotonic %old = extractvalue { i32, i1 } %r, 0 ret i32 %old }
define i64 @__threadwise_atomic_load_u64(ptr %cell) alwaysinline { %v = load atomic i64, ptr %cell syncscope("device") monotonic, align 8 ret i64 %v }
define void @__threadwise_atomic_store_u64(ptr %cell, i64 %value) alwaysinline { store atomic i64 %value, ptr %cell syncscope("device") monotonic, align 8 ret void }
define i64 @__threadwise_atomic_cas_u64(ptr %cell, i64 %expected, i64 %new) alwaysinline { %r = cmpxchg ptr %cell, i64 %expected, i64 %new syncscope("device") monotonic monotonic %old = extractvalue { i64, i1 } %r, 0 ret i64 %old }

; Arithmetic of the math runtime
define float @__threadwise_sqrt_f32(float %x) alwaysinline { %r = call float @llvm.sqrt.f32(float %x) ret float %r }
define double @__threadwise_sqrt_f64(double %x) alwaysinline { %r = call double @llvm.sqrt.f64(double %x) ret double %r }
define float @__threadwise_fma_f32(float %a, float %b, float %c) alwaysinline { %r = call float @llvm.fma.f32(float %a, float %b, float %c) ret float %r }
define double @__threadwise_fma_f64(double %a, double %b, double %c) alwaysinline { %r = call double @llvm.fma.f64(double %a, double %b, double %c) ret double %r }
declare float @llvm.sqrt.f32(float)
declare double @llvm.sqrt.f64(double)
declare float @llvm.fma.f32(float, float, float)
declare double @llvm.fma.f64(double, double, double)

; Panics: the record's address is stored by the host when it loads the module
@__threadwise_panic_record = addrspace(1) externally_initialized global ptr null, align 8
define ptr @__threadwise_record() alwaysinline { %r = load ptr, ptr addrspace(1) @__threadwise_panic_record, align 8 ret ptr %r }
define i1 @__threadwise_claim(ptr %state) alwaysinline { %r = cmpxchg ptr %state, i32 0, i32 1 seq_cst monotonic %won = extractvalue { i32, i1 } %r, 1 ret i1 %won }
define void @__threadwise_publish(ptr %state) alwaysinline { fence seq_cst store atomic i32 2, ptr %state release, align 4 ret void }
define i32 @__threadwise_take(ptr %next) alwaysinline { %r = atomicrmw add ptr %next, i32 1 monotonic ret i32 %r }
define void @__threadwise_count(ptr %count, i32 %n) alwaysinline { %r = atomicrmw add ptr %count, i32 %n monotonic ret void }
define void @__threadwise_exit() alwaysinline noreturn { call void @llvm.nvvm.exit() unreachable }
declare void @llvm.nvvm.exit() noreturn

define void @__threadwise_no_alloc_shim() alwaysinline { ret void }
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare i64 @llvm.umin.i64(i64, i64)

; What C libraries provide on the host
define ptr @memcpy(ptr %to, ptr %from, i64 %n) { call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %n, i1 false) ret ptr %to }
define ptr @memmove(ptr %to, ptr %from, i64 %n) { call void @llvm.memmove.p0.p0.i64(ptr %to, ptr %from, i64 %n, i1 false) ret ptr %to }
define ptr @memset(ptr %to, i32 %byte, i64 %n) { %b = trunc i32 %byte to i8 call void @llvm.memset.p0.i64(ptr %to, i8 %b, i64 %n, i1 false) ret ptr %to }
define i32 @bcmp(ptr %a, ptr %b, i64 %n) { %r = call i32 @memcmp(ptr %a, ptr %b, i64 %n) ret i32 %r }
define i32 @memcmp(ptr %a, ptr %b, i64 %n) {
start:
  %empty = icmp eq i64 %n, 0
  br i1 %empty, label %equal, label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %next, %same ]
  %pa = getelementptr i8, ptr %a, i64 %i
  %pb = getelementptr i8, ptr %b, i64 %i
  %x = load i8, ptr %pa
  %y = load i8, ptr %pb
  %same_byte = icmp eq i8 %x, %y
  br i1 %same_byte, label %same, label %differ
same:
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %equal, label %loop
equal:
  ret i32 0
differ:
  %wx = zext i8 %x to i32
  %wy = zext i8 %y to i32
  %difference = sub i32 %wx, %wy
  ret i32 %difference
}
