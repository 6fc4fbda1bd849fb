//! Every instruction with edge values and random ones against results recorded on hardware (`data/instructions_h200.bin`: an NVIDIA H200,
//! driver 580).
//!
//! `THREADWISE_EXPORT=folder cargo test -p threadwise-sim --test instructions` writes what `foreign/record_instructions.py` runs on a GPU to
//! record them: one PTX module per case. The file holds, per case: length of the text and the text; count of results and bytes of one;
//! the results; all numbers little-endian, of two bytes.

mod common;

use std::collections::HashMap;
use std::fmt::Write;

use common::instructions::{Case, Tolerance, cases};
use common::operands::{Kind, inputs};
use common::{config, read_u64};
use threadwise_sim::Simulator;

const RECORDED: &[u8] = include_bytes!("data/instructions_h200.bin");

/// The module of a case: its kernel `k` gives each thread its operands and stores its result as a word.
fn module(case: &Case) -> String {
    let bits = |kind: Kind| kind.bits();
    let mut registers = String::new();
    let mut loads = String::new();
    for (i, (&kind, name)) in case.operands.iter().zip(["a", "b", "c"]).enumerate() {
        if kind == Kind::Predicate {
            registers += &format!("\t.reg .pred %{name};\n\t.reg .b32 %{name}w;\n");
            loads += &format!("\tld.global.b32 %{name}w, [%rd5+{}];\n\tsetp.ne.b32 %{name}, %{name}w, 0;\n", 8 * i);
        } else {
            registers += &format!("\t.reg .b{} %{name};\n", bits(kind));
            loads += &format!("\tld.global.b{} %{name}, [%rd5+{}];\n", bits(kind), 8 * i);
        }
    }
    let (result, store) = match case.result {
        Kind::Predicate => ("\t.reg .pred %d;\n".to_owned(), "\tselp.b64 %rd7, 1, 0, %d;\n".to_owned()),
        kind if bits(kind) == 64 => ("\t.reg .b64 %d;\n".to_owned(), "\tmov.b64 %rd7, %d;\n".to_owned()),
        kind => (format!("\t.reg .b{} %d;\n", bits(kind)), format!("\tcvt.u64.u{} %rd7, %d;\n", bits(kind))),
    };
    format!(
        ".version 8.6
.target sm_90
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out, .param .u32 n)
{{
	.reg .pred %p<2>;
	.reg .b32 %r<6>;
	.reg .b64 %rd<8>;
{registers}{result}	mov.u32 %r1, %ctaid.x;
	mov.u32 %r2, %ntid.x;
	mov.u32 %r3, %tid.x;
	mad.lo.s32 %r4, %r1, %r2, %r3;
	ld.param.u32 %r5, [n];
	setp.ge.u32 %p1, %r4, %r5;
	@%p1 bra $done;
	ld.param.u64 %rd1, [in];
	ld.param.u64 %rd2, [out];
	mul.wide.u32 %rd4, %r4, 24;
	add.s64 %rd5, %rd1, %rd4;
	mul.wide.u32 %rd3, %r4, 8;
	add.s64 %rd6, %rd2, %rd3;
{loads}	{}
{store}	st.global.b64 [%rd6], %rd7;
$done:
	ret;
}}
",
        case.text
    )
}

/// Bytes of a recorded result.
fn width(case: &Case) -> u16 {
    case.result.bits().div_ceil(8) as u16
}

fn simulate(case: &Case) -> Result<Vec<u64>, String> {
    let device = Simulator::new();
    let kernel = device.load(&module(case)).map_err(|error| error.to_string())?.kernel("k").ok_or("no kernel")?;
    let operands = inputs(&case.operands);
    let count = operands.len() as u32;
    let input = device.allocate(24 * u64::from(count)).expect("memory");
    device.write(input, &operands.iter().flatten().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>()).expect("in bounds");
    let output = device.allocate(8 * u64::from(count)).expect("memory");
    let parameters = [&input.to_le_bytes()[..], &output.to_le_bytes(), &count.to_le_bytes()].concat();
    device.launch(&kernel, &config(count.div_ceil(128), 128), &parameters).map_err(|fault| fault.to_string())?;
    Ok(read_u64(&device, output, count as usize))
}

