//! Verification: the public chain, the replay document of a finished game, and the verifier.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Value, value::RawValue};
use uuid::Uuid;

use super::{page::Page, proof::raw};
use crate::{
    engine::{Fields, Malformed, Text, hash::Bytes32, json},
    ledger::{
        device::Device,
        document,
        encoding::{LedgerFields as _, hex},
        evidence::{Evidence, KeptProof, KeptReceipt},
        pieces::has_field,
        report::Report,
        restore::Restore,
        seat_key::SeatKey,
        verify::verify_while,
    },
    service::{
        Reading, ServiceError, aside,
        cost::{self, Work},
        games::{Player, access::may_see, server_seed},
        request::{DeviceStatement, Field, Request as _, request},
    },
    store::{Entry, SigningKey},
    tree::note::{VerifierKey, WitnessKey},
    words::Status,
};

/// An entry of the public chain. The secret behind `x` is published when the game has ended.
#[derive(Serialize)]
#[wire]
#[schema(as = LogItem)]
pub struct LogItem {
    /// Body of the entry, exactly as it was hashed.
    #[schema(value_type = Object)]
    pub body: Box<RawValue>,
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub x: String,
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub head: String,
}

request! {
    pub struct AuditRequest {
        /// The replay document. Exact text.
        pub replay: String,
        /// Receipts that a player kept: notes, or objects of a note and a proof of its head.
        #[schema(value_type = Option<Vec<AuditReceipt>>)]
        pub receipts: Option<Vec<KeptReceipt>>,
        /// Proofs of entries that a player kept.
        #[schema(value_type = Option<Vec<AuditProof>>)]
        pub proofs: Option<Vec<KeptProof>>,
        /// Device statements that you know.
        #[schema(value_type = Option<Vec<DeviceStatement>>)]
        pub devices: Option<Vec<DeviceStatement>>,
        /// Verifier keys to trust. Default: this server's own.
        #[schema(value_type = Option<Vec<String>>)]
        pub keys: Option<Vec<VerifierKey>>,
        /// Statements that a restore ended one of these keys.
        #[schema(value_type = Option<Vec<String>>)]
        pub restores: Option<Vec<Restore>>,
        /// Public keys of players that you know.
        #[schema(value_type = Option<Vec<String>>)]
        pub players: Option<Vec<SeatKey>>,
        /// Keys of the public trees to trust. Default: this server's own, unless `keys` is given.
        #[schema(value_type = Option<Vec<String>>)]
        pub log_keys: Option<Vec<VerifierKey>>,
        /// Keys of witnesses of these trees.
        #[schema(value_type = Option<Vec<String>>)]
        pub witnesses: Option<Vec<WitnessKey>>,
        /// How many of `witnesses` must have signed the tree. Default: 0.
        #[schema(value_type = Option<u8>, maximum = 50)]
        pub quorum: Option<u64>,
        /// The replay document of the previous game, if this game is a rematch. Exact text.
        pub previous: Option<String>,
    }
}

/// A receipt that a player kept.
#[cfg(test)]
#[derive(Serialize, utoipa::ToSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "describes a field")]
enum AuditReceipt {
    Note(String),
    WithProof { receipt: String, proof: String },
}

/// A proof that an entry of the game is in the public tree.
#[cfg(test)]
#[derive(utoipa::ToSchema)]
#[allow(dead_code, reason = "describes a field")]
struct AuditProof {
    seq: u64,
    proof: String,
}

impl Field for Vec<KeptReceipt> {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let at = fields.place(name);
        let read = |(no, item): (usize, &Value)| {
            if let Value::String(receipt) = item {
                return Ok(KeptReceipt::from(receipt.clone()));
            }
            let mut fields = Fields::of(item, format!("{at}[{no}]"))?;
            let receipt = fields.note(|fields| fields.text("receipt").map(str::to_owned));
            let proof = fields.note(|fields| fields.text("proof").map(str::to_owned));
            fields.end()?;
            Ok(KeptReceipt { receipt: receipt?, proof: Some(proof?) })
        };
        Malformed::every(fields.array(name)?.iter().enumerate().map(read))
    }
}

