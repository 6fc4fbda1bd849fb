//! Values as kernel parameters: each size, alignment and layout arrives byte for byte, between other parameters.

use std::sync::LazyLock;

use threadwise::prelude::*;

/// A value whose bytes can be told without its padding.
trait Bytes: DeviceCopy {
    /// Bytes of all fields.
    const LEN: usize;
    /// A value of bytes that follow from `seed`.
    fn make(seed: u8) -> Self;
    /// Byte `i` of the fields, one after the other; `i` is below `LEN`.
    fn byte(&self, i: usize) -> u8;
}

/// Byte `i` of the value made of `seed`, which need not be one that the type's own bytes have.
fn pattern(seed: u8, i: usize) -> u8 {
    (i as u8).wrapping_mul(31).wrapping_add(seed)
}

macro_rules! numbers {
    ($($t:ident)*) => {$(
        impl Bytes for $t {
            const LEN: usize = size_of::<$t>();
            fn make(seed: u8) -> Self {
                Self::from_ne_bytes(std::array::from_fn(|i| pattern(seed, i)))
            }
            fn byte(&self, i: usize) -> u8 {
                self.to_ne_bytes()[i]
            }
        }
    )*};
}
numbers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64);

impl Bytes for bool {
    const LEN: usize = 1;
    fn make(seed: u8) -> Self {
        seed % 2 == 1
    }
    fn byte(&self, _: usize) -> u8 {
        u8::from(*self)
    }
}

impl Bytes for char {
    const LEN: usize = 4;
    fn make(seed: u8) -> Self {
        char::from_u32(0x1_0000 + u32::from(seed) * 257).unwrap()
    }
    fn byte(&self, i: usize) -> u8 {
        (*self as u32).to_ne_bytes()[i]
    }
}

impl Bytes for () {
    const LEN: usize = 0;
    fn make(_: u8) -> Self {}
    fn byte(&self, _: usize) -> u8 {
        0
    }
}

impl<T: Bytes, const N: usize> Bytes for [T; N] {
    const LEN: usize = N * T::LEN;
    fn make(seed: u8) -> Self {
        std::array::from_fn(|i| T::make(pattern(seed, i)))
    }
    fn byte(&self, i: usize) -> u8 {
        self[i / T::LEN].byte(i % T::LEN)
    }
}

macro_rules! tuples {
    ($(($($t:ident $field:tt),+))*) => {$(
        impl<$($t: Bytes),+> Bytes for ($($t,)+) {
            const LEN: usize = 0 $(+ $t::LEN)+;
            fn make(seed: u8) -> Self {
                ($($t::make(pattern(seed, $field)),)+)
            }
            fn byte(&self, i: usize) -> u8 {
                let mut i = i;
                $(
                    if i < $t::LEN {
                        return self.$field.byte(i);
                    }
                    i -= $t::LEN;
                )+
                i as u8
            }
        }
    )*};
}
tuples!((A 0) (A 0, B 1) (A 0, B 1, C 2) (A 0, B 1, C 2, D 3));

/// `N` bytes in a struct aligned as `A`, behind a field and before another.
#[derive(Clone, Copy, DeviceCopy)]
#[repr(C)]
struct Laid<A, B, const N: usize, C> {
    before: B,
    bytes: [u8; N],
    after: C,
    alignment: [A; 0],
}

impl<A: DeviceCopy, B: Bytes, const N: usize, C: Bytes> Bytes for Laid<A, B, N, C> {
    const LEN: usize = B::LEN + N + C::LEN;
    fn make(seed: u8) -> Self {
        Laid { before: B::make(seed), bytes: Bytes::make(!seed), after: C::make(seed ^ 0x55), alignment: [] }
    }
    fn byte(&self, i: usize) -> u8 {
        match i {
            i if i < B::LEN => self.before.byte(i),
            i if i < B::LEN + N => self.bytes[i - B::LEN],
            i => self.after.byte(i - B::LEN - N),
        }
    }
}

/// Every byte of two values and of what lies around them, a thread each.
#[kernel]
fn echo<T: Bytes>(before: u8, first: T, between: u32, second: T, after: u16, mut out: DisjointSlice<u8>) {
    let at = thread::index_1d();
    let i = at.get();
    let Some(out) = out.get_mut(at) else { return };
    *out = match i {
        i if i < T::LEN => first.byte(i),
        i if i < 2 * T::LEN => second.byte(i - T::LEN),
        i => around(before, between, after)[i - 2 * T::LEN],
    };
}

fn around(before: u8, between: u32, after: u16) -> [u8; 7] {
    let ([b, c, d, e], [f, g]) = (between.to_ne_bytes(), after.to_ne_bytes());
    [before, b, c, d, e, f, g]
}

/// One device for all tests: it takes longer to load the kernels than to run them.
fn gpu() -> &'static Device {
    static GPU: LazyLock<Device> = LazyLock::new(|| Device::simulator().unwrap());
    &GPU
}

