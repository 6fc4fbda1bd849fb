//! What `#[kernel_test(…)]` and the attributes beside it say.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprLit, Lit, LitStr, Meta, MetaNameValue, Result, Token, parenthesized};

use crate::check::Errors;
use crate::parse::{KernelOption, OptionValue};

/// Options that are the kernel's own.
const OF_KERNEL: &[&str] = &["fma", "max_threads", "min_blocks", "crate"];

/// How a test runs.
pub(super) struct Options {
    pub(super) grid: TokenStream,
    pub(super) block: TokenStream,
    pub(super) shared_bytes: TokenStream,
    /// Variants of `DeviceKind`.
    pub(super) devices: Vec<Ident>,
    /// What the panic must contain, when there has to be one.
    pub(super) should_panic: Option<LitStr>,
    /// Those of the kernel.
    pub(super) kernel: Vec<KernelOption>,
    /// Attributes of the test function.
    pub(super) attributes: Vec<Attribute>,
}

/// One option as written.
enum TestOption {
    Kernel(KernelOption),
    Value(Ident, Expr),
    List(Ident, TokenStream),
    Word(Ident),
}

impl Parse for TestOption {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let key = input.call(Ident::parse_any)?;
        if input.peek(syn::token::Paren) {
            let list;
            parenthesized!(list in input);
            return Ok(TestOption::List(key, list.parse()?));
        }
        if !input.peek(Token![=]) {
            return Ok(TestOption::Word(key));
        }
        input.parse::<Token![=]>()?;
        if OF_KERNEL.iter().any(|known| key == known) {
            let value = if input.peek(Lit) { OptionValue::Literal(input.parse()?) } else { OptionValue::Path(input.parse()?) };
            return Ok(TestOption::Kernel(KernelOption { key, value }));
        }
        Ok(TestOption::Value(key, input.parse()?))
    }
}

impl TestOption {
    fn key(&self) -> &Ident {
        match self {
            TestOption::Kernel(option) => &option.key,
            TestOption::Value(key, _) | TestOption::List(key, _) | TestOption::Word(key) => key,
        }
    }
}

/// The options from the attribute's tokens and the attributes beside it.
pub(super) fn options(tokens: TokenStream, attributes: Vec<Attribute>, errors: &mut Errors) -> Options {
    let one = quote!(1u32);
    let mut options = Options {
        grid: one.clone(),
        block: quote!(32u32),
        shared_bytes: quote!(0u32),
        devices: Vec::new(),
        should_panic: None,
        kernel: Vec::new(),
        attributes: Vec::new(),
    };
    let list = syn::parse::Parser::parse2(Punctuated::<TestOption, Token![,]>::parse_terminated, tokens);
    let list = list.unwrap_or_else(|error| {
        errors.add(error);
        Punctuated::new()
    });
    let mut seen: Vec<String> = Vec::new();
    for option in list {
        let name = option.key().to_string();
        if seen.contains(&name) {
            errors.at(option.key(), format!("`{name}` is given twice"));
        }
        seen.push(name);
        options.set(option, errors);
    }
    for attribute in attributes {
        if attribute.path().is_ident("should_panic") {
            options.should_panic = Some(expectation(&attribute.meta, errors));
        } else if attribute.path().is_ident("test") {
            errors.at(&attribute, "`#[kernel_test]` makes a `#[test]` by itself");
        } else {
            options.attributes.push(attribute);
        }
    }
    if options.devices.is_empty() {
        options.devices = ["Sim", "Cuda"].map(|kind| Ident::new(kind, proc_macro2::Span::call_site())).into();
    }
    options
}

