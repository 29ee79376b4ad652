//! The declaration of an endpoint. `#[endpoint]` makes it from the attribute of a handler.

use actix_web::http::Method;

use crate::words::Scope;

/// An endpoint as the router and the document know it.
pub struct Endpoint {
    pub method: Method,
    pub path: &'static str,
    /// Media types of its answers.
    pub offers: &'static [&'static str],
    /// Required access, or `None` where no token is read.
    pub access: Option<Access>,
    /// Name of its handler.
    #[cfg(test)]
    pub name: &'static str,
    /// Problems besides those of every endpoint of its form.
    #[cfg(test)]
    pub problems: &'static [&'static super::problem::Code],
}

/// The token that an endpoint needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Needs {
    /// It answers without a token too.
    Nothing,
    /// The token of a player.
    Player,
    /// The token of an operator, which the handler reads.
    Operator,
}

/// Access that an endpoint requires.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    pub needs: Needs,
    /// Required scope of a token.
    pub scope: Option<Scope>,
    /// Whether the path names a game, which a token of one game must match.
    pub names_game: bool,
    /// Whether a suspended player may use it.
    pub suspended_too: bool,
}

/// A handler with its declaration.
pub trait Declared {
    const ENDPOINT: Endpoint;
}
