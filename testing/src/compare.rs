//! Results against what they should be, element by element.

use std::fmt::{Debug, Write};

use threadwise_device::assert::{Float, Near};
use threadwise_host::Dim3;

/// Rows of the table of elements that differ.
const MOST_ROWS: usize = 8;
/// Ranges of indices that are listed.
const MOST_RANGES: usize = 8;

/// Asserts that two slices, or anything that lends one, have equal or nearly equal elements: `rel = 1e-6` of the larger magnitude,
/// `abs = 1e-9`, `ulps = 2` units in the last place, or any of several; without limits, equal. NaN equals NaN here.
///
/// The message says how many elements differ and where, and shows the worst of them and the first in a table. With `block = 256`, the
/// block size of a one-dimensional launch, it also says which thread the worst element belongs to.
///
/// ```
/// # use threadwise_testing::assert_close_slice;
/// let got = vec![1.0_f32, 2.0, 3.0];
/// assert_close_slice!(got, [1.0, 2.000_001, 3.0], rel = 1e-6);
/// ```
#[macro_export]
macro_rules! assert_close_slice {
    ($got:expr, $want:expr $(, $kind:ident = $limit:expr)* $(,)?) => {
        $crate::close_slices(&$got, &$want, $crate::Closeness::new()$(.$kind($limit))*)
    };
}

/// How near the elements of two slices have to be.
#[derive(Clone, Copy, Debug, Default)]
pub struct Closeness {
    near: Near,
    limits: Limits,
    block: Option<Dim3>,
}

/// The limits as numbers, for messages and for what "worst" means.
#[derive(Clone, Copy, Debug, Default)]
struct Limits {
    rel: Option<f64>,
    abs: Option<f64>,
    ulps: Option<u64>,
}

impl Closeness {
    /// Equal.
    pub fn new() -> Self {
        Closeness::default()
    }

    /// Or apart by at most that part of the larger magnitude.
    pub fn rel(self, rel: f64) -> Self {
        Closeness { near: self.near.rel(rel), limits: Limits { rel: Some(rel), ..self.limits }, ..self }
    }

    /// Or apart by at most that much.
    pub fn abs(self, abs: f64) -> Self {
        Closeness { near: self.near.abs(abs), limits: Limits { abs: Some(abs), ..self.limits }, ..self }
    }

    /// Or at most so many units in the last place apart.
    pub fn ulps(self, ulps: u64) -> Self {
        Closeness { near: self.near.ulps(ulps), limits: Limits { ulps: Some(ulps), ..self.limits }, ..self }
    }

    /// Threads of a block of the launch that made the elements, one thread for each.
    pub fn block(self, threads: impl Into<Dim3>) -> Self {
        Closeness { block: Some(threads.into()), ..self }
    }

    /// What is wrong with `got`; `None` when it is near enough.
    pub(crate) fn complaint<T: Number>(&self, got: &[T], want: &[T]) -> Option<String> {
        if got.len() != want.len() {
            return Some(format!("assertion `got ≈ want` failed: {} elements, and there should be {}", got.len(), want.len()));
        }
        let differ: Vec<usize> = (0..got.len()).filter(|&i| !got[i].is_near(want[i], &self.near)).collect();
        let worst = *differ.iter().max_by(|&&a, &&b| {
            let badness = |i: usize| self.limits.badness(&got[i].apart(want[i]));
            // The first of equals.
            badness(a).total_cmp(&badness(b)).then(b.cmp(&a))
        })?;
        Some(self.describe(got, want, &differ, worst))
    }

