//! A witness for the public trees of other servers. It signs only extensions of the last signed checkpoint.

use sha2::{Digest as _, Sha256};

use super::{ServiceError, ports::Clock};
use crate::{
    store::sqlite::{SeenRow, WitnessFile},
    tree::{
        merkle::Shape,
        note::VerifierKey,
        signer::Cosigner,
        witness::{WitnessRefusal, WitnessRequest},
    },
};

/// A witness: its memory, its key, and the logs it serves.
pub struct Witnessing {
    pub file: WitnessFile,
    pub cosigner: Cosigner,
    pub logs: Vec<VerifierKey>,
    pub clock: Box<dyn Clock>,
}

impl Witnessing {
    /// Signs the checkpoint of a log, and returns the signature line. The checkpoint is durable first.
    pub fn add_checkpoint(&self, body: &str) -> Result<Result<String, WitnessRefusal>, ServiceError> {
        let (offer, log) =
            match WitnessRequest::read(body).and_then(|offer| Ok((offer.log(&self.logs)?, offer))) {
                Ok((log, offer)) => (offer, log),
                Err(refusal) => return Ok(Err(refusal)),
            };
        let line = self.cosigner.cosign(offer.checkpoint.text, self.clock.now() / 1_000);
        let Shape { size, root } = offer.checkpoint.shape;
        let written = self.file.advance(&name_of(offer.checkpoint.origin), |seen| {
            offer.judge(seen.map(|seen| Shape { size: seen.size, root: seen.root }))?;
            Ok(SeenRow { size, root, note: offer.checkpoint.signed_by(log) + &line })
        })?;
        Ok(written.map(|_| line))
    }

    /// Returns the last signed checkpoint of the log whose origin has this SHA-256.
    pub fn checkpoint(&self, log: &[u8; 32]) -> Result<Option<String>, ServiceError> {
        Ok(self.file.seen(log)?.map(|seen| seen.note))
    }
}

fn name_of(origin: &str) -> [u8; 32] {
    Sha256::digest(origin).into()
}
