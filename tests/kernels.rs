//! Kernels whose results the host knows. Runs on the GPU where there is one.

use threadwise::prelude::*;

#[kernel]
fn where_am_i(mut out: DisjointSlice<[u32; 8]>) {
    let at = thread::index_1d();
    if let Some(out) = out.get_mut(at) {
        *out = [
            thread::thread_idx_x(),
            thread::block_idx_x(),
            thread::block_dim_x(),
            thread::grid_dim_x(),
            thread::thread_idx_y() + thread::block_idx_z(),
            thread::block_dim_y(),
            thread::grid_dim_z(),
            warp::lane(),
        ];
    }
}

#[test]
fn indices_and_extents_are_those_of_the_launch() {
    let device = Device::new().unwrap();
    let mut out = device.zeros::<[u32; 8]>(7 * 96).unwrap();
    where_am_i(&mut out).grid(7).block(96).launch().unwrap();
    for (i, &got) in out.to_host().unwrap().iter().enumerate() {
        let (thread, block) = (i as u32 % 96, i as u32 / 96);
        assert_eq!(got, [thread, block, 96, 7, 0, 1, 1, thread % 32]);
    }
}

#[kernel]
fn product_3d(mut out: DisjointSlice3D<u32>) {
    let at = thread::index_3d();
    if let Some(out) = out.get_mut(at) {
        *out = ((at.plane() + 1) * (at.row() + 1) * (at.col() + 1)) as u32;
    }
}

#[test]
fn three_dimensions_run_plane_row_column() {
    let device = Device::new().unwrap();
    let mut out = device.zeros_3d::<u32>(4, 5, 6).unwrap();
    product_3d(&mut out).over((4, 5, 6)).launch().unwrap();
    let got = out.to_host().unwrap();
    for (k, &v) in got.iter().enumerate() {
        assert_eq!(v as usize, (k / 30 + 1) * (k / 6 % 5 + 1) * (k % 6 + 1));
    }
}

#[kernel]
fn reverse_in_block(x: &[u32], mut out: DisjointSlice<u32>) {
    let at = thread::index_1d();
    let slots = shared!([u32; 256]).write(x[at.get()]).sync();
    let mirrored = slots[255 - thread::thread_idx_x() as usize];
    if let Some(out) = out.get_mut(at) {
        *out = mirrored;
    }
}

#[test]
fn shared_memory_is_seen_by_the_whole_block_behind_the_barrier() {
    let device = Device::new().unwrap();
    let x: Vec<u32> = (0..1024).collect();
    let x_device = device.to_device(&x).unwrap();
    let mut out = device.zeros::<u32>(1024).unwrap();
    reverse_in_block(&x_device, &mut out).grid(4).block(256).launch().unwrap();
    let want: Vec<u32> = x.chunks(256).flat_map(|c| c.iter().rev().copied()).collect();
    assert_eq!(out.to_host().unwrap(), want);
}

#[kernel]
fn dynamic(mut out: DisjointSlice<u32>) {
    let at = thread::index_1d();
    let slots = DynamicShared::<u32>::new().fill_with(|i| 3 * i as u32).sync();
    let sum = slots.iter().sum::<u32>() + slots.len() as u32;
    if let Some(out) = out.get_mut(at) {
        *out = sum;
    }
}

#[test]
fn dynamic_shared_memory_has_the_size_of_the_launch() {
    let device = Device::new().unwrap();
    let mut out = device.zeros::<u32>(64).unwrap();
    dynamic(&mut out).grid(1).block(64).shared_bytes(400).launch().unwrap();
    assert_eq!(out.to_host().unwrap(), vec![3 * (0..100).sum::<u32>() + 100; 64]);
}

#[kernel]
fn shuffles(mut out: DisjointSlice<[u32; 6]>) {
    let at = thread::index_1d();
    let lane = warp::lane();
    let float = warp::shuffle_down(lane as f32 * 0.5, 1);
    if let Some(out) = out.get_mut(at) {
        *out = [0; 6];
    }
    let got = [
        warp::shuffle_idx(lane * 10, 5),
        warp::shuffle_up(lane, 2),
        warp::shuffle_down(lane, 3),
        warp::shuffle_xor(lane, 7),
        float.to_bits(),
        warp::ballot(lane.is_multiple_of(3)),
    ];
    if let Some(out) = out.get_mut(at) {
        *out = got;
    }
}

