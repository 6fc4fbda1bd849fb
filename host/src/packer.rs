//! Arguments as the bytes that a launch takes, with what they use.

use std::sync::Arc;

use threadwise_abi::{Component, MAX_PARAMETER_BYTES};
use threadwise_device::{DeviceCopy, Element, KernelParam, kind};

use crate::buffer::{DeviceBuffer, DeviceBuffer2D, DeviceBuffer3D, DevicePointer};
use crate::bytes;
use crate::device::Device;
use crate::error::{Error, LaunchProblem, Result};
use crate::order::{Access, Allocation};
use crate::registry::KernelBlob;

/// What the host passes for each kind of kernel parameter.
pub trait HostKind {
    /// The argument.
    type Arg<'a>;

    /// Appends the argument's components.
    fn pack<'a>(arg: Self::Arg<'a>, to: &mut Packer<'a>);
}

/// What the host passes for a kernel parameter of type `P`.
pub type Arg<'a, P> = <<P as KernelParam>::Kind as HostKind>::Arg<'a>;

/// The parameter space of a launch: the components of all parameters in order, each at its natural alignment.
#[derive(Default)]
pub struct Packer<'a> {
    bytes: Vec<u8>,
    components: Vec<Component>,
    uses: Vec<Use<'a>>,
    pointers: Vec<Pointer>,
    /// Arguments begun so far.
    arguments: usize,
}

/// A range of device memory that the launch uses.
struct Use<'a> {
    allocation: &'a Arc<Allocation>,
    access: Access,
    start: u64,
    end: u64,
    argument: usize,
}

/// An address that the launch is given.
struct Pointer {
    device: u64,
    argument: usize,
}

impl<'a> Packer<'a> {
    /// Appends the next argument.
    pub(crate) fn argument<K: HostKind>(&mut self, arg: K::Arg<'a>) {
        self.arguments += 1;
        K::pack(arg, self);
    }

    fn value<T: Copy>(&mut self, component: Component, value: &T) {
        self.components.push(component);
        self.bytes.resize(self.bytes.len().next_multiple_of(align_of::<T>()), 0);
        let begin = self.bytes.len();
        // SAFETY: a reference can be read for the size of its type.
        unsafe { bytes::append(&mut self.bytes, std::ptr::from_ref(value).cast(), size_of::<T>()) };
        // A value without size takes a byte all the same.
        self.bytes.resize(begin + component.size as usize, 0);
    }

    fn pointer(&mut self, address: u64) {
        self.value(Component::pointer(), &address);
    }

    fn buffer<T: DeviceCopy>(&mut self, buffer: &'a DeviceBuffer<T>, access: Access, extents: &[usize]) {
        let start = buffer.address();
        let (allocation, end) = (buffer.allocation(), start + buffer.bytes() as u64);
        self.uses.push(Use { allocation, access, start, end, argument: self.arguments });
        self.pointer(start);
        extents.iter().for_each(|extent| self.value(Component::scalar::<usize>(), extent));
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The device that the arguments are on, if any of them is on one.
    pub(crate) fn device(&self) -> Option<&'a Device> {
        self.uses.first().map(|first| first.allocation.device())
    }

    /// The allocations that the launch uses, and how.
    pub(crate) fn uses(&self) -> impl Iterator<Item = (&'a Arc<Allocation>, Access)> {
        self.uses.iter().map(|one| (one.allocation, one.access))
    }

    /// Whether all arguments are on `device`.
    pub(crate) fn check_device(&self, device: &Device) -> Result<()> {
        for one in &self.uses {
            device.expect_same(one.allocation.device(), format_args!("argument {}", one.argument))?;
        }
        match self.pointers.iter().find(|pointer| pointer.device != device.id()) {
            None => Ok(()),
            Some(pointer) => Err(Error::DeviceMismatch {
                what: format!("argument {}", pointer.argument),
                found: "another device".to_owned(),
                expected: device.to_string(),
            }),
        }
    }

    /// Whether no argument is written while another one uses the same memory. Borrows see to that, except for views that were swapped out
    /// of theirs.
    pub(crate) fn check_overlap(&self) -> Result<(), LaunchProblem> {
        for (i, second) in self.uses.iter().enumerate() {
            for first in &self.uses[..i] {
                let overlap = first.start.max(second.start) < first.end.min(second.end);
                if overlap && (first.access == Access::Write || second.access == Access::Write) {
                    return Err(LaunchProblem::Overlap { first: first.argument, second: second.argument });
                }
            }
        }
        Ok(())
    }

    /// Whether the kernel's entry takes these components.
    pub(crate) fn check_layout(&self, kernel: &KernelBlob) -> Result<()> {
        if self.components != kernel.components {
            let (given, expected) = (&self.components, kernel.components);
            return Err(Error::Internal(format!("kernel `{}` takes {expected:?} and was given {given:?}", kernel.name)));
        }
        Ok(())
    }

    /// Whether a launch can take that many bytes.
    pub(crate) fn check_size(&self) -> Result<(), LaunchProblem> {
        match self.bytes.len() {
            bytes if bytes > MAX_PARAMETER_BYTES => Err(LaunchProblem::ParametersTooLarge { bytes, limit: MAX_PARAMETER_BYTES }),
            _ => Ok(()),
        }
    }
}

impl<T: DeviceCopy> HostKind for kind::Value<T> {
    type Arg<'a> = T;

