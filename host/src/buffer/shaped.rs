//! Buffers with two and three dimensions.

use std::ops::{Deref, RangeBounds};

use threadwise_device::{DeviceCopy, Zeroable};

use super::{DeviceBuffer, DeviceSliceMut};
use crate::device::Device;
use crate::error::{Error, Result};

/// The number of elements of a shape.
fn count<T>(extents: &[usize]) -> Result<usize> {
    let product = extents.iter().try_fold(1usize, |product, &extent| product.checked_mul(extent));
    product.ok_or_else(|| Error::TooLarge { len: shape_text(extents), element_bytes: size_of::<T>() })
}

fn shape_text(extents: &[usize]) -> String {
    extents.iter().map(usize::to_string).collect::<Vec<_>>().join(" x ")
}

fn expect_count<T>(len: usize, extents: &[usize]) -> Result<()> {
    let expected = count::<T>(extents)?;
    if len == expected { Ok(()) } else { Err(Error::ShapeMismatch { len, shape: shape_text(extents), expected }) }
}

macro_rules! shaped {
    ($(#[$doc:meta])* $name:ident, $shape:ty, $($extent:ident: $extent_doc:literal),+) => {
        $(#[$doc])*
        ///
        /// It dereferences to the flat [`DeviceBuffer`] of its elements for reading. Writing goes through the methods here, so that its
        /// length always fits its shape.
        #[derive(Debug)]
        pub struct $name<T: DeviceCopy> {
            flat: DeviceBuffer<T>,
            $($extent: usize,)+
        }

        impl<T: DeviceCopy> $name<T> {
            /// A buffer on `device` with a copy of `values`, in row-major order.
            ///
            /// # Errors
            /// [`Error::ShapeMismatch`] when the number of values is not the product of the extents; otherwise as for
            /// [`DeviceBuffer::from_host`].
            pub fn from_host(device: &Device, values: &[T], $($extent: usize),+) -> Result<Self> {
                expect_count::<T>(values.len(), &[$($extent),+])?;
                Ok($name { flat: DeviceBuffer::from_host(device, values)?, $($extent),+ })
            }

            /// A buffer on `device`, all bits zero.
            ///
            /// # Errors
            /// As for [`DeviceBuffer::zeroed`].
            pub fn zeroed(device: &Device, $($extent: usize),+) -> Result<Self>
            where
                T: Zeroable,
            {
                let len = count::<T>(&[$($extent),+])?;
                Ok($name { flat: DeviceBuffer::zeroed(device, len)?, $($extent),+ })
            }

            /// A flat buffer in that shape, without a copy.
            ///
            /// # Errors
            /// [`Error::ShapeMismatch`] when its length is not the product of the extents.
            pub fn from_flat(flat: DeviceBuffer<T>, $($extent: usize),+) -> Result<Self> {
                expect_count::<T>(flat.len(), &[$($extent),+])?;
                Ok($name { flat, $($extent),+ })
            }

            /// The flat buffer, without a copy.
            pub fn into_flat(self) -> DeviceBuffer<T> {
                self.flat
            }

            $(
                #[doc = $extent_doc]
                pub fn $extent(&self) -> usize {
                    self.$extent
                }
            )+

            /// All extents, the fastest-running last.
            pub fn shape(&self) -> $shape {
                ($(self.$extent),+)
            }

            /// Overwrites the elements by `values`, in row-major order.
            ///
            /// # Errors
            /// As for [`DeviceBuffer::copy_from`].
            pub fn copy_from(&mut self, values: &[T]) -> Result<()> {
                self.flat.copy_from(values)
            }

            /// Overwrites the elements by those of another buffer of the same device and length.
            ///
            /// # Errors
            /// As for [`DeviceBuffer::copy_from_device`].
            pub fn copy_from_device(&mut self, other: &DeviceBuffer<T>) -> Result<()> {
                self.flat.copy_from_device(other)
            }

            /// The elements in `range` of the flat order, as a buffer that can be written; `..` for all of them.
            ///
            /// # Errors
            /// As for [`DeviceBuffer::slice_mut`].
            pub fn slice_mut(&mut self, range: impl RangeBounds<usize>) -> Result<DeviceSliceMut<'_, T>> {
                self.flat.slice_mut(range)
            }
        }

        impl<T: DeviceCopy> Deref for $name<T> {
            type Target = DeviceBuffer<T>;

            fn deref(&self) -> &DeviceBuffer<T> {
                &self.flat
            }
        }
    };
}

shaped! {
    /// A row-major matrix in the memory of a device. What a kernel takes as `DisjointSlice2D<T>`.
    DeviceBuffer2D, (usize, usize), rows: "Number of rows.", cols: "Number of columns."
}

shaped! {
    /// A volume of row-major matrices in the memory of a device. What a kernel takes as `DisjointSlice3D<T>`.
    DeviceBuffer3D, (usize, usize, usize), planes: "Number of planes.", rows: "Number of rows of a plane.", cols: "Number of columns of a row."
}
