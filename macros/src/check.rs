//! Which functions can be kernels. All faults are collected, each at its culprit, so that one compilation shows them all.

use proc_macro2::{Group, Ident, Span};
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{
    Attribute, Error, FnArg, GenericParam, Generics, Lifetime, Lit, Meta, Pat, PatType, Path, PredicateType, ReturnType, Safety, Signature,
    Token, Type, TypeParamBound, Visibility, WherePredicate,
};
use threadwise_abi::MAX_THREADS_PER_BLOCK;

use crate::parse::{Function, KernelOption, OptionValue, launch_bounds};

/// The most blocks of a kernel that fit one multiprocessor on any GPU ("Maximum number of resident blocks per SM", CUDA C++ Programming
/// Guide).
const MAX_BLOCKS_PER_MULTIPROCESSOR: u32 = 32;

/// A function that can be a kernel.
pub(crate) struct Kernel {
    /// What the user wrote beside `#[kernel]`: documentation, lint levels and the like.
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    /// `unsafe`, when the kernel is.
    pub(crate) unsafety: Option<Token![unsafe]>,
    pub(crate) name: Ident,
    /// As written.
    pub(crate) generics: Generics,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) body: Group,
    pub(crate) options: Options,
}

/// One parameter of a kernel.
pub(crate) struct Parameter {
    /// `x` or `mut x` and its type, as written.
    pub(crate) written: PatType,
    pub(crate) name: Ident,
    /// The type with every lifetime `'static`: what `KernelParam` is implemented for.
    pub(crate) ty: Type,
    /// Whether it is a function, such as a closure: it comes as `Closure<ty>`.
    pub(crate) is_function: bool,
}

/// The options of a kernel.
pub(crate) struct Options {
    pub(crate) fma: bool,
    pub(crate) max_threads: u32,
    pub(crate) min_blocks: u32,
}

/// Errors on their way to the user.
#[derive(Default)]
pub(crate) struct Errors(Option<Error>);

impl Errors {
    pub(crate) fn add(&mut self, error: Error) {
        match &mut self.0 {
            Some(first) => first.combine(error),
            none => *none = Some(error),
        }
    }

    pub(crate) fn at(&mut self, culprit: impl ToTokens, message: impl std::fmt::Display) {
        self.add(Error::new_spanned(culprit, message));
    }

    /// `value`, unless there were errors.
    pub(crate) fn or<T>(self, value: Option<T>) -> Result<T, Error> {
        match (self.0, value) {
            (None, Some(value)) => Ok(value),
            (Some(error), _) => Err(error),
            (None, None) => Err(Error::new(Span::call_site(), "not a kernel")),
        }
    }
}

/// The kernel that `function` is, or everything that keeps it from being one.
pub(crate) fn kernel(function: &Function, options: syn::Result<Vec<KernelOption>>) -> Result<Kernel, Error> {
    let mut errors = Errors::default();
    let mut all = options.unwrap_or_else(|e| {
        errors.add(e);
        Vec::new()
    });
    let attributes = attributes(&function.attributes, &mut all, &mut errors);
    let options = evaluate(&all, &mut errors);
    let signature = &function.signature;
    qualifiers(signature, &mut errors);
    generics(&signature.generics, &mut errors);
    returns(&signature.output, &mut errors);
    let inputs = signature.inputs.iter().enumerate();
    let parameters = inputs.filter_map(|(i, input)| parameter(i, input, signature, &mut errors)).collect();
    errors.or(Some(Kernel {
        attributes,
        visibility: function.visibility.clone(),
        unsafety: unsafety(signature),
        name: signature.ident.clone(),
        generics: signature.generics.clone(),
        parameters,
        body: function.body.clone(),
        options,
    }))
}

pub(crate) fn unsafety(signature: &Signature) -> Option<Token![unsafe]> {
    match signature.safety {
        Safety::Unsafe(token) => Some(token),
        Safety::Safe(_) | Safety::Default => None,
    }
}

/// Takes `#[launch_bounds(…)]` out of `attributes` and refuses those that mean something else on a kernel than on a function.
fn attributes(attributes: &[Attribute], options: &mut Vec<KernelOption>, errors: &mut Errors) -> Vec<Attribute> {
    let mut rest = Vec::new();
    for attribute in attributes {
        let last = name_of(attribute);
        match last.as_str() {
            "launch_bounds" => {
                let list = attribute.meta.require_list().and_then(|list| launch_bounds(list.tokens.clone(), attribute.path().span()));
                match list {
                    Ok(list) => options.extend(list),
                    Err(e) => errors.add(e),
                }
            }
            "kernel" => errors.at(attribute, "`#[kernel]` is given twice"),
            "target_feature" => errors.at(attribute, "a kernel runs on the GPU, where the features of a CPU mean nothing"),
            "no_mangle" | "export_name" => {
                errors.at(attribute, "the symbol of a kernel is chosen by threadwise; the host finds the kernel by its type");
            }
            "test" | "bench" => errors.at(attribute, "a kernel is launched from a test and cannot be the test itself"),
            _ => rest.push(attribute.clone()),
        }
    }
    rest
}

