//! How a kernel and its parameters are described.

use core::any::TypeId;

/// First field of every [`KernelDescriptor`]: lowering finds descriptors in the bitcode by it.
pub const DESCRIPTOR_MAGIC: u64 = u64::from_le_bytes(*b"TWKERN01");

/// The most components that one kernel parameter flattens to: pointer, three extents, two strides.
pub const MAX_COMPONENTS: usize = 6;

/// What one component of a flattened kernel parameter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum ComponentKind {
    /// An integer, float, bool or char, passed by value.
    Scalar = 0,
    /// A pointer to device memory.
    Pointer = 1,
    /// An aggregate: the entry receives a pointer, lowering makes it a by-value (`byval`) parameter.
    Aggregate = 2,
    /// As `Aggregate`, but a closure, whose captures no trait vouches for: lowering checks that they hold no pointers.
    Function = 3,
}

impl ComponentKind {
    /// The kind that `value` stands for.
    pub const fn from_u32(value: u32) -> Option<Self> {
        match value {
            0 => Some(Self::Scalar),
            1 => Some(Self::Pointer),
            2 => Some(Self::Aggregate),
            3 => Some(Self::Function),
            _ => None,
        }
    }
}

/// One component of a flattened kernel parameter, as it lies in the parameter space of the launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct Component {
    /// Scalar, pointer or aggregate.
    pub kind: ComponentKind,
    /// Size in bytes.
    pub size: u32,
    /// Alignment in bytes, a power of two.
    pub align: u32,
}

impl Component {
    /// A scalar of type `T`.
    pub const fn scalar<T>() -> Self {
        Self::of::<T>(ComponentKind::Scalar)
    }

    /// A pointer to device memory.
    pub const fn pointer() -> Self {
        Self::of::<*const u8>(ComponentKind::Pointer)
    }

    /// An aggregate of type `T`, by value. One without size takes a byte: PTX has no empty parameters.
    pub const fn aggregate<T>() -> Self {
        let component = Self::of::<T>(ComponentKind::Aggregate);
        if component.size == 0 { Component { size: 1, ..component } } else { component }
    }

    /// A function of type `F`, by value.
    pub const fn function<F>() -> Self {
        Component { kind: ComponentKind::Function, ..Self::aggregate::<F>() }
    }

    const fn of<T>(kind: ComponentKind) -> Self {
        // What is larger is refused all the same.
        let size = if size_of::<T>() > u32::MAX as usize { u32::MAX } else { size_of::<T>() as u32 };
        Component { kind, size, align: align_of::<T>() as u32 }
    }
}

/// Bytes of the parameter space that holds `components`, each at its natural alignment.
pub fn parameter_bytes(components: &[Component]) -> usize {
    components.iter().fold(0, |end: usize, component| end.next_multiple_of(component.align as usize) + component.size as usize)
}

/// Options of a kernel that lowering obeys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct KernelFlags {
    /// May `a * b + c` become one fused multiply-add (1, the default, as nvcc does) or not (0)?
    pub fma: u32,
    /// Upper bound of threads per block, 0 when not given (`.maxntid`).
    pub max_threads: u32,
    /// Blocks that should fit a multiprocessor at once, 0 when not given (`.minnctapersm`).
    pub min_blocks: u32,
}

/// First and only field of [`InstancesMark`].
pub const INSTANCES_MAGIC: u64 = u64::from_le_bytes(*b"TWGENERC");

/// The device pass puts this into the bitcode of a crate with generic kernels: their instances are in what the host code launches.
#[repr(C)]
pub struct InstancesMark(pub u64);

/// Identity of a kernel instance: equal in the device pass and in the host program.
#[derive(Clone, Copy)]
#[repr(C)]
pub union KernelId {
    named: [u64; 2],
    instance: TypeId,
}

impl KernelId {
    /// A kernel without type and constant parameters: the one of this `path` at this `place`, in the crate that `salt` tells from others
    /// of its name.
    pub const fn named(salt: &str, path: &str, place: &str) -> Self {
        let hash = fnv(fnv(fnv(FNV_BASIS, salt.as_bytes()), path.as_bytes()), place.as_bytes());
        KernelId { named: [hash as u64, (hash >> 64) as u64] }
    }

    /// The instance of a generic kernel that the type `K` stands for.
    pub const fn instance<K: 'static>() -> Self {
        KernelId { instance: TypeId::of::<K>() }
    }

    /// The identity as bytes. Not for constants: a `TypeId` has no bytes before code is made.
    pub fn bytes(self) -> [u8; 16] {
        const { assert!(size_of::<KernelId>() == 16) };
        // SAFETY: both fields fill the union, and have no padding.
        unsafe { core::mem::transmute(self) }
    }
}

/// Offset basis and prime of the 128-bit FNV-1a hash (Fowler, Noll, Vo).
const FNV_BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const FNV_PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

const fn fnv(mut hash: u128, bytes: &[u8]) -> u128 {
    let mut i = 0;
    while i < bytes.len() {
        hash = (hash ^ bytes[i] as u128).wrapping_mul(FNV_PRIME);
        i += 1;
    }
    // Ends the text: "ab", "c" and "a", "bc" differ.
    (hash ^ 0xff).wrapping_mul(FNV_PRIME)
}

/// One kernel instance. The device pass puts one of these into the crate's bitcode for each kernel; lowering reads it there.
#[repr(C)]
pub struct KernelDescriptor {
    /// [`DESCRIPTOR_MAGIC`].
    pub magic: u64,
    /// Identity of the instance.
    pub id: KernelId,
    /// Path of the kernel as its author knows it, for messages.
    pub name: &'static str,
    /// `file:line:column` of the kernel's name.
    pub place: &'static str,
    /// Each parameter's components in order.
    pub parameters: &'static [&'static [Component]],
    /// What lowering has to know.
    pub flags: KernelFlags,
    /// The entry function, which takes the non-empty components in order.
    pub entry: *const (),
}

// SAFETY: a descriptor is constant data; `entry` is the address of a function and never written through.
unsafe impl Sync for KernelDescriptor {}
