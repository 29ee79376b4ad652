//! Schemas of types.

use proc_macro::{Delimiter, Group, TokenStream, TokenTree};

use crate::arguments::tokens;

/// Attributes that only `utoipa` knows.
const ATTRIBUTES: [&str; 3] = ["schema", "param", "into_params"];

pub fn expand(arguments: &str, item: TokenStream) -> TokenStream {
    let derived = if arguments == "query" { "IntoParams" } else { "ToSchema" };
    let mut expanded =
        tokens(&format!("#[cfg_attr(any(test, feature = \"openapi\"), derive(::utoipa::{derived}))]"));
    expanded.extend(gated(item));
    expanded
}

/// Hides the attributes of `utoipa` except in tests and with the feature `openapi`.
fn gated(item: TokenStream) -> TokenStream {
    item.into_iter()
        .map(|tree| match tree {
            TokenTree::Group(group) => {
                let inner = group.stream();
                let is_attribute = group.delimiter() == Delimiter::Bracket && starts_with_one_of(&inner);
                let inner = if is_attribute { gate(inner) } else { gated(inner) };
                let mut changed = Group::new(group.delimiter(), inner);
                changed.set_span(group.span());
                TokenTree::Group(changed)
            }
            other => other,
        })
        .collect()
}

fn gate(attribute: TokenStream) -> TokenStream {
    let mut condition = tokens("any(test, feature = \"openapi\"),");
    condition.extend(attribute);
    let mut gated = tokens("cfg_attr");
    gated.extend([TokenTree::Group(Group::new(Delimiter::Parenthesis, condition))]);
    gated
}

fn starts_with_one_of(stream: &TokenStream) -> bool {
    match stream.clone().into_iter().next() {
        Some(TokenTree::Ident(name)) => ATTRIBUTES.contains(&name.to_string().as_str()),
        // An attribute that went through `macro_rules!` is in a group.
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::None => {
            starts_with_one_of(&group.stream())
        }
        _ => false,
    }
}
