//! `vprintf`: what the `printf` of CUDA C++ and the `print` of Numba call.

use super::context::{Context, Stop};
use super::warp::{Warp, bits};
use crate::code::{Access, Address, Call, Order, Slot, Width};
use crate::fault::{AccessKind, FaultKind};
use crate::memory::Cell;
use crate::output::MAX_OUTPUT;

/// Bytes of a format or of a string that is an argument.
const MAX_TEXT: usize = 64 << 10;
/// The largest width and precision.
const MAX_WIDTH: usize = 4096;
/// Arguments of one call; conversions beyond are printed as they stand, as CUDA does.
const MAX_ARGUMENTS: u32 = 32;

impl Warp {
    /// Formats the text of each lane and gives each the number of its arguments.
    #[inline(never)]
    pub(super) fn print(&mut self, context: &mut Context<'_>, call: &Call, site: u32, mask: u32) -> Result<(), Box<Stop>> {
        for lane in bits(mask) {
            let sp = self.sp[lane];
            let format = self.local_word(lane, sp + call.arguments[0].0);
            let arguments = self.local_word(lane, sp + call.arguments[1].0);
            let mut printer = Printer { warp: self, context, site, lane, arguments, taken: 0, count: 0 };
            let text = printer.text(format).and_then(|format| printer.format(&format)).map_err(|kind| Stop::new(lane as u32, kind))?;
            let count = printer.count;
            if context.printed.len() + text.len() <= MAX_OUTPUT {
                context.printed.extend(text);
            } else {
                context.print_lost += text.len() as u64;
            }
            if let Some(&(result, _)) = call.results.first() {
                self.set_local_bytes(lane, sp + result, &count.to_le_bytes());
            }
        }
        Ok(())
    }
}

/// A call of one lane.
struct Printer<'p, 'l> {
    warp: &'p mut Warp,
    context: &'p mut Context<'l>,
    site: u32,
    lane: usize,
    /// Address of the arguments, which lie one behind the other, each aligned to its size.
    arguments: u64,
    /// Bytes of arguments taken.
    taken: u64,
    count: u32,
}

/// `%-08.3f`: flags, width and precision.
#[derive(Default)]
struct Layout {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
}

impl Printer<'_, '_> {
    /// Reads `bytes` bytes, at most 8, at a generic address.
    fn read(&mut self, address: u64, bytes: u32) -> Result<u64, FaultKind> {
        let data = [(Slot(0), Width::Bits64); 4];
        let access = Access {
            space: None,
            address: Address::Wide(Slot(0)),
            offset: 0,
            bytes,
            count: 1,
            signed: false,
            order: Order::Relaxed,
            polls: false,
            data,
            site: self.site,
        };
        self.context.refresh();
        let place = self.warp.place(self.context, &access, self.lane, address, bytes, AccessKind::Read)?;
        Ok(match bytes {
            // SAFETY: `place` checked bounds and alignment.
            1 => u64::from(unsafe { u8::load(place) }),
            // SAFETY: as above.
            4 => u64::from(unsafe { u32::load(place) }),
            // SAFETY: as above.
            _ => unsafe { u64::load(place) },
        })
    }

    /// The text up to a NUL.
    fn text(&mut self, address: u64) -> Result<Vec<u8>, FaultKind> {
        let mut text = Vec::new();
        while text.len() < MAX_TEXT {
            match self.read(address.wrapping_add(text.len() as u64), 1)? {
                0 => break,
                byte => text.push(byte as u8),
            }
        }
        Ok(text)
    }

    /// The next argument, of 4 or 8 bytes.
    fn argument(&mut self, bytes: u32) -> Result<u64, FaultKind> {
        let at = self.taken.next_multiple_of(u64::from(bytes));
        self.taken = at + u64::from(bytes);
        self.count += 1;
        self.read(self.arguments.wrapping_add(at), bytes)
    }

    fn format(&mut self, format: &[u8]) -> Result<Vec<u8>, FaultKind> {
        let mut out = Vec::new();
        let mut rest = format;
        while let Some(start) = rest.iter().position(|&byte| byte == b'%') {
            out.extend(&rest[..start]);
            let (conversion, after) = rest[start..].split_at(length(&rest[start..]));
            rest = after;
            if conversion == b"%%" {
                out.push(b'%');
            } else if self.count >= MAX_ARGUMENTS {
                out.extend(conversion);
            } else {
                self.convert(conversion, &mut out)?;
            }
            if out.len() > MAX_OUTPUT {
                break;
            }
        }
        out.extend(rest);
        Ok(out)
    }

