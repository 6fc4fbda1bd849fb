//! `#[derive(DeviceCopy)]`.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Error, Field, Type, parse_quote};

use crate::check::Errors;

pub(crate) fn derive(item: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(item) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    match check(&input) {
        Ok(fields) => expand(&input, &fields),
        Err(error) => error.into_compile_error(),
    }
}

fn check(input: &DeriveInput) -> Result<Vec<&Field>, Error> {
    let mut errors = Errors::default();
    let fields: Vec<&Field> = match &input.data {
        Data::Struct(data) => data.fields.iter().collect(),
        Data::Enum(data) => data.variants.iter().flat_map(|variant| &variant.fields).collect(),
        Data::Union(data) => {
            errors.at(data.union_token, "`DeviceCopy` cannot be derived for a union: which of its fields holds a value is not known");
            Vec::new()
        }
    };
    for lifetime in input.generics.lifetimes() {
        errors.at(lifetime, "a `DeviceCopy` type borrows nothing: host references mean nothing on the GPU");
    }
    for field in &fields {
        match &field.ty {
            Type::Reference(ty) => errors.at(ty, "a reference into host memory means nothing on the GPU: hold the value itself"),
            Type::Ptr(ty) => errors.at(ty, "a pointer into host memory means nothing on the GPU: pass buffers as parameters of the kernel"),
            Type::FnPtr(ty) => errors.at(ty, "the address of a host function means nothing on the GPU"),
            _ => {}
        }
    }
    errors.or(Some(fields))
}

fn expand(input: &DeriveInput, fields: &[&Field]) -> TokenStream {
    let name = &input.ident;
    let mut generics = input.generics.clone();
    for parameter in generics.type_params_mut() {
        parameter.bounds.push(parse_quote!(::threadwise::DeviceCopy));
    }
    let (with_bounds, arguments, clause) = generics.split_for_impl();
    // One check per field, at the field, in a function that has the type's own bounds.
    let checks = fields.iter().map(|field| {
        let ty = &field.ty;
        let [start, end] = ends(ty);
        let call = quote_spanned!(start=> is_device_copy::<);
        let close = quote_spanned!(end=> >());
        quote!(#call #ty #close;)
    });
    quote! {
        #[automatically_derived]
        // SAFETY: each field is `DeviceCopy`, as the checks below say, and so holds nothing of the host's memory.
        unsafe impl #with_bounds ::threadwise::DeviceCopy for #name #arguments #clause {}
        const _: () = {
            fn is_device_copy<T: ::threadwise::DeviceCopy>() {}
            #[allow(dead_code)]
            fn fields #with_bounds () #clause {
                #(#checks)*
            }
        };
    }
}

/// Where the tokens of `ty` begin and end, for generated tokens around them.
pub(crate) fn ends(ty: &Type) -> [Span; 2] {
    let start = ty.span();
    let end = ty.to_token_stream().into_iter().last().map_or(start, |token| token.span());
    [start, end]
}
