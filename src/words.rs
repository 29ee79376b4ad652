//! Enums of words in rows and answers.

use playledger_core::words;
pub use playledger_core::words::{Ending, Level, PlayedBy, Share, Status};

words! {
    /// Audience of a game: everyone, everyone with the link, or its players.
    Visibility { Public = "public", Unlisted = "unlisted", Private = "private" }
}

words! {
    /// Registration of players: for everyone, with an invitation only, or closed.
    Registration { Open = "open", Invited = "invited", Closed = "closed" }
}

words! {
    /// Why a player reports something.
    ReportReason { Abuse = "abuse", Cheating = "cheating", Name = "name", Other = "other" }
}

words! {
    /// An act of an operator.
    OperatorActKind {
        Ban = "ban",
        Unban = "unban",
        BanAddress = "ban_address",
        UnbanAddress = "unban_address",
        Rename = "rename",
        DeletePlayer = "delete_player",
        RecoveryCode = "recovery_code",
        RemoveMessage = "remove_message",
        RemoveTitle = "remove_title",
        EndGame = "end_game",
        RemovePlayer = "remove_player",
        Notice = "notice",
        Registration = "registration",
        Invite = "invite",
        RevokeInvitation = "revoke_invitation",
        AddToken = "add_token",
        RevokeToken = "revoke_token",
    }
}

words! {
    /// Which clocks an external bot accepts.
    #[schema(as = BotClocks)]
    #[derive(serde::Deserialize)]
    Clocks { Any = "any", With = "with", Without = "without" }
}

/// The nature of an account's player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Nature {
    #[default]
    Person,
    /// A program of somebody's.
    Program,
    /// The server itself.
    Machine(Level),
}

impl Nature {
    pub const fn is_bot(self) -> bool {
        !matches!(self, Self::Person)
    }

    pub const fn level(self) -> Option<Level> {
        match self {
            Self::Machine(level) => Some(level),
            Self::Person | Self::Program => None,
        }
    }
}

words! {
    /// Permission of a token: watch (`read`), play (`play`) or manage the account (`account`).
    Scope { Read = "read", Play = "play", Account = "account" }
}

/// A set of scopes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scopes(u8);

impl Scopes {
    pub const NONE: Self = Self(0);
    pub const ALL: Self = Self(0b111);

    #[must_use]
    pub const fn and(self, scope: Scope) -> Self {
        Self(self.0 | Self::bit(scope))
    }

    const fn bit(scope: Scope) -> u8 {
        1 << scope as u8
    }

    pub const fn has(self, scope: Scope) -> bool {
        self.0 & Self::bit(scope) != 0
    }

    /// Returns whether the scopes allow `needed`. `Play` includes `Read`.
    pub const fn allow(self, needed: Scope) -> bool {
        self.has(needed) || (matches!(needed, Scope::Read) && self.has(Scope::Play))
    }

    pub fn list(self) -> Vec<Scope> {
        Scope::ALL.iter().copied().filter(|scope| self.has(*scope)).collect()
    }

    /// Returns the bits of a column.
    pub const fn bits(self) -> u8 {
        self.0
    }

    pub const fn from_bits(bits: u8) -> Self {
        Self(bits & Self::ALL.0)
    }
}

words! {
    /// Format and channel of a webhook's messages.
    #[derive(PartialOrd, Ord, Hash)]
    Way { Standard = "standard", Discord = "discord", Slack = "slack", Ntfy = "ntfy", Mail = "mail", Push = "push" }
}

words! {
    /// State of a webhook: not confirmed yet (`unproved`), `on`, or `off` (by its owner, or after days
    /// without a delivery).
    #[schema(as = WebhookState)]
    HookState { Unproved = "unproved", On = "on", Off = "off" }
}

words! {
    /// Outcome of a delivery. A message is dropped when it is out of date.
    #[schema(as = DeliveryOutcome)]
    Outcome { Delivered = "delivered", Failed = "failed", Dropped = "dropped" }
}

words! {
    /// Type of a notification.
    News {
        Turn = "turn",
        Deadline = "deadline",
        Started = "started",
        Finished = "finished",
        Void = "void",
        Sealed = "sealed",
        Seat = "seat",
        Autopilot = "autopilot",
        Message = "message",
        Rematch = "rematch",
        Substitution = "substitution",
        Invitation = "invitation",
        Webhook = "webhook",
        Account = "account",
    }
}

/// Several of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NewsSet(u16);

impl NewsSet {
    pub const NONE: Self = Self(0);
    /// The default notifications: turns, and the course of tables.
    pub const USUAL: Self = Self::NONE
        .and(News::Turn)
        .and(News::Deadline)
        .and(News::Started)
        .and(News::Finished)
        .and(News::Void)
        .and(News::Autopilot)
        .and(News::Rematch)
        .and(News::Substitution)
        .and(News::Invitation)
        .and(News::Webhook)
        .and(News::Account);

    #[must_use]
    pub const fn and(self, news: News) -> Self {
        Self(self.0 | 1 << news as u16)
    }

    pub const fn has(self, news: News) -> bool {
        self.0 & 1 << news as u16 != 0
    }

    pub fn list(self) -> Vec<News> {
        News::ALL.iter().copied().filter(|news| self.has(*news)).collect()
    }
}

words! {
    /// Reason of a failed delivery: address not allowed (`unwanted`), unknown host (`no_address`), no
    /// connection, untrusted certificate, no answer, timeout, refused by the receiver, or not confirmed
    /// (`no_echo`).
    #[schema(as = DeliveryFailure)]
    Failure {
        Unwanted = "unwanted",
        NoAddress = "no_address",
        NoConnection = "no_connection",
        Untrusted = "untrusted",
        NoAnswer = "no_answer",
        Timeout = "timeout",
        Refused = "refused",
        NoEcho = "no_echo",
    }
}

words! {
    /// Filter for games by turn.
    Turns { Mine = "mine" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_the_same_in_rows_and_in_answers() {
        for status in Status::ALL {
            assert_eq!(serde_json::to_value(status).unwrap(), status.word());
            assert_eq!(Status::from_word(status.word()), Some(*status));
        }
        assert_eq!(serde_json::to_value(Share::Promised).unwrap(), Share::Promised.word());
    }
}
