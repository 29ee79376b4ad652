//! Every change of a game: acts of players, and acts of the server when a time has run out.

mod again;
mod answer_seal;
mod bot_queue;
mod bot_seats;
mod deadline;
mod game_change;
mod idempotency;
mod in_flight;
mod invitations;
mod leaving;
mod lobby;
mod moderation;
pub mod new_machines;
pub mod new_table;
mod outage;
pub mod plan;
pub mod play;
mod rematch;
mod reply;
pub mod seat_control;
pub mod substitution;
mod transaction;

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use futures_util::FutureExt as _;
use tokio::sync::Semaphore;
use uuid::Uuid;

pub use bot_queue::{BotQueue, QueuedGame};
pub use idempotency::{Answer, IdempotencyKey, KeyOwner};
pub use in_flight::InFlight;
pub use reply::{CommandDone, Reply};

use super::{
    Base, Limits, ServiceError,
    accounts::{Accounts, HouseBots},
    feed::Feed,
    games::{Games, Player},
    notify::Notifier,
    ports::{Clock, Entropy},
    reading::{Reading, context::ViewOptions},
};
use crate::{
    engine::hash::Bytes32,
    store::{NewClaim, Store},
    tree::signer::Signer,
};
use new_table::{AddBot, JoinRequest, NewRematch, NewTable};
use play::Command;
use seat_control::SeatAct;
use substitution::Acceptance;

/// An act of a player.
pub enum Act {
    Create(Box<NewTable>),
    Join(Uuid, JoinRequest),
    Rematch(Uuid, NewRematch),
    Leave(Uuid),
    AddBot(Uuid, AddBot),
    RemoveBot(Uuid, u64),
    CallOff(Uuid),
    Reveal(Uuid, Bytes32),
    Seat(Uuid, SeatAct),
    /// Hands the seat to the player who asked for it.
    AcceptSubstitute(Uuid, Acceptance),
    Play(Uuid, Command, ViewOptions),
}

/// Changes with many consequences that are decided at the same time.
const LONG_CHANGES: usize = 2;

/// All changes of games: by players, by bots, and by the server when a time has run out.
pub struct Tables {
    store: Arc<Store>,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    signer: Arc<Signer>,
    limits: Arc<Limits>,
    games: Arc<Games>,
    reading: Arc<Reading>,
    feed: Arc<Feed>,
    notifier: Arc<Notifier>,
    accounts: Arc<Accounts>,
    house_bots: HouseBots,
    bot_queue: Arc<BotQueue>,
    in_flight: InFlight,
    long_changes: Arc<Semaphore>,
    /// Entries written since the start.
    entries: AtomicU64,
}

/// The components that [`Tables`] uses.
pub struct Below<'c> {
    pub games: &'c Arc<Games>,
    pub reading: &'c Arc<Reading>,
    pub feed: &'c Arc<Feed>,
    pub notifier: &'c Arc<Notifier>,
    pub accounts: &'c Arc<Accounts>,
}

impl Tables {
    /// Games in which a bot must act are added to `bot_queue`.
    pub fn new(base: &Base, below: &Below, house_bots: HouseBots, bot_queue: &Arc<BotQueue>) -> Self {
        Self {
            store: Arc::clone(&base.store),
            clock: Arc::clone(&base.clock),
            entropy: Arc::clone(&base.entropy),
            signer: Arc::clone(&base.signer),
            limits: Arc::clone(&base.limits),
            games: Arc::clone(below.games),
            reading: Arc::clone(below.reading),
            feed: Arc::clone(below.feed),
            notifier: Arc::clone(below.notifier),
            accounts: Arc::clone(below.accounts),
            house_bots,
            bot_queue: Arc::clone(bot_queue),
            in_flight: InFlight::default(),
            long_changes: Arc::new(Semaphore::new(LONG_CHANGES)),
            entries: AtomicU64::new(0),
        }
    }

    /// Returns the number of entries written since the start.
    pub fn entries(&self) -> u64 {
        self.entries.load(Ordering::Relaxed)
    }

    async fn perform(
        &self,
        player: &Player,
        act: &Act,
        claim: Option<&NewClaim>,
    ) -> Result<Reply, ServiceError> {
        // All arms but `Play` are boxed: otherwise every future has the size of the largest arm.
        let act = match act {
            Act::Play(game, command, wish) => return self.play(*game, player, command, *wish, claim).await,
            Act::Create(new) => self.create_game(player, new, claim).boxed_local(),
            Act::Join(game, join) => self.join(*game, player, join, claim).boxed_local(),
            Act::Rematch(game, sent) => self.rematch(*game, player, sent, claim).boxed_local(),
            Act::Leave(game) => self.leave(*game, player, claim).boxed_local(),
            Act::AddBot(game, sent) => self.add_bot(*game, player, sent, claim).boxed_local(),
            Act::RemoveBot(game, seat) => self.remove_bot(*game, player, *seat, claim).boxed_local(),
            Act::CallOff(game) => self.call_off(*game, player, claim).boxed_local(),
            Act::Reveal(game, entropy) => self.reveal(*game, player, *entropy, claim).boxed_local(),
            Act::Seat(game, act) => self.act_on_seat(*game, player, act, claim).boxed_local(),
            Act::AcceptSubstitute(game, sent) => {
                self.accept_substitute(*game, player, sent, claim).boxed_local()
            }
        };
        act.await
    }
}