    fn describe<T: Number>(&self, got: &[T], want: &[T], differ: &[usize], worst: usize) -> String {
        let mut text = format!("assertion `got ≈ want` failed: {} of {} elements differ", differ.len(), got.len());
        if let Some(allowed) = self.limits.text() {
            let _ = write!(text, " by more than {allowed}");
        }
        let _ = write!(text, "\n at: {}\n worst: element {worst}", ranges(differ));
        if let Some(threads) = self.block.map(|block| block.count() as usize).filter(|&threads| threads > 0) {
            let _ = write!(text, " (block {}, thread {})", worst / threads, worst % threads);
        }
        let mut shown: Vec<usize> = differ.iter().copied().take(MOST_ROWS).collect();
        if !shown.contains(&worst) {
            shown.pop();
            shown.push(worst);
        }
        let mut rows = vec![["", "element", "got", "want", "apart", "relative", "ulps"].map(str::to_owned)];
        for &i in &shown {
            let Apart { abs, rel, ulps } = got[i].apart(want[i]);
            let mark = if i == worst { "*" } else { "" };
            let ulps = ulps.map_or_else(|| "-".to_owned(), |ulps| ulps.to_string());
            rows.push([mark.to_owned(), i.to_string(), format!("{:?}", got[i]), format!("{:?}", want[i]), number(abs), number(rel), ulps]);
        }
        text.push_str("\n\n");
        text.push_str(&table(&rows));
        if differ.len() > shown.len() {
            let _ = write!(text, "   … and {} more", differ.len() - shown.len());
        }
        text.trim_end().to_owned()
    }
}

impl Limits {
    /// By what the first limit speaks of: relatively, in units in the last place, or absolutely.
    fn badness(&self, apart: &Apart) -> f64 {
        match (self.rel, self.ulps) {
            (Some(_), _) => apart.rel,
            (None, Some(_)) => apart.ulps.map_or(apart.abs, |ulps| ulps as f64),
            (None, None) => apart.abs,
        }
    }

    fn text(&self) -> Option<String> {
        let parts =
            [self.rel.map(|x| format!("rel {x:e}")), self.abs.map(|x| format!("abs {x:e}")), self.ulps.map(|x| format!("{x} ulps"))];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join(" and "))
    }
}

/// A few digits are enough for a distance.
fn number(x: f64) -> String {
    if x == 0.0 || (1e-3..1e6).contains(&x) { format!("{}", (x * 1e6).round() / 1e6) } else { format!("{x:.3e}") }
}

/// `3..7, 12`: the indices, in runs.
fn ranges(indices: &[usize]) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for &i in indices {
        match runs.last_mut() {
            Some((_, end)) if *end == i => *end += 1,
            _ => runs.push((i, i + 1)),
        }
    }
    let one = |&(start, end): &(usize, usize)| if end == start + 1 { start.to_string() } else { format!("{start}..{end}") };
    let mut shown: Vec<String> = runs.iter().take(MOST_RANGES).map(one).collect();
    if runs.len() > MOST_RANGES {
        shown.push(format!("… ({} ranges)", runs.len()));
    }
    shown.join(", ")
}

/// Columns aligned to the right.
fn table<const N: usize>(rows: &[[String; N]]) -> String {
    let widths: [usize; N] = std::array::from_fn(|c| rows.iter().map(|row| row[c].chars().count()).max().unwrap_or(0));
    let mut text = String::new();
    for row in rows {
        let cells: Vec<String> = row.iter().zip(widths).map(|(cell, width)| format!("{cell:>width$}")).collect();
        let _ = writeln!(text, " {}", cells.join("  ").trim_end());
    }
    text
}

/// How far apart two numbers are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Apart {
    /// The magnitude of the difference; infinite when one is NaN.
    pub abs: f64,
    /// As a part of the larger magnitude.
    pub rel: f64,
    /// In units in the last place, for floats.
    pub ulps: Option<u64>,
}

/// An element that slices are compared by.
pub trait Number: Copy + Debug {
    /// Whether the two are near enough.
    fn is_near(self, other: Self, near: &Near) -> bool;
    /// How far apart they are.
    fn apart(self, other: Self) -> Apart;
}

fn apart(a: f64, b: f64, abs: f64, ulps: Option<u64>) -> Apart {
    if abs.is_nan() || a.is_nan() || b.is_nan() {
        return Apart { abs: f64::INFINITY, rel: f64::INFINITY, ulps };
    }
    let larger = a.abs().max(b.abs());
    let rel = if larger == 0.0 { 0.0 } else { abs / larger };
    Apart { abs, rel: if rel.is_nan() { f64::INFINITY } else { rel }, ulps }
}

