//! The small attributes: `#[device]`, and `#[launch_bounds]` above `#[kernel]`.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Error, ItemStatic};

use crate::expand;
use crate::parse::Function;

/// The function with its body available to other crates, or the static with its handle.
pub(crate) fn device(options: TokenStream, item: TokenStream) -> TokenStream {
    if !options.is_empty() {
        return Error::new_spanned(options, "`#[device]` has no options").into_compile_error();
    }
    if let Ok(item) = syn::parse2::<ItemStatic>(item.clone()) {
        return expand::device_static(&item);
    }
    match syn::parse2::<Function>(item.clone()) {
        Ok(function) if function.attributes.iter().any(|a| a.path().is_ident("inline")) => item,
        Ok(_) => quote!(#[inline] #item),
        Err(error) => Error::new(error.span(), "`#[device]` belongs on a function or a static").into_compile_error(),
    }
}

/// `#[launch_bounds]` came before `#[kernel]`: they change places.
pub(crate) fn launch_bounds_first(bounds: TokenStream, item: TokenStream) -> TokenStream {
    let mut function: Function = match syn::parse2(item) {
        Ok(function) => function,
        Err(error) => return error.into_compile_error(),
    };
    let is_kernel = |path: &syn::Path| path.segments.last().is_some_and(|last| last.ident == "kernel");
    let Some(at) = function.attributes.iter().position(|a| is_kernel(a.path())) else {
        return Error::new_spanned(&function.signature.ident, "`#[launch_bounds]` belongs on a function with `#[kernel]`")
            .into_compile_error();
    };
    let kernel = function.attributes.remove(at);
    let Function { attributes, visibility, signature, body } = &function;
    let rest = [visibility.to_token_stream(), signature.to_token_stream(), body.to_token_stream()];
    quote!(#kernel #[launch_bounds(#bounds)] #(#attributes)* #(#rest)*)
}
