//! Requests for acts of operators.

use uuid::Uuid;

use crate::{
    engine::{Fields, Malformed, Text},
    network::Network,
    service::{
        accounts::ClientTime,
        request::{Field, request},
        text::{Name, fit},
    },
    words::{OperatorActKind, Registration},
};

/// The longest public text, in characters. A log takes 1,000 bytes.
const LONGEST_TEXT: usize = 250;
/// Accounts that one invitation gives.
const MOST_USES: u64 = 10_000;

request! {
    #[schema(as = NewOperatorAct, example = json!({
        "act": "notice", "reason": "A new disk.", "text": "The server stops at 22:00 for ten minutes."
    }))]
    pub struct NewAct {
        /// Kind of the act.
        pub act: OperatorActKind,
        /// Why: 1 to 250 characters. Public. For `end_game` and `remove_player` also part of the game's log.
        #[schema(value_type = String, min_length = 1, max_length = 250)]
        pub reason: PublicText,
        /// The player: for `ban`, `unban`, `rename`, `delete_player` and `recovery_code`.
        #[schema(value_type = Option<Uuid>)]
        pub player: Option<Uuid>,
        /// The game: for `remove_message`, `remove_title`, `end_game` and `remove_player`.
        #[schema(value_type = Option<Uuid>)]
        pub game: Option<Uuid>,
        /// The message: for `remove_message`.
        pub message: Option<u64>,
        /// The seat: for `remove_player`.
        #[schema(maximum = 3)]
        pub seat: Option<u64>,
        /// An address or network, such as `192.0.2.0/24`: for `ban_address` and `unban_address`. Not public.
        #[schema(value_type = Option<String>)]
        pub address: Option<BannedAddress>,
        /// End of `ban`, `ban_address` and `notice`; default: none. Expiry for `invite` and `add_token`;
        /// default: after 30 days.
        #[schema(value_type = Option<String>, format = DateTime)]
        pub until: Option<ClientTime>,
        /// With `ban`: also remove the player from running games. Otherwise the clock and the autopilot play
        /// for the player.
        #[schema(required = false, default = false)]
        pub leave_games: bool,
        /// The new name for `rename`, the name of the operator for `add_token`, a note for `invite`.
        #[schema(value_type = Option<String>, min_length = 1, max_length = 40)]
        pub name: Option<Name>,
        /// The message: for `notice`. Without it, the notice is removed.
        #[schema(value_type = Option<String>, min_length = 1, max_length = 250)]
        pub text: Option<PublicText>,
        /// The mode: for `registration`.
        pub registration: Option<Registration>,
        /// Accounts that the invitation gives: for `invite`. Default: 1.
        #[schema(minimum = 1, maximum = 10_000)]
        pub uses: Option<u64>,
        /// The invitation or token: for `revoke_invitation` and `revoke_token`.
        #[schema(value_type = Option<Uuid>)]
        pub id: Option<Uuid>,
    }
}

/// A public text of one line.
pub struct PublicText(pub String);

impl Field for PublicText {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let text = fit(fields.text(name)?).map_err(|unfit| fields.wrong(name, unfit.what()))?;
        if text.is_empty() || text.chars().count() > LONGEST_TEXT {
            let (en, it) = (
                "must have 1 to 250 characters after trimming",
                "deve avere da 1 a 250 caratteri, senza contare gli spazi alle estremità",
            );
            return Err(fields.wrong(name, Text::new(en, it)));
        }
        Ok(Self(text))
    }
}

/// A network, in its usual form.
pub struct BannedAddress(pub String);

impl Field for BannedAddress {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let text = fields.text(name)?;
        let network = text.parse::<Network>().ok().filter(|_| text.len() <= 64);
        let (en, it) = (
            "must be an address or a network, such as 192.0.2.0/24",
            "dev'essere un indirizzo o una rete, come 192.0.2.0/24",
        );
        network
            .map(|network| Self(network.of_clients().to_string()))
            .ok_or_else(|| fields.wrong(name, Text::new(en, it)))
    }
}

