//! Declarations of endpoints.

use proc_macro::{Delimiter, Group, TokenStream, TokenTree};

use crate::arguments::{call, list, name, split, text, tokens};

/// The declaration of an endpoint.
struct Endpoint {
    method: String,
    path: String,
    handler: String,
    token: Token,
    /// Media types of the answers.
    offers: Vec<String>,
    /// Paths of the codes of problems.
    problems: Vec<String>,
}

/// Which token a caller needs.
#[derive(Default)]
struct Token {
    is_needed: bool,
    scope: Option<String>,
    is_operators: bool,
    suspended_too: bool,
}

pub fn expand(arguments: TokenStream, handler: TokenStream) -> Result<TokenStream, String> {
    let mut arguments = split(arguments).into_iter();
    let first = arguments.next().unwrap_or_default();
    let path = text(first.get(1)).ok_or("begin with a method and a path: GET \"/v1/games\"")?;
    let mut endpoint = Endpoint {
        method: name(&first),
        path,
        handler: name_of(&handler).ok_or("only a function handles an endpoint")?,
        token: Token::default(),
        offers: Vec::new(),
        problems: Vec::new(),
    };
    let mut security = TokenStream::new();
    let mut parameters = TokenStream::new();
    let mut rest = TokenStream::new();
    for argument in arguments {
        let list = list(&argument);
        match name(&argument).as_str() {
            word @ ("token" | "optional_token") => {
                let scope = split(list).first().map(|scope| name(scope));
                let scopes = scope.as_ref().map(|scope| format!("{scope:?}")).unwrap_or_default();
                let needed = format!("(\"token\" = [{scopes}])");
                let is_needed = word == "token";
                security = tokens(&if is_needed { needed } else { format!("(), {needed}") });
                endpoint.token = Token { is_needed, scope, ..endpoint.token };
            }
            "operator" => {
                security = tokens("(\"token\" = [\"admin\"])");
                endpoint.token = Token { is_needed: true, is_operators: true, ..endpoint.token };
            }
            "suspended_too" => endpoint.token.suspended_too = true,
            "problems" => endpoint.problems = split(list).iter().map(|code| name(code)).collect(),
            "params" => parameters = list,
            word => {
                if word == "responses" {
                    endpoint.offers = offers(list);
                }
                rest.extend(tokens(","));
                rest.extend(argument);
            }
        }
    }
    let mut declared = endpoint.of_path(&parameters.to_string());
    declared.extend(parameters);
    let mut described = tokens(&format!("{}, path = {:?},", endpoint.method.to_lowercase(), endpoint.path));
    if !security.is_empty() {
        described.extend(call("security", security));
        described.extend(tokens(","));
    }
    described.extend(call("params", declared));
    described.extend(rest);
    let mut condition = tokens("test,");
    condition.extend(call("utoipa::path", described));
    let mut expanded = tokens("#");
    let attribute = Group::new(Delimiter::Bracket, call("cfg_attr", condition));
    expanded.extend([TokenTree::Group(attribute)]);
    expanded.extend(handler);
    expanded.extend(endpoint.declaration());
    Ok(expanded)
}

impl Endpoint {
    /// Declares the parameters in the path that are not among `declared`.
    fn of_path(&self, declared: &str) -> TokenStream {
        let names = self.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
        let missing = names.filter(|name| !declared.contains(&format!("{name:?}")));
        let parameters = missing.map(|name| match name {
            "seat" => "(\"seat\" = u8, Path, maximum = 3),".to_owned(),
            name => format!("({name:?} = uuid::Uuid, Path),"),
        });
        tokens(&parameters.collect::<String>())
    }

    /// Returns a type with the name of the handler and the declaration as its constant.
    fn declaration(&self) -> TokenStream {
        let Self { method, path, handler, token, offers, problems } = self;
        let Token { is_needed, is_operators, suspended_too, .. } = *token;
        let needs = match (is_operators, is_needed) {
            (true, _) => "Operator",
            (false, true) => "Player",
            (false, false) => "Nothing",
        };
        let scope = token.scope.as_ref().map_or_else(
            || "None".to_owned(),
            |scope| format!("Some(crate::words::Scope::{})", capitalized(scope)),
        );
        let names_game = path.starts_with("/v1/games/{id}");
        let access = if path.starts_with("/v1/") || token.scope.is_some() {
            format!(
                "Some(crate::http::endpoint::Access {{ needs: crate::http::endpoint::Needs::{needs}, scope: {scope}, names_game: {names_game}, suspended_too: {suspended_too} }})"
            )
        } else {
            "None".to_owned()
        };
        let problems: Vec<_> = problems.iter().map(|code| format!("&crate::http::problem::{code}")).collect();
        let problems = problems.join(", ");
        tokens(&format!(
            "#[allow(non_camel_case_types)]
            #[doc(hidden)]
            pub enum {handler} {{}}

            impl crate::http::endpoint::Declared for {handler} {{
                const ENDPOINT: crate::http::endpoint::Endpoint = crate::http::endpoint::Endpoint {{
                    method: actix_web::http::Method::{method},
                    path: {path:?},
                    offers: &{offers:?},
                    access: {access},
                    #[cfg(test)]
                    name: {handler:?},
                    #[cfg(test)]
                    problems: &[{problems}],
                }};
            }}"
        ))
    }
}

fn name_of(function: &TokenStream) -> Option<String> {
    let mut trees = function.clone().into_iter().map(|tree| tree.to_string());
    trees.by_ref().find(|word| word == "fn")?;
    trees.next()
}

/// Returns the media types of `responses`. A body without a type is JSON.
fn offers(responses: TokenStream) -> Vec<String> {
    let mut offers = Vec::new();
    for response in split(responses) {
        let Some(TokenTree::Group(response)) = response.first() else { continue };
        let fields = split(response.stream());
        let of = |wanted: &str| fields.iter().find(|field| name(field) == wanted);
        let named = of("content_type").and_then(|field| text(field.last()));
        let has_body = of("body").is_some();
        offers.extend(named.or_else(|| has_body.then(|| "application/json".to_owned())));
        // Several contents: `content((Body = "media/type"), ..)`.
        for content in of("content").map(|field| split(list(field))).into_iter().flatten() {
            let Some(TokenTree::Group(content)) = content.first() else { continue };
            offers.extend(text(content.stream().into_iter().last().as_ref()));
        }
    }
    offers.sort();
    offers.dedup();
    // Clients that ask for text accept Markdown, and clients that ask for problems accept other JSON.
    for (kind, also) in [("text/markdown", "text/plain"), ("application/json", "application/problem+json")] {
        if offers.iter().any(|offered| offered == kind) {
            offers.push(also.to_owned());
        }
    }
    offers
}

fn capitalized(word: &str) -> String {
    word.split_at_checked(1).map_or_else(String::new, |(first, rest)| first.to_uppercase() + rest)
}
