//! Refusals about tables that have not started.

use super::ServiceError;
use crate::engine::Text;

/// Returns the text of an error about a table that has not started.
pub const fn text(error: &ServiceError) -> Option<Text> {
    let (en, it) = match error {
        ServiceError::SeatsKept => (
            "This is a rematch: its seats are reserved for the players of the previous game.",
            "Questa è una rivincita: i posti sono riservati a chi ha giocato la partita precedente.",
        ),
        ServiceError::NothingPromised => (
            "You sent no commitment, or have already revealed your bytes.",
            "Non hai inviato un impegno, o hai già rivelato i tuoi byte.",
        ),
        ServiceError::WrongEntropy => {
            ("These bytes do not match your commitment.", "Questi byte non corrispondono al tuo impegno.")
        }
        ServiceError::PromiseCopied => (
            "Another seat sent the same commitment: draw new bytes.",
            "Un altro giocatore ha inviato lo stesso impegno: genera nuovi byte.",
        ),
        _ => return None,
    };
    Some(Text { en, it })
}
