//! The acts of an operator, and their requests.

use std::{fmt, str::FromStr};

use chrono::DateTime;
use clap::{Args, Subcommand};
use playledger::service::DAY;
use serde::Serialize;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::now;

/// Declares the id of something, with the message for a text that is none.
macro_rules! id {
    ($Name:ident, $wrong:literal) => {
        #[derive(Clone, Copy, Serialize)]
        pub struct $Name(Uuid);

        impl FromStr for $Name {
            type Err = &'static str;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map(Self).map_err(|_| $wrong)
            }
        }

        impl fmt::Display for $Name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

id!(PlayerId, "this is not the id of a player; `players NAME` shows it");
id!(GameId, "this is not the id of a game; `games` lists them");

/// Why, in public.
#[derive(Args)]
pub struct Reason {
    /// Reason, which everyone can read
    #[arg(long)]
    reason: String,
}

/// A number of days from now.
#[derive(Args)]
pub struct Days {
    /// Number of days
    #[arg(long)]
    days: Option<u32>,
}

#[derive(Subcommand)]
pub enum Act {
    /// List players
    Players {
        /// Part of a name
        name: Option<String>,
        /// Only banned players
        #[arg(long)]
        banned: bool,
    },
    /// Show a player
    Player { player: PlayerId },
    /// List games
    Games {
        /// Stage: open, sealed, running, finished or void
        #[arg(long)]
        status: Option<String>,
        /// Id of a player
        #[arg(long)]
        player: Option<PlayerId>,
    },
    /// Show a game
    Game { game: GameId },
    /// List open reports
    Reports {
        /// Closed reports instead
        #[arg(long)]
        closed: bool,
    },
    /// Close a report
    CloseReport { report: String },
    /// Suspend a player
    Ban {
        player: PlayerId,
        #[command(flatten)]
        days: Days,
        /// Also remove the player from running games
        #[arg(long)]
        leave_games: bool,
        #[command(flatten)]
        reason: Reason,
    },
    /// End the suspension of a player
    Unban {
        player: PlayerId,
        #[command(flatten)]
        reason: Reason,
    },
    /// List banned addresses
    Addresses,
    /// Ban an address or a network
    BanAddress {
        address: String,
        #[command(flatten)]
        days: Days,
        #[command(flatten)]
        reason: Reason,
    },
    /// End the ban of an address or a network
    UnbanAddress {
        address: String,
        #[command(flatten)]
        reason: Reason,
    },
    /// Rename a player
    Rename {
        player: PlayerId,
        name: String,
        #[command(flatten)]
        reason: Reason,
    },
    /// Delete an account
    DeletePlayer {
        player: PlayerId,
        #[command(flatten)]
        reason: Reason,
    },
    /// Give a player a new recovery code
    RecoveryCode {
        player: PlayerId,
        #[command(flatten)]
        reason: Reason,
    },
    /// Remove a message
    RemoveMessage {
        game: GameId,
        message: u64,
        #[command(flatten)]
        reason: Reason,
    },
    /// Remove the title of a game
    RemoveTitle {
        game: GameId,
        #[command(flatten)]
        reason: Reason,
    },
    /// End a game without a result
    EndGame {
        game: GameId,
        #[command(flatten)]
        reason: Reason,
    },
    /// Remove a player from a game
    RemovePlayer {
        game: GameId,
        seat: u64,
        #[command(flatten)]
        reason: Reason,
    },
    /// Show a notice to everyone; without a text, remove it
    Notice {
        text: Option<String>,
        #[command(flatten)]
        days: Days,
        #[command(flatten)]
        reason: Reason,
    },
    /// Set who may create an account: open, invited or closed
    Registration {
        mode: String,
        #[command(flatten)]
        reason: Reason,
    },
    /// List invitations
    Invitations,
    /// Make an invitation code for new players
    Invite {
        /// Number of accounts that it gives
        #[arg(long, default_value_t = 1)]
        uses: u32,
        #[command(flatten)]
        days: Days,
        /// Note, for your list
        #[arg(long)]
        note: Option<String>,
        #[command(flatten)]
        reason: Reason,
    },
    /// Revoke an invitation
    RevokeInvitation {
        id: String,
        #[command(flatten)]
        reason: Reason,
    },
    /// List tokens of operators
    Tokens,
    /// Make a token for another operator
    AddToken {
        name: String,
        #[command(flatten)]
        days: Days,
        #[command(flatten)]
        reason: Reason,
    },
    /// Revoke the token of an operator
    RevokeToken {
        id: String,
        #[command(flatten)]
        reason: Reason,
    },
    /// Show the operators' log
    Log {
        /// Id of a player or game
        #[arg(long)]
        about: Option<String>,
    },
}

/// A request that an act becomes.
pub enum Sent {
    /// A list, page by page.
    List(String),
    /// A list that everyone can read.
    Public(String),
    Get(String),
    Patch(String, Value),
    Act(Value),
}

/// Returns the request of an act for the operators' log.
fn logged(act: &str, reason: &Reason, more: Value) -> Sent {
    let mut body = Map::new();
    body.insert("act".into(), act.into());
    body.insert("reason".into(), reason.reason.as_str().into());
    if let Value::Object(more) = more {
        body.extend(more.into_iter().filter(|(_, value)| !value.is_null()));
    }
    Sent::Act(Value::Object(body))
}

impl Days {
    fn until(&self) -> Value {
        let end = self.days.map(|days| now().saturating_add(u64::from(days) * DAY));
        let end = end.and_then(|end| DateTime::from_timestamp_millis(end.try_into().ok()?));
        end.map_or(Value::Null, |end| end.to_rfc3339().into())
    }
}

impl Act {
    /// Returns the request of an act.
    pub fn request(&self) -> Sent {
        let query = |path: &str, pairs: &[(&str, Option<&str>)]| {
            let pairs = pairs.iter().filter_map(|(name, value)| Some((*name, (*value)?)));
            let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
            Sent::List(if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") })
        };
        match self {
            Self::Players { name, banned } => {
                let banned = banned.then_some("true");
                query("/v1/admin/players", &[("name", name.as_deref()), ("banned", banned)])
            }
            Self::Player { player } => Sent::Get(format!("/v1/admin/players/{player}")),
            Self::Games { status, player } => {
                let player = player.map(|player| player.to_string());
                query("/v1/admin/games", &[("status", status.as_deref()), ("player", player.as_deref())])
            }
            Self::Game { game } => Sent::Get(format!("/v1/admin/games/{game}")),
            Self::Reports { closed } => query("/v1/admin/reports", &[("closed", closed.then_some("true"))]),
            Self::CloseReport { report } => {
                Sent::Patch(format!("/v1/admin/reports/{report}"), json!({"closed": true}))
            }
            Self::Addresses => query("/v1/admin/addresses", &[]),
            Self::Invitations => query("/v1/admin/invitations", &[]),
            Self::Tokens => query("/v1/admin/tokens", &[]),
            Self::Log { about } => match query("/v1/operator-log", &[("about", about.as_deref())]) {
                Sent::List(path) => Sent::Public(path),
                other => other,
            },
            other => other.act(),
        }
    }

    fn act(&self) -> Sent {
        match self {
            Self::Ban { player, days, leave_games, reason } => {
                let more = json!({"player": player, "until": days.until(), "leave_games": leave_games});
                logged("ban", reason, more)
            }
            Self::Unban { player, reason } => logged("unban", reason, json!({"player": player})),
            Self::BanAddress { address, days, reason } => {
                logged("ban_address", reason, json!({"address": address, "until": days.until()}))
            }
            Self::UnbanAddress { address, reason } => {
                logged("unban_address", reason, json!({"address": address}))
            }
            Self::Rename { player, name, reason } => {
                logged("rename", reason, json!({"player": player, "name": name}))
            }
            Self::DeletePlayer { player, reason } => {
                logged("delete_player", reason, json!({"player": player}))
            }
            Self::RecoveryCode { player, reason } => {
                logged("recovery_code", reason, json!({"player": player}))
            }
            Self::RemoveMessage { game, message, reason } => {
                logged("remove_message", reason, json!({"game": game, "message": message}))
            }
            Self::RemoveTitle { game, reason } => logged("remove_title", reason, json!({"game": game})),
            Self::EndGame { game, reason } => logged("end_game", reason, json!({"game": game})),
            Self::RemovePlayer { game, seat, reason } => {
                logged("remove_player", reason, json!({"game": game, "seat": seat}))
            }
            Self::Notice { text, days, reason } => {
                logged("notice", reason, json!({"text": text, "until": days.until()}))
            }
            Self::Registration { mode, reason } => {
                logged("registration", reason, json!({"registration": mode}))
            }
            Self::Invite { uses, days, note, reason } => {
                logged("invite", reason, json!({"uses": uses, "until": days.until(), "name": note}))
            }
            Self::RevokeInvitation { id, reason } => logged("revoke_invitation", reason, json!({"id": id})),
            Self::AddToken { name, days, reason } => {
                logged("add_token", reason, json!({"name": name, "until": days.until()}))
            }
            Self::RevokeToken { id, reason } => logged("revoke_token", reason, json!({"id": id})),
            _ => Sent::List("/v1/operator-log".to_owned()),
        }
    }
}