/// The last segment of an attribute's path, that within `unsafe(…)` included.
fn name_of(attribute: &Attribute) -> String {
    let last = |path: &Path| path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
    match &attribute.meta {
        Meta::List(list) if list.path.is_ident("unsafe") => list.parse_args::<Meta>().map(|inner| last(inner.path())).unwrap_or_default(),
        meta => last(meta.path()),
    }
}

fn evaluate(list: &[KernelOption], errors: &mut Errors) -> Options {
    let mut options = Options { fma: true, max_threads: 0, min_blocks: 0 };
    let mut seen: Vec<String> = Vec::new();
    for KernelOption { key, value } in list {
        let name = key.to_string();
        if seen.contains(&name) {
            errors.at(key, format!("`{name}` is given twice"));
        }
        match (name.as_str(), value) {
            ("fma", OptionValue::Literal(Lit::Bool(fma))) => options.fma = fma.value,
            ("fma", _) => errors.add(Error::new(value.span(), "`fma` is `true` or `false`")),
            ("max_threads", _) => options.max_threads = number(&name, value, MAX_THREADS_PER_BLOCK, "threads of a block", errors),
            ("min_blocks", _) => {
                options.min_blocks = number(&name, value, MAX_BLOCKS_PER_MULTIPROCESSOR, "blocks of a multiprocessor", errors);
            }
            ("crate", OptionValue::Path(_)) => {}
            ("crate", _) => errors.add(Error::new(value.span(), "`crate` is the path of the threadwise crate")),
            _ => errors.at(key, format!("unknown option `{name}`; there are `fma`, `max_threads`, `min_blocks` and `crate`")),
        }
        seen.push(name);
    }
    if options.min_blocks != 0
        && options.max_threads == 0
        && let Some(option) = list.iter().find(|o| o.key == "min_blocks")
    {
        errors.at(&option.key, "`min_blocks` means something only together with `max_threads`");
    }
    options
}

fn number(key: &str, value: &OptionValue, max: u32, what: &str, errors: &mut Errors) -> u32 {
    let given = match value {
        OptionValue::Literal(Lit::Int(literal)) => literal.base10_parse::<u32>().ok(),
        _ => None,
    };
    match given {
        Some(n) if (1..=max).contains(&n) => n,
        _ => {
            errors.add(Error::new(value.span(), format!("`{key}` counts {what}: a number from 1 to {max}")));
            0
        }
    }
}

fn qualifiers(signature: &Signature, errors: &mut Errors) {
    if let Some(token) = signature.constness {
        errors.at(token, "a kernel cannot be `const`: it runs on the GPU only");
    }
    if let Some(token) = signature.asyncness {
        errors.at(token, "a kernel cannot be `async`: its launch already returns before it has run");
    }
    if let Some(abi) = &signature.abi {
        errors.at(abi, "a kernel cannot have an ABI of its own: threadwise chooses how its parameters are passed");
    }
    if let Some(variadic) = &signature.variadic {
        errors.at(variadic, "a kernel cannot be variadic");
    }
}

fn generics(generics: &Generics, errors: &mut Errors) {
    for parameter in &generics.params {
        match parameter {
            GenericParam::Lifetime(lifetime) if lifetime.bounds.is_empty() => {}
            GenericParam::Lifetime(lifetime) => errors.at(lifetime, "lifetimes of a kernel cannot have bounds"),
            GenericParam::Type(_) | GenericParam::Const(_) => {}
        }
    }
}

/// The type parameters that are functions: bounded by `Fn`, `FnMut` or `FnOnce`.
fn function_types(generics: &Generics) -> Vec<Ident> {
    let is_function = |bounds: &Punctuated<TypeParamBound, Token![+]>| {
        bounds.iter().any(|bound| match bound {
            TypeParamBound::Trait(bound) => {
                bound.path.segments.last().is_some_and(|last| ["Fn", "FnMut", "FnOnce"].iter().any(|f| last.ident == f))
            }
            _ => false,
        })
    };
    let direct = generics.type_params().filter(|p| is_function(&p.bounds)).map(|p| p.ident.clone());
    let clauses = generics.where_clause.iter().flat_map(|clause| &clause.predicates).filter_map(|predicate| match predicate {
        WherePredicate::Type(PredicateType { bounded_ty: Type::Path(path), bounds, .. }) if is_function(bounds) => {
            path.path.get_ident().cloned()
        }
        _ => None,
    });
    direct.chain(clauses).collect()
}

