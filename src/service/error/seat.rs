//! Why something is not done about a seat: in which words it is told.

use super::{ServiceError, Term};
use crate::{engine::Text, ledger::consent::Why};

/// What is told of it, if it is about a seat.
pub const fn text(error: &ServiceError) -> Option<Text> {
    let (en, it) = match error {
        ServiceError::BadSignature(unsigned) => match unsigned.why {
            Why::Missing => (
                "Your seat has keys: this must be signed by one of them (`signed`).",
                "Il tuo posto ha delle chiavi: questo va firmato con una di esse (`signed`).",
            ),
            Why::NotShown => (
                "Your seat has no keys yet: one of the new ones must sign this (`signed`), to show that they are yours.",
                "Il tuo posto non ha ancora chiavi: una di quelle nuove deve firmare questo (`signed`), per mostrare che sono tue.",
            ),
            Why::Unwanted => (
                "No signature belongs here: your seat has no keys, or this is not signed.",
                "Qui non va una firma: il tuo posto non ha chiavi, o questo non si firma.",
            ),
            Why::OtherKey => (
                "The seat does not have the key of this signature.",
                "Il posto non ha la chiave di questa firma.",
            ),
            Why::Stale { .. } => (
                "The signature is not up to date: `seen` must be the newest entry, or for a plan newer than what ended the plans before it.",
                "La firma non è aggiornata: `seen` dev'essere l'ultima voce o, per un piano, più recente di ciò che ha chiuso i piani di prima.",
            ),
            Why::OtherMessage => (
                "The signature does not fit: `expected` is the SHA-256 of the message that it must be under.",
                "La firma non corrisponde: `expected` è lo SHA-256 del messaggio da firmare.",
            ),
            Why::OtherForm => (
                "What is signed must be sent as it stands in the log: with its defaults written out, as it is listed.",
                "Ciò che è firmato va inviato come sta nel registro: con i valori predefiniti scritti, così come è elencato.",
            ),
        },
        ServiceError::OldFormat => (
            "This game began under fairlog/1, which does not know this, and ends under it.",
            "Questa partita è iniziata con fairlog/1, che non lo conosce, e con quello finisce.",
        ),
        ServiceError::NotAgreed(Term::Takebacks) => {
            ("This table was opened without takebacks.", "Questo tavolo è stato aperto senza ripensamenti.")
        }
        ServiceError::NotAgreed(Term::Substitutes) => {
            ("This table was opened without substitutes.", "Questo tavolo è stato aperto senza sostituti.")
        }
        ServiceError::NotAgreed(Term::Clock) => (
            "This table has no clock, so there is nothing to pause.",
            "Questo tavolo non ha orologio, quindi non c'è nulla da sospendere.",
        ),
        ServiceError::NothingToTakeBack => (
            "This cannot be taken back: something was drawn or shown since, another has decided, or its time has run out.",
            "Questo non si può più ritirare: da allora si è pescato o scoperto qualcosa, ha deciso un altro, o il tempo è scaduto.",
        ),
        ServiceError::Paused => (
            "The game is paused, since all asked for it: anybody may end the pause.",
            "La partita è sospesa, perché tutti l'hanno chiesto: chiunque può farla riprendere.",
        ),
        ServiceError::Autopilots => (
            "The autopilot plays your seat: take it back first.",
            "Il tuo posto è del pilota automatico: prima riprendilo.",
        ),
        ServiceError::NobodyAsked => (
            "Nobody has asked for your seat yet: give the code to who is to have it.",
            "Nessuno ha ancora chiesto il tuo posto: dai il codice a chi deve averlo.",
        ),
        ServiceError::AskedForAlready => (
            "Somebody else has asked for this seat: its player can offer it again, under another code.",
            "Qualcun altro ha già chiesto questo posto: chi lo occupa può offrirlo di nuovo, con un altro codice.",
        ),
        ServiceError::AskerHasNoRoom => (
            "Who asked for your seat sits at as many games as this server allows.",
            "Chi ha chiesto il tuo posto siede già a tante partite quante ne ammette questo server.",
        ),
        ServiceError::AsksAlready => {
            ("Your seat asks for a pause already.", "Il tuo posto chiede già una pausa.")
        }
        ServiceError::AsksNot => ("Your seat asks for no pause.", "Il tuo posto non chiede una pausa."),
        ServiceError::TooManyEntries => (
            "Your seat has written enough for now: somebody must move first.",
            "Il tuo posto ha scritto abbastanza per ora: prima qualcuno deve muovere.",
        ),
        ServiceError::Explored => (
            "This exploration is as long as one may be: begin another from where it has come to.",
            "Questa esplorazione è lunga quanto può essere: cominciane un'altra dal punto in cui è.",
        ),
        ServiceError::MachinesSeat => {
            ("A machine plays that seat here.", "Qui quel posto lo gioca una macchina.")
        }
        _ => return None,
    };
    Some(Text { en, it })
}
