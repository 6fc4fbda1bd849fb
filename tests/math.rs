//! Float methods in kernels, against the host's. Runs on the GPU where there is one. The accuracy itself is measured in
//! `codegen/tests/math_accuracy.rs`; here it is that each method reaches its function, on the device, over a sampled range.

use threadwise::prelude::*;

macro_rules! methods {
    ($count:literal: $($index:literal $name:literal |$x:ident| $call:expr;)*) => {
        const NAMES: [&str; $count] = [$($name),*];

        #[kernel(fma = false)]
        fn all_f32(x: &[f32], mut out: DisjointSlice<[f32; $count]>) {
            let at = thread::index_1d();
            if let Some(out) = out.get_mut(at) {
                let x = x[at.get()];
                $(out[$index] = { let $x = x; $call };)*
            }
        }

        #[kernel(fma = false)]
        fn all_f64(x: &[f64], mut out: DisjointSlice<[f64; $count]>) {
            let at = thread::index_1d();
            if let Some(out) = out.get_mut(at) {
                let x = x[at.get()];
                $(out[$index] = { let $x = x; $call };)*
            }
        }

        /// The same on the host.
        fn host(x: f64) -> [f64; $count] {
            let mut out = [0.0; $count];
            $(out[$index] = { let $x = x; $call };)*
            out
        }
    };
}

methods! { 31:
    0 "exp" |x| x.exp();
    1 "exp2" |x| x.exp2();
    2 "exp_m1" |x| x.exp_m1();
    3 "ln" |x| x.abs().ln();
    4 "log2" |x| x.abs().log2();
    5 "log10" |x| x.abs().log10();
    6 "ln_1p" |x| x.abs().ln_1p();
    7 "sin" |x| x.sin();
    8 "cos" |x| x.cos();
    9 "tan" |x| x.tan();
    10 "asin" |x| x.asin();
    11 "acos" |x| x.acos();
    12 "atan" |x| x.atan();
    13 "atan2" |x| x.atan2(0.75);
    14 "sinh" |x| x.sinh();
    15 "cosh" |x| x.cosh();
    16 "tanh" |x| x.tanh();
    17 "asinh" |x| x.asinh();
    18 "powf" |x| x.abs().powf(1.5);
    19 "powi" |x| x.powi(3);
    20 "sqrt" |x| x.abs().sqrt();
    21 "cbrt" |x| x.cbrt();
    22 "hypot" |x| x.hypot(0.75);
    23 "rem" |x| x % 0.75;
    24 "floor" |x| x.floor();
    25 "ceil" |x| x.ceil();
    26 "round" |x| x.round();
    27 "round_ties_even" |x| x.round_ties_even();
    28 "trunc" |x| x.trunc();
    29 "mul_add" |x| x.mul_add(0.5, 0.25);
    30 "min_max" |x| x.min(0.5) + x.max(-0.5);
}

fn ulp_f32(x: f64) -> f64 {
    let x = (x.abs() as f32).clamp(f32::MIN_POSITIVE, f32::MAX);
    f64::from(f32::from_bits(x.to_bits() + 1)) - f64::from(x)
}

fn ulp_f64(x: f64) -> f64 {
    let x = x.abs().clamp(f64::MIN_POSITIVE, f64::MAX / 2.0);
    f64::from_bits(x.to_bits() + 1) - x
}

/// Distance in units of the last place; 0 for equal specials.
fn distance(got: f64, want: f64, ulp: f64) -> f64 {
    if got == want || got.is_nan() && want.is_nan() {
        0.0
    } else if got.is_finite() && want.is_finite() {
        ((got - want) / ulp).abs()
    } else {
        f64::INFINITY
    }
}

/// Values of all magnitudes and both signs, specials among them.
fn samples() -> Vec<f64> {
    let mut all = vec![0.0, -0.0, 1.0, -1.0, 0.5, 2.5, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    let mut x = 1e-30f64;
    while x < 80.0 {
        all.extend([x, -x]);
        x *= 1.013;
    }
    all.extend((0..2000).flat_map(|i| [f64::from(i) * 0.043, -f64::from(i) * 0.043]));
    all
}

#[test]
fn f32_methods_are_within_two_ulp() {
    let device = Device::new().unwrap();
    let x: Vec<f32> = samples().into_iter().map(|x| x as f32).collect();
    let x_device = device.to_device(&x).unwrap();
    let mut out = device.zeros::<[f32; 31]>(x.len()).unwrap();
    all_f32(&x_device, &mut out).over(x.len()).launch().unwrap();
    for (&x, got) in x.iter().zip(out.to_host().unwrap()) {
        for (i, want) in host(f64::from(x)).into_iter().enumerate() {
            // An f64 beyond the range of f32 is an infinity there.
            let want = if want.abs() > f64::from(f32::MAX) { want.signum() * f64::INFINITY } else { want };
            let off = distance(f64::from(got[i]), want, ulp_f32(want));
            assert!(off <= 2.0, "{}({x:e}) = {:e}, want {want:e}: {off} ulp", NAMES[i], got[i]);
        }
    }
}

#[test]
fn f64_methods_are_within_three_ulp_of_the_hosts() {
    let device = Device::new().unwrap();
    let x = samples();
    let x_device = device.to_device(&x).unwrap();
    let mut out = device.zeros::<[f64; 31]>(x.len()).unwrap();
    all_f64(&x_device, &mut out).over(x.len()).launch().unwrap();
    for (&x, got) in x.iter().zip(out.to_host().unwrap()) {
        for (i, want) in host(x).into_iter().enumerate() {
            // The host's own function is off by up to one.
            let off = distance(got[i], want, ulp_f64(want));
            assert!(off <= 3.0, "{}({x:e}) = {:e}, want {want:e}: {off} ulp", NAMES[i], got[i]);
        }
    }
}
