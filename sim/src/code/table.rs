//! Tables of operations on lanes: a line gives an operation's name and what it does to one lane, and the macro makes the enum and the
//! loop over lanes of each.

use threadwise_abi::WARP_SIZE;

/// Lanes of a warp.
pub(crate) const LANES: usize = WARP_SIZE as usize;

/// Values of one register in all lanes.
pub(crate) type Lanes<T> = [T; LANES];

#[inline(always)]
pub(crate) fn map1<A: Copy, R: Copy + Default>((a,): (&Lanes<A>,), f: impl Fn(A) -> R) -> Lanes<R> {
    let mut out = [R::default(); LANES];
    for i in 0..LANES {
        out[i] = f(a[i]);
    }
    out
}

#[inline(always)]
pub(crate) fn map2<A: Copy, B: Copy, R: Copy + Default>((a, b): (&Lanes<A>, &Lanes<B>), f: impl Fn(A, B) -> R) -> Lanes<R> {
    let mut out = [R::default(); LANES];
    for i in 0..LANES {
        out[i] = f(a[i], b[i]);
    }
    out
}

#[inline(always)]
pub(crate) fn map3<A: Copy, B: Copy, C: Copy, R: Copy + Default>(
    (a, b, c): (&Lanes<A>, &Lanes<B>, &Lanes<C>),
    f: impl Fn(A, B, C) -> R,
) -> Lanes<R> {
    let mut out = [R::default(); LANES];
    for i in 0..LANES {
        out[i] = f(a[i], b[i], c[i]);
    }
    out
}

#[inline(always)]
pub(crate) fn map4<A: Copy, B: Copy, C: Copy, D: Copy, R: Copy + Default>(
    (a, b, c, d): (&Lanes<A>, &Lanes<B>, &Lanes<C>, &Lanes<D>),
    f: impl Fn(A, B, C, D) -> R,
) -> Lanes<R> {
    let mut out = [R::default(); LANES];
    for i in 0..LANES {
        out[i] = f(a[i], b[i], c[i], d[i]);
    }
    out
}

/// One bit per lane.
#[inline(always)]
pub(crate) fn mask2<A: Copy>((a, b): (&Lanes<A>, &Lanes<A>), f: impl Fn(A, A) -> bool) -> u32 {
    let mut out = 0;
    for i in 0..LANES {
        out |= u32::from(f(a[i], b[i])) << i;
    }
    out
}

macro_rules! table {
    ($(#[$doc:meta])* $table:ident: $map:ident($($arg:ident: $in:ty),*) -> $out:ty { $($name:ident = $f:expr;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum $table {
            $($name,)*
        }

        impl $table {
            /// The operation on all lanes.
            #[inline(always)]
            pub(crate) fn run(self, $($arg: &$crate::code::table::Lanes<$in>),*) -> $out {
                let operands = ($($arg,)*);
                match self {
                    $(Self::$name => $crate::code::table::$map(operands, $f),)*
                }
            }
        }
    };
}
pub(crate) use table;
