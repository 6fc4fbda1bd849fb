//! Kernels that nvcc and Numba compiled, with results recorded on hardware (an NVIDIA H200, driver 580): see `foreign/kernels.txt`.

mod common;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use threadwise_abi::Dim3;
use threadwise_sim::{LaunchConfig, Simulator};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/foreign")
}

fn hashed(i: u64, seed: u64) -> u64 {
    let mut x = (i as u32).wrapping_mul(0x9e37_79b9).wrapping_add((seed as u32).wrapping_mul(0x85eb_ca6b));
    x = (x ^ x >> 16).wrapping_mul(0x7feb_352d);
    x = (x ^ x >> 15).wrapping_mul(0x846c_a68b);
    u64::from(x ^ x >> 16)
}

/// Bits of a float of type `ty` with that value, which it holds exactly.
fn float(ty: &str, value: f64) -> u64 {
    match ty {
        "f64" => value.to_bits(),
        "f32" => u64::from((value as f32).to_bits()),
        "bf16" => u64::from((value as f32).to_bits() >> 16),
        // No value is subnormal.
        "f16" if value == 0.0 => 0,
        "f16" => value.to_bits() >> 63 << 15 | ((value.to_bits() >> 52 & 0x7ff) - 1008) << 10 | value.to_bits() >> 42 & 0x3ff,
        other => panic!("{other} is no float"),
    }
}

fn bytes_of(ty: &str) -> usize {
    ty.trim_start_matches(|c: char| c.is_ascii_alphabetic()).parse::<usize>().expect("a width") / 8
}

/// Contents of a buffer: a hash of place and seed, as any bits, as small integers, as multiples of a power of two in -1..1 (unit), or as
/// those times a power of two (spread).
fn fill(kind: &str, ty: &str, count: u64, seed: u64) -> Vec<u8> {
    let width = bytes_of(ty);
    let element = |i: u64| -> u64 {
        let bits = if width == 8 { hashed(2 * i, seed) << 32 | hashed(2 * i + 1, seed) } else { hashed(i, seed) };
        let digits = match ty {
            "f64" => 53,
            "f32" => 24,
            "f16" => 11,
            _ => 8,
        };
        let unit = || (bits >> (8 * width.max(4) - digits)) as f64 / 2f64.powi(digits as i32 - 1) - 1.0;
        match kind {
            "zero" => 0,
            "any" => bits,
            "small" => bits % 1000,
            "unit" => float(ty, unit()),
            "spread" => float(ty, unit() * 2f64.powi((bits >> 3) as i32 % 9 - 4)),
            other => panic!("no kind of contents: {other}"),
        }
    };
    (0..count).flat_map(|i| element(i).to_le_bytes().into_iter().take(width)).collect()
}

fn extent(text: &str) -> Dim3 {
    let mut sizes = [1; 3];
    for (size, part) in sizes.iter_mut().zip(text.split('x')) {
        *size = part.parse().expect("an extent");
    }
    Dim3::new(sizes[0], sizes[1], sizes[2])
}

#[derive(Default)]
struct Arguments {
    bytes: Vec<u8>,
    /// Address and size.
    results: Vec<(u64, usize)>,
}

impl Arguments {
    fn push(&mut self, value: &[u8], alignment: usize) {
        self.bytes.resize(self.bytes.len().next_multiple_of(alignment), 0);
        self.bytes.extend(value);
    }

    fn parse(device: &Simulator, text: &str) -> Arguments {
        let mut all = Arguments::default();
        for word in text.split_whitespace() {
            all.word(device, word);
        }
        all
    }

    fn word(&mut self, device: &Simulator, word: &str) {
        if let Some((ty, value)) = word.split_once('=') {
            if ty == "hex8" {
                let digits: Vec<u8> = value.bytes().map(|b| (b as char).to_digit(16).expect("a digit") as u8).collect();
                return self.push(&digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect::<Vec<_>>(), 8);
            }
            let bits = match ty {
                "f32" | "f64" => float(ty, value.parse().expect("a number")),
                _ => value.parse::<i64>().expect("a number") as u64,
            };
            return self.push(&bits.to_le_bytes()[..bytes_of(ty)], bytes_of(ty));
        }
        let (marked, word) = (word.starts_with('&'), word.trim_start_matches('&'));
        let parts: Vec<&str> = word[1..].split(':').collect();
        let (ty, kind) = (parts[0], parts[1]);
        let shape: Vec<u64> = parts[2].split('x').map(|n| n.parse().expect("an extent")).collect();
        let count = shape.iter().product();
        let contents = fill(kind, ty, count, parts.get(3).map_or(0, |seed| seed.parse().expect("a seed")));
        let address = device.allocate(contents.len() as u64).expect("memory");
        device.write(address, &contents).expect("in bounds");
        if marked || kind == "zero" {
            self.results.push((address, contents.len()));
        }
        if word.starts_with('*') {
            return self.push(&address.to_le_bytes(), 8);
        }
        let width = bytes_of(ty) as u64;
        let strides = (0..shape.len()).map(|k| shape[k + 1..].iter().product::<u64>() * width);
        for word in [0, 0, count, width, address].into_iter().chain(shape.iter().copied()).chain(strides) {
            self.push(&word.to_le_bytes(), 8);
        }
    }
}

