//! The budget of a request: that of its client, and of its player.

use std::{
    cell::Cell,
    fmt::Write as _,
    net::{IpAddr, Ipv4Addr},
    rc::Rc,
    sync::Arc,
    time::Duration,
};

use actix_web::{
    HttpMessage as _, HttpRequest,
    dev::ServiceRequest,
    http::header::{HeaderMap, HeaderName, HeaderValue},
    web,
};
use uuid::Uuid;

use super::{
    client::{Client, is_forwarded},
    problem::{BUSY, INTERNAL, Problem, RATE_LIMITED},
    quota::QuotaGuard,
    rate_limit::{ClientBalance, Exceeded},
    state::{Shared, State},
};
use crate::{
    engine::Text,
    network::Network,
    service::{
        Player, PlayerKey,
        cost::{Budget, ChargeTime, Work},
    },
};

pub struct RequestBudget {
    state: web::Data<State>,
    pub client: Client,
    player: Cell<Option<PlayerKey>>,
}

/// Returns the price of work in thousandths of a plain request, about its processor time.
fn price(work: Work) -> u64 {
    match work {
        Work::Replay { entries } => entries.saturating_mul(400),
        Work::Read { entries } => entries.saturating_mul(100),
        Work::List { games } => games.saturating_mul(1_000),
        Work::Sift { games } => games.saturating_mul(50),
        Work::Commit { entries } => entries.saturating_mul(500).saturating_add(500),
        Work::Transfer { bytes } => bytes >> 6,
        Work::Frame { bytes } => (bytes >> 6).saturating_add(1_000),
        Work::Picture { is_png: true } => 40_000,
        Work::Picture { is_png: false } => 500,
        Work::Verify { bytes } => bytes.saturating_mul(4),
    }
}

impl RequestBudget {
    /// Opens the budget of a request, and attaches it.
    pub fn open(request: &ServiceRequest, state: &web::Data<State>) -> Result<Rc<Self>, Problem> {
        let peer = request.peer_addr().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.ip());
        let proxies = &state.config.trusted_proxies;
        if is_forwarded(request.headers()) && !Network::any_contains(proxies, peer) && is_near(peer) {
            state.tell_of_untrusted_proxy();
        }
        let client = Client::of(peer, request.headers(), proxies).ok_or_else(|| {
            Problem::malformed(
                "the headers X-Forwarded-For and Forwarded name different clients; send neither",
                "le intestazioni X-Forwarded-For e Forwarded indicano client diversi; non inviarne nessuna",
            )
        })?;
        let payer_budget = Rc::new(Self { state: state.clone(), client, player: Cell::new(None) });
        request.extensions_mut().insert(Rc::clone(&payer_budget));
        Ok(payer_budget)
    }

    /// Returns the budget of a request.
    pub fn of(request: &HttpRequest) -> Result<Rc<Self>, Problem> {
        let payer_budget = request.extensions().get::<Rc<Self>>().cloned();
        payer_budget.ok_or_else(|| Problem::new(&INTERNAL).because("a request has no budget"))
    }

    /// Adds the limits of client and player as headers (draft-ietf-httpapi-ratelimit-headers).
    pub fn tell(&self, headers: &mut HeaderMap) {
        let limits = &self.state.limits;
        let of_player = self.player.get().and_then(|player| limits.players.standing(&player));
        let both = [("address", limits.clients.standing(&self.client)), ("token", of_player)];
        let (mut policy, mut standing) = (String::new(), String::new());
        for (name, ClientBalance { quota, window, left, reset }) in
            both.into_iter().filter_map(|(name, standing)| Some((name, standing?)))
        {
            let comma = if policy.is_empty() { "" } else { ", " };
            // Writing to a string cannot fail.
            let _ = write!(policy, "{comma}\"{name}\";q={quota};w={window}");
            let _ = write!(standing, "{comma}\"{name}\";r={left};t={reset}");
        }
        if policy.is_empty() {
            return;
        }
        for (name, value) in [("ratelimit-policy", policy), ("ratelimit", standing)] {
            if let Ok(value) = HeaderValue::from_str(&value) {
                headers.insert(HeaderName::from_static(name), value);
            }
        }
    }

    /// Admits the request, unless its client must wait.
    pub fn enter(&self) -> Result<(), Problem> {
        self.state.limits.clients.enter(self.client).map_err(too_many)
    }

    /// Lets the client try a code. A right code is free, so only a client that guesses must wait.
    pub async fn try_code<T, E: Into<Problem>>(
        &self,
        tried: impl Future<Output = Result<T, E>>,
    ) -> Result<T, Problem> {
        let codes = &self.state.limits.codes;
        codes.enter(self.client).map_err(too_many)?;
        let done = tried.await.map_err(Into::into)?;
        codes.give_back(self.client);
        Ok(done)
    }

    /// Charges the player too from now on. Fails if the player must wait.
    pub fn belongs_to(&self, player: &Player) -> Result<(), Problem> {
        match self.player.replace(Some(player.key)) {
            Some(_) => Ok(()),
            None => self.state.limits.players.enter(player.key).map_err(too_many),
        }
    }

    /// Takes the permits of a stream or long poll of the client, and of the client at this game.
    pub fn listen(&self, game: Option<Uuid>) -> Result<Listener, Problem> {
        let busy = |en, it| Problem::new(&BUSY).detail(Text::new(en, it)).retry_after(5);
        let full = || {
            busy(
                "This server has reached its maximum number of open streams.",
                "Questo server ha raggiunto il numero massimo di flussi aperti.",
            )
        };
        let too_many_streams = || {
            busy(
                "Too many open streams from your address. Close some first.",
                "Troppi flussi aperti dal tuo indirizzo. Chiudine qualcuno.",
            )
        };
        if self.state.service.load().listeners >= self.state.config.max_streams {
            return Err(full());
        }
        let client = self.state.listeners.take(Some(self.client)).ok_or_else(too_many_streams)?;
        let at_game = game.map(|game| {
            let place = self.state.listeners_at_game.take(Some((self.client, game)));
            place.ok_or_else(too_many_streams)
        });
        Ok(Listener { _client: client, _at_game: at_game.transpose()? })
    }
}

