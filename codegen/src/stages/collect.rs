//! Reads the crate's bitcode, finds its kernels by their descriptors, and drops everything else.

use std::collections::HashSet;
use std::mem::offset_of;

use threadwise_abi::{
    Component, ComponentKind, DESCRIPTOR_MAGIC, INSTANCES_MAGIC, KernelDescriptor, KernelFlags, MAX_PARAMETER_BYTES, parameter_bytes,
};

use super::statics;
use crate::error::{Diagnostic, Fault};
use crate::llvm::{Context, Data, Function, Global, Linkage, Machine, Module};
use crate::wire::{KernelInfo, Request};

/// A kernel of the module at hand.
pub(crate) struct Kernel {
    pub(crate) info: KernelInfo,
    pub(crate) fma: bool,
    pub(crate) min_blocks: u32,
    /// Whether the kernel's source is in the crate at hand.
    pub(crate) is_local: bool,
}

impl Kernel {
    /// Where an error of the kernel belongs; see [`Diagnostic::kernel`].
    pub(crate) fn error_place(&self) -> Option<String> {
        self.is_local.then(|| self.info.place.clone())
    }

    /// Its function, in `module` or a duplicate of it.
    pub(crate) fn function<'c>(&self, module: &Module<'c>) -> Result<Function<'c>, Diagnostic> {
        module.function(&self.info.entry).ok_or_else(|| Diagnostic::internal(format!("the entry of kernel `{}` is gone", self.info.name)))
    }
}

/// The kernels of the crate in a module of their own; `None` where their instances are in host code that the bitcode lacks.
pub(crate) fn run<'c>(
    context: &'c Context,
    request: &Request,
    machine: &Machine,
) -> Result<Option<(Module<'c>, Vec<Kernel>)>, Vec<Diagnostic>> {
    let bytes = std::fs::read(&request.bitcode)
        .map_err(|e| vec![Diagnostic::internal(format!("cannot read {}: {e}", request.bitcode.display()))])?;
    let whole = Module::parse_lazily(context, &bytes, "the crate").map_err(|e| vec![Diagnostic::internal(e)])?;
    whole.retarget(machine);
    // `global_asm!` is of the host; what would need it is undefined from here on, and reported if a kernel reaches it.
    whole.take_assembly();

    if !request.host_code && whole.globals().into_iter().any(|global| marks_instances(&whole, global)) {
        return Ok(None);
    }

    // Most of a crate is host code. Only what the kernels reach is read, into a module of its own.
    let module = Module::empty(context, "kernels");
    module.retarget(machine);
    let mut kernels = Vec::new();
    let mut entries = HashSet::new();
    for global in whole.globals() {
        if let Some((mut kernel, function)) = read(&whole, global)? {
            kernel.is_local = kernel.info.name.split("::").next() == Some(&request.krate);
            let entry = unique(&kernel.info.name, &mut entries);
            if let Some(other) = whole.function(&entry).filter(|&other| other != function) {
                other.value().set_name(&format!("{entry}.host"));
            }
            function.value().set_name(&entry);
            function.value().set_linkage(Linkage::External);
            module.declare(&entry, function.signature());
            kernel.info.entry = entry;
            kernels.push(kernel);
        }
    }
    distinct(&kernels)?;
    parameters_fit(&kernels)?;
    for global in whole.globals() {
        let name = global.value().name();
        if statics::is_static(&name) && !global.value().is_declaration() {
            module.add_global(&name, global.value_type(), 0);
        }
    }
    let offered = |name: &str| entries.contains(name) || statics::is_static(name);
    module.link_needed(whole, offered).map_err(|e| vec![Diagnostic::internal(e)])?;
    for global in module.globals() {
        if statics::is_static(&global.value().name()) {
            global.value().set_linkage(Linkage::External);
        }
    }
    statics::mark_immutable(&module);
    for kernel in &kernels {
        kernel.function(&module).map_err(|e| vec![e])?.value().set_linkage(Linkage::External);
    }
    prune(&module, &kernels, machine).map_err(|e| vec![e])?;
    Ok(Some((module, kernels)))
}

/// Two kernels of one path and place cannot be told apart by the host.
fn distinct(kernels: &[Kernel]) -> Result<(), Vec<Diagnostic>> {
    let mut seen = HashSet::new();
    let twice: Vec<Diagnostic> = kernels
        .iter()
        .filter(|k| !seen.insert(k.info.id))
        .map(|k| Diagnostic {
            fault: Fault::User,
            kernel: k.error_place(),
            message: format!(
                "there are two kernels `{}` at {}, as when a macro that holds a kernel is used twice; launches could not tell them apart\n  \
                 cure: pass the kernel's name to the macro as an argument, or make the kernel generic",
                k.info.name, k.info.place
            ),
        })
        .collect();
    if twice.is_empty() { Ok(()) } else { Err(twice) }
}