    fn convert(&mut self, conversion: &[u8], out: &mut Vec<u8>) -> Result<(), FaultKind> {
        let unknown = || FaultKind::BadFormat { conversion: String::from_utf8_lossy(conversion).into_owned() };
        let Some((&letter, inner)) = conversion[1..].split_last() else { return Err(unknown()) };
        let flags = inner.iter().take_while(|byte| b"-+ #0".contains(byte)).count();
        let mut layout = Layout {
            left: inner[..flags].contains(&b'-'),
            plus: inner[..flags].contains(&b'+'),
            space: inner[..flags].contains(&b' '),
            alternate: inner[..flags].contains(&b'#'),
            zero: inner[..flags].contains(&b'0'),
            ..Layout::default()
        };
        let mut rest = &inner[flags..];
        if let Some(width) = self.amount(&mut rest)? {
            // One that is an argument may be negative: to the left.
            layout.left |= width < 0;
            layout.width = width.unsigned_abs() as usize;
        }
        if let [b'.', after @ ..] = rest {
            rest = after;
            // A negative one is none.
            layout.precision = usize::try_from(self.amount(&mut rest)?.unwrap_or(0)).ok();
        }
        if layout.width > MAX_WIDTH || layout.precision.is_some_and(|precision| precision > MAX_WIDTH) {
            return Err(unknown());
        }
        let (bytes, bits) = match rest {
            b"" => (4, 32),
            b"h" => (4, 16),
            b"hh" => (4, 8),
            b"l" | b"ll" | b"j" | b"z" | b"t" => (8, 64),
            _ => return Err(unknown()),
        };
        match letter {
            b'd' | b'i' => {
                let value = (self.argument(bytes)? << (64 - bits)) as i64 >> (64 - bits);
                integer(out, &layout, value < 0, &value.unsigned_abs().to_string(), "", true);
            }
            b'u' | b'o' | b'x' | b'X' => {
                let value = self.argument(bytes)? << (64 - bits) >> (64 - bits);
                let (digits, prefix) = match letter {
                    b'u' => (value.to_string(), ""),
                    b'o' => (format!("{value:o}"), if layout.alternate && value != 0 { "0" } else { "" }),
                    b'x' => (format!("{value:x}"), if layout.alternate && value != 0 { "0x" } else { "" }),
                    _ => (format!("{value:X}"), if layout.alternate && value != 0 { "0X" } else { "" }),
                };
                integer(out, &layout, false, &digits, prefix, false);
            }
            b'c' => {
                let value = self.argument(4)? as u8;
                pad(out, &layout, &[value]);
            }
            b's' => {
                let address = self.argument(8)?;
                let mut text = self.text(address)?;
                text.truncate(layout.precision.unwrap_or(usize::MAX));
                pad(out, &layout, &text);
            }
            b'p' => {
                let value = self.argument(8)?;
                pad(out, &layout, if value == 0 { "(nil)".to_owned() } else { format!("{value:#x}") }.as_bytes());
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                let value = f64::from_bits(self.argument(8)?);
                float(out, &layout, letter, value);
            }
            _ => return Err(unknown()),
        }
        Ok(())
    }

    /// Digits or `*`.
    fn amount(&mut self, rest: &mut &[u8]) -> Result<Option<i64>, FaultKind> {
        if let [b'*', after @ ..] = *rest {
            *rest = after;
            return Ok(Some(i64::from(self.argument(4)? as i32)));
        }
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (number, after) = rest.split_at(digits);
        *rest = after;
        let value = number.iter().fold(0i64, |value, digit| value.saturating_mul(10).saturating_add(i64::from(digit - b'0')));
        Ok((digits > 0).then_some(value))
    }
}

/// Length of the conversion that `text` begins with: up to its letter.
fn length(text: &[u8]) -> usize {
    let inner = |byte: &&u8| b"-+ #0123456789.*hlLjzt".contains(byte);
    (2 + text[1..].iter().take_while(inner).count()).min(text.len())
}

/// Puts text into its field.
fn pad(out: &mut Vec<u8>, layout: &Layout, text: &[u8]) {
    let missing = layout.width.saturating_sub(text.len());
    if !layout.left {
        out.extend(std::iter::repeat_n(b' ', missing));
    }
    out.extend(text);
    if layout.left {
        out.extend(std::iter::repeat_n(b' ', missing));
    }
}

/// The sign in front of a number.
fn sign(layout: &Layout, negative: bool) -> &'static str {
    match (negative, layout.plus, layout.space) {
        (true, ..) => "-",
        (false, true, _) => "+",
        (false, false, true) => " ",
        (false, false, false) => "",
    }
}

