//! What a launch of each dimensionality can be given.

use threadwise_abi::Dim3;
use threadwise_device::dim;

/// The dimensionality of a kernel's index: [`dim::One`], [`dim::Two`], [`dim::Three`], or [`dim::Any`] if it writes no view by index.
pub trait Dimensions {
    /// The most dimensions that a launch may have.
    const COUNT: u32;
}

impl Dimensions for dim::Any {
    const COUNT: u32 = 3;
}
impl Dimensions for dim::One {
    const COUNT: u32 = 1;
}
impl Dimensions for dim::Two {
    const COUNT: u32 = 2;
}
impl Dimensions for dim::Three {
    const COUNT: u32 = 3;
}

/// Numbers of threads, slowest-running dimension first as in a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extents {
    /// Along x: columns, or the only extent.
    pub(crate) x: usize,
    /// Along y: rows.
    pub(crate) y: usize,
    /// Along z: planes.
    pub(crate) z: usize,
    /// How many of these were given.
    pub(crate) dimensions: u32,
}

/// Something that a kernel of dimensionality `D` can be launched [`over`](super::Launch::over).
#[diagnostic::on_unimplemented(
    message = "a kernel whose index is `{D}`-dimensional cannot be launched over `{Self}`",
    label = "not an extent of dimensionality `{D}`",
    note = "a kernel with a `DisjointSlice` is launched `.over(n)`, one with a `DisjointSlice2D` `.over((rows, cols))`, one with a `DisjointSlice3D` `.over((planes, rows, cols))`, all `usize`"
)]
pub trait Extent<D> {
    /// The numbers of threads.
    fn extents(self) -> Extents;
}

/// Something that the [`grid`](super::Launch::grid) or [`block`](super::Launch::block) of a kernel of dimensionality `D` can be.
#[diagnostic::on_unimplemented(
    message = "a kernel whose index is `{D}`-dimensional cannot have a grid or block of `{Self}`",
    label = "not a grid or block of dimensionality `{D}`",
    note = "a kernel with a `DisjointSlice` takes `x`, one with a `DisjointSlice2D` `(x, y)`, one with a `DisjointSlice3D` `(x, y, z)`, all `u32`; x counts columns, y rows, z planes"
)]
pub trait Shape<D> {
    /// The extents.
    fn dim(self) -> Dim3;
}

impl Extents {
    const fn new(dimensions: u32, z: usize, y: usize, x: usize) -> Self {
        Extents { x, y, z, dimensions }
    }
}

// Written out: a macro would appear in the compiler's message for a wrong launch.

impl Extent<dim::One> for usize {
    fn extents(self) -> Extents {
        Extents::new(1, 1, 1, self)
    }
}

impl Shape<dim::One> for u32 {
    fn dim(self) -> Dim3 {
        self.into()
    }
}

impl Extent<dim::Any> for usize {
    fn extents(self) -> Extents {
        Extents::new(1, 1, 1, self)
    }
}

impl Shape<dim::Any> for u32 {
    fn dim(self) -> Dim3 {
        self.into()
    }
}

impl Extent<dim::Two> for (usize, usize) {
    fn extents(self) -> Extents {
        Extents::new(2, 1, self.0, self.1)
    }
}

impl Shape<dim::Two> for (u32, u32) {
    fn dim(self) -> Dim3 {
        self.into()
    }
}

impl Extent<dim::Any> for (usize, usize) {
    fn extents(self) -> Extents {
        Extents::new(2, 1, self.0, self.1)
    }
}

impl Shape<dim::Any> for (u32, u32) {
    fn dim(self) -> Dim3 {
        self.into()
    }
}

impl Extent<dim::Three> for (usize, usize, usize) {
    fn extents(self) -> Extents {
        Extents::new(3, self.0, self.1, self.2)
    }
}

impl Shape<dim::Three> for (u32, u32, u32) {
    fn dim(self) -> Dim3 {
        self.into()
    }
}

impl Extent<dim::Any> for (usize, usize, usize) {
    fn extents(self) -> Extents {
        Extents::new(3, self.0, self.1, self.2)
    }
}

impl Shape<dim::Any> for (u32, u32, u32) {
    fn dim(self) -> Dim3 {
        self.into()
    }
}
