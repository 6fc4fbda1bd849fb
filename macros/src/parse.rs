//! What stands before and below `#[kernel]`, as written. Nothing is judged here but the grammar.

use proc_macro2::{Group, Ident, Span, TokenStream};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, Lit, Path, Result, Signature, Token, Visibility};

/// A function whose body stays a token group: rustc reports what is wrong in it, once and at the user's line.
pub(crate) struct Function {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) signature: Signature,
    pub(crate) body: Group,
}

impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        let signature: Signature = input
            .parse()
            .map_err(|e| if input.is_empty() { e } else { Error::new(e.span(), format!("`#[kernel]` belongs on a function: {e}")) })?;
        if input.peek(Token![;]) {
            return Err(Error::new(signature.ident.span(), "a kernel needs a body"));
        }
        Ok(Function { attributes, visibility, signature, body: input.parse()? })
    }
}

/// One `key = value` between the parentheses of `#[kernel(…)]`, or one positional number of `#[launch_bounds(…)]`.
pub(crate) struct KernelOption {
    pub(crate) key: Ident,
    pub(crate) value: OptionValue,
}

/// The right-hand side of an option.
pub(crate) enum OptionValue {
    Literal(Lit),
    Path(Path),
}

impl OptionValue {
    pub(crate) fn span(&self) -> Span {
        match self {
            OptionValue::Literal(literal) => literal.span(),
            OptionValue::Path(path) => syn::spanned::Spanned::span(path),
        }
    }
}

impl Parse for KernelOption {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let key = input.call(Ident::parse_any)?;
        if !input.peek(Token![=]) {
            return Err(Error::new(key.span(), format!("expected `{key} = …`")));
        }
        input.parse::<Token![=]>()?;
        let value = if input.peek(Lit) { OptionValue::Literal(input.parse()?) } else { OptionValue::Path(input.parse()?) };
        Ok(KernelOption { key, value })
    }
}

/// The options of `#[kernel(…)]`.
pub(crate) fn kernel_options(options: TokenStream) -> Result<Vec<KernelOption>> {
    let list = syn::parse::Parser::parse2(Punctuated::<KernelOption, Token![,]>::parse_terminated, options)?;
    Ok(list.into_iter().collect())
}

/// The path of the threadwise crate, when the options give it.
pub(crate) fn root(options: &[KernelOption]) -> Option<&Path> {
    options.iter().find_map(|option| match &option.value {
        OptionValue::Path(path) if option.key == "crate" => Some(path),
        OptionValue::Path(_) | OptionValue::Literal(_) => None,
    })
}

/// The numbers of `#[launch_bounds(…)]`, named as the options of `#[kernel(…)]` that they are.
pub(crate) fn launch_bounds(bounds: TokenStream, attribute: Span) -> Result<Vec<KernelOption>> {
    let list = syn::parse::Parser::parse2(Punctuated::<Lit, Token![,]>::parse_terminated, bounds)?;
    if list.is_empty() || list.len() > 2 {
        let message = "expected `#[launch_bounds(threads)]` or `#[launch_bounds(threads, blocks)]`";
        return Err(Error::new(attribute, message));
    }
    Ok(list
        .into_iter()
        .zip(["max_threads", "min_blocks"])
        .map(|(literal, key)| KernelOption { key: Ident::new(key, literal.span()), value: OptionValue::Literal(literal) })
        .collect())
}
