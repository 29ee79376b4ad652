//! Refusals about seats.

use super::{ServiceError, Term};
use crate::{engine::Text, ledger::consent::Why};

/// Returns the text of an error about a seat.
pub const fn text(error: &ServiceError) -> Option<Text> {
    let (en, it) = match error {
        ServiceError::BadSignature(unsigned) => match unsigned.why {
            Why::Missing => (
                "Your seat has keys: sign this with one of them (`signed`).",
                "Il tuo posto ha chiavi: firma con una di esse (`signed`).",
            ),
            Why::NoKeys => (
                "Your seat has no keys, so there is nothing to revoke.",
                "Il tuo posto non ha chiavi, quindi non c'è nulla da revocare.",
            ),
            Why::Unwanted => (
                "Remove `signed`: your seat has no keys, or this request is never signed.",
                "Togli `signed`: il tuo posto non ha chiavi, o questa richiesta non si firma.",
            ),
            Why::OtherKey => (
                "This key is not in force for your seat, and no linked device connects it to one that is.",
                "Questa chiave non è in vigore per il tuo posto, e nessun dispositivo collegato la lega a una che lo è.",
            ),
            Why::Stale { .. } => (
                "The signature is out of date: `seen` must be the newest entry; for a plan, newer than the entry that ended earlier plans.",
                "La firma non è aggiornata: `seen` dev'essere l'ultima voce o, per un piano, più recente della voce che ha chiuso i piani precedenti.",
            ),
            Why::OtherMessage => (
                "The signature is wrong: `expected` is the SHA-256 of the message to sign.",
                "La firma è sbagliata: `expected` è lo SHA-256 del messaggio da firmare.",
            ),
            Why::OtherForm => (
                "Send signed commands in the form of the log, with all defaults written out, as in the list of legal commands.",
                "I comandi firmati vanno inviati nella forma del registro, con tutti i valori predefiniti, come nell'elenco delle mosse possibili.",
            ),
        },
        ServiceError::NoKeys => (
            "Your seat has no keys, so there is nothing to revoke.",
            "Il tuo posto non ha chiavi, quindi non c'è nulla da revocare.",
        ),
        ServiceError::ChangesNothing => {
            ("The keys of your seat are already like this.", "Le chiavi del tuo posto sono già così.")
        }
        ServiceError::NotAutopilots => ("You are playing your seat yourself.", "Stai già giocando tu."),
        ServiceError::NotAgreed(Term::Takebacks) => {
            ("This game was created without takebacks.", "Questa partita non permette di annullare le mosse.")
        }
        ServiceError::NotAgreed(Term::Substitutes) => {
            ("This game was created without substitutes.", "Questa partita non prevede sostituti.")
        }
        ServiceError::NotAgreed(Term::Clock) => {
            ("This game has no clock to pause.", "Questa partita non ha un orologio da fermare.")
        }
        ServiceError::NothingToTakeBack => (
            "This cannot be taken back: since then something was drawn or revealed, another player decided, or time ran out.",
            "Questo non si può annullare: da allora si è pescato o rivelato qualcosa, ha deciso un altro giocatore, o il tempo è scaduto.",
        ),
        ServiceError::Paused => (
            "The game is paused. Any player can end the pause.",
            "La partita è in pausa. Ogni giocatore può farla riprendere.",
        ),
        ServiceError::Autopilots => (
            "The autopilot plays for you: take your seat back first.",
            "Il pilota automatico gioca per te: prima riprendi il posto.",
        ),
        ServiceError::NobodyAsked => (
            "This player has not asked for your seat. Give the code to the new player.",
            "Questo giocatore non ha chiesto il tuo posto. Dai il codice al nuovo giocatore.",
        ),
        ServiceError::AskedForAlready => (
            "Another player has already asked for this seat. Its player can create a new offer.",
            "Un altro giocatore ha già chiesto questo posto. Chi lo occupa può fare una nuova offerta.",
        ),
        ServiceError::AskerHasNoRoom => (
            "The new player has the maximum number of games on this server.",
            "Il nuovo giocatore ha già il numero massimo di partite di questo server.",
        ),
        ServiceError::AsksAlready => ("You have already asked for a pause.", "Hai già chiesto una pausa."),
        ServiceError::AsksNot => ("You have not asked for a pause.", "Non hai chiesto una pausa."),
        ServiceError::TooManyEntries => (
            "Too many actions since the last move. Try again after the next move.",
            "Troppe azioni dall'ultima mossa. Riprova dopo la prossima mossa.",
        ),
        ServiceError::Explored => (
            "This exploration has reached its maximum length. Start a new one.",
            "Questa prova ha raggiunto la lunghezza massima. Iniziane un'altra.",
        ),
        ServiceError::MachinesSeat => {
            ("A bot plays that seat in this exploration.", "In questa prova quel posto è di un bot.")
        }
        _ => return None,
    };
    Some(Text { en, it })
}