/// Launches with two values and compares what the kernel saw with what the host has.
fn check<T: Bytes>(gpu: &Device) {
    let (first, second) = (T::make(7), T::make(200));
    let (before, between, after) = (0xa1, 0xb1b2_b3b4, 0xc1c2);
    let threads = 2 * T::LEN + 7;
    let mut out = gpu.zeros(threads).unwrap();
    echo::<T>(before, first, between, second, after, &mut out).over(threads).launch().unwrap();
    let fields = [first, second].into_iter().flat_map(|value| (0..T::LEN).map(move |i| value.byte(i)));
    let expected: Vec<u8> = fields.chain(around(before, between, after)).collect();
    assert_eq!(out.to_host().unwrap(), expected, "{}", std::any::type_name::<T>());
}

macro_rules! all {
    ($gpu:expr; $($t:ty),* $(,)?) => {
        $(check::<$t>($gpu);)*
    };
}

fn sizes<A: DeviceCopy, B: Bytes, C: Bytes>(gpu: &Device) {
    all!(gpu; Laid<A, B, 1, C>, Laid<A, B, 3, C>, Laid<A, B, 4, C>, Laid<A, B, 8, C>, Laid<A, B, 13, C>);
    all!(gpu; Laid<A, B, 17, C>, Laid<A, B, 65, C>, Laid<A, B, 256, C>);
}

macro_rules! alignments {
    ($($test:ident $marker:ident $bytes:literal;)*) => {$(
        #[derive(Clone, Copy, DeviceCopy)]
        #[repr(align($bytes))]
        struct $marker;

        #[test]
        fn $test() {
                    assert_eq!(align_of::<Laid<$marker, u8, 1, ()>>(), $bytes);
            sizes::<$marker, (), ()>(gpu());
            sizes::<$marker, u8, ()>(gpu());
            sizes::<$marker, u16, u64>(gpu());
            sizes::<$marker, u8, u128>(gpu());
        }
    )*};
}

/// The two layouts above without an alignment that they do not have by themselves.
#[test]
fn structs_of_each_size_arrive() {
    sizes::<(), (), ()>(gpu());
    sizes::<(), u32, f64>(gpu());
}

#[test]
fn numbers_bools_and_characters_arrive() {
    all!(gpu(); u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize, f32, f64, bool, char, ());
}

#[test]
fn arrays_and_tuples_arrive() {
    all!(gpu(); [u8; 3], [u16; 5], [f64; 7], [u128; 2], [[u32; 3]; 3], [(u8, u32); 4], [char; 2], [bool; 9]);
    all!(gpu(); (u8,), (u8, u64), (u64, u8, u16), (bool, char, f32, i128), ((u8, u16), [u32; 2]), (u8, (), u128));
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
enum Shape {
    Point,
    Circle(f32),
    Box { width: u64, height: u8 },
    Named(char, [u16; 3]),
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
#[repr(u8)]
enum Level {
    Low = 3,
    High = 200,
}

/// The values, as they are, and what `match` makes of them.
#[kernel]
fn enums(shape: Shape, level: Level, maybe: Option<u32>, mut out: DisjointSlice<(Shape, Level, Option<u32>, u64)>) {
    let Some(out) = out.get_mut(thread::index_1d()) else { return };
    let seen = match shape {
        Shape::Point => 1,
        Shape::Circle(r) => u64::from(r.to_bits()),
        Shape::Box { width, height } => width + u64::from(height),
        Shape::Named(c, n) => c as u64 + u64::from(n[2]),
    };
    *out = (shape, level, maybe, seen);
}

#[test]
fn enums_arrive() {
    let cases = [
        (Shape::Point, Level::Low, None, 1),
        (Shape::Circle(2.5), Level::High, Some(0), u64::from(2.5f32.to_bits())),
        (Shape::Box { width: 1 << 40, height: 9 }, Level::Low, Some(u32::MAX), (1 << 40) + 9),
        (Shape::Named('\u{1f980}', [1, 2, 3]), Level::High, Some(7), 0x1f983),
    ];
    for case in cases {
        let mut out = gpu().to_device(&[(Shape::Point, Level::Low, None, 0)]).unwrap();
        enums(case.0, case.1, case.2, &mut out).over(1).launch().unwrap();
        assert_eq!(out.to_host().unwrap(), [case]);
    }
}

/// Some elements of nearly as many parameters as there can be.
#[kernel]
fn pick(table: [u32; 8000], behind: u32, mut out: DisjointSlice<u32>) {
    let at = thread::index_1d();
    let i = at.get();
    if let Some(out) = out.get_mut(at) {
        *out = table[i * 250] + behind;
    }
}

#[test]
fn parameters_beyond_4_kib_arrive() {
    all!(gpu(); [u8; 2000], [u64; 260]);
    let table = std::array::from_fn(|i| i as u32 * 3);
    let mut out = gpu().zeros(32).unwrap();
    pick(table, 7, &mut out).over(32).launch().unwrap();
    assert_eq!(out.to_host().unwrap(), std::array::from_fn::<u32, 32, _>(|t| table[t * 250] + 7));
    let module = threadwise::MODULES.iter().find(|module| module.krate == "parameters").unwrap();
    assert!(module.images.iter().all(|image| image.ptx.contains(".version 8.1")));
}

alignments! {
    alignment_2 A2 2;
    alignment_4 A4 4;
    alignment_8 A8 8;
    alignment_16 A16 16;
    alignment_32 A32 32;
    alignment_64 A64 64;
    alignment_128 A128 128;
    alignment_256 A256 256;
}
