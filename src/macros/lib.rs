//! Two attributes that declare the API: `#[wire]` for its types and `#[endpoint]` for its handlers. The
//! document of the API is made by tests, so its schemas are compiled only for them.

mod arguments;
mod endpoint;
mod wire;

use proc_macro::TokenStream;

/// Gives a type its schema in the document of the API. `#[wire(query)]` is for a set of query parameters.
///
/// The type may use `utoipa`'s attributes `#[schema(..)]` and `#[param(..)]`.
///
/// ```
/// # use playledger_macros::wire;
/// #[wire]
/// #[schema(as = Name)]
/// struct PlayerName {
///     #[schema(max_length = 40)]
///     name: String,
/// }
/// ```
#[proc_macro_attribute]
pub fn wire(arguments: TokenStream, item: TokenStream) -> TokenStream {
    wire::expand(&arguments.to_string(), item)
}

/// Declares the endpoint of a handler: `#[endpoint(GET "/v1/games/{id}", ..)]`.
///
/// - `token(scope)`: requires a token with this scope; `token()` accepts any token.
/// - `optional_token(scope)`: answers without a token too.
/// - `operator()`: requires the token of an operator.
/// - `suspended_too()`: also for players whom the operator has suspended.
/// - `problems(CODE, ..)`: problems besides those of every endpoint of this form.
///
/// Everything else is passed to `utoipa::path`. A part `{id}` of the path needs no parameter of its own.
///
/// The endpoint becomes the constant `ENDPOINT` of a type with the name of the handler.
#[proc_macro_attribute]
pub fn endpoint(arguments: TokenStream, handler: TokenStream) -> TokenStream {
    endpoint::expand(arguments, handler)
        .unwrap_or_else(|mistake| format!("compile_error!({mistake:?});").parse().unwrap_or_default())
}
