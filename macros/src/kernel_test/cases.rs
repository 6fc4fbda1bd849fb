//! The cases of a test with parameters: `#[case(…)]` on the test, `#[values(…)]` on a parameter.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprLit, ExprRange, FnArg, Lit, LitInt, Meta, Pat, RangeLimits, Signature, Token, Type};

use crate::check::Errors;

/// The most values that a range stands for: each is a test function.
const MOST_VALUES: i128 = 1000;

/// One test of a kernel: its name and a value for each parameter.
#[derive(Clone)]
pub(super) struct Case {
    pub(super) name: Ident,
    pub(super) values: Vec<TokenStream>,
}

/// Whether a parameter of that type is given as a slice, of which a buffer is made.
pub(super) fn is_slice(ty: &Type) -> bool {
    matches!(ty, Type::Reference(reference) if matches!(&*reference.elem, Type::Slice(_)))
}

/// Takes the cases out of the attributes of the test and of its parameters.
pub(super) fn cases(attributes: &mut Vec<Attribute>, signature: &mut Signature, errors: &mut Errors) -> Vec<Case> {
    let given: Vec<Attribute> =
        attributes.extract_if(.., |a| a.path().segments.first().is_some_and(|first| first.ident == "case")).collect();
    let lists: Vec<Option<Vec<(String, TokenStream)>>> = signature.inputs.iter_mut().map(|input| values_of(input, errors)).collect();
    let open = lists.iter().filter(|list| list.is_none()).count();
    if given.is_empty() && open > 0 {
        let culprit = signature.inputs.iter().zip(&lists).find(|(_, list)| list.is_none());
        let message = "a parameter of a test needs values: give the test `#[case(…)]`, or the parameter `#[values(…)]`";
        culprit.into_iter().for_each(|(input, _)| errors.at(input, message));
        return Vec::new();
    }
    if !given.is_empty() && open == 0 {
        errors.at(&given[0], "no parameter is left for `#[case(…)]`");
        return Vec::new();
    }
    if lists.is_empty() {
        return Vec::new();
    }
    let rows: Vec<Row> = match given.as_slice() {
        [] => vec![Row { name: String::new(), values: Vec::new(), span: Span::call_site() }],
        given => given.iter().enumerate().filter_map(|(i, attribute)| row(attribute, i + 1, open, errors)).collect(),
    };
    let mut all = Vec::new();
    for Row { name, values, span } in rows {
        let mut values = values.into_iter();
        let mut partial = vec![(name, Vec::new())];
        for list in &lists {
            let choices = match list {
                Some(list) => list.clone(),
                None => vec![(String::new(), values.next().unwrap_or_default())],
            };
            partial = partial
                .into_iter()
                .flat_map(|(name, so_far)| {
                    choices.iter().map(move |(part, value)| (join(&name, part), [so_far.as_slice(), std::slice::from_ref(value)].concat()))
                })
                .collect();
        }
        all.extend(partial.into_iter().map(|(name, values)| Case { name: Ident::new(&name, span), values }));
    }
    for (i, case) in all.iter().enumerate() {
        if all[..i].iter().any(|before: &Case| before.name == case.name) {
            errors.add(syn::Error::new(case.name.span(), format!("two cases are called `{}`", case.name)));
        }
    }
    all
}

fn join(a: &str, b: &str) -> String {
    [a, b].iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join("_")
}

/// What one `#[case(…)]` says.
struct Row {
    name: String,
    values: Vec<TokenStream>,
    /// Where editors show the test's button.
    span: Span,
}

/// `#[case(1, 2)]` or `#[case::name(1, 2)]`.
fn row(attribute: &Attribute, number: usize, open: usize, errors: &mut Errors) -> Option<Row> {
    let segments = &attribute.path().segments;
    let name = match segments.len() {
        1 => format!("case_{number}"),
        2 => segments[1].ident.to_string(),
        _ => {
            errors.at(attribute, "expected `#[case(…)]` or `#[case::name(…)]`");
            return None;
        }
    };
    let values = expressions(attribute, errors)?;
    if values.len() != open {
        let plural = |n: usize| if n == 1 { "" } else { "s" };
        let (given, wanted) = (values.len(), open);
        errors.at(attribute, format!("{given} value{} for {wanted} parameter{}", plural(given), plural(wanted)));
        return None;
    }
    Some(Row { name, values: values.iter().map(ToTokens::to_token_stream).collect(), span: segments[0].ident.span() })
}

