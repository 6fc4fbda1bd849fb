//! Instructions with edge values against results recorded on hardware (`data/instructions_h200.txt`: an NVIDIA H200, driver 580).
//!
//! `THREADWISE_EXPORT=folder cargo test -p threadwise-sim --test instructions` writes the PTX and the operands there (`instructions.ptx`,
//! `instructions.in`), for a GPU to run: kernel `k<i>` of the module with the operands of line `i`. A recorded file has one line per
//! kernel: the instruction, a tab, and its results as hexadecimal numbers.

mod common;

use std::collections::HashMap;
use std::fmt::Write;

use common::instructions::{APPROXIMATE, CASES, inputs, kernel};
use common::{config, module, read_u64};
use threadwise_sim::Simulator;

const RECORDED: &str = include_str!("data/instructions_h200.txt");

fn cases() -> impl Iterator<Item = (&'static str, &'static str, u32)> {
    CASES.iter().map(|&(text, kinds)| (text, kinds, 0)).chain(APPROXIMATE.iter().copied())
}

fn text() -> String {
    module(&cases().enumerate().map(|(i, (text, kinds, _))| kernel(i, text, kinds)).collect::<String>())
}

fn simulate() -> Vec<Vec<u64>> {
    let device = Simulator::new();
    let module = device.load(&text()).unwrap_or_else(|error| panic!("{error}"));
    cases()
        .enumerate()
        .map(|(i, (_, kinds, _))| {
            let operands = inputs(kinds);
            let count = operands.len() as u32;
            let input = device.allocate(24 * u64::from(count)).expect("memory");
            device.write(input, &operands.iter().flatten().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>()).expect("in bounds");
            let output = device.allocate(8 * u64::from(count)).expect("memory");
            let parameters = [&input.to_le_bytes()[..], &output.to_le_bytes(), &count.to_le_bytes()].concat();
            let kernel = module.kernel(&format!("k{i}")).expect("the kernel");
            device.launch(&kernel, &config(count.div_ceil(128), 128), &parameters).unwrap_or_else(|fault| panic!("{fault}"));
            read_u64(&device, output, count as usize)
        })
        .collect()
}

/// Distance in units in the last place; results that are not numbers, or are subnormal on one side, must be alike in kind.
fn close(a: u64, b: u64, ulps: u32) -> bool {
    let (x, y) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
    if x.is_nan() || y.is_nan() {
        return x.is_nan() && y.is_nan();
    }
    if x.abs() < 2.0 * f32::MIN_POSITIVE || y.abs() < 2.0 * f32::MIN_POSITIVE {
        return (x - y).abs() <= 2.0 * f32::MIN_POSITIVE;
    }
    (x.to_bits() as i32).abs_diff(y.to_bits() as i32) <= ulps
}

#[test]
fn results_equal_those_of_hardware() {
    if let Some(folder) = std::env::var_os("THREADWISE_EXPORT") {
        let folder = std::path::PathBuf::from(folder);
        std::fs::write(folder.join("instructions.ptx"), text()).expect("a folder");
        let mut lines = String::new();
        for (text, kinds, _) in cases() {
            let numbers: Vec<String> = inputs(kinds).iter().flatten().map(|v| format!("{v:x}")).collect();
            writeln!(lines, "{text}\t{}", numbers.join(" ")).expect("memory");
        }
        std::fs::write(folder.join("instructions.in"), lines).expect("a folder");
    }
    let recorded: HashMap<&str, Vec<u64>> = RECORDED
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .map(|(text, numbers)| (text, numbers.split(' ').map(|n| u64::from_str_radix(n, 16).expect("a number")).collect()))
        .collect();
    let mut wrong = String::new();
    for ((text, kinds, ulps), results) in cases().zip(simulate()) {
        let Some(expected) = recorded.get(text) else {
            writeln!(wrong, "{text} is not recorded").expect("memory");
            continue;
        };
        assert_eq!(results.len(), expected.len(), "{text}");
        for ((operands, result), expected) in inputs(kinds).iter().zip(results).zip(expected) {
            let same = if ulps == 0 { result == *expected } else { close(result, *expected, ulps) };
            if !same {
                writeln!(wrong, "{text} of {operands:x?} gives {result:x} instead of {expected:x}").expect("memory");
            }
        }
    }
    assert!(wrong.is_empty(), "{} differences\n{wrong}", wrong.lines().count());
}