    fn pack<'a>(arg: T, to: &mut Packer<'a>) {
        to.value(Component::aggregate::<T>(), &arg);
    }
}

impl<F: Copy + 'static> HostKind for kind::Function<F> {
    type Arg<'a> = F;

    fn pack<'a>(arg: F, to: &mut Packer<'a>) {
        to.value(Component::function::<F>(), &arg);
    }
}

impl<T: Element<Kind: HostKind>> HostKind for kind::Slice<T> {
    type Arg<'a> = <T::Kind as HostKind>::Arg<'a>;

    fn pack<'a>(arg: Self::Arg<'a>, to: &mut Packer<'a>) {
        T::Kind::pack(arg, to);
    }
}

impl<T: DeviceCopy> HostKind for kind::Shared<T> {
    type Arg<'a> = &'a DeviceBuffer<T>;

    fn pack<'a>(arg: &'a DeviceBuffer<T>, to: &mut Packer<'a>) {
        to.buffer(arg, Access::Read, &[arg.len()]);
    }
}

impl<T: DeviceCopy> HostKind for kind::Disjoint<T> {
    type Arg<'a> = &'a mut DeviceBuffer<T>;

    fn pack<'a>(arg: &'a mut DeviceBuffer<T>, to: &mut Packer<'a>) {
        to.buffer(arg, Access::Write, &[arg.len()]);
    }
}

impl<T: DeviceCopy> HostKind for kind::Disjoint2D<T> {
    type Arg<'a> = &'a mut DeviceBuffer2D<T>;

    fn pack<'a>(arg: &'a mut DeviceBuffer2D<T>, to: &mut Packer<'a>) {
        to.buffer(arg, Access::Write, &[arg.rows(), arg.cols()]);
    }
}

impl<T: DeviceCopy> HostKind for kind::Disjoint3D<T> {
    type Arg<'a> = &'a mut DeviceBuffer3D<T>;

    fn pack<'a>(arg: &'a mut DeviceBuffer3D<T>, to: &mut Packer<'a>) {
        to.buffer(arg, Access::Write, &[arg.planes(), arg.rows(), arg.cols()]);
    }
}

impl<T: Element> HostKind for kind::Pointer<T> {
    type Arg<'a> = DevicePointer<T>;

    fn pack<'a>(arg: DevicePointer<T>, to: &mut Packer<'a>) {
        to.pointers.push(Pointer { device: arg.device_id(), argument: to.arguments });
        to.pointer(arg.address());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use threadwise_device::{DisjointSlice, DisjointSlice2D};

    fn pack<'a, P: KernelParam>(arg: Arg<'a, P>, to: &mut Packer<'a>)
    where
        P::Kind: HostKind,
    {
        to.argument::<P::Kind>(arg);
    }

    #[test]
    fn components_lie_at_their_natural_alignment_as_described() {
        let gpu = Device::simulator().unwrap();
        let mut a = gpu.zeros::<f32>(3).unwrap();
        let mut b = gpu.zeros_2d::<u16>(4, 5).unwrap();
        let (address_a, address_b) = (a.address(), b.address());
        let mut packer = Packer::default();
        pack::<u8>(7, &mut packer);
        pack::<DisjointSlice<f32>>(&mut a, &mut packer);
        pack::<()>((), &mut packer);
        pack::<(u16, u16)>((1, 2), &mut packer);
        pack::<DisjointSlice2D<u16>>(&mut b, &mut packer);

        let mut expected = vec![7u8, 0, 0, 0, 0, 0, 0, 0];
        expected.extend(address_a.to_ne_bytes());
        expected.extend(3u64.to_ne_bytes());
        // The empty value's byte, one of padding, and the pair.
        expected.extend([0, 0, 1, 0, 2, 0, 0, 0]);
        expected.extend([address_b, 4, 5].iter().flat_map(|n| n.to_ne_bytes()));
        assert_eq!(packer.bytes(), expected);

        let described = [
            u8::COMPONENTS,
            <DisjointSlice<f32> as KernelParam>::COMPONENTS,
            <() as KernelParam>::COMPONENTS,
            <(u16, u16) as KernelParam>::COMPONENTS,
            <DisjointSlice2D<u16> as KernelParam>::COMPONENTS,
        ];
        assert_eq!(packer.components, described.concat());
    }

    #[test]
    fn empty_buffer_has_an_aligned_address_that_is_not_null() {
        let gpu = Device::simulator().unwrap();
        let empty = gpu.zeros::<u64>(0).unwrap();
        let mut packer = Packer::default();
        pack::<&'static [u64]>(&empty, &mut packer);
        assert_eq!(packer.bytes(), [8u64, 0].iter().flat_map(|n| n.to_ne_bytes()).collect::<Vec<_>>());
    }

    #[test]
    fn parameters_up_to_the_limit_fit() {
        let mut packer = Packer::default();
        pack::<[u8; MAX_PARAMETER_BYTES]>([0; MAX_PARAMETER_BYTES], &mut packer);
        assert_eq!(packer.check_size(), Ok(()));
        pack::<u8>(0, &mut packer);
        let (bytes, limit) = (MAX_PARAMETER_BYTES + 1, MAX_PARAMETER_BYTES);
        assert_eq!(packer.check_size(), Err(LaunchProblem::ParametersTooLarge { bytes, limit }));
    }
}