/// Are they floats whose difference is at most that part of the larger of 1 and the value, or both NaN?
fn close(a: &[u8], b: &[u8], part: f64) -> bool {
    let value = |bytes: &[u8]| match bytes.len() {
        4 => f64::from(f32::from_le_bytes(bytes.try_into().expect("a single"))),
        _ => f64::from_le_bytes(bytes.try_into().expect("a double")),
    };
    let (a, b) = (value(a), value(b));
    a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= part * b.abs().max(1.0)
}

/// Runs one kernel of the list; what differs from hardware.
fn replay(line: &str) -> Result<(), String> {
    let parts: Vec<&str> = line.split('|').map(str::trim).collect();
    let [name, ptx, entry, config, arguments, comparison] = parts[..] else { panic!("`{line}` has not six parts") };
    let read = |path: PathBuf| std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()));
    let text = String::from_utf8(read(folder().join(ptx))?).expect("text");
    let device = Simulator::new();
    let printed = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&printed);
    device.set_output(move |text| kept.lock().expect("no panic").extend(text));
    let module = device.load(&text).map_err(|error| error.to_string())?;
    let entry = if entry == "*" { module.kernel_names().next().expect("an entry").to_owned() } else { entry.to_owned() };
    let kernel = module.kernel(&entry).ok_or("no such entry")?;
    let [grid, block, shared] = config.split(';').collect::<Vec<_>>()[..] else { panic!("`{config}` has not three parts") };
    let config = LaunchConfig { grid: extent(grid), block: extent(block), shared_bytes: shared.parse().expect("a number") };
    let arguments = Arguments::parse(&device, arguments);
    device.launch(&kernel, &config, &arguments.bytes).map_err(|fault| fault.to_string())?;
    let text = std::mem::take(&mut *printed.lock().expect("no panic"));
    let expected = std::fs::read(folder().join(format!("results/{name}.txt"))).unwrap_or_default();
    if text != expected {
        let [text, expected] = [&text, &expected].map(|text| String::from_utf8_lossy(text));
        return Err(format!("it prints {text:?} instead of {expected:?}"));
    }
    let mut results = Vec::new();
    for &(address, bytes) in &arguments.results {
        let mut part = vec![0; bytes];
        device.read(address, &mut part).expect("in bounds");
        results.extend(part);
    }
    let expected = read(folder().join(format!("results/{name}.bin")))?;
    if results.len() != expected.len() {
        return Err(format!("{} bytes instead of {}", results.len(), expected.len()));
    }
    let (width, part) = match comparison.split_once('=') {
        Some((ty, part)) => (bytes_of(ty), Some(part.parse().expect("a number"))),
        None => (4, None),
    };
    let mut wrong = Vec::new();
    for (i, (a, b)) in results.chunks(width).zip(expected.chunks(width)).enumerate() {
        if a != b && !part.is_some_and(|part| close(a, b, part)) {
            wrong.push((i, a, b));
        }
    }
    match wrong.first() {
        None => Ok(()),
        Some((i, a, b)) => Err(format!("{} results differ, number {i} is {a:x?} instead of {b:x?}", wrong.len())),
    }
}

#[test]
fn kernels_of_nvcc_and_numba_give_what_hardware_gives() {
    let list = std::fs::read_to_string(folder().join("kernels.txt")).expect("the list");
    let only = std::env::var("THREADWISE_KERNEL").ok();
    let lines: Vec<&str> = list.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    assert!(lines.len() >= 30, "{} kernels", lines.len());
    let mut wrong = String::new();
    for line in lines {
        let name = line.split('|').next().unwrap_or_default().trim();
        if only.as_ref().is_some_and(|only| only != name) {
            continue;
        }
        if let Err(reason) = replay(line) {
            writeln!(wrong, "{name}: {}", reason.replace('\n', " ")).expect("memory");
        }
    }
    assert!(wrong.is_empty(), "{} kernels differ\n{wrong}", wrong.lines().count());
}
