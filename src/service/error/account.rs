//! What accounts and their tokens are refused, in words.

use super::ServiceError;
use crate::engine::Text;

/// What is told of it, if it is about an account.
pub const fn text(error: &ServiceError) -> Option<Text> {
    let (en, it) = match error {
        ServiceError::NoToken => (
            "A token is needed for this: send `Authorization: Bearer <token>`.",
            "Qui serve un token: invia `Authorization: Bearer <token>`.",
        ),
        ServiceError::BadToken => {
            ("The token is not valid, or no longer.", "Il token non è valido, o non lo è più.")
        }
        ServiceError::BadTicket => (
            "The ticket is not valid, or no longer: it is good for one stream, within a minute.",
            "Il biglietto non è valido, o non lo è più: vale per un solo flusso, entro un minuto.",
        ),
        ServiceError::OneGameOnly => {
            ("The token is for one game alone.", "Il token vale per una sola partita.")
        }
        ServiceError::TokenEnds => (
            "This token ends, and a recovery code brings one that does not: use a token without an end.",
            "Questo token ha una scadenza, e un codice di recupero ne porta uno che non l'ha: usa un token senza scadenza.",
        ),
        ServiceError::WrongCode => {
            ("The code is not a valid one, or no longer.", "Il codice non è valido, o non lo è più.")
        }
        ServiceError::NameTaken => ("Another program has that name.", "Un altro programma ha quel nome."),
        _ => return None,
    };
    Some(Text { en, it })
}
