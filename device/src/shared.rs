//! Shared memory of a block, free of races by typestate.
//!
//! `shared!` hands a thread a *writer*. Writing consumes it: each thread writes its own slot. `sync` is the barrier; it consumes what was
//! written and returns a *reader* that sees every slot. `sync` on the reader gives the writer back.
//!
//! ```
//! # use threadwise_device::{shared, thread};
//! # fn kernel() -> f32 {
//! let tile = shared!([f32; 256]);
//! let tile = tile.write(1.0).sync();       // every thread's slot is now visible
//! let left = tile[(thread::thread_idx_x() as usize + 255) % 256];
//! let tile = tile.sync();                  // all have read: write again
//! # let _ = tile;
//! # left
//! # }
//! ```

use core::cell::UnsafeCell;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ops::Deref;

use crate::atomic::Atomic;
use crate::copy::Pod;
use crate::intrinsics::*;
use crate::{thread, warp};

/// Static shared memory: `shared!([T; N])` is a [`SharedArray`], `shared!([[T; C]; R])` a [`SharedTile`].
///
/// A thread may come to each `shared!` once per launch; lowering refuses one in a loop. Each `shared!` gives a type of its own (the last
/// parameter, which a function that takes any leaves generic), so that two threads cannot take one piece of memory for another.
#[macro_export]
macro_rules! shared {
    ([[$t:ty; $cols:expr]; $rows:expr]) => {{
        struct Here;
        $crate::shared!(@memory [[$t; $cols]; $rows], $crate::SharedTile<$t, { $rows }, { $cols }, $crate::shared::Writer, Here>)
    }};
    ([$t:ty; $n:expr]) => {{
        struct Here;
        $crate::shared!(@memory [$t; $n], $crate::SharedArray<$t, { $n }, $crate::shared::Writer, Here>)
    }};
    (@memory $memory:ty, $handle:ty) => {{
        #[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".threadwise.shared"))]
        #[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__tw_shared"))]
        static MEMORY: $crate::shared::Memory<$memory> = $crate::shared::Memory::new();
        // SAFETY: lowering puts MEMORY into the block's shared memory and checks that this runs once per thread.
        unsafe { <$handle>::from_memory(&MEMORY) }
    }};
}

/// What a `static` in shared memory is. Made by [`shared!`](crate::shared!) only.
#[doc(hidden)]
#[repr(align(16))]
pub struct Memory<T>(UnsafeCell<MaybeUninit<T>>);

// SAFETY: reached only through the handles of this module, which synchronize.
unsafe impl<T> Sync for Memory<T> {}

impl<T> Memory<T> {
    #[doc(hidden)]
    #[allow(clippy::new_without_default, reason = "made in statics only")]
    pub const fn new() -> Self {
        Memory(UnsafeCell::new(MaybeUninit::uninit()))
    }
}

#[inline(always)]
fn acquire<T, M>(memory: &'static Memory<M>) -> *mut T {
    __threadwise_shared_acquire(memory.0.get().cast()).cast()
}

/// State of shared memory in which the next step is a write.
pub struct Writer(());
/// State of shared memory that was written and waits for the barrier. `W` tells who owns which slot, so that the ways to write cannot be
/// mixed in different branches.
pub struct Written<W = PerThread>(PhantomData<W>);
/// Slot `i` was the `i`-th thread's, or that of a thread which `i` is a whole number of blocks behind.
pub struct PerThread(());
/// Slot `i` was the `i`-th warp's.
pub struct PerWarp(());
/// State of shared memory in which every thread may read every slot.
pub struct Reader(());

/// Shared memory that can pass a barrier.
pub trait Phase: Sized {
    /// What it is behind the barrier.
    type Next;
    /// The next state, without a barrier.
    ///
    /// # Safety
    /// Every thread of the block must have passed a barrier since the last access through `self`.
    unsafe fn next(self) -> Self::Next;
}

/// One barrier for several pieces of shared memory: `let (a, b) = shared::sync((a, b));`.
#[inline(always)]
pub fn sync<P: Phase>(phases: P) -> P::Next {
    thread::sync_threads();
    // SAFETY: behind the barrier.
    unsafe { phases.next() }
}

macro_rules! phase_tuples {
    ($(($($p:ident $i:tt),+)),*) => {$(
        impl<$($p: Phase),+> Phase for ($($p,)+) {
            type Next = ($($p::Next,)+);
            #[inline(always)]
            unsafe fn next(self) -> Self::Next {
                // SAFETY: the caller's promise covers each part.
                ($(unsafe { self.$i.next() },)+)
            }
        }
    )*};
}
phase_tuples!((A 0, B 1), (A 0, B 1, C 2), (A 0, B 1, C 2, D 3));