impl Options {
    fn set(&mut self, option: TestOption, errors: &mut Errors) {
        let name = option.key().to_string();
        match (name.as_str(), option) {
            (_, TestOption::Kernel(option)) => self.kernel.push(option),
            ("grid", TestOption::Value(key, value)) => self.grid = extent(&key, value, errors),
            ("block", TestOption::Value(key, value)) => self.block = extent(&key, value, errors),
            ("shared_bytes", TestOption::Value(_, value)) => self.shared_bytes = value.into_token_stream(),
            ("devices", TestOption::List(key, list)) => self.devices = devices(&key, list, errors),
            ("should_panic", TestOption::Word(key)) => self.should_panic = Some(LitStr::new("", key.span())),
            ("should_panic", TestOption::List(key, list)) => self.should_panic = Some(expected(&key, list, errors)),
            ("grid" | "block" | "shared_bytes" | "fma" | "max_threads" | "min_blocks" | "crate", option) => {
                errors.at(option.key(), format!("expected `{name} = …`"));
            }
            ("devices", option) => errors.at(option.key(), "expected `devices(sim, cuda)`, or one of the two"),
            ("should_panic", option) => errors.at(option.key(), "expected `should_panic` or `should_panic(expected = \"…\")`"),
            (_, option) => errors.at(
                option.key(),
                format!(
                    "unknown option `{name}`; there are `grid`, `block`, `shared_bytes`, `devices`, `should_panic`, and those of `#[kernel]`: \
                     `fma`, `max_threads`, `min_blocks` and `crate`"
                ),
            ),
        }
    }
}

/// A grid or block. A literal that cannot be one is refused here, anything else at the launch.
fn extent(key: &Ident, value: Expr, errors: &mut Errors) -> TokenStream {
    let parts: Vec<&Expr> = match &value {
        Expr::Tuple(tuple) => tuple.elems.iter().collect(),
        single => vec![single],
    };
    if !(1..=3).contains(&parts.len()) {
        errors.at(&value, format!("`{key}` is `x`, `(x, y)` or `(x, y, z)`"));
    }
    for part in parts {
        if let Expr::Lit(ExprLit { lit, .. }) = part
            && !matches!(lit, Lit::Int(number) if number.base10_parse::<u32>().is_ok_and(|n| n > 0))
        {
            errors.at(part, format!("`{key}` counts along each axis: a number from 1"));
        }
    }
    value.into_token_stream()
}

fn devices(key: &Ident, list: TokenStream, errors: &mut Errors) -> Vec<Ident> {
    let names = syn::parse::Parser::parse2(Punctuated::<Ident, Token![,]>::parse_terminated, list);
    let names = names.unwrap_or_else(|error| {
        errors.add(error);
        Punctuated::new()
    });
    if names.is_empty() {
        errors.at(key, "expected `devices(sim, cuda)`, or one of the two");
    }
    let mut kinds = Vec::new();
    for name in names {
        match name.to_string().as_str() {
            "sim" => kinds.push(Ident::new("Sim", name.span())),
            "cuda" => kinds.push(Ident::new("Cuda", name.span())),
            other => errors.at(&name, format!("unknown device `{other}`; there are `sim` and `cuda`")),
        }
    }
    kinds
}

/// The text of the attribute `#[should_panic(expected = "…")]`, or `#[should_panic = "…"]`; empty for a bare `#[should_panic]`.
fn expectation(meta: &Meta, errors: &mut Errors) -> LitStr {
    match meta {
        Meta::Path(path) => LitStr::new("", path.span()),
        Meta::List(list) => expected(&list.path, list.tokens.clone(), errors),
        Meta::NameValue(pair) => text(&pair.path, Some(&pair.value), errors),
    }
}

/// The text of `expected = "…"`, which `culprit` is given.
fn expected(culprit: impl ToTokens, list: TokenStream, errors: &mut Errors) -> LitStr {
    let pair = syn::parse2::<MetaNameValue>(list).ok().filter(|pair| pair.path.is_ident("expected"));
    text(culprit, pair.as_ref().map(|pair| &pair.value), errors)
}

fn text(culprit: impl ToTokens, value: Option<&Expr>, errors: &mut Errors) -> LitStr {
    match value {
        Some(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) => text.clone(),
        Some(_) | None => {
            errors.at(culprit, "expected `should_panic(expected = \"…\")`");
            LitStr::new("", proc_macro2::Span::call_site())
        }
    }
}
