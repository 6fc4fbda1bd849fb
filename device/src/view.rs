//! Views of device memory that every thread may write at its own index, and nowhere else.

use core::ops::{Index, IndexMut};
use core::ptr::NonNull;

use crate::copy::DeviceCopy;
use crate::thread::{Index1D, Index2D, Index3D};

/// A slice of device memory in which each thread of a 1-D launch can write its own element. Bounds-checked and free of races without
/// `unsafe`: the index is a witness that no two threads share.
pub struct DisjointSlice<T> {
    pointer: NonNull<T>,
    len: usize,
}

impl<T: DeviceCopy> DisjointSlice<T> {
    /// A view of `len` elements from `pointer` on.
    ///
    /// # Safety
    /// The memory must be valid for the launch and reached through nothing else, and the launch must have one dimension.
    #[inline(always)]
    pub unsafe fn from_raw_parts(pointer: NonNull<T>, len: usize) -> Self {
        DisjointSlice { pointer, len }
    }

    /// Number of elements.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no elements.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The calling thread's element; `None` when `at` lies beyond the end, as in the last block of a launch.
    #[inline(always)]
    pub fn get_mut(&mut self, at: Index1D) -> Option<&mut T> {
        let i = at.get();
        if i < self.len {
            // SAFETY: `i` is in bounds.
            let element = unsafe { self.pointer.add(i) };
            // SAFETY: no other thread has this index, and `&mut self` keeps this thread from asking twice.
            Some(unsafe { &mut *element.as_ptr() })
        } else {
            None
        }
    }
}

/// A row-major matrix in device memory in which each thread of a 2-D launch can write its own element. Its width comes from the host's
/// buffer, so that all threads agree on it.
pub struct DisjointSlice2D<T> {
    pointer: NonNull<T>,
    rows: usize,
    cols: usize,
}

impl<T: DeviceCopy> DisjointSlice2D<T> {
    /// A view of `rows * cols` elements from `pointer` on.
    ///
    /// # Safety
    /// The memory must be valid for the launch and reached through nothing else, and the launch must have two dimensions.
    #[inline(always)]
    pub unsafe fn from_raw_parts(pointer: NonNull<T>, rows: usize, cols: usize) -> Self {
        DisjointSlice2D { pointer, rows, cols }
    }

    /// Number of rows.
    #[inline(always)]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    #[inline(always)]
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// The calling thread's element; `None` when `at` lies outside.
    #[inline(always)]
    pub fn get_mut(&mut self, at: Index2D) -> Option<&mut T> {
        let (row, col) = (at.row(), at.col());
        if row < self.rows && col < self.cols {
            // SAFETY: row and column are in bounds.
            let element = unsafe { self.pointer.add(row * self.cols + col) };
            // SAFETY: no other thread has this index, and `&mut self` keeps this thread from asking twice.
            Some(unsafe { &mut *element.as_ptr() })
        } else {
            None
        }
    }
}

/// A row-major volume in device memory in which each thread of a 3-D launch can write its own element.
pub struct DisjointSlice3D<T> {
    pointer: NonNull<T>,
    planes: usize,
    rows: usize,
    cols: usize,
}

impl<T: DeviceCopy> DisjointSlice3D<T> {
    /// A view of `planes * rows * cols` elements from `pointer` on.
    ///
    /// # Safety
    /// The memory must be valid for the launch and reached through nothing else, and the launch must have three dimensions.
    #[inline(always)]
    pub unsafe fn from_raw_parts(pointer: NonNull<T>, planes: usize, rows: usize, cols: usize) -> Self {
        DisjointSlice3D { pointer, planes, rows, cols }
    }

    /// Number of planes.
    #[inline(always)]
    pub fn planes(&self) -> usize {
        self.planes
    }

    /// Number of rows of a plane.
    #[inline(always)]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns of a row.
    #[inline(always)]
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// The calling thread's element; `None` when `at` lies outside.
    #[inline(always)]
    pub fn get_mut(&mut self, at: Index3D) -> Option<&mut T> {
        let (plane, row, col) = (at.plane(), at.row(), at.col());
        if plane < self.planes && row < self.rows && col < self.cols {
            // SAFETY: plane, row and column are in bounds.
            let element = unsafe { self.pointer.add((plane * self.rows + row) * self.cols + col) };
            // SAFETY: no other thread has this index, and `&mut self` keeps this thread from asking twice.
            Some(unsafe { &mut *element.as_ptr() })
        } else {
            None
        }
    }
}

/// What a view could be indexed with: nothing, so that `view[i]` is an error that says what to do instead.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a `DisjointSlice` is not indexed: each thread writes its own element",
    label = "two threads might have the same index",
    note = "ask for the thread's element: `if let Some(element) = view.get_mut(thread::index_1d()) {{ *element = … }}`",
    note = "to read any element, take a `&[T]`; to write any, take a slice of atomics"
)]
pub trait ViewIndex {
    #[doc(hidden)]
    fn none(self) -> !;
}

macro_rules! not_indexed {
    ($($view:ident),*) => {$(
        #[doc(hidden)]
        impl<T, I: ViewIndex> Index<I> for $view<T> {
            type Output = T;
            fn index(&self, i: I) -> &T {
                i.none()
            }
        }

        #[doc(hidden)]
        impl<T, I: ViewIndex> IndexMut<I> for $view<T> {
            fn index_mut(&mut self, i: I) -> &mut T {
                i.none()
            }
        }
    )*};
}
not_indexed!(DisjointSlice, DisjointSlice2D, DisjointSlice3D);