#[test]
fn shuffles_and_votes_cross_the_warp() {
    let device = Device::new().unwrap();
    let mut out = device.zeros::<[u32; 6]>(64).unwrap();
    shuffles(&mut out).grid(1).block(64).launch().unwrap();
    let ballot = (0..32).filter(|l| l % 3 == 0).fold(0u32, |m, l| m | 1 << l);
    for (i, &got) in out.to_host().unwrap().iter().enumerate() {
        let lane = i as u32 % 32;
        let up = if lane < 2 { lane } else { lane - 2 };
        let down = if lane + 3 > 31 { lane } else { lane + 3 };
        let float = if lane == 31 { 15.5 } else { (lane + 1) as f32 * 0.5 };
        assert_eq!(got, [50, up, down, lane ^ 7, float.to_bits(), ballot]);
    }
}

#[kernel]
fn warp_sums(mut out: DisjointSlice<(i32, f64, u64)>) {
    let at = thread::index_1d();
    let lane = warp::lane();
    let sums = (warp::sum(lane as i32 - 16), warp::sum(f64::from(lane) * 0.25), warp::reduce(u64::from(lane) << 33, u64::max));
    if let Some(out) = out.get_mut(at) {
        *out = sums;
    }
}

#[test]
fn reductions_give_every_lane_the_total() {
    let device = Device::new().unwrap();
    let mut out = device.zeros::<(i32, f64, u64)>(32).unwrap();
    warp_sums(&mut out).grid(1).block(32).launch().unwrap();
    assert_eq!(out.to_host().unwrap(), vec![(-16, 124.0, 31 << 33); 32]);
}

#[kernel]
fn add_up(count: &[AtomicU32], sum: &[AtomicF32], least: &[AtomicI32], wide: &[AtomicU64]) {
    let i = thread::index_1d().get();
    count[i % count.len()].fetch_add(1, Relaxed);
    sum[0].fetch_add(0.5, Relaxed);
    least[0].fetch_min(7 - i as i32, Relaxed);
    wide[0].fetch_max(i as u64 * 1_000_000_007, Relaxed);
}