fn expressions(attribute: &Attribute, errors: &mut Errors) -> Option<Vec<Expr>> {
    let Meta::List(list) = &attribute.meta else {
        errors.at(attribute, "expected a list of values in parentheses");
        return None;
    };
    match Punctuated::<Expr, Token![,]>::parse_terminated.parse2(list.tokens.clone()) {
        Ok(list) => Some(list.into_iter().collect()),
        Err(error) => {
            errors.add(error);
            None
        }
    }
}

/// The values of a parameter with `#[values(…)]`, each with its part of the test's name; the attribute is taken away.
fn values_of(input: &mut FnArg, errors: &mut Errors) -> Option<Vec<(String, TokenStream)>> {
    let FnArg::Typed(typed) = input else { return None };
    let at = typed.attrs.iter().position(|a| a.path().is_ident("values"))?;
    let attribute = typed.attrs.remove(at);
    let name = match &*typed.pat {
        Pat::Ident(pat) => pat.ident.unraw().to_string(),
        _ => "value".to_owned(),
    };
    let mut list = Vec::new();
    let values = expressions(&attribute, errors)?;
    if values.is_empty() {
        errors.at(&attribute, "expected at least one value");
    }
    for value in values {
        match range(&value, errors) {
            Some(numbers) => list.extend(numbers.into_iter().map(|(n, tokens)| (named(&name, &n.to_string(), 0), tokens))),
            None => {
                let text = literal(&value).unwrap_or_default();
                list.push((named(&name, &text, list.len() + 1), value.into_token_stream()));
            }
        }
    }
    Some(list)
}

/// `n_4` for a value written `4`, `n_minus_4` for `-4`; by its place for one that makes no name.
fn named(parameter: &str, text: &str, place: usize) -> String {
    let text = text.replace('-', "minus_").replace('.', "_");
    let speaks = !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if speaks { format!("{parameter}_{text}") } else { format!("{parameter}_value_{place}") }
}

/// A literal as written.
fn literal(value: &Expr) -> Option<String> {
    match value {
        Expr::Lit(ExprLit { lit: Lit::Int(_) | Lit::Float(_) | Lit::Bool(_), .. }) => Some(value.to_token_stream().to_string()),
        Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Neg(_)) => Some(format!("-{}", literal(&unary.expr)?)),
        _ => None,
    }
}

/// The numbers of a range whose ends are integer literals.
fn range(value: &Expr, errors: &mut Errors) -> Option<Vec<(i128, TokenStream)>> {
    let Expr::Range(ExprRange { start: Some(start), end: Some(end), limits, .. }) = value else { return None };
    let (Some(first), Some(last)) = (integer(start), integer(end)) else {
        errors.at(value, "the ends of a range of cases are integer literals: each number is a test of its own");
        return Some(Vec::new());
    };
    let last = match limits {
        RangeLimits::HalfOpen(_) => last.0 - 1,
        RangeLimits::Closed(_) => last.0,
    };
    let (first, suffix) = first;
    if last - first >= MOST_VALUES {
        errors.at(value, format!("a range of cases has at most {MOST_VALUES} numbers: each is a test of its own"));
        return Some(Vec::new());
    }
    let number = |n: i128| {
        let digits = LitInt::new(&format!("{}{suffix}", n.unsigned_abs()), value.span());
        (n, if n < 0 { quote!(-#digits) } else { quote!(#digits) })
    };
    Some((first..=last).map(number).collect())
}

/// The value and suffix of an integer literal.
fn integer(value: &Expr) -> Option<(i128, String)> {
    match value {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => Some((number.base10_parse().ok()?, number.suffix().to_owned())),
        Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Neg(_)) => integer(&unary.expr).map(|(n, suffix)| (-n, suffix)),
        _ => None,
    }
}
