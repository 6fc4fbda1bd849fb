//! `vprintf`.

use std::sync::{Arc, Mutex};

use threadwise_sim::{Fault, FaultKind, Simulator};

use crate::common::{config, kernel, words};

/// Each thread prints the format at its first parameter with the arguments at its second.
const PRINT: &str = "
.extern .func (.param .b32 result) vprintf (.param .b64 format, .param .b64 arguments);
.visible .entry k(.param .u64 format, .param .u64 arguments, .param .u64 out)
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<6>;
	ld.param.u64 %rd1, [format];
	ld.param.u64 %rd2, [arguments];
	ld.param.u64 %rd3, [out];
	{
	.param .b64 a;
	.param .b64 b;
	.param .b32 c;
	st.param.b64 [a], %rd1;
	st.param.b64 [b], %rd2;
	call.uni (c), vprintf, (a, b);
	ld.param.b32 %r1, [c];
	}
	st.global.b32 [%rd3], %r1;
	ret;
}";

/// What a launch printed, and what the last call returned.
fn print_blocks(format: &str, arguments: &[u8], grid: u32) -> (String, Result<u32, Fault>) {
    let device = Simulator::new();
    let text = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&text);
    device.set_output(move |text| kept.lock().expect("no panic").extend(text));
    let kernel = kernel(&device, PRINT);
    let [format, arguments] = [[format.as_bytes(), &[0]].concat(), arguments.to_vec()].map(|bytes| {
        let address = device.allocate(bytes.len() as u64).expect("memory");
        device.write(address, &bytes).expect("in bounds");
        address
    });
    let out = device.allocate(4).expect("memory");
    let launched = device.launch(&kernel, &config(grid, 1), &words(&[format, arguments, out]));
    let mut count = [0; 4];
    device.read(out, &mut count).expect("in bounds");
    let text = String::from_utf8(text.lock().expect("no panic").clone()).expect("UTF-8");
    (text, launched.map(|_| u32::from_le_bytes(count)))
}

fn print(format: &str, arguments: &[u8]) -> (String, Result<u32, Fault>) {
    print_blocks(format, arguments, 1)
}

#[derive(Clone, Copy)]
enum Argument {
    Int(i64),
    Long(i64),
    Float(f64),
}

#[test]
fn every_conversion_prints_what_c_prints() {
    use Argument::{Float, Int, Long};
    const INFINITY: f64 = f64::INFINITY;
    // What the `printf` of glibc prints.
    for (format, argument, expected) in [
        ("%d", Int(-42), "-42"),
        ("%i", Int(7), "7"),
        ("%5d|", Int(-42), "  -42|"),
        ("%-5d|", Int(-42), "-42  |"),
        ("%05d|", Int(-42), "-0042|"),
        ("%+d", Int(3), "+3"),
        ("% d", Int(3), " 3"),
        ("%.3d", Int(7), "007"),
        ("%8.3d|", Int(-7), "    -007|"),
        ("%.0d|", Int(0), "|"),
        ("%u", Int(-1), "4294967295"),
        ("%x", Int(48879), "beef"),
        ("%X", Int(48879), "BEEF"),
        ("%#x", Int(255), "0xff"),
        ("%#X", Int(255), "0XFF"),
        ("%#o", Int(8), "010"),
        ("%#x", Int(0), "0"),
        ("%o", Int(8), "10"),
        ("%#010x|", Int(255), "0x000000ff|"),
        ("%-#10x|", Int(255), "0xff      |"),
        ("%hd", Int(70000), "4464"),
        ("%hhu", Int(300), "44"),
        ("%hhd", Int(200), "-56"),
        ("%c", Int(65), "A"),
        ("%3c|", Int(65), "  A|"),
        ("%-3c|", Int(65), "A  |"),
        ("%lld", Long(-9223372036854775808), "-9223372036854775808"),
        ("%llu", Long(-1), "18446744073709551615"),
        ("%llx", Long(81985529216486895), "123456789abcdef"),
        ("%ld", Long(-5), "-5"),
        ("%020lld|", Long(-5), "-0000000000000000005|"),
        ("%zu", Long(9), "9"),
        ("%p", Long(48879), "0xbeef"),
        ("%p", Long(0), "(nil)"),
        ("%f", Float(1.5), "1.500000"),
        ("%f", Float(-0.0), "-0.000000"),
        ("%.2f", Float(2.675), "2.67"),
        ("%.0f", Float(2.5), "2"),
        ("%.0f", Float(3.5), "4"),
        ("%#.0f", Float(3.0), "3."),
        ("%10.3f|", Float(-3.25159), "    -3.252|"),
        ("%-10.3f|", Float(3.25159), "3.252     |"),
        ("%010.3f|", Float(-3.25159), "-00003.252|"),
        ("%+f", Float(1.0), "+1.000000"),
        ("% f", Float(1.0), " 1.000000"),
        ("%e", Float(12345.678), "1.234568e+04"),
        ("%E", Float(0.00012), "1.200000E-04"),
        ("%.0e", Float(15.0), "2e+01"),
        ("%#.0e", Float(15.0), "2.e+01"),
        ("%.3e", Float(1e-300), "1.000e-300"),
        ("%e", Float(0.0), "0.000000e+00"),
        ("%g", Float(100000.0), "100000"),
        ("%g", Float(1000000.0), "1e+06"),
        ("%g", Float(0.0001), "0.0001"),
        ("%g", Float(0.00001), "1e-05"),
        ("%.3g", Float(1234.5), "1.23e+03"),
        ("%#g", Float(1.0), "1.00000"),
        ("%g", Float(0.0), "0"),
        ("%G", Float(1e-10), "1E-10"),
        ("%.10g", Float(0.1), "0.1"),
        ("%g", Float(123456789.0), "1.23457e+08"),
        ("%.0g", Float(25.0), "2e+01"),
        ("%f", Float(1e22), "10000000000000000000000.000000"),
        ("%f", Float(INFINITY), "inf"),
        ("%F", Float(-INFINITY), "-INF"),
        ("%5f|", Float(INFINITY), "  inf|"),
        ("%05f|", Float(INFINITY), "  inf|"),
        ("%a", Float(1.0), "0x1p+0"),
        ("%a", Float(-0.1), "-0x1.999999999999ap-4"),
        ("%A", Float(255.5), "0X1.FFP+7"),
        ("%.2a", Float(1.999), "0x2.00p+0"),
        ("%.0a", Float(1.5), "0x2p+0"),
        ("%a", Float(0.0), "0x0p+0"),
        ("%a", Float(5e-324), "0x0.0000000000001p-1022"),
        ("%.15a", Float(1.5), "0x1.800000000000000p+0"),
        ("%20a|", Float(1.0), "              0x1p+0|"),
        ("%020a|", Float(1.0), "0x000000000000001p+0|"),
        ("%g", Float(1e300), "1e+300"),
        ("%.20f", Float(0.1), "0.10000000000000000555"),
        ("%.1f", Float(0.25), "0.2"),
        ("%.1f", Float(0.35), "0.3"),
    ] {
        let bytes = match argument {
            Int(value) => (value as i32).to_le_bytes().to_vec(),
            Long(value) => value.to_le_bytes().to_vec(),
            Float(value) => value.to_le_bytes().to_vec(),
        };
        let (text, count) = print(format, &bytes);
        assert_eq!(text, expected, "{format}");
        assert_eq!(count, Ok(1), "{format}");
    }
}

