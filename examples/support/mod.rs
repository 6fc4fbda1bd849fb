//! What the examples share: inputs, the verdict, and pictures.

#![allow(dead_code, reason = "each example uses its part")]

use std::path::Path;
use std::process::ExitCode;

use threadwise::Device;

/// `n` values from `from` to `to`, both included.
pub(crate) fn linspace(from: f32, to: f32, n: usize) -> Vec<f32> {
    let step = (f64::from(to) - f64::from(from)) / (n.max(2) - 1) as f64;
    (0..n).map(|i| (f64::from(from) + step * i as f64) as f32).collect()
}

/// A reproducible sequence of evenly distributed numbers (Marsaglia's xorshift64).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new() -> Self {
        Random(0x9e37_79b9_7f4a_7c15)
    }

    pub(crate) fn next_u32(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 32) as u32
    }

    /// In [0, 1).
    pub(crate) fn next_f32(&mut self) -> f32 {
        (self.next_u32() >> 8) as f32 / (1 << 24) as f32
    }
}

/// The first command line argument as a number, or `default`: the problem's size.
pub(crate) fn size_or(default: usize) -> usize {
    std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(default)
}

/// The largest |got - want| / |want| over all pairs; a zero wants a zero.
pub(crate) fn max_relative_error(pairs: impl Iterator<Item = (f64, f64)>) -> f64 {
    pairs.fold(0.0, |worst, (got, want)| {
        let error = if got == want { 0.0 } else { ((got - want) / want).abs() };
        // A NaN must not pass: `max` would drop it.
        if error.is_nan() { f64::INFINITY } else { worst.max(error) }
    })
}

/// Prints device and error; failure beyond `tolerance`.
pub(crate) fn verdict(device: &Device, error: f64, tolerance: f64) -> ExitCode {
    println!("device: {device}");
    println!("max relative error: {error:.3e}");
    if error <= tolerance {
        ExitCode::SUCCESS
    } else {
        eprintln!("the error is beyond the tolerance of {tolerance:.1e}");
        ExitCode::FAILURE
    }
}

/// Writes an RGB picture.
pub(crate) fn write_png(path: &str, width: usize, height: usize, rgb: &[u8]) -> Result<(), Box<dyn std::error::Error>> {
    let file = std::fs::File::create(Path::new(path))?;
    let mut encoder = png::Encoder::new(std::io::BufWriter::new(file), u32::try_from(width)?, u32::try_from(height)?);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header()?.write_image_data(rgb)?;
    println!("wrote {path} ({width} x {height})");
    Ok(())
}

/// A colour for `t` in [0, 1]: dark blue over red and orange to pale yellow.
pub(crate) fn colour(t: f32) -> [u8; 3] {
    const STOPS: [[f32; 3]; 5] = [[5.0, 5.0, 30.0], [70.0, 15.0, 110.0], [190.0, 45.0, 75.0], [250.0, 145.0, 30.0], [252.0, 250.0, 190.0]];
    let at = t.clamp(0.0, 1.0) * (STOPS.len() - 1) as f32;
    let i = (at as usize).min(STOPS.len() - 2);
    let part = at - i as f32;
    std::array::from_fn(|c| (STOPS[i][c] + part * (STOPS[i + 1][c] - STOPS[i][c])) as u8)
}