/// Recorded results by the text of their case.
fn recorded() -> HashMap<String, Vec<u64>> {
    let mut rest = RECORDED;
    let mut take = |count: usize| rest.split_off(..count).expect("a whole file");
    let mut all = HashMap::new();
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0u64, |value, &byte| value << 8 | u64::from(byte));
    let mut left = RECORDED.len();
    while left > 0 {
        let length = number(take(2)) as usize;
        let text = String::from_utf8(take(length).to_vec()).expect("text");
        let (count, width) = (number(take(2)) as usize, number(take(2)) as usize);
        all.insert(text, take(count * width).chunks(width).map(number).collect());
        left -= 6 + length + count * width;
    }
    all
}

/// Are results as near to each other as the case says? NaN is like NaN, and what is subnormal on one side may be zero on the other.
fn close(case: &Case, a: u64, b: u64) -> bool {
    let ulps = match case.tolerance {
        Tolerance::Exact => return a == b,
        Tolerance::Absolute(most) => return (f32::from_bits(a as u32) - f32::from_bits(b as u32)).abs() <= most,
        Tolerance::Ulps(ulps) => u64::from(ulps),
    };
    let halves = |text: &str| case.text.contains(text);
    let (digits, width) = match case.result.bits() {
        64 => (52, 64),
        32 if halves(".bf16x2") => (7, 16),
        32 if halves(".f16x2") => (10, 16),
        32 => (23, 32),
        _ if halves(".bf16") => (7, 16),
        _ => (10, 16),
    };
    // Of an approximate double the upper half counts.
    let unit = if case.text.contains(".approx.ftz.f64") { 1u64 << 32 } else { 1 };
    let same = |a: u64, b: u64| {
        let sign = 1u64 << (width - 1);
        let infinity = (sign - 1) >> digits << digits;
        let (x, y) = (a & (sign - 1), b & (sign - 1));
        if x > infinity || y > infinity {
            return x > infinity && y > infinity;
        }
        let tiny = 2 << digits;
        (x < tiny && y < tiny) || (a & sign == b & sign && x.abs_diff(y) <= ulps * unit)
    };
    (0..case.result.bits() / width).all(|part| {
        let mask = u64::MAX >> (64 - width);
        same(a >> (part * width) & mask, b >> (part * width) & mask)
    })
}

fn export(folder: &std::path::Path) {
    let mut list = String::new();
    let mut words = Vec::new();
    for (i, case) in cases().iter().enumerate() {
        let operands = inputs(&case.operands);
        std::fs::write(folder.join(format!("{i}.ptx")), module(case)).expect("a folder");
        writeln!(list, "{}\t{}\t{}", operands.len(), width(case), case.text).expect("memory");
        words.extend(operands.iter().flatten().flat_map(|v| v.to_le_bytes()));
    }
    std::fs::write(folder.join("cases.txt"), list).expect("a folder");
    std::fs::write(folder.join("operands.bin"), words).expect("a folder");
}

#[test]
fn results_equal_those_of_hardware() {
    if let Some(folder) = std::env::var_os("THREADWISE_EXPORT") {
        export(std::path::Path::new(&folder));
    }
    let recorded = recorded();
    let mut wrong = String::new();
    for case in cases() {
        let Some(expected) = recorded.get(&case.text) else {
            writeln!(wrong, "{}: not recorded", case.text).expect("memory");
            continue;
        };
        let results = match simulate(&case) {
            Ok(results) => results,
            Err(reason) => {
                writeln!(wrong, "{}: {}", case.text, reason.replace('\n', " ")).expect("memory");
                continue;
            }
        };
        assert_eq!(results.len(), expected.len(), "{}", case.text);
        let operands = inputs(&case.operands);
        let bad: Vec<usize> = (0..results.len()).filter(|&i| !close(&case, results[i], expected[i])).collect();
        if let Some(&i) = bad.first() {
            let (operands, result, expected) = (&operands[i], results[i], expected[i]);
            writeln!(wrong, "{}: {} differ, {operands:x?} gives {result:x} instead of {expected:x}", case.text, bad.len()).expect("memory");
        }
    }
    assert!(wrong.is_empty(), "{} differences\n{wrong}", wrong.lines().count());
}