fn integer(out: &mut Vec<u8>, layout: &Layout, negative: bool, digits: &str, prefix: &str, signed: bool) {
    // No digits at all for a zero with precision 0.
    let digits = if layout.precision == Some(0) && digits == "0" { "" } else { digits };
    let sign = if signed { sign(layout, negative) } else { "" };
    let field = layout.width.saturating_sub(sign.len() + prefix.len());
    let least = match layout.precision {
        Some(precision) => precision.saturating_sub(if prefix == "0" { 1 } else { 0 }),
        None if layout.zero && !layout.left => field,
        None => 0,
    };
    let zeros = "0".repeat(least.saturating_sub(digits.len()));
    pad(out, layout, format!("{sign}{prefix}{zeros}{digits}").as_bytes());
}

fn float(out: &mut Vec<u8>, layout: &Layout, letter: u8, value: f64) {
    let sign = sign(layout, value.is_sign_negative());
    let magnitude = value.abs();
    let body = if magnitude.is_nan() {
        "nan".to_owned()
    } else if magnitude.is_infinite() {
        "inf".to_owned()
    } else {
        match letter.to_ascii_lowercase() {
            b'f' => fixed(layout, magnitude),
            b'e' => exponential(layout, magnitude, layout.precision.unwrap_or(6)),
            b'g' => general(layout, magnitude),
            _ => hexadecimal(layout, magnitude),
        }
    };
    let prefix = if letter.eq_ignore_ascii_case(&b'a') && magnitude.is_finite() { "0x" } else { "" };
    let missing = layout.width.saturating_sub(sign.len() + prefix.len() + body.len());
    let zeros = if layout.zero && !layout.left && magnitude.is_finite() { "0".repeat(missing) } else { String::new() };
    let text = format!("{prefix}{zeros}{body}");
    let text = if letter.is_ascii_uppercase() { text.to_ascii_uppercase() } else { text };
    pad(out, layout, format!("{sign}{text}").as_bytes());
}

fn fixed(layout: &Layout, value: f64) -> String {
    let precision = layout.precision.unwrap_or(6);
    let point = if precision == 0 && layout.alternate { "." } else { "" };
    format!("{value:.precision$}{point}")
}

fn exponential(layout: &Layout, value: f64, precision: usize) -> String {
    let text = format!("{value:.precision$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let point = if precision == 0 && layout.alternate { "." } else { "" };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}{point}e{sign}{:02}", exponent.abs())
}

/// `%g`: so many significant digits, in whichever of the two ways is shorter, without zeros at the end.
fn general(layout: &Layout, value: f64) -> String {
    let precision = layout.precision.unwrap_or(6).max(1);
    let rounded = format!("{value:.*e}", precision - 1);
    let exponent: i64 = rounded.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0);
    let short = exponent < -4 || exponent >= precision as i64;
    let text =
        if short { exponential(layout, value, precision - 1) } else { format!("{value:.*}", (precision as i64 - 1 - exponent) as usize) };
    if layout.alternate {
        return text;
    }
    let (digits, tail) = text.split_at(text.find('e').unwrap_or(text.len()));
    let digits = if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits };
    format!("{digits}{tail}")
}

/// `%a` without its `0x`.
fn hexadecimal(layout: &Layout, value: f64) -> String {
    const DIGITS: usize = 13;
    let bits = value.to_bits();
    let (exponent, mantissa) = ((bits >> 52) as i64, bits & ((1 << 52) - 1));
    let (mut whole, mut mantissa, exponent) = match (exponent, mantissa) {
        (0, 0) => (0, 0, 0),
        (0, _) => (0, mantissa, -1022),
        _ => (1, mantissa, exponent - 1023),
    };
    let digits = match layout.precision {
        Some(precision) if precision < DIGITS => {
            // Half to even, the whole digit included.
            let dropped = 4 * (DIGITS - precision);
            let all = whole << 52 | mantissa;
            let (kept, rest, half) = (all >> dropped, all & ((1 << dropped) - 1), 1 << (dropped - 1));
            let kept = kept + u64::from(rest > half || (rest == half && kept & 1 == 1));
            whole = kept >> (4 * precision);
            mantissa = kept & ((1 << (4 * precision)) - 1);
            if precision == 0 { String::new() } else { format!("{mantissa:0precision$x}") }
        }
        Some(precision) => format!("{mantissa:013x}{}", "0".repeat(precision - DIGITS)),
        None => format!("{mantissa:013x}").trim_end_matches('0').to_owned(),
    };
    let point = if digits.is_empty() && !layout.alternate { "" } else { "." };
    format!("{whole}{point}{digits}p{exponent:+}")
}
