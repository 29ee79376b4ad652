//! OAuth 2.1 for apps of others: authorization codes with PKCE for public clients, without registration.
//!
//! The id of a client is the address of its metadata document, or a redirect address on the player's own
//! computer. The player's page shows who asks and for what ([`AuthorizationRequest`]); its consent makes a code,
//! which the app exchanges for tokens.

mod app;
mod client;
mod consent;
mod grant;

pub use app::AppView;
pub use consent::{AuthorizationRequest, ConsentView, Consented, NewConsent};
pub use grant::{Grant, GrantError, GrantedTokens};
