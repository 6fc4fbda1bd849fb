//! The device code of a crate, as an item that the host finds at run time.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use threadwise_abi::Component;
use threadwise_codegen::{Image, KernelInfo, StaticInfo};

use crate::pass::{Outcome, TRACKED_VARIABLES};

/// What the first kernel of a crate carries for all of them.
pub(super) fn additions(outcome: &Outcome, first: bool, private: &TokenStream) -> TokenStream {
    if !first {
        return TokenStream::new();
    }
    let module = match outcome {
        Outcome::Nothing | Outcome::Failed(_) => TokenStream::new(),
        Outcome::Lowered { krate, images, kernels, statics } => module(krate, images, kernels, statics, private),
    };
    let tracked = tracked();
    quote!(#tracked #module)
}

/// Tells cargo what else the crate is built from.
fn tracked() -> TokenStream {
    let manifest =
        std::env::var_os("CARGO_MANIFEST_DIR").filter(|folder| std::path::Path::new(folder).join("Cargo.toml").is_file()).map(|_| {
            quote!(
                const _: &[u8] = ::core::include_bytes!(::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
            )
        });
    let variables = TRACKED_VARIABLES.iter();
    quote! {
        #(const _: ::core::option::Option<&str> = ::core::option_env!(#variables);)*
        #manifest
    }
}

fn module(krate: &str, images: &[Image], kernels: &[KernelInfo], statics: &[StaticInfo], private: &TokenStream) -> TokenStream {
    let images = images.iter().map(|Image { arch, ptx }| quote!(#private::ImageBlob { arch: #arch, ptx: #ptx }));
    let kernels = kernels.iter().map(|k| {
        let KernelInfo { id, name, place, entry, components, max_threads } = k;
        let id = Literal::byte_string(id);
        let components = components.iter().map(|c| component(c, private));
        quote! {
            #private::KernelBlob {
                id: *#id,
                name: #name,
                place: #place,
                entry: #entry,
                components: &[#(#components),*],
                max_threads: #max_threads,
            }
        }
    });
    let statics =
        statics.iter().map(|StaticInfo { symbol, imported }| quote!(#private::StaticBlob { symbol: #symbol, imported: #imported }));
    quote! {
        #[#private::linkme::distributed_slice(#private::MODULES)]
        #[linkme(crate = #private::linkme)]
        static __THREADWISE_MODULE: #private::ModuleBlob = #private::ModuleBlob {
            krate: #krate,
            images: &[#(#images),*],
            kernels: &[#(#kernels),*],
            statics: &[#(#statics),*],
        };
    }
}

fn component(component: &Component, private: &TokenStream) -> TokenStream {
    let Component { kind, size, align } = component;
    let kind = format_ident!("{kind:?}");
    quote!(#private::abi::Component { kind: #private::abi::ComponentKind::#kind, size: #size, align: #align })
}
