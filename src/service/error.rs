//! Why a request is not carried out. No status codes here: these are the words of the use cases.

use crate::{
    engine::{Malformed, Refusal},
    ledger::replay::Fault,
    store::StoreError,
    words::Status,
};

#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    #[error("{0}")]
    Malformed(#[from] Malformed),
    #[error("A token is needed for this: send `Authorization: Bearer <token>`.")]
    NoToken,
    #[error("The token is not valid, or no longer.")]
    BadToken,
    #[error("There is no game here that you may see.")]
    NoGame,
    #[error("There is nothing here.")]
    NotFound,
    #[error("There is no such entry yet: the newest is {newest}.")]
    NoEntry { newest: u64 },
    #[error("You do not sit at this game.")]
    NotSeated,
    #[error("Only the creator of a game may call it off.")]
    NotCreator,
    #[error("You sit at this game already.")]
    AlreadySeated,
    #[error("The game is {}, not open.", .0.word())]
    NotOpen(Status),
    #[error("The game is {}, not running.", .0.word())]
    NotRunning(Status),
    #[error("The game is {}; bytes are revealed while it is sealed.", .0.word())]
    NotSealed(Status),
    #[error("The invite is not the one of this game.")]
    WrongInvite,
    #[error("Your seat has promised no bytes, or has revealed them already.")]
    NothingPromised,
    #[error("These bytes are not the ones that your seat promised.")]
    WrongEntropy,
    #[error("These bytes were promised at this table before: promise others.")]
    PromiseCopied,
    #[error("You play your seat yourself: there is nothing to take back.")]
    NotAutopilots,
    #[error("Your seat has resigned: the autopilot plays it to the end.")]
    Resigned,
    #[error("The game is at seq {seq}; look at it again before you decide.")]
    StaleSeq { seq: u64 },
    #[error("{}", .0.text.en)]
    Illegal(Refusal),
    #[error("The replay opens when the game has ended.")]
    ReplaySealed,
    #[error("You sit at {0} games that are not over, which is as many as this server allows.")]
    TooManyGames(u32),
    #[error("You have created {0} games within a day, which is as many as this server allows.")]
    TooManyBegun(u32),
    #[error("Too many have joined and left this table; create another one.")]
    TooManyChanges,
    #[error("This idempotency key came with another request before.")]
    KeyReused,
    #[error("The server has more to write than it can; try again in a moment.")]
    Busy,
    /// It would take longer to pay for than anybody is kept waiting.
    #[error("This would take more work than you may ask for at present; try again in {seconds} seconds.")]
    TooMuchWork { seconds: u64 },
    #[error("The server cannot store anything at present; nothing was changed.")]
    StorageUnavailable,
    #[error(
        "The disk of this server is nearly full: no game is begun, so that those that run can be played on."
    )]
    DiskNearlyFull,
    /// Somebody else was faster; the act is tried again.
    #[error("The game went on while this was under way; try again.")]
    Overtaken,
    /// Told to the log, never to the client.
    #[error("internal: {0}")]
    Internal(String),
}

impl From<StoreError> for ServiceError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Busy => Self::Busy,
            // The game in memory was old, and has been dropped; or a first try under the same key was being written.
            StoreError::Conflict { .. } | StoreError::ClaimStands => Self::Overtaken,
            StoreError::Full
            | StoreError::Locked
            | StoreError::ReadOnly
            | StoreError::TwoWriters
            | StoreError::Stopped => Self::StorageUnavailable,
            other => Self::Internal(other.to_string()),
        }
    }
}

impl From<Fault> for ServiceError {
    fn from(fault: Fault) -> Self {
        Self::Internal(format!("a log cannot be played: {fault}"))
    }
}

impl From<getrandom::Error> for ServiceError {
    fn from(error: getrandom::Error) -> Self {
        Self::Internal(format!("no randomness: {error}"))
    }
}
