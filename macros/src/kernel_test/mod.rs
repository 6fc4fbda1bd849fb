//! `#[kernel_test]`: a kernel, and a `#[test]` of the same name that runs it.
//!
//! Without parameters the kernel lies inside the test function. With parameters it lies beside a module of its name, which has a test
//! function for each case.

mod cases;
mod options;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{LitStr, Visibility};

use self::cases::Case;
use self::options::Options;
use crate::check::{self, Errors, Kernel};
use crate::parse::{self, Function};
use crate::{expand, pass};

pub(crate) fn expand(tokens: TokenStream, item: TokenStream) -> TokenStream {
    let mut function: Function = match syn::parse2(item) {
        Ok(function) => function,
        Err(error) => return error.into_compile_error(),
    };
    let mut errors = Errors::default();
    let attributes = std::mem::take(&mut function.attributes);
    let mut options = options::options(tokens, attributes, &mut errors);
    let cases = cases::cases(&mut options.attributes, &mut function.signature, &mut errors);
    if let Some(token) = check::unsafety(&function.signature) {
        errors.at(token, "a test cannot be `unsafe`: nobody vouches for what it is called with");
    }
    if let Some(parameter) = function.signature.generics.params.first() {
        errors.at(parameter, "a test cannot be generic: call a generic function from tests of the types that matter");
    }
    function.visibility = Visibility::Inherited;
    let root = parse::root(&options.kernel).map_or_else(|| quote!(::threadwise), ToTokens::to_token_stream);
    let kernel = match check::kernel(&function, Ok(std::mem::take(&mut options.kernel))) {
        Ok(kernel) => errors.or(Some(kernel)),
        Err(error) => {
            errors.add(error);
            errors.or(None)
        }
    };
    match kernel {
        // As `#[test]` itself, it is nothing in a build that makes no tests. It is still checked.
        Ok(_) if !pass::makes_tests() => TokenStream::new(),
        Ok(kernel) => Tests { options: &options, kernel: &kernel, root: &root }.all(&cases),
        Err(error) => error.into_compile_error(),
    }
}

struct Tests<'a> {
    options: &'a Options,
    kernel: &'a Kernel,
    root: &'a TokenStream,
}

impl Tests<'_> {
    fn all(&self, cases: &[Case]) -> TokenStream {
        let kernel = expand::expand(self.kernel, self.root);
        let name = &self.kernel.name;
        if self.kernel.parameters.is_empty() {
            let text = LitStr::new(&name.to_string(), Span::call_site());
            let body = self.run(&text, &quote!(#name), &[]);
            let attributes = &self.options.attributes;
            return quote! {
                #[::core::prelude::v1::test]
                #(#attributes)*
                fn #name() {
                    #kernel
                    #body
                }
            };
        }
        let tests = cases.iter().map(|case| self.case(case));
        quote! {
            #kernel
            mod #name {
                #[allow(unused_imports, reason = "values may name what lies around the test")]
                use super::*;
                #(#tests)*
            }
        }
    }

    fn case(&self, case: &Case) -> TokenStream {
        let (name, attributes) = (&case.name, &self.options.attributes);
        let kernel = &self.kernel.name;
        let text = LitStr::new(&name.to_string(), Span::call_site());
        let body = self.run(&text, &quote!(super::#kernel), &case.values);
        quote! {
            #[::core::prelude::v1::test]
            #(#attributes)*
            fn #name() {
                #body
            }
        }
    }

    /// Runs the kernel with those arguments. `name` is the test's within its module.
    fn run(&self, name: &LitStr, kernel: &TokenStream, values: &[TokenStream]) -> TokenStream {
        let Options { grid, block, shared_bytes, devices, should_panic, .. } = self.options;
        let testing = {
            let root = self.root;
            quote!(#root::testing)
        };
        let expected = match should_panic {
            Some(text) => quote!(::core::option::Option::Some(#text)),
            None => quote!(::core::option::Option::None),
        };
        let names: Vec<_> = self.kernel.parameters.iter().map(|parameter| &parameter.name).collect();
        let (mut given, mut lent, mut passed) = (Vec::new(), Vec::new(), Vec::new());
        for ((parameter, name), value) in self.kernel.parameters.iter().zip(&names).zip(values) {
            let ty = &parameter.ty;
            if cases::is_slice(ty) {
                given.push(quote!(let #name = #value;));
                lent.push(quote!(let #name = #testing::to_device(device, &#name)?;));
                passed.push(quote!(&#name));
            } else {
                given.push(quote!(let #name: #ty = #value;));
                passed.push(quote!(#name));
            }
        }
        quote! {
            #(#given)*
            const TEST: #testing::Test = #testing::Test {
                name: ::core::concat!(::core::module_path!(), "::", #name),
                devices: &[#(#testing::DeviceKind::#devices),*],
                should_panic: #expected,
            };
            #testing::run(&TEST, |device, panics| {
                #(#lent)*
                #kernel(#(#passed),*)
                    .grid(#grid)
                    .block(#block)
                    .shared_bytes(#shared_bytes)
                    .on(&device.default_stream())
                    .launch_detailed(panics)
            });
        }
    }
}
