//! OAuth for apps of others: metadata (RFC 8414), tokens (RFC 6749), and revocation (RFC 7009).

use actix_web::{HttpRequest, HttpResponse, http::header, web};
use serde_json::json;

use crate::{
    http::{
        problem::{OtherForm, Problem},
        request::{Idempotent, OwnToken, Query},
        state::State,
    },
    service::{
        Session,
        accounts::oauth::{AuthorizationRequest, ConsentView, Consented, Grant, GrantError, NewConsent},
    },
};

/// Look at an authorization request
///
/// Returns who asks for access to the caller's account and for what, as `/oauth/authorize` shows it. Loads
/// the metadata document of the app. An app cannot use this.
#[endpoint(
    POST "/v1/oauth/requests", tag = "apps", token(account), request_body = AuthorizationRequest,
    responses((status = 200, description = "The request", body = ConsentView))
)]
pub async fn read_authorization_request(
    request: HttpRequest,
    _: OwnToken,
    sent: Idempotent<AuthorizationRequest>,
) -> Result<HttpResponse, Problem> {
    let issuer = issuer(&sent.state, &request);
    let read = async |state: &State, _: &Session, asked, _| {
        state.service.accounts.consent_request(asked, &issuer).await
    };
    super::webhooks::as_test(sent, actix_web::http::StatusCode::OK, read).await
}

/// Consent to an authorization request
///
/// Makes a code for the app, which it exchanges for tokens at `/oauth/token`. `redirect` is where the page
/// must lead the player, with the code or with the mistake of the app. An app cannot use this.
#[endpoint(
    POST "/v1/oauth/consents", tag = "apps", token(account), request_body = NewConsent,
    responses((status = 200, description = "The address of the app", body = Consented)),
    problems(TOO_MANY_TOKENS, NOT_FOUND)
)]
pub async fn allow_app(
    request: HttpRequest,
    _: OwnToken,
    sent: Idempotent<NewConsent>,
) -> Result<HttpResponse, Problem> {
    let issuer = issuer(&sent.state, &request);
    let consent = async |state: &State, session: &Session, consent| {
        state.service.accounts.consent(session, consent, &issuer).await
    };
    sent.secret(actix_web::http::StatusCode::OK, consent).await
}

/// Returns the address of this server, as the client knows it.
pub fn issuer(state: &State, request: &HttpRequest) -> String {
    let of_request = || {
        let info = request.connection_info();
        format!("{}://{}", info.scheme(), info.host())
    };
    let configured = state.config.public_url.as_deref().map(|url| url.trim_end_matches('/').to_owned());
    configured.unwrap_or_else(of_request)
}

/// The metadata of this server (RFC 8414).
pub async fn metadata(
    state: web::Data<State>,
    request: HttpRequest,
    query: Query,
) -> Result<HttpResponse, Problem> {
    query.end()?;
    let issuer = issuer(&state, &request);
    Ok(HttpResponse::Ok().json(json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/oauth/authorize"),
        "token_endpoint": format!("{issuer}/oauth/token"),
        "revocation_endpoint": format!("{issuer}/oauth/revoke"),
        "service_documentation": format!("{issuer}/guide/api"),
        "scopes_supported": ["read", "play", "account"],
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none"],
        "revocation_endpoint_auth_methods_supported": ["none"],
        "authorization_response_iss_parameter_supported": true,
        "client_id_metadata_document_supported": true,
    })))
}

/// A form, as OAuth sends it.
type Form = Result<web::Form<Vec<(String, String)>>, actix_web::Error>;

/// Tokens for a code or a refresh token.
pub async fn token(state: web::Data<State>, form: Form) -> Result<HttpResponse, Problem> {
    let Some(grant) = form.ok().and_then(|form| Fields::of(form.into_inner())).map(grant) else {
        return Ok(refused("invalid_request", "the body must be a form without repeated fields"));
    };
    let grant = match grant {
        Ok(grant) => grant,
        Err((error, description)) => return Ok(refused(error, description)),
    };
    match state.service.accounts.grant(grant).await {
        Ok(tokens) => Ok(HttpResponse::Ok().insert_header((header::CACHE_CONTROL, "no-store")).json(tokens)),
        Err(GrantError::Invalid) => {
            Ok(refused("invalid_grant", "the code or token is unknown, used, expired, or another client's"))
        }
        Err(GrantError::Service(error)) => Err(error.into()),
    }
}

/// Ends a token. An unknown one has ended already.
pub async fn revoke(state: web::Data<State>, form: Form) -> Result<HttpResponse, Problem> {
    let fields = form.ok().and_then(|form| Fields::of(form.into_inner()));
    let Some(token) = fields.and_then(|mut fields| fields.take("token")) else {
        return Ok(refused("invalid_request", "`token` is missing"));
    };
    state.service.accounts.revoke_grant(&token).await?;
    Ok(HttpResponse::Ok().insert_header((header::CACHE_CONTROL, "no-store")).finish())
}

/// Fields of a form.
struct Fields(Vec<(String, String)>);

impl Fields {
    /// Returns the fields, unless one is repeated.
    fn of(fields: Vec<(String, String)>) -> Option<Self> {
        let is_repeated = |(at, (name, _)): (usize, &(String, String))| {
            fields.iter().take(at).any(|(other, _)| other == name)
        };
        (!fields.iter().enumerate().any(is_repeated)).then_some(Self(fields))
    }

    fn take(&mut self, name: &str) -> Option<String> {
        let at = self.0.iter().position(|(known, value)| known == name && !value.is_empty())?;
        Some(self.0.swap_remove(at).1)
    }
}

fn grant(mut fields: Fields) -> Result<Grant, (&'static str, &'static str)> {
    let missing =
        ("invalid_request", "`client_id`, and `code` with `code_verifier` or `refresh_token`, are required");
    let kind = fields.take("grant_type").ok_or(missing)?;
    let client = fields.take("client_id").ok_or(missing)?;
    match kind.as_str() {
        "authorization_code" => Ok(Grant::Code {
            code: fields.take("code").ok_or(missing)?,
            client,
            redirect: fields.take("redirect_uri"),
            verifier: fields.take("code_verifier").ok_or(missing)?,
        }),
        "refresh_token" => Ok(Grant::Refresh { token: fields.take("refresh_token").ok_or(missing)?, client }),
        _ => Err(("unsupported_grant_type", "use `authorization_code` or `refresh_token`")),
    }
}

/// Returns an error in the form of RFC 6749.
fn refused(error: &str, description: &str) -> HttpResponse {
    let mut response = HttpResponse::BadRequest()
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .json(json!({"error": error, "error_description": description}));
    response.extensions_mut().insert(OtherForm);
    response
}