impl Field for Vec<KeptProof> {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let at = fields.place(name);
        let read = |(no, item): (usize, &Value)| {
            let mut fields = Fields::of(item, format!("{at}[{no}]"))?;
            let seq = fields.note(|fields| fields.whole("seq"));
            let proof = fields.note(|fields| fields.text("proof").map(str::to_owned));
            fields.end()?;
            Ok(KeptProof { seq: seq?, proof: proof? })
        };
        Malformed::every(fields.array(name)?.iter().enumerate().map(read))
    }
}

/// Bounds of a request: more receipts than a long game gives a seat, and more keys than a server has.
const MOST_RECEIPTS: usize = 2_000;
const MOST_KEYS: usize = 50;
/// Values in the JSON of a request.
const MOST_VALUES: usize = 2 * (MOST_RECEIPTS + MOST_KEYS);

fn at_most<T>(items: Vec<T>, name: &str, most: usize) -> Result<Vec<T>, Malformed> {
    if items.len() <= most {
        return Ok(items);
    }
    Err(Malformed::new(
        name,
        Text::new(
            format!("has more than {most}: send several requests"),
            format!("ne contiene più di {most}: invia più richieste"),
        ),
    ))
}

/// A replay document, and the evidence to verify it with.
pub struct Audit {
    document: Vec<u8>,
    receipts: Vec<KeptReceipt>,
    trust: Arc<Trust>,
    known: FurtherEvidence,
}

/// Evidence besides receipts and their keys.
#[derive(Default)]
struct FurtherEvidence {
    players: Vec<SeatKey>,
    devices: Vec<Device>,
    proofs: Vec<KeptProof>,
    logs: Vec<VerifierKey>,
    witnesses: Vec<WitnessKey>,
    quorum: usize,
    previous: Option<Vec<u8>>,
}

/// Keys that a verification trusts.
#[derive(Default)]
pub struct Trust {
    keys: Vec<VerifierKey>,
    restores: Vec<Restore>,
    logs: Vec<VerifierKey>,
}

impl Trust {
    /// Trusts the keys of a server, with its statements of restores.
    pub fn of(signed: &[SigningKey], logs: Vec<VerifierKey>) -> Self {
        let keys = signed.iter().filter_map(|signed| signed.key.parse().ok());
        let statements = signed.iter().filter_map(|signed| signed.statement.as_deref());
        Self {
            keys: keys.collect(),
            restores: statements.filter_map(|text| Restore::read(text).ok()).collect(),
            logs,
        }
    }
}

impl Audit {
    /// Reads a request: a downloaded replay document, or an object that holds its text.
    pub fn read(body: Vec<u8>, own: Arc<Trust>) -> Result<Self, Malformed> {
        // The verifier judges a document that is not strict JSON. A body without any JSON is a mistake.
        if !has_field(&body, "replay")? {
            return Ok(Self {
                document: body,
                receipts: vec![],
                trust: own,
                known: FurtherEvidence::default(),
            });
        }
        if holds_document(&body) {
            let problem = Text::new(
                "must be a string: the exact text of the document",
                "dev'essere una stringa: il testo esatto del documento",
            );
            return Err(Malformed::new("replay", problem));
        }
        let request = AuditRequest::read(&json::parse_within(&body, MOST_VALUES)?)?;
        let AuditRequest { replay, receipts, keys, restores, players, log_keys, witnesses, .. } = request;
        let known = FurtherEvidence {
            players: at_most(players.unwrap_or_default(), "players", MOST_KEYS)?,
            devices: at_most(request.devices.unwrap_or_default(), "devices", MOST_KEYS)?
                .into_iter()
                .map(DeviceStatement::into_device)
                .collect(),
            proofs: at_most(request.proofs.unwrap_or_default(), "proofs", MOST_KEYS)?,
            logs: at_most(log_keys.unwrap_or_default(), "log_keys", MOST_KEYS)?,
            witnesses: at_most(witnesses.unwrap_or_default(), "witnesses", MOST_KEYS)?,
            quorum: request.quorum.and_then(|count| usize::try_from(count).ok()).unwrap_or_default(),
            previous: request.previous.map(String::into_bytes),
        };
        let receipts = at_most(receipts.unwrap_or_default(), "receipts", MOST_RECEIPTS)?;
        let keys = at_most(keys.unwrap_or_default(), "keys", MOST_KEYS)?;
        let restores = at_most(restores.unwrap_or_default(), "restores", MOST_KEYS)?;
        let trust = if keys.is_empty() { own } else { Arc::new(Trust { keys, restores, logs: Vec::new() }) };
        Ok(Self { document: replay.into_bytes(), receipts, trust, known })
    }

