//! What a kernel becomes.
//!
//! The same in both passes: a launch constructor of the kernel's name, inside which lie the kernel itself and an empty type whose
//! `TypeId` is its identity. The device pass adds the entry function and its descriptor; the host's pass adds, to the first kernel of the
//! crate, the device code of all of them.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Error, FnArg, GenericParam, Generics, LitStr, Visibility};
use threadwise_abi::MAX_COMPONENTS;
use threadwise_codegen::Fault;

use crate::check::{self, Kernel, Parameter};
use crate::derive::ends;
use crate::parse::{self, Function};
use crate::pass::{self, Outcome};

mod blob;
mod global;

pub(crate) use global::device_static;

pub(crate) fn kernel(options: TokenStream, item: TokenStream) -> TokenStream {
    let options = parse::kernel_options(options);
    let function: Function = match syn::parse2(item) {
        Ok(function) => function,
        Err(error) => return error.into_compile_error(),
    };
    let root = options.as_ref().ok().and_then(|options| parse::root(options));
    let root = root.map_or_else(|| quote!(::threadwise), ToTokens::to_token_stream);
    match check::kernel(&function, options) {
        Ok(kernel) => expand(&kernel, &root),
        Err(error) => {
            let error = error.into_compile_error();
            let stub = stub(&function, &root);
            quote!(#error #stub)
        }
    }
}

/// The device code of instances that only the crate's host code knows of.
pub(crate) fn instances() -> TokenStream {
    let private = quote!(::threadwise::__private);
    if pass::is_device_pass() {
        return quote!(const _: () = {
            #[used]
            static __THREADWISE_INSTANCES: #private::abi::InstancesMark = #private::abi::InstancesMark(#private::abi::INSTANCES_MAGIC);
        };);
    }
    crate_additions(&private, Span::call_site())
}

/// What the first macro of a crate adds for the whole crate; nothing, after the first. `span` is where errors are that concern no kernel.
fn crate_additions(private: &TokenStream, span: Span) -> TokenStream {
    let (outcome, first) = pass::outcome();
    let addition = blob::additions(outcome, first, private);
    let errors = errors(outcome, span, |place| place.is_none() && first);
    quote!(#errors const _: () = { #addition };)
}

/// The errors of lowering whose place `here` accepts, at `span`.
fn errors(outcome: &Outcome, span: Span, here: impl Fn(Option<&str>) -> bool) -> TokenStream {
    let Outcome::Failed(diagnostics) = outcome else { return TokenStream::new() };
    diagnostics
        .iter()
        .filter(|d| here(d.kernel.as_deref()))
        .map(|d| {
            let whose = match d.fault {
                Fault::User | Fault::Tool | Fault::Unsupported => "",
                Fault::Internal => "internal error: ",
            };
            Error::new(span, format!("{whose}{}", d.message)).into_compile_error()
        })
        .collect()
}

/// A constructor that takes any arguments, so that the launches of a refused kernel are not reported as well.
fn stub(function: &Function, root: &TokenStream) -> TokenStream {
    let private = quote!(#root::__private);
    let visibility = &function.visibility;
    let unsafety = check::unsafety(&function.signature);
    let name = &function.signature.ident;
    let receiver = function.signature.receiver().map(|receiver| quote!(#receiver,));
    let types: Vec<_> = function
        .signature
        .inputs
        .iter()
        .filter(|input| matches!(input, FnArg::Typed(_)))
        .enumerate()
        .map(|(i, _)| format_ident!("T{i}"))
        .collect();
    quote! {
        #[allow(dead_code, unused, clippy::all, clippy::pedantic, missing_docs)]
        #visibility #unsafety fn #name<#(#types),*>(#receiver #(_: #types),*) -> #private::Launch<'static, #private::device::dim::Any> {
            ::core::unreachable!()
        }
    }
}

/// The pieces that several parts of an expansion use.
struct Context<'a> {
    kernel: &'a Kernel,
    /// `::threadwise::__private`.
    private: TokenStream,
    /// The kernel's path as an expression.
    path: TokenStream,
    /// `file:line:column` of the kernel's name.
    place: String,
    /// What tells the kernel's instances apart.
    instance: Instance,
}

/// The type and constant parameters of a kernel.
struct Instance {
    /// As declared, without defaults.
    declared: Vec<GenericParam>,
    /// The `where` clause, with every type `'static`: instances are told apart by `TypeId`.
    bounds: TokenStream,
    /// `::<T, N>`, or nothing.
    turbofish: TokenStream,
    /// The type parameters.
    types: Vec<Ident>,
}

impl Instance {
    fn of(generics: &Generics) -> Self {
        let declared: Vec<GenericParam> = generics.params.iter().filter(|p| !matches!(p, GenericParam::Lifetime(_))).cloned().collect();
        let types: Vec<Ident> = generics.type_params().map(|p| p.ident.clone()).collect();
        let names = declared.iter().map(|p| match p {
            GenericParam::Type(p) => &p.ident,
            GenericParam::Const(p) => &p.ident,
            GenericParam::Lifetime(p) => &p.lifetime.ident,
        });
        let turbofish = if declared.is_empty() { TokenStream::new() } else { quote!(::<#(#names),*>) };
        let predicates = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
        let bounds = if declared.is_empty() && generics.where_clause.is_none() {
            TokenStream::new()
        } else {
            quote!(where #(#predicates,)* #(#types: 'static),*)
        };
        Instance { declared, bounds, turbofish, types }
    }
}

/// `T` of `T: Bound`, `const N: usize` as it is.
fn without_bounds(parameter: &GenericParam) -> TokenStream {
    match parameter {
        GenericParam::Type(p) => p.ident.to_token_stream(),
        GenericParam::Const(p) => {
            let (name, ty) = (&p.ident, &p.ty);
            quote!(const #name: #ty)
        }
        GenericParam::Lifetime(p) => p.to_token_stream(),
    }
}

/// `<T, N>` of `::<T, N>`.
fn turbofish_arguments(turbofish: &TokenStream) -> TokenStream {
    turbofish.clone().into_iter().skip(2).collect()
}

/// The launch constructor of a kernel, and what lies in it.
pub(crate) fn expand(kernel: &Kernel, root: &TokenStream) -> TokenStream {
    let name_text = LitStr::new(&kernel.name.to_string(), Span::call_site());
    let context = Context {
        kernel,
        private: quote!(#root::__private),
        path: quote!(::core::concat!(::core::module_path!(), "::", #name_text)),
        place: place(kernel.name.span()),
        instance: Instance::of(&kernel.generics),
    };
    let (addition, errors) = if pass::is_device_pass() {
        (context.descriptor(), TokenStream::new())
    } else {
        let (outcome, first) = pass::outcome();
        let blob = blob::additions(outcome, first, &context.private);
        let exported = context.is_exported().then(|| context.descriptor());
        (quote!(#exported #blob), context.errors(outcome, first))
    };
    let function = context.constructor(&addition);
    quote!(#errors #function)
}

fn place(span: Span) -> String {
    let span = span.unwrap();
    format!("{}:{}:{}", span.file(), span.line(), span.column())
}

/// `tokens` where `span` is: what rustc says about them, it says about the user's tokens there.
fn respan(tokens: &TokenStream, span: Span) -> TokenStream {
    let set = |mut token: TokenTree| {
        token.set_span(span);
        token
    };
    tokens.clone().into_iter().map(set).collect()
}

impl Context<'_> {
    fn constructor(&self, addition: &TokenStream) -> TokenStream {
        let Context { kernel, private, path, place, .. } = self;
        let Kernel { attributes, visibility, unsafety, name, generics, parameters, body, .. } = *kernel;
        let arguments = parameters.iter().map(|p| {
            let [start, end] = ends(&p.ty);
            let (name, ty) = (&p.name, self.passed(p));
            let private = respan(private, start);
            let open = quote_spanned!(start=> #private::Arg<'threadwise,);
            let close = quote_spanned!(end=> >);
            quote!(#name: #open #ty #close)
        });
        let written = parameters.iter().map(|p| &p.written);
        let packed = parameters.iter().map(|p| {
            let (name, ty, [start, end]) = (&p.name, self.passed(p), ends(&p.ty));
            let open = quote_spanned!(start=> .__argument::<);
            let close = quote_spanned!(end=> >);
            quote!(#open #ty #close (#name))
        });
        // rustc reports dimensions that do not agree where they are written and where they are returned: once, if both are one place.
        let last = parameters.last().map_or_else(Span::call_site, |p| ends(&p.ty)[0]);
        let there = respan(private, last);
        let dim = self.dim();
        let returns = quote_spanned!(last=> -> #there::Launch<'threadwise, #dim>);
        let safety_checks = self.safety_checks();
        let Instance { declared, bounds: instance_bounds, turbofish, .. } = &self.instance;
        let id = self.id();
        let user_bounds = &generics.where_clause;
        let identity = self.identity();
        let instantiation = (!declared.is_empty() && (pass::is_device_pass() || self.is_exported()))
            .then(|| quote!(#private::instantiate(__ThreadwiseKernel #turbofish::DESCRIPTOR);));
        quote! {
            #(#attributes)*
            #[allow(
                clippy::too_many_arguments,
                clippy::type_complexity,
                clippy::needless_pass_by_value,
                clippy::used_underscore_binding,
                clippy::multiple_bound_locations,
                reason = "the parameters are those of the launch"
            )]
            #visibility #unsafety fn #name<'threadwise, #(#declared),*>(#(#arguments),*) #returns #instance_bounds {
                #identity
                const _: () = {
                    // Host code does not call it, but what it calls is in use.
                    #[allow(dead_code)]
                    #unsafety fn #name #generics (#(#written),*) #user_bounds #body
                    #addition
                };
                #instantiation
                #safety_checks
                #private::Launch::<'threadwise, _>::__new(#id, #path, #place)
                    #(#packed)*
            }
        }
    }

    /// The dimensionality that all parameters agree on.
    fn dim(&self) -> TokenStream {
        let private = &self.private;
        self.kernel.parameters.iter().fold(quote!(#private::device::dim::Any), |joined, p| {
            let ty = self.passed(p);
            let [start, end] = ends(&p.ty);
            let there = respan(private, start);
            let dim = quote_spanned!(start=> <#ty as #there::device::KernelParam>);
            let close = quote_spanned!(end=> ::Dim);
            quote_spanned!(start=> <#joined as #there::device::dim::Join<#dim #close>>::Output)
        })
    }

    /// What the syntax cannot tell: a type alias may hide a pointer. In the body of the constructor and not in a constant of its own, where
    /// rustc would report a parameter type that is no `KernelParam` once more; not in the device pass, whose errors are another message.
    fn safety_checks(&self) -> TokenStream {
        if self.kernel.unsafety.is_some() || pass::is_device_pass() {
            return TokenStream::new();
        }
        let private = &self.private;
        let checks = self.kernel.parameters.iter().map(|p| {
            let ty = self.passed(p);
            let [start, _] = ends(&p.ty);
            let private = respan(private, start);
            quote_spanned! {start=>
                const {
                    ::core::assert!(
                        !<#ty as #private::device::KernelParam>::NEEDS_UNSAFE,
                        "a kernel with raw pointer parameters must be an `unsafe fn`: nothing checks what the pointer points to"
                    );
                }
            }
        });
        quote!(#(#checks)*)
    }

    /// The type of `KernelParam` that a parameter is passed as.
    fn passed(&self, parameter: &Parameter) -> TokenStream {
        let (private, ty) = (&self.private, &parameter.ty);
        if parameter.is_function { quote!(#private::device::Closure<#ty>) } else { ty.to_token_stream() }
    }

    /// The identity of the kernel, or of the instance at hand of a generic one.
    fn id(&self) -> TokenStream {
        let Context { private, path, place, instance, .. } = self;
        if instance.declared.is_empty() {
            let salt = pass::crate_salt();
            quote!(const { #private::abi::KernelId::named(#salt, #path, #place) })
        } else {
            let turbofish = &instance.turbofish;
            quote!(#private::abi::KernelId::instance::<__ThreadwiseKernel #turbofish>())
        }
    }

    /// The type whose `TypeId` tells the instances of a generic kernel apart.
    fn identity(&self) -> TokenStream {
        let Instance { declared, types, .. } = &self.instance;
        if declared.is_empty() {
            return TokenStream::new();
        }
        let bare = declared.iter().map(without_bounds);
        quote!(struct __ThreadwiseKernel<#(#bare),*>(::core::marker::PhantomData<fn() -> (#(#types,)*)>);)
    }

    /// The entry function, which takes the components of the parameters, and the descriptor through which lowering finds it.
    fn descriptor(&self) -> TokenStream {
        let Context { kernel, private, path, place, .. } = self;
        let Kernel { name, parameters, options, .. } = *kernel;
        let Instance { declared, bounds, turbofish, .. } = &self.instance;
        let param = quote!(#private::device::KernelParam);
        let mut components = TokenStream::new();
        let mut assembled = TokenStream::new();
        for (i, parameter) in parameters.iter().enumerate() {
            let ty = self.passed(parameter);
            let names: Vec<_> = (0..MAX_COMPONENTS).map(|j| format_ident!("p{i}_{j}")).collect();
            let types = (0..MAX_COMPONENTS).map(|j| format_ident!("C{j}"));
            let inner = parameter.is_function.then(|| quote!(.into_inner()));
            components.extend(quote!(#(#names: <#ty as #param>::#types,)*));
            assembled.extend(quote!(<#ty as #param>::assemble(#(#names),*) #inner,));
        }
        let types = parameters.iter().map(|p| self.passed(p));
        let id = self.id();
        let (fma, max_threads, min_blocks) = (u32::from(options.fma), options.max_threads, options.min_blocks);
        let descriptor = quote! {
            #private::abi::KernelDescriptor {
                magic: #private::abi::DESCRIPTOR_MAGIC,
                id: #id,
                name: #path,
                place: #place,
                parameters: &[#(<#types as #param>::COMPONENTS),*],
                flags: #private::abi::KernelFlags { fma: #fma, max_threads: #max_threads, min_blocks: #min_blocks },
                entry: __threadwise_entry #turbofish as *const (),
            }
        };
        let entry = quote! {
            unsafe fn __threadwise_entry<#(#declared),*>(#components) #bounds {
                unsafe { #name #turbofish(#assembled) }
            }
        };
        if declared.is_empty() {
            return quote! {
                #entry
                #[used]
                static __THREADWISE_DESCRIPTOR: #private::abi::KernelDescriptor = #descriptor;
            };
        }
        let arguments = turbofish_arguments(turbofish);
        let mark = pass::is_device_pass().then(|| {
            quote! {
                #[used]
                static __THREADWISE_INSTANCES: #private::abi::InstancesMark = #private::abi::InstancesMark(#private::abi::INSTANCES_MAGIC);
            }
        });
        quote! {
            #mark
            #entry
            impl<#(#declared),*> __ThreadwiseKernel #arguments #bounds {
                const DESCRIPTOR: &'static #private::abi::KernelDescriptor = &#descriptor;
            }
        }
    }

    /// The errors of lowering that concern this kernel, and those of the whole crate at its first kernel.
    fn errors(&self, outcome: &Outcome, first: bool) -> TokenStream {
        errors(outcome, self.kernel.name.span(), |place| place.map_or(first, |place| place == self.place))
    }

    /// Whether the kernel's instances may be made in other crates, which see of this one what the host's pass leaves.
    fn is_exported(&self) -> bool {
        !self.instance.declared.is_empty() && matches!(self.kernel.visibility, Visibility::Public(_))
    }
}
