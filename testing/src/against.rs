//! Kernels against plain functions of the host.

use std::marker::PhantomData;

use threadwise_device::{DeviceCopy, Zeroable};
use threadwise_host::{Device, DeviceBuffer, Dimensions, Error, Extent, Launch, Result};

use crate::compare::{Closeness, Number};
use crate::devices;
use crate::report;
use crate::run::RECORDS;

/// What a kernel reads: a slice, or a tuple of slices.
pub trait Inputs: Copy {
    /// The same on a device: a buffer, or a tuple of buffers.
    type Buffers;

    /// Copies them to a device.
    ///
    /// # Errors
    /// As for [`Device::to_device`].
    fn to_device(self, device: &Device) -> Result<Self::Buffers>;

    /// Elements of the first slice.
    fn len(self) -> usize;

    /// Whether the first slice has no elements.
    fn is_empty(self) -> bool {
        self.len() == 0
    }
}

impl<T: DeviceCopy> Inputs for &[T] {
    type Buffers = DeviceBuffer<T>;

    fn to_device(self, device: &Device) -> Result<Self::Buffers> {
        device.to_device(self)
    }

    fn len(self) -> usize {
        <[T]>::len(self)
    }
}

macro_rules! tuples {
    ($(($($t:ident $i:tt),+);)*) => {$(
        impl<$($t: DeviceCopy),+> Inputs for ($(&[$t],)+) {
            type Buffers = ($(DeviceBuffer<$t>,)+);

            fn to_device(self, device: &Device) -> Result<Self::Buffers> {
                Ok(($(device.to_device(self.$i)?,)+))
            }

            fn len(self) -> usize {
                self.0.len()
            }
        }
    )*};
}

tuples! {
    (A 0, B 1);
    (A 0, B 1, C 2);
    (A 0, B 1, C 2, D 3);
}

/// A kernel against a plain function that gives each element of its result: `check_against(kernel, reference, inputs).rel(1e-6).run()`.
///
/// `kernel` is a closure that takes the inputs as buffers and the buffer of the result, and makes the launch; `reference` takes an index
/// and the inputs.
/// [`run`](Check::run) launches over all elements, on each device that kernel tests run on, and compares.
///
/// ```no_run
/// # use threadwise_host::{DeviceBuffer, Launch};
/// # use threadwise_device::dim;
/// # fn check(axpy: impl for<'a> Fn(&'a DeviceBuffer<f32>, &'a mut DeviceBuffer<f32>, f32) -> Launch<'a, dim::One>) {
/// use threadwise_testing::check_against;
///
/// let x = [1.0_f32, 2.0, 3.0];
/// check_against(|x, y| axpy(x, y, 2.0), |i, x| 2.0 * x[i], &x[..]).ulps(1).run();
/// # }
/// ```
pub fn check_against<I, O, D, K, R>(kernel: K, reference: R, inputs: I) -> Check<I, O, D, K, R>
where
    I: Inputs,
    O: Number + Zeroable + DeviceCopy,
    K: for<'a> Fn(&'a I::Buffers, &'a mut DeviceBuffer<O>) -> Launch<'a, D>,
    R: Fn(usize, I) -> O,
{
    Check { kernel, reference, inputs, initial: None, len: inputs.len(), closeness: Closeness::new(), dimensions: PhantomData }
}

/// What [`check_against`] is about to do.
#[must_use = "nothing is checked until `.run()` is called"]
#[derive(Debug)]
pub struct Check<I, O, D, K, R> {
    kernel: K,
    reference: R,
    inputs: I,
    initial: Option<Vec<O>>,
    len: usize,
    closeness: Closeness,
    dimensions: PhantomData<fn() -> D>,
}

impl<I, O, D, K, R> Check<I, O, D, K, R>
where
    I: Inputs,
    O: Number + Zeroable + DeviceCopy,
    D: Dimensions,
    usize: Extent<D>,
    K: for<'a> Fn(&'a I::Buffers, &'a mut DeviceBuffer<O>) -> Launch<'a, D>,
    R: Fn(usize, I) -> O,
{
    /// Elements may be apart by that part of the larger magnitude.
    pub fn rel(mut self, rel: f64) -> Self {
        self.closeness = self.closeness.rel(rel);
        self
    }

    /// Elements may be apart by that much.
    pub fn abs(mut self, abs: f64) -> Self {
        self.closeness = self.closeness.abs(abs);
        self
    }

    /// Elements may be so many units in the last place apart.
    pub fn ulps(mut self, ulps: u64) -> Self {
        self.closeness = self.closeness.ulps(ulps);
        self
    }

    /// What the result's buffer holds before the launch, instead of zeros.
    pub fn initial(mut self, values: &[O]) -> Self {
        self.len = values.len();
        self.initial = Some(values.to_vec());
        self
    }

    /// Elements of the result, and threads of the launch, instead of as many as the first input has.
    pub fn over(mut self, len: usize) -> Self {
        self.len = len;
        self
    }

    /// Launches and compares.
    ///
    /// # Panics
    /// When an element is not near what the reference gives, or the kernel fails; the message is the report.
    #[track_caller]
    pub fn run(self) {
        let kinds = devices::wanted(devices::ALL).unwrap_or_else(|problem| panic!("{problem}"));
        let want: Vec<O> = (0..self.len).map(|i| (self.reference)(i, self.inputs)).collect();
        for kind in kinds {
            let complaint = match devices::Lease::new(kind).and_then(|lease| self.on(&lease.device)) {
                Ok(got) => self.closeness.complaint(&got, &want),
                Err(Error::Panic(panic)) => Some(report::of_panic(&panic)),
                Err(error) => Some(error.to_string()),
            };
            if let Some(complaint) = complaint {
                panic!("the kernel does not do as its reference on {}: {complaint}", kind.name());
            }
        }
    }

    /// The result on a device.
    fn on(&self, device: &Device) -> Result<Vec<O>> {
        let inputs = self.inputs.to_device(device)?;
        let mut out = match &self.initial {
            Some(values) if values.len() == self.len => device.to_device(values)?,
            Some(values) => {
                let (device, other) = (self.len, values.len());
                return Err(Error::LengthMismatch { what: "filling the result with its initial values", device, other });
            }
            None => device.zeros(self.len)?,
        };
        (self.kernel)(&inputs, &mut out).over(self.len).on(&device.default_stream()).launch_detailed(RECORDS)?;
        out.to_host()
    }
}