#[test]
fn atomics_lose_nothing() {
    let device = Device::new().unwrap();
    let mut count = device.zeros::<u32>(10).unwrap();
    let mut sum = device.zeros::<f32>(1).unwrap();
    let mut least = device.zeros::<i32>(1).unwrap();
    let mut wide = device.zeros::<u64>(1).unwrap();
    add_up(&mut count, &mut sum, &mut least, &mut wide).grid(40).block(250).launch().unwrap();
    assert_eq!(count.to_host().unwrap(), vec![1000; 10]);
    assert_eq!(sum.to_host().unwrap(), [5000.0]);
    assert_eq!(least.to_host().unwrap(), [7 - 9999]);
    assert_eq!(wide.to_host().unwrap(), [9999 * 1_000_000_007]);
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
struct Shape {
    scale: f64,
    kind: Kind,
    offset: (i16, u8),
    weights: [f32; 3],
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
enum Kind {
    Linear,
    Power { exponent: i32 },
}

trait Apply {
    fn apply(&self, x: f64) -> f64;
}

impl Apply for Shape {
    fn apply(&self, x: f64) -> f64 {
        let x = x * self.scale + f64::from(self.offset.0) - f64::from(self.offset.1);
        let y = match self.kind {
            Kind::Linear => x,
            Kind::Power { exponent } => x.powi(exponent),
        };
        self.weights.iter().fold(y, |y, &w| y + f64::from(w))
    }
}

fn generic<A: Apply>(apply: &A, x: f64) -> f64 {
    apply.apply(x)
}

#[kernel(fma = false)]
fn shapes(shape: Shape, flag: bool, letter: char, big: u128, mut out: DisjointSlice<(f64, u32, u128)>) {
    let at = thread::index_1d();
    if let Some(out) = out.get_mut(at) {
        let x = generic(&shape, at.get() as f64);
        *out = (if flag { x } else { -x }, letter as u32, big / 3);
    }
}

#[test]
fn values_of_any_layout_arrive_whole() {
    let device = Device::new().unwrap();
    for kind in [Kind::Linear, Kind::Power { exponent: 3 }] {
        let shape = Shape { scale: 1.5, kind, offset: (-300, 200), weights: [0.5, 0.25, -2.0] };
        let mut out = device.zeros::<(f64, u32, u128)>(40).unwrap();
        shapes(shape, true, 'ß', u128::MAX - 5, &mut out).over(40).launch().unwrap();
        for (i, &got) in out.to_host().unwrap().iter().enumerate() {
            assert_eq!(got, (shape.apply(i as f64), 'ß' as u32, (u128::MAX - 5) / 3), "{kind:?} {i}");
        }
    }
}

/// Reads and writes through addresses.
///
/// # Safety
/// `from` and `to` must be valid for `n` elements.
#[kernel]
unsafe fn copy_raw(from: *const u16, to: *mut u16, n: usize) {
    let i = thread::index_1d().get();
    if i < n {
        // SAFETY: the caller's promise; each thread has its own element.
        let from = unsafe { from.add(i) };
        // SAFETY: as above.
        let to = unsafe { to.add(i) };
        // SAFETY: as above.
        let value = unsafe { *from };
        // SAFETY: as above.
        unsafe { to.write(value.wrapping_mul(3)) };
    }
}

#[test]
fn raw_pointers_work_in_unsafe_kernels() {
    let device = Device::new().unwrap();
    let from = device.to_device(&(0..500u16).collect::<Vec<_>>()).unwrap();
    let to = device.zeros::<u16>(500).unwrap();
    // SAFETY: both buffers have 500 elements.
    let launch = unsafe { copy_raw(from.as_pointer(), to.as_pointer(), 500) };
    launch.grid(2).block(256).on(&device.default_stream()).launch().unwrap();
    assert_eq!(to.to_host().unwrap(), (0..500).map(|v| v * 3).collect::<Vec<u16>>());
}

#[kernel]
fn nothing() {}

#[test]
fn kernel_without_parameters_runs_over_any_dimensions() {
    let device = Device::new().unwrap();
    let stream = device.default_stream();
    nothing().over(10).on(&stream).launch().unwrap();
    nothing().over((3, 70)).on(&stream).launch().unwrap();
    nothing().over((2, 3, 4)).on(&stream).launch().unwrap();
    device.synchronize().unwrap();
}

#[kernel]
fn wide_lines(x: &[u8], mut out: DisjointSlice2D<u8>) {
    let at = thread::index_2d();
    if let Some(out) = out.get_mut(at) {
        *out = x[at.row()].wrapping_add(at.col() as u8);
    }
}

#[test]
fn extents_that_no_block_divides_are_covered_exactly() {
    let device = Device::new().unwrap();
    for (rows, cols) in [(1, 1), (1, 1000), (33, 31), (257, 3)] {
        let x = device.to_device(&(0..rows).map(|r| r as u8).collect::<Vec<_>>()).unwrap();
        let mut out = device.zeros_2d::<u8>(rows, cols).unwrap();
        wide_lines(&x, &mut out).over((rows, cols)).launch().unwrap();
        let got = out.to_host().unwrap();
        assert!(got.iter().enumerate().all(|(k, &v)| v == ((k / cols) as u8).wrapping_add((k % cols) as u8)));
    }
}

#[test]
fn empty_buffers_and_extents_are_no_error() {
    let device = Device::new().unwrap();
    let x = device.to_device::<u8>(&[]).unwrap();
    let mut out = device.zeros_2d::<u8>(0, 5).unwrap();
    wide_lines(&x, &mut out).over((0, 5)).launch().unwrap();
    assert!(out.to_host().unwrap().is_empty());
}

#[kernel]
fn count_words(text: &[u8], mut out: DisjointSlice<u32>) {
    let at = thread::index_1d();
    if let Some(out) = out.get_mut(at) {
        let part = &text[at.get() * 16..][..16];
        let text = core::str::from_utf8(part).unwrap_or("");
        *out = text.split_whitespace().filter_map(|w| w.parse::<u32>().ok()).sum();
    }
}

#[test]
fn strings_of_core_work_in_kernels() {
    let device = Device::new().unwrap();
    let lines = ["12 30 x 8       ", "  7 7           ", "none here       ", "4000000000      "];
    let text = device.to_device(lines.concat().as_bytes()).unwrap();
    let mut out = device.zeros::<u32>(4).unwrap();
    count_words(&text, &mut out).over(4).launch().unwrap();
    assert_eq!(out.to_host().unwrap(), [50, 14, 0, 4_000_000_000]);
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy, threadwise::Pod)]
#[repr(C, align(16))]
struct Pair {
    weight: f64,
    count: u16,
}

#[kernel]
fn neighbours(x: &[Pair], mut out: DisjointSlice<Pair>) {
    let at = thread::index_1d();
    let slots = shared!([Pair; 64]).write(x[at.get()]).sync();
    let next = slots[(at.get() + 1) % 64];
    if let Some(out) = out.get_mut(at) {
        *out = next;
    }
}

#[test]
fn shared_memory_holds_structs() {
    let device = Device::new().unwrap();
    let x: Vec<Pair> = (0..64).map(|i| Pair { weight: f64::from(i) * 0.5, count: i as u16 }).collect();
    let x_device = device.to_device(&x).unwrap();
    let mut out = device.zeros::<Pair>(64).unwrap();
    neighbours(&x_device, &mut out).grid(1).block(64).launch().unwrap();
    let want: Vec<Pair> = (0..64).map(|i| x[(i + 1) % 64]).collect();
    assert_eq!(out.to_host().unwrap(), want);
}
