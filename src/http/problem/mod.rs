//! Problems (RFC 9457).

mod codes;

use actix_web::{
    HttpResponse, ResponseError,
    http::{StatusCode, header},
};
use serde_json::{Map, Value, json};

pub use codes::*;

use crate::{
    engine::{Lang, Malformed, Refusal, Text},
    ledger::consent::{Unsigned, Why},
    service::{ServiceError, reading::page::no_cursor},
};

/// Media type of a problem.
pub const MEDIA_TYPE: &str = "application/problem+json";

/// A problem with one request.
#[derive(Clone, Debug)]
pub struct Problem(Box<ProblemParts>);

#[derive(Clone, Debug)]
struct ProblemParts {
    code: &'static str,
    detail: Option<Text<String>>,
    /// All mistakes in the request.
    errors: Vec<Mistake>,
    extra: Map<String, Value>,
    lang: Lang,
    cause: Option<String>,
    retry_after: Option<u64>,
    allow: Option<String>,
    /// Whether a token was sent, for `WWW-Authenticate`.
    is_token_invalid: bool,
}

/// A mistake in one part of a request.
#[derive(Clone, Debug)]
struct Mistake {
    place: Place,
    detail: Text<String>,
    rule: Option<&'static str>,
}

/// The part of a request: a field of the body, a parameter of the query, or a header.
#[derive(Clone, Debug)]
enum Place {
    Pointer(String),
    Parameter(String),
    Header(&'static str),
}

/// A mistake in a parameter of a query.
pub struct QueryMistake {
    pub name: String,
    pub problem: Text<String>,
}

impl Mistake {
    fn body(&self, lang: Lang) -> Value {
        let mut body = match &self.place {
            Place::Pointer(pointer) => json!({"pointer": pointer}),
            Place::Parameter(name) => json!({"parameter": name}),
            Place::Header(name) => json!({"header": name}),
        };
        body["detail"] = self.detail.get(lang).as_str().into();
        if let Some(rule) = self.rule {
            body["rule"] = rule.into();
        }
        body
    }
}

impl Problem {
    pub fn new(code: &'static Code) -> Self {
        Self(Box::new(ProblemParts {
            code: code.id,
            detail: None,
            errors: Vec::new(),
            extra: Map::new(),
            lang: Lang::En,
            cause: None,
            retry_after: None,
            allow: None,
            is_token_invalid: false,
        }))
    }

    /// Makes the problem of a malformed request, in both languages.
    pub fn malformed(en: impl Into<String>, it: impl Into<String>) -> Self {
        Self::new(&MALFORMED).detail(Text::new(en, it))
    }

    /// Makes the problem of a query.
    pub fn of_query(mistakes: Vec<QueryMistake>) -> Self {
        let told = |lang: Lang| {
            let each = mistakes.iter().map(|one| format!("`{}` {}", one.name, one.problem.get(lang)));
            format!("query: {}", each.collect::<Vec<_>>().join("; "))
        };
        let mut problem = Self::malformed(told(Lang::En), told(Lang::It));
        let mistake = |QueryMistake { name, problem }| Mistake {
            place: Place::Parameter(name),
            detail: problem,
            rule: None,
        };
        problem.0.errors = mistakes.into_iter().map(mistake).collect();
        problem
    }

    /// Makes the problem of a header.
    pub fn of_header(name: &'static str, en: &str, it: &str) -> Self {
        let mut problem =
            Self::malformed(format!("the header {name} {en}"), format!("l'intestazione {name} {it}"));
        problem.0.errors =
            vec![Mistake { place: Place::Header(name), detail: Text::new(en, it), rule: None }];
        problem
    }

    #[must_use]
    pub fn detail(mut self, detail: Text<String>) -> Self {
        self.0.detail = Some(detail);
        self
    }

    #[must_use]
    fn mistakes(mut self, malformed: &Malformed) -> Self {
        self.0.errors = (malformed.mistakes().iter())
            .map(|one| Mistake {
                place: Place::Pointer(one.pointer()),
                detail: one.problem().clone(),
                rule: None,
            })
            .collect();
        self
    }

    /// Adds the rule that a command breaks, or all of them.
    #[must_use]
    fn broken(mut self, refusal: &Refusal, pointer: &str) -> Self {
        let told = |refusal: &Refusal| Mistake {
            place: Place::Pointer(pointer.to_owned()),
            detail: refusal.text.clone(),
            rule: Some(refusal.rule),
        };
        if !refusal.also.is_empty() {
            self.0.errors = std::iter::once(refusal).chain(&refusal.also).map(told).collect();
        }
        self.with("rule", refusal.rule)
    }

    #[must_use]
    pub fn with(mut self, field: &str, value: impl Into<Value>) -> Self {
        self.0.extra.insert(field.to_owned(), value.into());
        self
    }

    /// Adds the cause, for the log only.
    #[must_use]
    pub fn because(mut self, cause: impl Into<String>) -> Self {
        self.0.cause = Some(cause.into());
        self
    }

