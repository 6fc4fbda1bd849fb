//! Pieces of core and alloc in kernels, each against the same function on the host. Runs on the GPU where there is one.
//!
//! Collections are of `i16`: instances for commoner types are in this crate's dependencies, from where lowering cannot take them yet.

use threadwise::prelude::*;

/// A kernel and its test: thread `i` computes `f(i)`, and so does the host.
macro_rules! cases {
    ($($name:ident -> $out:ty: |$i:ident| $body:expr;)*) => {$(
        mod $name {
            use super::*;

            fn f($i: usize) -> $out {
                $body
            }

            #[kernel(fma = false)]
            fn run(mut out: DisjointSlice<$out>) {
                let at = thread::index_1d();
                if let Some(out) = out.get_mut(at) {
                    *out = f(at.get());
                }
            }

            #[test]
            fn equals_the_host() {
                let device = Device::new().unwrap();
                let mut out = device.to_device(&[<$out>::default(); 100]).unwrap();
                run(&mut out).over(100).launch().unwrap();
                let got = out.to_host().unwrap();
                for i in 0..100 {
                    assert_eq!(got[i], f(i), "thread {i}");
                }
            }
        }
    )*};
}

/// Values with all bits in use, and the ends of the range.
fn wide(i: usize) -> u128 {
    match i {
        0 => 1,
        1 => u128::MAX,
        2 => 1 << 127,
        _ => (i as u128).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835) >> (i % 120),
    }
}

cases! {
    wide_division -> [u128; 2]: |i| {
        let (n, d) = (wide(i), wide((i * 7 + 3) % 100).max(1));
        [n / d, n % d]
    };
    wide_division_by_small -> [u128; 2]: |i| [wide(i) / 7, wide(i) % 1_000_003];
    wide_signed_division -> [i128; 2]: |i| {
        let (n, d) = (wide(i) as i128, wide((i * 13 + 5) % 100) as i128 | 1);
        [n.wrapping_div(d), n.wrapping_rem(d)]
    };
    wide_to_float -> [u64; 4]: |i| {
        let n = wide(i);
        [(n as f64).to_bits(), (n as i128 as f64).to_bits(), u64::from((n as f32).to_bits()), u64::from((n as i128 as f32).to_bits())]
    };
    wide_from_float -> [u128; 4]: |i| {
        let x = (wide(i) as f64) * 1.5 - 1e38;
        [x as u128, x as i128 as u128, x as f32 as u128, x as f32 as i128 as u128]
    };
    wide_from_special_float -> [u128; 2]: |i| {
        let x = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 0.99, -1.99, 1e300][i % 7];
        [x as u128, x as i128 as u128]
    };
    addresses_by_condition -> u64: |i| {
        let x = [0u64, 10, 20, 30, 40, 50, 60, 25];
        let i = std::hint::black_box(i % 8);
        let less = x[7] < x[i];
        // As branchless merges step: `!less` is a step too.
        x[3 - usize::from(less)] * 1000 + x[7 - usize::from(!less)]
    };
    sort_wide -> [u64; 24]: |i| {
        let mut v: [u64; 24] = std::array::from_fn(|k| (k as u64 * 37 + i as u64 * 11) % 41);
        v.sort_unstable();
        v
    };
    swap -> [u32; 4]: |i| {
        let mut v = [i as u32, 2, 3, 4];
        v.swap(0, i % 4);
        v
    };
    copy_from_slice -> [u32; 6]: |i| {
        let mut v = [9; 6];
        v[i % 3..i % 3 + 3].copy_from_slice(&[i as u32, 2, 3]);
        v
    };
    rotate -> [u32; 7]: |i| {
        let mut v = [1, 2, 3, 4, 5, 6, 7];
        v.rotate_left(i % 7);
        v
    };
    sort -> [i16; 16]: |i| {
        let mut v: [i16; 16] = std::array::from_fn(|k| (k as i16 + 3) * (i as i16 + 7) % 23);
        v.sort();
        v
    };
    sort_unstable_by -> [i32; 32]: |i| {
        let mut v: [i32; 32] = std::array::from_fn(|k| (k as i32 * 37 + i as i32 * 11) % 41 - 20);
        v.sort_unstable_by(|a, b| b.cmp(a));
        v
    };
    vectors -> i16: |i| {
        let mut v = vec![i as i16; 4];
        v.push(7);
        v.extend([1, 2, 3]);
        v.retain(|x| x % 2 == 1);
        v.iter().sum()
    };
    strings -> u32: |i| {
        let mut s = String::from("thread ");
        s.push_str(&i.to_string());
        s += &format!(" of {:>5}", i * 3);
        s.bytes().fold(0u32, |h, b| h.wrapping_mul(31).wrapping_add(u32::from(b)))
    };
    boxes -> i64: |i| {
        let f: Box<dyn Fn(i64) -> i64> = if i.is_multiple_of(2) { Box::new(move |x| x + i as i64) } else { Box::new(|x| -x) };
        f(100)
    };
    maps -> u32: |i| {
        let mut map = std::collections::BTreeMap::new();
        for k in 0..20i16 {
            map.insert((k * 7 + i as i16) % 11, k);
        }
        map.iter().fold(0u32, |sum, (&k, &v)| sum.wrapping_mul(3).wrapping_add((k * v) as u32))
    };
    text -> u32: |i| {
        let words = ["alpha", "beta", "gamma"];
        match words[i % 3] {
            "alpha" => 1,
            w if w.contains("mm") => 2,
            w => w.chars().rev().filter(|c| c.is_alphabetic()).count() as u32 + 10,
        }
    };
    checked -> [i32; 4]: |i| {
        let (a, b) = (i32::MAX - i as i32, i as i32 * 2);
        [a.wrapping_add(b), a.saturating_add(b), a.checked_add(b).unwrap_or(-1), a.overflowing_add(b).1 as i32]
    };
    bits -> [u32; 6]: |i| {
        let x = wide(i);
        [
            x.count_ones(),
            x.leading_zeros(),
            (x as u64).trailing_zeros(),
            (x as u16).rotate_left(i as u32 % 16).into(),
            (x as u32).swap_bytes(),
            (x as u8).reverse_bits().into(),
        ]
    };
    recursion -> u64: |i| {
        fn ackermann(m: u64, n: u64) -> u64 {
            match (m, n) {
                (0, n) => n + 1,
                (m, 0) => ackermann(m - 1, 1),
                (m, n) => ackermann(m - 1, ackermann(m, n - 1)),
            }
        }
        ackermann(2, i as u64 % 4)
    };
}