    /// Runs the checks until the caller gives up. A usual game takes a few milliseconds.
    pub fn run(&self, is_wanted: &dyn Fn() -> bool) -> Option<Report> {
        let Self { document, receipts, trust, known } = self;
        let FurtherEvidence { players, devices, proofs, logs, witnesses, quorum, previous } = known;
        let Trust { keys, restores, logs: own_logs } = &**trust;
        let logs = if logs.is_empty() { own_logs } else { logs };
        let evidence = Evidence {
            document,
            keys,
            receipts,
            restores,
            proofs,
            players,
            devices,
            logs,
            witnesses,
            quorum: *quorum,
            previous: previous.as_deref(),
        };
        verify_while(&evidence, is_wanted)
    }
}

/// A game from its first to its last entry.
pub struct ReplayDocument {
    pub text: Vec<u8>,
    /// Whether everyone may see the game.
    pub is_for_all: bool,
    /// Head of the last entry, if no later document can have more proofs.
    pub whole: Option<Bytes32>,
}

impl Reading {
    /// Returns the keys of this server, with its statements of restores.
    pub fn trust(&self) -> Arc<Trust> {
        Arc::clone(&self.trust)
    }

    /// Returns the public chain after an entry.
    pub async fn log(
        &self,
        uuid: Uuid,
        caller: Option<&Player>,
        after: Option<u64>,
        limit: u32,
    ) -> Result<Page<LogItem>, ServiceError> {
        let locked = self.games.visible(uuid, caller).await?;
        let key = locked.game()?.facts.key;
        drop(locked);
        let first = after.map_or(0, |after| after.saturating_add(1));
        let mut entries = self.store.entries(key, first, u64::from(limit) + 1).await?;
        cost::charge(Work::Read { entries: entries.len() as u64 });
        let has_more = entries.len() > limit as usize;
        entries.truncate(limit as usize);
        let next_cursor =
            has_more.then(|| first.saturating_add(u64::from(limit)).saturating_sub(1).to_string());
        Ok(Page { items: entries.into_iter().map(log_item).collect::<Result<_, _>>()?, next_cursor })
    }

    /// Returns the replay document of a finished game.
    pub async fn replay(&self, uuid: Uuid, caller: Option<&Player>) -> Result<ReplayDocument, ServiceError> {
        let locked = self.games.visible(uuid, caller).await?;
        let live = locked.game()?;
        if !matches!(live.game.status(), Status::Finished | Status::Void) {
            return Err(ServiceError::ReplaySealed);
        }
        let (key, is_for_all) = (live.facts.key, may_see(live, None));
        let (newest, seed) = (live.newest(), server_seed(&live.facts));
        let receipt = self.signer.sign(&live.receipt(live.newest_placed()));
        drop(locked);
        let room = cost::admitted(&self.past.room).await?;
        cost::charge(Work::Read { entries: newest.seq + 1 });
        // A fault of the tree must not hide the game.
        let pinned = self.tree.proof_of(key).await.unwrap_or_default();
        let pinned = pinned.filter(|(pinned, _)| pinned.seq == newest.seq);
        let is_whole = pinned.as_ref().is_some_and(|(_, proof)| self.tree.is_witnessed(proof));
        let whole = is_whole.then_some(newest.head);
        let proofs: Vec<String> = pinned.into_iter().map(|(_, proof)| proof).collect();
        let entries = self.store.entries(key, 0, u64::MAX).await?;
        let write = move || {
            let _room = room;
            let entries = entries.iter().map(|entry| (&*entry.body, entry.secret.as_deref()));
            let text = document::write(entries, &seed, &receipt, &proofs);
            Ok(ReplayDocument { text, is_for_all, whole })
        };
        aside(write).await
    }
}

/// Returns whether a request holds a document itself instead of its text.
fn holds_document(body: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Request<'b> {
        #[serde(borrow)]
        replay: &'b RawValue,
    }
    serde_json::from_slice(body).is_ok_and(|Request { replay }| replay.get().starts_with('{'))
}

fn log_item(entry: Entry) -> Result<LogItem, ServiceError> {
    Ok(LogItem { body: raw(entry.body)?, x: hex(&entry.x), head: hex(&entry.head) })
}