    #[must_use]
    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.0.retry_after = Some(seconds);
        self
    }

    #[must_use]
    pub fn allow(mut self, methods: String) -> Self {
        self.0.allow = Some(methods);
        self
    }

    #[must_use]
    pub fn in_lang(mut self, lang: Lang) -> Self {
        self.0.lang = lang;
        self
    }

    pub fn lang(&self) -> Lang {
        self.0.lang
    }

    pub fn cause(&self) -> Option<&str> {
        self.0.cause.as_deref()
    }

    pub fn code(&self) -> &'static Code {
        CODES.iter().find(|code| code.id == self.0.code).unwrap_or(&INTERNAL)
    }

    pub fn body(&self) -> Value {
        let (code, lang) = (self.code(), self.0.lang);
        let detail = self.0.detail.as_ref().map_or_else(|| *code.help.get(lang), |text| text.get(lang));
        let mut body = json!({
            "type": format!("/problems/{}", code.id),
            "title": code.title.get(lang),
            "status": code.status.as_u16(),
            "detail": detail,
            "code": code.id,
        });
        if let Some(fields) = body.as_object_mut() {
            fields.extend(self.0.extra.clone());
            if !self.0.errors.is_empty() {
                fields.insert(
                    "errors".into(),
                    self.0.errors.iter().map(|mistake| mistake.body(lang)).collect(),
                );
            }
        }
        body
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0.code)
    }
}

impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        self.code().status
    }

    fn error_response(&self) -> HttpResponse {
        let mut response = HttpResponse::build(self.code().status);
        response.insert_header((header::CONTENT_TYPE, MEDIA_TYPE));
        response.insert_header((header::CONTENT_LANGUAGE, self.0.lang.tag()));
        response.insert_header((header::CACHE_CONTROL, "no-store"));
        if let Some(seconds) = self.0.retry_after {
            response.insert_header((header::RETRY_AFTER, seconds));
        }
        if let Some(methods) = &self.0.allow {
            response.insert_header((header::ALLOW, methods.as_str()));
        }
        let challenge = match self.0.code {
            code if code == UNAUTHORIZED.id => {
                let error = if self.0.is_token_invalid { r#" error="invalid_token""# } else { "" };
                Some(format!("Bearer{error}"))
            }
            code if code == INSUFFICIENT_SCOPE.id => {
                let scope = self.0.extra.get("scope").and_then(Value::as_str).unwrap_or("play");
                Some(format!(r#"Bearer error="insufficient_scope", scope="{scope}""#))
            }
            _ => None,
        };
        if let Some(challenge) = challenge {
            response.insert_header((header::WWW_AUTHENTICATE, challenge));
        }
        let mut response = response.body(self.body().to_string());
        response.extensions_mut().insert(Attached(self.clone()));
        response
    }
}

/// Marks an error in the form of another standard, such as OAuth.
pub struct OtherForm;

/// The problem of a response, for the log.
pub struct Attached(pub Problem);

impl From<Malformed> for Problem {
    fn from(malformed: Malformed) -> Self {
        ServiceError::from(malformed).into()
    }
}

impl From<ServiceError> for Problem {
    fn from(error: ServiceError) -> Self {
        Self::from(&error)
    }
}

fn code_of(error: &ServiceError) -> &'static Code {
    use ServiceError as E;
    match error {
        E::Malformed(_) | E::NoSuchSeat | E::NoCursor => &MALFORMED,
        E::NoToken | E::BadToken | E::BadTicket => &UNAUTHORIZED,
        E::NoScope(_) | E::OneGameOnly | E::NotForApps | E::TokenEnds | E::NotOperator => &INSUFFICIENT_SCOPE,
        E::WrongCode => &INVALID_CODE,
        E::Suspended { .. } => &SUSPENDED,
        E::AddressBanned => &ADDRESS_BANNED,
        E::RegistrationClosed | E::InvitationRequired => &REGISTRATION_CLOSED,
        E::CannotJoin => &CANNOT_JOIN,
        E::TooManyBlocks(_) => &TOO_MANY_BLOCKS,
        E::TooManyTokens(_) => &TOO_MANY_TOKENS,
        E::TooManyWebhooks(_) => &TOO_MANY_WEBHOOKS,
        E::NotProved => &WEBHOOK_NOT_CONFIRMED,
        E::NoGame | E::NotFound | E::NoSuchBot | E::NobodyThere | E::NoEntry { .. } => &NOT_FOUND,
        E::NotSeated | E::MachinesSeat => &NOT_SEATED,
        E::NotHost => &NOT_HOST,
        E::AlreadySeated => &ALREADY_SEATED,
        E::NotOpen(_) | E::StillOwes => &GAME_NOT_OPEN,
        E::NotRunning(_) => &GAME_NOT_RUNNING,
        E::NotSealed(_) => &GAME_NOT_SEALED,
        E::WrongInvite => &INVALID_INVITE,
        E::SeatsKept => &SEATS_RESERVED,
        E::SeatTaken | E::AskedForAlready => &SEAT_TAKEN,
        E::NameTaken | E::NameReserved | E::OperatorNamed => &NAME_TAKEN,
        E::BotRefuses(_) => &BOT_REFUSES,
        E::NotFinished | E::ReplaySealed => &GAME_NOT_FINISHED,
        E::TooManyMessages(_) => &TOO_MANY_MESSAGES,
        E::NothingPromised => &NOTHING_TO_REVEAL,
        E::WrongEntropy => &ENTROPY_MISMATCH,
        E::PromiseCopied => &COMMITMENT_REUSED,
        E::NotAutopilots => &AUTOPILOT_NOT_ACTIVE,
        E::Resigned => &RESIGNED,
        E::StaleSeq { .. } => &STALE_SEQ,
        E::DeadlinePassed { .. } => &DEADLINE_PASSED,
        E::Illegal(refusal) | E::IllegalNo(_, refusal) if refusal.is_out_of_turn => &NOT_YOUR_TURN,
        E::Illegal(_) | E::IllegalNo(..) => &ILLEGAL_COMMAND,
        E::NotLast(_) => &COMMAND_NOT_LAST,
        E::BadSignature(_) => &INVALID_SIGNATURE,
        E::NoKeys | E::ChangesNothing => &NO_CHANGE,
        E::GameExists => &GAME_EXISTS,
        E::PlayerExists => &PLAYER_EXISTS,
        E::TooManyDevices => &TOO_MANY_DEVICES,
        E::NonceUsed => &NONCE_REUSED,
        E::NotAgreed(_) => &OPTION_NOT_ENABLED,
        E::NothingToTakeBack => &NOTHING_TO_TAKE_BACK,
        E::Paused => &PAUSED,
        E::Autopilots => &AUTOPILOT_ACTIVE,
        E::NobodyAsked => &NO_SUBSTITUTE,
        E::AsksAlready => &PAUSE_ALREADY_REQUESTED,
        E::AsksNot => &NO_PAUSE_REQUEST,
        E::TooManyEntries | E::Explored => &TOO_MANY_ENTRIES,

        E::NotPinned { .. } => &NOT_IN_TREE_YET,
        E::TooManyGames(_) | E::AskerHasNoRoom => &TOO_MANY_GAMES,
        E::TooManyChanges => &TOO_MANY_CHANGES,
        E::TooManyBegun(_) | E::TooMuchWork { .. } => &RATE_LIMITED,
        E::KeyReused => &IDEMPOTENCY_KEY_REUSED,
        E::Busy | E::Overtaken => &BUSY,
        E::StorageUnavailable(_) | E::DiskNearlyFull => &STORAGE_UNAVAILABLE,
        E::Internal(_) => &INTERNAL,
    }
}

impl From<&ServiceError> for Problem {
    fn from(error: &ServiceError) -> Self {
        use ServiceError as E;
        let problem = Self::new(code_of(error)).detail(error.text());
        match error {
            E::Malformed(malformed) => problem.mistakes(malformed),
            E::Illegal(refusal) => problem.broken(refusal, "/command"),
            E::IllegalNo(no, refusal) => {
                problem.broken(refusal, &format!("/commands/{no}")).with("index", *no)
            }
            E::NotLast(no) => problem.with("index", *no),
            E::BadSignature(Unsigned { why, expected }) => {
                let problem =
                    expected.iter().fold(problem, |problem, hash| problem.with("expected", hash.as_str()));
                if let Why::Stale { seq } = why { problem.with("seq", *seq) } else { problem }
            }
            E::NoScope(scope) => problem.with("scope", scope.word()),
            E::NotOperator => problem.with("scope", "admin"),
            E::StaleSeq { seq } | E::DeadlinePassed { seq } => problem.with("seq", *seq),
            E::NoCursor => Self::of_query(vec![QueryMistake { name: "cursor".into(), problem: no_cursor() }]),
            E::TooManyBegun(most) => problem
                .retry_after(3_600)
                .with("limit", "new_games_of_player_a_day")
                .with("quota", *most)
                .with("window", 24 * 3_600)
                .with("retry_after", 3_600),
            E::TooMuchWork { seconds } => {
                problem.retry_after(*seconds).with("limit", "requests").with("retry_after", *seconds)
            }
            E::BadToken => {
                let mut problem = problem;
                problem.0.is_token_invalid = true;
                problem
            }
            E::NotPinned { seconds } => problem.retry_after(*seconds),
            E::Busy | E::Overtaken => problem.retry_after(1),
            E::StorageUnavailable(cause) => problem.retry_after(30).because(cause.clone()),
            E::DiskNearlyFull => problem.retry_after(30),
            E::Internal(cause) => Self::new(&INTERNAL).because(cause.clone()),
            _ => problem,
        }
    }
}