fn returns(output: &ReturnType, errors: &mut Errors) {
    match output {
        ReturnType::Default => {}
        ReturnType::Type(_, ty) if matches!(&**ty, Type::Tuple(tuple) if tuple.elems.is_empty()) => {}
        ReturnType::Type(_, ty) => {
            errors.at(ty, "a kernel returns nothing: each thread writes its result through a `DisjointSlice` parameter");
        }
    }
}

fn parameter(index: usize, input: &FnArg, signature: &Signature, errors: &mut Errors) -> Option<Parameter> {
    let typed = match input {
        FnArg::Receiver(receiver) => {
            errors.at(receiver, "a kernel is a free function: pass what it needs of `self` as parameters");
            return None;
        }
        FnArg::Typed(typed) => typed,
    };
    for attribute in typed.attrs.iter().filter(|a| !is_lint_level(a)) {
        errors.at(attribute, "attributes other than lint levels are not supported on the parameters of a kernel");
    }
    ty(&typed.ty, signature, errors);
    let name = match &*typed.pat {
        Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => pat.ident.clone(),
        Pat::Wild(underscore) => Ident::new(&format!("_unused_{index}"), underscore.span()),
        other => {
            errors.at(other, "a parameter of a kernel is a plain name: take it apart in the body");
            return None;
        }
    };
    let mut ty = (*typed.ty).clone();
    EverythingStatic.visit_type_mut(&mut ty);
    let is_function = match &ty {
        Type::Path(path) => path.path.get_ident().is_some_and(|ident| function_types(&signature.generics).contains(ident)),
        _ => false,
    };
    Some(Parameter { written: typed.clone(), name, ty, is_function })
}

fn is_lint_level(attribute: &Attribute) -> bool {
    ["allow", "expect", "warn", "deny", "forbid"].iter().any(|level| attribute.path().is_ident(level))
}

fn ty(ty: &Type, signature: &Signature, errors: &mut Errors) {
    match ty {
        Type::Reference(reference) if reference.mutability.is_some() => match &*reference.elem {
            Type::Slice(slice) => {
                let element = slice.elem.to_token_stream();
                errors.at(
                    ty,
                    format!(
                        "every thread would hold the same `&mut [{element}]`: take a `DisjointSlice<{element}>`, in which each thread \
                         writes its own element, or `&[AtomicU32]` and its kind for shared sums"
                    ),
                );
            }
            _ => errors.at(ty, "every thread would hold the same `&mut` reference: take a `DisjointSlice` or a slice of atomics"),
        },
        Type::Reference(reference) if reference.lifetime.as_ref().is_some_and(|l| l.ident == "static") => {
            errors.at(ty, "device memory lives as long as its buffer, not for ever: leave the lifetime out");
        }
        Type::Reference(reference) => match &*reference.elem {
            Type::Slice(_) => {}
            _ => errors.at(ty, "a kernel takes `&[T]` or a value: pass a slice of one element, or the value itself"),
        },
        Type::Ptr(_) if unsafety(signature).is_none() => {
            errors.at(ty, "a kernel with raw pointer parameters must be an `unsafe fn`: nothing checks what the pointer points to");
        }
        Type::ImplTrait(_) => {
            errors
                .at(ty, "give this parameter a named type parameter instead of `impl Trait`: the kernel's instances are told apart by it");
        }
        Type::Paren(paren) => self::ty(&paren.elem, signature, errors),
        Type::Group(group) => self::ty(&group.elem, signature, errors),
        _ => {}
    }
}

/// Makes every lifetime of a type `'static`, those of function pointers and trait objects excepted, which may be bound there.
struct EverythingStatic;

impl VisitMut for EverythingStatic {
    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        *lifetime = Lifetime::new("'static", lifetime.span());
    }

    fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
        let span = reference.and_token.span();
        reference.lifetime.get_or_insert_with(|| Lifetime::new("'static", span));
        syn::visit_mut::visit_type_reference_mut(self, reference);
    }

    fn visit_type_fn_ptr_mut(&mut self, _: &mut syn::TypeFnPtr) {}

    fn visit_type_trait_object_mut(&mut self, _: &mut syn::TypeTraitObject) {}
}