/// An act of an operator.
pub enum Act {
    Ban { player: Uuid, until: Option<u64>, leave_games: bool },
    Unban { player: Uuid },
    BanAddress { address: String, until: Option<u64> },
    UnbanAddress { address: String },
    Rename { player: Uuid, name: String },
    DeletePlayer { player: Uuid },
    RecoveryCode { player: Uuid },
    RemoveMessage { game: Uuid, message: i64 },
    RemoveTitle { game: Uuid },
    EndGame { game: Uuid },
    RemovePlayer { game: Uuid, seat: u64 },
    Notice { text: Option<String>, until: Option<u64> },
    Registration(Registration),
    Invite { note: String, uses: u32, until: Option<u64> },
    RevokeInvitation { id: Uuid },
    AddToken { name: String, until: Option<u64> },
    RevokeToken { id: Uuid },
}

/// Returns a member that the act needs.
fn need<T>(name: &'static str, value: Option<T>) -> Result<T, Malformed> {
    let (en, it) = ("is required for this act", "è obbligatorio per questo atto");
    value.ok_or_else(|| Malformed::new(name, Text::new(en, it)))
}

fn uses(uses: Option<u64>) -> Result<u32, Malformed> {
    let number = uses.unwrap_or(1);
    let (en, it) = ("must be a number from 1 to 10,000", "dev'essere un numero da 1 a 10.000");
    let number = u32::try_from(number).ok().filter(|_| (1..=MOST_USES).contains(&number));
    number.ok_or_else(|| Malformed::new("uses", Text::new(en, it)))
}

impl NewAct {
    /// Returns the act and its reason.
    pub fn act(self, now: u64) -> Result<(Act, String), Malformed> {
        use OperatorActKind as Kind;
        let until = self.until.map(|until| until.0);
        if until.is_some_and(|until| until <= now) {
            let problem = Text::new("must be in the future", "dev'essere nel futuro");
            return Err(Malformed::new("until", problem));
        }
        let name = self.name.map(|name| name.0);
        let player = need("player", self.player);
        let game = need("game", self.game);
        let address = need("address", self.address).map(|address| address.0);
        let id = need("id", self.id);
        let act = match self.act {
            Kind::Ban => Act::Ban { player: player?, until, leave_games: self.leave_games },
            Kind::Unban => Act::Unban { player: player? },
            Kind::BanAddress => Act::BanAddress { address: address?, until },
            Kind::UnbanAddress => Act::UnbanAddress { address: address? },
            Kind::Rename => Act::Rename { player: player?, name: need("name", name)? },
            Kind::DeletePlayer => Act::DeletePlayer { player: player? },
            Kind::RecoveryCode => Act::RecoveryCode { player: player? },
            Kind::RemoveMessage => {
                let message = need("message", self.message)?;
                Act::RemoveMessage { game: game?, message: i64::try_from(message).unwrap_or(i64::MAX) }
            }
            Kind::RemoveTitle => Act::RemoveTitle { game: game? },
            Kind::EndGame => Act::EndGame { game: game? },
            Kind::RemovePlayer => Act::RemovePlayer { game: game?, seat: need("seat", self.seat)? },
            Kind::Notice => Act::Notice { text: self.text.map(|text| text.0), until },
            Kind::Registration => Act::Registration(need("registration", self.registration)?),
            Kind::Invite => Act::Invite { note: name.unwrap_or_default(), uses: uses(self.uses)?, until },
            Kind::RevokeInvitation => Act::RevokeInvitation { id: id? },
            Kind::AddToken => Act::AddToken { name: need("name", name)?, until },
            Kind::RevokeToken => Act::RevokeToken { id: id? },
        };
        Ok((act, self.reason.0))
    }
}

impl Act {
    /// Returns the player that the act is about.
    pub const fn player(&self) -> Option<Uuid> {
        match self {
            Self::Ban { player, .. }
            | Self::Unban { player }
            | Self::Rename { player, .. }
            | Self::DeletePlayer { player }
            | Self::RecoveryCode { player } => Some(*player),
            _ => None,
        }
    }

    /// Returns the game that the act is about.
    pub const fn game(&self) -> Option<Uuid> {
        match self {
            Self::RemoveMessage { game, .. }
            | Self::RemoveTitle { game }
            | Self::EndGame { game }
            | Self::RemovePlayer { game, .. } => Some(*game),
            _ => None,
        }
    }
}
