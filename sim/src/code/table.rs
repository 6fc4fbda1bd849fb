//! Tables of operations on lanes: a line gives an operation's name and what it does to one lane, and the macro makes the enum and the
//! loop over lanes of each.

use std::cell::Cell;

use threadwise_abi::WARP_SIZE;

/// Lanes of a warp.
pub(crate) const LANES: usize = WARP_SIZE as usize;

/// Values of one register in all lanes.
pub(crate) type Lanes<T> = [T; LANES];

/// All lanes.
pub(crate) const FULL: u32 = u32::MAX;

/// Lanes that are computed together: a vector register or two of the host.
const CHUNK: usize = 8;

/// Where the results of some lanes go. It may be a register that is an operand too.
#[derive(Clone, Copy)]
pub(crate) struct Out<'r, T> {
    pub(crate) lanes: &'r Lanes<Cell<T>>,
    /// The lanes.
    pub(crate) mask: u32,
}

impl<T: Copy + Default> Out<'_, T> {
    /// Puts `f(lane)` into each lane of the mask. All results of a chunk are there before the first is put, which lets the compiler make
    /// vector instructions of it; whole warps, the common case, need no look at what was there.
    #[inline(always)]
    pub(crate) fn put(self, f: impl Fn(usize) -> T) {
        for start in (0..LANES).step_by(CHUNK) {
            let mut out = [T::default(); CHUNK];
            for (i, out) in out.iter_mut().enumerate() {
                *out = f(start + i);
            }
            let lanes = &self.lanes[start..start + CHUNK];
            if self.mask == FULL {
                for (lane, &out) in lanes.iter().zip(&out) {
                    lane.set(out);
                }
            } else {
                for (i, (lane, &out)) in lanes.iter().zip(&out).enumerate() {
                    lane.set(if self.mask >> (start + i) & 1 != 0 { out } else { lane.get() });
                }
            }
        }
    }
}

/// The lanes of an operand.
pub(crate) type In<'r, T> = &'r Lanes<Cell<T>>;

#[inline(always)]
pub(crate) fn map1<A: Copy, R: Copy + Default>((a,): (In<'_, A>,), out: Out<'_, R>, f: impl Fn(A) -> R) {
    out.put(|i| f(a[i].get()));
}

#[inline(always)]
pub(crate) fn map2<A: Copy, B: Copy, R: Copy + Default>((a, b): (In<'_, A>, In<'_, B>), out: Out<'_, R>, f: impl Fn(A, B) -> R) {
    out.put(|i| f(a[i].get(), b[i].get()));
}

#[inline(always)]
pub(crate) fn map3<A: Copy, B: Copy, C: Copy, R: Copy + Default>(
    (a, b, c): (In<'_, A>, In<'_, B>, In<'_, C>),
    out: Out<'_, R>,
    f: impl Fn(A, B, C) -> R,
) {
    out.put(|i| f(a[i].get(), b[i].get(), c[i].get()));
}

#[inline(always)]
pub(crate) fn map4<A: Copy, B: Copy, C: Copy, D: Copy, R: Copy + Default>(
    (a, b, c, e): (In<'_, A>, In<'_, B>, In<'_, C>, In<'_, D>),
    out: Out<'_, R>,
    f: impl Fn(A, B, C, D) -> R,
) {
    out.put(|i| f(a[i].get(), b[i].get(), c[i].get(), e[i].get()));
}

/// One bit per lane.
#[inline(always)]
pub(crate) fn mask2<A: Copy>((a, b): (In<'_, A>, In<'_, A>), f: impl Fn(A, A) -> bool) -> u32 {
    let mut out = 0;
    for i in 0..LANES {
        out |= u32::from(f(a[i].get(), b[i].get())) << i;
    }
    out
}

macro_rules! table {
    ($(#[$doc:meta])* $table:ident: $map:ident($($arg:ident: $in:ty),*) -> bool { $($name:ident = $f:expr;)* }) => {
        $crate::code::table::table!(@enum [$(#[$doc])*] $table [$($name)*]);

        impl $table {
            /// The operation on all lanes, one bit each.
            #[inline(always)]
            pub(crate) fn run(self, $($arg: $crate::code::table::In<'_, $in>),*) -> u32 {
                let operands = ($($arg,)*);
                match self {
                    $(Self::$name => $crate::code::table::$map(operands, $f),)*
                }
            }
        }
    };
    ($(#[$doc:meta])* $table:ident: $map:ident($($arg:ident: $in:ty),*) -> $out:ty { $($name:ident = $f:expr;)* }) => {
        $crate::code::table::table!(@enum [$(#[$doc])*] $table [$($name)*]);

        impl $table {
            /// The operation on the lanes of `out`.
            #[inline(always)]
            pub(crate) fn run(self, $($arg: $crate::code::table::In<'_, $in>,)* out: $crate::code::table::Out<'_, $out>) {
                let operands = ($($arg,)*);
                match self {
                    $(Self::$name => $crate::code::table::$map(operands, out, $f),)*
                }
            }
        }
    };
    (@enum [$(#[$doc:meta])*] $table:ident [$($name:ident)*]) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum $table {
            $($name,)*
        }
    };
}
pub(crate) use table;
