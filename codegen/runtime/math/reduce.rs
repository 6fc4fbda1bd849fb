//! Reduction of angles modulo pi/2: `x = q pi/2 + r + low` with `|r|` up to about pi/4.
//!
//! Moderate angles: Cody and Waite's subtraction of `k` times pi/2 in three parts, where `fma` makes the first step
//! exact (the difference is a multiple of the last place of the first part and smaller than 1). Larger ones: Payne and
//! Hanek's product of the significand with the bits of 2/pi that matter.

/// 2/pi as a binary fraction after 64 zero bits, enough for the largest `f64` (bit 1155) and 192 bits of product.
static TWO_OVER_PI: [u64; 22] = [
    0,
    0xa2f9_836e_4e44_1529,
    0xfc27_57d1_f534_ddc0,
    0xdb62_9599_3c43_9041,
    0xfe51_63ab_debb_c561,
    0xb724_6e3a_424d_d2e0,
    0x0649_2eea_09d1_921c,
    0xfe1d_eb1c_b129_a73e,
    0xe882_35f5_2ebb_4484,
    0xe99c_7026_b45f_7e41,
    0x3991_d639_8353_39f4,
    0x9c84_5f8b_bdf9_283b,
    0x1ff8_97ff_de05_980f,
    0xef2f_118b_5a0a_6d1f,
    0x6d36_7ecf_27cb_09b7,
    0x4f46_3f66_9e5f_ea2d,
    0x7527_bac7_ebe5_f17b,
    0x3d07_39f7_8a52_92ea,
    0x6bfb_5fb1_1f8d_5d08,
    0x5603_3046_fc7b_6bab,
    0xf0cf_bc20_9af4_361d,
    0,
];

/// The 64 bits of 2/pi whose first has the weight `2^-(at + 1)`.
#[inline(always)]
fn bits_from(at: i32) -> u64 {
    let bit = at.wrapping_add(64) as u32;
    let (word, shift) = ((bit >> 6) as usize, bit & 63);
    // The largest position asked for is 1098 + 64, in word 19; the bound also covers bit patterns of NaN.
    let word = if word > 20 { 20 } else { word };
    // SAFETY: `word` is at most 20 and the table has 22 entries.
    let high = unsafe { *TWO_OVER_PI.get_unchecked(word) };
    // SAFETY: `word + 1` is at most 21.
    let low = unsafe { *TWO_OVER_PI.get_unchecked(word.wrapping_add(1)) };
    (high << shift) | ((low >> 1) >> (63 ^ shift))
}

#[inline(always)]
fn high_product(a: u64, b: u64) -> u64 {
    ((a as u128).wrapping_mul(b as u128) >> 64) as u64
}

const PI_2_HI: f64 = core::f64::consts::FRAC_PI_2;
const PI_2_MID: f64 = 6.123233995736766e-17;
const PI_2_LO: f64 = -1.4973849048591698e-33;

/// `(r, low, q)` for any finite `x`; `q` is right modulo 4.
#[inline(always)]
pub(crate) fn reduce_f32(x: f32) -> (f32, f32, u32) {
    use super::support::f32::*;
    const TWO_OVER_PI: f32 = core::f32::consts::FRAC_2_PI;
    const A: f32 = core::f32::consts::FRAC_PI_2;
    const B: f32 = -4.371139e-08;
    const C: f32 = -1.7151245e-15;
    if x.abs() < 65536.0 {
        let (kf, k) = round_fma(x, TWO_OVER_PI);
        let first = fma(kf, -A, x);
        let (product, lost) = two_product(kf, B);
        let (r, rest) = difference(first, product);
        let low = fma(kf, -C, rest - lost);
        let (r, low) = fast_two_sum(r, low);
        (r, low, k as u32)
    } else {
        huge_f32(x)
    }
}

#[inline(always)]
fn huge_f32(x: f32) -> (f32, f32, u32) {
    let bits = x.to_bits();
    // |x| = m 2^e
    let e = ((bits >> 23) & 0xff) as i32;
    let e = e.wrapping_sub(150);
    let m = ((bits & 0x007f_ffff) | 0x0080_0000) as u64;
    // Bits of weight 4 and more in the product are whole turns: the window starts at weight 2.
    let at = e.wrapping_sub(2);
    let product = m.wrapping_mul(bits_from(at)).wrapping_add(high_product(m, bits_from(at.wrapping_add(64))));
    let q = (product >> 62).wrapping_add((product >> 61) & 1) as u32;
    let fraction = (product << 2) as i64 as f64;
    // 2^-64 pi/2
    let angle = fraction * 8.515303950216386e-20;
    let r = angle as f32;
    let low = (angle - r as f64) as f32;
    if x < 0.0 { (-r, -low, 0u32.wrapping_sub(q)) } else { (r, low, q) }
}

/// `(r, low, q)` for any finite `x`; `q` is right modulo 4.
#[inline(always)]
pub(crate) fn reduce_f64(x: f64) -> (f64, f64, u32) {
    use super::support::f64::*;
    const TWO_OVER_PI: f64 = core::f64::consts::FRAC_2_PI;
    if x.abs() < 1048576.0 {
        let (kf, k) = round_fma(x, TWO_OVER_PI);
        let first = fma(kf, -PI_2_HI, x);
        let (product, lost) = two_product(kf, PI_2_MID);
        let (r, rest) = difference(first, product);
        let low = (rest - lost) - kf * PI_2_LO;
        let (r, low) = fast_two_sum(r, low);
        (r, low, k as u32)
    } else {
        huge_f64(x)
    }
}

#[inline(always)]
fn huge_f64(x: f64) -> (f64, f64, u32) {
    use super::support::f64::*;
    let bits = x.to_bits();
    let e = ((bits >> 52) & 0x7ff) as i32;
    let e = e.wrapping_sub(1075);
    let m = (bits & 0x000f_ffff_ffff_ffff) | 0x0010_0000_0000_0000;
    let at = e.wrapping_sub(2);
    let (w0, w1, w2) = (bits_from(at), bits_from(at.wrapping_add(64)), bits_from(at.wrapping_add(128)));
    let (middle, carry) = m.wrapping_mul(w1).overflowing_add(high_product(m, w2));
    let high = m.wrapping_mul(w0).wrapping_add(high_product(m, w1)).wrapping_add(carry as u64);
    let q = (high >> 62).wrapping_add((high >> 61) & 1) as u32;
    // The fraction of a quarter turn in [-1/2, 1/2), as a sign and 128 bits.
    let (high, low) = ((high << 2) | (middle >> 62), middle << 2);
    let below = (high >> 63) != 0;
    let (high, low) = if below { (!high, !low) } else { (high, low) };
    let shift = high.leading_zeros() & 63;
    let (high, low) = ((high << shift) | ((low >> 1) >> (63 ^ shift)), low << shift);
    let unit = exp2_int(0i64.wrapping_sub(shift as i64));
    // 53 bits, and the 64 after them: 2^-53 and 2^-117
    let a = (high >> 11) as f64 * (1.1102230246251565e-16 * unit);
    let b = ((high << 53) | (low >> 11)) as f64 * (6.018531076210112e-36 * unit);
    let (r, lost) = two_product(a, PI_2_HI);
    let (r, low) = fast_two_sum(r, fma(b, PI_2_HI, fma(a, PI_2_MID, lost)));
    let negative = below != (x < 0.0);
    let q = if x < 0.0 { 0u32.wrapping_sub(q) } else { q };
    if negative { (-r, -low, q) } else { (r, low, q) }
}