macro_rules! phases {
    ($handle:ident [$($generics:tt)*] [$($parameters:tt)*] [$($brand:ident)?]) => {
        impl<$($generics)*, W, $($brand)?> Phase for $handle<$($parameters)*, Written<W>, $($brand)?> {
            type Next = $handle<$($parameters)*, Reader, $($brand)?>;
            #[inline(always)]
            unsafe fn next(self) -> Self::Next {
                self.into_state()
            }
        }

        impl<$($generics)*, $($brand)?> Phase for $handle<$($parameters)*, Reader, $($brand)?> {
            type Next = $handle<$($parameters)*, Writer, $($brand)?>;
            #[inline(always)]
            unsafe fn next(self) -> Self::Next {
                self.into_state()
            }
        }

        impl<$($generics)*, W, $($brand)?> $handle<$($parameters)*, Written<W>, $($brand)?> {
            /// Barrier: waits for the whole block, then every slot can be read.
            #[inline(always)]
            pub fn sync(self) -> $handle<$($parameters)*, Reader, $($brand)?> {
                sync(self)
            }
        }

        impl<$($generics)*, $($brand)?> $handle<$($parameters)*, Reader, $($brand)?> {
            /// Barrier: waits until the whole block has read, then slots can be written again.
            #[inline(always)]
            pub fn sync(self) -> $handle<$($parameters)*, Writer, $($brand)?> {
                sync(self)
            }
        }
    };
}

/// `N` values of `T` in the block's shared memory. Of atomics, it is simply a `[T; N]` that all threads reach.
/// `B` is a type of the `shared!` alone that made it.
pub struct SharedArray<T, const N: usize, S = Writer, B = ()> {
    pointer: *mut T,
    state: PhantomData<(S, B)>,
}

impl<T, const N: usize, S, B> SharedArray<T, N, S, B> {
    #[inline(always)]
    fn into_state<U>(self) -> SharedArray<T, N, U, B> {
        SharedArray { pointer: self.pointer, state: PhantomData }
    }
}

impl<T, const N: usize, B> SharedArray<T, N, Writer, B> {
    #[doc(hidden)]
    #[inline(always)]
    pub unsafe fn from_memory(memory: &'static Memory<[T; N]>) -> Self {
        SharedArray { pointer: acquire(memory), state: PhantomData }
    }
}

impl<T: Pod, const N: usize, B> SharedArray<T, N, Writer, B> {
    /// Each thread writes the slot of its index in the block.
    ///
    /// # Panics
    /// When the block has more than `N` threads.
    #[inline(always)]
    pub fn write(self, value: T) -> SharedArray<T, N, Written, B> {
        self.put(thread::index_in_block() as usize, value)
    }

    /// The first lane of each warp writes the slot of its warp's index in the block.
    ///
    /// # Panics
    /// When the block has more than `N` warps.
    #[inline(always)]
    pub fn write_per_warp(self, value: T) -> SharedArray<T, N, Written<PerWarp>, B> {
        if warp::lane() == 0 { self.put(warp::index_in_block() as usize, value) } else { self.into_state() }
    }

    /// The threads write `value(i)` into all `N` slots, thread `t` the slots `t`, `t + block_size`, ….
    #[inline(always)]
    pub fn fill_with(self, value: impl Fn(usize) -> T) -> SharedArray<T, N, Written, B> {
        let mut i = thread::index_in_block() as usize;
        while i < N {
            // SAFETY: `i` is below N.
            let slot = unsafe { self.pointer.add(i) };
            // SAFETY: the slot is this thread's alone until the barrier.
            unsafe { slot.write(value(i)) };
            i += thread::block_size() as usize;
        }
        self.into_state()
    }

    #[inline(always)]
    fn put<W>(self, i: usize, value: T) -> SharedArray<T, N, Written<W>, B> {
        assert!(i < N, "shared memory has fewer slots than the block has writers");
        // SAFETY: `i` is below N.
        let slot = unsafe { self.pointer.add(i) };
        // SAFETY: the slot is this thread's alone until the barrier.
        unsafe { slot.write(value) };
        self.into_state()
    }
}

phases!(SharedArray [T: Pod, const N: usize] [T, N] [B]);

impl<T: Pod, const N: usize, B> Deref for SharedArray<T, N, Reader, B> {
    type Target = [T; N];
    #[inline(always)]
    fn deref(&self) -> &[T; N] {
        // SAFETY: `N` slots lie there, every bit pattern is a value, and nobody writes while readers exist.
        unsafe { &*self.pointer.cast() }
    }
}

impl<T: Atomic, const N: usize, B> Deref for SharedArray<T, N, Writer, B> {
    type Target = [T; N];
    #[inline(always)]
    fn deref(&self) -> &[T; N] {
        // SAFETY: `N` atomics lie there, and all access to them is atomic.
        unsafe { &*self.pointer.cast() }
    }
}

