//! Arguments of an attribute.

use proc_macro::{Delimiter, Group, TokenStream, TokenTree};

/// Parses source text of this crate.
pub fn tokens(source: &str) -> TokenStream {
    source.parse().unwrap_or_default()
}

/// Splits a list at its commas.
pub fn split(list: TokenStream) -> Vec<Vec<TokenTree>> {
    let mut arguments = vec![Vec::new()];
    for tree in list {
        match (&tree, arguments.last_mut()) {
            (TokenTree::Punct(mark), _) if mark.as_char() == ',' => arguments.push(Vec::new()),
            (_, Some(argument)) => argument.push(tree),
            (_, None) => {}
        }
    }
    arguments.retain(|argument| !argument.is_empty());
    arguments
}

/// Returns the name of an argument: `token` of `token(play)`.
pub fn name(argument: &[TokenTree]) -> String {
    argument.first().map(ToString::to_string).unwrap_or_default()
}

/// Returns the list in an argument: `play` of `token(play)`.
pub fn list(argument: &[TokenTree]) -> TokenStream {
    match argument.get(1) {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => group.stream(),
        _ => TokenStream::new(),
    }
}

/// Returns the text of a string literal.
pub fn text(tree: Option<&TokenTree>) -> Option<String> {
    let literal = tree?.to_string();
    literal.strip_prefix('"')?.strip_suffix('"').map(str::to_owned)
}

/// Returns `name(list)`.
pub fn call(name: &str, list: TokenStream) -> TokenStream {
    let mut call = tokens(name);
    call.extend([TokenTree::Group(Group::new(Delimiter::Parenthesis, list))]);
    call
}