macro_rules! floats {
    ($($t:ty)*) => {$(
        impl Number for $t {
            fn is_near(self, other: Self, near: &Near) -> bool {
                (self.is_nan() && other.is_nan()) || near.holds(self, other)
            }

            fn apart(self, other: Self) -> Apart {
                let (a, b) = (f64::from(self), f64::from(other));
                apart(a, b, (a - b).abs(), Some(Float::ulps(self, other)))
            }
        }
    )*};
}

macro_rules! integers {
    ($($t:ty)*) => {$(
        impl Number for $t {
            fn is_near(self, other: Self, near: &Near) -> bool {
                let Apart { abs, .. } = self.apart(other);
                self == other || abs <= near.within(self as f64, other as f64)
            }

            fn apart(self, other: Self) -> Apart {
                apart(self as f64, other as f64, self.abs_diff(other) as f64, None)
            }
        }
    )*};
}

floats!(f32 f64);
integers!(u8 i8 u16 i16 u32 i32 u64 i64 u128 i128 usize isize);

/// What [`assert_close_slice!`] does.
///
/// # Panics
/// When the slices are not that near to each other.
#[track_caller]
pub fn close_slices<T: Number>(got: &(impl AsRef<[T]> + ?Sized), want: &(impl AsRef<[T]> + ?Sized), closeness: Closeness) {
    if let Some(complaint) = closeness.complaint(got.as_ref(), want.as_ref()) {
        panic!("{complaint}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_slices_are_close_and_nan_equals_nan() {
        assert_close_slice!(vec![1.0_f32, f32::NAN], [1.0, f32::NAN]);
        assert_close_slice!([1.0, 2.0], &[1.0, 2.000_001][..], rel = 1e-6);
        assert_close_slice!([10_u8, 20], [10, 22], abs = 2.0);
        assert_close_slice!([0_u32; 0], []);
    }

    #[test]
    fn message_has_the_worst_element_its_thread_and_a_table() {
        let want: Vec<f32> = (0..1000).map(|i| i as f32).collect();
        let mut got = want.clone();
        got[3] = 3.5;
        got[4] = 4.25;
        got[700] = 1.0;
        let text = Closeness::new().rel(1e-6).block(256).complaint(&got, &want).unwrap();
        let expected = "\
assertion `got ≈ want` failed: 3 of 1000 elements differ by more than rel 1e-6
 at: 3..5, 700
 worst: element 700 (block 2, thread 188)

    element   got   want  apart  relative      ulps
          3   3.5    3.0    0.5  0.142857   2097152
          4  4.25    4.0   0.25  0.058824    524288
 *      700   1.0  700.0    699  0.998571  78577664";
        assert_eq!(text, expected);
    }

    #[test]
    fn of_many_elements_the_first_and_the_worst_are_shown() {
        let want = [0_i64; 100];
        let got: Vec<i64> = (0..100).map(|i| i * i).collect();
        let text = Closeness::new().complaint(&got, &want).unwrap();
        assert!(text.starts_with("assertion `got ≈ want` failed: 99 of 100 elements differ\n at: 1..100\n worst: element 99\n"), "{text}");
        assert!(text.contains(" *       99  9801     0   9801         1     -\n"), "{text}");
        assert!(text.ends_with("… and 91 more"), "{text}");
    }

    #[test]
    fn nan_and_infinity_are_worse_than_any_number() {
        let text = Closeness::new().abs(1.0).complaint(&[9e9, f64::NAN, 0.0], &[0.0, 0.0, f64::INFINITY]).unwrap();
        assert!(text.contains("worst: element 1"), "{text}");
    }

    #[test]
    fn lengths_that_differ_are_told() {
        let text = Closeness::new().complaint(&[1, 2], &[1]).unwrap();
        assert!(text.ends_with("2 elements, and there should be 1"), "{text}");
    }

    #[test]
    fn integers_are_compared_exactly_beyond_what_floats_hold() {
        assert!(Closeness::new().complaint(&[u64::MAX], &[u64::MAX - 1]).is_some());
        assert!(Closeness::new().abs(1.0).complaint(&[u64::MAX], &[u64::MAX - 1]).is_none());
        assert!(Closeness::new().rel(0.1).complaint(&[100], &[111]).is_none());
        assert!(Closeness::new().rel(0.1).complaint(&[100], &[112]).is_some());
    }
}
