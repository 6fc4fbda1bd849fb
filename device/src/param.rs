//! How a kernel's parameters flatten to scalars, pointers and by-value aggregates, and which launches they admit.

use core::marker::PhantomData;
use core::ptr::NonNull;

use threadwise_abi::Component;

use crate::copy::{DeviceCopy, Element};
use crate::view::{DisjointSlice, DisjointSlice2D, DisjointSlice3D};

/// A type that a kernel can take as a parameter.
///
/// The entry function of a kernel takes the components of all parameters one after the other; unused components are `()` and vanish.
///
/// # Safety
/// `COMPONENTS` must describe the non-empty ones of `C0..C5` as the Rust calling convention passes them, in order, and `assemble` must
/// build the parameter from them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a parameter of a kernel",
    label = "not a kernel parameter",
    note = "a kernel takes `&[T]` (read only), `DisjointSlice<T>`, `DisjointSlice2D<T>` (written by index), `&[AtomicU32]` and its kind, or a `DeviceCopy` value",
    note = "if `{Self}` is a struct or enum of yours, add `#[derive(Clone, Copy, DeviceCopy)]` to it"
)]
pub unsafe trait KernelParam: Sized {
    /// First component.
    type C0;
    /// Second component.
    type C1;
    /// Third component.
    type C2;
    /// Fourth component.
    type C3;
    /// Fifth component.
    type C4;
    /// Sixth component.
    type C5;
    /// What the host passes; see [`kind`].
    type Kind;
    /// Which launches are sound for this parameter; see [`dim`].
    type Dim;
    /// Whether a kernel with this parameter must be an `unsafe fn`.
    const NEEDS_UNSAFE: bool = false;
    /// Layout of the components.
    const COMPONENTS: &'static [Component];

    /// The parameter from its components.
    ///
    /// # Safety
    /// The components must be those that the host packed for this parameter in the launch at hand.
    unsafe fn assemble(c0: Self::C0, c1: Self::C1, c2: Self::C2, c3: Self::C3, c4: Self::C4, c5: Self::C5) -> Self;
}

/// What kinds of argument the host passes for a parameter. Markers: the host crate maps each to a type.
pub mod kind {
    use super::PhantomData;

    /// A value of type `T`.
    pub struct Value<T>(PhantomData<T>);
    /// What `&[T]` takes: see [`Element::Kind`](crate::Element::Kind).
    pub struct Slice<T>(PhantomData<T>);
    /// A device buffer of `T`, shared.
    pub struct Shared<T>(PhantomData<T>);
    /// A device buffer of `T`, exclusive.
    pub struct Disjoint<T>(PhantomData<T>);
    /// A two-dimensional device buffer of `T`, exclusive.
    pub struct Disjoint2D<T>(PhantomData<T>);
    /// A three-dimensional device buffer of `T`, exclusive.
    pub struct Disjoint3D<T>(PhantomData<T>);
    /// A function of type `F`, such as a closure.
    pub struct Function<F>(PhantomData<F>);
    /// An address of `T` in device memory, for `unsafe` kernels.
    pub struct Pointer<T>(PhantomData<T>);
}

/// Over how many dimensions a kernel may be launched, as types.
pub mod dim {
    /// Any number of dimensions: the kernel has no view that is written by index.
    pub struct Any;
    /// One dimension: `thread::index_1d` is unique per thread.
    pub struct One;
    /// Two dimensions: `thread::index_2d` is unique per thread.
    pub struct Two;
    /// Three dimensions: `thread::index_3d` is unique per thread.
    pub struct Three;

    /// The dimensionality that two parameters agree on.
    #[diagnostic::on_unimplemented(
        message = "the kernel's views need launches of different dimensions: {Self}-dimensional and {Other}-dimensional",
        note = "use one of `DisjointSlice`, `DisjointSlice2D` and `DisjointSlice3D` for all written parameters of a kernel"
    )]
    pub trait Join<Other> {
        /// What both agree on.
        type Output;
    }

    macro_rules! join {
        ($($a:ident $b:ident -> $c:ident),*) => {$(impl Join<$b> for $a { type Output = $c; })*};
    }
    join!(
        Any Any -> Any, Any One -> One, Any Two -> Two, Any Three -> Three,
        One Any -> One, Two Any -> Two, Three Any -> Three,
        One One -> One, Two Two -> Two, Three Three -> Three
    );
}

/// A by-value parameter as the entry function receives it: lowering turns the pointer into a by-value parameter of the launch.
#[repr(transparent)]
pub struct ByValue<T>(*const T);

// SAFETY: one pointer, which lowering marks `byval`.
unsafe impl<T: DeviceCopy> KernelParam for T {
    type C0 = ByValue<T>;
    type C1 = ();
    type C2 = ();
    type C3 = ();
    type C4 = ();
    type C5 = ();
    type Kind = kind::Value<T>;
    type Dim = dim::Any;
    const COMPONENTS: &'static [Component] = &[Component::aggregate::<T>()];

    #[inline(always)]
    unsafe fn assemble(c0: ByValue<T>, _: (), _: (), _: (), _: (), _: ()) -> T {
        // SAFETY: the launch's parameter space holds a `T` there.
        unsafe { *c0.0 }
    }
}