#[test]
fn arguments_lie_at_multiples_of_their_size() {
    let mut arguments = 5i32.to_le_bytes().to_vec();
    arguments.resize(8, 0);
    arguments.extend(2.5f64.to_le_bytes());
    arguments.extend((-3i32).to_le_bytes());
    arguments.extend(9i32.to_le_bytes());
    arguments.extend(u64::MAX.to_le_bytes());
    let (text, count) = print("%d %g %d %u %llu %%\n", &arguments);
    assert_eq!((text.as_str(), count), ("5 2.5 -3 9 18446744073709551615 %\n", Ok(5)));
}

#[test]
fn width_and_precision_may_be_arguments() {
    let mut arguments: Vec<u8> = [6, 42, -6, 42].into_iter().flat_map(i32::to_le_bytes).collect();
    arguments.extend(2i32.to_le_bytes());
    arguments.resize(24, 0);
    arguments.extend(1.23456f64.to_le_bytes());
    let (text, count) = print("%*d|%*d|%.*f", &arguments);
    assert_eq!((text.as_str(), count), ("    42|42    |1.23", Ok(6)));
}

#[test]
fn output_comes_in_order_of_blocks() {
    let line = "x".repeat(100) + "\n";
    let (text, count) = print_blocks(&line, &[0], 200);
    assert_eq!((text, count), (line.repeat(200), Ok(0)));
}

#[test]
fn unknown_conversions_and_wild_strings_are_faults() {
    for format in ["%n", "%q", "%", "%5000d", "%Ld", "%lqd"] {
        let (_, fault) = print(format, &[0; 16]);
        assert!(matches!(fault.expect_err(format).kind, FaultKind::BadFormat { .. }), "{format}");
    }
    let (text, fault) = print("lost %s", &8u64.to_le_bytes());
    assert_eq!(
        (text.as_str(), fault.expect_err("a string at 8").kind),
        ("", FaultKind::Null { address: 8, access: threadwise_sim::AccessKind::Read })
    );
    // No more arguments than were given.
    let (_, fault) = print("%d %d", &[0; 4]);
    assert!(matches!(fault.expect_err("one argument").kind, FaultKind::OutOfBounds { .. }));
}

#[test]
fn output_beyond_its_limit_is_lost_and_counted() {
    let line = "y".repeat(60_000);
    let (text, _) = print_blocks(&line, &[0], 300);
    let kept = (16 << 20) / line.len();
    let (lines, note) = text.split_at(kept * line.len());
    assert!(lines.bytes().all(|byte| byte == b'y'));
    assert_eq!(note, format!("… {} more bytes of output are lost: a launch keeps {}\n", (300 - kept) * line.len(), 16 << 20));
}
