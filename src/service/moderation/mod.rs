//! Moderation: the acts of operators, which are public, and the reports of players.

mod act;
mod known;
mod log;
mod operator;
mod perform;
mod report;

use std::sync::Arc;

use super::{
    Base, Instance,
    accounts::Accounts,
    games::Games,
    ports::{Clock, Entropy},
    tables::Tables,
};
use crate::{store::Store, tree::signer::Signer};

pub use act::NewAct;
pub use known::{BanView, InvitationView, KnownPlayerView, OperatorTokenView};
pub use log::{ActDone, ActView};
pub use operator::{Operator, key_token};
pub use report::{NewReport, ReportChange, ReportView};

/// Acts of operators, and reports of players.
pub struct Moderation {
    store: Arc<Store>,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    signer: Arc<Signer>,
    games: Arc<Games>,
    instance: Arc<Instance>,
    accounts: Arc<Accounts>,
    tables: Arc<Tables>,
}

impl Moderation {
    pub fn new(
        base: &Base,
        games: &Arc<Games>,
        instance: &Arc<Instance>,
        accounts: &Arc<Accounts>,
        tables: &Arc<Tables>,
    ) -> Self {
        Self {
            store: Arc::clone(&base.store),
            clock: Arc::clone(&base.clock),
            entropy: Arc::clone(&base.entropy),
            signer: Arc::clone(&base.signer),
            games: Arc::clone(games),
            instance: Arc::clone(instance),
            accounts: Arc::clone(accounts),
            tables: Arc::clone(tables),
        }
    }
}