/// A function that the host hands to a kernel: a closure that captures by value, or a function item.
///
/// A parameter `f: F` with `F: Fn(…) -> …` comes as this; lowering refuses one that captures references or is a function pointer, which mean
/// nothing on the device.
#[repr(transparent)]
pub struct Closure<F>(F);

impl<F> Closure<F> {
    /// The function.
    #[inline(always)]
    pub fn into_inner(self) -> F {
        self.0
    }
}

// SAFETY: one pointer, which lowering marks `byval`.
unsafe impl<F: Copy + 'static> KernelParam for Closure<F> {
    type C0 = ByValue<F>;
    type C1 = ();
    type C2 = ();
    type C3 = ();
    type C4 = ();
    type C5 = ();
    type Kind = kind::Function<F>;
    type Dim = dim::Any;
    const COMPONENTS: &'static [Component] = &[Component::function::<F>()];

    #[inline(always)]
    unsafe fn assemble(c0: ByValue<F>, _: (), _: (), _: (), _: (), _: ()) -> Self {
        // SAFETY: the launch's parameter space holds an `F` there.
        Closure(unsafe { *c0.0 })
    }
}

// SAFETY: a slice reference is passed as pointer and length, and rustc marks the pointer `noalias readonly` where its elements are frozen.
// Whether `T` can be an element is asked where the host's argument is: there the compiler says it of `T`, not of the slice.
unsafe impl<T: 'static> KernelParam for &'static [T] {
    type C0 = &'static [T];
    type C1 = ();
    type C2 = ();
    type C3 = ();
    type C4 = ();
    type C5 = ();
    type Kind = kind::Slice<T>;
    type Dim = dim::Any;
    const COMPONENTS: &'static [Component] = &[Component::pointer(), Component::scalar::<usize>()];

    #[inline(always)]
    unsafe fn assemble(c0: &'static [T], _: (), _: (), _: (), _: (), _: ()) -> Self {
        c0
    }
}

macro_rules! pointers {
    ($($t:ty),*) => {$(
        // SAFETY: one pointer.
        unsafe impl<T: Element> KernelParam for $t {
            type C0 = $t;
            type C1 = ();
            type C2 = ();
            type C3 = ();
            type C4 = ();
            type C5 = ();
            type Kind = kind::Pointer<T>;
            type Dim = dim::Any;
            const NEEDS_UNSAFE: bool = true;
            const COMPONENTS: &'static [Component] = &[Component::pointer()];

            #[inline(always)]
            unsafe fn assemble(c0: $t, _: (), _: (), _: (), _: (), _: ()) -> Self {
                c0
            }
        }
    )*};
}
pointers!(*const T, *mut T);

// SAFETY: pointer and length, each a scalar.
unsafe impl<T: DeviceCopy> KernelParam for DisjointSlice<T> {
    type C0 = NonNull<T>;
    type C1 = usize;
    type C2 = ();
    type C3 = ();
    type C4 = ();
    type C5 = ();
    type Kind = kind::Disjoint<T>;
    type Dim = dim::One;
    const COMPONENTS: &'static [Component] = &[Component::pointer(), Component::scalar::<usize>()];

    #[inline(always)]
    unsafe fn assemble(pointer: NonNull<T>, len: usize, _: (), _: (), _: (), _: ()) -> Self {
        // SAFETY: the host packed a buffer that this launch borrows exclusively.
        unsafe { DisjointSlice::from_raw_parts(pointer, len) }
    }
}

// SAFETY: pointer and extents, each a scalar.
unsafe impl<T: DeviceCopy> KernelParam for DisjointSlice2D<T> {
    type C0 = NonNull<T>;
    type C1 = usize;
    type C2 = usize;
    type C3 = ();
    type C4 = ();
    type C5 = ();
    type Kind = kind::Disjoint2D<T>;
    type Dim = dim::Two;
    const COMPONENTS: &'static [Component] = &[Component::pointer(), Component::scalar::<usize>(), Component::scalar::<usize>()];

    #[inline(always)]
    unsafe fn assemble(pointer: NonNull<T>, rows: usize, cols: usize, _: (), _: (), _: ()) -> Self {
        // SAFETY: the host packed a buffer that this launch borrows exclusively.
        unsafe { DisjointSlice2D::from_raw_parts(pointer, rows, cols) }
    }
}

// SAFETY: pointer and extents, each a scalar.
unsafe impl<T: DeviceCopy> KernelParam for DisjointSlice3D<T> {
    type C0 = NonNull<T>;
    type C1 = usize;
    type C2 = usize;
    type C3 = usize;
    type C4 = ();
    type C5 = ();
    type Kind = kind::Disjoint3D<T>;
    type Dim = dim::Three;
    const COMPONENTS: &'static [Component] =
        &[Component::pointer(), Component::scalar::<usize>(), Component::scalar::<usize>(), Component::scalar::<usize>()];

    #[inline(always)]
    unsafe fn assemble(pointer: NonNull<T>, planes: usize, rows: usize, cols: usize, _: (), _: ()) -> Self {
        // SAFETY: the host packed a buffer that this launch borrows exclusively.
        unsafe { DisjointSlice3D::from_raw_parts(pointer, planes, rows, cols) }
    }
}