/// Returns whether an address is in a private network, where proxies are.
const fn is_near(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => address.is_loopback() || address.is_private(),
        IpAddr::V6(address) => address.is_loopback() || address.is_unique_local(),
    }
}

/// The permits of a stream or long poll, until they are dropped.
pub struct Listener {
    _client: QuotaGuard<Client>,
    _at_game: Option<QuotaGuard<(Client, Uuid)>>,
}

/// The budget of the server's own acts: the creator of the game pays.
pub struct ServerBudget(pub Arc<Shared>);

impl Budget for ServerBudget {
    fn charge(&self, _: Work) {}

    fn charge_player(&self, player: PlayerKey, work: Work) {
        self.0.limits.players.charge(player, price(work));
    }

    fn overdraft(&self) -> Duration {
        Duration::ZERO
    }
}

/// Returns the problem of an exceeded limit: its name, its size, and the seconds to wait.
pub fn too_many(exceeded: Exceeded) -> Problem {
    let Exceeded { limit, quota, window, wait } = exceeded;
    let seconds = wait.as_secs() + 1;
    let en = format!("The limit `{limit}` is {quota} in {window} seconds. Try again in {seconds} seconds.");
    let it = format!("Il limite `{limit}` è {quota} in {window} secondi. Riprova fra {seconds} secondi.");
    let problem = Problem::new(&RATE_LIMITED).detail(Text::new(en, it)).retry_after(seconds);
    problem.with("limit", limit).with("quota", quota).with("window", window).with("retry_after", seconds)
}

impl Budget for RequestBudget {
    fn charge(&self, work: Work) {
        let limits = &self.state.limits;
        let price = price(work);
        limits.clients.charge(self.client, price);
        if let Some(player) = self.player.get() {
            limits.players.charge(player, price);
        }
    }

    fn charge_player(&self, player: PlayerKey, work: Work) {
        self.state.limits.players.charge(player, price(work));
    }

    fn overdraft(&self) -> Duration {
        let limits = &self.state.limits;
        let of_player = self.player.get().map(|player| limits.players.overdraft(&player));
        limits.clients.overdraft(&self.client).max(of_player.unwrap_or_default())
    }

    fn thinking_overdraft(&self) -> Duration {
        let limits = &self.state.limits;
        let of_player = self.player.get().map(|player| limits.thinking_players.overdraft(&player));
        limits.thinking_clients.overdraft(&self.client).max(of_player.unwrap_or_default())
    }

    fn thinking(&self) -> ChargeTime {
        let (shared, client, player) = (self.state.shared(), self.client, self.player.get());
        Box::new(move |took| {
            let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
            shared.limits.thinking_clients.charge(client, micros);
            if let Some(player) = player {
                shared.limits.thinking_players.charge(player, micros);
            }
        })
    }
}
