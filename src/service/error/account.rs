//! Refusals about accounts and tokens.

use super::ServiceError;
use crate::engine::Text;

/// Returns the text of an error about an account.
pub const fn text(error: &ServiceError) -> Option<Text> {
    let (en, it) = match error {
        ServiceError::NoToken => (
            "This needs a token: send `Authorization: Bearer <token>`.",
            "Qui serve un token: invia `Authorization: Bearer <token>`.",
        ),
        ServiceError::BadToken => {
            ("The token is invalid or was revoked.", "Il token non è valido o è stato revocato.")
        }
        ServiceError::BadTicket => (
            "The ticket is invalid or has expired: it works for one stream, within a minute.",
            "Il ticket non è valido o è scaduto: vale per un solo flusso, entro un minuto.",
        ),
        ServiceError::NotForApps => (
            "A connected app cannot do this: use a token of your own.",
            "Un'app collegata non può farlo: usa un tuo token.",
        ),
        ServiceError::OneGameOnly => {
            ("The token is limited to one game.", "Il token è limitato a una sola partita.")
        }
        ServiceError::TokenEnds => (
            "This token expires, but a recovery code returns one that does not: use a token without an expiry.",
            "Questo token ha una scadenza, ma un codice di recupero ne dà uno che non l'ha: usa un token senza scadenza.",
        ),
        ServiceError::WrongCode => ("This code is wrong or has expired.", "Il codice è sbagliato o scaduto."),
        ServiceError::NotOperator => {
            ("This needs the token of an operator.", "Qui serve il token di un gestore.")
        }
        ServiceError::AddressBanned => (
            "The operator of this server has banned your address.",
            "Il gestore di questo server ha escluso il tuo indirizzo.",
        ),
        ServiceError::RegistrationClosed => {
            ("This server accepts no new players.", "Questo server non accetta nuovi giocatori.")
        }
        ServiceError::InvitationRequired => (
            "New players need an invitation code: send it as `invitation`.",
            "I nuovi giocatori devono avere un codice d'invito: invialo in `invitation`.",
        ),
        ServiceError::NameReserved => ("This name is reserved.", "Questo nome è riservato."),
        ServiceError::OperatorNamed => {
            ("Another operator has this name.", "Un altro gestore ha questo nome.")
        }
        ServiceError::CannotJoin => ("You cannot join this game.", "Non puoi entrare in questa partita."),
        ServiceError::NameTaken => ("Another bot has this name.", "Un altro bot ha questo nome."),
        _ => return None,
    };
    Some(Text { en, it })
}