/// Parameters lie in a space of their own, which is small.
fn parameters_fit(kernels: &[Kernel]) -> Result<(), Vec<Diagnostic>> {
    let too_large: Vec<Diagnostic> = kernels
        .iter()
        .map(|kernel| (kernel, parameter_bytes(&kernel.info.components)))
        .filter(|(_, bytes)| *bytes > MAX_PARAMETER_BYTES)
        .map(|(kernel, bytes)| Diagnostic {
            fault: Fault::User,
            kernel: kernel.error_place(),
            message: format!(
                "the parameters of kernel `{}` take {bytes} bytes, and a launch has room for {MAX_PARAMETER_BYTES}\n  cure: pass large values \
                 in a buffer, as `&[T]`",
                kernel.info.name
            ),
        })
        .collect();
    if too_large.is_empty() { Ok(()) } else { Err(too_large) }
}

fn marks_instances(module: &Module<'_>, global: Global<'_>) -> bool {
    module.data(global).is_some_and(|data| data.u64(0) == Some(INSTANCES_MAGIC))
}

/// Makes all but the kernels internal and drops what they do not reach.
pub(crate) fn prune(module: &Module<'_>, kernels: &[Kernel], machine: &Machine) -> Result<(), Diagnostic> {
    let entries: HashSet<&str> = kernels.iter().map(|k| k.info.entry.as_str()).collect();
    internalize(module, |name| entries.contains(name) || statics::is_static(name));
    module.run("globaldce", machine).map_err(Diagnostic::internal)
}

/// Makes all definitions internal but those that `keep` names.
pub(crate) fn internalize(module: &Module<'_>, keep: impl Fn(&str) -> bool) {
    for symbol in module.symbols() {
        let name = symbol.name();
        if !symbol.is_declaration() && !symbol.is_appending() && !name.starts_with("llvm.") && !keep(&name) {
            symbol.set_linkage(Linkage::Internal);
        }
    }
}

/// The last segment of the kernel's path as a PTX identifier, made unique.
fn unique(name: &str, taken: &mut HashSet<String>) -> String {
    let last = name.rsplit("::").next().unwrap_or(name);
    let plain: String = last.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let mut entry = plain.clone();
    let mut n = 1;
    while !taken.insert(entry.clone()) {
        n += 1;
        entry = format!("{plain}_{n}");
    }
    entry
}

/// The kernel that `global` describes, if it is a descriptor.
fn read<'c>(module: &Module<'c>, global: Global<'c>) -> Result<Option<(Kernel, Function<'c>)>, Vec<Diagnostic>> {
    let Some(data) = module.data(global) else { return Ok(None) };
    if data.bytes(0, size_of::<KernelDescriptor>()).is_none() || data.u64(0) != Some(DESCRIPTOR_MAGIC) {
        return Ok(None);
    }
    describe(module, &data).map(Some).ok_or_else(|| vec![Diagnostic::internal("a kernel's descriptor does not have the expected layout")])
}

fn describe<'c>(module: &Module<'c>, data: &Data<'c>) -> Option<(Kernel, Function<'c>)> {
    let flags = offset_of!(KernelDescriptor, flags);
    let max_threads = data.u32(flags + offset_of!(KernelFlags, max_threads))?;
    let info = KernelInfo {
        id: data.bytes(offset_of!(KernelDescriptor, id), 16)?.try_into().ok()?,
        name: text(module, data, offset_of!(KernelDescriptor, name))?,
        place: text(module, data, offset_of!(KernelDescriptor, place))?,
        entry: String::new(),
        components: components(module, data)?,
        max_threads,
    };
    let kernel = Kernel {
        info,
        fma: data.u32(flags + offset_of!(KernelFlags, fma))? != 0,
        min_blocks: data.u32(flags + offset_of!(KernelFlags, min_blocks))?,
        is_local: false,
    };
    Some((kernel, data.address(offset_of!(KernelDescriptor, entry))?.as_function()?))
}

/// A `&'static str` at `at`: address, then length.
fn text<'c>(module: &Module<'c>, data: &Data<'c>, at: usize) -> Option<String> {
    let (target, length) = reference(module, data, at)?;
    match target {
        Some(target) => String::from_utf8(target.bytes(0, length)?.to_vec()).ok(),
        None => Some(String::new()),
    }
}

/// A slice reference at `at`: the image of what it points to, and the length. An empty slice points to nothing.
fn reference<'c>(module: &Module<'c>, data: &Data<'c>, at: usize) -> Option<(Option<Data<'c>>, usize)> {
    let length = usize::try_from(data.u64(at + 8)?).ok()?;
    if length == 0 {
        return Some((None, 0));
    }
    let target = module.data(data.address(at)?.as_global()?)?;
    Some((Some(target), length))
}

fn components<'c>(module: &Module<'c>, data: &Data<'c>) -> Option<Vec<Component>> {
    let mut all = Vec::new();
    let (parameters, count) = reference(module, data, offset_of!(KernelDescriptor, parameters))?;
    let Some(parameters) = parameters else { return Some(all) };
    for i in 0..count {
        let (list, length) = reference(module, &parameters, i * size_of::<&[Component]>())?;
        let Some(list) = list else { continue };
        for j in 0..length {
            let at = j * size_of::<Component>();
            all.push(Component {
                kind: ComponentKind::from_u32(list.u32(at + offset_of!(Component, kind))?)?,
                size: list.u32(at + offset_of!(Component, size))?,
                align: list.u32(at + offset_of!(Component, align))?,
            });
        }
    }
    Some(all)
}
