//! What a `#[device] static` becomes: itself, under a symbol that all crates and the host know, and a type of its name for the host.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Error, ItemStatic, StaticMutability};
use threadwise_abi::KernelId;
use threadwise_abi::symbols::STATIC_PREFIX;

use crate::derive::ends;
use crate::pass;

pub(crate) fn device_static(item: &ItemStatic) -> TokenStream {
    let exported = |a: &&syn::Attribute| ["no_mangle", "export_name", "link_section", "thread_local"].iter().any(|n| mentions(a, n));
    if let Some(attribute) = item.attrs.iter().find(exported) {
        let message = "the symbol and place of a `#[device] static` are chosen by threadwise: leave this attribute out";
        return Error::new_spanned(attribute, message).into_compile_error();
    }
    let private = quote!(::threadwise::__private);
    let ItemStatic { vis, ident, ty, mutability, .. } = item;
    let symbol = symbol(ident);
    let [start, end] = ends(ty);
    let name = ident.to_string();
    let close = quote_spanned!(end=> >);
    let element = quote_spanned!(start=> <#ty as ::threadwise::Element #close);
    let kind = match mutability {
        StaticMutability::Mut(_) => quote!(#private::device::kind::Disjoint<#element::Plain>),
        _ => quote!(#element::Kind),
    };
    let doc = format!("The type by which the host reaches the static `{name}`: `device.global::<{name}>()`.");
    let additions = if pass::is_device_pass() { TokenStream::new() } else { super::crate_additions(&private, ident.span()) };
    quote! {
        #[unsafe(export_name = #symbol)]
        #item
        #[doc = #doc]
        #[allow(non_camel_case_types, dead_code)]
        #vis enum #ident {}
        #[automatically_derived]
        // SAFETY: the static has this symbol and this type.
        unsafe impl #private::device::DeviceStatic for #ident {
            type Value = #element::Plain;
            type Kind = #kind;
            const SYMBOL: &'static str = #symbol;
            const NAME: &'static str = ::core::concat!(::core::module_path!(), "::", #name);
        }
        #additions
    }
}

fn mentions(attribute: &syn::Attribute, name: &str) -> bool {
    attribute.path().is_ident(name)
        || attribute.path().is_ident("unsafe") && attribute.meta.to_token_stream().into_iter().any(|t| t.to_string().contains(name))
}

/// The symbol of the static: equal in both passes, and another for each static of the program. A macro that holds one, used twice, gives two
/// statics of one place; they are told apart by their number.
fn symbol(ident: &Ident) -> String {
    static SEEN: Mutex<Option<HashMap<String, u32>>> = Mutex::new(None);
    let place = super::place(ident.span());
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    let number = seen.get_or_insert_default().entry(place.clone()).or_insert(0);
    *number += 1;
    let id = KernelId::named(pass::crate_salt(), &format!("{ident} {number}"), &place).bytes();
    let hash: String = id.iter().map(|byte| format!("{byte:02x}")).collect();
    let name: String = ident.to_string().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    format!("{STATIC_PREFIX}{hash}_{name}")
}