/// A tile of `R` rows and `C` columns in the block's shared memory; thread (x, y) of the block owns `[y][x]`.
/// `B` is a type of the `shared!` alone that made it.
pub struct SharedTile<T, const R: usize, const C: usize, S = Writer, B = ()> {
    pointer: *mut [T; C],
    state: PhantomData<(S, B)>,
}

impl<T, const R: usize, const C: usize, S, B> SharedTile<T, R, C, S, B> {
    #[inline(always)]
    fn into_state<U>(self) -> SharedTile<T, R, C, U, B> {
        SharedTile { pointer: self.pointer, state: PhantomData }
    }
}

impl<T: Pod, const R: usize, const C: usize, B> SharedTile<T, R, C, Writer, B> {
    #[doc(hidden)]
    #[inline(always)]
    pub unsafe fn from_memory(memory: &'static Memory<[[T; C]; R]>) -> Self {
        SharedTile { pointer: acquire(memory), state: PhantomData }
    }

    /// Each thread writes `[thread_idx_y][thread_idx_x]`.
    ///
    /// # Panics
    /// When the block is wider than `C` or higher than `R`, or has more than one plane.
    #[inline(always)]
    pub fn write(self, value: T) -> SharedTile<T, R, C, Written, B> {
        let (row, col) = (thread::thread_idx_y() as usize, thread::thread_idx_x() as usize);
        assert!(row < R && col < C && thread::thread_idx_z() == 0, "the block is larger than the shared tile");
        // SAFETY: `row` is below R.
        let line = unsafe { self.pointer.add(row) };
        // SAFETY: `col` is below C.
        let slot = unsafe { line.cast::<T>().add(col) };
        // SAFETY: the slot is this thread's alone until the barrier.
        unsafe { slot.write(value) };
        self.into_state()
    }
}

phases!(SharedTile [T: Pod, const R: usize, const C: usize] [T, R, C] [B]);

impl<T: Pod, const R: usize, const C: usize, B> Deref for SharedTile<T, R, C, Reader, B> {
    type Target = [[T; C]; R];
    #[inline(always)]
    fn deref(&self) -> &[[T; C]; R] {
        // SAFETY: the tile lies there, every bit pattern is a value, and nobody writes while readers exist.
        unsafe { &*self.pointer.cast() }
    }
}

/// Shared memory whose size the launch chose (`.shared_bytes(n)`), as values of `T`.
pub struct DynamicShared<T, S = Writer> {
    pointer: *mut T,
    len: usize,
    state: PhantomData<S>,
}

impl<T, S> DynamicShared<T, S> {
    #[inline(always)]
    fn into_state<U>(self) -> DynamicShared<T, U> {
        DynamicShared { pointer: self.pointer, len: self.len, state: PhantomData }
    }
}

impl<T: Pod> DynamicShared<T> {
    /// The launch's dynamic shared memory, `shared_bytes / size_of::<T>()` slots. A thread may come here once per launch.
    #[allow(clippy::new_without_default, reason = "takes the block's memory, which is no default value")]
    #[inline(always)]
    pub fn new() -> Self {
        const { assert!(align_of::<T>() <= 16 && size_of::<T>() > 0) };
        DynamicShared {
            pointer: __threadwise_shared_acquire(__threadwise_dynamic_shared()).cast(),
            len: __threadwise_dynamic_shared_bytes() as usize / size_of::<T>(),
            state: PhantomData,
        }
    }

    /// Each thread writes the slot of its index in the block.
    ///
    /// # Panics
    /// When the block has more threads than there are slots.
    #[inline(always)]
    pub fn write(self, value: T) -> DynamicShared<T, Written> {
        let i = thread::index_in_block() as usize;
        assert!(i < self.len, "dynamic shared memory is smaller than the block needs: raise `.shared_bytes()`");
        // SAFETY: `i` is in bounds.
        let slot = unsafe { self.pointer.add(i) };
        // SAFETY: the slot is this thread's alone until the barrier.
        unsafe { slot.write(value) };
        self.into_state()
    }

    /// The threads write `value(i)` into all slots, thread `t` the slots `t`, `t + block_size`, ….
    #[inline(always)]
    pub fn fill_with(self, value: impl Fn(usize) -> T) -> DynamicShared<T, Written> {
        let mut i = thread::index_in_block() as usize;
        while i < self.len {
            // SAFETY: `i` is in bounds.
            let slot = unsafe { self.pointer.add(i) };
            // SAFETY: the slot is this thread's alone until the barrier.
            unsafe { slot.write(value(i)) };
            i += thread::block_size() as usize;
        }
        self.into_state()
    }
}

phases!(DynamicShared [T: Pod] [T] []);

impl<T: Pod> Deref for DynamicShared<T, Reader> {
    type Target = [T];
    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: `len` slots lie there, every bit pattern is a value, and nobody writes while readers exist.
        unsafe { core::slice::from_raw_parts(self.pointer, self.len) }
    }
}
