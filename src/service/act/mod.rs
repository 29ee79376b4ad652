//! What can be done: each act of a player, and what the server does by itself when a time has run out.

pub mod accounts;
mod answer_seal;
mod deadline;
mod draft;
pub mod exploration;
mod idempotency;
mod lobby;
mod machine;
pub mod new_machines;
pub mod new_table;
mod outage;
pub mod plan;
pub mod play;
mod program;
mod rematch;
mod reply;
pub mod seat_control;
pub mod substitution;
pub mod talk;
mod transaction;

use futures_util::FutureExt as _;
use uuid::Uuid;

pub use accounts::Sessions;
pub use idempotency::{Answer, IdempotencyKey, InFlight, KeyOwner};
pub use machine::{Decided, Machines, Waiting};
pub use reply::{CommandDone, Reply};

use super::{Service, ServiceError, game::Player, read::sight::Wish, request::Signature};
use crate::{engine::hash::Bytes32, store::NewClaim};
use new_table::{AddBot, Join, NewRematch, NewTable};
use play::Command;
use seat_control::SeatAct;

/// Something that a player does, at a table or to it.
pub enum Act {
    Create(Box<NewTable>),
    Join(Uuid, Join),
    Rematch(Uuid, NewRematch),
    Leave(Uuid),
    AddBot(Uuid, AddBot),
    RemoveBot(Uuid, u64),
    CallOff(Uuid),
    Reveal(Uuid, Bytes32),
    Seat(Uuid, SeatAct),
    /// Hands the seat to who has asked for it in this offer.
    Agree(Uuid, Uuid, Option<Signature>),
    Play(Uuid, Command, Wish),
}

impl Service {
    async fn perform(
        &self,
        player: &Player,
        act: &Act,
        claim: Option<&NewClaim>,
    ) -> Result<Reply, ServiceError> {
        // Each but what is asked for most in a box of its own: what is on the way to it would have room for
        // the largest.
        let act = match act {
            Act::Play(game, command, wish) => return self.play(*game, player, command, *wish, claim).await,
            Act::Create(new) => self.create_game(player, new, claim).boxed_local(),
            Act::Join(game, join) => self.join(*game, player, join, claim).boxed_local(),
            Act::Rematch(game, sent) => self.rematch(*game, player, sent, claim).boxed_local(),
            Act::Leave(game) => self.leave(*game, player, claim).boxed_local(),
            Act::AddBot(game, sent) => self.add_bot(*game, player, sent, claim).boxed_local(),
            Act::RemoveBot(game, seat) => self.remove_machine(*game, player, *seat, claim).boxed_local(),
            Act::CallOff(game) => self.call_off(*game, player, claim).boxed_local(),
            Act::Reveal(game, entropy) => self.reveal(*game, player, *entropy, claim).boxed_local(),
            Act::Seat(game, act) => self.act_on_seat(*game, player, act, claim).boxed_local(),
            Act::Agree(game, offer, signed) => {
                self.agree(*game, player, *offer, signed.as_ref(), claim).boxed_local()
            }
        };
        act.await
    }
}
