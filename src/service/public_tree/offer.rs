//! Witnesses: each checkpoint is offered to them before it is published.

use std::{sync::atomic::Ordering, time::Duration};

use futures_util::future::join_all;
use tokio::time::timeout;

use super::{Asker, PublicTree, tile_cache::with_tiles};
use crate::{
    service::ServiceError,
    store::Store,
    tree::{
        checkpoint::Checkpoint,
        merkle::{Shape, Tree},
        note::read_number,
        witness::{WitnessRequest, line_of},
    },
};

/// Time limit for a witness. A late witness is asked again at the next checkpoint.
const PATIENCE: Duration = Duration::from_secs(3);

/// Result of an offer.
pub struct Offered {
    /// The checkpoint with the signatures of the witnesses that answered.
    pub note: String,
    /// A warning for the operator.
    pub warning: Option<String>,
}

enum WitnessAnswer {
    Signed(String),
    /// The witness has signed a larger tree of this log.
    Ahead {
        size: u64,
    },
    /// The witness has signed a tree of this log with which this one does not begin.
    Contradicts,
    Silent,
}

impl PublicTree {
    /// Offers a checkpoint at once to all witnesses that have not signed it.
    pub(super) async fn offer(
        &self,
        store: &Store,
        note: &str,
        shape: Shape,
    ) -> Result<Offered, ServiceError> {
        let text = Checkpoint::read(note).map_err(|why| ServiceError::Internal(why.into()))?.text;
        let missing: Vec<&Asker> = self.unsigned(text, note).collect();
        let answers = join_all(missing.iter().map(|asker| async {
            timeout(PATIENCE, asker.ask(store, note, text, shape)).await.unwrap_or(Ok(WitnessAnswer::Silent))
        }));
        let mut offered = Offered { note: note.to_owned(), warning: None };
        for (asker, answer) in missing.iter().zip(answers.await) {
            let seen = match answer? {
                WitnessAnswer::Signed(line) => {
                    offered.note.push_str(&line);
                    continue;
                }
                WitnessAnswer::Silent => continue,
                WitnessAnswer::Ahead { size } => format!("with {size} leaves, and it has {}", shape.size),
                WitnessAnswer::Contradicts => "otherwise than it is".to_owned(),
            };
            offered.warning = Some(format!(
                "the witness {} has seen this server's public tree {seen}: this database is not the one that it was published from; \
                 for a backup use `playledger restore`",
                asker.witness.key().name(),
            ));
        }
        Ok(offered)
    }

    /// Returns the number of witnesses that have not signed this checkpoint.
    pub(super) fn missing(&self, note: &str) -> usize {
        let text = note.split_once("\n\n").map_or("", |(text, _)| &note[..=text.len()]);
        self.unsigned(text, note).count()
    }

    fn unsigned(&self, text: &str, note: &str) -> impl Iterator<Item = &Asker> {
        self.witnesses.iter().filter(move |asker| line_of(asker.witness.key(), text, note).is_none())
    }

    /// Returns a checkpoint with the signatures of this log and its present witnesses, without those of
    /// earlier ones.
    pub(super) fn own_lines(&self, note: &str) -> Result<String, ServiceError> {
        let read = Checkpoint::read(note).map_err(|why| ServiceError::Internal(why.into()))?;
        let mut own = read.signed_by(&self.log.verifier_key());
        for asker in &self.witnesses {
            own.push_str(line_of(asker.witness.key(), read.text, note).unwrap_or_default());
        }
        Ok(own)
    }
}

impl Asker {
    /// Asks a witness, and once more if it has signed another size than expected.
    async fn ask(
        &self,
        store: &Store,
        note: &str,
        text: &str,
        shape: Shape,
    ) -> Result<WitnessAnswer, ServiceError> {
        for _ in 0..2 {
            let old = self.knows.load(Ordering::Relaxed).min(shape.size);
            let proof = with_tiles(store, |tiles| Tree::new(tiles, shape.size).continuation(old)).await?;
            let Ok(answer) = self.witness.ask(WitnessRequest::write(old, &proof, note)).await else {
                return Ok(WitnessAnswer::Silent);
            };
            let said = String::from_utf8(answer.begins).unwrap_or_default();
            match answer.status {
                200 => {
                    self.knows.store(shape.size, Ordering::Relaxed);
                    let line = line_of(self.witness.key(), text, &said);
                    return Ok(
                        line.map_or(WitnessAnswer::Silent, |line| WitnessAnswer::Signed(line.to_owned()))
                    );
                }
                409 => match read_number(said.trim_end()) {
                    Some(size) if size > shape.size => return Ok(WitnessAnswer::Ahead { size }),
                    Some(size) => self.knows.store(size, Ordering::Relaxed),
                    None => return Ok(WitnessAnswer::Silent),
                },
                422 => return Ok(WitnessAnswer::Contradicts),
                _ => return Ok(WitnessAnswer::Silent),
            }
        }
        Ok(WitnessAnswer::Silent)
    }
}
