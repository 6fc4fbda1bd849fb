//! `#[derive(DeviceCopy)]`, `#[derive(Zeroable)]`, `#[derive(Pod)]`: a type has the property when all its fields have it.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Error, Field, Type, parse_quote};

use crate::check::Errors;

/// What is derived.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Property {
    DeviceCopy,
    Zeroable,
    /// With `Zeroable`, which it implies.
    Pod,
}

impl Property {
    fn name(self) -> &'static str {
        match self {
            Property::DeviceCopy => "DeviceCopy",
            Property::Zeroable => "Zeroable",
            Property::Pod => "Pod",
        }
    }

    /// The trait that each field must have, as a path.
    fn path(self) -> TokenStream {
        let name = quote::format_ident!("{}", self.name());
        quote!(::threadwise::#name)
    }
}

pub(crate) fn derive(property: Property, item: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(item) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    match check(property, &input) {
        Ok(fields) => expand(property, &input, &fields),
        Err(error) => error.into_compile_error(),
    }
}

fn check(property: Property, input: &DeriveInput) -> Result<Vec<&Field>, Error> {
    let mut errors = Errors::default();
    let fields: Vec<&Field> = match &input.data {
        Data::Struct(data) => data.fields.iter().collect(),
        Data::Enum(data) if property != Property::DeviceCopy => {
            let message = format!("`{}` cannot be derived for an enum: not every bit pattern is one of its variants", property.name());
            errors.at(data.enum_token, message);
            Vec::new()
        }
        Data::Enum(data) => data.variants.iter().flat_map(|variant| &variant.fields).collect(),
        Data::Union(data) => {
            let message = format!("`{}` cannot be derived for a union: which of its fields holds a value is not known", property.name());
            errors.at(data.union_token, message);
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

fn expand(property: Property, input: &DeriveInput, fields: &[&Field]) -> TokenStream {
    let name = &input.ident;
    let path = property.path();
    let mut generics = input.generics.clone();
    for parameter in generics.type_params_mut() {
        parameter.bounds.push(parse_quote!(#path));
    }
    let (with_bounds, arguments, clause) = generics.split_for_impl();
    // One check per field, at the field, in a function that has the type's own bounds.
    let checks = fields.iter().map(|field| {
        let ty = &field.ty;
        let [start, end] = ends(ty);
        let call = quote_spanned!(start=> has_property::<);
        let close = quote_spanned!(end=> >());
        quote!(#call #ty #close;)
    });
    let zeroable = (property == Property::Pod).then(|| {
        quote! {
            #[automatically_derived]
            // SAFETY: each field takes every bit pattern, zero among them.
            unsafe impl #with_bounds ::threadwise::Zeroable for #name #arguments #clause {}
        }
    });
    quote! {
        #zeroable
        #[automatically_derived]
        // SAFETY: each field has the property, as the checks below say, and the type adds nothing to them.
        unsafe impl #with_bounds #path for #name #arguments #clause {}
        const _: () = {
            fn has_property<T: #path>() {}
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
